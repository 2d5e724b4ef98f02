"""What the styles do: how often they touch the opponent, how high they play, what that costs.

    python benchmarks/strength/styles.py --level 5k --games 40

Each style plays against the same level without one, as Black in half of the games, on 9x9
(``--size``). Told of both are the share of moves that touch the opponent's stones and of those that
have none within two steps, and the mean height, from -1 (the first two lines) to 1 (the fifth and
above), of the moves up to number ``--moves``; and the games that the style won.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass, field

from montego.arena.statistics import wilson_interval
from montego.engine.options.options import Options
from montego.engine.options.styles import STYLES, Looks, looks_of
from montego.engine.player import Player
from montego.go import Game
from montego.go.vocabulary.color import parse_color

KOMI = 7.5


@dataclass
class Tendency:
    """The looks of somebody's moves."""

    looks: list[Looks] = field(default_factory=list)

    def in_words(self) -> str:
        """Return the shares and the mean."""
        touching = sum(one.contact == 1.0 for one in self.looks) / len(self.looks)
        apart = sum(one.contact == -1.0 for one in self.looks) / len(self.looks)
        height = statistics.mean(one.height for one in self.looks)
        return f"touches {touching:.1%}, keeps away {apart:.1%}, height {height:+.2f}"


def play(players: list[Player], size: int, moves: int, tendencies: list[Tendency]) -> float:
    """Play a game, the first player with Black; return what the first got of it."""
    game = Game(size, rules="chinese-kgs", komi=KOMI)
    colors = ("black", "white")
    while not game.is_over and len(game.moves) < 3 * size * size:
        turn = len(game.moves) % 2
        vertex = players[turn].genmove(colors[turn]).vertex
        if vertex in (None, "resign"):
            return float(turn == 1)
        if vertex != "pass" and 0 < len(game.moves) < moves:
            rows = game.board.rows()
            tendencies[turn].looks.append(looks_of(rows, parse_color(colors[turn]), str(vertex)))
        players[1 - turn].play(colors[turn], str(vertex))
        game.play(colors[turn], str(vertex))
    return float(players[0].final_score().margin > 0)


def main() -> None:
    """Play, and print a line for each style."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--level", default="5k")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=40, help="for each style")
    parser.add_argument("--moves", type=int, default=40, help="of a game that are looked at")
    parser.add_argument("--simulations", type=int, help="instead of a level")
    options = parser.parse_args()
    level = None if options.simulations else options.level
    for style in STYLES:
        styled, plain = Tendency(), Tendency()
        won = 0.0
        for number in range(options.games):
            made = [
                Player(
                    Options(
                        size=options.size, rules="chinese-kgs", komi=KOMI, level=level,
                        style=wanted, simulations=options.simulations, threads=1,
                        seed=1_000 * number + place,
                    )
                )
                for place, wanted in enumerate((style, None))
            ]  # fmt: skip
            first = number % 2 == 0
            order = made if first else made[::-1]
            seen = [styled, plain] if first else [plain, styled]
            result = play(order, options.size, options.moves, seen)
            won += result if first else 1.0 - result
            for player in made:
                player.close()
        low, high = wilson_interval(won, options.games)
        print(
            f"{style}: {styled.in_words()}; without a style: {plain.in_words()}; "
            f"won {won:g} of {options.games} ({low:.1%} to {high:.1%})",
            flush=True,
        )


if __name__ == "__main__":
    main()
