"""Playouts on the GPU: tens of thousands of games at once, by the same kernels as on the CPU."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.go.kernels.layout import SIZE, all_points, state_length
from montego.go.playout.knowledge import MOVES_PER_POINT, new_knowledge
from montego.go.playout.policy import Policy, find_policy
from montego.go.playout.reason import record
from montego.go.playout.run import Sample
from montego.go.playout.tally import MOVES, tally_playouts
from montego.jit import kernel
from montego.jit.gpu import Grid, Lanes, synchronize, upload
from montego.jit.gpu.device import multiprocessors
from montego.jit.gpu.grid import BLOCK
from montego.jit.interrupt import stopped_by_ctrl_c
from montego.jit.state import TRACE, begin_scratch

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

GAMES_PER_MULTIPROCESSOR = 256
SLICE_SECONDS = 0.1  # Between launches of about this length Python looks at the clock and Ctrl-C.


class GpuPlayouts:
    """Playouts of one policy from positions of one size, *games* at once, each with a seed."""

    def __init__(
        self,
        size: int,
        policy: str = "uniform",
        *,
        games: int | None = None,
        seed: int = 0,
        knowledge: Knowledge | None = None,
        owners: bool = False,
        trace: bool = True,
        interleaved: bool = True,
        block: int = BLOCK,
        outlined: bool = False,
    ) -> None:
        """Make room on the GPU. With *owners* it is counted who has which point at the end.

        Without *trace* nobody writes down which moves were played: for policies that do not read it
        themselves. *interleaved* is as for :class:`~montego.jit.gpu.Lanes`, *block* and
        *outlined* as for :class:`~montego.jit.gpu.Grid`.

        Raises:
            GoError: If there is no such policy.
            DeviceError: If there is no GPU, or too little memory on it.
        """
        found = find_policy(policy)
        self.games = GAMES_PER_MULTIPROCESSOR * multiprocessors() if games is None else games
        self._area = size * size
        self._limit = MOVES_PER_POINT * self._area
        points = np.array(list(all_points(size)), np.uint64)

        def lanes(kind: Any, length: int) -> Lanes:
            return Lanes(kind, length, self.games, interleaved=interleaved)

        self._work = lanes(np.int32, state_length(size))
        self._scratch = lanes(np.uint64, TRACE + self._limit + found.room(size))
        self._owners = lanes(np.int64, self._area if owners else 1)
        self._frequency = lanes(np.int64, 2 * self._area + 1)
        self._totals = lanes(np.int64, 1)
        self._points = upload(points if owners else points[:0])
        self._knowledge = upload(new_knowledge() if knowledge is None else knowledge)
        self._grid, self._block = _grid_of(found, trace, outlined), block
        self.seed(seed)

    def seed(self, seed: int) -> NDArray[np.uint64]:
        """Begin the random numbers anew, and return the state that each game begins with."""
        states = np.random.SeedSequence(seed).generate_state(self.games, np.uint64) | np.uint64(1)
        starts = Lanes(np.uint64, 1, self.games, interleaved=False)
        starts.write(states[:, None])
        Grid(begin_scratch)(self._scratch, starts, self._limit, games=self.games)
        return states

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
            block=self._block,
        )

    def clear(self) -> None:
        """Forget what was counted."""
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
def _grid_of(policy: Policy, trace: bool, outlined: bool) -> Grid:
    """Return what is compiled once for a policy, whatever the size of the board."""
    replacements = {} if trace else {record: forget}
    return Grid(
        tally_playouts, replacements=replacements, outlined=outlined, playout=policy.playout
    )


@kernel(inline=True)
def forget(scratch: Scratch, length: int, move: int, reason: int) -> None:
    """Stand for ``record`` where nobody asks which moves were played."""


def sample_on_gpu(
    base: State,
    policy: str,
    *,
    count: int | None = None,
    seconds: float = 5.0,
    games: int | None = None,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Sample:
    """As :func:`montego.go.playout.run.sample_playouts`, on the GPU, *games* at once.

    At least *count* playouts are made: whole rounds of all games. The time is that of the clock.

    Raises:
        GoError: If there is no such policy.
        DeviceError: If there is no GPU, or it fails.
    """
    playouts = GpuPlayouts(int(base[SIZE]), policy, games=games, seed=seed)
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
    return Sample(playouts.frequencies().sum(axis=0), playouts.moves(), elapsed, 1)
