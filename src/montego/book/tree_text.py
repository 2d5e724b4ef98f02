"""An opening tree as plain text, one line a move, and as plain data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.book.opening_tree import KnownMove, KnownPosition

INDENT = "  "


def tree_text(position: KnownPosition) -> str:
    """Return the tree as lines: move, visits, their share of the position's, and the mover's value.

    A move stands two columns to the right of the one it answers.
    """
    rows = list(_rows(position, 0))
    width = max((len(name) for name, _, _ in rows), default=4)
    lines = [f"{'move':<{width}}  {'visits':>9}  share  value"]
    for name, move, whole in rows:
        share = f"{100 * move.visits / whole:.1f}%" if whole else ""
        value = f"{100 * move.value:.1f}%" if move.visits else ""
        lines.append(f"{name:<{width}}  {move.visits:>9,.0f} {share:>6} {value:>6}".rstrip())
    return "\n".join(lines) + "\n"


def _rows(position: KnownPosition, depth: int) -> Iterator[tuple[str, KnownMove, float]]:
    """Yield the indented name of each move, the move, and the visits of its position."""
    for move in position.moves:
        yield INDENT * depth + move.vertex, move, position.visits
        if move.after is not None:
            yield from _rows(move.after, depth + 1)


def tree_data(position: KnownPosition) -> dict[str, Any]:
    """Return the tree as JSON would have it; values are those of the player who makes the move."""
    return {
        "to_play": position.to_play,
        "visits": position.visits,
        "left_out": position.left_out,
        "moves": [
            {
                "vertex": move.vertex,
                "equivalents": list(move.equivalents),
                "visits": move.visits,
                "value": move.value,
                "amaf_visits": move.amaf_visits,
                "amaf_value": move.amaf_value,
                "after": None if move.after is None else tree_data(move.after),
            }
            for move in position.moves
        ],
    }
