"""What a search found near its root, read off its tree as experience for the book.

Only what this search found itself: visits that a node started with, because the book knew it, are
taken off again. A *finding* is one node, turned to nothing yet: moves are numbered as the board
lies. Findings stand under the path that leads to their node, so that the same node, met again when
its tree has grown, replaces what was found before.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.book.experience import RECORD, Experience
from montego.book.position import canonical_table, pose_of_state
from montego.engine.knowledge.experience import (
    AMAF_VALUE,
    AMAF_VISITS,
    POINT,
    VALUE,
    VISITS,
    key_of,
)
from montego.go.kernels.layout import SIZE, all_points, state_length
from montego.jit.state import new_scratch
from montego.mcts.kernels.tree import (
    AMAF_ENOUGH,
    AMAF_ONE,
    AMAF_REWARD,
    AMAF_REWARD_UNIT,
    AMAF_UNIT,
    ENOUGH,
    EXPANDED,
    NO_CHILD,
    ROOT,
    UNIT,
    amaf_sums,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from numpy.typing import NDArray

    from montego.book.position import Pose
    from montego.mcts.kernels.tree import Tree
    from montego.mcts.search import Search

LEAST_VISITS = 16
"""A node below the root with fewer visits of its own is not worth keeping."""

MOST = 300
"""Nodes of a tree that are looked at; a search that went on for hours has many more."""

WELL_KNOWN = 100
"""Visits from which also moves are kept that were never tried, for their AMAF statistics.

Without them they would look as good as at first sight again; in lesser nodes they would fill the
book with little.
"""


@dataclass(frozen=True, eq=False)
class Finding:
    """One node: its moves and, in the same order, what this search found about them."""

    pose: Pose
    ply: int
    moves: NDArray[np.int64]
    sums: NDArray[np.float64]  # (move, 4): visits, values, AMAF visits, AMAF values
    after: NDArray[np.int64]  # the book's key of the position after each; 0 where nobody looked

    @property
    def visits(self) -> float:
        """The visits to all of its moves."""
        return float(self.sums[:, 0].sum())

    def copy(self) -> Finding:
        """Return the same finding, without what :meth:`link` will tell this one."""
        return replace(self, after=self.after.copy())

    def since(self, earlier: Finding | None) -> NDArray[np.float64]:
        """Return the sums less those of the same node at an earlier time."""
        if earlier is None or len(earlier.sums) != len(self.sums):
            return self.sums
        return np.maximum(self.sums - earlier.sums, 0.0)

    def link(self, number: int, key: int) -> None:
        """Note the key of the position after a move, by the book's number: it was played."""
        self.after[self.moves == number] = key


def findings_of(
    search: Search,
    path: tuple[Hashable, ...],
    *,
    ply: int,
    depth: int,
    recalled: Mapping[int, NDArray[np.float64]],
) -> dict[tuple[int, tuple[Hashable, ...]], Finding]:
    """Return the shallow nodes of a search, by tree and path; *path* leads to its root.

    Of each tree the :data:`MOST` most visited ones. The root is *ply* plies into the game; nothing
    deeper than *depth* plies is returned. *recalled* is what nodes started with, by the key of
    their position, as ``write_experience`` got it. The search must not be running.
    """
    found: dict[tuple[int, tuple[Hashable, ...]], Finding] = {}
    if ply > depth:
        return found
    game, scale = search.game, search.config.experience_per_tree
    scratch = new_scratch(game.longest_game, 0, game.scratch_room)
    for number, tree in enumerate(search.trees):
        root = search.state
        waiting = [(0.0, 0, ROOT, root, pose_of_state(root), path, ply)]
        met = seen = 0  # So that what is equally visited comes in order; nodes looked at.
        while waiting and seen < MOST:
            _, _, node, state, pose, way, level = heapq.heappop(waiting)
            seen += 1
            if tree.expansion[node] != EXPANDED or tree.edge_count[node] == 0:
                continue
            first = int(tree.first_edge[node])
            edges = slice(first, first + int(tree.edge_count[node]))
            moves = tree.move[edges]
            sums = _sums(tree, edges)
            if tree.recalled[node] > 0:
                known = recalled.get(int(key_of(state)))
                if known is None:
                    continue  # Whose visits these are nobody can tell any more.
                sums -= _started_with(known, moves, scale)
                np.maximum(sums, 0.0, out=sums)
            after = np.zeros(len(moves), np.int64)
            if level < depth:
                for rank in np.flatnonzero(sums[:, 0] >= LEAST_VISITS).tolist():
                    child = int(tree.child[first + rank])
                    if child == NO_CHILD or tree.expansion[child] != EXPANDED:
                        continue
                    move = int(moves[rank])
                    beyond = state.copy()
                    game.play(beyond, game.knowledge, scratch, move)
                    lies = pose_of_state(beyond)
                    after[rank] = lies.key
                    met += 1
                    further = (child, beyond, lies, (*way, move), level + 1)
                    heapq.heappush(waiting, (-float(sums[rank, 0]), met, *further))
            if node == ROOT:
                # However short a search was, it was about the root.
                is_known = bool(sums[:, 0].any())
            else:
                is_known = bool(sums[:, 0].sum() >= LEAST_VISITS)
            # Where moves were left out, the others got visits that are not theirs.
            if is_known and level - ply >= search.limited_depth:
                numbers = numbers_of(int(state[SIZE]))[moves]
                found[number, way] = Finding(pose, level, numbers, sums, after)
    return found


def experience_of(finding: Finding, sums: NDArray[np.float64], size: int) -> Experience:
    """Return as the book wants it what is new about a finding, see :meth:`Finding.since`."""
    visits = float(sums[:, 0].sum())
    least = 0.0 if visits >= WELL_KNOWN else 1.0
    tried = (sums[:, 0] >= least) & (sums[:, 0] + sums[:, 2] > 0.0)
    kept = np.flatnonzero(tried | (finding.after != 0))
    table = np.zeros(len(kept), RECORD)
    table["move"] = finding.moves[kept]
    for column, field in enumerate(("visits", "value_sum", "amaf_visits", "amaf_sum")):
        table[field] = sums[kept, column]
    table["after"] = finding.after[kept]
    table = canonical_table(finding.pose, size, table)
    return Experience(finding.pose.key, visits, table, depth=finding.ply)


def _sums(tree: Tree, edges: slice) -> NDArray[np.float64]:
    """Return visits, values, AMAF visits and AMAF values of a node's moves."""
    return np.stack(
        (
            tree.visits[edges].astype(np.float64),
            tree.value[edges] * UNIT,
            *amaf_sums(tree.amaf[edges]),
        ),
        axis=1,
    )


def _started_with(
    known: NDArray[np.float64], moves: NDArray[Any], scale: float
) -> NDArray[np.float64]:
    """Return the sums that experience gave to these moves, rounded as the search rounds them."""
    places = {int(point): place for place, point in enumerate(known[:, POINT])}
    sums = np.zeros((len(moves), 4))
    for rank, move in enumerate(moves.tolist()):
        place = places.get(move)
        if place is None:
            continue
        row = known[place]
        visits = np.floor(min(row[VISITS] * scale, ENOUGH) + 0.5)
        amaf_visits = min(row[AMAF_VISITS] * scale, AMAF_ENOUGH)
        sums[rank] = (
            visits,
            visits * row[VALUE],
            np.floor(amaf_visits * AMAF_ONE) * AMAF_UNIT,
            np.trunc(amaf_visits * row[AMAF_VALUE] * AMAF_REWARD) * AMAF_REWARD_UNIT,
        )
    return sums


@cache
def numbers_of(size: int) -> NDArray[np.int64]:
    """Return the book's number of each move of the search; a pass, which is 0, comes last."""
    numbers = np.zeros(state_length(size), np.int64)
    numbers[list(all_points(size))] = range(size * size)
    numbers[0] = size * size
    return numbers
