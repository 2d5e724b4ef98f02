"""The hybrid: a player whose search is advised by another program (document 004, section 4.4).

:class:`Hybrid` belongs to a player and outlives its games: it hires the adviser, and notices when
that fails; the player then says so once and plays on alone for the rest of the game.
:class:`Counsel` is one question, from the beginning of a search to the move.

The adviser thinks in its own process while the search goes on. The search never waits beyond what
the clock, ``seconds`` or ``with-patience`` allow. Analysis and pondering do without an adviser.
"""

from __future__ import annotations

import time
from concurrent.futures import wait
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.engine.adviser.advice import (
    COOL,
    Opinion,
    by_temperature,
    equivalent_visits,
    next_temperature,
    product,
)
from montego.engine.adviser.listening import Listening
from montego.engine.decision import DecisionReason
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future

    from montego.engine.adviser.advice import Advice, Adviser, Hire
    from montego.engine.decision import Decision
    from montego.engine.options.options import Options
    from montego.engine.request import Request
    from montego.engine.searching.analysis import Analysis, VertexLimit
    from montego.go.game import Game
    from montego.mcts.report import Candidate

LOOK_EVERY = 0.02  # Seconds between two looks at whether the answer is there.
GRACE = 1.0  # Seconds beyond its patience in which the adviser's own complaint may come.
NAMED = 3  # Moves of the adviser that an explanation names.


class Hybrid:
    """The adviser of a player, over all of its games.

    Used by one thread at a time, but for :meth:`end`.
    """

    def __init__(self, hire: Hire | None, tell: Callable[[str], None]) -> None:
        """Hire advisers with *hire*, if at all, and complain about them to *tell*."""
        self._hire = hire
        self._tell = tell
        self._adviser: Adviser | None = None
        self._contract: tuple[str, float] | None = None  # command and patience of the adviser
        self._late: Future[Advice] | None = None  # a question that nobody waited for
        self._complaints: set[str] = set()
        self._has_ended = False
        self.failure: str | None = None
        """Why the adviser is not asked in this game; None while all is well."""
        self.temperature = COOL
        """The adviser's part of the say, in the mode of that name."""

    def new_game(self) -> None:
        """Forget what happened in the last game: an adviser that failed is tried again."""
        self.failure = None
        self.temperature = COOL

    def counsel(self, options: Options) -> Counsel | None:
        """Return what a search with these options asks its questions by; None without an adviser.

        Levels have none: they would play better than they should.
        """
        if options.with_ is None or options.level is not None or options.with_weight == 0:
            self.close()
            return None
        return Counsel(self, options)

    def ask(self, options: Options, game: Game, color: str) -> Future[Advice] | None:
        """Ask the adviser; None if it has failed in this game, or all has ended."""
        assert options.with_ is not None  # noqa: S101  # counsel() saw to that.
        contract = (options.with_, options.with_patience)
        if contract != self._contract:
            self.close()
            self.failure, self._contract = None, contract
        if self._late is not None and self._late.done():
            self._check(self._late)
        self._late = None
        if self.failure is not None or self._has_ended:
            return None
        try:
            adviser = self._adviser
            if adviser is None:
                if self._hire is None:
                    raise GoError("this program cannot ask one")  # noqa: TRY301  # As any failure.
                adviser = self._adviser = self._hire(*contract)
            answer = adviser.ask(game, color)
        except GoError as error:
            self.fail(str(error))
            return None
        if self._has_ended:  # By somebody who saw no adviser to end.
            adviser.close()
            return None
        return answer

    def result(self, answer: Future[Advice]) -> Advice | None:
        """Return the answer of a question that is done; None if the adviser failed at it."""
        return None if self._check(answer) else answer.result()

    def leave(self, answer: Future[Advice]) -> None:
        """Do not wait for an answer any longer. If it is a failure, the next question finds out."""
        self._late = answer
        if self._adviser is not None:
            self._adviser.cancel()

    def fail(self, message: str) -> None:
        """Do without the adviser for the rest of the game, and say so, once."""
        self.failure = " ".join(message.split())
        self.close()
        if self.failure not in self._complaints:
            self._complaints.add(self.failure)
            self._tell(f"montego: playing on without an adviser: {self.failure}")

    def close(self) -> None:
        """End the adviser. The next question hires another one."""
        adviser, self._adviser, self._late = self._adviser, None, None
        if adviser is not None:
            adviser.close()

    def end(self) -> None:
        """End the adviser for good: no question hires another one. From any thread."""
        self._has_ended = True
        self.close()

    def _check(self, answer: Future[Advice]) -> bool:
        """Say whether a question that is done failed; if so, the adviser has."""
        if answer.cancelled():
            return True
        error = answer.exception()
        if error is None:
            return False
        if self._adviser is None:
            return True  # It was closed, and that is nobody's failure.
        known = isinstance(error, GoError)
        self.fail(str(error) if known else f"internal error: {type(error).__name__}: {error}")
        return True


class Counsel:
    """One question to the adviser, and what came of it."""

    def __init__(self, hybrid: Hybrid, options: Options) -> None:
        self._hybrid = hybrid
        self._options = options
        self._answer: Future[Advice] | None = None
        self._limit = 0.0  # when to wait no longer, by time.perf_counter
        self._advice: Advice | None = None
        self._is_late = False
        self._alone: str | None = None  # what the search by itself preferred
        self._decides = False  # whether the moves are in another order for the advice
        self._arrived = 0  # simulations before the advice did

    def search(
        self,
        request: Request,
        *,
        simulations: int | None,
        seconds: float | None,
        early_stop: bool | None,
        limits: Iterable[VertexLimit],
        avoided: Iterable[str],
        watch: Callable[[float], bool],
    ) -> list[Candidate]:
        """Search as ``Searcher.run`` does, and return the moves, the one to play first.

        The adviser is asked at once. Its advice is written into the tree when it comes, or, in the
        other modes, decides with the search when both are done.
        """
        searcher = request.searcher
        self._ask(request)
        if self._answer is None:
            return searcher.run(
                simulations=simulations, seconds=seconds, early_stop=early_stop,
                limits=limits, avoided=avoided, watch=watch,
            )  # fmt: skip
        listening = Listening(self, request, simulations, seconds, watch)
        waits = self._options.with_mode == "priors" and simulations is not None
        found = searcher.run(
            simulations=simulations,
            seconds=None if listening.keeps_time else seconds,
            early_stop=False,
            limits=limits,
            avoided=avoided,
            watch=listening.is_over,
            pause=listening.hear if waits else None,
        )
        self.wait(request)
        if self._answer is not None:
            self._is_late = True
            self._hybrid.leave(self._answer)
        if self._advice is None or self._options.with_mode == "priors":
            return found
        return self._combined(request, found)

    def told(self, decision: Decision) -> Decision:
        """Return the decision with what is to be told about the advice."""
        own = decision.reason in (DecisionReason.SEARCH, DecisionReason.EXPERIENCE)
        if self._decides and own and self._alone != decision.vertex:
            found = _led_by(decision.vertex, decision.analysis)
            decision = replace(decision, reason=DecisionReason.ADVICE, analysis=found)
        return replace(decision, advice=tuple(self._words(decision)))

    @property
    def is_waiting(self) -> bool:
        """Whether the answer may still come in time."""
        return self._answer is not None and time.perf_counter() < self._limit

    def look(self) -> None:
        """Take the answer if it is there."""
        answer = self._answer
        if answer is not None and answer.done():
            self._answer = None
            self._advice = self._hybrid.result(answer)

    def wait(self, request: Request) -> None:
        """Wait for the answer as long as there is time, and nobody wants the search to end."""
        self.look()
        while self._answer is not None and self.is_waiting and not request.is_interrupted():
            wait((self._answer,), LOOK_EVERY)
            self.look()

    def write(self, request: Request) -> bool:
        """Add the values to what the search knows of the moves; say whether that is done."""
        if self._advice is None or not self._advice.values:
            return False
        searcher = request.searcher
        if self._alone is None:
            standing = searcher.standing()
            if standing is None:
                return False
            self._alone = searcher.vertex(searcher.candidates()[0].move)
            self._arrived = standing.simulations
        return searcher.advise(equivalent_visits(self._advice.values, self._options.with_weight))

    def _ask(self, request: Request) -> None:
        if request.cleanup or request.is_interrupted():
            return
        self._answer = self._hybrid.ask(self._options, request.game, request.color)
        asked = time.perf_counter()
        limits = [asked + self._options.with_patience + GRACE]
        if request.budget is not None:
            limits.append(request.begun + request.budget.target)
        if request.options.seconds is not None:
            limits.append(request.begun + request.options.seconds)
        self._limit = min(limits)

    def _combined(self, request: Request, found: list[Candidate]) -> list[Candidate]:
        """Return the moves, those first that search and adviser prefer together.

        What is proven stays proven: a win is taken, a loss is not.
        """
        advice, searcher, options = self._advice, request.searcher, self._options
        if advice is None or not found:
            return found
        self._alone = _first_playable(request, found)
        best = searcher.chance_of(found[0])
        self._hybrid.temperature = next_temperature(self._hybrid.temperature, best)
        if found[0].proof == "win":
            return found
        opinions = [
            Opinion(
                searcher.vertex(candidate.move), candidate.visits, searcher.chance_of(candidate)
            )
            for candidate in found
            if candidate.proof != "loss" and searcher.vertex(candidate.move) != "pass"
        ]
        if options.with_mode == "product":
            scores = product(opinions, advice.values, options.with_weight)
        else:
            scores = by_temperature(
                opinions, advice.values, self._hybrid.temperature, options.with_weight
            )
        if not advice.values or self._alone == "pass":
            return found
        self._decides = True
        # The sort is stable: what has no score stays in the order of the search, behind.
        return sorted(
            found, key=lambda candidate: -scores.get(searcher.vertex(candidate.move), 0.0)
        )

    # In words

    def _words(self, decision: Decision) -> list[str]:
        """Return lines for people: what the adviser said, and what that changed."""
        if self._hybrid.failure is not None:
            return [f"It has no adviser in this game: {self._hybrid.failure}."]
        if self._is_late:
            return ["Its adviser had not answered in time; the search decided alone."]
        advice = self._advice
        if advice is None:
            return []
        would = {None: "says nothing", "pass": "would pass", "resign": "would resign"}.get(
            advice.move, f"would play {advice.move}"
        )
        ranked = sorted(advice.values.items(), key=lambda item: -item[1])[:NAMED]
        named = ", ".join(f"{vertex} {value:.1f}" for vertex, value in ranked)
        values = f" It values {named}." if named else " It values no move."
        line = f"{advice.adviser} {would}.{values} {self._effect(advice, decision)}".rstrip()
        return [line]

    def _effect(self, advice: Advice, decision: Decision) -> str:
        if self._alone is None:
            return "" if not advice.values else "That came too late to change anything."
        mode, weight = self._options.with_mode, self._options.with_weight
        if mode != "priors" and not self._decides:
            return "That changed nothing: the search decided alone."
        if mode == "priors":
            most = max(equivalent_visits(advice.values, weight).values())
            how = f"After {self._arrived} simulations that was added as up to {most:.0f} won visits"
        elif mode == "product":
            how = "Values times chances decide"
        else:
            how = f"It has {100 * self._hybrid.temperature:.0f}% of the say"
        if self._alone == decision.vertex:
            return f"{how}; the search alone preferred {self._alone} too."
        return f"{how}; the search alone preferred {self._alone}."


def _first_playable(request: Request, found: list[Candidate]) -> str:
    """Return the move that the search by itself would have had played: some are not allowed."""
    allowed, avoided = request.at_root()
    vertices = [request.searcher.vertex(candidate.move) for candidate in found]
    playable = (
        vertex
        for vertex in vertices
        if vertex not in avoided
        and (allowed is None or vertex in allowed)
        and request.game.fault(request.color, vertex) is None
    )
    return next(playable, vertices[0])


def _led_by(vertex: str | None, found: Analysis | None) -> Analysis | None:
    """Return the analysis with the move that is played first. Its value stays the search's."""
    if found is None:
        return None
    moves = sorted(found.moves, key=lambda move: move.vertex != vertex)
    return replace(
        found, moves=tuple(replace(move, order=order) for order, move in enumerate(moves))
    )
