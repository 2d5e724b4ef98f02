"""What was learned by tuning, as one HTML file with plots."""

from __future__ import annotations

import itertools
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from montego.arena.drawing.plot import Line, line_plot
from montego.arena.tuning.bayesian import best_setting, learned
from montego.arena.tuning.parameter import Value, encode
from montego.arena.tuning.spsa import final_setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.arena.tuning.parameter import Parameter
    from montego.arena.tuning.spsa import Step
    from montego.arena.tuning.tuning import Trial, Tuning

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8883; }
th:first-child, td:first-child { text-align: left; } svg { width: 100%; height: auto; }
"""


def bayesian_report(tuning: Tuning, trials: Sequence[Trial]) -> str:
    """Return the report of trials that a Gaussian process chose."""
    if not trials:
        return _page("Tuning", ["<p>No trial has been finished yet.</p>"])
    best, mean, deviation = best_setting(tuning, trials)
    numbers = [float(place) for place in range(1, len(trials) + 1)]
    scores = [trial.tally.score for trial in trials]
    running = list(
        itertools.accumulate(scores[1:], lambda total, score: total + score, initial=scores[0])
    )
    means = [total / number for total, number in zip(running, numbers, strict=True)]
    games = sum(trial.tally.games for trial in trials)
    expected = f"{100 * mean:.1f} % ± {196 * deviation:.1f}"
    parts = [
        f"<p>{len(trials)} trials, {games} games; expected score of the best: {expected}.</p>",
        _settings([("best", best), ("start", tuning.start)]),
        "<h2>Trials</h2>",
        line_plot(
            [
                Line("score", list(zip(numbers, scores, strict=True)), is_dotted=True),
                Line("mean so far", list(zip(numbers, means, strict=True))),
            ],
            "trial",
            "score",
        ),
    ]
    for parameter in tuning.parameters:
        if parameter.kind != "choice":
            parts.append(f"<h2>{escape(parameter.name)}</h2>")
            parts.append(_slice(tuning, trials, parameter, best))
        else:
            parts.append(f"<h2>{escape(parameter.name)}</h2>")
            parts.append(_choices(tuning, trials, parameter, best))
    return _page("Tuning", parts)


def spsa_report(tuning: Tuning, steps: Sequence[Step]) -> str:
    """Return the report of steps along a gradient."""
    if not steps:
        return _page("Tuning", ["<p>No trial has been finished yet.</p>"])
    games = sum(step.plus.games + step.minus.games for step in steps)
    parts = [
        f"<p>{len(steps)} trials, {games} games.</p>",
        _settings([("now", final_setting(tuning, steps)), ("start", tuning.start)]),
    ]
    for place, parameter in enumerate(tuning.parameters):
        path = [(0.0, float(parameter.from_unit(steps[0].before[place])))]
        path += [
            (float(step.number + 1), float(parameter.from_unit(step.after[place])))
            for step in steps
        ]
        parts.append(f"<h2>{escape(parameter.name)}</h2>")
        parts.append(line_plot([Line(parameter.name, path)], "trial", parameter.name, height=200))
    return _page("Tuning", parts)


def _slice(
    tuning: Tuning, trials: Sequence[Trial], parameter: Parameter, best: dict[str, Value]
) -> str:
    """Plot the expected score along one parameter, all others as in the best setting."""
    process = learned(tuning, trials)
    values = [parameter.from_unit(unit) for unit in np.linspace(0, 1, 81)]
    places = [encode(tuning.parameters, {**best, parameter.name: value}) for value in values]
    means, deviations = process.predict(np.array(places))
    across = [float(value) for value in values]
    edges = [
        list(zip(across, map(float, means + sign * 1.96 * deviations), strict=True))
        for sign in (-1, 1)
    ]
    tried = [(float(trial.values[parameter.name]), trial.tally.score) for trial in trials]
    return line_plot(
        [
            Line("expected", list(zip(across, map(float, means), strict=True))),
            Line("tried", tried, is_dotted=True),
            Line("95 %", edges[0], color="#8b93a0"),
            Line("", edges[1], color="#8b93a0"),
        ],
        parameter.name,
        "score",
        height=240,
    )


def _choices(
    tuning: Tuning, trials: Sequence[Trial], parameter: Parameter, best: dict[str, Value]
) -> str:
    process = learned(tuning, trials)
    rows = []
    for choice in parameter.choices:
        place = encode(tuning.parameters, {**best, parameter.name: choice})
        means, deviations = process.predict(np.array([place]))
        rows.append(
            f"<tr><td>{escape(str(choice))}</td><td>{100 * means[0]:.1f} %</td>"
            f"<td>± {196 * deviations[0]:.1f}</td></tr>"
        )
    return f"<table><tr><th>choice</th><th>expected score</th><th></th></tr>{''.join(rows)}</table>"


def _settings(columns: Sequence[tuple[str, dict[str, Value]]]) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title, _ in columns)
    rows = "".join(
        f"<tr><td>{escape(name)}</td>"
        + "".join(f"<td>{escape(str(values[name]))}</td>" for _, values in columns)
        + "</tr>"
        for name in columns[0][1]
    )
    return f"<table><tr><th>parameter</th>{head}</tr>{rows}</table>"


def _page(title: str, parts: Sequence[str]) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>\n" + "\n".join(parts) + "</body></html>\n"
    )
