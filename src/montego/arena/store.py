"""The folder of a match: its settings, one line of JSON a game, one SGF a game.

A game is kept as soon as it ends: first the SGF, then the line, which is on the disk before
anything else happens. Whoever is killed between games loses nothing; a line cut off by the end of
the machine is removed when the folder is opened again, and its game is played again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.arena.record import GameRecord, game_sgf
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from montego.arena.contest import PlayedGame

GAMES = "games.jsonl"
SETTINGS = "settings.json"
SGF = "sgf"


class Store:
    """A folder that holds the games of one match or tournament.

    *settings* is what must be the same when it is opened again; anything JSON can hold.

    Raises:
        GoError: If the folder belongs to a match with other settings, is in use by another
            process, or cannot be written.
    """

    def __init__(self, folder: str | os.PathLike[str], settings: dict[str, Any]) -> None:
        self.folder = Path(folder)
        try:
            (self.folder / SGF).mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(
                self.folder / GAMES, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644
            )
        except OSError as error:
            raise GoError(f"cannot write into {self.folder}: {error.strerror}") from None
        try:
            self._lock()
            self._check_settings(settings)
            self.records = self._read()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        try:
            import fcntl  # noqa: PLC0415  # Elsewhere than on Unix nobody watches.
        except ImportError:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise GoError(f"{self.folder} is in use by another match") from None

    def _check_settings(self, settings: dict[str, Any]) -> None:
        path = self.folder / SETTINGS
        wanted = json.loads(json.dumps(settings))
        if path.exists():
            try:
                found = json.loads(path.read_text(encoding="utf-8"))
            except ValueError:
                found = None
            if not isinstance(found, dict):
                raise GoError(f"{path} is damaged; choose another folder")
            names = [name for name in {**found, **wanted} if found.get(name) != wanted.get(name)]
            if names:
                raise GoError(
                    f"{self.folder} holds games with other settings ({', '.join(names)}): "
                    "choose another folder, or the same settings"
                )
        else:
            write_whole(path, json.dumps(wanted, indent=2, ensure_ascii=False) + "\n")

    def _read(self) -> dict[int, GameRecord]:
        """Return the games by number, and cut off a last line that was not finished."""
        data = (self.folder / GAMES).read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._descriptor, whole)
        records = {}
        for line in data[:whole].decode("utf-8", "replace").splitlines():
            record = GameRecord.from_json(line)
            records[record.game] = record
        return records

    def add(self, played: PlayedGame) -> None:
        """Keep a game for good."""
        record = played.record
        write_whole(self.sgf_path(record.game), game_sgf(record, played.game))
        os.write(self._descriptor, record.to_json().encode() + b"\n")
        os.fsync(self._descriptor)
        self.records[record.game] = record

    def sgf_path(self, game: int) -> Path:
        """Return where the SGF of a game is."""
        return self.folder / SGF / f"{game:05d}.sgf"

    def close(self) -> None:
        """Let others have the folder."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def read_records(folder: str | os.PathLike[str]) -> list[GameRecord]:
    """Return the games in a folder, by number, without taking it. An unfinished line is left out.

    Raises:
        GoError: If it holds no games.
    """
    path = Path(folder) / GAMES
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror}") from None
    lines = data[: data.rfind(b"\n") + 1].decode("utf-8", "replace").splitlines()
    records = {record.game: record for record in map(GameRecord.from_json, lines)}
    return [records[game] for game in sorted(records)]


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is never seen half."""
    temporary = path.with_name(path.name + ".part")
    with temporary.open("wb") as stream:
        stream.write(text.encode())
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)
