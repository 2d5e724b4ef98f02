"""Tuning: what is tuned, how a setting is tried, and what was learned so far.

A *trial* is a setting of the parameters and a batch of games with it. Two methods choose settings:
:mod:`~montego.arena.tuning.bayesian` looks at all trials through a Gaussian process and keeps them
with Optuna, for a few parameters; :mod:`~montego.arena.tuning.spsa` walks along a gradient, for
many.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from montego.arena.contest import Conditions
from montego.arena.match import Match, run_match
from montego.arena.toml_table import read_table
from montego.arena.tournament_file import (
    CONDITION_FIELDS,
    RUNNING_FIELDS,
    conditions_of,
    openings_of,
    referee_of,
)
from montego.arena.tuning.parameter import (
    PARAMETER_FIELDS,
    Parameter,
    Value,
    config_text,
    parse_parameter,
)
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from montego.arena.opening import Opening
    from montego.arena.statistics import Tally

Method = Literal["bayesian", "spsa"]

CONFIG = "{config}"
_OWN_FIELDS = ("command", "opponent", "method", "trials", "games", "step", "perturbation")


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What is to be tuned, against whom, and for how long.

    In the command ``{name}`` is replaced by the value of the parameter of that name, and
    ``{config}`` by a configuration file with all of them; a command with neither gets ``--config``
    and the file.
    """

    command: str
    opponent: str = ""
    """The command of the opponent. SPSA does without: settings play each other."""
    parameters: tuple[Parameter, ...]
    method: Method = "bayesian"
    trials: int = 50
    games: int = 20
    """Games of a trial."""
    step: float = 0.1
    """SPSA: how far the first steps may go, as a share of the ranges."""
    perturbation: float = 0.1
    """SPSA: how far the first settings lie apart from the middle, as a share of the ranges."""
    conditions: Conditions = field(default_factory=Conditions)
    openings: tuple[Opening, ...] = ()
    seed: int = 1
    referee: EngineSpec | None = None
    concurrency: int = 1

    def __post_init__(self) -> None:
        if self.method not in ("bayesian", "spsa"):
            raise GoError(f"unknown method {self.method!r}: say bayesian or spsa")
        if not self.command:
            raise GoError("say the command of the engine to tune")
        if self.method == "bayesian" and not self.opponent:
            raise GoError("say the command of an opponent; only spsa does without")
        if not self.parameters:
            raise GoError("there is no parameter to tune: write [[parameter]]")
        names = [parameter.name for parameter in self.parameters]
        if len(set(names)) < len(names):
            raise GoError("two parameters have one name")
        if self.trials < 1 or self.games < 2:
            raise GoError("tuning needs a trial or more, of two games or more")
        if self.concurrency < 1:
            raise GoError(f"cannot play {self.concurrency} games at a time: say a number from 1")
        if not (0 < self.step <= 1 and 0 < self.perturbation <= 1):
            raise GoError("step and perturbation are shares of the ranges, above 0 and up to 1")
        if self.method == "spsa":
            for parameter in self.parameters:
                if parameter.kind == "choice":
                    raise GoError(f"{parameter.name}: spsa has no gradient for choices")

    @property
    def start(self) -> dict[str, Value]:
        """The setting to begin with."""
        return {parameter.name: parameter.start for parameter in self.parameters}

    def identity(self) -> dict[str, Any]:
        """Return what must not change when it goes on later: all but trials and speed."""
        conditions = self.conditions
        return {
            "command": self.command,
            "opponent": self.opponent,
            "method": self.method,
            "games": self.games,
            "parameters": [json.loads(json.dumps(vars(item))) for item in self.parameters],
            "size": conditions.size,
            "komi": conditions.komi,
            "rules": conditions.rules,
            "clock": str(conditions.control) if conditions.control else "none",
            "openings": [opening.name for opening in self.openings],
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Trial:
    """A setting and what its games gave."""

    number: int
    values: dict[str, Value]
    tally: Tally
    faults: int = 0
    """Games lost by crashes, illegal moves and the like."""


def read_tuning(path: str | os.PathLike[str]) -> tuple[Tuning, Path]:
    """Return the tuning that a TOML file describes, and the folder for it.

    Paths in the file are relative to it. Without ``output`` the folder is named after the file.

    Raises:
        GoError: If the file cannot be read, or something in it makes no sense.
    """
    path = Path(path)
    document = read_table(path, ("tune", "parameter"))
    table = document.table("tune", (*CONDITION_FIELDS, *RUNNING_FIELDS, *_OWN_FIELDS))
    conditions = conditions_of(table)
    parameters = document.tables("parameter", PARAMETER_FIELDS)
    tuning = Tuning(
        command=table.text("command"),
        opponent=table.text("opponent"),
        parameters=tuple(parse_parameter(parameter) for parameter in parameters),
        method=table.text("method", "bayesian"),  # type: ignore[arg-type]  # It checks.
        trials=table.whole("trials", 50),
        games=table.whole("games", 20),
        step=table.number("step", 0.1),
        perturbation=table.number("perturbation", 0.1),
        conditions=conditions,
        openings=openings_of(table, path.parent, conditions),
        seed=table.whole("seed", 1),
        referee=referee_of(table),
        concurrency=table.whole("concurrency", 1),
    )
    return tuning, path.parent / table.text("output", f"{path.stem}-tuning")


def check_folder(tuning: Tuning, folder: Path) -> None:
    """Make the folder, or check that it is this tuning's.

    Raises:
        GoError: If it is another's, or cannot be written.
    """
    wanted = json.dumps(tuning.identity(), indent=2, ensure_ascii=False) + "\n"
    path = folder / "tuning.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(wanted, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != wanted:
            raise GoError(
                f"{folder} holds another tuning: choose another output, or the same settings"
            )
    except OSError as error:
        raise GoError(f"cannot write into {folder}: {error.strerror}") from None


def candidate(tuning: Tuning, values: Mapping[str, Value], name: str, folder: Path) -> EngineSpec:
    """Return the engine with a setting; its configuration file is written into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / f"{name}.toml"
    config.write_text(config_text(values), encoding="utf-8")
    command = tuning.command
    mentions = [CONFIG, *(f"{{{name}}}" for name in values)]
    if not any(mention in command for mention in mentions):
        command += f" --config {CONFIG}"
    for parameter, value in values.items():
        text = json.dumps(value) if isinstance(value, bool) else str(value)
        command = command.replace(f"{{{parameter}}}", text)
    path = str(config.resolve())
    return EngineSpec(name, command.replace(CONFIG, f"'{path}'" if " " in path else path))


def play_batch(
    tuning: Tuning, first: EngineSpec, second: EngineSpec, folder: Path, seed: int
) -> tuple[Tally, int]:
    """Play the games of a trial and return the first engine's results and faults.

    Games that are in *folder* already are not played again.
    """
    match = Match(
        first=first,
        second=second,
        games=tuning.games,
        conditions=tuning.conditions,
        openings=tuning.openings,
        seed=seed,
        referee=tuning.referee,
        concurrency=tuning.concurrency,
    )
    summary = run_match(match, folder)
    return summary.tally, sum(summary.first.faults.values())


def folder_name(values: Mapping[str, Value], number: int) -> str:
    """Return a name for the folder of a trial that another trial never has."""
    digest = hashlib.sha256(json.dumps(dict(values), sort_keys=True).encode()).hexdigest()
    return f"{number:05d}-{digest[:8]}"
