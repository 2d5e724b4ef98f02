"""``montego gtp`` as a process: how it starts, and how it ends whatever it is doing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING

import pytest
from conftest import require_tool

from montego.book import Book
from montego.cli.commands.gtp import READY
from places import DOCS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 400  # Seconds: a first search may have to be compiled.
LONG = ("--seconds", "100000", "--threads", "1", "--size", "5")
SHORT = ("--simulations", "60", "--seed", "1", "--size", "5")


IGNORING = ("/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh")
"""Starts what follows as scripts do in the background."""

COMPILING = "montego: getting the search ready; the first time this may take a minute\n"


class Engine:
    """A running engine."""

    def __init__(self, *command: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()

    def ask(self, command: str) -> str:
        """Send a command and return its reply without sign and empty line."""
        self.send(f"{command}\n")
        lines = []
        while (line := self.line()) != "\n":
            assert line, (command, self.process.stderr and self.process.stderr.read())
            lines.append(line)
        assert lines[0].startswith("="), (command, lines)
        return "".join(lines)[1:].strip()

    def wait_for(self, beginning: str) -> None:
        while not (line := self.line()).startswith(beginning):
            assert line, f"the engine left before it said {beginning!r}"

    def end(self) -> tuple[int, str, str]:
        """Wait for the end; return the status and what was still to be read."""
        output, errors = self.process.communicate(timeout=PATIENCE)
        said = errors.decode().replace(COMPILING, "")
        return self.process.returncode, output.decode(), said.removeprefix(f"{READY}\n")


@contextmanager
def running(*command: str, **environment: str) -> Iterator[Engine]:
    found = Engine(*command, **environment)
    try:
        yield found
    finally:
        found.process.kill()
        found.process.wait()
        for stream in (found.process.stdin, found.process.stdout, found.process.stderr):
            assert stream is not None
            with suppress(OSError):  # What could not be sent any more.
                stream.close()


def engine(*flags: str, **environment: str) -> AbstractContextManager[Engine]:
    return running(sys.executable, "-m", "montego", "gtp", *flags, **environment)


def test_programs_that_wait_until_it_is_ready_hear_so_before_they_send_anything() -> None:
    with engine() as montego:
        assert montego.process.stderr is not None
        assert montego.process.stderr.readline().decode() == f"{READY}\n"
        assert "GTP ready" in READY


def test_the_first_replies_need_neither_numpy_nor_numba() -> None:
    commands = "name\nversion\nprotocol_version\nlist_commands\nknown_command play\nhelp\nquit\n"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "montego", "gtp"],
        input=commands.encode(),
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}

    assert done.stdout.count(b"\n\n") == 7
    assert "montego.gtp.session" in loaded
    assert not loaded & {"numpy", "numba", "sgfmill", "montego.go.board"}

    listed = done.stdout.decode().split("\n\n")[3].removeprefix("= ").split()
    chapters = (DOCS / "gtp.md").read_text(encoding="utf-8").partition("## Commands")[2]
    assert listed == [name for name in re.findall(r"\n\| `([^ `]+)", chapters) if name in listed]


def test_commands_that_come_all_at_once_are_answered_in_order() -> None:
    with engine(*SHORT) as montego:
        montego.send(
            "1 name\r\n2 boardsize 5\r\n\r\n3 play b C3\r\n4 genmove w\r\n5 undo\r\n6 quit"
        )
        status, output, errors = montego.end()

    assert status == 0
    assert errors == ""
    assert re.fullmatch(
        r"=1 Montego\n\n=2\n\n=3\n\n=4 ([A-E][1-5]|pass|resign)\n\n=5\n\n=6\n\n", output
    )


def test_a_game_against_itself_ends_with_a_score() -> None:
    with engine(*SHORT) as montego:
        colors = ("b", "w") * 60
        passes = 0
        for color in colors:
            move = montego.ask(f"genmove {color}")
            passes = passes + 1 if move == "pass" else 0
            if passes == 2 or move == "resign":
                break
        assert passes == 2 or move == "resign"
        assert re.fullmatch(r"0|[BW]\+[0-9.]+", montego.ask("final_score"))
        stones = montego.ask("list_stones b").split() + montego.ask("list_stones w").split()
        fates = [montego.ask(f"final_status_list {fate}") for fate in ("alive", "dead", "seki")]
        assert sorted(" ".join(fates).split()) == sorted(stones)
        assert montego.ask("explain")
        montego.send("quit\n")
        assert montego.end() == (0, "=\n\n", "")


@pytest.mark.parametrize("last", ["quit\n", "\nquit\n", ""], ids=["quit", "line", "end of input"])
def test_an_analysis_ends_with_the_conversation(last: str) -> None:
    with engine(*LONG) as montego:
        montego.send("7 kata-analyze b 5\n")
        montego.wait_for("info")
        montego.send(last)
        status, output, errors = montego.end()

    assert (status, errors) == (0, "")
    assert re.fullmatch(r"(info .*\n)*\n" + (r"=\n\n" if last else ""), output)


def test_pondering_does_not_keep_the_process() -> None:
    with engine(*SHORT, "--ponder") as montego:
        montego.ask("genmove b")
        montego.send("quit\n")
        assert montego.end() == (0, "=\n\n", "")


def test_a_compilation_does_not_keep_the_process(tmp_path: Path) -> None:
    with engine(*SHORT, MONTEGO_CACHE_DIR=str(tmp_path)) as montego:
        montego.ask("boardsize 5")
        montego.send("showboard\nquit\n")
        # Far less than compiling takes, and far more than a busy machine needs to end a process.
        montego.process.wait(timeout=30)
        assert montego.process.returncode == 0


def test_a_closed_pipe_ends_it_without_a_word() -> None:
    with engine(*SHORT) as montego:
        assert montego.ask("name") == "Montego"
        assert montego.process.stdout is not None
        montego.process.stdout.close()
        with suppress(OSError):  # It may have noticed, and ended, already.
            montego.send("name\nversion\n")
        montego.process.wait(timeout=PATIENCE)
        assert montego.process.stderr is not None
        said = montego.process.stderr.read().decode().replace(COMPILING, "")
        assert said == f"{READY}\n"


def test_a_pipe_that_closes_during_an_analysis_ends_it_too() -> None:
    with engine(*LONG) as montego:
        montego.send("lz-analyze 1\n")
        montego.wait_for("info")
        assert montego.process.stdout is not None
        montego.process.stdout.close()
        montego.process.wait(timeout=PATIENCE)
        assert montego.process.stderr is not None
        said = montego.process.stderr.read().decode().replace(COMPILING, "")
        assert said == f"{READY}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe does not tell")
@pytest.mark.parametrize("input_ends", [False, True])
def test_a_pipe_that_closes_during_genmove_ends_it_before_it_has_a_move(input_ends: bool) -> None:
    with engine(*LONG) as montego:
        montego.ask("showboard")
        montego.send("genmove b\n")
        assert montego.process.stdin is not None
        assert montego.process.stdout is not None
        if input_ends:
            montego.process.stdin.close()
        montego.process.stdout.close()
        montego.process.wait(timeout=PATIENCE)
        assert montego.process.returncode == 0
        assert montego.process.stderr is not None
        said = montego.process.stderr.read().decode().replace(COMPILING, "")
        assert said == f"{READY}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "command", ["", "lz-analyze 1", "genmove b"], ids=["idle", "analysis", "genmove"]
)
def test_ctrl_c_ends_it_cleanly(command: str) -> None:
    with engine(*LONG) as montego:
        montego.ask("showboard")
        if command:
            montego.send(f"{command}\n")
        if command.startswith("lz"):
            montego.wait_for("info")
        montego.process.send_signal(signal.SIGINT)
        status, _output, errors = montego.end()

    assert status == 130
    assert "Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_client_that_ends_the_process_loses_no_experience(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    with engine(*SHORT, "--book", str(path)) as montego:
        montego.ask("genmove b")
        montego.ask("genmove w")
        montego.process.send_signal(signal.SIGTERM)
        montego.process.wait(PATIENCE)
        status, _output, errors = montego.end()

    assert (status, errors) == (143, "")
    with Book.open(path) as book:
        assert book.statistics().games == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("command", ["gtp", "analysis"])
def test_ctrl_c_is_left_to_others_where_the_shell_has_it_ignored(command: str) -> None:
    with running(*IGNORING, sys.executable, "-m", "montego", command) as montego:
        if command == "gtp":
            montego.ask("name")
            montego.process.send_signal(signal.SIGINT)
            assert montego.ask("name") == "Montego"
        else:
            query = '{"id": "1", "action": "query_version"}\n'
            montego.send(query)
            assert montego.line()
            montego.process.send_signal(signal.SIGINT)
            montego.send(query)
            assert montego.line()
        montego.process.send_signal(signal.SIGTERM)
        assert montego.process.wait(PATIENCE) == 143


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("shell", [(), IGNORING], ids=["as usual", "ignored"])
def test_ctrl_c_hurries_a_client_that_asked_for_it(shell: tuple[str, ...]) -> None:
    with running(*shell, sys.executable, "-m", "montego", "gtp", *LONG) as montego:
        assert int(montego.ask("gogui-sigint")) == montego.process.pid
        montego.ask("showboard")
        montego.send("genmove b\n")
        montego.send("3 name\n")
        while montego.process.poll() is None:
            # Again and again: the first signals may come before the thinking has begun.
            montego.process.send_signal(signal.SIGINT)
            readable = _can_read(montego, 0.5)
            if readable:
                break
        assert re.fullmatch(r"= ([A-E][1-5]|pass)\n", montego.line())
        assert montego.line() == "\n"
        assert montego.line() == "=3 Montego\n"


def _can_read(montego: Engine, seconds: float) -> bool:
    import select

    assert montego.process.stdout is not None
    return bool(select.select([montego.process.stdout], [], [], seconds)[0])


def test_genmove_answers_early_when_it_is_interrupted_and_not_for_other_input() -> None:
    with engine(*LONG) as montego:
        montego.ask("showboard")
        montego.send("genmove b\nname\n# interrupt\n")
        assert re.fullmatch(r"= ([A-E][1-5]|pass)\n", montego.line())
        assert montego.line() == "\n"
        assert montego.line() == "= Montego\n"


def test_the_log_has_both_directions(tmp_path: Path) -> None:
    path = tmp_path / "gtp.log"
    with engine(*SHORT, "--log", str(path), "--name", "Some Body") as montego:
        montego.send("1 name\nquit\n")
        montego.end()

    lines = [line[24:] for line in path.read_text().splitlines()]
    assert [line for line in lines if line.startswith("> ")] == ["> 1 name", "> quit"]
    assert [line for line in lines if line.startswith("< ")] == ["< =1 Some Body", "< ="]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--simulations", "none-at-all"), "simulations"),
        (("--rules", "klingon"), "klingon"),
        (("--log", "/no/such/folder/gtp.log"), "log"),
        (("--memory", "1", "--size", "25"), "invalid memory 1: Go 25x25 wants at least 6.33 MB"),
        (("--patterns", __file__), f"cannot read patterns from {__file__}: line 1: expected"),
        (("--set", f"patterns={__file__}"), f"{__file__}: line 1: expected"),
    ],
)
def test_a_wrong_option_is_one_line_and_no_engine(flags: tuple[str, ...], said: str) -> None:
    with engine(*flags) as montego:
        status, output, errors = montego.end()

    assert status == 1
    assert output == ""
    assert errors.startswith("montego: ")
    assert said in errors
    assert errors.count("\n") == 1


def test_spectators_on_ogs_see_katago_s_words() -> None:
    with engine(*SHORT, "--ogs") as montego:
        montego.send("genmove b\nquit\n")
        _status, output, errors = montego.end()

    greeting, told = errors.splitlines()
    move = output.split()[1]
    assert "KataGo" in greeting
    assert re.fullmatch(
        r"MALKOVICH:Visits \d+ Winrate \d+\.\d\d% ScoreLead -?\d+\.\d ScoreStdev \d+\.\d PV .+",
        told,
    )
    assert told.split(" PV ")[1].split()[0] == move


@pytest.mark.parametrize(
    ("flag", "rules", "mode"),
    [
        ("--kgs", "chinese-kgs", "kgs"),
        ("--cgos", "chinese-ogs", "strict"),
        ("--ogs", "chinese-ogs", "strict"),
    ],
)
def test_servers_have_their_rules_and_manners_unless_others_are_given(
    flag: str, rules: str, mode: str
) -> None:
    with engine(flag) as montego:
        assert montego.ask("get_rules") == rules
        assert montego.ask("kata-get-param mode") == mode
        assert montego.ask("kata-get-param ogs") == str(flag == "--ogs").lower()
    with engine(flag, "--rules", "aga", "--mode", "friendly") as montego:
        assert montego.ask("get_rules") == "aga"
        assert montego.ask("kata-get-param mode") == "friendly"


@pytest.mark.parametrize("montego_color", ["b", "w"])
def test_a_whole_game_against_gnugo(montego_color: str) -> None:
    command = (require_tool("gnugo"), "--mode", "gtp", "--level", "1", "--chinese-rules")
    with (
        engine("--simulations", "100", "--seed", "3", "--resign", "off") as montego,
        running(*command) as gnugo,
    ):
        for player in (montego, gnugo):
            player.ask("boardsize 7")
            player.ask("clear_board")
            player.ask("komi 9.5")
        passes = 0
        for number in range(300):
            color = "bw"[number % 2]
            mover, other = (montego, gnugo) if color == montego_color else (gnugo, montego)
            move = mover.ask(f"genmove {color}")
            assert re.fullmatch(r"[A-G][1-7]|pass|resign", move, re.IGNORECASE)
            if move.lower() == "resign":
                break
            other.ask(f"play {color} {move}")
            passes = passes + 1 if move.lower() == "pass" else 0
            if passes == 2:
                break
        assert passes == 2 or move.lower() == "resign"
        assert re.fullmatch(r"0|[BW]\+[0-9.]+", montego.ask("final_score"))
        for color in ("black", "white"):
            ours, theirs = (player.ask(f"list_stones {color}") for player in (montego, gnugo))
            assert set(ours.split()) == set(theirs.split())
        gnugo.ask("quit")
