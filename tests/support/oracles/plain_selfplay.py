"""Self-play without a search: slow, obvious, and the same with the same seed and network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from montego.jit.state import new_scratch
from montego.train.learning.positions import PlayProgress, Positions

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition
    from montego.train.learning.positions import Judge

torch.set_num_threads(1)  # More would wait for one another where other tests run, too.

MIXED = 0.5  # How much of the policy to learn is what has won at once, if anything does.


class Clock:
    """Seconds that pass by being told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class PlainSelfPlay:
    """Plays whole games by the network's policy; each call has as many games, in so many seconds.

    Learned is that policy, mixed with the moves that win at once.
    """

    has_ownership = False
    has_score = False
    origin = "plain self-play"

    def __init__(
        self, game: GameDefinition, games: int = 4, seed: int = 0, clock: Clock | None = None
    ) -> None:
        assert game.features is not None
        self.game, self.features = game, game.features
        self.games = games
        self.clock = clock
        self.calls = 0
        self.random = torch.Generator().manual_seed(seed)
        self.scratch = new_scratch(game.longest_game, 1, game.scratch_room)

    def state(self) -> dict[str, Any]:
        return {"random": self.random.get_state(), "calls": self.calls}

    def restore(self, state: dict[str, Any]) -> None:
        self.random.set_state(state["random"])
        self.calls = state["calls"]

    def search_with(self, simulations: int) -> None:
        """Do nothing: no move is searched."""

    def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:
        self.calls += 1
        if self.clock is not None:
            self.clock.now += seconds
        rows: list[tuple[Any, Any, float, float]] = []
        lengths, wins = [], []
        for _ in range(self.games):
            played, score = self._one(judge)
            lengths.append(len(played))
            wins.append((np.sign(score) + 1) / 2)
            for planes, policy, first in played:
                mine = score if first else -score
                rows.append((planes, policy, (np.sign(mine) + 1) / 2, mine))
        count = len(rows)
        positions = Positions(
            planes=torch.stack([row[0] for row in rows]).half(),
            policy=torch.stack([row[1] for row in rows]).half(),
            value=torch.tensor([row[2] for row in rows], dtype=torch.float32),
            score=torch.tensor([row[3] for row in rows], dtype=torch.float32),
            ownership=torch.zeros((count, 0), dtype=torch.int8),
            weight=torch.ones(count),
        )
        progress = PlayProgress(
            games=self.games,
            positions=count,
            evaluations=count,
            seconds=seconds,
            length=float(np.mean(lengths)),
            first_wins=float(np.mean(wins)),
            entropy=1.0,
        )
        return positions, progress

    def _one(self, judge: Judge) -> tuple[list[tuple[Any, Any, bool]], float]:
        game, features = self.game, self.features
        state, played = game.initial_state(), []
        moves = np.zeros(game.move_count, np.int32)
        while count := int(game.legal_moves(state, game.knowledge, self.scratch, moves)):
            legal = [int(move) for move in moves[:count]]
            flat = np.zeros(features.planes * features.cells, np.float32)
            features.write(state, game.knowledge, self.scratch, flat)
            planes = torch.from_numpy(flat).view(features.planes, features.height, features.width)
            outputs = torch.tensor([int(features.outputs[move]) for move in legal])
            chances = judge(planes[None])[0][0][outputs].softmax(0)
            winning = torch.tensor([self._wins(state, move) for move in legal])
            if winning.any():
                chances = (1 - MIXED) * chances + MIXED * winning / winning.sum()
            policy = torch.zeros(features.policy)
            policy[outputs] = chances
            played.append((planes, policy, int(game.to_play(state)) == 0))
            chosen = int(torch.multinomial(chances, 1, generator=self.random))
            game.play(state, game.knowledge, self.scratch, legal[chosen])
        return played, float(game.score(state, game.knowledge, self.scratch))

    def _wins(self, state: Any, move: int) -> float:
        """Say whether a move ends the game with a win, 1 or 0."""
        game, after = self.game, state.copy()
        first = int(game.to_play(state)) == 0
        game.play(after, game.knowledge, self.scratch, move)
        moves = np.zeros(game.move_count, np.int32)
        if int(game.legal_moves(after, game.knowledge, self.scratch, moves)):
            return 0.0
        score = float(game.score(after, game.knowledge, self.scratch))
        return float((score > 0) == first and score != 0)
