"""Ratings, and when a problem comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from montego.web.problems.exercise import Exercise
from montego.web.problems.practice import INTERVALS, Practice, load_practice, write_whole

if TYPE_CHECKING:
    from pathlib import Path

EASY = Exercise("own/easy", "easy", (".X", "O."), "black", grade=1)
HARD = Exercise("own/hard", "hard", (".X", "O."), "black", grade=5)
BOTH, RATINGS = [EASY, HARD], [900.0, 1900.0]


def test_who_solves_a_hard_problem_gains_more_than_by_an_easy_one() -> None:
    easy, hard = Practice(), Practice()
    easy.note(EASY, 900.0, solved=True, now=0.0)
    hard.note(HARD, 1900.0, solved=True, now=0.0)
    assert 1200.0 < easy.rating < hard.rating
    assert (hard.cards["own/hard"].rating or 0.0) < 1900.0
    hard.note(HARD, 1900.0, solved=False, now=1.0)
    assert hard.streak == 0
    assert len(hard.history) == 2


def test_a_problem_comes_back_later_and_later_and_soon_after_a_failure() -> None:
    practice, now = Practice(), 1000.0
    for box in (1, 2, 3):
        practice.note(EASY, 900.0, solved=True, now=now)
        assert practice.cards["own/easy"].due == now + INTERVALS[box]
    practice.note(EASY, 900.0, solved=False, now=now)
    assert practice.cards["own/easy"].due == now + INTERVALS[0]
    card = practice.cards["own/easy"]
    assert (card.solved, card.failed) == (3, 1)


def test_what_is_due_comes_first_then_what_is_as_strong_as_the_person() -> None:
    practice = Practice()
    assert practice.next(BOTH, RATINGS, 0.0) is EASY
    practice.note(EASY, 900.0, solved=True, now=0.0)
    assert practice.next(BOTH, RATINGS, 1.0) is HARD
    assert practice.next(BOTH, RATINGS, INTERVALS[1] + 1.0) is EASY
    practice.note(HARD, 1900.0, solved=True, now=10.0)
    # Nothing is due: what is due first, but not the same one twice.
    assert practice.next(BOTH, RATINGS, 20.0) is EASY
    assert practice.next(BOTH, RATINGS, 20.0, last="own/easy") is HARD
    assert practice.next([EASY], [900.0], 20.0, last="own/easy") is EASY
    assert practice.next([], [], 0.0) is None


def test_practice_survives_and_damage_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "practice.json"
    assert load_practice(file) == Practice()
    practice = Practice()
    practice.note(EASY, 900.0, solved=True, now=5.0)
    write_whole(file, msgspec.json.encode(practice))
    assert load_practice(file) == practice

    file.write_bytes(b"{nonsense")
    assert load_practice(file) == Practice()
    assert file.with_suffix(".damaged").read_bytes() == b"{nonsense"
