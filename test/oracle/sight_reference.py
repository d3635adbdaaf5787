#!/usr/bin/env python3
"""Reference of the sight exchange (protocol 2.1, sections 3-7 and 'Encodings'), in pure Python, for use as a test oracle.

usage: python3 sight_reference.py vectors SEED COUNT > sight_vectors.jsonl     (standard library only)
       python3 sight_reference.py selftest                                     (needs pyffish, chess and fog_oracle.py beside it)

It is written for clarity: slow, not constant-time, not for play. Where protocol.md leaves room, this file chooses:
 1. "ciphertext" = mask + payload in F. Masks of one value, RAY and PUSH are output 0 of H.
 2. PEND is keyed by the whole `a` as one field element (it has 250 bits, so it is < |F|), not by a half of it.
 3. `pending` in ctx and in the public inputs is the *applied* value: 64 for the side that is not to move. So phase 0 has
    pending_sender = 64 and phase 1 has pending_receiver = 64. C_sender and C_receiver are the commitments as they stand on
    chain, before any removal. `ply` is the receiver's ply in both phases (so ply mod 2 = the receiver's colour).
 4. abi.encode(root, values) has fixed-size arrays: uint256[733] and uint256[128], so no offset or length word.
    y = sum of v_i z^i from i = 0. Answer: (answerRoot, 733 elements); request data: (requestRoot, 128 coordinates).
 5. En-passant bits depend on the sender's double-push file and the pawn's rank (5th for a white receiver, 4th for a black one) alone.
 6. Removing `pending` clears the king-side right if pending is the own h-corner, the queen-side right if it is the own a-corner.
 7. The en-passant victim and what blocks a pawn are merged into one board: a type wins over '?' and '.'; own pieces win over all.
 8. Where a key would be the point at infinity (which needs r_s = (j - c_s) a mod q) the sender fails rather than answers.
"""
import hashlib, json, os, random, sys
from dataclasses import dataclass, replace
from functools import lru_cache

F = 21888242871839275222246405745257275088548364400416034343698204186575808495617  # bn254 scalar field = Grumpkin's coordinates
Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583  # Grumpkin's group order
COMMIT, LEAF, NODE, RECORD, OT, PRF, RAY, PUSH, PEND = range(1, 10)
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
NOWHERE = 64  # "no square" for pending

# ---------------------------------------------------------------- Poseidon, t = 3, x^5, R_F = 8, R_P = 57
def grain(t=3, bits=254, full=8, partial=57):
    """The Poseidon paper's Grain LFSR (prime field, x^alpha): yields pseudo-random integers of `bits` bits."""
    init = "".join(f"{v:0{w}b}" for v, w in ((1, 2), (0, 4), (bits, 12), (t, 12), (full, 10), (partial, 10))) + "1" * 30
    state = [int(c) for c in init]
    def clock():
        new = state[62] ^ state[51] ^ state[38] ^ state[23] ^ state[13] ^ state[0]
        del state[0]
        state.append(new)
        return new
    for _ in range(160):
        clock()
    while True:
        value = 0
        for _ in range(bits):
            while not clock():  # a pair (0, x) is thrown away, a pair (1, x) gives x
                clock()
            value = value << 1 | clock()
        yield value

def poseidon_parameters():
    source = grain()
    constants = []
    while len(constants) < 65 * 3:
        value = next(source)
        if value < F:
            constants.append(value)
    cauchy = [next(source) % F for _ in range(6)]
    return constants, [[pow(cauchy[i] + cauchy[3 + j], -1, F) for j in range(3)] for i in range(3)]

ROUND_CONSTANTS, MDS = poseidon_parameters()

@lru_cache(1 << 15)
def H(tag, x, y):
    """The permutation of [tag, x, y]; outputs 0 and 1 (never all three)."""
    state = [tag, x, y]
    for r in range(65):
        state = [v + c for v, c in zip(state, ROUND_CONSTANTS[3 * r:3 * r + 3])]
        boxes = 3 if r < 4 or r >= 61 else 1
        state = [pow(v, 5, F) if i < boxes else v for i, v in enumerate(state)]
        state = [sum(m * v for m, v in zip(row, state)) % F for row in MDS]
    return state[0], state[1]

def merkle_root(leaves):
    while len(leaves) > 1:
        leaves = [H(NODE, leaves[i], leaves[i + 1])[0] for i in range(0, len(leaves), 2)]
    return leaves[0]

# ---------------------------------------------------------------- Keccak-256 and the hashes that the contract computes
def keccak256(data, suffix=0x01):
    mask, rate = (1 << 64) - 1, 136
    rol = lambda v, n: (v << n | v >> 64 - n) & mask if n else v
    data = bytearray(data + bytes([suffix]) + bytes(-(len(data) + 1) % rate))
    data[-1] |= 0x80
    lanes = [[0] * 5 for _ in range(5)]
    for block in range(0, len(data), rate):
        for i in range(rate // 8):
            lanes[i % 5][i // 5] ^= int.from_bytes(data[block + 8 * i:block + 8 * i + 8], "little")
        lfsr = 1
        for _ in range(24):
            parity = [a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4] for a in lanes]
            lanes = [[v ^ parity[x - 1] ^ rol(parity[(x + 1) % 5], 1) for v in lanes[x]] for x in range(5)]
            x, y, current = 1, 0, lanes[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                current, lanes[x][y] = lanes[x][y], rol(current, (t + 1) * (t + 2) // 2 % 64)
            lanes = [[lanes[x][y] ^ ~lanes[(x + 1) % 5][y] & lanes[(x + 2) % 5][y] for y in range(5)] for x in range(5)]
            for j in range(7):
                if lfsr & 1:
                    lanes[0][0] ^= 1 << (1 << j) - 1
                lfsr = lfsr << 1 ^ (0x171 if lfsr & 0x80 else 0)
    return b"".join(lanes[i][0].to_bytes(8, "little") for i in range(4))

def hash_words(*words):
    """keccak256 of the abi encoding of static words, mod |F|."""
    return int.from_bytes(keccak256(b"".join(w.to_bytes(32, "big") for w in words)), "big") % F

CTX_TAG = int.from_bytes(keccak256(b"fogmate/ctx/2"), "big")

def context(chain, contract, game, ply, phase, c_sender, pending_sender, c_receiver, pending_receiver, A, request_root):
    return hash_words(CTX_TAG, chain, contract, game, ply, phase, c_sender, pending_sender, c_receiver, pending_receiver, *A, request_root)

def binding(root, values):
    """(z, y) that tie calldata to a proof."""
    z = hash_words(root, *values)
    return z, sum(v * pow(z, i, F) for i, v in enumerate(values)) % F

# ---------------------------------------------------------------- Grumpkin, y^2 = x^3 - 17, affine; None is the point at infinity
G = (1, 17631683881184975370165255887551781615748388533673675138860)

def add(P, R):
    if P is None or R is None:
        return R if P is None else P
    if P[0] == R[0]:
        if (P[1] + R[1]) % F == 0:
            return None
        slope = 3 * P[0] * P[0] * pow(2 * P[1], -1, F)
    else:
        slope = (R[1] - P[1]) * pow(R[0] - P[0], -1, F)
    x = (slope * slope - P[0] - R[0]) % F
    return x, (slope * (P[0] - x) - P[1]) % F

def negate(P):
    return P and (P[0], -P[1] % F)

@lru_cache(128)
def doublings(P):
    out = [P]
    while len(out) < 254:
        out.append(add(out[-1], out[-1]))
    return out

def mul(k, P):
    total = None
    for i, D in enumerate(doublings(P)):
        if k >> i & 1:
            total = add(total, D)
    return total

def on_curve(P):
    return all(0 <= v < F for v in P) and (P[1] ** 2 - P[0] ** 3 + 17) % F == 0

# ---------------------------------------------------------------- Board geometry
KINGS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)]  # also the ray directions d = 0..7
KNIGHTS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
RAYS = {BISHOP: range(4, 8), ROOK: range(4), QUEEN: range(8)}

def off(s, step, n=1):
    f, r = s % 8 + n * step[0], s // 8 + n * step[1]
    return 8 * r + f if 0 <= f < 8 and 0 <= r < 8 else None

def ahead(colour):
    return (0, 1 - 2 * colour)

def pawn_rank(colour):
    return 6 if colour else 1

def name(s):
    return "abcdefgh"[s % 8] + str(s // 8 + 1)

# ---------------------------------------------------------------- Player state
@dataclass(frozen=True)
class State:
    types: tuple          # 64 own pieces by type, 0 = none
    king_side: int = 1    # castling rights
    queen_side: int = 1
    push: int = 0         # 1..8: file of own last move if it was a double push
    count: int = 0        # own moves since own last pawn move, at most 127

    @staticmethod
    def start(colour):
        back, pawns = (4, 2, 3, 5, 6, 3, 2, 4), (1,) * 8
        return State((0,) * 48 + pawns + back if colour else back + pawns + (0,) * 48)

    def pack(self):
        pieces = sum(t << 3 * s for s, t in enumerate(self.types))
        return pieces | self.king_side << 192 | self.queen_side << 193 | self.push << 194 | self.count << 198

    def commit(self, salt):
        return H(COMMIT, self.pack(), salt)[0]

    def without(self, pending, colour):
        """The state with the piece on `pending` removed, and the right of a rook that stood there."""
        if pending == NOWHERE:
            return self
        types = self.types[:pending] + (0,) + self.types[pending + 1:]
        return replace(self, types=types, king_side=self.king_side & (pending != 56 * colour + 7),
                       queen_side=self.queen_side & (pending != 56 * colour))

# ---------------------------------------------------------------- Request
def request(types, r, A):
    """B_s = r_s g + c_s A"""
    points = []
    for s in range(64):
        assert r[s] % Q != 0
        points.append(add(mul(r[s], G), mul(types[s], A)))
    return points

def request_root(points):
    return merkle_root([H(LEAF, *B)[0] for B in points])

# ---------------------------------------------------------------- Answer
def targets_payload(types, s, steps):
    return sum(types[x] << 3 * i for i, x in enumerate(off(s, step) for step in steps) if x is not None)

def pawn_payload(types, push, s, colour, phase):
    up, front = ahead(colour), off(s, ahead(colour))
    value = targets_payload(types, s, [(-1, up[1]), (1, up[1])]) | (types[front] != 0) << 6
    landed = push - 1 + 8 * (3 if colour else 4) if push and phase == 0 else None
    for bit, side in ((7, (-1, 0)), (8, (1, 0))):
        if landed is not None and off(s, side) == landed:
            value |= 1 << bit
    return value

def prf(key, d):
    return H(PRF, key, d % 4 // 2)[d % 2]

def answer(sender, colour, phase, pending, a, points, ctx, flaw=None):
    """The 64 records. `sender`: state with its own pending applied; `colour` and `pending`: the receiver's. `flaw`: negative controls."""
    types, A = sender.types, mul(a, G)
    assert a >> 249 == 1 and all(on_curve(B) for B in points)
    minus_jaA = [negate(mul(j, mul(a, A))) for j in range(7)]
    key = []
    for B in points:
        D = mul(a, B)
        key.append([add(D, minus_jaA[j])[0] for j in range(7)])
    mask = lambda s, j: H(OT, key[s][j], (ctx + 8 * s + j) % F)
    clear = [mask(s, 0)[0] for s in range(64)]     # pass_s
    diag = [mask(s, 3)[0] for s in range(64)]
    orth = [mask(s, 4)[0] for s in range(64)]
    if pending != NOWHERE and flaw != "no PEND keys":
        orth[pending], diag[pending] = H(PEND, a, ctx)

    record = [[0] * 14 for _ in range(64)]
    for s in range(64):
        if s == pending and flaw != "no zeroing":
            record[s][13] = clear[s] if flaw != "no clear pass" else 0
            continue
        if 1 <= s // 8 <= 6:
            record[s][8] = mask(s, PAWN)[0] + pawn_payload(types, sender.push, s, colour, phase)
        record[s][9] = mask(s, KNIGHT)[0] + targets_payload(types, s, KNIGHTS)
        record[s][10] = mask(s, QUEEN)[0] + orth[s]
        record[s][11] = mask(s, QUEEN)[1] + diag[s]
        record[s][12] = mask(s, KING)[0] + targets_payload(types, s, KINGS)
        if s // 8 == pawn_rank(colour):
            one, two = off(s, ahead(colour)), off(s, ahead(colour), 2)
            record[s][13] = H(PUSH, mask(s, PAWN)[1], clear[one])[0] + (types[two] != 0 and not types[one])

    ray = {}  # ray[x, d]: the key K_{x,d} to look at x while moving in d
    for s in range(64):
        for d in range(8):
            if off(s, KINGS[d]) is not None:
                ray[off(s, KINGS[d]), d] = prf(orth[s] if d < 4 else diag[s], d)
    for (x, d), k in ray.items():
        beyond = ray.get((off(x, KINGS[d]), d), 0)
        record[x][d] = H(RAY, k, clear[x])[0] + (types[x] or beyond)
    return [[v % F for v in fields] for fields in record]

# ---------------------------------------------------------------- Records, wire order, answer root
def present(s, i, colour):
    if i < 8:
        return off(s, KINGS[i], -1) is not None
    return {8: 1 <= s // 8 <= 6, 13: s // 8 == pawn_rank(colour)}.get(i, True)

def to_wire(record, colour, pending):
    wire = [0 if i == 13 and s == pending else record[s][i] for s in range(64) for i in range(14) if present(s, i, colour)]
    return wire + [record[pending][13] if pending != NOWHERE else 0]

def from_wire(wire, colour, pending):
    values = iter(wire)
    record = [[next(values) if present(s, i, colour) else 0 for i in range(14)] for s in range(64)]
    clear = next(values)
    assert pending != NOWHERE or clear == 0
    if pending != NOWHERE:
        record[pending][13] = clear
    return record

def answer_root(record):
    leaves = []
    for fields in record:
        h = RECORD
        for i in range(7):
            h = H(h, fields[2 * i], fields[2 * i + 1])[0]
        leaves.append(h)
    return merkle_root(leaves)

# ---------------------------------------------------------------- Opening, by the receiver
def walk(record, passes, k, s, d):
    """Follow the ray from s in direction d with key k over squares whose pass is known: [(square, type or 0 = empty)]."""
    out, x = [], off(s, KINGS[d])
    while x in passes:
        k = (record[x][d] - H(RAY, k, passes[x])[0]) % F
        out.append((x, k if 1 <= k <= 6 else 0))
        if 1 <= k <= 6:
            break
        x = off(x, KINGS[d])
    return out

def receiver_masks(receiver, r, A, ctx):
    return [H(OT, mul(r[s], A)[0], (ctx + 8 * s + receiver.types[s]) % F) for s in range(64)]

def open_sight(receiver, colour, phase, pending, A, r, ctx, wire):
    """The board that the receiver sees. `receiver`: its committed state (still with the piece on `pending`)."""
    own, record = receiver.without(pending, colour).types, from_wire(wire, colour, pending)
    m = receiver_masks(receiver, r, A, ctx)
    passes = {s: m[s][0] for s in range(64) if receiver.types[s] == 0}
    if pending != NOWHERE:
        passes[pending] = record[pending][13]
    seen, occupied = {}, {}   # square -> type (0 empty); square -> bool, what a pawn's way ahead tells
    for s, t in enumerate(own):
        if t in (KNIGHT, KING):
            value = (record[s][9 if t == KNIGHT else 12] - m[s][0]) % F
            assert value < 1 << 24
            for i, step in enumerate(KNIGHTS if t == KNIGHT else KINGS):
                if off(s, step) is not None:
                    seen[off(s, step)] = value >> 3 * i & 7
        elif t == PAWN:
            value, up = (record[s][8] - m[s][0]) % F, ahead(colour)
            assert value < 1 << (7 if phase else 9)
            for shift, side in ((0, -1), (3, 1)):
                if off(s, (side, up[1])) is not None:
                    seen[off(s, (side, up[1]))] = value >> shift & 7
            for bit, side in ((7, -1), (8, 1)):
                if value >> bit & 1:
                    seen[off(s, (side, 0))] = PAWN
            one, two = off(s, up), off(s, up, 2)
            occupied[one] = bool(value >> 6 & 1)
            if s // 8 == pawn_rank(colour) and one in passes and not occupied[one]:
                value = (record[s][13] - H(PUSH, m[s][1], passes[one])[0]) % F
                assert value < 2
                occupied[two] = bool(value)
        elif t:
            orth, diag = (m[s][0], m[s][0]) if t != QUEEN else ((record[s][10] - m[s][0]) % F, (record[s][11] - m[s][1]) % F)
            for d in RAYS[t]:
                seen.update(walk(record, passes, prf(orth if d < 4 else diag, d), s, d))
    return board_string(own, colour, seen, occupied)

def board_string(own, colour, seen, occupied):
    """Ranks 8 to 1, the format of fog_oracle.py."""
    def char(s):
        mine, theirs = (".pnbrqk", ".PNBRQK") if colour else (".PNBRQK", ".pnbrqk")
        if own[s]:
            return mine[own[s]]
        if s in seen:
            return theirs[seen[s]]
        return "?" if occupied.get(s) else "." if s in occupied else "*"
    return "/".join("".join(char(8 * r + f) for f in range(8)) for r in range(7, -1, -1))

# ---------------------------------------------------------------- Exchanges around the positions of positions.jsonl
@dataclass(frozen=True)
class Exchange:
    colour: int; ply: int; phase: int; sender: State; receiver: State; pending_sender: int; pending_receiver: int; fen: str; move: str

    @property
    def applied_sender(self):
        return self.sender.without(self.pending_sender, 1 - self.colour)

    @property
    def applied_receiver(self):
        return self.receiver.without(self.pending_receiver, self.colour)

def read_fen(fen, rng):
    """(colour to move, ply, [white's state, black's state]); FEN lacks the counters, so they are random."""
    rows, turn, castling, ep, _, full = fen.split()
    text = "".join("." * int(c) if c.isdigit() else c for row in rows.split("/")[::-1] for c in row)
    mover, states = "wb".index(turn), []
    for colour, (letters, k, q) in enumerate(((".PNBRQK", "K", "Q"), (".pnbrqk", "k", "q"))):
        push = "abcdefgh".index(ep[0]) + 1 if ep != "-" and colour != mover else 0
        types = tuple(max(0, letters.find(c)) for c in text)
        states.append(State(types, int(k in castling), int(q in castling), push, 0 if push else rng.choice((0, 1, 49, 50, 126, 127))))
    return mover, 2 * (int(full) - 1) + mover, states

def play(own, them, colour, uci):
    """(the mover's next state, the square on which the move captures or 64)"""
    s, x = (8 * int(uci[i + 1]) - 8 + "abcdefgh".index(uci[i]) for i in (0, 2))
    types, base, was = list(own.types), 56 * colour, own.types[s]
    types[s], types[x] = 0, " nbrq".index(uci[4]) + 1 if len(uci) > 4 else was
    if was == KING and abs(s - x) == 2:
        rook, to = (base + 7, base + 5) if x > s else (base, base + 3)
        types[rook], types[to] = 0, ROOK
    captured = x if them.types[x] else off(x, ahead(colour), -1) if was == PAWN and s % 8 != x % 8 else NOWHERE
    return State(tuple(types), own.king_side & (was != KING and s != base + 7), own.queen_side & (was != KING and s != base),
                 s % 8 + 1 if was == PAWN and abs(s - x) == 16 else 0, 0 if was == PAWN else min(127, own.count + 1)), captured

PROMOTIONS = [{"fen": f"r3k2r/1P4P1/8/4B3/4b3/8/1p4p1/R3K2R {turn} KQkq - 0 40", "legal": legal.split()} for turn, legal in (
    ("w", "b7a8q b7a8n g7h8r g7g8b"), ("b", "b2a1q b2a1n g2h1r g2g1b"))]  # rare in random games

def exchanges(rng):
    """For every legal move of every position, in random order: the mover's post sight and the other player's next pre sight."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/positions.jsonl")) as file:
        positions = [json.loads(line) for line in file] + PROMOTIONS
    for position in rng.sample(positions, len(positions)):
        mover, ply, states = read_fen(position["fen"], rng)
        for uci in rng.sample(position["legal"], len(position["legal"])):
            own, them = states[mover], states[1 - mover]
            own, captured = play(own, them, mover, uci)
            if captured == NOWHERE or them.types[captured] != KING:
                yield Exchange(mover, ply, 1, them, own, captured, NOWHERE, position["fen"], uci)
                yield Exchange(1 - mover, ply + 1, 0, own, them, NOWHERE, captured, position["fen"], uci)

def run(x, rng):
    """Carry out an exchange with random secrets."""
    v = {"a": rng.getrandbits(249) | 1 << 249, "r": [rng.randrange(1, Q) for _ in range(64)], "saltSender": rng.randrange(F),
         "saltReceiver": rng.randrange(F), "chainId": 31337, "contract": rng.getrandbits(160), "gameId": rng.getrandbits(256)}
    v["A"] = mul(v["a"], G)
    v["cSender"], v["cReceiver"] = x.sender.commit(v["saltSender"]), x.receiver.commit(v["saltReceiver"])
    v["points"] = request(x.receiver.types, v["r"], v["A"])
    v["requestRoot"] = request_root(v["points"])
    v["ctx"] = context(v["chainId"], v["contract"], v["gameId"], x.ply, x.phase, v["cSender"], x.pending_sender,
                       v["cReceiver"], x.pending_receiver, v["A"], v["requestRoot"])
    v["records"] = answer(x.applied_sender, x.colour, x.phase, x.pending_receiver, v["a"], v["points"], v["ctx"])
    v["elements"] = to_wire(v["records"], x.colour, x.pending_receiver)
    v["answerRoot"] = answer_root(v["records"])
    v["sight"] = open_sight(x.receiver, x.colour, x.phase, x.pending_receiver, v["A"], v["r"], v["ctx"], v["elements"])
    return v

def shown(board, s):
    return board[9 * (7 - s // 8) + s % 8]

# ---------------------------------------------------------------- Vectors
def fell(*types):
    return lambda x: x.pending_receiver != NOWHERE and x.receiver.types[x.pending_receiver] in types

def right_lost(x):
    rights = lambda state: state.king_side + state.queen_side
    return rights(x.sender) + rights(x.receiver) > rights(x.applied_sender) + rights(x.applied_receiver)

def en_passant(x):  # the last move captured en passant
    pending = min(x.pending_sender, x.pending_receiver)
    return pending != NOWHERE and name(pending) != x.move[2:4]

def en_passant_possible(x):
    return any(t == PAWN and pawn_payload(x.sender.types, x.sender.push, s, x.colour, x.phase) >> 7 for s, t in enumerate(x.receiver.types))

CASES = (  # what it is, the receiver's colour, phase, test
    ("pre: own corner rook captured, with its castling right", 0, 0, lambda x: fell(ROOK)(x) and right_lost(x)),
    ("pre: own bishop captured", 1, 0, fell(BISHOP)),
    ("pre: own queen captured", 0, 0, fell(QUEEN)),
    ("pre: own pawn captured on its start rank", 1, 0, lambda x: fell(PAWN)(x) and x.pending_receiver // 8 == pawn_rank(x.colour)),
    ("pre: own pawn captured en passant", 0, 0, en_passant),
    ("pre: may capture en passant", 1, 0, en_passant_possible),
    ("pre: may capture en passant", 0, 0, en_passant_possible),
    ("pre: own knight captured", 1, 0, fell(KNIGHT)),
    ("post: has captured a corner rook with its castling right", 1, 1, right_lost),
    ("post: has promoted", 0, 1, lambda x: len(x.move) == 5),
    ("post: has captured en passant", 0, 1, en_passant),
    ("pre: own piece captured by a promoting pawn", 1, 0, lambda x: fell(*range(1, 6))(x) and len(x.move) == 5),
)

def word(v, digits=64):
    return f"0x{v:0{digits}x}"

def vector(seed, i):
    rng, tries = random.Random(f"{seed}/{i}"), 0
    what, colour, phase, test = CASES[i % len(CASES)]
    colour ^= i // len(CASES) & 1
    for x in exchanges(rng):
        if (x.colour, x.phase) == (colour, phase) and test(x):
            chosen, tries = (x, run(x, rng)), tries + 1
            if tries == 8 or x.pending_receiver == NOWHERE or shown(chosen[1]["sight"], x.pending_receiver) != "*":
                break  # rather one in which the captured square is seen
    x, v = chosen
    def side(state, applied, salt, c):
        return {"types": "".join(map(str, state.types)), "kingSide": state.king_side, "queenSide": state.queen_side, "push": state.push,
                "count": state.count, "state": word(state.pack()), "salt": word(salt), "commitment": word(c), "appliedState": word(applied.pack())}
    coordinates = [c for B in v["points"] for c in B]
    (rz, ry), (az, ay) = binding(v["requestRoot"], coordinates), binding(v["answerRoot"], v["elements"])
    pending = min(x.pending_sender, x.pending_receiver)
    samples = list(dict.fromkeys((pending % 64, 8 * pawn_rank(colour) + i % 8, 16 + 3 * i % 32, 63)))[:3]
    return {"case": what, "fen": x.fen, "move": x.move, "receiver": colour, "ply": x.ply, "phase": phase,
            "pendingSender": x.pending_sender, "pendingReceiver": x.pending_receiver,
            "senderState": side(x.sender, x.applied_sender, v["saltSender"], v["cSender"]),
            "receiverState": side(x.receiver, x.applied_receiver, v["saltReceiver"], v["cReceiver"]),
            "a": word(v["a"]), "r": [word(r) for r in v["r"]], "chainId": v["chainId"], "contract": word(v["contract"], 40),
            "gameId": word(v["gameId"]), "A": [word(c) for c in v["A"]], "points": [word(c) for c in coordinates],
            "requestRoot": word(v["requestRoot"]), "requestZ": word(rz), "requestY": word(ry), "ctx": word(v["ctx"]),
            "elements": [word(e) for e in v["elements"]], "records": {s: [word(e) for e in v["records"][s]] for s in samples},
            "answerRoot": word(v["answerRoot"]), "z": word(az), "y": word(ay), "sight": v["sight"]}

# ---------------------------------------------------------------- Self-test
def selftest(seed=5, positions=36):
    assert H(0, 1, 2)[0] == 7853200120776062878684798364095072458815029376092732009249414926327459813530
    assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    assert keccak256(b"abc").hex() == "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"
    assert all(keccak256(b"x" * n, 0x06) == hashlib.sha3_256(b"x" * n).digest() for n in (134, 135, 136, 137, 416))
    limbs = (0x11b2dff1448c41d8, 0x23d3446f21c77dc3, 0xaa7b8cf435dfafbb, 0x14b34cf69dc25d68)  # halo2curves' generator y, Montgomery form
    assert (G[1] << 256) % F == sum(limb << 64 * i for i, limb in enumerate(limbs)) and on_curve(G)
    assert mul(Q, G) is None and add(mul(5, G), mul(7, G)) == mul(12, G)
    assert all(sum(present(s, i, c) for s in range(64) for i in range(14)) == 732 for c in (0, 1))
    assert State.start(0).pack() >> 192 == 3 and State.start(1).types[60] == KING
    print("Poseidon, Keccak and Grumpkin vectors, 732 elements: ok")

    import chess, fog_oracle
    rng, n, pending = random.Random(seed), 0, 0
    pool = exchanges(rng)
    while n < positions:
        test = CASES[n // 2 % len(CASES)][3] if n % 2 else lambda x: x.pending_receiver != NOWHERE and rng.random() < .05
        x = next(x for x in pool if test(x))
        board, v = chess.Board(x.fen), run(x, rng)
        board.push(chess.Move.from_uci(x.move))
        assert v["sight"] == fog_oracle.sight(board, x.colour == 0, None if x.phase else board.ep_square), (x, v["sight"])
        assert len(v["elements"]) == 733 and from_wire(v["elements"], x.colour, x.pending_receiver) == v["records"]
        n, pending = n + 1, pending + (x.pending_receiver != NOWHERE)
    print(f"opened sight == oracle sight: {n} exchanges, {pending} with a captured square pending on the receiver")
    for control in (no_pend_keys, no_zeroing, no_clear_pass, reused_ctx):
        print("negative control,", next(filter(None, (control(x, rng) for x in pool))))

def flawed(x, v, flaw):
    return answer(x.applied_sender, x.colour, x.phase, x.pending_receiver, v["a"], v["points"], v["ctx"], flaw)

def derived_too_much(x, v, flaw, attack):
    """What `attack` finds in the flawed answer on squares that are dark to the receiver; nothing in the right one."""
    dark = {s for s in range(64) if shown(v["sight"], s) == "*"}
    found, control = ({s: t for s, t in attack(records) if s in dark and t} for records in (flawed(x, v, flaw), v["records"]))
    assert not control and all(x.sender.types[s] == t for s, t in found.items())
    return found and f"{flaw}: the piece of type {x.receiver.types[x.pending_receiver]} captured on {name(x.pending_receiver)} still sees " + \
        ", ".join(f"a {' pnbrqk'[t]} on {name(s)}" for s, t in found.items()) + f" in the dark (after {x.move} in {x.fen})"

def no_pend_keys(x, rng):
    """A captured rook or bishop keeps its start key, the mask of its own choice."""
    if not fell(ROOK, BISHOP)(x):
        return None
    v, p = run(x, rng), x.pending_receiver
    m = receiver_masks(x.receiver, v["r"], v["A"], v["ctx"])
    passes = {s: m[s][0] for s in range(64) if x.receiver.types[s] == 0}
    return derived_too_much(x, v, "no PEND keys", lambda records: [
        hit for d in RAYS[x.receiver.types[p]] for hit in walk(records, passes, prf(m[p][0], d), p, d)])

def no_zeroing(x, rng):
    """A captured knight still opens its ciphertext."""
    if not fell(KNIGHT)(x):
        return None
    v, p = run(x, rng), x.pending_receiver
    mask = receiver_masks(x.receiver, v["r"], v["A"], v["ctx"])[p][0]
    def attack(records):
        value = (records[p][9] - mask) % F
        return [(off(p, step), value >> 3 * i & 7) for i, step in enumerate(KNIGHTS)] if value < 1 << 24 else []
    return derived_too_much(x, v, "no zeroing", attack)

def no_clear_pass(x, rng):
    """Not a leak but a loss: the receiver can't look into or through the captured square, which the rules let it see."""
    if not fell(BISHOP, ROOK, QUEEN)(x):
        return None
    v, p = run(x, rng), x.pending_receiver
    wire = to_wire(flawed(x, v, "no clear pass"), x.colour, p)
    board = open_sight(x.receiver, x.colour, 0, p, v["A"], v["r"], v["ctx"], wire)
    wrong = [f"{name(s)} opens as {shown(board, s)!r} but is {shown(v['sight'], s)!r}" for s in range(64) if shown(board, s) != shown(v["sight"], s)]
    return wrong and f"no clear pass: wrong sight, {', '.join(wrong)} (after {x.move} in {x.fen})"

def reused_ctx(x, rng):
    """One request answered from two boards under one ctx: subtracting the answers needs no key at all."""
    import chess
    if x.phase == 0 or rng.random() < .9:
        return None
    board, v = chess.Board(x.fen), run(x, rng)
    board.push(chess.Move.from_uci(x.move))
    for move in board.pseudo_legal_moves:
        s, t = move.from_square, move.to_square
        if shown(v["sight"], s) == shown(v["sight"], t) == "*" and x.applied_sender.types[s] not in (PAWN, KING):
            moved, _ = play(x.applied_sender, x.receiver, 1 - x.colour, move.uci())
            def attack(ctx):
                """Own requests on other squares that differ by one knight's target: {(square, type that left (< 0) or came)}"""
                second = answer(moved, x.colour, 0, NOWHERE, v["a"], v["points"], ctx)
                return {(off(q, step), sign * u) for q in range(64) for i, step in enumerate(KNIGHTS) for u in range(1, 7) for sign in (1, -1)
                        if (second[q][9] - v["records"][q][9] - sign * (u << 3 * i)) % F == 0}
            found = attack(v["ctx"])
            assert found >= {(s, -moved.types[t]), (t, moved.types[t])} and not attack((v["ctx"] + 512) % F)
            return f"reused ctx: a {' pnbrqk'[moved.types[t]]} goes {name(s)}-{name(t)} in the dark and is followed (after {x.move} in {x.fen})"
    return None

def main():
    if sys.argv[1:2] == ["vectors"] and len(sys.argv) == 4:
        for i in range(int(sys.argv[3])):
            print(json.dumps(vector(sys.argv[2], i)), flush=True)
    elif sys.argv[1:] == ["selftest"]:
        selftest()
    else:
        sys.exit(__doc__)

if __name__ == "__main__":
    main()
