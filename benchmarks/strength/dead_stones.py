"""How well dead stones are judged: finished games against the results their players agreed on.

    python benchmarks/strength/dead_stones.py FILE
    python benchmarks/strength/dead_stones.py FILE --network default

With a network, chains are dead whose points it gives to the opponent, in the mean over four
symmetries of the board and both players to move; nothing is played out or read.

FILE holds one game a line, JSON, may be compressed by gzip, and is not part of the repository:
``board`` (rows from the top, X is Black), ``komi``, ``black_minus_white_incl_komi``, which is what
the players agreed on, and ``needs_dead_stone_removal``. Area counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.engine.ending.judgement import PLAYOUTS, judge_position
from montego.engine.knowledge.definition import go_game, position_of
from montego.engine.knowledge.features import within_komi
from montego.engine.knowledge.judged import open_network
from montego.engine.options.options import Options
from montego.go import Game
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.vertex import format_vertex
from montego.gtp.analyze.lines import reading_order
from montego.network.opinion import opinion_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SYMMETRIES = (0, 3, 5, 6)  # Half of them.
COLORS = {".": EMPTY, "X": BLACK, "O": WHITE}


@dataclass
class Tally:
    """Games counted, and how many were judged as agreed."""

    games: int = 0
    exact: int = 0
    winner: int = 0
    removal: int = 0
    removal_exact: int = 0

    def add(self, margin: float, agreed: float, *, removal: bool) -> bool:
        """Count a game; say whether the margin is the agreed one."""
        exact = abs(margin - agreed) < 1e-6
        self.games += 1
        self.exact += exact
        self.winner += (margin > 0, margin < 0) == (agreed > 0, agreed < 0)
        self.removal += removal
        self.removal_exact += removal and exact
        return exact

    def shares(self) -> dict[str, float]:
        """Return the percentages."""
        return {
            "games": self.games,
            "exact": 100 * self.exact / max(self.games, 1),
            "winner": 100 * self.winner / max(self.games, 1),
            "exact_with_removal": 100 * self.removal_exact / max(self.removal, 1),
        }


def read_games(path: str) -> Iterator[dict[str, Any]]:
    """Yield the games of a file."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def to_game(record: dict[str, Any]) -> Game:
    """Return the final position as a game."""
    rows = [[COLORS[cell] for cell in row] for row in record["board"]]
    size = len(rows)
    game = Game(size, rules="chinese", komi=record["komi"])
    stones: dict[int, list[str]] = {BLACK: [], WHITE: []}
    for line, row in enumerate(rows):
        for column, color in enumerate(row):
            if color != EMPTY:
                stones[color].append(format_vertex((column, size - 1 - line)))
    game.setup(black=stones[BLACK], white=stones[WHITE])
    return game


def dead_by_network(game: Game, name: str) -> frozenset[str]:
    """Return the stones that a network gives to the opponent, whole chains."""
    path = Options(network=name).network_path(game.size)
    if path is None:
        raise SystemExit(f"there is no network for {game.size}x{game.size}")
    network = open_network(path)
    plain = go_game(game.size, rules=game.rules, komi=game.komi)
    definition = within_komi(plain, network.description.komi)
    owners = np.zeros(game.size**2)
    for color, sign in (("black", 1.0), ("white", -1.0)):
        state = position_of(game, color)
        for symmetry in SYMMETRIES:
            said = opinion_of(network, definition, state, symmetry).ownership
            if said is None:
                raise SystemExit("this network does not say who owns the points")
            owners += sign * said
    vertices, board = reading_order(game.size), game.board
    owner_of = dict(zip(vertices, owners.tolist(), strict=True))
    dead: set[str] = set()
    for stone in vertices:
        if board.color_at(stone) is not None:
            owner = sum(owner_of[other] for other in board.chain(stone))
            if (owner if board.color_at(stone) == "black" else -owner) < 0.0:
                dead.add(stone)
    return frozenset(dead)


def main() -> int:
    """Judge every game and print the shares, also of each half of the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("file", help="games, one JSON object a line")
    parser.add_argument("--playouts", type=int, default=PLAYOUTS, help="for each position")
    parser.add_argument("--simulations", type=int, help="for reading each chain in doubt")
    parser.add_argument(
        "--nodes", type=int, default=0, help="for proving it, before that; 0 for none"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--network", help="judge by its owners alone: default, or an ONNX file")
    parser.add_argument("--half", choices=("even", "odd"), help="only every other game")
    parser.add_argument("--json", action="store_true", help="a JSON object, for programs")
    parser.add_argument("--failures", action="store_true", help="print what was judged otherwise")
    options = parser.parse_args()
    tallies = {"all": Tally(), "even": Tally(), "odd": Tally()}
    settled = 0
    begin = time.perf_counter()
    for number, record in enumerate(read_games(options.file)):
        half = "odd" if number % 2 else "even"
        if options.half not in (None, half):
            continue
        game = to_game(record)
        if options.network is None:
            found = judge_position(
                game,
                playouts=options.playouts,
                seed=options.seed,
                simulations=options.simulations,
                nodes=options.nodes,
            )
            settled += found.settled
            dead, margin = found.dead, found.score.margin
        else:
            dead = dead_by_network(game, options.network)
            margin = game.score(dead=dead).margin
        agreed = record["black_minus_white_incl_komi"]
        for name in ("all", half):
            exact = tallies[name].add(margin, agreed, removal=record["needs_dead_stone_removal"])
        if options.failures and not exact:
            print(f"{number} agreed {agreed:+} judged {margin:+} dead {sorted(dead)}")
            print(game.board)
    seconds = time.perf_counter() - begin
    report = {name: tally.shares() for name, tally in tallies.items() if tally.games}
    if options.json:
        json.dump({**report, "settled": settled, "seconds": seconds}, sys.stdout, indent=2)
        print()
        return 0
    for name, shares in report.items():
        print(
            f"{name:<5}{shares['games']:6.0f} games: margin exact {shares['exact']:.2f}%, "
            f"winner {shares['winner']:.2f}%, "
            f"exact where stones are removed {shares['exact_with_removal']:.2f}%"
        )
    print(f"{settled} settled, {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
