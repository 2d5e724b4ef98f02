"""What a large book costs: loading what it knows below a position, and merging a game.

Builds a book of a million positions of 9x9 (``--positions``), each with its moves and eight
positions after it, in a temporary folder or in ``--file``, which is kept and used again. Then
measures, at places drawn at random,

- loading a subtree through a book that was opened just now, and through one that stays open;
- what a player does before a search: the same from real positions, played through, turned to how
  the board lies and written where kernels read them;
- merging a game, half of whose positions the book knows already.

Prints the median and the worst of many rounds, of wall and of processor time. Files come from
the system's cache; ``--file`` on a slow disk right after a restart shows what a disk costs.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from montego.book.experience import RECORD, Experience
from montego.book.position import GameSettings, canonical_move, move_at, pose_of_game
from montego.book.store import Book
from montego.engine.book import LOADED, BookKeeper
from montego.engine.options.options import Options
from montego.engine.searching.searcher import Searcher
from montego.go.game import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SETTINGS = GameSettings(9, "koSIMPLEscoreAREAtaxNONEsui0", 7.5)
BRANCHES = 8  # positions after each: number n has n * 8 + 1 to n * 8 + 8 for children
BUILDING_BATCH = 10_000
OPENING = ("C3", "F6", "D7")  # After which no symmetry is left, as in most positions.


def key_of(number: int) -> int:
    """Return a key that looks as random as a position's."""
    mixed = (number + 1) * 0x9E3779B97F4A7C15 % (1 << 64)
    mixed = (mixed ^ mixed >> 31) * 0xBF58476D1CE4E5B9 % (1 << 64)
    return mixed - (1 << 63)


def experience_of(number: int, positions: int, draw: np.random.Generator) -> Experience:
    """Return made-up experience of a position: visits fall with depth, every move has AMAF."""
    depth = 0
    ancestor = number
    while ancestor > 0:
        ancestor = (ancestor - 1) // BRANCHES
        depth += 1
    table = np.zeros(82 - depth, RECORD)
    table["move"] = np.sort(draw.permutation(82)[: len(table)])
    visits = 100_000.0 / 3**depth
    table["amaf_visits"] = draw.random(len(table)) * visits
    table["amaf_sum"] = table["amaf_visits"] / 2
    tried = draw.permutation(len(table))[:BRANCHES]
    table["visits"][tried] = np.sort(draw.random(BRANCHES)) * visits / BRANCHES
    table["value_sum"] = table["visits"] / 2
    children = [number * BRANCHES + 1 + branch for branch in range(BRANCHES)]
    if children[-1] < positions:
        table["after"][tried] = [key_of(child) for child in children]
    return Experience(key_of(number), visits, table, depth=depth)


def build(book: Book, positions: int) -> float:
    """Fill the book, and return how many seconds it took."""
    begin = time.perf_counter()
    book.size_limit = None
    draw = np.random.default_rng(0)
    for start in range(0, positions, BUILDING_BATCH):
        numbers = range(start, min(start + BUILDING_BATCH, positions))
        book.merge(SETTINGS, [experience_of(number, positions, draw) for number in numbers])
    return time.perf_counter() - begin


def real_positions(game: Game, count: int) -> list[Experience]:
    """Return made-up experience of real positions: that of *game* and those after it."""
    draw = np.random.default_rng(0)
    waiting = deque([game])
    found: list[Experience] = []
    while len(found) < count:
        place = waiting.popleft()
        pose = pose_of_game(place)
        moves = {
            canonical_move(pose, SETTINGS.size, move_at(vertex, SETTINGS.size)): vertex
            for vertex in place.legal_moves()
        }
        made = experience_of(len(found), 0, draw)
        table = made.table[: len(moves)]
        table["move"] = sorted(moves)[: len(table)]
        for rank in np.flatnonzero(table["visits"]).tolist():
            further = place.copy()
            further.play(further.to_play, moves[int(table["move"][rank])])
            table["after"][rank] = pose_of_game(further).key
            waiting.append(further)
        found.append(Experience(pose.key, made.visits, table, depth=made.depth))
    return found


def measure_player(path: Path, rounds: int) -> dict[str, float]:
    """Measure what a player does with the book before it begins a tree."""
    game = Game(SETTINGS.size, komi=SETTINGS.komi)
    for vertex in OPENING:
        game.play(game.to_play, vertex)
    with Book.open(path) as book:
        book.merge(SETTINGS, real_positions(game, 4 * LOADED))
    options = Options(size=SETTINGS.size, book=str(path), book_learn=False, threads=1)
    keeper = BookKeeper(options, print)
    searcher = Searcher(options, SETTINGS.size, game.rules, keeper=keeper)
    searcher.follow(game, game.to_play)
    search = searcher.search

    def load_for_a_new_tree() -> None:
        search.set_state(search.state)
        keeper.load(search, game, imagined=False)

    figures = measure(load_for_a_new_tree, rounds)
    keeper.close()
    return figures


def measure(task: Callable[[], object], rounds: int) -> dict[str, float]:
    """Run a task repeatedly and return milliseconds."""
    wall, processor = [], []
    for _ in range(rounds):
        begin, begin_processor = time.perf_counter(), time.process_time()
        task()
        wall.append(1e3 * (time.perf_counter() - begin))
        processor.append(1e3 * (time.process_time() - begin_processor))
    return {
        "wall_median": statistics.median(wall),
        "wall_95_percent": sorted(wall)[int(0.95 * (rounds - 1))],
        "wall_worst": max(wall),
        "processor_median": statistics.median(processor),
        "processor_95_percent": sorted(processor)[int(0.95 * (rounds - 1))],
    }


def run(path: Path, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Measure everything on the book at *path*, which is built first if it is empty."""
    report: dict[str, dict[str, float]] = {}
    positions = options.positions
    chance = random.Random(1)
    with Book.open(path) as book:
        if not book.settings():
            report["building"] = {"seconds": build(book, positions)}
        found = book.statistics()
        report["book"] = {"positions": found.positions, "megabytes": found.bytes / 1e6}

    def place() -> int:
        """Draw a position whose subtree is neither the whole book nor next to nothing."""
        return key_of(chance.randrange(1, 1 + BRANCHES + BRANCHES**2))

    def load_anew() -> None:
        with Book.open(path) as book:
            book.subtree(SETTINGS, place(), limit=options.limit)

    report[f"open and load {options.limit}"] = measure(load_anew, options.rounds)
    report[f"load {LOADED} for a search"] = measure_player(path, options.rounds)
    with Book.open(path) as book:
        for limit in (options.limit, options.limit * 4):
            report[f"load {limit}"] = measure(
                lambda limit=limit: book.subtree(SETTINGS, place(), limit=limit),  # type: ignore[misc]
                options.rounds,
            )
        draw = np.random.default_rng()
        half = options.game // 2

        def games() -> Iterator[list[Experience]]:
            """Make up games ahead of time, which is not to be measured."""
            made = []
            for _ in range(options.rounds):
                known = [chance.randrange(positions) for _ in range(half)]
                unknown = [positions + draw.integers(1 << 40).item() for _ in range(half)]
                made.append([experience_of(number, positions, draw) for number in known + unknown])
            return iter(made)

        for name in (f"merge {2 * half}", f"merge {2 * half} into a full book"):
            waiting = games()
            report[name] = measure(lambda: book.merge(SETTINGS, next(waiting)), options.rounds)  # noqa: B023
            book.size_limit = book.statistics().positions
        book.size_limit = None
    return report


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--limit", type=int, default=64, help="positions to load")
    parser.add_argument("--game", type=int, default=400, help="positions to merge")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = run(options.file or Path(folder) / "book.sqlite", options)
    if options.json:
        print(json.dumps(report))
        return
    for name, figures in report.items():
        line = ", ".join(
            f"{figure.replace('_', ' ')} {value:,.2f}" for figure, value in figures.items()
        )
        print(f"{name}: {line}")


if __name__ == "__main__":
    main()
