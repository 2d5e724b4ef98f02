"""What a network's file says of itself, and what its inputs and outputs are called.

A network is an ONNX model with one input and two to four outputs, all of 32-bit floats; N is the
number of positions, H and W are the rows and columns of the board, fixed or not.

=============  =================  ============================================================
``planes``     [N, planes, H, W]  what :class:`montego.mcts.features.Features` writes
``policy``     [N, outputs]       logits of the moves, as the features number them
``value``      [N, 3]             logits of win, loss and draw for the player to move
``ownership``  [N, H * W]         optional: who will own a cell, 1 the player to move, -1 the other
``score``      [N, 1]             optional: the final score, of the player to move
=============  =================  ============================================================

Three numbers for the value serve every game: where there are no draws, the third is small, and the
win probability is that of a win and half that of a draw.

Among the model's metadata, the key ``montego`` has a :class:`Description` as a JSON object.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from montego.network.errors import NetworkError

if TYPE_CHECKING:
    from montego.mcts.features import Features

KEY = "montego"
"""Of the description among a model's metadata."""

INPUT = "planes"
POLICY, VALUE, OWNERSHIP, SCORE = "policy", "value", "ownership", "score"
OUTCOMES = 3  # win, loss, draw

FORMAT = 1
"""Of the description itself: a later one is not read."""


@dataclass(frozen=True, kw_only=True)
class Description:
    """What a network is for. Immutable.

    Raises:
        NetworkError: If the board's sizes or the komi have no range.
    """

    game: str
    """As :attr:`~montego.mcts.features.Features.game` has it, and so the next two."""
    version: int
    planes: int

    least: tuple[int, int]
    """Rows and columns of the smallest board."""
    most: tuple[int, int]
    """Of the largest."""

    komi: tuple[float, float] | None = None
    """The komi that it has learned with, least and most; None for games without."""

    weights: str = "float32"
    """What its weights are: ``float32``, or ``int8`` after quantization."""

    name: str = ""
    training: dict[str, Any] = field(default_factory=dict)
    """How it has come about: whatever whoever trained it wants to be known."""
    licence: str = ""

    format: int = FORMAT

    def __post_init__(self) -> None:
        sizes = (*self.least, *self.most)
        if self.format != FORMAT:
            raise NetworkError(f"its description is of format {self.format}, not {FORMAT}")
        if min(sizes) < 1 or self.least[0] > self.most[0] or self.least[1] > self.most[1]:
            raise NetworkError(f"its boards are from {_size(self.least)} to {_size(self.most)}")
        if self.komi is not None and not self.komi[0] <= self.komi[1]:
            raise NetworkError(f"its komi is from {self.komi[0]:g} to {self.komi[1]:g}")

    @property
    def boards(self) -> str:
        """The sizes in words: ``"9x9"``, ``"7x7 to 19x19"``."""
        least, most = _size(self.least), _size(self.most)
        return least if least == most else f"{least} to {most}"

    def has_size(self, size: tuple[int, int]) -> bool:
        """Say whether it is for boards with so many rows and columns."""
        bounds = zip(self.least, size, self.most, strict=True)
        return all(least <= lines <= most for least, lines, most in bounds)

    def misfit(self, features: Features) -> str | None:
        """Return why a network so described cannot judge what is shown so, in words; or None."""
        if self.game != features.game:
            return f"it is for {self.game}, not for {features.game}"
        if (self.version, self.planes) != (features.version, features.planes):
            return (
                f"it reads {self.planes} planes of version {self.version}, "
                f"not {features.planes} of version {features.version}"
            )
        size = (features.height, features.width)
        if not self.has_size(size):
            return f"it is for {self.boards}, not for {_size(size)}"
        return None

    def to_json(self) -> str:
        """Return the description as a JSON object."""
        import json  # noqa: PLC0415  # Only where a file is written.

        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)


def read_description(text: str) -> Description:
    """Return the description in a JSON object. Members that are not known are passed over.

    Raises:
        NetworkError: If it is none.
    """
    import msgspec  # noqa: PLC0415  # Not before a network is read.

    try:
        return msgspec.json.decode(text.encode(), type=Description)
    except NetworkError:
        raise
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise NetworkError(f"its description is broken: {error}") from None


def _size(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"
