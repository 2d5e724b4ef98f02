"""A game of one's own as sessions play it: the rules in a file, the search, and what is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from montego.games.file import load_game
from montego.go.vocabulary.errors import GoError
from montego.web.game.own_referee import OwnReferee
from montego.web.messages.requests import NewGame, Play, Strength
from montego.web.server.library import Library
from montego.web.server.store import GameFiles
from montego.web.session.players import begin
from montego.web.thinking.search_thinker import SearchThinker
from montego.web.thinking.thinker import Programs, Question
from own_games import NIM, taught

if TYPE_CHECKING:
    from pathlib import Path

    from montego.mcts.game import GameDefinition
    from montego.web.messages.replies import Reply

TWO_PEOPLE = NewGame(kind="own", white="human")


def game_in(folder: Path, rules: str) -> GameDefinition:
    file = folder / "rules.py"
    file.write_text(rules, encoding="utf-8")
    return load_game(file)


def library_in(folder: Path, own: GameDefinition | None) -> Library:
    store = GameFiles(folder / "games")
    store.open()
    return Library(store, programs=Programs(own=own))


def ignore(_reply: Reply) -> None:
    pass


def test_a_page_is_shown_the_picture_and_the_moves(tmp_path: Path) -> None:
    referee = OwnReferee(game_in(tmp_path, taught()))
    state = referee.play(referee.start(), "black", "b2")
    position = referee.position(state, game="game", node=1)
    assert position.picture == ". . .\n. X .\n. . ."
    assert position.moves == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert (position.to_play, position.last, position.cells) == ("white", "b2", "")
    assert referee.result(state) is None
    assert referee.title == "my tic-tac-toe"


def test_the_end_is_told(tmp_path: Path) -> None:
    referee = OwnReferee(game_in(tmp_path, taught()))
    state = referee.start()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        state = referee.play(state, referee.to_play(state), move)
    assert referee.result(state) == "First player wins"
    assert referee.position(state, game="game", node=1).moves == []
    with pytest.raises(ValueError, match="the game is over"):
        referee.play(state, "white", "a3")


@pytest.mark.parametrize(
    ("color", "move", "message"),
    [
        ("black", "b", "'b' is no move of my tic-tac-toe: string index out of range"),
        ("black", "z1", "'z1' is no move of my tic-tac-toe: substring not found"),
        ("black", "b2", "b2 is not legal here"),
        ("white", "a1", "it is not the second player's turn"),
    ],
)
def test_a_wrong_move_is_a_sentence(color: str, move: str, message: str, tmp_path: Path) -> None:
    referee = OwnReferee(game_in(tmp_path, taught()))
    state = referee.start()
    for played in ("b2", "a2"):
        state = referee.play(state, referee.to_play(state), played)
    with pytest.raises(ValueError, match=message):
        referee.play(state, color, move)  # type: ignore[arg-type]


def test_montego_plays_it_and_names_moves_by_the_position_that_they_are_made_in(
    tmp_path: Path,
) -> None:
    nim = game_in(tmp_path, NIM)
    named = replace(
        nim,
        format_move=lambda state, move: f"{state[3]}:{move}",
        parse_move=lambda _state, text: int(text.split(":")[1]),
    )
    referee = OwnReferee(named)
    thinker = SearchThinker(referee, seed=1)
    question = Question(
        state=referee.start(), moves=(), color="black", strength=Strength(simulations=200)
    )
    answer = thinker.choose(question)
    referee.play(referee.start(), "black", answer.move)
    assert answer.findings is not None
    variation = answer.findings.moves[0].variation
    assert [text.split(":")[0] for text in variation] == [str(n) for n in range(len(variation))]
    assert len(variation) > 1
    thinker.close()


def test_a_game_waits_for_the_file_that_has_its_rules(tmp_path: Path) -> None:
    nim = game_in(tmp_path, NIM)
    library = library_in(tmp_path, nim)
    kept = library.new(TWO_PEOPLE)
    session, _ = library.watch(kept, ignore)
    assert session.summary().name == "nim, two people"
    session.handle(Play(node=0, move="4"))
    library.close()

    for other in (None, game_in(tmp_path, taught())):
        library = library_in(tmp_path, other)
        with pytest.raises(GoError, match="this is a game of nim: start montego play with the"):
            library.watch(kept, ignore)
        assert [game.id for game in library.summaries()] == [kept]
        library.close()

    library = library_in(tmp_path, nim)
    session, _ = library.watch(kept, ignore)
    assert session.summary().moves == 1
    library.close()


def test_rules_that_changed_damage_no_game(tmp_path: Path) -> None:
    nim = game_in(tmp_path, NIM)
    library = library_in(tmp_path, nim)
    kept = library.new(TWO_PEOPLE)
    session, _ = library.watch(kept, ignore)
    session.handle(Play(node=0, move="11"))
    library.close()

    smaller = game_in(tmp_path, NIM.replace("[2, 3, 4, 0]", "[2, 3, 1, 0]"))
    library = library_in(tmp_path, smaller)
    with pytest.raises(GoError, match="11 is not legal here"):
        library.watch(kept, ignore)
    assert [game.id for game in library.summaries()] == [kept]
    library.close()


def test_without_a_file_there_is_no_game_of_ones_own() -> None:
    with pytest.raises(ValueError, match=r"say montego play FILE\.py to have one"):
        begin(TWO_PEOPLE)


def test_it_has_neither_komi_nor_an_engine_of_go(tmp_path: Path) -> None:
    programs = Programs(own=game_in(tmp_path, NIM), engine=lambda: None, engine_name="GNU Go")  # type: ignore[arg-type,return-value]
    with pytest.raises(ValueError, match="knows neither handicap nor komi"):
        begin(NewGame(kind="own", komi=6.5), programs)
    with pytest.raises(ValueError, match="the engine plays Go"):
        begin(NewGame(kind="own", white="engine"), programs)
