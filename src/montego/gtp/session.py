"""A session of the Go Text Protocol: takes lines, obeys commands, writes replies.

Commands run one after another in the thread that called :meth:`Session.run`; the reader of
standard input is a thread of its own (:mod:`montego.gtp.inbox`). The player is made when the first
command needs a board, because that loads NumPy.

A command that streams calls :meth:`Session.open_reply` and then :meth:`Session.write_line` as often
as it likes; the session writes the empty line at the end. What fails after that cannot be a failure
any more, so its last line says ``failed:`` and why; commands check what they can before.
"""

from __future__ import annotations

import sys
import threading
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, TextIO

from montego.go.vocabulary.errors import (
    GoError,
    IllegalMove,
    InvalidColor,
    InvalidSize,
    InvalidVertex,
)
from montego.gtp.inbox import Inbox
from montego.gtp.log import NOTED, RECEIVED, SENT, ConversationLog
from montego.gtp.protocol import (
    GtpError,
    Request,
    encode,
    format_body,
    format_reply,
    parse_request,
)
from montego.gtp.registry import SYNTAX_ERROR, Arguments, Entry, load_commands
from montego.gtp.snapshot import Snapshot, restore, take_snapshot
from montego.mcts.errors import MctsError
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.engine.options.options import Options
    from montego.engine.player import Player

STOP_AGAIN_AFTER = 0.02
"""Seconds between looks at whether a command should stop."""

CLIENT_GONE = "the client has gone"
"""What the log says when nobody reads our replies any more."""

LONGEST_CONFESSION = 200
"""Characters of a bug's message that a client is told; the log has all."""


class OutputClosed(BaseException):
    """The client closed our standard output: a reason to end, for which nobody is to blame.

    Not an ``Exception``, so that no command mistakes it for a failure of its own.
    """


@dataclass(frozen=True, kw_only=True)
class Manners:
    """How a session presents itself; presets for servers are made of these."""

    name: str = "Montego"
    version: str = __version__
    chat: bool = False
    """Whether ``kgs-chat`` is listed; some versions of kgsGtp crash if it is."""
    discuss: bool = False
    """Whether each decision is told on standard error in the words that gtp2ogs looks for."""

    @classmethod
    def of(cls, options: Options) -> Manners:
        """Return the manners that the options ask for."""
        return cls(name=options.name, chat=options.kgs_chat, discuss=options.ogs)


class Session:
    """One client, one player, one conversation."""

    def __init__(
        self,
        make_player: Callable[[], Player],
        output: BinaryIO,
        *,
        manners: Manners | None = None,
        log: ConversationLog | None = None,
        errors: TextIO | None = None,
    ) -> None:
        """*make_player* is called at most once, when a command needs the player."""
        self.manners = manners or Manners()
        self.commands: dict[str, Entry] = load_commands()
        self.log = log or ConversationLog()
        self.inbox = Inbox(heard=self._heard)
        self.quitting = False
        """Set by ``quit``: the session ends after the reply."""
        self.sigint_hurries = False
        """Set by ``gogui-sigint``: Ctrl-C then means what ``# interrupt`` means."""
        self.live_graphics = False
        """Whether ``genmove`` draws its search in GoGui."""
        self._make_player = make_player
        self._player: Player | None = None
        self._prepared = False
        self._output = output
        self._errors = errors or sys.stderr
        self._writing = threading.Lock()
        self._request: Request | None = None
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

    def lists(self, entry: Entry) -> bool:
        """Say whether ``list_commands`` names the command to this client."""
        return entry.listed or (entry.name == "kgs-chat" and self.manners.chat)

    def adopt(self, options: Options) -> None:
        """Behave as the options say, which a client has just changed."""
        self.manners = Manners.of(options)

    @property
    def interrupted(self) -> threading.Event:
        """Set as soon as any line came in behind the running command. Ends an analysis."""
        return self.inbox.interrupted

    @property
    def hurried(self) -> threading.Event:
        """Set as soon as the running command was asked to finish early (``# interrupt``)."""
        return self.inbox.hurried

    # Obeying

    def run(self, stream: BinaryIO) -> None:
        """Obey the lines of *stream* until ``quit``, its end, or the end of our reader."""
        self.inbox.start(stream)
        try:
            while not self.quitting:
                line = self.inbox.take()
                if line is None:
                    break
                self.obey(line)
                self._prepare()
        except OutputClosed:
            self.log.write(NOTED, CLIENT_GONE)

    def _prepare(self) -> None:
        """Let the player load what a search needs as soon as there is a player, once.

        After the reply, because the machine may be busy with it for a while. What is wrong here is
        wrong for the next search as well, whose reply says it; nobody else could be told now.
        """
        if self._player is None or self._prepared:
            return
        self._prepared = True
        try:
            self._player.prepare()
        except (GoError, MctsError) as error:
            self.tell(f"montego: {error_text(error)}")
        except Exception as error:  # noqa: BLE001  # As in _answer.
            self.tell(f"montego: {self._confess(error, None)}")

    def obey(self, line: str) -> None:
        """Carry out one decoded line and write the reply; nothing for an empty line.

        Raises:
            OutputClosed: If nobody reads the replies any more.
        """
        request = parse_request(line)
        if request is None:
            return
        self._request, self._reply_open = request, False
        text, success = self._answer(request)
        if not self._reply_open:
            self._write(format_reply(request.id, text, success=success))
        else:
            body = format_body((text or "") if success else f"failed: {text}")
            self._write(f"{body}\n\n" if body else "\n")
        self._request, self._reply_open = None, False

    def _answer(self, request: Request) -> tuple[str | None, bool]:
        """Return the text of the reply and whether it is a success."""
        entry = self.commands.get(request.name)
        if entry is None:
            return "unknown command", False
        before = None if self._player is None else take_snapshot(self._player.game)
        try:
            return entry.run(self, Arguments(request.text)), True
        except GtpError as error:
            return str(error), False
        except (GoError, MctsError) as error:
            return error_text(error), False
        except Exception as error:  # noqa: BLE001  # A bug must not end the game.
            return self._confess(error, before), False

    def _confess(self, error: Exception, before: Snapshot | None) -> str:
        """Log a bug, put the game back as it was, and return one line for the client."""
        self.log.write(NOTED, traceback.format_exc())
        if before is not None and self._player is not None:
            try:
                restore(self._player, before)
            except Exception:  # noqa: BLE001  # As good as it gets.
                self.log.write(NOTED, traceback.format_exc())
        message = " ".join(str(error).split())[:LONGEST_CONFESSION]
        return f"internal error: {type(error).__name__}{': ' if message else ''}{message}"

    # Writing

    def open_reply(self) -> None:
        """Write the first line of a streamed reply, ``=`` and the id. Once is enough."""
        if not self._reply_open:
            self._reply_open = True
            self._write(f"={self._request.id if self._request else ''}\n")

    def write_line(self, text: str) -> None:
        """Write one line of a streamed reply at once; empty lines are left out."""
        self.open_reply()
        body = format_body(text)
        if body:
            self._write(f"{body}\n")

    def tell(self, text: str) -> None:
        """Write lines to standard error: chat and live graphics, which some programs read there.

        A standard error that is closed is nobody's trouble.
        """
        self.log.write(NOTED, text)
        try:
            self._errors.write(f"{text}\n")
            self._errors.flush()
        except (OSError, ValueError):
            pass

    def _write(self, text: str) -> None:
        self.log.write(SENT, text)
        with self._writing:
            try:
                self._output.write(encode(text))
                self._output.flush()
            except (OSError, ValueError):
                raise OutputClosed from None

    # Stopping

    @contextmanager
    def stopping(self, event: threading.Event, stop: Callable[[], None]) -> Iterator[None]:
        """Have *stop* called, from another thread, as soon as *event* is set, while inside.

        ``with session.stopping(session.interrupted, player.stop): player.analyze(...)``
        ends an analysis at any input; with ``session.hurried`` it ends ``genmove`` on request.
        """
        done = threading.Event()

        def watch() -> None:
            # Looks again and again: a stop that comes before the search has begun is lost.
            while not done.wait(STOP_AGAIN_AFTER):
                if event.is_set():
                    stop()

        watcher = threading.Thread(target=watch, name="gtp-stopper", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()  # Else its stop might hit the next command.

    def _heard(self, line: str) -> None:
        self.log.write(RECEIVED, line)


def error_text(error: GoError | MctsError) -> str:
    """Return what the protocol says about an error of ours: its own words where it has them."""
    if isinstance(error, IllegalMove):
        return "illegal move"
    if isinstance(error, InvalidSize):
        return "unacceptable size"
    if isinstance(error, InvalidColor | InvalidVertex):
        return SYNTAX_ERROR
    return " ".join(str(error).split())
