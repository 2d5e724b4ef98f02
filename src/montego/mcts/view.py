"""A node of a search's tree as people and programs look at it: numbers side by side, not slots.

A view is made at one moment and does not change any more, also while the search goes on. What is
below the node is read when it is asked for, and is then newer than the view.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.mcts.kernels.tree import (
    AMAF_ENOUGH,
    AMAF_ONE,
    AMAF_REWARD,
    AMAF_REWARD_UNIT,
    AMAF_UNIT,
    ENOUGH,
    EXPANDED,
    ILLEGAL,
    NO_CHILD,
    PROVEN_DRAW,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROOT,
    TALLY_UNIT,
    UNIT,
    amaf_sums,
    proof_of_move,
)
from montego.mcts.report import Candidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from montego.mcts.kernels.tree import Tree

PROOFS = {PROVEN_WIN: "win", PROVEN_LOSS: "loss", PROVEN_DRAW: "draw"}
"""What a proof means for the player it is about."""


@dataclass(frozen=True, eq=False)
class NodeView:
    """A node and its moves. The arrays have an element for each move, in the order of the tree.

    Values and rewards are those of the player to move. A node without moves yet has empty arrays,
    and so has the end of a game.
    """

    is_expanded: bool
    """Whether it has its moves."""
    visits: int
    """Simulations through it, those that experience recalled included."""
    recalled: int
    """Visits that its moves started with, by experience."""
    proof: str | None
    """``"win"``, ``"loss"`` or ``"draw"`` for the player to move, once proven."""
    judged: float
    """Its own value by the game's evaluation; means nothing without one."""
    moves: NDArray[Any]
    move_visits: NDArray[Any]
    rewards: NDArray[Any]
    """Sums; divide by the visits for means."""
    amaf_visits: NDArray[Any]
    amaf_rewards: NDArray[Any]
    """Sums, too."""
    prior_visits: NDArray[Any]
    """Of moves that are closed, 0 or less."""
    prior_values: NDArray[Any]
    legal: NDArray[Any]
    """False for moves that turned out to repeat a position."""
    tree: Tree
    """Where it stands, and the next two; for :meth:`child` and :meth:`candidate`."""
    node: int
    first_edge: int

    def child(self, rank: int) -> NodeView | None:
        """Return the node behind a move, as it is now; None if there is none."""
        child = int(self.tree.child[self.first_edge + rank])
        return None if child == NO_CHILD else view_of(self.tree, child)

    def candidate(self, rank: int) -> Candidate:
        """Return what is known about one move."""
        tree, edge = self.tree, self.first_edge + rank
        visits, prior_value = int(self.move_visits[rank]), float(self.prior_values[rank])
        amaf_visits = float(self.amaf_visits[rank])
        child = int(tree.child[edge])
        variation, node = [int(self.moves[rank])], child  # The most visited moves from there on.
        while node != NO_CHILD and tree.expansion[node] == EXPANDED and tree.edge_count[node] > 0:
            first = int(tree.first_edge[node])
            best = first + int(tree.visits[first : first + int(tree.edge_count[node])].argmax())
            if tree.visits[best] == 0:
                break
            variation.append(int(tree.move[best]))
            node = int(tree.child[best])
        return Candidate(
            move=variation[0],
            visits=visits,
            value=float(self.rewards[rank]) / visits if visits else prior_value,
            amaf_visits=amaf_visits,
            amaf_value=float(self.amaf_rewards[rank]) / amaf_visits if amaf_visits else 0.5,
            prior_visits=max(float(self.prior_visits[rank]), 0.0),
            prior_value=prior_value,
            proof=PROOFS.get(proof_of_move.python(tree, edge)),
            variation=tuple(variation),
            tally=float(tree.tally[edge]) * TALLY_UNIT / min(visits, ENOUGH) if visits else 0.0,
        )

    def candidates(self, most: int | None = None) -> list[Candidate]:
        """Return the legal moves, or the *most* visited of them, most visits first."""
        order = np.argsort(np.where(self.legal, -self.move_visits, 1), kind="stable")[:most]
        return list(map(self.candidate, order[self.legal[order]].tolist()))

    def line_visits(self, variation: Sequence[int]) -> tuple[int, ...]:
        """Return the visits of each move of a variation from here.

        The tree may have been pruned since: what is not in it any more has 0.
        """
        found: list[int] = []
        node: NodeView | None = self
        for move in variation:
            if node is None or move not in node.moves:
                break
            rank = node.moves.tolist().index(move)
            found.append(int(node.move_visits[rank]))
            node = node.child(rank)
        return tuple(found + [0] * (len(variation) - len(found)))


def view_of(tree: Tree, node: int = ROOT) -> NodeView:
    """Return a view of a node of a tree."""
    is_expanded = bool(tree.expansion[node] == EXPANDED)
    first = int(tree.first_edge[node]) if is_expanded else 0
    edges = slice(first, first + int(tree.edge_count[node]) if is_expanded else 0)
    amaf_visits, amaf_rewards = amaf_sums(tree.amaf[edges])
    prior_visits = tree.prior_visits[edges].astype(np.float64)
    return NodeView(
        is_expanded=is_expanded,
        visits=int(tree.node_visits[node]),
        recalled=int(tree.recalled[node]) if is_expanded else 0,
        proof=PROOFS.get(int(tree.proof[node])),
        judged=float(tree.judged[node]),
        moves=tree.move[edges].copy(),
        move_visits=tree.visits[edges].copy(),
        rewards=tree.value[edges] * UNIT,
        amaf_visits=amaf_visits,
        amaf_rewards=amaf_rewards,
        prior_visits=prior_visits,
        prior_values=tree.prior_value[edges].astype(np.float64),
        legal=prior_visits != ILLEGAL,
        tree=tree,
        node=node,
        first_edge=first,
    )


def recalled_sums(
    values: NDArray[np.float64],
    visits: NDArray[np.float64],
    amaf_values: NDArray[np.float64],
    amaf_visits: NDArray[np.float64],
    scale: float,
) -> tuple[NDArray[np.float64], ...]:
    """Return what moves start with of which experience knows this: as much as a node has of each.

    Visits, rewards, AMAF visits and AMAF rewards, rounded as
    :func:`~montego.mcts.kernels.expansion.recall` rounds them; *scale* is what it counts of them.
    """
    counted = np.floor(np.minimum(visits * scale, ENOUGH) + 0.5)
    weights = np.minimum(amaf_visits * scale, AMAF_ENOUGH)
    return (
        counted,
        counted * values,
        np.floor(weights * AMAF_ONE) * AMAF_UNIT,
        np.trunc(weights * amaf_values * AMAF_REWARD) * AMAF_REWARD_UNIT,
    )
