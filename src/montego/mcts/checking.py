"""What a search is given by its user, checked: positions, hashes, moves, and functions to compile.

Compiled code trusts all of these; a number that does not fit would be cut off without a word.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from montego.jit import compiler_complaint
from montego.mcts.errors import InvalidConfig, InvalidMove, MctsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from montego.jit.state import State
    from montego.mcts.game import GameDefinition


def checked_state(game: GameDefinition, state: object, length: int | None = None) -> State:
    """Return a copy of a position, of *length* numbers if that is known.

    Raises:
        MctsError: If it is no position: not a flat array of whole numbers of 32 bits.
    """
    try:
        numbers = np.array(state)
    except ValueError:  # Rows of different lengths.
        numbers = np.empty(0)
    if numbers.ndim != 1 or (length is not None and len(numbers) != length):
        wanted = "a flat array of numbers" if length is None else f"{length} numbers"
        raise MctsError(f"a position of {game.name} has {wanted}")
    with np.errstate(invalid="ignore"):
        whole = numbers.astype(np.int32) if numbers.dtype.kind in "biuf" else numbers[:0]
    if not np.array_equal(whole, numbers):
        raise MctsError(f"a position of {game.name} has whole numbers of 32 bits")
    return whole


def checked_history(history: Iterable[int]) -> list[int]:
    """Return the hashes of earlier positions.

    Raises:
        MctsError: If one is no whole number of 64 bits.
    """
    hashes = []
    for value in history:
        if not isinstance(value, (int, np.integer)) or not 0 <= value < 2**64:
            raise MctsError(f"{value!r} is no hash: say a whole number from 0, of 64 bits")
        hashes.append(int(value))
    return hashes


def checked_move(game: GameDefinition, move: int) -> int:
    """Return *move* if the game has such a move, legal or not.

    Raises:
        InvalidMove: If it has none.
    """
    if not isinstance(move, (int, np.integer)) or not 0 <= move < game.move_count:
        raise InvalidMove(f"{move!r} is not a move of {game.name}")
    return int(move)


@contextmanager
def compiling() -> Iterator[None]:
    """Tell what the compiler has against a function in one line.

    Raises:
        InvalidConfig: If a function of the game's, or a formula, cannot be compiled.
    """
    try:
        yield
    except Exception as error:
        complaint = compiler_complaint(error)
        if complaint is None:
            raise
        raise InvalidConfig(f"cannot compile this search: {complaint}") from error
