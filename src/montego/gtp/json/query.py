"""A query of KataGo's JSON protocol: read from an object, checked field by field.

    {"id": "a", "moves": [["B", "D4"]], "rules": "japanese", "komi": 6.5,
     "boardXSize": 19, "boardYSize": 19, "analyzeTurns": [0, 1], "maxVisits": 500}

What is wrong with a query is an :class:`InvalidQuery` that names the field; what is only of no use
here is a warning. Nothing here searches.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from montego.engine.options.option import InvalidOption
from montego.engine.options.options import find_option
from montego.engine.searching.analysis import VertexLimit
from montego.go.vocabulary.color import format_color, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import Rules, parse_komi
from montego.go.vocabulary.vertex import MAX_SIZE, MIN_SIZE, format_vertex, parse_vertex
from montego.gtp.analyze.arguments import LONGEST_VARIATION, AnalysisRequest, has_two_lists
from montego.gtp.analyze.katago import SENT_ALWAYS, format_kata_rules, option_name, parse_kata_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from montego.engine.options.options import Options
    from montego.go.game import Game

MOST_TURNS = 20_000
"""Positions in one query: more than any game has, and less than would fill the memory."""

DEFAULT_VISITS = 2000
"""Visits for a position whose query has no limit, if the options have none either."""

MOST_VISITS = 2**50
"""Visits that a query may ask for, as in KataGo. No search comes near; more is a mistake."""

UNUSED_FIELDS = frozenset({"rootPolicyTemperature", "rootFpuReductionMax", "includeNoResultValue"})
"""Fields of the protocol that say something about a neural network, or about results we have not;
they are taken without a word."""

_EXPLICIT = re.compile(r"\(([0-9]{1,2}),\s*([0-9]{1,2})\)")
_PERSPECTIVES = {"sidetomove": "side-to-move", "black": "black", "white": "white"}
_SECTIONS = ("search", "playouts", "priors")  # Options that a query may set.


class InvalidQuery(GoError):  # noqa: N818  # Named as the errors of montego.go are.
    """A query that cannot be answered; ``field`` says where the trouble is."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.field = name


@dataclass(frozen=True, kw_only=True)
class Query:
    """Positions of one game, and what is to be told about each."""

    id: str
    size: int
    rules: Rules
    komi: float
    stones: tuple[tuple[str, str], ...]
    first_player: str | None
    """Who moves first, if the query says so."""
    moves: tuple[tuple[str, str], ...]
    turns: dict[int, int]
    """Numbers of moves after which to look, with the priority of each; higher ones go first."""
    max_visits: int | None
    """The limit of each search, or None if there is only one in seconds."""
    max_time: float | None
    """The limit of each search in seconds, or None if there is only one in visits."""
    report_every: float | None
    first_report: float | None
    report: AnalysisRequest
    """What is to be told; color and interval mean nothing here."""
    policy: bool
    options: Options
    """The player's options with those the query overrides."""
    warnings: tuple[tuple[str, str], ...]
    """Fields and what to say about them."""

    def position(self, turn: int) -> Game:
        """Return a new game after the first *turn* moves. Superko does not forbid any of them.

        Raises:
            InvalidQuery: If a stone cannot stand, or a move cannot be played.
        """
        from montego.go.game import Game  # noqa: PLC0415  # Loads NumPy.

        game = Game(self.size, rules=self.rules, komi=self.komi)
        self._set_up(game)
        for number, (color, vertex) in enumerate(self.moves[:turn]):
            try:
                game.play_unless_impossible(color, vertex)
            except GoError as error:
                raise InvalidQuery(f"move {number}: {error}", "moves") from None
        return game

    def _set_up(self, game: Game) -> None:
        black, white = (
            [vertex for color, vertex in self.stones if color == player]
            for player in ("black", "white")
        )
        first = self.first_player
        if first is None and self.moves:
            first = self.moves[0][0]
        try:
            if len(black) >= 2 and not white:
                game.free_handicap(black)
            elif self.stones:
                game.setup(black=black, white=white, to_play="black")
            if first is not None and first != game.to_play:
                game.setup(to_play=first)
        except GoError as error:
            raise InvalidQuery(str(error), "initialStones") from None


def parse_query(fields: dict[str, Any], options: Options) -> Query:
    """Return the query in *fields*; *options* are the player's. Moves are checked for legality.

    Raises:
        InvalidQuery: If a field is missing or cannot have its value.
    """
    reader = FieldReader(fields, UNUSED_FIELDS)
    identifier = reader.typed("id", str, "a text", needed=True)
    size = _board_size(reader)
    moves = reader.list_of("moves", partial(_read_pair, size=size), needed=True)
    rules, komi = _rules_and_komi(reader, options)
    turns = _turns(reader, len(moves))
    settings = reader.typed("overrideSettings", dict, "an object") or {}
    limits, changed, warnings = _override(settings, options)
    try:
        changed.check_board(size)
    except GoError as error:
        name = "boardXSize" if changed == options else "overrideSettings"
        raise InvalidQuery(str(error), name) from None
    visits = reader.read("maxVisits", _read_visits, limits.get("maxVisits"))
    seconds = limits.get("maxTime")
    if visits is None:
        visits = changed.simulations
        seconds = changed.seconds if seconds is None else seconds
        if seconds is None and visits is None:
            visits = DEFAULT_VISITS
    query = Query(
        id=identifier,
        size=size,
        rules=rules,
        komi=komi,
        stones=tuple(reader.list_of("initialStones", partial(_read_pair, size=size))),
        first_player=reader.read("initialPlayer", _read_color),
        moves=tuple(moves),
        turns=turns,
        max_visits=visits,
        max_time=seconds,
        report_every=reader.read("reportDuringSearchEvery", _read_seconds),
        first_report=reader.read("firstReportDuringSearchAfter", _read_seconds),
        report=AnalysisRequest(
            limits=_move_limits(reader, size),
            ownership=reader.flag("includeOwnership"),
            ownership_deviation=reader.flag("includeOwnershipStdev"),
            moves_ownership=reader.flag("includeMovesOwnership"),
            pv_visits=reader.flag("includePVVisits"),
            pv_edge_visits=reader.flag("includePVVisits"),
            perspective=changed.perspective,
            variation_length=reader.read(
                "analysisPVLen", _read_length, limits.get("analysisPVLen", LONGEST_VARIATION)
            ),
        ),
        policy=reader.flag("includePolicy"),
        options=changed,
        warnings=(*warnings, *reader.unknown()),
    )
    query.position(len(moves))
    return query


def _board_size(reader: FieldReader) -> int:
    read_size = partial(_read_whole, least=MIN_SIZE, most=MAX_SIZE)
    width, height = (
        reader.read(name, read_size, needed=True) for name in ("boardXSize", "boardYSize")
    )
    if width != height:
        raise InvalidQuery("the board must be square", "boardYSize")
    return int(width)


def _rules_and_komi(reader: FieldReader, options: Options) -> tuple[Rules, float]:
    """Return rules and komi; where the query has none, those of the options."""
    rules: Rules | None = reader.read("rules", _read_rules)
    komi: float | None = reader.read("komi", _read_komi)
    if rules is None:
        rules = parse_kata_rules(options.rules)
        komi = options.komi if komi is None else komi
    described = {**format_kata_rules(rules), "komi": rules.komi}
    rules = reader.read(
        "whiteHandicapBonus",
        lambda bonus: parse_kata_rules({**described, "whiteHandicapBonus": str(bonus)[:40]}),
        rules,
    )
    return rules, rules.komi if komi is None else komi


def _turns(reader: FieldReader, moves: int) -> dict[int, int]:
    """Return the turns to look at, each with its priority."""
    turns = [moves]
    if "analyzeTurns" in reader.fields:
        turns = reader.list_of("analyzeTurns", partial(_read_whole, least=0, most=moves))
    if not turns:
        message = "analyzeTurns must name a turn: without one there is no answer"
        raise InvalidQuery(message, "analyzeTurns")
    if len(turns) > MOST_TURNS:
        raise InvalidQuery(f"at most {MOST_TURNS} turns", "analyzeTurns")
    read_priority = partial(_read_whole, least=-(2**62), most=2**62)
    priority = reader.read("priority", read_priority)
    priorities = reader.list_of("priorities", read_priority)
    if "priorities" not in reader.fields:
        return dict.fromkeys(turns, priority or 0)
    if priority is not None:
        raise InvalidQuery("say priority or priorities, not both", "priorities")
    if "analyzeTurns" not in reader.fields or len(priorities) != len(turns):
        raise InvalidQuery("priorities must be as many as analyzeTurns", "priorities")
    return dict(zip(turns, priorities, strict=True))


def _override(
    settings: dict[str, Any], options: Options
) -> tuple[dict[str, Any], Options, list[tuple[str, str]]]:
    """Return the limits in a query's settings by KataGo's names, options with ours, and warnings.

    What is unknown, of no use or not to be set by a query brings a warning.

    Raises:
        InvalidQuery: If a limit or the perspective cannot have its value.
    """
    limits: dict[str, Any] = {}
    warnings = []
    for name, value in settings.items():
        try:
            if name == "reportAnalysisWinratesAs":
                perspective = _PERSPECTIVES.get(str(value).lower())
                if perspective is None:
                    raise GoError("must be BLACK, WHITE or SIDETOMOVE")  # noqa: TRY301  # As below.
                options = options.replace(perspective=perspective)
            elif name in ("maxVisits", "maxPlayouts"):
                limits["maxVisits"] = _read_visits(value)
            elif name == "maxTime":
                limits["maxTime"] = _read_seconds(value)
            elif name == "analysisPVLen":
                limits["analysisPVLen"] = _read_length(value)
            elif name not in SENT_ALWAYS:
                options = _with_option(options, option_name(name), value)
        except InvalidOption as error:
            warnings.append(("overrideSettings", f"{name[:60]}: {error}"))
        except GoError as error:
            raise InvalidQuery(f"{name}: {error}", "overrideSettings") from None
    return limits, options, warnings


def _with_option(options: Options, name: str, value: Any) -> Options:
    option = find_option(name)
    # Whoever may ask for positions need not be trusted with files and programs.
    if option.name != "threads" and (option.section not in _SECTIONS or option.kind == "file"):
        raise InvalidOption("cannot be set for a query")
    if isinstance(value, (dict, list)):
        raise InvalidOption("a setting is a number, a word, true or false")
    return options.set(name, value if isinstance(value, str) else option.format(value))


def _move_limits(reader: FieldReader, size: int) -> tuple[VertexLimit, ...]:
    avoided = reader.list_of("avoidMoves", partial(_read_limit, size=size, only=False))
    allowed = reader.list_of("allowMoves", partial(_read_limit, size=size, only=True))
    if has_two_lists(allowed):
        raise InvalidQuery("must be one object for a player at most", "allowMoves")
    return (*avoided, *allowed)


class FieldReader:
    """The fields of an object: each is asked for by name and kind, and the rest are unknown."""

    def __init__(self, fields: dict[str, Any], unused: Iterable[str] = ()) -> None:
        """*unused* names fields that are known, but that nobody will ask for."""
        self.fields = fields
        self._used = set(unused)

    def read(
        self, name: str, parse: Callable[[Any], Any], default: Any = None, *, needed: bool = False
    ) -> Any:
        """Return what *parse* makes of a field; *default* if it is missing and not *needed*."""
        self._used.add(name)
        if name not in self.fields:
            if needed:
                raise InvalidQuery(f"the field {name} is missing", name)
            return default
        try:
            return parse(self.fields[name])
        except GoError as error:
            raise InvalidQuery(str(error), name) from None

    def typed(self, name: str, kind: type, what: str, *, needed: bool = False) -> Any:
        """Return a field of one of JSON's types, which *what* names; None if it is missing or null.

        One that is *needed* must be there.
        """
        kinds = kind if needed else (kind, type(None))
        return self.read(name, lambda v: _check(v, kinds, f"{name} must be {what}"), needed=needed)

    def flag(self, name: str) -> bool:
        """Return whether a field is there and true."""
        return bool(self.typed(name, bool, "true or false"))

    def list_of(self, name: str, parse: Callable[[Any], Any], *, needed: bool = False) -> list[Any]:
        """Return what *parse* makes of each element of a list; nothing if there is no list."""

        def parse_all(values: Any) -> list[Any]:
            return [parse(value) for value in _check(values, list, f"{name} must be a list")]

        found: list[Any] = self.read(name, parse_all, [], needed=needed)
        return found

    def unknown(self) -> list[tuple[str, str]]:
        """Return a warning for each field that nobody asked for."""
        return [
            (name, "unknown field, of no effect") for name in self.fields if name not in self._used
        ]


def _check(value: Any, kind: type | tuple[type, ...], message: str) -> Any:
    """Return a value of JSON if it is of that kind, else raise GoError with the message."""
    if not isinstance(value, kind):
        raise GoError(message)
    return value


def _read_pair(value: Any, size: int) -> tuple[str, str]:
    """Return color and vertex of a pair such as ``["B", "D4"]``."""
    if not isinstance(value, list) or len(value) != 2:
        raise GoError('must be pairs such as ["B","D4"]')
    return _read_color(value[0]), _read_vertex(value[1], size)


def _read_color(value: Any) -> str:
    return format_color(parse_color(_check(value, str, "a color is B or W")))


def _read_vertex(value: Any, size: int) -> str:
    """Return a vertex as we write it, from ours or from ``(column,row)`` counted from the top."""
    text: str = _check(value, str, "a vertex is a text such as D4, or pass")
    match = _EXPLICIT.fullmatch(text.strip())
    if match is None:
        return format_vertex(parse_vertex(text, size))
    column, row = int(match[1]), size - 1 - int(match[2])
    if not (column < size and row >= 0):
        raise GoError(f"{text}: off the {size}x{size} board")
    return format_vertex((column, row))


def _read_limit(value: Any, size: int, *, only: bool) -> VertexLimit:
    _check(value, dict, "must be objects with player, moves and untilDepth")
    for name in ("player", "moves", "untilDepth"):
        if name not in value:
            raise GoError(f"the field {name} is missing")
    _check(value["moves"], list, "moves must be a list of vertices")
    if only and not value["moves"]:
        raise GoError("moves must name a vertex, or pass: no move at all cannot be allowed")
    return VertexLimit(
        vertices=frozenset(_read_vertex(vertex, size) for vertex in value["moves"]),
        until_depth=int(_read_number(value["untilDepth"], 1, 1e9, whole=True)),
        color=_read_color(value["player"]),
        only=only,
    )


def _read_rules(value: Any) -> Rules:
    return parse_kata_rules(_check(value, (str, dict), "rules must be a name or an object"))


def _read_komi(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise GoError("komi must be a number")
    return parse_komi(value)


def _read_whole(value: Any, least: int, most: int) -> int:
    """Return a whole number within bounds."""
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if isinstance(value, float) and value.is_integer():
        number = int(value)
    if number is None or not least <= number <= most:
        raise GoError(f"must be a whole number from {least} to {most}")
    return number


def _read_number(value: Any, least: float, most: float, *, whole: bool = False) -> float:
    """Return a number that is at least *least*; one beyond *most* is *most*."""
    fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    if fits and isinstance(value, float):
        fits = not math.isnan(value) and (not whole or value.is_integer())
    if not fits or value < least:
        kind = "a whole number" if whole else "a number"
        raise GoError(f"must be {kind} of at least {least:g}")
    return float(min(value, most))


_read_visits = partial(_read_whole, least=1, most=MOST_VISITS)
_read_length = partial(_read_whole, least=1, most=1000)
_read_seconds = partial(_read_number, least=0.001, most=1e6)
