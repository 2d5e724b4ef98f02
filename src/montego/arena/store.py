"""What must survive the end of a program: files of lines, and the folder of a match.

The folder holds the settings, one line of JSON a game and one SGF a game. A game is kept as soon as
it ends: first the SGF, then the line, which is on the disk before anything else happens. Whoever is
killed between games loses nothing; a line cut off by the end of the machine is removed when the
folder is opened again, and its game is played again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from montego.arena.record import GameRecord, game_sgf
from montego.exclusive import Exclusive
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from montego.arena.contest import PlayedGame

GAMES = "games.jsonl"
SETTINGS = "settings.json"
SGF = "sgf"
OPENINGS_DIGEST = "openings_digest"
SOURCES = "sources"
_ADDED_LATER = (OPENINGS_DIGEST, SOURCES)
"""Settings that older folders do not have; there they are added."""


class LineFile(Exclusive):
    """A file of lines, open for more, that no other process may open so at the same time.

    A last line that was not finished is cut off. *busy* is the message while another has the file.

    Raises:
        OSError: If it cannot be written.
        GoError: If another process has it.
    """

    def __init__(self, path: Path, busy: str) -> None:
        flags = os.O_APPEND | getattr(os, "O_BINARY", 0)  # Windows.
        super().__init__(path, flags, GoError(busy))
        try:
            data = path.read_bytes()
            os.ftruncate(self._descriptor, data.rfind(b"\n") + 1)
        except BaseException:
            self.close()
            raise

    def add(self, line: str) -> None:
        """Put a line on the disk. If that fails the file is as it was.

        Raises:
            OSError: If it cannot be written: the disk is full, say.
        """
        data = line.encode() + b"\n"
        size = os.fstat(self._descriptor).st_size
        try:
            written = 0
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
            os.fsync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, size)
            raise


def finished_lines(path: Path) -> list[str]:
    """Return the lines of a file without a last one that was not finished. Raises OSError."""
    data = path.read_bytes()
    return data[: data.rfind(b"\n") + 1].decode("utf-8", "replace").split("\n")[:-1]


class GameFolder:
    """The games of one match or tournament, kept in a folder if there is one.

    *settings* is what must be the same when the folder is opened again; anything JSON can hold.

    Raises:
        GoError: If the folder belongs to a match with other settings, is in use by another
            process, or cannot be written.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, settings: dict[str, Any]) -> None:
        self.records: dict[int, GameRecord] = {}
        """The games by number."""
        self._folder = None if folder is None else Path(folder)
        self._file: LineFile | None = None
        if self._folder is None:
            return
        try:
            (self._folder / SGF).mkdir(parents=True, exist_ok=True)
            self._file = LineFile(
                self._folder / GAMES, f"{self._folder} is in use by another match"
            )
        except OSError as error:
            raise GoError(f"cannot write into {self._folder}: {error.strerror}") from None
        try:
            refusal = "holds games with other settings ({}): choose another folder"
            check_settings(self._folder / SETTINGS, settings, refusal)
            self.records = {record.game: record for record in read_records(self._folder)}
        except BaseException:
            self._file.close()
            raise

    @property
    def games(self) -> list[GameRecord]:
        """The games so far, by number."""
        return [self.records[number] for number in sorted(self.records)]

    def add(self, played: PlayedGame) -> None:
        """Keep a game for good."""
        record = played.record
        if self._folder is not None and self._file is not None:
            path = self._folder / SGF / f"{record.game:05d}.sgf"
            write_whole(path, game_sgf(record, played.game))
            self._file.add(record.to_json())
        self.records[record.game] = record

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._file is not None:
            self._file.close()


def set_aside(folder: str | os.PathLike[str], lines: str = GAMES) -> Path | None:
    """Rename a folder, so that something new can begin under its name; return its new name.

    *lines* is its file of lines. None if there is no such folder.

    Raises:
        GoError: If another process has it, or it cannot be renamed.
    """
    folder = Path(folder)
    if not folder.exists():
        return None
    try:
        if (folder / lines).exists():
            LineFile(folder / lines, f"{folder} is in use by another process").close()
        number = 1
        while (aside := folder.with_name(f"{folder.name}.old-{number}")).exists():
            number += 1
        folder.rename(aside)
    except OSError as error:
        raise GoError(f"cannot rename {folder}: {error.strerror}") from None
    return aside


def check_settings(path: Path, settings: dict[str, Any], refusal: str) -> None:
    """Write settings into a new folder, or compare them with the file that is there.

    Raises:
        GoError: If they differ; *refusal* begins the message, with ``{}`` for the names of those.
    """
    wanted = json.loads(json.dumps(settings))
    if not path.exists():
        write_whole(path, json.dumps(wanted, indent=2, ensure_ascii=False) + "\n")
        return
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise GoError(f"{path} is damaged; choose another folder")
    added = {name: wanted[name] for name in _ADDED_LATER if name in wanted and name not in found}
    found |= added
    names = [name for name in {**found, **wanted} if found.get(name) != wanted.get(name)]
    if names:
        reason = refusal.format(", ".join(names))
        raise GoError(f"{path.parent} {reason}, or the same settings, or say --anew to begin anew")
    if added:
        write_whole(path, json.dumps(found, indent=2, ensure_ascii=False) + "\n")


def read_records(folder: str | os.PathLike[str]) -> list[GameRecord]:
    """Return the games in a folder, by number, without taking it. An unfinished line is left out.

    Raises:
        GoError: If it holds no games.
    """
    path = Path(folder) / GAMES
    try:
        lines = finished_lines(path)
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror}") from None
    records = {record.game: record for record in map(GameRecord.from_json, lines)}
    return [records[game] for game in sorted(records)]


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is never seen half. Raises OSError, which names the file."""
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("wb") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
