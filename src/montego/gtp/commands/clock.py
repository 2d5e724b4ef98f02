"""Commands about time. The time systems themselves live in :mod:`montego.engine.clock`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.engine.clock import KINDS, InvalidTime, TimeSettings
from montego.gtp.registry import SYNTAX_ERROR, Arguments, GtpError, command

if TYPE_CHECKING:
    from montego.gtp.session import Session


@command("time_settings", "MAIN PERIOD STONES", words=3)
def time_settings(session: Session, arguments: Arguments) -> None:
    """Set main time, then Canadian overtime of so many stones in each period, all in seconds.

    Period 0 means no overtime; a period with 0 stones means no limit at all.
    """
    main, period, stones = (arguments.number(index) for index in range(3))
    if main < 0 or period < 0 or stones < 0:
        raise GtpError(SYNTAX_ERROR)
    session.player.clock.set(TimeSettings.from_gtp(main, period, int(stones)))


@command("time_left", "COLOR SECONDS [STONES]", words=(2, 3))
def time_left(session: Session, arguments: Arguments) -> None:
    """Say what a player's clock shows: seconds, and stones left in this period or, under byo-yomi,
    periods left; 0 stones in main time.
    """
    stones = arguments.number(2) if len(arguments) == 3 else 0.0
    if abs(stones) > 1e9:
        raise GtpError(SYNTAX_ERROR)
    session.player.clock.time_left(
        arguments.color(0), max(arguments.number(1), 0.0), max(int(stones), 0)
    )


SYSTEMS = (
    "`none`, `absolute MAIN`, `canadian MAIN PERIOD STONES`, `byoyomi MAIN PERIOD PERIODS`, "
    "`fischer MAIN INCREMENT`, or `fischer-capped MAIN INCREMENT MOST_MAIN MOST_MOVE` (-1: no cap)"
)


@command("kata-time_settings", "SYSTEM NUMBER ...", f"The same as `kgs-time_settings`: {SYSTEMS}.")
@command("kgs-time_settings", "SYSTEM NUMBER ...", f"Set the time system: {SYSTEMS}.")
def named_time_settings(session: Session, arguments: Arguments) -> None:
    """Set a time system by its name."""
    if not arguments.words:
        raise GtpError(SYNTAX_ERROR)
    try:
        settings = TimeSettings.from_kgs(arguments.words)
    except InvalidTime:
        raise GtpError(SYNTAX_ERROR) from None
    session.player.clock.set(settings)


@command("kata-list_time_settings")
def list_time_settings(_session: Session, _arguments: Arguments) -> str:
    """List the time systems."""
    return " ".join(KINDS)
