"""The search of one game: it follows the moves, keeps its tree, and reports in vertices.

Not thread-safe but for :meth:`Searcher.stop`; the player takes care of that. Touching the search
compiles kernels: see :mod:`montego.engine.searching.preparation`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.engine.knowledge.definition import history_of, position_of, search_komi
from montego.engine.searching.effort import Effort
from montego.engine.searching.observer import Observer
from montego.engine.searching.preparation import preparation_for
from montego.engine.searching.root_priors import RootPriors
from montego.go.game import Move
from montego.go.kernels.layout import PASS, TO_PLAY, coordinates_of, point_at
from montego.go.playout.knowledge import KOMI
from montego.go.vocabulary.color import parse_color
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.mcts.errors import InvalidConfig, InvalidMove
from montego.mcts.kernels.tree import EDGES, EXPANDED, NODES, ROOT, UNIT
from montego.mcts.limits import MoveLimit
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from montego.engine.book.keeping import BookKeeper
    from montego.engine.options.options import Options
    from montego.engine.searching.analysis import VertexLimit
    from montego.engine.searching.effort import LeftOut
    from montego.engine.searching.preparation import Preparation
    from montego.go.game import Game, Setup
    from montego.go.vocabulary.rules import Rules
    from montego.jit.state import State
    from montego.mcts.config import Config
    from montego.mcts.game import GameDefinition
    from montego.mcts.kernels.tree import Tree
    from montego.mcts.report import Candidate

POINTS = 0.8  # Of the reward in a decided game; the rest keeps it from risking the win.
TREE_KOMI = 3.0  # Points that komi may change by before the tree is thrown away.


class Standing(NamedTuple):
    """The two leading moves at the root."""

    visits: int
    """Of the most visited move."""
    second_visits: int
    value: float
    second_value: float
    simulations: int
    """Made in this search so far."""


def standing_of(tree: Tree, simulations: int) -> Standing | None:
    """Return how the two leading moves at the root stand; None if too little is known."""
    if tree.expansion[ROOT] != EXPANDED:
        return None
    first, count = int(tree.first_edge[ROOT]), int(tree.edge_count[ROOT])
    visits = tree.visits[first : first + count].copy()
    if count < 2 or visits.max() == 0:
        return None
    leader = int(visits.argmax())
    most = int(visits[leader])
    visits[leader] = -1
    second = int(visits.argmax())
    second_visits = int(visits[second])
    return Standing(
        visits=most,
        second_visits=second_visits,
        value=float(tree.value[first + leader]) * UNIT / max(most, 1),
        second_value=float(tree.value[first + second]) * UNIT / max(second_visits, 1),
        simulations=simulations,
    )


class Searcher:
    """Searches the positions of a game as it goes on."""

    def __init__(
        self,
        options: Options,
        size: int,
        rules: Rules,
        *,
        keeper: BookKeeper | None = None,
    ) -> None:
        """Get ready for games on that board. Loads no Numba yet.

        *keeper* has the book, if the options want one; it is not used where values are no chances
        to win.

        Raises:
            GoError: If the options name a file that cannot be read.
        """
        self.key = (options, size, rules)
        """What it was made for: with another key, make another."""
        self.size = size
        definition = options.game_definition(size, rules, 0.0)
        # Komi is written to a copy: definitions may be shared.
        self.definition: GameDefinition = replace(definition, knowledge=definition.knowledge.copy())
        self.config: Config = options.search_config(size)
        """As the options have it; points are counted with another."""
        self._points_config = _counting_points(self.config)
        self.counts_points = False
        """Whether moves are compared by points now; :meth:`follow` decides."""
        self.preparation: Preparation = preparation_for(self.definition, self.config)
        self._keeper = keeper if options.book and _rewards_wins(self.config) else None
        self._vertices: dict[int, str] = {}  # by move, as far as they were asked for
        self._search: Search | None = None
        self._effort = Effort()
        self._history: list[Move | Setup] | None = None  # of the game, up to the root
        self._root_priors = RootPriors()
        self.offset = 0.0
        """Points of komi that are only imagined; :meth:`follow` is told."""
        self._komi = 0.0  # the true one, and what of the tree was made with
        self._tree_komi = 0.0
        self._is_mixed = False  # Whether some of the tree was made with another.
        self.observer = Observer(self)
        """Tells people what the search finds."""

    def stop(self) -> None:
        """End a running search soon. Thread-safe; nothing if none is running."""
        if self._search is not None:
            self._search.stop()

    def follow(
        self,
        game: Game,
        color: str,
        offset: float = 0.0,
        *,
        points: bool = False,
        exact: bool = False,
    ) -> None:
        """Go to the position of *game* with *color* to play; keep the tree if it leads there.

        *offset* is added to komi in the search's eyes; a tree that was made with about that komi
        will do, unless it has to be *exact*. With *points* the search will reward a score above the
        average more than a win, for games that are decided; not where the options choose a reward
        of their own. A game that two passes ended goes on.
        """
        target = position_of(game, color)
        self.note()
        komi = search_komi(game, color)
        self.definition.knowledge[KOMI] = komi + offset
        self.offset = offset
        search = self._search
        if search is None:
            search = self._search = Search(self.definition, self.config, state=target)
            self._history = None
        points = points and self._points_config is not None
        difference = abs(komi + offset - self._tree_komi)
        stale = komi != self._komi or difference > TREE_KOMI or points != self.counts_points
        stale |= exact and (difference > 0 or self._is_mixed)
        anew = stale or not self._advance(search, game, target)
        self._is_mixed = not anew and (self._is_mixed or difference > 0)
        if anew:
            search.set_state(target, history_of(game))
            self._tree_komi = komi + offset
            self.counts_points = points
        if self._keeper is not None:
            # What is found with another komi, or for points, no book knows.
            self._keeper.load(search, game, begun=anew, imagined=offset != 0.0 or points)
            if self._is_outdone(search.tree):
                search.set_state(target, history_of(game))
        self._komi = komi
        if self._history != game.history:
            self._root_priors.clear()
        self._history = game.history
        self.observer.forget()

    def run(
        self,
        *,
        simulations: int | None,
        seconds: float | None,
        early_stop: bool | None = None,
        limits: Iterable[VertexLimit] = (),
        avoided: Iterable[str] = (),
        watch: Callable[[float], bool],
        pause: Callable[[], None] | None = None,
        pause_after: float = 0.5,
    ) -> list[Candidate]:
        """Search where :meth:`follow` went and return the moves, the one to play first.

        *limits* and the next move's *avoided* are left out, where that leaves any move; the tree is
        kept as long as these stay the same. *watch* is asked all the time, with the seconds so
        far, whether to stop. Without *early_stop* the configuration says whether to stop when
        nothing can change. *pause* is called once, when that share of the simulations is made or of
        the time is over, while no thread searches; not when the search is over by then, nor when
        searches vote, nor without a limit. If it goes from wins to points or back, a few
        simulations more are made in any case.
        """
        config = replace(
            self._config(),
            simulations=simulations,
            seconds=seconds,
            early_stop=self.config.early_stop if early_stop is None else early_stop,
            votes=1 if simulations is None and seconds is None else self.config.votes,
        )
        self._effort.run(
            self.search,
            config,
            self._left_out(limits, avoided),
            watch,
            pause=None if pause is None else partial(self._paused, pause),
            pause_after=pause_after,
        )
        return self.candidates()

    def _paused(self, pause: Callable[[], None]) -> float:
        """Pause, and return how points are to be rewarded from then on."""
        pause()
        return self._config().reward_points

    def _config(self) -> Config:
        """Return the configuration for wins or for points, as :meth:`follow` was told."""
        points = self._points_config if self.counts_points else None
        return points or self.config

    def restrict(self, limits: Iterable[VertexLimit]) -> None:
        """Leave out moves as :meth:`run` will; what of the tree is not kept then is gone."""
        self.search.restrict(**self._left_out(limits, ()))

    def _left_out(self, limits: Iterable[VertexLimit], avoided: Iterable[str]) -> LeftOut:
        search = self.search
        return {
            "limits": [self._limit(limit, search) for limit in limits if limit.until_depth > 0],
            "avoided": [self._point(vertex) for vertex in avoided],
        }

    def candidates(self) -> list[Candidate]:
        """Return the moves at the root, the one to play first, then by visits."""
        search = self.search
        found = search.candidates()
        move = search.best()
        return sorted(found, key=lambda candidate: candidate.move != move)

    def visits(self) -> int:
        """Return the visits at the root, those from before and from the book included."""
        candidates = self.search.candidates()
        return sum(candidate.visits for candidate in candidates) if candidates else self.recalled()

    def note(self) -> None:
        """Remember what was found so far for the book, before the tree is given up."""
        if self._keeper is not None and self._search is not None:
            self._keeper.note(self._search)

    def recalled(self) -> int:
        """Return how many visits at the root come from the book, or will when it is expanded."""
        trees = self.search.trees
        if trees[0].expansion[ROOT] == EXPANDED:
            return sum(int(tree.recalled[ROOT]) for tree in trees)
        return sum(round(visits * self.config.experience) for visits, _ in self.booked().values())

    def is_from_book(self, candidate: Candidate) -> bool:
        """Say whether most of a move's visits come from the book."""
        visits, _ = self.booked().get(candidate.move, (0.0, 0.5))
        counted = 2.0 * visits * self.config.experience > candidate.visits
        return counted and self.recalled() > 0

    def elapsed(self) -> float:
        """Return the seconds since this search began."""
        return self._effort.elapsed()

    def made(self) -> int:
        """Return the simulations of this search, also while it runs."""
        return self.progress()[0]

    def _is_outdone(self, tree: Tree) -> bool:
        """Say whether the book knows more of the root than a tree that was grown without it."""
        if tree.expansion[ROOT] != EXPANDED or tree.recalled[ROOT] > 0:
            return False
        known = sum(visits for visits, _ in self.booked().values()) * self.config.experience
        return known > int(tree.node_visits[ROOT])

    def booked(self) -> dict[int, tuple[float, float]]:
        """Return what the book knows of the moves here: visits and value."""
        return {} if self._keeper is None else self._keeper.at_root()

    def standing(self) -> Standing | None:
        """Return how the two leading moves stand, cheaply; None if too little is known."""
        return standing_of(self.search.tree, self.made())

    def advise(self, visits: Mapping[str, float]) -> bool:
        """Add won visits to the prior knowledge of moves at the root; also during a search.

        Say whether the root has its moves: before that nothing can be added. None is added twice.
        """
        points = {self._point(vertex): more for vertex, more in visits.items()}
        return self._root_priors.add(self.search.trees, points)

    @property
    def rewards_points(self) -> bool:
        """Whether values are rewards for points: because the game is decided, or by the options."""
        return self._config().reward_points > 0.0

    def chance_of(self, candidate: Candidate) -> float:
        """Return the chance to win with a move: its value may include points."""
        if self.rewards_points and candidate.visits:
            return candidate.tally
        return self.chance(candidate.value)

    def chance(self, value: float) -> float:
        """Return the chance to win that a mean reward stands for; meaningless for points."""
        loss, win = (0.1, 0.9) if self.config.reward == "bounded-score" else (0.0, 1.0)
        return min(max((value - loss) / (win - loss), 0.0), 1.0)

    def vertex(self, move: int) -> str:
        """Return the vertex of a move of the search."""
        name = self._vertices.get(move)
        if name is None:
            name = "pass" if move == PASS else format_vertex(coordinates_of(move, self.size))
            self._vertices[move] = name
        return name

    @property
    def search(self) -> Search:
        """The search, from the first :meth:`follow` on."""
        assert self._search is not None  # noqa: S101  # follow() comes first.
        return self._search

    def _advance(self, search: Search, game: Game, target: State) -> bool:
        """Play what was played since; say whether the search stands at *target* now."""
        history, known = game.history, self._history
        if known is None or history[: len(known)] != known:
            return False
        for step in history[len(known) :]:
            if not isinstance(step, Move) or parse_color(step.color) != search.state[TO_PLAY]:
                return False
            try:
                search.play(self._point(step.vertex))
            except InvalidMove:
                return False  # A filled eye, which the search does not consider, or superko.
        return np.array_equal(search.state, target)

    def progress(self) -> tuple[int, float]:
        """Return simulations and mean score of this search, also while it runs.

        While it runs, and there are several trees, those of one of them. The score is by the true
        komi, 0 without simulations.
        """
        made, mean = self._effort.progress(self.search)
        return made, mean + self.offset if made else 0.0

    def counted_definition(self) -> GameDefinition:
        """Return the game as it will be counted, by the true komi; a copy."""
        knowledge = self.definition.knowledge.copy()
        knowledge[KOMI] = self._komi
        return replace(self.definition, knowledge=knowledge)

    def memory_share(self) -> float:
        """Return the part of the memory that the tree takes."""
        tree = self.search.tree
        return max(
            float(tree.counters[NODES]) / len(tree.node_visits),
            float(tree.counters[EDGES]) / len(tree.move),
        )

    def _limit(self, limit: VertexLimit, search: Search) -> MoveLimit:
        """Return a limit as the search knows it: in moves, and for whose turn it is."""
        return MoveLimit(
            moves=frozenset(map(self._point, limit.vertices)),
            only=limit.only,
            depth=limit.until_depth,
            opponent=parse_color(limit.color) != int(search.state[TO_PLAY]),
        )

    def _point(self, vertex: str) -> int:
        coordinates = parse_vertex(vertex, self.size)
        return int(PASS) if coordinates is None else point_at(*coordinates, self.size)


def _rewards_wins(config: Config) -> bool:
    """Say whether values are chances to win."""
    plain = (config.reward, config.reward_temperature, config.reward_points) == ("win", 0.0, 0.0)
    return plain and not config.reward_average


def _counting_points(config: Config) -> Config | None:
    """Return the configuration for decided games; None if this one has a reward of its own."""
    try:
        return replace(config, reward_points=POINTS) if _rewards_wins(config) else None
    except InvalidConfig:
        return None  # A formula that cannot do it.
