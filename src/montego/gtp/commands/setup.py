"""Commands that prepare a game, and those that look at the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.handicap import most_fixed_stones
from montego.go.vocabulary.color import format_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import KOMI_LIMIT
from montego.go.vocabulary.vertex import MAX_SIZE, MIN_SIZE, format_vertex, parse_vertex
from montego.gtp.protocol import GtpError
from montego.gtp.registry import SYNTAX_ERROR, Arguments, command

if TYPE_CHECKING:
    from montego.gtp.session import Session


@command(
    "boardsize",
    "SIZE [SIZE]",
    "Start on an empty board of 2 to 25 lines. Komi, rules and time settings stay.",
)
def boardsize(session: Session, arguments: Arguments) -> None:
    """Start on another board."""
    arguments.expect(1, 2)
    sides = [arguments.integer(index) for index in range(len(arguments))]
    if sides[0] != sides[-1] or not MIN_SIZE <= sides[0] <= MAX_SIZE:
        raise GtpError("unacceptable size")
    session.player.new_game(sides[0])


@command(
    "rectangular_boardsize",
    "WIDTH HEIGHT",
    "The same with both sides; only square boards are accepted.",
)
def rectangular_boardsize(session: Session, arguments: Arguments) -> None:
    """Start on another board, named by both sides."""
    arguments.expect(2)
    boardsize(session, arguments)


@command(
    "clear_board",
    "",
    "Take off all stones and forget moves and prisoners. Komi, rules and time settings stay.",
)
def clear_board(session: Session, _arguments: Arguments) -> None:
    """Start again on the same board."""
    session.player.new_game()


@command(
    "komi",
    "NUMBER",
    "Set komi. Any number will do; beyond 1000 points it is taken as 1000, which decides as much.",
)
def komi(session: Session, arguments: Arguments) -> None:
    """Set komi."""
    arguments.expect(1)
    session.player.set_komi(arguments.number(0, KOMI_LIMIT))


@command("get_komi", "", "Answer the komi.")
def get_komi(session: Session, _arguments: Arguments) -> str:
    """Answer the komi."""
    return f"{session.player.game.komi:.10g}"


def refuse_begun_game(session: Session) -> None:
    """Raise GtpError unless the board is empty and nothing has been done."""
    if session.player.game.history:
        raise GtpError("board not empty")


@command(
    "fixed_handicap",
    "STONES",
    "Give Black 2 to 9 stones on their fixed points, and answer these.",
)
def fixed_handicap(session: Session, arguments: Arguments) -> str:
    """Place handicap stones where the protocol says."""
    arguments.expect(1)
    stones = arguments.integer(0)
    refuse_begun_game(session)
    if not 2 <= stones <= most_fixed_stones(session.player.game.size):
        raise GtpError("invalid number of stones")
    return " ".join(session.player.place_handicap(stones, fixed=True))


@command(
    "place_free_handicap",
    "STONES",
    "Give Black that many stones where Montego likes them, and answer where.",
)
def place_free_handicap(session: Session, arguments: Arguments) -> str:
    """Place handicap stones by choice."""
    arguments.expect(1)
    stones = arguments.integer(0)
    refuse_begun_game(session)
    if not 2 <= stones < session.player.game.size**2:
        raise GtpError("invalid number of stones")
    try:
        return " ".join(session.player.place_handicap(stones, fixed=False))
    except GoError:
        raise GtpError("invalid number of stones") from None


@command("set_free_handicap", "VERTEX VERTEX ...", "Give Black stones on these points, 2 or more.")
def set_free_handicap(session: Session, arguments: Arguments) -> None:
    """Place handicap stones where the client says."""
    if not arguments.words:
        raise GtpError(SYNTAX_ERROR)
    refuse_begun_game(session)
    try:
        session.player.set_handicap(arguments.words)
    except GoError:
        raise GtpError("bad vertex list") from None


@command(
    "set_position",
    "[COLOR VERTEX ...]",
    "Replace the game by these stones, Black to play; without any, by an empty board. "
    "Komi and rules stay.",
)
def set_position(session: Session, arguments: Arguments) -> None:
    """Replace the game by a position."""
    from montego.go.game import Game  # noqa: PLC0415  # Loads NumPy.

    black, white = stones_of(arguments, session.player.game.size)
    before = session.player.game
    game = Game(before.size, rules=before.rules, komi=before.komi)
    if black or white:
        game.setup(black=black, white=white, to_play="black")
    session.player.load(game)


def stones_of(arguments: Arguments, size: int) -> tuple[list[str], list[str]]:
    """Return the black and the white vertices of ``b A1 w B2 ...``; passes are no stones."""
    if len(arguments) % 2:
        raise GtpError(SYNTAX_ERROR)
    stones: dict[str, list[str]] = {"black": [], "white": []}
    for index in range(0, len(arguments), 2):
        vertex = point_of(arguments[index + 1], size)
        stones[arguments.color(index)].append(vertex)
    return stones["black"], stones["white"]


def point_of(text: str, size: int) -> str:
    """Return the vertex that *text* names, as we write it; a pass is a syntax error."""
    coordinates = parse_vertex(text, size)
    if coordinates is None:
        raise GtpError(SYNTAX_ERROR)
    return format_vertex(coordinates)


@command("showboard", "", "Show the board, whose turn it is, prisoners, komi and rules.")
def showboard(session: Session, _arguments: Arguments) -> str:
    """Show the board."""
    session.player.settle()
    return f"\n{session.player.game}"


@command("query_boardsize", "", "Answer the number of lines of the board.")
def query_boardsize(session: Session, _arguments: Arguments) -> str:
    """Answer the size of the board."""
    return str(session.player.game.size)


@command("color", "VERTEX", "Answer `black`, `white` or `empty`.")
def color(session: Session, arguments: Arguments) -> str:
    """Answer what stands on a point."""
    arguments.expect(1)
    game = session.player.game
    return game.board.color_at(point_of(arguments[0], game.size)) or "empty"


@command("list_stones", "COLOR", "List the stones of a color.")
def list_stones(session: Session, arguments: Arguments) -> str:
    """List the stones of a color."""
    wanted = arguments.color(0)
    rows = session.player.game.board.rows()
    return " ".join(
        format_vertex((column, len(rows) - 1 - index))
        for index, row in enumerate(rows)
        for column, stone in enumerate(row)
        if stone and format_color(stone) == wanted
    )


@command("captures", "COLOR", "Answer how many stones that player has captured.")
def captures(session: Session, arguments: Arguments) -> str:
    """Answer a player's prisoners."""
    arguments.expect(1)
    taken = session.player.game.captures
    return str(taken.black if arguments.color(0) == "black" else taken.white)


@command("is_legal", "COLOR VERTEX", "Answer 1 if the move is legal, else 0; superko counts.")
def is_legal(session: Session, arguments: Arguments) -> str:
    """Answer whether a move is legal."""
    arguments.expect(2)
    fault = session.player.game.fault(arguments.color(0), arguments[1])
    return "1" if fault is None else "0"


@command("all_legal", "COLOR", "List all legal moves of a player, without pass.")
def all_legal(session: Session, arguments: Arguments) -> str:
    """List a player's legal moves."""
    arguments.expect(1)
    return " ".join(session.player.game.legal_moves(arguments.color(0)))
