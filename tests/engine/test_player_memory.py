"""A long game with pondering keeps to its memory, and a game that is over gives it back."""

from __future__ import annotations

import gc
import random
import time
import weakref
from typing import TYPE_CHECKING, Any

from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.mcts.search import Search

if TYPE_CHECKING:
    import pytest

MEGABYTES = 2.0
MOVES = 400


def bytes_of_trees(player: Player) -> int:
    searcher = player._searcher
    assert searcher is not None
    assert searcher._search is not None
    forest = searcher._search._forest
    trees = [*forest.trees, *([] if forest._spare is None else [forest._spare])]
    return sum(array.nbytes for tree in trees for array in tree)


def test_four_hundred_moves_with_pondering_stay_within_the_limit() -> None:
    player = Player(
        Options(
            size=6, simulations=40, seed=5, threads=1, memory=MEGABYTES, ponder=True, resign=None
        )
    )
    dice, fullest = random.Random(5), 0.0
    while len(player.game.moves) < MOVES:
        player.genmove("black")
        if len(player.game.moves) % 40 == 1 and player.is_pondering:
            # Long enough to fill the tree; other moves are answered at once.
            searcher = player._searcher
            assert searcher is not None
            deadline = time.monotonic() + 5.0
            while fullest < 0.9 and time.monotonic() < deadline:
                fullest = max(fullest, searcher.search.size().share)
                time.sleep(0.005)
        assert bytes_of_trees(player) <= MEGABYTES * 1_000_000 + 1000
        # An opponent who plays anywhere, own eyes too, keeps the game going.
        legal = player.game.legal_moves("white")
        player.play("white", dice.choice(legal) if legal else "pass")
    assert fullest >= 0.9
    player.close()


def test_the_tree_of_a_game_that_is_over_leaves_the_memory_at_once() -> None:
    player = Player(Options(size=5, simulations=20, seed=5, threads=1, memory=MEGABYTES))
    gc.disable()  # It comes some time; trees are large, and it does not know.
    try:
        player.genmove()
        searcher = player._searcher
        assert searcher is not None
        kept = weakref.ref(searcher), weakref.ref(searcher.search.tree.visits)
        del searcher
        player.new_game()
        player.genmove()
        assert [one() for one in kept] == [None, None]
    finally:
        gc.enable()
        player.close()


def test_trees_are_made_before_a_move_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make = Search.__init__

    def noted(search: Search, *arguments: Any, **settings: Any) -> None:
        made.append("a tree")
        make(search, *arguments, **settings)

    player = Player(Options(size=5, simulations=20, seed=5, threads=1, memory=MEGABYTES))
    player.prepare(seconds=600.0)
    monkeypatch.setattr(Search, "__init__", noted)
    try:
        for size in (5, 5, 6):
            player.new_game(size)
            before = len(made)
            player.genmove()
            player.genmove()
            assert len(made) == before
        assert len(made) == 2  # The first was there already.
    finally:
        player.close()
