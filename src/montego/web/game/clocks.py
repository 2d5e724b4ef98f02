"""The clocks of a game, kept by the server for both players. Pure logic: callers say the time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from montego.go.vocabulary.timing import Remaining, TimeControl
from montego.web.messages.replies import ClockFace

if TYPE_CHECKING:
    from montego.web.messages.requests import ClockSettings, Color

Faces = tuple[ClockFace, ClockFace]


def check_clock(settings: ClockSettings) -> None:
    """Say in a sentence what is wrong with a time system.

    Raises:
        ValueError: If nobody could play with it.
    """
    if settings.kind == "absolute" and settings.main <= 0:
        raise ValueError("an absolute clock needs some main time")
    if settings.kind == "byoyomi" and not (settings.period > 0 and settings.periods > 0):
        raise ValueError("byo-yomi needs periods of some seconds, and at least one of them")
    if settings.kind == "fischer" and settings.main + settings.period <= 0:
        raise ValueError("a Fischer clock needs main time or seconds for each move")


def time_control(settings: ClockSettings) -> TimeControl:
    """Return a time system of the page as the rest of Montego knows it."""
    is_byoyomi, is_fischer = settings.kind == "byoyomi", settings.kind == "fischer"
    return TimeControl(
        kind=settings.kind,
        main=settings.main,
        period=settings.period if is_byoyomi else 0.0,
        periods=settings.periods if is_byoyomi else 0,
        increment=settings.period if is_fischer else 0.0,
    )


class Clocks:
    """Two clocks, one of which may be running. Times are seconds of a steady clock."""

    def __init__(self, settings: ClockSettings, faces: Faces | None = None) -> None:
        """Begin with full clocks, or with what was left on them; none is running."""
        self.settings = settings
        self._control = time_control(settings)
        self._faces = faces or self.full()
        self.running: Color | None = None
        self._since = 0.0

    def full(self) -> Faces:
        """Return what both clocks show before the first move."""
        left = self._control.full
        if self.settings.kind == "fischer" and self.settings.main <= 0:
            left = Remaining(self._control.increment)
        return _face(left), _face(left)

    def run(self, color: Color | None, now: float) -> None:
        """Have this player's clock run and no other, or none at all."""
        if color == self.running:
            return
        self._faces = self.shown(now)
        self.running, self._since = color, now

    def press(self, color: Color, now: float) -> None:
        """Note that a player has moved: the clock stops, and gets what a move brings."""
        self._faces, self.running = self.shown(now), None
        left = _left(self._faces[_place(color)])
        self._faces = self._with(color, self._control.after_move(left, 0.0))

    def put(self, faces: Faces) -> None:
        """Set both clocks, as after taking moves back; none is running then."""
        self._faces, self.running = faces, None

    def shown(self, now: float) -> Faces:
        """Return what both clocks show at that time."""
        if self.running is None:
            return self._faces
        left = _left(self._faces[_place(self.running)])
        used = max(now - self._since, 0.0)
        return self._with(self.running, self._control.running(left, used))

    def left(self, now: float) -> float:
        """Return after how many seconds the running clock loses the game; infinity for none."""
        if self.running is None:
            return math.inf
        face = self._faces[_place(self.running)]
        return self._control.until_flag(_left(face)) - (now - self._since)

    def _with(self, color: Color, left: Remaining) -> Faces:
        """Return what the clocks show with this left on the one of *color*."""
        black, white = self._faces
        return (_face(left), white) if color == "black" else (black, _face(left))


def _place(color: Color) -> int:
    return 0 if color == "black" else 1


def _left(face: ClockFace) -> Remaining:
    return Remaining(face.seconds, face.periods)


def _face(left: Remaining) -> ClockFace:
    return ClockFace(seconds=left.seconds, periods=left.stones)
