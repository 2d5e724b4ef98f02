"""The client against engines that do everything a GTP engine should not."""

from __future__ import annotations

import sys

import pytest

from arena_engines import tiny_command
from montego.go.vocabulary.errors import GoError
from montego.gtp.client import Engine, EngineError, Fault, split_command

ECHO = """
import sys
for line in sys.stdin:
    number, *words = line.split()
    {body}
    sys.stdout.flush()
"""


def engine_that(body: str, **options: float) -> Engine:
    """Return an engine whose answer to every line is *body*, which knows number and words."""
    return Engine([sys.executable, "-S", "-E", "-c", ECHO.format(body=body)], **options)  # type: ignore[arg-type]


def fault_of(engine: Engine, command: str = "genmove b", timeout: float = 20.0) -> EngineError:
    with engine:
        engine.send("name")  # It has started when it answers, so that the timeout is its own.
        with pytest.raises(EngineError) as caught:
            engine.send(command, timeout=timeout)
    return caught.value


def test_replies_come_without_sign_and_number() -> None:
    with Engine(tiny_command()) as engine:
        assert engine.send("name") == "Tiny"
        assert engine.send("boardsize 5") == ""
        assert engine.introduce() == engine.title == "Tiny 1.0"
        assert len(engine.send("list_commands").split("\n")) == 14


def test_a_refusal_leaves_the_engine_usable() -> None:
    with Engine(tiny_command()) as engine:
        with pytest.raises(EngineError, match="'sing' was refused: unknown command") as caught:
            engine.send("sing")
        assert caught.value.fault == Fault.REFUSED
        assert engine.is_usable
        assert engine.try_send("sing") is None
        assert engine.send("version") == "1.0"


def test_commands_that_are_not_listed_are_not_sent() -> None:
    with Engine(tiny_command()) as engine:
        assert engine.knows("genmove")
        assert not engine.knows("final_score")
        assert engine.try_send("final_score") is None


def test_an_engine_that_cannot_list_is_asked_anyway() -> None:
    with engine_that(
        "print('?' + number if words[0][:4] == 'list' else '=' + number, '\\n')"
    ) as engine:
        assert engine.try_send("anything") == ""


def test_a_missing_program_is_one_sentence() -> None:
    with pytest.raises(EngineError, match="cannot start '/no/such/engine'") as caught:
        Engine("/no/such/engine --mode gtp")
    assert caught.value.fault == Fault.START


@pytest.mark.parametrize("command", ["", "   ", "gnugo 'unclosed"])
def test_a_command_line_needs_words(command: str) -> None:
    with pytest.raises(GoError):
        split_command(command)


def test_montego_is_this_montego() -> None:
    assert split_command("montego gtp --level 3") == [
        sys.executable,
        *("-m", "montego", "gtp", "--level", "3"),
    ]


def test_a_death_is_told_with_status_and_last_words() -> None:
    error = fault_of(Engine(tiny_command("--fault", "exit", "--at", 0)))
    assert error.fault == Fault.DIED
    assert str(error).endswith("ended with status 3 at 'genmove b': out of luck")


def test_silence_ends_the_engine() -> None:
    engine = Engine(tiny_command("--fault", "silence", "--at", 0))
    error = fault_of(engine, timeout=0.3)
    assert error.fault == Fault.SILENT
    assert not engine.is_usable
    with pytest.raises(EngineError) as again:
        engine.send("name")
    assert again.value.fault == Fault.SILENT


def test_text_that_is_no_reply_is_garbage_and_quoted() -> None:
    error = fault_of(Engine(tiny_command("--fault", "no-sign", "--at", 0)), timeout=3.0)
    assert error.fault == Fault.GARBAGE
    assert "only 'D4'" in str(error)


def test_a_number_from_the_future_is_garbage() -> None:
    error = fault_of(Engine(tiny_command("--fault", "wrong-number", "--at", 0)))
    assert error.fault == Fault.GARBAGE
    assert "1002 instead of 2" in str(error)


def test_a_number_of_more_digits_than_python_reads_is_garbage() -> None:
    error = fault_of(
        engine_that("print('=' + number * (5000 if words[0] != 'name' else 1), '\\n')")
    )
    assert error.fault == Fault.GARBAGE
    assert "instead of 2" in str(error)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_listener_that_fails_keeps_nobody_waiting() -> None:
    def listen(direction: str, line: str) -> None:
        if direction == "<":
            raise OSError(28, f"no space for {line}")

    with Engine(tiny_command(), listen=listen) as engine:
        with pytest.raises(EngineError) as caught:
            engine.send("name")
        assert caught.value.fault == Fault.DIED


@pytest.mark.parametrize("fault", ["flood", "noise-flood"])
def test_endless_output_is_cut(fault: str) -> None:
    assert fault_of(Engine(tiny_command("--fault", fault, "--at", 0))).fault == Fault.FLOOD


def test_a_late_reply_is_not_taken_for_an_answer() -> None:
    with Engine(tiny_command("--fault", "late", "--at", 0)) as engine:
        engine.send("boardsize 5")
        engine.send("name")
        assert engine.send("genmove b") not in ("B2", "B3")
        assert engine.noise[0] == "late reply: B2"
        assert engine.send("name") == "Tiny"


def test_replies_nobody_asked_for_are_dropped() -> None:
    body = "print('=' + number, words[0], '\\n\\n= stray\\n')"
    with engine_that(body) as engine:
        for word in ("one", "two", "three"):
            assert engine.send(word) == word


def test_engines_without_numbers_are_understood() -> None:
    with engine_that("print('= ' + words[0] + '\\n')") as engine:
        assert engine.send("one") == "one"
        assert engine.send("two") == "two"


def test_carriage_returns_and_control_characters_disappear() -> None:
    with engine_that("print('=' + number + ' a\\x07b\\r\\nsecond\\r\\n\\r')") as engine:
        assert engine.send("x") == "ab\nsecond"


def test_chatter_and_complaints_do_no_harm() -> None:
    with Engine(tiny_command("--fault", "chatter")) as engine:
        assert engine.send("name") == "Tiny"
        assert engine.noise[0] == "thinking ..."
    with Engine(tiny_command("--fault", "error-flood", "--at", 0)) as engine:
        assert engine.send("genmove b")
        assert engine.errors[-1] == "complaint"


def test_an_engine_may_take_its_time_to_start() -> None:
    command = tiny_command("--fault", "slow-start", "--delay", 0.5)
    with Engine(command, timeout=0.2, start_timeout=20.0) as engine:
        assert engine.send("name") == "Tiny"


def test_an_engine_that_will_not_quit_is_ended() -> None:
    engine = Engine(tiny_command("--fault", "no-quit"))
    engine.send("name")
    engine.close(timeout=0.1)
    engine.close()
    assert not engine.is_usable


def test_children_of_the_engine_end_with_it() -> None:
    body = (
        "import subprocess; child = subprocess.Popen(['sleep', '1000']); "
        "print('=' + number, child.pid, '\\n')"
    )
    with engine_that(body) as engine:
        child = int(engine.send("spawn"))
    assert not _is_running(child)


def test_processor_time_is_told() -> None:
    body = "sum(range(3_000_000)); print('=' + number + '\\n')"
    with engine_that(body) as engine:
        engine.send("name")
        before = engine.cpu_seconds()
        for _ in range(4):
            engine.send("work")
        after = engine.cpu_seconds()
    if before is None or after is None:
        pytest.skip("this system does not tell, nor does the engine")
    assert after > before


def test_everything_said_can_be_listened_to() -> None:
    heard: list[tuple[str, str]] = []
    with Engine(tiny_command(), listen=lambda way, line: heard.append((way, line))) as engine:
        engine.send("name")
    assert heard[:2] == [(">", "1 name"), ("<", "=1 Tiny")]


def _is_running(process: int) -> bool:
    import time
    from pathlib import Path

    for _ in range(50):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.02)
    return True
