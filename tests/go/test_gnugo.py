"""A second opinion: GNU Go plays along in random games and must see the same board."""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import pytest
from conftest import assert_same_board, require_tool, to_point, to_vertex

from montego.go.game import Game
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.rules import Rules
from reference import points

if TYPE_CHECKING:
    from collections.abc import Iterator


class GnuGo:
    """GNU Go over GTP; its default is simple ko without suicide."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen(
            [path, "--mode", "gtp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, *commands: str) -> list[str]:
        """Send all commands, then collect the answers; each must be a success."""
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{command}\n" for command in commands))
        process.stdin.flush()
        answers = []
        for command in commands:
            lines = []
            while (line := process.stdout.readline()) != "\n":
                assert line, f"GNU Go left at {command!r}"
                lines.append(line)
            assert lines[0].startswith("="), f"{command!r}: {lines}"
            answers.append("".join(lines)[1:].strip())
        return answers

    def close(self) -> None:
        self.process.communicate("quit\n", timeout=10)


@pytest.fixture(scope="module")
def gnugo() -> Iterator[GnuGo]:
    engine = GnuGo(require_tool("gnugo"))
    yield engine
    engine.close()


def rows_of(gnugo: GnuGo, size: int) -> list[list[int]]:
    rows = [[0] * size for _ in range(size)]
    answers = gnugo.ask("list_stones black", "list_stones white")
    for color, listed in zip((BLACK, WHITE), answers, strict=True):
        for vertex in listed.split():
            point = to_point(vertex)
            assert point is not None
            rows[size - 1 - point[1]][point[0]] = color
    return rows


@pytest.mark.parametrize(
    ("size", "moves", "look_every"),
    [(5, 200, 2), (9, 250, 10), (13, 300, 25)],
    ids=["5x5", "9x9", "13x13"],
)
@pytest.mark.parametrize("seed", range(3))
def test_gnugo_sees_the_same_game(
    gnugo: GnuGo, size: int, moves: int, look_every: int, seed: int
) -> None:
    rng = random.Random(seed)
    game = Game(size, rules=Rules(ko="simple", suicide=False))
    everywhere = [to_vertex(point) for point in points(size)]
    gnugo.ask(f"boardsize {size}", "clear_board")

    for number in range(moves):
        color = game.to_play
        legal = sorted(game.legal_moves(color))
        vertex = rng.choice(legal) if legal and rng.random() > 0.02 else "pass"
        game.play(color, vertex)
        gnugo.ask(f"play {color} {vertex}")
        if number % look_every:
            continue
        assert_same_board(game.board.rows(), rows_of(gnugo, size), f"after {number + 1} moves")
        taken = gnugo.ask("captures black", "captures white")
        assert [int(text) for text in taken] == list(game.captures)
        for player in ("black", "white"):
            asked = [f"is_legal {player} {vertex}" for vertex in everywhere]
            answers = zip(everywhere, gnugo.ask(*asked), strict=True)
            expected = {vertex for vertex, answer in answers if answer == "1"}
            assert set(game.legal_moves(player)) == expected
