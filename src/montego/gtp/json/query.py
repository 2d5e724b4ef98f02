"""A query of KataGo's JSON protocol: read from an object, checked field by field.

    {"id": "a", "moves": [["B", "D4"]], "rules": "japanese", "komi": 6.5,
     "boardXSize": 19, "boardYSize": 19, "analyzeTurns": [0, 1], "maxVisits": 500}

What is wrong with a query is an :class:`InvalidQuery` that names the field; what is only of no use
here is a warning. Nothing here searches.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from montego.engine.options.options import InvalidOption, find_option
from montego.engine.searching.analysis import VertexLimit
from montego.go.vocabulary.color import format_color, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import Rules, parse_komi
from montego.go.vocabulary.vertex import MAX_SIZE, MIN_SIZE, format_vertex, parse_vertex
from montego.gtp.analyze.arguments import LONGEST_VARIATION, AnalysisRequest, has_two_lists
from montego.gtp.analyze.katago import SENT_ALWAYS, format_kata_rules, option_name, parse_kata_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.engine.options.options import Options
    from montego.go.game import Game

MOST_TURNS = 20_000
"""Positions in one query: more than any game has, and less than would fill the memory."""

DEFAULT_VISITS = 2000
"""Visits for a position whose query has no limit, if the options have none either."""

MOST_VISITS = 2**50
"""Visits that a query may ask for, as in KataGo. No search comes near; more is a mistake."""

MOST_SECONDS = 1e6
"""Seconds of a search at most. Programs say 1e20 where they want no limit in time."""

UNUSED_FIELDS = frozenset({"rootPolicyTemperature", "rootFpuReductionMax", "includeNoResultValue"})
"""Fields of the protocol that say something about a neural network, or about results we have not;
they are taken without a word."""

_EXPLICIT = re.compile(r"\(([0-9]{1,2}),\s*([0-9]{1,2})\)")
_PERSPECTIVES = {"sidetomove": "side-to-move", "black": "black", "white": "white"}
Visits = Annotated[int, Meta(ge=1, le=MOST_VISITS)]
Length = Annotated[int, Meta(ge=1, le=1000)]
Seconds = Annotated[float, Meta(ge=0.001)]
Priority = Annotated[int, Meta(ge=-(2**62), le=2**62)]
_LIMITS = {
    "maxVisits": ("maxVisits", Visits),
    "maxPlayouts": ("maxVisits", Visits),
    "maxTime": ("maxTime", Seconds),
    "analysisPVLen": ("analysisPVLen", Length),
}
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


class _Limit(msgspec.Struct, rename="camel"):
    """An element of ``avoidMoves`` or ``allowMoves``."""

    player: str
    moves: list[str]
    until_depth: Annotated[int, Meta(ge=1)]


class _Fields(msgspec.Struct, rename="camel"):
    """The fields of a query with the kinds of their values; what is missing is UNSET or nothing."""

    id: str
    moves: list[tuple[str, str]]
    board_x_size: Annotated[int, Meta(ge=MIN_SIZE, le=MAX_SIZE)]
    board_y_size: Annotated[int, Meta(ge=MIN_SIZE, le=MAX_SIZE)]
    initial_stones: list[tuple[str, str]] = []
    initial_player: str | UnsetType = UNSET
    rules: str | dict[str, Any] | UnsetType = UNSET
    komi: float | UnsetType = UNSET
    white_handicap_bonus: Any = UNSET
    analyze_turns: list[Annotated[int, Meta(ge=0)]] | UnsetType = UNSET
    priority: Priority | UnsetType = UNSET
    priorities: list[Priority] | UnsetType = UNSET
    max_visits: Visits | UnsetType = UNSET
    override_settings: dict[str, Any] | None = None
    report_during_search_every: Seconds | UnsetType = UNSET
    first_report_during_search_after: Seconds | UnsetType = UNSET
    analysis_length: Length | UnsetType = msgspec.field(default=UNSET, name="analysisPVLen")
    avoid_moves: list[_Limit] = []
    allow_moves: list[_Limit] = []
    include_ownership: bool | None = None
    include_ownership_stdev: bool | None = None
    include_moves_ownership: bool | None = None
    include_variation_visits: bool | None = msgspec.field(default=None, name="includePVVisits")
    include_policy: bool | None = None


def parse_query(fields: dict[str, Any], options: Options) -> Query:
    """Return the query in *fields*; *options* are the player's. Moves are checked for legality.

    Raises:
        InvalidQuery: If a field is missing or cannot have its value.
    """
    try:
        asked = msgspec.convert(fields, _Fields)
    except msgspec.ValidationError as error:
        # The message ends with the path to the value, or names the field that is missing.
        found = re.search(r"`\$\.(\w+)", str(error)) or re.search(r"field `(\w+)`", str(error))
        raise InvalidQuery(str(error), found[1] if found else "") from None
    size = asked.board_x_size
    if size != asked.board_y_size:
        raise InvalidQuery("the board must be square", "boardYSize")
    with _told_of("moves"):
        moves = _read_pairs(asked.moves, size)
    with _told_of("initialStones"):
        stones = _read_pairs(asked.initial_stones, size)
    with _told_of("initialPlayer"):
        first = None if asked.initial_player is UNSET else _read_color(asked.initial_player)
    rules, komi = _rules_and_komi(asked, options)
    limits, changed, warnings = _override(asked.override_settings or {}, options)
    with _told_of("boardXSize" if changed == options else "overrideSettings"):
        changed.check_board(size)
    visits = limits.get("maxVisits") if asked.max_visits is UNSET else asked.max_visits
    seconds = min(limits["maxTime"], MOST_SECONDS) if "maxTime" in limits else None
    if visits is None:
        visits = changed.simulations
        seconds = changed.seconds if seconds is None else seconds
        if seconds is None and visits is None:
            visits = DEFAULT_VISITS
    length = limits.get("analysisPVLen", LONGEST_VARIATION)
    known = UNUSED_FIELDS.union(_Fields.__struct_encode_fields__)
    unknown = [(name, "unknown field, of no effect") for name in fields if name not in known]
    query = Query(
        id=asked.id,
        size=size,
        rules=rules,
        komi=komi,
        stones=stones,
        first_player=first,
        moves=moves,
        turns=_turns(asked),
        max_visits=visits,
        max_time=seconds,
        report_every=asked.report_during_search_every or None,
        first_report=asked.first_report_during_search_after or None,
        report=AnalysisRequest(
            limits=_move_limits(asked, size),
            ownership=bool(asked.include_ownership),
            ownership_deviation=bool(asked.include_ownership_stdev),
            moves_ownership=bool(asked.include_moves_ownership),
            pv_visits=bool(asked.include_variation_visits),
            pv_edge_visits=bool(asked.include_variation_visits),
            perspective=changed.perspective,
            variation_length=asked.analysis_length or length,
        ),
        policy=bool(asked.include_policy),
        options=changed,
        warnings=(*warnings, *unknown),
    )
    query.position(len(moves))
    return query


@contextmanager
def _told_of(name: str) -> Iterator[None]:
    """Say that what is wrong inside is wrong with the field of that name."""
    try:
        yield
    except GoError as error:
        raise InvalidQuery(str(error), name) from None


def _rules_and_komi(asked: _Fields, options: Options) -> tuple[Rules, float]:
    """Return rules and komi; where the query has none, those of the options."""
    komi = None
    with _told_of("komi"):
        if asked.komi is not UNSET:
            komi = parse_komi(asked.komi)
    with _told_of("rules"):
        if asked.rules is not UNSET:
            rules = parse_kata_rules(asked.rules)
        else:
            rules = parse_kata_rules(options.rules)
            komi = options.komi if komi is None else komi
    if asked.white_handicap_bonus is not UNSET:
        bonus = str(asked.white_handicap_bonus)[:40]
        described = {**format_kata_rules(rules), "komi": rules.komi, "whiteHandicapBonus": bonus}
        with _told_of("whiteHandicapBonus"):
            rules = parse_kata_rules(described)
    return rules, rules.komi if komi is None else komi


def _turns(asked: _Fields) -> dict[int, int]:
    """Return the turns to look at, each with its priority."""
    moves, turns = len(asked.moves), asked.analyze_turns
    if turns is UNSET:
        turns = [moves]
    if not turns:
        message = "analyzeTurns must name a turn: without one there is no answer"
        raise InvalidQuery(message, "analyzeTurns")
    if max(turns) > moves:
        raise InvalidQuery(f"there is no turn after {moves}", "analyzeTurns")
    if len(turns) > MOST_TURNS:
        raise InvalidQuery(f"at most {MOST_TURNS} turns", "analyzeTurns")
    if asked.priorities is UNSET:
        return dict.fromkeys(turns, asked.priority or 0)
    if asked.priority is not UNSET:
        raise InvalidQuery("say priority or priorities, not both", "priorities")
    if asked.analyze_turns is UNSET or len(asked.priorities) != len(turns):
        raise InvalidQuery("priorities must be as many as analyzeTurns", "priorities")
    return dict(zip(turns, asked.priorities, strict=True))


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
            elif name in _LIMITS:
                field, kind = _LIMITS[name]
                limits[field] = msgspec.convert(value, kind)
            elif name not in SENT_ALWAYS:
                options = _with_option(options, option_name(name), value)
        except InvalidOption as error:
            warnings.append(("overrideSettings", f"{name[:60]}: {error}"))
        except (GoError, msgspec.ValidationError) as error:
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


def _move_limits(asked: _Fields, size: int) -> tuple[VertexLimit, ...]:
    with _told_of("avoidMoves"):
        avoided = [_read_limit(limit, size, only=False) for limit in asked.avoid_moves]
    with _told_of("allowMoves"):
        allowed = [_read_limit(limit, size, only=True) for limit in asked.allow_moves]
        if has_two_lists(allowed):
            raise GoError("must be one object for a player at most")
    return (*avoided, *allowed)


def _read_limit(limit: _Limit, size: int, *, only: bool) -> VertexLimit:
    if only and not limit.moves:
        raise GoError("moves must name a vertex, or pass: no move at all cannot be allowed")
    return VertexLimit(
        vertices=frozenset(_read_vertex(vertex, size) for vertex in limit.moves),
        until_depth=limit.until_depth,
        color=_read_color(limit.player),
        only=only,
    )


def _read_pairs(pairs: list[tuple[str, str]], size: int) -> tuple[tuple[str, str], ...]:
    """Return colors and vertices of pairs such as ``("B", "D4")``."""
    return tuple((_read_color(color), _read_vertex(vertex, size)) for color, vertex in pairs)


def _read_color(text: str) -> str:
    return format_color(parse_color(text))


def _read_vertex(text: str, size: int) -> str:
    """Return a vertex as we write it, from ours or from ``(column,row)`` counted from the top."""
    match = _EXPLICIT.fullmatch(text.strip())
    if match is None:
        return format_vertex(parse_vertex(text, size))
    column, row = int(match[1]), size - 1 - int(match[2])
    if not (column < size and row >= 0):
        raise GoError(f"{text}: off the {size}x{size} board")
    return format_vertex((column, row))
