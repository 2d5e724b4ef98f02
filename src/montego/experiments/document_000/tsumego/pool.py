"""A pool of graded problems: V-Run is right in 40 to 80 % of each, with 300 to 3,000 iterations.

In the three problems of :mod:`.problems` a change of the search shows little: they are solved, or
not at all. These were composed by chance (:mod:`.compose`): the corner of each has one move that
kills, by a search of all moves in it, and some have points besides that are of no use. So there is
room in either direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.document_000.tsumego.problems import KillingProblem
from montego.experiments.experiment import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from montego.experiments.experiment import JSON, TrialResult

SEARCHES = 10
"""Searches of a trial."""
_COMPOSED = """
C8 12 1000 OOXOOX.XX .X.OOXXXX ...OOXXXX OOOOOXXXX XXXXXXXX. XXX...XXX XXXXXXXXX XXXX...XX .X.XXXXXX
C8 9 300 ....OX.XX X..OOXXXX ..XOOXXXX OOOOOXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX .X.XXXXXX
C8 12 3000 XOXOOX.XX X..OOXXXX ...OOXXXX OOOOOXXXX XXXXXXXX. XXX...XXX XXXXXXXXX XXXX...XX .X.XXXXXX
C8 11 1000 ....OX.XX XX..OXXXX ....OXXXX OOOOOXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX .X.XXXXXX
A7 6 1000 OX.OOX.XX O..OOXXXX .X.OOXXXX OOOOOXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX .X.XXXXXX
B7 6 300 XXXOOX.XX .OX.OXXXX X...OXXXX OOOOOXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX .X.XXXXXX
A8 16 300 .XX.OX.XX ..X.OXXXX ....OXXXX OOOOOXXXX XXXXXXXX. XXX...XXX XXXXXXXXX XXXX...XX .X.XXXXXX
C9 13 1000 XO.OOX.XX XX.XOXXXX ....OXXXX OOOOOXXXX XXXXXXXX. XXX...XXX XXXXXXXXX XXXX...XX .X.XXXXXX
B8 12 300 X..OOX.XX ..OOOXXXX .OOOOXXXX OOOOOXXXX XXXXXXXX. XXX...XXX XXXXXXXXX XXXX...XX .X.XXXXXX
A8 6 300 .X.OOX.XX .XXOOXXXX O..OOXXXX OOOOOXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX .X.XXXXXX
A8 7 300 ...OOX.XX .X.OOXXXX O.OOOXXXX OOOOOXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX .X.XXXXXX
A8 6 300 ..XOOX.XX .X.OOXXXX OO.OOXXXX OOOOOXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX XXXXXXXXX .X.XXXXXX
"""
"""The right move, the moves to choose from, V-Run's iterations, and the rows from the top."""


def _read(line: str) -> KillingProblem:
    correct, choices, iterations, *rows = line.split()
    return KillingProblem(
        "\n".join(rows), "\n".join(rows), correct, int(choices), iterations=int(iterations)
    )


POOL = tuple(map(_read, _COMPOSED.split("\n")[1:-1]))
POOL_NOTE = (
    f"The problems are {len(POOL)}, composed by chance and proven by a search of all moves in the "
    "corner, each with iterations (300, 1,000 or 3,000) with which V-Run was right in 40 to 80 % "
    "of 100 searches. The interval is of more searches of the same problems, not of others."
)


def pool_trials(
    cells: Mapping[str, Mapping[str, JSON]],
    iterations: Callable[[str, KillingProblem], int] | None,
    rounds: int,
    *,
    problems: int | None = None,
) -> list[Trial]:
    """Return trials that go round cells and problems, each problem *rounds* times a cell.

    *cells* are changes of V-Run's search; *iterations* may depend on the cell and the problem, and
    without them each problem has those that it is graded by. *problems* takes so many of the first.
    """
    trials = []
    pool = POOL[:problems]
    for number in range(rounds * len(pool)):
        problem = pool[number % len(pool)]
        for place, (cell, search) in enumerate(cells.items()):
            count = iterations(cell, problem) if iterations else problem.iterations
            settings = problem.trial_settings(count, SEARCHES, **search)
            settings["right"] = problem.correct
            trials.append(Trial(cell, number, settings, place=place))
    return trials


def split_pool(
    results: Sequence[TrialResult],
) -> tuple[list[TrialResult], list[TrialResult]]:
    """Return the trials to choose by, the first time each problem was asked, and the others."""
    first = [result for result in results if result.trial.number < len(POOL)]
    return first, [result for result in results if result.trial.number >= len(POOL)]
