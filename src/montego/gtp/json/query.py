"""A query of KataGo's JSON protocol: read from an object, checked field by field.

    {"id": "a", "moves": [["B", "D4"]], "rules": "japanese", "komi": 6.5,
     "boardXSize": 19, "boardYSize": 19, "analyzeTurns": [0, 1], "maxVisits": 500}

What is wrong with a query is an :class:`InvalidQuery` that names the field; what is only of no use
here is a warning. Nothing here searches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from montego.engine.searching.analysis import MoveLimit
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import Rules, parse_komi
from montego.go.vocabulary.vertex import MAX_SIZE, MIN_SIZE
from montego.gtp.analyze.arguments import LONGEST_VARIATION, has_two_lists
from montego.gtp.analyze.kata_rules import format_kata_rules, parse_kata_rules
from montego.gtp.analyze.kata_settings import MOST_VISITS, override
from montego.gtp.json.fields import (
    FieldReader,
    InvalidQuery,
    read_color,
    read_number,
    read_pair,
    read_vertex,
    read_whole,
)

if TYPE_CHECKING:
    from montego.engine.options.options import Options
    from montego.go.game import Game

MOST_TURNS = 20_000
"""Positions in one query: more than any game has, and less than would fill the memory."""

UNUSED_FIELDS = frozenset({"rootPolicyTemperature", "rootFpuReductionMax", "includeNoResultValue"})
"""Fields of the protocol that say something about a neural network, or about results we have not;
they are taken without a word."""


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
    turns: tuple[int, ...]
    """Numbers of moves after which to look; each once."""
    priorities: tuple[int, ...]
    """One for each turn; higher ones go first."""
    max_visits: int | None
    max_time: float | None
    report_every: float | None
    first_report: float | None
    limits: tuple[MoveLimit, ...]
    ownership: bool
    ownership_deviation: bool
    moves_ownership: bool
    policy: bool
    variation_visits: bool
    variation_length: int
    options: Options
    """The player's options with those the query overrides."""
    warnings: tuple[tuple[str, str], ...] = field(default=())
    """Fields and what to say about them."""

    @property
    def wants_ownership(self) -> bool:
        """Whether the owners of points must be estimated."""
        return self.ownership or self.ownership_deviation or self.moves_ownership

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
        is_handicap = len(black) >= 2 and not white
        first = self.first_player
        if first is None and self.moves:
            first = self.moves[0][0]
        try:
            if is_handicap:
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
    identifier = reader.text("id")
    size = _board_size(reader)
    moves = reader.list_of("moves", lambda value: read_pair(value, size), needed=True)
    rules, komi = _rules_and_komi(reader, options)
    turns = reader.list_of("analyzeTurns", lambda value: read_whole(value, 0, len(moves)))
    turns = turns if "analyzeTurns" in fields else [len(moves)]
    if not turns:
        raise InvalidQuery(
            "analyzeTurns must name a turn: without one there is no answer", "analyzeTurns"
        )
    if len(turns) > MOST_TURNS:
        raise InvalidQuery(f"at most {MOST_TURNS} turns", "analyzeTurns")
    priorities = dict(zip(turns, _priorities(reader, len(turns)), strict=True))
    settings, changed, warnings = _settings(reader, options)
    try:
        changed.check_board(size)
    except GoError as error:
        name = "boardXSize" if changed == options else "overrideSettings"
        raise InvalidQuery(str(error), name) from None
    visits = reader.optional("maxVisits", lambda value: read_whole(value, 1, MOST_VISITS))
    query = Query(
        id=identifier,
        size=size,
        rules=rules,
        komi=komi,
        stones=tuple(reader.list_of("initialStones", lambda value: read_pair(value, size))),
        first_player=reader.optional("initialPlayer", read_color),
        moves=tuple(moves),
        turns=tuple(priorities),
        priorities=tuple(priorities.values()),
        max_visits=settings.get("maxVisits") if visits is None else visits,
        max_time=settings.get("maxTime"),
        report_every=reader.number("reportDuringSearchEvery", 0.001, 1e6),
        first_report=reader.number("firstReportDuringSearchAfter", 0.001, 1e6),
        limits=_limits(reader, size),
        ownership=reader.flag("includeOwnership"),
        ownership_deviation=reader.flag("includeOwnershipStdev"),
        moves_ownership=reader.flag("includeMovesOwnership"),
        policy=reader.flag("includePolicy"),
        variation_visits=reader.flag("includePVVisits"),
        variation_length=_variation_length(reader, settings),
        options=changed,
        warnings=(*warnings, *reader.unknown()),
    )
    query.position(len(moves))
    return query


def _board_size(reader: FieldReader) -> int:
    sizes = []
    for name in ("boardXSize", "boardYSize"):
        reader.needed(name)
        size = reader.optional(name, lambda value: read_whole(value, MIN_SIZE, MAX_SIZE))
        sizes.append(int(size))
    if sizes[0] != sizes[1]:
        raise InvalidQuery("the board must be square", "boardYSize")
    return sizes[0]


def _rules_and_komi(reader: FieldReader, options: Options) -> tuple[Rules, float]:
    """Return rules and komi; where the query has none, those of the options."""
    rules: Rules | None = reader.optional("rules", _rules)
    komi: float | None = reader.optional("komi", _komi)
    bonus = reader.optional("whiteHandicapBonus", lambda value: str(value)[:40])
    if rules is None:
        rules = parse_kata_rules(options.rules)
        komi = options.komi if komi is None else komi
    if bonus is not None:
        changed = {**format_kata_rules(rules), "whiteHandicapBonus": bonus, "komi": rules.komi}
        rules = reader.optional("whiteHandicapBonus", lambda _value: parse_kata_rules(changed))
    assert rules is not None  # noqa: S101  # For the type checker.
    return rules, rules.komi if komi is None else komi


def _rules(value: Any) -> Rules:
    if not isinstance(value, (str, dict)):
        raise GoError("rules must be a name or an object")
    return parse_kata_rules(value)


def _komi(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise GoError("komi must be a number")
    return parse_komi(value)


def _priorities(reader: FieldReader, count: int) -> list[int]:
    priority = reader.optional("priority", lambda value: read_whole(value, -(2**62), 2**62))
    given = reader.list_of("priorities", lambda value: read_whole(value, -(2**62), 2**62))
    if "priorities" not in reader.fields:
        return [priority or 0] * count
    if priority is not None:
        raise InvalidQuery("say priority or priorities, not both", "priorities")
    if "analyzeTurns" not in reader.fields or len(given) != count:
        raise InvalidQuery("priorities must be as many as analyzeTurns", "priorities")
    return given


def _settings(
    reader: FieldReader, options: Options
) -> tuple[dict[str, Any], Options, list[tuple[str, str]]]:
    """Return KataGo's settings that are of use here, options with ours, and warnings."""
    given = reader.optional("overrideSettings", lambda value: value)
    if given is None:
        return {}, options, []
    if not isinstance(given, dict):
        raise InvalidQuery("overrideSettings must be an object", "overrideSettings")
    return override(given, options)


def _variation_length(reader: FieldReader, settings: dict[str, Any]) -> int:
    length: int | None = reader.optional("analysisPVLen", lambda value: read_whole(value, 1, 1000))
    return length or int(settings.get("analysisPVLen", LONGEST_VARIATION))


def _limits(reader: FieldReader, size: int) -> tuple[MoveLimit, ...]:
    avoided = reader.list_of("avoidMoves", lambda value: _limit(value, size, only=False))
    allowed = reader.list_of("allowMoves", lambda value: _limit(value, size, only=True))
    if has_two_lists(allowed):
        raise InvalidQuery("must be one object for a player at most", "allowMoves")
    return (*avoided, *allowed)


def _limit(value: Any, size: int, *, only: bool) -> MoveLimit:
    if not isinstance(value, dict):
        raise GoError("must be objects with player, moves and untilDepth")
    missing = [name for name in ("player", "moves", "untilDepth") if name not in value]
    if missing:
        raise GoError(f"the field {missing[0]} is missing")
    if not isinstance(value["moves"], list):
        raise GoError("moves must be a list of vertices")
    if only and not value["moves"]:
        raise GoError("moves must name a vertex, or pass: no move at all cannot be allowed")
    vertices = frozenset(read_vertex(vertex, size) for vertex in value["moves"])
    depth = int(read_number(value["untilDepth"], 1, 1e9, whole=True))
    color = read_color(value["player"])
    return MoveLimit(color=color, vertices=vertices, only=only, until_depth=depth)
