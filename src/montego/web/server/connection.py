"""One page: what it asks goes to the library or to the game it watches, what happens comes back.

Messages of a page are carried out one after another on a worker thread, so that the event loop
waits for nothing. A page that asks faster than anybody can click is slowed down, not refused.

What is told to the page waits in its :class:`Outbox`. Sessions put messages in from their threads
and never wait; the connection takes them out as fast as the page reads. The whole state of a game
replaces the one that still waits, and so does a newer report of the same search: a slow page sees
fewer pictures, never stale ones. Nothing else is lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
import time
import traceback
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocketDisconnect, WebSocketState

from montego.go.vocabulary.errors import GoError
from montego.web.messages import requests
from montego.web.messages.limits import (
    HIDDEN_SECONDS,
    MESSAGES_AT_ONCE,
    MESSAGES_PER_SECOND,
    MOST_MESSAGE_BYTES,
    MOST_QUEUED_MESSAGES,
)
from montego.web.messages.replies import AnalysisReport, Failure, Games, GameState, as_sentence

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from starlette.websockets import WebSocket

    from montego.web.messages.replies import Reply
    from montego.web.messages.requests import Request
    from montego.web.problems.coach import Coach
    from montego.web.server.library import Library
    from montego.web.session.session import Session

    InThread = Callable[..., Awaitable[Any]]

TRY_AGAIN_LATER = 1013


class Connection:
    """A page and the game that it watches, if any. Lives in the event loop."""

    def __init__(
        self, websocket: WebSocket, library: Library, coach: Coach, in_thread: InThread
    ) -> None:
        """Serve the page behind *websocket*; *in_thread* runs what may take a moment."""
        self.outbox = Outbox()
        self._websocket = websocket
        self._library = library
        self._coach = coach
        self._in_thread = in_thread
        self._changing = asyncio.Lock()  # What is watched changes here and when nobody looks.
        self._game: str | None = None
        self._session: Session | None = None
        self._end_watch: Callable[[], None] | None = None
        self._hidden_since: float | None = None
        self._allowance = float(MESSAGES_AT_ONCE)
        self._counted = time.monotonic()

    @property
    def shows_list(self) -> bool:
        """Whether the page shows the start page, and wants to know when the list changes."""
        return self._game is None

    async def run(self, welcome: Reply) -> None:
        """Talk to the page until it goes."""
        self.outbox.put(welcome)
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        except WebSocketDisconnect:
            pass
        finally:
            self.outbox.close()
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
            # Not awaited: the game must learn of it even if this task is being cancelled.
            asyncio.get_running_loop().run_in_executor(None, self._unwatch)

    async def tend(self) -> None:
        """Stop watching for a page that has been hidden for long; it comes back by itself."""
        hidden = self._hidden_since
        if self._changing.locked() or hidden is None:
            return  # Whoever asks something is there.
        if time.monotonic() - hidden >= HIDDEN_SECONDS:
            async with self._changing:
                await self._in_thread(self._unwatch)

    async def _read(self) -> None:
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._slow_down()
            text = message.get("text")
            if text is None:
                self.outbox.put(Failure("The server understands text only, no binary messages."))
            elif len(text) > MOST_MESSAGE_BYTES or len(text.encode()) > MOST_MESSAGE_BYTES:
                size = MOST_MESSAGE_BYTES // 1024
                self.outbox.put(Failure(f"The message is longer than {size} KB."))
            else:
                await self._obey(text)

    async def _write(self) -> None:
        """Send what is in the outbox; a page that does not read keeps nobody else waiting."""
        while (reply := await self.outbox.take()) is not None:
            try:
                await self._websocket.send_text(msgspec.json.encode(reply).decode())
            except (WebSocketDisconnect, RuntimeError):
                return  # It is gone; the reader learns of it, too.
        if self._websocket.application_state == WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError):
                await self._websocket.close(TRY_AGAIN_LATER, "the page reads too slowly")

    async def _slow_down(self) -> None:
        """Wait while the page has sent more than its share."""
        now = time.monotonic()
        earned = (now - self._counted) * MESSAGES_PER_SECOND
        self._counted = now
        self._allowance = min(float(MESSAGES_AT_ONCE), self._allowance + earned) - 1
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / MESSAGES_PER_SECOND)

    async def _obey(self, text: str) -> None:
        """Carry out a message; whatever goes wrong becomes a sentence for the person."""
        try:
            request = requests.parse_request(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self.outbox.put(Failure(requests.complain(error), requests.request_number(text)))
            return
        try:
            async with self._changing:
                reply = await self._in_thread(self._answer, request)
        except ValueError as error:  # What a person can cause is one, with a sentence.
            reply = Failure(as_sentence(str(error)), request.number)
        except Exception as error:  # noqa: BLE001  # A bug must not cost anybody the game.
            _log(request, error)
            told = "Something went wrong in Montego; the game is kept. Try it again, or reload."
            reply = Failure(told, request.number)
        if reply is not None:
            self.outbox.put(reply)

    def _answer(self, request: Request) -> Reply | None:
        """Do what a page asks. Runs on a worker thread.

        Raises:
            ValueError: If that cannot be done; the message says why.
        """
        match request:
            case requests.NewGame():
                self._watch(self._library.new(request))
            case requests.OpenGame():
                self._watch(request.game)
            case requests.LeaveGame():
                self._leave()
                self._send_list()
            case requests.DeleteGame():
                if request.game == self._game:
                    self._leave()
                self._library.delete(request.game)
                self._send_list()
            case requests.ArchiveGame():
                self._library.archive(request.game, archived=request.archived)
                self._send_list()
            case requests.ShowBook():
                from montego.web.server.book_walk import show_book  # noqa: PLC0415  # Loads SQLite.

                return show_book(self._library.programs.book, request)
            case requests.ShowLadder():
                return self._library.ladder(request)
            case requests.ShowProblem():
                return self._coach.trainer.show(request)
            case requests.AnswerProblem():
                return self._coach.trainer.answer(request)
            case requests.FindProblems():
                self._coach.find_problems(self._library.mistakes(), self.outbox.put, request.number)
            case requests.Presence():
                self._see(visible=request.visible)
            case _:
                if self._game is None:
                    raise GoError("open a game first")
                if self._session is None:  # It was hidden; whoever asks something is there.
                    self._see(visible=True)
                if self._session is not None and isinstance(request, requests.Solve):
                    self._coach.solve(self._session, request, self.outbox.put)
                elif self._session is not None:
                    return self._session.handle(request)
        return None

    def _watch(self, game: str) -> None:
        """Watch a game instead of another, and send how it stands."""
        session, end = self._library.watch(game, self.outbox.put)
        self._leave()
        self._game, self._session, self._end_watch = game, session, end
        mark = self.outbox.mark
        self.outbox.put(session.state(), mark)
        if (review := session.review()) is not None:
            self.outbox.put(review)

    def _send_list(self) -> None:
        mark = self.outbox.mark
        self.outbox.put(Games(self._library.summaries()), mark)

    def _leave(self) -> None:
        self._unwatch()
        self._game = None

    def _unwatch(self) -> None:
        end, self._session, self._end_watch = self._end_watch, None, None
        if end is not None:
            end()

    def _see(self, *, visible: bool) -> None:
        """Note whether somebody can see the page; one that comes back gets the game again."""
        self._hidden_since = None if visible else self._hidden_since or time.monotonic()
        if visible and self._game is not None and self._session is None:
            self._watch(self._game)


def _log(request: Request, error: Exception) -> None:
    """Leave a line on standard error about a bug: what was asked, and where it happened."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    told = f"{type(request).__name__} failed: {type(error).__name__}: {error}"
    sys.stderr.write(f"montego: {told} ({where.filename}:{where.lineno})\n")


class Outbox:
    """A queue into one event loop. Made in the loop; :meth:`put` may be called from anywhere."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lock = threading.RLock()
        self._replies: OrderedDict[Hashable, Reply] = OrderedDict()
        self._number = 0
        self._latest: dict[Hashable, int] = {}
        self._filled = asyncio.Event()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._replies)

    @property
    def mark(self) -> int:
        """A number for :meth:`put`, to be taken before a message is made."""
        return self._number

    def put(self, reply: Reply, mark: int | None = None) -> None:
        """Have a message sent. Does nothing once the outbox is closed.

        With a *mark* it does nothing either if another message that would replace this one was put
        since then: between making a message and putting it, somebody else may have had news.
        """
        with self._lock:
            key = _key(reply)
            if self._is_closed or (mark is not None and self._latest.get(key, 0) > mark):
                return
            self._number += 1
            if key is None:
                key = self._number
            else:
                self._latest[key] = self._number
            # A newer one takes the place of the older: it then comes before what was said about it.
            self._replies[key] = reply
            if len(self._replies) > MOST_QUEUED_MESSAGES:
                self.close()
        self._wake()

    async def take(self) -> Reply | None:
        """Return the next message when there is one; None when the outbox is closed."""
        while True:
            with self._lock:
                if self._is_closed:
                    return None
                if self._replies:
                    return self._replies.popitem(last=False)[1]
                self._filled.clear()
            await self._filled.wait()

    def close(self) -> None:
        """Forget what waits, and take nothing more."""
        with self._lock:
            self._is_closed = True
            self._replies.clear()
        self._wake()

    def _wake(self) -> None:
        if not self._loop.is_closed():
            try:
                self._loop.call_soon_threadsafe(self._filled.set)
            except RuntimeError:
                return  # It was closed in this moment: nobody is there to read.


def _key(reply: Reply) -> Hashable:
    """Return what a message replaces when it is newer; None if it stands for itself."""
    if isinstance(reply, GameState):
        return (GameState, reply.id)
    if isinstance(reply, AnalysisReport):
        return (AnalysisReport, reply.game, reply.node, reply.purpose)
    if isinstance(reply, Games):
        return Games
    return None
