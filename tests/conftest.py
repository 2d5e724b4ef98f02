"""What many tests share: boards as pictures, tools that may be missing, Hypothesis settings."""

from __future__ import annotations

import os
import re
import shutil
import signal
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from reference import Point, Stones

pytest_plugins = ["browser_page"]

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

# Kernels that would run interpreted at first are tested as machine code from the first call on,
# unless compilation is off. They read this when they are imported, which is after this file.
os.environ.setdefault("MONTEGO_PATIENCE", "0")

# A shell that starts us in the background has us ignore Ctrl-C, and so would do every process that
# a test starts and then stops by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST_TEST = 1800
"""Seconds after which a test is stuck, on the slowest machine: nothing waits for ever."""

# Compilation makes a first example slow, and a red build must be red again on the next machine.
settings.register_profile("montego", deadline=None, derandomize=True, database=None)
settings.load_profile("montego")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import files without the one marker that is asked for by ``-m``."""
    marker = config.getoption("markexpr")
    if collection_path.suffix != ".py" or not re.fullmatch(r"\w+", marker):
        return None
    return True if marker not in collection_path.read_text("utf-8") else None


def lack(message: str) -> NoReturn:
    """Skip the test because something is missing; in CI, where it must be there, fail."""
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(message)
    pytest.skip(message)


def give_up(*_: object) -> NoReturn:
    pytest.fail(f"still not done after {LONGEST_TEST} seconds")


def bounded() -> Generator[None, Any, Any]:
    """End what happens inside once it has taken too long; Windows has no such alarm."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        return (yield)
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST_TEST)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    """Bound the time of a test."""
    return (yield from bounded())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, Any, Any]:
    """Bound the time that it takes to put everything away."""
    return (yield from bounded())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    """Bound the time of what a test needs, and skip one that would not find it."""
    skip_without_device(item)
    return (yield from bounded())


def skip_without_device(item: pytest.Item) -> None:
    """Skip what wants a GPU, or the simulator of one, and would not find it."""
    simulated = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
    if item.get_closest_marker("cuda_simulator"):
        if not simulated:
            pytest.skip("for Numba's simulator of a GPU: set NUMBA_ENABLE_CUDASIM=1")
        if find_spec("numba_cuda") is None:
            lack("numba-cuda is not installed: pip install -e '.[dev]'")
    if item.get_closest_marker("gpu"):
        from montego.jit.gpu import DeviceError, load_cuda

        if simulated:
            pytest.skip("for a real GPU, not its simulator")
        try:
            load_cuda()
        except DeviceError as error:
            pytest.skip(str(error))


def require_tool(name: str) -> str:
    """Return the path of a program, else skip the test; in CI, where it must be there, fail."""
    path = shutil.which(name) or shutil.which(name, path="/usr/games:/usr/local/games")
    if path is None:
        lack(f"{name} is not installed; on Debian: apt install {name}")
    return path


def to_rows(picture: str) -> list[list[int]]:
    """The rows of a picture made of ``.``, ``X`` and ``O``, from top to bottom."""
    return [
        [".XO".index(symbol) for symbol in line.split()]
        for line in picture.split("\n")
        if line.strip()
    ]


def to_picture(rows: Sequence[Sequence[int]]) -> str:
    return "\n".join(" ".join(".XO"[color] for color in row) for row in rows)


def to_stones(rows: Sequence[Sequence[int]]) -> Stones:
    """The same board as a dictionary of coordinates, the form of the oracle."""
    return {
        (column, row): color
        for row, line in enumerate(reversed(rows))
        for column, color in enumerate(line)
        if color
    }


def to_point(vertex: str) -> Point | None:
    """The coordinates of ``D4``, None for ``pass``; written again here to be independent."""
    if vertex == "pass":
        return None
    return LETTERS.index(vertex[0]), int(vertex[1:]) - 1


def to_vertex(point: Point | None) -> str:
    return "pass" if point is None else f"{LETTERS[point[0]]}{point[1] + 1}"


def assert_same_board(
    actual: Sequence[Sequence[int]], expected: Sequence[Sequence[int]], note: str = ""
) -> None:
    """Compare two boards; a failure prints both."""
    if [list(row) for row in actual] != [list(row) for row in expected]:
        expected_picture, actual_picture = to_picture(expected), to_picture(actual)
        pytest.fail(
            f"boards differ {note}\nexpected:\n{expected_picture}\n\nactual:\n{actual_picture}",
            pytrace=False,
        )


def assert_reason(text: str, expected: str | None) -> None:
    """Check that the reason given to the user has the oracle's word for why a move is illegal."""
    assert expected is not None
    assert re.search(rf"\b{expected}\b", text), (text, expected)
