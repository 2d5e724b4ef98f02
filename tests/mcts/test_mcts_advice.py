"""Prior knowledge that is written to the roots of trees, by hand."""

from __future__ import annotations

import pytest

from montego.mcts.forest import Forest
from montego.mcts.kernels.tree import CLOSED, EXPANDED, ROOT, Tree

MOVES = (30, 31, 32)


def expand(tree: Tree) -> Tree:
    """Give a root three moves, each with ten visits at one half."""
    tree.first_edge[ROOT], tree.edge_count[ROOT] = 2, len(MOVES)
    tree.move[2:5] = MOVES
    tree.prior_visits[2:5], tree.prior_value[2:5] = 10.0, 0.5
    tree.prior_total[ROOT] = 30.0
    tree.expansion[ROOT] = EXPANDED
    return tree


def forest(trees: int = 1, *, expanded: bool = True) -> Forest:
    found = Forest(trees, 4, 8, compiled=False)
    for tree in found.trees if expanded else ():
        expand(tree)
    return found


def test_won_visits_are_mixed_into_what_is_known() -> None:
    advised = forest()
    assert advised.advise({31: 30.0, 99: 5.0})
    tree = advised.trees[0]
    assert tree.prior_visits[2:5].tolist() == [10.0, 40.0, 10.0]
    assert tree.prior_value[2:5].tolist() == pytest.approx([0.5, 35 / 40, 0.5])
    assert tree.prior_total[ROOT] == 60.0


def test_nothing_is_added_twice_but_to_a_tree_begun_anew() -> None:
    advised = forest()
    for _ in range(3):
        advised.advise({31: 30.0})
    assert advised.trees[0].prior_visits[3] == 40.0
    advised.clear()
    assert not advised.advise({31: 30.0})
    expand(advised.trees[0])
    assert advised.advise({31: 30.0})
    assert advised.trees[0].prior_visits[3] == 40.0


def test_closed_moves_stay_closed() -> None:
    advised = forest()
    advised.trees[0].prior_visits[3] = CLOSED
    assert advised.advise({31: 30.0})
    assert advised.trees[0].prior_visits[3] == CLOSED


def test_a_root_without_moves_waits() -> None:
    assert not forest(expanded=False).advise({31: 30.0})


def test_every_tree_gets_them() -> None:
    advised = forest(2)
    assert advised.advise({31: 30.0})
    assert advised.advise({31: 30.0})
    one, other = advised.trees
    assert one.prior_visits[2:].tolist() == other.prior_visits[2:].tolist()
    assert one.prior_visits[3] == 40.0
