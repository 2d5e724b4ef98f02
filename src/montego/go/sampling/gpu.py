"""Playouts on the GPU: tens of thousands of games at once, by the same kernels as on the CPU."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.layout import SIZE, all_points, state_length
from montego.go.playout.knowledge import MOVES_PER_POINT, new_knowledge
from montego.go.playout.policy import Policy, find_policy
from montego.go.sampling.run import Sample
from montego.go.sampling.tally import MOVES, tally_playouts
from montego.jit.gpu import (
    Grid,
    Lanes,
    games_at_once,
    random_starts,
    scratch_lanes,
    synchronize,
    upload,
)
from montego.jit.interrupt import stopped_by_ctrl_c

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, State

SLICE_SECONDS = 0.1  # Between launches of about this length Python looks at the clock and Ctrl-C.


class GpuPlayouts:
    """Playouts of one policy from positions of one size, *games* at once, each with a seed.

    What comes of them is counted on the GPU, game by game, until :meth:`clear`.
    """

    def __init__(
        self,
        size: int,
        policy: str = "uniform",
        *,
        games: int | None = None,
        seed: int = 0,
        knowledge: Knowledge | None = None,
        owners: bool = False,
    ) -> None:
        """Make room on the GPU. With *owners* it is counted who has which point at the end.

        Raises:
            GoError: If there is no such policy.
            DeviceError: If there is no GPU, or too little memory on it.
        """
        found = find_policy(policy)
        self.games = games_at_once() if games is None else games
        """How many are played at once."""
        self.starts: NDArray[np.uint64] = random_starts(seed, self.games)
        """What the random numbers of each game began with."""
        area = size * size
        points = list(all_points(size)) if owners else []
        self._work = Lanes(np.int32, state_length(size), self.games)
        self._scratch = scratch_lanes(MOVES_PER_POINT * area, found.room(size), self.starts)
        self._points = upload(np.array(points, np.uint64))
        self._owners = Lanes(np.int64, max(len(points), 1), self.games)
        self._frequency = Lanes(np.int64, 2 * area + 1, self.games)
        self._totals = Lanes(np.int64, 1, self.games)
        if knowledge is None:
            knowledge = new_knowledge(balanced=found.weights())
        self._knowledge = upload(knowledge)
        self._grid = _grid_of(found)

    def play(self, base: State, rounds: int = 1) -> None:
        """Play *rounds* games in each place, from *base*. Returns before they are done."""
        self._grid(
            upload(base),
            self._work,
            self._knowledge,
            self._scratch,
            self._points,
            self._owners,
            self._frequency,
            self._totals,
            rounds,
            games=self.games,
        )

    def clear(self) -> None:
        """Forget what was counted. The random numbers go on."""
        for lanes in (self._owners, self._frequency, self._totals):
            lanes.clear()

    def frequencies(self) -> NDArray[np.int64]:
        """Return how often each score came up, a row a place; index 0 is White having all."""
        return self._frequency.read()

    def moves(self) -> int:
        """Return how many moves were played."""
        return int(self._totals.read()[:, MOVES].sum())

    def owners(self) -> NDArray[np.int64]:
        """Return, for each point as a diagram is read, Black's games minus White's."""
        total: NDArray[np.int64] = self._owners.read().sum(axis=0)
        return total


@cache
def _grid_of(policy: Policy) -> Grid:
    """Return what is compiled once for a policy, whatever the size of the board."""
    return Grid(tally_playouts, playout=policy.playout)


def sample_on_gpu(
    base: State,
    policy: str,
    *,
    count: int | None = None,
    seconds: float = 5.0,
    games: int | None = None,
    seed: int = 0,
    owners: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Sample:
    """As :func:`montego.go.sampling.run.sample_playouts`, on the GPU, *games* at once.

    At least *count* playouts are made: whole rounds of all games. The time is that of the clock.

    Raises:
        GoError: If there is no such policy.
        DeviceError: If there is no GPU, or it fails.
    """
    playouts = GpuPlayouts(int(base[SIZE]), policy, games=games, seed=seed, owners=owners)
    playouts.play(base)  # Compiles.
    synchronize()
    playouts.clear()
    begin = time.perf_counter()
    done, rounds = 0, 1
    with stopped_by_ctrl_c(lambda: None) as interrupted:
        while not interrupted.is_set():
            lap = time.perf_counter()
            playouts.play(base, rounds)
            synchronize()
            now = time.perf_counter()
            done += rounds * playouts.games
            part = (now - begin) / seconds if count is None else done / count
            if progress is not None:
                progress(min(part, 1.0))
            if part >= 1.0:
                break
            if now - lap < SLICE_SECONDS / 2:
                rounds *= 2
            if count is not None:
                rounds = max(1, min(rounds, -(-(count - done) // playouts.games)))
    elapsed = time.perf_counter() - begin
    return Sample(
        playouts.frequencies().sum(axis=0),
        playouts.moves(),
        elapsed,
        1,
        playouts.owners() if owners else None,
    )
