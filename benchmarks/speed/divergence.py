"""What it costs a playout that the threads of a GPU go together in groups of 32: a profile.

A group makes a step for all of its threads at once, and threads that do not need it wait. So the
time of a group is, line by line of the source, that of the thread that needs the line most often;
what its threads do is their mean. Here the interpreted twin plays as many games as a group has
threads, from the empty board, and every line that is executed is counted, move by move. It is
assumed that threads meet again after every line and at every move, and that all lines take as long:
a GPU can only do worse. No GPU is needed.

    python benchmarks/speed/divergence.py --size 9 --policies uniform urgency sequence
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from montego.go.kernels.layout import empty_state
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.policy import POLICIES, find_policy
from montego.jit import interpreted

if TYPE_CHECKING:
    from types import CodeType, FrameType

GROUP = 32


def main() -> None:
    """Print a line for each policy, and the functions in which its threads wait most."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--policies", nargs="+", choices=list(POLICIES), default=["uniform"])
    parser.add_argument("--games", type=int, default=GROUP, help="of a group (default 32)")
    parser.add_argument("--functions", type=int, default=5, help="to name (default 5)")
    options = parser.parse_args()
    for name in options.policies:
        games = [lines_of_game(name, options.size, seed) for seed in range(options.games)]
        done, taken = cost_of_group(games)
        moves = sum(len(game) for game in games) / len(games)
        total, all_taken = sum(done.values()), sum(taken.values())
        print(
            f"{name}: {total / moves:,.0f} lines a move and {moves:.0f} moves a game; a group of "
            f"{len(games)} takes {all_taken / total:.1f} times what a thread does, so that "
            f"{100 * total / all_taken:.0f}% of its threads work on average"
        )
        waits = Counter({function: taken[function] - done[function] for function in taken})
        for function, waiting in waits.most_common(options.functions):
            print(
                f"    {function}: {100 * waiting / (all_taken - total):.0f}% of the waiting, "
                f"{100 * done[function] / total:.0f}% of the work"
            )


def lines_of_game(policy: str, size: int, seed: int) -> list[Counter[tuple[str, int]]]:
    """Return, for each move of a playout, how often each line was executed."""
    found = find_policy(policy)
    playout: Any = interpreted(found.playout)
    state, knowledge = empty_state(size), new_knowledge(size)
    scratch = new_scratch(size, seed, found.room(size))
    moves: list[Counter[tuple[str, int]]] = [Counter()]
    loops: dict[CodeType, int] = {}  # Of a function that plays a game: where a move begins.

    def look(frame: FrameType, event: str, _argument: object) -> Any:
        code = frame.f_code
        if event == "line":
            moves[-1][code.co_name, frame.f_lineno] += 1
            if loops.get(code) == frame.f_lineno:
                moves.append(Counter())
        elif event == "call" and code not in loops:
            loops[code] = move_begins(code)
        return look

    sys.settrace(look)
    try:
        playout(state, knowledge, scratch)
    finally:
        sys.settrace(None)
    return moves


def move_begins(code: CodeType) -> int:
    """Return the line of the loop over the moves of a game; -1 in functions that have none.

    It is the one that asks whether both players have passed.
    """
    lines, first = inspect.getsourcelines(code)
    for number, line in enumerate(lines):
        if line.lstrip().startswith("while") and "passes" in line:
            return first + number
    return -1


def cost_of_group(
    games: list[list[Counter[tuple[str, int]]]],
) -> tuple[Counter[str], Counter[str]]:
    """Return, by function, the lines that a thread executes on average, and that the group does."""
    done: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for move in range(max(map(len, games))):
        playing = [game[move] for game in games if move < len(game)]
        for line in set().union(*playing):
            counts = [counted[line] for counted in playing]
            taken[line[0]] += max(counts)
            done[line[0]] += sum(counts)
    return Counter({name: round(lines / len(games)) for name, lines in done.items()}), taken


if __name__ == "__main__":
    main()
