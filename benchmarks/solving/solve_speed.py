"""How many nodes a second the solver visits in closed corners, by processor time.

python benchmarks/solving/solve_speed.py
"""

from __future__ import annotations

import time

from montego.go.board import Board
from montego.solve.fight import Surroundings, find_target
from montego.solve.prover import ATTACKER_HAS_THREATS, DEFENDER_HAS_THREATS, ProofTable, Prover
from montego.solve.solver import prepare

SIZE, MOST = 9, 1_000_000

CORNERS = {
    "10 points in two rows": (". . . . . O X", ". . . . . O X", "O O O O O O X", "X X X X X X X"),
    "12 points": (". . . . O X", ". . . . O X", ". . . . O X", "O O O O O X", "X X X X X X"),
    "12 points with a gap": (
        ". . . . O X",
        ". . . . O X",
        ". . O . . X",
        "O O O O O X",
        "X X X X X X",
    ),
    "15 points with gaps": (
        ". . . . O X",
        ". O . . . X",
        ". . . . O X",
        ". O O O . X",
        "X X X X X X",
    ),
}


def main() -> None:
    """Solve each corner with the attacker to move, twice, and print the rates."""
    prepare()
    nodes, seconds = 0, 0.0
    for name, lines in CORNERS.items():
        rows = [line.split() for line in lines]
        picture = [row + ["."] * (SIZE - len(row)) for row in rows]
        picture += [["."] * SIZE] * (SIZE - len(rows))
        board = Board.from_diagram("\n".join(" ".join(row) for row in picture))
        (framing,) = Surroundings(board.rows(), find_target(board.rows())).framings()
        for ko in (ATTACKER_HAS_THREATS, DEFENDER_HAS_THREATS):
            prover = Prover(framing.for_attacker, "capture", ProofTable())
            begin = time.process_time()
            found = prover.run(prover.place("attacker", ko), MOST)
            took = time.process_time() - begin
            nodes, seconds = nodes + prover.nodes, seconds + took
            said = {True: "captured", False: "not captured", None: "not known"}[found]
            print(f"{name}, {ko}: {said}, {prover.nodes} nodes, {prover.nodes / took:.0f} a second")
    print(f"all: {nodes / seconds:.0f} nodes a second of processor time")


if __name__ == "__main__":
    main()
