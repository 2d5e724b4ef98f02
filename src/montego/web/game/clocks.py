"""The clocks of a game, kept by the server for both players. Pure logic: callers say the time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

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


class Clocks:
    """Two clocks, one of which may be running. Times are seconds of a steady clock."""

    def __init__(self, settings: ClockSettings, faces: Faces | None = None) -> None:
        """Begin with full clocks, or with what was left on them; none is running."""
        self.settings = settings
        self._faces = faces or self.full()
        self.running: Color | None = None
        self._since = 0.0

    def full(self) -> Faces:
        """Return what both clocks show before the first move."""
        face = ClockFace(seconds=self.settings.main, periods=0)
        if self.settings.kind == "fischer" and self.settings.main <= 0:
            face = ClockFace(seconds=self.settings.period, periods=0)
        elif self.settings.kind == "byoyomi" and self.settings.main <= 0:
            face = ClockFace(seconds=self.settings.period, periods=self.settings.periods)
        return face, face

    def run(self, color: Color | None, now: float) -> None:
        """Have this player's clock run and no other, or none at all."""
        if color == self.running:
            return
        self._faces = self.shown(now)
        self.running, self._since = color, now

    def press(self, color: Color, now: float) -> None:
        """Note that a player has moved: the clock stops, and gets what a move brings."""
        self._faces = self.shown(now)
        self.running = None
        settings, face = self.settings, self._faces[_place(color)]
        if settings.kind == "fischer":
            face = ClockFace(seconds=face.seconds + settings.period, periods=0)
        elif settings.kind == "byoyomi" and face.periods > 0:
            face = ClockFace(seconds=settings.period, periods=face.periods)
        self._put(color, face)

    def put(self, faces: Faces) -> None:
        """Set both clocks, as after taking moves back; none is running then."""
        self._faces, self.running = faces, None

    def shown(self, now: float) -> Faces:
        """Return what both clocks show at that time."""
        if self.running is None:
            return self._faces
        black, white = self._faces
        used = max(now - self._since, 0.0)
        if self.running == "black":
            return self._after(black, used), white
        return black, self._after(white, used)

    def left(self, now: float) -> float:
        """Return after how many seconds the running clock loses the game; infinity for none."""
        if self.running is None:
            return math.inf
        face = self._faces[_place(self.running)]
        total = face.seconds
        if self.settings.kind == "byoyomi":
            periods = face.periods - 1 if face.periods else self.settings.periods
            total += periods * self.settings.period
        return total - (now - self._since)

    def _put(self, color: Color, face: ClockFace) -> None:
        black, white = self._faces
        self._faces = (face, white) if color == "black" else (black, face)

    def _after(self, face: ClockFace, used: float) -> ClockFace:
        settings = self.settings
        rest, periods = face.seconds - used, face.periods
        if settings.kind == "byoyomi" and rest <= 0:
            if periods == 0:
                periods, rest = settings.periods, rest + settings.period
            lost = min(max(math.ceil(-rest / settings.period), 0), periods - 1)
            rest, periods = rest + lost * settings.period, periods - lost
        return ClockFace(seconds=max(rest, 0.0), periods=periods)


def _place(color: Color) -> int:
    return 0 if color == "black" else 1
