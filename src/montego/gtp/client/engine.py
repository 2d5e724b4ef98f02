"""Starting any GTP engine as a process and talking to it.

One thread reads the engine's standard output and cuts it into replies, another drains standard
error. Every command carries a number, so that a late reply to an earlier one is not taken for an
answer; what is printed outside of replies is kept as *noise* and otherwise ignored.

After any failure except a refusal nobody knows what the engine will say next: it is ended, and the
only way on is a new one. Nothing here knows the rules of Go.
"""

from __future__ import annotations

import contextlib
import enum
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, Self

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

REPLY_LIMIT = 8 * 1024 * 1024  # Bytes of one reply, or of noise between two: beyond it is a flood.
QUOTED = 80  # Characters of an engine's own words that a message repeats.

# Nobody asked for a number of more digits, and Python refuses to read one of thousands.
_HEAD = re.compile(r"([=?])([0-9]{0,18})[ ]?(.*)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # All that GTP drops; tab and newline stay.


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


class _Reply(NamedTuple):
    succeeded: bool
    number: int | None
    text: str


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
        listen: Callable[[str, str], None] | None = None,
    ) -> None:
        self.command = split_command(command)
        self.name = name or Path(self.command[0]).name
        self.timeout = timeout
        self.start_timeout = start_timeout
        self.noise: deque[str] = deque(maxlen=20)
        """The latest lines that belonged to no reply."""
        self.errors: deque[str] = deque(maxlen=20)
        """The latest lines of the engine's standard error."""
        self.title = "?"
        self.sources = ""
        """A digest of what it plays by, if it is Montego and has introduced itself."""
        """What the engine calls itself, with its version; see :meth:`introduce`."""
        self._listen = listen
        self._replies: queue.SimpleQueue[_Reply | Fault] = queue.SimpleQueue()
        self._number = 0
        self._echoes_numbers = False
        self._answered = False
        self._noise_count = 0
        self._broken: EngineError | None = None
        self._commands: frozenset[str] | None = None
        self._is_gone = False
        self._process = self._start()
        self.pid = self._process.pid
        """The number of the engine's process."""
        self._readers = [
            threading.Thread(target=self._read_replies, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603  # Running what the user names is the purpose.
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for us; and its children end with it.
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"cannot start {self.command[0]!r}: {reason}"
            raise EngineError(self.name, Fault.START, message) from None

    @property
    def is_usable(self) -> bool:
        """Whether a command could still be sent: nothing has failed and the process lives."""
        return self._broken is None and self._process.poll() is None

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
        reply = self._exchange(command, timeout)
        self._answered = True
        if reply.succeeded:
            return reply.text
        message = f"{shorten(command)!r} was refused: {shorten(reply.text)}"
        raise EngineError(self.name, Fault.REFUSED, message)

    def try_send(self, command: str) -> str | None:
        """As :meth:`send`, but a refusal, or a command the engine does not list, gives None."""
        known = self.knows(command.split(maxsplit=1)[0])
        return self._send_unless_refused(command) if known else None

    def knows(self, command: str) -> bool:
        """Say whether ``list_commands`` has it. An engine that cannot list is taken to know all."""
        if self._commands is None:
            self._commands = frozenset((self._send_unless_refused("list_commands") or "").split())
        return not self._commands or command in self._commands

    def _send_unless_refused(self, command: str) -> str | None:
        try:
            return self.send(command)
        except EngineError as error:
            if error.fault != Fault.REFUSED:
                raise
            return None

    def introduce(self) -> str:
        """Ask for the engine's own name and version, once, and return them as one line.

        Montego is also asked for :attr:`sources`.

        Raises:
            EngineError: If the engine fails other than by refusing.
        """
        if self.title == "?":
            words = [self.try_send(command) or "" for command in ("name", "version")]
            self.title = " ".join(" ".join(words).split()) or self.name
            if self._commands:  # One that cannot list its commands is none of ours.
                self.sources = self.try_send("montego-sources") or ""
        return self.title

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
                os.killpg(self.pid, signal.SIGKILL)
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

    def _exchange(self, command: str, timeout: float) -> _Reply:
        """Write a command and return its reply, passing over those to earlier ones."""
        noise_before, deadline = self._noise_count, time.monotonic() + timeout
        self._number += 1
        self._write(f"{self._number} {command}")
        while True:
            try:
                reply = self._replies.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                message = f"no answer to {shorten(command)!r} in {timeout:.3g} s"
                if self._noise_count > noise_before and self.noise:
                    message += f", only {shorten(self.noise[-1])!r}"
                    raise self._fail(Fault.GARBAGE, message) from None
                raise self._fail(Fault.SILENT, message) from None
            if isinstance(reply, Fault):
                raise self._fail(reply, self._end_message(reply, command))
            if reply.number is not None:
                self._echoes_numbers = True
                if reply.number == self._number:
                    return reply
                if reply.number > self._number:
                    message = f"{shorten(command)!r} was answered with number {reply.number}"
                    raise self._fail(Fault.GARBAGE, f"{message} instead of {self._number}")
            elif not self._echoes_numbers:
                return reply
            self._note_noise(f"late reply: {reply.text}")

    def _end_message(self, fault: Fault, command: str) -> str:
        if fault == Fault.FLOOD:
            return f"too much output at {shorten(command)!r}"
        try:
            status = f"with status {self._process.wait(1.0)}"
        except subprocess.TimeoutExpired:
            status = "its output"
        self._readers[1].join(0.2)
        last = f": {shorten(self.errors[-1])}" if self.errors else ""
        return f"ended {status} at {shorten(command)!r}{last}"

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
        pending = b""
        reply: list[str] | None = None  # The lines of the one that has begun.
        size = 0  # Bytes since the last whole one.
        fault = Fault.DIED
        try:
            for chunk in _chunks(self._process.stdout):
                size += len(chunk)
                *lines, pending = (pending + chunk).split(b"\n")
                for raw in lines:
                    line = _CONTROL.sub("", raw.decode("utf-8", "replace"))
                    if self._listen is not None:
                        self._listen("<", line)
                    if line.strip():
                        if reply is not None:
                            reply.append(line)
                        elif line[0] in "=?":
                            reply = [line]
                        else:
                            self._note_noise(line)
                    elif reply is not None:
                        self._replies.put(_parse_reply(reply))
                        reply, size = None, len(pending)
                if size > REPLY_LIMIT:
                    fault = Fault.FLOOD
                    break
        finally:
            # Also if a listener fails: whoever waits for a reply must hear that none will come.
            self._replies.put(fault)

    def _read_errors(self) -> None:
        """Keep the last lines of standard error, so that the engine never waits for a reader."""
        pending = b""
        for chunk in chain(_chunks(self._process.stderr), [b"\n"]):
            *lines, pending = (pending + chunk).split(b"\n")
            pending = pending[-4096:]
            for raw in lines:
                if raw.strip():
                    self.errors.append(raw[-4096:].decode("utf-8", "replace").strip())


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


def session_seconds(session: int) -> float | None:
    """Return the processor time of all processes of a session of the system so far.

    Those that they started in sessions of their own count too, as a hybrid's adviser does. None
    where the system does not tell (it does on Linux), or if no process is left.
    """
    try:
        entries = os.listdir("/proc")  # noqa: PTH208  # Its names are all that is wanted.
    except OSError:
        return None
    processes: dict[int, _Process] = {}
    for entry in filter(str.isdecimal, entries):
        with contextlib.suppress(OSError):  # It may have ended.
            # The second field is a name in parentheses, which may hold anything.
            fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            parent, leader, ticks = int(fields[1]), int(fields[3]), sum(map(int, fields[11:15]))
            processes[int(entry)] = _Process(parent, leader, ticks)
    counted: set[int] = set()
    found = {number for number, process in processes.items() if process.session == session}
    while found:
        counted |= found
        found = {
            number
            for number, process in processes.items()
            if process.parent in counted and number not in counted
        }
    if not counted:
        return None
    return sum(processes[number].ticks for number in counted) / os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    parent: int
    session: int
    ticks: int  # its own, and those of children it has waited for


def _parse_reply(lines: list[str]) -> _Reply:
    match = _HEAD.fullmatch("\n".join(lines))
    if match is None:
        raise AssertionError(lines)  # The first line begins with a sign, or there is no reply.
    return _Reply(match[1] == "=", int(match[2]) if match[2] else None, match[3].strip())


def _chunks(pipe: IO[bytes] | None) -> Iterator[bytes]:
    """Yield what comes out of a pipe until it ends, then close it."""
    if pipe is not None:
        with pipe, contextlib.suppress(OSError):
            while chunk := os.read(pipe.fileno(), 65536):
                yield chunk


def shorten(text: str, most: int = QUOTED) -> str:
    """Return *text* as one line of at most so many characters, as messages quote it."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
