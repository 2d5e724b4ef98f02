"""One finished game as the arena keeps it: a line of JSON, and an SGF.

A :class:`GameRecord` is plain data. The SGF is for people and other programs, the line of JSON for
counting; the JSON alone is enough to count everything again.
"""

from __future__ import annotations

import enum
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from montego.go.result import parse_result
from montego.go.vocabulary.errors import GoError
from montego.gtp.client import Fault

if TYPE_CHECKING:
    from montego.go.game import Game
    from montego.go.vocabulary.color import Color


class Ending(enum.StrEnum):
    """How a game ended."""

    SCORE = "score"
    RESIGNATION = "resignation"
    TIME = "time"  # A player used more time than it had.
    ILLEGAL = "illegal"  # A move that our rules forbid.
    GARBAGE = "garbage"  # No move, no reply, a wrong number, or far too much of it.
    CRASH = "crash"  # The process ended.
    HANG = "hang"  # No answer at all.
    REFUSED = "refused"  # An engine would not do what every engine must.
    MOVE_LIMIT = "move limit"  # Nobody would stop; counted as a draw.


FORFEITS = tuple(
    ending for ending in Ending if ending not in ("score", "resignation", "move limit")
)
"""The endings that are one player's fault, in the order of tables."""

ENDING_OF_FAULT = {
    Fault.START: Ending.CRASH,
    Fault.DIED: Ending.CRASH,
    Fault.SILENT: Ending.HANG,
    Fault.GARBAGE: Ending.GARBAGE,
    Fault.FLOOD: Ending.GARBAGE,
    Fault.REFUSED: Ending.REFUSED,
}


DISAGREEMENT = "disagreement"
"""The kind of event when players do not agree on dead stones, or one cannot tell."""

REFEREE = "referee"
"""The kind of event when the referee could not judge."""


@dataclass(frozen=True)
class Event:
    """Something bad that an engine did."""

    kind: str
    """One of the endings, ``DISAGREEMENT`` or ``REFEREE``."""
    engine: str
    move: int
    """How many moves had been played."""
    text: str


@dataclass(frozen=True)
class PlayerRecord:
    """What one player was and used."""

    name: str
    version: str = ""
    sources: str | None = None
    """Montego's digest of what it plays by; empty for others, None in records that have none."""
    command: str = ""
    cpu_seconds: float | None = None
    seconds: float = 0.0
    """Time on the clock, for thinking about moves only."""
    slowest_seconds: float = 0.0


@dataclass(frozen=True)
class GameRecord:
    """One finished game."""

    game: int
    """Its number in the match, from 0. Nothing else identifies it."""
    black: PlayerRecord
    white: PlayerRecord
    result: str
    """As SGF has it: ``B+3.5``, ``W+R``, ``W+T``, ``B+F``, ``0``."""
    ending: Ending
    size: int
    komi: float
    rules: str
    moves: tuple[str, ...]
    """Moves by the engines, after the opening's."""
    first: str = "black"
    """Who played the first of them."""
    opening: str = ""
    opening_digest: str = ""
    """Changes with stones and moves of the opening, whatever its name."""
    dead: tuple[str, ...] = ()
    """Stones taken off before counting."""
    event: Event | None = None
    """The first bad event. A game with one may still have a good result: an engine can also crash
    when it is asked for dead stones."""
    seed: int | None = None
    started: str = ""
    seconds: float = 0.0
    extra: dict[str, Any] = field(default_factory=dict)
    """Whatever a caller wants to find again, such as a round."""

    @property
    def winner(self) -> Color | None:
        """``"black"``, ``"white"``, or None for a draw."""
        return parse_result(self.result).winner

    @property
    def black_points(self) -> float:
        """What the game gave to Black: 1, ½ or 0 points."""
        return {"black": 1.0, "white": 0.0}.get(self.winner or "", 0.5)

    def points(self, name: str) -> float:
        """Return what the game gave to one of its players by name: 1, ½ or 0 points."""
        return self.black_points if name == self.black.name else 1 - self.black_points

    def to_json(self) -> str:
        """Return the record as one line."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> GameRecord:
        """Return the record that ``to_json`` wrote; fields that others added are passed over.

        Raises:
            GoError: If it is not one.
        """
        try:
            record = msgspec.json.decode(line, type=cls)
            parse_result(record.result)
        except (ValueError, msgspec.MsgspecError) as error:
            raise GoError(f"not a game of the arena: {line[:60]!r} ({error})") from None
        return record


def game_sgf(record: GameRecord, game: Game) -> str:
    """Return the SGF of *game*, which is the one of *record*, with names and result."""
    from montego.go.transcript import transcribe  # noqa: PLC0415  # Needs NumPy.

    sgf = transcribe(game, None)
    comment = f"Game {record.game}, ended by {record.ending}."
    if record.event is not None:
        comment += f"\n{record.event.kind}: {record.event.text}"
    for name, text in {
        "PB": record.black.name,
        "PW": record.white.name,
        "RE": record.result,
        "DT": record.started[:10],
        "GN": f"game {record.game}",
        "GC": comment,
    }.items():
        sgf.root.set_text(name, text)
    return sgf.to_sgf()
