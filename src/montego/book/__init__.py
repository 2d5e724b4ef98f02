"""The book: what searches learned about positions, kept in one file for later games.

It knows Go positions and SQLite, neither the search nor the engine. The public names are loaded
when first used: who has no book loads none of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.book.errors import BookError
    from montego.book.experience import Experience, MoveExperience
    from montego.book.position import Pose, Settings, pose_of_game, settings_of
    from montego.book.store import Book

_HOMES = {
    "Book": "store",
    "BookError": "errors",
    "Experience": "experience",
    "MoveExperience": "experience",
    "Pose": "position",
    "Settings": "position",
    "pose_of_game": "position",
    "settings_of": "position",
}

__all__ = [
    "Book",
    "BookError",
    "Experience",
    "MoveExperience",
    "Pose",
    "Settings",
    "pose_of_game",
    "settings_of",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
