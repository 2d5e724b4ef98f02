"""Levels for people, from about 20 kyu up: weaker, and natural all the same.

A weak level does as a weak person does. It reads less: few simulations, so that what it knows about
shapes decides more than what it works out. It has seen fewer games: instead of what strong players
choose it knows a few rules. It overlooks: its playouts know less of nakade, ladders and short
liberties. And of moves that look about as good it takes now one, now another. It never plays at
random, and passing is left to the judgement of the strongest level.

The ranks are an estimate that leans on GNU Go at its level 10, commonly held to be somewhere near 8
to 10 kyu: the level 9k is about even with it (``docs/strength.md``), and from there each rank is a
step of the same size to the weakest and to the strongest level. Expect to be off by several ranks.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, cast

from montego.engine.knowledge.tuning import PriorWeights, tuned, tuned_size
from montego.go.playout.rates import Rates

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from montego.engine.knowledge.tuning import Value
    from montego.mcts.report import Candidate

WEAKEST = 20
LEVELS = {f"{kyu}k": kyu for kyu in range(WEAKEST, 0, -1)}
"""The levels by name, weakest first, and their kyu."""

_FEWEST = {9: 40, 13: 56, 19: 80}
"""Simulations a move of the weakest level, by the size of the board."""

_GNU_GO = 9
"""The kyu of GNU Go at its level 10, as it is taken here."""

_EVEN = {9: 13.0, 13: 10.0, 19: 9.0}
"""The place of the level that is even with GNU Go among twenty equal steps, the strongest being 1;
by the size of the board. On 9x9 playing at the places 20, 16, 13, 12 and 10 won 0 of 12, 1 of 14,
10 of 20, 15 of 24 and 18 of 20 games; on 13x13 at 13, 11 and 9 it was 1 of 13, 5 of 14 and 10 of
14; on 19x19 at 9, 5 of 10."""

_RANGE = 500.0  # How many times as many the strongest level has.

_OVERLOOKED = ("nakade", "ladder", "two_liberties")
"""Rules of the playout that weak players know less well; in proportion to their weakness."""

_RULES_OF_THUMB = PriorWeights()
"""What the weakest level knows about a move before it reads."""

# Of the weakest level; the others stray less from the best move, and the strongest does not.
_VISITS_LESS = 0.8  # Part of the best move's visits that another move may have less.
_MARGIN = 0.15  # How much less its value may be when the game is even; less when it is decided.
_TEMPERATURE = 1.5  # 0 takes the most visited, 1 draws in proportion to the visits.

_LOOKED_AT = 2
"""Visits below which a move was tried once, if at all, and not found worth another look."""

_NOT_CARED_FOR = 0.45
"""A prior value below this speaks against a move: a self-atari, a filled eye."""


def level_options(level: str, size: int) -> dict[str, Value]:
    """Return what a level changes about the options on a board of that size.

    The names are those of :meth:`montego.engine.options.options.Options.replace`. *level* must be
    one of :data:`LEVELS`.
    """
    weakness = weakness_of(level, size)
    fewest = _FEWEST[tuned_size(size)]
    changes: dict[str, Value] = {"simulations": round(fewest * _RANGE ** (1.0 - weakness))}
    known = Rates(**cast("dict[str, float]", tuned("rates", size)))
    for rule in _OVERLOOKED:
        changes[f"playout_{rule}"] = round(getattr(known, rule) * (1.0 - weakness), 3)
    strong = PriorWeights(**cast("dict[str, float]", tuned("weights", size)))
    for source in fields(PriorWeights):
        simple, learned = getattr(_RULES_OF_THUMB, source.name), getattr(strong, source.name)
        changes[f"prior_{source.name}"] = round(weakness * simple + (1.0 - weakness) * learned, 3)
    return changes


def soften(candidates: Sequence[Candidate], level: str, size: int, random: Random) -> int:
    """Return the move that a player of that level chooses from what a search found.

    *candidates* are as in :class:`~montego.mcts.report.SearchResult`, most visits first, and must
    not be empty. The first is the answer if it is a pass; a pass is never chosen otherwise. Proven
    wins are played, and proven losses only if there is nothing else.
    """
    from montego.go.kernels.layout import PASS  # noqa: PLC0415  # Loads NumPy, as a search has long done.

    best = candidates[0]
    won = next((candidate for candidate in candidates if candidate.proof == "win"), None)
    if won is not None:
        return won.move
    weakness = weakness_of(level, size)
    if best.move == PASS or weakness == 0.0 or best.visits == 0:
        return best.move
    # In a decided game all values are near one another, and differences mean more.
    expected = _expected(best)
    margin = _MARGIN * weakness * max(4.0 * expected * (1.0 - expected), 0.0)
    least = max((1.0 - _VISITS_LESS * weakness) * best.visits, _LOOKED_AT)
    near = [
        candidate
        for candidate in candidates
        if candidate is best
        or (
            candidate.move != PASS
            and candidate.proof != "loss"
            and candidate.visits >= least
            and _expected(candidate) >= expected - margin
            and not _looks_bad(candidate)
        )
    ]
    weights = [(one.visits / best.visits) ** (1.0 / (_TEMPERATURE * weakness)) for one in near]
    return random.choices(near, weights)[0].move


def _expected(candidate: Candidate) -> float:
    """Return the value with the prior's experience in it: a few visits alone are mostly luck."""
    worth = candidate.visits * candidate.value + candidate.prior_visits * candidate.prior_value
    return worth / (candidate.visits + candidate.prior_visits)


def _looks_bad(candidate: Candidate) -> bool:
    return candidate.prior_visits > 0.0 and candidate.prior_value < _NOT_CARED_FOR


def weakness_of(level: str, size: int) -> float:
    """Return 0 for the strongest level, 1 for the weakest, on a board of that size."""
    kyu, even = LEVELS[level], _EVEN[tuned_size(size)]
    if kyu <= _GNU_GO:
        place = 1.0 + (kyu - 1) * (even - 1.0) / (_GNU_GO - 1)
    else:
        place = even + (kyu - _GNU_GO) * (WEAKEST - even) / (WEAKEST - _GNU_GO)
    return (place - 1.0) / (WEAKEST - 1)
