"""Small books and game records that several tests use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.book.sgf_exchange import Gathering
from montego.book.store import Book
from montego.go.game import Game

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "(;GM[1]FF[4]SZ[5]KM[0.5]RU[Chinese]"


def sgf(moves: str, result: str = "B+R", head: str = HEAD) -> str:
    """Return a record; *moves* are SGF points, Black's first, such as ``cc bb``."""
    played = "".join(f";{'BW'[number % 2]}[{point}]" for number, point in enumerate(moves.split()))
    return f"{head}{f'RE[{result}]' if result else ''}{played})"


def game_of(moves: str, size: int = 5, **conditions: float) -> Game:
    """Return a game after *moves*, vertices in turn."""
    game = Game(size, komi=conditions.get("komi", 0.5))
    for vertex in moves.split():
        game.play(game.to_play, vertex)
    return game


def write_book(path: Path, lines: dict[str, tuple[float, float]], size: int = 5) -> None:
    """Add lines of play to a book: for each, visits and Black's share of the win."""
    gathering = Gathering()
    for line, (visits, black_share) in lines.items():
        told = Gathering()
        game = game_of("", size)
        for vertex in line.split():
            share = black_share if game.to_play == "black" else 1 - black_share
            after = game.copy()
            after.play(game.to_play, vertex)
            told.add_move(game, after, visits, visits * share)
            told.add_visits(game, visits)
            game = after
        gathering.add_game(game, told)
    with Book.open(path) as book:
        gathering.merge_into(book)
