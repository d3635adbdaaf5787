#!/usr/bin/env python3
"""Shows that each rule by which a client plays between the machines (protocol, section 8) is needed, and that a test notices where it is out of force.

A copy of the tree is made in which each rule below can be switched off by the variable FOGMATE_CONTROL: the file, a text that stands in it once, and what
takes its place. Beside each stands the test that shows the attack which it prevents. The copy is compiled once, into the folder of other builds.

  python3 client/controls.py             every rule, and none (which must pass)
  python3 client/controls.py 3 7         these only
  python3 client/controls.py --check     only whether each text still stands once, which takes no time
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
COPY = TARGET / "controls/client"
SWITCH = """
/// Whether the rule of this number is out of force.
pub fn off(rule: u32) -> bool {
    static OFF: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *OFF.get_or_init(|| std::env::var("FOGMATE_CONTROL").map_or(0, |rule| rule.parse().expect("a number"))) == rule
}
"""

# Name, the test that must fail, and the patches: file, text, what it becomes. `#` is the control's number.
CONTROLS = [
    ("watch: an old position is answered by the latest", "a_wake_at_an_old_position_is_answered_by_the_latest", [
        ("channel/contest.rs", "let contested = ply < held;", "let contested = ply < held && !crate::off(#);"),
        ("channel/contest.rs", "if is_lacking && self.resend_due()", "if !crate::off(#) && is_lacking && self.resend_due()")]),
    ("one move a ply: a second one gets no signature", "of_two_moves_of_a_ply_one_is_taken", [
        ("channel/plies.rs", "match made.kept.signed == *signed {", "match crate::off(#) || made.kept.signed == *signed {")]),
    ("one move a ply: the own one isn't forgotten", "white_killed_after_any_effect", [
        ("channel/recover.rs", "|line| line.restore(entries.iter())",
         "|line| line.restore(entries.iter().filter(|entry| !crate::off(#) || !matches!(entry, Entry::Ply(kept) if kept.own)))")]),
    ("signature first: a ply without one is none", "a_ply_that_is_wrong_in_any_way_counts_as_none", [
        ("channel/plies.rs", "fog::ensure!(is_signed, PlyFault::Signature);", "fog::ensure!(is_signed || crate::off(#), PlyFault::Signature);")]),
    ("verify first", "a_false_proof_gets_no_signature_and_no_sight", [
        ("channel/plies.rs", "Err(_) => self.refuse(arriving.signed.fields.ply, PlyFault::Proof, out),",
         "Err(_) if crate::off(#) => self.accept(seat, arriving, out),\n"
         "            Err(_) => self.refuse(arriving.signed.fields.ply, PlyFault::Proof, out),")]),
    ("hang up at a wake", "the_first_sight_of_a_wake_ends_the_play_between_the_machines", [
        ("channel/mod.rs", "Event::WakeSeen { ply, until } if self.line.is_some() =>",
         "Event::WakeSeen { ply, until } if self.line.is_some() && !crate::off(#) =>")]),
    ("the same move again, once the contest is over", "a_wake_before_the_own_last_move_has_that_very_move_made_on_the_chain", [
        ("channel/contest.rs", "self.entries.values().filter(is_past).cloned()",
         "self.entries.values().filter(is_past).filter(|entry| !crate::off(#) || !matches!(entry, Entry::Signed { .. } | Entry::Chosen { .. } | Entry::Ply(_))).cloned()")]),
    ("nothing after a result", "a_draw_that_is_not_closed_is_accepted_on_the_chain", [
        ("channel/mod.rs", "match self.has_result() && acts(&command) {", "match self.has_result() && acts(&command) && !crate::off(#) {"),
        ("channel/mod.rs", "let is_open = matches!(self.stage, Stage::Asleep) && !self.has_result();",
         "let is_open = matches!(self.stage, Stage::Asleep) && (!self.has_result() || crate::off(#));")]),
    ("written first: a signature under the own ply", "white_killed_after_any_effect", [
        ("channel/plies.rs", "out.push(Effect::Journal(Entry::Ply(Box::new(kept.clone()))));\n        out.push(say(&kept.signed));",
         "if !crate::off(#) {\n            out.push(Effect::Journal(Entry::Ply(Box::new(kept.clone()))));\n        }\n        out.push(say(&kept.signed));")]),
    ("written first: the opponent's ply under the countersignature", "black_killed_after_any_effect", [
        ("channel/plies.rs", "out.push(Effect::Journal(Entry::Ply(Box::new(kept.clone()))));\n        line.push(kept);",
         "if !crate::off(#) {\n            out.push(Effect::Journal(Entry::Ply(Box::new(kept.clone()))));\n        }\n        line.push(kept);")]),
    ("backup first", "players_whose_disk_is_lost_after_any_effect", [
        ("journal/entry.rs", "            Self::Ply(_)\n                | Self::Countersigned { .. }",
         "            Self::Ply(_) if !crate::off(#)) || matches!(self, Self::Countersigned { .. }")]),
    ("not on the opponent's word: who has nothing signs nothing", "a_machine_that_has_nothing_signs_nothing", [
        ("channel/recover.rs", "None if !remembers ||", "None if (!remembers && !crate::off(#)) ||")]),
    ("not on the opponent's word: who lacks plies signs nothing", "a_machine_with_an_old_copy_takes_what_the_opponent_shows", [
        ("channel/plies.rs", "self.lags_behind(plies, out);", "if !crate::off(#) {\n                self.lags_behind(plies, out);\n            }")]),
    ("patience ends: an opponent without time left is woken", "an_opponent_that_does_not_go_on_loses_on_time", [
        ("channel/measure.rs", "(is_out && !self.is_arriving())", "(is_out && !self.is_arriving() && !crate::off(#))")]),
    ("patience ends: a sight that is withheld is demanded", "a_sight_that_is_withheld_is_demanded_on_the_chain", [
        ("channel/measure.rs", "(is_late && line.len() >= 2 && !seat.has_sight())", "(is_late && line.len() >= 2 && !seat.has_sight() && !crate::off(#))")]),
    ("a clock is held against the own measure", "a_clock_is_held_against_the_own_measure", [
        ("channel/measure.rs", ".filter(|better| *better <= most)", ".filter(|better| *better <= most || crate::off(#))")]),
    ("a false time of a block takes nobody's time", "a_false_time_of_a_block_takes_nobody_s_time", [
        ("channel/mod.rs", "self.pass_to(date);", "self.pass_to(if crate::off(#) { now } else { date });")]),
    ("a contest isn't over while a later wake isn't final", "a_contest_is_not_over_while_a_later_wake_is_not_final", [
        ("channel/contest.rs", "let is_settled = stands >= contest.seen &&", "let is_settled = (stands >= contest.seen || crate::off(#)) &&")]),
    ("an own ply that hasn't left isn't shown after a wake", "an_own_ply_that_has_not_left_is_not_shown_in_a_woken_game", [
        ("channel/plies.rs", "if ply < line.held() || is_there {", "if crate::off(#) || ply < line.held() || is_there {")]),
]


def patched():
    """The files that have switches, with them."""
    paths = {f"client/src/{file}" for _, _, patches in CONTROLS for file, _, _ in patches}
    texts = {path: (ROOT / path).read_text() for path in paths}
    for number, (name, _, patches) in enumerate(CONTROLS, 1):
        for file, old, new in patches:
            path = f"client/src/{file}"
            if texts[path].count(old) != 1:
                sys.exit(f"{name}: {file} has this not once: {old}")
            texts[path] = texts[path].replace(old, new.replace("#", str(number)))
    texts["client/src/lib.rs"] = (ROOT / "client/src/lib.rs").read_text() + SWITCH
    return texts


def make_copy():
    """The tree as git has it and as it was changed, with all switches. What hasn't changed keeps its time, so that nothing is compiled again."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    texts = patched()
    for file in filter(lambda file: (ROOT / file).is_file(), files):
        to = COPY / file
        to.parent.mkdir(parents=True, exist_ok=True)
        if file not in texts:
            if not to.exists() or to.read_bytes() != (ROOT / file).read_bytes():
                shutil.copy(ROOT / file, to)
        elif not to.exists() or to.read_text() != texts[file]:
            to.write_text(texts[file])


def fails(rule, test):
    """The tests of a name that fail with a rule out of force; and whether any was run."""
    command = ["cargo", "test", "--release", "--locked", "-p", "fogmate-client", "--test", "all", "--quiet", "--", *test]
    environment = os.environ | {"FOGMATE_CONTROL": str(rule), "CARGO_TARGET_DIR": str(TARGET), "RUST_BACKTRACE": "0"}
    run = subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    if not any(line.startswith("test result:") and " 0 passed; 0 failed" not in line for line in lines):
        sys.exit(f"nothing was tested of {test}:\n{run.stdout[-2000:]}{run.stderr[-4000:]}")
    return [line for line in lines if line.startswith("test result: FAILED")]


def main():
    if sys.argv[1:] == ["--check"]:
        patched()
        return 0
    make_copy()
    chosen = [int(number) for number in sys.argv[1:]] or range(len(CONTROLS) + 1)
    missed = 0
    for number in chosen:
        if number == 0:
            found, name = not fails(0, ["channel::"]), "every rule in force"
        else:
            name, test, _ = CONTROLS[number - 1]
            found = bool(fails(number, [test]))
        print(f"{'ok    ' if found else 'MISSED'} {number:2} {name}", flush=True)
        missed += not found
    print(f"{len(chosen) - missed} of {len(chosen)} as expected")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
