"""Commands about the end of a game: score, dead stones, territory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.result import Result
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.vertex import format_vertex
from montego.gtp.commands.setup import point_of
from montego.gtp.protocol import GtpError
from montego.gtp.registry import SYNTAX_ERROR, Arguments, command
from montego.gtp.snapshot import has_resigned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.gtp.session import Session

ESTIMATE_VISITS = 400


@command(
    "final_score",
    "",
    "Answer the result, such as `B+3.5` or `0`: by resignation if there was one, else counted "
    "after taking off the stones that `final_status_list dead` names.",
)
def final_score(session: Session, _arguments: Arguments) -> str:
    """Count the game."""
    return _result(session)


def _result(session: Session) -> str:
    if has_resigned(session.player.game):
        return str(session.player.game.result)
    return str(session.player.final_score())


@command(
    "estimate_score",
    "",
    "Answer the expected score from a short search, rounded to halves, such as `W+2.5`. "
    "For a game that is over it is the final score.",
)
def estimate_score(session: Session, _arguments: Arguments) -> str:
    """Estimate the score of a game that may still be under way."""
    player = session.player
    if player.game.is_over:
        return _result(session)
    analysis = player.analyze(limit=ESTIMATE_VISITS, interrupt=session.hurried)
    return str(Result.by_score(round(analysis.mean_score * 2) / 2))


@command("final_status", "VERTEX", "Answer `alive`, `dead` or `seki` for a stone.")
def final_status(session: Session, arguments: Arguments) -> str:
    """Judge one stone."""
    arguments.expect(1)
    return session.player.status(point_of(arguments[0], session.player.game.size))


@command(
    "final_status_list",
    "STATUS",
    "List the stones that are `alive`, `dead` or in `seki`, or the points of `black_territory`, "
    "`white_territory` or `dame`. The same judgement as for passing and `final_score`.",
)
def final_status_list(session: Session, arguments: Arguments) -> str:
    """List stones or points by their fate."""
    arguments.expect(1)
    status = arguments[0].lower()
    player = session.player
    if status == "dead":
        return " ".join(player.dead_stones())
    if status in ("alive", "seki"):
        stones = (vertex for vertex, color, _owner in _points(session) if color != EMPTY)
        return " ".join(vertex for vertex in stones if player.status(vertex) == status)
    owners = {"black_territory": BLACK, "white_territory": WHITE, "dame": EMPTY}
    if status not in owners:
        raise GtpError(SYNTAX_ERROR)
    dead = set(player.dead_stones())
    wanted = owners[status]
    return " ".join(
        vertex
        for vertex, color, owner in _points(session)
        if owner == wanted and (color == EMPTY or vertex in dead)
    )


def _points(session: Session) -> Iterator[tuple[str, int, int]]:
    """Yield each vertex with what stands there and who owns it in the end, top row first."""
    rows = session.player.game.board.rows()
    owners = session.player.final_score().owner
    size = len(rows)
    for index in range(size):
        for column in range(size):
            vertex = format_vertex((column, size - 1 - index))
            yield vertex, rows[index][column], owners[index][column]
