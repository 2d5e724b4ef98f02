"""The network as self-play asks it: averaged weights, folded, in half precision on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from montego.train.net import Net, win_probability

if TYPE_CHECKING:
    from torch import Tensor

    from montego.train.net import Shape

GRAPHS = 4
"""Different numbers of positions for which the kernels are recorded; others are judged slower."""


class NetJudge:
    """Judges positions for self-play; its weights change by :meth:`refresh` alone.

    On a GPU, what is to be launched is recorded once for each number of positions (a CUDA graph),
    so that many at a time in always the same number is fast. Answers lie in memory that the next
    call with as many positions overwrites.
    """

    def __init__(self, shape: Shape, device: torch.device, *, compiled: bool = False) -> None:
        self._device = device
        self._is_gpu = device.type == "cuda"
        self._type = torch.bfloat16 if self._is_gpu else torch.float32
        self._net = Net(shape, folded=True).to(
            device=device, dtype=self._type, memory_format=torch.channels_last
        )
        self._net.eval()
        self._forward: Any = torch.compile(self._judge, dynamic=False) if compiled else self._judge
        self._graphs: dict[int, tuple[Any, Tensor, Tensor, Tensor]] = {}
        self.records = self._is_gpu
        """Whether CUDA graphs are used."""

    def refresh(self, net: Net) -> None:
        """Judge like *net* from now on."""
        self._net.fold_from(net)

    def __call__(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits [n, outputs] and the win probability of the player to move [n]."""
        with torch.no_grad():
            if not self.records:
                return self._forward(self._laid_out(planes))  # type: ignore[no-any-return]
            count = len(planes)
            if count not in self._graphs:
                if len(self._graphs) == GRAPHS:
                    return self._judge(self._laid_out(planes))
                self._graphs[count] = self._record(planes)
            graph, given, policy, value = self._graphs[count]
            given.copy_(planes)
            graph.replay()
            return policy, value

    def _laid_out(self, planes: Tensor) -> Tensor:
        return planes.to(device=self._device, dtype=self._type, memory_format=torch.channels_last)

    def _judge(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        answer = self._net(planes)
        return answer.policy.float(), win_probability(answer.value)

    def _record(self, planes: Tensor) -> tuple[Any, Tensor, Tensor, Tensor]:
        """Return a graph, where it reads and where it writes."""
        given = self._laid_out(planes).clone(memory_format=torch.channels_last)
        warm_up_apart(lambda: self._forward(given))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            policy, value = self._forward(given)
        return graph, given, policy, value


def warm_up_apart(work: Any, times: int = 3) -> None:
    """Do some work in a stream of its own, as PyTorch wants it before it is recorded."""
    apart = torch.cuda.Stream()
    apart.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(apart):
        for _ in range(times):
            work()
    torch.cuda.current_stream().wait_stream(apart)
