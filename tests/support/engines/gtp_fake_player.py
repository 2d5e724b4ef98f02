"""A player without a search: quick and predictable, for tests of the protocol alone.

It plays the first legal move in reading order that fills no eye, and judges no stone dead.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

from conftest import LETTERS

from montego.engine.clock import Clock
from montego.engine.decision import Decision, DecisionReason
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.engine.searching.analysis import Analysis, MoveInfo
from montego.go.game import Game
from montego.go.vocabulary.errors import GoError, InvalidVertex
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.go.scoring import Score


class FakePlayer(Player):
    """Everything that a session asks of a player. *thinks* makes it wait until it is stopped."""

    def __init__(self, options: Options | None = None, *, thinks: bool = False) -> None:
        self._settings = options or Options(simulations=10, size=9)
        self._game = Game(self._settings.size, rules=self._settings.rules, komi=self._settings.komi)
        self.clock = Clock()
        self.thinks = thinks
        self.imagined, self.score_deviation = 0.0, 4.0
        self._decision: Decision | None = None
        self._stopped = Event()

    @property
    def options(self) -> Options:
        return self._settings

    def configure(self, options: Options) -> None:
        self._settings = options

    @property
    def game(self) -> Game:
        return self._game

    @property
    def last_decision(self) -> Decision | None:
        return self._decision

    def prepare(self, seconds: float = 0.0) -> bool:
        return seconds >= 0.0

    def learn(self) -> int:
        return 0

    def explain(self) -> str:
        return "The fake player plays what comes first."

    def explain_move(self, vertex: str, interrupt: Event | None = None) -> str:
        del interrupt
        parse_vertex(vertex, self._game.size)
        return f"The fake player plays {vertex} when it comes first."

    def new_game(self, size: int | None = None) -> None:
        before = self._game
        self._game = Game(
            before.size if size is None else size, rules=before.rules, komi=before.komi
        )
        self._decision = None

    def load(self, game: Game, options: Options | None = None) -> None:
        self._settings = self._settings if options is None else options
        self._game = game

    @contextmanager
    def alone(self) -> Iterator[Game]:
        yield self._game

    def play(self, color: str, vertex: str) -> None:
        self._game.play(color, vertex)

    def undo(self, count: int = 1) -> None:
        self._game.undo(count)

    def place_handicap(self, stones: int, *, fixed: bool = True) -> list[str]:
        if fixed:
            return self._game.fixed_handicap(stones)
        vertices = self._game.legal_moves("black")[:stones]
        self._game.free_handicap(vertices)
        return vertices

    def choose(
        self,
        color: str | None = None,
        *,
        report: Callable[[Analysis], None] | None = None,
        ownership: bool = False,
        interrupt: Event | None = None,
        **_others: Any,
    ) -> Decision:
        player = color or self._game.to_play
        vertex = self._first_move(player)
        analysis = self._analysis(player, vertex, ownership=ownership)
        if report is not None:
            report(analysis)
        if self.thinks:
            self._wait(interrupt)
        self._decision = Decision(
            color=player,
            vertex=vertex,
            reason=DecisionReason.SEARCH,
            analysis=analysis,
            seconds=0.0,
        )
        return self._decision

    def genmove(
        self,
        color: str | None = None,
        *,
        report: Callable[[Analysis], None] | None = None,
        ownership: bool = False,
        interrupt: Event | None = None,
        **_others: Any,
    ) -> Decision:
        decision = self.choose(color, report=report, ownership=ownership, interrupt=interrupt)
        assert decision.vertex is not None
        self._game.play(decision.color, decision.vertex)
        return decision

    def analyze(
        self,
        color: str | None = None,
        *,
        report: Callable[[Analysis], None] | None = None,
        ownership: bool = False,
        limit: int | None = None,
        seconds: float | None = None,
        interrupt: Event | None = None,
        **_others: Any,
    ) -> Analysis:
        player = color or self._game.to_play
        analysis = self._analysis(player, self._first_move(player), ownership=ownership)
        if report is not None:
            report(analysis)
        if limit is None and seconds is None:
            self._wait(interrupt)
        if report is not None:
            report(analysis)
        return analysis

    def stop(self) -> None:
        self._stopped.set()

    def cancel(self) -> None:
        self._stopped.set()

    def clear_cache(self) -> None:
        pass

    def begin_again(self) -> None:
        pass

    def dead_stones(self) -> list[str]:
        return []

    def final_score(self) -> Score:
        return self._game.score()

    def settle(self) -> None:
        if self._game.ended_by_passes:
            self._game.mark_dead([])

    def status(self, vertex: str) -> str:
        try:
            color = self._game.board.color_at(vertex)
        except InvalidVertex:  # The real one looks for the stone and does not read the vertex.
            color = None
        if color is None:
            raise GoError(f"there is no stone at {vertex}")
        return "alive"

    def close(self) -> None:
        self.stop()

    def _wait(self, interrupt: Event | None) -> None:
        self._stopped.clear()
        while not (self._stopped.wait(0.005) or (interrupt is not None and interrupt.is_set())):
            pass

    def _first_move(self, color: str) -> str:
        for vertex in self._game.legal_moves(color):
            if any(self._game.board.color_at(near) != color for near in self._neighbors(vertex)):
                return vertex
        return "pass"

    def _neighbors(self, vertex: str) -> list[str]:
        column, row = LETTERS.index(vertex[0]), int(vertex[1:])
        near = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
        size = self._game.size
        return [f"{LETTERS[x]}{y}" for x, y in near if 0 <= x < size and 1 <= y <= size]

    def _analysis(self, color: str, vertex: str, *, ownership: bool) -> Analysis:
        best = MoveInfo(
            vertex=vertex,
            visits=10,
            value=0.6,
            prior=0.5,
            lower_bound=0.4,
            rave_value=0.55,
            rave_visits=20.0,
            variation=(vertex, "pass"),
            order=0,
        )
        points = self._game.size**2
        return Analysis(
            to_play=color,
            simulations=10,
            visits=10,
            value=0.6,
            mean_score=1.5,
            score_deviation=self.score_deviation,
            imagined=self.imagined,
            moves=(best,),
            seconds=0.0,
            memory_share=0.1,
            ownership=(0.25,) * points if ownership else None,
        )
