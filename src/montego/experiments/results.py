"""The file of an experiment's results: one line of JSON a trial, which survives ``kill -9``.

A line is on the disk before the trial counts as done. It carries the trial's digest, so that one
file may hold what was found with other settings: that is kept, and not counted. A line cut off by
the end of the program, or spoilt by the end of the machine, is a trial that will be run again.
Settings are written once: a line with the same has ``settings_of``, the digest of the one before.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Self

from montego.arena.store import LineFile, finished_lines, write_whole
from montego.experiments.experiment import Experiment, Scale, Trial, TrialResult, program_version
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def stem_of(name: str, scale: Scale, seed: int) -> str:
    """Return the name of the files of a run, without their endings."""
    quick = ".quick" if scale == "quick" else ""
    return f"{name}{quick}{f'.seed{seed}' if seed != 1 else ''}"


class ResultFile:
    """The results of one experiment, open for more.

    Raises:
        GoError: If the file cannot be written, or another process is writing it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = LineFile(path, f"{path} is being written by another run")
        except OSError as error:
            raise GoError(f"cannot write {path}: {error.strerror}") from None
        try:
            self._lines = read_lines(path)
        except BaseException:
            self.close()
            raise
        self._settings = {
            json.dumps({"settings": line["settings"]}, sort_keys=True): digest
            for digest, line in self._lines.items()
            if "settings" in line
        }

    def done(self, experiment: Experiment, plan: Iterable[Trial]) -> list[TrialResult]:
        """Return the results of the plan's trials that are here, in its order."""
        return match_results(self._lines, experiment, plan)

    def add(self, experiment: Experiment, result: TrialResult) -> None:
        """Keep a result for good. If that fails the file is as it was.

        Raises:
            GoError: If it cannot be written: the disk is full, say.
        """
        trial = result.trial
        digest = experiment.digest(trial)
        settings: dict[str, object] = {"settings": dict(trial.settings)}
        # Once is enough: most trials of a cell have the same.
        known = self._settings.setdefault(json.dumps(settings, sort_keys=True), digest)
        line = {
            "cell": trial.cell,
            "number": trial.number,
            "seed": trial.seed,
            **(settings if known == digest else {"settings_of": known}),
            "seconds": round(result.seconds, 4),
            "value": result.value,
            "program": program_version(),
            "digest": digest,
        }
        try:
            self._file.add(json.dumps(line, ensure_ascii=False))
        except OSError as error:
            raise GoError(
                f"cannot write {self.path}: {error.strerror}; what was done before is kept"
            ) from None
        self._lines[digest] = line

    def close(self) -> None:
        """Let others have the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def read_lines(path: Path) -> dict[str, dict[str, object]]:
    """Return the lines of a file by their digests; those that make no sense are left out.

    Raises:
        GoError: If it cannot be read.
    """
    try:
        texts = finished_lines(path)
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror}") from None
    lines = {}
    for text in texts:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if (
            isinstance(line, dict)
            and "digest" in line
            and line.get("value") is not None
            and isinstance(line.get("seconds"), int | float)
        ):
            lines[str(line["digest"])] = line
    return lines


def match_results(
    lines: dict[str, dict[str, object]], experiment: Experiment, plan: Iterable[Trial]
) -> list[TrialResult]:
    """Return the results of the plan's trials among *lines*, in the plan's order."""
    found = []
    for trial in plan:
        line = lines.get(experiment.digest(trial))
        if line is not None:
            seconds, program = float(str(line["seconds"])), str(line.get("program", ""))
            found.append(TrialResult(trial, line["value"], seconds, program))
    return found


def save_text(path: Path, text: str) -> None:
    """Write a file so that it is never seen half; its folder is made.

    Raises:
        GoError: If it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        with contextlib.suppress(OSError):
            path.with_name(f"{path.name}.part").unlink()
        raise GoError(f"cannot write {path}: {error.strerror}") from None
