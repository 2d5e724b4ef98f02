"""The player and its book: what one game learns the next one knows, and trouble disturbs nobody."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import montego.book.store
import montego.engine.knowledge.definition
from montego.book.errors import BookLocked, NoBook, ReadOnlyBook
from montego.book.experience import Experience, MoveExperience, encode
from montego.book.position import move_at, pose_of_game, settings_of, turned_moves, vertex_of
from montego.book.store import Book
from montego.cli.player_options import flags_of
from montego.engine import book as engine_book
from montego.engine.decision import DecisionReason
from montego.engine.knowledge.experience import VISITS
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.engine.thinking import is_known, left_to_search
from montego.go.game import Game
from montego.go.kernels.position import play, position_hash
from montego.gtp.session import GtpSession

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SIZE = 5
SIMULATIONS = 100
FEW = 0.05  # Of the simulations: what is made in any case, unless somebody says otherwise.


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "book.sqlite"


def settings(file: Path | str | None, seed: int = 1, **more: object) -> Options:
    options = Options(size=SIZE, simulations=SIMULATIONS, seed=seed, resign=None)
    return options.replace(book=None if file is None else str(file), **more)  # type: ignore[arg-type]


def at(game: Game, file: Path) -> Experience | None:
    """What the book knows about the position of a game."""
    with Book.open(file, create=False) as book:
        return book.find(settings_of(game), pose_of_game(game).key)


def teach(file: Path, game: Game, visits: dict[str, float], value: float = 0.5) -> None:
    """Tell the book about moves of a position that is not symmetric."""
    pose = pose_of_game(game)
    moves = [
        MoveExperience(
            int(turned_moves(pose.symmetry, game.size)[move_at(vertex, game.size)]),
            count,
            value * count,
        )
        for vertex, count in visits.items()
    ]
    with Book.open(file) as book:
        book.merge(settings_of(game), [Experience(pose.key, sum(visits.values()), moves)])


def game_after(*vertices: str, size: int = SIZE) -> Game:
    game = Game(size)
    for vertex in vertices:
        game.play(game.to_play, vertex)
    return game


# --- Learning, and knowing ---


def test_what_one_game_learns_makes_the_next_one_cheaper(file: Path) -> None:
    first = Player(settings(file))
    spent = [first.genmove() for _ in range(4)]
    assert [decision.reason for decision in spent] == [DecisionReason.SEARCH] * 4
    first.close()

    second = Player(settings(file, seed=2))
    decision = second.genmove()

    assert decision.analysis is not None
    made = spent[0].analysis.simulations  # type: ignore[union-attr]
    assert decision.analysis.book_visits == pytest.approx(made)
    assert decision.analysis.simulations <= max(SIMULATIONS - made, FEW * SIMULATIONS)
    assert decision.reason is DecisionReason.EXPERIENCE
    text = second.explain()
    assert "it did best in earlier games" in text
    assert f"of {made} in this position" in text
    assert "from before" in text
    second.close()


def test_a_well_known_position_takes_next_to_nothing(file: Path) -> None:
    game = game_after("C3", "C4", "D3")
    teach(file, game, {"B4": 9000.0, "D4": 500.0}, 0.6)
    player = Player(settings(file, book_least=0.1))
    player.load(game)

    decision = player.choose()

    assert decision.vertex == "B4"
    assert decision.analysis is not None
    assert decision.analysis.simulations <= 0.1 * SIMULATIONS
    assert decision.analysis.visits >= 9500
    assert "The book has 9,000 visits on it, of 9,500 in this position; 60% " in player.explain()
    player.close()


def test_the_weight_scales_what_the_book_knows(file: Path) -> None:
    game = game_after("C3", "C4", "D3")
    teach(file, game, {"B4": 900.0})
    player = Player(settings(file, book_weight=0.02))
    player.load(game)
    decision = player.choose()

    assert decision.analysis is not None
    assert SIMULATIONS / 2 <= decision.analysis.simulations <= SIMULATIONS - 18
    assert decision.analysis.visits == decision.analysis.simulations + 18
    player.configure(settings(file, book_weight=0.0))
    deaf = player.choose()
    assert deaf.analysis is not None
    assert deaf.analysis.book_visits == 0
    player.close()


def test_only_what_searches_found_is_added_not_what_the_book_said(file: Path) -> None:
    player = Player(settings(file, book_depth=6))
    first = player.genmove()
    after = player.game.copy()
    second = player.genmove()
    player.close()
    assert first.analysis is not None
    assert second.analysis is not None
    known = at(Game(SIZE), file)
    assert known is not None
    assert known.visits == first.analysis.simulations
    below = at(after, file)
    assert below is not None
    # The search of the second move went on in the tree of the first.
    assert below.visits == second.analysis.visits

    again = Player(settings(file, seed=5, book_depth=6))
    third = again.genmove()
    again.close()
    assert third.analysis is not None
    more = at(Game(SIZE), file)
    assert more is not None
    assert more.visits == pytest.approx(known.visits + third.analysis.simulations)
    assert sum(move.visits for move in more.moves) == pytest.approx(more.visits)
    assert all(0.0 <= move.value_sum <= move.visits + 1e-3 for move in more.moves)


def test_what_was_learned_on_request_is_not_learned_again(file: Path) -> None:
    player = Player(settings(file))
    player.genmove()
    count = player.learn()
    assert count > 0
    assert player.learn() == 0
    known = at(Game(SIZE), file)
    player.genmove()
    assert player.learn() > 0

    player.new_game()
    player.close()

    assert at(Game(SIZE), file) == known
    with Book.open(file) as book:
        assert book.statistics().games == 1


def test_what_is_too_much_for_one_merge_waits_for_the_next(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_book, "LEARNED", 2)
    player = Player(settings(file, simulations=400))
    player.choose()
    merged = [player.learn() for _ in range(3)]
    assert merged == [2, 2, 2]
    player.play("black", "A1")
    player.choose()
    player.new_game()

    monkeypatch.setattr(engine_book, "LEARNED", 300)
    assert player.learn() > 0
    assert player.learn() == 0
    player.close()

    known = at(Game(SIZE), file)
    assert known is not None
    assert at(game_after(vertex_of(known.moves[0].move, SIZE)), file) is not None
    with Book.open(file) as book:
        assert book.statistics().positions > 6


def test_findings_of_a_long_game_are_not_all_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_book, "KEPT", 10)
    player = Player(settings(file, simulations=400))
    keeper = player._book
    for vertex in ("A1", "B1", "A2", "B2"):
        player.play("black", vertex)
        player.analyze("white", limit=400)
        player.undo()
        player.clear_cache()
        assert len(keeper._found) <= 10
    assert len(keeper._found) == 10
    roots = {finding.pose.key for finding in keeper._found.values()}
    assert pose_of_game(game_after("B2")).key in roots  # The most visited ones.

    assert player.learn() == 10
    # That tree can be searched on; of the others nothing more will be heard.
    assert {place[1] for place in keeper._found} <= {keeper._tree}
    assert set(keeper._merged) == set(keeper._found)
    player.close()


def test_a_move_that_is_played_after_the_merge_can_be_followed_too(file: Path) -> None:
    player = Player(settings(file, simulations=200))
    player.genmove("black")
    before = player.game.copy()
    player.choose("white")
    player.learn()
    known = at(before, file)
    player.play("white", "A1")
    unexpected = pose_of_game(player.game).key
    player.choose("black")
    player.close()

    followed = at(before, file)
    assert known is not None
    assert followed is not None
    assert unexpected not in {move.after for move in known.moves}
    assert unexpected in {move.after for move in followed.moves}
    assert (followed.visits, followed.games) == (known.visits, known.games)


def test_the_moves_of_a_game_can_be_followed_whatever_was_expected(file: Path) -> None:
    player = Player(settings(file, simulations=200))
    player.genmove("black")
    before = player.game.copy()
    player.play("white", "A1")
    unexpected = player.game.copy()
    player.genmove("black")
    player.close()

    known = at(before, file)
    assert known is not None
    assert pose_of_game(unexpected).key in {move.after for move in known.moves}
    assert at(unexpected, file) is not None


def test_nothing_deeper_than_the_depth_is_kept(file: Path) -> None:
    player = Player(settings(file, book_depth=2))
    for _ in range(5):
        player.genmove()
    player.close()

    with Book.open(file) as book:
        found = book.statistics()
    assert found.positions > 0
    assert found.settings[0].deepest <= 2


def test_of_a_large_tree_the_most_visited_nodes_are_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_book, "MOST", 3)
    player = Player(settings(file, simulations=400))
    found = player.choose().analysis
    assert found is not None

    assert player.learn() == 3
    player.close()

    assert at(Game(SIZE), file) is not None
    assert at(game_after(found.moves[0].vertex), file) is not None


def two_passes(player: Player) -> None:
    player.play("black", "pass")
    player.play("white", "pass")


ENDINGS: dict[str, Callable[[Player], object]] = {
    "two passes": two_passes,
    "another game": lambda player: player.new_game(),
    "another board": lambda player: player.new_game(7),
    "a record": lambda player: player.load(Game(9)),
    "other options": lambda player: player.configure(player.options.replace(book=None)),
    "on request": lambda player: player.learn(),
    "closing": lambda player: player.close(),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_game_is_learned_when_it_ends(file: Path, ending: str) -> None:
    player = Player(settings(file))
    player.choose()
    assert not file.exists() or at(Game(SIZE), file) is None

    ENDINGS[ending](player)

    known = at(Game(SIZE), file)
    assert known is not None
    assert known.visits >= SIMULATIONS / 2
    player.close()
    assert at(Game(SIZE), file) == known


def test_a_resignation_ends_a_game(file: Path) -> None:
    player = Player(settings(file, resign=0.99, resign_moves=1, resign_after=0.0))
    assert player.genmove().vertex == "resign"
    assert at(Game(SIZE), file) is not None
    player.close()


def test_options_that_only_read(file: Path) -> None:
    teach(file, game_after("C3", "C4", "D3"), {"B4": 900.0})
    before = file.read_bytes()
    player = Player(settings(file, book_learn=False))
    for vertex in ("C3", "C4", "D3"):
        player.play(player.game.to_play, vertex)

    assert player.genmove().vertex == "B4"
    player.close()

    assert file.read_bytes() == before


def test_two_players_on_one_book_add_up(file: Path) -> None:
    one, two = Player(settings(file)), Player(settings(file, seed=2))
    decisions = [one.choose(), two.choose()]

    one.close()
    two.close()

    known = at(Game(SIZE), file)
    assert known is not None
    made = [decision.analysis.simulations for decision in decisions if decision.analysis]
    assert known.visits == sum(made)


def test_another_komi_or_rule_set_knows_nothing(file: Path) -> None:
    player = Player(settings(file))
    player.choose()
    player.learn()
    for changed in (settings(file, komi=0.5), settings(file, rules="tromp-taylor")):
        other = Player(changed)
        found = other.choose().analysis
        assert found is not None
        assert found.book_visits == 0
        other.close()
    player.close()


def test_a_level_does_without_the_book(file: Path) -> None:
    player = Player(settings(file, level="15k"))
    player.genmove()
    player.close()

    assert not file.exists()


def test_the_word_for_the_users_own_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(tmp_path))
    player = Player(settings(None).set("book", "default"))
    player.choose()
    player.close()

    assert (tmp_path / "book.sqlite").is_file()
    assert settings(None).set("book", "off").book is None


def test_flags_that_ask_for_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert flags_of(Options(book="default")) == ["--book", "default"]
    assert flags_of(Options(book="mine.sqlite")) == ["--book", str(tmp_path / "mine.sqlite")]
    assert flags_of(Options(book_depth=8)) == ["--set", "book-depth=8"]


# --- How the board lies ---


def turned(vertex: str, symmetry: int, size: int) -> str:
    return vertex_of(int(turned_moves(symmetry, size)[move_at(vertex, size)]), size)


def test_all_eight_ways_a_board_can_lie_have_the_same_experience(file: Path) -> None:
    size = 7
    opening = ("C3", "E4", "D5", "D3")
    player = Player(settings(file, size=size))
    player.load(game_after(*opening, size=size))
    player.choose()
    player.close()

    expected: dict[str, float] | None = None
    for symmetry in range(8):
        moves = [turned(vertex, symmetry, size) for vertex in opening]
        other = Player(settings(file, size=size, book_learn=False, seed=symmetry))
        other.load(game_after(*moves, size=size))
        found = other.choose().analysis
        other.close()
        assert found is not None
        known = {move.vertex: move.book_visits for move in found.moves if move.book_visits}
        if expected is None:
            expected = known
            assert len(expected) > 2
        assert known == {turned(v, symmetry, size): n for v, n in expected.items()}
        assert found.book_visits == sum(known.values())


def test_what_is_known_deeper_is_turned_as_well(file: Path) -> None:
    game = game_after("B2", "C4", "D2")
    teach(file, game, {"D4": 50.0})
    follower = game.copy()
    follower.play("white", "D4")
    teach(file, follower, {"B4": 777.0}, 0.9)
    with Book.open(file) as book:
        # The two know of one another, as searches would have found out.
        pose = pose_of_game(game)
        move = int(turned_moves(pose.symmetry, SIZE)[move_at("D4", SIZE)])
        key = pose_of_game(follower).key
        link = MoveExperience(move, 1.0, 0.5, after=key)
        book.merge(settings_of(game), [Experience(pose.key, 1.0, [link])])

    for symmetry in range(8):
        player = Player(settings(file, book_learn=False, simulations=400))
        player.load(game_after(*(turned(v, symmetry, SIZE) for v in ("B2", "C4", "D2"))))
        player.choose()
        player.play("white", turned("D4", symmetry, SIZE))
        searcher = player._searcher
        assert searcher is not None
        # The tree was kept: the position was expanded below the root, and knew already.
        searcher.follow(player.game, "black")
        assert searcher.recalled() == 777
        player.close()


def test_of_a_large_book_the_most_visited_positions_are_loaded(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_book, "LOADED", 3)
    game = game_after("C3", "C4", "D3")
    pose, links = pose_of_game(game), []
    for vertex, visits in {"A1": 10.0, "B4": 30.0, "D4": 50.0, "E1": 40.0}.items():
        follower = game.copy()
        follower.play("white", vertex)
        teach(file, follower, {"B2": 100.0 * visits})
        move = int(turned_moves(pose.symmetry, SIZE)[move_at(vertex, SIZE)])
        links.append(MoveExperience(move, visits, 1.0, after=pose_of_game(follower).key))
    with Book.open(file) as book:
        book.merge(settings_of(game), [Experience(pose.key, 130.0, links)])

    player = Player(settings(file, book_learn=False))
    player.load(game)
    player.choose()
    entries = player._book._recalled.values()
    assert [entry[:, VISITS].sum() for entry in entries] == [130.0, 5000.0, 4000.0]
    player.close()


def test_a_book_that_knows_more_than_a_kept_tree_is_preferred(file: Path) -> None:
    player = Player(settings(file))
    player.genmove()
    player.play("white", "A2")  # No mirror maps D4 to another point then.
    teach(file, player.game, {"D4": 3000.0})

    decision = player.genmove()

    assert decision.vertex == "D4"
    assert decision.reason is DecisionReason.EXPERIENCE
    player.close()


def test_moves_that_superko_forbids_are_left_out(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(SIZE, rules="tromp-taylor")
    for vertex in ("C3", "C4", "D3"):
        game.play(game.to_play, vertex)
    teach(file, game, {"B4": 900.0, "D4": 300.0})
    beyond = game.board.copy()
    play(beyond.state, beyond_point(game, "B4"), 2)
    seen = int(position_hash(beyond.state))
    monkeypatch.setattr(engine_book, "history_of", lambda _game: [seen])
    player = Player(settings(file, rules="tromp-taylor"))
    player.load(game)

    found = player.choose().analysis

    assert found is not None
    assert {move.vertex for move in found.moves if move.book_visits} == {"D4"}
    player.close()


def beyond_point(game: Game, vertex: str) -> int:
    definition = montego.engine.knowledge.definition.go_game(game.size)
    return definition.parse_move(game.board.state, vertex)


def test_an_imagined_komi_is_no_experience(file: Path) -> None:
    player = Player(settings(file))
    player.choose()
    player.learn()
    searcher = player._searcher
    assert searcher is not None
    searcher.follow(player.game, "black", 2.0)
    assert player._book.at_root() == {}
    searcher.run(simulations=50, seconds=None, watch=lambda _seconds: False)
    before = at(Game(SIZE), file)
    player.close()

    assert at(Game(SIZE), file) == before


# --- Budgets ---


def test_what_is_recalled_counts_against_the_simulations() -> None:
    assert left_to_search(1000, 0, 0.05) == 1000
    assert left_to_search(1000, 300, 0.05) == 700
    assert left_to_search(1000, 5000, 0.05) == 50
    assert left_to_search(10, 5000, 0.05) == 1
    assert left_to_search(10, 5000, 0.0) == 1


def test_what_is_recalled_counts_against_the_time() -> None:
    # At 100 a second, 10 seconds are worth 1000.
    assert not is_known(100, 0, 9.9, 10.0, 0.05)
    assert not is_known(100, 899, 1.0, 10.0, 0.05)
    assert is_known(100, 900, 1.0, 10.0, 0.05)
    assert is_known(50, 100_000, 0.5, 10.0, 0.05)
    assert not is_known(40, 100_000, 0.4, 10.0, 0.05)


def test_seconds_shrink_where_the_book_knows_the_position(file: Path) -> None:
    game = game_after("C3", "C4", "D3")
    teach(file, game, {"B4": 1e6})
    player = Player(settings(file, simulations=None, seconds=30.0, book_least=0.001))
    player.load(game)

    assert player.choose().vertex == "B4"  # In well under the 30 seconds, or this test is slow.
    player.close()


# --- Trouble ---


def impossible_values(file: Path) -> None:
    with Book.open(file) as book:
        known = Experience(pose_of_game(Game(SIZE)).key, 900.0, [MoveExperience(12, 900.0, 90.0)])
        book.merge(settings_of(Game(SIZE)), [known])
        assert book._connection is not None
        table = known.table.copy()
        table["value_sum"] = 1e30
        book._connection.execute("UPDATE positions SET moves = ?", (encode(table),))


def garbage(file: Path) -> None:
    file.write_text("This is no book.\n" * 100)


def truncated(file: Path) -> None:
    teach(file, game_after("C3", "C4", "D3"), {"B4": 900.0})
    file.write_bytes(file.read_bytes()[:3000])


def folder(file: Path) -> None:
    file.mkdir()


def no_folder(file: Path) -> None:
    shutil.rmtree(file.parent)


@pytest.mark.parametrize("spoil", [garbage, truncated, impossible_values, folder, no_folder])
def test_a_bad_file_is_told_once_and_play_goes_on(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    file = tmp_path / "deep" / "book.sqlite"
    file.parent.mkdir()
    spoil(file)
    told: list[str] = []
    player, plain = Player(settings(file), tell=told.append), Player(settings(None))

    moves = [(player.genmove().vertex, plain.genmove().vertex) for _ in range(3)]

    assert all(mine == theirs for mine, theirs in moves)
    assert len(told) == 1
    assert told[0].startswith("montego: ")
    assert "book" in told[0]
    assert "\n" not in told[0]
    assert "The book: " in player.explain()
    assert player.learn() == 0
    player.new_game()
    player.close()
    plain.close()
    assert len(told) == 1


def test_a_book_that_may_only_be_read_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_after("C3", "C4", "D3")
    teach(file, game, {"B4": 900.0})
    opened = Book.open

    def refuse_to_write(path: object, *, read_only: bool = False, **more: object) -> Book:
        if not read_only:
            raise ReadOnlyBook("the book cannot be written")
        return opened(path, read_only=True, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(montego.book.store.Book, "open", refuse_to_write)
    told: list[str] = []
    player = Player(settings(file), tell=told.append)
    player.load(game)

    assert player.genmove().vertex == "B4"
    assert player.learn() == 0
    player.close()

    assert told == ["montego: the book cannot be written; it is read, and nothing is learned"]


def test_one_trouble_is_told_of_a_book_that_can_neither_be_made_nor_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: object, *, read_only: bool = False, **_more: object) -> Book:
        raise NoBook("there is no book") if read_only else ReadOnlyBook("it cannot be written")

    monkeypatch.setattr(montego.book.store.Book, "open", refuse)
    told: list[str] = []
    player = Player(settings(file), tell=told.append)
    player.genmove()
    player.close()

    assert told == ["montego: there is no book; playing without the book"]


def test_a_book_that_others_write_for_long_is_tried_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    player = Player(settings(file), tell=told.append)
    player.choose()
    merge = Book.merge

    def busy(*_args: object, **_more: object) -> None:
        raise BookLocked("the book is busy")

    monkeypatch.setattr(Book, "merge", busy)
    assert player.learn() == 0
    assert player.learn() == 0
    monkeypatch.setattr(Book, "merge", merge)
    assert player.learn() > 0
    player.close()

    assert told == ["montego: the book is busy"]


def test_a_game_that_ends_while_others_write_is_merged_later(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(settings(file), tell=lambda _text: None)
    player.choose()
    merge = Book.merge

    def busy(*_args: object, **_more: object) -> None:
        raise BookLocked("the book is busy")

    monkeypatch.setattr(Book, "merge", busy)
    player.play("black", "A1")
    player.choose()
    player.new_game()
    assert player.learns
    player.play("black", "B4")
    player.choose()
    assert "The book: the book is busy." in player.explain()
    monkeypatch.setattr(Book, "merge", merge)
    assert player.learn() > 0
    assert "the book is busy" not in player.explain()
    player.close()

    with Book.open(file) as book:
        assert [part.games for part in book.statistics().settings] == [2]
    first = at(Game(SIZE), file)
    assert first is not None
    assert first.visits > 0
    assert at(game_after("A1"), file) is not None


def test_nobody_to_complain_to_does_not_cost_the_game(tmp_path: Path) -> None:
    def tell(text: str) -> None:
        raise BrokenPipeError(text)

    player = Player(settings(tmp_path / "no" / "book.sqlite", with_="friend"), tell=tell)
    assert player.genmove().is_move
    assert "The book: " in player.explain()
    player.close()


def test_a_bug_in_the_book_does_not_cost_the_game(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    player = Player(settings(file), tell=told.append)

    def broken(*_args: object, **_more: object) -> None:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr(Book, "subtree", broken)
    assert player.genmove().is_move
    assert player.genmove().is_move
    player.close()

    assert len(told) == 1
    assert "nobody thought of this" in told[0]


# --- Protocols ---


def test_the_command_that_learns(file: Path) -> None:
    output = io.BytesIO()
    session = GtpSession(lambda: Player(settings(file)), output, errors=io.StringIO())
    for line in ("genmove b", "montego-learn", "montego-learn", "play w resign"):
        session.obey(line)
    replies = output.getvalue().decode().split("\n\n")
    assert int(replies[1].removeprefix("= ")) > 0
    assert replies[2] == "= 0"
    session.player.close()

    plain = GtpSession(lambda: Player(settings(None)), io.BytesIO(), errors=io.StringIO())
    with pytest.raises(Exception, match="no book"):
        plain.commands["montego-learn"].run(plain, None)


def test_the_end_of_input_is_the_end_of_a_game(file: Path) -> None:
    command = [sys.executable, "-m", "montego", "gtp", "--size", str(SIZE), "--book", str(file)]
    done = subprocess.run(
        [*command, "--simulations", str(SIMULATIONS)],
        input="genmove b\n",
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ,
        check=True,
    )

    assert done.stdout.startswith("= ")
    known = at(Game(SIZE), file)
    assert known is not None
    assert known.visits >= SIMULATIONS / 2
