"""Commands that GoGui looks for, and the pictures it can show."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex
from montego.gtp.commands.setup import stones_of
from montego.gtp.discussion import search_graphics, variation_with_colors
from montego.gtp.protocol import GtpError
from montego.gtp.registry import SYNTAX_ERROR, Arguments, command
from montego.gtp.snapshot import has_resigned

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.engine.searching.analysis import Analysis, MoveInfo
    from montego.gtp.session import Session

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
string/Estimate Score/estimate_score
plist/Dead Stones/final_status_list dead
plist/Legal Moves/all_legal %c
string/Matching Patterns/match_patterns %c
string/Debug/debug"""


@command("gogui-analyze_commands", "", "List the commands for GoGui's menu of analyze commands.")
def analyze_commands(_session: Session, _arguments: Arguments) -> str:
    """List what GoGui can show."""
    return ANALYZE_COMMANDS


@command(
    "gogui-play_sequence",
    "[COLOR VERTEX ...]",
    "Play several moves; if one is illegal, none is played.",
)
def play_sequence(session: Session, arguments: Arguments) -> None:
    """Play all moves or none."""
    if len(arguments) % 2:
        raise GtpError(SYNTAX_ERROR)
    moves = [
        (arguments.color(index), arguments[index + 1]) for index in range(0, len(arguments), 2)
    ]
    played = 0
    try:
        for color, vertex in moves:
            session.player.play(color, vertex)
            played += 1
    except GoError:
        if played:
            session.player.undo(played)
        raise GtpError("illegal move") from None


@command(
    "gogui-setup",
    "[COLOR VERTEX ...]",
    "Put stones on an empty board. Chains without liberties are refused.",
)
def setup(session: Session, arguments: Arguments) -> None:
    """Set up a position; without stones there is nothing to do, and nothing to take back."""
    game = session.player.game
    if any(map(any, game.board.rows())):
        raise GtpError("board not empty")
    black, white = stones_of(arguments, game.size)
    if not black and not white:
        return
    after = game.copy()
    after.setup(black=black, white=white, to_play=game.to_play)
    session.player.load(after)


@command("gogui-setup_player", "COLOR", "Say whose turn it is. Nothing else changes.")
def setup_player(session: Session, arguments: Arguments) -> None:
    """Set the player to move."""
    arguments.expect(1)
    session.player.give_turn(arguments.color(0))


@command(
    "gogui-interrupt",
    "",
    "Promise that the comment `# interrupt` makes a running command finish early.",
)
def interrupt(_session: Session, _arguments: Arguments) -> None:
    """Exist, which is all that GoGui wants."""


@command(
    "gogui-sigint",
    "",
    "Answer the id of the process. From then on Ctrl-C (SIGINT) makes the running command finish "
    "early; without this command it ends the program.",
)
def sigint(session: Session, _arguments: Arguments) -> str:
    """Take signals as interrupts from now on."""
    session.sigint_hurries = True
    return str(os.getpid())


@command("gogui-title", "", "Answer a title for the window.")
def title(session: Session, _arguments: Arguments) -> str:
    """Answer a title for the window."""
    return f"{session.manners.name} {session.manners.version}"


@command("gogui-version", "VERSION", "Take note of GoGui's version.")
def gogui_version(_session: Session, _arguments: Arguments) -> None:
    """Accept what GoGui tells."""


@command("montego-live_graphics", "0|1", "Draw the search in GoGui while Montego thinks, or not.")
def set_live_graphics(session: Session, arguments: Arguments) -> None:
    """Switch live graphics on or off."""
    arguments.expect(1)
    if arguments[0] not in ("0", "1"):
        raise GtpError(SYNTAX_ERROR)
    session.live_graphics = arguments[0] == "1"


def look(session: Session, *, ownership: bool = False) -> Analysis:
    """Search the position as far as a picture needs; ``# interrupt`` ends it early."""
    player = session.player
    if has_resigned(player.game):
        raise GtpError("the game is over")
    return player.analyze(
        limit=LOOK_VISITS, seconds=LOOK_SECONDS, ownership=ownership, interrupt=session.hurried
    )


@command("montego-search", "", "Show visits, values and the expected variation (graphics).")
def search(session: Session, _arguments: Arguments) -> str:
    """Show the search."""
    return search_graphics(look(session))


@command("montego-values", "", "Show the value of each move from -1 to 1, 1 for Black (board).")
def values(session: Session, _arguments: Arguments) -> str:
    """Show the values of all moves."""
    analysis = look(session)
    sign = 1.0 if analysis.to_play == "black" else -1.0
    numbers = {
        info.vertex: f"{sign * (2 * info.value - 1):.3f}" for info in analysis.moves if info.visits
    }
    return board_of(session, lambda vertex: numbers.get(vertex, "0.000"))


@command("montego-visits", "", "Show how often the search visited each move (board).")
def visits(session: Session, _arguments: Arguments) -> str:
    """Show the visits of all moves."""
    return _moves_board(session, lambda info: str(info.visits) if info.visits else None)


@command("montego-rave", "", "Show the RAVE value of each move in percent (board).")
def rave(session: Session, _arguments: Arguments) -> str:
    """Show the RAVE values of all moves."""
    return _moves_board(
        session, lambda info: f"{100 * info.rave_value:.0f}" if info.rave_visits else None
    )


@command("montego-priors", "", "Show the prior belief in each move in thousandths (board).")
def priors(session: Session, _arguments: Arguments) -> str:
    """Show the priors of all moves."""
    return _moves_board(session, lambda info: f"{1000 * info.prior:.0f}")


@command("montego-territory", "", "Show who will own each point: 1 Black, -1 White (board).")
def territory(session: Session, _arguments: Arguments) -> str:
    """Show the expected owners of all points."""
    owners = look(session, ownership=True).ownership
    if owners is None:
        raise GtpError("cannot score")
    size = session.player.game.size
    rows = (owners[start : start + size] for start in range(0, size * size, size))
    return "\n" + "\n".join(" ".join(f"{owner:.2f}" for owner in row) for row in rows)


@command("montego-variation", "", "Show the continuation that the search expects.")
def variation(session: Session, _arguments: Arguments) -> str:
    """Show the expected variation."""
    return variation_with_colors(look(session))


def _moves_board(session: Session, shown: Callable[[MoveInfo], str | None]) -> str:
    texts = {info.vertex: shown(info) for info in look(session).moves}
    return board_of(session, lambda vertex: texts.get(vertex) or '""')


def board_of(session: Session, text: Callable[[str], str]) -> str:
    """Return the board with a text for each vertex, row by row from the top."""
    size = session.player.game.size
    return "\n" + "\n".join(
        " ".join(text(format_vertex((column, row))) for column in range(size))
        for row in reversed(range(size))
    )
