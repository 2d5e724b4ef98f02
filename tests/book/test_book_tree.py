"""The opening tree: what the book knows, turned to the board at hand, as text and as a page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from book_samples import game_of, write_book
from montego.book.opening_tree import (
    Extent,
    KnownPosition,
    known_position,
    opening_tree,
    tree_data,
    tree_page,
    tree_text,
)
from montego.book.store import Book
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINES = {
    "C3 B2 D4": (30.0, 1.0),
    "C3 D2": (10.0, 0.0),  # The same as C3 B2 in a mirror.
    "C3 C2": (5.0, 0.0),
    "D3 C3": (20.0, 0.25),
}


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    write_book(tmp_path / "book.sqlite", LINES)
    with Book.open(tmp_path / "book.sqlite", create=False, read_only=True) as opened:
        yield opened


def tree(book: Book, moves: str = "", **extent: int) -> KnownPosition:
    found = opening_tree(book, game_of(moves), Extent(**extent))
    assert found is not None
    return found


def test_moves_come_most_visited_first_with_counts_and_values(book: Book) -> None:
    root = tree(book, depth=1)

    assert (root.to_play, root.visits, root.last) == ("black", 65, None)
    assert [(move.vertex, move.visits) for move in root.moves] == [("C3", 45), ("D3", 20)]
    assert root.moves[0].value == pytest.approx(30 / 45)
    assert root.moves[1].value == pytest.approx(0.25)
    assert all(move.after is None for move in root.moves)


def test_moves_that_symmetry_makes_the_same_are_one(book: Book) -> None:
    root = tree(book)
    middle = root.moves[0]
    assert middle.equivalents == ("C3",)
    assert set(root.moves[1].equivalents) == {"D3", "B3", "C2", "C4"}
    assert middle.after is not None
    corner, side = middle.after.moves
    assert set(corner.equivalents) == {"D4", "B4", "B2", "D2"}
    assert (corner.vertex, corner.visits, corner.value) == ("D4", 40, 0.25)
    assert (side.vertex, side.visits) == ("D3", 5)


@pytest.mark.parametrize("answer", ["B2", "B4", "D2", "D4"])
def test_the_tree_lies_as_the_board_does(book: Book, answer: str) -> None:
    opposite = {"B2": "D4", "B4": "D2", "D2": "B4", "D4": "B2"}[answer]
    position = tree(book, f"C3 {answer}", depth=1)

    assert [move.vertex for move in position.moves] == [opposite]
    assert position.last == answer
    assert position.visits == 30


def test_depth_width_and_visits_limit_the_tree(book: Book) -> None:
    assert tree(book, depth=2).moves[0].after is not None
    root = tree(book, width=1)
    assert [move.vertex for move in root.moves] == ["C3"]
    assert root.left_out == 1
    root = tree(book, least_visits=20)
    assert root.left_out == 0
    assert root.moves[0].after is not None
    assert [move.vertex for move in root.moves[0].after.moves] == ["D4"]
    assert root.moves[0].after.left_out == 1


def test_a_tree_without_end_is_refused(book: Book) -> None:
    with pytest.raises(GoError, match="more than 2 positions in this tree"):
        opening_tree(book, game_of(""), Extent(positions=2))


@pytest.mark.parametrize("extent", [{"depth": 0}, {"width": 0}, {"depth": 1000}])
def test_a_tree_of_nothing_is_refused(extent: dict[str, int]) -> None:
    with pytest.raises(GoError, match="say a number from 1"):
        Extent(**extent)


def test_what_the_book_does_not_know_is_none(book: Book) -> None:
    assert opening_tree(book, game_of("A1"), Extent()) is None
    assert known_position(book, game_of("A1")) is None
    assert known_position(book, game_of("", komi=3.5)) is None


def test_a_position_alone_has_all_of_its_moves(book: Book) -> None:
    position = known_position(book, game_of("C3"))

    assert position is not None
    assert [(move.vertex, move.visits) for move in position.moves] == [("D4", 40), ("D3", 5)]


def test_the_text_is_a_table_with_a_line_for_each_move(book: Book) -> None:
    assert tree_text(tree(book)) == (
        "move       visits  share  value\n"
        "C3             45  69.2%  66.7%\n"
        "  D4           40  88.9%  25.0%\n"
        "    B2         30 100.0% 100.0%\n"
        "  D3            5  11.1% 100.0%\n"
        "D3             20  30.8%  25.0%\n"
        "  C3           20 100.0%  75.0%\n"
    )


def test_the_data_has_the_whole_tree(book: Book) -> None:
    data = tree_data(tree(book))

    assert (data["to_play"], data["visits"], data["left_out"]) == ("black", 65, 0)
    answer = data["moves"][0]["after"]["moves"][0]
    assert (answer["vertex"], answer["visits"], answer["value"]) == ("D4", 40, 0.25)
    assert answer["after"]["moves"][0]["after"] is None


class _Outline(HTMLParser):
    """Counts elements, and notes what a page would load, and tags that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.loads: list[str] = []
        self.waiting: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.loads += [f"{name}={value}" for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "link", "circle", "rect", "path", "stop"):
            self.waiting.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("circle", "rect", "path", "stop"):
            assert self.waiting.pop() == tag


def test_the_page_folds_and_needs_nothing_else(book: Book) -> None:
    page = tree_page(tree(book), "Openings <for me>", ["5x5"])
    outline = _Outline()
    outline.feed(page)
    outline.close()

    assert outline.waiting == []
    assert outline.loads == []
    assert "script" not in outline.counts
    # The root, and the positions after C3, C3 D4 and D3; a leaf has no board.
    assert outline.counts["svg"] == 4
    assert outline.counts["details"] == outline.counts["summary"] == 3
    assert "<title>Openings &lt;for me&gt;</title>" in page
    assert "5x5, 65 visits, black to play" in page
    assert re.search(r"a C3.*?45.*?69\.2%.*?66\.7%", page)


def test_the_page_tells_how_many_moves_are_left_out(book: Book) -> None:
    assert "1 more move in the book" in tree_page(tree(book, width=1), "Openings")


@pytest.mark.parametrize("least", [-1.0, float("nan")])
def test_a_number_of_visits_that_is_none_is_refused(least: float) -> None:
    with pytest.raises(GoError, match="say a number from 0"):
        Extent(least_visits=least)
