#!/usr/bin/env python3
"""Fuzzes what reads bytes and texts of others: each target of targets/ for a minute (SECONDS_EACH=N), or those that are named.

libFuzzer, from the crate `libfuzzer-sys`, is linked in, and the compiler counts branches for it: a stable toolchain and a C++ compiler are all that it takes.
It begins from the corpus that is kept here. What it finds besides goes to target/fuzz/corpus; with --keep, what that adds to the kept one is
taken into it. What makes a target fail stands in target/fuzz/found, and `target/fuzz/x86_64-unknown-linux-gnu/release/TARGET FILE` runs it again.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = ROOT / "target/fuzz"
# As `cargo fuzz` has them, without its `--cfg fuzzing`: what is fuzzed is what is shipped.
COUNTED = "-Cpasses=sancov-module " + " ".join(
    f"-Cllvm-args=-sanitizer-coverage-{what}" for what in ("level=4", "inline-8bit-counters", "pc-table", "trace-compares")
)
# Nothing that is read takes a tenth of this.
LIMITS = ["-timeout=20", "-rss_limit_mb=2048"]
# Above the longest message of the link.
LONGEST = 1 << 15


def build(host, names):
    bins = [argument for name in names for argument in ("--bin", name)]
    command = ["cargo", "build", "--release", "--locked", "--target", host, "--manifest-path", str(HERE / "Cargo.toml"), *bins]
    apart = {"RUSTFLAGS": COUNTED, "CARGO_TARGET_DIR": str(TARGET)}
    return subprocess.run(command, env=os.environ | apart).returncode == 0


def fuzz(program, seconds):
    """Fuzzes one target; whether it held, with its last lines if it didn't, and what was done."""
    name = program.name
    new, found = TARGET / "corpus" / name, TARGET / "found" / name
    for folder in (new, found):
        folder.mkdir(parents=True, exist_ok=True)
    how = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-artifact_prefix={found}/", "-print_final_stats=1", *LIMITS]
    # A scrypt or a folder takes room on disk: in memory, where there is one.
    apart = {"TMPDIR": "/dev/shm"} if os.path.isdir("/dev/shm") else {}
    ran = subprocess.run([program, *how, new, HERE / "corpus" / name], capture_output=True, text=True, errors="replace", env=os.environ | apart)
    said = ran.stderr
    count = re.search(r"number_of_executed_units: *(\d+)", said)
    seed = re.search(r"Seed: (\d+)", said)
    covered = re.findall(r"\bcov: (\d+)", said)
    what = f"{int(count[1]) if count else 0:,} inputs, {covered[-1] if covered else 0} branches, seed {seed[1] if seed else 'none'}"
    return name, ran.returncode == 0, said[-3000:], what


def keep(program):
    """Takes into the kept corpus what reaches branches that it doesn't."""
    kept, new = HERE / "corpus" / program.name, TARGET / "corpus" / program.name
    subprocess.run([program, "-set_cover_merge=1", *LIMITS, f"-max_len={LONGEST}", kept, new], capture_output=True, check=True)


def main():
    names = sorted(path.stem for path in (HERE / "targets").glob("*.rs"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="target", choices=[*names, []], help=f"of {', '.join(names)}; all, if none is named")
    parser.add_argument("--keep", action="store_true", help="take what was found into the kept corpus")
    given = parser.parse_args()
    about = subprocess.run(["rustc", "--version", "--verbose"], capture_output=True, text=True, check=True).stdout
    host = re.search(r"^host: (.*)$", about, re.MULTILINE)[1]
    if not shutil.which("c++"):
        print("not run: the fuzz targets, because there is no C++ compiler for libFuzzer")
        return 0
    names = given.targets or names
    if not build(host, names):
        return 1
    programs = [TARGET / host / "release" / name for name in names]
    seconds = int(os.environ.get("SECONDS_EACH", "60"))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, held, said, what in pool.map(lambda program: fuzz(program, seconds), programs):
            failed += not held
            print(f"{name:12} {'holds' if held else 'FAILED'}: {what}{'' if held else chr(10) + said}", flush=True)
    if given.keep and not failed:
        for program in programs:
            keep(program)
    print(f"{len(names) - failed} of {len(names)} targets hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
