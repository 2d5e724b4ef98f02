"""What a page may ask of the server: one class a message, checked field by field.

On the wire each is a JSON object whose ``type`` is the class's tag. ``request`` is a number of
the page's own choice that comes back with the error, if there is one.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from montego.web.messages.limits import MOST_BOARD, MOST_SECONDS, MOST_SIMULATIONS

MOST_TEXT = 4000
"""Characters of a comment."""

MOST_BOOK_MOVES = 1000
"""To a position of the book."""

Name = Annotated[str, Meta(max_length=80)]
MoveText = Annotated[str, Meta(min_length=1, max_length=8)]
GameId = Annotated[str, Meta(pattern="^[0-9a-z]{8,32}$")]
NodeId = Annotated[int, Meta(ge=0, le=1_000_000)]
Color = Literal["black", "white"]
Side = Literal["human", "montego", "hybrid", "engine"]
"""Who plays a color; ``engine`` is the GTP engine named on the command line, ``hybrid`` is Montego
advised by another program."""
GameKind = Literal["go", "hex", "connect-four", "tic-tac-toe"]


class ClockSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A time system; fields that it does not have are 0."""

    kind: Literal["none", "absolute", "byoyomi", "fischer"] = "none"
    main: Annotated[float, Meta(ge=0, le=86400)] = 0.0
    period: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    """Seconds of a byo-yomi period, or the Fischer increment."""
    periods: Annotated[int, Meta(ge=0, le=100)] = 0


class Strength(Struct, frozen=True, forbid_unknown_fields=True):
    """How well Montego plays: exactly one of the three, or none for its best in three seconds."""

    level: Annotated[str, Meta(max_length=4)] | None = None
    """As ``montego.engine.options.levels.LEVELS`` names it: ``"12k"``."""
    simulations: Annotated[int, Meta(ge=1, le=MOST_SIMULATIONS)] | None = None
    seconds: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] | None = None


class NewGame(Struct, frozen=True, tag="new_game", forbid_unknown_fields=True):
    """Begin a game and open it. Answered with ``game``."""

    request: int = 0
    kind: GameKind = "go"
    size: Annotated[int, Meta(ge=2, le=MOST_BOARD)] = 9
    """Of the board; games that have one size only take no notice."""
    black: Side = "human"
    white: Side = "montego"
    handicap: Annotated[int, Meta(ge=0, le=25)] = 0
    komi: Annotated[float, Meta(ge=-400, le=400)] | None = None
    """None for what rules and handicap suggest."""
    rules: Annotated[str, Meta(max_length=40)] = "chinese"
    clock: ClockSettings = ClockSettings()
    strength: Strength = Strength()
    mode: Literal["game", "analysis"] = "game"
    """In analysis a person plays both colors, and nobody answers."""


class OpenGame(Struct, frozen=True, tag="open_game", forbid_unknown_fields=True):
    """Watch a game, and leave the one watched before. Answered with ``game``."""

    game: GameId
    request: int = 0


class LeaveGame(Struct, frozen=True, tag="leave_game", forbid_unknown_fields=True):
    """Watch no game: the start page is shown. Answered with ``games``."""

    request: int = 0


class DeleteGame(Struct, frozen=True, tag="delete_game", forbid_unknown_fields=True):
    """Forget a game for good."""

    game: GameId
    request: int = 0


class ShowBook(Struct, frozen=True, tag="show_book", forbid_unknown_fields=True):
    """Ask what the book knows of a position. Answered with ``book``, to this page only."""

    request: int = 0
    settings: Annotated[str, Meta(max_length=80)] = ""
    """What the games are played by, as a choice in ``book`` names it; else what most are."""
    moves: Annotated[list[MoveText], Meta(max_length=MOST_BOOK_MOVES)] = []
    """From the empty board to the position."""


class Presence(Struct, frozen=True, tag="presence", forbid_unknown_fields=True):
    """Say whether anybody can see the page. A game that nobody sees for long stops thinking."""

    visible: bool
    request: int = 0


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """Play a move after a node: ``"D4"``, ``"pass"``, or what the game calls its moves.

    In a game the node must be the head, and it must be a person's turn.
    """

    node: NodeId
    move: MoveText
    request: int = 0


class Undo(Struct, frozen=True, tag="undo", forbid_unknown_fields=True):
    """Go back to the person's last turn, or by one move in analysis. Nothing is deleted."""

    request: int = 0


class Redo(Struct, frozen=True, tag="redo", forbid_unknown_fields=True):
    """Follow again what was taken back."""

    request: int = 0


class SetHead(Struct, frozen=True, tag="set_head", forbid_unknown_fields=True):
    """Go on from another node: *play from here*."""

    node: NodeId
    request: int = 0


class Resign(Struct, frozen=True, tag="resign", forbid_unknown_fields=True):
    """Give up, for the person whose turn it is, or who plays Montego."""

    request: int = 0


class MoveNow(Struct, frozen=True, tag="move_now", forbid_unknown_fields=True):
    """Have Montego play the best it has found so far."""

    request: int = 0


class Pause(Struct, frozen=True, tag="pause", forbid_unknown_fields=True):
    """Stop or go on with a game that Montego plays by itself or against an engine."""

    paused: bool
    request: int = 0


class Show(Struct, frozen=True, tag="show", forbid_unknown_fields=True):
    """Ask for the position at a node. Answered with ``position``, to this page only."""

    node: NodeId
    request: int = 0


class Analyze(Struct, frozen=True, tag="analyze", forbid_unknown_fields=True):
    """Search the position at a node until told to stop, or switch that off. One a game."""

    node: NodeId
    on: bool
    request: int = 0


class Hint(Struct, frozen=True, tag="hint", forbid_unknown_fields=True):
    """Ask what Montego would play at the head. Answered with ``hint``."""

    request: int = 0


class Estimate(Struct, frozen=True, tag="estimate", forbid_unknown_fields=True):
    """Ask for the score as it stands at a node. Answered with ``estimate``. Go only."""

    node: NodeId
    request: int = 0


class Explain(Struct, frozen=True, tag="explain", forbid_unknown_fields=True):
    """Ask why the move of a node was played. Answered with ``explanation``."""

    node: NodeId
    request: int = 0


class Review(Struct, frozen=True, tag="review", forbid_unknown_fields=True):
    """Judge every move of the main line; False stops it. Answered with ``review`` several times."""

    on: bool = True
    request: int = 0


class MarkDead(Struct, frozen=True, tag="mark_dead", forbid_unknown_fields=True):
    """While counting: change whether the group at a point is dead."""

    vertex: MoveText
    request: int = 0


class ProposeDead(Struct, frozen=True, tag="propose_dead", forbid_unknown_fields=True):
    """While counting: put back Montego's own proposal."""

    request: int = 0


class AcceptCount(Struct, frozen=True, tag="accept_count", forbid_unknown_fields=True):
    """While counting: agree, which ends the game. To play on instead, undo."""

    request: int = 0


class Configure(Struct, frozen=True, tag="configure", forbid_unknown_fields=True):
    """Change what can be changed in a game; None leaves it as it is."""

    request: int = 0
    strength: Strength | None = None
    mode: Literal["game", "analysis"] | None = None
    black: Side | None = None
    white: Side | None = None
    name: Name | None = None


class SetComment(Struct, frozen=True, tag="set_comment", forbid_unknown_fields=True):
    """Write or, with an empty text, remove the comment of a node."""

    node: NodeId
    text: Annotated[str, Meta(max_length=MOST_TEXT)]
    request: int = 0


class DeleteNode(Struct, frozen=True, tag="delete_node", forbid_unknown_fields=True):
    """Forget a variation: a node and all that follows. Not the root."""

    node: NodeId
    request: int = 0


Request: TypeAlias = (
    NewGame
    | OpenGame
    | LeaveGame
    | DeleteGame
    | ShowBook
    | Presence
    | Play
    | Undo
    | Redo
    | SetHead
    | Resign
    | MoveNow
    | Pause
    | Show
    | Analyze
    | Hint
    | Estimate
    | Explain
    | Review
    | MarkDead
    | ProposeDead
    | AcceptCount
    | Configure
    | SetComment
    | DeleteNode
)

_DECODER: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)


def parse_request(data: str | bytes) -> Request:
    """Return the message that a page sent.

    Raises:
        msgspec.ValidationError: If it is none; the message names the field.
    """
    return _DECODER.decode(data)
