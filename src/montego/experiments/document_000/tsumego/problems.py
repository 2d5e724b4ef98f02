"""Three problems of life and death, composed for this program, of the nature of figure 7.4.

The originals are pictures. Here White's stones in the corner live or die, Black plays first, and
everything else on the board is settled: Black's walls have two eyes. As in the document the easy
and the average problem leave six moves to choose from, the hard one nineteen, a pass included; in
the hard one some of them are of no use. Komi is such that Black wins by killing all, and only so.

The right moves were checked by searches with the solver, without the useless moves: no other one
kills, and in the hard problem White's only answer to the greedy move is the right point itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.experiments.document_000.v_run import v_run
from montego.experiments.figures import FigureRow, share_row
from montego.experiments.games import contestant, new_search
from montego.go.board import Board
from montego.go.diagram import parse_diagram
from montego.go.game import Game
from montego.go.svg import board_svg
from montego.go.vocabulary.vertex import COLUMN_LETTERS, parse_vertex
from montego.solve.solver import solve

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from montego.experiments.experiment import JSON, Trial, TrialResult
    from montego.jit.state import State

KOMI = 70.5
TARGET = "E9"
"""A stone of White's chain that lives or dies, in each of the three."""
SOLVER_SECONDS = 600.0  # Its nodes are the limit: the same on every machine.


@dataclass(frozen=True)
class KillingProblem:
    """A position with Black to play, and the one move that kills."""

    name: str
    diagram: str
    correct: str
    choices: int
    """Moves to choose from, the pass included."""
    greedy: str = ""
    """The move that kills unless White answers at the right point."""
    iterations: int = 1000
    """V-Run's, by which it is graded."""

    @property
    def chance(self) -> float:
        """The share of right moves that a player at random makes."""
        return 1 / self.choices

    def picture(self) -> str:
        """Return the position as SVG, with R for the right move and G for the greedy one."""
        rows = parse_diagram(self.diagram)
        labels = {}
        for move, label in ((self.greedy, "G"), (self.correct, "R")):
            point = parse_vertex(move, len(rows)) if move else None
            if point is not None:
                labels[point] = label
        return board_svg(rows, labels=labels, cell=22)

    def trial_settings(
        self, iterations: int, searches: int, *, moves: tuple[str, ...] = (), **search: Any
    ) -> dict[str, JSON]:
        """Return the settings of a trial that asks V-Run *searches* times, after some *moves*.

        *search* are fields of Config, and ``playout`` and ``priors`` as for a contestant.
        """
        kinds = {name: search.pop(name) for name in ("playout", "priors") if name in search}
        return {
            "diagram": self.diagram.split(),
            "moves": list(moves),
            "player": v_run(iterations, **search) | {"komi": KOMI} | kinds,
            "searches": searches,
        }

    def solver_settings(self, nodes: int) -> dict[str, JSON]:
        """Return the settings of a trial that asks the solver instead, once: it has no chance."""
        return {
            "diagram": self.diagram.split(),
            "moves": [],
            "target": TARGET,
            "nodes": nodes,
            "searches": 1,
        }


EASY = KillingProblem(
    "easy",
    """
    X..OOX.XX
    X..OOXXXX
    .OOOOXXXX
    OOOOOXXXX
    XXXXXXXXX
    XXXXXXXXX
    XXXXXXXXX
    XXXXXXXXX
    .X.XXXXXX
    """,
    correct="B8",
    choices=6,
)
AVERAGE = KillingProblem(
    "average",
    """
    .O.OOX.XX
    .XX.OXXXX
    .OOOOXXXX
    OOOOOXXXX
    XXXXXXXXX
    XXXXXXXXX
    XXXXXXXXX
    XXXXXXXXX
    .X.XXXXXX
    """,
    correct="C9",
    choices=6,
)
HARD = KillingProblem(
    "hard",
    """
    X.X.OX.XX
    ....OXXXX
    X...OXXX.
    OOOOOXXX.
    XXXXXXXX.
    XXX...XXX
    XXXXXXXXX
    XXXX...XX
    .X.XXXXXX
    """,
    correct="B7",
    choices=19,
    greedy="B8",
)
PROBLEMS = (EASY, AVERAGE, HARD)


def position(diagram: list[str], moves: list[str]) -> State:
    """Return the position drawn by rows from the top, after some moves, Black's first."""
    size = len(diagram)
    stones: dict[str, list[str]] = {"X": [], "O": [], ".": []}
    for row, text in enumerate(diagram):
        for column, sign in enumerate(text):
            stones[sign].append(f"{COLUMN_LETTERS[column]}{size - row}")
    game = Game(size, rules="chinese", komi=KOMI)
    game.setup(black=stones["X"], white=stones["O"], to_play="black")
    for move in moves:
        game.play(game.to_play, move)
    return game.board.state.copy()


def ask(trial: Trial) -> list[str]:
    """Run a trial made by :class:`KillingProblem`: return the moves that were chosen."""
    settings = trial.settings
    if "nodes" in settings:
        board = Board.from_rows(parse_diagram("\n".join(settings["diagram"])))
        target, nodes = settings["target"], settings["nodes"]
        answer = solve(board, "black", target=target, seconds=SOLVER_SECONDS, nodes=nodes)
        return [answer.correct[0] if answer.verdict.proven and answer.correct else ""]
    state = position(settings["diagram"], settings["moves"])
    voters = contestant(settings["player"]).config.votes  # They take the seeds that follow.
    chosen = []
    for number in range(settings["searches"]):
        search = new_search(settings["player"], trial.seed + number * voters, state)
        move = search.run().move
        chosen.append("" if move is None else search.game.format_move(state, move))
    return chosen


def count_of(answers: list[JSON], move: str) -> tuple[int, int]:
    """Return how often a move was chosen in a cell's values, and how many searches there were."""
    chosen = [answer for batch in answers for answer in batch]
    return chosen.count(move), len(chosen)


def right_rows(
    results: Sequence[TrialResult], figures: Mapping[str, float] | None = None
) -> dict[str, FigureRow]:
    """Return the share of right moves in each cell's results of :func:`ask`, by cell.

    A cell may be of several problems, whose settings say then what is ``right``.
    """
    known = {problem.diagram.split()[0]: problem.correct for problem in PROBLEMS}
    counts: dict[str, tuple[int, int]] = {}
    for each in sorted(results, key=lambda result: result.trial.place):
        settings, cell = each.trial.settings, each.trial.cell
        correct = settings.get("right") or known[settings["diagram"][0]]
        before, (right, searches) = counts.get(cell, (0, 0)), count_of([each.value], correct)
        counts[cell] = (before[0] + right, before[1] + searches)
    return {
        cell: share_row(cell, *count, (figures or {}).get(cell)) for cell, count in counts.items()
    }
