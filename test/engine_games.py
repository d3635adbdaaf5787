#!/usr/bin/env python3
"""Plays a whole game with each engine, as `fogmate demo` does, and writes docs/src/engine-games.md from the reports in target/engine-games.

`engine_games.py [NAME…]`: the engines named and sight-lines, or all. The page is of this commit's reports; an engine that has one isn't played again.
Needs target/release/fogmate and Anvil.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench import machine
from bench_engines import significant, table

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/src/engine-games.md"
REPORTS = ROOT / "target/engine-games"
# The last of the file: with castling, a capture en passant and a promotion.
SCRIPT = (ROOT / "test/data/games.jsonl").read_text().splitlines()[-1]
# Questions of these are megabytes each and minutes a sight: they play the demo's own game.
SHORT = {"andos-hardened", "andos-chained", "andos-hardened-steps"}


def names():
    """All engines, as the program names them."""
    refused = subprocess.run([ROOT / "target/release/fogmate", "demo", "--engine", "?"], capture_output=True, text=True)
    return refused.stderr.split("there are ")[1].split("\n")[0].split(", ")


def play(name, commit):
    """A game's report, with what it took from the first process to the last."""
    report = REPORTS / f"{name}.json"
    if report.exists() and json.loads(report.read_text())["commit"] == commit:
        return
    script = REPORTS / "script.json"
    script.write_text(SCRIPT)
    command = [ROOT / "target/release/fogmate", "demo", "--engine", name, "--json", report]
    print(f"{name} …", flush=True)
    start = time.monotonic()
    played = subprocess.run(command if name in SHORT else [*command, "--script", script], env=os.environ, capture_output=True, text=True)
    assert played.returncode == 0, f"{name}: {played.stdout[-2000:]}{played.stderr[-2000:]}"
    told = json.loads(report.read_text()) | {"commit": commit, "seconds": time.monotonic() - start}
    report.write_text(json.dumps(told))


def row(report, base):
    engine, plies = report["engine"], report["plies"]
    sent = engine["set_up_bytes"] + sum(ply["message_bytes"] for ply in plies)
    waits = [ply["ply_s"] for ply in plies if ply["ply_s"] is not None]
    account = engine["account"]
    assert report["audit"]["ok"] and report["replay"]["matches_script"] and (account is None or account["ok"]), engine["name"]
    per_ply = sent / len(plies)
    return [
        f"`{engine['name']}`", str(len(plies)), significant(report["seconds"] / 60), f"{sent:,}", significant(per_ply / base),
        *(significant(wait) for wait in [min(waits), statistics.median(waits), max(waits)]),
        "nothing to disclose" if account is None else f"{account['sessions']} sessions, in order",
    ]


def write(machine, commit):
    reports = [json.loads(path.read_text()) for path in REPORTS.glob("*.json") if path.name != "script.json"]
    reports = [report for report in reports if report["commit"] == commit]
    base = next(report for report in reports if report["engine"]["name"] == "sight-lines")
    base = sum(ply["message_bytes"] for ply in base["plies"]) / len(base["plies"])
    order = names()
    reports.sort(key=lambda report: order.index(report["engine"]["name"]))
    missing = [f"`{name}`" for name in order if name not in {report["engine"]["name"] for report in reports}]
    head = ["a game", "plies", "minutes", "bytes, both ways", "**of sight-lines' bytes a ply**", "a ply, s: least", "median", "most", "both parts, run again"]
    left = f"Not played for this page: {', '.join(missing)}.\n\n" if missing else ""
    PAGE.write_text(
        "# Whole games with every engine\n\n`make engine-games` writes this page; what the engines are stands in [Engines](engines.md).\n\n"
        f"{machine}\n\nOne game with castling, a capture *en passant* and promotions; hardened ANDOS plays the demo's shorter one. Minutes are of the whole "
        "demo: chain, deployment, game, audit, replay, and both players' parts run again. A ply is from the mover's choice to the opponent's board. Bytes are of "
        f"all messages of set-up and sights; those of sight-lines are of its moves too.\n\n{left}{table(head, [row(report, base) for report in reports])}\n"
    )
    print(f"written: {PAGE.relative_to(ROOT)}")


def main():
    REPORTS.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    about = machine()
    for name in dict.fromkeys(["sight-lines", *(sys.argv[1:] or names())]):
        play(name, commit)
    write(about, commit)


if __name__ == "__main__":
    main()
