#!/usr/bin/env python3
"""The derivations of client/src/secrets.rs with Python's standard library alone: prints the vectors in secrets.rs of this folder."""
import hashlib, hmac

F = 21888242871839275222246405745257275088548364400416034343698204186575808495617
Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583


def expand(prk, info, length):
    out, block, i = b"", b"", 1
    while len(out) < length:
        block = hmac.new(prk, block + info + bytes([i]), hashlib.sha256).digest()
        out, i = out + block, i + 1
    return out[:length]


def secrets(wallet, game):
    seed = expand(hmac.new(b"fogmate/seed/1", wallet, hashlib.sha256).digest(), game, 32)
    return {name: expand(seed, b"fogmate/" + name.encode(), 32) for name in ("view", "ot", "fog", "toss")}


def prf(key, message, modulus):
    return int.from_bytes(expand(key, message, 64), "little") % modulus


def word(v):
    return v.to_bytes(32, "big")


wallet, game = bytes(range(1, 33)), bytes(range(101, 133))
k = secrets(wallet, game)
g = (1, 17631683881184975370165255887551781615748388533673675138860)  # stands for the opponent's fog key
print("view", k["view"].hex())
print("toss", k["toss"].hex())
print("a", word(int.from_bytes(k["fog"], "little") % 2**249 + 2**249).hex())
print("salt", word(prf(k["view"], word(7) + word(11), F)).hex())
for s in (0, 63):
    print(f"r_{s}", word(prf(k["ot"], word(13) + word(g[0]) + word(g[1]) + bytes([s]), Q)).hex())
