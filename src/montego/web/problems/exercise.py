"""A problem as a person practises it, and where problems come from: records and games."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from montego.go.board import Board
from montego.go.game import Game
from montego.go.sgf.record import parse_sgf_collection
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.solve.fight import find_target
from montego.solve.problems import shipped_problems
from montego.solve.solver import solve

# The classes of fields are needed at run time.
from montego.web.messages.requests import Color  # noqa: TC001

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.go.sgf.node import Node
    from montego.solve.problems import Problem

MONTEGO, GAMES = "montego", "games"
"""The sets that are always there: what comes along, and what the person's own games gave."""

GRADE_RATINGS = (900.0, 1150.0, 1400.0, 1650.0, 1900.0)
"""What a problem of a grade counts for until people have tried it."""

OWN_GRADE = 3
"""Of problems whose effort nobody has measured."""

MISTAKE_NODES = 40_000
"""For looking whether a mistake of a game is one of life and death."""

MOST_TARGETS = 4
REACH = 2  # Lines between a move and the stones that it may be about.

_RIGHT = re.compile(r"\b(right|correct|solution)\b|正解|정해", re.IGNORECASE)
_WRONG = re.compile(r"\b(wrong|incorrect|failure)\b|失敗|不正解|실패", re.IGNORECASE)


class Exercise(Struct, frozen=True, omit_defaults=True):
    """A problem with what is known of its answer."""

    id: str
    """``"montego/3-17"``: the set, and a name in it."""
    name: str
    rows: tuple[str, ...]
    """The board from the top, ``.``, ``X`` and ``O``."""
    to_move: Color
    target: tuple[str, ...] = ()
    """Stones to be captured; none if that is to be guessed."""
    correct: tuple[str, ...] = ()
    """First moves that are right; none if the solver is to find them."""
    is_complete: bool = False
    """Whether it is proven that no other move is right."""
    value: str = ""
    """What a right move leads to, as :class:`~montego.solve.answer.Verdict` has it; or not said."""
    grade: int = OWN_GRADE

    @property
    def set(self) -> str:
        """The name of its set."""
        return self.id.partition("/")[0]

    @property
    def board(self) -> Board:
        """A new board with its stones."""
        return Board.from_rows([[".XO".index(cell) for cell in row] for row in self.rows])


def cells_of(board: Board) -> tuple[str, ...]:
    """Return a board as an exercise has it."""
    return tuple("".join(".XO"[cell] for cell in row) for row in board.rows())


def exercise_of(problem: Problem) -> Exercise:
    """Return a problem that comes along."""
    return Exercise(
        id=f"{MONTEGO}/{problem.name}",
        name=problem.name,
        rows=cells_of(problem.board()),
        to_move=problem.to_move,
        target=(problem.target,),
        correct=(problem.correct,),
        is_complete=True,
        value=problem.value,
        grade=problem.grade,
    )


def shipped_exercises() -> list[Exercise]:
    """Return what comes along, the easiest first."""
    return [exercise_of(problem) for problem in shipped_problems()]


def read_exercises(data: bytes, collection: str, file: str) -> list[Exercise]:
    """Return the problems in a record, which may hold several; other games are passed over.

    Right are the first moves of variations that say so in a comment, or mark their move as good;
    where nothing says so, the first move of the main line.

    Raises:
        GoError: If the record cannot be read.
    """
    found = []
    for number, record in enumerate(parse_sgf_collection(data), 1):
        root = record.root
        if not any(root.setup):
            continue
        game = Game.from_record(record, moves=0)
        first = next((child.move[0] for child in root.children if child.move is not None), None)
        try:
            find_target(game.board.rows())
        except GoError:
            continue
        name = file if number == 1 else f"{file} {number}"
        found.append(
            Exercise(
                id=f"{collection}/{name}",
                name=name,
                rows=cells_of(game.board),
                to_move="black" if (root.to_play or first or game.to_play) == "black" else "white",
                correct=_right_moves(root),
            )
        )
    return found


def _right_moves(root: Node) -> tuple[str, ...]:
    moves = [child for child in root.children if child.move is not None]
    marked = [child for child in moves if any(map(_is_right, _below(child)))]
    if not marked:
        marked = [child for child in moves[:1] if not any(map(_is_wrong, _below(child)))]
    vertices = [child.move[1] for child in marked if child.move is not None]
    return tuple(format_vertex(point) for point in vertices if point is not None)


def _below(node: Node) -> Iterator[Node]:
    """Yield a node and all that follow."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(here.children)


def _is_right(node: Node) -> bool:
    says_so = _RIGHT.search(node.comment) and not _WRONG.search(node.comment)
    return bool(says_so) or "TE" in node.properties


def _is_wrong(node: Node) -> bool:
    return bool(_WRONG.search(node.comment)) or "BM" in node.properties


def exercise_of_mistake(
    game: Game, played: str, better: str | None, name: str, key: str
) -> Exercise | None:
    """Return what a mistake in a game teaches of life and death; None if it was none of that.

    *game* is as it stood before the mistake. There is something to learn if stones near the move,
    or near the better one, live or die by the next move, proven, and the move that was played does
    not see to it.
    """
    board = game.board
    seen: set[str] = set()
    asked = 0
    for vertex in _stones_near(board, [played, *([better] if better else [])]):
        if vertex in seen or asked == MOST_TARGETS:
            continue
        seen.update(board.chain(vertex))
        asked += 1
        try:
            answer = solve(board, game.to_play, target=vertex, nodes=MISTAKE_NODES, seconds=5.0)
        except GoError:
            continue
        if not (answer.verdict.proven and answer.is_success and answer.correct):
            continue
        if played not in answer.correct:
            return Exercise(
                id=f"{GAMES}/{key}",
                name=name,
                rows=cells_of(board),
                to_move="black" if game.to_play == "black" else "white",
                target=(vertex,),
                correct=answer.correct,
                is_complete=True,
                value=answer.verdict.value,
            )
    return None


def _stones_near(board: Board, vertices: list[str]) -> list[str]:
    """Return the stones within a few lines of moves, the nearest first."""
    points = [parse_vertex(vertex, board.size) for vertex in vertices]
    places = [point for point in points if point is not None]
    found = []
    for column in range(board.size):
        for row in range(board.size):
            vertex = format_vertex((column, row))
            far = min((max(abs(column - x), abs(row - y)) for x, y in places), default=board.size)
            if far <= REACH and board.color_at(vertex) is not None:
                found.append((far, column, row, vertex))
    return [vertex for *_, vertex in sorted(found)]
