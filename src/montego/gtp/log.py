"""The log of a conversation: every line in both directions with its time, and tracebacks."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from montego.go.vocabulary.errors import GoError
from montego.gtp.protocol import encode

if TYPE_CHECKING:
    import os

RECEIVED, SENT, NOTED = ">", "<", "!"


class ConversationLog:
    """A file that grows by a line at a time; without a file it swallows everything.

    A disk that is full ends the log, not the conversation.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        """Append to the file.

        Raises:
            GoError: If it cannot be opened.
        """
        self._lock = threading.Lock()
        self._file: BinaryIO | None = None
        if path is not None:
            try:
                self._file = Path(path).open("ab", buffering=0)  # noqa: SIM115  # Until close().
            except (OSError, ValueError) as error:
                raise GoError(f"cannot write the log {path}: {error}") from None

    def write(self, direction: str, text: str) -> None:
        """Write each line of *text* with the time and RECEIVED, SENT or NOTED before it."""
        if self._file is None:
            return
        # The clock on the wall, which people compare with a server's own log.
        now = time.time()
        stamp = (
            f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(now))}.{int(now * 1000) % 1000:03}"
        )
        lines = "".join(f"{stamp} {direction} {line}\n" for line in text.rstrip("\n").split("\n"))
        with self._lock:
            try:
                if self._file is not None:
                    self._file.write(encode(lines))
            except OSError:
                self._close()

    def close(self) -> None:
        """Close the file; what is written afterwards is swallowed."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
