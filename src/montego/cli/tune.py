"""``montego tune``: find good values for an engine's parameters by playing."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from montego.arena.tuning.parameter import Value
    from montego.arena.tuning.spsa import Step
    from montego.arena.tuning.tuning import Trial, Tuning

REPORT = "report.html"
BEST = "best.toml"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``tune`` to the command line."""
    parser = commands.add_parser(
        "tune",
        help="find good parameters of a GTP engine by playing",
        description="Tune the parameters that a TOML file names. The best setting is written as "
        f"{BEST}, for 'montego gtp --config', and what was learned as {REPORT}. Run it again to go "
        "on after an interruption, or with more trials.",
    )
    parser.add_argument("file", metavar="FILE.toml", help="engine, opponent and parameters")
    parser.add_argument("--trials", type=int, metavar="N", help="instead of the file's")
    parser.add_argument("--output", metavar="FOLDER", help="instead of the one in the file")
    parser.add_argument("--concurrency", type=int, metavar="N", help="games at a time")
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Tune, and write the result."""
    from dataclasses import replace  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from montego.arena.tuning.tuning import read_tuning  # noqa: PLC0415  # --help needs none of it.

    tuning, folder = read_tuning(options.file)
    if options.output is not None:
        folder = Path(options.output)
    if options.trials is not None:
        tuning = replace(tuning, trials=options.trials)
    if options.concurrency is not None:
        tuning = replace(tuning, concurrency=options.concurrency)
    if tuning.method == "spsa":
        values, comment = _run_spsa(tuning, folder)
    else:
        values, comment = _run_bayesian(tuning, folder)
    if options.json:
        sys.stdout.write(json.dumps({"parameters": values, "note": comment}, indent=2) + "\n")
    else:
        for name, value in values.items():
            sys.stdout.write(f"{name} = {json.dumps(value)}\n")
        sys.stdout.write(f"{comment}\nwritten: {folder / BEST}, {folder / REPORT}\n")
    return 0


def _run_bayesian(tuning: Tuning, folder: Path) -> tuple[Mapping[str, Value], str]:
    from montego.arena.tuning.bayesian import best_setting, tune_bayesian  # noqa: PLC0415
    from montego.arena.tuning.report import bayesian_report  # noqa: PLC0415

    def note(trials: Sequence[Trial]) -> tuple[dict[str, Value], str]:
        values, mean, deviation = best_setting(tuning, trials)
        games = sum(trial.tally.games for trial in trials)
        return values, (
            f"expected score {100 * mean:.1f} % ± {196 * deviation:.1f} against the opponent, "
            f"from {games} games in {len(trials)} trials"
        )

    def report(trials: Sequence[Trial]) -> bool:
        if trials:
            latest = trials[-1]
            _say(f"trial {len(trials)}/{tuning.trials}", latest.values, 100 * latest.tally.score)
            _write(folder, *note(trials), bayesian_report(tuning, trials))
        return True

    return note(tune_bayesian(tuning, folder, report))


def _run_spsa(tuning: Tuning, folder: Path) -> tuple[Mapping[str, Value], str]:
    from montego.arena.tuning.report import spsa_report  # noqa: PLC0415
    from montego.arena.tuning.spsa import final_setting, trials_of, tune_spsa  # noqa: PLC0415

    def note(steps: Sequence[Step]) -> tuple[dict[str, Value], str]:
        games = sum(step.plus.games + step.minus.games for step in steps)
        return final_setting(tuning, steps), f"from {games} games in {len(steps)} trials of SPSA"

    def report(steps: Sequence[Step]) -> bool:
        if steps:
            latest = trials_of(tuning, steps[-1:])[0]
            _say(f"trial {len(steps)}/{tuning.trials}", latest.values, 100 * latest.tally.score)
            _write(folder, *note(steps), spsa_report(tuning, steps))
        return True

    return note(tune_spsa(tuning, folder, report))


def _say(title: str, values: Mapping[str, Value], percent: float) -> None:
    setting = ", ".join(f"{name} {value}" for name, value in values.items())
    sys.stderr.write(f"{title}: {setting}: {percent:.1f} %\n")
    sys.stderr.flush()


def _write(folder: Path, values: Mapping[str, Value], comment: str, page: str) -> None:
    """Write the best setting so far and the report, so that neither is ever seen half."""
    from montego.arena.store import write_whole  # noqa: PLC0415
    from montego.arena.tuning.parameter import config_text  # noqa: PLC0415

    write_whole(folder / BEST, config_text(values, [f"Tuned by playing: {comment}."]))
    write_whole(folder / REPORT, page)
