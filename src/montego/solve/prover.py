"""Proof-number searches of one fight for one goal, as Python sees them."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from montego.go.area import neighbors
from montego.solve.kernels.chains import CHAINS_LENGTH, find_chains, play, play_pass
from montego.solve.kernels.layout import (
    BAN,
    BIT_INDEX,
    KEY,
    MANY,
    MOST_POINTS,
    NEAR,
    POINTS,
    POSITION_LENGTH,
    PROBLEM_LENGTH,
    PROVER,
    SIDE,
    STONE_KEY,
    STONES,
    TARGET,
    THREATS,
    TOUCHES,
    key_of,
)
from montego.solve.kernels.proof import (
    CHILD_LENGTH,
    COUNTERS,
    DISPROVEN,
    FRAME_LENGTH,
    LATER_LENGTH,
    LONGEST_PATH,
    MOST_CHILDREN,
    NODES,
    OPEN,
    PROVEN,
    search,
)
from montego.solve.kernels.table import EFFORT, ENTRY_LENGTH, PLACES, SHIFT, find_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from montego.go.area import Coordinates
    from montego.solve.fight import Fight, Side

Goal = Literal["capture", "eyes"]
"""What is to be proven: that the attacker captures all of the target, or that the defender makes
some of it unconditionally alive."""

SIDES: tuple[Side, Side] = ("attacker", "defender")


class Ko(NamedTuple):
    """How often either side can take a ko back at once, having a threat elsewhere."""

    attacker: int
    defender: int


NO_THREATS = Ko(0, 0)
ATTACKER_HAS_THREATS = Ko(MANY, 0)
DEFENDER_HAS_THREATS = Ko(0, MANY)


class ProofTable:
    """The memory of searches: those of one fight share what they found."""

    def __init__(self, megabytes: float = 64.0) -> None:
        """Take at most so much memory, and 32 KB at least."""
        rows = 1 << 10
        while rows * 2 * ENTRY_LENGTH * 8 <= megabytes * 2**20:
            rows *= 2
        self.words: NDArray[np.int64] = np.zeros((rows + PLACES, ENTRY_LENGTH), np.int64)


class Place:
    """A position of a fight with the side to move, a ko's ban, and the threats that are left."""

    __slots__ = ("words",)

    def __init__(self, words: NDArray[np.int64]) -> None:
        self.words = words

    @property
    def to_move(self) -> Side:
        """The side whose turn it is."""
        return SIDES[int(self.words[SIDE])]

    @property
    def is_captured(self) -> bool:
        """Whether nothing is left of the target."""
        return not self.words[TARGET]

    @property
    def key(self) -> int:
        """A number that is the same for the same place, and for no other in practice."""
        return int(self.words[KEY])


class Prover:
    """Answers whether a goal can be forced, by searches that can be left and taken up again."""

    def __init__(
        self,
        fight: Fight,
        goal: Goal,
        table: ProofTable,
        order: Sequence[Coordinates] | None = None,
    ) -> None:
        """*order* has the points of the fight, those first that are to be tried first.

        A table may be shared by the provers of fights that differ in stones or goal, not by those
        of fights over other points or between other walls.
        """
        self.fight = fight
        self.goal = goal
        self._table = table
        self._points = list(order) if order is not None else sorted(fight.points)
        self._number = {point: number for number, point in enumerate(self._points)}
        self._problem = self._make_problem()
        self._frames: NDArray[np.int64] = np.zeros((LONGEST_PATH, FRAME_LENGTH), np.int64)
        self._children: NDArray[np.int64] = np.zeros(
            (LONGEST_PATH, MOST_CHILDREN, CHILD_LENGTH), np.int64
        )
        self._chains: NDArray[np.int64] = np.zeros(CHAINS_LENGTH, np.int64)
        self._later: NDArray[np.int64] = np.zeros(LATER_LENGTH, np.int64)
        self._counters: NDArray[np.int64] = np.zeros(COUNTERS, np.int64)
        self._root: int | None = None  # The key of the place that is searched.
        self._status = OPEN
        self.nodes = 0
        """Nodes visited by all searches so far."""

    def place(self, to_move: Side, ko: Ko = NO_THREATS, ban: Coordinates | None = None) -> Place:
        """Return the fight as it stands, with *to_move* to move."""
        fight = self.fight
        words = np.zeros(POSITION_LENGTH, np.int64)
        for side, color in enumerate((fight.attacker, fight.defender)):
            own = (point for point, other in fight.stones.items() if other == color)
            words[STONES + side] = self._bits(own)
            words[THREATS + side] = ko[side]
        words[TARGET] = self._bits(fight.target)
        words[SIDE] = SIDES.index(to_move)
        words[BAN] = 0 if ban is None else self._bits([ban])
        words[KEY] = key_of(self._problem, words)
        return Place(words)

    def run(self, place: Place, nodes: int) -> bool | None:
        """Say whether the goal can be forced; None if that is not known after so many nodes.

        Asked again about the same place, it goes on where it was.
        """
        if place.is_captured:
            return self.goal == "capture"
        if self._root != place.key:
            self._root = place.key
            self._status = OPEN
            self._counters[:] = 0
            self._frames[0, :POSITION_LENGTH] = place.words
        if self._status == OPEN:
            before = int(self._counters[NODES])
            self._status = int(
                search(
                    self._problem,
                    self._frames,
                    self._children,
                    self._table.words,
                    self._chains,
                    self._later,
                    self._counters,
                    nodes,
                )
            )
            self.nodes += int(self._counters[NODES]) - before
        return {PROVEN: True, DISPROVEN: False}.get(self._status)

    @property
    def is_stuck(self) -> bool:
        """Whether the last search met a line that is too long for it, and will not end."""
        return self._status not in (OPEN, PROVEN, DISPROVEN)

    def replies(self, place: Place) -> Iterator[tuple[Coordinates | None, Place]]:
        """Yield all moves and where they lead; None is a pass."""
        find_chains(self._problem, place.words, self._chains)
        chains = self._chains.copy()
        taken = int(place.words[STONES]) | int(place.words[STONES + 1])
        for number, point in enumerate(self._points):
            after = np.zeros(POSITION_LENGTH, np.int64)
            if not taken >> number & 1 and play(self._problem, place.words, chains, number, after):
                yield point, Place(after)
        after = np.zeros(POSITION_LENGTH, np.int64)
        play_pass(self._problem, place.words, after)
        yield None, Place(after)

    def effort(self, place: Place) -> int:
        """Return how many nodes were spent on a place, as far as that is remembered."""
        row = int(find_entry(self._table.words, place.key))
        return 0 if row < 0 else int(self._table.words[row, EFFORT]) // SHIFT

    def _bits(self, points: Iterable[Coordinates]) -> int:
        return sum(1 << self._number[point] for point in points if point in self._number)

    def _make_problem(self) -> NDArray[np.int64]:
        fight = self.fight
        sides = (fight.attacker, fight.attackers_edge), (fight.defender, fight.defenders_edge)
        problem = _template(self.goal).copy()
        problem[POINTS] = self._bits(fight.points)
        problem[PROVER] = 0 if self.goal == "capture" else 1
        for side, (color, edge) in enumerate(sides):
            beside = {
                point
                for point in fight.points
                if any(fight.walls.get(near) == color for near in neighbors(point))
            }
            problem[TOUCHES + side] = self._bits(beside | edge)
        for number, point in enumerate(self._points):
            problem[NEAR + number] = self._bits(neighbors(point))
        return problem


@cache
def _template(goal: Goal) -> NDArray[np.int64]:
    """Return what all problems have in common: the numbers of bits, and random keys."""
    problem = np.zeros(PROBLEM_LENGTH, np.int64)
    for number in range(MOST_POINTS + 1):
        problem[BIT_INDEX + (1 << number) % 67] = number
    draw = random.Random(f"montego {goal}")
    for place in range(STONE_KEY, PROBLEM_LENGTH):
        problem[place] = draw.getrandbits(62)
    problem.setflags(write=False)
    return problem
