"""From a position to an answer: which fights to look at, which questions to ask, in which order.

A verdict is made of searches for capture under three assumptions about ko: the defender has all the
threats, and still is captured: the stones die. The attacker has all of them, and still does not
capture: they live, or it is a seki if the defender cannot make two eyes. Else it is a ko.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from montego.go.vocabulary.color import EMPTY, WHITE, format_color, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.solve.answer import MOST_THREATS, UNKNOWN, Answer, MoveAnswer, Verdict
from montego.solve.fight import NoFight, Surroundings, find_target
from montego.solve.kernels.layout import MANY
from montego.solve.prover import (
    ATTACKER_HAS_THREATS,
    DEFENDER_HAS_THREATS,
    NO_THREATS,
    Ko,
    Prover,
    Table,
)

if TYPE_CHECKING:
    from montego.go.area import Coordinates
    from montego.go.board import Board
    from montego.solve.answer import Outside
    from montego.solve.fight import Fight, Framing, Side
    from montego.solve.prover import Goal, Place

Order = Callable[["Board", str], Mapping[str, float]]
"""Given a board and the color to move, how good moves look. It is asked once, about a problem that
takes more than a glance, and the best moves are tried first. Wrong guesses cost time, never the
truth."""

Progress = Callable[[int, float], None]
"""Is told the nodes visited and the seconds gone by."""

Clock = Callable[[], float]
"""Returns seconds from any point in time."""

SECONDS = 10.0
SLICE = 20_000  # nodes between two looks at the clock
LEAST_SLICE = 100  # nodes that even a spent budget has, for what is remembered
EYES = 100_000  # nodes for telling life from seki
LONGEST_LINE = 12
MOST_REPLIES = 3  # of the losing side's that are shown
SERIOUS = 2  # nodes that a reply takes at least which is worth showing
GLANCE = 20_000  # nodes for a move of a line that is not remembered
FIRST_ROUND = 5_000  # nodes for each question about each framing, before any has more
GROWTH = 4  # from round to round
PROOF_SHARE = 0.8  # of the limits, for what can be proven
MEMORY = 32.0  # MB for each fight
SIFT_ROUND = 1_000  # nodes for each first move, before any has more
SIFT_ENOUGH = 16_000  # nodes for the only move that is not refuted
SIFT_SHARE = 0.45  # of the limits, for refuting first moves
MOST_GUESSES = 3  # first moves that are tried by themselves
LEAST_PART = 0.05  # of all that is expected, for a move to be one of them


Line = list["Coordinates | None"]
"""Moves one after the other; None is a pass."""

FirstMove = tuple["Coordinates", bool | None, list[Line]]
"""A move, whether it works, and how play may go on: the move itself comes first in each line."""


class OutOfTime(Exception):  # noqa: N818  # Caught here alone: it ends a question, not a program.
    """The limit of a question is reached."""


@dataclass
class Budget:
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
        budget: Budget,
        order: Sequence[Coordinates],
        guesses: Sequence[Coordinates],
    ) -> None:
        """*guesses* are first moves that look good; the list may be filled later."""
        self.fight = fight
        self._budget = budget
        self._guesses = guesses
        self._order = [point for point in order if point in fight.points]
        self._table = Table(MEMORY)
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
            OutOfTime: If there is no answer within that share, or so many nodes.
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
            raise OutOfTime
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
        except OutOfTime:
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
        except OutOfTime:
            return verdict
        return replace(verdict, threats=MOST_THREATS + 1)

    # Moves and lines

    def sift(
        self,
        to_move: Side,
        ban: Coordinates | None,
        share: float,
        likely: Sequence[Coordinates],
    ) -> list[Coordinates] | None:
        """Return the first moves that are not refuted; None if waiting is as good as moving.

        That a move fails is found out much sooner than that another works. Where all fail without a
        ko, those are left that may win one: if nobody has threats, or else with all of them. Moves
        that are *likely* to work are looked at first.
        """
        prover = self.prover("capture")
        wanted = to_move == "attacker"
        kos = (DEFENDER_HAS_THREATS, NO_THREATS, ATTACKER_HAS_THREATS)
        for ko in kos if wanted else reversed(kos):
            replies = dict(prover.replies(prover.place(to_move, ko, ban)))
            first = [point for point in likely if point in replies]
            left = dict.fromkeys([*first, *replies])
            working: set[Coordinates] = set()
            most = SIFT_ROUND
            while len(left) > len(working) and not self._budget.is_spent(share):
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
            if left:
                return [point for point in left if point is not None]
        return []

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
                    if result is not None or self._budget.is_spent():
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


def solve(
    board: Board,
    to_move: str | int,
    *,
    target: Sequence[str] | str = (),
    seconds: float = SECONDS,
    nodes: int | None = None,
    order: Order | None = None,
    progress: Progress | None = None,
    wants_moves: bool = True,
    clock: Clock = time.monotonic,
) -> Answer:
    """Solve a problem of life and death, as far as the limits allow.

    *target* are stones to be captured; without them it is guessed what is meant
    (:func:`~montego.solve.fight.find_target`). A ko's ban on the board holds for the first move.
    With *nodes*, the same arguments give the same answer, if *seconds* suffice. They are those of
    *clock*. What is too large is unknown.

    Raises:
        NoFight: If there is nothing to be solved.
        GoError: If a vertex, a color or a limit makes no sense.
    """
    if not seconds > 0 or (nodes is not None and nodes < 1):
        raise GoError("the limits of a solver are more than 0")
    mover = parse_color(to_move)
    rows = board.rows()
    names = [target] if isinstance(target, str) else list(target)
    points = {_point(name, board) for name in names} or find_target(rows)
    surroundings = Surroundings(rows, points)
    prepare()
    budget = Budget(seconds, nodes, progress, clock)
    side: Side = "defender" if mover == surroundings.defender else "attacker"
    ban = None if board.ko is None else parse_vertex(board.ko, board.size)
    inquiries = Inquiries(budget, _by_distance(surroundings))

    possible: list[Coordinates] = []

    def guess(loose: Sequence[Look]) -> None:
        """Find out which first moves to try by themselves, before all of them together."""
        likely = [] if order is None else _likely(board, mover, order)
        # Near walls leave the attacker the most; the defender wants some room.
        for look in loose if side == "attacker" else loose[1:] or loose:
            left = look.sift(side, ban, SIFT_SHARE, likely)
            if left is not None:
                possible.extend(left)
                break
        inquiries.guesses += [point for point in likely if point in possible] or likely or possible
        del inquiries.guesses[MOST_GUESSES:]

    best = _best_look(surroundings, budget, inquiries, side, ban, guess)
    if best is None:
        return Answer(
            defender=format_color(surroundings.defender),
            to_move=format_color(mover),
            target=tuple(map(format_vertex, sorted(surroundings.target, key=_reading))),
            seconds=budget.elapsed,
        )
    look, inquiry, verdict = best
    moves: list[MoveAnswer] = []
    if wants_moves and verdict.value != "unknown":
        moves = [
            MoveAnswer(format_vertex(point), works, *_in_vertices(lines))
            for point, works, lines in look.first_moves(inquiry, verdict, side, ban)
        ]
        moves.sort(key=lambda move: (not move.works, move.works is None))
    _, other = look.verdict(_other(side), None, 1.0)
    if not verdict.proven:
        other = replace(other, proven=False)
    fight = inquiry.fight
    outside: Outside = "attacker"
    if verdict.proven:
        outside = "closed" if look.framing.is_closed else "independent"
    return Answer(
        defender=format_color(fight.defender),
        to_move=format_color(mover),
        target=tuple(map(format_vertex, sorted(fight.target, key=_reading))),
        verdict=verdict,
        other=other,
        moves=tuple(moves),
        outside=outside,
        assumed=tuple(map(format_vertex, sorted(fight.assumed, key=_reading))),
        possible=tuple(map(format_vertex, possible)) if verdict.value == "unknown" else (),
        nodes=budget.used,
        seconds=budget.elapsed,
    )


@cache
def prepare() -> None:
    """Compile the solver's kernels now, if they are not: that is to count against no limit."""
    rows = [[WHITE, EMPTY], [EMPTY, EMPTY]]
    fight = Surroundings(rows, {(0, 1)}).framings()[0].for_attacker
    prover = Prover(fight, "capture", Table(0.1))
    place = prover.place("attacker")
    prover.run(place, 1)
    prover.effort(place)
    for _ in prover.replies(place):
        pass


def _best_look(
    surroundings: Surroundings,
    budget: Budget,
    inquiries: Inquiries,
    to_move: Side,
    ban: Coordinates | None,
    guess: Callable[[Sequence[Look]], None],
) -> tuple[Look, Inquiry, Verdict] | None:
    """Return a proven verdict with the fight that it rests on; without one, the most likely.

    None if even the smallest fight is too large.

    What is not proven is told as books mean it: the outside is the attacker's, and the stones
    around stay alive even if they have few liberties.
    """
    strict = [Look(framing, inquiries) for framing in surroundings.framings()]
    loose = [Look(framing, inquiries) for framing in surroundings.framings(is_loose=True)]
    most = FIRST_ROUND
    if not strict:
        guess(loose)
    while strict and not budget.is_spent(PROOF_SHARE):
        # A wider framing may be the easier one: none waits for another to be given up.
        for look in strict:
            inquiry, verdict = look.verdict(to_move, ban, PROOF_SHARE, most)
            if verdict.proven:
                return look, inquiry, verdict
        if all(look.is_answered for look in strict):
            break
        if most == FIRST_ROUND:
            guess(loose)
        most *= GROWTH
    best: tuple[Look, Inquiry, Verdict] | None = None
    for number, look in enumerate(loose):
        share = PROOF_SHARE + (0.9 - PROOF_SHARE) * (number + 1) / len(loose)
        inquiry, found = look.verdict(to_move, ban, share)
        if best is None or found.value != "unknown":
            best = look, inquiry, replace(found, proven=False)
        if found.value not in ("unknown", "dies" if to_move == "defender" else "lives"):
            # If waiting does as well, the walls stand too near to tell anything.
            waiting = inquiry.verdict(_other(to_move), None, share)
            if waiting.value != found.value:
                break
    return best


class Inquiries:
    """All inquiries into a problem: framings that come to the same fight share one."""

    def __init__(self, budget: Budget, order: Sequence[Coordinates]) -> None:
        self._budget = budget
        self._order = order
        self._made: list[Inquiry] = []
        self.guesses: list[Coordinates] = []
        """First moves that look good."""

    def into(self, fight: Fight) -> Inquiry:
        """Return the inquiry into a fight."""
        for inquiry in self._made:
            if inquiry.fight == fight:
                return inquiry
        self._made.append(Inquiry(fight, self._budget, self._order, self.guesses))
        return self._made[-1]


class Look:
    """A framing, and what is asked of it whoever has the outside."""

    def __init__(self, framing: Framing, inquiries: Inquiries) -> None:
        self.framing = framing
        self.is_answered = False
        """Whether asking again would say the same."""
        self._inquiries = inquiries

    def _for(self, side: Side) -> Inquiry:
        """Return the inquiry into the fight with all the outside that side's."""
        framing = self.framing
        fight = framing.for_attacker if side == "attacker" else framing.for_defender
        return self._inquiries.into(fight)

    def verdict(
        self, to_move: Side, ban: Coordinates | None, share: float, most: int | None = None
    ) -> tuple[Inquiry, Verdict]:
        """Return the verdict, and the fight that it rests on; *most* nodes for each question.

        Proven if the fight is closed, or comes out the same whoever has the outside. Else the
        verdict is that of an outside that is the attacker's.
        """
        inquiry = self._for("attacker")
        verdict = inquiry.verdict(to_move, ban, share, most)
        if self.framing.is_closed or verdict.value in ("lives", "seki", "unknown"):
            return inquiry, verdict
        # More for the defender can only be worse for the attacker.
        second = self._for("defender")
        generous = second.verdict(to_move, ban, share, most)
        if generous == verdict:
            return second, verdict
        self.is_answered = generous.value != "unknown"
        return inquiry, replace(verdict, proven=False)

    def sift(
        self,
        to_move: Side,
        ban: Coordinates | None,
        share: float,
        likely: Sequence[Coordinates],
    ) -> list[Coordinates] | None:
        """Return what :meth:`Inquiry.sift` does, with all the outside the attacker's."""
        return self._for("attacker").sift(to_move, ban, share, likely)

    def first_moves(
        self, inquiry: Inquiry, verdict: Verdict, to_move: Side, ban: Coordinates | None
    ) -> list[FirstMove]:
        """Return the first moves, as the inquiry that the verdict rests on has them.

        What fails there, but not if the outside were the other side's, is not known to fail.
        """
        found = inquiry.first_moves(verdict, to_move, ban)
        failing = {point for point, works, _ in found if works is False}
        if self.framing.is_closed or not failing:
            return found
        side: Side = "defender" if inquiry is self._for("attacker") else "attacker"
        again = self._for(side).first_moves(verdict, to_move, ban, failing)
        fails = {point for point, works, _ in again if works is False}
        return [
            (point, None if works is False and point not in fails else works, lines)
            for point, works, lines in found
        ]


def _by_distance(surroundings: Surroundings) -> list[Coordinates]:
    """Return all points of the board, those first that are nearest to the target."""

    def distance(point: Coordinates) -> int:
        return min(
            abs(point[0] - stone[0]) + abs(point[1] - stone[1]) for stone in surroundings.target
        )

    return sorted(sorted(surroundings.grid), key=distance)


def _likely(board: Board, mover: int, order: Order) -> list[Coordinates]:
    """Return the first moves that are expected to be good, the best first."""
    said = order(board, format_color(mover))
    total = sum(said.values())
    named = sorted(
        (name for name in said if said[name] >= LEAST_PART * total), key=said.__getitem__
    )
    points = [parse_vertex(name, board.size) for name in reversed(named)]
    return [point for point in points if point is not None]


def _in_vertices(lines: list[Line]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the first of a move's lines, and the others."""
    first, *others = (tuple(map(format_vertex, line)) for line in lines)
    return first, tuple(others)


def _other(side: Side) -> Side:
    return "attacker" if side == "defender" else "defender"


def _point(name: str, board: Board) -> Coordinates:
    point = parse_vertex(name, board.size)
    if point is None or board.color_at(name) is None:
        raise NoFight(f"{name}: there is no stone to be captured")
    return point


def _reading(point: Coordinates) -> tuple[int, int]:
    """Sort points as a diagram is read."""
    return -point[1], point[0]
