"""The figures of a run, minute by minute, and how they are written in a line."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.train.learning.net import Net
    from montego.train.learning.positions import PlayProgress


@dataclass(frozen=True, kw_only=True)
class Row:
    """What a stretch of a run was like: the counters at its end, and means over it."""

    minutes: float
    games: int
    positions: int
    steps: int
    window: int
    """Positions that are learned from."""
    evaluations: float
    """In a second of self-play."""
    length: float
    """Moves of a game; 0 if none has ended."""
    first_wins: float
    """Share of the games that the first player has won; a draw is half a win."""
    policy: float
    """How far the network's policy is from what it is to learn, in nats."""
    value: float
    ownership: float
    score: float
    soft_policy: float
    entropy: float
    """Of the policies to learn, in nats."""
    accuracy: float
    """How often the network's best move is the best of what it is to learn."""
    rate: float
    learning: float
    """Share of the time in which it learns."""
    seconds: float
    """How long the stretch was."""
    measured: dict[str, float] = field(default_factory=dict)
    """Whatever else was measured at its end."""


class Measure(Protocol):
    """Measures a network whenever its run is kept."""

    def __call__(self, net: Net, minutes: float, *, last: bool) -> dict[str, float]:
        """Return further figures for the log, or none, of the averaged network.

        *minutes* are the run's so far; *last* says that this part of it ends now.
        """


LABELS = {
    "minutes": ("minute", ".1f"),
    "games": ("games", ",d"),
    "positions": ("positions", ",d"),
    "evaluations": ("evaluations/s", ",.0f"),
    "length": ("length", ".1f"),
    "first_wins": ("first wins", ".2f"),
    "entropy": ("entropy", ".3f"),
    "policy": ("policy", ".3f"),
    "value": ("value", ".3f"),
    "ownership": ("ownership", ".3f"),
    "accuracy": ("accuracy", ".2f"),
    "learning": ("learning", ".0%"),
    "rating": ("rating", "+.0f"),
}
"""What people are shown: what it is called, and how it is written.

The rating is measured once in a while, and stands in the rows where it was.
"""


def cells_of(row: Row) -> list[str]:
    """Return the figures of LABELS as text; what was not measured is a dash."""
    figures = asdict(row) | row.measured
    return [
        format(figures[name], style) if name in figures else "-"
        for name, (_, style) in LABELS.items()
    ]


def line_of(row: Row) -> str:
    """Return all figures in one line."""
    labels = (label for label, _ in LABELS.values())
    return ", ".join(f"{label} {text}" for label, text in zip(labels, cells_of(row), strict=True))


class StretchTally:
    """Adds up what happens, until a row is made of it."""

    def __init__(self) -> None:
        self._play = self._learn = 0.0
        self._games = self._evaluations = self._steps = 0
        self._moves = self._wins = 0.0
        self._figures: dict[str, float] = {}

    def played(self, progress: PlayProgress, seconds: float) -> None:
        """Count a stretch of self-play that took so long."""
        self._play += seconds
        self._games += progress.games
        self._evaluations += progress.evaluations
        self._moves += progress.games * progress.length
        self._wins += progress.games * progress.first_wins

    def learned(self, figures: dict[str, float], steps: int, seconds: float) -> None:
        """Count steps of learning, and their mean figures."""
        self._learn += seconds
        self._steps += steps
        for name, value in figures.items():
            self._figures[name] = self._figures.get(name, 0.0) + steps * value

    def row(self, names: Sequence[str], **counters: Any) -> Row:
        """Return the means, of figures by those names, with what else a row has."""
        seconds = self._play + self._learn
        games = max(1, self._games)
        means: dict[str, Any] = {
            name: self._figures.get(name, 0.0) / max(1, self._steps) for name in names
        }
        return Row(
            evaluations=self._evaluations / self._play if self._play > 0 else 0.0,
            length=self._moves / games,
            first_wins=self._wins / games,
            learning=self._learn / seconds if seconds > 0 else 0.0,
            seconds=seconds,
            **means,
            **counters,
        )


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return rows as JSON can hold them; numbers of six digits do for a log."""
    return [
        {
            name: float(f"{value:.6g}") if isinstance(value, float) else value
            for name, value in asdict(row).items()
        }
        for row in rows
    ]
