"""The steps of a game: moves and stones set up, and the position after each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from montego.go.board import Board


class Move(NamedTuple):
    """A move as it was played."""

    color: str
    vertex: str


class Captures(NamedTuple):
    """Prisoners taken by each player."""

    black: int
    white: int


class Setup(NamedTuple):
    """Stones put on the board, or taken off, outside of play."""

    black: frozenset[str]
    white: frozenset[str]
    empty: frozenset[str]
    to_play: str


class Step(NamedTuple):
    """What was done, and what came of it."""

    done: Move | Setup | None  # None for the beginning
    board: Board
    key: tuple[int, int]  # what superko compares: the hash and, for situational, the player
    handicap: int  # handicap stones given so far, not those played as moves
