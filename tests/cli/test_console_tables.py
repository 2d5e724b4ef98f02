"""The tables of the console without the conversation: results, resignations, Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from montego.cli.commands.console import GameTable, GoTable
from montego.cli.main import build_parser

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path


def arguments_of(*words: str) -> Namespace:
    """What the command line means, with a seed and few simulations."""
    return build_parser(["console"]).parse_args(
        ["console", "--simulations=100", "--seed=1", *words]
    )


def table_with(diagram_moves: str, *words: str) -> GoTable:
    """A table at which these moves, black first, were played."""
    table = GoTable(arguments_of(*words))
    for number, vertex in enumerate(diagram_moves.split()):
        table.player.play("bw"[number % 2], vertex)
    return table


ENDED = "B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 pass"
"""Two walls; Black has 10 points, White 15."""


def test_dead_stones_are_taken_off_and_named(tmp_path: Path) -> None:
    table = table_with(f"{ENDED} E3", "--size=5", "--komi=0.5")
    assert table.result() is None

    table = table_with(f"{ENDED} pass", "--size=5", "--komi=0.5")
    assert table.result() == "W+5.5"
    # A stone in White's territory, after which both pass.
    table = table_with("B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 E3 pass pass", "--size=5", "--komi=0.5")
    table.player.play("white", "pass")
    assert table.result() == "W+5.5, without the dead stones E3"
    assert table.score() == "  W+5.5, without the dead stones E3."
    assert "W+5.5. Prisoners" in table.picture()
    table.save(str(tmp_path / "a"), "b.sgf")
    assert "RE[W+5.5]" in (tmp_path / "a b.sgf").read_text()


def test_montego_does_not_resign_unless_asked_to() -> None:
    lost = ("--size=5", "--komi=-60", "--color=black")
    table = table_with("C3", *lost, "--set=resign-after=0", "--set=resign-moves=1")
    assert "resign" not in table.answer()

    table = table_with("C3", *lost, "--set=resign-after=0", "--set=resign-moves=1", "--resign=0.2")
    assert table.answer() == "Montego resigns."
    assert table.result() == "B+R"
    table.undo()
    assert table.result() is None
    assert table.is_persons_turn()


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
def test_ctrl_c_while_it_thinks_makes_it_move() -> None:
    table = table_with("C3", "--size=5", "--simulations=none", "--seconds=600")

    def press_ctrl_c() -> None:
        while not table.player.is_thinking:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    presser = threading.Thread(target=press_ctrl_c)
    presser.start()
    assert table.answer().startswith("Montego plays ")
    presser.join()
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("game", "moves", "answer"),
    [
        ("tic-tac-toe", "a1 b2 b1", "c1"),
        ("tic-tac-toe", "a1 b2 b1 b3 c3", "c1"),
        ("connect-four", "1 2 1 2 1", "1"),
        ("connect-four", "1 2 1 2 3 2 3", "2"),
        ("hex", "a1 b2 a3 b1 c3", "a2"),
    ],
)
def test_montego_takes_the_win_and_stops_the_loss(game: str, moves: str, answer: str) -> None:
    size = ["--size=3"] if game == "hex" else []
    table = GameTable(arguments_of(game, *size, "--simulations=2000"))
    for move in moves.split():
        table.play(move)

    assert table.answer() == f"Montego plays {answer}."
