"""Compare the playouts: how fast they are, and how far their results are from exact ones.

The exact ones are *uniform*: every legal move with equal chances, except into one's own eye.
For the empty board and some fixed positions, the script measures of each policy

- playouts per second of processor time,
- mean and standard deviation of the score (Black's area minus White's, no komi),
- the Kolmogorov-Smirnov distance between its scores and the exact ones: the largest difference
  between the parts of games that end at or below a score (0 alike, 1 disjoint),
- the mean over the points of the absolute difference in ownership (a point is 1 for Black and
  -1 for White in each game).

The row "uniform again" has other random numbers: what it shows is the noise of the measurement.
The thesis behind the other policies reports analyze-after to be about 11 times as fast as naive
on 19x19 (Florin Chelaru, "Artificial Intelligence in Computer Go", 2008, table 5.1).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.engine.ending.ownership import sample_ownership
from montego.engine.knowledge.definition import go_game
from montego.go.diagram import parse_diagram
from montego.go.kernels.layout import KO, PASS, PASSES, SIZE, TO_PLAY, empty_state, point_at
from montego.go.kernels.position import play
from montego.go.sampling.run import sample_playouts
from montego.go.vocabulary.color import BLACK, EMPTY, opponent
from montego.go.vocabulary.vertex import check_size, parse_vertex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import State

EXACT = "uniform"
POLICIES = ("uniform", "naive", "common-fate", "analyze-after")
BATCH = 50

# Black is to play in all of them.
DIAGRAMS = {
    "fighting": """
        . . . . . . . . .
        . . X . . O . . .
        . . X X O . O . .
        . X O X O . . . .
        . . O O X O O . .
        . . O X X X . . .
        . . . O . X . . .
        . . . . O . . . .
        . . . . . . . . .
    """,
    "two walls": """
        . . . . . X O . .
        . . . . . X O . .
        . . . X X X O . .
        . . X . X O O . .
        . . . X X O . . .
        . . X X O O . . .
        . . X O O . . O .
        . . X O . . . . .
        . . X O . . . . .
    """,
    "living groups": """
        . X . X O . . . .
        X X X X O . . O .
        O O O O O . . . .
        . . . . . . X . .
        . . X . . . . . .
        . . . . O . . . .
        . X . . X X X X X
        . . . . X O O O O
        . . . . X O . O .
    """,
    "opening 13x13": """
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . O . . O . . X . . .
        . . O . . . . . . . X . .
        . . X X . . . . X . . . .
        . . . . . . . . . . . . .
        . . X . . . X . . . O . .
        . . . . . . . . . . . . .
        . . O . . . . . . . X . .
        . . O X X . . . O . X . .
        . . . O X . . O . O O . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
    """,
}

MOVES_19 = {
    "opening 19x19": """
        Q16 D4 D16 Q4 F3 C6 R6 O3 R10 C14 F17 C10 Q3 P3 R4 Q5 R5 P4 Q6 O6 K3 D17 E17 C16 D15
        C15 D14 D18 E18 C17 C13 B13 C12 D13 E13 D12
    """,
    "fighting 19x19": """
        D4 Q16 Q4 D16 R14 O17 R17 R16 S16 Q17 S15 C6 F4 B4 C3 D10 R10 J17 F16 D14 H16 H17 G17 J16
        H15 J15 H14 J14 H13 G16 G15 F17 E16 E17 G18 D15 F18 E18 J13 K13 K12 L13 J12 F13 E15 E14
        F14 E13 G12 L12 L11 M11 K10 M12
    """,
}


class Position(NamedTuple):
    """A named start of games."""

    name: str
    state: State


def from_diagram(name: str, text: str) -> Position:
    """Return the position drawn in *text*, Black to play."""
    rows = parse_diagram(text)
    size = len(rows)
    state = empty_state(size)
    for row, line in enumerate(reversed(rows)):
        for column, color in enumerate(line):
            if color != EMPTY:
                play(state, point_at(column, row, size), color)
    state[TO_PLAY], state[KO], state[PASSES] = BLACK, PASS, 0
    return Position(name, state)


def from_moves(name: str, size: int, moves: str) -> Position:
    """Return the position after *moves*, which begin with Black and must be legal."""
    state, color = empty_state(size), BLACK
    for vertex in moves.split():
        coordinates = parse_vertex(vertex, size)
        point = 0 if coordinates is None else point_at(*coordinates, size)
        play(state, point, color)
        color = opponent(color)
    return Position(name, state)


def positions(size: int) -> list[Position]:
    """Return the starts for boards of this size: the empty board, and those written down above."""
    found = [Position("empty board", empty_state(size))]
    found += [from_diagram(name, text) for name, text in DIAGRAMS.items()]
    found += [from_moves(name, 19, moves) for name, moves in MOVES_19.items()]
    return [position for position in found if position.state[0] == size]


def ownership(base: State, policy: str, seconds: float, seed: int) -> NDArray[np.float64]:
    """Return the mean owner of each point over games of *seconds* of processor time."""
    game = go_game(int(base[SIZE]), playout=policy)
    sample_ownership(base, game, 1, seed)  # Compiles.
    means: list[tuple[float, ...]] = []
    begin = time.thread_time()
    while time.thread_time() - begin < seconds:
        means.append(sample_ownership(base, game, BATCH, seed + (len(means) << 32)).points)
    mean: NDArray[np.float64] = np.mean(means, axis=0)
    return mean


def measure(position: Position, seconds: float) -> list[dict[str, Any]]:
    """Return a row of figures for each policy, played from *position*."""
    rows: list[dict[str, Any]] = []
    exact_parts, exact_owners = np.empty(0), np.empty(0)
    for policy, seed in [*((name, 1) for name in POLICIES), (EXACT, 2)]:
        sample = sample_playouts(position.state, policy, seconds=seconds, seed=seed)
        figures = sample.summary(0.0)
        parts = np.cumsum(sample.frequency) / sample.frequency.sum()
        owners = ownership(position.state, policy, seconds, seed)
        if not rows:
            exact_parts, exact_owners = parts, owners
        rows.append(
            {
                "position": position.name,
                "policy": policy if seed == 1 else f"{policy} again",
                "playouts": figures["playouts"],
                "playouts_per_second": figures["playouts_per_second"],
                "moves_per_playout": figures["moves_per_playout"],
                "mean_score": figures["mean_score"],
                "score_deviation": figures["score_deviation"],
                "score_distance": float(np.abs(parts - exact_parts).max()),
                "ownership_distance": float(np.abs(owners - exact_owners).mean()),
            }
        )
    return rows


def speed_ratio(rows: list[dict[str, Any]]) -> float:
    """Return how many times as fast analyze-after is as naive."""
    speeds = {row["policy"]: row["playouts_per_second"] for row in rows}
    return float(speeds["analyze-after"] / speeds["naive"])


def print_table(rows: list[dict[str, Any]]) -> None:
    """Print the rows of one position."""
    print(f"\n{rows[0]['position']}")
    print("                playouts/s    moves     mean      dev  score dist.  owner dist.")
    for row in rows:
        print(
            f"  {row['policy']:<14}{row['playouts_per_second']:10,.0f}"
            f"{row['moves_per_playout']:9.1f}{row['mean_score']:+9.2f}"
            f"{row['score_deviation']:9.2f}{row['score_distance']:13.4f}"
            f"{row['ownership_distance']:13.4f}"
        )
    print(f"  analyze-after is {speed_ratio(rows):.1f} times as fast as naive")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--size", type=int, default=19, help="lines of the board (default 19)")
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="for each measurement (default 2)"
    )
    parser.add_argument("--json", action="store_true", help="a JSON object, for programs")
    options = parser.parse_args()
    if options.seconds <= 0:
        parser.error("--seconds must be above 0")
    try:
        starts = positions(check_size(options.size))
    except ValueError as error:
        parser.error(str(error))
    tables = []
    for position in starts:
        tables.append(measure(position, options.seconds))
        if not options.json:
            print_table(tables[-1])
    if options.json:
        report = {
            "size": options.size,
            "analyze_after_to_naive": {rows[0]["position"]: speed_ratio(rows) for rows in tables},
            "rows": [row for rows in tables for row in rows],
        }
        json.dump(report, sys.stdout, indent=2)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
