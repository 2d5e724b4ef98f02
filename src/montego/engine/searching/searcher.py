"""The search of one game: it follows the moves, keeps its tree, and speaks in vertices.

Not thread-safe but for :meth:`Searcher.stop`; the player takes care of that. A search must be
compiled first, which a :class:`Preparation` does in the background: once in a process, and from a
warm cache in about a second. The search itself keeps only wins: scores and owners of points are in
:mod:`montego.engine.searching.samples`.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.engine.ending.judgement import judge_position
from montego.engine.ending.ownership import sample_ownership
from montego.engine.ending.reading import read_fate
from montego.engine.knowledge.definition import go_game, history_of, position_of, search_komi
from montego.engine.knowledge.experience import key_of, recall
from montego.engine.knowledge.judged import open_network
from montego.engine.knowledge.tuning import BEGUN_ANEW
from montego.engine.searching.analysis import Analysis, MoveInfo
from montego.engine.searching.samples import NetworkSamples, PlayoutSamples
from montego.engine.searching.tutor import tutor_of
from montego.go.game import Game, Move
from montego.go.kernels.layout import TO_PLAY, all_points, format_move, parse_move
from montego.go.playout.knowledge import KOMI
from montego.go.vocabulary.color import format_color, parse_color
from montego.jit import compile_off
from montego.mcts.errors import InvalidConfig, InvalidMove
from montego.mcts.final_move import final_choice
from montego.mcts.game import no_evaluation
from montego.mcts.kernels.functions import FUNCTIONS
from montego.mcts.limits import MoveLimit
from montego.mcts.search import Search
from montego.network.description import OWNERSHIP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from montego.engine.book import BookKeeper
    from montego.engine.ending.ownership import PlayoutSums
    from montego.engine.options.options import Options
    from montego.engine.searching.analysis import VertexLimit
    from montego.engine.searching.samples import Samples
    from montego.go.game import Setup
    from montego.go.vocabulary.rules import Rules
    from montego.jit.state import State
    from montego.mcts.config import Config
    from montego.mcts.game import GameDefinition
    from montego.mcts.report import Candidate
    from montego.mcts.search import Changes
    from montego.mcts.sharing import Fellows
    from montego.network.network import Network

PATIENCE = 3.0  # Seconds before a person is told what takes so long.
SMALLEST_MEMORY = 32.0  # Megabytes; the trees of the largest board want a few.
MESSAGE = "montego: getting the search ready; the first time this may take a minute"

_LOCK = threading.Lock()
_PREPARATIONS: dict[tuple[object, ...], Preparation] = {}


class Preparation:
    """The compilation of one kind of search, under way or done."""

    def __init__(self, definition: GameDefinition, config: Config) -> None:
        """Begin, in a thread."""
        self._done = threading.Event()
        self._told = False  # that it takes long
        self._definition = definition
        self._config = config
        self.error: Exception | None = None
        """Why it failed, if it did."""
        self.can_judge = False
        """Whether the judgement of the end is compiled too; that comes last."""
        threading.Thread(target=self._compile, name="compilation", daemon=True).start()

    @property
    def is_ready(self) -> bool:
        """Whether a search can start at once."""
        return self._done.is_set() and self.error is None

    def wait(self, seconds: float | None, is_interrupted: Callable[[], bool]) -> bool:
        """Wait until it is done, or time is up, or the caller has had enough; say if it is ready.

        Tells people on standard error if it takes long.
        """
        begin = time.monotonic()
        while not self._done.is_set():
            elapsed = time.monotonic() - begin
            if is_interrupted() or (seconds is not None and elapsed >= seconds):
                break
            self._done.wait(0.02)
            if elapsed > PATIENCE and not self._told:
                sys.stderr.write(f"{MESSAGE}\n")
                self._told = True
        return self.is_ready

    def _compile(self) -> None:
        """Run a tiny search and a few playouts: the types are then right by construction."""
        try:
            self._compile_search()
            self._done.set()
            _compile_judgement()
            self.can_judge = True
        except Exception as error:  # noqa: BLE001  # Whatever it is, the player plays on without.
            if not self._done.is_set():
                self.error = error
            sys.stderr.write(f"montego: the search cannot be compiled: {error}\n")
        finally:
            self._done.set()

    def _compile_search(self) -> None:
        config = replace(self._config, threads=1, memory=SMALLEST_MEMORY)
        search = Search(self._definition, config)
        search.play(search.run(simulations=2, votes=1).candidates[0].move)
        if self._definition.experience is recall:
            key_of(search.state)  # Whoever loads experience asks for it, before the search.
        sample_ownership(search.state, self._definition, 1)


def _compile_judgement() -> None:
    """Judge a tiny game, and read a chain's fate, which that may not need."""
    game = Game(3)
    game.play("black", "B2")
    judge_position(game, playouts=2, simulations=2)
    state, points = game.board.state, list(all_points(3))
    read_fate(state, go_game(3), [points[4]], points, simulations=2)


def preparation_for(definition: GameDefinition, config: Config) -> Preparation:
    """Return the preparation of that kind of search, the same one each time.

    Board size, komi and numbers of the configuration make no difference to compiled code.
    """
    functions = (getattr(definition, name) for name in FUNCTIONS)
    key = (*functions, config.selection, compile_off())
    with _LOCK:
        if key not in _PREPARATIONS:
            _PREPARATIONS[key] = Preparation(definition, config)
        return _PREPARATIONS[key]


POINTS = 0.8  # Of the reward in a decided game; the rest keeps it from risking the win.
TREE_KOMI = 3.0  # Points that komi may change by before the tree is thrown away.
LEAST_SECONDS = 0.01  # Of a part of a search.
LEAST_BELIEF = 1e-3  # In a move that nothing speaks for.
PLIES = 4  # Searches of a game that are remembered for those who inherit.


class RootStanding(NamedTuple):
    """The two leading moves at the root; of one tree, if each thread has its own."""

    visits: int
    """Of the most visited move."""
    second_visits: int
    value: float
    second_value: float
    simulations: int
    """Made in this search so far."""


class Searcher:
    """Searches the positions of a game as it goes on."""

    def __init__(
        self,
        options: Options,
        size: int,
        rules: Rules,
        *,
        keeper: BookKeeper | None = None,
        fellows: Fellows | None = None,
    ) -> None:
        """Get ready for games on that board; what is to be compiled is compiled in a thread.

        *keeper* has the book, if the options want one; it is not used where values are no chances
        to win. *fellows* search with it, but for searches that vote or have several trees.

        Raises:
            GoError: If the options name a file that cannot be read.
        """
        self.key = (options, size, rules)
        """What it was made for: with another key, make another."""
        self.size = size
        definition = options.game_definition(size, rules, 0.0)
        if definition.evaluate is no_evaluation:
            options = options.replace(network=None)  # Nothing here runs one.
        # Komi is written to a copy: definitions may be shared.
        self.definition: GameDefinition = replace(definition, knowledge=definition.knowledge.copy())
        self.config: Config = options.search_config(size)
        """As the options have it."""
        alone = self.config.trees > 1 or self.config.votes > 1
        self._fellows = None if alone else fellows
        self.preparation: Preparation = preparation_for(self.definition, self.config)
        self.is_judged: bool = (
            self.config.evaluation > 0.0 and self.definition.evaluate is not no_evaluation
        )
        """Whether a network judges positions, and gives moves their chances."""
        path = options.on_board(size).network_path(size) if self.is_judged else None
        self._network: Network | None = None if path is None else open_network(path)
        # A network says who wins, not by how much.
        self._may_count_points = _may_count_points(self.config) and not self.is_judged
        self.counts_points = False
        """Whether moves are compared by points now; :meth:`follow` decides."""
        self.offset = 0.0
        """Points of komi that are only imagined; :meth:`follow` is told. None with a network."""
        self._komi = 0.0  # the true one, and what of the tree was made with
        self._tree_komi = 0.0
        self._is_mixed = False  # Whether some of the tree was made with another.
        self._keeper = keeper if options.book and _rewards_wins(self.config) else None
        self._search: Search | None = None
        self._history: list[Move | Setup] | None = None  # of the game, up to the root
        # Of the latest run: when it began, simulations and scores of its parts that are over, and
        # what the search had counted before the part under way.
        self._begun = 0.0
        self._made = (0, 0.0)
        self._before: tuple[int, float] | None = None
        self._begins_anew = options.fresh_tree
        self._tutor = tutor_of(options, size)
        # Grandparent knowledge: how much of it, what searches of this game found, by the moves
        # before them, and what the moves at the root are still to begin with.
        self._share = options.grandparent
        self._past: list[tuple[list[Move | Setup], list[Candidate]]] = []
        self._uncles: list[Candidate] = []
        self._votes: tuple[tuple[int, int], ...] = ()  # of the latest run
        self._samples: Samples | None = None
        self._sampled: PlayoutSums | None = None  # the position at the latest glance that sampled

    @property
    def search(self) -> Search:
        """The search, from the first :meth:`follow` on."""
        assert self._search is not None  # noqa: S101  # follow() comes first.
        return self._search

    # The position

    def allocate(self, game: Game) -> None:
        """Take the memory of the trees now, not in the time of the next move."""
        if self._search is None:
            target = position_of(game, game.to_play)
            self._search = Search(self.definition, self.config, state=target, fellows=self._fellows)
            self._history = None

    def follow(
        self,
        game: Game,
        color: str,
        offset: float = 0.0,
        *,
        points: bool = False,
        exact: bool = False,
    ) -> bool:
        """Go to the position of *game* with *color* to play; say whether the tree begins anew.

        It is kept if it leads there. *offset* is added to komi in the search's eyes; a tree that
        was made with about that komi will do, unless it has to be *exact*. With *points* the search
        will reward a score above the average more than a win, for games that are decided; not where
        the options choose a reward of their own. A game that two passes ended goes on.
        """
        target = position_of(game, color)
        # A network has learned with few komis, and its policy needs none to find good moves.
        offset = 0.0 if self.is_judged else offset
        self.note()
        komi = search_komi(game, color)
        self.definition.knowledge[KOMI] = komi + offset
        if self._fellows is not None:
            self._fellows.knowledge[KOMI] = komi + offset
        self.offset = offset
        self.allocate(game)
        search = self.search
        points = points and self._may_count_points
        difference = abs(komi + offset - self._tree_komi)
        stale = komi != self._komi or difference > TREE_KOMI or points != self.counts_points
        stale |= exact and (difference > 0 or self._is_mixed)
        stale |= self._begins_anew and game.history != self._history
        anew = stale or not self._advance(search, game, target)
        self._is_mixed = not anew and (self._is_mixed or difference > 0)
        if anew:
            search.set_state(target, history_of(game))
            self._tree_komi = komi + offset
            self.counts_points = points
        if self._keeper is not None:
            # What is found with another komi, or for points, no book knows.
            self._keeper.load(search, game, imagined=offset != 0.0 or points)
            if self._is_outdone():
                search.set_state(target, history_of(game))
                anew = True
        self._komi = komi
        if self._share > 0.0 and game.history != self._history:
            self._uncles = self._found_before(game.history)
        self._history = game.history
        self._samples = self._sampled = None
        return anew

    def relearn(self, game: Game, is_over: Callable[[], bool]) -> None:
        """Learn local shape anew from where :meth:`follow` went, if the options want it.

        The tree begins anew then: its moves began with what was known before. *is_over* says when
        to end early.
        """
        if self._tutor is None:
            return
        state = self.search.state.copy()
        self._tutor.learn(self.definition.knowledge, game.history, state, is_over)
        self.search.set_state(state, history_of(game))

    def _advance(self, search: Search, game: Game, target: State) -> bool:
        """Play what was played since; say whether the search stands at *target* now."""
        history, known = game.history, self._history
        if known is None or history[: len(known)] != known:
            return False
        for step in history[len(known) :]:
            if not isinstance(step, Move) or parse_color(step.color) != search.state[TO_PLAY]:
                return False
            try:
                search.play(parse_move(step.vertex, self.size))
            except InvalidMove:
                return False  # A filled eye, which the search does not consider, or superko.
        return np.array_equal(search.state, target)

    def _found_before(self, history: list[Move | Setup]) -> list[Candidate]:
        """Return what the search two moves before this position found, if there was one."""
        for moves, found in reversed(self._past):
            if history[:-2] == moves:
                return found
        return []

    def _inherit(self, limits: list[MoveLimit], avoided: list[int]) -> tuple[int, float]:
        """Let the root's moves begin with the statistics of their uncles, once a position.

        Return the simulations that gave the root its moves, and their scores.
        """
        uncles, self._uncles = self._uncles, []
        if not uncles:
            return 0, 0.0
        found = self.search.run(simulations=1, votes=1, limits=limits, avoided=avoided)
        self.search.inherit(uncles, self._share)
        return found.simulations, found.mean_score * found.simulations

    def restrict(self, limits: Iterable[VertexLimit]) -> None:
        """Leave out moves as :meth:`run` will; what of the tree is not kept then is gone."""
        self.search.restrict(limits=self._move_limits(limits))

    def _move_limits(self, limits: Iterable[VertexLimit]) -> list[MoveLimit]:
        """Return limits as the search knows them: in moves, and for whose turn it is."""
        to_play = int(self.search.state[TO_PLAY])
        return [
            MoveLimit(
                moves=frozenset(parse_move(vertex, self.size) for vertex in limit.vertices),
                only=limit.only,
                depth=limit.until_depth,
                opponent=parse_color(limit.color) != to_play,
            )
            for limit in limits
            if limit.until_depth > 0
        ]

    def vertex(self, move: int) -> str:
        """Return the vertex of a move of the search."""
        return format_move(move, self.size)

    # The search

    def run(
        self,
        *,
        simulations: int | None,
        seconds: float | None,
        early_stop: bool | None = None,
        limits: Iterable[VertexLimit] = (),
        avoided: Iterable[str] = (),
        watch: Callable[[float], bool],
        pause: Callable[[], bool] | None = None,
        pause_after: float = 0.5,
    ) -> list[Candidate]:
        """Search where :meth:`follow` went and return the moves, the one to play first.

        *limits* and the next move's *avoided* are left out, where that leaves any move; the tree is
        kept as long as these stay the same. *watch* is asked at once, and then all the time, with
        the seconds so far, whether to stop. Without *early_stop* the configuration says whether to
        stop when nothing can change.

        *pause* is called once, when that share of the simulations is made or of the time is over,
        while no thread searches; not when the search is over by then, nor when searches vote, nor
        without a limit. It may call :meth:`follow`, and returns what that does: where the tree
        begins anew a few simulations more are made in any case.
        """
        search, config = self.search, self.config
        left_out = self._move_limits(limits)
        points = [parse_move(vertex, self.size) for vertex in avoided]
        endless = simulations is None and seconds is None
        whole: Changes = {
            "simulations": simulations,
            "seconds": seconds,
            "early_stop": config.early_stop if early_stop is None else early_stop,
            "final_move": config.final_move,
            "votes": 1 if endless else config.votes,
        }
        self._begun, self._made, self._before = time.perf_counter(), (0, 0.0), None
        self._votes = ()

        def progress(_search: Search, _part: float) -> None:
            if watch(self.elapsed()):
                search.stop()

        def left() -> int | None:
            return None if simulations is None else max(simulations - self._made[0], 0)

        def rest() -> Changes:
            """Return the run that is left of the whole."""
            return {**whole, "simulations": left()} if self._made[0] else whole

        def is_over() -> bool:
            late = seconds is not None and self.elapsed() >= seconds
            return left() == 0 or late or search.is_stopped

        def parts() -> Iterator[tuple[Changes, bool]]:
            """Yield the runs of the search, and whether each is watched."""
            if pause is None or endless or config.votes > 1:
                yield rest(), True
                return
            # A part neither ends early nor goes on late; robust-max would, before it is time.
            robust = "robust" if config.final_move == "robust-max" else config.final_move
            part: Changes = {**whole, "early_stop": False, "final_move": robust}
            share = None if simulations is None else math.ceil(simulations * pause_after)
            until = None if seconds is None else seconds * pause_after
            yield {**part, "simulations": share, "seconds": until}, True
            if not is_over() and pause():
                more = left()
                few = BEGUN_ANEW if more is None else min(more, BEGUN_ANEW)
                yield {**part, "simulations": few, "seconds": None}, False
                if not any(candidate.visits for candidate in search.candidates()):
                    # A stop came too soon; it is heard below.
                    yield {**part, "simulations": few, "seconds": None}, False
            if not (is_over() or watch(self.elapsed())):
                until = None if seconds is None else max(seconds - self.elapsed(), LEAST_SECONDS)
                yield {**whole, "simulations": left(), "seconds": until}, True

        search.restrict(limits=left_out, avoided=points)
        self._made = self._inherit(left_out, points)
        for changes, watched in () if watch(0.0) else parts():
            search.restrict(limits=left_out, avoided=points)
            self._before = search.counted()
            changes["reward_points"] = POINTS if self.counts_points else config.reward_points
            found = search.run(
                **changes,
                limits=left_out,
                avoided=points,
                progress=progress if watched else None,
            )
            made, scores = self._made
            scores += found.mean_score * found.simulations
            self._made, self._before = (made + found.simulations, scores), None
            self._votes = found.votes
        candidates = self.candidates()
        if self._share > 0.0 and self._history is not None:
            self._past = [*self._past[-PLIES:], (self._history, candidates)]
        return candidates

    def stop(self) -> None:
        """End a running search soon. Thread-safe; nothing if none is running."""
        if self._search is not None:
            self._search.stop()

    def elapsed(self) -> float:
        """Return the seconds since this search began."""
        return time.perf_counter() - self._begun

    def made(self) -> int:
        """Return the simulations of this search, also while it runs."""
        return self._progress()[0]

    def _progress(self) -> tuple[int, float]:
        """Return simulations and mean score of this search, also while it runs.

        The score is by the true komi, 0 without simulations.
        """
        made, scores = self._made
        if self._before is not None:
            counted, scored = self.search.counted()
            made, scores = made + counted - self._before[0], scores + scored - self._before[1]
        return made, scores / made + self.offset if made else 0.0

    def candidates(self) -> list[Candidate]:
        """Return the moves at the root, the one to play first, then by visits."""
        found, config = self.search.candidates(), self.config
        chosen = None if config.votes > 1 else final_choice(found, config)
        move = self.search.best() if chosen is None else chosen.move
        return sorted(found, key=lambda candidate: candidate.move != move)

    def visits(self) -> int:
        """Return the visits at the root, those from before and from the book included."""
        candidates = self.search.candidates()
        return sum(candidate.visits for candidate in candidates) if candidates else self.recalled()

    def standing(self) -> RootStanding | None:
        """Return how the two leading moves stand, cheaply; None if too little is known."""
        roots = self.search.roots()
        visits, rewards = roots[0].move_visits, roots[0].rewards
        if len(visits) < 2 or visits.max() == 0:
            return None
        leader = int(visits.argmax())
        second = int(np.where(np.arange(len(visits)) == leader, -1, visits).argmax())
        most, next_most = int(visits[leader]), int(visits[second])
        return RootStanding(
            visits=most,
            second_visits=next_most,
            value=float(rewards[leader]) / most,
            second_value=float(rewards[second]) / max(next_most, 1),
            simulations=self.made() // len(roots),
        )

    def advise(self, visits: Mapping[str, float]) -> bool:
        """Add won visits to the prior knowledge of moves at the root; also during a search.

        Say whether the root has its moves: before that nothing can be added. None is added twice.
        """
        size = self.size
        return self.search.advise({parse_move(vertex, size): n for vertex, n in visits.items()})

    # The book

    def note(self) -> None:
        """Remember what was found so far for the book, before the tree is given up."""
        if self._keeper is not None and self._search is not None:
            self._keeper.note(self._search)

    def booked(self) -> dict[int, tuple[float, float]]:
        """Return what the book knows of the moves here: visits and value."""
        return {} if self._keeper is None else self._keeper.at_root()

    def recalled(self) -> int:
        """Return how many visits at the root come from the book, or will when it is expanded."""
        roots = self.search.roots()
        if roots[0].is_expanded:
            return sum(root.recalled for root in roots)
        return sum(round(visits * self.config.experience) for visits, _ in self.booked().values())

    def is_from_book(self, candidate: Candidate) -> bool:
        """Say whether most of a move's visits come from the book."""
        visits, _ = self.booked().get(candidate.move, (0.0, 0.5))
        counted = 2.0 * visits * self.config.experience > candidate.visits
        return counted and self.recalled() > 0

    def _is_outdone(self) -> bool:
        """Say whether the book knows more of the root than a tree that was grown without it."""
        root = self.search.root()
        if not root.is_expanded or root.recalled > 0:
            return False
        known = sum(visits for visits, _ in self.booked().values()) * self.config.experience
        return known > root.visits

    # What people are told

    def chance_of(self, candidate: Candidate) -> float:
        """Return the chance to win with a move: its value may include points."""
        if self._rewards_points and candidate.visits:
            return candidate.tally
        return self._chance(candidate.value)

    @property
    def _rewards_points(self) -> bool:
        """Whether values are rewards for points: because the game is decided, or by the options."""
        return self.counts_points or self.config.reward_points > 0.0

    def _chance(self, value: float) -> float:
        """Return the chance to win that a mean reward stands for; meaningless for points."""
        loss, win = (0.1, 0.9) if self.config.reward == "bounded-score" else (0.0, 1.0)
        return min(max((value - loss) / (win - loss), 0.0), 1.0)

    def analysis(
        self,
        *,
        sampled: bool = False,
        ownership: bool = False,
        every: float = 1.0,
        most: int | None = None,
    ) -> Analysis:
        """Return what is known now; also while a search runs, if the searching thread asks.

        *sampled* makes extra playouts for the scores of the moves, which *ownership* needs too, or
        asks a network, in about a seventh of *every* seconds; without, what was found before is
        used. A network is asked about the first move in any case.

        With *most*, only that many moves, the most visited, in about a millisecond, for reports
        that come many times a second: these moves have neither owners of points nor the visits of
        their variations, and what comes from samples is as it was at the latest such report.
        """
        candidates, belief = (self.candidates(), None) if most is None else self._leading(most)
        if sampled or (ownership and self._samples is None):
            self._sampled = self._sample(candidates, every).whole(candidates)
        elif self.is_judged and self._samples is None:
            # Its search has no scores at all.
            self._sampled = self._sample(candidates[:1], every).whole(candidates)
        elif most is None and self._samples is not None:
            self._sampled = self._samples.whole(candidates)
        whole, (simulations, mean) = self._sampled, self._progress()
        moves = self._move_infos(candidates, belief, detailed=most is None, ownership=ownership)
        return Analysis(
            to_play=format_color(int(self.search.state[TO_PLAY])),
            simulations=simulations,
            visits=sum(move.visits for move in moves),
            value=moves[0].value if moves else 0.5,
            mean_score=mean if whole is None else whole.mean_score,
            score_deviation=0.0 if whole is None else whole.score_deviation,
            played_score=mean if simulations and self.config.evaluation == 0.0 else None,
            moves=tuple(moves),
            seconds=self.elapsed(),
            memory_share=self.search.size().share,
            ownership=whole.points if ownership and whole is not None else None,
            book_visits=sum(visits for visits, _ in self.booked().values()),
            points=self.counts_points,
            votes=tuple((self.vertex(move), votes) for move, votes in self._votes),
            imagined=self.offset,
            network_value=self._network_value(),
            scored_apart=self.is_judged and not self._network_counts,
        )

    @property
    def _network_counts(self) -> bool:
        """Whether there is a network that says who will own the points."""
        return self._network is not None and OWNERSHIP in self._network.model.outputs

    def _network_value(self) -> float | None:
        """Return what the network alone says of the position; None if nobody knows it."""
        root = self.search.root()
        return root.judged if self.is_judged and root.is_expanded else None

    def _sample(self, candidates: list[Candidate], every: float) -> Samples:
        """Make playouts from the candidates, or ask a network; points are by the true komi."""
        if self._samples is None:
            knowledge = self.definition.knowledge.copy()
            knowledge[KOMI] = self._komi
            definition, state = replace(self.definition, knowledge=knowledge), self.search.state
            network = self._network
            if network is not None and self._network_counts:
                self._samples = NetworkSamples(network, definition, state)
            else:
                self._samples = PlayoutSamples(definition, state, self.config.seed)
        if candidates:
            self._samples.add(self.search, candidates, every)
        return self._samples

    def _leading(self, most: int) -> tuple[list[Candidate], float | None]:
        """Return the most visited moves, the one to play first, and the belief in all moves."""
        roots, config = self.search.roots(), self.config
        root = roots[0]
        if config.votes > 1 or len(roots) > 1 or not root.is_expanded:
            return self.candidates()[:most], None
        found = root.candidates(most)
        beliefs = self._beliefs(root.prior_visits, root.prior_values)
        chosen = final_choice(found, config)
        found.sort(key=lambda candidate: candidate is not chosen)
        return found, float(beliefs[root.legal].sum())

    def _beliefs(self, visits: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
        """Return how much is believed in moves with such priors, or chances by a network."""
        return values if self.is_judged else np.maximum(visits * values, LEAST_BELIEF)

    def _move_infos(
        self, candidates: list[Candidate], belief: float | None, *, detailed: bool, ownership: bool
    ) -> list[MoveInfo]:
        """Return the moves in words of the protocol; *belief* is that in all moves together."""
        beliefs = self._beliefs(
            np.array([candidate.prior_visits for candidate in candidates]),
            np.array([candidate.prior_value for candidate in candidates]),
        ).tolist()
        total = sum(beliefs) if belief is None else belief
        outcomes = {} if self._samples is None else self._samples.by_move
        doubt = 0.0 if self._samples is None else self._samples.doubt
        whole, booked, root = self._sampled, self.booked(), self.search.root()
        # By a network a move without visits has a chance to be the best, none to win: it is worth
        # what the position is, by what was found in it and by the network.
        mean = float((root.judged + root.rewards.sum()) / (1 + root.move_visits.sum()))
        infos = []
        for order, candidate in enumerate(candidates):
            outcome = outcomes.get(candidate.move)
            unseen = self.is_judged and not candidate.visits
            chance = mean if unseen else self.chance_of(candidate)
            rave = chance if self._rewards_points else self._chance(candidate.amaf_value)
            book_visits, book_value = booked.get(candidate.move, (0.0, 0.5))
            infos.append(
                MoveInfo(
                    vertex=self.vertex(candidate.move),
                    visits=candidate.visits,
                    value=chance,
                    prior=beliefs[order] / total,
                    lower_bound=max(replace(candidate, value=chance).lower_bound, 0.0),
                    rave_value=rave,
                    # All moves as first say nothing of wins where points are rewarded.
                    rave_visits=0.0 if self._rewards_points else candidate.amaf_visits,
                    variation=tuple(map(self.vertex, candidate.variation)),
                    order=order,
                    score=(
                        _mean_near(outcome, whole.mean_score, doubt) if outcome and whole else None
                    ),
                    score_deviation=None if outcome is None else outcome.score_deviation,
                    proof=candidate.proof,
                    variation_visits=root.line_visits(candidate.variation) if detailed else (),
                    ownership=outcome.points if outcome and detailed and ownership else None,
                    book_visits=book_visits,
                    book_value=book_value,
                )
            )
        return infos


def _mean_near(outcome: PlayoutSums, mean: float, doubt: float) -> float:
    """Return a mean score, drawn towards *mean*: a few playouts alone say anything."""
    return (outcome.score + doubt * mean) / (outcome.playouts + doubt)


def _rewards_wins(config: Config) -> bool:
    """Say whether values are chances to win."""
    plain = (config.reward, config.reward_temperature, config.reward_points) == ("win", 0.0, 0.0)
    return plain and not config.reward_average


def _may_count_points(config: Config) -> bool:
    """Say whether points can be rewarded: not where the options have a reward of their own."""
    if not _rewards_wins(config):
        return False
    try:
        replace(config, reward_points=POINTS)
    except InvalidConfig:
        return False  # A formula that cannot do it.
    return True
