"""Weights and activations of eight bits instead of thirty-two: faster, and a little less exact.

After training, by onnxruntime's own tools; only they, and the package ``onnx``, can write a network
anew. What is between the first convolution and the heads is quantized. The first reads komi, whose
steps eight bits would blur; the heads, convolutions of one cell, are cheap, and most disagreement
about the best move came from them. Weights get seven bits: onnxruntime's guide says that sums of
products can overflow with eight on processors without VNNI, and on one
the value was far off.

Measured there, with a net of 6 blocks and 64 channels on 9x9, 500 positions of its own games that
had no part in the choice: the same best move in 96 of 100, a divergence of the policy of 0.004, an
error of 0.02 in the value. Of 1,000 positions by which the choice was made: everything quantized
82 of 100, 0.015 and 0.03; the same with eight bits for the weights, an error of 0.12 in the value.
"""

from __future__ import annotations

import logging
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.network.description import INPUT, OUTCOMES, POLICY, VALUE
from montego.network.errors import NetworkError
from montego.network.onnx_file import with_description
from montego.network.runtime import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from montego.network.network import Network

BATCH = 64  # Positions that are compared at a time.


class NetworkAgreement(NamedTuple):
    """How far two networks agree about some positions."""

    best_move: float
    """In which part of them the same output of the policy is the largest."""
    divergence: float
    """Of the second policy from the first: Kullback and Leibler's, in nats."""
    value_error: float
    """Root of the mean square difference of the win probabilities."""


def quantized(network: Network, planes: NDArray[np.float32]) -> bytes:
    """Return the file of a network with weights and activations of eight bits.

    *planes* are positions to calibrate by, some hundreds, as the network is shown them.

    Raises:
        NetworkError: If the tools for it are not installed, or do not take the network.
    """
    try:
        import onnx  # noqa: PLC0415  # Large, and needed here alone.
        from onnxruntime import quantization  # noqa: PLC0415
        from onnxruntime.quantization.shape_inference import quant_pre_process  # noqa: PLC0415
    except ImportError as error:
        raise NetworkError(f"quantization needs the packages of montego[train]: {error}") from None

    with tempfile.TemporaryDirectory(prefix="montego-") as folder, _quiet():
        given, ready, made = (Path(folder) / f"{name}.onnx" for name in ("given", "ready", "made"))
        given.write_bytes(network.data)
        try:
            quant_pre_process(given, ready, skip_symbolic_shape=True)
            model = onnx.load(ready)
            kept = _name_and_keep(model)
            onnx.save(model, ready)
            quantization.quantize_static(
                ready,
                made,
                _reader(quantization, planes),
                quant_format=quantization.QuantFormat.QOperator,
                op_types_to_quantize=["Conv"],
                nodes_to_exclude=kept,
                per_channel=True,
                reduce_range=True,
                activation_type=quantization.QuantType.QUInt8,
                weight_type=quantization.QuantType.QInt8,
            )
        except Exception as error:  # Its tools raise whatever comes.
            line = " ".join(str(error).split())[:160]
            raise NetworkError(f"{network.name}: cannot be quantized: {line}") from error
        return with_description(made.read_bytes(), replace(network.description, weights="int8"))


def agreement(one: Network, other: Network, planes: NDArray[np.float32]) -> NetworkAgreement:
    """Return how far two networks agree about positions, as they are shown them.

    Raises:
        NetworkError: If one of them cannot be run.
    """
    policies, values = zip(*(_answers(network, planes) for network in (one, other)), strict=True)
    first, second = policies
    divergence = (first * np.log((first + 1e-12) / (second + 1e-12))).sum(axis=1)
    return NetworkAgreement(
        best_move=float((first.argmax(axis=1) == second.argmax(axis=1)).mean()),
        divergence=float(divergence.mean()),
        value_error=float(np.sqrt(((values[0] - values[1]) ** 2).mean())),
    )


def _answers(
    network: Network, planes: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the policies and the win probabilities of positions."""
    shape = network.model.outputs[POLICY][1]
    height, width = planes.shape[2:]
    outputs = shape if isinstance(shape, int) and shape > 0 else height * width + 1
    policies, values = [], []
    for begin in range(0, len(planes), BATCH):
        part = planes[begin : begin + BATCH]
        shapes = {POLICY: (len(part), outputs), VALUE: (len(part), OUTCOMES)}
        found = run(network.session, {INPUT: part}, shapes)
        outcome = _softmax(found[VALUE])
        policies.append(_softmax(found[POLICY]))
        values.append(outcome[:, 0] + 0.5 * outcome[:, 2])
    return np.concatenate(policies), np.concatenate(values)


def _softmax(logits: NDArray[Any]) -> NDArray[np.float64]:
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)


def _name_and_keep(model: Any) -> list[str]:
    """Give every node a name, and return those of the convolutions to be left as they are."""
    shapes = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    kept = []
    for number, node in enumerate(model.graph.node):
        node.name = node.name or f"node_{number}"
        if node.op_type == "Conv":
            shape = shapes.get(node.input[1], ())
            if node.input[0] == INPUT or all(part == 1 for part in shape[2:]):
                kept.append(node.name)
    return kept


def _reader(quantization: Any, planes: NDArray[np.float32]) -> Any:
    """Return what hands positions to the tools, one after the other."""

    class CalibrationReader(quantization.CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self._left = iter(planes)

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            position = next(self._left, None)
            return None if position is None else {INPUT: position[None]}

    return CalibrationReader()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the tools from talking to the user."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)
