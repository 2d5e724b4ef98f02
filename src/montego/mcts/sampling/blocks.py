"""Searches that play out in blocks: many playouts of one position where a search makes one.

They suit a machine that plays very many games at once and few one after the other, a GPU. Python
drives them, on a CPU, and :class:`~montego.mcts.sampling.playouts.Playouts` plays the games. For
a CPU alone :class:`~montego.mcts.search.Search` is the better one.

Neither knows about priors, evaluations, all moves as first or repetition.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.jit.interrupt import stopped_by_ctrl_c
from montego.jit.state import new_scratch
from montego.mcts.errors import InvalidConfig
from montego.mcts.report import Candidate, SearchResult
from montego.mcts.sampling.playouts import Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import State
    from montego.mcts.sampling.playouts import Playouts

BLOCK = 512
"""The usual number of playouts of a leaf."""
LEAVES = 32
"""The usual number of leaves that are played out at once."""
EXPLORATION = 0.3
"""The usual weight of UCB1's second term; small, because a block's mean says much."""


def flat_search(
    playouts: Playouts,
    state: State | None = None,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    block: int = BLOCK,
) -> SearchResult:
    """Play out every move equally often, *block* times a round, and return what came of each.

    From *state*, or the game's beginning, until so many playouts are made or the time is over; at
    least one round. Ctrl-C ends the search. What has to be compiled is compiled in that time.

    Raises:
        InvalidConfig: If neither *simulations* nor *seconds* says when to end.
        MctsError: If *state* is no position of the game.
        DeviceError: If the GPU fails.
    """
    budget, rules = _Budget(simulations, seconds), _Rules(playouts)
    root = _Node(rules, playouts.game.initial_state() if state is None else state)
    after = [rules.after(root.state, int(move)) for move in root.moves]
    with stopped_by_ctrl_c(lambda: None) as interrupted:
        while after and not budget.is_spent() and not interrupted.is_set():
            for number, outcome in enumerate(playouts.play(after, block)):
                root.visits[number] += 1
                budget.add(_Path([(root, number)], root), outcome)
    return budget.result(root)


def leaf_search(
    playouts: Playouts,
    state: State | None = None,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    block: int = BLOCK,
    leaves: int = LEAVES,
    exploration: float = EXPLORATION,
) -> SearchResult:
    """Grow a tree by UCB1 whose leaves are played out *block* times each, *leaves* at once.

    Leaf parallel search (Cazenave and Jouandeau 2007): a block counts as one visit with its mean
    for a value. Visits of the same round count as lost until their values are known, so that its
    leaves differ. All else is as in :func:`flat_search`.

    Raises:
        InvalidConfig: If neither *simulations* nor *seconds* says when to end.
        MctsError: If *state* is no position of the game.
        DeviceError: If the GPU fails.
    """
    budget, rules = _Budget(simulations, seconds), _Rules(playouts)
    root = _Node(rules, playouts.game.initial_state() if state is None else state)
    with stopped_by_ctrl_c(lambda: None) as interrupted:
        while len(root.moves) and not budget.is_spent() and not interrupted.is_set():
            paths = [_descend(root, rules, exploration) for _ in range(leaves)]
            unknown = [path.leaf.state for path in paths if path.leaf.end is None]
            outcomes = iter(playouts.play(unknown, block))
            for path in paths:
                budget.add(path, path.leaf.end or next(outcomes))
    return budget.result(root)


class _Rules:
    """The rules of a game, called from Python."""

    def __init__(self, playouts: Playouts) -> None:
        self._game, self._functions = playouts.game, playouts.functions
        self._scratch = new_scratch(self._game.longest_game, 0, self._game.scratch_room)
        self._moves = np.zeros(self._game.move_count, np.int32)

    def mover(self, state: State) -> int:
        return self._game.to_play(state)

    def legal_moves(self, state: State) -> NDArray[np.int32]:
        given = state, self._game.knowledge, self._scratch, self._moves
        return self._moves[: int(self._functions["legal_moves"](*given))].copy()

    def after(self, state: State, move: int) -> State:
        after = state.copy()
        self._functions["play"](after, self._game.knowledge, self._scratch, move)
        return after

    def end(self, state: State) -> Outcome:
        score = float(self._functions["score"](state, self._game.knowledge, self._scratch))
        return Outcome(1, (score > 0) + 0.5 * (score == 0), score, 0)


class _Node:
    """A position of the tree, with what is known of its moves."""

    def __init__(self, rules: _Rules, state: State) -> None:
        self.state = np.array(state, np.int32)
        self.mover = rules.mover(self.state)
        self.moves = rules.legal_moves(self.state)
        self.end = None if len(self.moves) else rules.end(self.state)
        """The result if the game is over here."""
        self.visits = np.zeros(len(self.moves))  # in blocks
        self.wins = np.zeros(len(self.moves))  # in blocks, the mover's
        self.playouts = np.zeros(len(self.moves), np.int64)
        self.children: list[_Node | None] = [None] * len(self.moves)

    def choice(self, exploration: float) -> int:
        """Return the number of the move that UCB1 follows: those not tried come first."""
        tried = np.maximum(self.visits, 1)
        bonus = np.sqrt(math.log(self.visits.sum() + 1) / tried)
        urgency = self.wins / tried + exploration * bonus
        return int(np.argmax(np.where(self.visits > 0, urgency, np.inf)))

    def best(self) -> int:
        """Return the number of the move that was visited most, the better one of equals."""
        return int(np.lexsort((self.wins, self.visits))[-1])


class _Path(NamedTuple):
    """From the root to a leaf: nodes, with the numbers of the moves made there."""

    steps: list[tuple[_Node, int]]
    leaf: _Node


def _descend(root: _Node, rules: _Rules, exploration: float) -> _Path:
    """Return the way to a new leaf, or to the end of a game, and count the visits."""
    steps, node = [], root
    while node.end is None:
        number = node.choice(exploration)
        node.visits[number] += 1
        steps.append((node, number))
        child = node.children[number]
        if child is None:
            leaf = _Node(rules, rules.after(node.state, int(node.moves[number])))
            node.children[number] = leaf
            return _Path(steps, leaf)
        node = child
    return _Path(steps, node)


class _Budget:
    """What a search may spend, and what it has found with it."""

    def __init__(self, simulations: int | None, seconds: float | None) -> None:
        if simulations is None and seconds is None:
            raise InvalidConfig("say when to end: give simulations or seconds")
        self._begin = time.perf_counter()
        self._simulations, self._seconds = simulations, seconds
        self._done, self._scores = 0, 0.0

    def is_spent(self) -> bool:
        if self._done == 0:
            return False
        if self._simulations is not None and self._done >= self._simulations:
            return True
        return self._seconds is not None and self._elapsed() >= self._seconds

    def add(self, path: _Path, outcome: Outcome) -> None:
        """Tell all nodes of a path what came of its leaf."""
        self._done += outcome.playouts
        self._scores += outcome.scores
        for node, number in path.steps:
            node.wins[number] += outcome.value if node.mover == 0 else 1.0 - outcome.value
            node.playouts[number] += outcome.playouts

    def result(self, root: _Node) -> SearchResult:
        order = np.lexsort((-root.wins, -root.visits))
        candidates = tuple(_candidate(root, int(number)) for number in order)
        return SearchResult(
            move=candidates[0].move if self._done else None,
            value=candidates[0].value if self._done else 0.0,
            simulations=self._done,
            seconds=self._elapsed(),
            mean_score=self._scores / max(self._done, 1),
            candidates=candidates,
            proof=None,
        )

    def _elapsed(self) -> float:
        return time.perf_counter() - self._begin


def _candidate(root: _Node, number: int) -> Candidate:
    variation = [int(root.moves[number])]
    node = root.children[number]
    while node is not None and node.visits.any():
        following = node.best()
        variation.append(int(node.moves[following]))
        node = node.children[following]
    visits = root.visits[number]
    return Candidate(
        move=int(root.moves[number]),
        visits=int(root.playouts[number]),
        value=float(root.wins[number] / visits) if visits else 0.0,
        amaf_visits=0.0,
        amaf_value=0.0,
        prior_visits=0.0,
        prior_value=0.0,
        proof=None,
        variation=tuple(variation),
    )
