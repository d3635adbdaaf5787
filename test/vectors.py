#!/usr/bin/env python3
"""Compares the copies in test/data with the oracles' files, and makes the sight vectors afresh with the reference implementation.

Needs ../shared/oracle, which a user's clone doesn't have, and nothing else: says so and succeeds where it isn't there.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORACLE = ROOT.parent / "shared/oracle"
DATA = ROOT / "test/data"
FILES = ["games.jsonl", "positions.jsonl", "sight_vectors.jsonl"]


def main():
    if not ORACLE.is_dir():
        print("NOT RUN: there is no ../shared/oracle to compare test/data with")
        return 0
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
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
