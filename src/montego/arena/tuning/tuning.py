"""Tuning: what is tuned, how a setting is tried, and how trials are kept.

A *trial* is a setting of the parameters and a batch of games with it. Settings are looked for in
the unit cube: a *unit value* is a number from 0 to 1. Ranges that are logarithmic, and whole
numbers, are evenly spaced there as they are meant.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from montego.arena.match import Match, run_match
from montego.arena.page import html_cells, html_table
from montego.arena.store import SOURCES, LineFile, check_settings, finished_lines
from montego.arena.toml_file import SeriesTable, TomlTable, read_toml
from montego.arena.workers import EngineSpec, Series
from montego.go.vocabulary.errors import GoError
from montego.sources import sources_digest

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from montego.arena.statistics import Tally

Value = float | int | str | bool
Kind = Literal["float", "int", "choice"]
Method = Literal["bayesian", "spsa"]
Kept = TypeVar("Kept")

TRIALS = "trials.jsonl"
CONFIG = "{config}"
TITLE = "Tuning"
_BARE_KEY = re.compile("[A-Za-z0-9_-]+")  # What TOML takes without quotes.


@dataclass(frozen=True, kw_only=True)
class TunedParameter:
    """One option of an engine and the values it may have."""

    name: str
    kind: Kind = "float"
    low: float = 0.0
    high: float = 1.0
    is_logarithmic: bool = False
    choices: tuple[Value, ...] = ()
    default: Value | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise GoError("a parameter needs a name")
        if self.kind not in ("float", "int", "choice"):
            raise GoError(f"{self.name}: kind {self.kind!r}: say float, int or choice")
        if self.kind == "choice":
            if len(self.choices) < 2:
                raise GoError(f"{self.name}: a choice needs two or more choices")
            if self.default is not None and self.default not in self.choices:
                raise GoError(f"{self.name}: the default {self.default!r} is none of the choices")
            return
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise GoError(f"{self.name}: low {self.low:g} must be less than high {self.high:g}")
        if self.is_logarithmic and self.low <= 0:
            raise GoError(f"{self.name}: a logarithmic range begins above 0")
        if self.default is not None:
            if isinstance(self.default, str | bool):
                raise GoError(f"{self.name}: the default {self.default!r} is no number")
            if not self.low <= self.default <= self.high:
                raise GoError(f"{self.name}: the default {self.default!r} is out of the range")

    @property
    def start(self) -> Value:
        """The default, or the middle of the range, or the first choice."""
        if self.default is not None:
            return self.default
        return self.choices[0] if self.kind == "choice" else self.from_unit(0.5)

    def from_unit(self, unit: float) -> Value:
        """Return the value at a place from 0 to 1; places outside are moved in."""
        unit = min(1.0, max(0.0, unit))
        if self.kind == "choice":
            return self.choices[min(int(unit * len(self.choices)), len(self.choices) - 1)]
        if self.is_logarithmic:
            value = math.exp(math.log(self.low) + unit * math.log(self.high / self.low))
        else:
            value = self.low + unit * (self.high - self.low)
        if self.kind == "int":
            return round(value)
        return min(self.high, max(self.low, float(f"{value:.6g}")))

    def to_unit(self, value: Value) -> float:
        """Return where a value lies from 0 to 1; for choices the middle of its share."""
        if self.kind == "choice":
            return (self.choices.index(value) + 0.5) / len(self.choices)
        number = float(value)
        if self.is_logarithmic:
            return math.log(number / self.low) / math.log(self.high / self.low)
        return (number - self.low) / (self.high - self.low)


@dataclass(frozen=True, kw_only=True)
class Tuning(Series):
    """What is to be tuned, against whom, and for how long.

    In the command ``{name}`` is replaced by the value of the parameter of that name, and
    ``{config}`` by a configuration file with all of them; a command with neither gets ``--config``
    and the file.
    """

    command: str
    opponent: str = ""
    """The command of the opponent. SPSA does without: settings play each other."""
    parameters: tuple[TunedParameter, ...]
    method: Method = "bayesian"
    trials: int = 50
    games: int = 20
    """Games of a trial."""
    step: float = 0.1
    """SPSA: how far the first steps may go, as a share of the ranges."""
    perturbation: float = 0.1
    """SPSA: how far the first settings lie apart from the middle, as a share of the ranges."""
    seed: int = 1

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

    def setting(self, units: Iterable[float]) -> dict[str, Value]:
        """Return the setting at a place of the unit cube."""
        return {
            parameter.name: parameter.from_unit(unit)
            for parameter, unit in zip(self.parameters, units, strict=True)
        }

    def units(self, setting: Mapping[str, Value]) -> tuple[float, ...]:
        """Return where a setting lies in the unit cube."""
        return tuple(parameter.to_unit(setting[parameter.name]) for parameter in self.parameters)

    def identity(self) -> dict[str, Any]:
        """Return what must not change when it goes on later: all but trials and speed."""
        return {
            "command": self.command,
            "opponent": self.opponent,
            "method": self.method,
            "games": self.games,
            "parameters": [json.loads(json.dumps(vars(item))) for item in self.parameters],
            **super().identity(),
            **({SOURCES: sources_digest()} if self._plays_montego else {}),
        }

    @property
    def _plays_montego(self) -> bool:
        """Whether the Montego that tunes also plays."""
        return any(line.split()[:1] == ["montego"] for line in (self.command, self.opponent))


class _TuneTable(SeriesTable):
    command: str = ""
    opponent: str = ""
    method: str = "bayesian"
    trials: int = 50
    games: int = 20
    step: float = 0.1
    perturbation: float = 0.1


class _ParameterTable(TomlTable):
    name: str = ""
    kind: str = ""
    low: float = 0.0
    high: float = 1.0
    is_logarithmic: bool = msgspec.field(default=False, name="log")
    choices: tuple[Value, ...] = ()
    default: Value | None = None


class _TuneFile(TomlTable):
    tune: _TuneTable
    parameter: tuple[_ParameterTable, ...] = ()


def read_tuning(path: str | os.PathLike[str]) -> tuple[Tuning, Path]:
    """Return the tuning that a TOML file describes, and the folder for it.

    Paths in the file are relative to it. Without ``output`` the folder is named after the file.

    Raises:
        GoError: If the file cannot be read, or something in it makes no sense.
    """
    path = Path(path)
    file = read_toml(path, _TuneFile)
    for one in file.parameter:
        one.kind = one.kind or ("choice" if one.choices else "float")
    parameters = (TunedParameter(**msgspec.structs.asdict(one)) for one in file.parameter)
    tuning = Tuning(parameters=tuple(parameters), **file.tune.series(path.parent))
    return tuning, path.parent / (file.tune.output or f"{path.stem}-tuning")


def run_trials(
    tuning: Tuning,
    path: Path,
    read: Callable[[dict[str, Any]], Kept],
    play: Callable[[Sequence[Kept]], Kept],
    report: Callable[[Sequence[Kept]], bool] | None,
) -> list[Kept]:
    """Play trials until there are as many as wanted, and return all of them.

    Those of earlier runs are read from the file at *path*, in the folder of the tuning; every new
    one is on the disk before the next begins. *play* is given the trials so far and plays the next.
    *report* is called before the first new trial and after each; False ends it early.

    Raises:
        GoError: If the folder is another tuning's, in use, or cannot be written.
    """
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        refusal = "holds another tuning ({}): choose another output"
        check_settings(folder / "tuning.json", tuning.identity(), refusal)
        file = LineFile(path, f"{folder} is in use by another tuning")
    except OSError as error:
        raise GoError(f"cannot write into {folder}: {error.strerror}") from None
    with file:
        trials: list[Kept] = []
        for line in finished_lines(path):
            try:
                trials.append(read(json.loads(line)))
            except (ValueError, KeyError, TypeError):
                raise GoError(f"{path} is damaged at step {len(trials)}") from None
        while (report is None or report(trials)) and len(trials) < tuning.trials:
            trials.append(play(trials))
            file.add(json.dumps(vars(trials[-1]), default=astuple))  # A tally is three numbers.
    return trials


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
    tuning: Tuning, first: EngineSpec, second: EngineSpec, folder: Path, number: int
) -> tuple[Tally, int]:
    """Play the games of trial *number* and return the first engine's results and faults.

    Games that are in *folder* already are not played again.
    """
    match = Match(
        first=first,
        second=second,
        games=tuning.games,
        conditions=tuning.conditions,
        openings=tuning.openings,
        seed=tuning.seed * 100_003 + number,
        referee=tuning.referee,
        concurrency=tuning.concurrency,
        venue=tuning.venue,
    )
    summary = run_match(match, folder)
    return summary.tally, sum(summary.first.faults.values())


def config_text(values: Mapping[str, Value], comment: Sequence[str] = ()) -> str:
    """Return a configuration file for ``montego gtp --config``: TOML, one line a parameter."""
    lines = [f"# {line}" for line in comment]
    for name, value in values.items():
        # JSON's texts, numbers and truth values are TOML's too.
        key = name if _BARE_KEY.fullmatch(name) else json.dumps(name)
        lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def setting_table(settings: Mapping[str, Mapping[str, Value]]) -> str:
    """Return settings by title as an HTML table, one row a parameter."""
    names = next(iter(settings.values()))
    rows = [
        html_cells(name, *(str(values[name]) for values in settings.values())) for name in names
    ]
    return html_table(["parameter", *settings], rows)
