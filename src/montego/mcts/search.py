"""A search that remembers: position, tree and settings. The friendly side of the package."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from montego.jit import compile_off
from montego.jit.interrupt import stopped_by_ctrl_c
from montego.jit.state import new_scratch
from montego.mcts.checking import checked_history, checked_move, checked_state, compiling
from montego.mcts.config import SEEDS, Config
from montego.mcts.crew import Crew, Task
from montego.mcts.errors import InvalidConfig, InvalidMove, MctsError
from montego.mcts.forest import Forest
from montego.mcts.game import no_hash
from montego.mcts.kernels.backup import SCORE_UNIT
from montego.mcts.kernels.tree import capacity_for, check_memory
from montego.mcts.limits import packed_limits, root_limits
from montego.mcts.report import SearchResult, choose, elect, merge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from montego.jit.state import Scratch, State
    from montego.mcts.game import GameDefinition
    from montego.mcts.kernels.tree import Tree
    from montego.mcts.limits import MoveLimit
    from montego.mcts.report import Candidate


class Search:
    """A search of one game from a position that moves on with the game.

    >>> from montego.games.tic_tac_toe import tic_tac_toe
    >>> search = Search(tic_tac_toe(), Config(simulations=200_000, solver=True))
    >>> search.run().proof
    'draw'
    """

    def __init__(
        self,
        game: GameDefinition,
        config: Config | None = None,
        *,
        state: State | None = None,
        history: Iterable[int] = (),
    ) -> None:
        """Prepare to search *state*, or the game's beginning. *history* are hashes seen before.

        Raises:
            InvalidConfig: If the memory limit is too small for the game.
            MctsError: If *state* is no position of the game.
        """
        self.game = game
        self.config = Config() if config is None else config
        self._state = checked_state(game, game.initial_state())
        if state is not None:
            self._state = checked_state(game, state, len(self._state))
        self._history = checked_history(history)
        self._busy = threading.Lock()  # held while a search runs, or its position changes
        compiled = game.is_compiled and not compile_off()
        if self.config.threads > 1 and not compiled and not compile_off():
            raise InvalidConfig(
                "threads want a compiled game: interpreted functions run one at a time"
            )
        check_memory(self.config, game.name, game.move_count)
        trees = self.config.trees
        nodes, edges = capacity_for(self.config.memory / trees, game.move_count)
        keep_inverse_sqrt = self.config.settings(game).keep_inverse_sqrt
        try:
            self._forest = Forest(
                trees, nodes, edges, compiled=compiled, keep_inverse_sqrt=keep_inverse_sqrt
            )
        except MemoryError:
            raise InvalidConfig(
                f"invalid memory {self.config.memory:g}: this machine does not have so much"
            ) from None
        self._crew = Crew(game, self.config, self._forest, self._state, compiled=compiled)
        self._functions = self._crew.functions
        self._limits: tuple[MoveLimit, ...] = ()
        self._packed = packed_limits((), game.move_count)
        self._voter: Search | None = None  # the one that is searching, in majority voting
        self._results: list[SearchResult] = []  # of the voters before it

    @property
    def state(self) -> State:
        """A copy of the position that is searched."""
        return self._state.copy()

    @property
    def tree(self) -> Tree:
        """The tree; the first of them in root parallel search. Not a copy."""
        return self._forest.trees[0]

    @property
    def trees(self) -> list[Tree]:
        """The trees: one, or one for each thread in root parallel search. Not copies."""
        return list(self._forest.trees)

    @contextmanager
    def held(self) -> Iterator[Tree]:
        """Give :attr:`tree` to look at: it stays the tree meanwhile. A search goes on in it."""
        with self._forest.held() as trees:
            yield trees[0]

    @property
    def beginnings(self) -> int:
        """How often the search began anew, with nothing kept of its tree."""
        return self._forest.cleared

    @property
    def limited_depth(self) -> int:
        """At how many depths, from the root on, moves were left out of the latest search."""
        return int(self._packed[0])

    @property
    def is_stopped(self) -> bool:
        """Whether somebody said stop since the latest search began."""
        return self._crew.is_stopped

    def stop(self) -> None:
        """End a running search as soon as its simulations under way are done. Thread-safe."""
        self._crew.stop()

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the position; none if the game is over.

        Does not know about repetition: see ``GameDefinition.hash``.
        """
        moves = np.empty(self.game.move_count, np.int32)
        with compiling():
            count = self._functions.legal_moves(
                self._state.copy(), self.game.knowledge, self._own_scratch(), moves
            )
        return [int(move) for move in moves[:count]]

    def after(self, state: State, move: int) -> State:
        """Return the position after a move in another one. Legality is not checked."""
        after = np.array(state, np.int32)
        with compiling():
            self._functions.play(after, self.game.knowledge, self._own_scratch(), move)
        return after

    def play(self, move: int) -> None:
        """Play a move in the position, and keep what the tree knows about what follows it.

        Raises:
            InvalidMove: If it is not legal.
            MctsError: If a search is running.
        """
        with self._alone():
            self._play(move)

    def _play(self, move: int) -> None:
        if checked_move(self.game, move) not in self.legal_moves():
            raise InvalidMove(f"{self.game.format_move(self._state, move)} is not a legal move")
        scratch = self._own_scratch()
        if self.game.hash is not no_hash:
            self._history.append(
                int(self._functions.hash(self._state, self.game.knowledge, scratch))
            )
        self._state = self.after(self._state, move)
        if self.limited_depth > 1:
            # Below the root, too, nodes were expanded without some of their moves.
            self._forest.clear()
        else:
            self._forest.advance(move)
        self._results.clear()
        self._limits, self._packed = (), packed_limits((), self.game.move_count)

    def set_state(self, state: State, history: Iterable[int] = ()) -> None:
        """Search another position from now on; the tree starts anew.

        Raises:
            MctsError: If *state* is no position of the game, or a search is running.
        """
        with self._alone():
            # Kernels would write beyond the end of the workspace of a shorter one.
            self._state = checked_state(self.game, state, len(self._state))
            self._history = checked_history(history)
            self._results.clear()
            self._forest.clear()
            self._limits, self._packed = (), packed_limits((), self.game.move_count)

    def restrict(
        self,
        *,
        allowed: Iterable[int] | None = None,
        avoided: Iterable[int] = (),
        limits: Iterable[MoveLimit] = (),
    ) -> None:
        """Leave out moves near the root as :meth:`run` will when given the same.

        For those who want to know before a search how much of the tree is kept.

        Raises:
            InvalidMove: If the game does not have a move that is allowed, avoided or limited.
            MctsError: If a search is running.
        """
        with self._alone():
            self._restrict((*limits, *root_limits(allowed, avoided)))

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        allowed: Iterable[int] | None = None,
        avoided: Iterable[int] = (),
        limits: Iterable[MoveLimit] = (),
        progress: Callable[[Search, float], None] | None = None,
    ) -> SearchResult:
        """Search the position within the budget and return what was found.

        *simulations* and *seconds* replace the configuration's. *allowed* and *avoided* restrict
        the moves at the root, where that leaves any; *limits* does so for either player and below
        the root. A tree that was grown with other limits is given up.

        *progress* is called between slices with this search and the part done. Ctrl-C ends the
        search; the result so far is returned, and the interrupt is raised again only if nothing
        was found.

        Without any limit it goes on until :meth:`stop` is called. What has to be compiled is
        compiled before the seconds run.

        Raises:
            InvalidConfig: If the simulations or seconds are impossible, or the game's functions or
                a formula of one's own cannot be compiled.
            InvalidMove: If the game does not have a move that is allowed, avoided or limited.
            MctsError: If it is running already.
        """
        config = self._with_budget(simulations, seconds)
        with self._alone():
            self._restrict((*limits, *root_limits(allowed, avoided)))
            self._crew.resume()
            self._results.clear()
            with stopped_by_ctrl_c(self.stop) as interrupted:
                if config.votes > 1 and self._should_vote(config):
                    result = self._vote(config, progress)
                else:
                    result = self._search_once(config, progress)
        if interrupted.is_set() and not result.candidates:
            raise KeyboardInterrupt
        return result

    def candidates(self) -> list[Candidate]:
        """Return what is known of the root's moves, most visits first; also during a search."""
        voter, results = self._voter, list(self._results)
        if voter is not None or results:
            running = [] if voter is None else voter.candidates()
            return merge([*(result.candidates for result in results), running])
        return self._forest.candidates()

    def best(self) -> int | None:
        """Return the move to play as things stand, or None; also during a search."""
        results = list(self._results)
        chosen = elect(results)[0] if results else choose(self.candidates(), self.config.final_move)
        return None if chosen is None else chosen.move

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep others from changing the search meanwhile, and refuse if they are at it."""
        if not self._busy.acquire(blocking=False):
            raise MctsError("this search is running: wait until it has ended")
        try:
            yield
        finally:
            self._busy.release()

    def _own_scratch(self) -> Scratch:
        """Return scratch space for a game function: that of a running search is taken."""
        return new_scratch(self.game.longest_game, 0, self.game.scratch_room)

    def _with_budget(self, simulations: int | None, seconds: float | None) -> Config:
        config = self.config
        if simulations is not None or seconds is not None:
            config = replace(config, simulations=simulations, seconds=seconds)
        return config

    def _restrict(self, limits: tuple[MoveLimit, ...]) -> None:
        for limit in limits:
            for move in limit.moves:
                checked_move(self.game, move)
        self._limits = limits
        packed = packed_limits(limits, self.game.move_count)
        if not np.array_equal(packed, self._packed):
            self._packed = packed
            # Nodes expanded for other moves cannot be kept.
            self._forest.clear()

    # Growing the tree

    def _search_once(
        self, config: Config, progress: Callable[[Search, float], None] | None
    ) -> SearchResult:
        """Search in one tree, or one a thread, and return what was found."""
        before = self._forest.counted()
        task = Task(self._state, self._history, self._packed)
        self._crew.warm_up(task)
        begin = time.perf_counter()
        try:
            self._crew.grow(
                task,
                config,
                begin,
                None if progress is None else partial(progress, self),
            )
        except KeyboardInterrupt:
            # The second Ctrl-C, or one that the program handles itself.
            self.stop()
            if not self.candidates():
                raise
        return self._result(config, before, time.perf_counter() - begin)

    # Results

    def _result(self, config: Config, before: tuple[int, int], seconds: float) -> SearchResult:
        simulations, scores = (
            now - then for now, then in zip(self._forest.counted(), before, strict=True)
        )
        found = self.candidates()
        chosen = choose(found, config.final_move)
        return SearchResult(
            move=None if chosen is None else chosen.move,
            value=0.5 if chosen is None else chosen.value,
            simulations=simulations,
            seconds=seconds,
            mean_score=scores / SCORE_UNIT / simulations if simulations else 0.0,
            candidates=tuple(found),
            proof=self._forest.proof(),
        )

    def _should_vote(self, config: Config) -> bool:
        """Apply 000's rule F: vote where there are more than k simulations a move."""
        if config.simulations is None:
            return True
        return config.simulations / max(len(self.legal_moves()), 1) > config.votes_threshold

    def _vote(
        self, config: Config, progress: Callable[[Search, float], None] | None
    ) -> SearchResult:
        """Search several times with a part of the budget each; the majority decides."""
        begin = time.perf_counter()
        results = self._results

        def report(voter: Search, part: float) -> None:
            if self._crew.is_stopped:
                voter.stop()
            if progress is not None:
                progress(self, (number + part) / config.votes)

        for number in range(config.votes):
            share = None
            if config.simulations is not None:
                share = (config.simulations + number) // config.votes  # They add up exactly.
            seconds = None if config.seconds is None else config.seconds / config.votes
            if share == 0:
                continue
            part = replace(
                config,
                votes=1,
                simulations=share,
                seconds=seconds,
                seed=(config.seed + number) % SEEDS,
            )
            voter = Search(self.game, part, state=self._state, history=self._history)
            self._voter = voter
            try:
                results.append(voter.run(limits=self._limits, progress=report))
                interrupted = self._crew.is_stopped or voter._crew.is_stopped  # Its own class.
            except KeyboardInterrupt:
                if not results:
                    raise
                interrupted = True
            finally:
                self._voter = None
            if interrupted:
                break
        chosen, votes = elect(results)
        simulations = sum(result.simulations for result in results)
        return SearchResult(
            move=None if chosen is None else chosen.move,
            value=0.5 if chosen is None else chosen.value,
            simulations=simulations,
            seconds=time.perf_counter() - begin,
            mean_score=sum(r.mean_score * r.simulations for r in results) / max(simulations, 1),
            candidates=tuple(self.candidates()),
            proof=next((result.proof for result in results if result.proof), None),
            votes=tuple(votes),
        )
