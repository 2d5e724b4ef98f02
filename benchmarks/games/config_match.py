"""One configuration of the search against another at equal simulations, in any of the games here.

``python benchmarks/games/config_match.py connect-four --against selection=ucb1`` plays the defaults
against plain UCT. Each pair of games begins with the same random move, once with either side first,
and every game has seeds of its own. Both sides keep what they found about the moves that were
played. What is told is the first side's points, and Wilson's interval for them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from typing import TYPE_CHECKING, Any

import breakthrough
import gomoku
import othello
from montego.arena.statistics import wilson_interval
from montego.games import GAMES as SHIPPED
from montego.games import make_game
from montego.jit.state import new_scratch
from montego.mcts import Config, Search

if TYPE_CHECKING:
    from montego.mcts import GameDefinition

GAMES = {"gomoku": gomoku.game, "othello": othello.game, "breakthrough": breakthrough.game}
"""The games that are benchmarks only."""

OTHER_SEEDS = 100_000  # The other side's begin there.


def setting(text: str) -> tuple[str, Any]:
    """Return the name and the value that a text such as ``solver=true`` sets."""
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value  # A word.


def play_game(game: GameDefinition, sides: tuple[Config, Config], opening: int) -> float:
    """Return the first player's score, 1, ½ or 0, who is ``sides[0]``.

    The first move of all is drawn, with *opening* as the seed.
    """
    searches = [Search(game, config) for config in sides]
    position = searches[0]
    move: int | None = random.Random(opening).choice(sorted(position.legal_moves()))
    while move is not None:
        for search in searches:
            search.play(move)
        move = None
        if position.legal_moves():
            move = searches[game.to_play(position.state)].run().move
    scratch = new_scratch(game.longest_game, 0, game.scratch_room)
    score = game.score(position.state.copy(), game.knowledge, scratch)
    return 0.5 if score == 0 else float(score > 0)


def main() -> None:
    """Play a match and print its result."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", choices=[*SHIPPED, *GAMES])
    parser.add_argument("--size", type=int, help="of the board of Hex")
    parser.add_argument("--games", type=int, default=100, help="default 100")
    parser.add_argument("--simulations", type=int, default=1000, help="a move (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default 1)")
    for name, whose in (("--set", "the first side's"), ("--against", "the other side's")):
        parser.add_argument(
            name, action="append", default=[], metavar="NAME=VALUE", help=f"of {whose} settings"
        )
    options = parser.parse_args()

    game = GAMES.get(options.game) or make_game(options.game, size=options.size)
    points = 0.0
    for number in range(options.games):
        common = {"simulations": options.simulations, "memory": 100.0}
        seed = options.seed + number
        one = Config(**{**common, "seed": seed, **dict(map(setting, options.set))})
        other = Config(
            **{**common, "seed": seed + OTHER_SEEDS, **dict(map(setting, options.against))}
        )
        opening = options.seed + number // 2
        if number % 2 == 0:
            points += play_game(game, (one, other), opening)
        else:
            points += 1.0 - play_game(game, (other, one), opening)
        sys.stderr.write(f"\r{number + 1} games, {points:g} points ")
    sys.stderr.write("\n")
    low, high = wilson_interval(points, options.games)
    print(
        f"{options.game}, {options.simulations} simulations a move: {points:g} points of "
        f"{options.games} games; {points / options.games:.1%} ({low:.1%} to {high:.1%})"
    )


if __name__ == "__main__":
    main()
