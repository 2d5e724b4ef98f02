"""A GTP engine that gives advice as GNU Go does, or fails at it on purpose.

It imports nothing of Montego. ``--values`` says what moves are worth, as ``C3=50,B2=20``; those
that are illegal are left out. ``--fault`` names a way to misbehave, ``--at`` after how many
questions. ``--heard`` is a file that every command is written to.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from tiny import LETTERS, Tiny, write

FAULTS = (
    "none", "silence", "stop", "exit", "babble", "nonsense", "odd-values", "occupied", "off-board",
    "slow", "refuse-size", "refuse-play", "refuse-undo", "no-advice", "no-values", "pass", "resign",
    "no-opinion", "blind",
)  # fmt: skip  # A list to read, not a column.


ADVICE = "\nreg_genmove\nall_move_values\ntop_moves"


class Adviser(Tiny):
    """Tiny's board with an opinion."""

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        self.color = "b"

    def values(self, *, blind: bool = False) -> dict[str, float]:
        """Return what is worth something for the player who was asked about last."""
        given = dict(word.split("=") for word in self.options.values.split(",") if word)
        if blind:
            return {vertex: float(value) for vertex, value in given.items()}
        found = {}
        for vertex, value in given.items():
            point = LETTERS.index(vertex[0]), int(vertex[1:]) - 1
            if max(point) < self.board.size and self.board.after(self.color, point):
                found[vertex] = float(value)
        return found

    def answer(self, words: list[str]) -> str:
        fault = self.options.fault
        if words[0] == "list_commands":
            advice = {"no-advice": "", "no-values": "\nreg_genmove"}
            return super().answer(words) + advice.get(fault, ADVICE)
        if words[0] == "boardsize" and fault == "refuse-size":
            raise ValueError("unacceptable size")
        if words[0] == "undo" and fault == "refuse-undo":
            raise ValueError("cannot undo")
        if words[0] == "reg_genmove":
            self.color = words[1][0].lower()
            return self.advise()
        if words[0] in ("all_move_values", "top_moves"):
            if fault == "nonsense" and self.calls > self.options.at:
                return "C3 fine\nB2 better"
            if fault == "odd-values" and self.calls > self.options.at:
                return "C3 1.0\nB2"
            values = {} if fault == "no-opinion" else self.values(blind=fault == "blind")
            return "\n".join(f"{vertex}  {value:.2f}" for vertex, value in values.items())
        return super().answer(words)

    def advise(self) -> str:
        """Return the move to play, or misbehave."""
        self.calls += 1
        fault = self.options.fault if self.calls > self.options.at else "none"
        if fault == "silence":
            time.sleep(1000)
        elif fault == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        elif fault == "exit":
            sys.stderr.write("out of ideas\n")
            sys.stderr.flush()
            os._exit(3)
        elif fault == "babble":
            while True:
                write("I think therefore I am\n")
                time.sleep(0.01)
        elif fault == "slow":
            time.sleep(self.options.delay)
        simple = {"off-board": "T19", "pass": "PASS", "resign": "resign", "no-opinion": "PASS"}
        if fault in simple:
            return simple[fault]
        if fault == "occupied":
            return self.occupied()
        values = self.values()
        return max(values, key=lambda vertex: values[vertex]) if values else "PASS"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS, default="none")
    parser.add_argument("--at", type=int, default=0)
    parser.add_argument("--values", default="C3=50,B2=20,D4=10")
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--heard")
    options = parser.parse_args()
    options.seed, options.skill = 1, 0.0
    adviser = Adviser(options)
    for line in sys.stdin:
        number, *words = line.split()
        if options.heard:
            with Path(options.heard).open("a", encoding="utf-8") as file:
                file.write(" ".join(words) + "\n")
        try:
            answer = adviser.answer(words)
            # GNU Go's own mistake: with no values to tell, the reply has no end.
            write(f"={number} {answer}\n" + "\n" * (words[0] != "all_move_values" or answer != ""))
        except (ValueError, IndexError) as error:
            write(f"?{number} {error}\n\n")
        if words[0] == "quit":
            return


if __name__ == "__main__":
    main()
