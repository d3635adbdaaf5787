#!/usr/bin/env python3
"""Plays a game by the program of docs/src/write-a-bot.md and holds every line of it, and of test/data/golden/notices.jsonl, against the schema.

The bot's moves are random and its seed is printed. Needs target/release/fogmate, Anvil and the Python library `fastjsonschema`.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "docs/src/json-lines.json"
BOT = ROOT / "docs/src/random_bot.py"
# A game without proofs takes seconds; this is for a busy machine.
PATIENCE = 300


def play(folder, seed):
    """One game: its outcome as the bot tells it, the lines that it was given, and the lines that it gave."""
    heard, given = folder / "heard.jsonl", folder / "given.jsonl"
    program = f"tee '{given}' | target/release/fogmate solo --no-prove --json --level easy | tee '{heard}'"
    code = f"import random, runpy, sys; random.seed({seed}); sys.argv = [{str(BOT)!r}, 'sh', '-c', sys.argv[1]]; runpy.run_path({str(BOT)!r})"
    environment = os.environ | {"FOGMATE_ANVIL": str(ROOT / "node_modules/.bin/anvil")}
    played = subprocess.run(
        [sys.executable, "-c", code, program], cwd=ROOT, env=environment, timeout=PATIENCE, capture_output=True, text=True
    )
    assert played.returncode == 0, f"the bot ended with {played.returncode}: {played.stdout}{played.stderr}"
    return played.stdout, heard.read_text().splitlines(), given.read_text().splitlines()


def main():
    try:
        import fastjsonschema
    except ImportError:
        print("not run: the Python library `fastjsonschema` isn't installed")
        return 0
    schema = json.loads(SCHEMA.read_text())
    commands = schema.pop("input")
    is_event = fastjsonschema.compile(schema)
    is_command = fastjsonschema.compile(commands)
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as folder:
        outcome, heard, given = play(Path(folder), seed)
    golden = (ROOT / "test/data/golden/notices.jsonl").read_text().splitlines()
    for line in heard + golden:
        is_event(json.loads(line))
    for line in given:
        is_command(json.loads(line))
    for check, wrong in [
        (is_event, {"v": 1, "event": "playing", "color": "green", "ply": 0}),
        (is_event, {"v": 2, "event": "connected"}),
        (is_event, {"v": 1, "event": "view", "ply": 0}),
        (is_command, {"command": "mvoe"}),
        (is_command, {"command": "move", "move": "e2e4", "offer": True}),
    ]:
        try:
            check(wrong)
        except fastjsonschema.JsonSchemaValueException:
            continue
        raise AssertionError(f"the schema takes {wrong}")
    answered = [json.loads(line) for line in heard if '"id":' in line]
    numbers = [event["id"] for event in answered if event["event"] in ("accepted", "refused")]
    assert numbers == [json.loads(line)["id"] for line in given], f"answered {numbers}"
    assert outcome.startswith("winner: ") or "\nwinner: " in outcome, outcome
    print(f"{len(heard)} lines of a game, {len(given)} commands, {len(golden)} golden lines; {outcome.strip()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
