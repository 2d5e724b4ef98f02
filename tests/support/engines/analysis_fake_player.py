"""A player that thinks nothing: it reports made-up figures at once. For tests of protocols."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, cast

from montego.engine.decision import Decision, DecisionReason
from montego.engine.options.options import Options
from montego.engine.searching.analysis import Analysis, MoveInfo, allows
from montego.go.game import Game

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.engine.player import Player
    from montego.engine.searching.analysis import VertexLimit

PATIENCE = 20.0  # Seconds after which an analysis that nobody stops ends by itself.


def made_up_analysis(
    game: Game, color: str, restrict: tuple[VertexLimit, ...] = (), visits: int = 10
) -> Analysis:
    """Return an analysis with the first legal moves, the first of them best."""
    legal = [*game.legal_moves(color), "pass"]
    vertices = [v for v in legal if allows(restrict, color, v)]
    moves = tuple(
        MoveInfo(
            vertex=vertex,
            visits=max(visits - order, 0),
            value=0.75 - order / 1000,
            prior=1 / len(vertices),
            lower_bound=0.5,
            rave_value=0.5,
            rave_visits=3.0,
            variation=(vertex, "pass") if order % 2 else (vertex,),
            order=order,
            score=3.5 - order / 10,
            score_deviation=4.0,
            ownership=(0.5,) * game.size**2,
        )
        for order, vertex in enumerate(vertices)
    )
    return Analysis(
        to_play=color,
        simulations=visits,
        visits=sum(info.visits for info in moves),
        value=0.75,
        mean_score=3.5,
        score_deviation=4.0,
        moves=moves,
        seconds=0.0,
        memory_share=0.0,
        ownership=(0.5,) * game.size**2,
    )


class FakePlayer:
    """Has a game and options as the player has; answers the first legal move."""

    def __init__(self, options: Options | None = None, *, size: int = 5) -> None:
        self.options = options or Options()
        self.game = Game(size)
        self.calls: list[str] = []
        self.reports = 1
        """How often an analysis reports before it waits to be stopped."""
        self.unsearched = False
        """Whether decisions come without a search."""
        self.patient = False
        """Whether everything waits until somebody stops or cancels it."""
        self.has_resigned = False
        self._stopped = threading.Event()
        self._cancelled = False

    @classmethod
    def make(cls, options: Options | None = None, *, size: int = 5) -> Player:
        """Return one that passes for a player."""
        return cast("Player", cls(options, size=size))

    def configure(self, options: Options) -> None:
        self.options = options

    def load(self, game: Game, options: Options | None = None) -> None:
        if options is not None and options != self.options:
            self.configure(options)
        self.calls.append("load")
        self.game = game

    def play(self, color: str, vertex: str) -> None:
        self.calls.append("play")
        self.game.play(color, vertex)

    def choose(
        self,
        color: str | None = None,
        *,
        cleanup: bool = False,
        restrict: tuple[VertexLimit, ...] = (),
        report: Callable[[Analysis], None] | None = None,
        every: float | None = None,
        ownership: bool = False,
        interrupt: threading.Event | None = None,
    ) -> Decision:
        del cleanup, every, ownership
        player = color or self.game.to_play
        analysis = made_up_analysis(self.game, player, restrict)
        if self.patient:
            self._wait(interrupt)
        if self._cancelled:
            self._cancelled = False
            return Decision(
                color=player,
                vertex=None,
                reason=DecisionReason.CANCELLED,
                analysis=None,
                seconds=0.0,
            )
        if report is not None and not self.unsearched:
            report(analysis)
        return Decision(
            color=player,
            vertex=analysis.moves[0].vertex,
            reason=DecisionReason.SEARCH,
            analysis=None if self.unsearched else analysis,
            seconds=0.0,
        )

    def genmove(self, color: str | None = None, **settings: object) -> Decision:
        decision = self.choose(color, **settings)  # type: ignore[arg-type]
        if decision.is_move and decision.vertex is not None:
            self.game.play(decision.color, decision.vertex)
        return decision

    def analyze(
        self,
        color: str | None = None,
        *,
        report: Callable[[Analysis], None] | None = None,
        every: float = 1.0,
        restrict: tuple[VertexLimit, ...] = (),
        ownership: bool = False,
        limit: int | None = None,
        seconds: float | None = None,
        interrupt: threading.Event | None = None,
    ) -> Analysis:
        """Report, then wait for ``stop`` unless there is a limit."""
        del every, ownership
        self.calls.append("analyze")
        analysis = made_up_analysis(
            self.game, color or self.game.to_play, restrict, min(limit or 10, 100)
        )
        for _ in range(self.reports if report is not None else 0):
            assert report is not None
            report(analysis)
        if (limit is None and seconds is None) or self.patient:
            self._wait(interrupt)
        return analysis

    def _wait(self, interrupt: threading.Event | None) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not self._stopped.wait(0.002):
            if interrupt is not None and interrupt.is_set():
                break
        self._stopped.clear()

    def stop(self) -> None:
        self._stopped.set()

    def cancel(self) -> None:
        self._cancelled = True
        self._stopped.set()

    def clear_cache(self) -> None:
        self.calls.append("clear_cache")

    def close(self) -> None:
        self.calls.append("close")
