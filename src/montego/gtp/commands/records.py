"""Commands that read and write game records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from montego.go.errors import GoError
from montego.gtp.protocol import GtpError
from montego.gtp.registry import SYNTAX_ERROR, Arguments, command

if TYPE_CHECKING:
    from montego.go.game import Game
    from montego.gtp.session import Session


@command(
    "loadsgf",
    "FILE [MOVE]",
    "Replace the game by the main line of a record, up to the position before that move. "
    "Rules and komi that the record does not name stay.",
)
def loadsgf(session: Session, arguments: Arguments) -> None:
    """Read a record."""
    name, before = _file_and_move(arguments)
    try:
        game = _read(session, name)
        if before is not None:
            while len(game.moves) > max(before - 1, 0):
                game.undo()
    except GoError:
        raise GtpError("cannot load file") from None
    session.player.load(game)


def _file_and_move(arguments: Arguments) -> tuple[str, int | None]:
    """Return the file's name, which may have blanks and quotes, and the move's number."""
    if not arguments.words:
        raise GtpError(SYNTAX_ERROR)
    last = arguments.words[-1]
    if len(arguments) == 1 or not (last.isascii() and last.isdigit()) or _exists(arguments.text):
        return _unquoted(arguments.text), None
    return _unquoted(arguments.text[: -len(last)].rstrip(" ")), arguments.integer(-1)


def _exists(name: str) -> bool:
    try:
        return Path(_unquoted(name)).is_file()
    except (OSError, ValueError):
        return False


def _unquoted(name: str) -> str:
    if len(name) >= 2 and name[0] == name[-1] and name[0] in "\"'":
        return name[1:-1]
    return name


def _read(session: Session, name: str) -> Game:
    from montego.go.game import Game  # noqa: PLC0415  # Loads NumPy.
    from montego.go.sgf import read_sgf_file  # noqa: PLC0415  # Loads sgfmill.

    try:
        record = read_sgf_file(name)
    except (OSError, ValueError):  # A name that no file can have.
        raise GtpError("cannot load file") from None
    game = Game.from_record(record)
    if record.rules is None:
        game.rules = session.player.game.rules
    if record.komi is None:
        game.komi = session.player.game.komi
    return game


@command(
    "printsgf",
    "[FILE]",
    "Write the game as SGF to a file, or into the reply if there is no file or it is `-`.",
)
def printsgf(session: Session, arguments: Arguments) -> str | None:
    """Write a record."""
    session.player.settle()
    text = session.player.game.to_sgf()
    if arguments.text in ("", "-"):
        return text
    try:
        Path(_unquoted(arguments.text)).write_text(text, encoding="utf-8")
    except (OSError, ValueError):
        raise GtpError("cannot save file") from None
    return None
