"""The server as an ASGI application: the page, its WebSocket, records in and out."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import anyio
import anyio.to_thread
import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from montego.engine.options.levels import LEVELS, PEOPLE
from montego.engine.options.presets import PRESETS as PROGRAMS
from montego.go.vocabulary.rank import rank_in_words
from montego.go.vocabulary.rules import PRESETS
from montego.version import __version__
from montego.web.game.go_referee import RULES
from montego.web.game.sgf_exchange import without_suffix
from montego.web.messages import limits
from montego.web.messages.replies import Choice, Failure, Games, Welcome, as_sentence
from montego.web.problems.coach import Coach
from montego.web.server.callers import Callers
from montego.web.server.connection import TRY_AGAIN_LATER, Connection
from montego.web.server.security import Guard, shared_addresses
from montego.web.server.store import ID_PATTERN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from montego.web.server.library import Library
    from montego.web.server.security import Site
    from montego.web.server.static_files import StaticFiles

TIDY_SECONDS = 10.0


@dataclass
class Server:
    """What the routes share. One a process, or a few in tests."""

    library: Library
    page: StaticFiles | None
    """None to serve no page, only what it talks to."""
    site: Site
    callers: Callers = field(default_factory=Callers)
    connections: set[Connection] = field(default_factory=set)
    threads: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(limits.WORKER_THREADS)
    )
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a record is read."""
    coach: Coach = field(init=False)
    """For problems of life and death; they are kept beside the games."""
    uploads: int = 0
    """Records in hand: one is read, the others wait."""

    def __post_init__(self) -> None:
        self.coach = Coach(self.library.store.folder.parent / "problems")

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Keep house while the server runs; save and close all games in the end."""
        tasks = [asyncio.create_task(self._tell_list()), asyncio.create_task(self._tidy())]
        try:
            async with self.callers.watching():
                yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.in_thread(self.library.close)

    async def in_thread(self, function: Any, *arguments: object) -> Any:
        """Run what may take a moment away from the event loop."""
        return await anyio.to_thread.run_sync(function, *arguments, limiter=self.threads)

    def welcome(self) -> Welcome:
        """Return the first message for a page."""
        library = self.library
        return Welcome(
            version=__version__,
            levels=[
                *(Choice(level, rank_in_words(rank)) for level, rank in LEVELS.items()),
                *(
                    Choice(level, f"like people of {rank_in_words(rank)}", "On 9x9")
                    for level, rank in PEOPLE.items()
                ),
            ],
            presets=[
                Choice(name, preset.title, as_sentence(f"{preset.history}: {preset.meaning}"))
                for name, preset in PROGRAMS.items()
            ],
            rules=[_rules_choice(name) for name in RULES],
            engine=library.programs.engine_name or None,
            adviser=library.programs.adviser_name or None,
            own=None if library.programs.own is None else library.programs.own.name,
            sizes=limits.BOARD_SIZES,
            most_upload=limits.MOST_UPLOAD_BYTES,
            games=library.summaries(),
            notice=library.notice,
        )

    async def talk(self, websocket: WebSocket) -> None:
        """Serve one page for as long as it stays."""
        await websocket.accept()
        most = limits.MOST_CONNECTIONS
        if len(self.connections) >= most:
            told = f"{most} pages are open already; close some of them and reload."
            await websocket.send_text(msgspec.json.encode(Failure(told)).decode())
            await websocket.close(TRY_AGAIN_LATER)
            return
        connection = Connection(websocket, self.library, self.coach, self.in_thread)
        self.connections.add(connection)
        try:
            await connection.run(self.welcome())
        finally:
            self.connections.discard(connection)

    async def upload(self, request: Request) -> Response:
        """Make a game of a record; the reply has its id, or says what is wrong with it."""
        name = request.query_params.get("name", "")[:80]
        return await self._take_in(request, "game", self.library.upload, name)

    async def add_problems(self, request: Request) -> Response:
        """Add the problems of a record to a set; the reply says how many, or what is wrong."""
        collection = request.query_params.get("set", "")[:80]
        name = request.query_params.get("name", "")[:80]
        return await self._take_in(request, "added", self.coach.add, collection, name)

    async def _take_in(
        self, request: Request, field_name: str, take: Callable[..., object], *arguments: str
    ) -> Response:
        """Give the record that a request brings to *take*; one is read at a time."""
        data = await _read_body(request, limits.MOST_UPLOAD_BYTES)
        if data is None:
            told = f"The file is larger than {limits.MOST_UPLOAD_BYTES // 1024} KB."
            return JSONResponse({"error": told}, status_code=413)
        if self.uploads >= limits.MOST_UPLOADS:
            told = "Montego is reading other files; please try again in a moment."
            return JSONResponse({"error": told}, status_code=503)
        self.uploads += 1
        try:
            async with self.reading:
                made = await self.in_thread(take, data, *arguments)
        except ValueError as error:
            return JSONResponse({"error": as_sentence(str(error))}, status_code=422)
        finally:
            self.uploads -= 1
        return JSONResponse({field_name: made})

    async def download(self, request: Request) -> Response:
        """Return the record of a game as a file."""
        try:
            name, record = await self.in_thread(self.library.sgf, request.path_params["id"])
        except ValueError as error:
            return PlainTextResponse(as_sentence(str(error)) + "\n", status_code=404)
        media_type = "application/x-go-sgf; charset=utf-8"
        return _file(record.encode(), media_type, f"{without_suffix(name)}.sgf")

    async def picture(self, request: Request) -> Response:
        """Return a position as a picture, or a game up to there as a moving one.

        With ``coordinates=off`` nothing is written around the board.
        """
        from montego.web.pictures import drawing, files  # noqa: PLC0415  # Few ask.

        suffix = request.url.path.rpartition(".")[2]
        told = request.query_params.get("node", "")
        node = int(told) if told.isdecimal() and len(told) < 8 else None
        shown = request.query_params.get("coordinates") != "off"

        def make() -> tuple[str, bytes]:
            name, kind, positions = self.library.pictures(request.path_params["id"], node)
            if suffix == "png":
                return name, files.png(drawing.draw(kind, positions[-1], coordinates=shown))
            frames = [drawing.draw(kind, position, coordinates=shown) for position in positions]
            grain = drawing.cell_size(kind, positions[0], coordinates=shown)
            return name, files.gif(frames, limits.GIF_SECONDS, limits.GIF_LAST_SECONDS, grain)

        try:
            async with self.reading:
                name, content = await self.in_thread(make)
        except ValueError as error:
            return PlainTextResponse(as_sentence(str(error)) + "\n", status_code=404)
        file = f"{without_suffix(name)}.{suffix}"
        return _file(content, f"image/{suffix}", file)

    async def export(self, _request: Request) -> Response:
        """Return all games in one file."""
        async with self.reading:
            content = await self.in_thread(self.library.export)
        return _file(content, "application/zip", "montego-games.zip")

    async def links(self, request: Request) -> Response:
        """Return the addresses under which another machine finds a game, each with its code."""
        import segno  # noqa: PLC0415  # Few ask.

        game = request.query_params.get("game", "")
        place = f"#/game/{game}" if ID_PATTERN.fullmatch(game) else ""
        found = []
        for address in await self.in_thread(shared_addresses, self.site):
            rows = segno.make(address + place, error="m", micro=False).matrix
            code = ["".join("#" if dark else "." for dark in row) for row in rows]
            found.append({"address": address + place, "code": code})
        return JSONResponse({"links": found}, headers={"cache-control": "no-store"})

    async def serve_page(self, request: Request) -> Response:
        """Return a file of the page."""
        if self.page is None:
            return PlainTextResponse("There is no page here.\n", status_code=404)
        return self.page.reply_to(request)

    async def _tell_list(self) -> None:
        """Tell start pages about the list of games when it changes; and look after hidden ones."""
        told = self.library.version
        while True:
            await asyncio.sleep(limits.LIST_SECONDS)
            if told != self.library.version:
                told = self.library.version
                games = Games(self.library.summaries())
                for connection in self.connections:
                    if connection.shows_list:
                        connection.outbox.put(games)
            for connection in list(self.connections):
                await connection.tend()

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            await self.in_thread(self.library.tidy)


def create_app(
    library: Library, site: Site, page: StaticFiles | None, callers: Callers | None = None
) -> Starlette:
    """Return the application. It closes the library when it ends, and watches *callers* till then.

    The server must tell *callers* of connections, by ``callers.protocol()``; else none are limited.
    """
    callers = Callers() if callers is None else callers
    server = Server(library, page, site, callers)
    return Starlette(
        routes=[
            Route("/games/{id}.sgf", server.download),
            Route("/games/{id}.png", server.picture),
            Route("/games/{id}.gif", server.picture),
            Route("/games.zip", server.export),
            Route("/links", server.links),
            Route("/upload", server.upload, methods=["POST"]),
            Route("/problems", server.add_problems, methods=["POST"]),
            WebSocketRoute("/ws", server.talk),
            Route("/{path:path}", server.serve_page),
        ],
        middleware=[Middleware(callers.watch_requests), Middleware(Guard, site=site)],
        exception_handlers={HTTPException: _refuse, Exception: _apologize},
        lifespan=server.lifespan,
    )


def _file(content: bytes, media_type: str, name: str) -> Response:
    """Return something that browsers save under a name."""
    return Response(
        content,
        media_type=media_type,
        headers={
            "content-disposition": f"attachment; filename*=UTF-8''{quote(name, '')}",
            "cache-control": "no-store",
        },
    )


async def _read_body(request: Request, most: int) -> bytes | None:
    """Return what a request brings; None as soon as it is more than *most* bytes."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)


def _rules_choice(name: str) -> Choice:
    rules = PRESETS[name]
    counted = "stones and territory" if rules.scoring == "area" else "territory and captures"
    return Choice(name, RULES[name], f"counts {counted}, komi {rules.komi:g}")


async def _refuse(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    told = {404: "There is no such page.", 405: "This address does not take such requests."}
    return PlainTextResponse(told.get(status, "That is no request.") + "\n", status_code=status)


async def _apologize(_request: Request, _error: Exception) -> Response:
    told = "Something went wrong in Montego; the games are kept."
    return JSONResponse({"error": told}, status_code=500)
