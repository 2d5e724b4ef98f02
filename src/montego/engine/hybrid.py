"""The hybrid: a player whose search is advised by another program (document 004, section 4.4).

:class:`Hybrid` outlives the games of a player: when the adviser fails, that says so once and plays
on alone for the rest of the game. :class:`Consultation` is one question, from the beginning of a
search to the move. The adviser thinks in its own process while the search goes on, which never
waits beyond what the clock, ``seconds`` or ``with-patience`` allow. Analysis has no adviser.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import wait
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from montego.engine.decision import DecisionReason
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future
    from functools import partial

    from montego.engine.decision import Decision
    from montego.engine.options.options import Options
    from montego.engine.thinking import SearchRequest
    from montego.go.game import Game
    from montego.mcts.report import Candidate

DOUBT = 10.0  # Lost games that are added to a move's own, so that luck in a few is not believed.
UNNAMED = 0.1  # Share of the best value for moves that the adviser does not name.
COOL, HOT = 0.1, 0.6  # The adviser's say in a game that is even, and in one that is decided.
ADAPTS = 0.5  # Part of the way to where it should be that the temperature goes at each move.
SHARPNESS = 4.0  # Power of a value that makes it a chance to be the right move.
VISITS = 100.0  # Won visits that a move is worth of which the adviser is certain.


class AdviserError(GoError):
    """An adviser said something that makes no sense; the message says what, to people."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What an adviser says about a position."""

    adviser: str
    """Its own name, with its version."""
    move: str | None
    """What it would play: a vertex, ``"pass"`` or ``"resign"``; None if it did not say."""
    values: Mapping[str, float]
    """What moves are worth to it, by vertex; all above 0, and none that the rules forbid."""
    seconds: float
    """How long it thought."""


class Adviser(Protocol):
    """Another program that can be asked about positions, one after another."""

    def ask(self, game: Game, color: str) -> Future[Advice]:
        """Ask what *color* should play; does not wait. *game* may change afterwards.

        The future raises ``GoError`` if the adviser failed, after which it must be closed. Only the
        latest question is sure to be answered: one that has not begun is cancelled by the next.
        """

    def cancel(self) -> None:
        """Say that nobody wants the answer any more; a question under way may still be finished."""

    def close(self) -> None:
        """End it, whatever it is doing. It may be closed twice."""


if TYPE_CHECKING:
    Hire = Callable[[str, float], Adviser]
    """Makes the adviser that a command line stands for; the number is its patience in seconds."""


def doubted(visits: int, value: float) -> float:
    """Return a move's chance to win by the search, with :data:`DOUBT` about few visits."""
    return visits * value / (visits + DOUBT)


def product(
    chances: Mapping[str, float], values: Mapping[str, float], weight: float = 1.0
) -> dict[str, float]:
    """Return value × chance to win for every move that has both (004 4.4.2).

    *weight* is a power of the value: 0 leaves the chance, 1 is the document's product.
    """
    best = max(values.values(), default=1.0)
    return {
        vertex: (values[vertex] / best) ** weight * chance
        for vertex, chance in chances.items()
        if vertex in values
    }


def by_temperature(
    chances: Mapping[str, float],
    values: Mapping[str, float],
    temperature: float,
    weight: float = 1.0,
) -> dict[str, float]:
    """Return chance^(1-t) × share^(t · weight) for every move, t the adviser's part of the say.

    The share is that of the best value. Moves that the adviser does not name count too, with a
    small one. At one half, and for moves that it names, the order is that of the product.
    """
    best = max(values.values(), default=1.0)
    return {
        vertex: chance ** (1.0 - temperature)
        * max(values.get(vertex, 0.0) / best, UNNAMED) ** (temperature * weight)
        for vertex, chance in chances.items()
    }


def next_temperature(previous: float, chance: float) -> float:
    """Return the adviser's part of the say for a game that stands at this chance to win.

    The more a game is won or lost, the less playouts tell moves apart, and the more the adviser has
    to say. Games do not turn within a move, so the temperature follows by halves.
    """
    target = COOL + (HOT - COOL) * abs(2.0 * chance - 1.0)
    return previous + ADAPTS * (target - previous)


def equivalent_visits(values: Mapping[str, float], weight: float = 1.0) -> dict[str, float]:
    """Return how many won visits each value is worth as prior knowledge.

    As many times the root of the chance that it is the move, which is taken to be the value to a
    power, divided by the sum over all moves.
    """
    if not values:
        return {}
    best = max(values.values())
    strengths = {vertex: (value / best) ** SHARPNESS for vertex, value in values.items()}
    total = sum(strengths.values())
    return {
        vertex: weight * VISITS * math.sqrt(strength / total)
        for vertex, strength in strengths.items()
    }


LOOK_EVERY = 0.02  # Seconds between two looks at whether the answer is there.
GRACE = 1.0  # Seconds beyond its patience in which the adviser's own complaint may come.
HELD = 0.5  # Part of the seconds that is kept for after the answer, where it is a prior.
REWRITE_EVERY = 0.05  # Seconds between two looks at whether advice is in the tree.
NAMED = 3  # Moves of the adviser that an explanation names.


class Hybrid:
    """The adviser of a player, over all of its games. For one thread, but for :meth:`end`."""

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

    def consultation(self, options: Options) -> Consultation | None:
        """Return what a search with these options asks its question by; None without an adviser.

        Levels have none: they would play better than they should.
        """
        if options.with_ is None or options.level is not None or options.with_weight == 0:
            self.close()
            return None
        return Consultation(self, options)

    def ask(self, options: Options, game: Game, color: str) -> Future[Advice] | None:
        """Ask the adviser; None if it has failed in this game, or all has ended."""
        assert options.with_ is not None  # noqa: S101  # consultation() saw to that.
        contract = (options.with_, options.with_patience)
        if contract != self._contract:
            self.close()
            self.failure, self._contract = None, contract
        if self._late is not None and self._late.done():
            self.result(self._late)
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
        if answer.cancelled():
            return None
        error = answer.exception()
        if error is None:
            return answer.result()
        if self._adviser is not None:  # Else it was closed, and that is nobody's failure.
            known = isinstance(error, GoError)
            self.fail(str(error) if known else f"internal error: {type(error).__name__}: {error}")
        return None

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


class Consultation:
    """One question to the adviser while a search goes on, and what came of it."""

    request: SearchRequest
    """What is searched, from :meth:`search` on."""

    def __init__(self, hybrid: Hybrid, options: Options) -> None:
        self._hybrid = hybrid
        self._options = options
        self._is_prior = options.with_mode == "priors"
        self._answer: Future[Advice] | None = None
        self._limit = 0.0  # when to wait no longer, by time.perf_counter
        self._advice: Advice | None = None
        self._is_late = False
        self._alone: str | None = None  # what the search by itself preferred
        self._decides = False  # whether the moves are in another order for the advice
        self._arrived = 0  # simulations before the advice did
        self._next_write = 0.0
        self._heard: float | None = None  # when there was nothing more to wait for

    def search(self, request: SearchRequest, run: partial[list[Candidate]]) -> list[Candidate]:
        """Search by *run*, and return the moves, the one to play first.

        *run* is ``Searcher.run``, given by name all that it is to have without an adviser. Advice
        is written into the tree when it comes, or, in other modes, decides when both are done.
        """
        simulations: int | None = run.keywords["simulations"]
        seconds: float | None = run.keywords["seconds"]
        watch: Callable[[float], bool] = run.keywords["watch"]
        self.request = request
        self._ask()
        if self._answer is None:
            return run()
        # Where nobody set a limit there may be more: then the answer decides how long to search.
        keeps_time = request.budget is None and not request.options.has_limit

        def is_over(elapsed: float) -> bool:
            self._look()
            if self._is_prior and elapsed >= self._next_write and self._write():
                # Written again in case the tree was begun anew, which is rare.
                self._next_write = elapsed + REWRITE_EVERY
            over = watch(elapsed)
            if request.is_interrupted():
                return True
            if self._is_waiting:
                return False
            if self._heard is None:
                self._heard = elapsed
            if keeps_time and seconds is not None:
                more = HELD * seconds if self._is_prior else 0.0
                return over or elapsed >= max(seconds, self._heard + more)
            return over or self._is_settled(simulations)

        def hear() -> bool:
            """Wait for the advice before the rest of the simulations; the tree stays."""
            self.wait()
            self._write()
            return False

        found = run(
            seconds=None if keeps_time else seconds,
            early_stop=False,
            watch=is_over,
            pause=hear if self._is_prior and simulations is not None else None,
        )
        self.wait()
        if self._answer is not None:
            self._is_late = True
            self._hybrid.leave(self._answer)
        if self._advice is None or self._is_prior:
            return found
        return self._combined(self._advice, found)

    def told(self, decision: Decision) -> Decision:
        """Return the decision with what is to be told about the advice."""
        own = decision.reason in (DecisionReason.SEARCH, DecisionReason.EXPERIENCE)
        found = decision.analysis
        if self._decides and own and self._alone != decision.vertex:
            if found is not None:
                # What is played comes first. The value stays the search's.
                moves = sorted(found.moves, key=lambda move: move.vertex != decision.vertex)
                ordered = (replace(move, order=order) for order, move in enumerate(moves))
                found = replace(found, moves=tuple(ordered))
            decision = replace(decision, reason=DecisionReason.ADVICE, analysis=found)
        return replace(decision, advice=tuple(self._words(decision)))

    def wait(self) -> None:
        """Wait for the answer as long as there is time, and nobody wants the search to end."""
        self._look()
        while self._answer is not None and self._is_waiting:
            if self.request.is_interrupted():
                break
            wait((self._answer,), LOOK_EVERY)
            self._look()

    @property
    def _is_waiting(self) -> bool:
        """Whether the answer may still come in time."""
        return self._answer is not None and time.perf_counter() < self._limit

    def _ask(self) -> None:
        request = self.request
        if request.cleanup or request.is_interrupted():
            return
        self._answer = self._hybrid.ask(self._options, request.game, request.color)
        limits = [time.perf_counter() + self._options.with_patience + GRACE]
        if request.budget is not None:
            limits.append(request.begun + request.budget.target)
        if request.options.seconds is not None:
            limits.append(request.begun + request.options.seconds)
        self._limit = min(limits)

    def _look(self) -> None:
        """Take the answer if it is there."""
        answer = self._answer
        if answer is not None and answer.done():
            self._answer = None
            self._advice = self._hybrid.result(answer)

    def _write(self) -> bool:
        """Add the values to what the search knows of the moves; say whether that is done."""
        if self._advice is None or not self._advice.values:
            return False
        searcher = self.request.searcher
        if self._alone is None:
            standing = searcher.standing()
            if standing is None:
                return False
            self._alone = searcher.vertex(searcher.candidates()[0].move)
            self._arrived = standing.simulations
        return searcher.advise(equivalent_visits(self._advice.values, self._options.with_weight))

    def _is_settled(self, simulations: int | None) -> bool:
        """Say whether the most visited move cannot be overtaken, as the search itself would."""
        searcher = self.request.searcher
        config = searcher.config
        if not (self._is_prior and config.early_stop and config.final_move == "robust"):
            return False
        if simulations is None or config.solver or config.threads > 1:
            return False
        standing = searcher.standing()
        if standing is None:
            return False
        return standing.visits - standing.second_visits > simulations - standing.simulations

    def _combined(self, advice: Advice, found: list[Candidate]) -> list[Candidate]:
        """Return the moves, those first that search and adviser prefer together.

        What is proven stays proven: a win is taken, a loss is not.
        """
        if not found:
            return found
        request, hybrid, weight = self.request, self._hybrid, self._options.with_weight
        chance_of = request.searcher.chance_of
        named = [(request.searcher.vertex(candidate.move), candidate) for candidate in found]
        # What the search by itself would have had played: some moves are not allowed.
        playable = (
            vertex
            for vertex, _ in named
            if request.allows(vertex) and request.game.fault(request.color, vertex) is None
        )
        self._alone = next(playable, named[0][0])
        hybrid.temperature = next_temperature(hybrid.temperature, chance_of(found[0]))
        if found[0].proof == "win" or not advice.values or self._alone == "pass":
            return found
        chances = {
            vertex: doubted(candidate.visits, chance_of(candidate))
            for vertex, candidate in named
            if candidate.proof != "loss" and vertex != "pass"
        }
        if self._options.with_mode == "product":
            scores = product(chances, advice.values, weight)
        else:
            scores = by_temperature(chances, advice.values, hybrid.temperature, weight)
        self._decides = True
        # The sort is stable: what has no score stays in the order of the search, behind.
        named.sort(key=lambda pair: -scores.get(pair[0], 0.0))
        return [candidate for _, candidate in named]

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
        if not self._is_prior and not self._decides:
            return "That changed nothing: the search decided alone."
        if self._is_prior:
            most = max(equivalent_visits(advice.values, self._options.with_weight).values())
            how = f"After {self._arrived} simulations that was added as up to {most:.0f} won visits"
        elif self._options.with_mode == "product":
            how = "Values times chances decide"
        else:
            how = f"It has {100 * self._hybrid.temperature:.0f}% of the say"
        if self._alone == decision.vertex:
            return f"{how}; the search alone preferred {self._alone} too."
        return f"{how}; the search alone preferred {self._alone}."
