"""Games against OpenSpiel's search in C++ at equal simulations, each side with its defaults.

``pip install open_spiel``, then ``python benchmarks/games/openspiel_match.py othello``. Players
take turns to begin, and every game has seeds of its own. What is told is Montego's wins, losses and
draws, and Wilson's interval for its score.

Montego's side is ``Config()`` but for the number of simulations; what ``--set`` names is otherwise.
OpenSpiel's is the bot of its own ``mcts_example``: UCT with constant 2, one random playout a leaf,
the solver. It builds its tree anew for every move and uses all of its simulations; Montego keeps
what it found about the moves that were played, and stops where the rest could not change the move.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import pyspiel

import gomoku
from config_match import GAMES, setting
from montego.arena.statistics import Tally, wilson_interval
from montego.mcts import Config, Search

if TYPE_CHECKING:
    from montego.mcts import GameDefinition

UCT_CONSTANT = 2.0
PLAYOUTS = 1
MEGABYTES = 1000


def openspiel_action(state: Any, text: str) -> int:
    """Return OpenSpiel's number of the move that has that text in the games here."""
    for action in state.legal_actions():
        if move_text(state, action) == text:
            return int(action)
    raise ValueError(f"OpenSpiel does not have the move {text} here:\n{state}")


def move_text(state: Any, action: int) -> str:
    """Return the text that a move of OpenSpiel's has in the games here."""
    text = str(state.action_to_string(action))
    if "," in text:  # A row and a column, both from 0.
        row, column = map(int, text.split(","))
        return f"{gomoku.LETTERS[column]}{row + 1}"
    return text.removesuffix("*")  # A capture.


def play_numbered(options: argparse.Namespace, number: int) -> float:
    """Return Montego's score of the game of that number; it begins in those with even ones."""
    seed = options.seed + number
    changes = dict(setting(text) for text in options.set)
    config = Config(**{"simulations": options.simulations, "seed": seed, **changes})
    return play_game(GAMES[options.game], config, number % 2, seed)


def play_game(game: GameDefinition, config: Config, montego: int, seed: int) -> float:
    """Return Montego's score, 1, ½ or 0, of a game in which it is player *montego*, 0 or 1."""
    position = pyspiel.load_game(game.name).new_initial_state()
    search = Search(game, config)
    evaluator = pyspiel.RandomRolloutEvaluator(PLAYOUTS, seed)
    solve, verbose = True, False
    bot = pyspiel.MCTSBot(
        position.get_game(), evaluator, UCT_CONSTANT, config.simulations, MEGABYTES, solve, seed,
        verbose,
    )  # fmt: skip
    while not position.is_terminal():
        if position.current_player() == montego:
            move = search.run().move
            assert move is not None  # noqa: S101  # The game goes on.
            action = openspiel_action(position, game.format_move(search.state, move))
        else:
            action = bot.step(position)
            move = game.parse_move(search.state, move_text(position, action))
        search.play(move)
        position.apply_action(action)
    return float((1.0 + position.returns()[montego]) / 2.0)


def main() -> None:
    """Play a match and print its result."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=100, help="default 100")
    parser.add_argument("--simulations", type=int, default=1000, help="a move (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default 1)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="of Montego's settings"
    )
    parser.add_argument("--processes", type=int, default=1, help="at a time (default 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    options = parser.parse_args()

    scores: list[float] = []
    # Processes that share nothing: what a game is does not depend on how many there are.
    with get_context("spawn").Pool(options.processes) as pool:
        for score in pool.imap(partial(play_numbered, options), range(options.games)):
            scores.append(score)
            sys.stderr.write(f"\r{len(scores)} games, {sum(scores):g} points ")
    sys.stderr.write("\n")

    tally = Tally(scores.count(1.0), scores.count(0.0), scores.count(0.5))
    low, high = wilson_interval(sum(scores), tally.games)
    if options.json:
        print(json.dumps({"settings": vars(options), "scores": scores, "interval": [low, high]}))
        return
    print(
        f"{options.game}, {options.simulations} simulations a move: {tally.wins} won, "
        f"{tally.losses} lost, {tally.draws} drawn; {tally.score:.1%} ({low:.1%} to {high:.1%})"
    )


if __name__ == "__main__":
    main()
