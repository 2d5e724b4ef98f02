"""Trees as JSON and as Graphviz text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from mcts_checks import edges_of, searched
from montego.games import make_game
from montego.games.hex import hex_game
from montego.mcts import Config, Search
from montego.mcts.kernels.tree import ROOT, amaf_sums
from montego.mcts.picture import to_graphviz, to_json


def count(node: dict[str, Any]) -> int:
    return sum(1 + (count(move["child"]) if move["child"] else 0) for move in node["moves"])


def check(search: Search, node: dict[str, Any], index: int, depth: int) -> None:
    tree = search.tree
    assert node["visits"] == tree.node_visits[index]
    edges = {int(tree.move[edge]): edge for edge in edges_of(tree, index)}
    visits = [move["visits"] for move in node["moves"]]
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == sum(int(tree.visits[edge]) for edge in edges.values()) or depth == 0
    for move in node["moves"]:
        edge = edges[move["move"]]
        assert move["visits"] == tree.visits[edge]
        assert move["value"] == pytest.approx(float(tree.value[edge]) / 2**24 / move["visits"])
        assert move["amaf_visits"] == amaf_sums(tree.amaf[edge])[0]
        assert (move["child"] is None) == (depth == 1)
        if move["child"]:
            check(search, move["child"], int(tree.child[edge]), depth - 1)


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_json_agrees_with_the_tree(depth: int) -> None:
    search = searched(make_game("connect-four"), 3000, selection="rave-mse")
    node = json.loads(to_json(search, depth=depth))
    assert node["visits"] == 3000
    check(search, node, ROOT, depth)
    assert bool(node["moves"]) == (depth > 0)


def test_moves_have_the_texts_of_their_positions() -> None:
    search = searched(make_game("tic-tac-toe"), 3000)
    search.play(4)
    search.run()
    node = json.loads(to_json(search, depth=2))
    texts = [move["text"] for move in node["moves"]]
    assert sorted(texts) == ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]
    answers = {answer["text"] for answer in node["moves"][0]["child"]["moves"]}
    assert "b2" not in answers
    assert node["moves"][0]["text"] not in answers


def test_rarely_visited_moves_are_left_out() -> None:
    search = searched(make_game("connect-four"), 3000)
    node = json.loads(to_json(search, depth=4, least_visits=100))
    assert count(node) < count(json.loads(to_json(search, depth=4)))
    assert all(move["visits"] >= 100 for move in node["moves"])


def test_proofs_are_shown() -> None:
    search = Search(make_game("tic-tac-toe"), Config(simulations=3000, solver=True))
    for move in (0, 3, 1, 4):
        search.play(move)
    search.run()
    node = json.loads(to_json(search))
    won = next(move for move in node["moves"] if move["text"] == "c1")
    assert won["proof"] == "win"
    assert "\\nwin" in to_graphviz(search, least_visits=1)


def test_a_search_that_has_not_begun() -> None:
    search = Search(make_game("tic-tac-toe"))
    assert json.loads(to_json(search)) == {"visits": 0, "moves": []}
    assert to_graphviz(search).startswith("digraph")


NODE = re.compile(r'  (n\d+) \[label="((?:[^"\\]|\\.)*)"\];')
EDGE = re.compile(r'  (n\d+) -> (n\d+) \[label="((?:[^"\\]|\\.)*)", penwidth=([\d.]+)\];')


def test_graphviz_is_a_tree() -> None:
    search = searched(hex_game(4), 3000)
    text = to_graphviz(search, depth=3, least_visits=20)
    lines = text.splitlines()
    assert lines[0] == "digraph search {"
    assert lines[-1] == "}"
    nodes = {found[1]: found[2] for line in lines if (found := NODE.fullmatch(line))}
    edges = [found.groups() for line in lines if (found := EDGE.fullmatch(line))]
    assert len(nodes) + len(edges) == len(lines) - 4  # Two lines say how things look.
    assert len(nodes) == len(edges) + 1
    assert {edge[1] for edge in edges} == set(nodes) - {"n0"}
    assert all(int(parent[1:]) < int(child[1:]) for parent, child, _, _ in edges)
    assert nodes["n0"] == "hex\\n3000"
    data = json.loads(to_json(search, depth=3, least_visits=20))
    assert count(data) == len(edges)
    best, worst = data["moves"][0], data["moves"][-1]
    widths = {text: float(width) for parent, _, text, width in edges if parent == "n0"}
    assert widths[best["text"]] > widths[worst["text"]]
    assert f"{best['visits']}\\n{100 * best['value']:.1f}%" in nodes.values()


def test_texts_with_quotes_are_quoted() -> None:
    game = replace(make_game("tic-tac-toe"), format_move=lambda _state, move: f'"{move}\\')
    text = to_graphviz(searched(game, 3000), depth=1)
    assert '[label="\\"4\\\\", penwidth=' in text
    assert all(NODE.fullmatch(line) or EDGE.fullmatch(line) for line in text.splitlines()[3:-1])
