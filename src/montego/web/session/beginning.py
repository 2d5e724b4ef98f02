"""How a game begins: what was asked for, checked, as a game before its first move."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from montego.web.game.clocks import check_clock
from montego.web.game.kinds import agreement_for
from montego.web.game.players import check_sides, check_strength, game_title
from montego.web.game.saved import SavedGame

if TYPE_CHECKING:
    from montego.web.messages.requests import NewGame
    from montego.web.thinking.thinker import Programs


def begin(request: NewGame, programs: Programs) -> SavedGame:
    """Return a game before its first move.

    Raises:
        ValueError: If it cannot be played; the message is a sentence for people.
    """
    agreement = agreement_for(request)
    sides = (request.black, request.white)
    check_strength(request.strength, sides)
    check_clock(request.clock)
    check_sides(sides, agreement.kind, programs)
    moment = time.time()
    return SavedGame(
        id=new_id(),
        name=game_title(agreement, request, programs),
        agreement=agreement,
        created=moment,
        changed=moment,
        black=request.black,
        white=request.white,
        mode=request.mode,
        strength=request.strength,
        clock=request.clock,
    )


def new_id() -> str:
    """Return an id that no other game has."""
    return secrets.token_hex(8)
