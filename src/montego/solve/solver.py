"""From a position to an answer: which fights to look at, in which order, and for how long."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from montego.go.vocabulary.color import EMPTY, WHITE, format_color, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.solve.answer import Answer, MoveAnswer
from montego.solve.fight import NoFight, Surroundings, find_target
from montego.solve.inquiry import GROWTH, LAST_ROUND, Inquiry, ProofBudget
from montego.solve.prover import (
    ATTACKER_HAS_THREATS,
    DEFENDER_HAS_THREATS,
    NO_THREATS,
    ProofTable,
    Prover,
)

if TYPE_CHECKING:
    from montego.go.area import Coordinates
    from montego.go.board import Board
    from montego.solve.answer import Outside, Verdict
    from montego.solve.fight import Fight, Framing, Side
    from montego.solve.inquiry import Clock, FirstMove, Line, Progress
    from montego.solve.prover import Ko

Order = Callable[["Board", str], Mapping[str, float]]
"""Given a board and the color to move, how good moves look. It is asked once, about a problem that
takes more than a glance, and the best moves are tried first. Wrong guesses cost time, never the
truth."""

SECONDS = 10.0
FIRST_ROUND = 5_000  # nodes for each question about each framing, before any has more
PROOF_SHARE = 0.8  # of the limits, for what can be proven
SIFT_SHARE = 0.45  # of the limits, for refuting first moves
MOST_GUESSES = 3  # first moves that are tried by themselves
LEAST_PART = 0.05  # of all that is expected, for a move to be one of them


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
    budget = ProofBudget(seconds, nodes, progress, clock)
    side: Side = "defender" if mover == surroundings.defender else "attacker"
    ban = None if board.ko is None else parse_vertex(board.ko, board.size)
    inquiries = Inquiries(budget, _by_distance(surroundings))

    possible: list[Coordinates] = []

    def guess(loose: Sequence[Look]) -> None:
        """Find out which first moves to try by themselves, before all of them together."""
        likely = [] if order is None else _likely(board, mover, order)
        possible.extend(_sift(loose, side, ban, likely))
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
    fight = inquiry.fight
    outside: Outside = "attacker"
    if verdict.proven:
        outside = "closed" if look.framing.is_closed else "independent"
    answer = Answer(
        defender=format_color(fight.defender),
        to_move=format_color(mover),
        target=tuple(map(format_vertex, sorted(fight.target, key=_reading))),
        verdict=verdict,
        outside=outside,
        assumed=tuple(map(format_vertex, sorted(fight.assumed, key=_reading))),
    )
    if not verdict.proven:
        _, other = look.verdict(_other(side), None, 1.0)
        answer = replace(answer, other=replace(other, proven=False))
    is_silent = verdict.value == "unknown" or answer.needs_no_move
    if wants_moves and not is_silent:
        moves = [
            MoveAnswer(format_vertex(point), works, *_in_vertices(lines))
            for point, works, lines in look.first_moves(inquiry, verdict, side, ban)
        ]
        moves.sort(key=lambda move: (not move.works, move.works is None))
        answer = replace(answer, moves=tuple(moves))
    if verdict.proven:
        _, other = look.verdict(_other(side), None, 1.0)
        answer = replace(answer, other=other)
    if is_silent:
        answer = replace(answer, possible=tuple(map(format_vertex, possible)))
    return replace(answer, nodes=budget.used, seconds=budget.elapsed)


@cache
def prepare() -> None:
    """Compile the solver's kernels now, if they are not: that is to count against no limit."""
    rows = [[WHITE, EMPTY], [EMPTY, EMPTY]]
    fight = Surroundings(rows, {(0, 1)}).framings()[0].for_attacker
    prover = Prover(fight, "capture", ProofTable(0.1))
    place = prover.place("attacker")
    prover.run(place, 1)
    prover.effort(place)
    for _ in prover.replies(place):
        pass


def _best_look(
    surroundings: Surroundings,
    budget: ProofBudget,
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
    while strict and most < LAST_ROUND and not budget.is_spent(PROOF_SHARE):
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


def _sift(
    looks: Sequence[Look],
    to_move: Side,
    ban: Coordinates | None,
    likely: Sequence[Coordinates],
) -> list[Coordinates]:
    """Return the first moves that are not refuted; none if that cannot be said.

    Where all fail without a ko, those are left that may win one: if nobody has threats, or else
    with all of them.
    """
    kos = (DEFENDER_HAS_THREATS, NO_THREATS, ATTACKER_HAS_THREATS)
    for ko in kos if to_move == "attacker" else reversed(kos):
        for look in looks:
            left = look.sift(to_move, ko, ban, likely)
            if left:
                return left
            # If waiting is as good, the walls stand too near. If nothing helps, the attacker wants
            # no room; the defender does.
            if left is not None and to_move == "attacker":
                break
    return []


class Inquiries:
    """All inquiries into a problem: framings that come to the same fight share one."""

    def __init__(self, budget: ProofBudget, order: Sequence[Coordinates]) -> None:
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
        self, to_move: Side, ko: Ko, ban: Coordinates | None, likely: Sequence[Coordinates]
    ) -> list[Coordinates] | None:
        """Return what :meth:`Inquiry.sift` does, with all the outside the attacker's."""
        return self._for("attacker").sift(to_move, ko, ban, SIFT_SHARE, likely)

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
