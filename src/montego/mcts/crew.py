"""The threads of a search: they run simulations slice by slice until the budget is spent.

A slice takes a few milliseconds, so that the clock, a stop signal and Ctrl-C are noticed in
between; the stop signal ends even a slice at once.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.jit import Kernel, interpreted
from montego.jit.state import new_scratch
from montego.mcts.budget import Budget
from montego.mcts.checking import compiling
from montego.mcts.kernels.pruning import compile_pruning
from montego.mcts.kernels.selection import selector_of
from montego.mcts.kernels.settings import REWARD_SETTINGS
from montego.mcts.kernels.simulation import simulator_of
from montego.mcts.kernels.tree import FULL
from montego.mcts.kernels.workspace import new_workspace
from montego.mcts.report import is_robust_max

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from montego.jit.state import State
    from montego.mcts.config import Config
    from montego.mcts.forest import Forest
    from montego.mcts.game import GameDefinition
    from montego.mcts.kernels.tree import Tree

SLICE_SECONDS = 0.004
ROBUST_MAX_EXTRA = 0.5  # Share of the simulations that "robust-max" may add.


class Task(NamedTuple):
    """What is searched: a position, the hashes before it, and the moves left out, packed."""

    state: State
    history: Sequence[int]
    limits: NDArray[np.int32]


class Functions(NamedTuple):
    """What ``simulate`` is given first, in its order."""

    selection: Callable[..., int]
    legal_moves: Callable[..., int]
    play: Callable[..., Any]
    score: Callable[..., float]
    playout: Callable[..., float]
    priors: Callable[..., Any]
    experience: Callable[..., Any]
    hash: Callable[..., int]


class Crew:
    """Grows the trees of a forest. One search at a time; only :meth:`stop` is for other threads."""

    def __init__(
        self, game: GameDefinition, config: Config, forest: Forest, state: State, *, compiled: bool
    ) -> None:
        """Get ready for positions as long as *state*."""
        self._game = game
        self._forest = forest
        self._compiled = compiled
        self._settings = config.settings(game)
        self._simulate: Callable[..., int] = self._ready(simulator_of(config.selection))
        self.functions = self._bind(config.selection)
        """The game's functions, compiled or interpreted, all the same way."""
        self._workspaces = [
            new_workspace(
                state,
                new_scratch(game.longest_game, config.seed + (number << 32), game.scratch_room),
                game.move_count,
                game.longest_game,
            )
            for number in range(config.threads)
        ]
        self._stop = threading.Event()
        self._is_warm = False

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
            self._simulate_in(self._forest.trees[0], 0, task, 0)
            if self._compiled:
                compile_pruning()
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
            **{name: getattr(wanted, name) for name in REWARD_SETTINGS}
        )
        budget = Budget(config, begin)
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
        if config.final_move == "robust-max" and config.simulations is not None:
            self._go_on(task, config, begin, config.simulations)

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
        while not self.is_stopped:
            count = budget.take(size)
            if count == 0:
                return
            begin = time.perf_counter()
            done = self._slice(number, task, count)
            elapsed = time.perf_counter() - begin
            budget.report(count, done)
            if done < count:
                if self._forest.is_decided(self._forest.place_of(number)):
                    return
            elif count == size:
                size = max(1, int(size * min(8.0, SLICE_SECONDS / max(elapsed, 1e-6))))
            if progress is not None:
                progress(budget.part_done())
            if budget.is_checkpoint() and self._is_settled(config, budget):
                budget.close()

    def _slice(self, number: int, task: Task, count: int) -> int:
        """Run *count* simulations, making room when the tree is full; return how many were run."""
        place = self._forest.place_of(number)
        done = 0
        while done < count and not self.is_stopped:
            with self._forest.entered(place) as tree:
                done += self._simulate_in(tree, number, task, count - done)
            if tree.counters[FULL] != 0:
                self._forest.make_room(place)
            elif done < count:
                break
        return done

    def _simulate_in(self, tree: Tree, number: int, task: Task, count: int) -> int:
        """Run up to *count* simulations in a tree, with the workspace of that number."""
        return int(
            self._simulate(
                *self.functions,
                tree,
                self._workspaces[number],
                self._settings,
                task.state,
                self._game.knowledge,
                np.array(task.history, np.uint64),
                task.limits,
                1 - int(self._game.to_play(task.state)),
                count,
            )
        )

    def _is_settled(self, config: Config, budget: Budget) -> bool:
        """Say whether the most visited move cannot be overtaken any more.

        With a solver it never is: a proof may still overrule the visits.
        """
        if config.final_move != "robust" or config.solver:
            return False
        visits = self._forest.root_visits(self._game.move_count + 1)
        if visits is None:
            return False
        second, leader = np.partition(visits, -2)[-2:]
        # Simulations under way in other threads may count for more than one.
        excess = (config.threads - 1) * (config.virtual_loss - 1)
        return bool(leader - second - excess > budget.left())

    def _bind(self, selection: str | Kernel[..., float]) -> Functions:
        game = self._game
        return Functions(
            self._ready(selector_of(selection)),
            self._ready(game.legal_moves),
            self._ready(game.play),
            self._ready(game.score),
            self._ready(game.playout),
            self._ready(game.priors),
            self._ready(game.experience),
            self._ready(game.hash),
        )

    def _ready(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function as the threads call it: a kernel, or an interpreted twin."""
        if self._compiled or not isinstance(function, Kernel):
            return function
        return interpreted(function)
