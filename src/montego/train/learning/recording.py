"""Recording what a GPU is to do (CUDA graphs), so that it can be done again without being told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable


def recorded(work: Callable[[], Any]) -> Any:
    """Return a CUDA graph of what *work* has a GPU do; its ``replay`` does it again.

    What is done for the first time (compilation, choice of algorithms) cannot be recorded: the
    work must have been done before.
    """
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        work()
    return graph


def warm_up_apart(work: Callable[[], Any], times: int = 3) -> None:
    """Do some work in a stream of its own, as PyTorch wants it before it is recorded."""
    apart = torch.cuda.Stream()
    apart.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(apart):
        for _ in range(times):
            work()
    torch.cuda.current_stream().wait_stream(apart)
