"""Commands that make moves and take them back."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import OffBoard
from montego.gtp.analyze.lines import ogs_comment, search_graphics
from montego.gtp.registry import SYNTAX_ERROR, Arguments, GtpError, command

if TYPE_CHECKING:
    from montego.engine.decision import Decision
    from montego.engine.searching.analysis import Analysis
    from montego.gtp.session import GtpSession

LIVE_EVERY = 0.5
"""Seconds between two pictures of a search in GoGui."""


@command("play", "COLOR VERTEX", words=2)
def play(session: GtpSession, arguments: Arguments) -> None:
    """Play a move; `pass` and `resign` will do. Colors may come in any order."""
    color, vertex = arguments.color(0), arguments[1]
    if vertex.lower() == "resign":
        with session.player.alone() as game:
            game.resign(color)
            session.player.learn()
        return
    try:
        session.player.play(color, vertex)
    except OffBoard:
        raise GtpError("illegal move") from None


@command(
    "reg_genmove",
    "COLOR",
    "Think and answer the move without playing it. Never `resign`: whoever asks wants a move.",
    words=1,
    playing=False,
)
@command(
    "genmove",
    "COLOR",
    "Think, play, and answer the move: a vertex, `pass` or `resign`. "
    "Further input does not end the thinking, but the comment `# interrupt` does.",
    words=1,
)
def genmove(
    session: GtpSession, arguments: Arguments, *, playing: bool = True, cleanup: bool = False
) -> str:
    """Let the player think about a move, and play it if *playing*; return the move.

    With live graphics GoGui draws the search meanwhile; they are wiped before the reply.
    """
    color, player = arguments.color(0), session.player

    def draw(analysis: Analysis) -> None:
        session.tell(f"gogui-gfx:\n{search_graphics(analysis)}\n")

    live = session.live_graphics
    think = player.genmove if playing else player.choose
    try:
        decision = think(
            color,
            cleanup=cleanup,
            never_resigns=not playing,
            report=draw if live else None,
            every=LIVE_EVERY if live else None,
            interrupt=session.hurried,
        )
    finally:
        if live:
            session.tell("gogui-gfx: CLEAR")
    comment(session, decision)
    if decision.vertex is None:
        raise GtpError("cancelled")
    return decision.vertex


def comment(session: GtpSession, decision: Decision) -> None:
    """Tell spectators on OGS what was expected, if the options ask for it."""
    if session.options.ogs and decision.analysis is not None and decision.analysis.best is not None:
        session.tell(ogs_comment(decision.analysis))


@command("undo")
def undo(session: GtpSession, _arguments: Arguments) -> None:
    """Take back the last move. Handicap and stones set up stay."""
    _take_back(session, 1)


@command("gg-undo", "[COUNT]", words=(0, 1))
def gg_undo(session: GtpSession, arguments: Arguments) -> None:
    """Take back that many moves, or one; all of them or none."""
    count = arguments.integer(0) if arguments.words else 1
    if count < 0:
        raise GtpError(SYNTAX_ERROR)
    if count:
        _take_back(session, count)


def _take_back(session: GtpSession, count: int) -> None:
    """Take back *count* moves; a resignation counts as one. Stones set up are no moves."""
    from montego.go.game import Move  # noqa: PLC0415  # Loads NumPy.

    game = session.player.game
    moves = takewhile(lambda done: isinstance(done, Move), reversed(game.history))
    if count > (game.resigned is not None) + len(list(moves)):
        raise GtpError("cannot undo")
    session.player.undo(count)
