"""Does a claim hold? Checks of figures against one another, and the sentence they make.

A check is true, false, or open while the interval is too wide to say. Its text is made of the
figures, so that no sentence in the report was typed by hand.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from montego.experiments.figures import number_text, share_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.figures import Row


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
    """With the figures, and true as it stands: ``"A wins 40 % [35, 45], below 50"``."""
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


def above(row: Row | None, bound: float, what: str = "") -> Check:
    """Check that a figure lies above *bound*: the whole interval must."""
    if row is None or not row.count:
        return _missing(row, what)
    holds = _side(row.low - bound, row.high - bound)
    words = {True: "above", False: "not above", None: "perhaps above"}[holds]
    return Check(f"{_name(row, what)} {row.shown}, {words} {number_text(bound, row.unit)}", holds)


def below(row: Row | None, bound: float, what: str = "") -> Check:
    """Check that a figure lies below *bound*: the whole interval must."""
    if row is None or not row.count:
        return _missing(row, what)
    holds = _side(bound - row.high, bound - row.low)
    words = {True: "below", False: "not below", None: "perhaps below"}[holds]
    return Check(f"{_name(row, what)} {row.shown}, {words} {number_text(bound, row.unit)}", holds)


def agrees(row: Row | None, tolerance: float = 0.0, widest: float = math.inf) -> Check:
    """Check that the document's figure lies in our interval, widened by *tolerance*.

    Open while the interval is wider than *widest*, unless the figure is outside even then.
    """
    if row is None or not row.count or row.document is None:
        return _missing(row, "")
    inside = row.low - tolerance <= row.document <= row.high + tolerance
    open_still = row.high - row.low > widest or math.isinf(row.high - row.low)
    holds = None if inside and open_still else inside
    words = {True: "agrees with", False: "differs from", None: "may agree with"}[holds]
    return Check(f"{row.cell} {row.shown} {words} the document's {row.shown_document}", holds)


def agreement(rows: Sequence[Row], count: int, widest: float = 0.3) -> Check:
    """Check shares against a document's table, whose figures rest on *count* games each.

    Both are uncertain: a figure differs if the interval of the difference leaves out 0. By chance
    one in twenty does, so that a tenth of a table may. Open while intervals are wider than
    *widest*.
    """
    known = [row for row in rows if row.count and row.document is not None]
    if not known:
        return _missing(None, "")
    gaps = [difference(row, _document_row(row, count)) for row in known]
    differing = sum(low > 0 or high < 0 for _, low, high in gaps)
    is_wide = max(row.high - row.low for row in known) > widest
    holds = False if differing > len(known) // 10 else None if is_wide else True
    agreeing = f"{len(known) - differing} of {len(known)} figures agree with the document's"
    far = max(zip(known, gaps, strict=True), key=lambda pair: abs(pair[1][0]))[0]
    farthest = f"the farthest is {far.cell} {far.shown}, there {far.shown_document}"
    return Check(f"{agreeing}, {farthest}", holds)


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
    holds = _side(*difference(larger, smaller)[1:])
    words = {True: "more than", False: "not more than", None: "perhaps more than"}[holds]
    return Check(f"{larger.cell} {larger.shown} is {words} {smaller.cell} {smaller.shown}", holds)


def same(one: Row | None, other: Row | None, margin: float) -> Check:
    """Check that two figures differ by no more than *margin* either way."""
    if one is None or other is None or not one.count or not other.count:
        return _missing(one or other, "")
    gap, low, high = difference(one, other)
    within = -margin <= low and high <= margin
    holds = True if within else False if low > margin or high < -margin else None
    if holds is None and (low > 0 or high < 0) and abs(gap) > margin:
        holds = False
    words = {True: "is as good as the same as", False: "differs from", None: "may differ from"}
    return Check(
        f"{one.cell} {one.shown} {words[holds]} {other.cell} {other.shown}, "
        f"by a margin of {number_text(margin, one.unit)}",
        holds,
    )


def rising(rows: Sequence[Row]) -> Check:
    """Check that the figures rise: the last above the first, and no step down that is certain."""
    rows = [row for row in rows if row.count]
    if len(rows) < 2:
        return _missing(rows[0] if rows else None, "")
    whole = _side(*difference(rows[-1], rows[0])[1:])
    falls = [
        (before, after) for before, after in pairwise(rows) if difference(before, after)[1] > 0
    ]
    if falls:
        before, after = falls[0]
        text = f"it falls from {before.shown} at {before.cell} to {after.shown} at {after.cell}"
        return Check(text, holds=False)
    words = {True: "rises", False: "falls", None: "perhaps rises"}[whole]
    first, last = rows[0], rows[-1]
    text = f"it {words} from {first.shown} at {first.cell} to {last.shown} at {last.cell}"
    return Check(text, whole)


def difference(one: Row, other: Row) -> tuple[float, float, float]:
    """Return one figure less another, with the ends of its 95 % interval."""
    gap = one.ours - other.ours
    low = gap - math.hypot(one.ours - one.low, other.high - other.ours)
    high = gap + math.hypot(one.high - one.ours, other.ours - other.low)
    return gap, low, high


def _side(low: float, high: float) -> bool | None:
    """Say whether an interval lies above 0, below it, or on both sides."""
    return True if low > 0 else False if high < 0 else None


def _name(row: Row, what: str) -> str:
    return what or row.cell


def _missing(row: Row | None, what: str) -> Check:
    name = what or (row.cell if row else "")
    return Check(f"no results yet{f' for {name}' if name else ''}", None)


def _joined(checks: Sequence[Check]) -> str:
    return "; ".join(check.text for check in checks)
