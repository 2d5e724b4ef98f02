"""What one process has for itself, because a file is locked."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path


if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int) -> bool:
        """Lock an open file until it is closed; False if another process has it."""
        # Beyond what is in it, because Windows lets nobody read what is locked.
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)
        return True
else:
    import fcntl

    def lock(descriptor: int) -> bool:
        """Lock an open file until it is closed; False if another process has it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # A file system without locks: nobody could have one.
        return True


class Exclusive:
    """Something that no other process may have at the same time, until it is closed.

    That goes by a lock on one file, which is made if it is not there. *busy* is raised while
    another has the file.

    Raises:
        OSError: If the file cannot be opened.
    """

    def __init__(self, path: Path, flags: int, busy: Exception) -> None:
        self._descriptor = os.open(path, flags | os.O_RDWR | os.O_CREAT, 0o644)
        if not lock(self._descriptor):
            self.close()
            raise busy

    def close(self) -> None:
        """Let others have it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
