"""The rules of Go written down once more, slowly: the oracle that the fast board must agree with.

A board is a dictionary from coordinates (column, row) to color; everything is found by flood
fill and nothing is kept up to date incrementally. It shares no code with the package on
purpose, not even the numbers for the colors, which are the same only by convention.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Point = tuple[int, int]
Stones = dict[Point, int]
Frozen = frozenset[tuple[Point, int]]

BLACK, WHITE = 1, 2


def other(color: int) -> int:
    return WHITE if color == BLACK else BLACK


def points(size: int) -> Iterator[Point]:
    for row in range(size):
        for column in range(size):
            yield column, row


def around(point: Point, size: int) -> Iterator[Point]:
    column, row = point
    for x, y in ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)):
        if 0 <= x < size and 0 <= y < size:
            yield x, y


def flood(stones: Stones, start: Point, size: int) -> tuple[set[Point], set[Point]]:
    """The connected points of *start*'s color (or emptiness), and all points next to them."""
    color = stones.get(start)
    inside, border, waiting = {start}, set(), [start]
    while waiting:
        for near in around(waiting.pop(), size):
            if stones.get(near) != color:
                border.add(near)
            elif near not in inside:
                inside.add(near)
                waiting.append(near)
    return inside, border


def liberties(stones: Stones, start: Point, size: int) -> set[Point]:
    return {point for point in flood(stones, start, size)[1] if point not in stones}


def is_position(stones: Stones, size: int) -> bool:
    """Whether every chain has a liberty."""
    return all(liberties(stones, point, size) for point in stones)


def place(stones: Stones, size: int, color: int, point: Point) -> tuple[set[Point], set[Point]]:
    """Put a stone down, take off what has no liberty; return (captured, own stones lost)."""
    stones[point] = color
    captured: set[Point] = set()
    for near in around(point, size):
        if stones.get(near) == other(color) and not liberties(stones, near, size):
            captured |= flood(stones, near, size)[0]
    for stone in captured:
        del stones[stone]
    lost: set[Point] = set()
    if not liberties(stones, point, size):
        lost = flood(stones, point, size)[0]
        for stone in lost:
            del stones[stone]
    return captured, lost


@dataclass
class Reference:
    """A game. Colors may move in any order; the player to move is the last mover's opponent."""

    size: int
    ko: str = "positional"
    suicide: bool = False
    stones: Stones = field(default_factory=dict)
    to_play: int = BLACK
    captures: dict[int, int] = field(default_factory=lambda: {BLACK: 0, WHITE: 0})
    barred: tuple[int, Point] | None = None
    """Who may not retake at which point, by the simple ko rule."""
    passes: int = 0

    def __post_init__(self) -> None:
        self.history: list[tuple[Frozen, int]] = [(self.frozen(), self.to_play)]

    def frozen(self) -> Frozen:
        return frozenset(self.stones.items())

    def copy(self) -> Reference:
        twin = Reference(self.size, self.ko, self.suicide, dict(self.stones), self.to_play)
        twin.captures = dict(self.captures)
        twin.barred = self.barred
        twin.passes = self.passes
        twin.history = list(self.history)
        return twin

    def fault(self, color: int, point: Point) -> str | None:
        """Why the move is illegal, or None if it is legal."""
        if not (0 <= point[0] < self.size and 0 <= point[1] < self.size):
            return "off the board"
        if point in self.stones:
            return "occupied"
        after = dict(self.stones)
        _, lost = place(after, self.size, color, point)
        if lost and (len(lost) == 1 or not self.suicide):
            return "suicide"
        # Superko alone forbids this too, unless a player moved twice in a row under situational
        # superko: a case in which no written rule has a word, and no player would expect a retake.
        if self.barred == (color, point):
            return "ko"
        position = frozenset(after.items())
        if self.ko == "positional" and any(position == old for old, _ in self.history):
            return "superko"
        if self.ko == "situational" and (position, other(color)) in self.history:
            return "superko"
        return None

    def legal(self, color: int) -> set[Point]:
        return {point for point in points(self.size) if self.fault(color, point) is None}

    def play(self, color: int, point: Point | None) -> int:
        """Play a legal move (None passes) and return how many enemy stones it captured."""
        taken = 0
        self.barred = None
        self.passes += 1
        if point is not None:
            self.passes = 0
            captured, lost = place(self.stones, self.size, color, point)
            taken = len(captured)
            self.captures[color] += taken
            self.captures[other(color)] += len(lost)
            if taken == 1 and not lost:
                chain, _ = flood(self.stones, point, self.size)
                if len(chain) == 1 and len(liberties(self.stones, point, self.size)) == 1:
                    self.barred = (other(color), captured.pop())
        self.to_play = other(color)
        self.history.append((self.frozen(), self.to_play))
        return taken

    @property
    def is_over(self) -> bool:
        return self.passes >= 2

    def rows(self) -> list[list[int]]:
        """Top row first, 0 for empty points."""
        return [
            [self.stones.get((column, row), 0) for column in range(self.size)]
            for row in reversed(range(self.size))
        ]


def perft(game: Reference, depth: int) -> int:
    """How many sequences of *depth* moves go on from here; two passes in a row end a game."""
    if game.is_over:
        return 0
    if depth == 1:
        return len(game.legal(game.to_play)) + 1
    total = 0
    for move in (*game.legal(game.to_play), None):
        after = game.copy()
        after.play(game.to_play, move)
        total += perft(after, depth - 1)
    return total


def without_dead(stones: Stones, size: int, dead: Iterable[Point]) -> Stones:
    """The stones left when the whole chain of every dead stone is gone."""
    gone: set[Point] = set()
    for stone in dead:
        gone |= flood(stones, stone, size)[0]
    return {point: color for point, color in stones.items() if point not in gone}


def surrounded(stones: Stones, size: int) -> dict[int, int]:
    """Empty points that reach one color only, counted for each color."""
    count = {BLACK: 0, WHITE: 0}
    seen: set[Point] = set()
    for point in points(size):
        if point not in stones and point not in seen:
            region, border = flood(stones, point, size)
            seen |= region
            reached = {stones[near] for near in border}
            if len(reached) == 1:
                count[reached.pop()] += len(region)
    return count


def area_score(stones: Stones, size: int, dead: Iterable[Point] = ()) -> int:
    """Black's area minus White's."""
    living = without_dead(stones, size, dead)
    empty = surrounded(living, size)
    colors = list(living.values())
    return colors.count(BLACK) + empty[BLACK] - colors.count(WHITE) - empty[WHITE]


def territory_score(
    stones: Stones, size: int, captures: dict[int, int], dead: Iterable[Point] = ()
) -> int:
    """Black's territory and prisoners minus White's; no allowance for seki."""
    living = without_dead(stones, size, dead)
    empty = surrounded(living, size)
    fallen = [color for point, color in stones.items() if point not in living]
    black = empty[BLACK] + captures[BLACK] + fallen.count(WHITE)
    white = empty[WHITE] + captures[WHITE] + fallen.count(BLACK)
    return black - white


def never_captured(stones: Stones, size: int, color: int) -> set[Point]:
    """Stones of *color* that survive whatever the opponent does while *color* always passes.

    By exhaustion over everything the opponent can reach, so only for few empty points. This is
    what unconditional life means, with no mention of regions or eyes.
    """
    safe = {point for point, there in stones.items() if there == color}
    seen: set[Frozen] = set()
    waiting = [stones]
    while waiting and safe:
        before = waiting.pop()
        for point in points(size):
            if point in before:
                continue
            after = dict(before)
            _, lost = place(after, size, other(color), point)
            key = frozenset(after.items())
            if not lost and key not in seen:
                seen.add(key)
                safe &= {stone for stone, there in after.items() if there == color}
                waiting.append(after)
    return safe
