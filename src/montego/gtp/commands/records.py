"""Commands that read and write game records."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import GoError
from montego.gtp.registry import MANY, Arguments, GtpError, command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession


MOST_WARNINGS = 5
"""Most lines about a record on standard error."""


@command("loadsgf", "FILE [MOVE]", words=(1, MANY))
def loadsgf(session: GtpSession, arguments: Arguments) -> None:
    """Replace the game by the main line of a record, up to the position before that move, moves
    counted as the record has them. If a move up to there cannot be played, the answer says so and
    the game stays. Rules and komi that the record does not name stay. Of several games in a file
    it is the first, and standard error tells of the others.
    """
    from montego.go.game import Game  # noqa: PLC0415  # Loads NumPy.
    from montego.go.sgf.record import read_sgf_file  # noqa: PLC0415  # Loads sgfmill.

    name, moves = _file_and_moves(arguments)
    before = session.player.game
    try:
        record = read_sgf_file(name)
        game = Game.from_record(
            record, rules=before.rules, komi=before.komi, moves=moves, strict=True
        )
        if moves is not None:  # What follows there is left behind: another game begins.
            game = Game.from_sgf(game.to_sgf(as_played=True))
    except GoError as error:
        raise GtpError(f"cannot load file: {error}") from None
    session.player.load(game)
    for warning in record.warnings[:MOST_WARNINGS]:
        session.tell(f"montego: {name}: {warning}")


def _file_and_moves(arguments: Arguments) -> tuple[str, int | None]:
    """Return the file's name, which may have blanks and quotes, and how many moves to play."""
    last = arguments.words[-1]
    name, shorter = _unquoted(arguments.text), arguments.text[: -len(last)].rstrip(" ")
    if not shorter or not (last.isascii() and last.isdigit()):
        return name, None
    with suppress(OSError, ValueError):
        if Path(name).is_file():
            return name, None
    return _unquoted(shorter), max(arguments.integer(-1) - 1, 0)


def _unquoted(name: str) -> str:
    if len(name) >= 2 and name[0] == name[-1] and name[0] in "\"'":
        return name[1:-1]
    return name


@command("printsgf", "[FILE]")
def printsgf(session: GtpSession, arguments: Arguments) -> str | None:
    """Write the game as it was played as SGF to a file, or into the reply if there is no file or it
    is `-`. A record that was loaded comes back with all it says, up to the last move.
    """
    session.player.settle()
    text = session.player.game.to_sgf(as_played=True)
    if arguments.text in ("", "-"):
        return text
    try:
        Path(_unquoted(arguments.text)).write_text(text, encoding="utf-8")
    except (OSError, ValueError):
        raise GtpError("cannot save file") from None
    return None
