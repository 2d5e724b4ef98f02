"""The home of all results: one file of lines, to which every program adds its own.

A line is a game. Nothing is ever rewritten, so that several programs may add at the same time, and
a crash costs no more than its own line. A later line of the same game replaces an earlier one,
which is how a result is taken back. Ratings are not kept: they are computed from the games.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from montego.folders import data_folder
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

HOME_FILE = "ladder.jsonl"
"""The name of the file in the user's data folder."""

PERSON = "you"
"""The name under which the results of the person are kept whose home it is."""

_Text = Annotated[str, Meta(min_length=1, max_length=80)]


class LadderGame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game of somebody against one of Montego's levels."""

    id: _Text
    """Unlike that of any other game."""
    time: float
    """When it ended, in seconds since 1970."""
    player: _Text = PERSON
    size: Annotated[int, Meta(ge=2, le=25)]
    rank: Annotated[int, Meta(ge=-30, le=8)]
    """Of the level."""
    color: Literal["black", "white"]
    """The player's."""
    handicap: Annotated[int, Meta(ge=0, le=25)] = 0
    komi: Annotated[float, Meta(ge=-400, le=400)] = 7.5
    score: Annotated[float, Meta(ge=0, le=1)] | None
    """1 won, 0.5 drawn, 0 lost; None if the end was taken back."""
    helped: bool = False
    """Whether the player was helped: by hints, an analysis, or moves taken back."""


class Home:
    """The file of results. Every method may be called from any thread and process."""

    def __init__(self, file: Path) -> None:
        """Use a file, which is made when the first game is added."""
        self.file = file

    def add(self, games: Iterable[LadderGame]) -> None:
        """Add games, or what has become of them.

        Raises:
            GoError: If the file cannot be written.
        """
        lines = b"".join(msgspec.json.encode(game) + b"\n" for game in games)
        if not lines:
            return
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self.file.open("ab+") as home:
                if home.seek(0, os.SEEK_END):
                    home.seek(-1, os.SEEK_END)
                    if home.read(1) != b"\n":  # Somebody was cut off in the middle of a line.
                        lines = b"\n" + lines
                home.write(lines)
        except OSError as error:
            raise GoError(f"the result cannot be kept in {self.file}: {error.strerror}") from None

    def games(self, player: str | None = None) -> list[LadderGame]:
        """Return all games that ended, of one player or of all, the oldest first.

        Lines that are damaged are passed over.

        Raises:
            GoError: If the file cannot be read.
        """
        try:
            content = self.file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise GoError(f"{self.file} cannot be read: {error.strerror}") from None
        found: dict[tuple[str, str], LadderGame] = {}
        for line in content.splitlines():
            try:
                game = msgspec.json.decode(line, type=LadderGame)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            found[game.player, game.id] = game
        ended = [
            game
            for game in found.values()
            if game.score is not None and player in (None, game.player)
        ]
        return sorted(ended, key=lambda game: game.time)


def default_home() -> Home:
    """Return the user's own home of results, in the data folder."""
    return Home(data_folder() / HOME_FILE)
