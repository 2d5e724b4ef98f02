"""Who is connected, how long they may take, and how many of them there may be.

A connection *waits* until its request has arrived, is *served* until the reply is written, and then
waits again; a page's WebSocket is served for as long as it stays. Whoever waits too long, takes too
long over a request, or does not take in what closes the connection, is cut off without a word. When
there are too many, of one address or in all, the one that has waited longest makes room for the new
one, so that a browser that sends its request at once is answered however many others send none; the
new one is cut off only if nobody waits.

Everything happens in the event loop. A connection is known by the address and port at its other
end, which is what an application is told about a request.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from montego.web.messages import limits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

SWEEP_SECONDS = 0.5
DESCRIPTORS_WANTED = 4096
COMPLAINT_SECONDS = 60.0
"""Least time between two lines about trouble of the event loop, which may come by the thousand."""

Place = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How much callers may ask for."""

    wait_seconds: float = limits.WAIT_SECONDS
    request_seconds: float = limits.REQUEST_SECONDS
    closing_seconds: float = limits.CLOSING_SECONDS
    most: int = limits.MOST_SOCKETS
    most_of_one_address: int = limits.MOST_SOCKETS_OF_ONE_ADDRESS


@dataclass(eq=False)
class _Caller:
    """One connection."""

    transport: asyncio.Transport
    place: Place
    since: float
    """When it began to wait, or its request to be served."""
    served: int = 0
    is_page: bool = False
    closing_since: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the connection still has a descriptor; it may be about to close."""
        channel = self.transport.get_extra_info("socket")
        return channel is not None and channel.fileno() >= 0


@dataclass(eq=False)
class Callers:
    """All connections of a server."""

    patience: Patience = field(default_factory=Patience)
    clock: Callable[[], float] = time.monotonic
    _callers: dict[Place, _Caller] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._callers)

    def protocol(self) -> type[asyncio.Protocol]:
        """Return what uvicorn takes as ``http``: its own protocol, which tells of connections."""
        callers = self

        class TellingProtocol(H11Protocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                callers.arrive(transport)

        return TellingProtocol

    def watch_requests(self, app: ASGIApp) -> ASGIApp:
        """Return the application, as a middleware that notes which connections are served."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            place = scope.get("client")
            caller = self._callers.get((place[0], place[1])) if place else None
            if caller is None or scope["type"] not in ("http", "websocket"):
                await app(scope, receive, send)
                return
            caller.since = self.clock()
            caller.served += 1
            caller.is_page = scope["type"] == "websocket"
            try:
                await app(scope, receive, send)
            finally:
                caller.since = self.clock()
                caller.served -= 1
                caller.is_page = False

        return watched

    def arrive(self, transport: asyncio.Transport) -> None:
        """Count a new connection in; it, or another one, is cut off if there are too many."""
        peer = transport.get_extra_info("peername")
        if not peer:
            transport.abort()  # It has gone already.
            return
        caller = _Caller(transport, (peer[0], peer[1]), self.clock())
        patience = self.patience
        if self._make_room(patience.most_of_one_address, peer[0]) and self._make_room(
            patience.most
        ):
            self._callers[caller.place] = caller
        else:
            transport.abort()

    def sweep(self) -> None:
        """Cut off whoever takes too long, and forget those that have gone."""
        now = self.clock()
        for caller in list(self._callers.values()):
            if not caller.is_open:
                del self._callers[caller.place]
            elif caller.transport.is_closing():
                caller.closing_since = now if caller.closing_since is None else caller.closing_since
                if now - caller.closing_since >= self.patience.closing_seconds:
                    self._cut_off(caller)
            elif not caller.is_page:
                patience = self.patience
                most = patience.request_seconds if caller.served else patience.wait_seconds
                if now - caller.since >= most:
                    self._cut_off(caller)

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Sweep again and again, and keep the event loop's complaints to a line a minute."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(Complaints(self.clock))
        task = loop.create_task(self._keep_sweeping())
        try:
            yield
        finally:
            task.cancel()

    async def _keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep()

    def _make_room(self, most: int, address: str | None = None) -> bool:
        """See that one more fits, of one address or in all; False if everybody is being served."""
        if len(self._members(address)) < most:
            return True
        self.sweep()
        members = self._members(address)
        waiting = [caller for caller in members if not caller.served]
        if len(members) >= most and waiting:
            self._cut_off(min(waiting, key=lambda caller: caller.since))
        return len(self._members(address)) < most

    def _members(self, address: str | None) -> list[_Caller]:
        callers = self._callers.values()
        return [caller for caller in callers if address is None or caller.place[0] == address]

    def _cut_off(self, caller: _Caller) -> None:
        self._callers.pop(caller.place, None)
        # Not close(), which waits until the other end has taken everything in.
        caller.transport.abort()


class Complaints:
    """What the event loop does with an error that nobody awaits: a line, not a traceback."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told: float | None = None

    def __call__(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell of it unless something was told a moment ago."""
        now = self._clock()
        if self._told is not None and now - self._told < COMPLAINT_SECONDS:
            return
        self._told = now
        error = context.get("exception")
        reason = "" if error is None else f": {getattr(error, 'strerror', None) or error}"
        with contextlib.suppress(OSError, ValueError):  # Closed: nobody wants to know.
            sys.stderr.write(f"montego: the server has trouble: {context['message']}{reason}\n")


def allow_descriptors() -> int:
    """Let this process have more open files than is usual, and return how many it may have."""
    try:
        import resource  # noqa: PLC0415  # Elsewhere than on Unix there is no such limit.
    except ImportError:
        return DESCRIPTORS_WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= DESCRIPTORS_WANTED:
        return DESCRIPTORS_WANTED
    wanted = DESCRIPTORS_WANTED if hard == resource.RLIM_INFINITY else min(DESCRIPTORS_WANTED, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return soft
