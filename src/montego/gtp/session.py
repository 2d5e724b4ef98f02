"""A session of the Go Text Protocol: takes lines, obeys commands, writes replies, keeps a log.

Lines are bytes outside and text inside. Bytes that are not UTF-8 travel as lone surrogates
(``surrogateescape``), so that whatever a client sent comes back to it unchanged.

Commands run one after another in the thread that called :meth:`GtpSession.run`. A thread of its own
reads the input into an :class:`Inbox`, so that a running command can be interrupted. The player is
made when the first command needs a board, because that loads NumPy.

A command that streams calls :meth:`GtpSession.open_reply` and then :meth:`GtpSession.write_line` as
often as it likes; the session writes the empty line at the end. What fails after that cannot be a
failure any more, so its last line says ``failed:`` and why; commands check what they can before.
"""

from __future__ import annotations

import re
import sys
import threading
import time
import traceback
from collections import deque
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TextIO

from montego.engine.options.options import Options
from montego.go.vocabulary.errors import (
    GoError,
    IllegalMove,
    InvalidColor,
    InvalidSize,
    InvalidVertex,
)
from montego.gtp.registry import SYNTAX_ERROR, Arguments, load_commands
from montego.mcts.errors import MctsError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from montego.engine.player import Player
    from montego.go.game import Game

INTERRUPT = "# interrupt"
LONGEST_BUG = 200
"""Characters of a bug's message that a client is told."""

_CONTROL = {code: None for code in (*range(32), 127) if chr(code) != "\t"}
_CONTROL_BUT_NEWLINE = {code: None for code in _CONTROL if chr(code) != "\n"}

# Of a line without blanks at its ends. Nothing in it is tried twice: lines may be of any length.
_LINE = re.compile(r"(?:(?P<id>[0-9]+)(?: +|$))?(?P<name>[^ ]*) *(?P<text>.*)")


class CommandLine(NamedTuple):
    """A command as a client sent it."""

    id: str
    """The digits in front of the command, or nothing."""
    name: str
    """The command. Empty if there was an id only."""
    text: str
    """Everything after the command, without blanks at its ends; words are split by blanks."""


def decode_line(line: bytes) -> str:
    """Return a line of input as text, without control characters; tabs become blanks."""
    return line.decode("utf-8", "surrogateescape").translate(_CONTROL).replace("\t", " ")


def encode(text: str) -> bytes:
    """Return the bytes of *text*, those of the client's own that were not UTF-8 included."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # A surrogate that did not come from decode_line: from JSON, say.
        return text.encode("utf-8", "backslashreplace")


def is_interrupt(line: str) -> bool:
    """Say whether a decoded line asks the running command to finish early (GoGui's comment)."""
    return line.strip(" ").lower() == INTERRUPT


def parse_line(line: str) -> CommandLine | None:
    """Return the command on a decoded line; None if there is nothing but blanks and comment."""
    line = line.partition("#")[0].strip(" ")
    if not line:
        return None
    match = _LINE.fullmatch(line)
    assert match is not None  # noqa: S101  # The pattern takes every line.
    return CommandLine(match["id"] or "", match["name"], match["text"])


def format_reply(request_id: str, text: str | None = None, *, success: bool = True) -> str:
    """Return the whole reply, its empty line at the end included; *text* as in :func:`format_body`.

    A *text* that begins with a newline begins on the line after the sign. A blank stands between
    them all the same: GoGui takes what follows the first one for the reply.
    """
    sign = "=" if success else "?"
    body = format_body(text or "")
    if not body:
        return f"{sign}{request_id}\n\n"
    separator = " \n" if text and text.startswith("\n") else " "
    return f"{sign}{request_id}{separator}{body}\n\n"


def format_body(text: str) -> str:
    """Return *text* as it may stand in a reply: no empty lines, no control characters but tabs."""
    lines = text.translate(_CONTROL_BUT_NEWLINE).split("\n")
    return "\n".join(line.rstrip(" ") for line in lines if line.strip(" \t"))


def bug_text(error: Exception) -> str:
    """Return what a client is told of an error that nobody foresaw: one line."""
    message = " ".join(str(error).split())[:LONGEST_BUG]
    return f"internal error: {type(error).__name__}{': ' if message else ''}{message}"


CLIENT_GONE = "the client has gone"
"""What the log says when nobody reads our replies any more."""

GREETING = "Montego understands the commands of KataGo"
"""Said on standard error: gtp2ogs shows variations only after some line had KataGo's name in it."""

RECEIVED, SENT, NOTED = ">", "<", "!"
"""How the lines of a log begin, behind their time."""

_VISIBLE = attrgetter("size", "rules", "komi", "handicap", "history", "to_play", "result")


class OutputClosed(BaseException):
    """The client closed our standard output. No command mistakes it for an ``Exception``."""


class GtpSession:
    """One client, one player, one conversation."""

    def __init__(
        self,
        make_player: Callable[[], Player],
        output: BinaryIO,
        *,
        options: Options | None = None,
        log: ConversationLog | None = None,
        errors: TextIO | None = None,
    ) -> None:
        """*make_player* is called at most once, when a command needs the player.

        *options* are those that it will make the player with.
        """
        self.commands = load_commands()
        self.log = log or ConversationLog()
        self.inbox = Inbox(self.log)
        self.interrupted = self.inbox.interrupted
        """Set as soon as any line came in behind the running command. Ends an analysis."""
        self.hurried = self.inbox.hurried
        """Set as soon as the running command was asked to finish early (``# interrupt``)."""
        self.quitting = False
        """Set by ``quit``: the session ends after the reply."""
        self.heed_ctrl_c: Callable[[], object] = lambda: None
        """Called by ``gogui-sigint``: Ctrl-C shall set ``hurried`` from then on."""
        self.without_effect: dict[str, float] = {}
        """Settings of KataGo's that a client has made and that do nothing here."""
        self.live_graphics = False
        """Whether ``genmove`` draws its search in GoGui."""
        self._make_player = make_player
        self._options = options or Options()
        self._player: Player | None = None
        self._prepared = False
        self._output = output
        self._errors = errors or sys.stderr
        self._writing = threading.Lock()
        self._line = CommandLine("", "", "")  # The command that is obeyed.
        self._reply_open = False

    @property
    def player(self) -> Player:
        """The player, made now if nobody asked before.

        Raises:
            GoError: If the options do not go together.
        """
        if self._player is None:
            self._player = self._make_player()
        return self._player

    @property
    def has_player(self) -> bool:
        """Whether the player has been made. Asking does not make it."""
        return self._player is not None

    @property
    def options(self) -> Options:
        """The options in use, which a client may change. Asking does not make the player."""
        return self._options if self._player is None else self._player.options

    # Obeying

    def run(self, stream: BinaryIO) -> None:
        """Obey the lines of *stream* until ``quit``, its end, or the end of our reader."""
        if self.options.ogs:
            self.tell(GREETING)
        threading.Thread(
            target=self.inbox.read, args=(stream,), name="gtp-reader", daemon=True
        ).start()
        try:
            while not self.quitting and (line := self.inbox.take()) is not None:
                self.obey(line)
                self._prepare()
        except OutputClosed:
            self.log.write(NOTED, CLIENT_GONE)

    def obey(self, line: str) -> None:
        """Carry out one decoded line and write the reply; nothing for an empty line.

        Raises:
            OutputClosed: If nobody reads the replies any more.
        """
        parsed = parse_line(line)
        if parsed is None:
            return
        self._line, self._reply_open = parsed, False
        before = None if self._player is None else self._player.game.copy()
        entry = self.commands.get(parsed.name)
        text: str | None = "unknown command"
        success = False
        try:
            if entry is not None:
                arguments = Arguments(parsed.text)
                if entry.words is not None:
                    arguments.expect(*entry.words)
                text = entry.run(self, arguments)
                success = True
        except Exception as error:  # noqa: BLE001  # A bug must not end the game.
            text = self._failure(error, before)
        if not self._reply_open:
            self._write(format_reply(parsed.id, text, success=success))
        else:
            body = format_body((text or "") if success else f"failed: {text}")
            self._write(f"{body}\n\n" if body else "\n")

    def _failure(self, error: Exception, before: Game | None = None) -> str:
        """Return one line for the client: the protocol's own words where it has them.

        What is no error of ours is a bug: it is logged, and the game is put back as it was.
        """
        if isinstance(error, IllegalMove):
            return "illegal move"
        if isinstance(error, InvalidSize):
            return "unacceptable size"
        if isinstance(error, InvalidColor | InvalidVertex):
            return SYNTAX_ERROR
        if isinstance(error, GoError | MctsError):
            return " ".join(str(error).split())
        self.log.write(NOTED, traceback.format_exc())
        try:
            if before is not None and _VISIBLE(before) != _VISIBLE(self.player.game):
                self.player.load(before)
        except Exception:  # noqa: BLE001  # As good as it gets.
            self.log.write(NOTED, traceback.format_exc())
        return bug_text(error)

    def _prepare(self) -> None:
        """Let the player load what a search needs, once, after a reply: that may take a while.

        What is wrong here is wrong for the next search as well, whose reply says it.
        """
        if self._player is None or self._prepared:
            return
        self._prepared = True
        try:
            self._player.prepare()
        except Exception as error:  # noqa: BLE001  # As in obey.
            self.tell(f"montego: {self._failure(error)}")

    # Writing

    def open_reply(self) -> None:
        """Write the first line of a streamed reply, ``=`` and the id. Once is enough."""
        if not self._reply_open:
            self._reply_open = True
            self._write(f"={self._line.id}\n")

    def write_line(self, text: str) -> None:
        """Write one line of a streamed reply at once; empty lines are left out."""
        self.open_reply()
        if body := format_body(text):
            self._write(f"{body}\n")

    def tell(self, text: str) -> None:
        """Write lines to standard error: chat and live graphics, which some programs read there.

        Programs that merge standard error into standard output look at how lines begin, so none
        may begin with ``info``, ``play``, ``=`` or ``?``. If standard error is closed, nothing
        happens.
        """
        self.log.write(NOTED, text)
        with suppress(OSError, ValueError):
            self._errors.write(f"{text}\n")
            self._errors.flush()

    def _write(self, text: str) -> None:
        self.log.write(SENT, text)
        with self._writing:
            try:
                self._output.write(encode(text))
                self._output.flush()
            except (OSError, ValueError):
                raise OutputClosed from None


class Inbox:
    """Lines of input in the order in which they came; afterwards, for ever, the end of input."""

    def __init__(self, log: ConversationLog | None = None) -> None:
        """Every line goes into *log* as it comes, from the reading thread."""
        self.interrupted = threading.Event()
        """Set while there is input that the session has not taken."""
        self.hurried = threading.Event()
        """Set once the command that was taken last was asked to finish early."""
        self._log = log or ConversationLog()
        self._lines: deque[tuple[str, bool]] = deque()  # the line, and whether it is to hurry
        self._ended = False
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
        self._log.write(RECEIVED, line)
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
            self._ended = True
            self.interrupted.set()
            self._changed.notify_all()

    def take(self) -> str | None:
        """Wait for a line and return it; None at the end of input. Sets both events anew."""
        with self._changed:
            while not self._lines and not self._ended:
                self._changed.wait()
            line, hurry = self._lines.popleft() if self._lines else (None, False)
            if not self._lines and not self._ended:
                self.interrupted.clear()
            if hurry:
                self.hurried.set()
            else:
                self.hurried.clear()
            return line


class ConversationLog:
    """A file of every line in both directions, and of tracebacks; without one all is swallowed.

    A disk that is full ends the log, not the conversation.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        """Append to the file.

        Raises:
            GoError: If it cannot be opened.
        """
        self._lock = threading.RLock()
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
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
        stamp += f".{int(now * 1000) % 1000:03}"
        lines = "".join(f"{stamp} {direction} {line}\n" for line in text.rstrip("\n").split("\n"))
        with self._lock:
            try:
                if self._file is not None:
                    self._file.write(encode(lines))
            except OSError:
                self.close()

    def close(self) -> None:
        """Close the file; what is written afterwards is swallowed."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
