"""The solver that measures networks is right where everything can be tried."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from connect_four_solver import DRAW, LOSS, WIN, Solver
from montego.games.connect_four import connect_four
from montego.jit.state import new_scratch

if TYPE_CHECKING:
    from montego.jit.state import State

GAME = connect_four()
SCRATCH = new_scratch(GAME.longest_game, 0, GAME.scratch_room)


def legal(state: State) -> list[int]:
    moves = np.empty(GAME.move_count, np.int32)
    count = int(GAME.legal_moves(state, GAME.knowledge, SCRATCH, moves))
    return [int(move) for move in moves[:count]]


def after(state: State, move: int) -> State:
    played = state.copy()
    GAME.play(played, GAME.knowledge, SCRATCH, move)
    return played


def plainly(state: State) -> int:
    """The outcome for the player to move, by trying everything."""
    moves = legal(state)
    if not moves:
        score = GAME.score(state, GAME.knowledge, SCRATCH)
        return DRAW if score == 0 else LOSS  # Only the last player can have made four.
    return max(-plainly(after(state, move)) for move in moves)


def test_the_solver_agrees_with_trying_everything() -> None:
    chance, solver = random.Random(3), Solver()
    seen = {WIN: 0, DRAW: 0, LOSS: 0}
    while sum(seen.values()) < 40:
        state = np.array(GAME.initial_state(), np.int32)
        for _ in range(33):
            if not legal(state):
                break
            state = after(state, chance.choice(legal(state)))
        if not legal(state):
            continue
        found = plainly(state)
        seen[found] += 1
        assert solver.outcome(state) == found
        assert solver.moves(state) == {move: -plainly(after(state, move)) for move in legal(state)}
    assert all(seen.values())
