"""The tree of variations: numbers that stay, ways that are remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.web.game.tree import ROOT, GameNode, GameTree

if TYPE_CHECKING:
    from montego.web.messages.requests import Color


def line(tree: GameTree, *moves: str, parent: int = ROOT) -> list[int]:
    numbers = []
    for move in moves:
        color: Color = "white" if tree[parent].color == "black" else "black"
        parent = tree.add(parent, color, move).id
        numbers.append(parent)
    return numbers


def test_numbers_of_deleted_nodes_never_come_back() -> None:
    tree = GameTree()
    first, second, third = line(tree, "A1", "B1", "C1")
    tree.delete(second)
    assert second not in tree
    assert third not in tree
    assert line(tree, "D1", parent=first) == [third + 1]


def test_numbers_stay_used_when_the_tree_was_kept() -> None:
    tree = GameTree()
    line(tree, "A1", "B1")
    tree.delete(2)
    again = GameTree(list(tree), tree.next_id)
    assert again.add(1, "white", "C1").id == 3


def test_redo_goes_where_the_game_went_last() -> None:
    tree = GameTree()
    first, second = line(tree, "A1", "B1")
    (other,) = line(tree, "C1", parent=first)
    assert tree.next(first) == tree[second]
    tree.follow(other)
    assert tree.next(first) == tree[other]
    assert [node.id for node in tree.line(ROOT)] == [ROOT, first, other]
    tree.delete(other)
    assert tree.next(first) == tree[second]


def test_a_line_goes_through_its_node() -> None:
    tree = GameTree()
    first, second, third = line(tree, "A1", "B1", "C1")
    (other,) = line(tree, "C1", parent=first)
    tree.follow(other)
    assert [node.id for node in tree.line(second)] == [ROOT, first, second, third]
    assert tree.is_under(third, first)
    assert tree.is_under(first, first)
    assert not tree.is_under(other, second)


def test_the_root_stays() -> None:
    with pytest.raises(ValueError, match="cannot be deleted"):
        GameTree().delete(ROOT)


def test_a_number_that_is_gone_is_told() -> None:
    with pytest.raises(ValueError, match="no such move"):
        GameTree()[7]


@pytest.mark.parametrize(
    "nodes",
    [
        [GameNode(id=1)],
        [GameNode(id=0), GameNode(id=0)],
        [GameNode(id=0), GameNode(id=2, parent=1)],
        [GameNode(id=0), GameNode(id=1)],
        [GameNode(id=0, followed=3)],
        [GameNode(id=0, parent=0)],
    ],
)
def test_damaged_trees_are_refused(nodes: list[GameNode]) -> None:
    with pytest.raises(ValueError, match="damaged"):
        GameTree(nodes)


def test_pages_see_changes() -> None:
    tree = GameTree()
    (first,) = line(tree, "A1")
    assert tree.shown()[1].comment == ""
    tree[first].comment = "good"
    assert tree.shown()[1].comment == "good"


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=60))
def test_parents_come_before_children(steps: list[tuple[int, bool]]) -> None:
    tree = GameTree()
    for number, deletes in steps:
        numbers = [node.id for node in tree]
        chosen = numbers[number % len(numbers)]
        if deletes and chosen != ROOT:
            tree.delete(chosen)
        elif tree.child(chosen, "black", str(number)) is None:
            tree.add(chosen, "black", str(number))
    seen: set[int] = set()
    for shown in tree.shown():
        assert shown.parent is None or shown.parent in seen
        assert shown.number == len(tree.path(shown.id)) - 1
        seen.add(shown.id)
    assert [node.id for node in GameTree(list(tree), tree.next_id)] == sorted(seen)
