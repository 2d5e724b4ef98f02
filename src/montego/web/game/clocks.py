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
        self._control = time_control(settings)
        self.put(self.full() if faces is None else faces)
        self._since = 0.0

    def full(self) -> Faces:
        """Return what both clocks show before the first move."""
        left = self._control.full
        if self._control.kind == "fischer" and self._control.main <= 0:
            left = Remaining(self._control.increment)
        return _face(left), _face(left)

    def put(self, faces: Faces) -> None:
        """Set both clocks, as after taking moves back; none is running then."""
        black, white = (Remaining(face.seconds, face.periods) for face in faces)
        self._left: dict[Color, Remaining] = {"black": black, "white": white}
        self.running: Color | None = None

    def run(self, color: Color | None, now: float) -> None:
        """Have this player's clock run and no other, or none at all."""
        if color != self.running:
            self.put(self.shown(now))
            self.running, self._since = color, now

    def press(self, color: Color, now: float) -> None:
        """Note that a player has moved: the clock stops, and gets what a move brings."""
        self.run(None, now)
        self._left[color] = self._control.after_move(self._left[color], 0.0)

    def shown(self, now: float) -> Faces:
        """Return what both clocks show at that time."""
        left = dict(self._left)
        if self.running is not None:
            used = max(now - self._since, 0.0)
            left[self.running] = self._control.running(left[self.running], used)
        return _face(left["black"]), _face(left["white"])

    def left(self, now: float) -> float:
        """Return after how many seconds the running clock loses the game; infinity for none."""
        if self.running is None:
            return math.inf
        return self._control.until_flag(self._left[self.running]) - (now - self._since)


def _face(left: Remaining) -> ClockFace:
    return ClockFace(seconds=left.seconds, periods=left.stones)
