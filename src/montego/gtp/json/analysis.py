"""KataGo's analysis protocol: one JSON object a line in, one JSON object a line out.

Queries wait in a queue, those of higher priority first; one thread searches them, one after
another, while another reads. For every position of every query there is exactly one reply that is
not "during search", also if it was terminated. A line that makes no sense is answered with an
error, and changes nothing. Replies have KataGo's names, and the figures of
:mod:`montego.gtp.analyze.lines`; owners and policy go row by row from the top left.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from dataclasses import dataclass, field
from hashlib import blake2b
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, BinaryIO

from montego.go.vocabulary.errors import GoError
from montego.gtp.analyze.lines import (
    move_report,
    ownership_deviation,
    reading_order,
    reported_moves,
    root_report,
    seen_ownership,
    viewer_of,
)
from montego.gtp.json.query import InvalidQuery, Query, parse_query
from montego.gtp.protocol import bug_text
from montego.gtp.session import OutputClosed
from montego.mcts.errors import MctsError
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from montego.engine.options.options import Options
    from montego.engine.player import Player
    from montego.engine.searching.analysis import Analysis, MoveInfo, Restriction
    from montego.go.game import Game
    from montego.gtp.analyze.arguments import AnalysisRequest

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
"""What we tell of ourselves where KataGo would tell of its network."""

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
        self._waiting: list[QueuedTurn] = []
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
            fields = json.loads(line, parse_constant=_refuse_constant)
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
            self._waiting.clear()
            if self._running is not None:
                self._running.terminated.set()
            self.finish()

    def _enqueue(self, query: Query) -> None:
        for name, text in query.warnings:
            self._send_trouble("warning", text, name, query.id)
        with self._changed:
            for turn, priority in query.turns.items():
                self._numbers += 1
                heappush(self._waiting, QueuedTurn((-priority, self._numbers), query, turn))
            self._changed.notify_all()

    def _act(self, fields: dict[str, Any]) -> None:
        if not isinstance(fields.get("id"), str):
            raise InvalidQuery("the field id is missing, or no text", "id")
        answer: dict[str, Any] = {}
        match fields["action"]:
            case "query_version":
                answer = {"version": __version__, "git_hash": "<omitted>"}
            case "query_models":
                answer = {"models": [MODEL]}
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

        def is_meant(job: QueuedTurn) -> bool:
            return (not one or job.query.id == fields["terminateId"]) and (
                turns is None or job.turn in turns
            )

        with self._changed:
            ended = [job for job in self._waiting if is_meant(job)]
            self._waiting = sorted(job for job in self._waiting if not is_meant(job))
            if self._running is not None and is_meant(self._running):
                self._running.terminated.set()
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
            self._changed.wait_for(lambda: self._waiting or self._finishing)
            self._running = heappop(self._waiting) if self._waiting else None
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
            restrict=_restriction(query, player.game),
            ownership=query.report.wants_ownership,
            limit=query.max_visits,
            seconds=query.max_time,
            interrupt=job.terminated,
        )
        if not analysis.visits and job.terminated.is_set():
            return no_result_reply(query, turn)
        return result_reply(query, turn, analysis, player.game, during_search=False)

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


def _restriction(query: Query, game: Game) -> Restriction:
    """Return what is not to be considered in the position of *game*.

    Raises:
        InvalidQuery: If that leaves no legal move.
    """
    try:
        return query.report.restriction(game)
    except GoError as error:
        only = any(limit.only and limit.color == game.to_play for limit in query.report.limits)
        raise InvalidQuery(str(error), "allowMoves" if only else "avoidMoves") from None


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
    return reply


def no_result_reply(query: Query, turn: int) -> dict[str, Any]:
    """Return the last reply about a position that was not searched."""
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


def policy(analysis: Analysis, game: Game) -> list[float]:
    """Return the prior of every point and of the pass; -1 where a move is illegal."""
    legal = {*game.legal_moves(analysis.to_play), "pass"}
    priors = {info.vertex: info.prior for info in analysis.moves}
    vertices = (*reading_order(game.size), "pass")
    return _rounded((priors.get(at, 0.0) if at in legal else ILLEGAL for at in vertices), 6)


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
    return {
        "currentPlayer": analysis.to_play[0].upper(),
        **{name: round(value, 6) for name, value in root_report(analysis, viewer).items()},
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
