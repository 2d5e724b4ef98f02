"""What can go wrong with input to the search."""


class MctsError(ValueError):
    """Something asked of the search does not make sense."""


class InvalidConfig(MctsError):  # noqa: N818  # Named for what the user did.
    """A configuration with an impossible value; the message names the field."""


class InvalidMove(MctsError):  # noqa: N818
    """A move that is not legal in the position."""
