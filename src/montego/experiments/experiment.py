"""What an experiment is: a question, a document's answer, trials, and what they add up to.

Everything here is plain data. A :class:`Trial` is the smallest piece of work that is kept: a game,
a problem, a timing. The runner hands trials to worker processes and keeps what they return; the
summary is computed from what was kept, at any time, by a pure function.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from montego.experiments.verdict import Check, ClaimVerdict, verdict_of
from montego.go.vocabulary.errors import GoError
from montego.jit.cache import source_digest
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from montego.experiments.figures import FigureRow

Scale: TypeAlias = Literal["quick", "full"]
JSON: TypeAlias = Any
"""None, a boolean, a number, a text, or lists and dictionaries of them."""
Cells: TypeAlias = "Mapping[str, tuple[Mapping[str, JSON], int]]"
"""The rows of a table, or points of a curve: the settings of each, and how many trials it has."""

GAMES = "games"
"""The unit of experiments made of games, which are told with what their number can tell."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Trial:
    """One piece of work. What it does depends on its settings and its seed alone."""

    cell: str
    """The row of the table, or the point of the curve, that it counts for."""
    number: int
    """From 0 within the cell."""
    settings: Mapping[str, JSON] = field(default_factory=dict)
    """Everything that decides about the outcome, as JSON can hold it."""
    seed: int = 0
    """Set by the runner: another one for each trial and for each ``--seed``."""
    place: int = field(default=0, compare=False)
    """Where its cell stands in tables; those of equal places in the order of their first trials.
    It decides about nothing, so it is no part of the digest."""


@dataclass(frozen=True)
class TrialResult:
    """A trial that was run."""

    trial: Trial
    value: JSON
    """What the experiment's function returned."""
    seconds: float
    """Wall-clock time it took."""
    program: str = field(default="", compare=False)
    """The version that ran it, see :func:`program_version`; empty if that is not known."""


@dataclass(frozen=True)
class Plot:
    """A picture of the summary; a name unique in its experiment, kebab case."""

    name: str
    svg: str
    caption: str


@dataclass(frozen=True)
class Summary:
    """What the results say so far."""

    rows: tuple[FigureRow, ...]
    verdict: ClaimVerdict
    sentence: str
    """The verdict with its reasons, built from the figures."""
    plots: tuple[Plot, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader should know besides: how many games were affordable, what was composed."""
    checks: tuple[Check, ...] = ()
    """The parts of the claim, as they were judged."""

    @classmethod
    def of(
        cls,
        rows: Iterable[FigureRow],
        checks: Iterable[Check],
        *,
        plots: Iterable[Plot] = (),
        notes: Iterable[str] = (),
    ) -> Summary:
        """Return the summary of these rows, judged by these checks; empty plots are left out."""
        judged = tuple(checks)
        verdict, sentence = verdict_of(judged)
        drawn = tuple(plot for plot in plots if plot.svg)
        return cls(tuple(rows), verdict, sentence, drawn, tuple(notes), judged)


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A question that can be asked again.

    Raises:
        ValueError: If the name is not in kebab case.
    """

    name: str
    document: str
    """Its number, such as ``"001"``."""
    section: str
    """Where in the document: ``"figure 5"``, ``"7.1"``."""
    question: str
    """One sentence."""
    claim: str
    """What the document found, in one sentence with its number."""
    trials: Callable[[Scale], Iterable[Trial]]
    """In the order in which they are run: the same each time, and going round the cells, so that
    a run that is stopped is balanced. See :func:`interleaved`."""
    run: Callable[[Trial], JSON]
    """Runs in a worker process, so it must be a function of a module, not nested, no lambda."""
    summarize: Callable[[Sequence[TrialResult]], Summary]
    """From results, in the order of the trials, to the summary. Pure. Some or all trials may be
    missing."""
    cost: Mapping[Scale, float]
    """Minutes of processor time, estimated."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """The document's numbers by cell, where it has some; shares from 0 to 1."""
    needs: tuple[str, ...] = ()
    """Programs, such as ``"gnugo"``; without them the experiment is skipped."""
    unit: str = "trials"
    """What a trial is, in the plural: any word, or :data:`GAMES`."""
    alone: bool = False
    """Whether its trials run one at a time, because they measure time or use several threads."""
    revision: int = 1
    """To be raised when ``run`` returns something else for the same settings: what was kept of
    an earlier revision does not count any more."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"invalid name of an experiment {self.name!r}: say it in kebab case")

    @property
    def missing(self) -> list[str]:
        """The programs it needs that are not installed."""
        return [program for program in self.needs if find_program(program) is None]

    def plan(self, scale: Scale, seed: int = 1) -> list[Trial]:
        """Return the trials with their seeds."""
        return [replace(trial, seed=self._seed_of(trial, seed)) for trial in self.trials(scale)]

    def _seed_of(self, trial: Trial, seed: int) -> int:
        text = f"{self.name}/{trial.cell}/{trial.number}/{seed}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) >> 1

    def digest(self, trial: Trial) -> str:
        """Return what tells this trial apart from one with other settings or another seed.

        Raises:
            GoError: If JSON cannot hold its settings.
        """
        try:
            facts = {
                "cell": trial.cell,
                "number": trial.number,
                "settings": dict(trial.settings),
                "seed": trial.seed,
            }
            text = json.dumps([self.name, self.revision, facts], sort_keys=True)
        except (TypeError, ValueError) as error:
            raise GoError(
                f"{self.name}: JSON cannot hold the settings of {trial.cell} number "
                f"{trial.number}: {error}"
            ) from None
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def program_version() -> str:
    """Return the version of this program and the digest of its compiled sources.

    The digest is what the machine code is kept under: it changes with whatever can change play.
    """
    return f"{__version__}+{source_digest()}"


def find_program(name: str) -> str | None:
    """Return where a program is; None if it is not installed."""
    # Debian puts games where the path of a service does not lead.
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games", "/usr/local/games"])
    return shutil.which(name, path=path)


def cell_map(template: str, *axes: Iterable[Any]) -> dict[tuple[Any, ...], str]:
    """Return the names of a table's cells by their coordinates, which fill in the *template*.

    >>> cell_map("{}, {:,} iterations", ["easy", "hard"], [1000])
    {('easy', 1000): 'easy, 1,000 iterations', ('hard', 1000): 'hard, 1,000 iterations'}
    """
    return {key: template.format(*key) for key in product(*axes)}


def interleaved(cells: Mapping[str, Mapping[str, JSON]], count: int) -> list[Trial]:
    """Return *count* trials of each cell, going round the cells."""
    return in_proportion({cell: (settings, count) for cell, settings in cells.items()})


def in_proportion(cells: Cells) -> list[Trial]:
    """Return trials of cells with a number of trials each, spread evenly over the run.

    Tables have the cells as they are given here, though those with more trials begin first.
    """
    trials = [
        ((number + 0.5) / count, Trial(cell, number, settings, place=place))
        for place, (cell, (settings, count)) in enumerate(cells.items())
        for number in range(count)
    ]
    return [trial for _, trial in sorted(trials, key=lambda pair: pair[0])]


def by_cell(results: Sequence[TrialResult]) -> dict[str, list[JSON]]:
    """Return the values of each cell, in the order of the trials; cells as tables have them."""
    cells: dict[str, list[JSON]] = {}
    for result in sorted(results, key=lambda result: result.trial.place):
        cells.setdefault(result.trial.cell, []).append(result.value)
    return cells
