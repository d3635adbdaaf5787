#!/usr/bin/env python3
"""Holds legal moves, SAN and PGN against Fairy-Stockfish's rules: all positions and games of test/data, and PGN that is read again.

Needs target/release/examples/notation and the Python library `pyffish`.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTATION = ROOT / "target/release/examples/notation"
RESULTS = {"1-0": "white", "0-1": "black"}


def compare(oracle, fen, legal):
    """The legal moves of a position and the SAN of each are the oracle's."""
    expected = {move: oracle.get_san(VARIANT, fen, move) for move in oracle.legal_moves(VARIANT, fen, [])}
    # Where a king can be taken nobody is in check, so no move gives it.
    expected = {move: san.rstrip("+#") for move, san in expected.items()}
    assert legal == expected, f"{fen}: only here {set(legal.items()) - set(expected.items())}, only there {set(expected.items()) - set(legal.items())}"


def read(text):
    """The tags of a PGN, its moves as SAN with the clock after each where one is told, and its result."""
    head, body = text.split("\n\n", 1)
    tags = dict(re.fullmatch(r'\[(\w+) "(.*)"\]', line).groups() for line in head.splitlines())
    assert all(len(line) <= 80 for line in body.splitlines()), "a line is too long"
    words = re.findall(r"\{\[%clk \d+:\d\d:\d\d\]\}|\d+\.(?:\.\.)?|\S+", " ".join(body.split()))
    moves, clocks = [], {}
    for word in words[:-1]:
        if word.startswith("{"):
            clocks[len(moves) - 1] = word
        elif not re.fullmatch(r"\d+\.(\.\.)?", word):
            moves.append(word)
    return tags, moves, clocks, words[-1]


def men(fen):
    """How many pieces of both colors stand on a board."""
    return sum(letter.isalpha() for letter in fen.split()[0].split("[")[0])


def replay(oracle, text, expected):
    """Plays a PGN by the oracle's rules alone."""
    tags, sans, clocks, result = read(text)
    assert tags["Result"] == result and tags["Variant"] == "Fog of War" and int(tags["PlyCount"]) == len(sans), tags
    fen, played, points = oracle.start_fen(VARIANT), [], [0, 0]
    for san in sans:
        named = [move for move in oracle.legal_moves(VARIANT, fen, []) if oracle.get_san(VARIANT, fen, move).rstrip("+#") == san]
        assert len(named) == 1, f"{san} names {named} in {fen}"
        played += named
        before, fen = fen, oracle.get_fen(VARIANT, fen, named)
        points[(len(played) - 1) % 2] += men(before) - men(fen)
    assert played == expected, f"{played} instead of {expected}"
    assert tags["Points"] == f"{points[0]}-{points[1]}", (tags, points)
    is_over, _ = oracle.is_immediate_game_end(VARIANT, fen, [])
    assert is_over == (result != "*"), f"{fen}: {result}"
    assert is_over is False or RESULTS[result] == ("white" if len(played) % 2 else "black")
    assert list(clocks) == list(range(4, len(sans))) and set(clocks.values()) <= {"{[%clk 1:23:45]}"}, clocks


def main():
    global VARIANT
    try:
        import pyffish as oracle

        sys.path.insert(0, str(ROOT / "test/oracle"))
        # Loads the variant: an unknown one ends the interpreter.
        from fog_oracle import V as VARIANT
    except ImportError:
        print("not run: the Python libraries `pyffish` and `chess` aren't installed")
        return 0
    told = subprocess.run([NOTATION], capture_output=True, text=True, check=True).stdout
    records = [json.loads(line) for line in told.splitlines()]
    positions = [record for record in records if "fen" in record]
    games = [record for record in records if "pgn" in record]
    for record in positions + [ply for game in games for ply in game["plies"]]:
        compare(oracle, record["fen"], record["legal"])
    for game in games:
        replay(oracle, game["pgn"], [ply["move"] for ply in game["plies"]])
    plies = sum(len(game["plies"]) for game in games)
    assert len(positions) == 600 and len(games) == 7, "positions or games are missing"
    print(f"{len(positions)} positions, {len(games)} games of {plies} plies: legal moves, SAN and PGN are Fairy-Stockfish's")
    return 0


if __name__ == "__main__":
    sys.exit(main())
