"""Positions of games that a network plays against itself: to calibrate, to compare, to measure."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from montego.jit.state import new_scratch
from montego.network.errors import NetworkError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import State
    from montego.mcts.game import GameDefinition
    from montego.network.judge import Judge

SPARSE = 3
"""One position in so many is taken, because those that follow one another are much alike."""


def sample_states(judge: Judge, game: GameDefinition, count: int, seed: int = 0) -> list[State]:
    """Return positions of games in which moves are played as often as the network wants.

    Raises:
        NetworkError: If games end before there is anything to judge.
    """
    dice = random.Random(seed)
    scratch = new_scratch(game.longest_game, seed, game.scratch_room)
    moves = np.empty(game.move_count, np.int32)
    states: list[State] = []
    while len(states) < count:
        state = np.array(game.initial_state(), np.int32)
        for _ in range(game.longest_game):
            if int(game.legal_moves(state.copy(), game.knowledge, scratch, moves)) == 0:
                break
            if dice.randrange(SPARSE) == 0:
                states.append(state.copy())
            chances = judge.judge(state).chances
            move = dice.choices(list(chances), list(chances.values()))[0]
            game.play(state, game.knowledge, scratch, move)
        else:
            continue
        if np.array_equal(state, game.initial_state()):
            raise NetworkError(f"{game.name} is over before it begins")
    return states[:count]


def planes_of(game: GameDefinition, states: list[State]) -> NDArray[np.float32]:
    """Return what a network is shown of positions: [positions, planes, height, width].

    Raises:
        NetworkError: If nothing says what that is.
    """
    features = game.features
    if features is None:
        raise NetworkError(f"nothing says what a network is shown of {game.name}")
    scratch = new_scratch(game.longest_game, 0, game.scratch_room)
    shown = np.zeros((len(states), features.planes * features.cells), np.float32)
    for number, state in enumerate(states):
        features.write(state, game.knowledge, scratch, shown[number])
    return shown.reshape(len(states), features.planes, features.height, features.width)
