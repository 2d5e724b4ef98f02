"""KataGo's analysis protocol: one JSON object a line in, one JSON object a line out.

Queries wait in a queue, those of higher priority first; one thread searches them, one after
another, while another reads. For every position of every query there is exactly one reply that is
not "during search", also if it was terminated. What is wrong with a query is an
:class:`InvalidQuery` that names the field, and changes nothing; what is only of no use here is a
warning. Owners and policy go row by row from the top left.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import msgspec
from msgspec import UNSET, Meta, UnsetType

from montego.engine.options.options import InvalidOption, find_option, knows_people
from montego.engine.searching.analysis import VertexLimit
from montego.go.vocabulary.color import format_color, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import Rules, parse_komi
from montego.go.vocabulary.vertex import MAX_SIZE, MIN_SIZE, format_vertex, parse_vertex
from montego.gtp.analyze.arguments import LONGEST_VARIATION, AnalysisRequest, has_two_lists
from montego.gtp.analyze.katago import (
    HUMAN_PROFILE,
    SENT_ALWAYS,
    format_kata_rules,
    option_name,
    parse_kata_rules,
    profile_rank,
)
from montego.gtp.analyze.lines import (
    move_report,
    ownership_deviation,
    reading_order,
    reported_moves,
    root_report,
    seen_ownership,
    viewer_of,
)
from montego.gtp.session import OutputClosed, bug_text
from montego.mcts.errors import MctsError
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from montego.engine.options.options import Options
    from montego.engine.player import Player
    from montego.engine.searching.analysis import Analysis, MoveInfo
    from montego.go.game import Game

MOST_TURNS = 20_000
"""Positions in one query: more than any game has, and less than would fill the memory."""

DEFAULT_VISITS = 2000
"""Visits for a position whose query has no limit, if the options have none either."""

MOST_VISITS = 2**50
"""Visits that a query may ask for, as in KataGo. No search comes near; more is a mistake."""

MOST_SECONDS = 1e6
"""Seconds of a search at most. Programs say 1e20 where they want no limit in time."""

UNUSED_FIELDS = frozenset({"rootFpuReductionMax", "includeNoResultValue"})
"""Fields of the protocol that say something about a search, or about results, that we have not;
they are taken without a word."""

_EXPLICIT = re.compile(r"\(([0-9]{1,2}),\s*([0-9]{1,2})\)")
_PERSPECTIVES = {"sidetomove": "side-to-move", "black": "black", "white": "white"}
Visits = Annotated[int, Meta(ge=1, le=MOST_VISITS)]
Length = Annotated[int, Meta(ge=1, le=1000)]
Seconds = Annotated[float, Meta(ge=0.001)]
Temperature = Annotated[float, Meta(ge=0.01, le=100.0)]
Priority = Annotated[int, Meta(ge=-(2**62), le=2**62)]
_LIMITS = {
    "maxVisits": ("maxVisits", Visits),
    "maxPlayouts": ("maxVisits", Visits),
    "maxTime": ("maxTime", Seconds),
    "analysisPVLen": ("analysisPVLen", Length),
}
_SECTIONS = ("search", "playouts", "priors")  # Options that a query may set,
_ALLOWED = ("threads", "level")  # and these.


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
    people: int | None
    """With the policy, the rank of people whose policy is wanted as well."""
    solve: tuple[str, ...] | None
    """Stones whose life and death is to be solved; empty if the solver is to find them."""
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
    root_policy_temperature: Temperature | UnsetType = UNSET
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
    solve: bool | list[str] | None = None


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
        raise InvalidQuery(
            "the board must be square: the state of a game has one size", "boardYSize"
        )
    with _told_of("moves"):
        moves = _read_pairs(asked.moves, size)
    with _told_of("initialStones"):
        stones = _read_pairs(asked.initial_stones, size)
    with _told_of("initialPlayer"):
        first = None if asked.initial_player is UNSET else _read_color(asked.initial_player)
    rules, komi = _rules_and_komi(asked, options)
    limits, changed, warnings = _override(asked.override_settings or {}, options)
    if limits.get(HUMAN_PROFILE) is not None and not knows_people(size):
        warnings.append(
            ("overrideSettings", f"{HUMAN_PROFILE}: no network knows people on {size}x{size}")
        )
    with _told_of("boardXSize" if changed == options else "overrideSettings"):
        changed.check_board(size)
    if asked.root_policy_temperature is not UNSET and changed.network_name(size) is not None:
        changed = changed.replace(root_temperature=asked.root_policy_temperature)
    visits = limits.get("maxVisits") if asked.max_visits is UNSET else asked.max_visits
    seconds = min(limits["maxTime"], MOST_SECONDS) if "maxTime" in limits else None
    if visits is None:
        visits = changed.on_board(size).simulations
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
        people=limits.get(HUMAN_PROFILE),
        solve=_to_solve(asked.solve, size),
        options=changed,
        warnings=(*warnings, *unknown),
    )
    query.position(len(moves))
    return query


def _to_solve(asked: bool | list[str] | None, size: int) -> tuple[str, ...] | None:
    """Return the stones that a query wants solved; None if it wants none."""
    if not asked and not isinstance(asked, list):
        return None
    names = asked if isinstance(asked, list) else []
    with _told_of("solve"):
        for name in names:
            parse_vertex(name, size)
    return tuple(names)


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

    Among the limits is the rank of people that it asks about, under HUMAN_PROFILE.

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
            elif name == HUMAN_PROFILE:
                limits[name] = profile_rank(str(value))
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
    is_allowed = option.name in _ALLOWED or option.section in _SECTIONS
    if not is_allowed or option.kind == "file":
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


LOOK_EVERY = 0.5
"""Seconds between reports of the player, at most, of which fewer or none may be passed on.

Each makes the scores better."""

ACTIONS = "query_version, query_models, clear_cache, terminate, terminate_all"
"""What a line may ask for that is no query."""

MODEL = {
    "name": "montego",
    "internalName": f"montego-{__version__}",
    "maxBatchSize": 1,
    "usesHumanSLProfile": False,
    "version": 0,
    "usingFP16": "false",
}
"""What we tell of ourselves where KataGo would tell of its network, if there is none."""

LEFT_BEHIND = 100
"""Positions that were taken out of a queue and are still in its heap, at most, beside as many as
wait."""

SOLVE_SECONDS = 5.0
"""How long the solver is asked about a position of a query without a limit in seconds."""

ILLEGAL = -1.0
"""What the protocol has for the policy of a point where nobody may play."""

LONGEST_COMPLAINT = 200
"""Characters of what is told about a line that is no JSON."""


@dataclass(order=True)
class QueuedTurn:
    """One position to search. The order is the order of work."""

    urgency: tuple[int, int]  # The priority with its sign changed, then the order of arrival.
    query: Query = field(compare=False)
    turn: int = field(compare=False)
    terminated: threading.Event = field(default_factory=threading.Event, compare=False)


class Queue:
    """Positions that wait, the most urgent first, and those of each query at hand by its id.

    Not thread-safe.
    """

    def __init__(self) -> None:
        self._heap: list[QueuedTurn] = []  # Some of them have been taken out already.
        self._waiting: dict[str, dict[int, QueuedTurn]] = {}  # By id, and by the order of arrival.
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, job: QueuedTurn) -> None:
        """Let a position wait."""
        self._waiting.setdefault(job.query.id, {})[job.urgency[1]] = job
        self._count += 1
        heappush(self._heap, job)

    def take(self) -> QueuedTurn | None:
        """Take out the most urgent position; None if there is none."""
        while self._heap:
            job = heappop(self._heap)
            if self._forget(job):
                return job
        return None

    def remove(
        self, is_meant: Callable[[QueuedTurn], bool], identifier: str | None = None
    ) -> list[QueuedTurn]:
        """Take out what is meant, of the queries of that id or of all, in the order of arrival."""
        ids = [identifier] if identifier is not None else list(self._waiting)
        jobs = [job for name in ids for job in self._waiting.get(name, {}).values()]
        meant = sorted(filter(is_meant, jobs), key=lambda job: job.urgency[1])
        for job in meant:
            self._forget(job)
        if len(self._heap) > 2 * self._count + LEFT_BEHIND:
            self._heap = sorted(job for jobs in self._waiting.values() for job in jobs.values())
        return meant

    def _forget(self, job: QueuedTurn) -> bool:
        """Say whether a position was waiting; now it is not."""
        jobs = self._waiting.get(job.query.id, {})
        if jobs.pop(job.urgency[1], None) is None:
            return False
        if not jobs:
            del self._waiting[job.query.id]
        self._count -= 1
        return True


class AnalysisEngine:
    """Answers queries. ``obey`` is called from one thread, ``work`` runs in another."""

    def __init__(
        self,
        make_player: Callable[[], Player],
        options: Options,
        write: Callable[[str], None],
    ) -> None:
        """*make_player* is called when a first position is searched; *write* gets whole lines.

        *write* is called from both threads, one at a time.
        """
        self._make_player = make_player
        self._options = options
        self._write = write
        self._player: Player | None = None
        self._at: tuple[Query, int] | None = None  # What the player's board shows.
        self._stale = False  # Whether the player is to forget what it knows.
        self._waiting = Queue()
        self._running: QueuedTurn | None = None
        self._numbers = 0
        self._finishing = False
        self._changed = threading.Condition(threading.RLock())
        self._writing = threading.Lock()

    # The side of the reader

    def read(self, stream: BinaryIO) -> None:
        """Obey all lines of *stream*, however long, until its end.

        Raises:
            OutputClosed: If nobody reads the replies any more.
        """
        with contextlib.suppress(OSError, ValueError):  # Somebody closed the stream: the end.
            for line in iter(stream.readline, b""):
                self.obey(line)

    def obey(self, line: bytes | str) -> None:
        """Answer a line, or put what it asks for into the queue. Nothing for an empty line."""
        if not line.strip():
            return
        try:
            fields = json.loads(line, parse_constant=_refuse_constant, parse_float=_read_float)
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            self._send({"error": f"that is no JSON: {reason}"[:LONGEST_COMPLAINT]})
            return
        if not isinstance(fields, dict):
            self._send({"error": "a query is a JSON object"})
            return
        try:
            if "action" in fields:
                self._act(fields)
            else:
                self._enqueue(parse_query(fields, self._options))
        except InvalidQuery as error:
            self._send_trouble("error", str(error), error.field, fields.get("id"))
        except Exception as error:  # noqa: BLE001  # A bug must not end the conversation.
            self._send_trouble("error", bug_text(error), "", fields.get("id"))

    def finish(self) -> None:
        """Say that no more queries will come: ``work`` ends once the queue is empty."""
        with self._changed:
            self._finishing = True
            self._changed.notify_all()

    def drop(self) -> None:
        """Say that nobody wants the answers any more: ``work`` ends as soon as it can."""
        with self._changed:
            self._waiting = Queue()
            if self._running is not None:
                self._running.terminated.set()
            self.finish()

    def _enqueue(self, query: Query) -> None:
        for name, text in query.warnings:
            self._send_trouble("warning", text, name, query.id)
        with self._changed:
            for turn, priority in query.turns.items():
                self._numbers += 1
                self._waiting.put(QueuedTurn((-priority, self._numbers), query, turn))
            self._changed.notify_all()

    def _act(self, fields: dict[str, Any]) -> None:
        if not isinstance(fields.get("id"), str):
            raise InvalidQuery("the field id is missing, or no text", "id")
        answer: dict[str, Any] = {}
        match fields["action"]:
            case "query_version":
                answer = {"version": __version__, "git_hash": "<omitted>"}
            case "query_models":
                answer = {"models": models(self._options)}
            case "clear_cache":
                self._stale = True  # The search under way is not disturbed.
            case "terminate" | "terminate_all":
                self._terminate(fields)
            case action:
                message = f"unknown action {str(action)[:60]!r}: say one of {ACTIONS}"
                raise InvalidQuery(message, "action")
        self._send({**fields, **answer})

    def _terminate(self, fields: dict[str, Any]) -> None:
        """Take positions out of the queue, and stop the one that is searched."""
        one = fields["action"] == "terminate"
        if one and not isinstance(fields.get("terminateId"), str):
            raise InvalidQuery("the field terminateId is missing, or no text", "terminateId")
        turns = fields.get("turnNumbers")
        if turns is not None and not (
            isinstance(turns, list) and all(isinstance(turn, int) for turn in turns)
        ):
            raise InvalidQuery("turnNumbers must be a list of whole numbers", "turnNumbers")

        wanted = None if turns is None else set(turns)
        identifier = fields["terminateId"] if one else None

        def is_meant(job: QueuedTurn) -> bool:
            return wanted is None or job.turn in wanted

        with self._changed:
            ended = self._waiting.remove(is_meant, identifier)
            running = self._running
            if running is not None and identifier in (None, running.query.id) and is_meant(running):
                running.terminated.set()
        for job in ended:
            self._send(no_result_reply(job.query, job.turn))

    # The side of the worker

    def work(self) -> None:
        """Search position after position until ``finish`` or ``drop`` was called.

        Raises:
            OutputClosed: If nobody reads the replies any more.
        """
        try:
            while (job := self._next()) is not None:
                self._search(job)
        finally:
            if self._player is not None:
                self._player.close()

    def _next(self) -> QueuedTurn | None:
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) or self._finishing)
            self._running = self._waiting.take()
            return self._running

    def _search(self, job: QueuedTurn) -> None:
        """Search a position and send its last reply, whatever happens."""
        query = job.query
        try:
            reply = self._searched(job)
        except Exception as error:  # noqa: BLE001  # As in obey.
            text = str(error) if isinstance(error, GoError | MctsError) else bug_text(error)
            name = error.field if isinstance(error, InvalidQuery) else "analyzeTurns"
            self._send_trouble("error", text, name, query.id)
            reply = no_result_reply(query, job.turn)
        self._send(reply)

    def _searched(self, job: QueuedTurn) -> dict[str, Any]:
        query, turn = job.query, job.turn
        if job.terminated.is_set():
            return no_result_reply(query, turn)
        if self._player is None:
            self._player = self._make_player()
        player = self._player
        self._go_to(player, job)
        to_play, limits = player.game.to_play, query.report.limits
        only = any(limit.only and limit.color == to_play for limit in limits)
        with _told_of("allowMoves" if only else "avoidMoves"):
            query.report.refuse_to_leave_nothing(player.game)
        every, first = query.report_every, query.first_report
        due = time.monotonic() + (first or every or 0.0)

        def report(analysis: Analysis) -> None:
            nonlocal due
            now = time.monotonic()
            if every is not None and now >= due:
                due = now + every
                if analysis.moves and not job.terminated.is_set():
                    self._send(result_reply(query, turn, analysis, player.game, during_search=True))

        analysis = player.analyze(
            report=report,
            every=min(every or LOOK_EVERY, first or LOOK_EVERY, LOOK_EVERY),
            restrict=limits,
            ownership=query.report.wants_ownership,
            limit=query.max_visits,
            seconds=query.max_time,
            interrupt=job.terminated,
        )
        if not analysis.visits and job.terminated.is_set():
            return no_result_reply(query, turn)
        reply = result_reply(query, turn, analysis, player.game, during_search=False)
        if query.solve is not None:
            reply["solution"] = solution(query, player.game)
        return reply

    def _go_to(self, player: Player, job: QueuedTurn) -> None:
        """Give the player the position; the next one of the same game keeps the tree."""
        query, turn = job.query, job.turn
        at, self._at = self._at, None
        if self._stale:
            self._stale, at = False, None
            player.clear_cache()
        if at is not None and at[0] is query and at[1] <= turn and query.rules.ko == "simple":
            for color, vertex in query.moves[at[1] : turn]:
                player.play(color, vertex)
        else:
            player.load(query.position(turn), query.options)
        self._at = (query, turn)

    # Writing

    def _send(self, reply: dict[str, Any]) -> None:
        text = json.dumps(reply, separators=(",", ":"))
        with self._writing:
            try:
                self._write(f"{text}\n")
            except (OSError, ValueError):
                raise OutputClosed from None

    def _send_trouble(self, kind: str, text: str, name: str, identifier: object) -> None:
        known = {"id": identifier} if isinstance(identifier, str) else {}
        self._send({kind: text, "field": name, **known})


def _read_float(text: str) -> float:
    """Return a number; a whole one as a whole number, for some programs write ``1e8`` visits."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _refuse_constant(name: str) -> float:
    """Refuse what Python reads and JSON does not know."""
    raise ValueError(f"{name} is no number")


# Replies


def result_reply(
    query: Query, turn: int, analysis: Analysis, game: Game, *, during_search: bool
) -> dict[str, Any]:
    """Return what was found about *game*, the position after *turn* moves of *query*."""
    asked = query.report
    viewer = viewer_of(asked.perspective, analysis.to_play)
    reply: dict[str, Any] = {
        "id": query.id,
        "turnNumber": turn,
        "isDuringSearch": during_search,
        "moveInfos": [
            _move(order, info, analysis, asked, viewer)
            for order, info in enumerate(reported_moves(analysis))
        ],
        "rootInfo": _root(analysis, game, viewer),
    }
    if asked.ownership and analysis.ownership is not None:
        reply["ownership"] = _rounded(seen_ownership(analysis.ownership, viewer), 4)
    if asked.ownership_deviation and analysis.ownership is not None:
        reply["ownershipStdev"] = _rounded(ownership_deviation(analysis.ownership), 4)
    if query.policy:
        reply["policy"] = policy(analysis, game)
    if query.policy and query.people is not None and knows_people(game.size):
        reply["humanPolicy"] = people_policy(analysis, game, query.people)
    return reply


def models(options: Options) -> list[dict[str, Any]]:
    """Return what judges with these options, by KataGo's names: networks, or Montego itself."""
    names = {options.network_name(size) for size in range(MIN_SIZE, MAX_SIZE + 1)}
    networks = sorted(name for name in names if name is not None)
    # Where there is no network for the board, Montego plays out.
    own = [MODEL] if None in names else []
    return [*({**MODEL, "name": name, "internalName": name} for name in networks), *own]


def solution(query: Query, game: Game) -> dict[str, Any]:
    """Return what the solver says of the stones that a query names, or why it says nothing."""
    from montego.engine.life_and_death import (  # noqa: PLC0415  # Loads NumPy.
        solve_or_search,
    )

    try:
        answer = solve_or_search(
            game.board,
            game.to_play,
            target=query.solve or (),
            seconds=query.max_time or SOLVE_SECONDS,
        )
    except GoError as error:
        return {"error": str(error)}
    return answer.to_json()


def no_result_reply(query: Query, turn: int) -> dict[str, Any]:
    """Return the last reply about a position that was not searched."""
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


def policy(analysis: Analysis, game: Game) -> list[float]:
    """Return the prior of every point and of the pass; -1 where a move is illegal."""
    legal = {*game.legal_moves(analysis.to_play), "pass"}
    priors = {info.vertex: info.prior for info in analysis.moves}
    vertices = (*reading_order(game.size), "pass")
    return _rounded((priors.get(at, 0.0) if at in legal else ILLEGAL for at in vertices), 6)


def people_policy(analysis: Analysis, game: Game, rank: int) -> list[float]:
    """Return how likely people of a rank choose every point and the pass; -1 where it is illegal.

    They are those that know people on the board of *game*.
    """
    from montego.engine.opinion import vertex_chances_of_people  # noqa: PLC0415  # Loads NumPy.

    chances = vertex_chances_of_people(game, analysis.to_play, rank)
    legal = {*game.legal_moves(analysis.to_play), "pass"}
    vertices = (*reading_order(game.size), "pass")
    return _rounded((chances.get(at, 0.0) if at in legal else ILLEGAL for at in vertices), 6)


def position_hashes(game: Game, to_play: str) -> tuple[str, str]:
    """Return names for a position: one its own, one shared with its reflections and rotations."""
    rows = game.board.rows()
    boards = [rows, [list(column) for column in zip(*rows, strict=True)]]
    boards += [board[::-1] for board in boards]
    boards += [[row[::-1] for row in board] for board in boards]
    pictures = ["\n".join("".join(map(str, row)) for row in board) for board in boards]
    ko = f"{to_play} {game.ko}"
    return _digest(f"{pictures[0]} {ko}"), _digest(f"{min(pictures)} {to_play}")


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest().upper()


def _root(analysis: Analysis, game: Game, viewer: str) -> dict[str, Any]:
    own, shared = position_hashes(game, analysis.to_play)
    raw = {}
    if analysis.network_value is not None:
        value = analysis.network_value
        raw["rawWinrate"] = round(value if viewer == analysis.to_play else 1.0 - value, 6)
    return {
        "currentPlayer": analysis.to_play[0].upper(),
        **{name: round(value, 6) for name, value in root_report(analysis, viewer).items()},
        **raw,
        "thisHash": own,
        "symHash": shared,
    }


def _move(
    order: int, info: MoveInfo, analysis: Analysis, asked: AnalysisRequest, viewer: str
) -> dict[str, Any]:
    report = move_report(order, info, analysis, asked, viewer)
    if "movesOwnership" in report:
        report["ownership"] = _rounded(report.pop("movesOwnership"), 4)
    return {
        name: round(value, 6) if isinstance(value, float) else value
        for name, value in report.items()
    }


def _rounded(values: Iterable[float], places: int) -> list[float]:
    return [round(value, places) + 0.0 for value in values]
