"""Games through records and back: what tests of both ways share."""

from __future__ import annotations

from typing import Any

from montego.go import Game
from montego.go.sgf.record import parse_sgf


def again(game: Game) -> Game:
    return Game.from_sgf(game.to_sgf())


def lines(text: str) -> list[list[str]]:
    """Every line of play of a record, from the root to a leaf."""
    found: list[list[str]] = []

    def walk(node: Any, path: list[str]) -> None:
        raw = [f"{color}{node.raw(color)[0]}" for color in "BW" if node.raw(color)]
        if not node.children:
            found.append(path + raw)
        for child in node.children:
            walk(child, path + raw)

    walk(parse_sgf(text).root, [])
    return found


def assert_same_game(first: Game, second: Game) -> None:
    assert second.warnings == []
    assert second.history == first.history
    assert second.board == first.board
    assert second.to_play == first.to_play
    assert second.captures == first.captures
    assert (second.size, second.komi, second.rules) == (first.size, first.komi, first.rules)
