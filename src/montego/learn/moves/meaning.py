"""What strengths mean, for people: the strongest traits in words, and shapes as pictures.

A shape is known by a key alone; its picture is cut out of a game in which it was played. The move
is ``*``, X are stones of who made it, O the other's, ``#`` is beyond the edge, and what is not part
of the shape is blank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.go.kernels.layout import TO_PLAY, coordinates_of, empty_state, rows_of
from montego.go.kernels.position import play
from montego.go.prediction.shapes import DISTANCES
from montego.go.prediction.traits import (
    ATARI,
    CAPTURE,
    CAPTURE_TO_SAVE,
    ESCAPE,
    ESCAPE_IN_VAIN,
    EYE_FIX,
    FAR,
    FATE,
    NAKADE,
    NEAR_BEFORE,
    NEAR_LAST,
    SELF_ATARI,
    TRAITS,
    TWO_LIBERTIES,
)
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.learn.moves.learner import elo_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.learn.moves.learner import MoveLearner
    from montego.learn.moves.lessons import LessonGame

WORDS = {
    CAPTURE: "captures a stone",
    CAPTURE + 1: "captures two stones",
    CAPTURE + 2: "captures three stones or more",
    CAPTURE_TO_SAVE: "captures what threatens a chain of its own",
    ESCAPE: "saves a stone from capture",
    ESCAPE + 1: "saves two stones or more from capture",
    ESCAPE_IN_VAIN: "runs where that saves nothing",
    SELF_ATARI: "a single stone in self-atari",
    SELF_ATARI + 1: "a larger chain in self-atari",
    ATARI: "puts a stone into atari",
    ATARI + 1: "puts two stones or more into atari",
    TWO_LIBERTIES: "attacks or defends a chain of two liberties near the last move",
    EYE_FIX: "saves an eye that the last move threatens",
    NAKADE: "the vital point of an eye",
    **{
        FATE + far: f"at distance {far} of the last move, chains counting as one"
        for far in (1, 2, 3)
    },
    **{NEAR_LAST + far: f"at distance {far} of the last move" for far in range(2, FAR + 1)},
    **{NEAR_BEFORE + far: f"at distance {far} of the move before it" for far in range(2, FAR + 1)},
}
"""What each trait is; distances are dx + dy + max(dx, dy)."""


class ShapeMeaning(NamedTuple):
    """A shape that was learned."""

    strength: float
    """The logarithm of its strength."""
    ring: int
    rows: list[str]
    """Its picture."""


def strongest_traits(learner: MoveLearner, most: int) -> list[tuple[str, float]]:
    """Return the traits that speak most for a move, the best first, and then most against."""
    strengths = learner.features.strengths[:TRAITS]
    order = [int(trait) for trait in np.argsort(-strengths, kind="stable") if int(trait) in WORDS]
    chosen = [*order[:most], *order[max(len(order) - most, most) :]]
    return [(WORDS[trait], float(strengths[trait])) for trait in chosen]


def strongest_shapes(learner: MoveLearner, most: int) -> list[ShapeMeaning]:
    """Return the shapes that speak most for a move, the best first, and then most against."""
    strengths = learner.features.strengths[TRAITS:]
    order = np.argsort(-strengths, kind="stable")
    chosen = [*order[:most], *order[max(len(order) - most, most) :]]
    wanted = {int(learner.shapes[at]): float(strengths[at]) for at in chosen}
    found = _find(learner, wanted)
    return [ShapeMeaning(strength, *found[key]) for key, strength in wanted.items() if key in found]


def _find(learner: MoveLearner, keys: Iterable[int]) -> dict[int, tuple[int, list[str]]]:
    """Return the rings and pictures of shapes, from the first games that they were played in."""
    left = set(keys)
    found: dict[int, tuple[int, list[str]]] = {}
    for lesson in learner.lessons.learned:
        if not left:
            break
        played = learner.keys_of(lesson)
        hits = np.argwhere(np.isin(played, np.array(sorted(left), np.uint64)))
        for number, ring in hits.tolist():
            key = int(played[number, ring])
            if key in left:
                left.discard(key)
                found[key] = ring, _draw(lesson, learner.settings.size, number, ring)
    return found


def _draw(lesson: LessonGame, size: int, number: int, ring: int) -> list[str]:
    """Return what was around a move of a game, out to a ring."""
    state = empty_state(size)
    color = lesson.first
    for move in lesson.moves[:number].tolist():
        state[TO_PLAY] = color
        play(state, move, color)
        color = BLACK + WHITE - color
    return cut_out(rows_of(state), coordinates_of(int(lesson.moves[number]), size), color, ring)


def cut_out(rows: list[list[int]], place: tuple[int, int], color: int, ring: int) -> list[str]:
    """Return the picture of a shape: *rows* from the top, *place* as column and row from below."""
    size, (column, row) = len(rows), place
    middle = size - 1 - row
    reach = DISTANCES[ring] // 2
    lines = []
    for y in range(-reach, reach + 1):
        line = []
        for x in range(-reach, reach + 1):
            if abs(x) + abs(y) + max(abs(x), abs(y)) > DISTANCES[ring]:
                line.append(" ")
            elif x == y == 0:
                line.append("*")
            elif not (0 <= middle + y < size and 0 <= column + x < size):
                line.append("#")
            else:
                there = rows[middle + y][column + x]
                line.append("." if there == EMPTY else "X" if there == color else "O")
        lines.append(" ".join(line))
    return lines


def in_words(learner: MoveLearner, most: int = 6) -> str:
    """Return the strongest traits and shapes as text; strengths are told in Elo."""
    parts = ["Traits, and what each is worth in Elo:\n"]
    parts += [
        f"{elo_of(strength):+6.0f}  {name}" for name, strength in strongest_traits(learner, most)
    ]
    shapes = strongest_shapes(learner, most)
    half = (len(shapes) + 1) // 2
    for title, some in (("for", shapes[:half]), ("against", shapes[half:][::-1])):
        if some:
            parts.append(f"\nShapes {title} a move (*) of X:\n")
            parts += _side_by_side(some)
    return "\n".join(parts) + "\n"


def _side_by_side(shapes: list[ShapeMeaning]) -> list[str]:
    widths = [max(len(shape.rows[0]), 5) for shape in shapes]
    height = max(len(shape.rows) for shape in shapes)
    lines = []
    for row in range(height):
        cells = []
        for shape, width in zip(shapes, widths, strict=True):
            at = row - (height - len(shape.rows)) // 2
            text = shape.rows[at] if 0 <= at < len(shape.rows) else ""
            cells.append(f"{text:<{width}}")
        lines.append("   ".join(cells).rstrip())
    told = (f"{elo_of(shape.strength):+.0f}" for shape in shapes)
    labels = (f"{text:<{width}}" for text, width in zip(told, widths, strict=True))
    return [*lines, "   ".join(labels).rstrip()]
