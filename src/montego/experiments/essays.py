"""Figures in essays: written between marks by the report, so that nobody types one.

``<!--= hard-tsumego: plain, 1,000 iterations -->1.5 % [0.5, 4.3]<!--/-->`` is the figure of a row
with its interval: the name of the run's files, the cell, and what the report writes between the
marks. In place of a cell stand ``verdict``, ``sentence`` or ``run``; a share alone, without its
interval, is the cell with ``ours`` before it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from montego.experiments.figures import figure_text
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.runner import ExperimentRun

MARKED = re.compile(r"<!--= (?P<stem>[a-z0-9.-]+): (?P<what>.+?) -->.*?<!--/-->", re.DOTALL)
_ALONE = "ours "


def fill_in(text: str, runs: Sequence[ExperimentRun], name: str) -> str:
    """Return an essay with the figures of these runs between its marks.

    Raises:
        GoError: If it names a run or a cell that there is not; *name* is the essay's.
    """
    known = {run.stem: run for run in runs}

    def filled(match: re.Match[str]) -> str:
        stem, what = match["stem"], match["what"]
        if stem not in known:
            raise GoError(f"{name} wants a figure of {stem}, of which there are no results")
        return f"<!--= {stem}: {what} -->{figure_of(known[stem], what, name)}<!--/-->"

    return MARKED.sub(filled, text)


def figure_of(run: ExperimentRun, what: str, name: str) -> str:
    """Return the text of one figure.

    Raises:
        GoError: If the run has no such row.
    """
    texts = {
        "verdict": str(run.summary.verdict),
        "sentence": run.summary.sentence,
        "run": run.coverage.number,
    }
    for row in run.summary.rows:
        texts[row.cell] = row.shown
        texts[f"{_ALONE}{row.cell}"] = figure_text(row.ours, row.unit)
    if what not in texts:
        raise GoError(f"{name} wants the figure {what!r} of {run.stem}, which has no such row")
    return texts[what]
