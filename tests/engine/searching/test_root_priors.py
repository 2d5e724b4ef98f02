"""Prior knowledge written to the root of a tree, by hand."""

from __future__ import annotations

import pytest

from montego.engine.searching.root_priors import RootPriors
from montego.mcts.kernels.tree import CLOSED, EXPANDED, ROOT, Tree, clear_tree, new_tree

MOVES = (30, 31, 32)


def expanded() -> Tree:
    """Return a tree whose root has three moves, each with ten visits at one half."""
    tree = new_tree(4, 8)
    expand(tree)
    return tree


def expand(tree: Tree) -> None:
    tree.first_edge[ROOT], tree.edge_count[ROOT] = 2, len(MOVES)
    tree.move[2:5] = MOVES
    tree.prior_visits[2:5], tree.prior_value[2:5] = 10.0, 0.5
    tree.prior_total[ROOT] = 30.0
    tree.expansion[ROOT] = EXPANDED


def test_won_visits_are_mixed_into_what_is_known() -> None:
    tree = expanded()
    assert RootPriors().add([tree], {31: 30.0, 99: 5.0})
    assert tree.prior_visits[2:5].tolist() == [10.0, 40.0, 10.0]
    assert tree.prior_value[2:5].tolist() == pytest.approx([0.5, 35 / 40, 0.5])
    assert tree.prior_total[ROOT] == 60.0


def test_nothing_is_added_twice_but_to_a_tree_begun_anew() -> None:
    tree, priors = expanded(), RootPriors()
    for _ in range(3):
        priors.add([tree], {31: 30.0})
    assert tree.prior_visits[3] == 40.0
    clear_tree(tree)
    expand(tree)
    priors.add([tree], {31: 30.0})
    assert tree.prior_visits[3] == 40.0
    priors.clear()
    priors.add([tree], {31: 30.0})
    assert tree.prior_visits[3] == 70.0


def test_closed_moves_stay_closed() -> None:
    tree = expanded()
    tree.prior_visits[3] = CLOSED
    assert RootPriors().add([tree], {31: 30.0})
    assert tree.prior_visits[3] == CLOSED


def test_a_root_without_moves_waits() -> None:
    assert not RootPriors().add([new_tree(4, 8)], {31: 30.0})


def test_every_tree_gets_them() -> None:
    one, other, priors = expanded(), expanded(), RootPriors()

    assert priors.add([one, other], {31: 30.0})
    assert priors.add([one, other], {31: 30.0})
    assert not priors.add([one, new_tree(4, 8)], {31: 30.0})

    first = int(one.first_edge[0])
    assert one.prior_visits[first:].tolist() == other.prior_visits[first:].tolist()
    assert one.prior_visits[3] == 40.0
