"""A network: its file, what it says of itself, and the session that runs it."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from montego.network.description import INPUT, OUTCOMES, OWNERSHIP, POLICY, SCORE, VALUE
from montego.network.errors import NetworkError
from montego.network.onnx_file import read_bytes, read_model

if TYPE_CHECKING:
    from montego.mcts.features import Features
    from montego.network.description import Description
    from montego.network.onnx_file import Model, Shape
    from montego.network.runtime import Arrays, LoadedModel, NativeCall

NETS = Path(__file__).parent / "nets"
"""Where the networks are that come with Montego."""


class Network:
    """A network that was read and understood; what runs it is loaded when it is first used."""

    def __init__(self, data: bytes, name: str = "the network", *, way: str | None = None) -> None:
        """Take a model's bytes; *name* is what errors call it.

        *way* is how it will be run, see :func:`montego.network.runtime.open_session`.

        Raises:
            NetworkError: If it is no network, or nothing that we would run.
        """
        self.name = name
        self._data = data
        self._way = way
        try:
            self.model: Model = read_model(data)
            self.description: Description = self.model.description()
            self._check_shapes()
        except NetworkError as error:
            raise NetworkError(f"{name}: {error}") from None

    @classmethod
    def open(cls, path: str | Path, *, way: str | None = None) -> Network:
        """Read a network from a file.

        Raises:
            NetworkError: If it cannot be read, is no network, or nothing that we would run.
        """
        return cls(read_bytes(path), str(path), way=way)

    @property
    def data(self) -> bytes:
        """The file, as it was read."""
        return self._data

    @cached_property
    def session(self) -> LoadedModel:
        """What runs it.

        Raises:
            NetworkError: If onnxruntime is missing, or does not take it.
        """
        from montego.network.runtime import open_session  # noqa: PLC0415  # Loads NumPy.

        try:
            return open_session(self._data, self._way)
        except NetworkError as error:
            raise type(error)(f"{self.name}: {error}") from None

    def bind(self, inputs: Arrays, outputs: Arrays) -> NativeCall:
        """Prepare runs from and to these arrays: see :class:`montego.network.runtime.LoadedModel`.

        Raises:
            NetworkError: If it cannot be run so.
        """
        session = self.session
        try:
            return session.bind(inputs, outputs)
        except NetworkError as error:
            raise NetworkError(f"{self.name}: {error}") from None

    def check(self, features: Features) -> None:
        """Make sure that it can judge what is shown so.

        Raises:
            NetworkError: If it is for another game, another size, or other planes.
        """
        reason = self.description.misfit(features)
        if reason is None:
            shapes = {
                INPUT: (features.planes, features.height, features.width),
                POLICY: (features.policy,),
            }
            all_shapes = self.model.inputs | self.model.outputs
            for name, wanted in shapes.items():
                has = all_shapes[name][1:]
                if reason is None and not _fits(has, wanted):
                    reason = f"the shape of its {name} is {_words(has)}, not {_words(wanted)}"
        if reason is not None:
            raise NetworkError(f"{self.name}: {reason}")

    def _check_shapes(self) -> None:
        model = self.model
        if list(model.inputs) != [INPUT]:
            raise NetworkError(f"it has {_names(model.inputs)} as inputs, not {INPUT} alone")
        for name in (POLICY, VALUE):
            if name not in model.outputs:
                raise NetworkError(f"it has {_names(model.outputs)} as outputs, but no {name}")
        ranks = {INPUT: 4, POLICY: 2, VALUE: 2, OWNERSHIP: 2, SCORE: 2}
        for name, shape in (model.inputs | model.outputs).items():
            if name in ranks and len(shape) != ranks[name]:
                raise NetworkError(f"its {name} has {len(shape)} dimensions, not {ranks[name]}")
        if not _fits(model.outputs[VALUE][1:], (OUTCOMES,)):
            raise NetworkError(
                f"its {VALUE} is {_words(model.outputs[VALUE][1:])}, not win, loss and draw"
            )
        for name, shape in (model.inputs | model.outputs).items():
            if name in ranks and shape[0] not in (1, -1) and isinstance(shape[0], int):
                raise NetworkError(f"its {name} is for {shape[0]} positions at a time, not for one")


def find_network(game: str, size: tuple[int, int], folder: Path | None = None) -> Path | None:
    """Return the file of the network that comes with Montego for a game on boards of that size.

    *size* is rows and columns. None if there is none; among several, the last in the order of their
    names. *folder* is another one to look into. Loads no NumPy.
    """
    found = None
    for path, described in _described(folder or NETS):
        if described.game == game and described.has_size(size):
            found = path
    return found


@cache
def _described(folder: Path) -> tuple[tuple[Path, Description], ...]:
    """Return the networks in a folder and what they say of themselves; each is read once."""
    paths = sorted(folder.glob("*.onnx"))
    return tuple((path, Network.open(path).description) for path in paths)


def _fits(shape: Shape, wanted: tuple[int, ...]) -> bool:
    """Say whether a shape can be that one; what is not fixed can be anything."""
    return len(shape) == len(wanted) and all(
        isinstance(have, str) or have in (want, -1)
        for have, want in zip(shape, wanted, strict=True)
    )


def _words(shape: Shape) -> str:
    return "x".join(str(part) for part in shape)


def _names(shapes: dict[str, Shape]) -> str:
    return ", ".join(name[:40] for name in list(shapes)[:5]) or "nothing"
