"""Games on disk: one JSON file each, written as a whole, read when it is needed.

A file is replaced in one step, so that a crash leaves the old one or the new one, never half of
one. What cannot be read is set aside under another name, not deleted. Only names made of an id ever
become file names.

Two servers never share a folder: the first one locks it for as long as it lives, the operating
system unlocks it even after ``kill -9``, and the second learns where the first one listens. Where
the folder cannot be written, games are kept in memory and :attr:`GameFiles.trouble` says so; they
are written when that is possible again. One descriptor is held back for writing: a process that may
open no more files still saves its games.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import threading
from typing import IO, TYPE_CHECKING

import msgspec
from msgspec import Struct

from montego.exclusive import lock
from montego.folders import DATA_DIR_VARIABLE, data_folder
from montego.go.vocabulary.errors import GoError

# The classes of fields are needed at run time.
from montego.web.messages.replies import GameSummary  # noqa: TC001

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FORMAT = 1
"""Of the files; greater ones come from a later version and are left alone."""

ID_PATTERN = re.compile(r"[0-9a-z]{8,32}")
_LOCK_NAME = "server.lock"
_FREE_WORDS = 200  # Characters of a lock file: an address.


class StoreError(GoError):
    """A game that is not there, or cannot be read; the message says which."""


class FolderInUse(GoError):  # noqa: N818  # Named for what is the matter.
    """Another server keeps its games in the folder; ``address`` says where it listens."""

    def __init__(self, folder: Path, address: str) -> None:
        where = f" at {address}" if address else ""
        super().__init__(
            f"Montego is already running{where} with the games in {folder}; use that one, stop it, "
            f"or set {DATA_DIR_VARIABLE} to another folder"
        )
        self.address = address


class _Listed(Struct):
    """What the list needs of a file."""

    format: int
    summary: GameSummary


class _Stored(_Listed):
    """A whole file."""

    game: msgspec.Raw


def games_folder() -> Path:
    """Return where games are kept: below the user's data folder unless the environment says."""
    return data_folder() / "games"


class GameFiles:
    """The games in a folder. Every method may be called from any thread."""

    def __init__(self, folder: Path, *, say: Callable[[str], None] | None = None) -> None:
        self.folder = folder
        self.notices: list[str] = []
        """What a person should know about the files, found while listing and loading."""
        self.trouble = ""
        """Why games cannot be written at the moment; empty if they can."""
        self._say = say or (lambda _text: None)
        self._kept: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self._lock_file: IO[str] | None = None
        self._spare = _SpareDescriptor()

    @property
    def unsaved(self) -> list[str]:
        """The games that could not be written, by id; they are in memory only."""
        with self._lock:
            return list(self._kept)

    def open(self, address: str = "") -> None:
        """Make the folder and lock it; *address* is told to others who try.

        Raises:
            FolderInUse: If another server has it.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock_file = (self.folder / _LOCK_NAME).open("a+", encoding="utf-8")
        except OSError as error:
            self._note_trouble(error)
            return
        if not lock(lock_file.fileno()):
            lock_file.seek(0)
            told = lock_file.read(_FREE_WORDS).strip()
            lock_file.close()
            raise FolderInUse(self.folder, told)
        self._lock_file = lock_file
        self._spare.take()
        self.tell_address(address)
        for half in self.folder.glob(".*.new"):  # Of a server that was killed while it wrote.
            with contextlib.suppress(OSError):
                half.unlink()

    def tell_address(self, address: str) -> None:
        """Write where this server listens, for those who find the folder locked."""
        if self._lock_file is not None:
            with contextlib.suppress(OSError):
                self._lock_file.seek(0)
                self._lock_file.truncate()
                self._lock_file.write(f"{address}\n")
                self._lock_file.flush()

    def close(self) -> None:
        """Unlock the folder."""
        if self._lock_file is not None:
            self.tell_address("")
            self._lock_file.close()  # Which unlocks it.
            self._lock_file = None
        self._spare.give_up()

    def listing(self) -> dict[str, GameSummary]:
        """Return what is known about each game; damaged files are set aside on the way."""
        found: dict[str, GameSummary] = {}
        try:
            files = sorted(self.folder.glob("*.json"))
        except OSError:
            files = []
        for file in files:
            if not ID_PATTERN.fullmatch(file.stem):
                continue
            try:
                listed = msgspec.json.decode(file.read_bytes(), type=_Listed)
            except OSError as error:
                self._notice(f"The game in {file.name} cannot be read: {_reason(error)}.")
                continue
            except (msgspec.MsgspecError, UnicodeDecodeError):
                self.set_aside(file.stem)
                continue
            if listed.format > FORMAT:
                self._notice(
                    f"The game in {file.name} was written by a later version of Montego and is "
                    "left alone."
                )
            elif listed.summary.id == file.stem:
                found[file.stem] = listed.summary
            else:
                self.set_aside(file.stem)
        return found

    def save(self, summary: GameSummary, game: bytes) -> None:
        """Write a game, given as JSON. What cannot be written is kept in memory.

        Games do not wait for each other's disk; the same game must not be written twice at a time.
        """
        self._write(summary.id, msgspec.json.encode(_Stored(FORMAT, summary, msgspec.Raw(game))))

    def save_again(self, id: str) -> None:  # noqa: A002  # It is the game's.
        """Write a game that could not be written before, if there is one of that id."""
        with self._lock:
            data = self._kept.get(id)
        if data is not None:
            self._write(id, data)

    def _write(self, id_: str, data: bytes) -> None:
        try:
            try:
                self._replace(self._file(id_), data)
            except OSError as error:
                if error.errno not in (errno.EMFILE, errno.ENFILE):
                    raise
                with self._spare.given_up():
                    self._replace(self._file(id_), data)
        except OSError as error:
            with self._lock:
                self._kept[id_] = data
            self._note_trouble(error)
        else:
            with self._lock:
                self._kept.pop(id_, None)
            self.trouble = ""

    def load(self, id: str) -> bytes:  # noqa: A002  # It is the game's.
        """Return a game as JSON.

        Raises:
            StoreError: If there is no such game, or it cannot be read.
        """
        file = self._file(id)
        with self._lock:
            data = self._kept.get(id)
        try:
            data = file.read_bytes() if data is None else data
            stored = msgspec.json.decode(data, type=_Stored)
        except FileNotFoundError:
            raise StoreError("there is no such game; it may have been deleted") from None
        except OSError as error:
            raise StoreError(f"the game cannot be read: {_reason(error)}") from None
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise StoreError(self.set_aside(id)) from None
        return bytes(stored.game)

    def delete(self, id: str) -> None:  # noqa: A002
        """Forget a game, if it is there; raises StoreError if its file cannot be removed."""
        file = self._file(id)
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"the game cannot be deleted: {_reason(error)}") from None
        with self._lock:
            self._kept.pop(id, None)

    def set_aside(self, id: str) -> str:  # noqa: A002
        """Rename a damaged file and return a sentence about it."""
        file = self._file(id)
        aside = file.with_suffix(".damaged")
        number = 1
        while aside.exists():
            number += 1
            aside = file.with_suffix(f".damaged{number}")
        sentence = f"A game could not be read and was set aside as {aside.name} in {self.folder}."
        try:
            file.rename(aside)
        except OSError as error:
            sentence = f"The game in {file.name} is damaged: {_reason(error)}."
        self._notice(sentence)
        return sentence

    def _file(self, id: str) -> Path:  # noqa: A002
        """Return the file of a game; nothing but an id becomes a name.

        Raises:
            StoreError: If it is no id.
        """
        if not ID_PATTERN.fullmatch(id):
            raise StoreError("there is no such game")
        return self.folder / f"{id}.json"

    def _replace(self, file: Path, data: bytes) -> None:
        """Put *data* where *file* is, in one step, and see it safely on the disk."""
        new = file.with_name(f".{file.stem}.{secrets.token_hex(4)}.new")
        try:
            with new.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(file)
        except OSError:
            with contextlib.suppress(OSError):
                new.unlink(missing_ok=True)
            raise
        if os.name == "posix":  # Elsewhere folders cannot be opened.
            with contextlib.suppress(OSError):
                folder = os.open(file.parent, os.O_RDONLY)
                try:
                    os.fsync(folder)  # The new name, too, survives a power cut.
                finally:
                    os.close(folder)

    def _note_trouble(self, error: OSError) -> None:
        trouble = (
            f"Games cannot be saved in {self.folder} ({_reason(error)}); they are kept until "
            "Montego ends."
        )
        if trouble != self.trouble:
            self.trouble = trouble
            self._say(trouble)

    def _notice(self, sentence: str) -> None:
        self.notices.append(sentence)
        self._say(sentence)


class _SpareDescriptor:
    """A descriptor that is held back for the moment when the process may open no more files."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._descriptor: int | None = None

    def take(self) -> None:
        """Hold one back, if there is one."""
        if self._descriptor is None:
            with contextlib.suppress(OSError):
                self._descriptor = os.open(os.devnull, os.O_RDONLY)

    def give_up(self) -> None:
        """Let it go."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    @contextlib.contextmanager
    def given_up(self) -> Iterator[None]:
        """Let it go for as long as the ``with`` block; one thread at a time."""
        with self._lock:
            self.give_up()
            try:
                yield
            finally:
                self.take()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
