"""How quick the board in the browser is, and what watching a search costs.

The first table has the time from sending ``play`` to the ``game`` message that has the stone, as a
page sees it over its WebSocket: on a quiet server, and while the position is analyzed. The second
compares processor time for the same number of simulations: the player alone, and a server whose
page gets reports. What a report costs is then taken twenty times a second of processor time: on a
busy machine a search gets less of it in the same time, and more reports. The rounds alternate.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from montego.engine.options.options import Options
from montego.gtp.client.engine import session_seconds
from montego.web.game.go_referee import GoReferee
from montego.web.game.tree import Agreement
from montego.web.thinking.go_thinker import GoThinker
from montego.web.thinking.thinker import READY, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LATENCY_BAR = 0.050  # Seconds.
LOSS_BAR = 0.05
REPORTS_A_SECOND = 20
PATIENCE = 300.0

Message = dict[str, Any]


class Page:
    """A page of a server, which is a process of its own."""

    def __init__(self, websocket: ClientConnection, pid: int) -> None:
        self._websocket = websocket
        self._pid = pid

    @property
    def server_seconds(self) -> float:
        """Processor time of the server so far."""
        seconds = session_seconds(self._pid)
        if seconds is None:
            sys.exit("this system does not tell the processor time of another process")
        return seconds

    def send(self, type_: str, **fields: Any) -> None:
        """Ask for something."""
        self._websocket.send(json.dumps({"type": type_} | fields))

    def wait(self, type_: str, is_it: Callable[[Message], bool] = lambda _: True) -> Message:
        """Return the next message of a type that is the one."""
        while True:
            message: Message = json.loads(self._websocket.recv(timeout=PATIENCE))
            if message["type"] == "error":
                sys.exit(message["message"])
            if message["type"] == type_ and is_it(message):
                return message


@contextmanager
def serving(threads: int) -> Iterator[Page]:
    """Start a server, and open a page of it."""
    words = [sys.executable, "-m", "montego", "play", "--no-browser", "--port", "0"]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [*words, "--threads", str(threads)],
            env=os.environ | {"MONTEGO_DATA_DIR": folder},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Its processor time is told apart by the session.
        )
        try:
            line = process.stdout.readline() if process.stdout else ""
            found = re.search(r"http://([^/]+)/", line)
            if found is None:
                sys.exit("the server did not start; is the page built?")
            with connect(
                f"ws://{found[1]}/ws",
                origin=Origin(f"http://{found[1]}"),
                max_size=None,
                compression=None,
                open_timeout=PATIENCE,
            ) as websocket:
                yield Page(websocket, process.pid)
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)


def latencies(page: Page, size: int, moves: int, *, analyzing: bool) -> list[float]:
    """Return how long each of some moves took to be on the board, in seconds."""
    page.send("new_game", size=size, mode="analysis")
    state = page.wait("game")
    taken = []
    for number in range(moves):
        if analyzing:
            page.send("analyze", node=state["head"], on=True)
            page.wait("analysis", lambda report: report["simulations"] > 0)
        legal = [move for move in state["position"]["moves"] if move != "pass"]
        move = legal[(7 * number) % len(legal)]
        begun = time.perf_counter()
        page.send("play", node=state["head"], move=move)
        stones = len(state["tree"])
        while len(state["tree"]) == stones:
            state = page.wait("game")
        taken.append(time.perf_counter() - begun)
    if analyzing:
        page.send("analyze", node=state["head"], on=False)
        page.wait("game", lambda state: state["analyzing"] is None)
    return taken


def watched(page: Page, size: int, simulations: int) -> tuple[float, int, int]:
    """Return processor seconds of a search with a page that watches, simulations and reports."""
    page.send("new_game", size=size, mode="analysis")
    page.wait("game")
    before = page.server_seconds
    page.send("analyze", node=0, on=True)
    reports = 0
    while True:
        made = page.wait("analysis")["simulations"]
        reports += 1
        if made >= simulations:
            break
    used = page.server_seconds - before
    page.send("analyze", node=0, on=False)
    page.wait("game", lambda state: state["analyzing"] is None)
    return used, made, reports


def alone(size: int, simulations: int, threads: int) -> float:
    """Return processor seconds of the same search without a server."""
    referee = GoReferee(Agreement(size=size, komi=7.5, rules="chinese"))
    thinker = GoThinker(referee, Options(threads=threads))
    while thinker.preparation() != READY:
        time.sleep(0.05)
    question = Question(state=referee.start(), moves=(), color="black", simulations=simulations)
    begun = time.process_time()
    thinker.analyze(question)
    used = time.process_time() - begun
    thinker.close()
    return used


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    with serving(options.threads) as page:
        watched(page, options.size, 100)  # Loads or compiles everything.
        print(f"From play to the stone on the page, {options.size}x{options.size}, ms")
        print("                    median    95%    most")
        for analyzing in (False, True):
            taken = sorted(latencies(page, options.size, options.moves, analyzing=analyzing))
            high = taken[int(0.95 * len(taken))]
            told = [f"{1000 * x:7.1f}" for x in (statistics.median(taken), high, taken[-1])]
            name = "while analyzing" if analyzing else "quiet"
            verdict = "within" if high <= LATENCY_BAR else "over"
            print(f"  {name:17} {' '.join(told)}  {verdict} {1000 * LATENCY_BAR:.0f} ms")
        alone(options.size, 100, options.threads)
        print(
            f"\nProcessor seconds of a search, and what is lost at {REPORTS_A_SECOND} reports a s"
        )
        print("    alone  watched  reports   lost")
        losses = []
        for _ in range(options.rounds):
            seen, made, reports = watched(page, options.size, options.simulations)
            by_itself = alone(options.size, made, options.threads)
            cost = REPORTS_A_SECOND * (seen - by_itself) / reports
            losses.append(cost / (1 + cost))
            print(f"  {by_itself:7.2f} {seen:8.2f} {reports:8} {losses[-1]:6.1%}")
        loss = statistics.median(losses)
        verdict = "within" if loss <= LOSS_BAR else "over"
        print(f"  median {loss:.1%}, {verdict} {LOSS_BAR:.0%}")


if __name__ == "__main__":
    main()
