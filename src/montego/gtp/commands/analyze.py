"""Analysis as it is streamed to programs: the commands of Leela Zero, KataGo and CGOS.

An analysis goes on until any line comes in, even an empty one; then its reply ends and the line is
obeyed. Deciding on a move is not interrupted that way, except by the commands that say so in their
name. The lines themselves are made in :mod:`montego.gtp.analyze.lines`.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from montego.engine.searching.analysis import Analysis, Restriction
from montego.gtp.analyze.arguments import AnalysisRequest, parse_analysis
from montego.gtp.analyze.lines import cgos_line, kata_line, lz_line
from montego.gtp.discussion import discuss
from montego.gtp.registry import Arguments, command

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from montego.engine.decision import Decision
    from montego.gtp.session import Session

    Line = Callable[[Analysis, AnalysisRequest], str]

NEVER = 1e9
"""Seconds between reports for who wants only the last one."""

CANCELLED = "cancelled"

_USAGE = "[COLOR] [CENTISECONDS] [KEY VALUE]..."
_KEYS = (
    "Keys, in any order: interval CENTISECONDS, minmoves N, maxmoves N, "
    "avoid COLOR VERTEX,VERTEX DEPTH, allow COLOR VERTEX,VERTEX DEPTH (once for a color; DEPTH is "
    "in how many moves from the position on, those of both players counted)"
)
_KATA_KEYS = (
    f"{_KEYS}; with true or false: ownership, ownershipStdev, movesOwnership, rootInfo, pvVisits, "
    "pvEdgeVisits, noResultValue."
)


@command(
    "kata-analyze",
    _USAGE,
    "Search until any line comes in and report every so often in KataGo's form. "
    f"A bare 0 for the interval does not search. {_KATA_KEYS}",
)
def kata_analyze(session: Session, arguments: Arguments) -> None:
    """Stream KataGo's lines."""
    _analyze(session, arguments, kata_line)


@command(
    "lz-analyze",
    _USAGE,
    "Search until any line comes in and report every so often in Leela Zero's form: win rates are "
    f"whole numbers from 0 to 10000. A bare 0 for the interval does not search. {_KEYS}.",
)
def lz_analyze(session: Session, arguments: Arguments) -> None:
    """Stream Leela Zero's lines."""
    _analyze(session, arguments, lz_line)


@command("analyze", _USAGE, "The same as lz-analyze.", listed=False)
def analyze(session: Session, arguments: Arguments) -> None:
    """Stream Leela Zero's lines, for programs that know no other name."""
    _analyze(session, arguments, lz_line)


@command(
    "kata-genmove_analyze",
    _USAGE,
    "Decide on a move and play it, as genmove does, with KataGo's lines while thinking and one at "
    f"the end; the last line is play VERTEX. {_KATA_KEYS}",
)
def kata_genmove_analyze(session: Session, arguments: Arguments) -> str:
    """Play a move, with KataGo's lines."""
    return _decide(session, arguments, kata_line, play=True)


@command(
    "lz-genmove_analyze",
    _USAGE,
    "Decide on a move and play it, as genmove does, with Leela Zero's lines while thinking and one "
    f"at the end; the last line is play VERTEX. {_KEYS}.",
)
def lz_genmove_analyze(session: Session, arguments: Arguments) -> str:
    """Play a move, with Leela Zero's lines."""
    return _decide(session, arguments, lz_line, play=True)


@command("genmove_analyze", _USAGE, "The same as lz-genmove_analyze.", listed=False)
def genmove_analyze(session: Session, arguments: Arguments) -> str:
    """Play a move, with Leela Zero's lines, for programs that know no other name."""
    return _decide(session, arguments, lz_line, play=True)


@command(
    "cgos-genmove_analyze",
    "COLOR",
    "Decide on a move and play it, with one line of JSON about it for those who watch on CGOS.",
)
def cgos_genmove_analyze(session: Session, arguments: Arguments) -> str:
    """Play a move, with a line for the server CGOS."""
    arguments.expect(1)
    request = AnalysisRequest(color=arguments.color(0), interval=NEVER, ownership=True)
    return _stream_decision(session, request, lambda analysis, *_: cgos_line(analysis), play=True)


@command("kata-search", "[COLOR]", "Decide on a move as genmove does, without playing it.")
def kata_search(session: Session, arguments: Arguments) -> str:
    """Say a move."""
    return _search(session, arguments, cancellable=False)


@command(
    "kata-search_cancellable",
    "[COLOR]",
    "The same as kata-search, but any line that comes in ends it; the answer is then cancelled.",
)
def kata_search_cancellable(session: Session, arguments: Arguments) -> str:
    """Say a move, unless something else comes up."""
    return _search(session, arguments, cancellable=True)


@command(
    "kata-search_analyze",
    _USAGE,
    f"The same as kata-genmove_analyze, without playing the move. {_KATA_KEYS}",
)
def kata_search_analyze(session: Session, arguments: Arguments) -> str:
    """Say a move, with KataGo's lines."""
    return _decide(session, arguments, kata_line, play=False)


@command(
    "kata-search_analyze_cancellable",
    _USAGE,
    "The same as kata-search_analyze, but any line that comes in ends it; the last line is then "
    f"play cancelled. {_KATA_KEYS}",
)
def kata_search_analyze_cancellable(session: Session, arguments: Arguments) -> str:
    """Say a move, with KataGo's lines, unless something else comes up."""
    return _decide(session, arguments, kata_line, play=False, cancellable=True)


def _analyze(session: Session, arguments: Arguments, line: Line) -> None:
    """Stream *line* after *line* until input comes."""
    player = session.player
    request = parse_analysis(arguments.words, player.game.size, _habits(session))
    restrict = _restriction(session, request)
    session.open_reply()
    if request.stop:
        return

    def report(analysis: Analysis) -> None:
        # A line after the client went on would be taken for one about what it goes on with.
        if not session.interrupted.is_set():
            session.write_line(line(analysis, request))

    if not session.interrupted.is_set():
        player.analyze(
            request.color,
            report=report,
            every=request.interval,
            restrict=restrict,
            ownership=request.wants_ownership,
            interrupt=session.interrupted,
        )
    # A search that has nothing left to find ends by itself; the analysis does not.
    session.interrupted.wait()


def _restriction(session: Session, request: AnalysisRequest) -> Restriction:
    """Return what is not to be considered; the reply must not have begun.

    Raises:
        GoError: If that leaves no legal move.
    """
    game = session.player.game
    restrict = Restriction(request.limits)
    restrict.refuse_to_leave_nothing(game, request.color or game.to_play)
    return restrict


def _habits(session: Session) -> AnalysisRequest:
    """Return what the options say about reports."""
    return AnalysisRequest(perspective=session.player.options.perspective)


def _decide(
    session: Session,
    arguments: Arguments,
    line: Line,
    *,
    play: bool,
    cancellable: bool = False,
) -> str:
    """Parse the arguments of a command that decides with a stream of lines, and obey it."""
    request = parse_analysis(arguments.words, session.player.game.size, _habits(session))
    return _stream_decision(session, request, line, play=play, cancellable=cancellable)


def _stream_decision(
    session: Session,
    request: AnalysisRequest,
    line: Line,
    *,
    play: bool,
    cancellable: bool = False,
) -> str:
    """Stream lines while the player decides; return the last one, ``play`` and the move.

    There is at least one info line, unless the decision was cancelled.
    """
    player = session.player
    if play:
        player.game.refuse_after_resignation()  # Once the reply has begun it cannot fail.
    restrict = _restriction(session, request)
    session.open_reply()
    written = 0

    def report(analysis: Analysis) -> None:
        nonlocal written
        if analysis.moves:
            session.write_line(line(analysis, request))
            written += 1

    think = player.genmove if play else player.choose
    with _cancelled_by_input(session, when=cancellable):
        decision = think(
            request.color,
            restrict=restrict,
            report=report,
            every=NEVER if request.stop else request.interval,
            ownership=request.wants_ownership,
            interrupt=session.hurried,
        )
    discuss(session, decision)
    if decision.vertex is None:
        return f"play {CANCELLED}"
    if written == 0:
        known = decision.analysis or _unsearched(decision)
        session.write_line(line(known.in_truth(), request))
    return f"play {decision.vertex}"


def _search(session: Session, arguments: Arguments, *, cancellable: bool) -> str:
    """Decide without a stream and without playing; return the move."""
    arguments.expect(0, 1)
    color = arguments.color(0) if arguments else None
    with _cancelled_by_input(session, when=cancellable):
        decision = session.player.choose(color, interrupt=session.hurried)
    discuss(session, decision)
    return decision.vertex or CANCELLED


def _cancelled_by_input(session: Session, *, when: bool) -> AbstractContextManager[None]:
    """Have a decision inside cancelled as soon as a line comes in, *when* that is wanted."""
    if not when:
        return nullcontext()
    return session.stopping(session.interrupted, session.player.cancel)


def _unsearched(decision: Decision) -> Analysis:
    """Return an analysis for a decision that needed no search: nothing is known."""
    return Analysis(
        to_play=decision.color,
        simulations=0,
        visits=0,
        value=0.5,
        mean_score=0.0,
        score_deviation=0.0,
        moves=(),
        seconds=decision.seconds,
        memory_share=0.0,
    )
