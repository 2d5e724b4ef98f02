"""The arguments of the analyze commands: color, interval, and pairs of a key and its value.

    kata-analyze b interval 50 minmoves 3 avoid w D4,Q16 1 ownership true

Keys come in any order, as programs send them. Nothing here searches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from montego.engine.searching.analysis import VertexLimit
from montego.engine.searching.cold_start import refuse_to_leave_nothing
from montego.go.vocabulary.color import format_color, parse_color
from montego.go.vocabulary.errors import InvalidColor
from montego.go.vocabulary.number import read_number
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.gtp.registry import GtpError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from montego.go.game import Game

CENTISECOND = 0.01  # in seconds

LEAST_INTERVAL = 0.05
"""Seconds between reports, at least: faster ones would only take time from the search."""

MOST_INTERVAL = 1e6
"""Seconds between reports, at most."""

DEFAULT_INTERVAL = 0.5
"""Seconds between reports where nobody says how many."""

LONGEST_VARIATION = 15
"""Moves of a variation that are told unless somebody asks for more."""

_FLAGS = {
    "ownership": "ownership",
    "ownershipstdev": "ownership_deviation",
    "movesownership": "moves_ownership",
    "rootinfo": "root_info",
    "pvvisits": "pv_visits",
    "pvedgevisits": "pv_edge_visits",
    "noresultvalue": "no_result_value",
}
_COUNTS = {"minmoves": "min_moves", "maxmoves": "max_moves"}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, kw_only=True)
class AnalysisRequest:
    """What a program wants to be told, and how often."""

    color: str | None = None
    """Who is to move, if the program says so."""
    interval: float = DEFAULT_INTERVAL
    """Seconds between two reports."""
    stop: bool = False
    """Whether a bare 0 stands where the interval should: not to analyze at all, as in Pachi."""
    min_moves: int = 0
    """Moves to report at least, if there are that many, even without visits."""
    max_moves: int | None = None
    limits: tuple[VertexLimit, ...] = ()
    ownership: bool = False
    ownership_deviation: bool = False
    moves_ownership: bool = False
    root_info: bool = False
    pv_visits: bool = False
    pv_edge_visits: bool = False
    no_result_value: bool = False
    perspective: str = "side-to-move"
    """Whose win rates and scores: a value of the option of that name. No argument says it."""
    variation_length: int = LONGEST_VARIATION

    @property
    def wants_ownership(self) -> bool:
        """Whether the owners of points must be estimated."""
        return self.ownership or self.ownership_deviation or self.moves_ownership

    def refuse_to_leave_nothing(self, game: Game) -> None:
        """Check that the limits leave a move in the position of *game*.

        Raises:
            GoError: If they leave none.
        """
        refuse_to_leave_nothing(self.limits, game, self.color or game.to_play)


def parse_analysis(
    words: Sequence[str], size: int, base: AnalysisRequest | None = None
) -> AnalysisRequest:
    """Return what the arguments of an analyze command say. Color and interval may be missing.

    *base* has what they leave open.

    Raises:
        GtpError: If they make no sense on a board of that size.
    """
    said: dict[str, Any] = {}
    rest = list(words)
    if rest and (color := _color_or_none(rest[0])) is not None:
        said["color"] = color
        del rest[0]
    if rest and not math.isnan(read_number(rest[0])):
        seconds = _interval(rest.pop(0))
        said |= {"interval": max(seconds, LEAST_INTERVAL), "stop": seconds == 0.0}
    limits: list[VertexLimit] = []
    while rest:
        key = rest.pop(0).lower()
        if key in ("avoid", "allow"):
            limits.append(_limit(key == "allow", rest[:3], size))
            del rest[:3]
            if has_two_lists(limits):
                raise GtpError("allow may be said once for a color")
            continue
        if not rest:
            raise GtpError(f"a value is missing after {_shown(key)}")
        value = rest.pop(0)
        if key == "interval":
            said |= {"interval": max(_interval(value), LEAST_INTERVAL), "stop": False}
        elif key in _COUNTS:
            said[_COUNTS[key]] = _count(key, value)
        elif key in _FLAGS:
            said[_FLAGS[key]] = _truth(key, value)
        else:
            raise GtpError(f"unknown key {_shown(key)}")
    return replace(base or AnalysisRequest(), limits=tuple(limits), **said)


def has_two_lists(limits: Iterable[VertexLimit]) -> bool:
    """Say whether a color has more than one list of the only moves allowed.

    KataGo takes no second one: whether it adds moves or takes them away is anybody's guess.
    """
    colors = [limit.color for limit in limits if limit.only]
    return len(set(colors)) < len(colors)


def _color_or_none(word: str) -> str | None:
    try:
        return format_color(parse_color(word))
    except InvalidColor:
        return None


def _interval(word: str) -> float:
    """Return the seconds of an interval in centiseconds, which need not be a whole number."""
    centiseconds = read_number(word)
    if not 0.0 <= centiseconds < math.inf:
        raise GtpError(f"invalid interval {_shown(word)}: say centiseconds such as 50")
    return min(centiseconds * CENTISECOND, MOST_INTERVAL)


def _count(key: str, word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise GtpError(f"invalid {key} {_shown(word)}: say a whole number")
    return int(word)


def _truth(key: str, word: str) -> bool:
    value = _TRUTH.get(word.lower())
    if value is None:
        raise GtpError(f"invalid {key} {_shown(word)}: say true or false")
    return value


def _limit(allow: bool, words: Sequence[str], size: int) -> VertexLimit:
    """Return the limit that a color, vertices with commas between them, and a depth make."""
    name = "allow" if allow else "avoid"
    if len(words) < 3:
        raise GtpError(f"{name} wants a color, vertices and a depth")
    color = _color_or_none(words[0])
    if color is None:
        raise GtpError(f"{name} wants a color first, not {_shown(words[0])}")
    vertices = frozenset(
        format_vertex(parse_vertex(word, size)) for word in words[1].split(",") if word
    )
    if not vertices:
        raise GtpError(f"{name} wants vertices with commas between them")
    depth = _count(f"depth of {name}", words[2])
    if depth < 1:
        raise GtpError(f"{name} wants a depth of at least 1")
    return VertexLimit(color=color, vertices=vertices, only=allow, until_depth=depth)


def _shown(word: str) -> str:
    return word if len(word) <= 40 else word[:37] + "..."
