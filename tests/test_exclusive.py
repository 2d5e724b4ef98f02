"""A file that one process has for itself, and what stands in it meanwhile."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

import pytest

from montego.exclusive import Exclusive, lock

if TYPE_CHECKING:
    from pathlib import Path

unix = pytest.mark.skipif(sys.platform == "win32", reason="asks for the locks of Unix")


def test_a_file_is_locked_once_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    busy = RuntimeError("in use")

    first = Exclusive(path, 0, busy)
    with pytest.raises(RuntimeError, match="in use"):
        Exclusive(path, 0, busy)
    first.close()
    first.close()
    with Exclusive(path, 0, busy), pytest.raises(RuntimeError, match="in use"):
        Exclusive(path, 0, busy)


def test_a_locked_file_can_be_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("a+", encoding="utf-8") as file:
        assert lock(file.fileno())
        file.write("http://127.0.0.1:8087/")
        file.flush()

        with path.open("a+", encoding="utf-8") as other:
            other.seek(0)
            assert not lock(other.fileno())
            assert other.read() == "http://127.0.0.1:8087/"
    assert path.stat().st_size == len("http://127.0.0.1:8087/")


@unix
def test_where_the_file_system_has_no_locks_nobody_is_kept_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl  # Only Unix has it.

    def refuse(_descriptor: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)

    with Exclusive(tmp_path / "lock", 0, RuntimeError("in use")):
        assert (tmp_path / "lock").exists()
