"""Commands that prepare a game, and those that look at the board."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from montego.go.handicap import most_fixed_stones
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import KOMI_LIMIT
from montego.go.vocabulary.vertex import MAX_SIZE, MIN_SIZE, format_vertex, parse_vertex
from montego.gtp.analyze.lines import reading_order
from montego.gtp.registry import MANY, SYNTAX_ERROR, Arguments, GtpError, command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession


@command("boardsize", "SIZE [SIZE]", words=(1, 2))
def boardsize(session: GtpSession, arguments: Arguments) -> None:
    """Start on an empty board of 2 to 25 lines. Komi, rules and time settings stay.

    Both sides must be equal: the state of a game has one size.
    """
    sides = [arguments.integer(index) for index in range(len(arguments.words))]
    if sides[0] != sides[-1] or not MIN_SIZE <= sides[0] <= MAX_SIZE:
        raise GtpError("unacceptable size")
    session.player.new_game(sides[0])


@command("rectangular_boardsize", "WIDTH HEIGHT", words=2)
def rectangular_boardsize(session: GtpSession, arguments: Arguments) -> None:
    """The same with both sides; only square boards are accepted."""
    boardsize(session, arguments)


@command("clear_board")
def clear_board(session: GtpSession, _arguments: Arguments) -> None:
    """Take off all stones and forget moves and prisoners. Komi, rules and time settings stay."""
    session.player.new_game()


@command("komi", "NUMBER", words=1)
def komi(session: GtpSession, arguments: Arguments) -> None:
    """Set komi.

    Any number will do; beyond 1000 points it is taken as 1000, which decides as much.
    """
    with session.player.alone() as game:
        game.komi = arguments.number(0, KOMI_LIMIT)


@command("get_komi")
def get_komi(session: GtpSession, _arguments: Arguments) -> str:
    """Answer the komi."""
    return f"{session.player.game.komi:.10g}"


@command(
    "place_free_handicap",
    "STONES",
    "Give Black that many stones where Montego likes them, and answer where.",
    words=1,
    fixed=False,
)
@command(
    "fixed_handicap",
    "STONES",
    "Give Black 2 to 9 stones on their fixed points, and answer these.",
    words=1,
    fixed=True,
)
def place_handicap(session: GtpSession, arguments: Arguments, *, fixed: bool) -> str:
    """Give Black handicap stones where the protocol says, or of our own choice."""
    stones = arguments.integer(0)
    _refuse_begun_game(session)
    size = session.player.game.size
    most = most_fixed_stones(size) if fixed else size**2 - 1
    if 2 <= stones <= most:
        with suppress(GoError):  # The board has no room for so many.
            return " ".join(session.player.place_handicap(stones, fixed=fixed))
    raise GtpError("invalid number of stones")


def _refuse_begun_game(session: GtpSession) -> None:
    """Raise GtpError unless the board is empty and nothing has been done."""
    if session.player.game.history:
        raise GtpError("board not empty")


@command("set_free_handicap", "VERTEX VERTEX ...", words=(1, MANY))
def set_free_handicap(session: GtpSession, arguments: Arguments) -> None:
    """Give Black stones on these points. White plays next.

    A single stone is no handicap: White gets no compensation for it.
    """
    _refuse_begun_game(session)
    try:
        with session.player.alone() as game:
            if len(arguments.words) == 1:
                game.setup(black=arguments.words, to_play="white")
            else:
                game.free_handicap(arguments.words)
    except GoError:
        raise GtpError("bad vertex list") from None


@command("set_position", "[COLOR VERTEX ...]")
def set_position(session: GtpSession, arguments: Arguments) -> None:
    """Replace the game by these stones, Black to play; without any, by an empty board.

    Komi and rules stay.
    """
    from montego.go.game import Game  # noqa: PLC0415  # Loads NumPy.

    black, white = stones_of(arguments, session.player.game.size)
    before = session.player.game
    game = Game(before.size, rules=before.rules, komi=before.komi)
    if black or white:
        game.setup(black=black, white=white, to_play="black")
    session.player.load(game)


def stones_of(arguments: Arguments, size: int) -> tuple[list[str], list[str]]:
    """Return the black and the white vertices of ``b A1 w B2 ...``; passes are no stones."""
    stones: dict[str, list[str]] = {"black": [], "white": []}
    for player, text in arguments.pairs():
        stones[player].append(point_of(text, size))
    return stones["black"], stones["white"]


def point_of(text: str, size: int) -> str:
    """Return the vertex that *text* names, as we write it; a pass is a syntax error."""
    coordinates = parse_vertex(text, size)
    if coordinates is None:
        raise GtpError(SYNTAX_ERROR)
    return format_vertex(coordinates)


@command("showboard")
def showboard(session: GtpSession, _arguments: Arguments) -> str:
    """Show the board, whose turn it is, prisoners, komi and rules."""
    session.player.settle()
    return f"\n{session.player.game}"


@command("query_boardsize")
def query_boardsize(session: GtpSession, _arguments: Arguments) -> str:
    """Answer the number of lines of the board."""
    return str(session.player.game.size)


@command("color", "VERTEX", words=1)
def color(session: GtpSession, arguments: Arguments) -> str:
    """Answer `black`, `white` or `empty`."""
    game = session.player.game
    return game.board.color_at(point_of(arguments[0], game.size)) or "empty"


@command("list_stones", "COLOR")
def list_stones(session: GtpSession, arguments: Arguments) -> str:
    """List the stones of a color."""
    wanted, board = arguments.color(0), session.player.game.board
    return " ".join(at for at in reading_order(board.size) if board.color_at(at) == wanted)


@command("captures", "COLOR", words=1)
def captures(session: GtpSession, arguments: Arguments) -> str:
    """Answer how many stones that player has captured."""
    return str(getattr(session.player.game.captures, arguments.color(0)))


@command("is_legal", "COLOR VERTEX", words=2)
def is_legal(session: GtpSession, arguments: Arguments) -> str:
    """Answer 1 if the move is legal, else 0; superko counts."""
    return "1" if session.player.game.fault(arguments.color(0), arguments[1]) is None else "0"


@command("all_legal", "COLOR", words=1)
def all_legal(session: GtpSession, arguments: Arguments) -> str:
    """List all legal moves of a player, without pass."""
    return " ".join(session.player.game.legal_moves(arguments.color(0)))
