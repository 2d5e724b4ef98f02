"""Books out of game records, and books as SGF and JSON and back."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from book_samples import HEAD, game_of, sgf, write_book
from montego.book.errors import BookError
from montego.book.json_exchange import NotOurJson, export_json, import_json, read_json
from montego.book.opening_tree import Extent, known_position, opening_tree
from montego.book.position import settings_of
from montego.book.sgf_exchange import (
    Account,
    Gathering,
    Import,
    export_sgf,
    import_sgf,
    sgf_files,
)
from montego.book.store import Book
from montego.go.game import Game
from montego.go.sgf.record import parse_sgf
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_rules

if TYPE_CHECKING:
    from pathlib import Path

    from montego.book.experience import Experience
    from montego.book.position import GameSettings

LINES = {"C3 B2 D4": (30.0, 1.0), "C3 D2 B4 C4": (10.5, 0.0), "D3 C3": (20.0, 0.25)}


def import_text(path: Path, text: str | bytes, how: Import | None = None) -> Account:
    """Count a file with this text into the book ``book.sqlite`` in the folder *path*."""
    path.mkdir(exist_ok=True)
    file = path / "game.sgf"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    account, gathering = Account(), Gathering()
    import_sgf(file, how or Import(), gathering, account)
    if gathering.positions:
        with Book.open(path / "book.sqlite") as book:
            gathering.merge_into(book)
    return account


def moves_at(path: Path, game: Game) -> dict[str, tuple[float, float]]:
    """Return visits and value of the moves that the book knows in the position of *game*."""
    with Book.open(path / "book.sqlite", create=False, read_only=True) as book:
        known = known_position(book, game)
    return {move.vertex: (move.visits, move.value) for move in known.moves} if known else {}


def contents(path: Path) -> dict[GameSettings, list[Experience]]:
    with Book.open(path, create=False, read_only=True) as book:
        return {settings: list(book.positions(settings)) for settings in book.settings()}


@pytest.fixture
def book_file(tmp_path: Path) -> Path:
    """The file of a book of a few lines."""
    path = tmp_path / "book.sqlite"
    write_book(path, LINES)
    return path


# Games


def test_moves_of_the_winner_count_as_won_and_of_the_loser_as_lost(tmp_path: Path) -> None:
    account = import_text(tmp_path, sgf("cc bb dd", "B+3.5"))

    assert (account.games, account.moves, account.skipped, account.cut_short) == (1, 3, [], [])
    assert moves_at(tmp_path, game_of("")) == {"C3": (10, 1.0)}
    assert moves_at(tmp_path, game_of("C3")) == {"D4": (10, 0.0)}
    assert moves_at(tmp_path, game_of("C3 B4")) == {"D2": (10, 1.0)}
    assert moves_at(tmp_path, game_of("C3 B4 D2")) == {}


def test_games_add_up_whichever_way_the_board_lies(tmp_path: Path) -> None:
    for moves, result in (("cc bb", "B+R"), ("cc db", "W+R"), ("cc dd", "0"), ("cc bd", "B+T")):
        import_text(tmp_path, sgf(moves, result), Import(visits=3))

    assert moves_at(tmp_path, game_of("")) == {"C3": (12, 2.5 / 4)}
    assert moves_at(tmp_path, game_of("C3")) == {"D4": (12, 1.5 / 4)}
    with Book.open(tmp_path / "book.sqlite") as book:
        assert book.statistics().games == 4
        assert [found.games for found in book.positions(settings_of(game_of("")))] == [4, 4]


@pytest.mark.parametrize("symmetry", range(1, 8))
def test_all_eight_symmetries_of_a_game_give_the_same_book(tmp_path: Path, symmetry: int) -> None:
    # A ko, a capture and a pass; the first moves are on a line that the board is symmetric about.
    moves = "cc cd bd dd ce dc cb db ed bc de tt da"
    import_text(tmp_path / "real", sgf(moves))
    turned = " ".join(_turned(point, symmetry) for point in moves.split())
    account = import_text(tmp_path / "turned", sgf(turned))

    assert (account.moves, account.cut_short) == (13, [])
    books = [contents(tmp_path / name / "book.sqlite") for name in ("real", "turned")]
    assert books[0] == books[1]
    assert sum(map(len, books[0].values())) == 13


def _turned(point: str, symmetry: int) -> str:
    if point == "tt":
        return point
    column, row = ("abcde".index(letter) for letter in point)
    if symmetry & 4:
        column, row = row, column
    if symmetry & 1:
        column = 4 - column
    return "abcde"[column] + "abcde"[4 - row if symmetry & 2 else row]


def test_several_games_gathered_are_what_they_are_one_by_one(tmp_path: Path) -> None:
    texts = [sgf("cc bb dd"), sgf("cc dd bb", "W+R"), sgf("cb cc", "0")]
    for text in texts:
        import_text(tmp_path / "one", text)
    import_text(tmp_path / "two", "\n".join(texts))

    assert contents(tmp_path / "one" / "book.sqlite") == contents(tmp_path / "two" / "book.sqlite")


def test_depth_limits_what_is_counted(tmp_path: Path) -> None:
    account = import_text(tmp_path, sgf("cc bb dd bd"), Import(depth=2))

    assert account.moves == 2
    assert moves_at(tmp_path, game_of("C3 B4")) == {}


@pytest.mark.parametrize("result", ["", "?", "Void"])
def test_a_game_that_nobody_won_is_left_out_unless_wanted(tmp_path: Path, result: str) -> None:
    account = import_text(tmp_path, sgf("cc bb", result))
    assert account.games == 0
    assert "game.sgf: nobody is known to have won" in account.skipped[0]
    assert not (tmp_path / "book.sqlite").exists()

    assert import_text(tmp_path, sgf("cc bb", result), Import(undecided=True)).games == 1
    assert moves_at(tmp_path, game_of("")) == {"C3": (10, 0.5)}


def test_variations_count_as_half_won_if_wanted(tmp_path: Path) -> None:
    text = f"{HEAD}RE[W+R];B[cc](;W[bb];B[dd])(;W[bc];B[dc]))"
    assert import_text(tmp_path, text).moves == 3
    (tmp_path / "book.sqlite").unlink()
    assert import_text(tmp_path, text, Import(variations=True)).moves == 5

    assert moves_at(tmp_path, game_of("")) == {"C3": (10, 0.0)}
    assert moves_at(tmp_path, game_of("C3")) == {"D4": (10, 1.0), "D3": (10, 0.5)}


def test_board_rules_and_komi_are_the_files_unless_said_otherwise(tmp_path: Path) -> None:
    head = "(;SZ[7]KM[5.5]RU[Japanese]"
    import_text(tmp_path, sgf("dd", head=head))
    japanese = Game(7, rules="japanese", komi=5.5)
    assert moves_at(tmp_path, japanese) == {"D4": (10, 1.0)}
    assert moves_at(tmp_path, Game(7, komi=5.5)) == {}

    import_text(tmp_path, sgf("dd", head=head), Import(rules=parse_rules("chinese"), komi=7.5))
    assert moves_at(tmp_path, Game(7, komi=7.5)) == {"D4": (10, 1.0)}


def test_handicap_and_set_up_games_are_positions_like_others(tmp_path: Path) -> None:
    head = "(;SZ[9]KM[0.5]RU[Chinese]HA[2]AB[gc][cg]"
    account = import_text(tmp_path, f"{head}RE[W+R];W[cc];B[gg])")
    game = Game(9, komi=0.5)
    game.free_handicap(["G7", "C3"])
    assert (account.games, account.moves) == (1, 2)
    assert moves_at(tmp_path, game) == {"G3": (10, 1.0)}

    import_text(tmp_path, "(;SZ[5]KM[0.5]AB[bb]AW[dd]PL[W]RE[B+R];W[cc])")
    game = Game(5, komi=0.5)
    game.setup(black=["B4"], white=["D2"], to_play="white")
    assert moves_at(tmp_path, game) == {"C3": (10, 0.0)}


@pytest.mark.parametrize(
    ("text", "moves", "reason"),
    [
        (f"{HEAD}RE[B+R];B[cc];W[cc];B[dd])", 1, "illegal move white C3"),
        (f"{HEAD}RE[B+R];B[cc];B[bb])", 1, "black plays B4 out of turn"),
        (f"{HEAD}RE[B+R];B[cc];AW[bb];B[dd])", 1, "stones are set up in the middle of the game"),
        (f"{HEAD}RE[B+R];B[cc];W[zz])", 1, "no point of the board"),
    ],
)
def test_a_line_ends_where_it_cannot_be_followed(
    tmp_path: Path, text: str, moves: int, reason: str
) -> None:
    account = import_text(tmp_path, text)

    assert (account.games, account.moves) == (1, moves)
    assert len(account.cut_short) == 1
    assert "game.sgf: after move 1: " in account.cut_short[0]
    assert reason in account.cut_short[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no game record found"),
        (b"hello", "no game record found"),
        (b"(;SZ[5]RE[B+R]", "no move"),
        (b"(;GM[2]SZ[8])", "not a record of Go"),
        (b"(;SZ[5:7]RE[B+R];B[cc])", "only square boards"),
        (b"(;SZ[5]RE[B+R]AB[aa][ab][ba]AW[bb][ac][ca];B[cc])", "cannot be placed"),
        (b"(;SZ[5]RE[B+R]HA[9];W[cc])", "cannot be placed"),
        (b"(;SZ[9]RE[B+R]HA[2];B[cc];B[gg];W[ee])", "not in its first node"),
        (b"(;SZ[5]RE[perhaps Black];B[cc])", "invalid result"),
        (b"\xff\xfe\x00garbage\x00", "no game record found"),
        (b"SQLite format 3\x00 and so on", "'montego book merge' adds books"),
    ],
)
def test_bad_files_are_named_and_left_out(tmp_path: Path, text: bytes, reason: str) -> None:
    account = import_text(tmp_path, text)

    assert account.games == 0
    assert len(account.skipped) == 1
    assert account.skipped[0].startswith(f"{tmp_path / 'game.sgf'}: ")
    assert reason in account.skipped[0]
    assert not (tmp_path / "book.sqlite").exists()


def test_one_bad_game_of_a_collection_leaves_the_others(tmp_path: Path) -> None:
    account = import_text(tmp_path, sgf("cc bb") + sgf("cc", "") + sgf("cc dd"))

    assert account.games == 2
    assert [", game 2: " in reason for reason in account.skipped] == [True]


def test_a_game_that_is_left_out_leaves_nothing_behind(tmp_path: Path) -> None:
    import_text(tmp_path, sgf("cc bb"))
    before = contents(tmp_path / "book.sqlite")

    assert import_text(tmp_path, f"{HEAD}RE[B+R];W[cc];B[bb])").games == 0
    assert contents(tmp_path / "book.sqlite") == before


def test_folders_are_searched_for_records(tmp_path: Path) -> None:
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    for name in ("b.sgf", "a.SGF", "deep/deeper/c.sgf", "notes.txt"):
        (tmp_path / name).write_text(sgf("cc"))

    found = sgf_files([tmp_path, tmp_path / "notes.txt"])
    assert [path.name for path in found] == ["a.SGF", "b.sgf", "c.sgf", "notes.txt"]
    with pytest.raises(GoError, match="there are no SGF files in this folder"):
        sgf_files([tmp_path / "empty"])
    with pytest.raises(GoError, match="missing: there is no such file or folder"):
        sgf_files([tmp_path / "missing"])


@pytest.mark.parametrize("wrong", [{"visits": 0}, {"visits": -1}, {"depth": 0}])
def test_senseless_wishes_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(GoError, match="say a number"):
        Import(**wrong)  # type: ignore[arg-type]


# SGF trees


def exported(path: Path, moves: str = "", positions: int = 1000, **extent: int) -> str:
    with Book.open(path, create=False, read_only=True) as book:
        found = export_sgf(
            book,
            game_of(moves),
            Extent(**{"depth": 30, **extent}),
            positions=positions,
        )
    assert found is not None
    return found.record.to_sgf()


def test_the_exported_tree_has_moves_with_counts_in_their_comments(book_file: Path) -> None:
    record = parse_sgf(exported(book_file))

    assert (record.size, record.komi, record.warnings) == (5, 0.5, [])
    first, second = record.root.children
    assert first.raw("B") == ["cc"]
    assert first.comment == "40 visits, Black wins 74.1%."
    assert second.comment.startswith("20 visits, Black wins 25.0%.")
    assert [child.raw("W") for child in first.children] == [["db"]]
    game = Game.from_record(record)
    assert [move.vertex for move in game.moves] == ["C3", "D4", "B2", "C2"]


def test_a_position_is_exported_once_whatever_leads_to_it(tmp_path: Path) -> None:
    write_book(tmp_path / "book.sqlite", {"C3 B2 D3 C2": (5.0, 1.0), "D3 B2 C3 C2": (4.0, 1.0)})
    text = exported(tmp_path / "book.sqlite")

    assert text.count("The position is elsewhere in the tree.") == 1
    assert text.count("9 visits, White wins 0.0%.") == 1


def test_an_export_takes_the_most_visited_positions_first(book_file: Path) -> None:
    record = parse_sgf(exported(book_file, positions=2))

    assert len(record.root.children) == 2
    assert [len(child.children) for child in record.root.children] == [1, 0]


def test_the_tree_of_moves_comes_back_from_sgf(tmp_path: Path, book_file: Path) -> None:
    text = exported(book_file)
    account = import_text(tmp_path / "again", text)

    assert (account.games, account.skipped) == (1, [])
    assert contents(tmp_path / "again" / "book.sqlite") == contents(book_file)
    assert exported(tmp_path / "again" / "book.sqlite") == text


def test_a_part_of_the_tree_comes_back_without_the_way_to_it(
    tmp_path: Path, book_file: Path
) -> None:
    import_text(tmp_path / "again", exported(book_file, "C3"))

    with (
        Book.open(tmp_path / "again" / "book.sqlite") as part,
        Book.open(book_file) as whole,
    ):
        assert opening_tree(part, game_of(""), Extent()) is None
        extent = Extent(depth=9)
        assert opening_tree(part, game_of("C3"), extent) == opening_tree(
            whole, game_of("C3"), extent
        )


def test_a_tree_of_a_later_version_is_left_out(tmp_path: Path, book_file: Path) -> None:
    text = exported(book_file).replace("XB[1]", "XB[2]")

    assert "a later version of Montego" in import_text(tmp_path, text).skipped[0]


@pytest.mark.parametrize("numbers", ["", "1 2", "x 1 0 0", "-1 0 0 0", "nan 0 0 0", "1 9 0 0"])
def test_numbers_that_make_no_sense_are_passed_over(tmp_path: Path, numbers: str) -> None:
    text = f"(;SZ[5]KM[0.5]XB[1]XN[7 0 1];B[cc]XV[7 3 0 0]XN[4 1 1];W[bb]XV[{numbers}])"

    assert import_text(tmp_path, text).moves == 1
    assert moves_at(tmp_path, game_of("C3")) == {}


# JSON


def as_json(path: Path) -> str:
    stream = io.StringIO()
    with Book.open(path, create=False, read_only=True) as book:
        count = export_json(book, stream, lambda _done: None)
        assert count == book.statistics().positions
    return stream.getvalue()


def from_json(path: Path, text: str) -> int:
    for _ in read_json(io.StringIO(text)).positions:
        pass
    with Book.open(path) as book:
        return import_json(book, io.StringIO(text))


def sample(path: Path) -> str:
    write_book(path, LINES)
    write_book(path, {"D4 F6": (7.0, 0.1)}, size=9)
    with Book.open(path) as book:
        book.size_limit = 1234
    return as_json(path)


def test_json_gives_the_same_book_back(tmp_path: Path) -> None:
    text = sample(tmp_path / "book.sqlite")
    count = from_json(tmp_path / "again.sqlite", text)

    assert count == len(json.loads(text)["positions"]) == 7
    assert contents(tmp_path / "again.sqlite") == contents(tmp_path / "book.sqlite")
    assert as_json(tmp_path / "again.sqlite") == text
    with Book.open(tmp_path / "again.sqlite") as book:
        assert (book.size_limit, book.statistics().games) == (1234, 4)


def test_json_is_plain_and_may_be_laid_out_anew(tmp_path: Path) -> None:
    text = sample(tmp_path / "book.sqlite")
    document = json.loads(text)
    assert document["format"] == "montego-book"
    assert {(one["size"], one["komi"]) for one in document["settings"]} == {(5, 0.5), (9, 0.5)}
    assert all(len(one["key"]) == 16 for one in document["positions"])

    from_json(tmp_path / "again.sqlite", json.dumps(document, indent=3))
    assert as_json(tmp_path / "again.sqlite") == text


def test_json_is_added_to_what_there_is(tmp_path: Path) -> None:
    text = sample(tmp_path / "book.sqlite")
    with Book.open(tmp_path / "book.sqlite") as book:
        book.size_limit = None
        before = book.statistics()
    from_json(tmp_path / "book.sqlite", text)

    with Book.open(tmp_path / "book.sqlite") as book:
        after = book.statistics()
    assert (after.positions, after.games) == (before.positions, 2 * before.games)
    assert [one.visits for one in after.settings] == [2 * one.visits for one in before.settings]
    assert after.size_limit is None


def test_a_long_document_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = sample(tmp_path / "book.sqlite")
    header = text.index('"positions"') + 20
    monkeypatch.setattr("montego.book.json_exchange._CHUNK", header)
    monkeypatch.setattr("montego.book.json_exchange._LONGEST", 4 * header)

    from_json(tmp_path / "again.sqlite", text)
    assert as_json(tmp_path / "again.sqlite") == text


def test_damaged_documents_are_refused(tmp_path: Path) -> None:
    text = sample(tmp_path / "book.sqlite")
    document = json.loads(text)
    first = document["positions"][0]

    def changed(**changes: object) -> str:
        return json.dumps(document | {"positions": [first | changes]})

    move = first["moves"][0]
    for bad, reason in (
        ("", "no book that Montego exported"),
        ("[]", "no book that Montego exported"),
        ('{"positions": []}', "no book that Montego exported"),
        (json.dumps(document | {"version": 2, "positions": []}), "version 2"),
        (text[:-40], "ends or is damaged after position 6"),
        (text.replace('"key"', "key"), "ends or is damaged after position 0"),
        (changed(key="xyz"), "position 1 makes no sense: Expected `str` matching"),
        (changed(visits=-1), "position 1 makes no sense"),
        (changed(settings=2), "position 1 makes no sense"),
        (changed(moves=[[99, *move[1:]]]), "it has a move 99 on a board of size 5"),
        (changed(moves=[move, move]), "a move comes twice"),
        (changed(moves=[move[:3]]), "position 1 makes no sense"),
        (changed(moves=[[1, 5, 6, 0, 0, None]]), "greater than 1"),
        (changed(visits=float("nan")), "position 1 makes no sense"),
        (json.dumps({**document, "settings": [{"size": 5}]}), "header of the book"),
    ):
        with pytest.raises(NotOurJson, match=reason) as caught:
            from_json(tmp_path / "never.sqlite", bad)
        assert isinstance(caught.value, BookError)
        assert "\n" not in str(caught.value)
    assert not (tmp_path / "never.sqlite").exists()
