#!/usr/bin/env python3
"""Plays against the bot in tmux, on the full screen and line by line: by keys and by written moves, through resizing, Ctrl-Z and signals, until the fog
lifts; after each end, a panic's too, the terminal is sane.

Needs tmux, target/release/fogmate with its example `panic`, and Anvil.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target/release/fogmate"
PANIC = ROOT / "target/release/examples/panic"
# A game without proofs begins within two seconds; this is for a busy machine.
PATIENCE = 90


class Tmux:
    """A terminal with a shell in it."""

    def __init__(self, folder):
        self.socket = str(Path(folder) / "tmux")
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        environment["FOGMATE_ANVIL"] = str(ROOT / "node_modules/.bin/anvil")
        subprocess.run(
            ["tmux", "-f", "/dev/null", "-S", self.socket, "-u", "new-session", "-d", "-x", "80", "-y", "24", "bash --norc --noprofile -i"],
            env=environment, cwd=folder, check=True,
        )

    def run(self, *command):
        return subprocess.run(["tmux", "-S", self.socket, *command], check=True, capture_output=True, text=True).stdout

    def keys(self, *keys):
        for key in keys:
            self.run("send-keys", key)
            time.sleep(0.05)

    def type(self, text):
        self.run("send-keys", "-l", text)
        self.run("send-keys", "Enter")

    def begin(self, command):
        """Types a command on a screen that shows nothing of what was before."""
        self.type("clear")
        self.wait(r"\AREADY>\s*\Z", "an empty screen")
        self.type(command)

    def screen(self):
        return self.run("capture-pane", "-p")

    def resize(self, width, height):
        self.run("resize-window", "-x", str(width), "-y", str(height))

    def wait(self, pattern, what):
        """Waits until the screen shows something; its groups."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            shown = self.screen()
            if found := re.search(pattern, shown):
                return found.groups()
            time.sleep(0.1)
        raise AssertionError(f"{what}: no {pattern!r} in\n{shown}")

    def is_sane(self, what):
        """The shell has the terminal, and what is typed is shown."""
        self.type("clear; stty -a | grep -q ' icanon .* echo ' && echo sane $((6*7))")
        self.wait("sane 42", f"{what}: the terminal")
        assert self.is_taken() == "00", f"{what}: the whole screen or the mouse is still taken"

    def is_taken(self):
        """Whether a program has the whole screen, and whether it has the mouse."""
        return self.run("display-message", "-p", "#{alternate_on}#{mouse_any_flag}").strip()

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)


SOLO = f"{PROGRAM} solo --no-prove --level easy --color white"


def first_moves(tmux):
    """1. e4 by keys, 2. a knight's move as players write it."""
    tmux.begin(SOLO)
    tmux.wait(r"Your move\.", "a game begins")
    tmux.keys("Tab", "Up", "Space", "Up", "Up", "Space", "Tab")
    tmux.wait(r"1\. e4 +….*\n(?:.*\n)*.*Your move", "a move by keys")
    tmux.type("nf3")
    tmux.wait(r"2\. Nf3 +…", "a written move")


def process_of(command, folder):
    """The process in this folder that runs a command: `play` has the terminal, `solo` has started it."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            if words[:2] == [str(PROGRAM).encode(), command.encode()] and os.readlink(process / "cwd") == os.path.realpath(folder):
                return int(process.name)
        except OSError:
            continue
    raise AssertionError(f"nobody runs {command}")


def panic(tmux):
    """A program that has taken the terminal as a game does, and fails."""
    tmux.begin(PANIC)
    end = time.monotonic() + PATIENCE
    while tmux.is_taken() != "11":
        assert time.monotonic() < end, "the example doesn't take the terminal"
        time.sleep(0.1)
    tmux.keys("x")
    tmux.wait(r"(?s)panicked at.*a defect of an example.*READY>", "a panic, told on the shell's screen")
    tmux.is_sane("after a panic")


def line_by_line(tmux):
    """Keys edit the line that is typed, and nothing that arrives glues to it."""
    tmux.begin(f"{SOLO} --plain")
    tmux.type("e4")
    # A busy machine may read it when the game has begun already, and plays it.
    early, _ = tmux.wait(r"\n> e4\n(?:(e4 can't be played yet)|(1\. You played e4\.))", "a line that was typed before it could be read")
    if early:
        tmux.wait(r"Your move\.", "a game line by line")
        tmux.type("e4")
    tmux.run("send-keys", "-l", "look e")
    tmux.wait(r"(?s)1\. You played e4\..*1… The opponent moved.*Your move.*\n> look e\n*$", "a line that is half typed")
    tmux.type("4")
    tmux.wait(r"\ne4 your pawn", "a square in words")
    tmux.keys("Up", "Home", "x", "BSpace", "End", "BSpace")
    tmux.type("2")
    tmux.wait(r"\n> look e2\ne2 empty", "an earlier line, edited")
    tmux.type("read")
    tmux.wait(r"You, white: king e1, queen d1", "the board in words")
    shown = tmux.screen()
    assert "[A" not in shown and "\\u" not in shown, shown
    tmux.type("resign")
    tmux.wait("The fog has lifted", "the moves at the end")
    tmux.wait(r"\n`quit` ends; `fogmate solo` plays another game\.", "what comes after a game against the bot")
    tmux.type("rematch")
    tmux.wait(r"This opponent ends with the game: `fogmate solo` plays another\.", "no rematch against the bot")
    tmux.type("quit")
    tmux.wait(r"READY>", "the shell after a game line by line")
    tmux.is_sane("after a game line by line")


def early_line_by_line(tmux, folder):
    """A move that is typed while the opponent thinks is played on its turn, or taken back."""
    tmux.begin(f"{SOLO} --plain")
    tmux.wait(r"Your move\.", "a game line by line")
    bot = process_of("bot", folder)
    os.kill(bot, signal.SIGSTOP)
    tmux.type("e4")
    tmux.wait(r"1\. You played e4\.", "a move")
    tmux.type("d4")
    tmux.wait(r"d4 is played on your turn, if it can be then\.", "a move before its turn")
    tmux.type("")
    tmux.wait(r"d4 isn't played\.", "a move that is taken back")
    tmux.type("c3")
    tmux.wait(r"c3 is played on your turn, if", "another move before its turn")
    tmux.type("nf3")
    tmux.wait(r"nf3 is played on your turn in place of c3, if", "a move in the place of another")
    os.kill(bot, signal.SIGCONT)
    tmux.wait(r"2\. You played Nf3\.", "the move on its turn")
    tmux.type("quit")
    tmux.wait(r"Leaving ends this game", "what leaving means")
    tmux.type("quit")
    tmux.wait(r"READY>", "the shell")


def by_typewriter(tmux, folder):
    """Where Ctrl-C is a signal a game is left by the second one; and it ends with its chain."""
    for is_left in [True, False]:
        tmux.begin(f"TERM=dumb {SOLO}")
        tmux.wait(r"Your move\.", "a game on a typewriter")
        tmux.type("e4")
        tmux.wait(r"(?s)You played e4\..*Your move\.", "the next move")
        if is_left:
            tmux.keys("C-c")
            tmux.wait(r"Leaving ends this game", "what leaving means")
            tmux.keys("C-c")
        else:
            chain = next(name for name in Path("/proc").glob("[0-9]*") if is_chain(name, folder))
            os.kill(int(chain.name), signal.SIGKILL)
            tmux.wait(r"error: the local chain has ended, and the game with it", "the end of the chain")
        tmux.wait(r"READY>", "the shell")
        tmux.is_sane("after a typewriter")


def kept_as_pgn(tmux, folder):
    """The game is in the file however its end is left; a terminal whose game was killed is the shell's again."""
    tmux.begin(f"{SOLO} --pgn kept.pgn")
    tmux.wait(r"Your move", "a game to keep")
    tmux.type("e4")
    tmux.wait(r"1\. e4 +….*\n(?:.*\n)*.*Your move", "the next move")
    tmux.type("resign")
    tmux.type("resign")
    tmux.wait(r"The fog has lifted", "both view keys")
    tmux.keys("C-c")
    tmux.wait(r"kept\.pgn has the game\.", "the file")
    tmux.wait(r"READY>", "the shell")
    assert "0-1" in (Path(folder) / "kept.pgn").read_text()
    for more in ["", " --plain"]:
        tmux.begin(f"{SOLO}{more}")
        tmux.wait(r"Your move", "a game")
        os.kill(process_of("play", folder), signal.SIGKILL)
        tmux.wait(r"\nerror: your side of the game was killed\nREADY>", "the end of a game that was killed")
        assert tmux.screen().rstrip().endswith("READY>"), f"something stands below the shell's line:\n{tmux.screen()}"
        tmux.is_sane("after a game that was killed")


def is_chain(process, folder):
    """Whether it is Anvil itself, which was started in this folder."""
    try:
        return os.path.basename(os.readlink(process / "exe")) == "anvil" and os.readlink(process / "cwd") == os.path.realpath(folder)
    except OSError:
        return False


def through_a_pipe(tmux, folder):
    """Where the output is no terminal there is nothing that only a terminal understands."""
    tmux.begin(f"NO_COLOR=1 TERM=xterm {SOLO} | tee told; clear")
    told = Path(folder) / "told"
    end = time.monotonic() + PATIENCE
    while "Your move." not in (told.read_text() if told.exists() else ""):
        assert time.monotonic() < end, "a game through a pipe doesn't begin"
        time.sleep(0.1)
    tmux.type("quit")
    tmux.wait(r"^READY>", "the shell after a pipe")
    assert "\x1b" not in told.read_text(), told.read_text()


def main():
    if shutil.which("tmux") is None:
        print("not run: tmux isn't installed")
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tmux = Tmux(folder)
        try:
            tmux.type("PS1='READY> '; clear")
            tmux.wait(r"^READY>", "a shell")
            first_moves(tmux)
            tmux.wait(r"Your move", "the third move")
            tmux.type("Zz9")
            tmux.wait(r"is no move", "a word that is no move")
            for width, height in [(120, 32), (48, 26)]:
                tmux.resize(width, height)
                tmux.wait(r"(?s)♟.*♜.*a +b +c +d +e +f +g +h", f"a board of {width} x {height}")
            tmux.resize(45, 16)
            tmux.type("Yy9")
            tmux.wait(r"Yy9.* is no move", "a refusal in a small terminal")
            tmux.resize(30, 10)
            tmux.wait("The board needs", "a terminal without room")
            tmux.resize(80, 24)
            tmux.type("help")
            tmux.wait(r"look e4 +what is on a square", "the commands")
            tmux.keys("Space")
            tmux.wait(r"may begin with `:`", "the commands' last page")
            tmux.keys("Escape")
            stop = lambda command: lambda: os.kill(process_of(command, folder), signal.SIGTSTP)
            stops = {"Ctrl-Z": lambda: tmux.keys("C-z"), "SIGTSTP of play": stop("play"), "SIGTSTP of solo": stop("solo")}
            for name, stop in stops.items():
                stop()
                tmux.wait(r"Stopped", f"the shell after {name}")
                tmux.is_sane(f"after {name}")
                tmux.type("fg")
                tmux.wait(r"Your move", f"the game after {name} and fg")
                assert tmux.is_taken() == "11", f"{name}: the game hasn't its screen and mouse again"
            tmux.keys("C-c")
            tmux.wait(r"Leaving ends this game", "what leaving means")
            tmux.type("resign")
            tmux.wait(r"Give up\?", "a question")
            tmux.type("resign")
            tmux.wait(r"You have lost: resignation", "the end")
            tmux.wait(r"The fog has lifted", "both view keys")
            tmux.keys("Home")
            tmux.wait(r"(?s)♜   ♞   ♝   ♛   ♚   ♝   ♞   ♜.*After the start", "the truth at the start")
            tmux.keys("Right")
            tmux.wait(r"After 1\. e4", "a step")
            tmux.keys("C-c")
            tmux.wait(r"You have lost: resignation, after \d+ moves?\.\n`fogmate solo` plays another game\.\nREADY>", "the result in the shell")
            tmux.is_sane("after the game")
            for command, end in [("play", signal.SIGTERM), ("play", signal.SIGHUP), ("solo", signal.SIGTERM), ("solo", signal.SIGINT)]:
                first_moves(tmux)
                os.kill(process_of(command, folder), end)
                tmux.wait(r"READY>", f"the shell after {end.name} of {command}")
                tmux.is_sane(f"after {end.name} of {command}")
            first_moves(tmux)
            tmux.keys("C-c")
            tmux.wait(r"Leaving ends this game", "what leaving means")
            tmux.keys("C-c")
            tmux.wait(r"READY>", "the shell after Ctrl-C, given twice")
            tmux.is_sane("after Ctrl-C, given twice")
            panic(tmux)
            line_by_line(tmux)
            early_line_by_line(tmux, folder)
            by_typewriter(tmux, folder)
            kept_as_pgn(tmux, folder)
            through_a_pipe(tmux, folder)
        finally:
            tmux.close()
    print("a game by keys and by written moves, four sizes, Ctrl-Z, SIGTSTP, the truth at the end, SIGTERM, SIGHUP and a panic, line by line: the terminal is sane after each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
