"""What can go wrong with a cluster, each with a line for the person who wanted it."""

from __future__ import annotations

from importlib.util import find_spec

from montego.go.vocabulary.errors import GoError

EXTRA = "pip install 'montego[cluster]'"
"""What installs everything that a cluster needs."""


class ClusterError(GoError):
    """A cluster that cannot be reached, or asked for."""


class MachineLost(ClusterError):  # noqa: N818  # Named for what happened.
    """A machine that did not answer what it was asked, and may be asked again later."""


def check_installed() -> None:
    """Make sure that Ray is installed, without loading it.

    Raises:
        ClusterError: If it is not; the message says what installs it.
    """
    if find_spec("ray") is None:
        raise ClusterError(f"--cluster needs Ray, which is missing: {EXTRA}")
