"""What Monte Carlo begins with: the estimate of π (2.3), and the regret of a bandit (2.3.1)."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

import numpy as np

from montego.arena.drawing import Curve, Dot, curve_chart, svg_text
from montego.experiments.experiment import Experiment, Plot, Summary, Trial, by_cell, interleaved
from montego.experiments.figures import FigureRow, curve_of, fitted_power, mean_row, ratio_row
from montego.experiments.verdict import Check, agrees, at_most, below, more

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.experiments.experiment import JSON, Scale, TrialResult

POINTS = {f"{n:,} points": float(n) for n in (100, 1000, 10_000, 100_000, 1_000_000)}
ESTIMATES = 20
"""Estimates of a trial."""
CLOSE = 0.01
"""An error of π that is really close, for the most points."""
MANY = 100_000
"""Points that are a large number of them."""
PICTURE = "picture"
SHOWN_POINTS = 500
ERROR_POWER = "exponent of the number of points"
TOLERANCE = 0.05


def _pi_trials(scale: Scale) -> list[Trial]:
    cells: dict[str, dict[str, JSON]] = {
        cell: {"points": int(points)}
        for cell, points in POINTS.items()
        if scale == "full" or points <= 100_000
    }
    picture = Trial(PICTURE, 0, {"points": SHOWN_POINTS}, place=len(cells))
    return [picture, *interleaved(cells, 20 if scale == "full" else 2)]


def estimate_pi(trial: Trial) -> JSON:
    """Return estimates of π, or the points of one: by their share in the circle of the square."""
    random = np.random.default_rng(trial.seed)
    count = trial.settings["points"]
    if trial.cell == PICTURE:
        return [[round(float(v), 3) for v in point] for point in random.uniform(-1, 1, (count, 2))]
    estimates = []
    for _ in range(ESTIMATES):
        inside = (random.uniform(-1, 1, (count, 2)) ** 2).sum(axis=1) <= 1.0
        estimates.append(4.0 * float(inside.mean()))
    return estimates


def _summarize_pi(results: Sequence[TrialResult]) -> Summary:
    values = by_cell(results)
    errors = {
        cell: [statistics.fmean(abs(value - math.pi) for value in found) for found in values[cell]]
        for cell in POINTS
        if cell in values
    }
    rows = {cell: mean_row(f"error, {cell}", found) for cell, found in errors.items()}
    means = [(POINTS[cell], row.ours) for cell, row in rows.items()]
    power = _power_of(errors)
    checks = [below(rows.get(cell), CLOSE) for cell in rows if POINTS[cell] >= MANY]
    checks.append(agrees(power, TOLERANCE))
    curve = curve_of("measured", rows, POINTS)
    fall = [Dot(x, 1.3 / math.sqrt(x)) for x, _ in means]
    chart = curve_chart(
        [curve, Curve("1.3 / √N", fall, is_dashed=True)],
        "points N",
        "mean error of π",
        log_x=True,
        log_y=True,
    )
    plots = [Plot("error", chart, "Mean error of the estimate, 95 %, and the law of its fall.")]
    plots += [
        Plot("points", _square(points), _square_caption(points))
        for points in values.get(PICTURE, [])
    ]
    shown = [*rows.values(), *([power] if power else [])]
    return Summary.of(shown, checks, plots=plots)


def _power_of(errors: Mapping[str, Sequence[float]]) -> FigureRow | None:
    """Return the exponent of the power law that errors fall by: the mean of those of each round."""
    if len(errors) < 2:
        return None
    places = [POINTS[cell] for cell in errors]
    rounds = zip(*errors.values(), strict=False)
    powers = [fitted_power(list(zip(places, found, strict=True)))[1] for found in rounds]
    return mean_row(ERROR_POWER, powers, -0.5)


def _square(points: Sequence[Sequence[float]]) -> str:
    """Draw points of the square, those within the circle filled, after figure 2.5."""
    side, left, top = 240, 160, 10
    dots = "".join(
        f'<circle cx="{left + side * (x + 1) / 2:.1f}" cy="{top + side * (1 - y) / 2:.1f}" '
        f'r="2" fill="{"currentColor" if x * x + y * y <= 1 else "none"}" stroke="currentColor" '
        'stroke-width="0.7"/>'
        for x, y in points
    )
    frame = (
        f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" '
        'stroke="currentColor"/>'
        f'<circle cx="{left + side / 2}" cy="{top + side / 2}" r="{side / 2}" fill="none" '
        'stroke="currentColor"/>'
    )
    return svg_text(side + 2 * top, [frame, dots])


def _square_caption(points: Sequence[Sequence[float]]) -> str:
    inside = sum(x * x + y * y <= 1 for x, y in points)
    return (
        f"After figure 2.5: {inside} of {len(points)} points are in the circle, which makes π "
        f"{4 * inside / len(points):.3f}."
    )


PI = Experiment(
    name="estimate-of-pi",
    document="000",
    section="2.3, figure 2.5; 002 2.1.1",
    question="How close does the share of random points in a circle come to π?",
    claim="With a large enough number of samples the estimate gets really close to π, by the law "
    "of large numbers: its error falls as one over the root of their number.",
    figures={ERROR_POWER: -0.5},
    trials=_pi_trials,
    run=estimate_pi,
    summarize=_summarize_pi,
    cost={"quick": 0.02, "full": 0.3},
)

ARMS = tuple(round(0.3 + 0.05 * arm, 2) for arm in range(10))
"""Chances of a reward of 1, for each of the arms."""
BEST = max(ARMS)
K = math.sqrt(2.0)
UCB = "UCB, k = √2"
STRATEGIES: dict[str, float | None] = {
    UCB: K,
    "UCB, k = 0.5": 0.5,
    "exploitation alone": 0.0,
    "exploration alone": None,
}
"""The constant k of each; None plays any arm, whatever is known."""
ROUNDS = {"full": 10_000, "quick": 1000}
BANDITS = 50
"""Bandits of a trial."""
SHRINKING = "shrinking term"
LARGEST = 300
SLOWER = "UCB's regret, 10 times the rounds"


def _bandit_trials(scale: Scale) -> list[Trial]:
    cells = {
        name: {"k": k, "rounds": ROUNDS[scale], "arms": list(ARMS)}
        for name, k in STRATEGIES.items()
    }
    term = Trial(SHRINKING, 0, {"largest": LARGEST}, place=len(cells))
    return [term, *interleaved(cells, 20 if scale == "full" else 2)]


def play_bandits(trial: Trial) -> JSON:
    """Return the mean regret of many bandits at round 10, 20, 50, 100 and so on.

    For the term of exploration: where it does not shrink for an element that was just chosen.
    """
    settings = trial.settings
    if trial.cell == SHRINKING:
        return {
            "not": [
                [n, own]
                for n in range(2, settings["largest"])
                for own in range(1, n + 1)
                if not math.log(n) / own > math.log(n + 1) / (own + 1)
            ]
        }
    random = np.random.default_rng(trial.seed)
    arms, rounds, k = np.array(settings["arms"]), settings["rounds"], settings["k"]
    each = np.arange(BANDITS)
    plays, rewards = np.zeros((BANDITS, len(arms))), np.zeros((BANDITS, len(arms)))
    gained, regrets = np.zeros(BANDITS), {}
    wanted = set(_marks(rounds))
    for number in range(1, rounds + 1):
        if k is None:
            chosen = random.integers(len(arms), size=BANDITS)
        elif number <= len(arms):
            chosen = np.full(BANDITS, number - 1)
        else:
            bound = rewards / plays + k * np.sqrt(math.log(number - 1) / plays)
            chosen = bound.argmax(axis=1)
        reward = random.random(BANDITS) < arms[chosen]
        plays[each, chosen] += 1
        rewards[each, chosen] += reward
        gained += reward
        if number in wanted:
            regrets[str(number)] = round(float((number * arms.max() - gained).mean()), 3)
    return regrets


def _marks(rounds: int) -> list[int]:
    return [m for p in range(1, 7) for m in (10**p, 2 * 10**p, 5 * 10**p) if m <= rounds]


def auer_bound(rounds: int) -> float:
    """Return what UCB1's regret is below on average, with k = √2 (P. Auer et al., 2002)."""
    gaps = [BEST - arm for arm in ARMS if arm < BEST]
    return sum(8 * math.log(rounds) / gap + (1 + math.pi**2 / 3) * gap for gap in gaps)


def _summarize_bandits(results: Sequence[TrialResult]) -> Summary:
    values = by_cell(results)
    played = {name: values[name] for name in STRATEGIES if name in values}
    if not played:
        return Summary.of([], [])
    last = max(int(mark) for found in played.values() for mark in found[0])
    rows = {
        name: mean_row(f"{name}, regret after {last:,} rounds", [v[str(last)] for v in found])
        for name, found in played.items()
    }
    own = rows.get(UCB)
    tenth = [value[str(last // 10)] for value in played.get(UCB, [])]
    growth = ratio_row(SLOWER, [value[str(last)] for value in played.get(UCB, [])], tenth)
    checks = [
        more(rows.get("exploitation alone"), own),
        more(rows.get("exploration alone"), own),
        at_most(own, auer_bound(last)),
        below(growth, 10.0),
        *(_shrinks(value["not"]) for value in values.get(SHRINKING, [])),
    ]
    curves = [_regret_curve(name, found) for name, found in played.items()]
    chart = curve_chart(curves, "rounds", "regret", log_x=True, log_y=True)
    caption = f"Regret by rounds, {BANDITS} bandits of {len(ARMS)} arms a trial, 95 %."
    bound = f"The bound of Auer and others for UCB1 is {auer_bound(last):,.0f} here."
    note = f"Arms reward 1 with the chances {ARMS[0]:g} to {ARMS[-1]:g}; the document has none."
    shown: list[FigureRow] = [*rows.values(), *([growth] if growth else [])]
    return Summary.of(shown, checks, plots=[Plot("regret", chart, caption)], notes=[note, bound])


def _regret_curve(name: str, found: Sequence[Mapping[str, float]]) -> Curve:
    dots = []
    for mark in found[0]:
        row = mean_row(name, [value[mark] for value in found])
        if row.ours > 0 and math.isfinite(row.low):
            dots.append(Dot(float(mark), row.ours, max(row.low, 0.1), row.high))
    return Curve(name, dots)


def _shrinks(exceptions: Sequence[Sequence[int]]) -> Check:
    """Check that ln n / n_i falls when the element i is chosen, for n > 1, as the document says."""
    claim = "the term of exploration shrinks for an element that is chosen"
    refuted = "any n above 1 and n_i at which ln n / n_i does not fall"
    if not exceptions:
        return Check(f"{claim}, for all n up to {LARGEST}", holds=True, refuted_by=refuted)
    where = ", ".join(f"n = {n} and n_i = {own}" for n, own in exceptions[:3])
    rest = f" and {len(exceptions) - 3} more" if len(exceptions) > 3 else ""
    return Check(f"{claim}, but not at {where}{rest}", holds=False, refuted_by=refuted)


BANDIT = Experiment(
    name="bandit-regret",
    document="000",
    section="2.3.1",
    question="Does UCB balance exploration and exploitation?",
    claim="UCB, basically with k = √2, balances the trade-off, to minimize the regret; its term of "
    "exploration falls for an element each time it is chosen, for n > 1.",
    trials=_bandit_trials,
    run=play_bandits,
    summarize=_summarize_bandits,
    cost={"quick": 0.05, "full": 1.5},
)
