"""Tuning many parameters at once: simultaneous perturbation stochastic approximation.

Each trial moves all parameters a little at random, half of the games with the move and half with
its opposite, and then steps towards the better side; the cost of a step does not grow with the
number of parameters. Steps shrink as J. C. Spall recommends ("Implementation of the simultaneous
perturbation algorithm", 1998). Without an opponent the two sides play each other.
"""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.arena.statistics import Tally
from montego.arena.tuning.tuning import Trial, Tuning, candidate, check_folder, play_batch
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from montego.arena.tuning.parameter import Value

STEPS = "steps.jsonl"
STEP_POWER, PERTURBATION_POWER = 0.602, 0.101  # Spall's exponents.
STABILITY = 0.1  # Steps begin as if a tenth of the trials had been made.


@dataclass(frozen=True)
class Step:
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
    tuning: Tuning, folder: Path, report: Callable[[Sequence[Step]], bool] | None = None
) -> list[Step]:
    """Run trials until there are as many as wanted, and return all steps.

    *report* is called before the first new trial and after each; False ends it early. Every step is
    on the disk before the next begins, and a trial that was interrupted keeps its games.

    Raises:
        GoError: If the folder is another tuning's.
        EngineError: If an engine cannot be started.
    """
    check_folder(tuning, folder)
    steps = read_steps(folder)
    while (report is None or report(steps)) and len(steps) < tuning.trials:
        number = len(steps)
        place = steps[-1].after if steps else start_place(tuning)
        signs = directions(tuning, number)
        sides = [
            _setting(tuning, place, signs, sign * distance(tuning, number)) for sign in (1, -1)
        ]
        plus, minus = _play(tuning, sides, folder / "trials" / f"{number:05d}", number)
        steps.append(advance(tuning, number, place, signs, plus, minus))
        _append(folder, steps[-1])
    return steps


def start_place(tuning: Tuning) -> tuple[float, ...]:
    """Return where tuning starts, in the unit cube."""
    return tuple(item.to_unit(item.start) for item in tuning.parameters)


def directions(tuning: Tuning, number: int) -> tuple[int, ...]:
    """Return +1 or -1 for each parameter; always the same for one trial."""
    chance = random.Random(f"{tuning.seed}/{number}")
    return tuple(chance.choice((-1, 1)) for _ in tuning.parameters)


def distance(tuning: Tuning, number: int) -> float:
    """Return how far from the middle the two sides of a trial lie."""
    return float(tuning.perturbation / (number + 1) ** PERTURBATION_POWER)


def advance(
    tuning: Tuning,
    number: int,
    place: Sequence[float],
    signs: Sequence[int],
    plus: Tally,
    minus: Tally,
) -> Step:
    """Return the step that results call for: a clear result moves by the step, an even one by 0."""
    advantage = plus.score - minus.score if tuning.opponent else 2 * plus.score - 1
    offset = STABILITY * tuning.trials
    gain = tuning.step * ((1 + offset) / (number + 1 + offset)) ** STEP_POWER
    after = tuple(
        min(1.0, max(0.0, unit + gain * advantage * sign))
        for unit, sign in zip(place, signs, strict=True)
    )
    return Step(number, tuple(place), after, tuple(signs), plus, minus)


def final_setting(tuning: Tuning, steps: Sequence[Step]) -> dict[str, Value]:
    """Return the mean place of the last fifth of the steps, which is steadier than the very last.

    Raises:
        GoError: If there are no steps.
    """
    if not steps:
        raise GoError("no trial has been finished yet")
    last = steps[-max(1, len(steps) // 5) :]
    return {
        parameter.name: parameter.from_unit(sum(step.after[place] for step in last) / len(last))
        for place, parameter in enumerate(tuning.parameters)
    }


def trials_of(tuning: Tuning, steps: Sequence[Step]) -> list[Trial]:
    """Return the steps as trials, for reports: where each began, and its games."""
    return [
        Trial(
            step.number,
            {
                item.name: item.from_unit(unit)
                for item, unit in zip(tuning.parameters, step.before, strict=True)
            },
            step.plus,
        )
        for step in steps
    ]


def read_steps(folder: Path) -> list[Step]:
    """Return the steps kept in a folder; a line that was not finished is cut off."""
    path = folder / STEPS
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
    steps = []
    for line in data[:whole].splitlines():
        try:
            fields = json.loads(line)
            steps.append(
                Step(
                    fields["number"],
                    tuple(fields["before"]),
                    tuple(fields["after"]),
                    tuple(fields["signs"]),
                    Tally(*fields["plus"]),
                    Tally(*fields["minus"]),
                )
            )
        except (ValueError, KeyError, TypeError):
            raise GoError(f"{path} is damaged at step {len(steps)}") from None
    return steps


def _append(folder: Path, step: Step) -> None:
    fields = {
        "number": step.number,
        "before": step.before,
        "after": step.after,
        "signs": step.signs,
        "plus": [step.plus.wins, step.plus.losses, step.plus.draws],
        "minus": [step.minus.wins, step.minus.losses, step.minus.draws],
    }
    with (folder / STEPS).open("ab") as stream:
        stream.write(json.dumps(fields).encode() + b"\n")
        stream.flush()
        os.fsync(stream.fileno())


def _setting(
    tuning: Tuning, place: Sequence[float], signs: Sequence[int], shift: float
) -> dict[str, Value]:
    setting = {}
    for parameter, unit, sign in zip(tuning.parameters, place, signs, strict=True):
        move = shift
        if parameter.kind == "int" and not parameter.is_logarithmic:
            # Half a whole number, at least, or both sides would be the same.
            least = 0.5 / (parameter.high - parameter.low)
            move = max(abs(shift), least) * (1 if shift > 0 else -1)
        setting[parameter.name] = parameter.from_unit(unit + sign * move)
    return setting


def _play(
    tuning: Tuning, sides: Sequence[dict[str, Value]], folder: Path, number: int
) -> tuple[Tally, Tally]:
    plus, minus = (
        candidate(tuning, side, name, folder)
        for side, name in zip(sides, ("plus", "minus"), strict=True)
    )
    seed = tuning.seed * 100_003 + number
    if not tuning.opponent:
        return play_batch(tuning, plus, minus, folder / "games", seed)[0], Tally()
    opponent = EngineSpec("opponent", tuning.opponent)
    first, _ = play_batch(tuning, plus, opponent, folder / "plus", seed)
    second, _ = play_batch(tuning, minus, opponent, folder / "minus", seed)
    return first, second
