"""Games of somebody's own, in files as the documentation teaches to write them."""

from __future__ import annotations

import doctest
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

NIM = """\
import numpy as np

from montego.mcts import GameDefinition

HEAPS, MOST, PLAYED = 3, 4, 3


def heap_moves(state, knowledge, scratch, moves):
    count = 0
    for heap in range(HEAPS):
        for stones in range(1, state[heap] + 1):
            moves[count] = MOST * heap + stones - 1
            count += 1
    return count


def take(state, knowledge, scratch, move):
    state[move // MOST] -= move % MOST + 1
    state[PLAYED] += 1


def last_stone(state, knowledge, scratch):
    return 1.0 if state[PLAYED] % 2 == 1 else -1.0


game = GameDefinition(
    name="nim",
    initial_state=lambda: np.array([2, 3, 4, 0], np.int32),
    legal_moves=heap_moves,
    play=take,
    score=last_stone,
    to_play=lambda state: int(state[PLAYED]) % 2,
    move_count=HEAPS * MOST,
    longest_game=HEAPS * MOST,
)
"""
"""Plain Python, and nothing for people: no names of moves and no picture."""


def taught() -> str:
    """Return what ``docs/your-own-game.md`` types in until it has a game, as a file."""
    page = (DOCS / "your-own-game.md").read_text(encoding="utf-8")
    sources = []
    for example in doctest.DocTestParser().get_examples(page):
        sources.append(example.source)
        if example.source.startswith("game = "):
            return "".join(sources)
    raise AssertionError("the page makes no game")
