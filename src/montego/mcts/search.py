"""A search that remembers: position, tree and settings. The friendly side of the package."""

from __future__ import annotations

import threading
import time
import uuid
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np

from montego.jit import compile_off
from montego.jit.interrupt import stopped_by_ctrl_c
from montego.jit.state import new_scratch
from montego.mcts.config import SEEDS, SHARED_DEPTH, SHARED_LEAST, Config
from montego.mcts.errors import InvalidConfig, InvalidMove, MctsError, compiling
from montego.mcts.final_move import final_choice
from montego.mcts.forest import Forest, check_memory
from montego.mcts.game import alternating, no_hash
from montego.mcts.kernels.backup import SCORE_UNIT
from montego.mcts.kernels.tree import capacity_for
from montego.mcts.kernels.workspace import Task
from montego.mcts.limits import packed_limits, root_limits
from montego.mcts.report import SearchResult, elect, merge
from montego.mcts.sharing import Order
from montego.mcts.threads import Threads
from montego.mcts.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from montego.jit.state import Scratch, State
    from montego.mcts.forest import TreeSize
    from montego.mcts.game import GameDefinition
    from montego.mcts.kernels.tree import Tree
    from montego.mcts.limits import MoveLimit
    from montego.mcts.report import Candidate
    from montego.mcts.sharing import Fellows, SharedTable
    from montego.mcts.view import NodeView


ONE_TREE = "only a search with one tree can share it: root parallel search has several"


class Changes(TypedDict, total=False):
    """What a run may do otherwise than the configuration says. The tree goes on all the same."""

    simulations: int | None
    """With this or ``seconds``, both are those of the run; what is not named has no limit."""
    seconds: float | None
    early_stop: bool
    final_move: str
    votes: int
    reward_points: float


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
        fellows: Fellows | None = None,
    ) -> None:
        """Prepare to search *state*, or the game's beginning. *history* are hashes seen before.

        *fellows* search with it: they hear when a run begins and ends, but for voting ones.

        Raises:
            InvalidConfig: If the memory limit is too small for the game, or there are several trees
                and *fellows*.
            MctsError: If *state* is no position of the game.
        """
        self._game = game
        self._config = config = Config() if config is None else config
        self._state = checked_state(game, game.initial_state())
        if state is not None:
            self._state = checked_state(game, state, len(self._state))
        self._history = checked_history(history)
        self._busy = threading.Lock()  # held while a search runs, or its position changes
        compiled = game.is_compiled and not compile_off()
        if config.threads > 1 and not compiled and not compile_off():
            raise InvalidConfig(
                "threads want a compiled game: interpreted functions run one at a time"
            )
        check_memory(config, game.name, game.move_count)
        trees = config.trees
        if trees > 1 and fellows is not None:
            raise InvalidConfig(ONE_TREE)
        nodes, edges = capacity_for(config.memory / trees, game.move_count)
        settings = config.settings(game)
        try:
            self._forest = Forest(
                trees,
                nodes,
                edges,
                compiled=compiled,
                judged=settings.evaluation > 0.0,
                gumbel=settings.gumbel != 0,
                keep_inverse_sqrt=settings.keep_inverse_sqrt,
                scores=config.reward_window,
                plays=2 * game.move_count if settings.amaf_tree else 0,
            )
        except MemoryError:
            raise InvalidConfig(
                f"invalid memory {config.memory:g}: this machine does not have so much"
            ) from None
        self._threads = Threads(game, config, self._forest, self._state, compiled=compiled)
        self._functions = self._threads.functions
        self._limits: tuple[MoveLimit, ...] = ()
        self._packed = packed_limits((), game.move_count)
        self._fellows = fellows
        self._line, self._moves = _new_line(), list[int]()  # As an Order has them.
        self._voter: Search | None = None  # the one that is searching, in majority voting
        self._results: list[SearchResult] = []  # of the voters before it

    @property
    def game(self) -> GameDefinition:
        """The game that is searched."""
        return self._game

    @property
    def config(self) -> Config:
        """What the search was made with. :meth:`run` takes what may differ from run to run."""
        return self._config

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
    def held(self) -> Iterator[None]:
        """Keep the trees what they are while somebody looks at them. A search goes on in them."""
        with self._forest.held():
            yield

    def root(self) -> NodeView:
        """Return what is known of the position now, also during a search.

        In root parallel search by the first tree; majority voting leaves nothing to look at.
        """
        return self.roots()[0]

    def roots(self) -> list[NodeView]:
        """Return what each tree knows of the position now: see :meth:`root`."""
        return [view_of(tree) for tree in self._forest.trees]

    def counted(self) -> tuple[int, float]:
        """Return the simulations since the root became what it is, and the sum of their scores.

        Scores are the first player's. Also during a search.
        """
        simulations, scores = self._forest.counted()
        return simulations, scores / SCORE_UNIT

    def size(self) -> TreeSize:
        """Return how large the tree is; the first of them in root parallel search."""
        return self._forest.size()

    def advise(self, visits: Mapping[int, float]) -> bool:
        """Add won visits to the prior knowledge of moves at the root; also during a search.

        Say whether the root has its moves: before that nothing can be added. What was added once is
        not added again, until the root moves or the tree begins anew.
        """
        return self._forest.advise(visits)

    def inherit(self, uncles: Iterable[Candidate], share: float) -> None:
        """Let the root's moves begin with a *share* of the same moves' visits two plies before.

        Document 004's grandparent knowledge for the move that is really to be made (4.3.6.1). The
        root must have its moves already; they count as prior knowledge.
        """
        self._forest.inherit(list(uncles), share)

    def share(self, depth: int = SHARED_DEPTH, least: float = SHARED_LEAST) -> SharedTable:
        """Return what nodes near the root have gained since the last call; also during a search.

        Of those that fewer than *depth* moves lead to, and that have at least a share of *least* of
        the root's visits. What came by :meth:`absorb` is not among it. Threads wait meanwhile,
        about a millisecond.

        Raises:
            MctsError: If there are several trees, or the depth is not 1 or more.
        """
        self._refuse_several_trees()
        if depth < 1:
            raise MctsError(f"invalid depth {depth}: say 1 or more")
        return self._forest.share(depth, least)

    def absorb(self, table: SharedTable) -> None:
        """Add what others have gained in the same position; also during a search.

        The order in which tables come does not matter. Their simulations count as this search's: to
        its limit, too. What is about nodes that are not in the tree yet waits until they are.

        Raises:
            MctsError: If there are several trees.
        """
        self._refuse_several_trees()
        self._forest.absorb(table)
        self._threads.credit(table.simulations)

    def _refuse_several_trees(self) -> None:
        if self._config.trees > 1:
            raise MctsError(ONE_TREE)

    @property
    def rave_bias(self) -> float:
        """The error assumed in all-moves-as-first values: as configured, or learned so far."""
        return self._threads.rave_bias

    @property
    def tree_identity(self) -> object:
        """What stands for the tree: the same object as long as anything of the tree is kept."""
        return self._forest.identity

    @property
    def limited_depth(self) -> int:
        """At how many depths, from the root on, moves were left out of the latest search."""
        return int(self._packed[0])

    @property
    def is_stopped(self) -> bool:
        """Whether somebody said stop since the latest search began."""
        return self._threads.is_stopped

    def stop(self) -> None:
        """End a running search as soon as its simulations under way are done. Thread-safe."""
        self._threads.stop()

    def legal_moves(self) -> list[int]:
        """Return the legal moves of the position; none if the game is over.

        Does not know about repetition: see ``GameDefinition.hash``.
        """
        moves = np.empty(self._game.move_count, np.int32)
        with compiling():
            count = self._functions["legal_moves"](
                self._state.copy(), self._game.knowledge, self._own_scratch(), moves
            )
        return [int(move) for move in moves[:count]]

    def after(self, state: State, move: int) -> State:
        """Return the position after a move in another one. Legality is not checked."""
        after = np.array(state, np.int32)
        with compiling():
            self._functions["play"](after, self._game.knowledge, self._own_scratch(), move)
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
        if checked_move(self._game, move) not in self.legal_moves():
            raise InvalidMove(f"{self._game.format_move(self._state, move)} is not a legal move")
        scratch = self._own_scratch()
        if self._game.hash is not no_hash:
            self._history.append(
                int(self._functions["hash"](self._state, self._game.knowledge, scratch))
            )
        self._state = self.after(self._state, move)
        self._moves.append(int(move))
        if self.limited_depth > 1:
            # Below the root, too, nodes were expanded without some of their moves.
            self._forest.clear()
        else:
            self._forest.advance(move)
        self._results.clear()
        self._limits, self._packed = (), packed_limits((), self._game.move_count)

    def set_state(self, state: State, history: Iterable[int] = ()) -> None:
        """Search another position from now on; the tree starts anew.

        Raises:
            MctsError: If *state* is no position of the game, or a search is running.
        """
        with self._alone():
            # Kernels would write beyond the end of the workspace of a shorter one.
            self._state = checked_state(self._game, state, len(self._state))
            self._history = checked_history(history)
            self._line, self._moves = _new_line(), []
            self._results.clear()
            self._forest.clear()
            self._limits, self._packed = (), packed_limits((), self._game.move_count)

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
        allowed: Iterable[int] | None = None,
        avoided: Iterable[int] = (),
        limits: Iterable[MoveLimit] = (),
        progress: Callable[[Search, float], None] | None = None,
        **changes: Unpack[Changes],
    ) -> SearchResult:
        """Search the position within the budget and return what was found.

        *changes* are what differs from the configuration in this run. *allowed* and *avoided*
        restrict the moves at the root, where that leaves any; *limits* does so for either player
        and below the root. A tree that was grown with other limits is given up.

        *progress* is called between slices with this search and the part done. Ctrl-C ends the
        search; the result so far is returned, and the interrupt is raised again only if nothing
        was found.

        Without any limit it goes on until :meth:`stop` is called. What has to be compiled is
        compiled before the seconds run.

        Raises:
            InvalidConfig: If a change is impossible, or the game's functions or a formula of one's
                own cannot be compiled.
            InvalidMove: If the game does not have a move that is allowed, avoided or limited.
            MctsError: If it is running already.
        """
        config = self._changed(changes)
        with self._alone():
            self._restrict((*limits, *root_limits(allowed, avoided)))
            self._threads.resume()
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
        chosen = elect(results)[0] if results else final_choice(self.candidates(), self._config)
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
        return new_scratch(self._game.longest_game, 0, self._game.scratch_room)

    def _changed(self, changes: Changes) -> Config:
        """Return the configuration of one run."""
        unknown = set(changes) - Changes.__annotations__.keys()
        if unknown:
            raise TypeError(f"a run cannot change {', '.join(sorted(unknown))}")
        if "simulations" in changes or "seconds" in changes:
            changes = {"simulations": None, "seconds": None, **changes}
        return replace(self._config, **changes)

    def _restrict(self, limits: tuple[MoveLimit, ...]) -> None:
        for limit in limits:
            for move in limit.moves:
                checked_move(self._game, move)
        self._limits = limits
        in_turn = self._game.turn is alternating
        packed = packed_limits(limits, self._game.move_count, in_turn=in_turn)
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
        task = self._task()
        self._threads.warm_up(task)
        begin = time.perf_counter()
        try:
            with self._accompanied(config):
                self._threads.grow(
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

    @contextmanager
    def _accompanied(self, config: Config) -> Iterator[None]:
        """Let fellows search meanwhile, if there are any."""
        fellows = self._fellows
        if fellows is None:
            yield
            return
        order = Order(
            line=self._line,
            moves=tuple(self._moves),
            state=self._state.copy(),
            history=tuple(self._history),
            limits=self._limits,
            reward_points=config.reward_points,
        )
        fellows.begin(self, order)
        try:
            yield
        finally:
            fellows.end()

    def obey(self, order: Order) -> None:
        """Go to the position of an order, with its limits, and keep what the tree knows of it.

        Raises:
            InvalidMove: If the game does not have a move of its limits.
            MctsError: If it is no position of the game, or a search is running.
        """
        with self._alone():
            known = len(self._moves)
            if self._line == order.line and list(order.moves[:known]) == self._moves:
                for move in order.moves[known:]:
                    self._play(move)
        if self._line != order.line or not np.array_equal(self._state, order.state):
            self.set_state(order.state, order.history)
            self._line, self._moves = order.line, list(order.moves)
        self.restrict(limits=order.limits)

    def _task(self) -> Task:
        """Return what is searched, as kernels take it."""
        return Task(
            start=self._state,
            knowledge=self._game.knowledge,
            history=np.array(self._history, np.uint64),
            limits=self._packed,
            first_player=1 - int(self._game.to_play(self._state)),
        )

    # Results

    def _result(self, config: Config, before: tuple[int, int], seconds: float) -> SearchResult:
        simulations, scores = (
            now - then for now, then in zip(self._forest.counted(), before, strict=True)
        )
        found = self.candidates()
        chosen = final_choice(found, config)
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
            if self._threads.is_stopped:
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
            voter = Search(self._game, part, state=self._state, history=self._history)
            self._voter = voter
            try:
                results.append(voter.run(limits=self._limits, progress=report))
                interrupted = self.is_stopped or voter.is_stopped
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


def _new_line() -> str:
    return uuid.uuid4().hex


def checked_state(game: GameDefinition, state: object, length: int | None = None) -> State:
    """Return a copy of a position, of *length* numbers if that is known.

    Raises:
        MctsError: If it is no position: not a flat array of whole numbers of 32 bits.
    """
    try:
        numbers = np.array(state)
    except ValueError:  # Rows of different lengths.
        numbers = np.empty(0)
    if numbers.ndim != 1 or (length is not None and len(numbers) != length):
        wanted = "a flat array of numbers" if length is None else f"{length} numbers"
        raise MctsError(f"a position of {game.name} has {wanted}")
    with np.errstate(invalid="ignore"):
        whole = numbers.astype(np.int32) if numbers.dtype.kind in "biuf" else numbers[:0]
    if not np.array_equal(whole, numbers):
        raise MctsError(f"a position of {game.name} has whole numbers of 32 bits")
    return whole


def checked_history(history: Iterable[int]) -> list[int]:
    """Return the hashes of earlier positions.

    Raises:
        MctsError: If one is no whole number of 64 bits.
    """
    hashes = []
    for value in history:
        if not isinstance(value, (int, np.integer)) or not 0 <= value < 2**64:
            raise MctsError(f"{value!r} is no hash: say a whole number from 0, of 64 bits")
        hashes.append(int(value))
    return hashes


def checked_move(game: GameDefinition, move: int) -> int:
    """Return *move* if the game has such a move, legal or not.

    Raises:
        InvalidMove: If it has none.
    """
    if not isinstance(move, (int, np.integer)) or not 0 <= move < game.move_count:
        raise InvalidMove(f"{move!r} is not a move of {game.name}")
    return int(move)
