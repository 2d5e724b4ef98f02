"""The book: what searches learned about positions, kept in one file for later games.

It knows Go positions and SQLite, neither the search nor the engine. Start reading with ``store``,
the book itself; ``position`` and ``experience`` say what is in it. The public names are loaded when
first used: who has no book loads none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.lazy import lazy_names

if TYPE_CHECKING:
    from montego.book.errors import BookError as BookError
    from montego.book.experience import Experience as Experience
    from montego.book.experience import MoveExperience as MoveExperience
    from montego.book.position import GameSettings as GameSettings
    from montego.book.position import Pose as Pose
    from montego.book.position import pose_of_game as pose_of_game
    from montego.book.position import settings_of as settings_of
    from montego.book.store import Book as Book
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "errors": "BookError",
            "experience": "Experience MoveExperience",
            "position": "Pose GameSettings pose_of_game settings_of",
            "store": "Book",
        },
    )
