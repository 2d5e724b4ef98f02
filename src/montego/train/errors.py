"""What can go wrong in training, each with a line for the person who wanted it."""

from __future__ import annotations

from importlib.util import find_spec

from montego.mcts.errors import MctsError

EXTRA = "pip install 'montego[train]'"
"""What installs everything that training needs."""


class TrainError(MctsError):
    """A run that cannot begin, go on, or be kept."""


class Diverged(TrainError):  # noqa: N818  # Named for what happened.
    """Training that has gone wrong, so that going on would spoil what was learned."""


def check_installed(*packages: str) -> None:
    """Make sure that these are installed.

    Raises:
        TrainError: If one is missing; the message says what installs it.
    """
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise TrainError(f"training needs {' and '.join(missing)}, which {verb} missing: {EXTRA}")
