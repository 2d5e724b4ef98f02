"""ONNX files without a library for them: what is inside, whether to trust it, its description.

A model is a Protocol Buffers message. This module walks over it, to know it before a runtime loads
it: a file from a stranger must not make us read other files, take all memory or run forever.
Refused are therefore weights in other files, tensors that claim more numbers than the file has,
numbers in attributes that no board game needs, subgraphs and functions, and operators that are not
on a list. Of the weights themselves nothing is looked at.

The fields' numbers are those of ``onnx.proto``, version 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from montego.network.description import KEY, read_description
from montego.network.errors import NetworkError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.network.description import Description

MOST_BYTES = 512 << 20
MOST_NODES = 20_000
MOST_NUMBER = 65_536
"""An attribute has no larger number: channels, strides, padding."""

DOMAINS = ("", "ai.onnx", "com.microsoft")

OPERATORS = frozenset(
    """
    Abs Add AveragePool BatchNormalization Cast Clip Concat Constant Conv DequantizeLinear Div
    Elu Erf Exp Flatten FusedConv FusedGemm FusedMatMul Gather Gelu Gemm GlobalAveragePool
    GlobalMaxPool HardSigmoid HardSwish Identity InstanceNormalization LayerNormalization LeakyRelu
    Log LogSoftmax MatMul MatMulInteger Max MaxPool Mean Min Mish Mul Neg PRelu Pow QGemm
    QLinearAdd QLinearAveragePool QLinearConcat QLinearConv QLinearGlobalAveragePool
    QLinearLeakyRelu QLinearMatMul QLinearMul QLinearSigmoid QLinearSoftmax QuantizeLinear
    Reciprocal ReduceMax ReduceMean ReduceMin ReduceSum Relu Reshape Shape Sigmoid Slice Softmax
    Softplus Softsign Split Sqrt Squeeze Sub Sum Tanh Transpose Unsqueeze
    """.split()  # noqa: SIM905  # As a list it would take a page.
)
"""What a network may consist of: no loops, and nothing that makes large tensors of a few numbers
but by multiplying and adding such as are in the file."""

FLOAT = 1  # the type of elements

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5

Shape = tuple[int | str, ...]
"""Of an input or output: numbers, and names for what is not fixed."""


@dataclass
class Model:
    """What is in a model, but for its weights."""

    metadata: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, Shape] = field(default_factory=dict)
    """By name; those that are initializers, too, are not among them. All hold floats."""
    outputs: dict[str, Shape] = field(default_factory=dict)
    operators: dict[str, int] = field(default_factory=dict)
    """How many nodes there are of each."""
    weights: int = 0
    """How many numbers the initializers have."""

    def description(self) -> Description:
        """Return what the model says of itself.

        Raises:
            NetworkError: If it says nothing, or nothing that can be understood.
        """
        text = self.metadata.get(KEY)
        if text is None:
            raise NetworkError("it does not say what it is for: no network of Montego's")
        return read_description(text)


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a network's file.

    Raises:
        NetworkError: If it cannot be read or is larger than MOST_BYTES.
    """
    path = Path(path)
    try:
        if not path.is_file():
            raise NetworkError(f"there is no network {path}")
        if path.stat().st_size > MOST_BYTES:
            raise NetworkError(f"{path} is larger than {MOST_BYTES >> 20} MB: no network")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, NetworkError):
            raise
        raise NetworkError(f"cannot read the network {path}: {error}") from None


def read_model(data: bytes) -> Model:
    """Return what is in a model.

    Raises:
        NetworkError: If it is none, is damaged, or has something in it that is refused.
    """
    model = Model()
    graphs = 0
    for number, value in _fields(memoryview(data)):
        if number == 7:
            graphs += 1
            _read_graph(_message(value), model)
        elif number == 14:
            key, text = _entry(_message(value))
            model.metadata[key] = text
        elif number == 25:
            raise NetworkError("it has functions of its own, which are not run")
    if graphs != 1:
        raise NetworkError("it is no ONNX model")
    return model


def with_description(data: bytes, description: Description) -> bytes:
    """Return a model with that description in place of any other.

    Raises:
        NetworkError: If *data* is no model.
    """
    kept = bytearray()
    view = memoryview(data)
    for number, begin, value, end in _spans(view):
        if number == 14 and _entry(_message(value))[0] == KEY:
            continue
        kept += view[begin:end]
    entry = _packed(1, KEY.encode()) + _packed(2, description.to_json().encode())
    return bytes(kept + _packed(14, entry))


def _read_graph(graph: memoryview, model: Model) -> None:
    initializers = set()
    inputs: dict[str, Shape] = {}
    for number, value in _fields(graph):
        if number == 1:
            _read_node(_message(value), model)
        elif number == 5:
            name, count = _read_tensor(_message(value))
            initializers.add(name)
            model.weights += count
        elif number == 11:
            inputs.update([_read_value(_message(value))])
        elif number == 12:
            model.outputs.update([_read_value(_message(value))])
        elif number == 15:
            raise NetworkError("it has sparse weights, which are not read")
    model.inputs = {name: shape for name, shape in inputs.items() if name not in initializers}


def _read_node(node: memoryview, model: Model) -> None:
    operator = domain = ""
    for number, value in _fields(node):
        if number == 4:
            operator = _text(value)
        elif number == 7:
            domain = _text(value)
        elif number == 5:
            _read_attribute(_message(value))
    if operator not in OPERATORS or domain not in DOMAINS:
        whole = f"{domain}.{operator}" if domain else operator
        raise NetworkError(f"it uses the operator {whole[:60]!r}, which is not run")
    model.operators[operator] = model.operators.get(operator, 0) + 1
    if sum(model.operators.values()) > MOST_NODES:
        raise NetworkError(f"it has more than {MOST_NODES} operators")


def _read_attribute(attribute: memoryview) -> None:
    for number, value in _fields(attribute):
        if number in (6, 11):
            raise NetworkError("it has a graph within its graph, which is not run")
        if number in (5, 10):
            _read_tensor(_message(value))
        if number in (22, 23):
            raise NetworkError("it has sparse weights, which are not read")
        if number in (3, 8):
            numbers = [value] if isinstance(value, int) else _varints(value)
            if any(abs(_signed(one)) > MOST_NUMBER for one in numbers):
                raise NetworkError(f"one of its attributes is beyond {MOST_NUMBER}")


def _read_tensor(tensor: memoryview) -> tuple[str, int]:
    """Return the name of a tensor and how many numbers it has."""
    name = ""
    dimensions: list[int] = []
    for number, value in _fields(tensor):
        if number == 1:
            dimensions += [value] if isinstance(value, int) else _varints(value)
        elif number == 8:
            name = _text(value)
        elif number == 13 or (number == 14 and value != 0):
            raise NetworkError("its weights are in another file, which is not read")
    if any(_signed(dimension) < 0 for dimension in dimensions):
        raise NetworkError("one of its tensors has a size below 0")
    count = math.prod(dimensions)
    if count > 2 * len(tensor):  # Nothing is smaller than four bits.
        raise NetworkError(f"one of its tensors claims {count} numbers, more than the file has")
    return name, count


def _read_value(value_info: memoryview) -> tuple[str, Shape]:
    """Return the name and the shape of an input or output, which must hold floats."""
    name, kind = "", 0
    shape: Shape = ()
    for number, value in _fields(value_info):
        if number == 1:
            name = _text(value)
        elif number == 2:
            for of_type, tensor in _fields(_message(value)):
                if of_type == 1:
                    kind, shape = _read_tensor_type(_message(tensor))
    if kind != FLOAT:
        raise NetworkError(f"{name[:60]!r} does not hold floats of 32 bits")
    return name, shape


def _read_tensor_type(tensor: memoryview) -> tuple[int, Shape]:
    kind = 0
    shape: Shape = ()
    for number, value in _fields(tensor):
        if number == 1 and isinstance(value, int):
            kind = value
        elif number == 2:
            shape = tuple(
                _read_dimension(_message(dimension))
                for of_shape, dimension in _fields(_message(value))
                if of_shape == 1
            )
    return kind, shape


def _read_dimension(dimension: memoryview) -> int | str:
    for number, value in _fields(dimension):
        if number == 1 and isinstance(value, int):
            return _signed(value)
        if number == 2:
            return _text(value)
    return "?"


def _entry(entry: memoryview) -> tuple[str, str]:
    """Return the key and the value of an entry of the metadata."""
    found = {1: "", 2: ""}
    for number, value in _fields(entry):
        if number in found:
            found[number] = _text(value)
    return found[1], found[2]


# The wire format of Protocol Buffers


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield the number and the value of every field of a message."""
    return ((number, value) for number, _, value, _ in _spans(message))


def _spans(message: memoryview) -> Iterator[tuple[int, int, int | memoryview, int]]:
    """Yield of every field: its number, where it begins, its value, and where it ends."""
    place, size = 0, len(message)
    while place < size:
        begin = place
        tag, place = _varint(message, place)
        number, kind = tag >> 3, tag & 7
        value: int | memoryview
        if kind == _VARINT:
            value, place = _varint(message, place)
        elif kind in (_FIXED32, _FIXED64):
            value, place = 0, place + (4 if kind == _FIXED32 else 8)
        elif kind == _BYTES:
            length, start = _varint(message, place)
            place = start + length
            value = message[start:place]
        else:
            raise NetworkError("it is no ONNX model, or damaged")
        if place > size or number == 0:
            raise NetworkError("it is no ONNX model, or damaged")
        yield number, begin, value, place


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    """Return an unsigned integer and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if place >= len(message):
            break
        byte = message[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, place
    raise NetworkError("it is no ONNX model, or damaged")


def _varints(packed: memoryview) -> list[int]:
    """Return integers that follow one another in one field."""
    numbers, place = [], 0
    while place < len(packed):
        number, place = _varint(packed, place)
        numbers.append(number)
    return numbers


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _message(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise NetworkError("it is no ONNX model, or damaged")
    return value


def _text(value: int | memoryview) -> str:
    try:
        return str(_message(value), "utf-8")
    except UnicodeDecodeError:
        raise NetworkError("it is no ONNX model, or damaged") from None


def _packed(number: int, data: bytes) -> bytes:
    """Return a field of bytes as it is stored."""
    return _stored(number << 3 | _BYTES) + _stored(len(data)) + data


def _stored(number: int) -> bytes:
    stored = bytearray()
    while number > 0x7F:
        stored.append(number & 0x7F | 0x80)
        number >>= 7
    stored.append(number)
    return bytes(stored)
