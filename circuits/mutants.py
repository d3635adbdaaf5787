#!/usr/bin/env python3
"""Changes one number, range or comparison of the circuits' sources at a time, and sees whether a test notices.

What is changed: each integer literal, by one up and by one down; each range, `..` into `..=` and back; each comparison, `<` into
`<=`, `>` into `>=`, `==` into `!=` and back. So a sum over too few squares, a bit that is another one, a gate's constant, a
selector that is on in a row too many. Of gadgets and statements, without what is compiled for tests only.

A copy of the tree is made, in which nearly all mutants are written at once, each behind a switch: the tests take the number of the
one in force from FOGMATE_MUTANT, so that nothing has to be compiled again. What can't be switched, because the compiler needs it or
because it is an operator, is written into the copy and compiled, one after the other; what doesn't compile counts as noticed.
Quick tests come first: the values of the file's own statement or gadgets, then all values, near misses and forgeries; all other tests of
the crate are only asked about what survives these. The first that fails ends it, and so does one that takes far too long.

Measured on two cores that others used too: 200 s to compile all switches, two thirds of some 1,700 mutants; then 3 s a mutant of *no move*, a minute
for *turn*'s; and the others are compiled one by one. So a whole run takes many hours, and a sample or a few files are what is usually asked for.

It fails if a mutant survives that isn't in `EQUIVALENT`. It goes on where it stopped, as long as no source and no test has changed.

  python3 circuits/mutants.py                                 all, which takes many hours
  python3 circuits/mutants.py --file statement/no_move        of files whose path has this in it; may be given several times
  python3 circuits/mutants.py --every 20 --seed 7             a sample of one in twenty
  python3 circuits/mutants.py --list                          only what there is to change
  python3 circuits/mutants.py --quick                         ask the file's own values only: prints what all others would be asked about
"""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter, namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test"))
from size import test_only  # noqa: E402

HOME = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "mutants"
COPY = HOME / "tree"
STATE = HOME / "verdicts.json"
UNSWITCHED = HOME / "unswitched.json"
SOURCES = ["circuits/src/gadget", "circuits/src/statement"]
# Optimised like the shipped program, since the tests compute much and are compiled once; what is compiled again and again is one crate.
CARGO = ["--release", "--locked", "-p", "fogmate-circuits", "--lib", "--config", "profile.release.package.fogmate-circuits.opt-level=1",
         "--config", "profile.release.incremental=true"]
# What of gadgets only whole statements show, at the edges of what they compute.
EDGES = ["keys_of_multiples", "turn::tests::edges::the_counter", "the_row_of_zeros", "no_fixed_column_is_empty"]
QUICK = ["::values::", "near_misses", "forgeries", *EDGES]
# A run of tests that takes so many times what it takes without a mutant, and a minute, never ends.
PATIENCE = 5

SWITCH = """
/// Whether the mutant of this number is in force.
pub fn mutant(number: u32) -> bool {
    static CHOSEN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        std::env::var("FOGMATE_MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(0)
    });
    *CHOSEN == number
}
"""

# Survivors that say the same: the file, the line as it stands without indentation, the change, and why nothing is lost.
UNUSED = "Of a slot that isn't active nothing is said but that it can be laid."
ZERO = "Of 0 the opposite is 0."
PLACE = "Hashes have columns of their own: they begin one row lower there. Of the points, in the same line, it is noticed."
UNREAD = "One more place for a square that there isn't, which nobody reads."
EQUIVALENT = [
    ("gadget/operations.rs", "let k = [0, 0, 0, value].map(Fr::from);", "0 -> 1", "The other inputs are 0."),
    ("gadget/operations.rs", "let terms: Vec<_> = numbers.zip(flags.iter().copied()).skip(1).collect();", "1 -> 0", "The first flag's number is 0."),
    ("statement/turn/points.rs", "config.fixed_base.chain(cx, start, 1..=1, &[false; BITS]);", "1 -> 2",
     "At the end of the range: a second window's row, where one is enough and nothing hangs on either. At its beginning it is noticed."),
    ("statement/answer/config.rs", "Rows { points: 0, hashes: 0, arithmetic: taken.points }", "0 -> 1", PLACE),
    ("statement/answer/rays.rs", "let mut fields: Fields = vec![[None; DIRECTIONS.len()]; 64];", "64 -> 65", UNREAD),
    ("statement/answer/rays.rs", "let mut keys: Fields = vec![[None; DIRECTIONS.len()]; 64];", "64 -> 65", UNREAD),
    ("statement/no_move/witness.rs", "choice: 0,", "0 -> 1", UNUSED),
    ("statement/no_move/witness.rs", "scalar: Scalar::from(2),", "2 -> 3", UNUSED),
    ("statement/no_move/witness.rs", "scalar: Scalar::from(2),", "2 -> 1", UNUSED),
    ("statement/own_step/config.rs", "Rows { points: 0, hashes: OWN_STEP_INPUTS, arithmetic: OWN_STEP_INPUTS + taken.hashes }", "0 -> 1",
     "No points are laid."),
    ("statement/tag/king.rs", "let signed = |n: i8| if n < 0 { -magnitude(n) } else { magnitude(n) };", "0 -> 1", ZERO),
    ("statement/tag/king.rs", "let signed = |n: i8| if n < 0 { -magnitude(n) } else { magnitude(n) };", "< -> <=", ZERO),
]

Mutant = namedtuple("Mutant", "file line column start end old new text switch")
TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>b?r(\#*)".*?"\3|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^']*|[^'\\])')
  | (?P<lifetime>'\w+)
  | (?P<number>\d[\d_]*(?:(?:usize|[iu]\d+))?)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<operator>\.\.=|\.\.|<<=|>>=|<<|>>|->|=>|<=|>=|==|!=|&&|\|\||::|\S)
""", re.VERBOSE | re.DOTALL)
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
RANGES = {"..": "..=", "..=": ".."}
# What a switched range may end with.
END = re.compile(r" *((?:[A-Za-z_]\w*(?:::|\.))*[A-Za-z_]\w*(?:\(\))?) *(?=[)\]{,;])")


def tokens(text):
    return [(match.lastgroup, match[0], match.start()) for match in TOKEN.finditer(text) if match.lastgroup != "comment"]


def constant(text):
    """The places of a source that the compiler computes: items that are constant, lengths of arrays, arguments of types, patterns, attributes."""
    found = set()
    for pattern in (r"\b(?:const|static) [A-Z_][A-Z_0-9]*:[^;]*(?:\[[^\]]*;[^;]*)*;", r"\[[^\[\]]*;[^\[\]]*\]", r"::<[^>]*>", r"#!?\[[^\n]*\]",
                    r"[^\n]*=>", r"matches!\([^\n]*"):
        for match in re.finditer(pattern, text):
            found.update(range(match.start(), match.end()))
    return found


def idle(text):
    """The places of a source whose numbers decide nothing: how much room is made, and the values of a blank statement, with which only keys are made."""
    found = {place for match in re.finditer(r"with_capacity\([^\n]*", text) for place in range(match.start(), match.end())}
    for match in re.finditer(r"fn (?:blank|for_keys)\(\)[^{]*\{", text):
        end, depth = match.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.update(range(match.start(), end))
    return found


def mutants_of(path):
    """All mutants of a source, in order."""
    text = path.read_text()
    lines = text.splitlines()
    hidden, _ = test_only(path, lines)
    fixed, unasked = constant(text), idle(text)
    attributes = {place for match in re.finditer(r"#!?\[[^\n]*\]", text) for place in range(match.start(), match.end())}
    file = str(path.relative_to(ROOT))
    found = []
    row = tokens(text)
    for at, (kind, token, start) in enumerate(row):
        line = text.count("\n", 0, start)
        if line in hidden or start in attributes or start in unasked:
            continue

        def add(new, switch=None, length=len(token)):
            column = start - text.rfind("\n", 0, start)
            found.append(Mutant(file, line + 1, column, start, start + length, token, new, lines[line].strip(), None if start in fixed else switch))

        before = row[at - 1][1] if at else ""
        after = row[at + 1][1] if at + 1 < len(row) else ""
        spaced = text[start - 1 : start] == " " and text[start + len(token) :][:1] in (" ", "\n")
        if kind == "number" and before != ".":
            value = int(re.match(r"[\d_]+", token)[0].replace("_", ""))
            suffix = re.sub(r"^[\d_]+", "", token)
            for other in (value + 1, value - 1):
                if other >= 0:
                    add(f"{other}{suffix}", "literal")
        elif token in RANGES and before not in (",", "{", "[", "(", "") and after not in (")", "]", "}", ",", ";", "{"):
            # Of a number at the end the mutants are those of the number.
            if not after[0].isdigit() or start in fixed:
                add(RANGES[token], "range")
        elif token in COMPARISONS and spaced:
            add(COMPARISONS[token])
    return found


def listed(*folders):
    """The files that stand in some folders of the tree, and aren't ignored, in order."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [file for file in sorted(set(found)) if (ROOT / file).is_file()]


def all_mutants():
    files = [ROOT / file for file in listed(*SOURCES) if file.endswith(".rs") and "tests" not in Path(file).with_suffix("").parts]
    modules = set()
    for path in files:
        modules.update(module for module in test_only(path, path.read_text().splitlines())[1])
    return [mutant for path in files if path not in modules for mutant in mutants_of(path)]


def with_switches(text, numbered):
    """A source with switches for some of its mutants, given with their numbers."""
    places = {}
    for number, mutant in numbered:
        places.setdefault(mutant.start, []).append((number, mutant))
    for start in sorted(places, reverse=True):
        variants = places[start]
        first = variants[0][1]
        if first.switch == "literal":
            choice = "".join(f"if crate::mutant({number}) {{ {mutant.new} }} else " for number, mutant in variants)
            text = text[:start] + f"({choice}{{ {first.old} }})" + text[first.end :]
        else:
            (number, mutant), = variants
            end = END.match(text, mutant.end)
            sign = "+" if mutant.old == ".." else "-"
            text = text[: mutant.end] + f"({end[1]} {sign} if crate::mutant({number}) {{ 1 }} else {{ 0 }})" + text[end.end(1) :]
    return text


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def make_copy():
    """The tree as it stands, with what isn't in git yet, but without what is ignored. Files that stand already stay, so that cargo sees no change."""
    files = set(listed())
    for file in files:
        target = COPY / file
        content = (ROOT / file).read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, target)
    for path in [path for path in (COPY / "circuits").rglob("*.rs") if str(path.relative_to(COPY)) not in files]:
        path.unlink()


def environment():
    return os.environ | {"CARGO_TARGET_DIR": str(HOME / "target"), "CARGO_TERM_COLOR": "never"}


def compiled(*more):
    """Compiles the copy's tests: the program, or nothing, and the errors with their places."""
    command = ["cargo", "test", *CARGO, "--no-run", "--message-format", "json", *more]
    run = subprocess.run(command, cwd=COPY, env=environment(), capture_output=True, text=True)
    program, errors = None, []
    for line in run.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "circuits":
            program = message["executable"]
        if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
            errors.append(message["message"])
    if run.returncode and not errors:
        sys.exit(run.stdout + run.stderr)
    return (None if run.returncode else program), errors


def places(errors):
    """Files and lines that errors speak of."""
    found = set()

    def walk(span):
        found.update((span["file_name"], line) for line in range(span["line_start"], span["line_end"] + 1))
        if span.get("expansion"):
            walk(span["expansion"]["span"])

    for error in errors:
        for span in error["spans"] + [span for child in error["children"] for span in child["spans"]]:
            walk(span)
    return found


def switched(mutants):
    """Writes all switches that compile into the copy; the program, and the numbers of the mutants that are in it."""
    known = set(json.loads(UNSWITCHED.read_text())) if UNSWITCHED.exists() else set()
    inside = {number for number, mutant in enumerate(mutants, 1) if show(mutant) not in known
              if mutant.switch == "literal" or (mutant.switch and END.match((ROOT / mutant.file).read_text(), mutant.end))}
    write(COPY / "circuits/src/lib.rs", (ROOT / "circuits/src/lib.rs").read_text() + SWITCH)
    while True:
        for file in {mutant.file for mutant in mutants}:
            here = [(number, mutants[number - 1]) for number in sorted(inside) if mutants[number - 1].file == file]
            write(COPY / file, with_switches((ROOT / file).read_text(), here))
        program, errors = compiled()
        if program:
            return program, inside
        wrong = places(errors)
        out = {number for number in inside if (mutants[number - 1].file, mutants[number - 1].line) in wrong}
        if not out:
            sys.exit("".join(error["rendered"] for error in errors))
        print(f"{len(out)} switches don't compile, and are changed one by one", flush=True)
        inside -= out
        known.update(show(mutants[number - 1]) for number in out)
        UNSWITCHED.write_text(json.dumps(sorted(known), indent=1))


def noticed_by(program, number, filters, limit):
    """The first test that fails, or takes longer than it may; nothing if all pass. And how many there are."""
    command = [program, *filters]
    process = subprocess.Popen(command, cwd=COPY / "circuits", env=environment() | {"FOGMATE_MUTANT": str(number), "RUST_BACKTRACE": "0"},
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
    timer = threading.Timer(limit, process.kill)
    timer.start()
    failed, passed = None, 0
    for line in process.stdout:
        passed += line.rstrip().endswith("... ok")
        if line.rstrip().endswith("FAILED") and line.startswith("test "):
            failed = line.split()[1]
            process.kill()
            break
    process.stdout.close()
    code = process.wait()
    is_late = not timer.is_alive()
    timer.cancel()
    if failed is None and code:
        failed = "(it takes too long)" if is_late else "(the tests end early)"
    return failed, passed


def stages(file):
    """Filters of tests, the quickest that are likely to notice first."""
    parts = Path(file).relative_to("circuits/src").with_suffix("").parts
    own = []
    if parts[0] == "gadget":
        own = [["gadget::tests"], EDGES]
    elif len(parts) > 2:
        tests = f"statement::{parts[1]}::tests::values"
        is_split = (ROOT / "circuits/src" / f"{tests}::{parts[2]}.rs".replace("::", "/")).exists()
        own = [[f"{tests}::{parts[2]}"]] * is_split + [[tests]]
    return own + [QUICK, [""]]


class Limits:
    """How long each stage may take: found out when it is first asked for, with no mutant in force, so that each must pass."""

    def __init__(self, program):
        self.program, self.found = program, {}

    def of(self, filters):
        key = tuple(filters)
        if key not in self.found:
            begun = time.monotonic()
            failed, passed = noticed_by(self.program, 0, filters, 7200)
            if failed or not passed:
                sys.exit(f"mutants.py: without a mutant {failed or 'no test'} fails of {filters}")
            took = time.monotonic() - begun
            print(f"{took:.1f} s without a mutant: {passed} tests of {', '.join(filters).strip() or 'all'}", flush=True)
            self.found[key] = 60 + PATIENCE * took
        return self.found[key]


def verdict(program, number, file, limits, quick):
    """What notices a mutant, if anything does."""
    for filters in stages(file)[: -2 if quick else None]:
        failed, _ = noticed_by(program, number, filters, limits.of(filters))
        if failed:
            return failed
    return None


def fingerprint():
    """What verdicts hold for: the sources and tests of this crate and of those that it uses."""
    files = listed("circuits", "fog", "rules", "tag", "Cargo.lock")
    every = [(ROOT / file).read_bytes() for file in files if file.endswith((".rs", ".lock"))]
    return hashlib.sha256(b"\0".join(every)).hexdigest()


def show(mutant):
    return f"{mutant.file}:{mutant.line}:{mutant.column}: {mutant.old} -> {mutant.new}: {mutant.text}"


def reason(mutant):
    """Why a survivor says the same, if it does."""
    for file, text, change, why in EQUIVALENT:
        if mutant.file.endswith(file) and mutant.text == text and f"{mutant.old} -> {mutant.new}" == change:
            return why
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    everything = all_mutants()
    for file, text, change, _ in EQUIVALENT:
        if not any(mutant.file.endswith(file) and mutant.text == text and f"{mutant.old} -> {mutant.new}" == change for mutant in everything):
            sys.exit(f"mutants.py: no mutant is this equivalent any more: {file}: {change}: {text}")
    chosen = [number for number, mutant in enumerate(everything, 1)
              if not arguments.file or any(part in mutant.file for part in arguments.file)]
    if arguments.every > 1:
        chosen = sorted(random.Random(arguments.seed).sample(chosen, -(-len(chosen) // arguments.every)))
    print(f"{len(chosen)} of {len(everything)} mutants, seed {arguments.seed}", flush=True)
    if arguments.list:
        print(*(show(everything[number - 1]) for number in chosen), sep="\n")
        return 0
    make_copy()
    state = json.loads(STATE.read_text()) if STATE.exists() else {}
    mark = fingerprint()
    if state.get("fingerprint") != mark:
        state = {"fingerprint": mark, "verdicts": {}}
    program, inside = switched(everything)
    # Cargo's program is another one for each mutant that is compiled; this one stays.
    kept = str(HOME / "switched")
    shutil.copy2(program, kept)
    limits = Limits(kept)
    survivors, counts, begun, fresh = [], Counter(), time.monotonic(), 0
    # First what needs no compiler.
    for number in sorted(chosen, key=lambda number: number not in inside):
        mutant = everything[number - 1]
        key = f"{number} {show(mutant)} {'quick' if arguments.quick else 'all'}"
        if key not in state["verdicts"]:
            fresh += 1
            if number in inside:
                found = verdict(kept, number, mutant.file, limits, arguments.quick)
            else:
                text = (ROOT / mutant.file).read_text()
                write(COPY / mutant.file, text[: mutant.start] + mutant.new + text[mutant.end :])
                program, _ = compiled()
                found = verdict(program, 0, mutant.file, limits, arguments.quick) if program else "the compiler"
                write(COPY / mutant.file, text)
            state["verdicts"][key] = found
            STATE.write_text(json.dumps(state, indent=1))
        found = state["verdicts"][key]
        why = reason(mutant)
        kind = "noticed" if found else "equivalent" if why else "SURVIVES"
        counts[kind] += 1
        if kind == "SURVIVES":
            survivors.append(mutant)
        print(f"{kind:10} {show(mutant)}\n           {found or why or ''}", flush=True)
    took = time.monotonic() - begun
    print(f"{fresh} asked in {took:.0f} s; {counts['noticed']} noticed, {counts['equivalent']} equivalent, {counts['SURVIVES']} survive")
    print(*(show(mutant) for mutant in survivors), sep="\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
