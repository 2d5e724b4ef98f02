"""How a person fares with problems: ratings, and when to see a problem again.

The rating is Elo's: person and problem play a game, which who solves it at the first try has won.
A problem comes back sooner or later, by how often in a row it was solved: spaced repetition, with
the boxes of S. Leitner ("So lernt man lernen", 1972).
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from montego.web.problems.exercise import Exercise

MINUTE, DAY = 60.0, 86_400.0
INTERVALS = (10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 16 * DAY, 35 * DAY, 90 * DAY)
"""Until a problem is due again, by its box."""

FIRST_RATING = 1200.0
PERSON_STEP, PROBLEM_STEP = 32.0, 16.0
MOST_HISTORY = 500

FORMAT = 1


class Card(Struct, omit_defaults=True):
    """What is kept of a problem that was tried."""

    box: int = 0
    due: float = 0.0
    """In seconds since 1970."""
    solved: int = 0
    failed: int = 0
    rating: float | None = None
    grade: int = 0


class Practice(Struct, omit_defaults=True):
    """All that is kept of a person's practice."""

    rating: float = FIRST_RATING
    streak: int = 0
    """Problems solved in a row."""
    history: list[float] = []
    """The rating after each of the last tries."""
    cards: dict[str, Card] = {}
    format: int = FORMAT

    def card(self, exercise: Exercise, rating: float) -> Card:
        """Return the card of a problem, which is new with that rating."""
        found = self.cards.get(exercise.id)
        if found is None:
            found = self.cards[exercise.id] = Card(rating=rating, grade=exercise.grade)
        return found

    def note(self, exercise: Exercise, rating: float, *, solved: bool, now: float) -> None:
        """Take in the first try at a problem; *rating* is that of one that is new."""
        card = self.card(exercise, rating)
        problem = rating if card.rating is None else card.rating
        expected = 1.0 / (1.0 + 10.0 ** ((problem - self.rating) / 400.0))
        gain = float(solved) - expected
        self.rating += PERSON_STEP * gain
        card.rating = problem - PROBLEM_STEP * gain
        self.history = [*self.history, round(self.rating, 1)][-MOST_HISTORY:]
        self.streak = self.streak + 1 if solved else 0
        card.solved += solved
        card.failed += not solved
        card.box = min(card.box + 1, len(INTERVALS) - 1) if solved else 0
        card.due = now + INTERVALS[card.box]

    def next(
        self, exercises: Sequence[Exercise], ratings: Sequence[float], now: float, last: str = ""
    ) -> Exercise | None:
        """Return what to try now: the longest due, else a new one about as strong as the person.

        If nothing is due and nothing new, the one that is due first. Never the *last* one again,
        unless there is no other.
        """
        others = [
            (exercise, rating)
            for exercise, rating in zip(exercises, ratings, strict=True)
            if exercise.id != last
        ]
        if not others:
            return exercises[0] if exercises else None
        seen = [
            (self.cards[exercise.id].due, exercise)
            for exercise, _ in others
            if exercise.id in self.cards
        ]
        if seen:
            due, oldest = min(seen, key=lambda pair: pair[0])
            if due <= now:
                return oldest
        new = [
            (abs(rating - self.rating), exercise)
            for exercise, rating in others
            if exercise.id not in self.cards
        ]
        if new:
            return min(new, key=lambda pair: pair[0])[1]
        return min(seen, key=lambda pair: pair[0])[1]


def load_practice(file: Path) -> Practice:
    """Return what was kept; nothing if there is none. What cannot be read is set aside."""
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Practice)
    except FileNotFoundError:
        return Practice()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        with contextlib.suppress(OSError):
            file.replace(file.with_suffix(".damaged"))
        return Practice()
    return found


def write_whole(file: Path, data: bytes) -> None:
    """Write a file in one step: a crash leaves the old one or the new one.

    Raises:
        OSError: If it cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    half = file.with_name(f".{file.name}.new")
    with half.open("wb") as written:
        written.write(data)
        written.flush()
        os.fsync(written.fileno())
    half.replace(file)
