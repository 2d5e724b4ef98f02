"""Commands about the book, which keeps what searches learned for later games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.gtp.protocol import GtpError
from montego.gtp.registry import Arguments, command

if TYPE_CHECKING:
    from montego.gtp.session import Session


@command(
    "montego-learn",
    "",
    "Add what the searches of this game found so far to the book, and answer how many positions. "
    "It happens by itself when a game ends, when another begins and at the end of the program.",
)
def learn(session: Session, _arguments: Arguments) -> str:
    """Add what was found to the book now."""
    if session.player.options.book is None:
        raise GtpError("no book: start with --book")
    return str(session.player.learn())
