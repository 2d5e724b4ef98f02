"""Random games of any game, thousands at a time, on the threads of a CPU or on a GPU."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.jit import Kernel, compile_off, interpreted
from montego.jit.errors import DeviceError
from montego.jit.state import new_scratch
from montego.mcts.errors import InvalidConfig, MctsError, compiling
from montego.mcts.game import alternating, no_playout
from montego.mcts.kernels.functions import FUNCTIONS
from montego.mcts.sampling.tally import MOVES, SCORES, SUMS, TAKEN, WINS, tally_games

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from montego.jit.state import State
    from montego.mcts.game import GameDefinition


class Outcome(NamedTuple):
    """What came of the playouts of one position."""

    playouts: int
    wins: float
    """The first player's; a draw is half a win."""
    scores: float
    """The sum of the first player's scores."""
    moves: int
    """Of all playouts together."""

    @property
    def value(self) -> float:
        """The share of the playouts that the first player won."""
        return self.wins / self.playouts

    @property
    def mean_score(self) -> float:
        """The mean score, the first player's."""
        return self.scores / self.playouts


class Playouts:
    """Playouts of one game: its own where it has one, else uniformly random legal moves.

    On a GPU they are by the same source as on a CPU, and the same random numbers give the same
    games. An evaluation, priors and superko are not asked for.

    >>> from montego.games.tic_tac_toe import tic_tac_toe
    >>> game = tic_tac_toe()
    >>> outcome, = Playouts(game).play([game.initial_state()], 10_000)
    >>> outcome.value > 0.6  # Whoever begins wins more often.
    True
    """

    def __init__(
        self,
        game: GameDefinition,
        *,
        device: str = "cpu",
        games: int | None = None,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        """Make room. *device* is ``"cpu"``, ``"gpu"``, or ``"auto"`` for the GPU if there is one.

        On a GPU up to *games* are played at once, by default as many as keep it busy; on a CPU
        *threads* share the work. With ``"auto"`` the CPU takes what is not compiled, and goes on
        with a warning if the GPU fails.

        Raises:
            InvalidConfig: If a number is impossible, or a game that is not compiled is to run on a
                GPU or on several threads.
            DeviceError: If there is no such device, or too little memory on a GPU that was asked
                for by name.
        """
        if threads < 1 or (games is not None and games < 1):
            raise InvalidConfig("invalid number of games or threads: say at least 1")
        self.game = game
        self.device = "cpu"
        """Where they are played: ``"cpu"`` or ``"gpu"``."""
        compiled = game.is_compiled
        if device != "cpu" and (compiled or device != "auto"):
            from montego.jit.gpu import chosen_device  # noqa: PLC0415  # Loads Numba.

            self.device = chosen_device(device)
        if not compiled and (self.device == "gpu" or threads > 1):
            raise InvalidConfig(f"{game.name} is not compiled: a GPU and threads want kernels")
        self._length = len(game.initial_state())
        self._flags = int(game.playout is not no_playout), int(game.turn is not alternating)
        as_it_is = compiled and not compile_off()
        self.functions: dict[str, Any] = {
            name: function
            if as_it_is or not isinstance(function, Kernel)
            else interpreted(function)
            for name, function in ((name, getattr(game, name)) for name in FUNCTIONS)
        }
        """The game's functions by name, for the CPU, compiled or interpreted, all the same way."""
        tally = tally_games if as_it_is else interpreted(tally_games)
        self._players: list[_CpuPlayer] = [
            _CpuPlayer(self, tally, seed + (number << 32)) for number in range(threads)
        ]
        self._asked_for = device
        self._gpu: _GpuPlayer | None = None
        if self.device == "gpu":
            try:
                self._gpu = _GpuPlayer(self, games, seed)
            except DeviceError as error:
                self._leave_gpu(error)

    @property
    def flags(self) -> tuple[int, int]:
        """Whether the game has a playout of its own, and says itself whose turn it is."""
        return self._flags

    def play(self, states: Sequence[State], count: int) -> list[Outcome]:
        """Play out each of *states* at least *count* times, and return what came of it.

        On a CPU exactly so many times; on a GPU in whole rounds.

        Raises:
            MctsError: If a state is no position of the game.
            InvalidConfig: If the game's functions cannot be compiled.
            DeviceError: If the GPU fails that was asked for by name.
        """
        if count < 1:
            raise InvalidConfig(f"invalid number of playouts {count}: say at least 1")
        if any(np.shape(state) != (self._length,) for state in states):
            raise MctsError(f"a position of {self.game.name} has {self._length} numbers")
        if not states:
            return []
        bases = np.array(states, np.int32)
        with compiling():
            sums, total = self._sums(bases, count)
        return [
            Outcome(total, float(row[WINS]), float(row[SCORES]), int(row[MOVES])) for row in sums
        ]

    def _sums(self, bases: NDArray[np.int32], count: int) -> tuple[NDArray[np.float64], int]:
        """Return what the playouts of each position add up to, and how many there were of each."""
        if self._gpu is not None:
            try:
                return self._gpu.play(bases, count)
            except DeviceError as error:
                self._leave_gpu(error)
        if len(self._players) == 1:
            return self._players[0].play(bases, count)
        shares = [(count + number) // len(self._players) for number in range(len(self._players))]
        with ThreadPoolExecutor(len(self._players)) as pool:
            played = list(
                pool.map(lambda player, share: player.play(bases, share), self._players, shares)
            )
        return sum((part for part, _count in played), np.zeros((len(bases), SUMS))), count

    def _leave_gpu(self, error: DeviceError) -> None:
        """Go on with the CPU, with a warning, unless the GPU was asked for by name."""
        from montego.jit.gpu import go_on_without  # noqa: PLC0415  # Loads Numba.

        go_on_without(error, self._asked_for)
        self._gpu, self.device = None, "cpu"


class _CpuPlayer:
    """A thread's buffers."""

    def __init__(self, playouts: Playouts, tally: Any, seed: int) -> None:
        game = playouts.game
        self._tally, self._knowledge, self._flags = tally, game.knowledge, playouts.flags
        self._functions = [playouts.functions[name] for name in TAKEN]
        self._scratch = new_scratch(game.longest_game, seed, game.scratch_room)
        game.prepare_scratch(self._scratch)
        self._moves = np.zeros(game.move_count, np.int32)

    def play(self, bases: NDArray[np.int32], count: int) -> tuple[NDArray[np.float64], int]:
        sums = np.zeros((len(bases), SUMS))
        work = bases[0].copy()
        for number, row in enumerate(sums):
            self._tally(
                *self._functions,
                bases.ravel(),
                np.array([number], np.int32),
                work,
                self._knowledge,
                self._scratch,
                self._moves,
                row,
                count,
                *self._flags,
            )
        return sums, count


class _GpuPlayer:
    """Arrays on the GPU: each game there plays from one of the positions."""

    def __init__(self, playouts: Playouts, games: int | None, seed: int) -> None:
        from montego.jit.gpu import (  # noqa: PLC0415  # Only where a GPU is asked for.
            Grid,
            Lanes,
            games_at_once,
            random_starts,
            scratch_lanes,
            upload,
        )

        game = playouts.game
        self._games = games_at_once() if games is None else games
        functions = {name: getattr(game, name) for name in TAKEN}
        functions["final_score"] = functions.pop("score")
        self._grid, self._flags, self._upload = (
            Grid(tally_games, **functions),
            playouts.flags,
            upload,
        )
        starts = random_starts(seed, self._games)
        self._scratch = scratch_lanes(game.longest_game, game.scratch_room, starts)
        self._work = Lanes(np.int32, len(game.initial_state()), self._games)
        own_playout, _own_turn = playouts.flags
        self._moves = Lanes(np.int32, 1 if own_playout else game.move_count, self._games)
        self._place = Lanes(np.int32, 1, self._games)
        self._each = 0  # Neighbors in _place that play from the same position.
        self._sums = Lanes(np.float64, SUMS, self._games)
        self._knowledge = upload(game.knowledge)

    def play(self, bases: NDArray[np.int32], count: int) -> tuple[NDArray[np.float64], int]:
        sums = np.zeros((len(bases), SUMS))
        each = min(count, max(self._games // len(bases), 1))  # Games at once, of each position.
        rounds = -(-count // each)
        for first in range(0, len(bases), self._games):
            some = bases[first : first + self._games]
            used = each * len(some)
            if each != self._each:
                self._place.write((np.arange(self._games) // each)[:, None])
                self._each = each
            self._sums.clear()
            self._grid(
                self._upload(some.ravel()),
                self._place,
                self._work,
                self._knowledge,
                self._scratch,
                self._moves,
                self._sums,
                rounds,
                *self._flags,
                games=used,
            )
            found = self._sums.read()[:used]
            sums[first : first + len(some)] = found.reshape(len(some), each, SUMS).sum(axis=1)
        return sums, each * rounds
