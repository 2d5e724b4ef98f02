"""What the arena itself costs: processor time of its own process for each move of a match.

Two engines that answer at once fill the board in stripes, so that no move is ever illegal. Their
own time is theirs and does not count. The first game warms up and does not count either.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
import time

from montego.arena.contest import Conditions
from montego.arena.match import Match, run_match
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.timing import parse_time_control

# Black takes the odd columns and White the even ones; the first row stays empty, so that every
# chain keeps a liberty.
ENGINE = """
import sys
letters = "ABCDEFGHJKLMNOPQRST"
size, moves = 19, []
for line in sys.stdin:
    number, name, *words = line.split()
    answer = ""
    if name == "boardsize":
        size = int(words[0])
    elif name == "clear_board":
        moves = None
    elif name == "genmove":
        if moves is None:
            first = 0 if words[0] == "black" else 1
            moves = [f"{letters[x]}{y + 1}" for x in range(first, size, 2) for y in range(1, size)]
        answer = moves.pop(0) if moves else "pass"
    elif name == "list_commands":
        answer = "boardsize clear_board komi play genmove time_settings time_left quit"
        answer = answer.replace(" ", chr(10))
    print("=" + number, answer + chr(10), flush=True)
    if name == "quit":
        break
"""


def measure(size: int, rules: str, clock: str | None, games: int) -> tuple[float, int]:
    """Return processor seconds of this process a move, and how many moves were counted."""
    command = shlex.join([sys.executable, "-S", "-E", "-c", ENGINE])
    control = parse_time_control(clock) if clock else None
    match = Match(
        first=EngineSpec("first", command),
        second=EngineSpec("second", command),
        games=games + 1,
        conditions=Conditions(size=size, komi=7.5, rules=rules, control=control),
    )
    marks: list[tuple[float, int]] = []

    def report(summary: object, _: object) -> bool:
        moves: int = summary.moves  # type: ignore[attr-defined]
        marks.append((time.process_time(), moves))
        return True

    with tempfile.TemporaryDirectory() as folder:
        run_match(match, folder, report=report)
    (begin, first), (end, last) = marks[1], marks[-1]
    return (end - begin) / (last - first), last - first


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=5)
    games = parser.parse_args().games
    for size in (9, 13, 19):
        for rules, clock in (
            ("chinese", None),
            ("chinese-kgs", None),
            ("chinese", "fischer:600+5"),
        ):
            seconds, moves = measure(size, rules, clock, games)
            name = f"{size}x{size}, {rules}, {clock or 'no clock'}"
            print(f"{name:<40} {1000 * seconds:6.3f} ms a move  ({moves} moves)")


if __name__ == "__main__":
    main()
