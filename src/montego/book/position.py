"""Positions by a key that is the same for all eight ways a board can lie.

A position's *symmetries* are numbered 0 to 7: bit 2 transposes the board first, then bit 0 mirrors
columns and bit 1 rows. A :class:`Pose` says which of them takes the board as it lies to its
canonical orientation, the one of the eight with the least key; a book keeps that one only.

The key covers stones, player to move, the point barred by ko, and passes just played, because
another one may end the game. Earlier positions and prisoners are no part of it.
Keys are written into files: the numbers they are made of must never change.

Records of moves are turned to the canonical board and back. Where a position is symmetric itself,
equivalent moves are added up on the way in, and on the way out each gets an equal share, so that
totals stay what they are. Keys of the positions after moves are the same in all orientations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.book.experience import SUMS, added
from montego.go.kernels.layout import KO, PASS, PASSES, SIZE, TO_PLAY, all_points
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.rules import parse_rules
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.book.experience import Table
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


def pose_of_state(state: State) -> Pose:
    """Return the pose of a position in the kernels' array, see :mod:`montego.go.kernels.layout`."""
    geometry = _geometry(int(state[SIZE]))
    columns = state[geometry.points] + geometry.places
    keys: list[int] = np.bitwise_xor.reduce(geometry.stones.take(columns, axis=1), axis=1).tolist()
    if state[KO] != PASS:
        keys = [key ^ part for key, part in zip(keys, geometry.kos[int(state[KO])], strict=True)]
    common = geometry.plain ^ geometry.passes[min(int(state[PASSES]), 2)]
    if state[TO_PLAY] == WHITE:
        common ^= geometry.white
    keys = [key ^ common for key in keys]
    least = min(keys)
    equal = [symmetry for symmetry, key in enumerate(keys) if key == least]
    back = _INVERSE[equal[0]]
    signed = least - (1 << 64) if least >> 63 else least
    return Pose(signed or 1, equal[0], tuple(sorted(_AFTER[other][back] for other in equal)))


def pose_of_game(game: Game) -> Pose:
    """Return the pose of a game's position as it stands."""
    state = game.board.state
    if state[PASSES] != game.passes:  # One of them took a button.
        state = state.copy()
        state[PASSES] = game.passes
    return pose_of_state(state)


def canonical_move(pose: Pose, size: int, move: int) -> int:
    """Return a move on the canonical board: the least of those that are equivalent to it."""
    return int(_equivalents(pose, size)[:, turned_moves(pose.symmetry, size)[move]].min())


def real_moves(pose: Pose, size: int, move: int) -> tuple[int, ...]:
    """Return the moves, ascending, that a move on the canonical board stands for."""
    back = turned_moves(_INVERSE[pose.symmetry], size)
    return tuple(sorted({int(back[image]) for image in _equivalents(pose, size)[:, move]}))


def turned_moves(symmetry: int, size: int) -> NDArray[np.intp]:
    """Return where a symmetry takes each move, the pass included; index it with moves."""
    turned: NDArray[np.intp] = _geometry(size).turned[symmetry]
    return turned


def canonical_table(pose: Pose, size: int, table: Table) -> Table:
    """Return records of moves on the board as it lies, turned to the canonical board."""
    turned = table.copy()
    turned["move"] = moves = turned_moves(pose.symmetry, size)[table["move"]]
    if len(pose.stabilizer) == 1:
        return turned[np.argsort(moves)]
    turned["move"] = _equivalents(pose, size)[:, moves].min(axis=0)
    return added([turned], [0], np.ones(1))[0]


def real_table(pose: Pose, size: int, table: Table) -> tuple[Table, NDArray[np.intp]]:
    """Return records of a canonical position and, for each, the move on the board as it lies.

    They are in no order; the moves that they have themselves mean nothing.
    """
    moves, back = table["move"], turned_moves(_INVERSE[pose.symmetry], size)
    if len(pose.stabilizer) == 1:
        return table, back[moves]
    images = _equivalents(pose, size)[:, moves].reshape(-1)
    moves, first, counts = np.unique(images, return_index=True, return_counts=True)
    table = table[first % len(table)]
    for field in SUMS:
        table[field] *= counts / len(pose.stabilizer)
    return table, back[moves]


def _equivalents(pose: Pose, size: int) -> NDArray[np.intp]:
    """Return, in a column for each move on the canonical board, those that are equivalent to it."""
    equivalents: NDArray[np.intp] = _geometry(size).turned[list(pose.stabilizer)]
    return equivalents


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
    turned: NDArray[np.intp]  # (symmetry, move): where it goes, the pass to itself
    places: NDArray[np.intp]  # (move,): added to a color, the column of ``stones``
    stones: NDArray[np.uint64]  # (symmetry, column): a stone's part of the key; 0 for none
    kos: dict[int, list[int]]  # by point, [symmetry]: a barred point's part of them
    plain: int  # the key of the empty board, Black to move
    white: int  # changed if White is to move
    passes: tuple[int, int, int]  # changed by so many passes just played


def _images(size: int) -> list[list[int]]:
    rows, columns = np.divmod(np.arange(size * size), size)
    found = []
    for symmetry in range(SYMMETRIES):
        row, column = (columns, rows) if symmetry & 4 else (rows, columns)
        if symmetry & 1:
            column = size - 1 - column
        if symmetry & 2:
            row = size - 1 - row
        found.append([*(row * size + column).tolist(), size * size])
    return found


_SMALLEST = _images(2)  # The smallest board that tells all eight apart.
_AFTER = [  # [second][first]: what both do one after the other
    [_SMALLEST.index([second[move] for move in first]) for first in _SMALLEST]
    for second in _SMALLEST
]
_INVERSE = [row.index(0) for row in _AFTER]


def _random(size: int, number: int) -> int:
    """Return a fixed 64-bit number for each purpose on each board size: SplitMix64's mixing."""
    mask = (1 << 64) - 1
    mixed = ((size << 32) + number + 1) * 0x9E3779B97F4A7C15 & mask
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & mask
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
    return mixed ^ mixed >> 31


@cache
def _geometry(size: int) -> _Geometry:
    moves, images = size * size, _images(size)
    numbers = [_random(size, number) for number in range(4 * moves + 4)]
    turned = np.array(images, np.intp)
    stones = np.zeros((SYMMETRIES, moves, 3), np.uint64)
    for color in (BLACK, WHITE):
        own = np.array(numbers[color * moves : (color + 1) * moves], np.uint64)
        stones[:, :, color] = own[turned[:, :moves]]
    points = list(all_points(size))
    return _Geometry(
        points=np.array(points, np.intp),
        turned=turned,
        places=3 * np.arange(moves),
        stones=stones.reshape(SYMMETRIES, 3 * moves),
        kos={
            point: [numbers[3 * moves + image[move]] for image in images]
            for move, point in enumerate(points)
        },
        plain=numbers[4 * moves],
        white=numbers[4 * moves + 1],
        passes=(0, numbers[4 * moves + 2], numbers[4 * moves + 3]),
    )
