"""Clusters of real processes on this machine: searches, games, trials, and what becomes of them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
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


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a cluster of one node that somebody else has started, with a token."""
    here = "127.0.0.1"
    with socket.create_server((here, 0)) as one, socket.create_server((here, 0)) as two:
        port, for_clients = (str(server.getsockname()[1]) for server in (one, two))
    # Ray's sockets lie in there, and their paths must be short.
    folder = tempfile.mkdtemp(prefix="montego-ray-")
    monkeypatch.setenv("RAY_AUTH_TOKEN", uuid.uuid4().hex)
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    process = subprocess.Popen(
        [
            str(Path(sys.executable).parent / "ray"), "start", "--head", "--block", "--port", port,
            "--ray-client-server-port", for_clients, "--include-dashboard=false", "--temp-dir",
            folder, "--node-ip-address", here, "--num-cpus", "1", "--object-store-memory",
            "80000000",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert any("Ray runtime started" in line for line in process.stdout)
        yield f"{here}:{port}"
    finally:
        # It would say goodbye for half a minute.
        for member in marked(os.environ[MARK]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
        process.wait(20)
        process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def marked(mark: str) -> list[int]:
    """Return the processes with a mark in their environment, but for this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return [number for number in found if number != os.getpid()]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_cluster_that_runs_is_joined_by_those_who_have_its_token(
    running: str, told: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with spread_cluster(parse_cluster(running), "bench", told.append, each=1) as cluster:
        assert len(cluster.wait(PATIENCE)) == 1
    assert told == []

    monkeypatch.delenv("RAY_AUTH_TOKEN")
    monkeypatch.setenv("HOME", str(tmp_path))
    with (
        search_cluster(parse_cluster(running), OPTIONS, told.append) as cluster,
        pytest.raises(ClusterError, match=r"no token was found; if it wants a token, copy"),
    ):
        cluster.wait(PATIENCE)


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
