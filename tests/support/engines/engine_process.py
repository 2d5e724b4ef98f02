"""A running ``montego``, and what it printed: the other end of the pipe, for tests of clients."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE = 300.0  # Seconds; on a fresh machine the first search waits for the compiler.


def user_environment() -> dict[str, str]:
    """Return the environment as users have it, without what ``conftest`` sets for kernels."""
    return {name: value for name, value in os.environ.items() if name != "MONTEGO_PATIENCE"}


class EngineProcess:
    """``montego`` with pipes. What it prints is kept whole, and read line by line."""

    def __init__(
        self, arguments: Sequence[str], *, line_end: str = "\n", merge_stderr: bool = False
    ) -> None:
        self.line_end = line_end
        self.output = ""
        self.errors = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "montego", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge_stderr else subprocess.PIPE,
            env=user_environment(),
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._threads = [threading.Thread(target=self._read_output, daemon=True)]
        if not merge_stderr:
            self._threads.append(threading.Thread(target=self._read_errors, daemon=True))
        for thread in self._threads:
            thread.start()

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode())
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line.decode()

    def send(self, *lines: str) -> None:
        """Write lines, and do not wait for any answer."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(line + self.line_end for line in lines).encode())
        self.process.stdin.flush()

    def line(self) -> str:
        """Return the next line of output, its end included; nothing at the end of output."""
        line = self._lines.get(timeout=PATIENCE)
        self.output += line or ""
        return line or ""

    def reply(self) -> str:
        """Return lines up to an empty one, that one included."""
        text = ""
        while not text.endswith("\n\n") and text != "\n":
            line = self.line()
            assert line, f"the engine has gone after {text!r}; it said: {self.errors}"
            text += line
        return text

    def ask(self, line: str) -> str:
        """Send a command and return the whole reply."""
        self.send(line)
        return self.reply()

    def value(self, line: str) -> str:
        """Send a command, which must succeed, and return what it answers."""
        text = self.ask(line)
        assert text.startswith("="), (line, text)
        return text[1:].strip()

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self) -> int:
        """Wait for the end, and return the exit status."""
        status = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        while (line := self._lines.get()) is not None:
            self.output += line
        return status

    def kill(self) -> None:
        """Make sure that it is gone, with its pipes."""
        self.process.kill()
        self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
