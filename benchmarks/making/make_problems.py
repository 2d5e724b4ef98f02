"""Draw positions at random until enough of them are good problems of life and death.

Corners that one color closes off and the other walls in, with stones strewn inside. Good is one
where the side to move reaches something that it would not reach by waiting, by exactly one first
move, all of it proven. The same seed draws the same problems.

    python benchmarks/making/make_problems.py --seed 1 --output part1.jsonl
    python benchmarks/making/make_problems.py --join part*.jsonl --output problems.jsonl
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from montego.go.board import Board
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, opponent
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex
from montego.solve import solve
from montego.solve.problems import GRADES, Problem, grade_of, read_problems

SIZE = 13
Point = tuple[int, int]


def draw(random: Random, defender: int) -> tuple[list[list[int]], Point] | None:
    """Return the rows of a position and a stone of the defender's; None if none came about."""
    width, height = random.randint(3, 6), random.randint(2, 4)
    steps = sorted((random.randint(2, height) for _ in range(width)), reverse=True)
    inside = {(column, row) for column, top in enumerate(steps) for row in range(top)}
    stones: dict[Point, int] = {}
    attacker = opponent(defender)
    holes = random.choice((0, 0, 0, 1, 1, 2))
    around = [point for point in spread(inside, diagonal=False) if point not in inside]
    outside = set(random.sample(around, min(holes, len(around))))
    inside |= outside
    for point in inside - outside:
        on_edge = any(near not in inside or near in outside for near in beside(point))
        chance = random.random()
        if chance < (0.85 if on_edge else 0.12):
            stones[point] = defender
        elif chance > 0.86:
            stones[point] = attacker
    for point in spread(inside, diagonal=True):
        if point not in inside:
            stones[point] = attacker
    own = sorted(point for point, color in stones.items() if color == defender)
    if not own:
        return None
    rows = [[EMPTY] * SIZE for _ in range(SIZE)]
    for (column, row), color in stones.items():
        rows[SIZE - 1 - row][column] = color
    return rows, own[0]


def beside(point: Point) -> list[Point]:
    """Return the neighbors of a point on the board."""
    column, row = point
    found = [(column + 1, row), (column, row + 1), (column - 1, row), (column, row - 1)]
    return [near for near in found if min(near) >= 0]


def spread(points: set[Point], *, diagonal: bool) -> list[Point]:
    """Return points and those beside them, in a fixed order."""
    steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if diagonal or not x * y]
    found = {(column + x, row + y) for column, row in points for x, y in steps}
    return sorted(point for point in found if min(point) >= 0)


def make(random: Random, nodes: int) -> Problem | None:
    """Return a problem if one came about."""
    defender = random.choice((BLACK, WHITE))
    drawn = draw(random, defender)
    if drawn is None:
        return None
    rows, stone = drawn
    try:
        board = Board.from_rows(rows)
        targets = [
            format_vertex((column, SIZE - 1 - line))
            for line, row in enumerate(rows)
            for column, color in enumerate(row)
            if color == defender
        ]
        found = solve(board, BLACK, target=targets, seconds=600, nodes=nodes, wants_moves=False)
        if not (found.verdict.proven and found.other.proven and found.outside == "closed"):
            return None
        if not found.is_success:
            return None
        answer = solve(board, BLACK, target=targets, seconds=600, nodes=4 * nodes)
    except GoError:
        return None
    if len(answer.correct) != 1 or any(move.works is None for move in answer.moves):
        return None
    colors: dict[int, list[str]] = {BLACK: [], WHITE: []}
    for line, row in enumerate(rows):
        for column, color in enumerate(row):
            if color != EMPTY:
                colors[color].append(format_vertex((column, SIZE - 1 - line)))
    return Problem(
        name="",
        size=SIZE,
        black=tuple(colors[BLACK]),
        white=tuple(colors[WHITE]),
        to_move="black",
        target=format_vertex(stone),
        value=answer.verdict.value,
        correct=answer.correct[0],
        nodes=found.nodes,
        grade=grade_of(found.nodes),
    )


def main() -> None:
    """Draw until there are enough of each grade, and write them, the easiest first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--each", type=int, default=60, help="problems of each grade")
    parser.add_argument("--nodes", type=int, default=60_000, help="for each proof")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--join", type=Path, nargs="+", help="draw none, take those of these files")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    counts = Counter[int]()
    problems: list[Problem] = []
    seen: set[frozenset[tuple[int, ...]]] = set()
    random = Random(options.seed)
    waiting = [
        problem
        for path in options.join or ()
        for problem in read_problems(path.read_text(encoding="utf-8").splitlines())
    ]
    while waiting or not options.join:
        problem = waiting.pop(0) if waiting else make(random, options.nodes)
        if all(counts[grade] >= options.each for grade in GRADES):
            break
        if problem is None:
            continue
        grade, poses = grade_of(problem.nodes), poses_of(problem)
        if counts[grade] >= options.each or poses in seen:
            continue
        seen.add(poses)
        counts[grade] += 1
        problems.append(replace(problem, grade=grade))
        if len(problems) % 10 == 0:
            print(f"{len(problems)}, by grade {sorted(counts.items())}", flush=True)
            write(problems, options.output)
    write(problems, options.output)


def poses_of(problem: Problem) -> frozenset[tuple[int, ...]]:
    """Return the position and its mirror image, which has the same corner."""
    rows = problem.board().rows()
    mirrored = [list(column) for column in zip(*rows[::-1], strict=True)][::-1]
    return frozenset(tuple(point for row in pose for point in row) for pose in (rows, mirrored))


def write(problems: list[Problem], path: Path) -> None:
    """Write the problems, named by their places."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = sorted(problems, key=lambda problem: (problem.grade, problem.nodes))
    lines = []
    for number, problem in enumerate(ordered, 1):
        lines.append(replace(problem, name=f"{problem.grade}-{number:03}").to_line())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
