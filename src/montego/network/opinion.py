"""All that a network says of one position: for people and programs who want to see it as it is.

A search asks through a :class:`~montego.network.judge.Judge`, which is fast, and wants no more than
moves and a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.jit.state import new_scratch
from montego.network.description import INPUT, OUTCOMES, OWNERSHIP, POLICY, SCORE, VALUE
from montego.network.errors import NetworkError
from montego.network.runtime import run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import State
    from montego.mcts.game import GameDefinition
    from montego.network.network import Network


class Opinion(NamedTuple):
    """What a network says of a position, for the player to move."""

    win: float
    loss: float
    draw: float
    chances: dict[int, float]
    """By legal move; they sum to 1."""
    ownership: NDArray[np.float32] | None
    """By cell: 1 if the player to move will own it, -1 if the other; None if it does not say."""
    score: float | None
    """None if it does not say."""


def opinion_of(network: Network, game: GameDefinition, state: State, symmetry: int = 0) -> Opinion:
    """Return what *network* says of a position, shown in a symmetry: 0 leaves it as it is.

    Raises:
        NetworkError: If the network is not for the game, or cannot be run, or there is no such
            symmetry.
    """
    features = game.features
    if features is None:
        raise NetworkError(f"nothing says what a network is shown of {game.name}")
    network.check(features)
    symmetries, readings = features.symmetries, features.readings()
    if not 0 <= symmetry < len(symmetries):
        raise NetworkError(f"there is no symmetry {symmetry}, only 0 to {len(symmetries) - 1}")
    scratch = new_scratch(game.longest_game, 0, game.scratch_room)
    planes = np.zeros(features.planes * features.cells, np.float32)
    view = int(features.write(state, game.knowledge, scratch, planes))
    image = planes.reshape(features.planes, features.cells)[:, symmetries[symmetry]]
    shapes = {VALUE: (1, OUTCOMES), POLICY: (1, features.policy)}
    for name, length in ((OWNERSHIP, features.cells), (SCORE, 1)):
        if name in network.model.outputs:
            shapes[name] = (1, length)
    shown = image.reshape(1, features.planes, features.height, features.width)
    said = run(network.session, {INPUT: shown}, shapes)

    win, loss, draw = _shares(said[VALUE][0])
    moves = np.empty(game.move_count, np.int32)
    count = int(game.legal_moves(state.copy(), game.knowledge, scratch, moves))
    outputs = readings[view, symmetry, moves[:count]]
    logits = said[POLICY][0][np.maximum(outputs, 0)]
    # As a judge has it: a move without an output is the least likely one.
    logits = np.where(outputs < 0, said[POLICY][0].min(), logits)
    chances = dict(zip(moves[:count].tolist(), _shares(logits).tolist(), strict=True))
    owners = None
    if OWNERSHIP in said:
        owners = np.empty(features.cells, np.float32)
        owners[symmetries[symmetry]] = said[OWNERSHIP][0]
    score = float(said[SCORE][0, 0]) if SCORE in said else None
    return Opinion(float(win), float(loss), float(draw), chances, owners, score)


def _shares(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return probabilities."""
    if len(logits) == 0:
        return np.zeros(0, np.float64)
    powers = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(powers / powers.sum(), np.float64)
