"""What a network is shown of a game, and how its answers are read.

A network sees a position as *planes*: pictures of the board in numbers, one behind the other, each
row by row, always from the view of the player to move. It answers with *outputs*, numbers of which
each stands for a move. :class:`Features` says how the one is made and the other is read;
:func:`default_features` finds them for a game that says nothing about itself.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.jit.state import new_scratch
from montego.mcts.errors import MctsError, compiling

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition

    Write = Callable[[State, Knowledge, Scratch, NDArray[Any]], int]

MOST_VALUES = 16
"""Different values of a cell that default features have a plane for."""

SAMPLE = 2_000
"""Positions of random games in which default features are found."""


class InvalidFeatures(MctsError):  # noqa: N818  # Named for what the user did.
    """Features that do not fit together, or that cannot be found."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Features:
    """What a network is shown of a game, and how its answers are read. Immutable.

    Raises:
        InvalidFeatures: If the tables do not fit one another.
    """

    game: str
    """Which game it is, without its size: ``"go"``. A network's file says the same."""

    version: int = 1
    """Of the planes and the outputs: a network reads only what it has learned to read."""

    planes: int
    height: int
    width: int

    write: Write
    """``(state, knowledge, scratch, planes) -> view``: show the position to the player to move.

    Writes ``planes * height * width`` float32 numbers, all of them, plane by plane, row by row. A
    kernel with plain loops that allocates nothing, so that it runs on every machine. It does not
    change the state, and of scratch only the game's own room. The view is the row of ``views``
    that says how the board was turned; 0 where it never is.
    """

    outputs: NDArray[np.int32]
    """By move: the output that stands for it, -1 for none."""

    policy: int
    """How many outputs stand for moves."""

    by_cell: bool = True
    """Whether output k stands for what happens on cell k, as long as there are cells.

    A network then has a picture for its policy, and the outputs beyond, a pass for example, come
    from what it sees of the board as a whole. Otherwise the outputs are in no order.
    """

    symmetries: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """By symmetry and cell of the image: the cell of the position that is shown there.

    The first row leaves everything where it is, and is all there is if nothing is said.
    """

    output_symmetries: NDArray[np.int32] | None = None
    """By symmetry and output: the output that stands for the same in the image.

    None: follows from the cells; outputs beyond them stay what they are.
    """

    views: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """By view and output: where the output is read if the board was shown in that view.

    For games in which the players see the board from different sides. One row that changes nothing
    is all there is if nothing is said.
    """

    def __post_init__(self) -> None:
        cells, policy = self.height * self.width, self.policy
        if min(self.planes, self.height, self.width, policy) < 1:
            raise InvalidFeatures(f"the features of {self.game} have a size below 1")
        if self.by_cell and policy < cells:
            raise InvalidFeatures(f"{self.game} has {cells} cells, but {policy} outputs for them")
        self._set("symmetries", self.symmetries, cells)
        self._set("views", self.views, policy)
        outputs = np.ascontiguousarray(self.outputs, np.int32)
        if outputs.ndim != 1 or outputs.min(initial=0) < -1 or outputs.max(initial=0) >= policy:
            raise InvalidFeatures(f"an output of {self.game} is not from -1 to {policy - 1}")
        object.__setattr__(self, "outputs", outputs)
        if self.output_symmetries is not None:
            self._set("output_symmetries", self.output_symmetries, policy)
        elif not self.by_cell and len(self.symmetries) > 1:
            raise InvalidFeatures(f"{self.game} does not say what symmetries do to its outputs")
        if len(self.output_permutations()) != len(self.symmetries):
            raise InvalidFeatures(f"{self.game} has a symmetry for cells that outputs do not have")

    def _set(self, name: str, table: NDArray[np.int32], width: int) -> None:
        """Keep a table of permutations, the first of which changes nothing."""
        if len(table) == 0:
            table = np.arange(width, dtype=np.int32)[None]
        table = np.ascontiguousarray(table, np.int32)
        straight = np.arange(width)
        if table.ndim != 2 or table.shape[1] != width or (np.sort(table) != straight).any():
            raise InvalidFeatures(f"a row in {name} of {self.game} is no order of {width} numbers")
        if (table[0] != straight).any():
            raise InvalidFeatures(f"the first row in {name} of {self.game} changes something")
        object.__setattr__(self, name, table)

    @property
    def cells(self) -> int:
        """How many numbers a plane has."""
        return self.height * self.width

    def output_permutations(self) -> NDArray[np.int32]:
        """Return, by symmetry and output, the output that stands for the same in the image."""
        if self.output_symmetries is not None:
            return self.output_symmetries
        table = np.tile(np.arange(self.policy, dtype=np.int32), (len(self.symmetries), 1))
        if self.by_cell:
            # Where in the image a cell is shown is the inverse of what is shown in the image.
            table[:, : self.cells] = np.argsort(self.symmetries, axis=1)
        return table

    def readings(self) -> NDArray[np.int32]:
        """Return, by view, symmetry and move, the output that stands for the move; -1 for none."""
        turned = self.views[:, np.maximum(self.outputs, 0)]
        table = self.output_permutations()[:, turned].transpose(1, 0, 2)
        return np.ascontiguousarray(np.where(self.outputs < 0, -1, table), np.int32)


def square_symmetries(size: int) -> NDArray[np.int32]:
    """Return the eight symmetries of a square of *size* by *size* cells, as Features has them."""
    cells = np.arange(size * size, dtype=np.int32).reshape(size, size)
    turned = [np.rot90(image, turns) for image in (cells, cells.T) for turns in range(4)]
    return np.array([image.ravel() for image in turned], np.int32)


def default_features(
    game: GameDefinition, board: tuple[int, int], *, first: int = 0, seed: int = 0
) -> Features:
    """Return features for a game that has none: found by looking at random games.

    The state has a cell in each of the *board*'s rows times columns elements from *first* on, row
    by row. There is a plane for each value that a cell has been seen to have, and one for whose
    turn it is, which some element of the state must tell by being odd or even, or positive or not.
    Moves are outputs by their number; symmetries are not looked for. The players are not told apart
    but by that last plane, so that features of a game's own are better ones.

    Raises:
        InvalidFeatures: If the state is too short, cells have too many values to be a few kinds of
            pieces, or nothing in the state tells whose turn it is.
    """
    rows, columns = board
    cells = rows * columns
    states, turns = _random_positions(game, seed)
    if min(rows, columns) < 1 or not 0 <= first <= states.shape[1] - cells:
        raise InvalidFeatures(
            f"a state of {game.name} has {states.shape[1]} numbers: "
            f"no board of {rows} by {columns} begins at {first}"
        )
    found = np.unique(states[:, first : first + cells])
    if len(found) > MOST_VALUES:
        raise InvalidFeatures(
            f"the cells of {game.name} have {len(found)} values, more than {MOST_VALUES}: "
            "write features for it"
        )
    place, odd = _place_of_turn(game, states, turns)
    return Features(
        game=game.name,
        planes=len(found) + 1,
        height=rows,
        width=columns,
        write=_default_write(game, (first, cells, place, odd), tuple(found.tolist())),
        outputs=np.arange(game.move_count, dtype=np.int32),
        policy=game.move_count,
        by_cell=False,
    )


def _default_write(
    game: GameDefinition, places: tuple[int, int, int, int], values: tuple[int, ...]
) -> Write:
    """Return what writes a plane for each of *values*, and one for whose turn it is.

    *places* are where the board begins, how many cells it has, which element tells whose turn it
    is, and whether by being odd.
    """
    first, cells, place, odd = places

    def write(
        state: State,
        knowledge: Knowledge,  # noqa: ARG001
        scratch: Scratch,  # noqa: ARG001
        planes: NDArray[Any],
    ) -> int:
        start = 0
        for value in values:
            for cell in range(cells):
                planes[start + cell] = 1.0 if state[first + cell] == value else 0.0
            start += cells
        told = int(state[place])
        second = float(told & 1) if odd != 0 else float(told > 0)
        for cell in range(cells):
            planes[start + cell] = second
        return 0

    # It belongs to the game, whose functions decide whether machine code is kept on disk; and what
    # it looks at is in its name, by which machine code is found again.
    write.__module__ = game.legal_moves.__module__
    write.__name__ = f"write_{zlib.crc32(repr((places, values)).encode()):08x}"
    return kernel(write)


def _place_of_turn(
    game: GameDefinition, states: NDArray[np.int32], turns: NDArray[np.int32]
) -> tuple[int, int]:
    """Return the element of a state that tells whose turn it is, and whether by being odd.

    The last such element, because counters stand behind the board rather than before it.
    """
    for odd, told in ((1, states & 1), (0, states > 0)):
        for place in reversed(range(states.shape[1])):
            # Which of the two players it is, is the same for the network.
            if len(set(zip(told[:, place].tolist(), turns.tolist(), strict=True))) == 2 and (
                told[:, place].min() != told[:, place].max()
            ):
                return place, odd
    raise InvalidFeatures(
        f"nothing in a state of {game.name} tells whose turn it is: write features for it"
    )


def _random_positions(
    game: GameDefinition, seed: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return positions of random games, ended ones included, and whose turn it is in each."""
    random = np.random.default_rng(seed)
    scratch = new_scratch(game.longest_game, seed, game.scratch_room)
    moves = np.empty(game.move_count, np.int32)
    states: list[NDArray[np.int32]] = []
    turns: list[int] = []
    with compiling():
        while len(states) < SAMPLE:
            state = np.array(game.initial_state(), np.int32)
            for _ in range(game.longest_game + 1):
                states.append(state.copy())
                turns.append(int(game.to_play(state)))
                count = int(game.legal_moves(state, game.knowledge, scratch, moves))
                if count == 0:
                    break
                game.play(state, game.knowledge, scratch, int(moves[random.integers(count)]))
    return np.array(states), np.array(turns, np.int32)
