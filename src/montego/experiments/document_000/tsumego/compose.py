"""Composing problems of life and death by chance, and proving what is right in them.

``python -m montego.experiments.document_000.tsumego.compose SEED COUNT`` prints problems
with one right move, found by a search of all moves, and how often V-Run makes it; :mod:`.pool`
holds those that were kept.
"""

from __future__ import annotations

import random
import sys

from montego.experiments.document_000.tsumego.problems import KOMI, position
from montego.experiments.document_000.v_run import v_run
from montego.experiments.games import new_search
from montego.go.vocabulary.errors import GoError

DEPTH = 22
"""Moves that a kill may take; what takes longer counts as none."""
ITERATIONS = (1000, 300, 3000)
"""V-Run's, of which the first is taken that grades a problem."""
LOOKS = 20
SHARES = (0.4, 0.8)
"""Right moves of V-Run's between which a problem is neither solved nor out of reach."""
_LIVING = ["XXXXXXXXX", "XXXXXXXXX", "XXXXXXXXX", "XXXXXXXXX", ".X.XXXXXX"]
_USELESS = ["XXXXXXXX.", "XXX...XXX", "XXXXXXXXX", "XXXX...XX", ".X.XXXXXX"]
"""Black's stones below; the second ones leave points to play that help nobody."""


def composed(chance: random.Random) -> list[str]:
    """Return a position: White's wall around a corner of stones and empty points at random."""
    width = chance.choice((3, 4))
    rows = []
    for outside in ("X.XX", "XXXX", "XXXX"):
        inner = "".join(chance.choices(".XO", (0.5, 0.3, 0.2), k=width))
        rows.append(inner + "O" * (5 - width) + outside)
    return [*rows, "OOOOOXXXX", *_LIVING]


def with_useless_points(diagram: list[str]) -> list[str]:
    """Return the position with more moves to choose from: the right one is the same."""
    return [*diagram[:4], *_USELESS]


class Corner:
    """The inside of White's wall as a game of its own: Black tries to capture the wall.

    Simple ko, no suicide. Nobody plays elsewhere, but White may pass; Black who cannot or need not
    move has failed. A kill that takes more than :data:`DEPTH` moves is not seen.
    """

    def __init__(self, width: int) -> None:
        self.cells = 3 * width
        self.width = width
        self.near = [self._neighbors(cell) for cell in range(self.cells)]
        self.at_wall = [
            cell % width == width - 1 or cell // width == 2 for cell in range(self.cells)
        ]
        self._known: dict[tuple[str, bool, int, int], bool] = {}

    def _neighbors(self, cell: int) -> list[int]:
        row, column = divmod(cell, self.width)
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [r * self.width + c for r, c in around if 0 <= r < 3 and 0 <= c < self.width]

    def kills(self, stones: str, black: bool, ko: int = -1, depth: int = DEPTH) -> bool:
        """Say whether Black captures the wall, with the player to move given."""
        if depth == 0:
            return False
        key = (stones, black, ko, depth)
        if key not in self._known:
            outcomes = (
                self._after(stones, cell, black, depth)
                for cell in range(self.cells)
                if stones[cell] == "." and cell != ko
            )
            legal = (outcome for outcome in outcomes if outcome is not None)
            if black:
                self._known[key] = any(legal)
            else:
                self._known[key] = all(legal) and self.kills(stones, True, -1, depth - 1)
        return self._known[key]

    def _after(self, stones: str, cell: int, black: bool, depth: int) -> bool | None:
        """Return what becomes of a move; None if it is illegal."""
        mine, other = ("X", "O") if black else ("O", "X")
        board = list(stones)
        board[cell] = mine
        taken: set[int] = set()
        if black and not self._wall_breathes(board):
            return True
        for neighbor in self.near[cell]:
            if board[neighbor] == other and neighbor not in taken:
                chain, breathes = self._chain(board, neighbor)
                if not breathes:
                    taken |= chain
        for point in taken:
            board[point] = "."
        chain, breathes = self._chain(board, cell)
        if not breathes:
            return None
        ko = -1
        if len(taken) == 1 and len(chain) == 1:
            free = [point for point in self.near[cell] if board[point] == "."]
            if len(free) == 1 and not (mine == "O" and self.at_wall[cell]):
                ko = free[0]
        return self.kills("".join(board), not black, ko, depth - 1)

    def _chain(self, board: list[str], start: int) -> tuple[set[int], bool]:
        """Return a chain's cells and whether it has a liberty; one at the wall is the wall's."""
        color = board[start]
        chain, left, breathes = {start}, [start], False
        while left:
            cell = left.pop()
            if color == "O" and self.at_wall[cell]:
                return chain, self._wall_breathes(board)
            for neighbor in self.near[cell]:
                if board[neighbor] == ".":
                    breathes = True
                elif board[neighbor] == color and neighbor not in chain:
                    chain.add(neighbor)
                    left.append(neighbor)
        return chain, breathes

    def _wall_breathes(self, board: list[str]) -> bool:
        left = [cell for cell in range(self.cells) if self.at_wall[cell] and board[cell] != "X"]
        seen = set(left)
        while left:
            cell = left.pop()
            if board[cell] == ".":
                return True
            more = [n for n in self.near[cell] if n not in seen and board[n] != "X"]
            seen |= set(more)
            left += more
        return False

    def right_moves(self, stones: str) -> list[int]:
        """Return the cells at which Black kills."""
        return [
            cell
            for cell in range(self.cells)
            if stones[cell] == "." and self._after(stones, cell, True, DEPTH)
        ]


def right_moves(diagram: list[str]) -> list[str]:
    """Return Black's moves that kill."""
    width = 4 if any(row[3] != "O" for row in diagram[:3]) else 3
    stones = "".join(row[:width] for row in diagram[:3])
    found = Corner(width).right_moves(stones)
    return [f"{'ABCD'[cell % width]}{9 - cell // width}" for cell in found]


def share_right(diagram: list[str], right: str, iterations: int, looks: int) -> float:
    """Return the share of V-Run's searches that choose the right move."""
    state = position(diagram, [])
    found = 0
    for seed in range(looks):
        search = new_search(v_run(iterations) | {"komi": KOMI}, seed + 1, state)
        move = search.run().move
        found += move is not None and search.game.format_move(state, move) == right
    return found / looks


def graded(diagram: list[str], right: str) -> tuple[int, float] | None:
    """Return with how many iterations V-Run makes the right move at times, and its share.

    None if it is sure of it, or never makes it, whatever the iterations.
    """
    for iterations in ITERATIONS:
        if SHARES[0] <= share_right(diagram, right, iterations, LOOKS) <= SHARES[1]:
            share = share_right(diagram, right, iterations, 5 * LOOKS)
            if SHARES[0] <= share <= SHARES[1]:
                return iterations, share
    return None


def main(seed: int, count: int) -> None:
    """Print problems: the right move, iterations and V-Run's share with them, and the rows."""
    chance = random.Random(seed)
    while count > 0:
        bare = composed(chance)
        diagram = with_useless_points(bare) if chance.random() < 0.4 else bare
        try:
            position(diagram, [])
        except GoError:
            continue  # Some chain has no liberty.
        right = right_moves(bare)
        grade = graded(diagram, right[0]) if len(right) == 1 else None
        if grade is not None:
            count -= 1
            sys.stdout.write(f"{right[0]} {grade[0]} {grade[1]:.2f} {' '.join(diagram)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
