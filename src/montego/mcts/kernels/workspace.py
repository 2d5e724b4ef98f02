"""What a thread of the search needs for itself, and how threads share the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from montego.jit import atomic_add, atomic_replace, kernel
from montego.jit.record import Flat, allocate
from montego.mcts.kernels.tree import LOCK, inverse_sqrt

if TYPE_CHECKING:
    from montego.jit.state import Scratch, State
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.kernels.tree import Tree

GROUP = 8  # Moves are judged in groups of so many.
ALONE = -1


MoveInt: TypeAlias = Annotated[NDArray[Any], Flat(np.int32, "move")]
RankReal: TypeAlias = Annotated[NDArray[Any], Flat(np.float64, "move")]
DepthInt: TypeAlias = Annotated[NDArray[Any], Flat(np.int32, "depth")]


class Task(NamedTuple):
    """What is searched. Kernels only read it."""

    start: Annotated[NDArray[Any], Flat(np.int32, "state")]  # the position at the root
    knowledge: Annotated[NDArray[Any], Flat(np.float64, "knowledge")]  # the game's
    history: Annotated[NDArray[Any], Flat(np.uint64, "position")]  # hashes of the game so far
    limits: Annotated[NDArray[Any], Flat(np.int32, "limit")]  # moves left out near the root
    first_player: int  # 1 if the first player is to move in ``start``, else 0


class Workspace(NamedTuple):
    """What a thread needs for itself. Made by :func:`new_workspace`."""

    state: Annotated[NDArray[Any], Flat(np.int32, "state")]  # the position being played on
    scratch: Annotated[NDArray[Any], Flat(np.uint64, "scratch")]  # random numbers, trace
    moves: MoveInt  # by rank: the legal moves of a node being expanded
    prior_values: RankReal
    prior_visits: RankReal
    chances: RankReal  # by rank: what the game's evaluation gives each move
    urgencies: Annotated[NDArray[Any], Flat(np.float64, "group")]  # how a selection judges moves
    known_values: RankReal  # what experience says, and so the next three
    known_visits: RankReal
    known_amaf_values: RankReal
    known_amaf_visits: RankReal
    nodes: DepthInt  # the nodes of the path
    edges: DepthInt  # the edges of the path
    movers: DepthInt  # who is to move there, where players do not move in turn
    hashes: Annotated[NDArray[Any], Flat(np.uint64, "depth")]  # what may not repeat
    # By move and player: stamp + time of the first play.
    first_play: Annotated[NDArray[Any], Flat(np.int64, "play")]
    uncles: MoveInt  # by move: edge of the grandparent, if it is one
    # What first_play's entries of this simulation exceed.
    stamp: Annotated[NDArray[Any], Flat(np.int64, "one")]
    # How many moves of the last path the next descent follows; ALONE if none.
    follow: Annotated[NDArray[Any], Flat(np.int64, "one")]
    # What ``amaf`` gains by a move not played, or played.
    amounts: Annotated[NDArray[Any], Flat(np.int64, "two")]


def new_workspace(state: State, scratch: Scratch, move_count: int, longest_game: int) -> Workspace:
    """Return a thread's workspace for a game with that many moves."""
    extents = {
        "move": move_count,
        "group": move_count + GROUP,  # To whole groups.
        "depth": longest_game + 2,
        "play": 2 * move_count,
        "one": 1,
        "two": 2,
    }
    work = allocate(Workspace, extents, state=state.copy(), scratch=scratch)
    work.stamp[0] = 1
    work.follow[0] = ALONE
    return work


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
def mover_at(work: Workspace, settings: Settings, task: Task, level: int) -> int:
    """Return who is to move at a level of the path: 0 for the first player, 1 for the second."""
    if settings.own_turn != 0:
        return int(work.movers[level])
    return (level + 1 - task.first_player) & 1


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
