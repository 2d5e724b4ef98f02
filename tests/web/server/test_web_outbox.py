"""What waits for a page: in order, the newest picture, nothing else lost."""

from __future__ import annotations

import asyncio
import threading

from montego.web.messages.limits import MOST_QUEUED_MESSAGES
from montego.web.messages.replies import AnalysisReport, Failure, Games, GameState, Reply
from montego.web.messages.requests import NewGame
from montego.web.server.connection import Outbox
from montego.web.session.players import begin
from montego.web.session.session import Session
from web_server import run_apart


def report(simulations: int, node: int = 0) -> AnalysisReport:
    return AnalysisReport(
        game="abcdefgh",
        node=node,
        to_play="black",
        purpose="analysis",
        simulations=simulations,
        seconds=0.0,
        value=0.5,
        score=None,
        moves=[],
        ownership=None,
        final=False,
    )


def state() -> GameState:
    return Session(begin(NewGame(size=2, white="human"))).state()


async def take_all(outbox: Outbox) -> list[Reply]:
    taken = []
    while len(outbox):
        reply = await outbox.take()
        assert reply is not None
        taken.append(reply)
    return taken


def test_pictures_are_replaced_and_words_are_not() -> None:
    old = state()
    new = GameState(**{name: getattr(old, name) for name in old.__struct_fields__} | {"name": "!"})

    async def run() -> None:
        outbox = Outbox()
        sent: list[Reply] = [
            old, report(1), Failure("a"), report(2), report(1, node=1), Games([]), Failure("a"),
            new, Games([]),
        ]  # fmt: skip
        for reply in sent:
            outbox.put(reply)

        assert await take_all(outbox) == [
            new, report(2), Failure("a"), report(1, node=1), Games([]), Failure("a"),
        ]  # fmt: skip
        # What was taken is replaced no more.
        outbox.put(report(3))
        assert await take_all(outbox) == [report(3)]

    run_apart(run())


def test_a_picture_made_before_the_news_does_not_replace_it() -> None:
    async def run() -> None:
        outbox = Outbox()
        mark = outbox.mark
        outbox.put(report(2))
        outbox.put(report(1), mark)
        outbox.put(report(7, node=1), mark)

        assert await take_all(outbox) == [report(2), report(7, node=1)]

    run_apart(run())


def test_threads_wake_the_one_who_waits() -> None:
    async def run() -> None:
        outbox = Outbox()

        def put_many() -> None:
            for number in range(50):
                outbox.put(Failure(str(number)))

        threads = [threading.Thread(target=put_many) for _ in range(4)]
        for thread in threads:
            thread.start()

        taken = [await outbox.take() for _ in range(200)]

        assert len(taken) == 200
        for thread in threads:
            thread.join()
        waiting = asyncio.create_task(outbox.take())
        await asyncio.sleep(0)
        threading.Thread(target=outbox.close).start()
        assert await waiting is None

    run_apart(run())


def test_a_page_that_never_reads_is_given_up() -> None:
    async def run() -> None:
        outbox = Outbox()
        for number in range(MOST_QUEUED_MESSAGES):
            outbox.put(Failure(str(number)))
        assert len(outbox) == MOST_QUEUED_MESSAGES

        outbox.put(Failure("one too many"))

        assert await outbox.take() is None
        outbox.put(Failure("later"))
        assert len(outbox) == 0

    run_apart(run())


def test_nobody_minds_a_loop_that_has_ended() -> None:
    async def make() -> Outbox:
        return Outbox()

    run_apart(make()).put(Failure("too late"))
