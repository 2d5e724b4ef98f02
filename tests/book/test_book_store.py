"""The book: what goes in comes out, sums add up, the least useful goes first."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from book_made_up import SETTINGS, once, position
from montego.book import database
from montego.book.errors import BookError
from montego.book.experience import Experience, MoveExperience, table_of
from montego.book.position import (
    GameSettings,
    canonical_table,
    move_at,
    pose_of_game,
    real_table,
    settings_of,
)
from montego.book.store import BATCH, MOST_VISITS, Book, default_book
from montego.go.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OTHER = GameSettings(9, SETTINGS.rules, 5.5)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with Book.open(tmp_path / "book.sqlite") as opened:
        yield opened


def keys_of(book: Book, settings: GameSettings = SETTINGS) -> list[int]:
    return [experience.key for experience in book.positions(settings)]


def known(book: Book, key: int) -> Experience:
    """What the book knows of a position that it does know."""
    found = book.find(SETTINGS, key)
    assert found is not None
    return found


def test_what_was_merged_is_found_again(book: Book) -> None:
    learned = position(-5, 12.0, after=(6, 7), depth=3)
    book.merge(SETTINGS, [learned])
    found = book.find(SETTINGS, -5)
    assert found == Experience(-5, 12.0, learned.moves, depth=3, games=1)
    assert book.find(SETTINGS, 6) is None
    assert book.find(OTHER, -5) is None
    with Book.open(book.path, create=False, read_only=True) as again:
        assert again.find(SETTINGS, -5) == found


def test_merging_adds(book: Book) -> None:
    book.merge(
        SETTINGS,
        [Experience(1, 5.0, [MoveExperience(3, 4.0, 1.0, 2.0, 2.0, 9)], depth=4)],
        games=2,
    )
    book.merge(
        SETTINGS,
        [Experience(1, 8.0, [MoveExperience(3, 2.0, 0.5), MoveExperience(81, 6.0, 6.0)], depth=2)],
    )
    assert book.find(SETTINGS, 1) == Experience(
        1,
        13.0,
        [MoveExperience(3, 6.0, 1.5, 2.0, 2.0, 9), MoveExperience(81, 6.0, 6.0)],
        depth=2,
        games=3,
    )
    assert book.check() == []


def test_a_position_that_comes_twice_in_one_merge_is_added_and_one_game(book: Book) -> None:
    book.merge(SETTINGS, [once(7), once(8), once(7)])
    found = known(book, 7)
    assert (found.visits, found.games, found.moves[0].visits) == (2.0, 1, 2.0)
    assert book.statistics().positions == 2


def test_positions_that_count_their_own_games_add_them_all(book: Book) -> None:
    twice = [Experience(7, 2.0, [MoveExperience(3, 2.0, 1.0)], games=count) for count in (2, 3)]
    book.merge(SETTINGS, twice, games=5, counted=True)
    found = known(book, 7)
    assert (found.visits, found.games) == (4.0, 5)


def test_settings_are_kept_apart(book: Book) -> None:
    book.merge(SETTINGS, [once(1), once(2)])
    book.merge(OTHER, [once(1)])
    book.merge(GameSettings(13, SETTINGS.rules, 7.5), [])
    assert book.settings() == [SETTINGS, OTHER]
    assert (len(keys_of(book)), len(keys_of(book, OTHER))) == (2, 1)


def test_all_eight_symmetries_of_a_game_give_the_same_book(tmp_path: Path) -> None:
    line = [(4, 4), (2, 3), (6, 2), (2, 6), (1, 1)]

    def turned(column: int, row: int, symmetry: int) -> str:
        if symmetry & 1:
            column = 8 - column
        if symmetry & 2:
            row = 8 - row
        if symmetry & 4:
            column, row = row, column
        return f"{'ABCDEFGHJ'[column]}{row + 1}"

    contents = []
    for symmetry in range(8):
        game = Game(9)
        with Book.open(tmp_path / f"{symmetry}.sqlite") as book:
            learned = []
            for depth, place in enumerate(line):
                move = move_at(turned(*place, symmetry), 9)
                beside = move_at(turned(7, 3, symmetry), 9)
                pose = pose_of_game(game)
                game.play(game.to_play, turned(*place, symmetry))
                moves = [
                    MoveExperience(move, 50.0, 30.0, 60.0, 20.0, pose_of_game(game).key),
                    MoveExperience(beside, 3.0, 1.0, 80.0, 40.0),
                    MoveExperience(81, 1.0, 0.0),
                ]
                table = canonical_table(pose, 9, table_of(moves))
                learned.append(Experience(pose.key, 60.0, table, depth=depth))
            book.merge(settings_of(game), learned)
            start = pose_of_game(Game(9))
            assert list(book.subtree(settings_of(game), start.key, limit=10)) == [
                experience.key for experience in learned
            ]
            contents.append(list(book.positions(settings_of(game))))
            root = book.find(settings_of(game), start.key)
            assert root is not None
            table, places = real_table(start, 9, root.table)
            shares = dict(zip(places.tolist(), table["visits"].tolist(), strict=True))
            assert shares[move_at("E5", 9)] == 50.0
            assert {shares[move_at(corner, 9)] for corner in ("H4", "B6", "F2")} == {0.375}
    assert contents == [contents[0]] * 8


def test_a_subtree_has_the_most_visited_positions(book: Book) -> None:
    tree = {1: (2, 3, 4), 2: (5, 6), 3: (1, 7), 4: (8,), 5: (9,), 7: (5,)}
    visits = {1: 1000.0, 2: 600.0, 3: 300.0, 4: 90.0, 5: 320.0, 6: 200.0, 7: 40.0, 8: 3.0, 9: 150.0}
    book.merge(SETTINGS, [position(key, visits[key], after=tree.get(key, ())) for key in visits])
    assert set(book.subtree(SETTINGS, 1, limit=100)) == set(visits)
    assert list(book.subtree(SETTINGS, 1, limit=1)) == [1]
    assert list(book.subtree(SETTINGS, 1, limit=3)) == [1, 2, 3]
    assert book.subtree(SETTINGS, 1, limit=0) == {}
    assert book.subtree(SETTINGS, 77, limit=5) == {}
    assert book.subtree(OTHER, 1, limit=5) == {}
    assert set(book.subtree(SETTINGS, 2, limit=9)) == {2, 5, 6, 9}
    assert book.subtree(SETTINGS, 2, limit=9)[5] == book.find(SETTINGS, 5)


def test_a_subtree_goes_deep_where_visits_do_rather_than_wide(book: Book) -> None:
    wide = [MoveExperience(move, 10.0, 5.0, after=100 + move) for move in range(40)]
    main = MoveExperience(50, 9000.0, 4500.0, after=200)
    book.merge(SETTINGS, [Experience(1, 9400.0, [*wide, main]), *map(once, range(100, 140))])
    line = [
        Experience(key, 9000.0, [MoveExperience(0, 8000.0, 4000.0, after=key + 1)])
        for key in range(200, 215)
    ]
    book.merge(SETTINGS, line)
    assert set(book.subtree(SETTINGS, 1, limit=16)) == {1, *range(200, 215)}
    assert len(book.subtree(SETTINGS, 1, limit=20)) == 20


def test_a_level_of_many_positions_is_read_in_batches(book: Book) -> None:
    count = 2 * BATCH + 3
    for start in range(0, count, 81):
        children = tuple(range(10_000 + start, 10_000 + min(start + 81, count)))
        book.merge(SETTINGS, [position(2 + start, after=children), *map(once, children)])
    book.merge(SETTINGS, [position(1, after=tuple(range(2, count, 81)))])
    assert len(book.subtree(SETTINGS, 1, limit=10**6)) == 1 + len(range(2, count, 81)) + count
    assert len(book.subtree(SETTINGS, 1, limit=700)) == 700
    assert len(book.find_many(SETTINGS, range(10_000, 20_000))) == count
    assert keys_of(book) == sorted(keys_of(book))
    assert len(keys_of(book)) == book.statistics().positions


def test_extreme_keys_are_keys(book: Book) -> None:
    extremes = [-(1 << 63), -1, 1, (1 << 63) - 1]
    book.merge(SETTINGS, [position(key, after=tuple(extremes)) for key in extremes])
    assert keys_of(book) == extremes
    assert set(book.subtree(SETTINGS, 1, limit=9)) == set(extremes)


@pytest.mark.parametrize(
    "bad",
    [
        Experience(3, float("nan"), []),
        Experience(3, 1.0, [MoveExperience(82, 1.0, 0.5)]),
        Experience(3, 1.0, [MoveExperience(0, float("inf"), 0.5)]),
    ],
)
def test_nonsense_is_refused_and_leaves_the_book_as_it_was(book: Book, bad: Experience) -> None:
    book.merge(SETTINGS, [once(1)])
    before = book.statistics()
    with pytest.raises(BookError, match="position 3"):
        book.merge(SETTINGS, [once(1), bad, once(2)])
    assert book.statistics() == before
    assert keys_of(book) == [1]


def test_experience_beyond_the_most_visits_fades(book: Book) -> None:
    old = Experience(1, MOST_VISITS, [MoveExperience(5, MOST_VISITS, 0.0, MOST_VISITS, 0.0)])
    new = Experience(1, MOST_VISITS, [MoveExperience(6, MOST_VISITS, MOST_VISITS)])
    book.merge(SETTINGS, [old])
    book.merge(SETTINGS, [new])
    found = known(book, 1)
    assert found.visits == MOST_VISITS
    assert [known.visits for known in found.moves] == [MOST_VISITS / 2] * 2
    assert [known.value for known in found.moves] == [0.0, 1.0]
    assert book.check() == []


def test_the_size_limit_stays_in_the_file_and_the_least_useful_makes_room(book: Book) -> None:
    book.size_limit = 3
    book.merge(SETTINGS, [position(1, 100.0), position(2, 5.0), position(3, 50.0)])
    book.merge(OTHER, [position(4, 20.0)])
    assert sorted(keys_of(book) + keys_of(book, OTHER)) == [1, 3, 4]
    with Book.open(book.path) as again:
        assert again.size_limit == 3
        again.merge(SETTINGS, [position(5, 60.0), position(6, 70.0)])
        assert keys_of(again) == [1, 5, 6]
        assert keys_of(again, OTHER) == []
        assert again.settings() == [SETTINGS]
        again.size_limit = None
    assert book.size_limit is None
    book.merge(SETTINGS, [once(key) for key in range(100, 200)])
    assert book.statistics().positions == 103
    assert book.check() == []
    with pytest.raises(BookError, match="from 1"):
        book.size_limit = 0


def test_of_equally_visited_positions_deep_and_long_unused_ones_go_first(book: Book) -> None:
    book.merge(SETTINGS, [position(1, depth=0), position(2, depth=9), position(3, depth=5)])
    assert book.prune(positions=2) == 1
    assert keys_of(book) == [1, 3]
    book.merge(SETTINGS, [position(4, depth=5)])
    assert book.prune(positions=2) == 1
    assert keys_of(book) == [1, 4]


def test_pruning_makes_the_file_smaller(book: Book) -> None:
    for start in range(1, 1001, 100):
        book.merge(SETTINGS, [position(key, float(key)) for key in range(start, start + 100)])
    assert book.prune() == 0
    before = book.statistics()
    assert book.prune(bytes=before.bytes // 2) > 300
    halved = book.statistics()
    assert halved.bytes <= before.bytes // 2
    assert halved.positions > 100
    assert min(keys_of(book)) == 1001 - halved.positions
    assert book.prune(positions=10, bytes=10**9) == halved.positions - 10
    assert keys_of(book) == list(range(991, 1001))
    assert book.prune() == 0
    assert book.prune(bytes=1) == 10
    assert book.statistics().positions == 0
    assert book.check() == []
    book.merge(SETTINGS, [once(1)])
    assert keys_of(book) == [1]


def test_statistics_count(book: Book) -> None:
    empty = book.statistics()
    assert (empty.positions, empty.games, empty.merges, empty.settings) == (0, 0, 0, ())
    book.merge(OTHER, [position(1, 3.0, depth=6), position(2, 4.0)], games=10)
    book.merge(SETTINGS, [position(1, 3.0), position(2, 4.0), position(3, 5.0)])
    book.merge(OTHER, [position(1, 30.0, depth=7)])
    found = book.statistics()
    assert (found.positions, found.games, found.merges, found.format) == (5, 12, 3, 1)
    assert found.path == book.path
    assert found.bytes >= book.path.stat().st_size
    assert [part.settings for part in found.settings] == [SETTINGS, OTHER]
    assert (found.settings[1].visits, found.settings[1].games) == (37.0, 11)
    assert (found.settings[1].positions, found.settings[1].deepest) == (2, 6)


def test_absorbing_another_book_adds_all_of_it(book: Book, tmp_path: Path) -> None:
    book.merge(SETTINGS, [position(1), position(2)], games=3)
    with Book.open(tmp_path / "other.sqlite") as other:
        other.merge(SETTINGS, [position(2, after=(4,)), position(3, depth=2)])
        other.merge(OTHER, [position(9)], games=5)
        assert book.absorb(other) == 3
        assert other.statistics().positions == 3
    assert keys_of(book) == [1, 2, 3]
    found = known(book, 2)
    assert (found.visits, found.games, found.moves[0].after) == (20.0, 4, 4)
    assert keys_of(book, OTHER) == [9]
    assert book.statistics().games == 9
    assert book.check() == []
    with pytest.raises(BookError, match="itself"), Book.open(book.path) as same:
        book.absorb(same)


def test_threads_share_a_book(book: Book) -> None:
    def work(own: int) -> None:
        for _ in range(20):
            book.merge(SETTINGS, [once(1), once(own)])
            found = book.find(SETTINGS, own)
            assert found is not None

    threads = [threading.Thread(target=work, args=(own,)) for own in (2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    visits = {found.key: found.visits for found in book.positions(SETTINGS)}
    assert visits == {1: 60.0, 2: 20.0, 3: 20.0, 4: 20.0}


def test_a_closed_book_says_so(book: Book) -> None:
    book.close()
    book.close()
    with pytest.raises(BookError, match="closed"):
        book.find(SETTINGS, 1)
    with pytest.raises(BookError, match="closed"):
        book.merge(SETTINGS, [once(1)])
    assert sorted(file.name for file in book.path.parent.iterdir()) == ["book.sqlite"]


def test_the_users_own_book_lies_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(tmp_path / "not yet" / "there"))
    with Book.open() as book:
        assert book.path == tmp_path / "not yet" / "there" / "book.sqlite"
        assert book.path == default_book()
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(tmp_path / "nor" / "here"))
    with Book.open(default_book().with_name("another.sqlite")) as book:
        assert book.path == tmp_path / "nor" / "here" / "another.sqlite"
    monkeypatch.delenv("MONTEGO_DATA_DIR")
    assert default_book().name == "book.sqlite"
    assert default_book().parent.name == "montego"


def test_late_changes_are_moved_into_the_file_meanwhile(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = book.path.with_name("book.sqlite-wal")
    book.merge(SETTINGS, [position(key) for key in range(1, 500)])
    long = log.stat().st_size
    monkeypatch.setattr(database, "LOG_BYTES", 1)
    book.merge(SETTINGS, [once(1)])
    for thread in threading.enumerate():
        if thread.name == "book log":
            thread.join()
    book.merge(SETTINGS, [once(1)])
    assert log.stat().st_size < long / 2
    assert book.statistics().positions == 499
    assert book.check() == []
