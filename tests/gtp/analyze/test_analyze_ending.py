"""However a client goes away in the midst of an analysis, the engine ends at once and quietly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from client_parsers import split_replies
from engine_process import PATIENCE, EngineProcess, user_environment

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL = ("--threads", "1", "--seed", "1", "--memory", "64")
INTERRUPTED = 130
LONG_QUERY = json.dumps(
    {
        "id": "long",
        "moves": [],
        "boardXSize": 5,
        "boardYSize": 5,
        "maxVisits": 10**8,
        "reportDuringSearchEvery": 0.02,
    }
)


@pytest.fixture
def gtp() -> Iterator[EngineProcess]:
    """An engine in the midst of an analysis."""
    engine = EngineProcess(("gtp", *SMALL))
    try:
        engine.send("boardsize 5", "1 kata-analyze b 2")
        while not engine.line().startswith("info"):
            pass
        yield engine
    finally:
        engine.kill()


@pytest.fixture
def analysis() -> Iterator[EngineProcess]:
    """The same for JSON."""
    engine = EngineProcess(("analysis", *SMALL, "-quit-without-waiting"))
    try:
        engine.send(LONG_QUERY)
        assert json.loads(engine.line())["isDuringSearch"]
        yield engine
    finally:
        engine.kill()


def assert_quiet(engine: EngineProcess) -> None:
    assert "Traceback" not in engine.errors
    assert "Fatal" not in engine.errors


def test_quit_ends_an_analysis(gtp: EngineProcess) -> None:
    gtp.send("2 quit")

    assert gtp.wait() == 0
    replies = split_replies(gtp.output)
    assert [reply.number for reply in replies] == [None, 1, 2]
    assert_quiet(gtp)


def test_the_end_of_input_ends_an_analysis(gtp: EngineProcess) -> None:
    gtp.close_input()

    assert gtp.wait() == 0
    assert len(split_replies(gtp.output)) == 2
    assert_quiet(gtp)


def test_ctrl_c_ends_an_analysis(gtp: EngineProcess) -> None:
    gtp.interrupt()

    assert gtp.wait() == INTERRUPTED
    assert_quiet(gtp)


def test_the_end_of_input_drops_queries_on_request(analysis: EngineProcess) -> None:
    analysis.send(LONG_QUERY)
    analysis.close_input()

    assert analysis.wait() == 0
    assert all(json.loads(line)["id"] == "long" for line in analysis.output.splitlines())
    assert_quiet(analysis)


def test_ctrl_c_ends_queries(analysis: EngineProcess) -> None:
    analysis.interrupt()

    assert analysis.wait() == INTERRUPTED
    assert_quiet(analysis)


@pytest.mark.parametrize(("command", "line"), [("gtp", "kata-analyze 2"), ("analysis", LONG_QUERY)])
def test_a_closed_pipe_ends_everything(command: str, line: str) -> None:
    engine = subprocess.Popen(
        [sys.executable, "-m", "montego", command, *SMALL],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=user_environment(),
    )
    assert engine.stdin is not None
    assert engine.stdout is not None
    assert engine.stderr is not None
    with engine.stdin, engine.stderr:
        engine.stdin.write(f"{line}\n".encode())
        engine.stdin.flush()
        assert engine.stdout.readline()
        engine.stdout.close()
        try:
            assert engine.wait(PATIENCE) == 0
            assert b"Traceback" not in engine.stderr.read()
        finally:
            engine.kill()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_signal_to_end_is_obeyed_in_the_midst_of_an_analysis(gtp: EngineProcess) -> None:
    gtp.process.terminate()

    assert gtp.wait() == 143
    assert_quiet(gtp)
