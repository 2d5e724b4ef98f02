"""The threads of a search: they run simulations slice by slice until the budget is spent.

A slice takes a few milliseconds, so that the clock, a stop signal and Ctrl-C are noticed in
between; the stop signal ends even a slice at once.
"""

from __future__ import annotations

import math
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import Kernel, interpreted
from montego.jit.state import new_scratch
from montego.mcts.errors import compiling
from montego.mcts.kernels.functions import FUNCTIONS
from montego.mcts.kernels.joining import compile_joining
from montego.mcts.kernels.pruning import compile_pruning
from montego.mcts.kernels.selection import selector_of
from montego.mcts.kernels.settings import RUN_SETTINGS
from montego.mcts.kernels.simulation import simulator_of
from montego.mcts.kernels.tree import FULL
from montego.mcts.kernels.workspace import ALONE, new_workspace
from montego.mcts.learned_bias import LearnedBias
from montego.mcts.report import is_robust_max

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.jit.state import State
    from montego.mcts.config import Config
    from montego.mcts.forest import Forest
    from montego.mcts.game import GameDefinition
    from montego.mcts.kernels.workspace import Task

SLICE_SECONDS = 0.01
"""To enter compiled code takes 0.05 ms, and what comes between two slices leaves other things in
the processor's caches: with a network, each costs a third of a simulation."""

SLOWER = 1.25  # How much more a simulation is thought to cost after a slice that took long.
ROBUST_MAX_EXTRA = 0.5  # Share of the simulations that "robust-max" may add.
CHECKPOINTS = 10  # How often in its second half a search asks whether its result is settled.


class Budget:
    """What a search may still spend. Thread-safe.

    Simulations are handed out so that one thread stops at fixed numbers of them to look at the
    result: what a search with one thread does must not depend on the clock.
    """

    def __init__(self, config: Config, begin: float) -> None:
        self._lock = threading.Lock()
        self._simulations = config.simulations
        self._seconds = config.seconds
        self._begin = begin
        self._closed = False
        self._threads = config.threads
        self._early_stop = config.early_stop
        # No move can be out of reach before half of the simulations are done.
        self._half = (config.simulations or 0) // 2
        self._step = max(self._half // CHECKPOINTS, 1)
        self.taken = 0
        """Simulations handed out so far."""
        self.done = 0
        """Simulations reported as done; other threads may be at those in between."""

    def take(self, count: int) -> int:
        """Return how many of *count* simulations may be run now; 0 means the budget is spent.

        However short the time, the first are granted: a search should have an answer.
        """
        with self._lock:
            late = self._seconds is not None and self._elapsed() >= self._seconds
            if self._closed or (late and self.taken > 0):
                return 0
            if self._simulations is not None:
                # A fair share of what is left, so that no thread waits long for the last slice.
                count = min(count, math.ceil((self._simulations - self.taken) / self._threads))
                if count <= 0:
                    return 0
                if self._early_stop:
                    past = self.taken - self._half
                    count = min(count, -past if past < 0 else self._step - past % self._step)
            self.taken += count
            return count

    def in_time(self, count: int, cost: float) -> int:
        """Return how many of *count* simulations there is time for, one at least.

        *cost* is what one takes, in seconds.
        """
        if self._seconds is None:
            return count
        return max(min(count, int((self._seconds - self._elapsed()) / cost)), 1)

    def report(self, taken: int, done: int) -> None:
        """Say that of *taken* simulations *done* were run; the others are given back."""
        with self._lock:
            self.taken -= taken - done
            self.done += done

    def credit(self, simulations: int) -> None:
        """Count simulations that others have made for this search."""
        with self._lock:
            self.taken += simulations
            self.done += simulations

    def close(self) -> None:
        """Hand out nothing any more."""
        self._closed = True

    def is_checkpoint(self) -> bool:
        """Say whether this is a time to look whether the search is settled."""
        if not self._early_stop:
            return False
        if self._simulations is not None:
            past = self.taken - self._half
            return past >= 0 and past % self._step == 0
        return self.part_done() >= 0.5

    def left(self) -> float:
        """Return how many simulations are still to come, by the pace so far if time decides."""
        lefts = []
        if self._simulations is not None:
            lefts.append(float(self._simulations - self.done))
        if self._seconds is not None:
            pace = self.done / max(self._elapsed(), 1e-6)
            lefts.append(pace * max(self._seconds - self._elapsed(), 0.0))
        return min(lefts, default=float("inf"))

    def part_done(self) -> float:
        """Return the part of the budget that is spent, from 0 to 1; 0 if there is no limit."""
        parts = [0.0]
        if self._simulations is not None:
            parts.append(self.taken / self._simulations)
        if self._seconds is not None:
            parts.append(self._elapsed() / self._seconds)
        return min(max(parts), 1.0)

    def _elapsed(self) -> float:
        return time.perf_counter() - self._begin


class Threads:
    """Grows the trees of a forest. One search at a time; only :meth:`stop` is for other threads."""

    def __init__(
        self, game: GameDefinition, config: Config, forest: Forest, state: State, *, compiled: bool
    ) -> None:
        """Get ready for positions as long as *state*."""
        self._game = game
        self._forest = forest
        self._compiled = compiled
        self._settings = config.settings(game)
        self.functions = {name: self._ready(getattr(game, name)) for name in FUNCTIONS}
        """The game's functions by name, compiled or interpreted, all the same way."""
        self._simulate: Callable[..., int] = partial(
            self._ready(simulator_of(config.selection)),
            self._ready(selector_of(config.selection)),
            *self.functions.values(),
        )
        longest = min(game.longest_game, config.cutoff or game.longest_game)
        # A playout of the game's own may know nothing of a limit, and play to the end.
        room = game.scratch_room + game.longest_game - longest
        self._workspaces = [
            new_workspace(
                state,
                new_scratch(longest, config.seed + (number << 32), room),
                game.move_count,
                game.longest_game,
            )
            for number in range(config.threads)
        ]
        for workspace in self._workspaces:
            game.prepare_scratch(workspace.scratch)
        self._stop = threading.Event()
        self._is_warm = False
        self._budget: Budget | None = None  # of the search under way
        self._joins = config.parallel == "joined" and config.threads > 1
        self._bias = LearnedBias(config.rave_bias) if config.rave_bias_learned else None

    @property
    def is_stopped(self) -> bool:
        """Whether somebody said stop since the latest :meth:`resume`."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End the simulations as soon as those under way are done."""
        self._stop.set()
        self._forest.stop()

    def resume(self) -> None:
        """Forget a stop signal."""
        self._stop.clear()
        self._forest.mend()

    def warm_up(self, task: Task) -> None:
        """Compile what is not compiled yet, before a clock runs.

        Raises:
            InvalidConfig: If a function of the game's, or the formula, cannot be compiled.
        """
        if self._is_warm:
            return
        with compiling():
            self._simulate(self._forest.trees[0], self._workspaces[0], self._settings, task, 0)
            if self._compiled:
                compile_pruning()
                if self._joins:
                    compile_joining()
        self._is_warm = True

    def grow(
        self, task: Task, config: Config, begin: float, progress: Callable[[float], None] | None
    ) -> None:
        """Run simulations on all threads until the budget is spent or somebody says stop.

        *config* has the budget, which counts from *begin*, and the rewards; everything else stays
        as it was made. *progress* is told the part done, by this thread.
        """
        wanted = config.settings(self._game)
        self._settings = self._settings._replace(
            **{name: getattr(wanted, name) for name in RUN_SETTINGS}
        )
        if self._bias is not None:
            self._settings = self._settings._replace(rave_bias=self._bias.value)
        for workspace in self._workspaces:
            workspace.follow[0] = ALONE  # The tree may be another one.
        self._forest.vary(self._settings, self._workspaces[0].scratch)
        self._budget = budget = Budget(config, begin)
        helpers = [
            threading.Thread(
                target=self._work, args=(number, task, config, budget, None), daemon=True
            )
            for number in range(1, config.threads)
        ]
        for helper in helpers:
            helper.start()
        try:
            self._work(0, task, config, budget, progress)
        except BaseException:
            self.stop()
            raise
        finally:
            for helper in helpers:
                helper.join()
            self._budget = None
        if config.final_move == "robust-max" and config.simulations is not None:
            self._go_on(task, config, begin, config.simulations)
        if self._joins:
            self._forest.join(self._game.move_count)
        if self._bias is not None:
            for tree in self._forest.trees:
                self._bias.learn(tree)

    def credit(self, simulations: int) -> None:
        """Count simulations of others for the search under way, if there is one. Thread-safe."""
        budget = self._budget
        if budget is not None:
            budget.credit(simulations)

    @property
    def rave_bias(self) -> float:
        """The error assumed in AMAF values now: the configuration's, or what was learned."""
        return float(self._settings.rave_bias if self._bias is None else self._bias.value)

    def _go_on(self, task: Task, config: Config, begin: float, simulations: int) -> None:
        """Add simulations until the most visited move is the best one too, within limits."""
        trees = len(self._forest.trees)
        extra = int(simulations * ROBUST_MAX_EXTRA)
        # What this thread does; the others are not asked again.
        pace = simulations / max(time.perf_counter() - begin, 1e-6) / config.threads
        while extra > 0 and not self.is_stopped and not is_robust_max(self._forest.candidates()):
            step = min(extra, max(simulations // 20, 1))
            if config.seconds is not None:
                left = config.seconds - (time.perf_counter() - begin)
                step = min(step, int(pace * left))
            if step <= 0 or sum(self._slice(n, task, -(-step // trees)) for n in range(trees)) == 0:
                break
            extra -= step

    def _work(
        self,
        number: int,
        task: Task,
        config: Config,
        budget: Budget,
        progress: Callable[[float], None] | None,
    ) -> None:
        """Be one of the threads."""
        size = 1  # Grows while slices are short: nobody knows yet how long a simulation takes.
        # The least lately: other programs may have had the processor in between.
        cost = math.inf
        while not self.is_stopped:
            count = budget.take(budget.in_time(size, cost))
            if count == 0:
                return
            begin = time.perf_counter()
            done = self._slice(number, task, count)
            elapsed = time.perf_counter() - begin
            budget.report(count, done)
            if done < count and self._forest.is_decided(self._forest.place_of(number)):
                return
            if done > 0:
                cost = max(min(elapsed / done, SLOWER * cost), 1e-9)
                size = max(1, min(8 * size, int(SLICE_SECONDS / cost)))
            if progress is not None:
                progress(budget.part_done())
            if budget.is_checkpoint() and self._is_settled(config, budget):
                budget.close()

    def _slice(self, number: int, task: Task, count: int) -> int:
        """Run *count* simulations, making room when the tree is full; return how many were run."""
        place = self._forest.place_of(number)
        workspace, done = self._workspaces[number], 0
        while done < count and not self.is_stopped:
            with self._forest.entered(place) as tree:
                done += int(self._simulate(tree, workspace, self._settings, task, count - done))
            if tree.counters[FULL] != 0:
                self._forest.make_room(place)
            elif done < count:
                break
        return done

    def _is_settled(self, config: Config, budget: Budget) -> bool:
        """Say whether the most visited move cannot be overtaken any more.

        With a solver it never is: a proof may still overrule the visits.
        """
        if config.final_move != "robust" or config.solver:
            return False
        # Asked before the visits: what other threads do in between counts as still to come.
        left = budget.left()
        visits = self._forest.root_visits(self._game.move_count + 1)
        if visits is None:
            return False
        second, leader = np.partition(visits, -2)[-2:]
        # Simulations under way in other threads may count for more than one.
        excess = (config.threads - 1) * (config.virtual_loss - 1)
        return bool(leader - second - excess > left)

    def _ready(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function as the threads call it: a kernel, or an interpreted twin."""
        if self._compiled or not isinstance(function, Kernel):
            return function
        return interpreted(function)
