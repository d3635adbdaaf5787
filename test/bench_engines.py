"""The engines' part of `make bench`: every engine on the same positions, as two tables and a picture, docs/src/engines-data.md and
docs/src/engines.svg; what each sight cost is kept in target/engines.json."""

import json
import math
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/src/engines-data.md"
PICTURE = ROOT / "docs/src/engines.svg"
SAMPLES = ROOT / "target/engines.json"
COMPARE = "target/release/examples/compare"

# The link that times are reckoned for: seconds a message takes one way, bytes a second.
DELAY_S = 0.05
BANDWIDTH = 1_250_000


def measured(seconds):
    """What `compare` says of every engine, `seconds` each at most."""
    print("measuring the engines …", flush=True)
    SAMPLES.write_bytes(subprocess.run([COMPARE, "--seconds", str(seconds)], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    report = json.loads(SAMPLES.read_bytes())
    for engine in report["engines"]:
        engine["sight"] = {of: statistics.mean(sight[of] for sight in engine["sights"]) for of in engine["sights"][0]}
    return report


def spread(sights, of, show):
    """The mean of what sights have cost, with the standard deviation where they differ."""
    values = [sight[of] for sight in sights]
    deviation = statistics.stdev(values) if len(values) > 1 else 0
    return f"{show(statistics.mean(values))} ± {show(deviation)}" if deviation else show(values[0])


def whole(number):
    return f"{number:,.0f}"


def over_link(cost):
    """Seconds of a sight over the link, its messages one after the other."""
    return cost["wall_ms"] / 1e3 + cost["messages"] * DELAY_S + cost["bytes"] / BANDWIDTH


def significant(number):
    """Three significant digits, no more than are there."""
    if number == 0:
        return "0"
    return f"{number:,.{max(0, 2 - math.floor(math.log10(abs(number))))}f}"


def row(cells):
    return f"| {' | '.join(cells)} |"


def table(head, rows):
    return "\n".join(map(row, [head, ["---"] * len(head), *rows]))


def costs(engines):
    base = engines[0]["sight"]
    rows = []
    for engine in engines:
        sights, mean = engine["sights"], engine["sight"]
        rows.append([
            f"`{engine['engine']}`",
            str(len(sights)),
            *(spread(sights, of, whole) for of in ["rounds", "messages", "sender_bytes", "receiver_bytes"]),
            significant(mean["bytes"] / base["bytes"]),
            *(spread(sights, of, significant) for of in ["sender_cpu_ms", "receiver_cpu_ms", "wall_ms"]),
            significant(max(sight["wall_ms"] for sight in sights)),
            significant(mean["wall_ms"] / base["wall_ms"]),
            significant(over_link(mean)),
        ])
    head = ["a sight", "sights", "rounds", "messages", "sender's bytes", "receiver's bytes", "**of sight-lines' bytes**", "sender's CPU, ms", "receiver's CPU, ms",
            "wall, ms", "longest, ms", "**of sight-lines' wall**", "over a link, s"]
    return table(head, rows)


def set_ups(engines):
    rows = []
    for engine in engines:
        cost = engine["set_up"]
        rows.append([f"`{engine['engine']}`", str(cost["messages"]), f"{cost['bytes']:,}", significant(cost["sender_cpu_ms"]), significant(cost["receiver_cpu_ms"]), significant(engine["first"]["wall_ms"])])
    return table(["set-up", "messages", "bytes", "White's CPU, ms", "Black's CPU, ms", "first sight, wall, ms"], rows)


def claims(engines):
    rows = [[f"`{e['engine']}`", e["trust"], e["proven"], e["cheating_receiver"], e["cheating_sender"], e["security"]] for e in engines]
    return table(["", "trust", "proven", "a cheating receiver sees", "a cheating sender shows", "security"], rows)


STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1c1e21; } .soft { fill: #6b6f76; }
.grid { stroke: #d9d5ca; } .axis { stroke: #6b6f76; } .link { stroke: #8a8f98; stroke-dasharray: 2 3; }
.all { fill: #b4431f; } .some { fill: #21568c; } .nothing { fill: none; stroke: #21568c; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #dcdcd6; } .soft { fill: #9a9fa6; } .grid { stroke: #33373c; } .axis, .link { stroke: #9a9fa6; } .all { fill: #f08a63; } .some { fill: #8ab8e6; } .nothing { stroke: #8ab8e6; }
}
"""
WIDTH, HEIGHT = 820, 520
LEFT, RIGHT, TOP, BOTTOM = 78, 130, 24, 56
BYTES = {3: "1 kB", 4: "10 kB", 5: "100 kB", 6: "1 MB", 7: "10 MB", 8: "100 MB", 9: "1 GB"}
SECONDS = {-3: "1 ms", -2: "10 ms", -1: "100 ms", 0: "1 s", 1: "10 s", 2: "100 s", 3: "1,000 s"}


class Axis:
    """Decimal logarithms from `least` to `most` laid out from one end to the other."""

    def __init__(self, values, start, end):
        self.least, self.most = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(value) - self.least) / (self.most - self.least)
        return self.start + share * (self.end - self.start)

    def decades(self):
        return range(self.least, self.most + 1)


def proves(engine):
    """How much of what players say is proven."""
    if engine["trust"] == "malicious":
        return "all"
    return "nothing" if engine["proven"].startswith("nothing") else "some"


def picture(engines):
    proven = {engine["engine"]: proves(engine) for engine in engines}
    sights = {engine["engine"]: engine["sight"] for engine in engines}
    walls, links = {}, {}
    for name, sight in sights.items():
        walls[name], links[name] = sight["wall_ms"] / 1e3, over_link(sight)
    x = Axis([sight["bytes"] for sight in sights.values()], LEFT, WIDTH - RIGHT)
    y = Axis([*walls.values(), *links.values()], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Bytes against time of a sight, a point an engine">',
             f"<style>{STYLE}</style>"]
    for decade in x.decades():
        at = x.place(10**decade)
        parts.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text class="soft" x="{at:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{BYTES[decade]}</text>')
    for decade in y.decades():
        at = y.place(10**decade)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text class="soft" x="{LEFT - 10}" y="{at + 4:.1f}" text-anchor="end">{SECONDS[decade]}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 12}" text-anchor="middle">bytes of a sight, both ways</text>')
    parts.append(f'<text x="16" y="{(TOP + HEIGHT - BOTTOM) / 2:.0f}" text-anchor="middle" transform="rotate(-90 16 {(TOP + HEIGHT - BOTTOM) / 2:.0f})">time of a sight</text>')
    points = {name: (x.place(sight["bytes"]), y.place(walls[name])) for name, sight in sights.items()}
    # Labels stand right of the points, or left where another point is near, moved down where they would meet another label.
    order = sorted(sights, key=lambda name: y.place(walls[name]))
    taken = []
    for name in order:
        (across, here), there = points[name], y.place(links[name])
        parts.append(f'<line class="link" x1="{across:.1f}" x2="{across:.1f}" y1="{here:.1f}" y2="{there:.1f}"/>')
        parts.append(f'<line class="axis" x1="{across - 6:.1f}" x2="{across + 6:.1f}" y1="{there:.1f}" y2="{there:.1f}"/>')
        parts.append(f'<circle class="{proven[name]}" cx="{across:.1f}" cy="{here:.1f}" r="6"/>')
        is_crowded = any(0 < at - across < 70 and abs(height - here) < 16 for at, height in points.values())
        side, anchor = (across - 11, "end") if is_crowded else (across + 11, "start")
        label = here + 4
        while any(abs(label - other) < 15 and abs(side - at) < 110 for at, other, of in taken if of == anchor):
            label += 3
        taken.append((side, label, anchor))
        parts.append(f'<text x="{side:.1f}" y="{label:.1f}" text-anchor="{anchor}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def write(seconds, machine):
    """Measures and writes page and picture; `machine` is the sentence that says on what."""
    report = measured(seconds)
    engines = report["engines"]
    PICTURE.write_text(picture(engines))
    PAGE.write_text(
        "# The engines, measured\n\n`make compare` writes this page, and `make bench` with it; what they are stands in [Engines](engines.md).\n\n"
        f"{machine} {report['threads']} threads; every sight compared with the rules'.\n\n"
        "![Bytes against time of a sight: a point an engine, and above it the time over a link](engines.svg)\n\n"
        "Red is an engine that proves all that is said, blue one that proves a part of it, and a ring one that proves nothing. "
        f"A point is a sight with both players on one machine; the dash above it the same over a link that takes {DELAY_S * 1e3:.0f} ms one way and {BANDWIDTH * 8 // 10**6} Mbit "
        "a second, reckoned: wall time, a delay a message, and the bytes.\n\n"
        f"## Costs\n\nMeans of the sights of as many of 200 positions as begin within {seconds} s, and standard deviations where sights differ. `andos-chained` plays a game from its start instead. The sender is whose pieces are shown. CPU is of all threads of one side. Sight-lines proves "
        "its answers; its proof of a move, which the others lack, belongs to no sight: it is in [Measurements](performance-data.md).\n\n"
        f"{costs(engines)}\n\n{set_ups(engines)}\n\n"
        f"## Claims\n\nBy what each engine says of itself ([`Claims`](../../fog/src/engine/about.rs)); what shows it stands on its page.\n\n{claims(engines)}\n"
    )
    print(f"written: {PAGE.relative_to(ROOT)}, {PICTURE.relative_to(ROOT)}")
