"""The ladder in the browser: results are kept, taken back, and say whom to play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego.ladder.home import LadderGame
from montego.web.messages.requests import (
    Analyze,
    Configure,
    Hint,
    NewGame,
    Play,
    Resign,
    ShowLadder,
    Strength,
    Undo,
)
from montego.web.server.library import Library
from montego.web.server.store import GameFiles
from montego.web.thinking.thinker import Programs
from web_thinker import QuickThinker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from montego.web.messages.replies import Reply
    from montego.web.messages.requests import Request

LEVEL = NewGame(size=5, strength=Strength(level="12k"))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    store = GameFiles(tmp_path / "games")
    store.open()
    library = Library(store, programs=Programs(montego=QuickThinker))
    yield library
    library.close()


def ignore(_reply: Reply) -> None:
    pass


def play(library: Library, game: NewGame, *asked: Request) -> None:
    session, leave = library.watch(library.new(game), ignore)
    for request in (*asked, Resign()):
        session.handle(request)
    leave()


def test_a_game_against_a_level_is_kept_and_taken_back(library: Library) -> None:
    id_ = library.new(LEVEL)
    session, leave = library.watch(id_, ignore)
    assert library.home.games() == []
    session.handle(Resign())
    (game,) = library.home.games()
    assert (game.id, game.rank, game.size, game.color, game.score) == (id_, -12, 5, "black", 0.0)
    assert not game.helped
    session.handle(Undo())
    assert library.home.games() == []
    session.handle(Resign())
    assert [game.helped for game in library.home.games()] == [False]  # Nothing was played again.
    leave()


@pytest.mark.parametrize(
    "game",
    [
        NewGame(size=5, strength=Strength(simulations=20)),
        NewGame(size=5, white="human"),
        NewGame(size=9, strength=Strength(level="like-15k")),
        NewGame(size=5, strength=Strength(preset="v-run")),
        NewGame(kind="hex", size=5, strength=Strength(level="12k")),
    ],
)
def test_others_are_not(library: Library, game: NewGame) -> None:
    play(library, game)
    assert library.home.games() == []


@pytest.mark.parametrize(
    "request_",
    [Hint(node=0), Analyze(node=0, on=True), Configure(strength=Strength(level="9k"))],
)
def test_who_was_helped_is_not_rated(library: Library, request_: Request) -> None:
    play(library, LEVEL, request_)
    (game,) = library.home.games()
    assert game.helped
    assert library.ladder(ShowLadder(size=5)).games == 0


def test_a_game_with_another_name_is_the_same(library: Library) -> None:
    play(library, LEVEL, Configure(name="Mine"), Play(node=0, move="C3"))
    assert [game.helped for game in library.home.games()] == [False]


def test_an_even_opponent_follows_the_rating(library: Library) -> None:
    even = NewGame(size=9, strength=Strength(even=True))
    begun, _ = library.watch(library.new(even), ignore)
    assert begun.state().strength == Strength(level="20k", even=True)
    library.home.add(
        LadderGame(id=f"won {number}", time=1.0, size=9, rank=-20, color="black", score=1.0)
        for number in range(4)
    )
    again, _ = library.watch(library.new(even), ignore)
    rank = library.ladder(ShowLadder(size=9)).rank
    assert again.state().strength.level == rank != "20k"
    with pytest.raises(ValueError, match="only in Go"):
        library.new(NewGame(kind="hex", size=5, strength=Strength(even=True)))


def test_what_a_page_is_told(library: Library) -> None:
    library.home.add(
        LadderGame(id=f"won {number}", time=1.0, size=9, rank=-20, color="black", score=1.0)
        for number in range(2)
    )
    told = library.ladder(ShowLadder(size=9, level="1k"))
    assert (told.games, told.climbed, told.next, told.sizes) == (2, "20k", "19k", [9])
    assert (told.color, told.level, told.komi) == ("black", "1k", 0.5)
    assert told.handicap >= 2
    assert len(told.course) == 2
    assert library.ladder(ShowLadder(size=13, level="nobody")).level == told.rank
