"""Records a game on the full screen: drives `fogmate solo` in tmux by keys, and writes what it shows as an animated SVG
(docs/src/game.svg) and, at its most telling moment, as a still one (docs/src/board.svg). `make picture` runs it.

Nothing is drawn here but cells of a terminal: what stands in the pictures is what the program has shown.
"""
import html
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/src"
COLUMNS, ROWS = 100, 30
CELL = (8.4, 17)
FONT = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
GROUND, INK = "#16181d", "#d8dce4"
# Seconds that a frame is shown: what was typed, what came of it, and the last one.
TYPED_S, SHOWN_S, LAST_S = 0.8, 1.7, 4
# The longest that the program may take for anything, in seconds.
PATIENCE = 60
READY = "Your move"
OVER = re.compile(r"You have (won|lost)|[Dd]rawn")
# How long a move that may be played takes at most to be listed, in seconds.
REFUSED_S = 1.5
# How White develops.
PLAN = ["e4", "Nf3", "Bc4", "O-O", "d3", "c3", "Re1", "h3", "Nbd2", "d4", "a3", "Be3"]
MOVES = 12
# Of the bot, so that the next recording shows the same game.
SEED = 7
COLORS = ["#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
          "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"]


class Terminal:
    """The program in a terminal of its own."""

    def __init__(self, command):
        self.server = f"fogmate-picture-{os.getpid()}"
        environment = "env -u NO_COLOR TERM=tmux-256color COLORTERM=truecolor"
        self.tmux("-f", os.devnull, "new-session", "-d", "-s", "game", "-x", str(COLUMNS), "-y", str(ROWS),
                  f"cd '{ROOT}' && {environment} {command}")

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-L", self.server, *arguments], check=True, capture_output=True, text=True).stdout

    def lines(self):
        """What it shows, with its colors."""
        return self.tmux("capture-pane", "-e", "-N", "-p", "-t", "game").split("\n")[:ROWS]

    def text(self):
        return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(self.lines()))

    def keys(self, *keys):
        self.tmux("send-keys", "-t", "game", *keys)

    def until(self, what, wanted):
        end = time.monotonic() + PATIENCE
        while not wanted(self.text()):
            if time.monotonic() > end:
                sys.exit(f"the game shows no {what}:\n{self.text()}")
            time.sleep(0.1)

    def end(self):
        subprocess.run(["tmux", "-L", self.server, "kill-server"], check=False, capture_output=True)


def colour(codes):
    """The color of `5;N` or `2;R;G;B`, and how many codes it takes."""
    if codes[0] == 2:
        return "#%02x%02x%02x" % tuple(codes[1:4]), 4
    number = codes[1]
    if number < 16:
        return COLORS[number], 2
    if number < 232:
        level = [0, 95, 135, 175, 215, 255]
        number -= 16
        return "#%02x%02x%02x" % (level[number // 36], level[number // 6 % 6], level[number % 6]), 2
    grey = 8 + 10 * (number - 232)
    return "#%02x%02x%02x" % (grey, grey, grey), 2


def runs(line):
    """A line as pieces of one look: (column, text, ink, ground, bold)."""
    look = {"ink": None, "ground": None, "bold": False, "dim": False, "reverse": False}
    column = 0
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not piece.startswith("\x1b"):
            if piece:
                ink, ground = look["ink"] or INK, look["ground"]
                if look["reverse"]:
                    ink, ground = ground or GROUND, ink
                yield column, piece, ink, ground, look["bold"], look["dim"]
                column += len(piece)
            continue
        codes = [int(code or 0) for code in piece[2:-1].split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                look = {"ink": None, "ground": None, "bold": False, "dim": False, "reverse": False}
            elif code in (38, 48):
                found, taken = colour(codes)
                look["ink" if code == 38 else "ground"] = found
                del codes[:taken]
            elif code in (39, 49):
                look["ink" if code == 39 else "ground"] = None
            elif 30 <= code <= 37 or 90 <= code <= 97:
                look["ink"] = COLORS[code - 30 if code < 90 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                look["ground"] = COLORS[code - 40 if code < 100 else code - 92]
            elif code in (1, 2, 7):
                look[{1: "bold", 2: "dim", 7: "reverse"}[code]] = True
            elif code in (22, 27):
                look.update({"bold": False, "dim": False} if code == 22 else {"reverse": False})


def drawn(line):
    """A line as SVG, at the top left corner."""
    width, height = CELL
    parts = []
    for column, text, ink, ground, bold, dim in runs(line):
        x, wide = round(column * width, 1), round(len(text) * width, 1)
        if ground:
            parts.append(f'<path fill="{ground}" d="M{x} 0h{wide}v{height}h-{wide}z"/>')
        for found in re.finditer(r"\S(?:.*\S)?", text):
            start, word = round((column + found.start()) * width, 1), found.group()
            shades = {"░": 0.25, "▒": 0.5, "▓": 0.75, "█": 1}
            if set(word) <= set(shades):
                # Half-tones are told by their fill, because fonts leave gaps between them.
                parts.append(f'<path fill="{ink}" fill-opacity="{shades[word[0]]}" '
                             f'd="M{start} 0h{round(len(word) * width, 1)}v{height}h-{round(len(word) * width, 1)}z"/>')
                continue
            looks = (' font-weight="bold"' if bold else "") + (' opacity=".6"' if dim else "")
            parts.append(f'<text x="{start}" y="13" fill="{ink}" textLength="{round(len(word) * width, 1)}"{looks}>'
                         f"{html.escape(word, quote=False)}</text>")
    return "".join(parts)


def picture(frames, label):
    """Frames, each with its seconds, as one SVG. Lines that come again are written once."""
    width, height = COLUMNS * CELL[0], ROWS * CELL[1]
    names, total = {}, sum(seconds for _, seconds in frames)
    groups, rules, start = [], [], 0
    for number, (lines, seconds) in enumerate(frames):
        uses = []
        for row, line in enumerate(lines):
            shown = drawn(line)
            if shown:
                name = names.setdefault(shown, f"l{len(names)}")
                uses.append(f'<use href="#{name}" y="{row * CELL[1]}"/>')
        groups.append(f'<g id="f{number}">{"".join(uses)}</g>')
        if len(frames) > 1:
            begin, end = (round(100 * at / total, 3) for at in (start, start + seconds))
            before = "" if number == 0 else f"0%{{opacity:0}}{begin}%{{opacity:1}}"
            after = "" if end >= 100 else f"{end}%{{opacity:0}}"
            rules.append(f"@keyframes k{number}{{{before or '0%{opacity:1}'}{after}{'100%{opacity:0}' if after else '100%{opacity:1}'}}}"
                         f"#f{number}{{animation:k{number} {round(total, 2)}s step-end infinite}}")
        start += seconds
    style = f"path{{shape-rendering:crispEdges}}text{{font:14px {FONT};white-space:pre}}" + "".join(rules)
    lines = "".join(f'<g id="{name}">{shown}</g>' for shown, name in names.items())
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{label}">\n'
            f"<style>{style}</style>\n<defs>{lines}</defs>\n"
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{GROUND}"/>\n' + "\n".join(groups) + "\n</svg>\n")


def wishes(text):
    """What White wants to play, the dearest wish first: to take back where it has just lost something, then to develop."""
    lost = re.findall(r"captured your \w+ on +([a-h][1-8])", re.sub(r"\s*\n[^\n]{52}", " ", text))
    takers = [*(f"{file}x" for file in "abcdefgh"), "Nx", "Bx", "Rx", "Qx", "Kx"]
    return [taker + lost[-1] for taker in takers if lost] + PLAN


def play(terminal, number):
    """Types what White may play of what it wants. Gives the screen with it typed; none if it may play nothing of it."""
    is_played = lambda text: re.search(rf" {number}\. [A-Za-h]", text) or OVER.search(text)
    for wish in wishes(terminal.text()):
        terminal.keys("-l", wish)
        terminal.until("input", lambda text: f"> {wish}" in text)
        typed = terminal.lines()
        terminal.keys("Enter")
        end = time.monotonic() + REFUSED_S
        while time.monotonic() < end:
            if is_played(terminal.text()):
                return typed
            time.sleep(0.05)
        terminal.keys(*["BSpace"] * len(wish))
        terminal.until("empty line", lambda text: f"> {wish[:2]}" not in text)
    return None


def record(terminal):
    """Plays, and gives the frames with their seconds."""
    terminal.until("board", lambda text: READY in text)
    frames = [(terminal.lines(), SHOWN_S)]
    for number in range(1, MOVES + 1):
        typed = play(terminal, number)
        if typed is None:
            break
        frames.append((typed, TYPED_S))
        time.sleep(REFUSED_S)
        terminal.until("reply", lambda text: READY in text or OVER.search(text))
        frames.append((terminal.lines(), SHOWN_S))
        if OVER.search(terminal.text()):
            break
    lines, _ = frames.pop()
    return frames + [(lines, LAST_S)]


def main():
    command = f"{ROOT}/target/release/fogmate solo --no-prove --level easy --color white --seed {SEED}"
    terminal = Terminal(command)
    try:
        frames = record(terminal)
    finally:
        terminal.end()
    animated = picture(frames, "A game of dark chess against the bot, in a terminal")
    still = picture(frames[-1:], "The board in a terminal: fog, own men, and what they see")
    for name, text in (("game.svg", animated), ("board.svg", still)):
        (PICTURES / name).write_text(text)
        print(f"{PICTURES.relative_to(ROOT) / name}: {len(frames) if name == 'game.svg' else 1} frames, {len(text):,} bytes")


if __name__ == "__main__":
    main()
