#!/usr/bin/env python3
"""The dice of docs/src/dice.md with Python's standard library alone: prints test/data/dice.json, which Rust and Solidity are tested with.

    python3 contest/tests/reference.py > test/data/dice.json

It shares nothing with either but the formulas of the page. Before it prints anything it checks its own parts against what others have
published: Keccak-256 of nothing, the HMAC_DRBG in RFC 6979 (A.1.2, with two rejected outputs, and A.2.5), and the board by the exact
length of a game in Althoen, King and Schilling (1993).
"""

import hashlib
import hmac
import json
from fractions import Fraction

MASK = 2**64 - 1
WORD = 2**256


def rotate(lane, by):
    by %= 64
    return ((lane << by) | (lane >> (64 - by))) & MASK


def permute(a):
    """Keccak-f[1600] on 5 x 5 lanes; the round constants come from its own shift register."""
    register = 1
    for _ in range(24):
        c = [a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4] for x in range(5)]
        d = [c[(x - 1) % 5] ^ rotate(c[(x + 1) % 5], 1) for x in range(5)]
        a = [[lane ^ d[x] for lane in a[x]] for x in range(5)]
        x, y, current = 1, 0, a[1][0]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            current, a[x][y] = a[x][y], rotate(current, (t + 1) * (t + 2) // 2)
        a = [[a[x][y] ^ (~a[(x + 1) % 5][y] & a[(x + 2) % 5][y]) for y in range(5)] for x in range(5)]
        for j in range(7):
            if register & 1:
                a[0][0] ^= 1 << (2**j - 1)
            register = (register << 1) ^ (0x171 if register & 0x80 else 0)
    return a


def keccak256(data):
    padded = bytearray(data + b"\x01" + bytes(-(len(data) + 1) % 136))
    padded[-1] |= 0x80
    a = [[0] * 5 for _ in range(5)]
    for start in range(0, len(padded), 136):
        for i in range(17):
            a[i % 5][i // 5] ^= int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
        a = permute(a)
    return b"".join(a[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


def words(*values):
    return b"".join(v if isinstance(v, bytes) else v.to_bytes(32, "big") for v in values)


class HmacDrbg:
    """HMAC_DRBG with SHA-256 of NIST SP 800-90A Rev. 1, 10.1.2, without reseeding and additional input."""

    def __init__(self, seed_material):
        self.key, self.value = bytes(32), b"\x01" * 32
        self.update(seed_material)

    def mac(self, data):
        return hmac.new(self.key, data, hashlib.sha256).digest()

    def update(self, data):
        for separator in (b"\x00", b"\x01") if data else (b"\x00",):
            self.key = self.mac(self.value + separator + data)
            self.value = self.mac(self.value)

    def generate(self, size):
        output = b""
        while len(output) < size:
            self.value = self.mac(self.value)
            output += self.value
        self.update(b"")
        return output[:size]


PERSONALIZATION = b"fogmate/dice/hmac-drbg-sha256/2"


def roll_of(seed, game, roll):
    """Both dice, and of each byte that was taken whether it was accepted."""
    drbg = HmacDrbg(words(seed, game, roll) + PERSONALIZATION)
    dice, taken = [], []
    while True:
        for byte in drbg.generate(2):
            taken.append(byte < 252)
            if byte < 252:
                dice.append(byte % 6 + 1)
            if len(dice) == 2:
                return dice, taken


def promised(player, roll, number):
    tag = keccak256(words(keccak256(b"fogmate/dice/2"), roll))
    return keccak256(words(tag, player, number))


JUMPS = {
    **{1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100},
    **{16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78},
}


def after(square, die):
    to = square + die
    return square if to > 100 else JUMPS.get(to, to)


def expected_rolls():
    """How many rolls of one die one player needs on average: the linear system of the Markov chain, solved exactly."""
    squares = [s for s in range(100) if s not in JUMPS]
    index = {s: i for i, s in enumerate(squares)}
    rows = []
    for s in squares:
        row = [Fraction(0)] * (len(squares) + 1)
        row[index[s]] += 1
        row[-1] = Fraction(1)
        for die in range(1, 7):
            if after(s, die) < 100:
                row[index[after(s, die)]] -= Fraction(1, 6)
        rows.append(row)
    for column in range(len(squares)):
        pivot = next(r for r in range(column, len(squares)) if rows[r][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for r in range(len(squares)):
            factor = rows[r][column]
            if r != column and factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[column])]
    return rows[index[0]][-1]


SIDES = range(1, 7)
PAIRS = [(first, second) for first in SIDES for second in SIDES]
AFTER = [[after(square, die) for die in SIDES] for square in range(101)]


def winning():
    """By where the one who is to roll and the other stand, how often the first wins if both choose as well as can be: value iteration."""
    wins = [[0.0] * 101 for _ in range(101)]
    for _ in range(100):
        for own in reversed(range(100)):
            for other in reversed(range(100)):
                # Of all pairs of dice one has the least chance as its better one, and eleven the greatest.
                chances = sorted(1 - wins[other][to] for to in AFTER[own])
                wins[own][other] = sum((2 * i + 1) * chance for i, chance in enumerate(chances)) / len(PAIRS)
    return wins


WINS = winning()


def better(own, other, dice):
    """The first of two dice, unless its player wins more often after the second one."""
    return min(dice, key=lambda die: WINS[other][after(own, die)])


def game_of_two(dice_of):
    """The average number of rolls of a game, and the share of games that the first player wins; `dice_of` gives what one moves by, each as likely."""
    dice = [[dice_of(own, other) for other in range(100)] for own in range(100)]
    shares = [[[of.count(die) / len(of) for die in SIDES] for of in row] for row in dice]
    length, share = ([[0.0] * 101 for _ in range(101)] for _ in range(2))
    for _ in range(200):
        for own in reversed(range(100)):
            for other in reversed(range(100)):
                led = list(zip(shares[own][other], AFTER[own]))
                length[own][other] = 1 + sum(part * length[other][to] for part, to in led)
                share[own][other] = sum(part * (1 - share[other][to]) for part, to in led)
    return length[0][0], share[0][0]


def play():
    """What good play comes to; by where the other stands, which is to roll, how often a player wins from each square."""
    length, share = game_of_two(lambda own, other: [better(own, other, dice) for dice in PAIRS])
    others = [0, 50, 92]
    wins = [[round(1 - WINS[other][to], 9) for to in range(101)] for other in others]
    return {"others": others, "wins": wins, "rolls": round(length, 9), "first": round(share, 9)}


def check_against_publications():
    assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    key = bytes.fromhex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
    for message, k in RFC6979_P256.items():
        assert HmacDrbg(key + hashlib.sha256(message).digest()).generate(32).hex().upper() == k
    drbg = HmacDrbg(bytes.fromhex(RFC6979_K163["material"]))
    outputs = [int.from_bytes(drbg.generate(21), "big") >> 5 for _ in range(3)]
    order = 0x4000000000000000000020108A2E0CC0D99F8A5EF
    assert [k < order for k in outputs] == [False, False, True]
    assert outputs[2] == 0x23AF4074C90A02B3FE61D286D5C87F425E6BDD81B
    published = Fraction(
        225837582538403273407117496273279920181931269186581786048583,
        5757472998140039232950575874628786131130999406013041613400,
    )
    assert expected_rolls() == published
    length, share = game_of_two(lambda own, other: SIDES)
    assert abs(length - 52.154) < 1e-3 and abs(share - 0.5079) < 1e-4, "one die, which the page gave before there was a choice"


RFC6979_P256 = {
    b"sample": "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
    b"test": "D16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0",
}
# Of curve K-163: the private key, then SHA-256("sample") mod the order.
RFC6979_K163 = {"material": "009A4D6792295A7F730FC3F2B49CBC0F62E862272F" + "01795EDF0D54DB760F156D0DAC04C0322B3A204224"}


def draw(*label):
    """A number of the test's own choice."""
    return int.from_bytes(hashlib.sha256(repr(label).encode()).digest(), "big")


def text(value):
    return "0x" + (value if isinstance(value, bytes) else value.to_bytes(32, "big")).hex()


def address(value):
    return "0x" + value.to_bytes(20, "big").hex()


def rolls():
    """Forty draws; then the first ones of which the first byte is refused, the second, and both."""
    found = [(draw("seed", i), draw("game", i), i + 1) for i in range(40)]
    for pattern in ([False, True], [True, False], [False, False]):
        i = next(i for i in range(40, 10**6) if roll_of(draw("seed", i), draw("game", i), i + 1)[1][:2] == pattern)
        found.append((draw("seed", i), draw("game", i), i + 1))
    results = [roll_of(*inputs) for inputs in found]
    return {
        "count": len(found),
        "seeds": [text(seed) for seed, _, _ in found],
        "games": [text(game) for _, game, _ in found],
        "rolls": [roll for _, _, roll in found],
        "first": [dice[0] for dice, _ in results],
        "second": [dice[1] for dice, _ in results],
        "bytes": [len(taken) for _, taken in results],
    }


def game():
    """A whole game, message by message: the invitation, the acceptance, then one a roll, in which each player chooses the better die."""
    chain, contract = 31337, int.from_bytes(b"\xf0" * 20, "big")
    players = [int.from_bytes(bytes([byte]) * 20, "big") for byte in (0xC1, 0xC2)]
    nonce, stake, turn, expiry = draw("nonce"), 10**18, 3600, 2**40 - 1
    secret = lambda roll: draw("promised", roll)
    open_ = lambda roll: draw("number", roll)
    first = promised(players[0], 1, secret(1))
    game_id = keccak256(words(chain, contract, players[0], nonce, stake, turn, expiry, players[1], first))
    joined = promised(players[1], 2, secret(2))
    head = keccak256(words(game_id, players[1], open_(1), joined))
    heads, revealed, numbers, promises, chosen, squares = [game_id, head], [], [], [], [], []
    dice = [[], []]
    at, roll = [0, 0], 0
    while 100 not in at:
        roll += 1
        mover = (roll - 1) % 2
        thrown, _ = roll_of((secret(roll) + open_(roll)) % WORD, game_id, roll)
        die = better(at[mover], at[1 - mover], thrown)
        at[mover] = after(at[mover], die)
        next_promise = promised(players[mover], roll + 2, secret(roll + 2))
        head = keccak256(words(head, secret(roll), open_(roll + 1), next_promise, die))
        heads.append(head)
        revealed.append(secret(roll))
        numbers.append(open_(roll + 1))
        promises.append(next_promise)
        for shown, of in zip(thrown, dice):
            of.append(shown)
        chosen.append(die)
        squares.append(at[mover])
    return {
        "chain": chain,
        "contract": address(contract),
        "creator": address(players[0]),
        "joiner": address(players[1]),
        "nonce": text(nonce),
        "stake": stake,
        "turn": turn,
        "expiry": expiry,
        "createPromise": text(first),
        "joinNumber": text(open_(1)),
        "joinPromise": text(joined),
        "rolls": roll,
        "heads": [text(value) for value in heads],
        "revealed": [text(value) for value in revealed],
        "numbers": [text(value) for value in numbers],
        "promises": [text(value) for value in promises],
        "first": dice[0],
        "second": dice[1],
        "chosen": chosen,
        "squares": squares,
    }


if __name__ == "__main__":
    check_against_publications()
    print(json.dumps({"rolls": rolls(), "game": game(), "play": play()}, indent=1))
