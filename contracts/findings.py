#!/usr/bin/env python3
"""Has Slither look at the contracts: fails at a finding that isn't explained here, and at an explanation of nothing.

`make slither` installs Slither beside what is built, and runs this with its Python.
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

from crytic_compile import CryticCompile
from crytic_compile.platform.solc_standard_json import SolcStandardJson
from slither import Slither
from slither.detectors import all_detectors
from slither.detectors.abstract_detector import AbstractDetector

HERE = Path(__file__).resolve().parent
ALL = None

# Of each check: why its findings are none, and where they are; ALL where the reason holds wherever it finds something.
EXPLAINED = {
    "assembly": ("Yul is where the verifiers, the calldata's tail and hashing in place need it; controls and mangled calldata test it.", ALL),
    "incorrect-exp": ("`role ^ 1` is the other of two players, and no power.", ALL),
    "naming-convention": ("Fields of interfaces and generated names follow the protocol's letters.", ALL),
    "timestamp": ("Clocks and windows run on block time by design: their unit is seconds, and a proposer can shift it by a slot at most.", ALL),
    "too-many-digits": ("It is the order of the field, in full.", {"slitherConstructorConstantVariables"}),
    "incorrect-return": ("A refused proof ends the call with the word false at once, which is the verifier's answer.", {"fallback"}),
    "weak-prng": ("It tells whose turn it is by the parity of the rolls, and draws nothing.", {"_due"}),
    "dead-code": ("The generator writes it into each verifier, and the compiler leaves out what a key without lookups doesn't call.", {"lookup"}),
    "unused-state": ("Auditors compare the hash of the verifying key, and no code needs it.", {"KEY_HASH"}),
    "low-level-calls": ("Ether goes to whom its owner names, who may be a contract; the call is the last step, and a failure reverts.", {"withdraw"}),
    "missing-zero-check": ("The owner names the address; ether for nobody is its own loss, as with any transfer.", {"to"}),
    "incorrect-equality": ("Roles, phases and an amount of nothing are compared, and no balance that others could shift.",
                           {"_isPlayedOut", "_win", "roll", "_expectTurn", "withdraw"}),
    "uninitialized-local": ("A struct in memory begins with zeros, and each field that isn't one is set.", {"next", "inputs"}),
}


def findings():
    """All findings of all detectors."""
    sources = {str(path.relative_to(HERE)): {"content": path.read_text()} for path in sorted((HERE / "src").rglob("*.sol"))}
    wanted = {"*": {"*": ["abi", "metadata", "devdoc", "userdoc", "evm.bytecode", "evm.deployedBytecode"], "": ["ast"]}}
    settings = {"optimizer": {"enabled": False}, "evmVersion": "prague", "outputSelection": wanted}
    with tempfile.TemporaryDirectory() as folder:
        # Slither looks for a program of this name, and the compiler is npm's.
        (Path(folder) / "solc").symlink_to(HERE / "solc.js")
        os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
        os.chdir(HERE)
        compiled = CryticCompile(SolcStandardJson({"language": "Solidity", "sources": sources, "settings": settings}))
        slither = Slither(compiled)
    for detector in vars(all_detectors).values():
        if isinstance(detector, type) and issubclass(detector, AbstractDetector) and detector is not AbstractDetector:
            slither.register_detector(detector)
    return [finding for found in slither.run_detectors() for finding in found]


def main():
    if shutil.which("node") is None:
        sys.exit("Slither's compiler needs Node")
    unexplained, used = [], set()
    found = findings()
    for finding in found:
        check, where = finding["check"], finding["elements"][0]["name"]
        _, places = EXPLAINED.get(check, ("", set()))
        if places is ALL or where in places:
            used.add((check, None if places is ALL else where))
        else:
            unexplained.append(finding)
    expected = {(check, place) for check, (_, places) in EXPLAINED.items() for place in ([None] if places is ALL else places)}
    for finding in unexplained:
        print(f"{finding['impact']} {finding['check']}: {finding['description'].strip()}")
    for check, place in sorted(expected - used, key=str):
        print(f"nothing is found that this explains: {check} {place or ''}")
    print(f"slither: {len(found)} findings, {len(unexplained)} unexplained")
    return 1 if unexplained or expected - used or not found else 0


if __name__ == "__main__":
    sys.exit(main())
