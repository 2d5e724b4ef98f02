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
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from montego.train.bundle import MANIFEST, STATE_BYTES, Bundle, rounded
from montego.train.errors import Diverged, TrainError
from montego.train.learning.export import describe, eight_bits, onnx_bytes
from montego.train.learning.judge import NetJudge
from montego.train.learning.learner import FIGURES, Learner, Portion
from montego.train.learning.net import Net, NetShape
from montego.train.report import Row, StretchTally, as_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from montego.mcts.features import Features
    from montego.train.bundle import Saved
    from montego.train.learning.positions import GameSource, Judge, PlayProgress
    from montego.train.learning.window import ReplayWindow
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


class PlayedBoard(NamedTuple):
    """A board that a run learns, and where its games come from."""

    features: Features
    source: GameSource

    @property
    def name(self) -> str:
        """What the run's folder calls it: ``"9x9"``."""
        return f"{self.features.height}x{self.features.width}"


class _Course:
    """How learning from the games of one board goes."""

    def __init__(
        self, board: PlayedBoard, window: ReplayWindow, settings: TrainingSettings
    ) -> None:
        self.board = board
        self.window = window
        self.watch = Watch(settings)
        self.debt = 0.0  # steps of learning that are due

    def state(self, *, with_window: bool) -> dict[str, Any]:
        kept = {
            "games": self.board.source.state(),
            "total": self.window.total,
            "debt": self.debt,
            "longest": self.watch.longest,
        }
        return kept | {"window": self.window.state()} if with_window else kept

    def restore(self, state: dict[str, Any]) -> None:
        self.board.source.restore(state["games"])
        self.debt, self.watch.longest = state["debt"], state["longest"]
        if "window" in state:
            self.window.restore(state["window"])
        else:
            self.window.forget(state["total"])


class Run:
    """A run on a device, ``"cpu"`` or ``"gpu"``; goes on where the one in the folder ended.

    One network learns the games of all *boards*, which get equal shares of the time to play; the
    largest of them, the last, says what its shape is. *measure* is asked whenever the run is kept,
    and may take its time. *serves* are the lines of the smallest and the largest board that the
    network's file is for, by default the largest alone. A *teacher* plays for as long as the
    settings say. *clock* gives seconds.

    Raises:
        TrainError: If the folder holds a run with another network.
    """

    def __init__(
        self,
        boards: Sequence[PlayedBoard],
        settings: TrainingSettings,
        bundle: Bundle,
        device: str = "cpu",
        *,
        saved: Saved | None = None,
        teacher: Judge | None = None,
        measure: Measure | None = None,
        serves: tuple[int, int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self.bundle = bundle
        self.seconds = 0.0
        """Of the whole run, so far."""
        self.games = 0
        self.log: list[Row] = []
        self._device = device
        self._teacher = teacher
        self._measure = measure
        self._serves = serves
        self._clock = clock
        self._last_rate = 0.0
        self._kept_at = 0.0
        self._tally = StretchTally()
        largest, source = boards[-1]
        shape = NetShape.of(
            largest, settings, ownership=source.has_ownership, score=source.has_score
        )
        if saved is not None:
            _check_shape(bundle, saved, shape)
        where = torch.device("cuda" if device == "gpu" else "cpu")
        features = [board.features for board in boards]
        self.learner = Learner(features, shape, settings, where)
        windows = self.learner.windows
        self._courses = [
            _Course(board, window, settings) for board, window in zip(boards, windows, strict=True)
        ]
        self.judge = NetJudge(shape, where, compiled=settings.compiled)
        if saved is not None:
            self._restore(saved)
        self.judge.refresh(self.learner.averaged)

    @property
    def minutes(self) -> float:
        """How long the run has taken so far, all its parts together."""
        return self.seconds / 60.0

    @property
    def positions(self) -> int:
        """How many there have been in the whole run."""
        return sum(window.total for window in self.learner.windows)

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
            if self.seconds - self._kept_at >= KEPT_EVERY and not self._strikes:
                self.keep()
                if export:
                    self.export()
        if self.seconds > self._kept_at and not self._strikes:
            self.keep(last=True)

    @property
    def _strikes(self) -> int:
        """Stretches in a row that look like a collapse, on the board where they are most."""
        return max(course.watch.strikes for course in self._courses)

    def _cycle(self, seconds: float, stop: Callable[[], bool]) -> None:
        """Play for that long, all boards in turn, then learn what is due."""
        judge: Judge = self.judge
        if self._teacher is not None and self.minutes < self.settings.teacher_minutes:
            judge = self._teacher
        simulations = self.settings.simulations_at(self.minutes)
        learner = self.learner
        progress = []
        for course in self._courses:
            began = self._clock()
            source = course.board.source
            source.search_with(simulations)
            positions, played = source.play(judge, seconds / len(self._courses))
            self._tally.played(played, self._clock() - began)
            self.games += played.games
            progress.append(played)
            count = len(positions.value)
            if count:
                course.window.add(positions)
            course.debt += self.settings.reuse * count / learner.batch
        began = self._clock()
        figures: dict[str, float] = {}
        portions = [Portion(self._due(course), self._newest(course)) for course in self._courses]
        before = learner.steps
        if any(self._is_filled(course) for course in self._courses):
            rounded = self.settings.rounded_minutes
            if rounded > 0.0 and self.minutes >= self.settings.minutes - rounded:
                learner.round()
            figures = learner.learn(portions, self._rate_of, stop)
            self.judge.refresh(learner.averaged)
        taken = learner.steps - before
        wanted = sum(portion.steps for portion in portions)
        for course, portion in zip(self._courses, portions, strict=True):
            course.debt -= portion.steps * taken / max(wanted, 1)
            course.debt = min(course.debt, float(MOST_STEPS))
        self._tally.learned(figures, taken, self._clock() - began)
        for course, played in zip(self._courses, progress, strict=True):
            course.watch.look(played, figures if taken else {})

    def _is_filled(self, course: _Course) -> bool:
        """Whether there are positions enough to learn from."""
        window = course.window
        return window.held >= min(self.settings.start_on(self._device), window.capacity)

    def _due(self, course: _Course) -> int:
        """Return how many steps are to be taken now."""
        return int(min(course.debt, MOST_STEPS)) if self._is_filled(course) else 0

    def _newest(self, course: _Course) -> int:
        """Return how many of the newest positions are learned from."""
        window = course.window
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
            positions=self.positions,
            steps=self.learner.steps,
            window=sum(map(self._newest, self._courses)),
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
            "positions": self.positions,
            "log": as_json(self.log),
        }
        learner = rounded(self.learner.state())
        held = sum(course.window.bytes for course in self._courses)
        fits = held + _bytes_of(learner) <= STATE_BYTES
        state: dict[str, Any] = {
            "learner": learner,
            "boards": {
                course.board.name: course.state(with_window=fits) for course in self._courses
            },
            "random": torch.get_rng_state(),
        }
        if self._device == "gpu":
            state["random_gpu"] = torch.cuda.get_rng_state()
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
            "from": self._courses[-1].board.source.origin,
            "boards": [course.board.name for course in self._courses],
            "minutes": round(self.minutes, 2),
            "games": self.games,
            "positions": self.positions,
            "steps": self.learner.steps,
            "simulations": self.settings.simulations,
        }
        about = describe(self.learner.averaged, training=training)
        if self._serves is not None:
            least, most = self._serves
            about = replace(about, least=(least, least), most=(most, most))
        data = onnx_bytes(self.learner.averaged, about)
        files = [self.bundle.write_file(NETWORK, data)]
        window = self.learner.windows[-1]
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
            known = Row.__dataclass_fields__
            self.log = [
                Row(**{name: value for name, value in row.items() if name in known})
                for row in info["log"]
            ]
            self.learner.restore(state["learner"])
            kept = _boards_of(saved)
            for course in self._courses:
                if course.board.name in kept:
                    course.restore(kept[course.board.name])
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


def _boards_of(saved: Saved) -> dict[str, Any]:
    """Return what is kept of each board, by its name."""
    info, state = saved
    if "boards" in state:
        return dict(state["boards"])
    # The first format had one board.
    shape = info["shape"]
    kept = {"games": state["selfplay"], "total": info["positions"]}
    kept |= {name: info[name] for name in ("debt", "longest")}
    if "window" in state:
        kept["window"] = state["window"]
    return {f"{shape['height']}x{shape['width']}": kept}


def _bytes_of(value: Any) -> int:
    """Return the memory of all tensors in something that is to be kept."""
    if isinstance(value, torch.Tensor):
        return int(value.nbytes)
    if isinstance(value, dict):
        return sum(map(_bytes_of, value.values()))
    return sum(map(_bytes_of, value)) if isinstance(value, list) else 0
