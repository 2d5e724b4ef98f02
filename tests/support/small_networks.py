"""Small networks with random weights, as files and, independently, as sums in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from montego.network.description import Description
from montego.network.onnx_file import with_description

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.mcts.features import Features

CHANNELS = 4


@dataclass
class SmallNetwork:
    """A convolution, and from it the policy and the value."""

    features: Features
    weights: dict[str, NDArray[Any]]

    def description(self, **changes: Any) -> Description:
        size = (self.features.height, self.features.width)
        given: dict[str, Any] = {
            "game": self.features.game,
            "version": self.features.version,
            "planes": self.features.planes,
            "least": size,
            "most": size,
            "name": "small",
        }
        return Description(**given | changes)

    def model(self) -> Any:
        """The model, as the onnx package has it; without a description."""
        features = self.features
        nodes = [
            helper.make_node("Conv", ["planes", "stem", "stem_bias"], ["a"], pads=[1] * 4),
            helper.make_node("Relu", ["a"], ["b"]),
            helper.make_node("GlobalAveragePool", ["b"], ["c"]),
            helper.make_node("Flatten", ["c"], ["pooled"]),
            helper.make_node("Gemm", ["pooled", "outcome", "outcome_bias"], ["value"]),
        ]
        if features.by_cell:
            nodes += [
                helper.make_node("Conv", ["b", "cell"], ["d"]),
                helper.make_node("Flatten", ["d"], ["cells"]),
                helper.make_node("Gemm", ["pooled", "beyond", "beyond_bias"], ["others"]),
                helper.make_node("Concat", ["cells", "others"], ["policy"], axis=1),
            ]
        else:
            nodes += [
                helper.make_node("Flatten", ["b"], ["flat"]),
                helper.make_node("Gemm", ["flat", "dense", "dense_bias"], ["policy"]),
            ]
        shape = ["n", features.planes, features.height, features.width]
        graph = helper.make_graph(
            nodes,
            "small",
            [helper.make_tensor_value_info("planes", TensorProto.FLOAT, shape)],
            [
                helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["n", features.policy]),
                helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n", 3]),
            ],
            [numpy_helper.from_array(array, name) for name, array in self.weights.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 9
        return model

    def file(self, **changes: Any) -> bytes:
        data: bytes = self.model().SerializeToString()
        return with_description(data, self.description(**changes))

    def answer(self, planes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The policy and the value of one position, cell by cell in double precision."""
        weights = {name: array.astype(np.float64) for name, array in self.weights.items()}
        features = self.features
        board = planes.reshape(features.planes, features.height, features.width)
        padded = np.pad(board.astype(np.float64), ((0, 0), (1, 1), (1, 1)))
        hidden = np.zeros((CHANNELS, features.height, features.width))
        for row in range(features.height):
            for column in range(features.width):
                patch = padded[:, row : row + 3, column : column + 3]
                sums = (weights["stem"] * patch).sum(axis=(1, 2, 3)) + weights["stem_bias"]
                hidden[:, row, column] = np.maximum(sums, 0)
        pooled = hidden.mean(axis=(1, 2))
        value = pooled @ weights["outcome"] + weights["outcome_bias"]
        if not features.by_cell:
            return hidden.ravel() @ weights["dense"] + weights["dense_bias"], value
        cells = (weights["cell"][0] * hidden).sum(axis=0).ravel()
        others = pooled @ weights["beyond"] + weights["beyond_bias"]
        return np.concatenate([cells, others]), value


def small_network(features: Features, seed: int = 0) -> SmallNetwork:
    random = np.random.default_rng(seed)
    beyond = features.policy - features.cells
    shapes: dict[str, tuple[int, ...]] = {
        "stem": (CHANNELS, features.planes, 3, 3),
        "stem_bias": (CHANNELS,),
        "outcome": (CHANNELS, 3),
        "outcome_bias": (3,),
    }
    if features.by_cell:
        shapes |= {"cell": (1, CHANNELS, 1, 1)}
        shapes |= {"beyond": (CHANNELS, beyond), "beyond_bias": (beyond,)}
    else:
        hidden = CHANNELS * features.cells
        shapes |= {"dense": (hidden, features.policy), "dense_bias": (features.policy,)}
    weights = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    return SmallNetwork(features, weights)
