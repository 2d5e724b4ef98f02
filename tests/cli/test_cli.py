"""The command line as people use it: in a process of its own, with its exit status and streams."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

import montego
from montego.cli.commands.bench import signature
from montego.cli.main import COMMANDS, main, module_of
from montego.go.kernels.layout import empty_state
from montego.go.playout.policy import POLICIES
from montego.go.sampling.run import sample_playouts

MONTEGO = [sys.executable, "-m", "montego"]
SCRIPT = Path(sys.executable).with_name("montego")

SIGNATURE = 4205782396
"""What ``montego bench signature`` prints. Changes when, and only when, the way of playing does."""

FIGURES = {
    "playouts",
    "cpu_seconds",
    "playouts_per_second",
    "moves_per_playout",
    "black_win_rate",
    "mean_score",
    "score_deviation",
}


def run(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command; whatever happens, nobody is shown a traceback."""
    done = subprocess.run(
        [*MONTEGO, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == status, done.stderr
    return done


# Help.

PARTS = {
    "book": ("show", "learn", "import", "export", "merge", "stats", "prune", "check"),
    "bench": ("playouts", "search", "signature"),
    "experiment": ("list", "run", "report"),
}
EVERY_COMMAND = [
    [],
    *([name] for name in COMMANDS),
    *([name, part] for name, parts in PARTS.items() for part in parts),
]


@pytest.mark.parametrize("command", EVERY_COMMAND, ids=" ".join)
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command, "--help"])
    shown = capsys.readouterr()

    assert left.value.code == 0
    assert shown.out.startswith(" ".join(["usage: montego", *command]))
    assert shown.err == ""


def loaded_for(names: list[str]) -> set[str]:
    """The modules in a process that has made the parser of these commands."""
    script = (
        "import sys; from montego.cli.main import build_parser; "
        f"build_parser({names}).format_help(); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    return set(done.stdout.split())


def test_help_loads_nothing_that_takes_long() -> None:
    slow = {"numpy", "numba", "sqlite3", "rich", "starlette", "uvicorn"}

    assert not slow & loaded_for(list(COMMANDS))


def test_only_the_command_that_is_asked_for_is_loaded() -> None:
    commands = {module_of(name) for name in COMMANDS}

    assert commands & loaded_for([]) == set()
    assert commands & loaded_for(["gtp"]) == {"montego.cli.commands.gtp"}


def test_help_lists_the_commands_and_the_policies() -> None:
    shown = run("--help").stdout
    assert all(f"\n    {command}" in shown for command in COMMANDS)
    shown = run("bench", "playouts", "--help").stdout
    words = shown.replace("-\n", "-").split()
    assert all(f"{policy}:" in "".join(words) for policy in POLICIES)


def test_the_version() -> None:
    assert run("--version").stdout == f"montego {montego.__version__}\n"


@pytest.mark.skipif(not SCRIPT.exists(), reason="not installed as a command")
def test_the_installed_command_is_the_same() -> None:
    shown = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True, check=True)

    assert shown.stdout == f"montego {montego.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["dance"], ["bench"], ["bench", "stones"]])
def test_a_wrong_command_is_explained(arguments: list[str]) -> None:
    done = run(*arguments, status=2)

    assert done.stdout == ""
    assert done.stderr.startswith("usage: montego")
    assert "error: " in done.stderr.splitlines()[-1]


# Measuring.


def test_a_measurement_for_people() -> None:
    done = run("bench", "playouts", "--size", "5", "--seconds", "0.2", "--komi", "0.5")
    lines = done.stdout.splitlines()

    assert lines[0] == "uniform playouts on 5x5, 1 thread, komi 0.5"
    assert len(lines) == 1 + len(FIGURES)
    assert any(line.startswith("  playouts per second of processor time  ") for line in lines)
    assert any(line.startswith("  Black's win rate  ") for line in lines)
    assert done.stderr == ""


@pytest.mark.parametrize("policy", POLICIES)
def test_a_measurement_for_programs(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "bench playouts --size 5 --playouts 50 --threads 2 --komi 3.5 --seed 4 --json"
    assert main([*arguments.split(), "--policy", policy]) == 0
    shown = capsys.readouterr()
    report = json.loads(shown.out)

    assert shown.out.count("\n") == 1
    assert set(report) == FIGURES | {"size", "policy", "device", "threads", "komi", "seed"}
    assert report["size"] == 5
    assert report["policy"] == policy
    assert (report["threads"], report["komi"], report["seed"]) == (2, 3.5, 4)
    assert report["playouts"] == 50
    assert 0 <= report["black_win_rate"] <= 1
    assert report["playouts_per_second"] > 0
    assert shown.err == ""


def test_the_same_seed_gives_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bench", "playouts", "--size", "7", "--playouts", "200", "--seed", "9", "--json"]
    first = json.loads(run(*arguments).stdout)
    main(arguments)
    second = json.loads(capsys.readouterr().out)

    for name in ("moves_per_playout", "black_win_rate", "mean_score", "score_deviation"):
        assert first[name] == second[name]


@pytest.mark.parametrize(
    ("option", "value", "status", "message"),
    [
        ("--size", "1", 1, "invalid board size 1: say a whole number from 2 to 25"),
        ("--size", "26", 1, "invalid board size 26: say a whole number from 2 to 25"),
        ("--size", "-9", 1, "invalid board size -9: say a whole number from 2 to 25"),
        ("--size", "abc", 2, "argument --size: invalid int value: 'abc'"),
        ("--size", "9.5", 2, "argument --size: invalid int value: '9.5'"),
        ("--size", "", 2, "argument --size: invalid int value: ''"),
        ("--threads", "0", 1, "invalid number of threads 0: say 1 to 1024"),
        ("--threads", "99999999", 1, "invalid number of threads 99999999: say 1 to 1024"),
        ("--threads", "two", 2, "argument --threads: invalid int value: 'two'"),
        ("--seconds", "0", 1, "invalid time 0: say a number of seconds above 0"),
        ("--seconds", "-1", 1, "invalid time -1: say a number of seconds above 0"),
        ("--seconds", "nan", 1, "invalid time nan: say a number of seconds above 0"),
        ("--seconds", "inf", 1, "invalid time inf: say a number of seconds above 0"),
        ("--seconds", "soon", 2, "argument --seconds: invalid float value: 'soon'"),
        ("--komi", "nan", 1, "invalid komi 'nan': say a number such as 7.5"),
        ("--komi", "much", 1, "invalid komi 'much': say a number such as 7.5"),
        ("--komi", "1e9", 1, "invalid komi '1e9': say a number from -1000 to 1000"),
        ("--policy", "best", 1, "unknown playout policy 'best': say one of uniform, "),
        ("--policy", "", 1, "unknown playout policy '': say one of uniform, "),
        ("--seed", "-1", 1, "invalid seed -1: say a whole number from 0"),
        ("--seed", "x", 2, "argument --seed: invalid int value: 'x'"),
        ("--playouts", "0", 1, "invalid number of playouts 0: say at least 1"),
        ("--playouts", "-5", 1, "invalid number of playouts -5: say at least 1"),
        ("--tempo", "3", 2, "unrecognized arguments: --tempo 3"),
    ],
)
def test_bad_values_are_told_in_one_line(
    option: str, value: str, status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        returned: object = main(["bench", "playouts", f"{option}={value}"])
    except SystemExit as left:
        returned = left.code
    shown = capsys.readouterr()
    usage, _, complaint = shown.err.rpartition("montego bench playouts: error: ")
    if "unrecognized" in message:
        usage, _, complaint = shown.err.rpartition("montego: error: ")
        message = message.replace(" 3", "=3")

    assert returned == status
    assert shown.out == ""
    assert complaint.removeprefix("montego: ").startswith(message)
    assert complaint.count("\n") == 1
    assert (usage == "") == (status == 1)


def test_an_error_in_a_process_of_its_own() -> None:
    done = run("bench", "playouts", "--size", "1", status=1)

    assert done.stderr == "montego: invalid board size 1: say a whole number from 2 to 25\n"


# The signature.


@pytest.mark.parametrize(
    ("flags", "playouts", "priors"),
    [((), "sequence", True), (("--plain", "--selection", "ucb1"), "uniform", False)],
)
def test_the_search_is_measured_as_the_player_has_it_or_plain(
    flags: tuple[str, ...], playouts: str, priors: bool
) -> None:
    shown = run(
        "bench", "search", "--size", "7", "--simulations", "300", "--threads", "1", "--json", *flags
    ).stdout
    figures = json.loads(shown)

    assert (figures["playouts"], figures["priors"]) == (playouts, priors)
    assert (figures["size"], figures["simulations"], figures["threads"]) == (7, 300, 1)
    speed = figures["simulations"] / figures["cpu_seconds"]
    assert figures["simulations_per_second"] == pytest.approx(speed)


def test_the_signature_is_what_it_was() -> None:
    shown = run("bench", "signature").stdout

    assert shown == f"{signature()}\n"
    assert shown == f"{SIGNATURE}\n", "the way of playing has changed: was that the intention?"


@pytest.mark.small_boards
@pytest.mark.parametrize(
    ("policy", "expected"), [("uniform", 1597693124), ("uniform-enclosed", 2220294588)]
)
def test_a_small_signature_with_and_without_compilation(policy: str, expected: int) -> None:
    checksum = 0
    for size in (2, 3, 4):
        sample = sample_playouts(empty_state(size), policy, count=10, seed=size)
        checksum = zlib.crc32(f"{sample.moves} {sample.frequency.tolist()}".encode(), checksum)

    assert checksum == expected


# Signals and pipes.


INTERRUPTING = """
import os, signal, sys
from contextlib import contextmanager
from montego.cli import main
from montego.cli.commands import bench

signal.signal(signal.SIGINT, signal.default_int_handler)
sent = []

@contextmanager
def progress_bar(title, enabled=True):
    def show(part, label):
        if not sent:
            sent.append(part)
            os.kill(os.getpid(), signal.SIGINT)
    yield show

bench.progress_bar = progress_bar
sys.exit(main.main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_interrupt_shows_what_was_measured(threads: str) -> None:
    command = [sys.executable, "-c", INTERRUPTING, "bench", "playouts", "--threads", threads]
    done = subprocess.run(
        [*command, "--seconds", "600", "--json"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert (done.returncode, done.stderr) == (130, "\nmontego: stopped\n")
    assert json.loads(done.stdout)["playouts"] > 0


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_reader_that_has_gone_is_no_disaster() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*MONTEGO, "bench", "playouts", "--playouts=9"],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        os.close(writing)

    assert done.returncode == 1
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_in_one_line() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*MONTEGO, "bench", "playouts", "--playouts=9"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr == "montego: No space left on device\n"


# Setup and doctor.


def test_setup_says_where_everything_is() -> None:
    done = run("setup")

    assert re.match(r"[0-9]+ groups of kernels are compiled in /", done.stdout)
    assert Path(done.stdout.split(" in ")[1].strip()).is_dir()


def test_the_doctor_reports(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("montego.cli.commands.doctor.SPEED_SECONDS", 0.05)
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)

    assert report["montego"] == montego.__version__
    assert all(report["libraries"].values())
    assert set(report["uniform_playouts_per_second"]) == {"9x9", "13x13", "19x19"}
    assert min(report["uniform_playouts_per_second"].values()) > 0
    assert Path(report["cache"]).is_dir()


def test_the_doctor_speaks_to_people_too() -> None:
    shown = run("doctor").stdout

    assert f"montego         {montego.__version__}\n" in shown
    assert "  numba         " in shown
    assert "uniform playouts per second\n" in shown


def test_the_doctor_notices_a_missing_library(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    libraries = {"numpy": "2.0", "no-such-library": "1"}
    monkeypatch.setattr("montego.cli.commands.doctor.LIBRARIES", libraries)

    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "  no-such-librarymissing\n" in shown
    assert main(["doctor", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["libraries"]["no-such-library"] is None


@pytest.mark.parametrize(
    ("number", "status", "ctrl_c"),
    [
        (signal.SIGINT, 130, "default_int_handler"),
        (signal.SIGTERM, 143, "default_int_handler"),
        (signal.SIGTERM, 143, "SIG_IGN"),  # As in the background of a script.
    ],
    ids=["ctrl-c", "kill", "kill with ctrl-c ignored"],
)
@pytest.mark.parametrize(
    "words",
    [
        ["bench", "search", "--size", "5", "--plain", "--simulations", "100000000"],
        ["bench", "playouts", "--size", "5", "--seconds", "600"],
    ],
    ids=["search", "playouts"],
)
def test_a_measurement_that_was_cut_short_is_no_success(
    words: list[str], number: signal.Signals, status: int, ctrl_c: str
) -> None:
    code = UNDER_WAY.replace("default_int_handler", ctrl_c)
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    while b"under way" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(number)
    shown, complaint = process.communicate(timeout=60)
    assert process.returncode == status
    assert b"stopped" in complaint
    assert b"Traceback" not in complaint
    assert b"per second" in shown


# Says so once the first slice is done, which is after everything is compiled.
UNDER_WAY = """
import signal, sys
from contextlib import contextmanager
signal.signal(signal.SIGINT, signal.default_int_handler)
from montego.cli import main
from montego.cli.commands import bench
@contextmanager
def progress_bar(*_arguments, **_options):
    told = []
    def show(part, _text):
        if part > 0 and not told:
            told.append(part)
            print("under way", file=sys.stderr, flush=True)
    yield show
bench.progress_bar = progress_bar
sys.exit(main.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("command", [["play"], ["analysis"], ["book", "learn"]])
def test_strength_and_style_are_no_flags_where_they_mean_nothing(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*command, "--help"])

    told = capsys.readouterr().out
    assert "--threads" in told
    assert "--level" not in told
    assert "--style" not in told
