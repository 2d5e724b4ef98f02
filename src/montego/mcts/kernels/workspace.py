"""What a thread of the search needs for itself, and how threads share the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray  # noqa: TC002  # Numba reads the fields' annotations.

from montego.jit import atomic_add, atomic_replace, kernel
from montego.mcts.kernels.tree import LOCK, inverse_sqrt

if TYPE_CHECKING:
    from montego.jit.state import Scratch, State
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.kernels.tree import Tree

GROUP = 8  # Moves are judged in groups of so many.


class Workspace(NamedTuple):
    """What a thread needs for itself. Made by :func:`new_workspace`."""

    state: NDArray[Any]  # int32: the position being played on
    scratch: NDArray[Any]  # uint64: random numbers, trace of the playout
    moves: NDArray[Any]  # int32, by rank: the legal moves of a node being expanded
    prior_values: NDArray[Any]  # float64, by rank
    prior_visits: NDArray[Any]  # float64, by rank
    urgencies: NDArray[Any]  # float64, by rank, to whole groups: how a selection judges the moves
    known_values: NDArray[Any]  # float64, by rank: what experience says, and so the next three
    known_visits: NDArray[Any]
    known_amaf_values: NDArray[Any]
    known_amaf_visits: NDArray[Any]
    nodes: NDArray[Any]  # int32, by depth: the nodes of the path
    edges: NDArray[Any]  # int32, by depth: the edges of the path
    hashes: NDArray[Any]  # uint64, by depth: what may not repeat
    first_play: NDArray[Any]  # int64, by move and player: stamp + time of the first play
    uncles: NDArray[Any]  # int32, by move: edge of the grandparent, if it is one
    stamp: NDArray[Any]  # int64, shape (1,): what first_play's entries of this simulation exceed
    amounts: NDArray[Any]  # int64, shape (2,): what ``amaf`` gains by a move not played, or played


def new_workspace(state: State, scratch: Scratch, move_count: int, longest_game: int) -> Workspace:
    """Return a thread's workspace for a game with that many moves."""
    depth = longest_game + 2
    return Workspace(
        state.copy(),
        scratch,
        np.zeros(move_count, np.int32),
        np.zeros(move_count, np.float64),
        np.zeros(move_count, np.float64),
        np.zeros(move_count + GROUP, np.float64),
        np.zeros(move_count, np.float64),
        np.zeros(move_count, np.float64),
        np.zeros(move_count, np.float64),
        np.zeros(move_count, np.float64),
        np.zeros(depth, np.int32),
        np.zeros(depth, np.int32),
        np.zeros(depth, np.uint64),
        np.zeros(2 * move_count, np.int64),
        np.zeros(move_count, np.int32),
        np.ones(1, np.int64),
        np.zeros(2, np.int64),
    )


def workspace_type(types: Any) -> Any:
    """Return Numba's type of a :class:`Workspace`."""
    arrays = (
        types.int32[::1],
        types.uint64[::1],
        types.int32[::1],
        types.float64[::1],
        types.float64[::1],
        types.float64[::1],
        types.float64[::1],
        types.float64[::1],
        types.float64[::1],
        types.float64[::1],
        types.int32[::1],
        types.int32[::1],
        types.uint64[::1],
        types.int64[::1],
        types.int32[::1],
        types.int64[::1],
        types.int64[::1],
    )
    return types.NamedTuple(arrays, Workspace)


@kernel(inline=True)
def add(array: NDArray[Any], index: int, amount: int, settings: Settings) -> int:
    """Add to a number that threads share, and return what stood there before.

    Plainly where there is only one thread, which is quicker; and so :func:`exchange`.
    """
    if settings.alone == 0:
        return atomic_add(array, index, amount)
    before = int(array[index])
    array[index] = before + amount
    return before


@kernel(inline=True)
def add_visits(tree: Tree, edge: int, amount: int, settings: Settings) -> None:
    """Count simulations through an edge, and keep 1 / √n of them if the selection wants it.

    Of two threads at the same edge the slower one may leave its own, off by a visit; the next
    visit corrects that, or pruning.
    """
    visits = add(tree.visits, edge, amount, settings) + amount
    if settings.keep_inverse_sqrt != 0:
        tree.memo[edge] = inverse_sqrt(visits)


@kernel(inline=True)
def exchange(array: NDArray[Any], index: int, expected: int, value: int, settings: Settings) -> int:
    """Store a value if *expected* stands there; return what stood there before."""
    if settings.alone == 0:
        return atomic_replace(array, index, expected, value)
    before = int(array[index])
    if before == expected:
        array[index] = value
    return before


@kernel(inline=True)
def acquire(tree: Tree, settings: Settings) -> None:
    """Wait for the whole tree, if the settings want one lock for it (document 003)."""
    if settings.global_lock != 0:
        while atomic_replace(tree.counters, LOCK, 0, 1) != 0:
            pass


@kernel(inline=True)
def release(tree: Tree, settings: Settings) -> None:
    """Let others have the tree."""
    if settings.global_lock != 0:
        atomic_replace(tree.counters, LOCK, 1, 0)
