"""What a book knows of a position and of those after it, as a tree that people can read.

The book keeps positions turned to one of eight sides; here they are turned back to the side of the
game at hand. Moves that symmetry makes the same are one branch, under the vertex nearest to the
upper right. The tree is written down as text, one line a move; as data for programs; and as one
HTML file with boards and branches that fold, without a script or anything loaded from elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from itertools import count
from typing import TYPE_CHECKING, Any

from montego.book.position import pose_of_game, real_moves, settings_of, vertex_of
from montego.go.svg import board_svg
from montego.go.vocabulary.errors import GoError, IllegalMove
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from montego.book.experience import Experience, MoveExperience
    from montego.book.position import Pose
    from montego.book.store import Book
    from montego.go.game import Game

DEEPEST = 200
INDENT = "  "  # For each move that another one answers, in the text.
CELL = 22  # Pixels from line to line, on the page.
LETTERS = "abcdefghijklmnopqrstuvwxyz"  # On its boards, for the moves in their order.

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


@dataclass(frozen=True)
class KnownMove:
    """A move that the book knows, and all that symmetry makes the same. Values are the mover's."""

    vertex: str
    equivalents: tuple[str, ...]
    """Every vertex that symmetry makes the same move, :attr:`vertex` first; most have one."""
    visits: float
    """Of all equivalents together."""
    value: float
    """Mean result for the player who makes the move; 0.5 if there were no visits."""
    amaf_visits: float
    amaf_value: float
    after: KnownPosition | None = None
    """The position after it, if the tree goes so far and the book knows it."""


@dataclass(frozen=True)
class KnownPosition:
    """A position and the moves that the book knows there, most visits first."""

    to_play: str
    """``"black"`` or ``"white"``."""
    rows: tuple[tuple[int, ...], ...]
    """The stones, the top row first."""
    last: str | None
    """The vertex of the move that led here, if one did."""
    visits: float
    moves: tuple[KnownMove, ...]
    left_out: int = 0
    """Moves with visits that were not wanted."""


@dataclass(frozen=True, kw_only=True)
class Extent:
    """How much of the book a tree shows."""

    depth: int = 3
    """Moves in a row."""
    width: int | None = None
    """Moves of one position; None for all."""
    least_visits: float = 1.0
    """A move with fewer is left out."""
    positions: int = 10_000
    """More are refused: a book has few positions, but many orders of moves that lead to them."""

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise GoError(
                f"cannot show {self.depth} moves in a row: say a number from 1 to {DEEPEST}"
            )
        if self.width is not None and self.width < 1:
            raise GoError(f"cannot show {self.width} moves of a position: say a number from 1")
        if not self.least_visits >= 0:
            raise GoError(f"no move has {self.least_visits} visits: say a number from 0")


def known_position(book: Book, game: Game) -> KnownPosition | None:
    """Return what the book knows of the position of *game*, all moves, none below; or None."""
    pose = pose_of_game(game)
    found = book.find(settings_of(game), pose.key)
    if found is None:
        return None
    return _position(game, found, (_move(game.size, pose, move) for move in found.moves))


def opening_tree(book: Book, game: Game, extent: Extent) -> KnownPosition | None:
    """Return what the book knows from the position of *game* on; None if nothing.

    A move that the rules forbid in this game (superko) is not in it. A position that two orders of
    moves lead to is in it twice.

    Raises:
        GoError: If there are too many positions in it.
    """
    root, settings = pose_of_game(game).key, settings_of(game)
    known: dict[int, Experience] = {}
    wanted = {root}
    for _ in range(extent.depth):  # One query a level: a move has the key of the position after it.
        found = book.find_many(settings, sorted(wanted))
        known |= found
        wanted = {
            move.after
            for experience in found.values()
            for move in _chosen(experience, extent)
            if move.after is not None and move.after not in known
        }
    numbers = count(1)

    def grow(game: Game, experience: Experience, depth: int) -> KnownPosition:
        """Return the position of *game* with what is wanted below it, *depth* moves deep."""
        if next(numbers) > extent.positions:
            raise GoError(
                f"there are more than {extent.positions:,} positions in this tree: say "
                "fewer moves with --depth or --width"
            )
        moves = []
        for _, move, after in known_moves(game, experience, extent):
            found = known.get(pose_of_game(after).key) if depth > 1 else None
            below = None if found is None else grow(after, found, depth - 1)
            moves.append(replace(move, after=below))
        visited = sum(move.visits > 0 for move in experience.moves)
        return _position(game, experience, moves, left_out=max(visited - len(moves), 0))

    return grow(game, known[root], extent.depth) if root in known else None


def known_moves(
    game: Game, experience: Experience, extent: Extent
) -> Iterator[tuple[MoveExperience, KnownMove, Game]]:
    """Yield the moves of a position that are wanted, each with the game after it.

    They come most visits first, first as the book has them and then as the board of *game* lies.
    """
    pose = pose_of_game(game)
    for chosen in _chosen(experience, extent):
        move = _move(game.size, pose, chosen)
        after = game.copy()
        try:
            after.play(game.to_play, move.vertex)
        except IllegalMove:
            continue
        yield chosen, move, after


def _chosen(experience: Experience, extent: Extent) -> list[MoveExperience]:
    """Return the moves that are wanted, most visits first."""
    moves = [move for move in experience.moves if move.visits >= extent.least_visits]
    return moves[: extent.width]


def _position(
    game: Game, experience: Experience, moves: Iterable[KnownMove], *, left_out: int = 0
) -> KnownPosition:
    played = game.moves
    return KnownPosition(
        to_play=game.to_play,
        rows=tuple(tuple(row) for row in game.board.rows()),
        last=played[-1].vertex if played else None,
        visits=experience.visits,
        moves=tuple(moves),
        left_out=left_out,
    )


def _move(size: int, pose: Pose, move: MoveExperience) -> KnownMove:
    def place(name: str) -> tuple[int, int]:
        """Order as players of Go begin: in the upper right, on the right of its diagonal."""
        column, row = parse_vertex(name, size) or (size, size)
        return -(column + row), -column

    names = sorted((vertex_of(at, size) for at in real_moves(pose, size, move.move)), key=place)
    return KnownMove(
        vertex=names[0],
        equivalents=tuple(names),
        visits=move.visits,
        value=move.value,
        amaf_visits=move.amaf_visits,
        amaf_value=move.amaf_value,
    )


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
            {**vars(move), "after": None if move.after is None else tree_data(move.after)}
            for move in position.moves
        ],
    }


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
    """Return a board and the moves from it; those beyond the alphabet have no letter."""
    size = len(position.rows)
    lettered = [(move, LETTERS[rank : rank + 1]) for rank, move in enumerate(position.moves)]
    labels = {
        point: letter
        for move, letter in lettered
        if letter and (point := parse_vertex(move.vertex, size)) is not None
    }
    last = None if position.last is None else parse_vertex(position.last, size)
    parts = [board_svg(position.rows, last=last, labels=labels, cell=CELL)]
    parts += [_branch(move, letter, position.visits) for move, letter in lettered]
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
