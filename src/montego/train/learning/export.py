"""Networks as ONNX files, in the format that :mod:`montego.network.description` lays down.

Written node by node and not traced, so that it needs no more than the package onnx, and the file
has no operator that a reader would refuse. Batch norms are folded into the convolutions.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.network.description import (
    INPUT,
    OUTCOMES,
    OWNERSHIP,
    POLICY,
    SCORE,
    VALUE,
    Description,
)
from montego.network.onnx_file import with_description
from montego.train.errors import check_installed
from montego.train.learning.net import SCORE_SCALE, Net

if TYPE_CHECKING:
    from montego.train.learning.net import Block

OPSET, IR_VERSION = 17, 9


def describe(net: Net, **more: Any) -> Description:
    """Return what the file of a network says of itself; *more* are fields of a Description."""
    shape = net.shape
    size = (shape.height, shape.width)
    given: dict[str, Any] = {
        "game": shape.game,
        "version": shape.version,
        "planes": shape.planes,
        "least": size,
        "most": size,
        "name": f"{shape.game} {shape.blocks}x{shape.channels}",
    }
    return Description(**given | more)


def onnx_bytes(net: Net, description: Description) -> bytes:
    """Return the file of a network that learns, as it judges.

    Raises:
        TrainError: If onnx is not installed.
    """
    check_installed("onnx")
    folded = Net(net.shape, folded=True)
    folded.fold_from(net)
    is_fixed = description.least == description.most
    data: bytes = _Writer(folded, is_fixed=is_fixed).model().SerializeToString()
    return with_description(data, description)


def eight_bits(data: bytes, planes: Any) -> bytes | None:
    """Return the file of a network with weights of eight bits, calibrated by these positions.

    None where what quantizes is not installed.

    Raises:
        NetworkError: If it cannot be quantized.
    """
    if find_spec("onnxruntime") is None or find_spec("msgspec") is None:
        return None
    from montego.network.network import Network  # noqa: PLC0415
    from montego.network.quantization import quantized  # noqa: PLC0415

    return quantized(Network(data), planes)


class _Writer:
    """Writes down what Net.forward does, step by step."""

    def __init__(self, net: Net, *, is_fixed: bool = True) -> None:
        """Write for the board that was learned on, if *is_fixed*, else for boards of any size."""
        import onnx  # noqa: PLC0415  # Takes a while, and may be missing.

        shape = net.shape
        self._size: tuple[int | str, int | str] = (
            (shape.height, shape.width) if is_fixed else ("h", "w")
        )
        self._is_fixed = is_fixed

        self._helper = onnx.helper
        self._as_tensor = onnx.numpy_helper.from_array
        self._float = onnx.TensorProto.FLOAT
        self._net = net
        self._nodes: list[Any] = []
        self._tensors: list[Any] = []

    def model(self) -> Any:
        """Return the model, as the package onnx has it, without a description."""
        net, shape = self._net, self._net.shape
        x = self._op("Relu", self._conv(INPUT, net.stem.filter, 1))
        for block in net.blocks:
            x = self._block(x, block)
        seen = self._pool(x)
        fixed = self._is_fixed
        outputs: dict[str, tuple[int | str, ...]] = {
            POLICY: (shape.policy if fixed else "outputs",),
            VALUE: (OUTCOMES,),
        }

        bias = self._op("Unsqueeze", self._linear(seen, net.policy_bias), self._axes())
        p = self._op("Relu", self._op("Add", self._conv(x, net.policy_cells, 0), bias))
        if shape.by_cell:
            # The soft policy is only learned from.
            p = self._op("Flatten", self._conv(p, net.policy, 0, outputs=1))
            if net.beyond is not None:
                beyond = self._linear(seen, net.beyond, outputs=shape.policy - shape.cells)
                p = self._op("Concat", p, beyond, axis=1)
        else:
            p = self._linear(self._op("Flatten", p), net.policy, outputs=shape.policy)
        self._op("Identity", p, name=POLICY)

        hidden = self._op("Relu", self._linear(seen, net.hidden))
        self._op("Identity", self._linear(hidden, net.value), name=VALUE)
        if net.ownership is not None:
            # The logit of being own is half that of a number from -1 to 1.
            half = self._tensor(np.array(0.5, np.float32))
            logits = self._op("Flatten", self._conv(x, net.ownership, 0))
            self._op("Tanh", self._op("Mul", logits, half), name=OWNERSHIP)
            outputs[OWNERSHIP] = (shape.cells if fixed else "cells",)
        if net.score is not None:
            scale = self._tensor(np.array(SCORE_SCALE, np.float32))
            self._op("Mul", self._linear(hidden, net.score), scale, name=SCORE)
            outputs[SCORE] = (1,)

        graph = self._helper.make_graph(
            self._nodes,
            "montego",
            [self._value(INPUT, (shape.planes, *self._size))],
            [self._value(name, size) for name, size in outputs.items()],
            self._tensors,
        )
        model = self._helper.make_model(
            graph, opset_imports=[self._helper.make_opsetid("", OPSET)], producer_name="montego"
        )
        model.ir_version = IR_VERSION
        return model

    def _block(self, x: str, block: Block) -> str:
        y = self._op("Relu", self._conv(x, block.first.filter, 1))
        if block.bias is not None:
            bias = self._linear(self._pool(y), block.bias)
            y = self._op("Add", y, self._op("Unsqueeze", bias, self._axes()))
        y = self._conv(y, block.second.filter, 1)
        return self._op("Relu", self._op("Add", x, y))

    def _pool(self, x: str) -> str:
        parts = (
            self._op("Flatten", self._op(f"Global{kind}Pool", x)) for kind in ("Average", "Max")
        )
        return self._op("Concat", *parts, axis=1)

    def _conv(self, x: str, layer: Any, padding: int, outputs: int | None = None) -> str:
        weight, bias = (self._tensor(_array(part)[:outputs]) for part in (layer.weight, layer.bias))
        width = int(layer.weight.shape[-1])
        return self._op("Conv", x, weight, bias, pads=[padding] * 4, kernel_shape=[width, width])

    def _linear(self, x: str, layer: Any, outputs: int | None = None) -> str:
        weight, bias = (self._tensor(_array(part)[:outputs]) for part in (layer.weight, layer.bias))
        return self._op("Gemm", x, weight, bias, transB=1)

    def _axes(self) -> str:
        if not any(tensor.name == "axes" for tensor in self._tensors):
            self._tensors.append(self._as_tensor(np.array([2, 3], np.int64), "axes"))
        return "axes"

    def _tensor(self, array: Any) -> str:
        name = f"weight{len(self._tensors)}"
        self._tensors.append(self._as_tensor(array, name))
        return name

    def _op(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        name = name or f"x{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def _value(self, name: str, size: tuple[int | str, ...]) -> Any:
        return self._helper.make_tensor_value_info(name, self._float, ["n", *size])


def _array(tensor: Any) -> Any:
    return np.ascontiguousarray(tensor.detach().cpu().numpy(), np.float32)
