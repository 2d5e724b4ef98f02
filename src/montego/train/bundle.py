"""The folder of a run: everything that it takes to go on, on this machine or on another.

``run.json`` says what is there: settings, counters, the log, and which files hold the rest. These
are the parts of one file of PyTorch's, cut so that each is small. A new state has new files; when
all of them are on the disk ``run.json`` is replaced in one go, and the old ones are removed.
Whoever is killed at any time finds the last state whole.

A state takes STATE_BYTES at most, so that even two of them with a network fit into 64 MB. Where
exact weights and moments would take more, they are rounded.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from montego.exclusive import Exclusive
from montego.train.errors import TrainError
from montego.version import __version__

if TYPE_CHECKING:
    from torch import Tensor

FORMAT = 2
"""Of the folder."""
READABLE = (1, 2)
"""Formats that are read; another one is refused. The first had one board."""
MANIFEST = "run.json"
LOCK = "run.lock"
PREFIX = "state-"

STATE_BYTES = 24 << 20
PART_BYTES = 15 << 20

_KINDS = (
    # What weights, averaged weights and moments are kept as; None for not at all.
    (torch.float32, torch.float32, torch.float32),
    (torch.float32, torch.float16, torch.bfloat16),
    (torch.float16, torch.float16, torch.bfloat16),
    (torch.float16, torch.float16, None),
)
_SPARE = 1 << 20  # for all that is no weight


class Saved(NamedTuple):
    """What a folder holds."""

    info: dict[str, Any]
    """Whatever JSON can hold."""
    state: dict[str, Any]
    """Tensors, numbers, texts, and lists and dictionaries of those."""


class Bundle(Exclusive):
    """The folder of a run, which no other process may use at the same time.

    Raises:
        TrainError: If it cannot be written, or is in use.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._number = 0
        busy = TrainError(f"{self.folder} is in use by another run")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            super().__init__(self.folder / LOCK, 0, busy)
        except OSError as error:
            raise TrainError(f"cannot write into {self.folder}: {error.strerror}") from None

    def read(self) -> Saved | None:
        """Return what the folder holds; None if no run was ever kept there.

        Raises:
            TrainError: If that is of another format, or damaged.
        """
        path = self.folder / MANIFEST
        if not path.exists():
            return None
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
            found, version = manifest["format"], manifest["montego"]
        except (OSError, ValueError, KeyError, TypeError):
            raise TrainError(f"{path} is damaged: choose another folder") from None
        if found not in READABLE:
            raise TrainError(
                f"{self.folder} is of format {found}, from Montego {version}; "
                f"this is {__version__}, which reads formats up to {FORMAT}"
            )
        try:
            parts = [(self.folder / part["name"]).read_bytes() for part in manifest["parts"]]
            sums = [part["sha256"] for part in manifest["parts"]]
            if [hashlib.sha256(part).hexdigest() for part in parts] != sums:
                raise ValueError("a sum is wrong")
            # Nothing but tensors and plain values: a folder from a stranger runs no code.
            state = torch.load(io.BytesIO(b"".join(parts)), map_location="cpu", weights_only=True)
            self._number = int(manifest["number"])
            return Saved(manifest["info"], state)
        except (
            *(OSError, ValueError, KeyError, TypeError, RuntimeError, EOFError),
            pickle.UnpicklingError,
        ) as error:
            raise TrainError(f"the run in {self.folder} is damaged: {_line(error)}") from None

    def write(self, info: dict[str, Any], state: dict[str, Any]) -> None:
        """Keep a state in place of the one that is there.

        Raises:
            TrainError: If the disk is full, say; what was there stays.
        """
        stream = io.BytesIO()
        torch.save(state, stream)
        data = stream.getvalue()
        number = self._number + 1
        parts: list[dict[str, str]] = []
        try:
            for begin in range(0, len(data), PART_BYTES):
                part = data[begin : begin + PART_BYTES]
                name = f"{PREFIX}{number:06d}-{len(parts)}"
                _write_whole(self.folder / name, part)
                parts.append({"name": name, "sha256": hashlib.sha256(part).hexdigest()})
            manifest = {
                "format": FORMAT,
                "montego": __version__,
                "number": number,
                "parts": parts,
                "info": info,
            }
            text = json.dumps(manifest, indent=1, ensure_ascii=False)
            _write_whole(self.folder / MANIFEST, text.encode())
        except OSError as error:
            raise TrainError(f"cannot write into {self.folder}: {error.strerror}") from None
        self._number = number
        kept = {part["name"] for part in parts}
        for path in self.folder.glob(f"{PREFIX}*"):
            if path.name not in kept:
                path.unlink(missing_ok=True)

    def write_file(self, name: str, data: bytes) -> Path:
        """Write another file into the folder, so that it is never seen half, and return its path.

        Raises:
            TrainError: If it cannot be written.
        """
        path = self.folder / name
        try:
            _write_whole(path, data)
        except OSError as error:
            raise TrainError(f"cannot write {path}: {error.strerror}") from None
        return path


def rounded(learner: dict[str, Any], most: int = STATE_BYTES) -> dict[str, Any]:
    """Return the state of a learner, as exactly as fits into that many bytes.

    Vectors, running means among them, are small and stay what they are.
    """
    weights = sum(tensor.numel() for tensor in learner["net"].values())
    for kinds in _KINDS:
        net, averaged, moments = kinds
        sizes = [net.itemsize, averaged.itemsize, 0 if moments is None else 2 * moments.itemsize]
        if weights * sum(sizes) + _SPARE <= most:
            break
    kept = learner | {
        "net": _as_kind(learner["net"], net),
        "averaged": _as_kind(learner["averaged"], averaged),
    }
    if moments is None:
        del kept["moments"]
    else:
        kept["moments"] = [_as_kind(pair, moments) for pair in learner["moments"]]
    return kept


def _as_kind(tensors: dict[str, Tensor], kind: torch.dtype) -> dict[str, Tensor]:
    return {
        name: tensor.to(kind) if tensor.ndim > 1 else tensor for name, tensor in tensors.items()
    }


def _write_whole(path: Path, data: bytes) -> None:
    temporary = path.with_name(path.name + ".part")
    with temporary.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)


def _line(error: Exception) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:160]
