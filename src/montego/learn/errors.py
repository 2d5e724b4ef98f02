"""What can go wrong with learning, each with a line for the person who wanted it."""

from __future__ import annotations

from montego.go.vocabulary.errors import GoError


class LearnError(GoError):
    """Something to learn from, or to go on from, that is of no use."""
