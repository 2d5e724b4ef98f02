"""Positions by a key that is the same for all eight ways a board can lie.

A position's *symmetries* are numbered 0 to 7: bit 2 transposes the board first, then bit 0 mirrors
columns and bit 1 rows. A :class:`Pose` says which of them takes the board as it lies to its
canonical orientation, the one of the eight with the least key; a book keeps that one only.

The key covers stones, player to move, the point barred by ko, and passes just played, because
another one may end the game. Earlier positions and prisoners are no part of it.
Keys are written into files: the numbers they are made of must never change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.go.kernels.layout import KO, PASS, PASSES, SIZE, TO_PLAY, all_points
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.rules import parse_rules
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from montego.go.game import Game
    from montego.go.vocabulary.rules import Rules
    from montego.jit.state import State

SYMMETRIES = 8


@dataclass(frozen=True)
class GameSettings:
    """What a book tells positions apart by beside the stones: board size, rules and komi.

    *rules* is what ``rules_text`` makes of a rule set; ``parse_rules`` understands it.
    *komi* is all that White gets, rounded to half points: scores are whole numbers, so that 6.3
    and 6.7 are the same as 6.5.
    """

    size: int
    rules: str
    komi: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "komi", half_points(self.komi) / 2)

    def __str__(self) -> str:
        rules = parse_rules(self.rules)
        suicide = ", suicide allowed" if rules.suicide else ""
        tax = {"none": "", "seki": ", no points in seki", "all": ", group tax"}[rules.tax]
        return (
            f"{self.size}x{self.size}, {rules.scoring} scoring, {rules.ko} ko{suicide}{tax}"
            f"{', a button' if rules.button else ''}, "
            f"komi {self.komi:g}"
        )


def half_points(komi: float) -> int:
    """Return the komi in half points; any fraction counts as one half, as it decides ties alike."""
    whole = math.floor(komi)
    return 2 * whole + (komi != whole)


def rules_text(rules: Rules) -> str:
    """Return what values of positions depend on, in one word that ``parse_rules`` understands."""
    return (
        f"ko{rules.ko.upper()}score{rules.scoring.upper()}tax{rules.tax.upper()}"
        f"sui{rules.suicide:d}{'button1' * rules.button}"
    )


def settings_of(game: Game) -> GameSettings:
    """Return the settings of a game; the komi is all that White gets beside the points."""
    return GameSettings(game.size, rules_text(game.rules), game.compensation)


@dataclass(frozen=True, slots=True)
class Pose:
    """How a position lies, compared with its canonical orientation."""

    key: int
    """The position's key, a signed 64-bit number; never 0."""

    symmetry: int
    """What takes the board as it lies to the canonical one."""

    stabilizer: tuple[int, ...]
    """The symmetries that leave the canonical position as it is; 0 is always among them."""


def pose_of(
    rows: Sequence[Sequence[int]] | Sequence[int] | NDArray[np.integer],
    to_play: int,
    ko: int | None = None,
    *,
    passes: int = 0,
) -> Pose:
    """Return the pose of a position: colors by row, the top row first, nested or in one line.

    *ko* is the move (row times size plus column) that the simple ko rule bars; *passes* are those
    played in a row just now, of which more than two count as two. Nothing is checked.
    """
    colors = np.asarray(rows, np.intp).reshape(-1)
    return _pose(_geometry(math.isqrt(len(colors))), colors, to_play, ko, passes)


def pose_of_state(state: State) -> Pose:
    """Return the pose of a position in the kernels' array, see :mod:`montego.go.kernels.layout`."""
    geometry = _geometry(int(state[SIZE]))
    point = int(state[KO])
    ko = None if point == PASS else geometry.moves[point]
    colors = state[geometry.points]
    return _pose(geometry, colors, int(state[TO_PLAY]), ko, int(state[PASSES]))


def pose_of_game(game: Game) -> Pose:
    """Return the pose of a game's position as it stands."""
    state = game.board.state
    if state[PASSES] != game.passes:  # One of them took a button.
        state = state.copy()
        state[PASSES] = game.passes
    return pose_of_state(state)


def canonical_move(pose: Pose, size: int, move: int) -> int:
    """Return a move on the canonical board: the least of those that are equivalent to it."""
    images = _geometry(size).images
    moved = images[pose.symmetry][move]
    return min(images[symmetry][moved] for symmetry in pose.stabilizer)


def real_moves(pose: Pose, size: int, move: int) -> tuple[int, ...]:
    """Return the moves, ascending, that a move on the canonical board stands for."""
    images = _geometry(size).images
    back = images[_INVERSE[pose.symmetry]]
    return tuple(sorted({back[images[symmetry][move]] for symmetry in pose.stabilizer}))


def turned_moves(symmetry: int, size: int) -> NDArray[np.intp]:
    """Return where a symmetry takes each move, the pass included; index it with moves."""
    turned: NDArray[np.intp] = _geometry(size).turned[symmetry]
    return turned


def inverse_of(symmetry: int) -> int:
    """Return the symmetry that undoes another."""
    return _INVERSE[symmetry]


def move_at(vertex: str, size: int) -> int:
    """Return the number of a move by its vertex; ``pass`` is size times size.

    Raises:
        InvalidVertex: If there is no such point.
    """
    point = parse_vertex(vertex, size)
    return size * size if point is None else (size - 1 - point[1]) * size + point[0]


def vertex_of(move: int, size: int) -> str:
    """Return the vertex of a move by its number; the inverse of :func:`move_at`."""
    if move == size * size:
        return format_vertex(None)
    row, column = divmod(move, size)
    return format_vertex((column, size - 1 - row))


class _Geometry(NamedTuple):
    """What keys of one board size are made of."""

    points: NDArray[np.intp]  # (move,): where the kernels' array has its color
    moves: dict[int, int]  # the inverse: from point to move
    images: list[list[int]]  # [symmetry][move]: where it goes, the pass to itself
    turned: NDArray[np.intp]  # the same as an array
    places: NDArray[np.intp]  # (move,): added to a color, the column of ``stones``
    stones: NDArray[np.uint64]  # (symmetry, column): a stone's part of the key; 0 for none
    kos: list[list[int]]  # [move][symmetry]: a barred point's part of them
    plain: int  # the key of the empty board, Black to move
    white: int  # changed if White is to move
    passes: tuple[int, int, int]  # changed by so many passes just played


def _pose(
    geometry: _Geometry, colors: NDArray[np.integer], to_play: int, ko: int | None, passes: int
) -> Pose:
    parts = geometry.stones.take(colors + geometry.places, axis=1)
    keys: list[int] = np.bitwise_xor.reduce(parts, axis=1).tolist()
    if ko is not None:
        keys = [key ^ part for key, part in zip(keys, geometry.kos[ko], strict=True)]
    common = geometry.plain ^ geometry.passes[min(passes, 2)]
    if to_play == WHITE:
        common ^= geometry.white
    keys = [key ^ common for key in keys]
    least = min(keys)
    symmetry = keys.index(least)
    if keys.count(least) == 1:
        stabilizer = _ONLY_ITSELF
    else:
        back = _INVERSE[symmetry]
        stabilizer = tuple(
            sorted(_AFTER[other][back] for other in range(SYMMETRIES) if keys[other] == least)
        )
    signed = least - (1 << 64) if least >> 63 else least
    return Pose(signed or 1, symmetry, stabilizer)


def _image(symmetry: int, row: int, column: int, size: int) -> tuple[int, int]:
    if symmetry & 4:
        row, column = column, row
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    return row, column


def _images(size: int) -> list[list[int]]:
    places = [divmod(move, size) for move in range(size * size)]
    found = []
    for symmetry in range(SYMMETRIES):
        turned = (_image(symmetry, row, column, size) for row, column in places)
        found.append([row * size + column for row, column in turned] + [size * size])
    return found


def _composition() -> list[list[int]]:
    """Return the table in which ``[second][first]`` is what both do one after the other."""
    images = _images(2)  # The smallest board that tells all eight apart.
    return [
        [images.index([second[move] for move in first]) for first in images] for second in images
    ]


_AFTER = _composition()
_INVERSE = [row.index(0) for row in _AFTER]
_ONLY_ITSELF: tuple[int, ...] = (0,)


def _random(size: int, number: int) -> int:
    """Return a fixed 64-bit number for each purpose on each board size: SplitMix64's mixing."""
    mask = (1 << 64) - 1
    mixed = ((size << 32) + number + 1) * 0x9E3779B97F4A7C15 & mask
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & mask
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
    return mixed ^ mixed >> 31


@cache
def _geometry(size: int) -> _Geometry:
    moves = size * size
    images = _images(size)
    stones = np.zeros((SYMMETRIES, 3 * moves), np.uint64)
    for symmetry in range(SYMMETRIES):
        for move in range(moves):
            for color in (BLACK, WHITE):
                number = color * moves + images[symmetry][move]
                stones[symmetry, 3 * move + color] = _random(size, number)
    points = list(all_points(size))
    return _Geometry(
        points=np.array(points, np.intp),
        moves={point: move for move, point in enumerate(points)},
        images=images,
        turned=np.array(images, np.intp),
        places=3 * np.arange(moves),
        stones=stones,
        kos=[
            [_random(size, 3 * moves + images[symmetry][move]) for symmetry in range(SYMMETRIES)]
            for move in range(moves)
        ],
        plain=_random(size, 4 * moves),
        white=_random(size, 4 * moves + 1),
        passes=(0, _random(size, 4 * moves + 2), _random(size, 4 * moves + 3)),
    )
