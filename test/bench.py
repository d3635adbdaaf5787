#!/usr/bin/env python3
"""Measures keys, proofs, code sizes, demo games and the engines, and writes docs/src/performance-data.md, target/bench.json and
docs/src/engines-data.md. Called by `make bench`, and by `make compare` for the engines alone, which build first."""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import time
from pathlib import Path

import bench_engines

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/src/performance-data.md"
REPORT = ROOT / "target/bench-demo.json"
CODE_LIMIT = 24_576
GENERATED = ROOT / "contracts/src/generated"

# What the demo is played by.
HARDFORKS = ["prague", "osaka"]
# The ply from which a game goes on through the chain alone.
CUT = 3

BENCH = "target/release/examples/bench"
CACHE = ROOT / "target/bench-cache"
JSON = ROOT / "target/bench.json"

# Key of a statement's measurements, what it is, how it is shown.
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
    ("lanes", "eight field elements at once by", "{}"),
    ("prove_s", "**proved, s**", "{:.2f}"),
    ("scalar_s", "without lanes, s", "{:.2f}"),
    ("library_s", "by the library's prover, s", "{:.2f}"),
    ("floor_s", "commitments and transforms alone, s", "{:.2f}"),
    ("scalar_floor_s", "its commitments and transforms without lanes, s", "{:.2f}"),
    ("to_library", "**of the library's time**", "{:.2f}"),
    ("to_floor", "of the floor", "{:.2f}"),
    ("to_scalar_floor", "of its floor, without lanes", "{:.2f}"),
    ("in_multiexps", "in multi-exponentiations of 2^k points by the library", "{:.1f}"),
    ("prove_cpu_s", "processor time, s", "{:.2f}"),
    ("scalar_cpu_s", "without lanes, s of processor time", "{:.2f}"),
    ("to_scalar", "**of the processor time without lanes**", "{:.2f}"),
    ("library_cpu_s", "by the library's prover, s of processor time", "{:.2f}"),
    ("one_thread_s", "proved on one thread, s", "{:.2f}"),
    ("one_thread_scalar_s", "without lanes on one thread, s", "{:.2f}"),
    ("one_thread_library_s", "by the library's prover on one thread, s", "{:.2f}"),
    ("one_thread_floor_s", "commitments and transforms alone on one thread, s", "{:.2f}"),
    ("one_thread_scalar_floor_s", "the same without lanes on one thread, s", "{:.2f}"),
    ("full_board_s", "proved with all men on the board, s of processor time: least, median, most", "{}"),
    ("few_men_s", "proved with hardly any men left, s of processor time: least, median, most", "{}"),
    ("peak_mib", "peak memory, MiB", "{:,}"),
    ("library_peak_mib", "by the library's prover, MiB", "{:,}"),
    ("make_keys_s", "keys and tables made afresh, s", "{:.2f}"),
    ("read_keys_s", "keys and tables read, prover prepared, s", "{:.2f}"),
    ("first_s", "first proof after that, s", "{:.2f}"),
    ("warm_s", "the next one, s", "{:.2f}"),
    ("multiexp_ms", "one multi-exponentiation of 2^k points by the library, ms", "{:.1f}"),
    ("verify_ms", "verified natively, ms", "{:.1f}"),
]
# What of it stands in target/bench.json, beside `columns`.
JSON_KEYS = ["prove_s", "library_s", "floor_s", "verify_ms", "peak_mib", "k", "rows", "proof_bytes"]
PLY_ROWS = [
    ("gas", "gas of a move, all included", "{:,.0f}"),
    ("calldata_bytes", "calldata, bytes", "{:,.0f}"),
    ("turn_prove_s", "*turn* proved, s", "{:.2f}"),
    ("turn_verify_ms", "*turn* verified natively, ms", "{:.1f}"),
    ("answer_prove_s", "*answer* proved, s", "{:.2f}"),
    ("answer_bytes", "answers, bytes", "{:,.0f}"),
    ("request_bytes", "request, bytes", "{:,.0f}"),
    ("messages", "messages, both ways", "{:,.0f}"),
    ("message_bytes", "their bytes", "{:,.0f}"),
    ("sight_s", "from a move's receipt to the opponent's sight shown, s", "{:.2f}"),
]
# The same of a game between the machines, where a ply is signed and waits for no chain.
SIGNED_PLY_ROWS = [
    ("ply_s", "**from the choice of a move to the opponent's sight shown, s**", "{:.2f}"),
    ("turn_prove_s", "*turn* proved, s", "{:.2f}"),
    ("answer_prove_s", "*answer* proved, s", "{:.2f}"),
    ("request_bytes", "signed ply, bytes", "{:,.0f}"),
    ("messages", "messages, both ways", "{:,.0f}"),
    ("message_bytes", "their bytes", "{:,.0f}"),
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


def machine():
    commit = output("git", "rev-parse", "--short", "HEAD").strip()
    dirty = " with changes" if output("git", "status", "--porcelain", "--untracked-files=no").strip() else ""
    load = os.getloadavg()[0]
    return (
        f"Measured on {time.strftime('%Y-%m-%d')} at commit {commit}{dirty}: {processor()}, {os.cpu_count()} cores,"
        f" {load:.1f} processes wanting one as the bench began."
    )


def bench(what, statement, runs, threads=None):
    """One process of its own: threads and memory are a process's."""
    env = os.environ | ({"RAYON_NUM_THREADS": str(threads)} if threads else {})
    command = [BENCH, what, "--statement", statement, "--runs", str(runs), "--cache", CACHE]
    return json.loads(subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout)


def measured(statement, runs):
    """All that is measured of a statement."""
    print(f"measuring {statement} …", flush=True)
    report = {"statement": statement}
    for what in ["sizes", "times", "start", "memory", "library-memory"]:
        report |= bench(what, statement, runs)
    print(f"proved by {report['lanes'] or 'scalar arithmetic: this processor has no lanes, or they are off'}", flush=True)
    one = bench("times", statement, max(1, runs // 2), threads=1)
    report |= {"one_thread_s": one["prove_s"], "one_thread_library_s": one["library_s"], "one_thread_floor_s": one["floor_s"]}
    report["paths"] = {"": report, ", without lanes": report["scalar"], ", one thread": one, ", one thread, without lanes": one["scalar"]}
    report |= {"scalar_s": report["scalar"]["prove_s"], "scalar_cpu_s": report["scalar"]["prove_cpu_s"], "scalar_floor_s": report["scalar"]["floor_s"]}
    report |= {"one_thread_scalar_s": one["scalar"]["prove_s"], "one_thread_scalar_floor_s": one["scalar"]["floor_s"]}
    report["to_scalar"] = report["prove_cpu_s"] / report["scalar_cpu_s"]
    report["to_library"] = report["prove_s"] / report["library_s"]
    report["to_floor"] = report["prove_s"] / report["floor_s"]
    report["to_scalar_floor"] = report["scalar_s"] / report["scalar_floor_s"]
    report["full_board_s"], report["few_men_s"] = (", ".join(f"{seconds:.3f}" for seconds in sample) for sample in report["samples_cpu_s"])
    report["in_multiexps"] = report["prove_s"] * 1e3 / report["multiexp_ms"]
    return report


def proofs(reports):
    def shown(report, key, form):
        return "–" if report.get(key) is None else form.format(report[key])

    rows = [[name, *(shown(report, key, form) for report in reports)] for key, name, form in PROOF_ROWS]
    head = ["", *(f"*{report['statement']}*" for report in reports)]
    stages = [
        [name + path, *(f"{dict(report['paths'][path]['stages_cpu_s'])[name]:.3f}" for report in reports)]
        for name, _ in reports[0]["stages_cpu_s"]
        for path in reports[0]["paths"]
    ]
    return table(head, rows), table(["stage of a proof, s of processor time", *head[1:]], stages)


def write_json(reports):
    """Numbers for other programs; a new statement is one object more."""
    keep = {report["statement"]: {key: report[key] for key in JSON_KEYS} | {"columns": report["advice"] + report["fixed"]} for report in reports}
    JSON.write_text(json.dumps({"statements": keep}, indent=2) + "\n")


def codes():
    """The contracts that the program knows, which the tests compare with what the sources compile to."""
    shipped = json.loads((GENERATED / "code.json").read_text())
    keys = map(json.loads, map(Path.read_text, sorted(GENERATED.glob("*Key.json"))))
    sizes = {"`Fogmate`": "chess", "`NarrowVerifier`": "narrow", "`WideVerifier`": "wide"}
    sizes = {name: shipped[code]["runtime_bytes"] for name, code in sizes.items()}
    sizes |= {f"{key['statement']}'s key": len(key["code"].removeprefix("0x")) // 2 for key in keys}
    rows = [[name, f"{size:,}", f"{CODE_LIMIT - size:,}"] for name, size in sizes.items()]
    return table(["contract", "code, bytes", "left to the limit"], rows)


def demo(*options, **environment):
    """The report of a whole game."""
    print(f"playing the demo, {' '.join(options)} …", flush=True)
    subprocess.run(["target/release/fogmate", "demo", "--json", REPORT, *options], cwd=ROOT, env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)
    return json.loads(REPORT.read_text())


def memory(report):
    return " and ".join("unknown" if peak is None else f"{peak} MiB" for peak in report["peak_mib"])


def plies(report, measured=PLY_ROWS):
    plies = report["plies"]
    rows = []
    for key, name, form in measured:
        # A ply has two answers; a report may tell both.
        values = [x for ply in plies for x in (ply[key] if isinstance(ply.get(key), list) else [ply.get(key)]) if x is not None]
        if values:
            rows.append([name, *(form.format(f(values)) for f in (min, statistics.median, max))])
    return table(["", "least", "median", "most"], rows)


def games(reports):
    """Gas of every action and of the whole game, a column a demo."""
    names = {action["action"]: None for report in reports.values() for action in report["actions"]}
    # A first move lacks what later ones have.
    moves = {name: [a["gas"] for a in report["actions"] if a["action"] == "move"][2:] for name, report in reports.items()}
    rows = []
    for action in names:
        row = [f"`{action}`"]
        for name, report in reports.items():
            gas = moves[name] if action == "move" else [a["gas"] for a in report["actions"] if a["action"] == action]
            row.append(f"{statistics.median(gas):,.0f}" if gas else "–")
        rows.append(row)
    move = next(i for i, action in enumerate(names) if action == "move")
    for what, pick in [("least", min), ("most", max)]:
        rows.insert(move + 1, [f"`move`, {what}", *(f"{pick(gas):,}" if gas else "–" for gas in moves.values())])
    rows.append(["**the whole game**", *(f"**{sum(a['gas'] for a in report['actions']):,}**" for report in reports.values())])
    rows.append(["its plies", *(str(len(report["plies"])) for report in reports.values())])
    rows.append(["its calldata, bytes", *(f"{sum(a['calldata_bytes'] for a in report['actions']):,}" for report in reports.values())])
    return table(["median gas", *reports], rows)


def forge(contract):
    """What a contract of tests logs: a list of numbers by what they are."""
    command = ["node", "contracts/forge.js", "test", "-vv", "--match-contract", f"^{contract}$"]
    found = {}
    for line in output(*command).splitlines():
        if logged := re.fullmatch(r"  ([^:]+): (\d+)", line):
            found.setdefault(logged[1], []).append(int(logged[2]))
    return found


def actions():
    """Gas of the actions one by one, with verifiers that accept at once, by mode."""
    found = {}
    for name, gas in forge("GasTest").items():
        mode, action = name.split(" ", 1)
        found.setdefault(re.sub(r"^move, ply [2-9]$", "move", action), {}).setdefault(mode, []).extend(gas)
    shown = lambda gas: f"{statistics.median(gas):,.0f}" if gas else "–"
    rows = [[action, *(shown(by_mode.get(mode)) for mode in "VUC")] for action, by_mode in found.items()]
    return table(["median gas", "*verified*", "*unproven*", "*channel*"], rows)


def verification():
    found = forge("TurnProofTest")
    return ", ".join(f"{statistics.median(gas):,.0f} by the rules of {name.split()[0].title()}" for name, gas in found.items() if name.endswith("verification"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how many proofs the medians are of")
    parser.add_argument("--seconds", type=int, default=120, help="how long each engine is measured at most")
    parser.add_argument("--engines-only", action="store_true", help="measure the engines alone")
    args = parser.parse_args()
    # Read before anything runs, since load and uncommitted changes are part of it.
    head = machine()
    if not args.engines_only:
        statements_and_games(args.runs, head)
    bench_engines.write(args.seconds, head)


def statements_and_games(runs, head):
    """Measures all but the engines."""
    names = json.loads(output(BENCH, "names", "--cache", CACHE))
    reports = [measured(name, runs) for name in names]
    write_json(reports)
    sizes, stages = proofs(reports)
    code = codes()
    reports = {f"by the link, {hardfork.title()}": demo("--hardfork", hardfork) for hardfork in HARDFORKS}
    first = next(iter(reports.values()))
    reports |= {f"link cut at ply {CUT}, {hardfork.title()}": demo("--cut-link", str(CUT), "--hardfork", hardfork) for hardfork in HARDFORKS}
    signed = reports["between the machines"] = demo("--mode", "channel")
    backup = signed["backup_bytes"]
    plain = demo("--mode", "channel", FOGMATE_LANES="off")
    PAGE.write_text(
        "# Measurements\n\n`make bench` writes this page; what is measured, and how, stands in [Performance](performance.md).\n\n"
        f"{head} Medians over {runs} rounds of two proofs by each prover, on one thread over {max(1, runs // 2)}.\n\n## Statements\n\n{sizes}\n\n{stages}\n\n## Contracts\n\n{code}\n\n## A game of {len(first['plies'])} plies\n\n"
        "By `fogmate demo` on Anvil, with both players on this one machine, where they prove one after the other; by the "
        f"rules of {HARDFORKS[0].title()}. Peak memory of the players' processes, which play this one game: {memory(first)}.\n\n{plies(first)}\n\n## The same game between the machines\n\n"
        f"In mode *channel*, both players on this one machine. The backup of the whole game has {backup:,} bytes, {backup // len(signed['plies']):,} a ply.\n\n{plies(signed, SIGNED_PLY_ROWS)}\n\nWithout lanes:\n\n{plies(plain, SIGNED_PLY_ROWS)}\n\n## Gas of whole games\n\n"
        "The same game with real proofs, by the link, through the chain alone, and between the machines; read from the receipts."
        f"\n\n{games(reports)}\n\n## Gas of every action\n\n"
        "By forge, with verifiers that accept at once and without calldata's floor price. What takes a proof costs as much more as verifying it: a "
        f"narrow one {verification()}, guard included; what a wide one costs shows above in `answerSight`. `move`, ply 0 and 1: the first moves of "
        f"a game, which fill storage.\n\n{actions()}\n"
    )
    print(f"written: {PAGE.relative_to(ROOT)}, {JSON.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
