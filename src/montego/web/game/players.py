"""Who plays: names for people, and what cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.engine.options.levels import LEVELS
from montego.web.game.kinds import TITLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.web.game.saved import Agreement
    from montego.web.game.table import Table
    from montego.web.messages.requests import Color, GameKind, NewGame, Side, Strength
    from montego.web.thinking.thinker import Programs


def check_strength(strength: Strength, sides: Iterable[Side] = ()) -> None:
    """Say in a sentence what is wrong with a strength for those who play.

    Raises:
        ValueError: If there is no such level, or several things are given at once, or a level for
            the hybrid: with an adviser it would play better than it should.
    """
    given = (strength.level, strength.simulations, strength.seconds)
    if sum(value is not None for value in given) > 1:
        raise ValueError("the strength is a level, or simulations, or seconds: choose one")
    if strength.level is not None and strength.level not in LEVELS:
        weakest, strongest = next(iter(LEVELS)), list(LEVELS)[-1]
        raise ValueError(
            f"there is no level {strength.level}: say one from {weakest} to {strongest}"
        )
    if strength.level is not None and "hybrid" in sides:
        raise ValueError("with an adviser Montego has no level: choose simulations or seconds")


def check_sides(sides: Iterable[Side], kind: GameKind, programs: Programs) -> None:
    """Say in a sentence who cannot play.

    Raises:
        ValueError: If a program is wanted that is not there, or that knows no such game.
    """
    if "engine" in sides:
        if programs.engine is None:
            raise ValueError("no engine was named when Montego was started")
        if kind != "go":
            raise ValueError(f"the engine plays Go, not {TITLES[kind]}")
    if "hybrid" in sides:
        if programs.adviser is None:
            raise ValueError("no adviser was named when Montego was started")
        if kind != "go":
            raise ValueError(f"the adviser knows Go, not {TITLES[kind]}")


def player_name(
    table: Table,
    color: Color,
    strength: Strength,
    programs: Programs,
    given: tuple[str, str] = ("", ""),
) -> str:
    """Return who plays a color: ``"You"``, ``"Montego (12k)"``, or the name in the record."""
    side = table.sides[color]
    if side == "engine":
        return programs.engine_name or "Engine"
    if side == "hybrid":
        return hybrid_name(strength, programs)
    if side == "montego":
        return montego_name(strength, table.agreement.kind)
    name = given[0 if color == "black" else 1]
    if name or table.mode == "analysis" or list(table.sides.values()).count("human") > 1:
        return name or table.referee.color_name(color)
    return "You"


def montego_name(strength: Strength, kind: GameKind) -> str:
    """Return ``"Montego"`` with what it was asked to play like. Only Go has ranks."""
    if strength.level is not None:
        number = list(LEVELS).index(strength.level) + 1
        return f"Montego ({strength.level if kind == 'go' else f'level {number}'})"
    return f"Montego{_effort(strength)}"


def hybrid_name(strength: Strength, programs: Programs) -> str:
    """Return ``"Montego with GNU Go"``, and how long it may think."""
    return f"Montego with {programs.adviser_name or 'an adviser'}{_effort(strength)}"


def _effort(strength: Strength) -> str:
    """Return how long a program may think for a move, in brackets; nothing if nobody said."""
    if strength.simulations is not None:
        return f" ({strength.simulations} simulations)"
    return "" if strength.seconds is None else f" ({strength.seconds:g} s)"


def game_title(agreement: Agreement, request: NewGame, programs: Programs) -> str:
    """Return what a new game is called in the list: ``"Go 9x9 against Montego (12k)"``."""
    title = TITLES[agreement.kind]
    if agreement.kind in ("go", "hex"):
        title = f"{title} {agreement.size}x{agreement.size}"
    if request.mode == "analysis":
        return f"{title}, analysis"
    names: dict[Side, str] = {
        "human": "you",
        "montego": montego_name(request.strength, agreement.kind),
        "hybrid": hybrid_name(request.strength, programs),
        "engine": programs.engine_name or "an engine",
    }
    sides = (request.black, request.white)
    if sides == ("human", "human"):
        return f"{title}, two people"
    if "human" in sides:
        other = next(side for side in sides if side != "human")
        return f"{title} against {names[other]}"
    return f"{title}, {names[sides[0]]} and {names[sides[1]]}"
