"""The other end of GTP: starting any engine as a process and talking to it.

One thread reads the engine's standard output and cuts it into replies, another drains standard
error; :meth:`Engine.send` writes a command and waits for its reply, never longer than told. Every
command carries a number, so that a late reply to an earlier one is not taken for an answer. What
an engine prints outside of replies is kept as *noise* and otherwise ignored.

After any failure except a refusal nobody knows what the engine will say next: it is ended, and the
only way on is a new one. Nothing here knows the rules of Go.
"""

from __future__ import annotations

import contextlib
import enum
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Self

from montego.go.vocabulary.errors import GoError
from montego.gtp.client.processor_time import session_seconds
from montego.gtp.client.replies import Reply, ReplyCutter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPLY_LIMIT = 8 * 1024 * 1024  # Bytes of one reply, or of noise between two: beyond it is a flood.
QUOTED = 80  # Characters of an engine's own words that a message repeats.


class Fault(enum.StrEnum):
    """What went wrong with an engine."""

    START = "start"  # It could not be started.
    DIED = "died"  # Its process ended, or it closed its output.
    SILENT = "silent"  # It did not answer in time.
    GARBAGE = "garbage"  # It said something, but no reply to the command.
    FLOOD = "flood"  # It said more than anybody could want to know.
    REFUSED = "refused"  # It answered with a failure; it can go on.


class EngineError(GoError):
    """An engine failed; ``fault`` says how, and the message says it to people."""

    def __init__(self, engine: str, fault: Fault, message: str) -> None:
        super().__init__(f"{engine}: {message}")
        self.engine = engine
        self.fault = fault
        self.reason = message


class Engine:
    """A running GTP engine.

    *command* is a command line, split as a shell would split it but run without one, or a list of
    words. *timeout* is the patience for a reply in seconds; the first reply may take
    *start_timeout*, because some engines compile or load for a while. *listen* is called with every
    line sent and received, for logs.

    Raises:
        EngineError: If there is no such program.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        name: str | None = None,
        timeout: float = 60.0,
        start_timeout: float = 180.0,
        folder: str | os.PathLike[str] | None = None,
        listen: Callable[[str, str], None] | None = None,
    ) -> None:
        self.command = split_command(command)
        self.name = name or Path(self.command[0]).name
        self.timeout = timeout
        self.start_timeout = start_timeout
        self.noise: deque[str] = deque(maxlen=20)
        """The latest lines that belonged to no reply."""
        self._listen = listen
        self._errors: deque[str] = deque(maxlen=20)
        self._replies: queue.SimpleQueue[Reply | Fault] = queue.SimpleQueue()
        self._number = 0
        self._echoes_numbers = False
        self._answered = False
        self._noise_count = 0
        self._broken: EngineError | None = None
        self._commands: frozenset[str] | None = None
        self._title: str | None = None
        self._is_gone = False
        self._process = self._start(folder)
        self._readers = [
            threading.Thread(target=self._read_replies, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _start(self, folder: str | os.PathLike[str] | None) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603  # Running what the user names is the purpose.
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for us; and its children end with it.
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"cannot start {self.command[0]!r}: {reason}"
            raise EngineError(self.name, Fault.START, message) from None

    @property
    def pid(self) -> int:
        """The number of the engine's process."""
        return self._process.pid

    @property
    def is_usable(self) -> bool:
        """Whether a command could still be sent: nothing has failed and the process lives."""
        return self._broken is None and self._process.poll() is None

    @property
    def errors(self) -> list[str]:
        """The latest lines of the engine's standard error."""
        return list(self._errors)

    def send(self, command: str, *, timeout: float | None = None) -> str:
        """Send a command and return the text of its reply, without the sign and the number.

        Raises:
            EngineError: ``REFUSED`` if the engine says it failed; with any other fault the engine
                has been ended.
        """
        if self._broken is not None:
            raise self._broken
        if timeout is None:
            timeout = self.timeout if self._answered else max(self.timeout, self.start_timeout)
        self._drop_strays()
        self._number += 1
        noise_before = self._noise_count
        deadline = time.monotonic() + timeout
        self._write(f"{self._number} {command}")
        reply = self._wait(command, deadline, timeout, noise_before)
        self._answered = True
        if reply.succeeded:
            return reply.text
        message = f"{_shorten(command)!r} was refused: {_shorten(reply.text)}"
        raise EngineError(self.name, Fault.REFUSED, message)

    def try_send(self, command: str, *, timeout: float | None = None) -> str | None:
        """As :meth:`send`, but a refusal, or a command the engine does not list, gives None."""
        if not self.knows(command.split(maxsplit=1)[0]):
            return None
        try:
            return self.send(command, timeout=timeout)
        except EngineError as error:
            if error.fault == Fault.REFUSED:
                return None
            raise

    def knows(self, command: str) -> bool:
        """Say whether ``list_commands`` has it. An engine that cannot list is taken to know all."""
        if self._commands is None:
            try:
                self._commands = frozenset(self.send("list_commands").split())
            except EngineError as error:
                if error.fault != Fault.REFUSED:
                    raise
                self._commands = frozenset()
        return not self._commands or command in self._commands

    @property
    def title(self) -> str:
        """What the engine calls itself, with its version; asked once, ``"?"`` before it answered.

        See :meth:`introduce`.
        """
        return self._title or "?"

    def introduce(self) -> str:
        """Ask for the engine's own name and version, and return them as one line.

        Raises:
            EngineError: If the engine fails other than by refusing.
        """
        if self._title is None:
            words = [self.try_send(command) or "" for command in ("name", "version")]
            self._title = " ".join(" ".join(words).split()) or self.name
        return self._title

    def close(self, *, timeout: float = 3.0) -> None:
        """End the engine: politely, then by force. It may be closed twice."""
        if self._process.poll() is None and self._broken is None:
            with contextlib.suppress(EngineError):
                self.send("quit", timeout=timeout)
            with contextlib.suppress(subprocess.TimeoutExpired, OSError):
                if self._process.stdin is not None:
                    self._process.stdin.close()
                self._process.wait(timeout)
        self._kill()
        if self._broken is None:
            self._broken = EngineError(self.name, Fault.DIED, "it was closed")

    def abandon(self) -> None:
        """End the engine at once, from any thread; a :meth:`send` that waits fails with ``DIED``.

        It is still to be closed by its owner.
        """
        if self._is_gone:
            return  # Its number may be another process's by now.
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def cpu_seconds(self) -> float | None:
        """Return the processor time used by the engine and its children so far; None if unknown.

        Read from the system where it tells (Linux), else by the engine's own ``cputime``.
        """
        seconds = session_seconds(self.pid)
        if seconds is None and self.is_usable:
            text = self.try_send("cputime")
            with contextlib.suppress(ValueError, TypeError):
                return float(text) if text else None
        return seconds

    def _write(self, line: str) -> None:
        if self._listen is not None:
            self._listen(">", line)
        pipe = self._process.stdin
        try:
            if pipe is None or pipe.closed:
                raise BrokenPipeError
            pipe.write(line.encode() + b"\n")
        except OSError:
            pass  # The reader learns of the end as well, and knows what was said before it.

    def _wait(self, command: str, deadline: float, timeout: float, noise_before: int) -> Reply:
        """Return the reply to the latest command, passing over those to earlier ones."""
        while True:
            try:
                reply = self._replies.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise self._fail(*self._timeout_fault(command, timeout, noise_before)) from None
            if isinstance(reply, Fault):
                raise self._fail(reply, self._end_message(reply, command))
            if reply.number is not None:
                self._echoes_numbers = True
                if reply.number == self._number:
                    return reply
                if reply.number > self._number:
                    message = f"{_shorten(command)!r} was answered with number {reply.number}"
                    raise self._fail(Fault.GARBAGE, f"{message} instead of {self._number}")
            elif not self._echoes_numbers:
                return reply
            self._note_noise(f"late reply: {reply.text}")

    def _timeout_fault(self, command: str, timeout: float, noise_before: int) -> tuple[Fault, str]:
        message = f"no answer to {_shorten(command)!r} in {timeout:.3g} s"
        if self._noise_count > noise_before and self.noise:
            return Fault.GARBAGE, f"{message}, only {_shorten(self.noise[-1])!r}"
        return Fault.SILENT, message

    def _end_message(self, fault: Fault, command: str) -> str:
        if fault == Fault.FLOOD:
            return f"too much output at {_shorten(command)!r}"
        try:
            status = f"with status {self._process.wait(1.0)}"
        except subprocess.TimeoutExpired:
            status = "its output"
        self._readers[1].join(0.2)
        last = f": {_shorten(self._errors[-1])}" if self._errors else ""
        return f"ended {status} at {_shorten(command)!r}{last}"

    def _fail(self, fault: Fault, message: str) -> EngineError:
        self._broken = EngineError(self.name, fault, message)
        self._kill()
        return self._broken

    def _drop_strays(self) -> None:
        """Forget replies that nobody asked for."""
        while not self._replies.empty():
            reply = self._replies.get()
            if isinstance(reply, Fault):
                self._replies.put(reply)
                return
            self._note_noise(f"stray reply: {reply.text}")

    def _note_noise(self, line: str) -> None:
        self._noise_count += 1
        self.noise.append(line[:1000])

    def _kill(self) -> None:
        """End the process and its children; read what they still say into nowhere."""
        if self._is_gone:
            return
        self.abandon()
        self._process.wait()
        self._is_gone = True
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        for reader in self._readers:
            if reader is not threading.current_thread():
                reader.join(2.0)

    def _read_replies(self) -> None:
        """Cut standard output into replies until it ends. Runs in a thread of its own."""
        stream = self._process.stdout
        if stream is None:
            return
        cutter = ReplyCutter(self._note_noise)
        fault = Fault.DIED
        try:
            while chunk := _read(stream.fileno()):
                for reply in cutter.feed(chunk, self._listen):
                    self._replies.put(reply)
                if cutter.size > REPLY_LIMIT:
                    fault = Fault.FLOOD
                    break
        finally:
            # Also if a listener fails: whoever waits for a reply must hear that none will come.
            self._replies.put(fault)
            stream.close()

    def _read_errors(self) -> None:
        """Keep the last lines of standard error, so that the engine never waits for a reader."""
        stream = self._process.stderr
        if stream is None:
            return
        pending = b""
        while chunk := _read(stream.fileno()):
            *lines, pending = (pending + chunk).split(b"\n")
            pending = pending[-4096:]
            for raw in lines:
                if raw.strip():
                    self._errors.append(raw[-4096:].decode("utf-8", "replace").strip())
        if pending.strip():
            self._errors.append(pending.decode("utf-8", "replace").strip())
        stream.close()


def split_command(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command line. ``montego`` is this Montego, whatever is installed.

    Raises:
        GoError: If there is no word, or a quote is not closed.
    """
    try:
        if isinstance(command, str):
            words = shlex.split(command, posix=os.name == "posix")
        else:
            words = list(command)
    except ValueError as error:
        raise GoError(f"invalid command {command!r}: {error}") from None
    if not words:
        raise GoError("an engine needs a command")
    if words[0] == "montego":
        return [sys.executable, "-m", "montego", *words[1:]]
    return words


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= QUOTED else line[: QUOTED - 1] + "…"
