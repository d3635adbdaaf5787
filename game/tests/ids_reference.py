#!/usr/bin/env python3
"""The ids and the coin toss of protocol section 8 with Python's standard library alone: prints the vectors in ids.rs of this folder."""

MASK = 2**64 - 1


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
            lane = padded[start + 8 * i : start + 8 * i + 8]
            a[i % 5][i // 5] ^= int.from_bytes(lane, "little")
        a = permute(a)
    return b"".join(a[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


def words(*values):
    return b"".join(v if isinstance(v, bytes) else v.to_bytes(32, "big") for v in values)


def address(byte):
    return int.from_bytes(bytes([byte]) * 20, "big")


assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"

chain, contract, creator, joiner = 31337, address(0xF0), address(0xC1), address(0xC2)
nonce, share, other_share = bytes([0x11]) * 32, bytes([0x22]) * 32, bytes([0x33]) * 32
g = (1, 17631683881184975370165255887551781615748388533673675138860)
toss = keccak256(words(keccak256(b"fogmate/toss/1"), creator, share))
print("toss of the creator", toss.hex())
print("toss of the joiner ", keccak256(words(keccak256(b"fogmate/toss/1"), joiner, other_share)).hex())
print("opening id         ", keccak256(words(keccak256(b"fogmate/opening/1"), chain, contract, creator, nonce)).hex())
# mode, stake, base, increment, delay, window, reveal, expiry, opponent
for name, terms in [("open", (0, 2**96 - 1, 600, 5, 60, 3600, 120, 2**40 - 1, 0)), ("closed", (1, 0, 1, 2, 3, 4, 5, 6, joiner))]:
    game = keccak256(words(chain, contract, creator, nonce, *terms, toss, *g))
    print(f"game id, {name:10}", game.hex())
    print(f"toss word, {name:8}", keccak256(words(share, other_share, game)).hex())
