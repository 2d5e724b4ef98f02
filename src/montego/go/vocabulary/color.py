"""The colors of points, as plain integers, and the names of players.

Kernels compare these numbers; people write ``"black"``, ``"B"`` or ``"w"``, and are told a
:data:`Color`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, overload

from montego.go.vocabulary.errors import InvalidColor

EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3

Color: TypeAlias = Literal["black", "white"]
"""A player."""

_NAMES = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


def parse_color(color: str | int) -> int:
    """Return BLACK or WHITE for a name in any case, its first letter, or the number itself.

    Raises:
        InvalidColor: If it is anything else; EMPTY and WALL are not players.
    """
    if isinstance(color, str):
        number = _NAMES.get(color.strip().lower())
        if number is not None:
            return number
    elif hasattr(color, "__index__") and not isinstance(color, bool) and color in (BLACK, WHITE):
        return int(color)
    raise InvalidColor(f"invalid color {color!r}: say black or white")


def format_color(color: int) -> Color:
    """Return ``"black"`` or ``"white"``."""
    return "black" if color == BLACK else "white"


@overload
def opponent(color: Color) -> Color: ...
@overload
def opponent(color: int) -> int: ...
def opponent(color: Color | int) -> Color | int:
    """Return the other player: a number for BLACK or WHITE, a name for a name."""
    if isinstance(color, str):
        return "white" if color == "black" else "black"
    return BLACK + WHITE - color
