"""An opening tree as one HTML file that needs nothing else: boards are drawn, branches fold.

There is no script in it, and nothing is loaded from anywhere.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from montego.go.svg import board_svg
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.book.opening_tree import KnownMove, KnownPosition

CELL = 22  # Pixels from line to line.
LETTERS = "abcdefghijklmnopqrstuvwxyz"  # On the boards, for the moves in their order.

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; } .note { opacity: .75; margin-top: 0; }
details { margin: .2rem 0; } details > div { margin-left: .45rem; padding-left: 1rem;
  border-left: 2px solid #8885; }
summary { cursor: pointer; padding: .1rem .3rem; border-radius: .3rem; }
summary:hover { background: #8882; } summary:focus-visible { outline: 2px solid; }
summary, .leaf { font-variant-numeric: tabular-nums; }
.leaf { padding: .1rem .3rem .1rem 1.35rem; }
.name { display: inline-block; min-width: 4.2rem; font-weight: 600; }
.count { display: inline-block; min-width: 6rem; text-align: right; }
.share, .value { display: inline-block; min-width: 4.2rem; text-align: right; }
.bar { display: inline-block; width: 7rem; height: .55rem; margin-left: 1rem; background: #8883;
  border-radius: .3rem; overflow: hidden; }
.bar i { display: block; height: 100%; background: #2f7d4f; }
svg { display: block; max-width: 100%; height: auto; margin: .5rem 0; }
"""


def tree_page(position: KnownPosition, title: str, facts: Sequence[str] = ()) -> str:
    """Return the page. The first moves are unfolded, everything below them is folded."""
    facts = [*facts, f"{position.visits:,.0f} visits", f"{position.to_play} to play"]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n"
        f'<h1>{escape(title)}</h1><p class="note">{escape(", ".join(facts))}</p>\n'
        '<p class="note">After each move: visits, their share, and how often the player who makes '
        "the move won. Letters on a board are the moves below it.</p>\n"
        f"{_below(position)}</body></html>\n"
    )


def _below(position: KnownPosition) -> str:
    """Return a board and the moves from it."""
    parts = [_board(position)]
    parts += [
        _branch(move, letter, position.visits)
        for move, letter in zip(position.moves, _letters(len(position.moves)), strict=True)
    ]
    if position.left_out:
        more = "1 more move" if position.left_out == 1 else f"{position.left_out} more moves"
        parts.append(f'<p class="note leaf">{more} in the book</p>\n')
    return "".join(parts)


def _branch(move: KnownMove, letter: str, whole: float) -> str:
    name = f"{letter} {move.vertex}".strip()
    share = 100 * move.visits / whole if whole else 0.0
    value = 100 * move.value
    line = (
        f'<span class="name">{escape(name)}</span><span class="count">{move.visits:,.0f}</span>'
        f'<span class="share">{share:.1f}%</span><span class="value">{value:.1f}%</span>'
        f'<span class="bar" aria-hidden="true"><i style="width:{share:.1f}%"></i></span>'
    )
    if move.after is None:
        return f'<div class="leaf">{line}</div>\n'
    return f"<details><summary>{line}</summary><div>{_below(move.after)}</div></details>\n"


def _board(position: KnownPosition) -> str:
    size = len(position.rows)
    labels = {}
    for move, letter in zip(position.moves, _letters(len(position.moves)), strict=True):
        point = parse_vertex(move.vertex, size)
        if point is not None and letter:
            labels[point] = letter
    last = None if position.last is None else parse_vertex(position.last, size)
    return board_svg(position.rows, last=last, labels=labels, cell=CELL)


def _letters(count: int) -> list[str]:
    """Return a letter for each of so many moves; those beyond the alphabet have none."""
    return [*LETTERS[:count], *[""] * (count - len(LETTERS))]
