"""The error of all-moves-as-first values, learned from the trees of the searches so far.

Document 001 (4.6.2) leaves two ways to the constant b of its schedules: to try values, or to learn
the error between the AMAF value and the value of the move itself after many simulations. This is
the second way, with one b for all positions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from montego.mcts.kernels.tree import EDGES, UNIT, amaf_sums

if TYPE_CHECKING:
    from montego.mcts.kernels.tree import Tree

MANY = 200
"""Visits of a move, and as first, from which on its values are known well enough to learn from."""
ENOUGH = 20
"""Moves to learn from before what is learned is used."""


class LearnedBias:
    """b: the root of the mean square of what AMAF values are off by, less what chance explains."""

    def __init__(self, begin: float) -> None:
        """Begin with *begin*, and use it until there is enough to learn from."""
        self._begin = begin
        self._squares = 0.0
        self._moves = 0

    @property
    def value(self) -> float:
        """The bias now."""
        if self._moves < ENOUGH:
            return self._begin
        return math.sqrt(max(self._squares / self._moves, 0.0))

    def learn(self, tree: Tree) -> None:
        """Look at all moves of a tree that were visited often."""
        edges = slice(0, int(tree.counters[EDGES]))
        visits = tree.visits[edges].astype(np.float64)
        weights, rewards = amaf_sums(tree.amaf[edges])
        known = (visits >= MANY) & (weights >= MANY)
        if not known.any():
            return
        n, m = visits[known], weights[known]
        own, amaf = tree.value[edges][known] * UNIT / n, rewards[known] / m
        chance = np.clip(own * (1 - own), 0, None) / n + np.clip(amaf * (1 - amaf), 0, None) / m
        self._squares += float(((amaf - own) ** 2 - chance).sum())
        self._moves += int(known.sum())
