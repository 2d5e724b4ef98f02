"""Prior knowledge that comes while a search is under way, written to the moves at its roots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.mcts.kernels.tree import EXPANDED, ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.mcts.kernels.tree import Tree


class RootPriors:
    """What was added at one root; a tree that is begun anew or copied gets it, or keeps it, once.

    Threads may search meanwhile: for a moment they see a mixture of old and new.
    """

    def __init__(self) -> None:
        # Prior visits by tree and move, what was added included.
        self._totals: dict[tuple[int, int], float] = {}

    def clear(self) -> None:
        """Begin with another root."""
        self._totals = {}

    def add(self, trees: Sequence[Tree], visits: Mapping[int, float]) -> bool:
        """Add won visits to moves, unless they are there; False if a root has no moves yet."""
        done = [self._add(number, tree, visits) for number, tree in enumerate(trees)]
        return all(done)

    def _add(self, number: int, tree: Tree, visits: Mapping[int, float]) -> bool:
        if tree.expansion[ROOT] != EXPANDED:
            return False
        first = int(tree.first_edge[ROOT])
        moves = tree.move[first : first + int(tree.edge_count[ROOT])].tolist()
        for move, more in visits.items():
            if move not in moves:
                continue
            edge = first + moves.index(move)
            known = float(tree.prior_visits[edge])
            # Below 0 the move is closed.
            if known >= 0.0 and known != self._totals.get((number, move)):
                total = known + more
                tree.prior_value[edge] = (known * float(tree.prior_value[edge]) + more) / total
                tree.prior_visits[edge] = total
                tree.prior_total[ROOT] += more
                self._totals[number, move] = float(tree.prior_visits[edge])
        return True
