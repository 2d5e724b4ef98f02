"""What can go wrong with networks, each with a line for the person who wanted one."""

from __future__ import annotations

from montego.mcts.errors import MctsError


class NetworkError(MctsError):
    """A network that cannot be read, does not fit, or cannot be run."""


class NoRuntime(NetworkError):  # noqa: N818  # Named for what is missing.
    """onnxruntime, which runs networks, is not installed or does not work."""
