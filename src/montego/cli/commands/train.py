"""``montego train``: a network from self-play."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from montego.cli.command import Namespace, argument, command
from montego.cli.output import live_display, print_result, tell
from montego.cli.termination import asked_to_end
from montego.train.flags import PURPOSE, add_flags

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from montego.train.report import Row

CHARTS = "charts.html"
LINE_EVERY = 15.0
"""Seconds between two lines where there is no terminal for a table."""
SHOWN = 20
"""Rows of the table: the latest."""


@command(PURPOSE, add_flags, argument("--json", "the log of the run as JSON"))
def train(options: Namespace) -> None:
    """Train, and show how it goes."""
    from montego.jit.interrupt import stopped_by_ctrl_c  # Loads Numba.
    from montego.train.errors import check_installed

    check_installed("torch", "onnx")
    from montego.train.report import as_json, line_of
    from montego.train.session import train as train_network

    rows: list[Row] = []
    told = 0.0

    def note(row: Row) -> None:
        """Show a table of a line a minute, the last of them growing."""
        nonlocal told
        if rows and rows[-1].seconds < row.seconds:
            rows.pop()
        rows.append(row)
        if display is not None:
            display(_table(rows))
        elif time.monotonic() - told >= LINE_EVERY:
            told = time.monotonic()
            tell(line_of(row))

    with stopped_by_ctrl_c(lambda: None) as interrupted, live_display(2) as display:
        outcome = train_network(options, note, lambda: interrupted.is_set() or asked_to_end(), tell)
    _write_charts(outcome.folder / CHARTS, outcome.log)
    ending = "" if outcome.is_done else "; the same command goes on"
    files = [*map(str, outcome.networks), str(outcome.folder / CHARTS)]
    print_result(
        options,
        {"files": files, "log": as_json(outcome.log)},
        f"written: {', '.join(files)}{ending}\n",
    )


def _table(rows: list[Row]) -> Table:
    from rich.table import Table

    from montego.train.report import LABELS, cells_of

    table = Table(box=None)
    for label, _ in LABELS.values():
        table.add_column(label, justify="right")
    for row in rows[-SHOWN:]:
        table.add_row(*cells_of(row))
    return table


def _write_charts(path: Path, log: list[Row]) -> None:
    """Draw losses, entropy and the games over the minutes."""
    from montego.arena.drawing import Curve, curve_chart
    from montego.arena.store import write_whole

    charts = (
        ("rating against earlier selves, in Elo", ("rating",)),
        ("losses", ("policy", "value", "ownership")),
        ("entropy of the policies to learn, in nats", ("entropy",)),
        ("share", ("accuracy", "first_wins")),
        ("moves of a game", ("length",)),
    )
    plots = [
        curve_chart(
            [Curve.through(name.replace("_", " "), _points(log, name)) for name in names],
            "minutes",
            label,
        )
        for label, names in charts
    ]
    write_whole(
        path,
        '<!doctype html><meta charset="utf-8"><title>montego train</title>\n' + "\n".join(plots),
    )


def _points(log: list[Row], name: str) -> list[tuple[float, float]]:
    """Return a figure over the minutes, where there is one."""
    found = ((row.minutes, row.measured.get(name, getattr(row, name, None))) for row in log)
    return [(minutes, value) for minutes, value in found if value is not None]
