"""A session of the protocol in one process, with a player that does not search."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from gtp_fake_player import FakePlayer
from montego.gtp.session import GtpSession

if TYPE_CHECKING:
    from montego.go.game import Game


class Conversation:
    """A session with its output at hand."""

    def __init__(self, player: FakePlayer | None = None, **settings: Any) -> None:
        self.player = player or FakePlayer()
        self.output = io.BytesIO()
        self.errors = io.StringIO()
        self.session = GtpSession(
            lambda: self.player,
            self.output,
            options=self.player.options,
            errors=self.errors,
            **settings,
        )

    def say(self, *lines: str) -> str:
        """Obey the lines one after another; return what was written."""
        start = len(self.output.getvalue())
        for line in lines:
            self.session.obey(line)
        return self.output.getvalue()[start:].decode()


def visible_state(game: Game) -> tuple[Any, ...]:
    """Return everything about a game that a client can see, but for stones agreed to be dead."""
    resigned = game.result if game.is_over and not game.ended_by_passes else None
    settings = game.size, game.rules, game.komi, game.handicap
    return (*settings, game.to_play, resigned, game.history, game.board.rows())
