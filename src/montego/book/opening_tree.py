"""What a book knows of a position and of those after it, as a tree that people can read.

The book keeps positions turned to one of eight sides; here they are turned back to the side of the
game at hand. Moves that symmetry makes the same are one branch, under the vertex nearest to the
upper right. The tree is read, never changed; :mod:`montego.book.tree_text`, ``tree_page`` and
``sgf_export`` write it down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from montego.book.position import (
    pose_of_game,
    real_moves,
    settings_of,
    vertex_of,
)
from montego.go.vocabulary.errors import GoError, IllegalMove
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from montego.book.experience import Experience, MoveExperience
    from montego.book.position import Pose
    from montego.book.store import Book
    from montego.go.game import Game

DEEPEST = 200


@dataclass(frozen=True)
class KnownMove:
    """A move that the book knows, and all that symmetry makes the same. Values are the mover's."""

    vertex: str
    equivalents: tuple[str, ...]
    """Every vertex that symmetry makes the same move, :attr:`vertex` first; most have one."""
    visits: float
    """Of all equivalents together."""
    value: float
    """Mean result for the player who makes the move; 0.5 if there were no visits."""
    amaf_visits: float
    amaf_value: float
    after: KnownPosition | None = None
    """The position after it, if the tree goes so far and the book knows it."""


@dataclass(frozen=True)
class KnownPosition:
    """A position and the moves that the book knows there, most visits first."""

    to_play: str
    """``"black"`` or ``"white"``."""
    rows: tuple[tuple[int, ...], ...]
    """The stones, the top row first."""
    last: str | None
    """The vertex of the move that led here, if one did."""
    visits: float
    moves: tuple[KnownMove, ...]
    left_out: int = 0
    """Moves with visits that were not wanted."""


@dataclass(frozen=True, kw_only=True)
class Extent:
    """How much of the book a tree shows."""

    depth: int = 3
    """Moves in a row."""
    width: int | None = None
    """Moves of one position; None for all."""
    least_visits: float = 1.0
    """A move with fewer is left out."""
    positions: int = 10_000
    """More are refused: a book has few positions, but many orders of moves that lead to them."""

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise GoError(
                f"cannot show {self.depth} moves in a row: say a number from 1 to {DEEPEST}"
            )
        if self.width is not None and self.width < 1:
            raise GoError(f"cannot show {self.width} moves of a position: say a number from 1")
        if not self.least_visits >= 0:
            raise GoError(f"no move has {self.least_visits} visits: say a number from 0")


def known_position(book: Book, game: Game) -> KnownPosition | None:
    """Return what the book knows of the position of *game*, all moves, and nothing below them.

    None if it knows nothing.
    """
    pose = pose_of_game(game)
    found = book.find(settings_of(game), pose.key)
    return None if found is None else _position(game, pose, found)


def opening_tree(book: Book, game: Game, extent: Extent) -> KnownPosition | None:
    """Return what the book knows from the position of *game* on; None if nothing.

    A move that the rules forbid in this game (superko) is not in it. A position that two orders of
    moves lead to is in it twice.

    Raises:
        GoError: If there are too many positions in it.
    """
    pose = pose_of_game(game)
    settings = settings_of(game)
    known: dict[int, Experience] = {}
    found = book.find(settings, pose.key)
    if found is None:
        return None
    known[pose.key] = found
    # One query a level: the keys after a move are kept with the move.
    level = [found]
    for _ in range(extent.depth):
        wanted = {
            move.after
            for experience in level
            for move in _chosen(experience, extent)
            if move.after is not None and move.after not in known
        }
        more = book.find_many(settings, sorted(wanted))
        known |= more
        level = list(more.values())
        if not level:
            break
    return _Growth(known, extent).grow(game, pose, extent.depth)


def known_moves(
    game: Game, experience: Experience, extent: Extent
) -> list[tuple[MoveExperience, str]]:
    """Return the moves of a position that are wanted, with vertices as the board of *game* lies."""
    pose = pose_of_game(game)
    return [(move, _move(game.size, pose, move).vertex) for move in _chosen(experience, extent)]


def _chosen(experience: Experience, extent: Extent) -> list[MoveExperience]:
    """Return the moves that are wanted, most visits first."""
    moves = [move for move in experience.moves if move.visits >= extent.least_visits]
    return moves[: extent.width]


class _Growth:
    """A tree that grows from what was read of the book."""

    def __init__(self, known: dict[int, Experience], extent: Extent) -> None:
        self._known = known
        self._extent = extent
        self._positions = 0

    def grow(self, game: Game, pose: Pose, depth: int) -> KnownPosition:
        """Return the position of *game* with what is wanted below it, *depth* moves deep."""
        self._positions += 1
        if self._positions > self._extent.positions:
            raise GoError(
                f"there are more than {self._extent.positions:,} positions in this tree: say "
                "fewer moves with --depth or --width"
            )
        experience = self._known[pose.key]
        moves = []
        for chosen in _chosen(experience, self._extent):
            move = _move(game.size, pose, chosen)
            after = game.copy()
            try:
                after.play(game.to_play, move.vertex)
            except IllegalMove:
                continue
            pose_after = pose_of_game(after)
            if depth > 1 and pose_after.key in self._known:
                move = replace(move, after=self.grow(after, pose_after, depth - 1))
            moves.append(move)
        visited = sum(move.visits > 0 for move in experience.moves)
        return replace(
            _position(game, pose, experience),
            moves=tuple(moves),
            left_out=max(visited - len(moves), 0),
        )


def _position(game: Game, pose: Pose, experience: Experience) -> KnownPosition:
    played = game.moves
    return KnownPosition(
        to_play=game.to_play,
        rows=tuple(tuple(row) for row in game.board.rows()),
        last=played[-1].vertex if played else None,
        visits=experience.visits,
        moves=tuple(_move(game.size, pose, move) for move in experience.moves),
    )


def _move(size: int, pose: Pose, move: MoveExperience) -> KnownMove:
    names = [vertex_of(number, size) for number in real_moves(pose, size, move.move)]
    names.sort(key=lambda name: _distance_from_upper_right(name, size))
    return KnownMove(
        vertex=names[0],
        equivalents=tuple(names),
        visits=move.visits,
        value=move.value,
        amaf_visits=move.amaf_visits,
        amaf_value=move.amaf_value,
    )


def _distance_from_upper_right(vertex: str, size: int) -> tuple[int, int]:
    """Order vertices as players of Go begin: in the upper right, on the right of its diagonal."""
    column, row = parse_vertex(vertex, size) or (size, size)
    return -(column + row), -column
