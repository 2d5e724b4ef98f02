"""The table of a match: live on a terminal, a line a game elsewhere, and text at the end."""

from __future__ import annotations

import io
import math
import sys
import time
from typing import TYPE_CHECKING, Self

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from montego.arena.record import FORFEITS
from montego.arena.statistics import elo_interval, likelihood_of_superiority, wilson_interval

if TYPE_CHECKING:
    from rich.console import RenderableType

    from montego.arena.record import GameRecord
    from montego.arena.statistics import Tally
    from montego.arena.summary import Side, Summary


class LiveTable:
    """Shows a match on standard error while it runs; a context manager around :meth:`update`."""

    def __init__(self) -> None:
        self.latest: Summary | None = None
        """The match as it was shown last."""
        self._console = Console(stderr=True)
        self._live: Live | None = None
        self._started = time.monotonic()
        self._before = 0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Live(console=self._console, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, summary: Summary, record: GameRecord | None) -> bool:
        """Show the match as it stands; *record* is the game that just ended. Always True."""
        self.latest = summary
        if record is None:
            self._before = summary.tally.games
            self._started = time.monotonic()
        pace = pace_text(
            summary.tally.games - self._before,
            summary.wanted - summary.tally.games,
            time.monotonic() - self._started,
        )
        if self._live is not None:
            self._live.update(Group(*_renderables(summary), Text(pace)))
        elif record is not None:
            sys.stderr.write(f"{game_line(record)}; {score_text(summary)}; {pace}\n")
            sys.stderr.flush()
        return True


def summary_text(summary: Summary) -> str:
    """Return the whole table as plain text."""
    stream = io.StringIO()
    console = Console(file=stream, width=120, color_system=None, force_terminal=False)
    console.print(*_renderables(summary), sep="\n")
    return stream.getvalue()


def game_line(record: GameRecord) -> str:
    """Return one game as a line."""
    event = f" [{record.event.kind}: {record.event.text}]" if record.event else ""
    return (
        f"game {record.game}: {record.black.name} (B), {record.white.name} (W): {record.result}, "
        f"{len(record.moves)} moves, {record.seconds:.1f} s{event}"
    )


def score_text(summary: Summary) -> str:
    """Return the score of the first engine with Elo, as part of a line."""
    tally = summary.tally
    return f"{summary.first.name} {_counts(tally)}, {_share(tally)}, {elo_text(tally)}"


def elo_text(tally: Tally) -> str:
    """Return Elo with its interval."""
    elo, low, high = elo_interval(tally)
    if not tally.games:
        return "Elo ?"
    return f"Elo {_signed(elo)} [{_signed(low)}, {_signed(high)}]"


def pace_text(played: int, left: int, seconds: float) -> str:
    """Return games per hour and the time left, as far as they are known."""
    if played < 1 or seconds <= 0:
        return f"{left} games left"
    hours, rest = divmod(round(left * seconds / played), 3600)
    return (
        f"{3600 * played / seconds:.0f} games an hour, "
        f"{hours}:{rest // 60:02d}:{rest % 60:02d} left for {left}"
    )


def _renderables(summary: Summary) -> list[RenderableType]:
    table = Table(title=f"{summary.tally.games} of {summary.wanted} games", title_justify="left")
    for title in ("engine", "+ - =", "as Black", "as White", "score", "faults", "s/move"):
        table.add_column(title)
    for side in (summary.first, summary.second):
        table.add_row(
            escape(side.name),
            _counts(side.tally),
            _counts(side.as_black),
            _counts(side.as_white),
            _share(side.tally),
            _faults(side),
            _per_move(side),
        )
    tally = summary.tally
    superiority = f"likelihood of superiority {100 * likelihood_of_superiority(tally):.1f} %"
    lines = [f"{summary.first.name}: {elo_text(tally)}, {superiority}"]
    if summary.test is not None:
        lower, upper = summary.test.sprt.bounds
        decision = summary.test.decision
        lines.append(
            f"test of Elo {summary.test.sprt.elo0:g} against {summary.test.sprt.elo1:g}: "
            f"log-likelihood ratio {summary.test.ratio:+.2f} in [{lower:+.2f}, {upper:+.2f}]"
            + (f", {decision} accepted" if decision else "")
        )
    for count, what in (
        (summary.disagreements, "without agreement on dead stones"),
        (summary.referee_failures, "that the referee could not judge"),
        (summary.move_limits, "ended by the limit of moves, counted as draws"),
    ):
        if count:
            lines.append(f"games {what}: {count}")
    return [table, Text("\n".join(lines))]


def _counts(tally: Tally) -> str:
    return f"{tally.wins}-{tally.losses}-{tally.draws}"


def _share(tally: Tally) -> str:
    if not tally.games:
        return "?"
    low, high = wilson_interval(tally.wins + tally.draws / 2, tally.games)
    return f"{100 * tally.score:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def _faults(side: Side) -> str:
    found = [f"{ending} {side.faults[ending]}" for ending in FORFEITS if side.faults.get(ending)]
    return ", ".join(found) or "none"


def _per_move(side: Side) -> str:
    if not side.moves:
        return "?"
    cpu = f" ({side.cpu_seconds / side.cpu_moves:.3g} CPU)" if side.cpu_moves else ""
    return f"{side.seconds / side.moves:.3g}{cpu}"


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else ("+∞" if elo > 0 else "-∞")
