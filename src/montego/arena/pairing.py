"""Who meets whom: round robin, gauntlet, Swiss.

A *meeting* is two games with one opening, each engine Black once. Functions here return pairs of
names; which games have been played is the caller's business.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Pair = tuple[str, str]

SEARCH_LIMIT = (
    100_000  # Steps after which a Swiss round is paired with rematches rather than never.
)


def round_robin(names: Sequence[str]) -> list[Pair]:
    """Return every pair once."""
    return list(itertools.combinations(names, 2))


def gauntlet(challengers: Sequence[str], names: Sequence[str]) -> list[Pair]:
    """Return every challenger with everybody who is none."""
    field = [name for name in names if name not in challengers]
    return list(itertools.product(challengers, field))


def swiss_round(
    names: Sequence[str],
    points: Mapping[str, float],
    met: set[frozenset[str]],
    rested: set[str],
) -> tuple[list[Pair], str | None]:
    """Return the pairs of the next round, and who rests if the number is odd.

    Engines of equal points meet as far as possible, and nobody meets the same opponent twice as
    long as that can be; the one with the fewest points who has not rested yet rests. Among equals
    the order of *names* decides, so the same results always give the same round.
    """
    order = sorted(names, key=lambda name: (-points.get(name, 0.0), names.index(name)))
    resting = None
    if len(order) % 2:
        willing = [name for name in order if name not in rested] or order
        resting = willing[-1]
        order.remove(resting)
    steps = itertools.count()
    pairs = _pair_up(order, met, steps)
    if pairs is None:
        pairs = list(zip(order[::2], order[1::2], strict=True))
    return pairs, resting


def _pair_up(
    order: Sequence[str], met: set[frozenset[str]], steps: itertools.count[int]
) -> list[Pair] | None:
    """Pair the first with the nearest possible opponent, and so on; None if it cannot be."""
    if not order:
        return []
    first, others = order[0], order[1:]
    for opponent in others:
        if next(steps) > SEARCH_LIMIT:
            return None
        if frozenset((first, opponent)) in met:
            continue
        rest = _pair_up([name for name in others if name != opponent], met, steps)
        if rest is not None:
            return [(first, opponent), *rest]
    return None
