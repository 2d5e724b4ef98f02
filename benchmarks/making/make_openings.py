"""Write a file of balanced openings for ``montego match --openings balanced``.

Each opening is a game of Montego against itself, in which a move is drawn in proportion to the
visits of a short search. It is kept if a longer search gives Black a chance near a half at the end
of it, and if no other has the same stones, turned or mirrored. The same seed writes the same file
as long as Montego plays the same.

    python benchmarks/making/make_openings.py --size 9 \
        --output src/montego/arena/data/openings_9.txt
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.vocabulary.vertex import parse_vertex

PLIES = {9: 6, 13: 8, 19: 12}
SHORT, LONG = 200, 3000
"""Visits for drawing a move, and for judging the end."""
LEAST_SHARE = 0.05  # Of the best move's visits, or a move is not drawn.
NEAR = 0.05  # How far from a half Black's chance may be.
RULES, KOMI = "chinese", 7.5


def draw_opening(player: Player, size: int, chance: random.Random) -> tuple[str, ...]:
    """Play an opening and return its moves. The player's game is at the end of it then."""
    player.new_game()
    moves: list[str] = []
    for color in ("black", "white") * (PLIES[size] // 2):
        found = [move for move in player.analyze(color, limit=SHORT).moves if move.vertex != "pass"]
        least = LEAST_SHARE * max(move.visits for move in found)
        likely = [move for move in found if move.visits >= least]
        move = chance.choices(likely, [one.visits for one in likely])[0].vertex
        player.play(color, move)
        moves.append(move)
    return tuple(moves)


def same_stones(moves: tuple[str, ...], size: int) -> frozenset[tuple[int, int, bool]]:
    """Return the stones in the first of the eight ways to see them."""
    stones = []
    for number, vertex in enumerate(moves):
        column, row = parse_vertex(vertex, size) or (-1, -1)
        stones.append((column, row, number % 2 == 0))
    last = size - 1
    seen = []
    for turn in range(8):
        turned = []
        for column, row, is_black in stones:
            x, y = (row, column) if turn & 4 else (column, row)
            turned.append((last - x if turn & 1 else x, last - y if turn & 2 else y, is_black))
        seen.append(sorted(turned))
    return frozenset(min(seen))


def main() -> None:
    """Write the openings of one size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, choices=sorted(PLIES), required=True)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    size, chance = options.size, random.Random(f"{options.seed}/{options.size}")
    player = Player(
        Options(size=size, rules=RULES, komi=KOMI, threads=1, seed=options.seed, book=None)
    )
    kept: dict[frozenset[tuple[int, int, bool]], str] = {}
    tried = 0
    while len(kept) < options.count:
        tried += 1
        moves = draw_opening(player, size, chance)
        stones = same_stones(moves, size)
        if stones in kept:
            continue
        value = player.analyze("black", limit=LONG).value
        if abs(value - 0.5) <= NEAR:
            kept[stones] = " ".join(moves)
            print(f"{len(kept)} of {tried}: {value:.3f} {' '.join(moves)}", flush=True)
    head = (
        f"# Openings on {size}x{size} after which Montego gives Black {50 - 100 * NEAR:.0f} to "
        f"{50 + 100 * NEAR:.0f} % at komi {KOMI} by {RULES} rules,\n"
        f"# with {LONG} visits: {len(kept)} of {tried}. Black begins. Written by "
        "benchmarks/making/make_openings.py.\n"
    )
    options.output.write_text(head + "".join(f"{line}\n" for line in kept.values()))


if __name__ == "__main__":
    main()
