"""Drawing on a board: what a click with a tool in the hand makes of the marks that are there."""

from __future__ import annotations

from itertools import count, product
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.web.messages.requests import MarkTool


def marked(marks: dict[str, str], vertex: str, tool: MarkTool) -> dict[str, str]:
    """Return marks after a click on a point.

    What was there goes if the tool draws such a mark, and is replaced if it does not. A letter or
    number is the first that is free.
    """
    others = {point: mark for point, mark in marks.items() if point != vertex}
    if vertex in marks and _tool_of(marks[vertex]) == tool:
        return others
    if tool in {"letter", "number"}:
        used = set(others.values())
        return others | {vertex: next(label for label in _labels(tool) if label not in used)}
    return others | {vertex: tool}


def _tool_of(mark: str) -> MarkTool:
    match mark:
        case "triangle" | "square" | "circle" | "cross":
            return mark
    return "number" if mark.isdecimal() else "letter"


def _labels(tool: MarkTool) -> Iterator[str]:
    """Yield 1, 2, 3, or A to Z, a to z, and then two letters and more."""
    if tool == "number":
        yield from map(str, count(1))
    alphabet = ascii_uppercase + ascii_lowercase
    for length in count(1):
        yield from map("".join, product(alphabet, repeat=length))
