"""The hybrid as others see it: flags, files, GTP, and a match of the arena."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from advisers import adviser_command
from arena_engines import SMALL, collect, tiny
from engine_process import EngineProcess
from montego.arena.match import Match, run_match
from montego.arena.workers import EngineSpec
from montego.cli.player_options import flags_of
from montego.engine.options.options import InvalidOption, Options, read_options

if TYPE_CHECKING:
    from pathlib import Path

    from montego.arena.record import GameRecord

QUICK = ("gtp", "--size", "5", "--simulations", "40", "--seed", "1", "--threads", "1")


def test_the_options_by_every_way(tmp_path: Path) -> None:
    wanted = Options(with_="gnugo --mode gtp --level 10", with_mode="product", with_patience=5)
    file = tmp_path / "player.toml"
    file.write_text(
        '[adviser]\nwith = "gnugo --mode gtp --level 10"\nwith-mode = "product"\n'
        "with-patience = 5\n",
        encoding="utf-8",
    )
    assert Options().replace(**read_options(str(file))) == wanted
    by_text = Options().set("with", " gnugo --mode gtp --level 10 ").set("with-mode", "PRODUCT")
    assert by_text.set("with-patience", "5") == wanted
    assert flags_of(wanted)[:2] == ["--with", "gnugo --mode gtp --level 10"]
    assert (wanted.text("with"), Options().text("with")) == (wanted.with_, "off")
    assert wanted.set("with", "off").with_ is None
    assert Options().replace(**wanted.changes()) == wanted


@pytest.mark.parametrize(
    ("name", "text"), [("with-mode", "sum"), ("with-weight", "-1"), ("with-patience", "0")]
)
def test_impossible_values_are_named(name: str, text: str) -> None:
    with pytest.raises(InvalidOption, match=f"invalid {name} '{text}': say "):
        Options().set(name, text)


def test_a_conversation_with_an_adviser_that_goes(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = adviser_command("--fault", "exit", "--at", 1)
    engine = EngineProcess([*QUICK, "--with", command, "--log", str(log)])
    try:
        assert engine.value("montego-param with") == command
        engine.value("genmove black")
        assert "Tiny 1.0 would play C3." in engine.value("explain")
        engine.value("genmove white")
        assert "It has no adviser in this game: " in engine.value("explain")
        engine.value("genmove black")
        engine.value("clear_board")
        engine.value("montego-param with off")
        engine.value("genmove black")
        assert "adviser" not in engine.value("explain")
        engine.value("quit")
        assert engine.wait() == 0
    finally:
        engine.kill()
    told = [line for line in engine.errors.split("\n") if "adviser" in line]
    assert len(told) == 1
    assert told[0].startswith("montego: playing on without an adviser: python")
    assert told[0].endswith("ended with status 3 at 'reg_genmove white': out of ideas")
    assert f"! {told[0]}" in log.read_text(encoding="utf-8")


def test_the_arena_takes_the_hybrid() -> None:
    command = shlex.join(["montego", *QUICK, "--with", adviser_command(), "--with-mode", "product"])
    hybrid = EngineSpec("hybrid", command, timeout=60.0, start_timeout=300.0)
    records: list[GameRecord] = []
    other = tiny("tiny", "--fault", "resign", "--at", 2)
    match = Match(first=hybrid, second=other, games=1, conditions=SMALL)
    run_match(match, None, report=collect(records))
    assert [(record.result, record.event) for record in records] == [("B+R", None)]
