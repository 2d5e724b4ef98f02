"""How fast a network judges on this machine."""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.jit.state import new_scratch
from montego.network.judge import ROOM, Judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Scratch, State
    from montego.mcts.game import GameDefinition
    from montego.network.network import Network


class Speed(NamedTuple):
    """What was measured."""

    evaluations: int
    seconds: float
    cpu_seconds: float
    """Summed over the threads."""


def measure(
    network: Network, game: GameDefinition, states: list[State], seconds: float, threads: int = 1
) -> Speed:
    """Judge *states* over and over for that long, one after the other, in so many threads.

    Nothing is remembered meanwhile: the network is run each time.

    Raises:
        NetworkError: If the network is not for the game, or does not run.
    """
    judge = Judge(network, game, memory=0.0)
    moves = np.empty(game.move_count, np.int32)
    scratch = new_scratch(game.longest_game, 0, game.scratch_room)
    tasks = []
    for state in states:
        count = int(game.legal_moves(state.copy(), game.knowledge, scratch, moves))
        tasks.append((state, moves[:count].copy(), np.empty(count)))
    scratches = [
        new_scratch(game.longest_game, number, game.scratch_room + ROOM)
        for number in range(threads)
    ]
    for own in scratches:
        judge.prepare(own)
    _judge_all(judge, game, tasks[:1], scratches[0])  # Compiles it.

    before = judge.counts().runs
    begin, begin_cpu = time.perf_counter(), time.process_time()
    end = begin + seconds

    def work(number: int) -> None:
        own = [(state, legal, chances.copy()) for state, legal, chances in tasks]
        while time.perf_counter() < end:
            _judge_all(judge, game, own, scratches[number], end)

    helpers = [threading.Thread(target=work, args=(number,)) for number in range(1, threads)]
    for helper in helpers:
        helper.start()
    work(0)
    for helper in helpers:
        helper.join()
    return Speed(
        judge.counts().runs - before,
        time.perf_counter() - begin,
        time.process_time() - begin_cpu,
    )


def _judge_all(
    judge: Judge,
    game: GameDefinition,
    tasks: list[tuple[State, NDArray[np.int32], NDArray[np.float64]]],
    scratch: Scratch,
    end: float = math.inf,
) -> None:
    """Judge positions, each with its moves and room for their chances, until that time."""
    for state, moves, chances in tasks:
        if time.perf_counter() >= end:
            return
        judge.evaluate(state, game.knowledge, scratch, moves, len(moves), chances)
