"""A run: self-play and learning in turn, for the minutes that are planned, kept in a folder.

What is kept is enough to go on anywhere; all schedules count the minutes of the whole run, so that
one with more minutes goes on where one with fewer ended. The positions to learn from are kept while
they are few; otherwise, a run that goes on plays until there are enough again.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from montego.train.bundle import MANIFEST, STATE_BYTES, Bundle, rounded
from montego.train.errors import Diverged, TrainError
from montego.train.learning.export import describe, eight_bits, onnx_bytes
from montego.train.learning.judge import NetJudge
from montego.train.learning.learner import FIGURES, Learner
from montego.train.learning.net import Net, NetShape
from montego.train.report import Row, StretchTally, as_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.mcts.features import Features
    from montego.train.bundle import Saved
    from montego.train.learning.positions import GameSource, Judge, PlayProgress
    from montego.train.report import Measure
    from montego.train.settings import TrainingSettings

KEPT_EVERY = 45.0
"""Seconds after which a run is kept; whoever is killed loses a minute at most."""
MOST_STEPS = 400
"""Steps of learning between two stretches of self-play; what is left is made up for later."""
PATIENCE = 3
"""Stretches in a row after which what looks like a collapse is one."""

NETWORK = "net.onnx"
SMALL_NETWORK = "net-int8.onnx"
CALIBRATION = 500
"""Positions by which weights of eight bits are calibrated."""


class Watch:
    """Notices when training goes wrong."""

    def __init__(self, settings: TrainingSettings) -> None:
        self._settings = settings
        self.longest = 0.0
        """The greatest length of games, on average over a stretch."""
        self.strikes = 0
        """Stretches in a row that look like a collapse."""

    def look(self, progress: PlayProgress, figures: dict[str, float]) -> None:
        """Look at a stretch; *figures* are empty if nothing was learned in it.

        Raises:
            Diverged: If it has gone wrong; the message says how.
        """
        for name, value in figures.items():
            if not math.isfinite(value):
                raise Diverged(f"learning has diverged: {name.replace('_', ' ')} is {value}")
        reason = self._collapse(progress, figures)
        if progress.games:
            self.longest = max(self.longest, progress.length)
        self.strikes = self.strikes + 1 if reason else 0
        if reason and self.strikes >= PATIENCE:
            raise Diverged(reason)

    def _collapse(self, progress: PlayProgress, figures: dict[str, float]) -> str | None:
        entropy, least = figures.get("entropy", math.inf), self._settings.least_entropy
        if entropy < least:
            return f"the policies to learn have collapsed: their entropy is {entropy:.4f}"
        if progress.games and progress.length < self._settings.least_length * self.longest:
            return (
                f"the games have collapsed: they have {progress.length:.1f} moves, "
                f"and had {self.longest:.1f}"
            )
        return None


class Run:
    """A run on a device, ``"cpu"`` or ``"gpu"``; goes on where the one in the folder ended.

    *measure* is asked whenever the run is kept, and may take its time. *boards* are the lines of
    the smallest and the largest board that the network's file is for, by default the one that it is
    trained on. A *teacher* plays for as long as the settings say. *clock* gives seconds.

    Raises:
        TrainError: If the folder holds a run with another network.
    """

    def __init__(
        self,
        features: Features,
        settings: TrainingSettings,
        selfplay: GameSource,
        bundle: Bundle,
        device: str = "cpu",
        *,
        saved: Saved | None = None,
        teacher: Judge | None = None,
        measure: Measure | None = None,
        boards: tuple[int, int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self.bundle = bundle
        self.seconds = 0.0
        """Of the whole run, so far."""
        self.games = 0
        self.log: list[Row] = []
        self._selfplay = selfplay
        self._device = device
        self._teacher = teacher
        self._measure = measure
        self._boards = boards
        self._clock = clock
        self._debt = 0.0  # steps of learning that are due
        self._last_rate = 0.0
        self._kept_at = 0.0
        self._watch = Watch(settings)
        self._tally = StretchTally()
        shape = NetShape.of(
            features, settings, ownership=selfplay.has_ownership, score=selfplay.has_score
        )
        if saved is not None:
            _check_shape(bundle, saved, shape)
        where = torch.device("cuda" if device == "gpu" else "cpu")
        self.learner = Learner(features, shape, settings, where)
        self.judge = NetJudge(shape, where, compiled=settings.compiled)
        if saved is not None:
            self._restore(saved)
        self.judge.refresh(self.learner.averaged)

    @property
    def minutes(self) -> float:
        """How long the run has taken so far, all its parts together."""
        return self.seconds / 60.0

    @property
    def is_done(self) -> bool:
        """Whether all minutes of the plan have passed."""
        return self.minutes >= self.settings.minutes

    def go(
        self,
        show: Callable[[Row], None] = lambda _row: None,
        stop: Callable[[], bool] = lambda: False,
        pause_after: float | None = None,
        *,
        export: bool = False,
    ) -> None:
        """Play and learn until the plan is done, and keep the run.

        Ends earlier if *stop* says so, or after *pause_after* minutes from now. *show* is called
        after every stretch. With *export* the network is written whenever the run is kept.

        Raises:
            Diverged: If learning has gone wrong. What was kept before that stays.
        """
        began = self._clock() - self.seconds
        pause = math.inf if pause_after is None else self.seconds + 60.0 * pause_after
        while not (self.is_done or self.seconds >= pause or stop()):
            left = min(60.0 * self.settings.minutes, pause) - self.seconds
            try:
                self._cycle(min(self.settings.cycle, max(left, 0.01)), stop)
            except Diverged as error:
                kept = f"minute {self._kept_at / 60.0:.1f} is kept in {self.bundle.folder}"
                if self.log:
                    raise Diverged(f"{error}; {kept}") from None
                raise
            self.seconds = self._clock() - began
            show(self._row(self._tally))
            if self.seconds - self._kept_at >= KEPT_EVERY and not self._watch.strikes:
                self.keep()
                if export:
                    self.export()
        if self.seconds > self._kept_at and not self._watch.strikes:
            self.keep(last=True)

    def _cycle(self, seconds: float, stop: Callable[[], bool]) -> None:
        """Play for that long, then learn what is due."""
        began = self._clock()
        judge: Judge = self.judge
        if self._teacher is not None and self.minutes < self.settings.teacher_minutes:
            judge = self._teacher
        self._selfplay.search_with(self.settings.simulations_at(self.minutes))
        positions, progress = self._selfplay.play(judge, seconds)
        played = self._clock()
        self._tally.played(progress, played - began)
        self.games += progress.games
        learner, window = self.learner, self.learner.window
        if len(positions.value):
            window.add(positions)
        due = self._debt + self.settings.reuse * len(positions.value) / learner.batch
        figures: dict[str, float] = {}
        before = learner.steps
        if window.held >= min(self.settings.start_on(self._device), window.capacity):
            rounded = self.settings.rounded_minutes
            if rounded > 0.0 and self.minutes >= self.settings.minutes - rounded:
                learner.round()
            figures = learner.learn(int(min(due, MOST_STEPS)), self._newest(), self._rate_of, stop)
            self.judge.refresh(learner.averaged)
        taken = learner.steps - before
        self._debt = min(due - taken, float(MOST_STEPS))
        self._tally.learned(figures, taken, self._clock() - played)
        self._watch.look(progress, figures if taken else {})

    def _newest(self) -> int:
        """Return how many of the newest positions are learned from."""
        window = self.learner.window
        wanted = max(self.settings.start_on(self._device), int(self.settings.share * window.total))
        return min(window.held, wanted)

    def _rate_of(self, step: int) -> float:
        self._last_rate = self.settings.rate_at(self.minutes, step)
        return self._last_rate

    def _row(self, tally: StretchTally) -> Row:
        return tally.row(
            FIGURES,
            minutes=self.minutes,
            games=self.games,
            positions=self.learner.window.total,
            steps=self.learner.steps,
            window=self._newest(),
            rate=self._last_rate,
        )

    def keep(self, *, last: bool = False) -> None:
        """Write everything that it takes to go on into the folder; *last*, before a part ends.

        Raises:
            TrainError: If that fails; what was there stays.
        """
        row = self._row(self._tally)
        if self._measure is not None:
            measured = self._measure(self.learner.averaged, self.minutes, last=last)
            row = replace(row, measured=measured)
        self.log.append(row)
        self._tally = StretchTally()
        info = {
            "settings": asdict(self.settings),
            "shape": asdict(self.learner.shape),
            "seconds": self.seconds,
            "games": self.games,
            "positions": self.learner.window.total,
            "debt": self._debt,
            "longest": self._watch.longest,
            "log": as_json(self.log),
        }
        learner = rounded(self.learner.state())
        state: dict[str, Any] = {
            "learner": learner,
            "selfplay": self._selfplay.state(),
            "random": torch.get_rng_state(),
        }
        if self._device == "gpu":
            state["random_gpu"] = torch.cuda.get_rng_state()
        if self.learner.window.bytes + _bytes_of(learner) <= STATE_BYTES:
            state["window"] = self.learner.window.state()
        self.bundle.write(info, state)
        self._kept_at = self.seconds

    def export(self, *, quantized: bool = False) -> list[Path]:
        """Write the averaged network into the folder and return the files.

        With *quantized* also one of eight bits, calibrated by positions of the window; not where
        onnxruntime is missing, or the window is empty.

        Raises:
            TrainError: If onnx is missing, or a file cannot be written.
        """
        training = {
            "from": self._selfplay.origin,
            "minutes": round(self.minutes, 2),
            "games": self.games,
            "positions": self.learner.window.total,
            "steps": self.learner.steps,
            "simulations": self.settings.simulations,
        }
        about = describe(self.learner.averaged, training=training)
        if self._boards is not None:
            least, most = self._boards
            about = replace(about, least=(least, least), most=(most, most))
        data = onnx_bytes(self.learner.averaged, about)
        files = [self.bundle.write_file(NETWORK, data)]
        window = self.learner.window
        if quantized and window.held:
            smaller = eight_bits(data, window.latest(CALIBRATION).cpu().float().numpy())
            if smaller is not None:
                files.append(self.bundle.write_file(SMALL_NETWORK, smaller))
        return files

    def _restore(self, saved: Saved) -> None:
        info, state = saved
        try:
            self.seconds = self._kept_at = info["seconds"]
            self.games = info["games"]
            self._debt = info["debt"]
            self._watch.longest = info["longest"]
            known = Row.__dataclass_fields__
            self.log = [
                Row(**{name: value for name, value in row.items() if name in known})
                for row in info["log"]
            ]
            self.learner.restore(state["learner"])
            self._selfplay.restore(state["selfplay"])
            if "window" in state:
                self.learner.window.restore(state["window"])
            else:
                self.learner.window.forget(info["positions"])
            torch.set_rng_state(state["random"])
            if self._device == "gpu" and "random_gpu" in state:
                torch.cuda.set_rng_state(state["random_gpu"])
        except (KeyError, TypeError, AttributeError, RuntimeError, ValueError) as error:
            line = " ".join(str(error).split())[:160]
            raise TrainError(f"the run in {self.bundle.folder} is damaged: {line}") from error


def stored_settings(saved: Saved | None) -> dict[str, Any]:
    """Return the settings of the run in a folder, by name; nothing if there is none."""
    found = {} if saved is None else saved.info.get("settings")
    return found if isinstance(found, dict) else {}


def kept_in(folder: str | Path) -> Saved:
    """Return what another run has kept in its folder. No folder is made where there is none.

    Raises:
        TrainError: If there is none, or it cannot be read.
    """
    saved = None
    if (Path(folder) / MANIFEST).exists():
        with Bundle(folder) as other:
            saved = other.read()
    if saved is None:
        raise TrainError(f"there is no run in {folder}")
    return saved


def network_in(folder: str | Path) -> Net:
    """Return the averaged network of the run in a folder.

    Raises:
        TrainError: If there is none, or it cannot be read.
    """
    saved = kept_in(folder)
    try:
        net = Net(NetShape(**saved.info["shape"]))
        net.load_state_dict(saved.state["learner"]["averaged"])
    except (KeyError, TypeError, RuntimeError) as error:
        line = " ".join(str(error).split())[:160]
        raise TrainError(f"the run in {folder} is damaged: {line}") from error
    return net


def _check_shape(bundle: Bundle, saved: Saved, shape: NetShape) -> None:
    try:
        found = NetShape(**saved.info["shape"])
    except (KeyError, TypeError):
        raise TrainError(f"the run in {bundle.folder} is damaged: no shape") from None
    differences = shape.differences(found)
    if differences:
        raise TrainError(
            f"{bundle.folder} holds another run ({'; '.join(differences)} there): "
            "choose another folder, or the same network"
        )


def _bytes_of(value: Any) -> int:
    """Return the memory of all tensors in something that is to be kept."""
    if isinstance(value, torch.Tensor):
        return int(value.nbytes)
    if isinstance(value, dict):
        return sum(map(_bytes_of, value.values()))
    return sum(map(_bytes_of, value)) if isinstance(value, list) else 0
