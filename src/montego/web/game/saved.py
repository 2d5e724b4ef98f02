"""A game as files keep it: everything that a session needs to go on where it stood."""

from __future__ import annotations

import secrets
from typing import Literal

from msgspec import Struct

from montego.web.game.tree import GameNode  # noqa: TC001

# The classes of fields are needed at run time.
from montego.web.messages.replies import ClockFace  # noqa: TC001
from montego.web.messages.requests import ClockSettings, Color, GameKind, Side, Strength


class Agreement(Struct, frozen=True, omit_defaults=True):
    """What was agreed on before the first move, and never changes."""

    kind: GameKind = "go"
    size: int = 9
    komi: float = 0.0
    rules: str = ""
    handicap: int = 0
    """Stones that Black was given."""
    black: tuple[str, ...] = ()
    """Stones on the board at the root, the handicap among them."""
    white: tuple[str, ...] = ()
    first: Color = "black"
    """Who moves first."""


class GameOutcome(Struct, frozen=True, omit_defaults=True):
    """How the game ended at a node, by something else than the position."""

    node: int
    text: str
    """In words, with the reason."""
    winner: Color | None
    sgf: str
    """As records write it: ``"B+R"``."""
    how: Literal["resignation", "time", "count", "record"]
    dead: tuple[str, ...] = ()
    """Stones that the accepted count took off."""


class SavedGame(Struct, omit_defaults=True):
    """A game, whole."""

    id: str
    name: str
    agreement: Agreement
    created: float
    """In seconds since 1970, as :attr:`changed`."""
    changed: float
    black: Side = "human"
    white: Side = "human"
    mode: Literal["game", "analysis"] = "game"
    strength: Strength = Strength()
    clock: ClockSettings = ClockSettings()
    clocks: tuple[ClockFace, ClockFace] | None = None
    nodes: list[GameNode] = []
    next_id: int = 1
    head: int = 0
    outcome: GameOutcome | None = None
    dead: list[str] = []
    """Stones marked while counting."""
    proposal: list[str] | None = None
    """What Montego takes for dead; None if it has not been asked."""
    paused: bool = False
    player_names: tuple[str, str] = ("", "")
    """As a record gave them; empty for those of the session."""
    notice: str = ""
    format: int = 1


def new_id() -> str:
    """Return an id that no other game has."""
    return secrets.token_hex(8)
