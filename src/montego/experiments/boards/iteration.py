"""Monte-Carlo tree search as 000 writes it down (algorithm 4), in plain Python.

The smallest search that is one: UCT, random games, and the most visited move. It is there to
measure boards and methods with; to play, use :class:`montego.mcts.search.Search`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from montego.experiments.boards.grid import BLACK, MOVES_PER_POINT, LadderBoard, Point, count_points

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from typing import Self


EXPLORATION = 2.0  # C, inside the root as 000 has it


class PlainPosition(Protocol):
    """What the tree asks of a game: the boards of the ladder answer, and other small games can."""

    to_play: int

    def copy(self) -> Self:
        """Return an independent copy."""

    def moves(self) -> list[int]:
        """Return the moves of the player to move; none if the game is over."""

    def play(self, move: int | None) -> None:
        """Play one of the moves."""


P = TypeVar("P", bound=PlainPosition)


@dataclass
class PlainNode:
    """A position in the tree, and how often it was visited and won by who moved into it."""

    mover: int
    untried: list[Point]
    move: Point | None = None
    parent: PlainNode | None = None
    children: list[PlainNode] = field(default_factory=list)
    wins: float = 0.0
    visits: int = 0

    def select(self) -> PlainNode:
        """Return the child with the largest upper confidence bound."""
        explored = EXPLORATION * math.log(self.visits)
        return max(
            self.children,
            key=lambda child: child.wins / child.visits + math.sqrt(explored / child.visits),
        )


def most_visited(root: PlainNode) -> int | None:
    """Return the robust child's move; None if there is no child."""
    best = max(root.children, key=lambda child: child.visits, default=None)
    return None if best is None else best.move


def iterate(
    root: PlainNode, position: P, random: Random, finish: Callable[[P, Random], float]
) -> None:
    """Run one iteration from a position: select, expand, play to the end, and go back up.

    *finish* plays a position to its end at random and returns the first player's (Black's) score.
    """
    node, state = root, position.copy()
    while node.children and not node.untried:
        node = node.select()
        state.play(node.move)
    if node.untried:
        # A random one; its place is taken by the last.
        place = random.randrange(len(node.untried))
        move = node.untried[place]
        node.untried[place] = node.untried[-1]
        node.untried.pop()
        mover = state.to_play
        state.play(move)
        child = PlainNode(mover=mover, untried=state.moves(), move=move, parent=node)
        node.children.append(child)
        node = child
    score = finish(state, random)
    leaf: PlainNode | None = node
    while leaf is not None:
        leaf.visits += 1
        gain = score if leaf.mover == BLACK else -score
        leaf.wins += (gain > 0) + 0.5 * (gain == 0)
        leaf = leaf.parent


def play_out(board: LadderBoard, random: Random) -> int:
    """Play random moves until both players have none; return Black's points minus White's."""
    passes = 0
    for _ in range(MOVES_PER_POINT * board.size**2):
        move = board.random_move(random)
        board.play(move)
        passes = passes + 1 if move is None else 0
        if passes == 2:
            break
    return count_points(board)
