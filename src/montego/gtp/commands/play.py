"""Commands that make moves and take them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import OffBoard
from montego.gtp.discussion import discuss, live_graphics
from montego.gtp.protocol import GtpError
from montego.gtp.registry import SYNTAX_ERROR, Arguments, command
from montego.gtp.snapshot import has_resigned

if TYPE_CHECKING:
    from montego.engine.decision import Decision
    from montego.gtp.session import Session

RESIGN = "resign"
LIVE_EVERY = 0.5  # Seconds between live pictures.


@command(
    "play",
    "COLOR VERTEX",
    "Play a move; `pass` and `resign` will do. Colors may come in any order.",
)
def play(session: Session, arguments: Arguments) -> None:
    """Play a move."""
    arguments.expect(2)
    play_move(session, arguments.color(0), arguments[1])


def play_move(session: Session, color: str, vertex: str) -> None:
    """Play one move, or let *color* resign; nothing changes if it is illegal."""
    if vertex.lower() == RESIGN:
        session.player.stop_pondering()
        session.player.game.resign(color)
        session.player.learn()
        return
    try:
        session.player.play(color, vertex)
    except OffBoard:
        raise GtpError("illegal move") from None


@command(
    "genmove",
    "COLOR",
    "Think, play, and answer the move: a vertex, `pass` or `resign`. "
    "Further input does not end the thinking, but the comment `# interrupt` does.",
)
def genmove(session: Session, arguments: Arguments) -> str:
    """Think and play."""
    arguments.expect(1)
    return decide(session, arguments.color(0))


@command(
    "reg_genmove",
    "COLOR",
    "Think and answer the move without playing it.",
)
def reg_genmove(session: Session, arguments: Arguments) -> str:
    """Think without playing."""
    arguments.expect(1)
    return decide(session, arguments.color(0), playing=False)


def decide(session: Session, color: str, *, playing: bool = True, cleanup: bool = False) -> str:
    """Let the player think about a move for *color*, and return it as the protocol writes it."""
    player = session.player
    think = player.genmove if playing else player.choose
    with live_graphics(session) as report:
        decision: Decision = think(
            color,
            cleanup=cleanup,
            report=report,
            every=None if report is None else LIVE_EVERY,
            interrupt=session.hurried,
        )
    discuss(session, decision)
    if decision.vertex is None:
        raise GtpError("cancelled")
    return decision.vertex


@command("undo", "", "Take back the last move. Handicap and stones set up stay.")
def undo(session: Session, _arguments: Arguments) -> None:
    """Take back one move."""
    take_back(session, 1)


@command("gg-undo", "[COUNT]", "Take back that many moves, or one; all of them or none.")
def gg_undo(session: Session, arguments: Arguments) -> None:
    """Take back several moves."""
    arguments.expect(0, 1)
    count = arguments.integer(0) if arguments.words else 1
    if count < 0:
        raise GtpError(SYNTAX_ERROR)
    if count:
        take_back(session, count)


def take_back(session: Session, count: int) -> None:
    """Take back *count* moves; a resignation counts as one. Stones set up are no moves."""
    from montego.go.game import Move  # noqa: PLC0415  # Loads NumPy.

    game = session.player.game
    available = int(has_resigned(session.player.game))
    for done in reversed(game.history):
        if not isinstance(done, Move):
            break
        available += 1
    if count > available:
        raise GtpError("cannot undo")
    session.player.undo(count)
