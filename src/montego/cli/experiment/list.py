"""``montego experiment list``: which experiments there are, and everything about some."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from montego.cli.experiment.run import minutes_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping, Sequence

    from montego.experiments.experiment import Experiment, Scale, Trial


def list_experiments(options: argparse.Namespace, found: Sequence[Experiment]) -> int:
    """Print a line about each, or everything if they were chosen by name."""
    if options.json:
        sys.stdout.write(json.dumps([_facts(one) for one in found], indent=2) + "\n")
    elif options.names:
        sys.stdout.write("\n".join(_description(experiment) for experiment in found))
    else:
        width = max((len(experiment.name) for experiment in found), default=0)
        for experiment in found:
            place = f"{experiment.document} {experiment.section}"
            minutes = minutes_text(experiment.cost["full"])
            sys.stdout.write(
                f"{experiment.name:{width}}  {place:24}  {minutes:>7}  {experiment.question}\n"
            )
        hours = sum(experiment.cost["full"] for experiment in found) / 60
        sys.stdout.write(
            f"\n{len(found)} experiments, {hours:.1f} h of processor time with --full; "
            "'montego experiment list NAME' says more\n"
        )
    return 0


def _facts(experiment: Experiment) -> dict[str, object]:
    return {
        "name": experiment.name,
        "document": experiment.document,
        "section": experiment.section,
        "question": experiment.question,
        "claim": experiment.claim,
        "figures": dict(experiment.figures),
        "minutes": dict(experiment.cost),
        "trials": {scale: len(experiment.plan(scale)) for scale in ("quick", "full")},
        "needs": list(experiment.needs),
        "missing": experiment.missing,
    }


def _description(experiment: Experiment) -> str:
    lines = [
        f"{experiment.name} ({experiment.document} {experiment.section})",
        f"  question  {experiment.question}",
        f"  document  {experiment.claim}",
    ]
    scale: Scale
    for scale in ("quick", "full"):
        plan = experiment.plan(scale)
        cells = {trial.cell for trial in plan}
        effort = f"{len(plan)} trials at {len(cells)} point{'' if len(cells) == 1 else 's'}"
        minutes = experiment.cost.get(scale)
        told = f", about {minutes_text(minutes)} of processor time" if minutes else ""
        lines.append(f"  {scale:8}  {effort}{told}")
    if experiment.needs:
        lines.append(f"  needs     {', '.join(experiment.needs)}")
    lines += _settings_text(experiment)
    return "\n".join(lines) + "\n"


def _settings_text(experiment: Experiment) -> list[str]:
    """Return what all points of a full run are set to, then each point and what it has besides."""
    cells: dict[str, list[Trial]] = {}
    for trial in sorted(experiment.plan("full"), key=lambda trial: trial.place):
        experiment.digest(trial)  # Which says what is wrong with settings that are not JSON.
        cells.setdefault(trial.cell, []).append(trial)
    if not cells:
        return []
    settings = {
        cell: _shared([trial.settings for trial in trials]) for cell, trials in cells.items()
    }
    common = _shared(settings.values())
    width = max(map(len, cells))
    lines = [f"  settings  {_json(common) if common else 'nothing in common'}"]
    for cell, trials in cells.items():
        own = _without(settings[cell], common)
        told = [_json(own)] if own else []
        if any(trial.settings != settings[cell] for trial in trials):
            told.append("and more that differs by trial")
        lines.append(f"    {cell:{width}}  {' '.join(told)}".rstrip())
    return lines


def _shared(settings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what several settings have in common; of settings within them, what those have."""
    first, *others = settings
    common = {}
    for key, value in first.items():
        if not all(key in other for other in others):
            continue
        values = [value, *(other[key] for other in others)]
        if all(other == value for other in values):
            common[key] = value
        elif all(isinstance(each, dict) for each in values):
            inner = _shared(values)
            if inner:
                common[key] = inner
    return common


def _without(settings: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """Return what *settings* have besides *common*, which is a part of them."""
    rest = {}
    for key, value in settings.items():
        if key not in common:
            rest[key] = value
        elif value != common[key]:
            rest[key] = _without(value, common[key])
    return rest


def _json(settings: Mapping[str, Any]) -> str:
    return json.dumps(settings, ensure_ascii=False)
