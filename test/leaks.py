#!/usr/bin/env python3
"""What sender, receiver, link and chain observe of a sight beyond the sight: plays sights in positions and their twins (test/examples/leaks.rs), tests every
observable against every hidden feature, and writes docs/src/leaks.md; the samples stay in target/leaks.json. Ends with exit code 1 if a control fails.

`leaks.py [--seconds S] [--rounds R] [--positions N] [--seed S] [NAME…]`; `leaks.py --again` tests the samples that are there.
"""

import argparse
import functools
import json
import math
import random
import re
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from bench import machine
from bench_engines import significant, table

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/src/leaks.md"
SAMPLES = ROOT / "target/leaks.json"
LEAKS = "target/release/examples/leaks"

# The convention of TVLA, and besides the chance that is left of one false alarm in all tests.
THRESHOLD = 4.5
CHANCE = 0.01
# By so much more than the threshold a t must be expected to be found four times of five.
POWER = 0.84
# With fewer pairs that differ in a feature nothing is tested.
FEWEST = 10
# Two labels that somebody must not tell apart, and whose features tell which of the two has more; nobody's, where the boards are the same.
PAIRS = {"shown": ("position", "shown", "sender"), "looking": ("position", "looking", "receiver"), "promoted": ("first", "promoted", None)}
# Which pairs an observer must not tell apart, and the channels that it has.
OBSERVERS = {
    "receiver": (["shown"], ["sizes", "contents", "time"]),
    "sender": (["looking", "promoted"], ["sizes", "contents", "time"]),
    "link": (["shown", "looking", "promoted"], ["sizes", "time"]),
    "chain": (["shown", "looking", "promoted"], ["words"]),
}
CHANNELS = ["sizes", "contents", "time", "words"]
SAID = ["first byte", "last byte", "one bits"]
WORDS = ["opening's digest", "request's digest", "White's commitment", "Black's commitment"]
# Attacks that tests make: what they do, the test, and what must become of them.
ATTACKS = [
    ("the sender's key, from one sight of BFV without flooding", "without_flooding_one_sight_tells_the_sender_s_key", "found"),
    ("both kings' squares, from sets in the weak group of tag", "the_weak_twin_gives_both_squares_away", "found"),
    ("the same in the group of the game", "nothing_is_recovered_in_the_group_of_the_game", "nothing"),
]
# The engine that the control of time slows down, and by which part.
SLOWED, PART = "dh-psi", 0.05


def tail(t, freedom):
    """How likely Student's t is as far from 0, by Simpson's rule over the angle whose tangent is t/√freedom."""
    def area(start):
        steps = 400
        width = (math.pi / 2 - start) / steps
        heights = [math.cos(start + place * width) ** (freedom - 1) for place in range(steps + 1)]
        return width / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2]))
    return 0.0 if math.isinf(t) else area(math.atan(abs(t) / math.sqrt(freedom))) / area(0.0)


@functools.cache
def threshold(pairs, tests):
    """From which t on something is found, to a thousandth."""
    least, most = THRESHOLD, 1e6
    if tail(least, pairs - 1) * tests < CHANCE:
        return least
    while most - least > 1e-3:
        middle = (least + most) / 2
        least, most = (least, middle) if tail(middle, pairs - 1) * tests < CHANCE else (middle, most)
    return most


class Test:
    """The paired t-test of one observable against one feature: of differences, the board with more of the feature first."""

    def __init__(self, where, differences):
        self.where, self.pairs = where, len(differences)
        self.mean = statistics.fmean(differences)
        self.deviation = math.sqrt(sum((one - self.mean) ** 2 for one in differences) / (self.pairs - 1))
        self.t = self.mean / self.deviation * math.sqrt(self.pairs) if self.deviation else math.inf * (self.mean > 0 or -1)

    def is_found(self, tests):
        return abs(self.t) > threshold(self.pairs, tests)

    def limit(self, tests):
        """The difference of means that would have been found four times of five."""
        return (threshold(self.pairs, tests) + POWER) * self.deviation / math.sqrt(self.pairs)

    def bits(self, tests):
        """What a sight tells of the feature, as a channel with Gaussian noise, if its difference is greater than this one by what would have been found."""
        effect = (abs(self.mean) + self.limit(tests)) / self.deviation if self.deviation else math.inf
        return math.log2(1 + effect**2 / 2) / 2


def observed(sights):
    """What sights of one board show, by channel and name: the medians of times, the means of all else."""
    found = defaultdict(list)
    for sight in sights:
        spent = [0, 0]
        for index, (side, size, micros, *said) in enumerate(sight["messages"]):
            spent[side] += micros
            found["sizes", f"bytes of message {index}"].append(size)
            found["time", f"processor time before message {index}"].append(micros)
            if size:
                for what, value in zip(SAID, said):
                    found["contents", f"{what} of message {index}"].append(value)
        found["sizes", "messages"].append(len(sight["messages"]))
        found["time", "the sender's processor time"].append(spent[0])
        found["time", "the receiver's processor time"].append(spent[1])
        found["time", "wall time"].append(sight["wall"])
        for word, said in zip(WORDS, sight["posted"]):
            for what, value in zip(SAID, said):
                found["words", f"{what} of the {word}"].append(value)
    return {name: statistics.median(values) if name[0] == "time" else statistics.fmean(values) for name, values in found.items()}


class Engine:
    """What was seen of one engine: by kind its pairs, each the signs of the features' differences and what both boards showed."""

    def __init__(self, report):
        self.name, self.pairs = report["engine"], {kind: [] for kind in PAIRS}
        self.sights = self.refused = self.wrong = self.false = 0
        for position in report["positions"]:
            by_label = defaultdict(list)
            for sight in position["sights"]:
                self.sights += 1
                self.refused += sight["refused"] is not None
                self.wrong += not (sight["refused"] or sight["right"])
                by_label[sight["label"]] += [sight] if sight["right"] else []
            alike = [by_label["position"] + by_label["shown"], by_label["looking"]]
            self.false += sum(len({sight["meant"] for sight in sights}) > 1 for sights in alike)
            shown = {label: observed(sights) for label, sights in by_label.items() if sights}
            for kind, (one, twin, side) in PAIRS.items():
                if one in shown and twin in shown:
                    of, other = [position["boards"][label][side] for label in (one, twin)] if side else [{}, {}]
                    signs = {name: (of[name] > other[name]) - (of[name] < other[name]) for name in of}
                    signs["which is the game's" if side else "which queen fell"] = 1
                    self.pairs[kind].append((signs, shown[one], shown[twin]))

    def tests(self, kind, channels, draw=None, delay=0):
        """Tests of all that ever varies in some channels. `draw` gives signs in place of the features'; `delay` is added for more of a feature."""
        found = []
        for name in dict.fromkeys(name for _, one, _ in self.pairs[kind] for name in one if name[0] in channels):
            pairs = [(signs, one[name] - twin[name]) for signs, one, twin in self.pairs[kind] if name in one and name in twin]
            for feature in pairs[0][0] if any(difference for _, difference in pairs) else []:
                signed = [(draw() if draw else signs[feature]) * difference + delay for signs, difference in pairs if signs[feature]]
                if len(signed) >= FEWEST and any(signed):
                    found.append(Test((self.name, kind, *name, feature), signed))
        return found

    def differs(self, kinds, channel):
        """Whether anything in a channel ever differs within a pair."""
        pairs = [(one, twin) for kind in kinds for _, one, twin in self.pairs[kind]]
        return any(one[name] != twin.get(name) for one, twin in pairs for name in one if name[0] == channel)

    def mean(self, test):
        return statistics.fmean(one[test.where[2:4]] for _, one, _ in self.pairs[test.where[1]] if test.where[2:4] in one)


def t_of(test):
    return "∞" if math.isinf(test.t) else f"{abs(test.t):.1f}"


def strongest(tests):
    return max(tests, key=lambda test: abs(test.t), default=None)


def whole(tests):
    """The tests of the whole time of a side whose board is hidden, for whether the board is the game's or a twin."""
    return [test for test in tests if test.where[3:] == (f"the {PAIRS[test.where[1]][2]}'s processor time", "which is the game's")]


def cell(engine, kinds, channel, tests, count):
    """What a channel tells an observer."""
    if not engine.differs(kinds, channel):
        return "never differs"
    best, alarms = strongest(tests), [test for test in tests if test.is_found(count)]
    if best is None:
        return "too few pairs"
    is_time = channel == "time"
    if not alarms:
        limits = [f"{significant(test.limit(count) / 1e3)} of {significant(engine.mean(test) / 1e3)} ms" for test in whole(tests) if is_time]
        return f"nothing, t = {t_of(best)}" + (f"; {' or '.join(limits)} would show" if limits else "")
    best = strongest(alarms)
    size = f" ({significant(abs(best.mean) / 1e3)} of {significant(engine.mean(best) / 1e3)} ms)" if is_time else ""
    return f"**t = {t_of(best)}**: {best.where[3]}{size} by *{best.where[4]}*; {len(alarms)} of {len(tests)} tests"


def rows(engines, results, count):
    found = []
    for engine in engines:
        for observer, (kinds, channels) in OBSERVERS.items():
            own = {channel: [test for kind in kinds for test in results[engine.name, kind] if test.where[2] == channel] for channel in channels}
            cells = [cell(engine, kinds, channel, own[channel], count) if channel in own else "–" for channel in CHANNELS]
            timed = own.get("time", [])
            telling = [test.bits(count) for test in whole(timed) + [test for test in timed if test.is_found(count)]]
            bits = f"{min(1.0, max(telling)):.2g}" if telling else "–"
            found.append([f"`{engine.name}`", observer, str(sum(len(engine.pairs[kind]) for kind in kinds)), *cells, bits])
    return found


def printed(text):
    """The last line that a test has printed beside its seed."""
    return ([line for line in text.strip().splitlines() if not line.startswith("seed ")] or ["the test passed"])[-1]


def attacks():
    """Runs the tests that attack: by name whether each found what it must, and what it printed."""
    names = [name for _, name, _ in ATTACKS]
    print("attacking …", flush=True)
    command = ["cargo", "test", "--release", "--locked", "--workspace", "--lib", "--test", "all", "--no-fail-fast", "--", "--nocapture", "--test-threads", "1"]
    told = subprocess.run([*command, *names], cwd=ROOT, capture_output=True, text=True).stdout
    cases = {name: re.search(rf"^test \S*\b{name} \.\.\. (.*?)\s*\b(ok|FAILED)$", told, re.MULTILINE | re.DOTALL) for name in names}
    return {name: (bool(case) and case[2] == "ok", printed(case[1]) if case else "not run") for name, case in cases.items()}


def controls(engines, results, count, shuffled):
    """Each control: what it is, what must become of it, whether it did, and what was found."""
    found = []
    for name, must in [("andos-first", "found"), ("andos", "nothing")]:
        tests = [test for test in results.get((name, "promoted"), []) if test.where[2] == "contents"]
        alarms = [test for test in tests if test.is_found(count)]
        best = strongest(alarms or tests)
        said = f"{len(alarms)} of {len(tests)} tests, t = {t_of(best)}, {best.where[3]}" if best else "too few pairs"
        found.append((f"which of two queens had been promoted, in the contents of `{name}`", must, bool(tests) and bool(alarms) == (must == "found"), said))
    told = attacks()
    found += [(f"{what}: `{name}`", must, *told[name]) for what, name, must in ATTACKS]
    for engine in [engine for engine in engines if engine.name == SLOWED]:
        name, feature = ("time", "the sender's processor time"), "bishops, rooks, queens"
        delay = PART * statistics.fmean(one[name] for _, one, _ in engine.pairs["shown"])
        slowed = [test for test in engine.tests("shown", ["time"], delay=delay) if test.where[2:] == (*name, feature)]
        what = f"`{engine.name}` with {significant(delay / 1e3)} ms more for more *{feature}*"
        found.append((what, "found", any(test.is_found(count) for test in slowed), ", ".join(f"t = {t_of(test)}" for test in slowed)))
    alarms = sum(test.is_found(count) for test in shuffled)
    beyond = sum(abs(test.t) > THRESHOLD for test in shuffled)
    # Tests of one sight hang together, so what is beyond by chance is granted generously.
    expected = sum(tail(THRESHOLD, test.pairs - 1) for test in shuffled)
    said = f"{alarms} alarms, {beyond} beyond {THRESHOLD} where {expected:.1f} are expected"
    found.append((f"all {len(shuffled):,} tests with features drawn by lot", "nothing", alarms == 0 and beyond <= 5 * expected + 5, said))
    return found


def entropy(samples):
    by_ply = defaultdict(list)
    for ply, *bits in samples:
        by_ply[ply].append(bits)
    for ply, games in sorted(by_ply.items()):
        before, after = zip(*games)
        yield [str(ply), str(len(games)), f"{statistics.fmean(before):.1f}", f"{statistics.fmean(after):.1f}", f"{min(after):.1f} to {max(after):.1f}"]


def page(about, samples, engines, results, count, checked, lots):
    sights = sum(engine.sights for engine in engines)
    faults = [sum(getattr(engine, what) for engine in engines) for what in ("refused", "wrong", "false")]
    alarms = [test for tests in results.values() for test in tests if test.is_found(count)]
    beyond = [sum(abs(test.t) > THRESHOLD for test in tests) for tests in ([test for tests in results.values() for test in tests], lots)]
    fewest = min(len(report["positions"]) for report in samples["engines"])
    timed = sorted({test.where[0] for test in alarms if test.where[2] == "time"})
    names = ", ".join(f"`{name}`" for name in timed)
    summary = f"**Time depends on what is hidden** with {names}." if timed else "No time was found to depend on what is hidden, by the features below."
    others = sorted({test.where[0] for test in alarms if test.where[2] != "time"})
    unsaid = [f"`{engine.name}`" for engine in engines if len(engine.pairs["shown"]) < FEWEST]
    summary += f" Of {', '.join(unsaid)} there were too few pairs to tell." if unsaid else ""
    told = f" Sizes, contents or words tell something with {', '.join(f'`{name}`' for name in others)}." if others else " Sizes, contents and words tell nothing."
    controlled = [[what, must, "as it must" if is_right else "**NOT as it must**", said] for what, must, is_right, said in checked]
    PAGE.write_text(f"""# Leaks, measured

`make leaks` writes this page: what of a hidden board shows in sizes, contents and times. What cheats gain stands with each of the [engines](engines.md).

{about} Seed {samples["seed"]}.

{summary}{told}

## Method

An observer knows its own board, its sight, and what is public. So each position is played with a *twin* that is the same to the observer and differs in the rest.

- **Receiver.** The sender's unseen men stand elsewhere and may be of other types; their number and the sight are the same.
- **Sender.** The receiver has another board of as many men. For ANDOS besides: which of two queens, one of them just captured, had been promoted.
- **Link.** Whoever carries the messages, which are encrypted: both kinds of twins, by sizes and times alone.
- **Chain.** The four words of 32 bytes that are posted: digests and commitments.

Types differ as promotions could make them differ: else who captured a man would know what is left.

Positions are 200 of the tests, every other one after a move instead of before one. A position and its twins are played in an order drawn anew each time.
Slow engines get as many positions as begin in {samples["seconds"]} s, which is {fewest} of the slowest. A sight is repeated up to {samples["rounds"]} times
where that leaves time, and medians of times are compared.

Observables are the number and bytes of messages, and of each message its first and last byte and its one bits. Time is the processor time before each message, its sum for
either side, and wall time. So time is finer than what a link shows: no delay of a network covers it.

Each observable that ever differs within a pair is tested against each hidden feature by a paired t-test
([Ding, Chen, Eisenbarth 2016](https://doi.org/10.1007/978-3-319-43283-0_10)). Features are squares and men that a board sees, its sliders, queens, pawns, ranks advanced, king's file and rank, and a
double push; and which board is the game's own. Something is *found* where |t| exceeds {THRESHOLD}, as in TVLA (Goodwill, Jun, Jaffe, Rohatgi 2011), and the chance of one
false alarm in all {count:,} tests stays below {CHANCE:.0%}. So with few pairs t must be greater. A feature goes with a difference; it needn't be its cause.

What goes with none of these features isn't found: a time that hangs on the hidden board as a hash does would pass.

## What was observed

{sights:,} sights: {faults[0]} refused, {faults[1]} unlike the rules'. False positives of sets would change what the receiver asks; it asked otherwise in {faults[2]} positions.
{len(alarms):,} of {count:,} tests found something. {beyond[0] - len(alarms):,} more are beyond {THRESHOLD} with too few pairs to tell; of tests by lot {beyond[1]:,} are.
How seldom false positives come by the filter of `dh-psi` [is reckoned](engine-dh-psi.md#what-it-leaks-and-what-a-cheat-can-do).

{table(["engine", "observer", "pairs", "sizes", "contents", "time", "words on chain", "bits"], rows(engines, results, count))}

In bold is what was found: the largest t, the observable, and the feature that goes with it. *Would show* is the difference that would be found four times of five, in the whole time of the
side whose board is hidden, and that time. *Bits* is what the time of a sight may tell of which twin it was by these features. It is reckoned as a channel with Gaussian noise.
Its signal is as large as the test allows, its noise the spread of the pairs.

## Controls

{table(["looked for", "must be", "was", "how"], controlled)}

The program fails if one of these isn't as it must be.

## What the game itself tells

How many placements of the opponent's men look to the player to move as they are, in bits: {samples["games"]} random games by the rules.

{table(["plies", "games", "before the sight", "after it", "least to most"], entropy(samples["entropy"]))}

Counted is what one sight leaves, knowing the types left, with no pawn promoted. It isn't what a player believes: earlier sights, and what is likely, are left out.
So but for promotions it bounds the entropy from above. What a sight's time may add by these features are its *bits*.

## What isn't measured

- `andos-chained`, whose exchanges need a whole game; forms with steps, whose sights are those of the forms without.
- When moves are sent. They hang on the player and, with `sight-lines`, on the proof of the move.
- What a cheat is told by a refusal, and channels inside a machine, such as its caches.
""")
    print(f"written: {PAGE.relative_to(ROOT)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--again", action="store_true", help="test the samples that are there")
    parser.add_argument("engines", nargs="*")
    options = parser.parse_args()
    if not options.again:
        about = machine()
        limits = [part for name in ("seconds", "rounds", "positions", "seed") for part in (f"--{name}", str(getattr(options, name)))]
        told = json.loads(subprocess.run([LEAKS, *limits, *options.engines], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
        SAMPLES.write_text(json.dumps(told | {"about": about, "seconds": options.seconds, "rounds": options.rounds}))
    samples = json.loads(SAMPLES.read_text())
    print(f"seed {samples['seed']}; testing …", flush=True)
    draws = random.Random(samples["seed"])
    channels, engines = set(CHANNELS), [Engine(report) for report in samples["engines"]]
    results = {(engine.name, kind): engine.tests(kind, channels) for engine in engines for kind in PAIRS}
    lots = [test for engine in engines for kind in PAIRS for test in engine.tests(kind, channels, draw=lambda: draws.choice([-1, 1]))]
    count = sum(map(len, results.values()))
    checked = controls(engines, results, count, lots)
    if options.engines:
        print("written: nothing, since the page is of all engines")
    else:
        page(samples["about"], samples, engines, results, count, checked, lots)
    for what, must, is_right, said in checked:
        print(f"{'ok' if is_right else 'FAILED'}: {what}: {must}: {said}")
    sys.exit(0 if all(is_right for _, _, is_right, _ in checked) else 1)


if __name__ == "__main__":
    main()
