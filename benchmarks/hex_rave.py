"""RAVE against plain UCT on Hex at equal simulations: the claim of document 001 in another game.

Each pair of games begins with the same random stone, once with either player first; without the
swap rule. Every move is searched from scratch, with exactly the simulations given.

    python benchmarks/hex_rave.py --games 200 --simulations 1000 --selection rave-mse
"""

from __future__ import annotations

import argparse
import math
import random
import time
from typing import TYPE_CHECKING

from montego.games.hex import hex_game
from montego.mcts import Config, Search

if TYPE_CHECKING:
    from montego.mcts import GameDefinition


def main() -> None:
    """Play the match and print its score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--selection", default="rave-mse", help="what plays against ucb1")
    parser.add_argument("--bias", type=float, default=0.02, help="of rave-mse")
    parser.add_argument("--equivalence", type=float, default=1000.0, help="of rave-hand")
    parser.add_argument("--exploration", type=float, default=0.0, help="of RAVE")
    parser.add_argument("--uct-exploration", type=float, default=0.7, help="of plain UCT")
    parser.add_argument(
        "--uct-urgency", type=float, default=math.inf, help="first-play urgency of plain UCT"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    game = hex_game(options.size, swap=False)
    common = {"simulations": options.simulations, "early_stop": False, "memory": 100.0}
    players = [
        Search(
            game,
            Config(
                **common,
                selection=options.selection,
                rave_bias=options.bias,
                rave_equivalence=options.equivalence,
                exploration=options.exploration,
                seed=options.seed,
            ),
        ),
        Search(
            game,
            Config(
                **common,
                exploration=options.uct_exploration,
                first_play_urgency=options.uct_urgency,
                seed=options.seed + 1,
            ),
        ),
    ]
    chance = random.Random(options.seed)
    begin, won, opening = time.perf_counter(), 0, 0
    for number in range(options.games):
        if number % 2 == 0:
            opening = chance.randrange(options.size**2)
        won += play(game, players, opening, first=number % 2)
        if number % 20 == 19:
            print(f"{number + 1} games: {won} won", flush=True)
    low, high = wilson(won, options.games)
    print(
        f"hex {options.size}x{options.size}, {options.simulations} simulations a move: "
        f"{options.selection} (exploration {options.exploration:g}, bias {options.bias:g}, "
        f"equivalence {options.equivalence:g}) against ucb1 (exploration "
        f"{options.uct_exploration:g}, first-play urgency {options.uct_urgency:g})"
    )
    print(
        f"{won} of {options.games} games won: {100 * won / options.games:.1f}%, "
        f"95% interval {100 * low:.1f} to {100 * high:.1f}%; "
        f"{time.perf_counter() - begin:.0f} s"
    )


def play(game: GameDefinition, players: list[Search], opening: int, first: int) -> int:
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


def wilson(won: int, games: int) -> tuple[float, float]:
    """Return the 95% score interval of a probability (Wilson 1927)."""
    z, share = 1.959964, won / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return (middle - half) / scale, (middle + half) / scale


if __name__ == "__main__":
    main()
