"""Positions whose value somebody has judged: what playouts are balanced by.

Kept as the moves that led to them, which is little, and played out again when they are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.kernels.layout import PASS, TO_PLAY, empty_state, state_length
from montego.go.kernels.position import LEGAL, move_fault, play
from montego.go.vocabulary.color import BLACK, WHITE
from montego.jit.index import Index
from montego.learn.errors import LearnError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from montego.jit.state import State

EVERY = 10
"""One position in so many is held back,"""
HELD_BACK = 200
"""up to this many."""

_NO_MOVE = -1


class JudgedPosition(NamedTuple):
    """A position, and what it is worth."""

    first: int
    """Who moved first; then they moved in turn."""
    moves: Sequence[int]
    """Points, or PASS, from the empty board on."""
    value: float
    """The chance that the player to move wins."""
    answer: int = int(PASS)
    """The move that was made there; PASS also if none is known."""


class JudgedPositions:
    """Many positions on boards of one size."""

    def __init__(self, size: int, judged: Sequence[JudgedPosition]) -> None:
        """Take positions.

        Raises:
            LearnError: If there is none, or a move in one cannot be made.
        """
        if not judged:
            raise LearnError("there is no position to learn from")
        self.size = size
        longest = max(len(position.moves) for position in judged)
        self._moves = np.full((len(judged), longest), _NO_MOVE, np.int16)
        for row, position in zip(self._moves, judged, strict=True):
            row[: len(position.moves)] = position.moves
        self._first = np.array([position.first for position in judged], np.int8)
        self.values = np.array([position.value for position in judged], np.float64)
        """The chance that the player to move wins, for each."""
        self.answers = np.array([position.answer for position in judged], np.int16)
        """The moves that were made there."""
        self.states: NDArray[np.int32] = np.empty((len(judged), state_length(size)), np.int32)
        """The positions, a row each."""
        for state, position in zip(self.states, judged, strict=True):
            state[:] = played(size, position.first, position.moves)
        numbers = np.arange(len(judged))
        held = numbers % EVERY == EVERY - 1
        held &= np.cumsum(held) <= HELD_BACK
        self.held_back: NDArray[np.int64] = numbers[held]
        """The numbers of those that are not learned from."""
        self.learned: NDArray[np.int64] = numbers[~held]
        """The numbers of the others."""

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.values)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of a file from which :meth:`from_arrays` makes them again."""
        return {
            "first": self._first,
            "moves": self._moves,
            "targets": self.values,
            "answers": self.answers,
        }

    @classmethod
    def from_arrays(cls, size: int, arrays: Mapping[str, NDArray[Any]]) -> JudgedPositions:
        """Return positions that a file keeps.

        Raises:
            KeyError: If there are none in it.
            ValueError: If they are none.
        """
        names = ("first", "moves", "targets", "answers")
        rows = zip(*(arrays[name] for name in names), strict=True)
        return cls(
            size,
            [
                JudgedPosition(int(first), row[row != _NO_MOVE].tolist(), float(value), int(answer))
                for first, row, value, answer in rows
            ],
        )


def played(size: int, first: int, moves: Sequence[int]) -> State:
    """Return the position after some moves.

    Raises:
        LearnError: If one of them cannot be made.
    """
    state = empty_state(size)
    state[TO_PLAY] = first
    for move in moves:
        color = int(state[TO_PLAY])
        if color not in (BLACK, WHITE) or not 0 <= move < len(state):
            raise LearnError("there is a move that is no point of the board")
        if move != PASS and move_fault(state, Index(move), color) != LEGAL:
            raise LearnError("there is a move that cannot be made")
        play(state, Index(move), color)
    return state
