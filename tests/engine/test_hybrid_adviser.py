"""The GTP adviser against an engine that helps, and against all that an engine can do instead."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest

from advisers import adviser_command
from montego.go.game import Game
from montego.go.vocabulary.errors import GoError
from montego.gtp.client import Engine
from montego.gtp.client.adviser import GtpAdviser, parse_values
from montego.gtp.client.engine import session_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from montego.engine.hybrid import Advice

PATIENCE = 60.0  # Seconds for what should be answered at once; a busy machine may take its time.


@pytest.fixture
def hire() -> Iterator[Callable[..., GtpAdviser]]:
    hired: list[GtpAdviser] = []

    def start(*options: object) -> GtpAdviser:
        hired.append(GtpAdviser(adviser_command(*options), PATIENCE))
        return hired[-1]

    yield start
    for adviser in hired:
        adviser.close()


def advice_of(adviser: GtpAdviser, game: Game, color: str = "black") -> Advice:
    return adviser.ask(game, color).result(PATIENCE)


def game_with(*vertices: str, size: int = 5) -> Game:
    game = Game(size)
    for vertex in vertices:
        game.play(game.to_play, vertex)
    return game


def heard(path: Path) -> list[str]:
    told = path.read_text(encoding="utf-8").split("\n")
    return [line for line in told if line.split(" ")[0] not in ("list_commands", "name", "version")]


def test_the_advice_is_a_move_and_what_moves_are_worth(hire: Callable[..., GtpAdviser]) -> None:
    advice = advice_of(hire(), game_with("C3"), "white")
    assert advice.adviser == "Tiny 1.0"
    assert (advice.move, advice.values) == ("B2", {"B2": 20.0, "D4": 10.0})


def test_asking_does_not_wait_and_games_may_go_on(hire: Callable[..., GtpAdviser]) -> None:
    adviser, game = hire("--fault", "slow", "--delay", 0.2), game_with()
    answer = adviser.ask(game, "black")
    assert not answer.done()
    game.play("black", "C3")
    assert answer.result(PATIENCE).move == "C3"


def test_the_engine_follows_the_game(hire: Callable[..., GtpAdviser], tmp_path: Path) -> None:
    path = tmp_path / "heard"
    adviser, game = hire("--heard", path), game_with("A1", "E5")
    advice_of(adviser, game)
    game.play("black", "B1")
    advice_of(adviser, game, "white")
    game.undo(2)
    game.play("white", "A5")
    advice_of(adviser, game)
    game.komi = 3
    advice_of(adviser, game)
    ask = ["reg_genmove black", "top_moves", "all_move_values"]
    begin = ["boardsize 5", "clear_board"]
    assert heard(path) == [
        *begin, "komi 7.5", "play black A1", "play white E5", *ask,
        "play black B1", "reg_genmove white", "top_moves", "all_move_values",
        "undo", "undo", "play white A5", *ask,
        *begin, "komi 3", "play black A1", "play white A5", *ask, "",
    ]  # fmt: skip  # A conversation, a question a line.


def test_an_engine_that_cannot_undo_is_told_again(
    hire: Callable[..., GtpAdviser], tmp_path: Path
) -> None:
    path = tmp_path / "heard"
    adviser, game = hire("--heard", path, "--fault", "refuse-undo", "--at", 99), game_with("A1")
    advice_of(adviser, game, "white")
    game.undo()
    assert advice_of(adviser, game).move == "C3"
    assert heard(path)[-8:-1] == [
        *("undo", "boardsize 5", "clear_board", "komi 7.5"),
        *("reg_genmove black", "top_moves", "all_move_values"),
    ]


def test_handicap_and_stones_set_up_are_told(
    hire: Callable[..., GtpAdviser], tmp_path: Path
) -> None:
    path = tmp_path / "heard"
    game = Game(5)
    game.setup(black=["A1", "A2"], white=["E5"], to_play="white")
    assert advice_of(hire("--heard", path), game, "white").move == "C3"
    assert heard(path)[3:6] == ["play black A1", "play black A2", "play white E5"]
    game.setup(empty=["A1"])
    with pytest.raises(GoError, match="cannot take stones off the board"):
        advice_of(hire(), game)


def test_who_knows_no_free_handicap_is_told_of_stones(
    hire: Callable[..., GtpAdviser], tmp_path: Path
) -> None:
    path = tmp_path / "heard"
    game = Game(9)
    game.fixed_handicap(2)
    assert advice_of(hire("--heard", path), game, "white").move
    told = [line for line in heard(path) if line.startswith(("play", "set_free"))]
    assert told == ["play black C3", "play black G7"]


def test_an_engine_without_values_names_its_move(hire: Callable[..., GtpAdviser]) -> None:
    advice = advice_of(hire("--fault", "no-values"), game_with())
    assert advice.values == {"C3": 1.0}


def test_who_passes_values_nothing(hire: Callable[..., GtpAdviser]) -> None:
    advice = advice_of(hire("--fault", "pass"), game_with())
    assert (advice.move, advice.values) == ("pass", {})


def test_who_resigns_may_value_moves_or_not(hire: Callable[..., GtpAdviser]) -> None:
    advice = advice_of(hire("--fault", "resign"), game_with())
    assert (advice.move, advice.values["C3"]) == ("resign", 50.0)
    # A reply to all_move_values would have no end now, as GNU Go's.
    advice = advice_of(hire("--fault", "resign", "--values", ""), game_with())
    assert (advice.move, advice.values) == ("resign", {})


def test_a_ko_that_is_valued_but_barred_is_left_out(hire: Callable[..., GtpAdviser]) -> None:
    game = game_with("B2", "D3", "C3", "D1", "C1", "E2", "A5", "C2", "D2")
    assert game.ko == "C2"
    advice = advice_of(hire("--fault", "blind", "--values", "C2=50,B4=20"), game, "white")
    assert (advice.move, advice.values) == ("B4", {"B4": 20.0})


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("exit", "ended with status 3 at 'reg_genmove black': out of ideas"),
        ("nonsense", "talks nonsense: 'C3 fine'"),
        ("odd-values", "talks nonsense: 'B2'"),
        ("occupied", "it suggests A1, which is illegal: "),
        ("off-board", "talks nonsense: 't19' is no move"),
        ("refuse-size", "'boardsize 5' was refused: unacceptable size"),
        ("refuse-play", "'play black A1' was refused: I would rather not"),
        ("no-advice", "it cannot advise: it knows no reg_genmove"),
    ],
)
def test_failures_are_one_sentence(
    hire: Callable[..., GtpAdviser], fault: str, message: str
) -> None:
    with pytest.raises(GoError) as caught:
        advice_of(hire("--fault", fault), game_with("A1", "E5"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fault", ["silence", "stop", "babble"])
def test_patience_ends(hire: Callable[..., GtpAdviser], fault: str) -> None:
    adviser = hire("--fault", fault, "--at", 1)
    assert advice_of(adviser, game_with()).move == "C3"
    adviser._patience = 0.5
    with pytest.raises(GoError, match="no answer to 'reg_genmove black'"):
        advice_of(adviser, game_with())


def test_a_missing_program_is_a_failure_of_the_question() -> None:
    adviser = GtpAdviser("/no/such/engine --mode gtp", 1.0)
    with pytest.raises(GoError, match="cannot start '/no/such/engine'"):
        advice_of(adviser, game_with())
    adviser.close()


def test_a_command_line_needs_words() -> None:
    with pytest.raises(GoError, match="invalid command"):
        GtpAdviser("gnugo 'unclosed", 1.0)


def test_a_newer_question_replaces_one_that_waits(hire: Callable[..., GtpAdviser]) -> None:
    adviser = hire("--fault", "slow", "--delay", 0.3)
    first = adviser.ask(game_with(), "black")
    while not first.running():
        time.sleep(0.005)
    second = adviser.ask(game_with("C3"), "white")
    third = adviser.ask(game_with("C3", "B2"), "black")
    assert third.result(PATIENCE).move == "D4"
    assert second.cancelled()
    assert first.result(PATIENCE).move == "C3"


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system cannot stop processes")
def test_closing_ends_even_a_stopped_engine(hire: Callable[..., GtpAdviser]) -> None:
    adviser = hire("--fault", "stop")
    answer = adviser.ask(game_with(), "black")
    while not answer.running() or adviser._engine is None:
        time.sleep(0.005)
    process = adviser._engine.pid
    adviser.close()
    adviser.close()
    with pytest.raises(GoError):
        answer.result(PATIENCE)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_values_are_read_as_gnu_go_writes_them() -> None:
    text = "C7  74.01\nD7  -1.50\npass 3.0\nE7   0.00\nA1 0.17"
    assert parse_values(text, 9) == {"C7": 74.01, "A1": 0.17}
    assert parse_values("E3 75.01 C7 74.01 ", 9) == {"E3": 75.01, "C7": 74.01}
    assert parse_values("", 9) == {}
    for nonsense in ("C7 nan", "C7 inf", "Z99 1.0", "hello world"):
        with pytest.raises(GoError, match="talks nonsense"):
            parse_values(nonsense, 9)


def test_an_adviser_counts_as_time_of_the_engine_that_asks_it() -> None:
    asking = (
        "import subprocess, sys; "
        "child = subprocess.Popen([sys.executable, '-S', '-E', '-c', "
        "'sum(range(20_000_000)); print(1, flush=True); input()'], start_new_session=True, "
        "stdin=subprocess.PIPE, stdout=subprocess.PIPE); child.stdout.readline(); "
        "print('=1\\n', flush=True); input(); child.communicate(b'\\n')"
    )
    with Engine([sys.executable, "-S", "-E", "-c", asking]) as engine:
        engine.send("name")
        seconds = session_seconds(engine.pid)
        engine._write("2 quit")
    if seconds is None:
        pytest.skip("this system does not tell")
    # Starting the two takes a few hundredths, the sum several times that.
    assert seconds > 0.15
