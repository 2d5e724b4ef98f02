"""Fifty games at once in one server: everybody is answered, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
import random
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect
from websockets.typing import Origin

from montego.engine.options.options import Options
from montego.web.server.app import create_app
from montego.web.server.library import Library
from montego.web.server.security import open_site
from montego.web.server.store import GameFiles
from montego.web.thinking.thinker import Programs
from web_server import PATIENCE, RunningServer, run_apart

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from websockets.asyncio.client import ClientConnection

GAMES = 50
ANALYZING = 6
MOVES = 3
QUESTIONS = 10

Message = dict[str, Any]


class Player:
    """A page with a person who plays one game, and keeps count of what comes back."""

    def __init__(self, number: int, websocket: ClientConnection) -> None:
        self.number = number
        self.seen: list[Message] = []
        self._websocket = websocket
        self._random = random.Random(number)

    async def send(self, type_: str, **fields: Any) -> None:
        await self._websocket.send(json.dumps({"type": type_} | fields))

    async def wait(self, is_it: Callable[[Message], bool]) -> Message:
        while True:
            text = await asyncio.wait_for(self._websocket.recv(), 4 * PATIENCE)
            message: Message = json.loads(text)
            self.seen.append(message)
            if is_it(message):
                return message

    async def play(self) -> Message:
        """Play some moves against Montego, ask questions on the way; return the last state."""
        await self.send("new_game", size=7, strength={"simulations": 8 + self.number % 3})
        state = await self.wait(lambda message: message["type"] == "game")
        for turn in range(MOVES):
            moves = [move for move in state["position"]["moves"] if move != "pass"]
            await self.send("play", node=state["head"], move=self._random.choice(moves))
            for question in range(QUESTIONS):
                request = turn * QUESTIONS + question + 1
                await self.send("show", node=0 if question % 2 else 999, request=request)
            while len(state["tree"]) < 2 * turn + 3 or state["thinking"] is not None:
                state = await self.wait(lambda message: message["type"] == "game")
        # Montego may have been faster than the answers.
        while sum(map(_is_answer, self.seen)) < MOVES * QUESTIONS:
            await self.wait(_is_answer)
        return state

    async def analyze(self, is_enough: asyncio.Event) -> Message:
        """Watch an analysis until the others have played, and play a move in the midst of it."""
        await self.send("new_game", size=7, mode="analysis")
        state = await self.wait(lambda message: message["type"] == "game")
        await self.send("analyze", node=0, on=True)
        await self.wait(lambda message: message["type"] == "analysis")
        await self.send("play", node=0, move="D4")
        state = await self.wait(
            lambda message: message["type"] == "game" and len(message["tree"]) == 2
        )
        while not is_enough.is_set():
            await self.wait(lambda message: message["type"] in ("analysis", "progress", "game"))
        await self.send("analyze", node=1, on=False)
        return state


def _is_answer(message: Message) -> bool:
    return message["type"] in ("position", "error")


def test_fifty_games_at_once_are_all_answered(tmp_path: Path) -> None:
    store = GameFiles(tmp_path / "games")
    store.open()
    library = Library(store, programs=Programs(options=Options(memory=8.0, threads=1)))
    players: list[Player] = []
    games: list[Message] = []

    async def run(port: int) -> None:
        is_enough = asyncio.Event()

        async def visit(number: int) -> None:
            async with connect(
                f"ws://127.0.0.1:{port}/ws",
                origin=Origin(f"http://127.0.0.1:{port}"),
                max_size=None,
                compression=None,
                open_timeout=PATIENCE,
            ) as websocket:
                player = Player(number, websocket)
                if number < ANALYZING:
                    games.append(await player.analyze(is_enough))
                else:
                    players.append(player)
                    games.append(await player.play())
                    if len(games) >= GAMES - ANALYZING:
                        is_enough.set()

        await asyncio.gather(*(visit(number) for number in range(GAMES)))

    with RunningServer(
        lambda port: create_app(library, open_site("127.0.0.1", port), None)
    ) as server:
        run_apart(run(server.port))
    # The server has ended, so that everything is saved.
    kept = {game.id: game.moves for game in library.summaries()}
    assert len(kept) == GAMES
    assert {game["id"]: len(game["tree"]) - 1 for game in games} == kept
    for player in players:
        shown = [message for message in player.seen if message["type"] == "position"]
        refused = [message["request"] for message in player.seen if message["type"] == "error"]
        assert len(shown) == MOVES * QUESTIONS // 2
        assert refused == list(range(1, MOVES * QUESTIONS + 1, 2))
