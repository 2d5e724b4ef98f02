"""A session of the protocol in one process, with a player that does not search."""

from __future__ import annotations

import io
from typing import Any

from gtp_fake_player import FakePlayer
from montego.gtp.session import Session


class Conversation:
    """A session with its output at hand."""

    def __init__(self, player: FakePlayer | None = None, **settings: Any) -> None:
        self.player = player or FakePlayer()
        self.output = io.BytesIO()
        self.errors = io.StringIO()
        self.session = Session(lambda: self.player, self.output, errors=self.errors, **settings)

    def say(self, *lines: str) -> str:
        """Obey the lines one after another; return what was written."""
        start = len(self.output.getvalue())
        for line in lines:
            self.session.obey(line)
        return self.output.getvalue()[start:].decode()
