"""What a page may ask of the server: one class a message, checked field by field.

On the wire each is a JSON object whose ``type`` is the class's name in lower case with underscores.
What is wrong with a message is told in a sentence for people. Our own page sends no such messages;
but people write programs, and programs have bugs. The validator's words name types of Python, and
nobody who clicks on a board should read them.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from montego.web.messages.limits import MOST_BOARD, MOST_SECONDS, MOST_SIMULATIONS

MOST_TEXT = 4000
"""Most characters of a comment."""

MOST_MOVE_TEXT = 40
"""Most characters of a move; games of one's own may have long names for theirs."""

MOST_BOOK_MOVES = 1000
"""Most moves to a position of the book."""

_MOST_NUMBER = 2**53  # Beyond it JavaScript's numbers are not whole.

Name = Annotated[str, Meta(max_length=80)]
MoveText = Annotated[str, Meta(min_length=1, max_length=8)]
AnyMoveText = Annotated[str, Meta(min_length=1, max_length=MOST_MOVE_TEXT)]
GameId = Annotated[str, Meta(pattern="^[0-9a-z]{8,32}$")]
NodeId = Annotated[int, Meta(ge=0, le=1_000_000)]
Color = Literal["black", "white"]
MarkTool = Literal["triangle", "square", "circle", "cross", "letter", "number"]
"""What draws on a board."""
Side = Literal["human", "montego", "hybrid", "engine"]
"""Who plays a color; ``engine`` is the GTP engine named on the command line, ``hybrid`` is Montego
advised by another program."""
GameKind = Literal["go", "hex", "connect-four", "tic-tac-toe", "own"]
"""``own`` is the game of one's own in the file named on the command line."""


class ClockSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """A time system; fields that it does not have are 0."""

    kind: Literal["none", "absolute", "byoyomi", "fischer"] = "none"
    main: Annotated[float, Meta(ge=0, le=86400)] = 0.0
    period: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    """Seconds of a byo-yomi period, or the Fischer increment."""
    periods: Annotated[int, Meta(ge=0, le=100)] = 0


class Strength(Struct, frozen=True, forbid_unknown_fields=True):
    """How well Montego plays: a level, simulations or seconds; else its best in three seconds.

    With a preset it plays as a program of the documents did, and simulations or seconds say how
    long, if not as long as that did.
    """

    level: Annotated[str, Meta(max_length=8)] | None = None
    """As ``montego.engine.options.levels`` names it: ``"12k"``, ``"like-15k"``."""
    simulations: Annotated[int, Meta(ge=1, le=MOST_SIMULATIONS)] | None = None
    seconds: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] | None = None
    preset: Annotated[str, Meta(max_length=20)] | None = None
    """As ``montego.engine.options.presets.PRESETS`` names it: ``"v-run"``."""
    style: Annotated[str, Meta(max_length=12)] | None = None
    """As ``montego.engine.options.styles`` names it: ``"calm"``. Only in Go, not with a preset."""
    even: bool = False
    """Whether the level is the one nearest to the person's rating, whatever :attr:`level` says: the
    server chooses it when a game begins. Only in Go."""


class _Numbered(Struct, frozen=True, kw_only=True):
    """The part of a message that tells which one it is."""

    request: int = 0

    @property
    def number(self) -> int:
        """The number that the page chose for its message, as far as a reply can repeat it."""
        return self.request if abs(self.request) <= _MOST_NUMBER else 0


def _tag(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


class _Request(_Numbered, frozen=True, tag=_tag, forbid_unknown_fields=True):
    """What all messages have in common."""


class NewGame(_Request, frozen=True):
    """Begin a game and open it. Answered with ``game``."""

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


class OpenGame(_Request, frozen=True):
    """Watch a game, and leave the one watched before. Answered with ``game``."""

    game: GameId


class LeaveGame(_Request, frozen=True):
    """Watch no game: the start page is shown. Answered with ``games``."""


class DeleteGame(_Request, frozen=True):
    """Forget a game for good."""

    game: GameId


class ArchiveGame(_Request, frozen=True):
    """Put a game away without deleting it, or take it out again."""

    game: GameId
    archived: bool


class ShowLadder(_Request, frozen=True):
    """Ask how strong the person is on a board, and for fair terms against a level.

    Answered with ``ladder``, to this page only.
    """

    size: Annotated[int, Meta(ge=2, le=MOST_BOARD)] = 9
    level: Annotated[str, Meta(max_length=8)] = ""
    """Empty for the one nearest to the person's rating."""


class ShowBook(_Request, frozen=True):
    """Ask what the book knows of a position. Answered with ``book``, to this page only."""

    settings: Annotated[str, Meta(max_length=80)] = ""
    """What the games are played by, as a choice in ``book`` names it; else what most are."""
    moves: Annotated[list[MoveText], Meta(max_length=MOST_BOOK_MOVES)] = []
    """From the empty board to the position."""


class ShowProblem(_Request, frozen=True):
    """Ask for a problem of life and death. Answered with ``problem``, to this page only."""

    set: Name = ""
    """One of the sets that ``problem`` lists; else what comes along."""
    problem: Annotated[str, Meta(max_length=200)] = ""
    """A certain one; else what to try next."""
    grade: Annotated[int, Meta(ge=0, le=5)] = 0
    """Only problems of that grade; 0 for any."""
    after: Annotated[str, Meta(max_length=200)] = ""
    """The one that was tried last: it is not the next."""


class AnswerProblem(_Request, frozen=True):
    """Try a move in a problem. Answered with ``problem_result``, to this page only."""

    problem: Annotated[str, Meta(max_length=200)]
    move: Annotated[str, Meta(max_length=8)] = ""
    """Empty to give up."""
    hints: Annotated[int, Meta(ge=0, le=2)] = 0
    """That were looked at before."""
    counts: bool = True
    """Whether it is the first try, which alone is rated."""


class FindProblems(_Request, frozen=True):
    """Make problems of the life-and-death mistakes that reviews found in the person's games.

    Answered with ``problems_found`` when that is done.
    """


class Solve(_Request, frozen=True):
    """Ask whether stones at a node live or die. Go only. Answered with ``solution``."""

    node: NodeId
    target: Annotated[list[MoveText], Meta(max_length=40)] = []
    """A stone of each chain that is meant; else Montego guesses."""
    to_move: Color | None = None
    """None for whoever is to move there."""


class Presence(_Request, frozen=True):
    """Say whether anybody can see the page. A game that nobody sees for long stops thinking."""

    visible: bool


class Play(_Request, frozen=True):
    """Play a move after a node: ``"D4"``, ``"pass"``, or what the game calls its moves.

    In a game the node must be the head, and it must be a person's turn.
    """

    node: NodeId
    move: AnyMoveText
    check: Annotated[float, Meta(gt=0, le=1)] | None = None
    """In a game: if the move loses that much chance, ``warning`` is the answer, and it is not
    played."""


class Undo(_Request, frozen=True):
    """Go back to the person's last turn, or by one move in analysis. Nothing is deleted."""


class Redo(_Request, frozen=True):
    """Follow again what was taken back."""


class SetHead(_Request, frozen=True):
    """Go on from another node: *play from here*."""

    node: NodeId


class Resign(_Request, frozen=True):
    """Give up, for the person whose turn it is, or who plays Montego."""


class MoveNow(_Request, frozen=True):
    """Have Montego play the best it has found so far."""


class Pause(_Request, frozen=True):
    """Stop or go on with a game that Montego plays by itself or against an engine."""

    paused: bool


class Show(_Request, frozen=True):
    """Ask for the position at a node. Answered with ``position``, to this page only."""

    node: NodeId


class Analyze(_Request, frozen=True):
    """Search the position at a node until told to stop, or switch that off. One a game."""

    node: NodeId
    on: bool


class Hint(_Request, frozen=True):
    """Ask what Montego would play, and why. Answered with ``hint``."""

    node: NodeId | None = None
    """None for the head. Elsewhere while a game goes on only in analysis."""


class Estimate(_Request, frozen=True):
    """Ask for the score as it stands at a node. Answered with ``estimate``. Go only."""

    node: NodeId


class Explain(_Request, frozen=True):
    """Ask why the move of a node was played. Answered with ``explanation``."""

    node: NodeId


class Review(_Request, frozen=True):
    """Judge every move of a line; False stops it. Answered with ``review`` several times."""

    on: bool = True
    node: NodeId | None = None
    """Where the line ends; None for the one through the head."""


class MarkDead(_Request, frozen=True):
    """While counting: change whether the group at a point is dead."""

    vertex: MoveText


class ProposeDead(_Request, frozen=True):
    """While counting: put back Montego's own proposal."""


class AcceptCount(_Request, frozen=True):
    """While counting: agree, which ends the game. To play on instead, undo."""


class Configure(_Request, frozen=True):
    """Change what can be changed in a game; None leaves it as it is."""

    strength: Strength | None = None
    mode: Literal["game", "analysis"] | None = None
    black: Side | None = None
    white: Side | None = None
    name: Name | None = None


class SetComment(_Request, frozen=True):
    """Write or, with an empty text, remove the comment of a node."""

    node: NodeId
    text: Annotated[str, Meta(max_length=MOST_TEXT)]


class DrawMark(_Request, frozen=True):
    """Draw on a point of a node's board with a tool. Go only.

    A mark that the tool draws goes; another one is replaced. A letter or number is the first that
    is free.
    """

    node: NodeId
    vertex: MoveText
    tool: MarkTool


class ClearMarks(_Request, frozen=True):
    """Take all that is drawn on a node's board away."""

    node: NodeId


class DeleteNode(_Request, frozen=True):
    """Forget a variation: a node and all that follows. Not the root."""

    node: NodeId


class PromoteNode(_Request, frozen=True):
    """Make a variation the main line: stepping on leads there, and records begin with it."""

    node: NodeId


Request: TypeAlias = (
    NewGame
    | OpenGame
    | LeaveGame
    | DeleteGame
    | ArchiveGame
    | ShowBook
    | ShowLadder
    | ShowProblem
    | AnswerProblem
    | FindProblems
    | Solve
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
    | DrawMark
    | ClearMarks
    | DeleteNode
    | PromoteNode
)

_DECODER: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_NUMBERED: msgspec.json.Decoder[_Numbered] = msgspec.json.Decoder(_Numbered)


def parse_request(data: str | bytes) -> Request:
    """Return the message that a page sent.

    Raises:
        msgspec.MsgspecError: If it is none; :func:`complain` has a sentence about it.
        UnicodeError: If it is not UTF-8.
        RecursionError: If it is nested without end.
    """
    return _DECODER.decode(data)


def request_number(data: str | bytes) -> int:
    """Return the number of a message that was not understood, if that much can be read; else 0."""
    try:
        return _NUMBERED.decode(data).number
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return 0


_NAMES = {
    "size": "the size of the board",
    "komi": "the komi",
    "handicap": "the handicap",
    "rules": "the rule set",
    "kind": "the kind of game",
    "black": "Black's player",
    "white": "White's player",
    "mode": "the mode",
    "strength": "the strength",
    "strength.level": "the level",
    "strength.simulations": "the number of simulations",
    "strength.seconds": "the time for a move in seconds",
    "clock": "the clock",
    "clock.kind": "the time system",
    "clock.main": "the main time in seconds",
    "clock.period": "the time of a period in seconds",
    "clock.periods": "the number of periods",
    "game": "the name of the game",
    "node": "the number of the move in the tree",
    "move": "the move",
    "moves": "the list of moves",
    "settings": "the choice of board, rules and komi",
    "vertex": "the point",
    "target": "the list of stones",
    "problem": "the name of the problem",
    "set": "the name of the set of problems",
    "grade": "the grade",
    "name": "the name",
    "text": "the comment",
    "type": "the kind of message",
}
"""Fields as people call them; others go by their own name."""

_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "object": "an object with fields",
    "array": "a list",
}

_SIGNS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than"}
_PLACE = re.compile(r" - at `\$\.?(?P<path>.*)`$")
_FIELD = re.compile(r"Object (?P<what>missing required|contains unknown) field `(?P<field>.*)`")
_BOUND = re.compile(r"Expected `(?:int|float)` (?P<sign>[<>]=?) (?P<bound>\S+)")
_TYPE = re.compile(r"Expected `(?P<types>[^`]*)`")
_DEMANDS = {
    r"Expected `str` of length >=": "must not be empty",
    r"Expected `str` of length <= (\d+)": r"must not be longer than \1 characters",
    r".*matching regex": "is not one that this server gives",
    r"Invalid enum value": "is none that this server knows",
    r".*out of range": "is too large a number",
}
"""What the validator says, and what people are told about the field."""


def complain(error: Exception) -> str:
    """Return a sentence about a message that could not be understood."""
    if not isinstance(error, msgspec.ValidationError):
        return "The server could not read a message of the page: it is not valid JSON."
    words, path = str(error), ""
    if (place := _PLACE.search(words)) is not None:
        path, words = place["path"], words[: place.start()]
    if (found := _FIELD.match(words)) is not None:
        if found["what"] == "contains unknown":
            told = f"has a field that does not belong there: {found['field']}"
        else:
            told = f"lacks {_name(path + '.' + found['field'])}"
        return f"A message of the page {told}."
    if not path:
        return "The server could not read a message of the page: it is not an object with a type."
    if path == "type":
        return "The server does not know this kind of message; try to reload the page."
    name = _name(path)
    return f"{name[:1].upper()}{name[1:]} {_demand(words)}."


def _name(path: str) -> str:
    path = path.strip(".")
    return _NAMES.get(path) or _NAMES.get(path.rpartition(".")[2]) or f"the field {path[:40]}"


def _demand(words: str) -> str:
    if (bound := _BOUND.match(words)) is not None:
        return f"must be {_SIGNS[bound['sign']]} {float(bound['bound']):g}"
    for pattern, demand in _DEMANDS.items():
        if (found := re.match(pattern, words)) is not None:
            return found.expand(demand)
    kind = _TYPE.match(words)
    allowed = (
        [_TYPES[word] for word in kind["types"].split(" | ") if word in _TYPES] if kind else []
    )
    return f"must be {' or '.join(allowed)}" if allowed else "is not what it should be"
