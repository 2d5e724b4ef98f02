"""Matches between two searches on Hex, for the benchmarks here that compare strength."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from montego.mcts import Config, GameDefinition, Search

if TYPE_CHECKING:
    from collections.abc import Callable


def play_match(
    game: GameDefinition,
    players: list[Search],
    openings: int,
    games: int,
    seed: int,
    progress: Callable[[int, int], None] = lambda _played, _won: None,
) -> int:
    """Return how many of *games* player 0 won.

    Each pair of games begins with the same random one of the first *openings* moves, once with
    either player first. *progress* is told the games played and won.
    """
    chance = random.Random(seed)
    won, opening = 0, 0
    for number in range(games):
        if number % 2 == 0:
            opening = chance.randrange(openings)
        won += _play(game, players, opening, first=number % 2)
        progress(number + 1, won)
    return won


def _play(game: GameDefinition, players: list[Search], opening: int, first: int) -> int:
    """Play a game in which player *first* has placed the first stone; return 1 if player 0 won."""
    position = Search(game, Config(memory=1.0, simulations=1))
    position.play(opening)
    turn = 1 - first
    while position.legal_moves():
        player = players[turn]
        player.set_state(position.state)
        move = player.run().move
        assert move is not None  # noqa: S101  # The game goes on.
        position.play(move)
        turn = 1 - turn
    return turn  # Who moved last has connected: player 0, if it is now player 1's turn.
