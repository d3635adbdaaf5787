#!/usr/bin/env python3
"""Shows that the invariant tests can fail: takes each rule of the contracts out, and expects an attack to be found.

A copy of the contract is made in which each rule below can be switched off (`CONTROLS`: the file, a text that stands in it
once, and what takes its place); the tests switch one off by the variable FOGMATE_CONTROL. HonestPlay.t.sol knows none of
the rules, only what they promise: where a promise is named, it must be seen to break there. AnyPlay.t.sol compares with the
rules written down a second time; it must notice those that break no promise of their own.
The rules of games between the players' machines are in channel_rules.py, those of tag and dice in small_games.py; of each a test of
every game that has it must notice that it is out of force.

  python3 contracts/controls.py             every control, and none (which must pass)
  python3 contracts/controls.py 3 7         these only
"""
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from channel_rules import CHANNEL, CONTROLS as OF_CHANNELS
from small_games import CONTROLS as SMALL_GAMES, DICE, TAG

HERE = Path(__file__).resolve().parent
COPY = HERE.parent / "target/controls/contracts"
TESTS = ["Vm.sol", "Truth.sol", "Rules.sol", "AnyPlay.sol", "AnyPlay.t.sol", "HonestPlay.sol", "HonestPlay.t.sol",
         "GameTest.sol", "ScriptedVerifier.sol", "ChannelTest.sol", "Channel.t.sol", "Unproven.t.sol",
         "TagKit.sol", "TagModel.sol", "TagRules.t.sol", "DiceTest.sol", "DiceGame.t.sol"]
PROFILE = """
[profile.controls]
deny = "never"
"""
SWITCH = """// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

/// @dev Whether the rule of this number is out of force.
function off(uint256 rule) view returns (bool) {
    return address(0xC0117701).balance == rule;
}
"""

# Name, the promise that must break or None, and the patches: file, text, what it becomes. `#` is the control's number.
CONTROLS = [
    ("a right answer earns all of its gas", "(d)", [
        ("Disputes.sol", "paid = share < demand.bond ? uint96(share) : demand.bond;",
         "share = off(#) && demand.exchange != 0 ? share * 1480 / 430 : share;\n"
         "        paid = share < demand.bond ? uint96(share) : demand.bond;")]),
    ("a right answer earns nothing", "(d)", [
        ("Disputes.sol", "paid = share < demand.bond ? uint96(share) : demand.bond;",
         "if (off(#)) share = 0;\n        paid = share < demand.bond ? uint96(share) : demand.bond;")]),
    ("pre demands without limit", "(b)", [
        ("Disputes.sol", "if (progress.preDemanded() || progress.ply() & 1 != color) revert NothingToDemand();",
         "if ((progress.preDemanded() && !off(#)) || progress.ply() & 1 != color) revert NothingToDemand();")]),
    ("no new delay after a hold", "(a)", [
        ("Disputes.sol", "table.progress = progress.withHold(Hold.None).restarted();",
         "table.progress = off(#) ? progress.withHold(Hold.None) : progress.withHold(Hold.None).restarted();")]),
    ("a hold doesn't stop the clock", "(a)", [
        ("libraries/Clock.sol", "if (progress.hold() != IFogmate.Hold.None ||",
         "if ((progress.hold() != IFogmate.Hold.None && !off(#)) ||"),
        ("GameStorage.sol", "if (hold != Hold.None) earliest.last = type(uint256).max;",
         "if (hold != Hold.None && !off(#)) earliest.last = type(uint256).max;")]),
    ("a claim doesn't stop the clock", "(a)", [
        ("GameStorage.sol", "if (hold != Hold.None) earliest.last = type(uint256).max;",
         "if (hold != Hold.None && (hold != Hold.FiftyMoves || !off(#))) earliest.last = type(uint256).max;")]),
    ("a move under the own hold", "", [
        ("Play.sol", "if (progress.hold() != Hold.None && !declared.kingFell) revert OnHold();",
         "if (progress.hold() != Hold.None && !declared.kingFell && !off(#)) revert OnHold();")]),
    ("no answer after the end", "(f)", [
        ("Disputes.sol", "if (progress.status() != Status.Playing && progress.status() != Status.Over) {",
         "if (progress.status() != Status.Playing && (off(#) || progress.status() != Status.Over)) {")]),
    ("a clock comes before a window that passed earlier", "(a)", [
        ("GameStorage.sol",
         "if (last <= earliest.last) earliest = Deadline(last, progress.roleOf(color), Outcome.Unanswered);",
         "if (last <= earliest.last && (!off(#) || hold != Hold.None || block.timestamp <= earliest.last)) "
         "earliest = Deadline(last, progress.roleOf(color), Outcome.Unanswered);")]),
    ("of one second the clock comes first", "(a)", [
        ("GameStorage.sol",
         "if (last <= earliest.last) earliest = Deadline(last, progress.roleOf(color), Outcome.Unanswered);",
         "if (last < earliest.last || (last == earliest.last && !off(#))) "
         "earliest = Deadline(last, progress.roleOf(color), Outcome.Unanswered);")]),
    ("a decided game goes on until somebody calls", "(a)", [
        ("GameStorage.sol", "if (block.timestamp > _earliest(table, progress).last) revert OutOfTime();\n    }\n\n    /// @dev Reverts in a game",
         "if (!off(#) && block.timestamp > _earliest(table, progress).last) revert OutOfTime();\n    }\n\n    /// @dev Reverts in a game")]),
    ("fifty-move claims without limit", "(b)", [
        ("Claims.sol", "if (ply < table.agreement.claimsFrom[color])", "if (!off(#) && ply < table.agreement.claimsFrom[color])")]),
    ("a hold bars the capture of the king", "(e)", [
        ("Play.sol", "if (progress.hold() != Hold.None && !declared.kingFell) revert OnHold();",
         "if (progress.hold() != Hold.None && (off(#) || !declared.kingFell)) revert OnHold();")]),
    ("a move without a proof", "(a)", [
        ("Play.sol", "_checkTurn(inputs, proof);", "if (!off(#)) _checkTurn(inputs, proof);")]),
    ("no verdict taken for a right proof", "(a)", [
        ("libraries/ProofGuard.sol", "if (!answered || word > 1) revert IFogmate.NoVerdict();",
         "if (!answered && off(#)) return;\n        if (!answered || word > 1) revert IFogmate.NoVerdict();")]),
    ("a move for any position", None, [
        ("Play.sol", "if (declared.basis != expected) revert WrongBasis(expected);",
         "if (declared.basis != expected && !off(#)) revert WrongBasis(expected);")]),
    ("one slot for both demands of a player", "", [
        ("Disputes.sol", "if (progress.preDemanded() || progress.ply() & 1 != color) revert NothingToDemand();",
         "if (progress.preDemanded() || progress.ply() & 1 != color || (off(#) && progress.postOpen(color)))"
         " revert NothingToDemand();")]),
    ("an answer needs not meet the posted root", None, [
        ("Disputes.sol", "if (exchange.postedRoot != 0 && exchange.postedRoot != answerRoot)",
         "if (!off(#) && exchange.postedRoot != 0 && exchange.postedRoot != answerRoot)")]),
    ("a sight after a move is of the board since", "(f)", [
        ("Exchanges.sol", "uint256 state = progress.movesOf(receiver ^ 1) + (movedSince ? 1 : 0);",
         "uint256 state = progress.movesOf(receiver ^ 1) + (movedSince && !off(#) ? 1 : 0);")]),
    ("a sight after a move has the pending square since", "(f)", [
        ("Exchanges.sol", "uint8(movedSince ? progress.previousPending() : progress.pending());",
         "uint8(movedSince && !off(#) ? progress.previousPending() : progress.pending());")]),
    ("a bond comes out again by reclaim", "(c)", [
        ("Disputes.sol", "delete table.demands[uint256(slot)].bond;\n        delete table.demands[uint256(slot)].exchange;\n        address owner",
         "if (!off(#)) delete table.demands[uint256(slot)].bond;\n        delete table.demands[uint256(slot)].exchange;\n        address owner")]),
    ("a bond comes out by answer and by reclaim", "(c)", [
        ("Disputes.sol", "delete table.demands[uint256(slot)].bond;\n        delete table.demands[uint256(slot)].exchange;\n        // casting",
         "if (!off(#)) delete table.demands[uint256(slot)].bond;\n        delete table.demands[uint256(slot)].exchange;\n        // casting")]),
    ("an answer after the verdict closes its window", None, [
        ("Disputes.sol", "if (progress.status() == Status.Over || block.timestamp > _earliest(table, progress).last) return;",
         "if (progress.status() == Status.Over || (!off(#) && block.timestamp > _earliest(table, progress).last)) return;")]),
    ("terms that leave a stake no time", None, [
        ("libraries/Clock.sol", "uint256 least = terms.stake == 0 ? 1 : LEAST_FOR_A_STAKE;",
         "uint256 least = terms.stake == 0 || off(#) ? 1 : LEAST_FOR_A_STAKE;")]),
    ("the time of the toss is White's", None, [
        ("Lobby.sol", ".withPreviousPending(NO_SQUARE).restarted();",
         ".withPreviousPending(NO_SQUARE);\n        if (!off(#)) progress = progress.restarted();")]),
    ("a root can be filled under a hold", None, [
        ("Disputes.sol", "if (progress.hold() != Hold.None) revert OnHold();\n        if (progress.isOpening()",
         "if (progress.hold() != Hold.None && !off(#)) revert OnHold();\n        if (progress.isOpening()")]),
    ("a demand without a bond", None, [
        ("Bonds.sol", "if (msg.value < least) revert SmallBond(least);", "if (!off(#) && msg.value < least) revert SmallBond(least);")]),
    ("a game of the retired mode", None, [
        ("Lobby.sol", "if (terms.mode == Mode.Retired) revert NoSuchMode();",
         "if (terms.mode == Mode.Retired && !off(#)) revert NoSuchMode();")]),
    ("a stake on moves that nobody proves", None, [
        ("Lobby.sol", "if (terms.stake != 0) revert NoStakes();", "if (terms.stake != 0 && !off(#)) revert NoStakes();")]),
    ("an unproven game without an engine", None, [
        ("Lobby.sol", "if (fogKey.y == 0) revert NoEngine();", "if (fogKey.y == 0 && !off(#)) revert NoEngine();")]),
    ("an unproven game of two engines", ("UnprovenTest",), [
        ("Lobby.sol", "if (fogKey.y != creators.fogKeyY) revert OtherEngine(creators.fogKeyY);",
         "if (fogKey.y != creators.fogKeyY && !off(#)) revert OtherEngine(creators.fogKeyY);")]),
    ("a proof with a move that takes none", None, [
        ("Play.sol", "if (proof.length != 0) revert NoProofs();", "if (proof.length != 0 && !off(#)) revert NoProofs();")]),
    ("an unproven move of no field elements", None, [
        ("Play.sol", "revert NoProofs();\n            _checkInField(inputs);",
         "revert NoProofs();\n            if (!off(#)) _checkInField(inputs);")]),
    ("a demand where nothing is proven", None, [
        ("Disputes.sol", "_expectProofs(progress);\n        uint256 color", "if (!off(#)) _expectProofs(progress);\n        uint256 color")]),
    ("a claim of fifty moves where nothing is proven", None, [
        ("Claims.sol", "_expectProofs(progress);\n        uint256 role = _roleToMove(table, progress);\n"
         "        if (progress.hold() != Hold.None) revert OnHold();\n        (uint256",
         "if (!off(#)) _expectProofs(progress);\n        uint256 role = _roleToMove(table, progress);\n"
         "        if (progress.hold() != Hold.None) revert OnHold();\n        (uint256")]),
    ("a claim of no move where nothing is proven", None, [
        ("Claims.sol", "_expectProofs(progress);\n        uint256 role = _roleToMove(table, progress);\n"
         "        if (progress.hold() != Hold.None) revert OnHold();\n        uint256 color",
         "if (!off(#)) _expectProofs(progress);\n        uint256 role = _roleToMove(table, progress);\n"
         "        if (progress.hold() != Hold.None) revert OnHold();\n        uint256 color")]),
]
CONTROLS += OF_CHANNELS + SMALL_GAMES


def make_copy():
    """The copy, with every switch in it. A patch whose text doesn't stand there exactly once is an error."""
    shutil.rmtree(COPY / "src", ignore_errors=True)
    shutil.rmtree(COPY / "test", ignore_errors=True)
    shutil.copytree(HERE / "src", COPY / "src", ignore=shutil.ignore_patterns("generated"))
    (COPY / "test").mkdir(parents=True)
    for name in TESTS:
        shutil.copy(HERE / "test" / name, COPY / "test" / name)
    for name in ("solc.js", "forge.js"):
        shutil.copy(HERE / name, COPY / name)
    # The optimizer takes most of the time to compile, and changes nothing here.
    plain = re.sub(r"optimizer_runs = .*\n", "", (HERE / "foundry.toml").read_text().replace("optimizer = true\n", ""))
    (COPY / "foundry.toml").write_text(plain + PROFILE)
    (COPY / "src/Off.sol").write_text(SWITCH)
    modules = COPY.parent / "node_modules"
    if not modules.exists():
        modules.symlink_to(HERE.parent / "node_modules")
    edits = {}
    for number, (_, _, patches) in enumerate(CONTROLS, 1):
        for file, old, new in patches:
            edits.setdefault((file, old), []).append((number, new))
    for (file, old), variants in edits.items():
        path = COPY / "src" / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"controls.py: this stands {text.count(old)} times in {file}, not once:\n{old}")
        path.write_text(text.replace(old, combined(old, variants)))
    for file in {file for file, _ in edits}:
        path = COPY / "src" / file
        up = "../" * file.count("/") or "./"
        text = path.read_text()
        path.write_text(text.replace("\nimport ", f'\nimport {{off}} from "{up}Off.sol";\nimport ', 1) if "\nimport " in text
                        else text.replace("pragma solidity ^0.8.24;\n", f'pragma solidity ^0.8.24;\nimport {{off}} from "{up}Off.sol";\n', 1))


def combined(old, variants):
    """What stands in the place of `old`: with the switch of its control, or of each of several, which are statements then."""
    if len(variants) == 1:
        number, new = variants[0]
        return new.replace("#", str(number))
    branches = "".join(f"if (off({number})) {{ {new.replace('off(#)', 'true')} }} else " for number, new in variants)
    return branches + "{ " + old + " }"


def forge(number, command, *which):
    """Runs some tests of the copy with a rule off, or only compiles it."""
    environment = os.environ | {"FOUNDRY_PROFILE": "controls", "FOGMATE_CONTROL": str(number), "FORGE_COLOR": "never"}
    return subprocess.run(["node", str(COPY / "forge.js"), command, *which], env=environment, capture_output=True, text=True)


def failures(number, finders):
    """The tests that fail with a rule off and why, by the test contract, of those named. Tests of gas are left out: the copy is compiled without the optimizer."""
    run = forge(number, "test", "--match-contract", f"^({'|'.join(finders)})$", "--no-match-test", "test_gas")
    # After the suites forge says all failures once more.
    results, *summary = re.split(r"^Ran \d+ test suites? ", run.stdout, flags=re.M)
    suites = re.split(r"^Ran \d+ tests? for .*:(\w+)$", results, flags=re.M)[1:]
    failed = {name: sorted(set(re.findall(r"^(\[FAIL.*\] \w+)", told, re.M))) for name, told in zip(suites[::2], suites[1::2])}
    if failed.keys() != set(finders) or not summary:
        sys.exit(run.stdout + run.stderr)
    return failed


def walk(number, name):
    """What the long walk of a test ends with when a rule is off: an error by the name of the test, or nothing."""
    run = forge(number, "test", "--match-contract", f"^{name}Test$", "--match-test", "test_long_walk")
    failed = re.search(r"\[FAIL: (.*)\] test_long_walk", run.stdout)
    if not failed and "[PASS] test_long_walk" not in run.stdout:
        sys.exit(run.stdout + run.stderr)
    # That a walk reached too little is no attack found; with every rule in force it is a failure all the same.
    reason = failed[1] if failed else ""
    return "" if number and '"never' in reason else reason


def control(number):
    """Takes one rule out. Gives whether an attack was found, and what is told of it."""
    name, promise, _ = CONTROLS[number - 1]
    if isinstance(promise, tuple):
        noticed = failures(number, promise).values()
        ends = [ends[0] for ends in noticed] if all(noticed) else []
    else:
        ends = [walk(number, "AnyPlay" if promise is None else "HonestPlay")]
        ends = [end for end in ends if end and (promise or "") in end]
    return bool(ends), "\n    ".join([f"{'found' if ends else 'MISSED'}  {number:2} {name}", *ends[:2]])


def in_force():
    """What fails with every rule in force."""
    return [*filter(None, (walk(0, "AnyPlay"), walk(0, "HonestPlay"))), *sum(failures(0, (CHANNEL, TAG, DICE)).values(), [])]


def main():
    make_copy()
    # Compile once, before several processes of forge share the copy.
    built = forge(0, "build")
    if built.returncode:
        sys.exit(built.stdout + built.stderr)
    chosen = [int(number) for number in sys.argv[1:]] or range(len(CONTROLS) + 1)
    missed = 0
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        whole = workers.submit(in_force) if 0 in chosen else None
        for found, told in workers.map(control, filter(None, chosen)):
            print(told, flush=True)
            missed += not found
        if whole:
            ends = whole.result()
            print("every rule in force:", *ends)
            missed += bool(ends)
    print(f"{len(chosen) - missed} of {len(chosen)} as expected")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
