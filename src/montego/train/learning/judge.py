"""The network as self-play asks it: averaged weights, folded, in half precision on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from montego.train.learning.net import Net, win_probability

if TYPE_CHECKING:
    from torch import Tensor

    from montego.train.learning.net import NetShape


class NetJudge:
    """Judges positions for self-play; its weights change by :meth:`refresh` alone.

    What it does can be recorded (:mod:`~montego.train.learning.recording`): the weights stay where
    they are.
    """

    def __init__(self, shape: NetShape, device: torch.device, *, compiled: bool = False) -> None:
        self._device = device
        self._type = torch.bfloat16 if device.type == "cuda" else torch.float32
        self._net = Net(shape, folded=True).to(
            device=device, dtype=self._type, memory_format=torch.channels_last
        )
        self._net.eval()
        self._forward: Any = torch.compile(self._judge, dynamic=False) if compiled else self._judge

    def refresh(self, net: Net) -> None:
        """Judge like *net* from now on."""
        self._net.fold_from(net)

    def __call__(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [n, outputs] and the win probability of the player to move [n]."""
        with torch.no_grad():
            laid_out = planes.to(
                device=self._device, dtype=self._type, memory_format=torch.channels_last
            )
            return self._forward(laid_out)  # type: ignore[no-any-return]

    def _judge(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        answer = self._net(planes)
        return answer.policy.float(), win_probability(answer.value)
