"""Commands that GoGui looks for, and the pictures it can show."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import GoError
from montego.gtp.analyze.lines import reading_order, search_graphics, variation_with_colors
from montego.gtp.commands.setup import stones_of
from montego.gtp.registry import SYNTAX_ERROR, Arguments, GtpError, command
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from montego.engine.searching.analysis import Analysis, MoveInfo
    from montego.gtp.session import GtpSession

LOOK_VISITS, LOOK_SECONDS = 2000, 3.0
"""How long a picture searches the position, less what the tree knows already."""

ANALYZE_COMMANDS = """\
gfx/Search/montego-search
dboard/Values/montego-values
sboard/Visits/montego-visits
sboard/RAVE/montego-rave
sboard/Priors/montego-priors
sboard/Policy Reasons/montego-reasons %c
string/Playout With Reasons/montego-playout
gfx/Patterns/montego-patterns %c
dboard/Territory/montego-territory
var/Principal Variation/montego-variation
none/Live Graphics On/montego-live_graphics 1
none/Live Graphics Off/montego-live_graphics 0
param/Options/montego-param
string/Explain Last Move/explain
string/Explain Another Move/explain %p
string/Estimate Score/estimate_score
plist/Dead Stones/final_status_list dead
plist/Legal Moves/all_legal %c
string/Matching Patterns/match_patterns %c
string/Debug/debug"""


@command("gogui-analyze_commands")
def analyze_commands(_session: GtpSession, _arguments: Arguments) -> str:
    """List the commands for GoGui's menu of analyze commands."""
    return ANALYZE_COMMANDS


@command("gogui-play_sequence", "[COLOR VERTEX ...]")
def play_sequence(session: GtpSession, arguments: Arguments) -> None:
    """Play several moves; if one is illegal, none is played."""
    moves = arguments.pairs()
    played = 0
    try:
        for color, vertex in moves:
            session.player.play(color, vertex)
            played += 1
    except GoError:
        if played:
            session.player.undo(played)
        raise GtpError("illegal move") from None


@command("gogui-setup", "[COLOR VERTEX ...]")
def setup(session: GtpSession, arguments: Arguments) -> None:
    """Put stones on an empty board. Chains without liberties are refused."""
    game = session.player.game
    if any(map(any, game.board.rows())):
        raise GtpError("board not empty")
    black, white = stones_of(arguments, game.size)
    if not black and not white:
        return
    after = game.copy()
    after.setup(black=black, white=white, to_play=game.to_play)
    session.player.load(after)


@command("gogui-setup_player", "COLOR", words=1)
def setup_player(session: GtpSession, arguments: Arguments) -> None:
    """Say whose turn it is. Nothing else changes."""
    with session.player.alone() as game:
        game.give_turn(arguments.color(0))


@command("gogui-interrupt")
def interrupt(_session: GtpSession, _arguments: Arguments) -> None:
    """Promise that the comment `# interrupt` makes a running command finish early."""


@command("gogui-sigint")
def sigint(session: GtpSession, _arguments: Arguments) -> str:
    """Answer the id of the process.

    From then on Ctrl-C (SIGINT) makes the running command finish early; without this command it
    ends the program.
    """
    session.heed_ctrl_c()
    return str(os.getpid())


@command("gogui-title")
def title(session: GtpSession, _arguments: Arguments) -> str:
    """Answer a title for the window."""
    return f"{session.options.name} {__version__}"


@command("gogui-version", "VERSION")
def gogui_version(_session: GtpSession, _arguments: Arguments) -> None:
    """Take note of GoGui's version."""


@command("montego-live_graphics", "0|1", words=1)
def set_live_graphics(session: GtpSession, arguments: Arguments) -> None:
    """Draw the search in GoGui while Montego thinks, or not."""
    if arguments[0] not in ("0", "1"):
        raise GtpError(SYNTAX_ERROR)
    session.live_graphics = arguments[0] == "1"


def look(session: GtpSession, *, ownership: bool = False) -> Analysis:
    """Search the position as far as a picture needs; ``# interrupt`` ends it early."""
    player = session.player
    if player.game.resigned:
        raise GtpError("the game is over")
    return player.analyze(
        limit=LOOK_VISITS, seconds=LOOK_SECONDS, ownership=ownership, interrupt=session.hurried
    )


@command("montego-search")
def search(session: GtpSession, _arguments: Arguments) -> str:
    """Show visits, values and the expected variation (graphics)."""
    return search_graphics(look(session))


@command("montego-values")
def values(session: GtpSession, _arguments: Arguments) -> str:
    """Show the value of each move from -1 to 1, 1 for Black (board)."""
    analysis = look(session)
    sign = 1.0 if analysis.to_play == "black" else -1.0
    numbers = {
        info.vertex: f"{sign * (2 * info.value - 1):.3f}" for info in analysis.moves if info.visits
    }
    return board_of(session, numbers, empty="0.000")


@command(
    "montego-priors",
    "",
    "Show the prior belief in each move in thousandths (board).",
    shown=lambda info: f"{1000 * info.prior:.0f}",
)
@command(
    "montego-rave",
    "",
    "Show the RAVE value of each move in percent (board).",
    shown=lambda info: f"{100 * info.rave_value:.0f}" if info.rave_visits else None,
)
@command(
    "montego-visits",
    "",
    "Show how often the search visited each move (board).",
    shown=lambda info: str(info.visits) if info.visits else None,
)
def moves_board(
    session: GtpSession, _arguments: Arguments, *, shown: Callable[[MoveInfo], str | None]
) -> str:
    """Show a number for each move that there is something to be said about."""
    texts = {info.vertex: shown(info) for info in look(session).moves}
    return board_of(session, {vertex: text for vertex, text in texts.items() if text})


@command("montego-territory")
def territory(session: GtpSession, _arguments: Arguments) -> str:
    """Show who will own each point: 1 Black, -1 White (board)."""
    owners = look(session, ownership=True).ownership
    if owners is None:
        raise GtpError("cannot score")
    return rows_of([f"{owner:.2f}" for owner in owners], session.player.game.size)


@command("montego-variation")
def variation(session: GtpSession, _arguments: Arguments) -> str:
    """Show the continuation that the search expects."""
    return variation_with_colors(look(session))


def board_of(session: GtpSession, texts: Mapping[str, str], empty: str = '""') -> str:
    """Return the board row by row from the top, with a text for each vertex that has one."""
    size = session.player.game.size
    return rows_of([texts.get(vertex, empty) for vertex in reading_order(size)], size)


def rows_of(texts: Sequence[str], size: int) -> str:
    """Return the texts of all points as GoGui reads a board."""
    rows = (texts[start : start + size] for start in range(0, size * size, size))
    return "\n" + "\n".join(map(" ".join, rows))
