"""Who plays: how a game begins, who can play it, and what people call the players."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from montego.engine.options.levels import LEVELS, PEOPLE
from montego.engine.options.presets import PRESETS
from montego.engine.options.styles import STYLES
from montego.go.vocabulary.rank import format_rank
from montego.ladder.home import PERSON, LadderGame
from montego.ladder.standing import standing
from montego.web.game.clocks import check_clock
from montego.web.game.go_referee import agree
from montego.web.game.live_game import referee_for
from montego.web.game.referee import TITLES
from montego.web.game.tree import Agreement, SavedGame, new_id
from montego.web.thinking.thinker import Programs

if TYPE_CHECKING:
    from collections.abc import Collection

    from montego.ladder.home import Home
    from montego.web.messages.requests import Color, GameKind, NewGame, Side, Strength


def begin(
    request: NewGame, programs: Programs | None = None, home: Home | None = None
) -> SavedGame:
    """Return a game before its first move; *home* says how strong an even opponent is.

    Raises:
        ValueError: If it cannot be played; the message is a sentence for people.
    """
    programs = programs or Programs()
    agreement = _agree(request, programs)
    request = replace(request, strength=_found_level(request.strength, agreement, home))
    sides = (request.black, request.white)
    check_clock(request.clock)
    check_players(sides, request.strength, agreement.kind, programs)
    moment = time.time()
    return SavedGame(
        id=new_id(),
        name=_title(agreement, request, programs),
        agreement=agreement,
        created=moment,
        changed=moment,
        black=request.black,
        white=request.white,
        mode=request.mode,
        strength=request.strength,
        clock=request.clock,
    )


def _found_level(strength: Strength, agreement: Agreement, home: Home | None) -> Strength:
    """Return the strength with the level that suits the person, where that is wanted."""
    if not strength.even:
        return strength
    if agreement.kind != "go":
        raise ValueError("only in Go is Montego as strong as you: choose a level")
    known = [] if home is None else home.games(PERSON)
    return replace(strength, level=format_rank(standing(known, agreement.size).rank))


def ladder_game(saved: SavedGame, winner: Color | None) -> LadderGame | None:
    """Return a game that is over as the ladder keeps it; None if it is not of a person and a level.

    Nor if it is a record, or began with other stones than a handicap.
    """
    agreement, sides = saved.agreement, (saved.black, saved.white)
    rank = LEVELS.get(saved.strength.level or "")
    is_rated = (
        agreement.kind == "go"
        and saved.mode == "game"
        and sorted(sides) == ["human", "montego"]
        and rank is not None
        and not saved.record_name
        and not agreement.white
        and len(agreement.black) == agreement.handicap
    )
    if not is_rated or rank is None:
        return None
    color: Color = "black" if saved.black == "human" else "white"
    return LadderGame(
        id=saved.id,
        time=saved.changed,
        size=agreement.size,
        rank=rank,
        color=color,
        handicap=agreement.handicap,
        komi=agreement.komi,
        score=0.5 if winner is None else float(winner == color),
        helped=saved.helped,
    )


def _agree(request: NewGame, programs: Programs) -> Agreement:
    """Return what a new game is played by."""
    if request.kind == "go":
        return agree(request)
    if request.kind == "own" and programs.own is None:
        raise ValueError("there is no game of your own: say montego play FILE.py to have one")
    if request.handicap or request.komi:
        raise ValueError(f"{TITLES[request.kind]} knows neither handicap nor komi")
    game = programs.own.name if request.kind == "own" and programs.own is not None else ""
    agreement = Agreement(kind=request.kind, game=game, size=request.size)
    referee = referee_for(agreement, programs.own)
    return Agreement(kind=request.kind, game=game, size=referee.size)


def check_players(
    sides: Collection[Side], strength: Strength, kind: GameKind, programs: Programs
) -> None:
    """Say in a sentence who cannot play, or not at that strength.

    Raises:
        ValueError: If a program is wanted that is not there, or that knows no such game; if there
            is no such level, or several strengths are given at once, or a level for the hybrid:
            with an adviser it would play better than it should; or a preset where there is none, or
            with a level, a style or the hybrid; or a style that is none, or not in Go.
    """
    given = (strength.level, strength.simulations, strength.seconds)
    if sum(value is not None for value in given) > 1:
        raise ValueError("the strength is a level, or simulations, or seconds: choose one")
    known = (*LEVELS, *PEOPLE) if kind == "go" else LEVELS
    if strength.level is not None and strength.level not in known:
        weakest, *_, strongest = LEVELS
        raise ValueError(
            f"there is no level {strength.level}: say one from {weakest} to {strongest}"
        )
    if strength.level is not None and "hybrid" in sides:
        raise ValueError("with an adviser Montego has no level: choose simulations or seconds")
    if strength.preset is not None:
        _check_preset(sides, strength, kind)
    if strength.style is not None:
        if strength.style not in STYLES:
            raise ValueError(f"there is no style {strength.style}: say one of {', '.join(STYLES)}")
        if kind != "go":
            raise ValueError("only in Go does Montego play in a style")
    for side in sides:
        programs.require(side)
        if side in ("engine", "hybrid") and kind != "go":
            knows = "engine plays" if side == "engine" else "adviser knows"
            raise ValueError(f"the {knows} Go, not {TITLES[kind]}")


def _check_preset(sides: Collection[Side], strength: Strength, kind: GameKind) -> None:
    if strength.preset not in PRESETS:
        raise ValueError(f"there is no program {strength.preset}: say one of {', '.join(PRESETS)}")
    if kind != "go":
        raise ValueError(f"the programs of the documents play Go, not {TITLES[kind]}")
    if strength.level is not None:
        raise ValueError("a program of the documents has no level: choose simulations or seconds")
    if strength.style is not None:
        raise ValueError("a program of the documents has a style of its own")
    if "hybrid" in sides:
        raise ValueError("a program of the documents has no other adviser: let Montego play it")


def program_name(
    side: Side, strength: Strength, kind: GameKind, programs: Programs, size: int
) -> str:
    """Return ``"Montego (12k)"``, ``"Montego with GNU Go (network, 3 s)"`` or the engine's name.

    Where Montego plays as well as it can, it says whether a network judges or it is classical, but
    not in games that have none at all; levels and programs of the documents have none.
    """
    if side == "engine":
        return programs.engine_name
    name = "Montego"
    if strength.preset is not None:
        name = PRESETS[strength.preset].title if strength.preset in PRESETS else strength.preset
    if side == "hybrid":
        name = f"Montego with {programs.adviser_name or 'an adviser'}"
    if strength.level is not None:  # Only Go has ranks.
        if kind == "go":
            return f"{name} ({', '.join(filter(None, (strength.level, strength.style)))})"
        return f"{name} (level {list(LEVELS).index(strength.level) + 1})"
    told = []
    network = programs.network(kind, size, strength.style) if strength.preset is None else None
    if network is not None:
        told.append("network" if network else "classical")
    if strength.simulations is not None:
        told.append(f"{strength.simulations} simulations")
    elif strength.seconds is not None:
        told.append(f"{strength.seconds:g} s")
    if strength.style is not None:
        told.append(strength.style)
    return f"{name} ({', '.join(told)})" if told else name


def _title(agreement: Agreement, request: NewGame, programs: Programs) -> str:
    """Return what a new game is called in the list: ``"Go 9x9 against Montego (12k)"``."""
    title = agreement.game or TITLES[agreement.kind]
    if agreement.kind in ("go", "hex"):
        title = f"{title} {agreement.size}x{agreement.size}"
    if request.mode == "analysis":
        return f"{title}, analysis"
    names = [
        program_name(side, request.strength, agreement.kind, programs, agreement.size)
        or "an engine"
        for side in (request.black, request.white)
        if side != "human"
    ]
    if not names:
        return f"{title}, two people"
    return f"{title} against {names[0]}" if len(names) == 1 else f"{title}, {' and '.join(names)}"
