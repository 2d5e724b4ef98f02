"""Whether the solver is ever wrong: random fights against a program that looks at everything.

    python benchmarks/solve_check.py --fights 2000 --empty 9

Each fight has two to so many empty points, and is asked about with either side to move and three
assumptions about ko threats. Fights with more than ``--positions`` positions are passed over.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from brute_force import BruteForce
from montego.solve.prover import (
    ATTACKER_HAS_THREATS,
    DEFENDER_HAS_THREATS,
    NO_THREATS,
    SIDES,
    Prover,
    Table,
)
from random_fights import random_fight


def main() -> int:
    """Compare, and print what came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fights", type=int, default=2000)
    parser.add_argument("--empty", type=int, default=9, help="empty points at most")
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random, counts = Random(options.seed), Counter[str]()
    while counts["fights"] < options.fights:
        fight = random_fight(random, random.randint(2, options.empty))
        oracle = BruteForce(fight, options.positions)
        prover = Prover(fight, "capture", Table(4.0))
        if oracle.captured(fight.attacker, (0, 0)) is None:
            counts["too large"] += 1
            continue
        counts["fights"] += 1
        for ko in (NO_THREATS, ATTACKER_HAS_THREATS, DEFENDER_HAS_THREATS):
            for side, color in zip(SIDES, (fight.attacker, fight.defender), strict=True):
                expected = oracle.captured(color, (ko.attacker, ko.defender))
                found = prover.run(prover.place(side, ko), options.nodes)
                if expected is None or found is None:
                    counts["no answer"] += 1
                elif expected == found:
                    counts["captured" if found else "not captured"] += 1
                else:
                    counts["WRONG"] += 1
                    print("wrong:", fight, side, ko, "is", expected, flush=True)
        if counts["fights"] % 25 == 0:
            print(dict(counts), flush=True)
    print(dict(counts))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
