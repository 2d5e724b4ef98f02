"""Files of networks: what they say of themselves, and all the ways in which they are refused."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from onnx import ModelProto, StringStringEntryProto, TensorProto, checker, helper, numpy_helper

from montego.engine.knowledge.features import go_features
from montego.games.tic_tac_toe import tic_tac_toe
from montego.network import network as networks
from montego.network import onnx_file, runtime
from montego.network.description import Description, read_description
from montego.network.errors import NetworkError, NoRuntime
from montego.network.judge import Judge
from montego.network.network import Network, find_network
from montego.network.onnx_file import read_model, with_description
from small_networks import SmallNetwork, small_network

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def network() -> SmallNetwork:
    features = tic_tac_toe().features
    assert features is not None
    return small_network(features)


def described(model: Any) -> bytes:
    return with_description(model.SerializeToString(), network().description())


def test_a_description_comes_back_from_a_file() -> None:
    given = network().description(
        komi=(5.5, 7.5), training={"games": 170_000, "says": "für Elise"}, licence="Apache-2.0"
    )
    data = with_description(network().model().SerializeToString(), given)
    assert Network(data).description == given
    assert read_description(given.to_json()) == given


def test_the_model_with_a_description_is_still_the_same_model() -> None:
    before = network().model()
    before.metadata_props.append(StringStringEntryProto(key="author", value="somebody"))
    once = described(before)
    twice = with_description(once, network().description(name="another"))
    after = ModelProto.FromString(twice)
    checker.check_model(after)
    assert after.graph == before.graph
    assert {entry.key for entry in after.metadata_props} == {"author", "montego"}
    assert Network(twice).description.name == "another"


def test_what_is_in_a_model() -> None:
    small = network()
    model = read_model(small.file())
    assert model.inputs == {"planes": ("n", 3, 3, 3)}
    assert model.outputs == {"policy": ("n", 9), "value": ("n", 3)}
    assert model.weights == sum(array.size for array in small.weights.values())
    assert model.operators["Conv"] == 2


def external(model: Any) -> None:
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.append(StringStringEntryProto(key="location", value="/etc/passwd"))


def external_in_an_attribute(model: Any) -> None:
    tensor = numpy_helper.from_array(np.zeros(2, np.float32), "t")
    tensor.external_data.append(StringStringEntryProto(key="location", value="secret"))
    model.graph.node.append(helper.make_node("Constant", [], ["unused"], value=tensor))


def giant_tensor(model: Any) -> None:
    del model.graph.initializer[0].dims[:]
    model.graph.initializer[0].dims.extend([1 << 40, 1 << 20])


def negative_tensor(model: Any) -> None:
    model.graph.initializer[0].dims[0] = -4


def giant_attribute(model: Any) -> None:
    for attribute in model.graph.node[0].attribute:
        attribute.ints[0] = 1 << 40


def loop(model: Any) -> None:
    body = helper.make_graph([], "body", [], [])
    model.graph.node.append(helper.make_node("Loop", [], ["unused"], body=body))


def other_operator(model: Any) -> None:
    model.graph.node.append(helper.make_node("ConstantOfShape", ["planes"], ["unused"]))


def other_domain(model: Any) -> None:
    model.graph.node.append(helper.make_node("Relu", ["b"], ["unused"], domain="evil.corp"))


def functions(model: Any) -> None:
    model.functions.add(name="f", domain="d")


def sparse(model: Any) -> None:
    model.graph.sparse_initializer.add()


def double_input(model: Any) -> None:
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.DOUBLE


def second_input(model: Any) -> None:
    model.graph.input.add().CopyFrom(helper.make_tensor_value_info("x", TensorProto.FLOAT, [1]))


def other_output(model: Any) -> None:
    model.graph.output[1].name = "score"


def flat_input(model: Any) -> None:
    del model.graph.input[0].type.tensor_type.shape.dim[3]


def one_value(model: Any) -> None:
    model.graph.output[1].type.tensor_type.shape.dim[1].dim_value = 1


def fixed_batch(model: Any) -> None:
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 8


BROKEN: list[tuple[Callable[[Any], None], str]] = [
    (external, "its weights are in another file"),
    (external_in_an_attribute, "its weights are in another file"),
    (giant_tensor, "claims 1152921504606846976 numbers, more than the file has"),
    (negative_tensor, "a size below 0"),
    (giant_attribute, "one of its attributes is beyond 65536"),
    (loop, "a graph within its graph"),
    (other_operator, "the operator 'ConstantOfShape'"),
    (other_domain, "the operator 'evil.corp.Relu'"),
    (functions, "functions of its own"),
    (sparse, "sparse weights"),
    (double_input, "'planes' does not hold floats of 32 bits"),
    (second_input, "planes, x as inputs, not planes alone"),
    (other_output, "policy, score as outputs, but no value"),
    (flat_input, "its planes has 3 dimensions, not 4"),
    (one_value, "its value is 1, not win, loss and draw"),
    (fixed_batch, "its planes is for 8 positions at a time"),
]


@pytest.mark.parametrize(
    ("breaking", "reason"), BROKEN, ids=[breaking.__name__ for breaking, _ in BROKEN]
)
def test_a_hostile_or_foreign_model_is_refused_in_a_line(
    breaking: Callable[[Any], None], reason: str
) -> None:
    model = network().model()
    breaking(model)
    with pytest.raises(NetworkError, match=reason) as caught:
        Network(described(model), "bad.onnx")
    assert str(caught.value).startswith("bad.onnx: ")
    assert len(str(caught.value).splitlines()) == 1


def test_a_model_that_does_not_say_what_it_is_for_is_refused() -> None:
    with pytest.raises(NetworkError, match="does not say what it is for"):
        Network(network().model().SerializeToString())


DESCRIPTIONS = {
    "no JSON": "{",
    "another kind": "[]",
    "nothing in it": "{}",
    "a wrong type": '{"game": 3, "version": 1, "planes": 3, "least": [3, 3], "most": [3, 3]}',
    "no such boards": '{"game": "x", "version": 1, "planes": 3, "least": [9, 9], "most": [3, 3]}',
    "empty boards": '{"game": "x", "version": 1, "planes": 3, "least": [0, 0], "most": [3, 3]}',
    "a later format": (
        '{"game": "x", "version": 1, "planes": 3, "least": [3, 3], "most": [3, 3], "format": 2}'
    ),
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("text", DESCRIPTIONS.values(), ids=DESCRIPTIONS)
def test_a_broken_description_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(NetworkError, match=r"^its ") as caught:
        read_description(text)
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_cut_off_anywhere_is_refused() -> None:
    data = network().file()
    for end in range(0, len(data), 7):
        with pytest.raises(NetworkError):
            Network(data[:end])


def test_a_file_with_wrong_bytes_is_refused_or_runs_and_nothing_else() -> None:
    """Fuzzing: whatever a byte does, there is no other error and no crash."""
    game = tic_tac_toe()
    data = network().file()
    dice = random.Random(0)
    refused = 0
    for _ in range(400):
        damaged = bytearray(data)
        for _ in range(dice.choice((1, 1, 3, 20))):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        try:
            judgement = Judge(Network(bytes(damaged)), game, memory=0.01).judge(
                game.initial_state()
            )
        except NetworkError as error:
            assert len(str(error).splitlines()) == 1  # noqa: PT017  # Not all are refused.
            refused += 1
        else:
            assert 0.0 <= judgement.value <= 1.0
    assert 100 < refused < 400


@pytest.mark.parametrize("data", [b"", b"\x00" * 100, b"GIF89a" * 50, bytes(range(256))])
def test_what_is_no_model_is_refused(data: bytes) -> None:
    with pytest.raises(NetworkError, match="it is no ONNX model"):
        Network(data)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path, monkeypatch: Any) -> None:
    for path in (tmp_path / "none.onnx", tmp_path, "a\0b"):
        with pytest.raises(NetworkError):
            Network.open(path)
    large = tmp_path / "large.onnx"
    large.write_bytes(network().file())
    assert Network.open(large).description.game == "tic-tac-toe"
    monkeypatch.setattr(onnx_file, "MOST_BYTES", 100)
    with pytest.raises(NetworkError, match="is larger than"):
        Network.open(large)


def test_without_onnxruntime_a_network_is_refused_in_a_line(monkeypatch: Any) -> None:
    monkeypatch.setattr(runtime, "find_spec", lambda _name: None)
    with pytest.raises(NoRuntime, match="networks need onnxruntime, which is not installed"):
        Judge(Network(network().file()), tic_tac_toe())


def test_where_the_library_is_not_found_the_package_runs_the_network(monkeypatch: Any) -> None:
    monkeypatch.setattr(runtime, "_library", lambda: None)
    judge = Judge(Network(network().file()), tic_tac_toe())
    assert judge.network.session.way == "Python"
    assert judge.judge(tic_tac_toe().initial_state()).value != 0.5


def test_the_network_that_comes_along_is_found_by_game_and_size(
    tmp_path: Path, monkeypatch: Any
) -> None:
    nine = small_network(go_features(9))
    (tmp_path / "go-9.onnx").write_bytes(nine.file())
    (tmp_path / "go-9-newer.onnx").write_bytes(nine.file())
    (tmp_path / "hex-9.onnx").write_bytes(nine.file(game="hex"))
    monkeypatch.setattr(networks, "NETS", tmp_path)
    assert find_network("go", (9, 9)) == tmp_path / "go-9.onnx"
    assert find_network("hex", (9, 9)) == tmp_path / "hex-9.onnx"
    assert find_network("go", (13, 13)) is None
    assert find_network("tic-tac-toe", (3, 3)) is None


def test_a_description_says_why_it_does_not_fit() -> None:
    described = Description(game="go", version=1, planes=16, least=(7, 7), most=(19, 19))
    assert described.boards == "7x7 to 19x19"
    assert described.misfit(go_features(9)) is None
    assert described.misfit(go_features(5)) == "it is for 7x7 to 19x19, not for 5x5"


@pytest.mark.parametrize("way", ["C", "Python"])
def test_onnxruntime_keeps_nothing_to_tell_about_whoever_uses_it(tmp_path: Path, way: str) -> None:
    # What it would send away it keeps in the user's folder until it can; nothing where tests run.
    home = tmp_path / "home"
    home.mkdir()
    path = tmp_path / "small.onnx"
    path.write_bytes(network().file())
    silent = ("CI", "ORT_", "XDG_", "BUILD", "GITHUB", "TF_BUILD")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(silent)}
    code = (
        "from pathlib import Path; import sys\n"
        "from montego.network.network import Network\n"
        "Network.open(Path(sys.argv[1]), way=sys.argv[2]).session\n"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(path), way],
        check=True,
        env=environment | {"HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert list(home.rglob("*onnxruntime*")) == []
