"""What the move prediction says of a position, by vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from go_positions import to_name
from montego.engine.knowledge.definition import legal_moves
from montego.go.kernels.layout import SIZE, TO_PLAY
from montego.go.playout.knowledge import LEARNED, new_knowledge
from montego.go.prediction.prediction import predict_moves, prediction_room
from montego.jit import interpreted
from montego.jit.index import Index
from montego.jit.state import new_scratch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import State


def chances_of(
    state: State, learned: NDArray[np.float64], *, slow: bool = False
) -> dict[str, float]:
    """The chance of each move of a position."""
    size = int(state[SIZE])
    knowledge = new_knowledge(prediction=learned)
    scratch = new_scratch(size, 0, prediction_room(size))
    moves = np.zeros(len(state), np.int32)
    count = int(legal_moves(state, knowledge, scratch, moves))
    chances = np.zeros(count)
    predict = interpreted(predict_moves) if slow else predict_moves
    color = int(state[TO_PLAY])
    predict(state, knowledge, Index(LEARNED), scratch, moves, count, color, chances)
    return {to_name(int(moves[rank]), size): float(chances[rank]) for rank in range(count)}
