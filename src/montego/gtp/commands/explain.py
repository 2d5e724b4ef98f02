"""Commands that say why: the latest decision in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.gtp.protocol import GtpError
from montego.gtp.registry import Arguments, command

if TYPE_CHECKING:
    from montego.gtp.session import Session


@command("gomill-explain_last_move", "", "The same as `explain`.")
@command("explain", "", "Say in words why Montego made its last move.")
def explain(session: Session, _arguments: Arguments) -> str:
    """Explain the latest decision."""
    if not session.has_player or session.player.last_decision is None:
        raise GtpError("no move to explain")
    return session.player.explain()
