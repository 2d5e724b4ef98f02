"""``montego analysis`` as a process: it ends with its client, and not before."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from engine_process import PATIENCE, user_environment
from json_talk import query

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAGS = ("--threads", "1", "--seed", "1", "--memory", "64")
ENDLESS = 10**8  # Visits: hours of searching.


@contextmanager
def analysis() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "montego", "analysis", *FLAGS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=user_environment(),
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with suppress(OSError):  # What could not be sent any more.
                stream.close()


def send(process: subprocess.Popen[bytes], *visits: int) -> None:
    assert process.stdin is not None
    for number in visits:
        process.stdin.write(json.dumps(query(id=str(number), maxVisits=number)).encode() + b"\n")
    process.stdin.flush()


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe does not tell")
@pytest.mark.parametrize("input_ends", [False, True])
def test_a_search_that_nobody_waits_for_ends_with_its_client(input_ends: bool) -> None:
    with analysis() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        send(process, 5, ENDLESS, ENDLESS)
        assert json.loads(process.stdout.readline())["id"] == "5"
        if input_ends:
            process.stdin.close()
        process.stdout.close()
        assert process.wait(PATIENCE) == 0


def test_a_client_that_has_said_everything_hears_everything() -> None:
    with analysis() as process:
        send(process, 5, 6, 7)
        output, _ = process.communicate(timeout=PATIENCE)

        assert [json.loads(line)["id"] for line in output.splitlines()] == ["5", "6", "7"]
        assert process.returncode == 0
