#!/usr/bin/env python3
"""Prints the circles of files in the sources of each crate: files that take names from one another, directly or by way of others.

Names are followed through `use`, also where a module only hands them on, to the file that defines them. Neither that a module declares another one
ties them, nor what a file takes from the module that it is in. Tests are left out. Exit code 1 if there is a circle. Another folder with crates may be given.
"""

import re
import sys
from pathlib import Path

args = [a for a in sys.argv[1:] if a != "-v"]
ROOT = Path(args[0]) if args else Path(__file__).resolve().parent.parent
NAME = r"[A-Za-z_]\w*"
ITEM = re.compile(rf"(?:\b(?:struct|enum|trait|union|fn|const|static|type|mod)|\bmacro_rules!) +(?:mut +)?({NAME})")
CHILD = re.compile(rf"^\s*(?:pub(?:\([^)]*\))? )?mod ({NAME});", re.M)
USE = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);", re.M)
PATH = re.compile(rf"(?<![\w:])(?:crate|self|super)(?:::{NAME})+")


def without_tests(text):
    """The code without comments, and without what is compiled for tests only."""
    text = re.sub(r"//[^\n]*", "", text)
    lines, kept, at = text.split("\n"), [], 0
    while at < len(lines):
        if re.match(r"\s*#\[cfg\(.*\btest\b|\s*#\[cfg\(feature = \"testing\"\)", lines[at]):
            indent = re.match(r"\s*", lines[at])[0]
            at += 1
            while at < len(lines) and not re.match(rf"{indent}(\}}|[^\s#].*;$)", lines[at]):
                at += 1
        else:
            kept.append(lines[at])
        at += 1
    return "\n".join(kept)


def paths(tree):
    """The paths of a `use`, each with the name that it gets: of `a::{b, c as d}` they are a::b as b, and a::c as d."""
    found, depth, start, prefix = [], 0, 0, tree.find("{")
    if prefix < 0:
        path, _, name = " ".join(tree.split()).partition(" as ")
        parts = path.split("::")
        if parts[-1] == "self":
            parts.pop()
        return [(parts, name or "".join(parts[-1:]))]
    head, inner = tree[:prefix].strip().removesuffix("::"), tree[prefix + 1 : tree.rindex("}")] + ","
    for at, c in enumerate(inner):
        depth += {"{": 1, "}": -1}.get(c, 0)
        if c == "," and depth == 0:
            if inner[start:at].strip():
                found += [(head.split("::") * bool(head) + parts, name) for parts, name in paths(inner[start:at].strip())]
            start = at + 1
    return [(parts, name or parts[-1]) for parts, name in found]


class Module:
    """A module that is a file of its own."""

    def __init__(self, file, parent=None):
        self.file, self.parent = file, parent
        text = without_tests(file.read_text())
        is_root = file.name in ("mod.rs", "lib.rs", "main.rs")
        folder = file.parent if is_root else file.parent / file.stem
        self.children, self.uses, self.defined = {}, {}, set(ITEM.findall(text))
        for name in CHILD.findall(text):
            places = [folder / f"{name}.rs", folder / name / "mod.rs"]
            self.children |= {name: Module(place, self) for place in places if place.exists()}
        for tree in USE.findall(text):
            self.uses |= {name: parts for parts, name in paths(tree)}
        self.paths = [path.split("::") for path in PATH.findall(USE.sub("", text))] + list(self.uses.values())

    def all(self):
        return [self] + [module for child in self.children.values() for module in child.all()]

    def around(self):
        """The module and those that it is in."""
        return {self} | (self.parent.around() if self.parent else set())

    def target(self, parts, depth=0):
        """The module whose file defines what a path names, if it is in this crate."""
        module, first = self, parts[0]
        if first == "crate":
            while module.parent:
                module = module.parent
        elif first == "super":
            module = module.parent
        elif first != "self":
            module, parts = (self, ["self"] + parts) if first in self.children or depth else (None, parts)
        for at, part in enumerate(parts[1:], 1):
            if module is None or part == "super":
                module = module and module.parent
            elif part in module.children and not (at == len(parts) - 1 and part in module.uses):
                module = module.children[part]
            elif part in module.uses and depth < 9:
                return module.target(module.uses[part] + parts[at + 1 :], depth + 1)
            else:
                return module if part in module.defined else None
        return module


def circles(edges):
    """Files that reach one another."""
    reached = {}
    for file in edges:
        found, todo = set(), [file]
        while todo:
            new = edges.get(todo.pop(), set()) - found
            found |= new
            todo += new
        reached[file] = found
    groups = {frozenset(other for other in reached[file] if file in reached[other]) for file in edges}
    return sorted((sorted(group) for group in groups if len(group) > 1), key=len)


found = False
for root in sorted(ROOT.glob("*/src/lib.rs")) + sorted(ROOT.glob("*/src/main.rs")):
    edges = {}
    for module in Module(root).all():
        targets = {target for parts in module.paths if (target := module.target(parts))}
        edges[module.file] = {target.file for target in targets - module.around()}
    for circle in circles(edges):
        found = True
        print("a circle of files:", ", ".join(str(file.relative_to(ROOT)) for file in circle))
        if "-v" in sys.argv:
            for a in circle:
                print("   ", a.relative_to(ROOT), "->", [str(b.relative_to(ROOT)) for b in edges[a] if b in circle])
sys.exit(found)
