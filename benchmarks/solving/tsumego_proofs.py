"""How many life-and-death problems the solver proves, by grade, and how many first moves are right.

The problems are those of ``benchmarks/solving/tsumego.py``, as they stand in the corner of an empty
19x19 board: no frame closes them. Where nothing is proven a search is asked, as ``montego solve``
does. With ``--output`` a run that was stopped goes on where it was.

    python benchmarks/solving/tsumego_proofs.py books.jsonl.gz --problems 60 --seconds 10
"""

from __future__ import annotations

import argparse
import json
import random
import time
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.arena.statistics import wilson_interval
from montego.engine.life_and_death import solve_or_search
from montego.go.board import Board
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex
from tsumego import GRADES, Problem, read_problems

if TYPE_CHECKING:
    from collections.abc import Iterable

SIZE = 19


def board_of(problem: Problem) -> Board:
    """Return the problem in the lower left corner of an empty board."""
    rows = [[0] * SIZE for _ in range(SIZE)]
    for color, stones in ((BLACK, problem.black), (WHITE, problem.white)):
        for row, column in stones:
            rows[SIZE - 1 - row][column] = color
    return Board.from_rows(rows)


def names(points: Iterable[tuple[int, int]]) -> set[str]:
    """Return the vertices of points of a problem on that board."""
    return {format_vertex((column, row)) for row, column in points}


def look_at(
    problem: Problem, seconds: float, nodes: int | None, *, is_cpu: bool = False
) -> dict[str, Any]:
    """Return what Montego says of a problem."""
    clock = time.process_time if is_cpu else time.monotonic
    board, right = board_of(problem), names(problem.correct)
    begin = time.process_time()
    found: dict[str, Any] = {"grade": problem.grade, "value": "too large", "proven": False}
    found["right"] = False
    try:
        answer = solve_or_search(board, problem.to_play, seconds=seconds, nodes=nodes, clock=clock)
    except GoError as error:
        found["error"] = str(error)
    else:
        found |= {
            "value": str(answer.verdict),
            "proven": answer.verdict.proven,
            "right": answer.first_move in right,
            "move": answer.first_move,
            "searched": answer.suggestion is not None,
            "outside": answer.outside,
            "nodes": answer.nodes,
            "correct": answer.correct,
            "book": sorted(right),
            "to_move": answer.to_move,
            "target": answer.target,
            "words": answer.in_words(),
        }
    found["cpu"] = time.process_time() - begin
    found["board"] = str(board)
    return found


def main() -> None:
    """Put the problems to the solver and print what came of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--problems", type=int, default=60, help="the same ones each time")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument(
        "--cpu", action="store_true", help="count processor time, on a busy machine"
    )
    parser.add_argument("--nodes", type=int, help="a limit that is the same on a busy machine")
    parser.add_argument("--output", type=Path, help="everything that was found, as JSON lines")
    options = parser.parse_args()
    there = read_problems(options.file)
    results: list[dict[str, Any]] = []
    if options.output is not None and options.output.exists():
        lines = options.output.read_text(encoding="utf-8").splitlines()
        results = [json.loads(line) for line in lines]
    samples = []
    for place, grade in enumerate(GRADES.values()):
        graded = [problem for problem in there if problem.grade == grade]
        share = options.problems // len(GRADES) + (place < options.problems % len(GRADES))
        samples.append(random.Random(1).sample(graded, share))
    # One of each grade by turns, so that a run that is stopped says something about all.
    by_turns = [problem for row in zip_longest(*samples) for problem in row if problem is not None]
    for problem in by_turns[len(results) :]:
        results.append(look_at(problem, options.seconds, options.nodes, is_cpu=options.cpu))
        if options.output is not None:
            with options.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(results[-1]) + "\n")
    for grade in [*GRADES.values(), "all"]:
        marks = [found for found in results if grade in (found["grade"], "all")]
        proven = sum(found["proven"] for found in marks)
        right = sum(found["right"] for found in marks)
        searched = sum(found.get("searched", False) for found in marks)
        low, high = wilson_interval(right, len(marks))
        print(
            f"{grade:12} {len(marks):3} problems: proven {proven}, searched {searched}, "
            f"right first moves {right} ({right / len(marks):.0%}, {low:.0%} to {high:.0%})"
        )


if __name__ == "__main__":
    main()
