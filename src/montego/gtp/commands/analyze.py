"""Commands that tell what a search finds: to programs as a stream, to people in words.

An analysis goes on until any line comes in, even an empty one; then its reply ends and the line is
obeyed. Deciding on a move is interrupted that way only by commands that say so in their name.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from montego.engine.searching.analysis import Analysis
from montego.gtp.analyze.arguments import AnalysisRequest, parse_analysis
from montego.gtp.analyze.lines import (
    cgos_line,
    kata_line,
    lz_line,
    raw_network_text,
    reading_order,
)
from montego.gtp.commands.play import comment
from montego.gtp.registry import SYNTAX_ERROR, Arguments, GtpError, command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.gtp.session import GtpSession

    Line = Callable[[Analysis, AnalysisRequest], str]

NEVER = 1e9
"""Seconds between reports for a client that wants only the last one."""

SYMMETRIES = 8
"""Ways to turn and mirror a board."""

CANCEL_EVERY = 0.02
"""Seconds between looks at whether a decision is to be cancelled."""

CANCELLED = "cancelled"

SOLVE_SECONDS = 10.0
"""How long a problem of life and death is looked at."""

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


@command("analyze", _USAGE, "The same as lz-analyze.", listed=False, line=lz_line)
@command(
    "lz-analyze",
    _USAGE,
    "Search until any line comes in and report every so often in Leela Zero's form: win rates are "
    f"whole numbers from 0 to 10000. A bare 0 for the interval does not search. {_KEYS}.",
    line=lz_line,
)
@command(
    "kata-analyze",
    _USAGE,
    "Search until any line comes in and report every so often in KataGo's form. "
    f"A bare 0 for the interval does not search. {_KATA_KEYS}",
    line=kata_line,
)
def analyze(session: GtpSession, arguments: Arguments, *, line: Line) -> None:
    """Stream *line* after *line* until input comes."""
    request = _parse(session, arguments)
    request.refuse_to_leave_nothing(session.player.game)
    session.open_reply()
    if request.stop:
        return

    def report(analysis: Analysis) -> None:
        # A line after the client went on would be taken for one about what it goes on with.
        if not session.interrupted.is_set():
            session.write_line(line(analysis, request))

    if not session.interrupted.is_set():
        session.player.analyze(
            request.color,
            report=report,
            every=request.interval,
            restrict=request.limits,
            ownership=request.wants_ownership,
            interrupt=session.interrupted,
        )
    # A search that has nothing left to find ends by itself; the analysis does not.
    session.interrupted.wait()


@command("genmove_analyze", _USAGE, "The same as lz-genmove_analyze.", listed=False, line=lz_line)
@command(
    "lz-genmove_analyze",
    _USAGE,
    "Decide on a move and play it, as genmove does, with Leela Zero's lines while thinking and one "
    f"at the end; the last line is play VERTEX. {_KEYS}.",
    line=lz_line,
)
@command(
    "kata-genmove_analyze",
    _USAGE,
    "Decide on a move and play it, as genmove does, with KataGo's lines while thinking and one at "
    f"the end; the last line is play VERTEX. {_KATA_KEYS}",
    line=kata_line,
)
def stream_decision(
    session: GtpSession,
    arguments: Arguments,
    *,
    line: Line,
    request: AnalysisRequest | None = None,
    playing: bool = True,
    cancellable: bool = False,
) -> str:
    """Stream lines while the player decides; return the last one, ``play`` and the move.

    There is at least one info line, unless the decision was cancelled. *request* is what the
    arguments say, if somebody else has read them.
    """
    player = session.player
    asked = request or _parse(session, arguments)
    if playing:
        player.game.refuse_after_resignation()  # Once the reply has begun it cannot fail.
    asked.refuse_to_leave_nothing(player.game)
    session.open_reply()
    written = False

    def report(analysis: Analysis) -> None:
        nonlocal written
        if analysis.moves:
            session.write_line(line(analysis, asked))
            written = True

    think = player.genmove if playing else player.choose
    with _cancelled_by_input(session, when=cancellable):
        decision = think(
            asked.color,
            restrict=asked.limits,
            report=report,
            every=NEVER if asked.stop else asked.interval,
            ownership=asked.wants_ownership,
            interrupt=session.hurried,
        )
    comment(session, decision)
    if decision.vertex is None:
        return f"play {CANCELLED}"
    if not written:
        # Without a search nothing is known.
        known = decision.analysis or Analysis(to_play=decision.color, seconds=decision.seconds)
        session.write_line(line(known.in_truth(), asked))
    return f"play {decision.vertex}"


@command("cgos-genmove_analyze", "COLOR", words=1)
def cgos_genmove_analyze(session: GtpSession, arguments: Arguments) -> str:
    """Decide on a move and play it, with one line of JSON about it for those who watch on CGOS."""
    request = AnalysisRequest(color=arguments.color(0), interval=NEVER, ownership=True)
    return stream_decision(session, arguments, line=cgos_line, request=request)


@command(
    "kata-search_cancellable",
    "[COLOR]",
    "The same as kata-search, but any line that comes in ends it; the answer is then cancelled.",
    cancellable=True,
)
@command("kata-search", "[COLOR]", "Decide on a move as genmove does, without playing it.")
def kata_search(session: GtpSession, arguments: Arguments, *, cancellable: bool = False) -> str:
    """Say a move without playing it, and without a stream."""
    color = arguments.color_or_none()
    with _cancelled_by_input(session, when=cancellable):
        decision = session.player.choose(color, interrupt=session.hurried)
    comment(session, decision)
    return decision.vertex or CANCELLED


command(
    "kata-search_analyze",
    _USAGE,
    f"The same as kata-genmove_analyze, without playing the move. {_KATA_KEYS}",
    line=kata_line,
    playing=False,
)(stream_decision)
command(
    "kata-search_analyze_cancellable",
    _USAGE,
    "The same as kata-search_analyze, but any line that comes in ends it; the last line is then "
    f"play cancelled. {_KATA_KEYS}",
    line=kata_line,
    playing=False,
    cancellable=True,
)(stream_decision)


def _parse(session: GtpSession, arguments: Arguments) -> AnalysisRequest:
    """Return what the arguments ask for, with what the options say about reports."""
    player = session.player
    base = AnalysisRequest(perspective=player.options.perspective)
    return parse_analysis(arguments.words, player.game.size, base)


@contextmanager
def _cancelled_by_input(session: GtpSession, *, when: bool) -> Iterator[None]:
    """Have a decision inside cancelled as soon as a line comes in, *when* that is wanted."""
    if not when:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        # Looks again and again: a stop that comes before the search has begun is lost.
        while not done.wait(CANCEL_EVERY):
            if session.interrupted.is_set():
                session.player.cancel()

    watcher = threading.Thread(target=watch, name="gtp-canceller", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()  # Else it might cancel the next command.


@command("kata-raw-nn", "SYMMETRY|all", words=1)
def raw_network(session: GtpSession, arguments: Arguments) -> str:
    """Tell what the network says of the position without any search, shown to it in one of the
    symmetries from 0 to 7: White's chance to win, the policy and who will own the points, in the
    words of KataGo. Points where nobody may play, or would fill an eye, have the policy NAN.
    Without `--network` it fails.
    """
    from montego.engine.opinion import network_opinion  # noqa: PLC0415  # Loads NumPy.

    whole = arguments[0].lower() == "all"
    symmetries = range(SYMMETRIES) if whole else [arguments.integer(0)]
    if not all(0 <= symmetry < SYMMETRIES for symmetry in symmetries):
        raise GtpError(f"{SYNTAX_ERROR}: a symmetry is a number from 0 to 7, or all")
    game = session.player.game
    points = reading_order(game.size)
    blocks = []
    for symmetry in symmetries:
        said = network_opinion(session.player.options, game, points, symmetry)
        blocks.append(raw_network_text(symmetry, said, game.size))
    return "\n".join(blocks)


@command("gomill-explain_last_move", "", "The same as `explain`.", words=0)
@command(
    "explain",
    "[VERTEX]",
    "Say in words why Montego made its last move; with a vertex, what would have come of that move "
    "instead, or what would come of it now if others have played since.",
    words=(0, 1),
)
def explain(session: GtpSession, arguments: Arguments) -> str:
    """Explain the latest decision, or a move that a person asks about."""
    if arguments.words:
        return session.player.explain_move(arguments[0], session.hurried)
    if not session.has_player or session.player.last_decision is None:
        raise GtpError("no move to explain")
    return session.player.explain()


@command("montego-learn")
def learn(session: GtpSession, _arguments: Arguments) -> str:
    """Add what the searches of this game found so far to the book, and answer how many positions.
    It happens by itself when a game ends, when another begins and at the end of the program.
    """
    if session.player.options.book is None:
        raise GtpError("no book: start with --book")
    return str(session.player.learn())


@command("montego-solve", "[COLOR] [VERTEX]... [SECONDS]")
def solve(session: GtpSession, arguments: Arguments) -> str:
    """Say in words who lives and who dies, by which moves, and whether that is proven: of the
    stones at VERTEX, or of those that seem to be meant, with COLOR to move, or the player to move.
    It takes 10 seconds at most, or SECONDS. The game does not change.
    """
    from montego.engine.life_and_death import (  # noqa: PLC0415  # Loads NumPy.
        solve_or_search,
    )

    words = list(arguments.words)
    seconds = SOLVE_SECONDS
    if words and words[-1].replace(".", "", 1).isdigit():
        seconds = arguments.number(len(words) - 1)
        words.pop()
    board, color = session.player.game.board, session.player.game.to_play
    if words and words[0].lower() in ("b", "w", "black", "white"):
        color = "black" if words.pop(0).lower().startswith("b") else "white"
    return solve_or_search(board, color, target=words, seconds=seconds).in_words()
