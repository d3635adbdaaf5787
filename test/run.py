#!/usr/bin/env python3
"""Runs every check of the repository that doesn't take hours, some of them three at a time, or those named, one after the other;
goes on after a failure.

Ends with what was left out and why, each step's counts and wall time, what failed (Rust tests by name, scripts by their last words), and
as its last line `N passed, N failed`: the tests that the test runners counted, and one for each other step. A step that fails without counting a
failure (it doesn't compile, say) counts as one failure. It needs what `make setup` makes; `python3 test/run.py --help` lists the steps.
"""

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target"
JUNIT = TARGET / "nextest/all/junit.xml"
CARGO = ["--release", "--locked", "--workspace"]
EXAMPLES = "target/release/examples"
DEMO_REPORT = "target/demo.json"

# What this machine couldn't check, and why.
left_out = []

# The Rust tests that failed, by name, and the last words of scripts that failed.
broken = []


# Of the step that runs on this thread: the seconds of processors that its commands took, and what it says if others run beside it.
current = threading.local()


def say(line):
    """Prints a line, or keeps it until the step has ended."""
    if current.said is None:
        print(line, flush=True)
    else:
        current.said.append(line)


def leave_out(what):
    left_out.append(what)
    say(f"NOT RUN: {what}")


def run(*command, **environment):
    """Runs a command whose output goes to ours; whether it succeeded."""
    if current.said is not None:
        return listen(*command, **environment)[0]
    process = start(command, environment)
    return process is not None and succeeds(process)


def listen(*command, **environment):
    """The same, but also gives the lines that it wrote."""
    process = start(command, environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = []
    for line in process.stdout if process else []:
        say(line.rstrip())
        lines.append(re.sub(r"\x1b\[[0-9;]*m", "", line.rstrip()))
    return process is not None and succeeds(process), lines


def start(command, environment, **pipes):
    """The process of a command, if it is there."""
    say(f"$ {' '.join(command)}")
    try:
        return subprocess.Popen(command, cwd=ROOT, env=os.environ | environment, **pipes)
    except OSError as error:
        say(f"{command[0]} doesn't start: {error}")
        return None


def succeeds(process):
    """Waits for a process; whether it says that it succeeded."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    current.busy += usage.ru_utime + usage.ru_stime
    return process.returncode == 0


@functools.cache
def built():
    """Whether the program, tests and examples are built: done once, since cargo waits where it builds or lints anything else."""
    return run("cargo", "build", *CARGO, "--all-targets", "--quiet")


def one(ok):
    """The counts of a step that is one check."""
    return (1, 0) if ok else (0, 1)


def counted(ok, passed, failed):
    """The counts of a test runner; a failure that it didn't count is one."""
    return passed, failed if ok or failed else 1


def has_cargo(*tool):
    """Whether a part of the toolchain that not everybody installs is there; says so if it isn't."""
    found = subprocess.run(["cargo", *tool, "--version"], capture_output=True).returncode == 0
    if not found:
        leave_out(f"cargo {' '.join(tool)} isn't installed")
    return found


def rust_format():
    """cargo fmt"""
    return one(run("cargo", "fmt", "--all", "--check")) if has_cargo("fmt") else (0, 0)


def rust_lints():
    """cargo clippy, warnings denied"""
    return one(run("cargo", "clippy", *CARGO, "--all-targets", "--", "-D", "warnings")) if has_cargo("clippy") else (0, 0)


def rust_tests():
    """all Rust tests: units, circuits, attacks, games on Anvil"""
    if shutil.which("cargo-nextest"):
        JUNIT.unlink(missing_ok=True)
        # Some of them wait for blocks and clocks, so one more than there are processors.
        threads = str((os.cpu_count() or 1) + 1)
        ok = run("cargo", "nextest", "run", *CARGO, "--profile", "all", "--test-threads", threads)
        return counted(ok, *read_junit())
    ok, lines = listen("cargo", "test", *CARGO, "--no-fail-fast", "--", "--show-output")
    results = [re.match(r"test result: \w+\. (\d+) passed; (\d+) failed", line) for line in lines]
    results = [result for result in results if result]
    return counted(ok, *(sum(int(result[i]) for result in results) for i in (1, 2)))


def read_junit():
    """The counts of nextest's report; prints what tests say that they left out."""
    try:
        cases = list(ElementTree.parse(JUNIT).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        say(f"nextest left no report: {error}")
        return 0, 0
    for case in cases:
        for line in (case.findtext("system-out") or "").splitlines():
            if told := re.match(r"\s*not run: (.*)", line, re.IGNORECASE):
                leave_out(f"{case.get('classname')} {case.get('name')}: {told[1]}")
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    broken.extend(f"{case.get('classname')} {case.get('name')}" for case in failed)
    return len(cases) - len(failed), len(failed)


def contracts_tests():
    """forge test"""
    ok, lines = listen("npm", "run", "--silent", "test:contracts", FORGE_COLOR="never")
    total = [re.search(r"(\d+) tests? passed, (\d+) failed, (\d+) skipped \(\d+ total tests?\)", line) for line in lines]
    total = [match for match in total if match]
    if total and total[-1][3] != "0":
        leave_out(f"{total[-1][3]} of Forge's tests skipped themselves")
    return counted(ok, *((int(total[-1][1]), int(total[-1][2])) if total else (0, 0)))


def contracts_controls():
    """each rule of the game contract taken out: the tests find the attack"""
    ok, lines = listen(sys.executable, "contracts/controls.py")
    total = [re.fullmatch(r"(\d+) of (\d+) as expected", line) for line in lines]
    total = [match for match in total if match]
    return counted(ok, *((int(total[-1][1]), int(total[-1][2]) - int(total[-1][1])) if total else (0, 0)))


def client_controls():
    """the rules of a client that `make controls` takes out stand in its source"""
    return one(run(sys.executable, "client/controls.py", "--check"))


def channel_model():
    """games between the machines, every course of 2 and 3 plies: no promise breaks"""
    return one(run(sys.executable, "test/channel_model.py", "2", "3"))


def contracts_format():
    """forge fmt --check"""
    return one(run("npm", "run", "--silent", "fmt:contracts"))


def contracts_lints():
    """forge lint"""
    # What it compiles has no code in it: among the artifacts of the tests they would find it.
    apart = {"FOUNDRY_OUT": "../target/lint/out", "FOUNDRY_CACHE_PATH": "../target/lint/cache"}
    ok, lines = listen("npm", "run", "--silent", "lint:contracts", **apart)
    warned = any(re.match(r"(warning|error|note)\b", line) for line in lines)
    return one(ok and not warned)


def verifiers():
    """the Solidity verifiers that are checked in are what the circuits give"""
    generated = built() and run(f"{EXAMPLES}/generate", "verifiers", "--check")
    return one(generated and run(f"{EXAMPLES}/ship_code", "--check"))


def vectors():
    """test/data is what the oracles give, where they are"""
    return one(run(sys.executable, "test/vectors.py"))


def demo():
    """fogmate demo: a whole game in two processes on Anvil, audited and replayed"""
    return script("target/release/fogmate", "demo", "--json", DEMO_REPORT)


def script(*command):
    """A script of ours that runs the built program, and says itself what it couldn't do."""
    if not built():
        return one(False)
    ok, told = listen(*command)
    if not ok:
        broken.extend([" ".join(command), *[line for line in told if line][-18:]])
    tell_left_out(told)
    return one(ok)


def tell_left_out(told):
    """Leaves out what a script's lines say that it couldn't do."""
    for line in told:
        if line.startswith("not run: "):
            leave_out(line.removeprefix("not run: "))


def python():
    """The interpreter with the tests' libraries, where they are installed."""
    own = ROOT / ".venv/bin/python3"
    return str(own) if own.exists() else sys.executable


def lines():
    """a Python program plays by JSON lines, which fit their schema"""
    return script(python(), "test/lines.py")


def pgn():
    """legal moves, SAN and PGN are those of Fairy-Stockfish's rules"""
    return script(python(), "test/pgn.py")


def terminal():
    """games on the full screen, in tmux"""
    return script(sys.executable, "test/terminal.py")


def service():
    """the relay as a service of systemd and as a container"""
    return script(sys.executable, "test/service.py")


def page():
    """explorer/dist is built from what is here"""
    ok, told = listen("node", "explorer/build.mjs", "--again")
    tell_left_out(told)
    return one(ok)


def explorer():
    """the audit page in a browser, on a real game, honest and tampered"""
    return script("node", "explorer/test/game.mjs")


def sanitizer():
    """the unsafe code of lanes under AddressSanitizer, on every backend, with each value's bounds asserted"""
    about = subprocess.run(["cargo", "+nightly", "--version", "--verbose"], capture_output=True, text=True)
    if about.returncode:
        leave_out("AddressSanitizer on lanes, because there is no nightly toolchain")
        return 0, 0
    host = re.search(r"^host: (.*)$", about.stdout, re.MULTILINE)[1]
    # Named as a target, the machine's own kind leaves build scripts and macros alone.
    command = ["cargo", "+nightly", "test", "--release", "--locked", "--package", "fogmate-lanes", "--target", host]
    apart = {"CARGO_TARGET_DIR": str(TARGET / "sanitizer"), "CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS": "true"}
    apart["RUSTFLAGS"] = "-Zsanitizer=address"
    passed, failed = one(run(*command, **apart))
    # Sanitizers see a vector's instructions only if the compiler had them looked after, so one that reads too far must be found.
    _, lines = listen(*command, "--lib", "--", "--ignored", "--nocapture", "a_load_reads_behind_the_heap", **apart)
    if any("not run: " in line for line in lines):
        leave_out("AddressSanitizer's control, because this processor has no AVX-512 IFMA")
        return passed, failed
    found = any("AddressSanitizer: heap-buffer-overflow" in line for line in lines)
    return passed + found, failed + (not found)


def dependencies():
    """cargo deny: licences, banned crates, sources"""
    return one(run("cargo", "deny", "check", "licenses", "bans", "sources")) if has_cargo("deny") else (0, 0)


def miri():
    """lanes by plain integers under Miri (not in a run of all)"""
    if not has_cargo("+nightly", "miri"):
        return 0, 0
    # For a processor whose assembly the curve's library doesn't have: Miri knows none. Rayon's queues are within the rules of Tree Borrows alone, its
    # threads live to the end of the process, and it makes pointers of integers.
    target = ["--target", "aarch64-unknown-linux-gnu"]
    flags = "-Zmiri-tree-borrows -Zmiri-ignore-leaks -Zmiri-permissive-provenance"
    apart = {"CARGO_TARGET_DIR": str(TARGET / "miri"), "MIRIFLAGS": flags}
    return one(run("cargo", "+nightly", "miri", "test", "--locked", "--package", "fogmate-lanes", *target, **apart))


def fuzz():
    """each reader of others' bytes fuzzed for a minute, from the kept corpus (not in a run of all)"""
    ok, lines = listen(sys.executable, "test/fuzz/run.py")
    tell_left_out(lines)
    total = [re.fullmatch(r"(\d+) of (\d+) targets hold", line) for line in lines]
    total = [match for match in total if match]
    return counted(ok, *((int(total[-1][1]), int(total[-1][2]) - int(total[-1][1])) if total else (0, 0)))


def rust_docs():
    """cargo doc, warnings denied"""
    return one(run("cargo", "doc", *CARGO, "--no-deps", "--quiet", RUSTDOCFLAGS="-D warnings -A rustdoc::private-intra-doc-links"))


def docs():
    """the documents build, and no link of theirs is broken"""
    return one(run("node", "docs/build.js"))


# What is quick comes first, what builds on the tests' artefacts after them. Steps in brackets run three at a time, since most of them wait;
# the longest begins first.
STEPS = [
    rust_format,
    contracts_format,
    contracts_lints,
    docs,
    contracts_tests,
    contracts_controls,
    client_controls,
    channel_model,
    rust_tests,
    verifiers,
    # What it builds is what the browser of `explorer` runs.
    page,
    [explorer, rust_lints, demo, pgn, vectors, sanitizer, rust_docs, terminal, lines, service, dependencies],
]
GROUPS = [group if isinstance(group, list) else [group] for group in STEPS]
# Miri and fuzzing take long, and run where they are named.
NAMES = {step.__name__.replace("_", "-"): step for group in [*GROUPS, [miri, fuzz]] for step in group}


def take(name, alone):
    """Runs a step: its name, counts, wall time and processor time."""
    current.busy, current.said = 0, None if alone else []
    say(f"\n== {name}: {NAMES[name].__doc__}")
    start = time.monotonic()
    try:
        passed, failed = NAMES[name]()
    finally:
        if current.said:
            print("\n".join(current.said), flush=True)
    return name, passed, failed, time.monotonic() - start, current.busy


def main():
    steps = "\n".join(f"  {name:18} {step.__doc__}" for name, step in NAMES.items())
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"steps:\n{steps}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    # The empty list, which argparse compares too, is no step named.
    parser.add_argument("steps", nargs="*", metavar="step", choices=[*NAMES, []], help="all, if none is named")
    named = parser.parse_args().steps
    groups = [[name] for name in named] or [[name for name in NAMES if NAMES[name] in group] for group in GROUPS]
    os.environ["CARGO_TARGET_DIR"] = str(TARGET)
    current.said = None
    if not (ROOT / "../shared").is_dir():
        leave_out("the Python oracles, because there is no ../shared")

    results = []
    for group in groups:
        with ThreadPoolExecutor(3) as three:
            results += three.map(lambda name: take(name, len(group) == 1), group)

    print()
    for what in left_out:
        print(f"NOT RUN: {what}")
    print(f"{'step':18} {'passed':>6} {'failed':>6} {'seconds':>8} {'of processors':>14}")
    for name, passed, failed, seconds, busy in results:
        print(f"{name:18} {passed:6} {failed:6} {seconds:8.0f} {busy:14.0f}{'  FAILED' if failed else ''}")
    for line in broken:
        print(f"FAILED: {line}")
    passed, failed = (sum(result[i] for result in results) for i in (1, 2))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
