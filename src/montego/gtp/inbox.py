"""The reader of standard input: a thread of its own, so that a running command can be interrupted.

Lines wait in a queue until the session takes them. Two events tell the running command what came
in behind it: ``interrupted`` at any further line, which ends an analysis, and ``hurried`` at
GoGui's comment ``# interrupt``, which makes even ``genmove`` answer with what it has.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, BinaryIO

from montego.gtp.protocol import decode_line, is_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable


class Inbox:
    """Lines of input in the order in which they came; afterwards, for ever, the end of input."""

    def __init__(self, *, heard: Callable[[str], None] | None = None) -> None:
        """*heard* is called with every line as it comes, from the reading thread."""
        self.interrupted = threading.Event()
        """Set while there is input that the session has not taken."""
        self.hurried = threading.Event()
        """Set once the command that was taken last was asked to finish early."""
        self._heard = heard
        self._lines: deque[tuple[str, bool]] = deque()  # the line, and whether it is to hurry
        self.ended = threading.Event()
        """Set once the input has ended."""
        self._changed = threading.Condition()

    def read(self, stream: BinaryIO) -> None:
        """Take in all lines of *stream*, however long, until its end."""
        try:
            for line in iter(stream.readline, b""):
                self.put(decode_line(line))
        except (OSError, ValueError):  # The terminal went away, or somebody closed the stream.
            pass
        finally:
            self.close()

    def put(self, line: str) -> None:
        """Take in one decoded line."""
        if self._heard is not None:
            self._heard(line)
        with self._changed:
            if is_interrupt(line):
                self.hurried.set()
                self._lines = deque((waiting, True) for waiting, _ in self._lines)
            self._lines.append((line, False))
            self.interrupted.set()
            self._changed.notify_all()

    def close(self) -> None:
        """Say that nothing more will come."""
        with self._changed:
            self.ended.set()
            self.interrupted.set()
            self._changed.notify_all()

    def take(self) -> str | None:
        """Wait for a line and return it; None at the end of input. Sets both events anew."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self.ended.is_set())
            line, hurry = self._lines.popleft() if self._lines else (None, False)
            for event, on in (
                (self.interrupted, self.ended.is_set() or bool(self._lines)),
                (self.hurried, hurry),
            ):
                if on:
                    event.set()
                else:
                    event.clear()
            return line

    def start(self, stream: BinaryIO) -> None:
        """Read *stream* in a thread that does not keep the process alive."""
        threading.Thread(target=self.read, args=(stream,), name="gtp-reader", daemon=True).start()
