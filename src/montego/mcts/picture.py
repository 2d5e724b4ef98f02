"""Pictures of a search tree: as JSON for programs, as Graphviz text for people.

Both show the tree as it stands, down to a depth and a number of visits; a whole tree has more nodes
than a page has room for. Values are the mover's. In root parallel search the first tree is shown.
Majority voting leaves no tree to show.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from montego.mcts.search import Search
    from montego.mcts.view import NodeView

SHOWN = (
    "visits", "value", "amaf_visits", "amaf_value", "prior_visits", "prior_value", "proof",
)  # fmt: skip  # A list to read, not a column.
THICKEST = 6.0  # Width of an edge that all simulations went through, in points.


def to_json(search: Search, *, depth: int = 2, least_visits: int = 1) -> str:
    """Return the tree of *search* as JSON, two spaces a level.

    A node has ``visits`` and ``moves``; a move has ``move`` and ``text``, ``visits`` and ``value``,
    ``amaf_visits`` and ``amaf_value``, ``prior_visits`` and ``prior_value``, ``proof``, and
    ``child``: the node it leads to, or null. Moves come most visits first; those with fewer
    than *least_visits* are left out, and so are nodes deeper than *depth*.
    """
    with search.held():
        shown = _node(search, search.root(), search.state, depth, least_visits)
    return json.dumps(shown, indent=2, ensure_ascii=False)


def to_graphviz(search: Search, *, depth: int = 2, least_visits: int = 10) -> str:
    """Return the tree of *search* as a graph in the language of Graphviz's ``dot``.

    A box is a position: how often it was visited, and the value for the player who moved there. The
    arrows are moves, the thicker the more visits. What is left out is as in :func:`to_json`.
    """
    with search.held():
        tree = _node(search, search.root(), search.state, depth, least_visits)
    lines = [
        "digraph search {",
        '  node [shape=box, style=rounded, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
        f"  n0 [label={_quoted(search.game.name, tree['visits'])}];",
    ]
    waiting = [("n0", tree)]
    number = 0
    for name, node in waiting:
        for move in node["moves"]:
            number += 1
            child = f"n{number}"
            value = f"{100.0 * move['value']:.1f}%"
            words = [move["visits"], value] + ([move["proof"]] if move["proof"] else [])
            lines.append(f"  {child} [label={_quoted(*words)}];")
            share = move["visits"] / max(tree["visits"], 1)
            width = max(THICKEST * math.sqrt(share), 0.5)
            lines.append(
                f"  {name} -> {child} [label={_quoted(move['text'])}, penwidth={width:.2f}];"
            )
            if move["child"] is not None:
                waiting.append((child, move["child"]))
    return "\n".join([*lines, "}", ""])


def _quoted(*lines: object) -> str:
    """Return lines of text as dot's string, whose escapes are those of JSON."""
    return json.dumps("\n".join(map(str, lines)), ensure_ascii=False)


def _node(
    search: Search, view: NodeView, state: Any, depth: int, least_visits: int
) -> dict[str, Any]:
    """Return a node and what is below it as plain data; *state* is its position."""
    moves = []
    for rank in np.argsort(-view.move_visits, kind="stable") if depth > 0 else ():
        if not view.legal[rank] or view.move_visits[rank] < least_visits:
            continue
        known = asdict(view.candidate(int(rank)))
        child, below = view.child(int(rank)) if depth > 1 else None, None
        if child is not None:
            after = search.after(state, known["move"])
            below = _node(search, child, after, depth - 1, least_visits)
        text = search.game.format_move(state, known["move"])
        told = {name: known[name] for name in SHOWN}
        moves.append({"move": known["move"], "text": text, **told, "child": below})
    return {"visits": view.visits, "moves": moves}
