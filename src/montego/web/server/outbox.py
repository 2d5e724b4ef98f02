"""What waits to be sent to one page.

Sessions put messages in from their threads and never wait; the connection takes them out as fast
as the page reads. The whole state of a game replaces the one that still waits, and so does a newer
report of the same search: a slow page sees fewer pictures, never stale ones. Nothing else is lost.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import TYPE_CHECKING

from montego.web.messages.limits import MOST_QUEUED_MESSAGES
from montego.web.messages.replies import AnalysisReport, Games, GameState

if TYPE_CHECKING:
    from collections.abc import Hashable

    from montego.web.messages.replies import Reply


class Outbox:
    """A queue into one event loop. Made in the loop; :meth:`put` may be called from anywhere."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._queue: deque[Hashable] = deque()
        self._replies: dict[Hashable, Reply] = {}
        self._number = 0
        self._latest: dict[Hashable, int] = {}
        self._filled = asyncio.Event()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._queue)

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
            if key not in self._replies:
                self._queue.append(key)
            self._replies[key] = reply
            if len(self._queue) > MOST_QUEUED_MESSAGES:
                self._close()
        self._wake()

    async def take(self) -> Reply | None:
        """Return the next message when there is one; None when the outbox is closed."""
        while True:
            with self._lock:
                if self._is_closed:
                    return None
                if self._queue:
                    return self._replies.pop(self._queue.popleft())
                self._filled.clear()
            await self._filled.wait()

    def close(self) -> None:
        """Forget what waits, and take nothing more."""
        with self._lock:
            self._close()
        self._wake()

    def _close(self) -> None:
        self._is_closed = True
        self._queue.clear()
        self._replies.clear()

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
