#!/usr/bin/env python3
"""Prints the lines of each crate, of the contracts and of the audit page, against the ceilings in test/tests/all/layers.rs, and the longest functions.

Production lines are code without blank lines, comments, tests and what is compiled for tests only. A number above its ceiling ends it with exit
code 1: raise the ceiling there if the growth is meant. Another file with such a table may be given. Sources are in the form of rustfmt and
forge fmt, so an item ends at the brace that stands as deep as its first line.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "test/tests/all/layers.rs"
LONGEST = 15
LISTING = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.rs", "*.sol", "*.ts"]
TEST_ONLY = re.compile(r'\s*#\[cfg\((test|feature = "testing")\)\]$')
MODULE = re.compile(r"\s*(?:pub(?:\(.*?\))? )?mod (\w+);$")
FUNCTION = re.compile(r"(\s*)(?:[a-z(){}: ]+ )?(?:fn|function) (\w+)")


def ceilings(table):
    rows = re.search(r"const CEILINGS: .*?= \[(.*?)\];", table.read_text(), re.DOTALL)
    if not rows:
        sys.exit(f"{table} has no table CEILINGS")
    return {name: int(most.replace("_", "")) for name, most in re.findall(r'\("(\w+)", ([\d_]+)\)', rows[1])}


def end_of(lines, start):
    """The last line of the item that begins, perhaps with attributes, at line `start`."""
    indent = re.match(r"\s*", lines[start])[0]
    for at in range(start, len(lines)):
        line = lines[at]
        if line.startswith(indent + "}") or (line.rstrip().endswith((";", "}")) and re.match(r"\s*", line)[0] == indent):
            return at
    return len(lines) - 1


def test_only(path, lines):
    """The lines of a source that are compiled for tests only, and the modules that it declares for tests only."""
    inside, modules = set(), []
    folder = path.parent if path.stem in ("lib", "mod", "main") else path.with_suffix("")
    for at, line in enumerate(lines):
        if at in inside or not TEST_ONLY.match(line):
            continue
        inside.update(range(at, end_of(lines, at) + 1))
        if declared := next((MODULE.match(line) for line in lines[at + 1 : at + 3] if MODULE.match(line)), None):
            modules += [folder / f"{declared[1]}.rs", folder / declared[1]]
    return inside, modules


def count(paths):
    """Lines of production, tests and comments of sources, and their functions with their lengths."""
    sources = {path: path.read_text().splitlines() for path in paths}
    found = {path: test_only(path, lines) for path, lines in sources.items()}
    modules = {module for _, modules in found.values() for module in modules}
    production = tests = comments = 0
    functions = []
    for path, lines in sources.items():
        is_test = bool({"tests", "test", "examples"} & set(path.relative_to(ROOT).parts)) or bool({path, *path.parents} & modules)
        inside = found[path][0]
        for at, line in enumerate(lines):
            if re.match(r"\s*(//|/\*|\*)", line):
                comments += 1
            elif line.strip() and (is_test or at in inside):
                tests += 1
            elif line.strip():
                production += 1
                if named := FUNCTION.match(line):
                    functions.append((end_of(lines, at) - at + 1, f"{path.relative_to(ROOT)}:{at + 1}", named[2]))
    return production, tests, comments, functions


def main():
    table = ceilings(Path(sys.argv[1]) if len(sys.argv) > 1 else TABLE)
    listed = subprocess.run(LISTING, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    crates = {}
    for name in listed:
        if "/generated/" not in name and (ROOT / name).exists():
            crates.setdefault(name.split("/")[0], []).append(ROOT / name)
    if table.keys() != crates.keys():
        sys.exit(f"without a ceiling, or a ceiling without sources: {', '.join(sorted(table.keys() ^ crates.keys()))}")

    total, functions, above = [0] * 4, [], []
    print(f"{'crate':10} {'production':>10} {'ceiling':>8} {'tests':>7} {'comments':>9}")
    for name, ceiling in table.items():
        production, tests, comments, of_crate = count(crates[name])
        row = [production, ceiling, tests, comments]
        total = [sum(pair) for pair in zip(total, row)]
        functions += of_crate
        above += [name] if production > ceiling else []
        print(f"{name:10} {row[0]:10,} {row[1]:8,} {row[2]:7,} {row[3]:9,}{'  ABOVE' if production > ceiling else ''}")
    print(f"{'total':10} {total[0]:10,} {total[1]:8,} {total[2]:7,} {total[3]:9,}")
    print(f"\nThe longest of {len(functions):,} functions:")
    for length, place, name in sorted(functions, reverse=True)[:LONGEST]:
        print(f"{length:5} {name}  {place}")
    if above:
        sys.exit(f"above the ceiling in {TABLE.relative_to(ROOT)}: {', '.join(above)}")


if __name__ == "__main__":
    main()
