"""The picture of two levels of a search's tree, after figure 7.5."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from montego.arena.drawing import PALETTE, WIDTH, svg_text
from montego.experiments.document_000.tsumego.problems import HARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON

CHILDREN = 3
"""Moves shown of a node; one that the text speaks of is shown in any case."""
BOX, TALL = 40, 36
HEIGHTS = (26, 120, 230)
THICKEST = 7.0


def draw_tree(tree: JSON) -> str:
    """Return the most visited moves of two levels; the right one is a diamond wherever it stands.

    Lines are the thicker the more visits went along them. A node says its move, the visits, and the
    value for whoever made the move.
    """
    firsts = _chosen(tree["moves"], (HARD.correct, HARD.greedy))
    replies = [
        _chosen(move["child"]["moves"] if move["child"] else [], (HARD.correct,)) for move in firsts
    ]
    leaves = sum(max(1, len(found)) for found in replies)
    step = (WIDTH - 20) / max(leaves, 1)
    visits = max(tree["visits"], 1)
    root = (WIDTH / 2, HEIGHTS[0])
    lines: list[str] = []
    nodes = [_node(root, ["Black to play", f"{tree['visits']:,}"], PALETTE[7])]
    left = 10.0
    for move, found in zip(firsts, replies, strict=True):
        width = step * max(1, len(found))
        place = (left + width / 2, HEIGHTS[1])
        lines.append(_line(root, place, move["visits"] / visits))
        nodes.append(_move(place, move, PALETTE[0]))
        for number, reply in enumerate(found):
            below_it = (left + step * (number + 0.5), HEIGHTS[2])
            lines.append(_line(place, below_it, reply["visits"] / visits))
            nodes.append(_move(below_it, reply, PALETTE[1]))
        left += width
    return svg_text(HEIGHTS[-1] + 40, [*lines, *nodes])


def _chosen(moves: Sequence[JSON], wanted: Sequence[str]) -> list[JSON]:
    """Return the most visited moves, and those that are wanted."""
    return [
        move for number, move in enumerate(moves) if number < CHILDREN or move["text"] in wanted
    ]


def _move(place: tuple[float, int], move: JSON, color: str) -> str:
    words = [move["text"], f"{move['visits']:,}", f"{100 * move['value']:.0f} %"]
    return _node(place, words, color, is_diamond=move["text"] == HARD.correct)


def _node(
    place: tuple[float, int], words: Sequence[str], color: str, *, is_diamond: bool = False
) -> str:
    x, y = place
    if is_diamond:
        half, tall = BOX * 0.8, TALL * 0.85
        points = f"{x - half:.1f},{y} {x:.1f},{y - tall} {x + half:.1f},{y} {x:.1f},{y + tall}"
        shape = f'<polygon points="{points}" fill="Canvas" stroke="{color}" stroke-width="2.5"/>'
    else:
        wide = BOX * (2.4 if len(words) == 2 else 1)
        shape = (
            f'<rect x="{x - wide / 2:.1f}" y="{y - TALL / 2}" width="{wide:.1f}" height="{TALL}" '
            f'rx="5" fill="Canvas" stroke="{color}"/>'
        )
    first = y + 4 - 5.5 * (len(words) - 1)
    texts = "".join(
        f'<text x="{x:.1f}" y="{first + 11 * number:.1f}" font-size="9.5" text-anchor="middle">'
        f"{escape(word)}</text>"
        for number, word in enumerate(words)
    )
    return f"<g>{shape}{texts}</g>"


def _line(begin: tuple[float, int], end: tuple[float, int], share: float) -> str:
    width = max(THICKEST * share**0.5, 0.6)
    return (
        f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="currentColor" stroke-opacity="0.45" stroke-width="{width:.1f}"/>'
    )
