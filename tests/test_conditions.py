"""What every test may rely on, however tests are started: Ctrl-C works, nothing waits for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import conftest
import pytest

TESTS = Path(__file__).parent

SUITE = """
import signal
import subprocess
import sys
import threading

import conftest

conftest.LONGEST_TEST = 1


def test_ctrl_c_stops_this_process_and_those_it_starts():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert subprocess.check_output([sys.executable, "-c", code], timeout=60) == b"True\\n"


def test_that_waits_for_ever():
    threading.Event().wait()


def test_that_waits_for_a_process_for_ever():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1, stdout=-1) as process:
        try:
            process.stdout.readline()
        finally:
            process.kill()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals and alarms are others there")
def test_suites_run_with_ctrl_c_ignored_and_end_where_a_test_is_stuck(tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    ini = tmp_path / "pytest.ini"
    ini.write_text("[pytest]\n")

    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider",
            "-c", str(ini), "--rootdir", str(tmp_path), str(tmp_path),
        ],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )  # fmt: skip

    assert "2 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert done.stdout.count("Failed: still not done after 1 seconds") >= 2


@pytest.mark.parametrize(
    ("wanted", "name", "is_passed_over"),
    [
        ("small_boards", "test_plain.py", True),
        ("small_boards", "test_marked.py", None),
        ("", "test_plain.py", None),
        ("not small_boards", "test_plain.py", None),
        ("small_boards", "picture.txt", None),
    ],
)
def test_files_without_the_wanted_marker_are_not_imported(
    wanted: str, name: str, is_passed_over: bool | None, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text("pytestmark = pytest.mark.small_boards" if "marked" in name else "", "utf-8")
    config: Any = SimpleNamespace(getoption=lambda _: wanted)
    assert conftest.pytest_ignore_collect(path, config) is is_passed_over
