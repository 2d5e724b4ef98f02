"""The newest positions, in the device's memory: a ring that self-play fills and learning reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

if TYPE_CHECKING:
    from torch import Tensor

    from montego.mcts.features import Features
    from montego.train.learning.positions import Positions

CPU_BYTES = 2 << 30
"""Memory of the machine that positions may take."""
GPU_SHARE = 0.5
"""Memory of a GPU that is free when a run begins and that positions may take."""


class TurnedSample(NamedTuple):
    """Positions to learn from, turned at random."""

    planes: Tensor  # float16 [n, planes, height, width], channels last
    policy: Tensor  # float32 [n, outputs]
    value: Tensor
    score: Tensor
    ownership: Tensor
    weight: Tensor


class ReplayWindow:
    """A ring of positions. Position number k of the run lies at k modulo *capacity*."""

    def __init__(
        self, features: Features, capacity: int, device: torch.device, *, ownership: bool
    ) -> None:
        cells = features.cells
        owned = cells if ownership else 0
        each = 2 * features.planes * cells + 2 * features.policy + owned + 12
        if device.type == "cuda":
            most = int(torch.cuda.mem_get_info(device)[0] * GPU_SHARE)
        else:
            most = CPU_BYTES
        self.capacity = max(1, min(capacity, most // each))
        self.total = 0
        """Positions that were ever added."""
        self.held = 0
        """The newest of them that are here."""
        self._size = (features.height, features.width)

        def ring(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.empty((self.capacity, *shape), dtype=dtype, device=device)

        # Cell by cell, all planes of a cell together: what a symmetry moves lies in one piece, and
        # what comes out is laid out as convolutions on a GPU want it.
        self._planes = ring(cells, features.planes, dtype=torch.float16)
        self._policy = ring(features.policy, dtype=torch.float16)
        self._value = ring(dtype=torch.float32)
        self._score = ring(dtype=torch.float32)
        self._ownership = ring(owned, dtype=torch.int8)
        self._weight = ring(dtype=torch.float32)
        # A symmetry says which cell is shown in each cell of the image, but where each output goes.
        outputs = np.argsort(features.output_permutations(), axis=1)
        self._cells = torch.as_tensor(features.symmetries, device=device, dtype=torch.long)
        self._outputs = torch.as_tensor(outputs, device=device, dtype=torch.long)

    @property
    def symmetries(self) -> int:
        """How many there are."""
        return len(self._cells)

    @property
    def bytes(self) -> int:
        """Memory of the positions that are here."""
        return self.held * sum(int(ring[:1].nbytes) for ring in self._rings)

    @property
    def _rings(self) -> tuple[Tensor, ...]:
        return (
            self._planes,
            self._policy,
            self._value,
            self._score,
            self._ownership,
            self._weight,
        )

    def add(self, positions: Positions) -> None:
        """Put positions behind those that are here; the oldest make room."""
        count = len(positions.value)
        rows = positions._replace(
            planes=positions.planes.flatten(2).transpose(1, 2),
            ownership=positions.ownership[:, : self._ownership.shape[1]],
        )
        self._write(self.total, rows)
        self.total += count
        self.held = min(self.capacity, self.held + count)

    def _write(self, number: int, rows: tuple[Tensor, ...]) -> None:
        """Write rows from that number on."""
        count = len(rows[0])
        skipped = max(0, count - self.capacity)  # would be overwritten at once
        begin = (number + skipped) % self.capacity
        first = min(count - skipped, self.capacity - begin)
        for ring, new in zip(self._rings, rows, strict=True):
            new = new[skipped:]  # noqa: PLW2901
            ring[begin : begin + first] = new[:first]
            ring[: count - skipped - first] = new[first:]

    def draw(self, newest: int, numbers: Tensor, generator: torch.Generator) -> None:
        """Fill *numbers* with places, drawn from that many of the newest positions."""
        torch.randint(
            self.total - newest, self.total, numbers.shape, generator=generator, out=numbers
        )
        numbers.remainder_(self.capacity)

    def sample(self, places: Tensor, symmetries: Tensor) -> TurnedSample:
        """Return the positions at these places, each turned by one of the symmetries."""
        cells, outputs = self._cells[symmetries], self._outputs[symmetries]
        rows = places[:, None]
        planes = self._planes[rows, cells]
        ownership = (
            self._ownership[rows, cells] if self._ownership.shape[1] else self._ownership[:0]
        )
        return TurnedSample(
            planes=planes.unflatten(1, self._size).permute(0, 3, 1, 2),
            policy=self._policy[rows, outputs].float(),
            value=self._value[places],
            score=self._score[places],
            ownership=ownership,
            weight=self._weight[places],
        )

    def latest(self, count: int) -> Tensor:
        """Return the planes of up to so many positions, the newest, one of each few of them."""
        count = min(count, self.held)
        step = max(1, min(self.held // max(1, count), 37))  # Neighbors are of one game.
        numbers = torch.arange(self.total - count * step, self.total, step)
        places = (numbers % self.capacity).to(self._value.device)
        planes = self._planes[places]
        return planes.unflatten(1, self._size).permute(0, 3, 1, 2).contiguous()

    def state(self) -> dict[str, object]:
        """Return the positions, the oldest first."""
        begin = self.total - self.held
        places = torch.arange(begin, self.total, device=self._value.device) % self.capacity
        return {"total": self.total, "rows": [ring[places].cpu() for ring in self._rings]}

    def restore(self, state: dict[str, object]) -> None:
        """Go on with the positions of another window, of any capacity."""
        rows: list[Tensor] = state["rows"]  # type: ignore[assignment]
        total: int = state["total"]  # type: ignore[assignment]
        count = len(rows[0])
        self._write(total - count, tuple(row.to(self._value.device) for row in rows))
        self.total, self.held = total, min(self.capacity, count)

    def forget(self, total: int) -> None:
        """Be empty, after that many positions of the run."""
        self.total, self.held = total, 0
