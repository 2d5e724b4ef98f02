"""What can go wrong with a book, each with one sentence for the person who named its file.

All are :class:`BookError`, which is what a player catches before it plays on without the book.
Whatever raised one has changed nothing in the book.
"""

from __future__ import annotations

from montego.go.vocabulary.errors import GoError


class BookError(GoError):
    """A book that cannot be used, or not for this."""


class NoBook(BookError):  # noqa: N818  # Named for what is there, as all here.
    """There is no file at the place, or what is there is no file at all."""


class ReadOnlyBook(BookError):  # noqa: N818
    """A book that may be read but not written; open it with ``read_only=True``."""


class BookLocked(BookError):  # noqa: N818
    """Another program wrote into the book for longer than this one was ready to wait."""


class UnreadableRow(ValueError):  # noqa: N818
    """A row that makes no sense; a book turns it into a :class:`BookError` with its name."""
