"""Many playouts of any game from one position, counted as they are played.

One kernel for the CPU's threads and for the GPU's; see :mod:`montego.mcts.sampling.playouts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH
from montego.mcts.kernels.functions import FUNCTIONS, function_types
from montego.mcts.kernels.simulation import play_randomly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.kernels.functions import LegalMoves, Play, Playout, Score, Turn

# Elements of *sums*.
WINS = 0  # of the first player's; a draw is half a win
SCORES = 1  # the first player's
MOVES = 2
SUMS = 3

TAKEN = ("legal_moves", "play", "score", "playout", "turn")
"""The functions of a game that a playout may need, in the order in which they are taken."""


def tally_signature(types: Any) -> Any:
    """Return Numba's signature of :func:`tally_games`."""
    by_name = dict(zip(FUNCTIONS, function_types(types), strict=True))
    return types.void(
        *(by_name[name] for name in TAKEN),
        types.int32[::1],
        types.int32[::1],
        types.int32[::1],
        types.float64[::1],
        types.uint64[::1],
        types.int32[::1],
        types.float64[::1],
        types.int64,
        types.int64,
        types.int64,
    )


@kernel(signature=tally_signature)
def tally_games(
    legal_moves: LegalMoves,
    play: Play,
    final_score: Score,
    playout: Playout,
    turn: Turn,
    bases: NDArray[Any],
    place: NDArray[Any],
    work: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    sums: NDArray[Any],
    count: int,
    own_playout: int,
    own_turn: int,
) -> None:
    """Play *count* games from one of *bases*, and add what came of them to *sums*.

    *bases* are positions one after the other, ``place[0]`` says which it is. *work* is as long as
    one and holds the last final position afterwards.
    """
    first = Index(place[0]) * Index(len(work))
    for _ in range(count):
        for index in range(Index(len(work))):
            work[index] = bases[first + Index(index)]
        if own_playout != 0:
            score = playout(work, knowledge, scratch)
        else:
            score = play_randomly(
                legal_moves, play, final_score, turn, work, knowledge, scratch, moves, own_turn
            )
        if score > 0.0:
            sums[WINS] += 1.0
        elif score == 0.0:
            sums[WINS] += 0.5
        sums[SCORES] += score
        sums[MOVES] += float(int(scratch[LENGTH]))
