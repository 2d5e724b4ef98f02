"""Does a claim hold? Checks of figures against one another, and the sentence they make.

A check is true, false, or open while the interval is too wide to say. Its text is made of the
figures, so that no sentence in the report was typed by hand.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

from montego.experiments.figures import (
    EVEN,
    PERCENT,
    FigureRow,
    Z,
    exact_row,
    figure_text,
    number_text,
    share_row,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


FEWEST = 10
"""Games that a share must rest on before anything is concluded from it."""
IS = {True: "is", False: "is not", None: "is perhaps"}
POINTS = "points"
"""The unit of a difference of two shares."""
AGREES = {True: "agrees with", False: "differs from", None: "may agree with"}


class ClaimVerdict(enum.StrEnum):
    """What became of a document's claim."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    DIFFERS = "differs"
    """A part holds, a part does not."""
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Check:
    """A part of a claim, and whether the figures bear it out; None while they cannot tell."""

    text: str
    """With the figures, and true as it stands: ``"A (40 % [35, 45]) is below 50 %"``."""
    holds: bool | None
    figure: FigureRow | None = field(default=None, compare=False)
    """What it was judged by: a figure, or the difference of two."""
    refuted_by: str = field(default="", compare=False)
    """What the figures would have to be for the claim not to hold."""


def verdict_of(checks: Sequence[Check]) -> tuple[ClaimVerdict, str]:
    """Return the verdict and a sentence with the reasons, the decisive ones first.

    The claim holds if all checks do, differs if some do and some do not, does not hold if some do
    not and none does; else it is undecided.
    """
    reasons = {
        holds: "; ".join(check.text for check in checks if check.holds is holds)
        for holds in (True, False, None)
    }
    true, false, still_open = reasons[True], reasons[False], reasons[None]
    also = f" Open: {still_open}." if still_open else ""
    if true and false:
        return ClaimVerdict.DIFFERS, f"Differs: {false}; while {true}.{also}"
    if false:
        return ClaimVerdict.DOES_NOT_HOLD, f"Does not hold: {false}.{also}"
    if still_open:
        also = f" True so far: {true}." if true else ""
        return ClaimVerdict.UNDECIDED, f"Undecided: {still_open}.{also}"
    if true:
        return ClaimVerdict.HOLDS, f"Holds: {true}."
    return ClaimVerdict.UNDECIDED, "Undecided: there is nothing to compare yet."


def above(row: FigureRow | None, bound: float, what: str = "", at_least: float = 0.0) -> Check:
    """Check that a figure lies above *bound*: the whole interval must.

    It does not if the whole interval lies below the bound; where a claim says that it is much more,
    also if it is surely less than *at_least* more.
    """
    if row is None or not row.count:
        return _missing(row, what)
    holds = False if row.high < bound + at_least else True if row.low > bound else None
    holds = if_enough(holds, row)
    much = ""
    if holds is False and at_least:
        much = f" by as much as {_margin(row, at_least)}"
    limit = figure_text(bound + at_least, row.unit)
    return Check(
        f"{_named(row, what)} {IS[holds]} above {figure_text(bound, row.unit)}{much}",
        holds,
        row,
        f"{what or row.cell} surely below {limit}",
    )


def below(row: FigureRow | None, bound: float, what: str = "") -> Check:
    """Check that a figure lies below *bound*: the whole interval must."""
    if row is None or not row.count:
        return _missing(row, what)
    holds = if_enough(_side(bound - row.high, bound - row.low), row)
    limit = figure_text(bound, row.unit)
    refuted = f"{what or row.cell} surely above {limit}"
    return Check(f"{_named(row, what)} {IS[holds]} below {limit}", holds, row, refuted)


def at_most(row: FigureRow | None, bound: float, tolerance: float = 0.0) -> Check:
    """Check that a figure is no larger than *bound*: the interval may pass it by *tolerance*.

    A figure that is smaller is as good: this is for what a document calls an upper bound.
    """
    if row is None or not row.count:
        return _missing(row)
    holds = if_enough(_side(bound + tolerance - row.high, bound + tolerance - row.low), row)
    words = {True: "is no more than", False: "is more than", None: "may be more than"}[holds]
    within = f", to within {_margin(row, tolerance)}" if tolerance else ""
    limit = f"{figure_text(bound, row.unit)}{within}"
    refuted = f"{row.cell} surely above {figure_text(bound + tolerance, row.unit)}"
    return Check(f"{row.told} {words} {limit}", holds, row, refuted)


def agrees(row: FigureRow | None, tolerance: float = 0.0, widest: float = math.inf) -> Check:
    """Check that the document's figure lies in our interval, widened by *tolerance*.

    Open while the interval is wider than *widest*, unless the figure is outside even then.
    """
    if row is None or row.document is None:
        return _missing(row)
    check = between(row, row.document, row.document, tolerance, widest)
    if check.holds and not row.low <= row.document <= row.high:
        return replace(check, text=f"{check.text}, to within {_margin(row, tolerance)}")
    return check


def between(
    row: FigureRow | None, low: float, high: float, tolerance: float = 0.0, widest: float = math.inf
) -> Check:
    """Check a figure against a document's range, as :func:`agrees` does against one number."""
    if row is None or not row.count:
        return _missing(row)
    meets = row.low - tolerance <= high and low <= row.high + tolerance
    is_wide = row.high - row.low > widest or math.isinf(row.high - row.low)
    holds = if_enough(None if meets and is_wide else meets, row)
    begin = "" if low == high else f"{number_text(low, row.unit)} to "
    document = f"{begin}{figure_text(high, row.unit)}"
    beyond = f" by more than {_margin(row, tolerance)}" if tolerance else ""
    refuted = f"an interval of {row.cell} that leaves out {document}{beyond}"
    return Check(f"{row.told} {AGREES[holds]} the document's {document}", holds, row, refuted)


def agreement(rows: Sequence[FigureRow], count: int, widest: float = 0.3) -> Check:
    """Check shares against a document's table, whose figures rest on *count* games each.

    Both are uncertain: a figure differs if the interval of the difference leaves out 0. One in
    twenty does so by chance: the table differs if more of them do than chance explains, at 95 %.
    Open while intervals are wider than *widest*.
    """
    known = [row for row in rows if row.count and row.document is not None]
    if not known:
        return _missing(None)
    documents = [share_row(row.cell, (row.document or 0.0) * count, count) for row in known]
    gaps = [difference(*pair) for pair in zip(known, documents, strict=True)]
    differing = sum(low > 0 or high < 0 for _, low, high in gaps)
    is_wide = max(row.high - row.low for row in known) > widest
    holds = False if differing > _by_chance(len(known)) else None if is_wide else True
    holds = if_enough(holds, *known)
    if len(known) == 1:
        document = f"{documents[0].shown} of {count} games"
        refuted = f"a sure difference from the document's {document}"
        text = f"{known[0].told} {AGREES[holds]} the document's {document}"
        return Check(text, holds, known[0], refuted)
    agree = "may agree" if holds is None else "agree"
    agreeing = f"{len(known) - differing} of {len(known)} figures {agree} with the document's"
    far = max(zip(known, gaps, strict=True), key=lambda pair: abs(pair[1][0]))[0]
    refuted = f"more than {_by_chance(len(known))} of {len(known)} figures that surely differ"
    text = f"{agreeing}, the farthest is {far.told}, there {far.shown_document}"
    return Check(text, holds, far, refuted)


def _by_chance(figures: int) -> int:
    """Return how many of so many true figures lie outside their intervals, in 95 % of the cases."""
    outside, chance = 0, 0.95**figures
    while chance < 0.95 - 1e-9:
        outside += 1
        chance += math.comb(figures, outside) * 0.05**outside * 0.95 ** (figures - outside)
    return outside


def more(larger: FigureRow | None, smaller: FigureRow | None) -> Check:
    """Check that one figure is larger than another, both being uncertain.

    The interval of the difference is made of the two by adding squares, which for Wilson's
    intervals is R. G. Newcombe's method 10, "Interval estimation for the difference between
    independent proportions", 1998.
    """
    if larger is None or smaller is None or not larger.count or not smaller.count:
        return _missing(larger or smaller)
    holds = if_enough(_side(*difference(larger, smaller)[1:]), larger, smaller)
    return Check(
        f"{larger.told} {IS[holds]} more than {smaller.told}",
        holds,
        gap_row(larger, smaller),
        f"{larger.cell} surely less than {smaller.cell}",
    )


def same(one: FigureRow | None, other: FigureRow | None, margin: float) -> Check:
    """Check that two figures differ by no more than *margin* either way."""
    if one is None or other is None or not one.count or not other.count:
        return _missing(one or other)
    _, low, high = difference(one, other)
    within = -margin <= low and high <= margin
    holds = True if within else False if low > margin or high < -margin else None
    holds = if_enough(holds, one, other)
    words = {True: "is the same as", False: "differs from", None: "may differ from"}[holds]
    by = "to within" if holds else "by more than"
    return Check(
        f"{one.told} {words} {other.told} {by} {_margin(one, margin)}",
        holds,
        gap_row(one, other),
        f"a difference of surely more than {_margin(one, margin)}",
    )


def is_even(row: FigureRow | None, margin: float) -> Check:
    """Check that neither side of a match is better by more than *margin*: the interval must say so.

    False only if the interval leaves out an even result.
    """
    if row is None or not row.count:
        return Check("no games yet", None)
    within = EVEN - margin <= row.low and row.high <= EVEN + margin
    uneven = not row.low <= EVEN <= row.high
    holds = if_enough(True if within else False if uneven else None, row)
    words = {
        True: f"is even within {_margin(row, margin)}",
        False: "is not even",
        None: f"is perhaps not even within {_margin(row, margin)}",
    }
    refuted = f"an interval of {row.cell} that leaves out {figure_text(EVEN, row.unit)}"
    return Check(f"{row.told} {words[holds]}", holds, row, refuted)


def is_not_worse(row: FigureRow | None, margin: float, family: int = 1) -> Check:
    """Check that the first side is not worse by more than *margin*; false if it surely is worse.

    As one of a *family* of so many checks it has the benefit of the doubt, as in
    :func:`none_better`.
    """
    if row is None or not row.count:
        return Check("no games yet", None)
    worse = difference(row, exact_row("even", EVEN, row.count), family)[2] < 0
    holds = if_enough(True if row.low >= EVEN - margin else False if worse else None, row)
    words = {
        True: f"is not below even by {_margin(row, margin)}",
        False: "is below even",
        None: "may be below even",
    }
    refuted = f"{row.cell} surely below {figure_text(EVEN, row.unit)}"
    return Check(f"{row.told} {words[holds]}", holds, row, refuted)


def none_better(best: FigureRow | None, others: Sequence[FigureRow], margin: float) -> Check:
    """Check that no other figure is larger by more than *margin*; false if one surely is larger.

    Several others are each given the benefit of the doubt: of many that are just as good, one is
    likely to look better by chance (C. E. Bonferroni's correction, 1936).
    """
    others = [row for row in others if row.count]
    if best is None or not best.count or not others:
        return Check("no results yet to compare", None)
    gaps = [(row, *difference(row, best, len(others))[1:]) for row in others]
    rival, low, _ = max(gaps, key=lambda gap: gap[1])
    refuted = f"anything surely better than {best.cell}"
    if low > 0 and if_enough(True, rival, best):
        text = f"{rival.told} is more than {best.told}"
        return Check(text, holds=False, figure=gap_row(rival, best), refuted_by=refuted)
    gaps = [(row, *difference(row, best)[1:]) for row in others]
    rival, _, high = max(gaps, key=lambda gap: gap[2])
    gap = gap_row(rival, best)
    if high > margin or if_enough(True, best, *others) is None:
        return Check(f"{rival.told} may be more than {best.told}", None, gap, refuted)
    text = f"nothing is better than {best.told} by {_margin(best, margin)}"
    return Check(f"{text}, not even {rival.told}", holds=True, figure=gap, refuted_by=refuted)


def none_beats(player: str, matches: Sequence[FigureRow], margin: float) -> Check:
    """Check, as :func:`none_better` does, that in matches against *player* no opponent is better.

    The player's own share is one half, which is no estimate.
    """
    fewest = min((row.count for row in matches), default=0)
    return none_better(exact_row(player, EVEN, fewest), matches, margin)


def rising(rows: Sequence[FigureRow]) -> Check:
    """Check that the figures rise: the last above the first, and no step down that is certain.

    Of several steps each has the benefit of the doubt, as in :func:`none_better`.
    """
    rows = [row for row in rows if row.count]
    if len(rows) < 2:
        return _missing(rows[0] if rows else None)
    first, last = rows[0], rows[-1]
    refuted = "a sure fall from one point to the next"
    for before, after in pairwise(rows):
        is_fall = difference(before, after, len(rows) - 1)[1] > 0
        if is_fall and if_enough(True, before, after):
            text = f"it falls from {before.shown} at {before.cell} to {after.shown} at {after.cell}"
            return Check(text, holds=False, figure=gap_row(after, before), refuted_by=refuted)
    holds = if_enough(_side(*difference(last, first)[1:]), first, last)
    words = {True: "rises", False: "falls", None: "perhaps rises"}[holds]
    text = f"it {words} from {first.shown} at {first.cell} to {last.shown} at {last.cell}"
    return Check(text, holds, gap_row(last, first), refuted)


def combined(claim: str, checks: Sequence[Check]) -> Check:
    """Return one check for many of a kind: all must hold; those that do not are named."""
    doubtful = [check for check in checks if not check.holds]
    failed = [check for check in doubtful if check.holds is False]
    decisive = next(iter(failed or doubtful or checks), Check(claim, None))
    refuted = f"any of them: {decisive.refuted_by}" if decisive.refuted_by else ""
    if not doubtful:
        return Check(claim, holds=True, figure=decisive.figure, refuted_by=refuted)
    which = "; ".join(check.text for check in failed or doubtful)
    text = f"of '{claim}': {which}"
    return Check(text, False if failed else None, decisive.figure, refuted)


def if_enough(holds: bool | None, *rows: FigureRow) -> bool | None:
    """Return *holds*, but None where a share rests on fewer than :data:`FEWEST` games.

    Wilson's interval is too narrow for a handful: four wins of four would lie above one half.
    """
    return None if any(row.unit == PERCENT and row.count < FEWEST for row in rows) else holds


def gap_row(one: FigureRow, other: FigureRow) -> FigureRow:
    """Return the difference of two figures as a row; it rests on the smaller number."""
    if not math.isfinite(one.ours - other.ours):
        return one
    name = f"{one.cell} less {other.cell}"
    gap, low, high = difference(one, other)
    unit = POINTS if one.unit == PERCENT else one.unit
    scale = 100 if unit == POINTS else 1
    count = min(one.count, other.count)
    return FigureRow(name, scale * gap, scale * low, scale * high, count, None, unit)


def difference(one: FigureRow, other: FigureRow, family: int = 1) -> tuple[float, float, float]:
    """Return one figure less another, with the ends of its 95 % interval.

    As one of a *family* of so many differences it has a wider one, by Bonferroni's correction.
    """
    wider = NormalDist().inv_cdf(1 - 0.025 / family) / Z
    gap = one.ours - other.ours
    low = gap - wider * math.hypot(one.ours - one.low, other.high - other.ours)
    high = gap + wider * math.hypot(one.high - one.ours, other.ours - other.low)
    return gap, low, high


def _side(low: float, high: float) -> bool | None:
    """Say whether an interval lies above 0, below it, or on both sides."""
    return True if low > 0 else False if high < 0 else None


def _named(row: FigureRow, what: str) -> str:
    return f"{what} ({row.shown})" if what else row.told


def _margin(row: FigureRow, margin: float) -> str:
    return figure_text(margin, row.unit).replace(PERCENT, "points")


def _missing(row: FigureRow | None, what: str = "") -> Check:
    name = what or (row.cell if row else "")
    return Check(f"no results yet{f' for {name}' if name else ''}", None)
