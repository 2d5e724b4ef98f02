"""Commands of tournaments: time, and the end of a game with its score and its dead stones.

The time systems themselves live in :mod:`montego.engine.clock`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from montego.engine.clock import USAGE, control_from_gtp, control_from_kgs
from montego.go.result import Result
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.timing import InvalidTime
from montego.gtp.analyze.lines import reading_order
from montego.gtp.commands.setup import point_of
from montego.gtp.registry import SYNTAX_ERROR, Arguments, GtpError, command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession

ESTIMATE_VISITS = 400
"""Visits of the search that `estimate_score` makes."""

SYSTEMS = (
    "`none`, `absolute MAIN`, `canadian MAIN PERIOD STONES`, `byoyomi MAIN PERIOD PERIODS`, "
    "`fischer MAIN INCREMENT`, or `fischer-capped MAIN INCREMENT MOST_MAIN MOST_MOVE` (-1: no cap)"
)


@command("time_settings", "MAIN PERIOD STONES", words=3)
def time_settings(session: GtpSession, arguments: Arguments) -> None:
    """Set main time, then Canadian overtime of so many stones in each period, all in seconds.

    Period 0 means no overtime; a period with 0 stones means no limit at all.
    """
    main, period, stones = (arguments.number(index) for index in range(3))
    if main < 0 or period < 0 or stones < 0:
        raise GtpError(SYNTAX_ERROR)
    session.player.clock.set(control_from_gtp(main, period, int(stones)))


@command("time_left", "COLOR SECONDS [STONES]", words=(2, 3))
def time_left(session: GtpSession, arguments: Arguments) -> None:
    """Say what a player's clock shows: seconds, and stones left in this period or, under byo-yomi,
    periods left; 0 stones in main time.
    """
    stones = arguments.number(2) if len(arguments.words) == 3 else 0.0
    if abs(stones) > 1e9:
        raise GtpError(SYNTAX_ERROR)
    session.player.clock.time_left(
        arguments.color(0), max(arguments.number(1), 0.0), max(int(stones), 0)
    )


@command("kata-time_settings", "SYSTEM NUMBER ...", f"The same as `kgs-time_settings`: {SYSTEMS}.")
@command("kgs-time_settings", "SYSTEM NUMBER ...", f"Set the time system: {SYSTEMS}.")
def named_time_settings(session: GtpSession, arguments: Arguments) -> None:
    """Set a time system by its name."""
    try:
        control = control_from_kgs(arguments.words)
    except InvalidTime:
        raise GtpError(SYNTAX_ERROR) from None
    session.player.clock.set(control)


@command("kata-list_time_settings")
def list_time_settings(_session: GtpSession, _arguments: Arguments) -> str:
    """List the time systems."""
    return " ".join(USAGE)


@command("final_score")
def final_score(session: GtpSession, _arguments: Arguments) -> str:
    """Answer the result, such as `B+3.5` or `0`: by resignation if there was one, else counted
    after taking off the stones that `final_status_list dead` names.
    """
    if session.player.game.resigned:
        return str(session.player.game.result)
    return str(session.player.final_score())


@command("estimate_score")
def estimate_score(session: GtpSession, arguments: Arguments) -> str:
    """Answer the expected score from a short search, rounded to halves, such as `W+2.5`.

    For a game that is over it is the final score.
    """
    player = session.player
    if player.game.is_over:
        return final_score(session, arguments)
    analysis = player.analyze(limit=ESTIMATE_VISITS, interrupt=session.hurried)
    return str(Result.by_score(round(analysis.mean_score * 2) / 2))


@command("final_status", "VERTEX", words=1)
def final_status(session: GtpSession, arguments: Arguments) -> str:
    """Answer `alive`, `dead` or `seki` for a stone."""
    return session.player.status(point_of(arguments[0], session.player.game.size))


@command("final_status_list", "STATUS", words=1)
def final_status_list(session: GtpSession, arguments: Arguments) -> str:
    """List the stones that are `alive`, `dead` or in `seki`, or the points of `black_territory`,
    `white_territory` or `dame`. The same judgement as for passing and `final_score`.
    """
    status, player = arguments[0].lower(), session.player
    if status == "dead":
        return " ".join(player.dead_stones())
    vertices, board = reading_order(player.game.size), player.game.board
    if status in ("alive", "seki"):
        stones = (vertex for vertex in vertices if board.color_at(vertex) is not None)
        return " ".join(vertex for vertex in stones if player.status(vertex) == status)
    owners = {"black_territory": BLACK, "white_territory": WHITE, "dame": EMPTY}
    if status not in owners:
        raise GtpError(SYNTAX_ERROR)
    dead = set(player.dead_stones())
    owned = zip(vertices, chain.from_iterable(player.final_score().owner), strict=True)
    return " ".join(
        vertex
        for vertex, owner in owned
        if owner == owners[status] and (vertex in dead or board.color_at(vertex) is None)
    )
