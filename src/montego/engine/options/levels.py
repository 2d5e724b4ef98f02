"""Levels for people, from 30 kyu up: weaker, and natural all the same.

A weak level does as a weak person does. It reads less: few simulations, so that what it knows about
shapes decides more than what it works out. It has seen fewer games: instead of what strong players
choose it knows a few rules, and a beginner only those of captures and of what is near. It
overlooks: its playouts know less of nakade, ladders and short liberties, in the end of anything.
And of moves that look about as good it takes now one, now another. It never plays at random, and
passing is left to the judgement of the strongest level.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple, cast

from montego.engine.knowledge.tuning import PriorWeights, tuned, tuned_size
from montego.go.playout.rates import Rates
from montego.go.vocabulary.rank import format_rank
from montego.ladder.scale import STRONGEST, WEAKEST, elo_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from montego.engine.knowledge.tuning import Value
    from montego.mcts.report import Candidate

LEVELS = {format_rank(rank): rank for rank in range(WEAKEST, STRONGEST + 1)}
"""The levels by name, weakest first, and their ranks as :mod:`montego.go.vocabulary.rank` has
them."""

PEOPLE = {f"like-{format_rank(rank)}": rank for rank in (-27, -22, -15, -5, -2, 1)}
"""Opponents that choose what people of a rank choose, where a network knows people; elsewhere they
are the level of that rank."""


def people_level(rank: int) -> str:
    """Return the name of the opponent like people whose rank is nearest."""
    return min(PEOPLE, key=lambda level: abs(PEOPLE[level] - rank))


# Simulations a move, by the size of the board: of a beginner, and of who knows the rules of thumb.
_FEWEST = {9: 2, 13: 2, 19: 2}
_FEW = {9: 40, 13: 56, 19: 80}
_RANGE = 500.0  # How many times as many the strongest has who reads by playouts.


class _Scale(NamedTuple):
    """What was measured on a board, in Elo above GNU Go at its level 10 (``docs/levels.md``)."""

    played_out: tuple[tuple[float, float], ...]
    """Elo and weakness of players without a network, the weakest first."""
    judged: tuple[tuple[float, float], ...]
    """Elo and, as powers of two, simulations of players with one."""


_BEGINNERS = ((-1785.0, 2.0), (-1485.0, 1.5), (-1235.0, 1.2), (-1150.0, 1.0))

_SCALES = {
    9: _Scale(
        (
            *_BEGINNERS,
            *((-900.0, 0.92), (-620.0, 0.85), (-440.0, 0.79), (0.0, 0.63)),
            *((380.0, 0.47), (450.0, 0.4), (640.0, 0.2), (850.0, 0.0)),
        ),
        ((450.0, 0.0), (1445.0, 8.5)),
    ),
    13: _Scale(
        (
            *_BEGINNERS,
            *((-800.0, 0.8), (-430.0, 0.63), (-105.0, 0.53)),
            *((160.0, 0.42), (640.0, 0.15), (850.0, 0.0)),
        ),
        ((510.0, 0.0), (1445.0, 8.5)),
    ),
    19: _Scale(
        (*_BEGINNERS, (-600.0, 0.7), (0.0, 0.42), (640.0, 0.1), (850.0, 0.0)),
        ((425.0, 0.0), (1445.0, 9.0)),
    ),
}
"""What nobody measured lies between what was, or beside it at the same distance as on 9x9."""

_OVERLOOKED = ("nakade", "ladder", "two_liberties")
"""Rules of the playout that weak players know less well; in proportion to their weakness."""

_RULES_OF_THUMB = PriorWeights()
"""What a weak player knows about a move before it reads."""

_BEGINNER = PriorWeights(
    capture=4.0,
    escape=40.0,
    self_atari=1.0,
    pattern=0.0,
    policy=0.0,
    line=0.0,
    distance_1=3.0,
    distance_2=3.0,
    distance_3=2.0,
)
"""What a beginner knows: captures, what is near, and not to fill eyes."""

# Of who knows the rules of thumb; stronger ones stray less from the best move, the strongest not.
_VISITS_LESS = 0.8  # Part of the best move's visits that another move may have less.
_MARGIN = 0.15  # How much less its value may be when the game is even; less when it is decided.
_TEMPERATURE = 1.5  # 0 takes the most visited, 1 draws in proportion to the visits.

_LOOKED_AT = 2
"""Visits below which a move was tried once, if at all, and not found worth another look. A beginner
plays such moves all the same; on the way to the rules of thumb that becomes rarer, as the square of
the way that is left."""

_NOT_CARED_FOR = 0.45
"""A prior value below this speaks against a move: a self-atari, a filled eye."""


# Of who plays in a style: where this is more than what the level allows.
_INDULGENCE = 0.03  # How much of its chance to win it gives for a move that it likes.
_CARED_FOR = 0.25  # Part of the best move's visits that such a move has at least.
_OPENNESS = 1.5  # How little visits say among these: a temperature, as above.

_READS_BESIDE = 0.75
"""The weakness of what reads beside an opponent that chooses what people choose."""

# Of who chooses what people choose, from the weakest of them to the strongest.
_LEAST_CHANCE = (0.03, 0.1)  # Of the likeliest move's chance: less is a slip of the mouse.
_CERTAINTY = (1.0, 3.5)
"""The power of the chances. All of a rank together are less sure than one person is; but who is
weak is unsure, and with a higher power all ranks play about equally well (``docs/levels.md``)."""


_PRICE_OF_STYLE = 2
"""Ranks that a style costs, by which a level in a style reads and knows more."""


class Skill(NamedTuple):
    """How well somebody plays on a board."""

    weakness: float
    """0 for who knows and reads all that playouts give, 1 for who knows the rules of thumb, 2 for
    a beginner."""
    simulations: int
    """A move."""
    network: bool = False
    """Whether a network judges; then there is no weakness but the number of simulations."""
    people: int | None = None
    """The rank of people whose moves it chooses; what it reads is for resigning and to tell."""


def skill_at(weakness: float, size: int) -> Skill:
    """Return the skill of a player without a network who is so weak, from 0 to 2."""
    few, fewest = _FEW[tuned_size(size)], _FEWEST[tuned_size(size)]
    if weakness <= 1.0:
        count = few * _RANGE ** (1.0 - weakness)
    else:
        count = few * (fewest / few) ** (weakness - 1.0)
    return Skill(weakness, round(count))


def skill_of(
    level: str,
    size: int,
    *,
    network: bool = False,
    people: bool = False,
    styled: bool = False,
) -> Skill:
    """Return how a level plays on a board of that size.

    *level* must be one of :data:`LEVELS` or :data:`PEOPLE`. *network* says whether there is one
    that judges, without which the strongest levels are all the same; *people*, whether there is one
    that knows people; *styled*, whether it plays in a style: it makes up for that, and has no
    network, which hardly ever finds two moves as good.
    """
    if level in PEOPLE:
        if people:
            return skill_at(_READS_BESIDE, size)._replace(people=PEOPLE[level])
        level = format_rank(PEOPLE[level])
    scale = _SCALES[tuned_size(size)]
    rank = LEVELS[level]
    elo = elo_of(min(rank + _PRICE_OF_STYLE, STRONGEST) if styled else rank)
    (weakest, _), *_ = judged = scale.judged
    if network and not styled and elo >= weakest:
        return Skill(0.0, round(2.0 ** _between(judged, elo)), network=True)
    return skill_at(_between(scale.played_out, elo), size)


def _between(points: Sequence[tuple[float, float]], elo: float) -> float:
    """Return the value at an Elo, in a line between the points beside it; beyond them, the last."""
    below = points[0]
    for above in points:
        if elo < above[0]:
            share = max(elo - below[0], 0.0) / max(above[0] - below[0], 1e-9)
            return below[1] + share * (above[1] - below[1])
        below = above
    return below[1]


def level_options(
    level: str,
    size: int,
    *,
    network: bool = False,
    people: bool = False,
    styled: bool = False,
) -> dict[str, Value]:
    """Return what a level changes about the options, as :func:`skill_of` has it.

    The names are those of :meth:`montego.engine.options.options.Options.replace`.
    """
    skill = skill_of(level, size, network=network, people=people, styled=styled)
    changes: dict[str, Value] = {"simulations": skill.simulations}
    if skill.network:
        return changes
    changes["network"] = None
    weakness, innocence = min(skill.weakness, 1.0), max(skill.weakness - 1.0, 0.0)
    known = Rates(**cast("dict[str, float]", tuned("rates", size)))
    for rule in fields(Rates):
        share = 1.0 - innocence
        if rule.name in _OVERLOOKED:
            share *= 1.0 - weakness
        if share < 1.0:
            changes[f"playout_{rule.name}"] = round(getattr(known, rule.name) * share, 3)
    strong = PriorWeights(**cast("dict[str, float]", tuned("weights", size)))
    for source in fields(PriorWeights):
        learned, simple, innocent = (
            getattr(one, source.name) for one in (strong, _RULES_OF_THUMB, _BEGINNER)
        )
        simple += innocence * (innocent - simple)
        changes[f"prior_{source.name}"] = round(weakness * simple + (1.0 - weakness) * learned, 3)
    return changes


def soften(
    candidates: Sequence[Candidate],
    weakness: float,
    random: Random,
    taste: Callable[[int], float] | None = None,
) -> int:
    """Return the move that a player of that weakness chooses from what a search found.

    *candidates* are as in :class:`~montego.mcts.report.SearchResult`, most visits first, and must
    not be empty. The first is the answer if it is a pass; a pass is never chosen otherwise. Proven
    wins are played, and proven losses only if there is nothing else. A *taste* says how many times
    as likely it makes a move among those that come into question.
    """
    from montego.go.kernels.layout import PASS  # noqa: PLC0415  # Loads NumPy, as a search has long done.

    best = candidates[0]
    won = next((candidate for candidate in candidates if candidate.proof == "win"), None)
    if won is not None:
        return won.move
    if best.move == PASS or best.visits == 0 or (weakness == 0.0 and taste is None):
        return best.move
    if weakness > 1.0:  # It tries so few moves that what it knows says more than visits do.
        best = max((one for one in candidates if one.move != PASS), key=_expected)
    # In a decided game all values are near one another, and differences mean more.
    expected = _expected(best)
    margin, least = _MARGIN * weakness, max(1.0 - _VISITS_LESS * weakness, 0.0)
    evenness = _TEMPERATURE * weakness
    if taste is not None:
        margin, least = max(margin, _INDULGENCE), min(least, _CARED_FOR)
        evenness = max(evenness, _OPENNESS)
    margin *= max(4.0 * expected * (1.0 - expected), 0.0)
    innocence = max(weakness - 1.0, 0.0)
    least = max(least * best.visits, _LOOKED_AT)
    unread = innocence**2
    near = [
        candidate
        for candidate in candidates
        if candidate is best
        or (
            candidate.move != PASS
            and candidate.proof != "loss"
            and (candidate.visits >= least or random.random() < unread)
            and _expected(candidate) >= expected - margin
            # A beginner overlooks a self-atari as often as not; who is strong has read it.
            and (weakness == 0.0 or not _looks_bad(candidate) or random.random() < innocence)
        )
    ]
    power = 1.0 / evenness
    looked = max(1, *(one.visits for one in near))
    begun = looked * innocence  # What a beginner might have tried is as good as what it did.
    weights = [((one.visits + begun) / (looked + begun)) ** power for one in near]
    if taste is not None:
        weights = [weight * taste(one.move) for weight, one in zip(weights, near, strict=True)]
    return random.choices(near, weights)[0].move


def moves_like_people(
    chances: Mapping[int, float], rank: int, taste: Callable[[int], float] | None = None
) -> dict[int, float]:
    """Return how likely an opponent is to make each move where people are so likely to choose it.

    *chances* are those of people of that *rank*, and must not be empty. What hardly anybody chooses
    is left out. A *taste* says how many times as likely it makes a move.
    """
    weakest, *_, strongest = PEOPLE.values()
    share = min(max((rank - weakest) / (strongest - weakest), 0.0), 1.0)
    least, certainty = (low + share * (high - low) for low, high in (_LEAST_CHANCE, _CERTAINTY))
    least *= max(chances.values())
    powers = {move: chance**certainty for move, chance in chances.items() if chance >= least}
    if taste is not None:
        powers = {move: power * taste(move) for move, power in powers.items()}
    total = sum(powers.values())
    return {move: power / total for move, power in powers.items()}


def _expected(candidate: Candidate) -> float:
    """Return the value with the prior's experience in it: a few visits alone are mostly luck."""
    worth = candidate.visits * candidate.value + candidate.prior_visits * candidate.prior_value
    return worth / max(candidate.visits + candidate.prior_visits, 1e-9)


def _looks_bad(candidate: Candidate) -> bool:
    return candidate.prior_visits > 0.0 and candidate.prior_value < _NOT_CARED_FOR
