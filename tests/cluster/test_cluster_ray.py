"""Clusters of real processes on this machine: searches, games, trials, and what becomes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import lack

import toy_experiments
from arena_engines import collect, tiny, tiny_match
from montego.arena.match import run_match
from montego.arena.workers import EngineSpec
from montego.cluster.cluster import GONE, Cluster, search_cluster, spread_cluster
from montego.cluster.errors import ClusterError, MachineLost
from montego.cluster.games import ClusterVenue
from montego.cluster.spec import parse_cluster
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.experiments.experiment import Trial
from montego.experiments.workers import FailedTrial, SpreadPool
from montego.jit import compile_off

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.arena.record import GameRecord
    from montego.cluster.crew import Crew

pytestmark = pytest.mark.skipif(compile_off(), reason="one search on many machines is compiled")

PATIENCE = 240.0
MARK = "MONTEGO_TEST_CLUSTER"


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    if find_spec("ray") is None:
        if sys.platform != "linux" or sys.version_info >= (3, 14):
            pytest.skip("Ray has no wheel for this system and Python")
        lack("Ray is not installed: pip install -e '.[dev]'")
    value = uuid.uuid4().hex
    monkeypatch.setenv(MARK, value)
    return value


def wait_for(happened: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := happened():
            return found
        time.sleep(0.05)
    raise AssertionError("nothing happened")


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def cluster(told: list[str]) -> Iterator[Cluster]:
    with search_cluster(parse_cluster("local:2,period=0.05"), OPTIONS, told.append) as cluster:
        yield cluster


OPTIONS = Options(size=5, seconds=0.3, network=None, memory=40, threads=1, seed=1)


def test_a_search_on_several_processes_survives_what_becomes_of_them(
    cluster: Cluster, told: list[str], mark: str
) -> None:
    player = Player(OPTIONS, enlist=cluster.enlist, tell=told.append)
    color = "black"

    def crew() -> Crew:
        assert player._searcher is not None
        fellows = player._searcher._fellows
        assert fellows is not None
        return fellows  # type: ignore[return-value]

    def answers_grow() -> bool:
        nonlocal color
        player.new_game()
        before = crew().answers if player._searcher is not None else 0
        for _ in range(4):
            assert player.genmove(color).vertex is not None
            color = "white" if color == "black" else "black"
        return crew().answers > before

    (link,) = cluster.wait()
    wait_for(answers_grow)
    assert told == []
    if sys.platform == "linux":
        assert listeners(mark)
        assert all(address.startswith("127.") for address in listeners(mark))

    # One is killed in the middle of a move: it is left out, and comes back.
    os.kill(link.process, signal.SIGKILL)
    wait_for(lambda: answers_grow() or told)
    wait_for(answers_grow)
    assert len(told) <= 1
    assert all("its process has ended" in line for line in told)

    # All of it goes: the player goes on alone, and says so once.
    told.clear()
    assert cluster._process.pid is not None
    os.kill(cluster._process.pid, signal.SIGKILL)
    wait_for(lambda: told)
    assert not answers_grow()
    assert [line for line in told if GONE in line] == told == [f"montego: cluster: {GONE}"]
    player.close()


def listeners(mark: str) -> list[str]:
    """Return the addresses on which the processes with a mark in their environment listen."""
    sockets = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() not in (folder / "environ").read_bytes():
                continue
            for file in (folder / "fd").iterdir():
                name = str(file.readlink())
                sockets.add(name.removeprefix("socket:[").removesuffix("]"))
        except OSError:
            continue
    found = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A" and words[9] in sockets:
                host = words[1].partition(":")[0]
                octets = bytes.fromhex(host)[-4:][::-1]
                found.append(".".join(map(str, octets)))
    return found


def test_games_are_played_elsewhere_and_again_if_they_are_lost(
    tmp_path: Path, told: list[str]
) -> None:
    records: list[GameRecord] = []
    spec = parse_cluster("local:2")
    with spread_cluster(spec, "table", told.append, each=1) as cluster:
        links = cluster.wait()
        assert len(links) == 2
        match = tiny_match(tiny("one"), tiny("other"), games=12, venue=ClusterVenue(cluster))
        noting = collect(records)

        def report(summary: object, record: GameRecord | None) -> bool:
            if len(records) == 2:
                os.kill(links[0].process, signal.SIGKILL)
            return noting(summary, record)

        summary = run_match(match, tmp_path / "games", report=report)
        assert summary.tally.games == 12
        assert sorted(record.game for record in records) == list(range(12))

        # What cannot be played anywhere is an error, not a loss.
        broken = EngineSpec("other", "no-such-program-anywhere")
        wrong = tiny_match(tiny("one"), broken, venue=ClusterVenue(cluster))
        with pytest.raises(ClusterError, match="no-such-program"):
            run_match(wrong)


def test_trials_run_elsewhere_and_again_if_their_process_dies(
    told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    support = str(Path(toy_experiments.__file__).parent)
    known = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", f"{support}{os.pathsep}{known}")
    settings = {"folder": str(tmp_path)}
    trials = [Trial(cell="all", number=number, settings=settings) for number in range(2)]
    with spread_cluster(parse_cluster("local:1"), "bench", told.append, each=None) as cluster:
        pool = SpreadPool(cluster.wait, cluster.close)
        found = list(pool.run(toy_experiments.die_at_first, trials))
        assert not [result for result in found if isinstance(result, FailedTrial)]
        assert sorted(result.trial.number for result in found) == [0, 1]
    with pytest.raises(MachineLost, match="closed"):
        cluster.call("nobody", "run", ()).result(timeout=10)


def test_no_cluster_is_told_in_a_line(told: list[str]) -> None:
    with (
        search_cluster(parse_cluster("127.0.0.1:1"), OPTIONS, told.append) as cluster,
        pytest.raises(ClusterError, match=r"no cluster at 127\.0\.0\.1:1"),
    ):
        cluster.wait(PATIENCE)
    assert len(told) == 1
    assert told[0].startswith("montego: cluster: no cluster at 127.0.0.1:1")
    assert told[0].endswith("going on alone")


def test_gtp_answers_at_once_and_leaves_nothing_behind(mark: str) -> None:
    done = subprocess.run(
        [
            sys.executable, "-m", "montego", "gtp", "--cluster", "local:2", "--simulations", "50",
            "--size", "5", "--network", "none",
        ],
        input="boardsize 5\ngenmove b\ngenmove w\nquit\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.count("=") == 4
    assert "?" not in done.stdout
    if sys.platform == "linux":
        wait_for(lambda: not listeners(mark))
