"""Whether the solver is ever wrong: random fights against a program that looks at everything.

    python benchmarks/solving/solve_check.py --fights 2000 --empty 9 --output fights.jsonl

Each fight has two to so many empty points, and is asked about with either side to move and three
assumptions about ko threats. Fights with more than ``--positions`` positions are passed over. Of
the smallest a second such program, that of the tests, must say the same as the first.
With ``--output`` a line of JSON is kept of each, and a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support" / "oracles"))

from brute_force import BruteForce
from every_position import EveryPosition
from montego.solve.prover import (
    ATTACKER_HAS_THREATS,
    DEFENDER_HAS_THREATS,
    NO_THREATS,
    SIDES,
    ProofTable,
    Prover,
)
from random_fights import random_fight

KOS = (NO_THREATS, ATTACKER_HAS_THREATS, DEFENDER_HAS_THREATS)

SMALL = 200
"""Positions of a fight that the program of the tests looks at, too."""


def compare(number: int, options: argparse.Namespace) -> dict[str, Any]:
    """Return what came of the fight of that number; it is the same whenever it is asked."""
    random = Random(f"{options.seed} {number}")
    fight = random_fight(random, random.randint(2, options.empty))
    oracle, second = EveryPosition(fight, options.positions), BruteForce(fight, SMALL)
    prover = Prover(fight, "capture", ProofTable(4.0))
    found: dict[str, Any] = {"number": number, "empty": len(fight.empty), "answers": Counter()}
    for ko in KOS:
        falls = oracle.captured((ko.attacker > 0, ko.defender > 0))
        if falls is None:
            return {**found, "answers": {"too large": 1}}
        colors = fight.attacker, fight.defender
        for side, color, expected in zip(SIDES, colors, falls, strict=True):
            again = second.captured(color, (ko.attacker, ko.defender))
            if again is not None and again != expected:
                raise AssertionError(f"the two programs that look at everything differ: {fight}")
            found["answers"]["looked at twice"] += again is not None
            said = prover.run(prover.place(side, ko), options.nodes)
            if said is None:
                found["answers"]["no answer"] += 1
            elif said == expected:
                found["answers"]["captured" if said else "not captured"] += 1
            else:
                found["answers"]["WRONG"] += 1
                print("wrong:", fight, side, ko, "is", expected, flush=True)
    return found


def main() -> int:
    """Compare, and print what came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fights", type=int, default=2000)
    parser.add_argument("--empty", type=int, default=9, help="empty points at most")
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, help="a line of JSON for each fight")
    options = parser.parse_args()
    results: list[dict[str, Any]] = []
    if options.output is not None and options.output.exists():
        lines = options.output.read_text(encoding="utf-8").splitlines()
        results = [json.loads(line) for line in lines]
    number = len(results)
    compared = sum("too large" not in found["answers"] for found in results)
    while compared < options.fights:
        found = compare(number, options)
        number += 1
        results.append(found)
        compared += "too large" not in found["answers"]
        if options.output is not None:
            with options.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
    counts, sizes = Counter[str](), Counter[int]()
    for found in results:
        counts.update(found["answers"])
        if "too large" not in found["answers"]:
            sizes[found["empty"]] += 1
    print(
        f"{compared} fights compared, by empty points {dict(sorted(sizes.items()))}: {dict(counts)}"
    )
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
