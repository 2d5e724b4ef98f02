"""The problems of life and death that come along: drawn, proven and graded by the solver itself.

``benchmarks/making/make_problems.py`` made them. In each the side to move reaches what it would not
reach by waiting, and exactly one first move does so. The grade, from 1 to 5, goes by the nodes that
the proof took, not by what people find hard.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from montego.go.board import Board
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.go.vocabulary.color import Color
    from montego.solve.answer import Value

GRADES = range(1, 6)
GRADE_NODES = (30, 200, 700, 2_500)
"""Nodes from which on a problem is of the next grade."""


@dataclass(frozen=True)
class Problem:
    """A position with one right move."""

    name: str
    size: int
    black: tuple[str, ...]
    white: tuple[str, ...]
    to_move: Color
    target: str
    """A stone of those to be captured."""
    value: Value
    """What the right move leads to."""
    correct: str
    nodes: int
    """What it took to prove."""
    grade: int

    def board(self) -> Board:
        """Return a new board with the stones."""
        rows = [[0] * self.size for _ in range(self.size)]
        for color, stones in ((BLACK, self.black), (WHITE, self.white)):
            for vertex in stones:
                column, row = parse_vertex(vertex, self.size) or (0, 0)
                rows[self.size - 1 - row][column] = color
        return Board.from_rows(rows)

    @property
    def task(self) -> str:
        """What is to be done, in words."""
        color = self.board().color_at(self.target)
        aim = {"lives": "live", "seki": "live in seki", "dies": "kill", "ko": "make ko"}
        verb = aim.get(self.value, "move")
        return f"{self.to_move.capitalize()} to {verb}" + (
            "" if color == self.to_move or self.value != "dies" else f" {color}"
        )

    def to_line(self) -> str:
        """Return it as a line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))


def grade_of(nodes: int) -> int:
    """Return the grade of a problem that took so many nodes."""
    return 1 + sum(nodes >= least for least in GRADE_NODES)


def read_problems(lines: Iterable[str]) -> list[Problem]:
    """Return the problems of a text with one a line, as :meth:`Problem.to_line` writes them.

    Raises:
        GoError: If a line is no problem; the message has its number.
    """
    found = []
    for number, line in enumerate(lines, 1):
        try:
            fields: dict[str, Any] = json.loads(line)
            fields["black"], fields["white"] = tuple(fields["black"]), tuple(fields["white"])
            found.append(Problem(**fields))
        except (ValueError, TypeError, KeyError):
            raise GoError(f"line {number} is no problem") from None
    return found


@cache
def shipped_problems() -> tuple[Problem, ...]:
    """Return the problems that come along, the easiest first."""
    text = (files("montego.solve") / "data" / "problems.jsonl").read_text(encoding="utf-8")
    return tuple(read_problems(text.splitlines()))
