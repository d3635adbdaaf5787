#!/usr/bin/env python3
"""Compares the copies in test/data with the oracles' files, and makes the sight vectors and those of the dice afresh with their reference
implementations.

All but the dice needs ../shared/oracle, which a user's clone doesn't have: says so and succeeds where it isn't there.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORACLE = ROOT.parent / "shared/oracle"
DATA = ROOT / "test/data"
FILES = ["games.jsonl", "positions.jsonl", "sight_vectors.jsonl"]


def dice():
    """Whether test/data/dice.json is what its reference gives, which first checks its parts against what others have published."""
    fresh = subprocess.run([sys.executable, ROOT / "dice/tests/reference.py"], stdout=subprocess.PIPE)
    same = fresh.returncode == 0 and fresh.stdout == (DATA / "dice.json").read_bytes()
    print("dice.json: " + ("made afresh is the same" if same else "isn't what dice/tests/reference.py gives"))
    return same


def main():
    same = dice()
    if not ORACLE.is_dir():
        print("NOT RUN: there is no ../shared/oracle to compare test/data with")
        return 0 if same else 1
    wrong = [name for name in FILES if (DATA / name).read_bytes() != (ORACLE / name).read_bytes()]
    for name in wrong:
        print(f"test/data/{name} differs from ../shared/oracle/{name}")
    # Arguments 1 and 12 are those of the oracle's own README.
    fresh = subprocess.run(
        [sys.executable, ORACLE / "sight_reference.py", "vectors", "1", "12"],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    if fresh.returncode or fresh.stdout != (DATA / "sight_vectors.jsonl").read_bytes():
        wrong.append("the reference implementation")
        print("the reference implementation doesn't give test/data/sight_vectors.jsonl")
    if not wrong:
        print(f"{', '.join(FILES)}: as the oracles have them; the sight vectors made afresh are the same")
    return 1 if wrong or not same else 0


if __name__ == "__main__":
    sys.exit(main())
