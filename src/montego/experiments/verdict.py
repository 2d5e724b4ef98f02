"""Does a claim hold? Checks of figures against one another, and the sentence they make.

A check is true, false, or open while the interval is too wide to say. Its text is made of the
figures, so that no sentence in the report was typed by hand.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

from montego.experiments.figures import PERCENT, Z, number_text, share_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.figures import Row


FEWEST = 10
"""Games that a share must rest on before anything is concluded from it."""


class Verdict(enum.StrEnum):
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


def judge(checks: Sequence[Check]) -> tuple[Verdict, str]:
    """Return the verdict and a sentence with the reasons, the decisive ones first.

    The claim holds if all checks do, differs if some do and some do not, does not hold if some do
    not and none does; else it is undecided.
    """
    true = [check for check in checks if check.holds is True]
    false = [check for check in checks if check.holds is False]
    still_open = [check for check in checks if check.holds is None]
    if true and not false and not still_open:
        return Verdict.HOLDS, f"Holds: {_joined(true)}."
    if true and false:
        also = f" Open: {_joined(still_open)}." if still_open else ""
        return Verdict.DIFFERS, f"Differs: {_joined(false)}; while {_joined(true)}.{also}"
    if false:
        also = f" Open: {_joined(still_open)}." if still_open else ""
        return Verdict.DOES_NOT_HOLD, f"Does not hold: {_joined(false)}.{also}"
    if not checks:
        return Verdict.UNDECIDED, "Undecided: there is nothing to compare yet."
    also = f" True so far: {_joined(true)}." if true else ""
    return Verdict.UNDECIDED, f"Undecided: {_joined(still_open)}.{also}"


def above(row: Row | None, bound: float, what: str = "", at_least: float = 0.0) -> Check:
    """Check that a figure lies above *bound*: the whole interval must.

    It does not if the whole interval lies below the bound; where a claim says that it is much more,
    also if it is surely less than *at_least* more.
    """
    if row is None or not row.count:
        return _missing(row, what)
    holds = False if row.high < bound + at_least else True if row.low > bound else None
    holds = if_enough(holds, row)
    words = {True: "is above", False: "is not above", None: "is perhaps above"}[holds]
    much = ""
    if holds is False and at_least:
        much = f" by as much as {number_text(at_least, row.unit)} {_points(row)}"
    return Check(f"{_told(row, what)} {words} {_bound(row, bound)}{much}", holds)


def below(row: Row | None, bound: float, what: str = "") -> Check:
    """Check that a figure lies below *bound*: the whole interval must."""
    if row is None or not row.count:
        return _missing(row, what)
    holds = if_enough(_side(bound - row.high, bound - row.low), row)
    words = {True: "is below", False: "is not below", None: "is perhaps below"}[holds]
    return Check(f"{_told(row, what)} {words} {_bound(row, bound)}", holds)


def agrees(row: Row | None, tolerance: float = 0.0, widest: float = math.inf) -> Check:
    """Check that the document's figure lies in our interval, widened by *tolerance*.

    Open while the interval is wider than *widest*, unless the figure is outside even then.
    """
    if row is None or not row.count or row.document is None:
        return _missing(row, "")
    holds = _meets(row, row.document, row.document, tolerance, widest)
    words = {True: "agrees with", False: "differs from", None: "may agree with"}[holds]
    within = ""
    if holds and not row.low <= row.document <= row.high:
        within = f", to within {number_text(tolerance, row.unit)} {_points(row)}".rstrip()
    return Check(f"{_told(row)} {words} the document's {row.shown_document}{within}", holds)


def between(
    row: Row | None, low: float, high: float, tolerance: float = 0.0, widest: float = math.inf
) -> Check:
    """Check a figure against a document's range, as :func:`agrees` does against one number."""
    if row is None or not row.count:
        return _missing(row, "")
    holds = _meets(row, low, high, tolerance, widest)
    words = {True: "agrees with", False: "differs from", None: "may agree with"}[holds]
    return Check(
        f"{_told(row)} {words} the document's {number_text(low, row.unit)} to {_bound(row, high)}",
        holds,
    )


def _meets(row: Row, low: float, high: float, tolerance: float, widest: float) -> bool | None:
    """Say whether our interval, widened, meets a range; None while it is too wide to mean much."""
    meets = row.low - tolerance <= high and low <= row.high + tolerance
    is_wide = row.high - row.low > widest or math.isinf(row.high - row.low)
    return if_enough(None if meets and is_wide else meets, row)


def agreement(rows: Sequence[Row], count: int, widest: float = 0.3) -> Check:
    """Check shares against a document's table, whose figures rest on *count* games each.

    Both are uncertain: a figure differs if the interval of the difference leaves out 0. One in
    twenty does so by chance: the table differs if more of them do than chance explains, at 95 %.
    Open while intervals are wider than *widest*.
    """
    known = [row for row in rows if row.count and row.document is not None]
    if not known:
        return _missing(None, "")
    gaps = [difference(row, _document_row(row, count)) for row in known]
    differing = sum(low > 0 or high < 0 for _, low, high in gaps)
    is_wide = max(row.high - row.low for row in known) > widest
    holds = False if differing > _by_chance(len(known)) else None if is_wide else True
    holds = if_enough(holds, *known)
    if len(known) == 1:
        agree = {True: "agrees with", False: "differs from", None: "may agree with"}[holds]
        document = _document_row(known[0], count).shown
        text = f"{_told(known[0])} {agree} the document's {document} of {count} games"
        return Check(text, holds)
    agree = "may agree" if holds is None else "agree"
    agreeing = f"{len(known) - differing} of {len(known)} figures {agree} with the document's"
    far = max(zip(known, gaps, strict=True), key=lambda pair: abs(pair[1][0]))[0]
    farthest = f"the farthest is {far.cell} ({far.shown}), there {far.shown_document}"
    return Check(f"{agreeing}, {farthest}", holds)


def _by_chance(figures: int) -> int:
    """Return how many of so many true figures lie outside their intervals, in 95 % of the cases."""
    outside, chance = 0, 0.95**figures
    while chance < 0.95 - 1e-9:
        outside += 1
        chance += math.comb(figures, outside) * 0.05**outside * 0.95 ** (figures - outside)
    return outside


def _document_row(row: Row, count: int) -> Row:
    return share_row(row.cell, (row.document or 0.0) * count, count)


def more(larger: Row | None, smaller: Row | None) -> Check:
    """Check that one figure is larger than another, both being uncertain.

    The interval of the difference is made of the two by adding squares, which for Wilson's
    intervals is R. G. Newcombe's method 10, "Interval estimation for the difference between
    independent proportions", 1998.
    """
    if larger is None or smaller is None or not larger.count or not smaller.count:
        return _missing(larger or smaller, "")
    holds = if_enough(_side(*difference(larger, smaller)[1:]), larger, smaller)
    words = {True: "is more than", False: "is not more than", None: "is perhaps more than"}[holds]
    return Check(f"{_told(larger)} {words} {_told(smaller)}", holds)


def same(one: Row | None, other: Row | None, margin: float) -> Check:
    """Check that two figures differ by no more than *margin* either way."""
    if one is None or other is None or not one.count or not other.count:
        return _missing(one or other, "")
    _, low, high = difference(one, other)
    within = -margin <= low and high <= margin
    holds = True if within else False if low > margin or high < -margin else None
    holds = if_enough(holds, one, other)
    words = {True: "is the same as", False: "differs from", None: "may differ from"}[holds]
    by = "to within" if holds else "by more than"
    return Check(
        f"{_told(one)} {words} {_told(other)} {by} {number_text(margin, one.unit)} {_points(one)}",
        holds,
    )


def none_better(best: Row | None, others: Sequence[Row], margin: float) -> Check:
    """Check that no other figure is larger by more than *margin*; false if one surely is larger.

    Several others are each given the benefit of the doubt: of many that are just as good, one is
    likely to look better by chance (C. E. Bonferroni's correction, 1936).
    """
    others = [row for row in others if row.count]
    if best is None or not best.count or not others:
        return Check("no results yet to compare", None)
    gaps = [(row, *difference(row, best, len(others))[1:]) for row in others]
    rival, low, _ = max(gaps, key=lambda gap: gap[1])
    if low > 0:
        check = Check(f"{_told(rival)} is more than {_told(best)}", if_enough(False, rival, best))
        if check.holds is False:
            return check
    gaps = [(row, *difference(row, best)[1:]) for row in others]
    rival, _, high = max(gaps, key=lambda gap: gap[2])
    if high > margin or if_enough(True, best, *others) is None:
        return Check(f"{_told(rival)} may be more than {_told(best)}", None)
    text = f"nothing is better than {_told(best)} by {number_text(margin, best.unit)}"
    return Check(f"{text} {_points(best)}, not even {_told(rival)}", holds=True)


def rising(rows: Sequence[Row]) -> Check:
    """Check that the figures rise: the last above the first, and no step down that is certain.

    Of several steps each has the benefit of the doubt, as in :func:`none_better`.
    """
    rows = [row for row in rows if row.count]
    if len(rows) < 2:
        return _missing(rows[0] if rows else None, "")
    first, last = rows[0], rows[-1]
    falls = [
        (before, after)
        for before, after in pairwise(rows)
        if difference(before, after, len(rows) - 1)[1] > 0 and if_enough(True, before, after)
    ]
    if falls:
        before, after = falls[0]
        text = f"it falls from {before.shown} at {before.cell} to {after.shown} at {after.cell}"
        return Check(text, holds=False)
    whole = if_enough(_side(*difference(last, first)[1:]), first, last)
    words = {True: "rises", False: "falls", None: "perhaps rises"}[whole]
    text = f"it {words} from {first.shown} at {first.cell} to {last.shown} at {last.cell}"
    return Check(text, whole)


def if_enough(holds: bool | None, *rows: Row) -> bool | None:
    """Return *holds*, but None where a share rests on fewer than :data:`FEWEST` games.

    Wilson's interval is too narrow for a handful: four wins of four would lie above one half.
    """
    return None if any(row.unit == PERCENT and row.count < FEWEST for row in rows) else holds


def difference(one: Row, other: Row, family: int = 1) -> tuple[float, float, float]:
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


def _told(row: Row, what: str = "") -> str:
    return f"{what or row.cell} ({row.shown})"


def _bound(row: Row, bound: float) -> str:
    return f"{number_text(bound, row.unit)} {row.unit}".rstrip()


def _points(row: Row) -> str:
    return "points" if row.unit == PERCENT else row.unit


def _missing(row: Row | None, what: str) -> Check:
    name = what or (row.cell if row else "")
    return Check(f"no results yet{f' for {name}' if name else ''}", None)


def _joined(checks: Sequence[Check]) -> str:
    return "; ".join(check.text for check in checks)
