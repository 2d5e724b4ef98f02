"""What one process has for itself, because a file is locked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path


class Exclusive:
    """Something that no other process may have at the same time, until it is closed.

    That goes by a lock on one file, which is made if it is not there; elsewhere than on Unix nobody
    watches. *busy* is raised while another has the file.

    Raises:
        OSError: If the file cannot be opened.
    """

    def __init__(self, path: Path, flags: int, busy: Exception) -> None:
        self._descriptor = os.open(path, flags | os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._lock(busy)
        except BaseException:
            self.close()
            raise

    def _lock(self, busy: Exception) -> None:
        try:
            import fcntl  # noqa: PLC0415  # Only Unix has it.
        except ImportError:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise busy from None

    def close(self) -> None:
        """Let others have it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
