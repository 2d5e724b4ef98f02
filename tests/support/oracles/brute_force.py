"""Life and death by looking at every position: slow, obvious, and sharing nothing with the solver.

All positions that can come about are listed; those in which the goal is reached are marked, then
those from which it can be forced in one move, and so on until nothing changes. What is never marked
cannot be forced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from montego.go.benson import pass_alive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.solve.fight import Fight

Point = tuple[int, int]
Stones = frozenset[tuple[Point, int]]
ENDLESS = 7


class State(NamedTuple):
    stones: Stones
    target: frozenset[Point]
    ban: Point | None
    mover: int
    threats: tuple[int, int]  # of attacker and defender


class BruteForce:
    """The answers about one fight."""

    def __init__(self, fight: Fight, most: int = 200_000) -> None:
        self.fight = fight
        self.most = most
        self.known: dict[tuple[Stones, int], list[tuple[Point, Stones, set[Point], bool]]] = {}

    def near(self, point: Point) -> list[Point]:
        x, y = point
        return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]

    def chain(self, stones: dict[Point, int], start: Point) -> tuple[set[Point], bool]:
        """The stones connected to one, and whether they have a liberty or a wall."""
        color, found, breathes, todo = stones[start], {start}, False, [start]
        edge = (
            self.fight.defenders_edge if color == self.fight.defender else self.fight.attackers_edge
        )
        while todo:
            point = todo.pop()
            breathes |= point in edge
            for other in self.near(point):
                if self.fight.walls.get(other) == color:
                    breathes = True
                elif other in self.fight.points:
                    if other not in stones:
                        breathes = True
                    elif stones[other] == color and other not in found:
                        found.add(other)
                        todo.append(other)
        return found, breathes

    def plays(self, stones: Stones, color: int) -> list[tuple[Point, Stones, set[Point], bool]]:
        """All moves without regard to ko: where, the stones after, those taken, if it is a ko."""
        if (stones, color) not in self.known:
            before, found = dict(stones), []
            for point in self.fight.points - before.keys():
                after, taken = {**before, point: color}, set[Point]()
                for enemy in self.near(point):
                    if after.get(enemy) == 3 - color:
                        chain, breathes = self.chain(after, enemy)
                        if not breathes:
                            taken |= chain
                            after = {p: c for p, c in after.items() if p not in chain}
                mine, breathes = self.chain(after, point)
                if breathes:
                    # A ko, if taking back would capture this stone alone.
                    is_ko = len(taken) == 1 and len(mine) == 1
                    if is_ko:
                        (hole,) = taken
                        _, still = self.chain({**after, hole: 3 - color}, point)
                        is_ko = not still
                    found.append((point, frozenset(after.items()), taken, is_ko))
            self.known[stones, color] = found
        return self.known[stones, color]

    def moves(self, state: State) -> Iterator[State]:
        color, other = state.mover, 3 - state.mover
        yield state._replace(ban=None, mover=other)
        side = 0 if color == self.fight.attacker else 1
        for point, stones, taken, is_ko in self.plays(state.stones, color):
            threats = list(state.threats)
            if point == state.ban:
                if threats[side] == 0:
                    continue
                if threats[side] < ENDLESS:
                    threats[side] -= 1
            ban = next(iter(taken)) if is_ko else None
            yield State(stones, state.target - taken, ban, other, (threats[0], threats[1]))

    def captured(self, to_move: int, threats: tuple[int, int]) -> bool | None:
        """Whether the attacker can force the capture of all of the target; None if too large."""
        return self.forced(self.fight.attacker, lambda state: not state.target, to_move, threats)

    def eyes(self, to_move: int, threats: tuple[int, int]) -> bool | None:
        """Whether the defender can force unconditional life for some of it; None if too large."""
        return self.forced(self.fight.defender, self.is_alive, to_move, threats)

    def is_alive(self, state: State) -> bool:
        """Whether some of the target is alive by the rules of the board, walls put on it."""
        size, stones = self.fight.size, dict(state.stones) | dict(self.fight.walls)
        rows = [
            [stones.get((column, row), 0) for column in range(size)]
            for row in reversed(range(size))
        ]
        return bool(pass_alive(rows, self.fight.defender)[0] & state.target)

    def forced(
        self,
        prover: int,
        is_won: Callable[[State], bool],
        to_move: int,
        threats: tuple[int, int],
    ) -> bool | None:
        """Whether a player can force a goal; None if there are too many positions."""
        fight = self.fight
        root = State(frozenset(fight.stones.items()), fight.target, None, to_move, threats)
        after: dict[State, list[State]] = {}
        won: set[State] = set()
        todo = [root]
        while todo:
            state = todo.pop()
            if state in after:
                continue
            if len(after) > self.most:
                return None
            if is_won(state):
                won.add(state)
            is_over = state in won or not state.target
            after[state] = [] if is_over else list(self.moves(state))
            todo += [child for child in after[state] if child not in after]
        before: dict[State, list[State]] = {state: [] for state in after}
        for state, children in after.items():
            for child in children:
                before[child].append(state)
        left = {state: len(children) for state, children in after.items()}
        news = list(won)
        while news:
            state = news.pop()
            for parent in before[state]:
                left[parent] -= 1
                if parent not in won and (parent.mover == prover or left[parent] == 0):
                    won.add(parent)
                    news.append(parent)
        return root in won
