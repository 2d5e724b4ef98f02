"""Montego with an adviser in the browser: who may play, what they are called, what is told."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from advisers import adviser_command
from montego.cli.commands.play import _programs
from montego.cli.main import build_parser
from montego.cli.player_options import options_from
from montego.engine.options.options import Options
from montego.web.game.go_referee import GoReferee, agree
from montego.web.messages.requests import Configure, NewGame, Play, Strength
from montego.web.session.players import begin
from montego.web.session.session import Session
from montego.web.thinking.go_thinker import GoThinker
from montego.web.thinking.thinker import READY, Programs, Question
from web_fakes import COMPILING, Page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUICK = Strength(simulations=60)
HYBRID = NewGame(size=5, black="hybrid", white="human", strength=QUICK, komi=0.5)


def programs_with(*fault: str | int) -> Programs:
    return Programs(
        options=Options(seed=1, threads=1, memory=50.0),
        adviser=adviser_command(*fault),
        adviser_name="Tiny",
    )


@pytest.fixture
def referee() -> GoReferee:
    return GoReferee(agree(HYBRID))


@pytest.fixture
def thinker(referee: GoReferee) -> Iterator[GoThinker]:
    programs = programs_with("--fault", "exit", "--at", 1)
    made = GoThinker(referee, programs.options, programs.adviser)
    ready = threading.Event()
    while made.preparation() != READY:
        ready.wait(0.05)
    yield made
    made.close()


def ask(thinker: GoThinker, referee: GoReferee, strength: Strength = QUICK) -> tuple[str, str]:
    """Return why a first move was chosen, and what went wrong."""
    question = Question(state=referee.start(), moves=(), color="black", strength=strength)
    answer = thinker.choose(question)
    return "\n".join(answer.lines), answer.notice


def test_reasons_have_the_adviser_until_it_dies_which_is_told_once(
    referee: GoReferee, thinker: GoThinker
) -> None:
    lines, notice = ask(thinker, referee)
    assert "Tiny 1.0 would play" in lines
    assert notice == ""

    lines, notice = ask(thinker, referee)
    assert "It has no adviser in this game" in lines
    assert notice.startswith("Playing on without an adviser: ")

    _, notice = ask(thinker, referee)
    assert notice == ""


def test_plain_montego_asks_nobody(referee: GoReferee) -> None:
    made = GoThinker(referee, Options(with_=adviser_command(), seed=1, threads=1, memory=50.0))
    lines, _ = ask(made, referee)
    made.close()
    assert "Tiny" not in lines


def test_a_game_tells_who_plays_and_what_became_of_the_adviser() -> None:
    programs = programs_with("--fault", "exit", "--at", 0)
    session = Session(begin(HYBRID, programs), programs=programs)
    assert session.summary().name == "Go 5x5 against Montego with Tiny (classical, 60 simulations)"
    page = Page(session, COMPILING)
    state = page.wait_state(lambda state: state.head == 1)
    session.handle(Play(node=1, move="pass"))
    state = page.wait_state(lambda state: state.head >= 3 or state.phase != "playing")
    session.close()

    assert state.names == ("Montego with Tiny (classical, 60 simulations)", "You")
    told = [reply.notice for reply in page.all(type(state)) if reply.notice]
    assert told
    assert all("Playing on without an adviser" in notice for notice in told)
    assert not any("paused" in notice for notice in told)


@pytest.mark.parametrize(
    ("request_", "programs", "fault"),
    [
        (HYBRID, Programs(), "no adviser was named"),
        (NewGame(kind="hex", white="hybrid"), programs_with(), "knows Go, not Hex"),
        (NewGame(white="hybrid", strength=Strength(level="12k")), programs_with(), "no level"),
    ],
)
def test_games_that_cannot_begin(request_: NewGame, programs: Programs, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        begin(request_, programs)


def test_a_level_and_the_hybrid_exclude_one_another_later_too() -> None:
    programs = programs_with()
    request = NewGame(size=5, strength=Strength(level="12k"))
    session = Session(begin(request, programs), programs=programs)
    before = session.state()
    with pytest.raises(ValueError, match="no level"):
        session.handle(Configure(white="hybrid"))
    assert session.state() == before
    session.handle(Configure(white="hybrid", strength=QUICK))
    assert session.state().names[1] == "Montego with Tiny (classical, 60 simulations)"
    with pytest.raises(ValueError, match="no level"):
        session.handle(Configure(strength=Strength(level="12k")))
    session.close()


# The command line


def programs_of(*flags: str) -> Programs:
    arguments = build_parser(["play"]).parse_args(["play", *flags])
    return _programs(arguments, options_from(arguments))


def test_the_adviser_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    command = adviser_command()
    programs = programs_of("--with", command)
    assert (programs.adviser, programs.adviser_name) == (command, "Tiny")
    assert programs.options is not None
    assert programs.options.with_ is None, "plain Montego asks nobody"

    programs = programs_of("--with", "no-such-program-anywhere")
    assert (programs.adviser, programs.adviser_name) == (None, "")
    assert "montego: playing on without an adviser: " in capsys.readouterr().err


def test_the_board_does_not_wait_long_for_an_adviser_that_hangs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("montego.cli.commands.play.ADVISER_SECONDS", 0.3)
    assert programs_of("--with", "sleep 100").adviser is None
    message = "playing on without an adviser: sleep: no answer to 'list_commands' in 0.3 s"
    assert message in capsys.readouterr().err


def test_gnu_go_is_the_adviser_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("montego.cli.commands.play.GAMES", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert programs_of().adviser is None

    program = tmp_path / "gnugo"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    programs = programs_of()
    assert programs.adviser == f"{program} --mode gtp --level 10 --chinese-rules"
    assert programs.adviser_name == "GNU Go"
    assert programs_of("--with", "off").adviser is None
