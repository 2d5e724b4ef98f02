"""Compile every kernel of Go, in groups that a progress bar can name.

Each group is compiled by calling it on the smallest board: the types are then right by
construction. What is in the cache already is only loaded.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from montego.go.color import BLACK
from montego.go.layout import empty_state, point_at
from montego.go.playout.policy import POLICIES, Policy
from montego.go.playout.run import run_playouts
from montego.go.playout.scratch import new_scratch
from montego.go.position import move_fault, play, position_hash
from montego.mcts.scratch import no_knowledge

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL = 3


def compile_kernels(progress: Callable[[float, str], None]) -> int:
    """Compile all of Go's kernels and return the number of groups.

    *progress* is told the part done and what comes next.
    """
    steps: list[tuple[str, Callable[[], object]]] = [("board", _compile_board)]
    steps += [
        (f"{name} playouts", partial(_compile_playout, policy)) for name, policy in POLICIES.items()
    ]
    for number, (label, compile_group) in enumerate(steps):
        progress(number / len(steps), label)
        compile_group()
    progress(1.0, "done")
    return len(steps)


def _compile_board() -> None:
    state = empty_state(SMALL)
    point = point_at(1, 1, SMALL)
    # By their dispatchers: called in the usual way these run interpreted at first.
    move_fault.dispatcher(state, point, BLACK)
    play.dispatcher(state, point, BLACK)
    position_hash.dispatcher(state)


def _compile_playout(policy: Policy) -> None:
    state = empty_state(SMALL)
    scratch = new_scratch(SMALL, seed=0, room=policy.room(SMALL))
    results = np.zeros(1, np.int64), np.zeros(1, np.int64)
    run_playouts(policy.playout, state, state.copy(), no_knowledge(), scratch, *results)
