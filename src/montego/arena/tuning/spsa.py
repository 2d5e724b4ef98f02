"""Tuning many parameters at once: simultaneous perturbation stochastic approximation.

Each trial moves all parameters a little at random, half of the games with the move and half with
its opposite, and then steps towards the better side; the cost of a step does not grow with the
number of parameters. Steps shrink as J. C. Spall recommends ("Implementation of the simultaneous
perturbation algorithm", 1998). Without an opponent the two sides play each other.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from montego.arena.drawing import Curve, curve_chart
from montego.arena.page import html_page
from montego.arena.statistics import Tally, wilson_interval
from montego.arena.tuning.tuning import (
    TITLE,
    Tuning,
    candidate,
    play_batch,
    run_trials,
    setting_table,
)
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from montego.arena.tuning.tuning import Value

STEPS = "steps.jsonl"
STEP_POWER, PERTURBATION_POWER = 0.602, 0.101  # Spall's exponents.
STABILITY = 0.1  # Steps begin as if a tenth of the trials had been made.


@dataclass(frozen=True)
class SpsaStep:
    """One trial: where it began and ended in the unit cube, and what the games gave."""

    number: int
    before: tuple[float, ...]
    after: tuple[float, ...]
    signs: tuple[int, ...]
    plus: Tally
    """Results of the moved side, against its opposite or against the opponent."""
    minus: Tally
    """Results of the opposite side against the opponent; empty without one."""


def tune_spsa(
    tuning: Tuning, folder: Path, report: Callable[[Sequence[SpsaStep]], bool] | None = None
) -> list[SpsaStep]:
    """Run trials until there are as many as wanted, and return all steps.

    *report* is called before the first new trial and after each; False ends it early. A trial that
    was interrupted keeps its games.

    Raises:
        GoError: If the folder is another tuning's.
        EngineError: If an engine cannot be started.
    """

    def read(fields: dict[str, Any]) -> SpsaStep:
        before, after, signs = (tuple(fields[name]) for name in ("before", "after", "signs"))
        plus, minus = (Tally(*fields[name]) for name in ("plus", "minus"))
        return SpsaStep(fields["number"], before, after, signs, plus, minus)

    def play(steps: Sequence[SpsaStep]) -> SpsaStep:
        number = len(steps)
        place = steps[-1].after if steps else tuning.units(tuning.start)
        signs = directions(tuning, number)
        shift = float(tuning.perturbation / (number + 1) ** PERTURBATION_POWER)
        where = folder / "trials" / f"{number:05d}"
        plus, minus = (
            candidate(tuning, _side(tuning, place, signs, sign * shift), name, where)
            for name, sign in (("plus", 1), ("minus", -1))
        )
        if tuning.opponent:
            other = EngineSpec("opponent", tuning.opponent)
            first = play_batch(tuning, plus, other, where / "plus", number)[0]
            second = play_batch(tuning, minus, other, where / "minus", number)[0]
        else:
            first, second = play_batch(tuning, plus, minus, where / "games", number)[0], Tally()
        return advance(tuning, number, place, signs, first, second)

    return run_trials(tuning, folder / STEPS, read, play, report)


def directions(tuning: Tuning, number: int) -> tuple[int, ...]:
    """Return +1 or -1 for each parameter; always the same for one trial."""
    chance = random.Random(f"{tuning.seed}/{number}")
    return tuple(chance.choice((-1, 1)) for _ in tuning.parameters)


def advance(
    tuning: Tuning,
    number: int,
    place: Sequence[float],
    signs: Sequence[int],
    plus: Tally,
    minus: Tally,
) -> SpsaStep:
    """Return the step that results call for: a clear result moves by the step, an even one by 0."""
    advantage = plus.score - minus.score if tuning.opponent else 2 * plus.score - 1
    offset = STABILITY * tuning.trials
    gain = tuning.step * ((1 + offset) / (number + 1 + offset)) ** STEP_POWER
    after = tuple(
        min(1.0, max(0.0, unit + gain * advantage * sign))
        for unit, sign in zip(place, signs, strict=True)
    )
    return SpsaStep(number, tuple(place), after, tuple(signs), plus, minus)


def final_setting(tuning: Tuning, steps: Sequence[SpsaStep]) -> dict[str, Value]:
    """Return the mean place of the last fifth of the steps, which is steadier than the very last.

    Raises:
        GoError: If there are no steps.
    """
    if not steps:
        raise GoError("no trial has been finished yet")
    last = _last_fifth(steps)
    sums = map(sum, zip(*(step.after for step in last), strict=True))
    return tuning.setting(total / len(last) for total in sums)


def expected_score(tuning: Tuning, steps: Sequence[SpsaStep]) -> tuple[float, float, float] | None:
    """Return the score of the final setting against the opponent, and the ends of its interval.

    It is that of the last fifth of the steps: their two sides lie evenly around the setting. None
    without an opponent, for then the sides only played each other.
    """
    if not tuning.opponent or not steps:
        return None
    tally = sum((step.plus + step.minus for step in _last_fifth(steps)), Tally())
    return tally.score, *wilson_interval(tally.wins + tally.draws / 2, tally.games)


def _last_fifth(steps: Sequence[SpsaStep]) -> Sequence[SpsaStep]:
    return steps[-max(1, len(steps) // 5) :]


def _side(
    tuning: Tuning, place: Sequence[float], signs: Sequence[int], shift: float
) -> dict[str, Value]:
    """Return the setting that lies so far from the middle, in the directions of *signs*."""
    units = []
    for parameter, unit, sign in zip(tuning.parameters, place, signs, strict=True):
        move = shift
        if parameter.kind == "int" and not parameter.is_logarithmic:
            # Half a whole number, at least, or both sides would be the same.
            move = math.copysign(max(abs(shift), 0.5 / (parameter.high - parameter.low)), shift)
        units.append(unit + sign * move)
    return tuning.setting(units)


def score_in_words(tuning: Tuning, steps: Sequence[SpsaStep]) -> str:
    """Return the expected score for people, or why there is none."""
    found = expected_score(tuning, steps)
    if found is None:
        return "without an opponent the score of the setting is unknown"
    score, low, high = (100 * share for share in found)
    return f"expected score {score:.1f} % [{low:.1f}, {high:.1f}] against the opponent"


def spsa_report(tuning: Tuning, steps: Sequence[SpsaStep]) -> str:
    """Return the way of the parameters so far as one HTML file with plots."""
    if not steps:
        return html_page(TITLE, ["<p>No trial has been finished yet.</p>"])
    games = sum(step.plus.games + step.minus.games for step in steps)
    parts = [
        f"<p>{len(steps)} trials, {games} games; {escape(score_in_words(tuning, steps))}.</p>",
        setting_table({"now": final_setting(tuning, steps), "start": tuning.start}),
    ]
    for place, parameter in enumerate(tuning.parameters):
        units = [steps[0].before[place], *(step.after[place] for step in steps)]
        path = [
            (float(number), float(parameter.from_unit(unit))) for number, unit in enumerate(units)
        ]
        parts.append(f"<h2>{escape(parameter.name)}</h2>")
        curve = Curve.through(parameter.name, path, without="points")
        parts.append(curve_chart([curve], "trial", parameter.name, height=200))
    return html_page(TITLE, parts)
