"""How many test positions Montego answers as strong players would, by board and by suite.

The file holds one position a line with the moves that are accepted or rejected, as ``montego
regress`` reads it. Suites that ask for what a Monte-Carlo player does not care about (joseki, the
last neutral points, boards of a few points) can be left out. Where the file says which positions
GNU Go fails (``ref_engine_known_fail``), its own marks stand beside ours.

    python benchmarks/strength/positions.py positions.jsonl.gz --simulations 10000 \
        --without joseki tiny filllib endgame endgame1 break_in --output positions.json
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.arena.regression import CaseResult, parse_position, run_suites
from montego.arena.statistics import wilson_interval
from montego.arena.workers import EngineSpec

if TYPE_CHECKING:
    from montego.arena.regression import Case

ENGINE = "{python} -m montego gtp --simulations {simulations} --threads 1 --seed 1 --set resign=off"


def read_cases(options: argparse.Namespace) -> list[tuple[int, bool, Case]]:
    """Return size, whether GNU Go passes, and case of the positions that are wanted."""
    found = []
    data = options.file.read_bytes()
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    for number, line in enumerate(text.splitlines(), 1):
        fields = json.loads(line)
        case = parse_position(line, options.file.name, number)
        if fields["size"] in options.boards and case.suite not in options.without:
            found.append((fields["size"], not fields.get("ref_engine_known_fail"), case))
    if options.sample is not None:
        chosen: list[tuple[int, bool, Case]] = []
        for board in options.boards:
            there = [item for item in found if item[0] == board]
            kept = random.Random(1).sample(range(len(there)), min(options.sample, len(there)))
            chosen += [there[place] for place in sorted(kept)]
        found = chosen
    return found


def report(cases: list[tuple[int, bool, Case]], results: list[CaseResult]) -> dict[str, Any]:
    """Return positions and passes of both programs by board, and within a board by suite."""
    boards: dict[str, Any] = {}
    for board in sorted({size for size, _, _ in cases}):
        suites: dict[str, dict[str, int]] = defaultdict(
            lambda: {"positions": 0, "montego": 0, "gnugo": 0}
        )
        for (size, known, case), result in zip(cases, results, strict=True):
            if size == board:
                suites[case.suite]["positions"] += 1
                suites[case.suite]["montego"] += result.passed
                suites[case.suite]["gnugo"] += known
        total = {
            key: sum(suite[key] for suite in suites.values())
            for key in ("positions", "montego", "gnugo")
        }
        low, high = wilson_interval(total["montego"], total["positions"])
        boards[f"{board}x{board}"] = {
            **total,
            "share": round(total["montego"] / total["positions"], 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "suites": dict(suites),
        }
    return boards


def main() -> None:
    """Put the positions to Montego and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--simulations", type=int, default=10000)
    parser.add_argument("--boards", type=int, nargs="+", default=[9, 13, 19])
    parser.add_argument("--without", nargs="+", default=[], metavar="SUITE")
    parser.add_argument("--sample", type=int, help="so many of each board, the same each time")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    cases = read_cases(options)
    command = ENGINE.format(python=sys.executable, simulations=options.simulations)
    command += "".join(f" --set {setting}" for setting in options.set)
    done = 0

    def progress(_result: CaseResult) -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():
            print(f"\r{done} of {len(cases)}", end="", file=sys.stderr)

    results = run_suites(
        {"all": [case for _, _, case in cases]},
        EngineSpec("Montego", command),
        concurrency=options.concurrency,
        is_independent=True,
        report=progress,
    )
    boards = report(cases, results)
    for name, board in boards.items():
        print(
            f"{name}: {board['montego']} of {board['positions']} ({board['share']:.1%}), "
            f"GNU Go {board['gnugo']}"
        )
        for suite, counts in board["suites"].items():
            print(
                f"    {suite:14} {counts['montego']:4} of {counts['positions']:4}, "
                f"GNU Go {counts['gnugo']:4}"
            )
    if options.output is not None:
        document = {"simulations": options.simulations, "set": options.set, "boards": boards}
        options.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
