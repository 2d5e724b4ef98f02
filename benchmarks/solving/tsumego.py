"""How many life-and-death problems Montego solves, by grade.

The file holds one problem a line: ``id`` (its folder is the grade), ``size``, ``to_play``,
``black``, ``white`` and ``correct`` in SGF coordinates, and ``duplicate_of``. Those are taken whose
stones lie in a 9x9 corner. A problem is laid into the corner of a 13x13 board and *framed*: two
empty lines around its stones, then nothing but stones of the attacker with two eyes. Komi is such
that the game is won by who wins the corner: the attacker needs it all but a few points.

    python benchmarks/solving/tsumego.py books.jsonl.gz --simulations 1000 10000 --problems 500
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import random
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from montego.arena.statistics import wilson_interval
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.game import Game
from montego.go.vocabulary.vertex import format_vertex

CORNER, SIZE = 9, 13
MARGIN = 2
GRADES = {"1a.": "elementary", "1b.": "intermediate", "1c.": "advanced"}

Point = tuple[int, int]


@dataclass(frozen=True)
class Problem:
    """A problem in the top left corner: points are row and column from there."""

    grade: str
    to_play: str
    black: frozenset[Point]
    white: frozenset[Point]
    correct: frozenset[Point]

    @property
    def attacker(self) -> str:
        """The color that surrounds: its stones are farther from the corner on the average."""

        def distance(stones: frozenset[Point]) -> float:
            return sum(max(stone) for stone in stones) / max(len(stones), 1)

        return "black" if distance(self.black) > distance(self.white) else "white"


def read_problems(path: Path) -> list[Problem]:
    """Return the problems that fit a corner, without duplicates."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    found = []
    for line in text.splitlines():
        fields = json.loads(line)
        grade = GRADES.get(fields["id"][:3])
        if grade is not None and fields["duplicate_of"] is None:
            problem = _in_corner(fields, grade)
            if problem is not None:
                found.append(problem)
    return found


def _in_corner(fields: dict[str, Any], grade: str) -> Problem | None:
    """Return the problem turned into the top left corner; None if it does not fit there."""
    size = int(fields["size"])

    def points(name: str) -> list[Point]:
        return [(ord(text[1]) - 97, ord(text[0]) - 97) for text in fields[name]]

    everything = points("black") + points("white") + points("correct")
    from_below = max(row for row, _ in everything) >= CORNER
    from_right = max(column for _, column in everything) >= CORNER

    def turned(name: str) -> frozenset[Point]:
        return frozenset(
            (size - 1 - row if from_below else row, size - 1 - column if from_right else column)
            for row, column in points(name)
        )

    black, white, correct = turned("black"), turned("white"), turned("correct")
    if any(max(point) >= CORNER for point in black | white | correct) or not (black and white):
        return None
    return Problem(grade, "black" if fields["to_play"] == "B" else "white", black, white, correct)


def framed(problem: Problem) -> Game:
    """Return a game in which the corner decides; the problem's player is to move."""
    stones = problem.black | problem.white
    height = max(row for row, _ in stones | problem.correct) + 1 + MARGIN
    width = max(column for _, column in stones | problem.correct) + 1 + MARGIN
    eyes = {(SIZE - 1, SIZE - 1), (SIZE - 1, SIZE - 3)}
    wall = {
        (row, column)
        for row in range(SIZE)
        for column in range(SIZE)
        if (row >= height or column >= width) and (row, column) not in eyes
    }
    sides = {"black": set(problem.black), "white": set(problem.white)}
    sides[problem.attacker] |= wall
    defender = "white" if problem.attacker == "black" else "black"
    # A defender who lives has at least about half of what is there now; a dead one, nothing.
    least = len(sides[defender]) // 2 + 2
    margin = SIZE * SIZE - 2 * least + 0.5  # of the attacker, if the defender has just that much
    game = Game(SIZE, rules="chinese", komi=margin if problem.attacker == "black" else -margin)
    game.setup(
        black=[_vertex(point) for point in sides["black"]],
        white=[_vertex(point) for point in sides["white"]],
        to_play=problem.to_play,
    )
    return game


def _vertex(point: Point) -> str:
    return format_vertex(point)


def solve(problem: Problem, simulations: int) -> bool:
    """Say whether the player's move is among the correct ones."""
    player = Player(Options(simulations=simulations, threads=1, seed=1, mode="strict", resign=None))
    try:
        player.load(framed(problem))
        decision = player.choose(problem.to_play)
    finally:
        player.close()
    return decision.vertex in {_vertex(point) for point in problem.correct}


def main() -> None:
    """Put the problems to Montego and print what it solved."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--simulations", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--problems", type=int, default=500, help="the same ones each time")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--show", type=int, metavar="N", help="only draw the first N, framed")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    found = read_problems(options.file)
    sample: list[Problem] = []
    grades = list(GRADES.values())
    for number, grade in enumerate(grades):
        there = [problem for problem in found if problem.grade == grade]
        share = options.problems // len(grades) + (number < options.problems % len(grades))
        sample += random.Random(1).sample(there, min(share, len(there)))
    if options.show is not None:
        for problem in sample[: options.show]:
            print(framed(problem), problem.attacker, [_vertex(p) for p in problem.correct])
        return
    document: dict[str, Any] = {"problems": len(sample), "solved": {}}
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for simulations in options.simulations:
            solved: list[bool] = []
            for right in pool.imap(partial(solve, simulations=simulations), sample, chunksize=2):
                solved.append(right)
                if sys.stderr.isatty():
                    print(f"\r{len(solved)} of {len(sample)}", end="", file=sys.stderr)
            table = {}
            for grade in [*grades, "all"]:
                marks = [
                    right
                    for problem, right in zip(sample, solved, strict=True)
                    if grade in (problem.grade, "all")
                ]
                low, high = wilson_interval(sum(marks), len(marks))
                table[grade] = {
                    "problems": len(marks),
                    "solved": sum(marks),
                    "low": low,
                    "high": high,
                }
                print(
                    f"{simulations:6} simulations, {grade:12} {sum(marks):3} of {len(marks):3} "
                    f"({sum(marks) / len(marks):.1%}, {low:.1%} to {high:.1%})",
                    flush=True,
                )
            document["solved"][str(simulations)] = table
    if options.output is not None:
        options.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
