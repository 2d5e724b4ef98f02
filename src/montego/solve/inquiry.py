"""One fight, and the questions put to it: verdicts, first moves and lines, within a budget.

A verdict is made of searches for capture under three assumptions about ko: the defender has all the
threats, and still is captured: the stones die. The attacker has all of them, and still does not
capture: they live, or it is a seki if the defender cannot make two eyes. Else it is a ko.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from montego.solve.answer import MOST_THREATS, UNKNOWN, Verdict
from montego.solve.kernels.layout import MANY
from montego.solve.prover import (
    ATTACKER_HAS_THREATS,
    DEFENDER_HAS_THREATS,
    NO_THREATS,
    Ko,
    ProofTable,
    Prover,
)

if TYPE_CHECKING:
    from montego.go.area import Coordinates
    from montego.solve.fight import Fight, Side
    from montego.solve.prover import Goal, Place

Progress = Callable[[int, float], None]
"""Is told the nodes visited and the seconds gone by."""

Clock = Callable[[], float]
"""Returns seconds from any point in time."""

SLICE = 20_000  # nodes between two looks at the clock
LEAST_SLICE = 100  # nodes that even a spent budget has, for what is remembered
EYES = 100_000  # nodes for telling life from seki
LONGEST_LINE = 12
MOST_REPLIES = 3  # of the losing side's that are shown
SERIOUS = 2  # nodes that a reply takes at least which is worth showing
GLANCE = 20_000  # nodes for a move of a line that is not remembered
GROWTH = 4  # of what a question may take, from round to round
LAST_ROUND = 1 << 28  # nodes: what has no answer then met lines that are too long, and has none
MEMORY = 32.0  # MB for each fight
SIFT_ROUND = 1_000  # nodes for each first move, before any has more
SIFT_ENOUGH = 16_000  # nodes for the only move that is not refuted

Line = list["Coordinates | None"]
"""Moves one after the other; None is a pass."""

FirstMove = tuple["Coordinates", bool | None, list[Line]]
"""A move, whether it works, and how play may go on: the move itself comes first in each line."""


class OutOfBudget(Exception):  # noqa: N818  # Caught here alone: it ends a question, not a program.
    """The limit of a question is reached."""


@dataclass
class ProofBudget:
    """How much may still be searched."""

    seconds: float
    nodes: int | None
    progress: Progress | None
    clock: Clock = time.monotonic

    def __post_init__(self) -> None:
        self.begin = self.clock()
        self.used = 0

    @property
    def elapsed(self) -> float:
        """Seconds gone by."""
        return self.clock() - self.begin

    def is_spent(self, share: float = 1.0) -> bool:
        """Say whether that share of it is used up."""
        if self.nodes is not None and self.used >= self.nodes * share:
            return True
        return self.elapsed >= self.seconds * share

    @property
    def next_slice(self) -> int:
        """How many nodes to search before the next look at the clock."""
        if self.is_spent():
            return LEAST_SLICE
        if self.nodes is None:
            return SLICE
        return max(min(SLICE, self.nodes - self.used), LEAST_SLICE)

    def spend(self, nodes: int) -> None:
        """Count nodes, and tell of them."""
        self.used += nodes
        if self.progress is not None:
            self.progress(self.used, self.elapsed)


class Inquiry:
    """One fight, and the questions put to it."""

    def __init__(
        self,
        fight: Fight,
        budget: ProofBudget,
        order: Sequence[Coordinates],
        guesses: Sequence[Coordinates],
    ) -> None:
        """*guesses* are first moves that look good; the list may be filled later."""
        self.fight = fight
        self._budget = budget
        self._guesses = guesses
        self._order = [point for point in order if point in fight.points]
        self._table = ProofTable(MEMORY)
        self._known: dict[tuple[Side, Ko, Coordinates | None], bool] = {}
        self._provers: dict[Goal, Prover] = {}

    def prover(self, goal: Goal) -> Prover:
        """Return the prover of a goal, made at the first use."""
        if goal not in self._provers:
            self._provers[goal] = Prover(self.fight, goal, self._table, self._order)
        return self._provers[goal]

    def ask(self, place: Place, goal: Goal, share: float, most: int | None = None) -> bool | None:
        """Say whether a goal can be forced; None if there is no answer within that share."""
        prover = self.prover(goal)
        left = most
        while True:
            before = prover.nodes
            slice_ = self._budget.next_slice
            found = prover.run(place, slice_ if left is None else max(min(slice_, left), 1))
            self._budget.spend(prover.nodes - before)
            if found is not None or prover.is_stuck or self._budget.is_spent(share):
                return found
            if left is not None:
                left -= prover.nodes - before
                if left <= 0:
                    return None

    def captures(
        self,
        to_move: Side,
        ko: Ko,
        ban: Coordinates | None,
        share: float,
        most: int | None = None,
    ) -> bool:
        """Say whether the target is captured; what is guessed of first moves is tried by itself.

        Raises:
            OutOfBudget: If there is no answer within that share, or so many nodes.
        """
        known = self._known.get((to_move, ko, ban))
        if known is not None:
            return known
        prover = self.prover("capture")
        place = prover.place(to_move, ko, ban)
        found: bool | None = None
        if self._guesses:
            replies = dict(prover.replies(place))
            wanted = to_move == "attacker"
            for number, point in enumerate(self._guesses):
                if point in replies:
                    enough = None if most is None else most >> number
                    if self.ask(replies[point], "capture", share, enough) == wanted:
                        found = wanted
                        break
        if found is None:
            found = self.ask(place, "capture", share, most)
        if found is None:
            raise OutOfBudget
        self._known[to_move, ko, ban] = found
        return found

    def verdict(
        self, to_move: Side, ban: Coordinates | None, share: float, most: int | None = None
    ) -> Verdict:
        """Return what becomes of the target; unknown if that takes too long."""

        def captured(ko: Ko) -> bool:
            return self.captures(to_move, ko, ban, share, most)

        try:
            # What the side to move hopes for comes first: it needs no second search.
            if to_move == "attacker":
                if captured(DEFENDER_HAS_THREATS):
                    return Verdict("dies", proven=True)
                if not captured(ATTACKER_HAS_THREATS):
                    return self._life(to_move, ban, share)
            else:
                if not captured(ATTACKER_HAS_THREATS):
                    return self._life(to_move, ban, share)
                if captured(DEFENDER_HAS_THREATS):
                    return Verdict("dies", proven=True)
            falls = captured(NO_THREATS)
        except OutOfBudget:
            return UNKNOWN
        return self._ko(to_move, ban, share, falls=falls)

    def _life(self, to_move: Side, ban: Coordinates | None, share: float) -> Verdict:
        """Tell life from seki; what is not clear is called life, which both are."""
        place = self.prover("eyes").place(to_move, ATTACKER_HAS_THREATS, ban)
        has_eyes = self.ask(place, "eyes", share, EYES)
        return Verdict("seki" if has_eyes is False else "lives", proven=True)

    def _ko(self, to_move: Side, ban: Coordinates | None, share: float, *, falls: bool) -> Verdict:
        """Count the threats that the loser of a ko needs."""
        verdict = Verdict("ko", "attacker" if falls else "defender", proven=True)
        try:
            for threats in range(1, MOST_THREATS + 1):
                ko = Ko(0, threats) if falls else Ko(threats, 0)
                if self.captures(to_move, ko, ban, share) != falls:
                    return replace(verdict, threats=threats)
        except OutOfBudget:
            return verdict
        return replace(verdict, threats=MOST_THREATS + 1)

    # Moves and lines

    def sift(
        self,
        to_move: Side,
        ko: Ko,
        ban: Coordinates | None,
        share: float,
        likely: Sequence[Coordinates],
    ) -> list[Coordinates] | None:
        """Return the first moves that are not refuted; None if waiting is as good as moving.

        That a move fails is found out much sooner than that another works. Moves that are *likely*
        to work are looked at first.
        """
        prover = self.prover("capture")
        wanted = to_move == "attacker"
        replies = dict(prover.replies(prover.place(to_move, ko, ban)))
        first = [point for point in likely if point in replies]
        left = dict.fromkeys([*first, *replies])
        working: set[Coordinates] = set()
        most = SIFT_ROUND
        while len(left) > len(working) and not self._budget.is_spent(share) and most < LAST_ROUND:
            for point in [point for point in left if point not in working]:
                found = self.ask(replies[point], "capture", share, most)
                if found is None:
                    continue
                if found != wanted:
                    del left[point]
                elif point is None:
                    return None
                else:
                    working.add(point)
            if most >= SIFT_ENOUGH and (working or len(left) == 1):
                break
            most *= GROWTH
        return [point for point in left if point is not None]

    def _decisive(self, verdict: Verdict, to_move: Side, ban: Coordinates | None) -> Ko:
        """Return the assumption about ko under which a move shows whether it keeps a verdict."""
        if verdict.value == "dies":
            return DEFENDER_HAS_THREATS
        if verdict.value != "ko":
            return ATTACKER_HAS_THREATS
        is_attacker = to_move == "attacker"
        if verdict.favors != to_move:
            threats = verdict.threats
            if threats is None or threats > MOST_THREATS:
                threats = MANY
            return Ko(threats, 0) if is_attacker else Ko(0, threats)
        # The other side shall need as many threats as after any move.
        for threats in range(MOST_THREATS, 0, -1):
            ko = Ko(0, threats) if is_attacker else Ko(threats, 0)
            if self._known.get((to_move, ko, ban)) is is_attacker:
                return ko
        return NO_THREATS

    def first_moves(
        self,
        verdict: Verdict,
        to_move: Side,
        ban: Coordinates | None,
        only: Collection[Coordinates] | None = None,
    ) -> list[FirstMove]:
        """Return every legal move, whether it keeps what the verdict promises, and a line.

        Those of *only*, if it is given.
        """
        goal: Goal = "capture"
        ko = self._decisive(verdict, to_move, ban)
        if verdict.value == "lives" and to_move == "defender":
            # A seki is less than life.
            eyes = self.prover("eyes").place(to_move, ko, ban)
            if self.ask(eyes, "eyes", 1.0, GLANCE):
                goal = "eyes"
        prover = self.prover(goal)
        start = prover.place(to_move, ko, ban)
        whole = self.ask(start, goal, 1.0, GLANCE)
        wanted = (to_move == "attacker") == (goal == "capture")
        found = []
        replies = [
            (point, after)
            for point, after in prover.replies(start)
            if point is not None and (only is None or point in only)
        ]
        results: dict[Coordinates, bool | None] = {}
        most = GLANCE
        while len(results) < len(replies):
            # No move waits for another that is hard to judge.
            for point, after in replies:
                if point not in results:
                    result = self.ask(after, goal, 1.0, most)
                    if result is not None or self._budget.is_spent() or most > LAST_ROUND:
                        results[point] = result
            most *= GROWTH
        for point, after in replies:
            result = results[point]
            works = None if result is None else result == wanted
            if whole is not None and whole != wanted:
                works = False
            lines = [[]] if result is None else self._lines(prover, goal, after, result)
            found.append((point, works, [[point, *line] for line in lines]))
        return found

    def _lines(self, prover: Prover, goal: Goal, place: Place, result: bool) -> list[Line]:
        """Return how play may go on from a place with a known result, one line for each reply.

        Replies are the losing side's first ones, those first that take longest to refute.
        """
        start: Line = []
        if self._is_winner(place, goal, result):
            if place.is_captured:
                return [start]
            step = self._step(prover, goal, place, result, {place.key})
            if step is None:
                return [start]
            point, place = step
            start = [point]
        if place.is_captured:
            return [start]
        replies = [
            (prover.effort(after), point, after)
            for point, after in prover.replies(place)
            if point is not None
        ]
        replies.sort(key=lambda reply: -reply[0])
        serious = [reply for reply in replies if reply[0] >= SERIOUS][:MOST_REPLIES]
        if not serious:
            return [_trimmed([*start, *self._line(prover, goal, place, result)])]
        return [
            _trimmed([*start, point, *self._line(prover, goal, after, result)])
            for _, point, after in serious
        ]

    def _line(self, prover: Prover, goal: Goal, place: Place, result: bool) -> Line:
        """Return how play may go on from a place with a known result: the loser resists longest."""
        line: Line = []
        seen = {place.key}
        while len(line) < LONGEST_LINE and not place.is_captured:
            step = self._step(prover, goal, place, result, seen)
            if step is None:
                break
            point, place = step
            line.append(point)
            seen.add(place.key)
        return line

    def _step(
        self, prover: Prover, goal: Goal, place: Place, result: bool, seen: set[int]
    ) -> tuple[Coordinates | None, Place] | None:
        """Return the next move of a line: what wins soonest, or resists longest."""
        is_winner = self._is_winner(place, goal, result)
        choices = []
        for point, after in prover.replies(place):
            if after.key in seen:
                continue
            if not is_winner:
                # To pass is no resistance, but better than what is refuted at once.
                effort = SERIOUS - 0.5 if point is None else prover.effort(after)
                choices.append((-effort, point, after))
            elif self.ask(after, goal, 1.0, GLANCE) == result:
                choices.append((prover.effort(after), point, after))
        if not choices:
            return None
        _, point, place = min(choices, key=lambda choice: choice[0])
        return point, place

    @staticmethod
    def _is_winner(place: Place, goal: Goal, result: bool) -> bool:
        """Say whether the side to move is the one that gets what it wants."""
        goal_side: Side = "attacker" if goal == "capture" else "defender"
        return (place.to_move == goal_side) == result


def _trimmed(line: Line) -> Line:
    """Return a line without passes at its end."""
    while line and line[-1] is None:
        line.pop()
    return line
