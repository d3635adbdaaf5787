#!/usr/bin/env python3
"""Makes the sight vectors and those of the dice afresh with their reference implementations, and compares them with test/data."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What gives each file of test/data: scripts of the standard library alone.
REFERENCES = {
    "sight_vectors.jsonl": ["test/oracle/sight_reference.py", "vectors", "1", "12"],
    "dice.json": ["contest/tests/reference.py"],
}


def is_same(name, command):
    """Whether a reference gives, byte for byte, the file that is checked in."""
    fresh = subprocess.run([sys.executable, *command], cwd=ROOT, stdout=subprocess.PIPE, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"})
    same = fresh.returncode == 0 and fresh.stdout == (ROOT / "test/data" / name).read_bytes()
    print(f"{name}: " + ("made afresh is the same" if same else f"isn't what {command[0]} gives"))
    return same


if __name__ == "__main__":
    sys.exit(0 if all([is_same(name, command) for name, command in REFERENCES.items()]) else 1)
