"""What a book is worth: games between a player with it and the same player without.

Both search the same number of simulations; visits that come from the book count against it. The
book is only read. Printed are the score of the player with the book, and what part of the other's
processor time it spent on the first moves of its games.

    montego book learn --book book.sqlite --size 9 --simulations 1000 --variety 0 --games 1500
    python benchmarks/strength/book_gain.py book.sqlite --games 400 --simulations 1000
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

from montego.arena.statistics import wilson_interval
from montego.engine.options.options import Options
from montego.engine.player import Player

MOST_MOVES_PER_POINT = 3


class Outcome(NamedTuple):
    """A game, seen by the player with the book."""

    is_won: bool
    seconds: tuple[float, float]
    """Processor time of the first moves, with the book and without."""


def play_game(number: int, *, file: str, size: int, simulations: int, first: int) -> Outcome:
    """Play a game; the player with the book is Black in those with even numbers."""
    plain = Options(size=size, simulations=simulations, threads=1, seed=1 + 2 * number)
    with_book = plain.replace(book=file, book_learn=False, seed=2 + 2 * number)
    players = (Player(with_book), Player(plain))
    sides = players if number % 2 == 0 else players[::-1]
    spent, moves = [0.0, 0.0], [0, 0]
    winner = None
    while winner is None:
        game = players[0].game
        if game.is_over or len(game.moves) > MOST_MOVES_PER_POINT * size * size:
            score = players[1].final_score().margin
            winner = sides[0] if score > 0 else sides[1]
            break
        color = game.to_play
        mover = sides[color == "white"]
        which = players.index(mover)
        began = time.process_time()
        decision = mover.genmove(color)
        if moves[which] < first:
            spent[which] += time.process_time() - began
        moves[which] += 1
        if decision.vertex == "resign" or decision.vertex is None:
            winner = players[1 - which]
        else:
            players[1 - which].play(color, decision.vertex)
    for player in players:
        player.close()
    return Outcome(winner is players[0], (spent[0], spent[1]))


def main() -> None:
    """Play the games and print what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("book", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--first", type=int, default=10, help="moves of each that are timed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    play = partial(
        play_game,
        file=str(options.book),
        size=options.size,
        simulations=options.simulations,
        first=options.first,
    )
    played: list[Outcome] = []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for outcome in pool.imap_unordered(play, range(options.games)):
            played.append(outcome)
            if sys.stderr.isatty() or len(played) % 20 == 0:
                won = sum(one.is_won for one in played)
                print(f"{won} of {len(played)}, {_ratio(played):.3f}", file=sys.stderr, flush=True)
    won = sum(one.is_won for one in played)
    low, high = wilson_interval(won, len(played))
    print(
        f"with the book {won} of {len(played)} ({won / len(played):.1%}, {low:.1%} to {high:.1%})"
    )
    print(f"processor time of the first {options.first} moves: {_ratio(played):.3f} of the other's")
    if options.output is not None:
        document = {
            "games": len(played),
            "won": won,
            "low": round(low, 4),
            "high": round(high, 4),
            "size": options.size,
            "simulations": options.simulations,
            "first": options.first,
            "seconds_with": round(sum(one.seconds[0] for one in played), 2),
            "seconds_without": round(sum(one.seconds[1] for one in played), 2),
            "ratio": round(_ratio(played), 4),
        }
        options.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _ratio(played: list[Outcome]) -> float:
    return sum(one.seconds[0] for one in played) / sum(one.seconds[1] for one in played)


if __name__ == "__main__":
    main()
