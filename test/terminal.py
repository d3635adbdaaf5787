#!/usr/bin/env python3
"""Plays against the bot on the full screen, in tmux: by keys and by written moves, through resizing, Ctrl-Z and signals; after each end the terminal is sane.

Needs tmux, target/release/fogmate and Anvil.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target/release/fogmate"
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

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)


def first_moves(tmux):
    """1. e4 by keys, 2. a knight's move as players write it."""
    tmux.type(f"clear; {PROGRAM} solo --no-prove --level easy --color white")
    tmux.wait(r"Your move\.", "a game begins")
    tmux.keys("Tab", "Up", "Space", "Up", "Up", "Space", "Tab")
    tmux.wait(r"1\. e4 +….*\n(?:.*\n)*.*Your move", "a move by keys")
    tmux.type("nf3")
    tmux.wait(r"2\. Nf3 +…", "a written move")


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
            tmux.resize(30, 10)
            tmux.wait("The board needs", "a terminal without room")
            tmux.resize(80, 24)
            tmux.keys("C-z")
            tmux.wait(r"Stopped", "the shell after Ctrl-Z")
            tmux.is_sane("after Ctrl-Z")
            tmux.type("fg")
            tmux.wait(r"Your move", "the game after fg")
            tmux.type("resign")
            tmux.wait(r"You have lost: resignation", "the end")
            tmux.keys("Left", "Left")
            tmux.wait(r"Your board (?:before|after) ply", "a step back")
            tmux.keys("C-c")
            tmux.wait(r"READY>", "the shell after the game")
            tmux.is_sane("after the game")
            for signal in ["TERM", "HUP"]:
                first_moves(tmux)
                subprocess.run(["pkill", f"-{signal}", "-f", f"^{PROGRAM} play"], check=True)
                tmux.wait(r"READY>", f"the shell after SIG{signal}")
                tmux.is_sane(f"after SIG{signal}")
        finally:
            tmux.close()
    print("a game by keys and by written moves, four sizes, Ctrl-Z, a step back, SIGTERM and SIGHUP: the terminal is sane after each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
