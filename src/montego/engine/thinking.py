"""From a position to a decision: wait for the compiler, look at the end, search, pick a move.

Plain functions over a :class:`SearchRequest`; what outlives a decision is the player's. With a
clock a search stops early if nothing can change any more, and late if the choice is unclear; with
fixed simulations or seconds it has its own early stop.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, TypedDict

from montego.engine.clock import LEAST, TimeBudget
from montego.engine.decision import Decision, DecisionReason
from montego.engine.ending.judgement import Passing
from montego.engine.knowledge.tuning import BEGUN_ANEW, DEFAULT_SECONDS
from montego.engine.options.levels import moves_like_people, skill_of, soften
from montego.engine.options.options import knows_people
from montego.engine.options.styles import taste_of
from montego.engine.searching.analysis import allows
from montego.engine.searching.cold_start import cold_analysis, simple_move
from montego.engine.win_chances import is_decided, is_open
from montego.go.vocabulary.color import parse_color

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from montego.engine.ending.judgement import Judgements
    from montego.engine.hybrid import Consultation
    from montego.engine.options.options import Options
    from montego.engine.searching.analysis import Analysis, VertexLimit
    from montego.engine.searching.searcher import RootStanding, Searcher
    from montego.go.game import Game
    from montego.mcts.report import Candidate

COLD_PATIENCE = 60.0  # Seconds to wait for the compiler where no clock is running.
LATE = 0.45  # Share of the points with stones on them from which the end is looked at.
HURRY = 0.1  # Seconds below which there is no time to judge the end of a 9x9 game, unless somebody
# passed; large boards take longer.
WON, LOST = 0.6, 0.2  # Chances to win, by the search, that confirm what the judgement says.

FIRST_LOOK = 0.25  # Part of the target before which no choice is called settled.
CLOSE = 1.3  # Below this ratio of visits the two best moves are as good as equal.
CLEAR = 2.5  # Above this ratio the choice is clear.
SHORT_EXTENSION = 1.5  # How many targets a choice in between may take.
ENOUGH_VISITS = 0.5  # Share of the leader's visits from which a better value makes it doubtful.

POINTS_AFTER = 0.25  # Share of a search after which it sees whether the game is decided.
LOOK_EVERY = 0.02  # Seconds between two looks at whether the search has done enough.
SAMPLE_EVERY = 3.0  # Seconds between two samples where reports are glances,
SAMPLE_EFFORT = 0.1  # and the time between reports for which each takes its share.


class Asked(TypedDict, total=False):
    """What a caller may ask for beside a move; each may be left out."""

    cleanup: bool
    """Capture dead stones before passing: ``kgs-genmove_cleanup``."""
    never_resigns: bool
    """Answer a move however hopeless the game is: ``reg_genmove``."""
    restrict: tuple[VertexLimit, ...]
    """Moves not to be considered, of either player and to any depth."""
    report: Callable[[Analysis], None] | None
    """Called with what is known so far, by the thinking thread, and once more at the end.

    As ``Analysis.in_truth`` has it: whoever follows a game knows only one komi.
    """
    every: float | None
    """Seconds between reports; None or 0 for the one at the end only."""
    ownership: bool
    """Whether reports say who owns each point."""
    glance: int | None
    """For many reports a second: how many moves those on the way list. They are as
    ``Searcher.analysis`` says, and sample scores and owners only once in a while."""
    interrupt: threading.Event | None
    """Ends the thinking as ``Player.stop`` does; may be set before it begins."""


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """Everything that a decision depends on. The last fields are as in :class:`Asked`."""

    game: Game
    color: str
    options: Options
    """With the level's changes filled in."""
    level: str | None
    searcher: Searcher
    judgements: Judgements
    begun: float
    """When the question came, by ``time.perf_counter``."""
    budget: TimeBudget | None
    """What the clock allows; None without one."""
    offset: float
    """Points of komi that are only imagined."""
    points: bool | None
    """Whether to count points, since the game was decided at the last move; None if that is not
    known."""
    halt: threading.Event
    """Set by whoever wants the thinking to end."""
    consultation: Consultation | None = None
    """The question to an adviser, if there is one."""
    cleanup: bool = False
    never_resigns: bool = False
    restrict: tuple[VertexLimit, ...] = ()
    report: Callable[[Analysis], None] | None = None
    every: float | None = None
    ownership: bool = False
    glance: int | None = None
    interrupt: threading.Event | None = None

    @property
    def elapsed(self) -> float:
        """Seconds since the question came."""
        return time.perf_counter() - self.begun

    def is_interrupted(self) -> bool:
        """Say whether somebody wants it to end."""
        return self.halt.is_set() or (self.interrupt is not None and self.interrupt.is_set())

    @property
    def looks_for_points(self) -> bool:
        """Whether the search can look on its way if the game is decided: else it counts wins."""
        return self.consultation is None and self.searcher.config.votes == 1

    def allows(self, vertex: str) -> bool:
        """Say whether the client lets the next move be there."""
        return allows(self.restrict, self.color, vertex)

    def answer(
        self, vertex: str, reason: DecisionReason, analysis: Analysis, note: str = ""
    ) -> Decision:
        """Return the decision to play *vertex*."""
        return Decision(
            color=self.color,
            vertex=vertex,
            reason=reason,
            analysis=analysis,
            seconds=self.elapsed,
            note=note,
        )


@dataclass
class Endgame:
    """What is known about the end of the game at this move."""

    passing: Passing | None = None
    useless: frozenset[str] = frozenset()
    note: str = ""
    wins: bool | None = None
    """If it would be a pass, but relies on stones being dead: whether the count is won."""

    def agrees(self, value: float) -> bool:
        """Say whether a search that found this chance to win confirms the count."""
        return value >= WON if self.wins else value <= LOST


def decide(request: SearchRequest) -> Decision:
    """Decide on a move that is legal, or a pass. Does not resign."""
    consultation = request.consultation
    if not request.searcher.preparation.wait(_patience(request), request.is_interrupted):
        return _report_cold(request)
    ending = Endgame()
    if request.options.mode == "imitate" and request.game.passes > 0 and request.allows("pass"):
        analysis = cold_analysis(request.color, "pass", request.elapsed)
        if request.report is not None:
            request.report(analysis)
        return request.answer("pass", DecisionReason.IMITATED, analysis)
    if _is_near_the_end(request):
        passed = _look_at_the_end(request, ending)
        if passed is not None:
            if request.report is not None and passed.analysis is not None:
                request.report(passed.analysis)
            return passed
    if ending.wins is not None:
        # What is only imagined would speak against a pass that wins, or for one that loses.
        request = replace(request, offset=0.0)
    points = request.looks_for_points and bool(request.points)
    request.searcher.follow(
        request.game,
        request.color,
        request.offset,
        points=points,
        exact=ending.wins is not None,
    )
    request.searcher.relearn(request.game, partial(_has_learned, request))
    run = _prepared_run(request, ending)
    candidates = run() if consultation is None else consultation.search(request, run)
    analysis = _analysis(request, sampled=request.report is not None)
    # With a network a single simulation is an answer: its opinion of the position.
    judged = request.searcher.config.evaluation > 0.0 and len(candidates) > 0
    if not judged and not any(candidate.visits for candidate in candidates):
        return _report_cold(request)
    if request.report is not None:
        request.report(analysis.in_truth())
    return _pick(request, candidates, analysis, ending)


def _has_learned(request: SearchRequest) -> bool:
    """Say whether to end learning before a search: somebody wants it, or half of the time is up."""
    if request.is_interrupted():
        return True
    seconds = request.options.seconds
    if request.budget is not None:
        seconds = min(request.budget.target, seconds or math.inf)
    return seconds is not None and request.elapsed >= seconds / 2


def analyze(request: SearchRequest, *, limit: int | None, seconds: float | None) -> Analysis:
    """Search until somebody says stop, or the limits are reached; report on the way."""
    searcher, report = request.searcher, request.report
    if not searcher.preparation.wait(None, request.is_interrupted):
        analysis = _cold(request)
    else:
        # For wins, by the true komi: what it says is for people.
        searcher.follow(request.game, request.color, exact=True)
        searcher.restrict(request.restrict)
        simulations = None
        if limit is not None:
            least = request.options.book_least if searcher.recalled() else 0.0
            simulations = left_to_search(limit, searcher.visits(), least)
        searcher.run(
            simulations=simulations,
            seconds=seconds,
            early_stop=False,
            limits=request.restrict,
            avoided=_passes_to_avoid(request, Endgame()),
            watch=_Watch(request).is_over,
        )
        analysis = _analysis(request, sampled=True)
        if not analysis.moves:
            analysis = _cold(request)
    if report is not None:
        report(analysis)
    return analysis


def _analysis(request: SearchRequest, *, sampled: bool) -> Analysis:
    """Return what the search has found when it is over."""
    return request.searcher.analysis(
        sampled=sampled, ownership=request.ownership, every=request.every or 1.0
    )


@dataclass
class _Watch:
    """Looks at the time, at who wants it to end, and reports."""

    request: SearchRequest
    budget: TimeBudget | None = None
    """Set if the clock decides, not fixed limits."""
    seconds: float | None = None
    """What the search would take without experience; None if time is no limit."""
    recalled: int = 0
    """Visits at the root that come from the book."""
    next_report: float = 0.0
    next_sample: float = 0.0
    next_look: float = LOOK_EVERY

    def __post_init__(self) -> None:
        self.next_report = self.request.every or math.inf

    def is_over(self, elapsed: float) -> bool:
        """Say whether to end the search after *elapsed* seconds."""
        request = self.request
        if request.is_interrupted():
            return True
        if request.report is not None and request.every and elapsed >= self.next_report:
            analysis = self._report(elapsed, request.every)
            if analysis.moves:
                request.report(analysis.in_truth())
            # Late reports are dropped, not made up for.
            self.next_report = max(self.next_report, elapsed) + request.every
        if (self.budget is None and not self.recalled) or elapsed < self.next_look:
            return False
        self.next_look = elapsed + LOOK_EVERY
        searcher = request.searcher
        if self.seconds is not None and is_known(
            searcher.made(), self.recalled, elapsed, self.seconds, request.options.book_least
        ):
            return True
        if self.budget is None:
            return False
        if searcher.counts_points and elapsed >= self.budget.target:
            return True  # More time would win points, not the game.
        early_stop = searcher.config.early_stop
        return is_enough(searcher.standing(), elapsed, self.budget, early_stop=early_stop)

    def _report(self, elapsed: float, every: float) -> Analysis:
        most, sampled = self.request.glance, elapsed >= self.next_sample
        if most is not None:
            every = SAMPLE_EFFORT
            if sampled:
                self.next_sample = elapsed + SAMPLE_EVERY
        return self.request.searcher.analysis(
            sampled=sampled, ownership=self.request.ownership, every=every, most=most
        )


def _prepared_run(request: SearchRequest, ending: Endgame) -> partial[list[Candidate]]:
    """Return the search of the position within the limits: ``Searcher.run``."""
    options, searcher = request.options, request.searcher
    simulations, seconds = options.simulations, options.seconds
    budget = request.budget
    if budget is not None:
        most = max(budget.most - request.elapsed, LEAST)
        seconds = most if seconds is None else min(seconds, most)
        budget = TimeBudget(max(budget.target - request.elapsed, LEAST), most)
    elif not options.has_limit:
        seconds = DEFAULT_SECONDS
    clocked = budget is not None and not options.has_limit
    recalled = searcher.recalled()
    if recalled and simulations is not None:
        simulations = left_to_search(simulations, recalled, options.book_least)
    watch = _Watch(
        request,
        budget if clocked else None,
        seconds=budget.target if clocked and budget is not None else seconds,
        recalled=recalled,
    )
    run = partial(
        searcher.run,
        simulations=simulations,
        seconds=seconds,
        early_stop=False if clocked else None,
        limits=request.restrict,
        avoided=ending.useless | _passes_to_avoid(request, ending),
        watch=watch.is_over,
    )
    # What the book tells of, and what it is to be told, is wins.
    may_begin = request.points is None and not options.book
    if request.looks_for_points and (request.points or may_begin):
        share = budget.target / seconds if clocked and budget and seconds else 1.0
        run = partial(run, pause=partial(_look, request), pause_after=POINTS_AFTER * share)
    return run


def _look(request: SearchRequest) -> bool:
    """Count points from here on if the game is decided, else wins; say if the tree begins anew.

    Not where the tree has much more than is still to come.
    """
    searcher = request.searcher
    best = next(iter(searcher.candidates()), None)
    left = searcher.made() * (1 / POINTS_AFTER - 1)
    if best is None or left < max(BEGUN_ANEW, searcher.visits() / 4):
        return False
    chance = searcher.chance_of(best)
    if searcher.counts_points:
        points = not is_open(chance, best.visits)
    else:
        points = is_decided(chance, best.visits)
    if points == searcher.counts_points:
        return False
    return searcher.follow(request.game, request.color, request.offset, points=points)


def _pick(
    request: SearchRequest, candidates: list[Candidate], analysis: Analysis, ending: Endgame
) -> Decision:
    """Return the best move that the rules and the end of the game allow."""
    game, searcher = request.game, request.searcher
    if ending.wins is not None and ending.agrees(analysis.value):
        return _pass(request, analysis, ending)
    reason = DecisionReason.CLEANUP if request.cleanup else DecisionReason.SEARCH
    if request.level is not None or request.options.style is not None:
        chosen = _choose_as_asked(request, candidates)
        if chosen != candidates[0].move:
            reason = DecisionReason.STYLE if request.level is None else DecisionReason.LEVEL
        candidates = sorted(candidates, key=lambda candidate: candidate.move != chosen)
    for candidate in candidates:
        vertex = searcher.vertex(candidate.move)
        if not request.allows(vertex):
            continue
        if vertex == "pass" and len(candidates) > 1 and not _may_pass(request, ending):
            continue
        if game.fault(request.color, vertex) is None:
            if vertex == "pass" and len(candidates) == 1:
                reason = DecisionReason.NO_MOVES
            elif reason is DecisionReason.SEARCH and searcher.is_from_book(candidate):
                reason = DecisionReason.EXPERIENCE
            return request.answer(vertex, reason, analysis, ending.note)
    allows_pass = request.allows("pass")
    vertex = "pass" if allows_pass else simple_move(game, request.color, request.allows)
    return request.answer(vertex, DecisionReason.NO_MOVES, analysis, ending.note)


def _choose_as_asked(request: SearchRequest, candidates: list[Candidate]) -> int:
    """Return the move that a player of that level and style chooses from what a search found."""
    game, searcher, style = request.game, request.searcher, request.options.style
    random = Random(request.options.drawn_seed * 1000 + len(game.moves))
    taste: Callable[[int], float] | None = None
    if style is not None:
        likes = taste_of(style, game.board.rows(), parse_color(request.color))

        def taste(move: int) -> float:
            return likes(searcher.vertex(move))

    best = candidates[0]
    if request.level is None:
        return soften(candidates, 0.0, random, taste)
    skill = skill_of(
        request.level,
        game.size,
        network=searcher.is_judged,
        people=knows_people(game.size),
        styled=style is not None,
    )
    if skill.people is None:
        return soften(candidates, skill.weakness, random, taste)
    if searcher.vertex(best.move) == "pass":
        return best.move
    from montego.engine.opinion import chances_of_people  # noqa: PLC0415  # Loads NumPy.

    chances = chances_of_people(searcher.definition, game, request.color, skill.people)
    known = {one.move: chances[one.move] for one in candidates if one.move in chances}
    known = {move: chance for move, chance in known.items() if searcher.vertex(move) != "pass"}
    if not known:
        return best.move
    moves = moves_like_people(known, skill.people, taste)
    return random.choices(list(moves), list(moves.values()))[0]


# The end of the game


def _is_near_the_end(request: SearchRequest) -> bool:
    game, budget = request.game, request.budget
    if budget is not None and not request.searcher.preparation.can_judge:
        return False
    if request.options.mode == "imitate" and not request.cleanup:
        return False
    if request.cleanup or game.passes > 0:
        return True
    if budget is not None and budget.most < HURRY * max(game.size**2 / 81, 1.0):
        return False
    empty = sum(color == 0 for row in game.board.rows() for color in row)
    return empty <= (1 - LATE) * game.size**2


def _passing(request: SearchRequest) -> Passing:
    """Judge the position, and what that means for a pass."""
    return Passing(
        request.game,
        request.judgements.of(request.game),
        request.options.mode,
        color=request.color,
        cleanup=request.cleanup,
    )


def _look_at_the_end(request: SearchRequest, ending: Endgame) -> Decision | None:
    """Judge the position; return a pass if it is time for one."""
    passing = ending.passing = _passing(request)
    decision = passing.decision()
    ending.note = decision.reason
    if not request.allows("pass"):
        return None
    if decision.passes:
        wins = passing.lead > 0
        if request.cleanup or (passing.is_beyond_doubt and wins):
            return _pass(request, _settled(request, passing), ending)
        # Whether stones are dead decides the game, so the search is asked as well.
        ending.wins = wins
        return None
    ending.useless = passing.useless_moves()
    if ending.useless.issuperset(request.game.legal_moves(request.color)):
        return request.answer("pass", DecisionReason.NO_MOVES, _settled(request, passing))
    return None


def _pass(request: SearchRequest, analysis: Analysis, ending: Endgame) -> Decision:
    # A pass for a button is not one to answer, and not among these.
    answers = request.game.passes > 0
    reason = DecisionReason.ANSWERED_PASS if answers else DecisionReason.NOTHING_TO_GAIN
    return request.answer("pass", reason, analysis, ending.note)


def _settled(request: SearchRequest, passing: Passing) -> Analysis:
    """Return the analysis of a position that was counted instead of searched."""
    margin = passing.lead if request.color == "black" else -passing.lead
    value = 0.5 if margin == 0 else float(passing.lead > 0)
    analysis = cold_analysis(request.color, "pass", request.elapsed)
    move = replace(analysis.moves[0], value=value, score=margin, score_deviation=0.0)
    return replace(
        analysis,
        value=value,
        mean_score=margin,
        moves=(move,),
        ownership=passing.judgement.ownership if request.ownership else None,
    )


def _may_pass(request: SearchRequest, ending: Endgame) -> bool:
    """Say whether the search's wish to pass may be followed."""
    decision = (ending.passing or _passing(request)).considered()
    ending.note = decision.reason
    return decision.passes


def _passes_to_avoid(request: SearchRequest, ending: Endgame) -> frozenset[str]:
    """Return the pass if it would end the game and must not: the search would take it at once.

    It counts every stone as alive, and with those that are dead a won game may be a lost one.
    """
    if request.game.passes == 0 or request.options.mode == "imitate":
        return frozenset()
    if _may_pass(request, ending):
        return frozenset()
    return frozenset({"pass"})


# Before anything is compiled


def _patience(request: SearchRequest) -> float | None:
    """Return how long to wait for the compiler; None to wait as long as it takes.

    Where simulations are counted the answer must not depend on the time.
    """
    if request.budget is not None:
        return max(request.budget.most - request.elapsed, 0.0)
    return None if request.options.simulations is not None else COLD_PATIENCE


def _report_cold(request: SearchRequest) -> Decision:
    """Answer without a search, and report that as well."""
    analysis = _cold(request)
    if request.report is not None:
        request.report(analysis)
    vertex, error = analysis.moves[0].vertex, request.searcher.preparation.error
    if error is None:
        return request.answer(vertex, DecisionReason.COLD_START, analysis)
    return request.answer(vertex, DecisionReason.NO_SEARCH, analysis, " ".join(str(error).split()))


def _cold(request: SearchRequest) -> Analysis:
    """Return what can be said without a search."""
    vertex = simple_move(request.game, request.color, request.allows)
    return cold_analysis(request.color, vertex, request.elapsed)


# When to stop


def left_to_search(simulations: int, recalled: int, least: float) -> int:
    """Return how many simulations are wanted where *recalled* visits were made in earlier games.

    A share of *least* is made in any case, and one at least.
    """
    return max(simulations - recalled, math.ceil(simulations * least), 1)


def is_known(made: int, recalled: int, elapsed: float, seconds: float, least: float) -> bool:
    """Say whether *recalled* visits and those *made* so far are what *seconds* would have given.

    By the pace so far; a share of *least* of the time is taken in any case.
    """
    if recalled <= 0 or elapsed < least * seconds:
        return False
    return made + recalled >= made / max(elapsed, 1e-6) * seconds


def is_settled(standing: RootStanding, elapsed: float, until: float) -> bool:
    """Say whether the second move cannot catch up by *until* at the pace so far."""
    pace = standing.simulations / max(elapsed, 1e-6)
    return standing.visits - standing.second_visits > pace * max(until - elapsed, 0.0)


def is_enough(
    standing: RootStanding | None, elapsed: float, budget: TimeBudget, *, early_stop: bool = True
) -> bool:
    """Say whether to stop thinking after *elapsed* seconds.

    *standing* is None if nothing is known yet; then only the limit counts. Without *early_stop*
    the target is always used up.
    """
    if elapsed >= budget.most:
        return True
    if standing is None or elapsed < FIRST_LOOK * budget.target:
        return False
    if elapsed < budget.target:
        return early_stop and is_settled(standing, elapsed, budget.target)
    if is_settled(standing, elapsed, budget.most):
        return True
    ratio = standing.visits / max(standing.second_visits, 1)
    doubtful = (
        standing.second_value > standing.value
        and standing.second_visits >= ENOUGH_VISITS * standing.visits
    )
    if ratio < CLOSE or doubtful:
        return False
    return ratio >= CLEAR or elapsed >= SHORT_EXTENSION * budget.target
