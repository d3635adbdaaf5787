#!/usr/bin/env python3
"""Measures keys, proofs, code sizes and a demo game, and writes docs/src/performance-data.md. Called by `make bench`, which builds first."""

import argparse
import json
import os
import platform
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/src/performance-data.md"
REPORT = ROOT / "target/bench-demo.json"
CODE_LIMIT = 24_576

# Key of the bench's report, what it is, how it is shown.
PROOF_ROWS = [
    ("k", "k (2^k rows)", "{}"),
    ("rows", "rows used", "{:,}"),
    ("advice", "advice columns", "{}"),
    ("fixed", "fixed columns", "{}"),
    ("permutation", "columns under the permutation argument", "{}"),
    ("lookups", "lookup arguments", "{}"),
    ("degree", "degree", "{}"),
    ("instances", "public inputs", "{}"),
    ("proof_bytes", "proof, bytes", "{:,}"),
    ("make_keys_s", "keys made afresh, s", "{:.2f}"),
    ("read_keys_s", "keys read from the cache, s", "{:.2f}"),
    ("prove_s", "proved, s", "{:.2f}"),
    ("prove_cpu_s", "proved, s of processor time", "{:.2f}"),
    ("prove_in_multiexps", "proved, in multi-exponentiations of 2^k points", "{:.1f}"),
    ("multiexp_ms", "one such multi-exponentiation, ms", "{:.1f}"),
    ("verify_ms", "verified natively, ms", "{:.1f}"),
    ("peak_mib", "peak memory while proving, MiB", "{:,}"),
]
PLY_ROWS = [
    ("gas", "gas of a move, all included", "{:,.0f}"),
    ("calldata_bytes", "calldata, bytes", "{:,.0f}"),
    ("turn_prove_s", "*turn* proved, s", "{:.2f}"),
    ("turn_verify_ms", "*turn* verified natively, ms", "{:.1f}"),
    ("answer_prove_s", "*answer* proved, s", "{:.2f}"),
    ("answer_bytes", "answers, bytes", "{:,.0f}"),
    ("request_bytes", "request, bytes", "{:,.0f}"),
]


def output(*command):
    """What a command writes to stdout; its failure is ours."""
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def processor():
    try:
        names = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
        return names[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def machine(runs):
    commit = output("git", "rev-parse", "--short", "HEAD").strip()
    dirty = " with changes" if output("git", "status", "--porcelain", "--untracked-files=no").strip() else ""
    load = os.getloadavg()[0]
    return (
        f"Measured on {time.strftime('%Y-%m-%d')} at commit {commit}{dirty}: {processor()}, {os.cpu_count()} cores,"
        f" {load:.1f} processes wanting one as the bench began. Medians of {runs} proofs."
    )


def proofs(runs):
    reports = [json.loads(line) for line in output("target/release/examples/bench", "--json", "--runs", str(runs)).splitlines() if line]

    def shown(report, key, form):
        return "–" if report.get(key) is None else form.format(report[key])

    rows = [[name, *(shown(report, key, form) for report in reports)] for key, name, form in PROOF_ROWS]
    return table(["", *(f"*{report['statement']}*" for report in reports)], rows)


def codes():
    subprocess.run(["node", "contracts/forge.js", "build"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    rows = []
    for name in ["Fogmate", "TurnVerifier", "TurnVerifierDev"]:
        artefact = ROOT / f"contracts/out/{name}.sol/{name}.json"
        if artefact.is_file():
            size = len(json.loads(artefact.read_text())["deployedBytecode"]["object"][2:]) // 2
            rows.append([f"`{name}`", f"{size:,}", f"{CODE_LIMIT - size:,}"])
    return table(["contract", "code, bytes", "left to the limit"], rows)


def demo():
    subprocess.run(["target/release/fogmate", "demo", "--json", REPORT], cwd=ROOT, check=True)
    plies = json.loads(REPORT.read_text())["plies"]
    rows = []
    for key, name, form in PLY_ROWS:
        # A ply has two answers; a report may tell both.
        values = [x for ply in plies for x in (ply[key] if isinstance(ply.get(key), list) else [ply.get(key)]) if x is not None]
        if values:
            rows.append([name, *(form.format(f(values)) for f in (min, statistics.median, max))])
    return len(plies), table(["", "least", "median", "most"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how many proofs the medians are of")
    runs = parser.parse_args().runs
    head = machine(runs)
    parts = [proofs(runs), codes()]
    count, plies = demo()
    PAGE.write_text(
        "# Measurements\n\n`make bench` writes this page; what is measured, and how, stands in [Performance](performance.md).\n\n"
        f"{head}\n\n## Statements\n\n{parts[0]}\n\n## Contracts\n\n{parts[1]}\n\n## A game of {count} plies\n\n"
        "By `fogmate demo` on Anvil, with both players on this one machine, where they prove one after the other.\n\n"
        f"{plies}\n"
    )
    print(f"written: {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
