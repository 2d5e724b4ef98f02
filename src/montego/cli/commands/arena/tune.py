"""``montego tune``: find good values for an engine's parameters by playing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from montego.arena.store import write_whole
from montego.arena.tuning.spsa import (
    STEPS,
    final_setting,
    score_in_words,
    spsa_report,
    tune_spsa,
)
from montego.arena.tuning.tuning import TRIALS, config_text, read_tuning
from montego.cli.cluster_option import SPREAD, venue_of
from montego.cli.command import Namespace, argument, command
from montego.cli.commands.arena.match import begin_anew
from montego.cli.output import print_result, tell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.arena.statistics import Tally
    from montego.arena.tuning.bayesian import TuningTrial
    from montego.arena.tuning.spsa import SpsaStep
    from montego.arena.tuning.tuning import Tuning, Value

REPORT = "report.html"
BEST = "best.toml"


@command(
    f"Tune the parameters that a TOML file names. The best setting is written as {BEST}, for "
    f"'montego gtp --config', and what was learned as {REPORT}. Run it again to go on after an "
    "interruption, or with more trials.",
    argument("file FILE.toml", "engine, opponent and parameters"),
    argument("--trials N", "instead of the file's", type=int),
    argument("--output FOLDER", "instead of the one in the file"),
    argument("--concurrency N", "games at a time, on each machine", type=int),
    SPREAD,
    argument(
        "--anew", "begin anew: a folder that is there already is renamed to FOLDER.old-1 and so on"
    ),
    argument("--json", "the result as JSON"),
)
def tune(options: Namespace) -> None:
    """Tune, and write the result."""
    tuning, folder = read_tuning(options.file)
    if options.output is not None:
        folder = Path(options.output)
    if options.anew:
        begin_anew(folder, STEPS if tuning.method == "spsa" else TRIALS)
    if options.trials is not None:
        tuning = replace(tuning, trials=options.trials)
    if options.concurrency is not None:
        tuning = replace(tuning, concurrency=options.concurrency)
    run = _run_spsa if tuning.method == "spsa" else _run_bayesian
    with venue_of(options, tuning.concurrency) as venue:
        values, comment = run(replace(tuning, venue=venue), folder)
    lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    lines += [comment, f"written: {folder / BEST}, {folder / REPORT}\n"]
    print_result(options, {"parameters": values, "note": comment}, "\n".join(lines))


def _run_bayesian(tuning: Tuning, folder: Path) -> tuple[Mapping[str, Value], str]:
    from montego.arena.tuning.bayesian import (  # Loads NumPy.
        bayesian_report,
        best_setting,
        tune_bayesian,
    )

    def note(trials: Sequence[TuningTrial]) -> tuple[dict[str, Value], str]:
        values, mean, deviation = best_setting(tuning, trials)
        games = sum(trial.tally.games for trial in trials)
        return values, (
            f"expected score {100 * mean:.1f} % ± {196 * deviation:.1f} against the opponent, "
            f"from {games} games in {len(trials)} trials"
        )

    def report(trials: Sequence[TuningTrial]) -> bool:
        if trials:
            _tell_trial(tuning, len(trials), trials[-1].values, trials[-1].tally)
            _write(folder, *note(trials), bayesian_report(tuning, trials))
        return True

    return note(tune_bayesian(tuning, folder, report))


def _run_spsa(tuning: Tuning, folder: Path) -> tuple[Mapping[str, Value], str]:
    def note(steps: Sequence[SpsaStep]) -> tuple[dict[str, Value], str]:
        games = sum(step.plus.games + step.minus.games for step in steps)
        return final_setting(tuning, steps), (
            f"{score_in_words(tuning, steps)}, from {games} games in {len(steps)} trials of SPSA"
        )

    def report(steps: Sequence[SpsaStep]) -> bool:
        if steps:
            values = tuning.setting(steps[-1].before)
            _tell_trial(tuning, len(steps), values, steps[-1].plus)
            _write(folder, *note(steps), spsa_report(tuning, steps))
        return True

    return note(tune_spsa(tuning, folder, report))


def _tell_trial(tuning: Tuning, number: int, values: Mapping[str, Value], tally: Tally) -> None:
    setting = ", ".join(f"{name} {value}" for name, value in values.items())
    tell(f"trial {number}/{tuning.trials}: {setting}: {100 * tally.score:.1f} %")


def _write(folder: Path, values: Mapping[str, Value], comment: str, page: str) -> None:
    """Write the best setting so far and the report, so that neither is ever seen half."""
    write_whole(folder / BEST, config_text(values, [f"Tuned by playing: {comment}."]))
    write_whole(folder / REPORT, page)
