"""The judge against an evaluation in NumPy: in every game, symmetry, thread and way to run it."""

from __future__ import annotations

import gc
import math
import random
import subprocess
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from onnx import numpy_helper

from montego.engine.knowledge.definition import go_game
from montego.games.connect_four import connect_four
from montego.games.hex import hex_game
from montego.games.tic_tac_toe import tic_tac_toe
from montego.jit import Kernel, interpreted
from montego.jit.state import new_scratch
from montego.mcts.features import default_features
from montego.network import judge as judging
from montego.network.errors import NetworkError
from montego.network.judge import ROOM, Counts, Judge
from montego.network.network import Network
from montego.network.onnx_file import with_description
from small_networks import SmallNetwork, small_network

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.jit.state import State
    from montego.mcts.game import GameDefinition

GAMES = {
    "tic-tac-toe": tic_tac_toe(),
    "connect-four": connect_four(),
    "hex": hex_game(4),
    "go": go_game(4),
    "by default": replace(tic_tac_toe(), features=default_features(tic_tac_toe(), board=(3, 3))),
}
every_game = pytest.mark.parametrize("name", GAMES)


def close(numbers: Any) -> Any:
    return pytest.approx(numbers, rel=1e-4, abs=1e-5)


def network_for(game: GameDefinition, seed: int = 0) -> SmallNetwork:
    assert game.features is not None
    return small_network(game.features, seed)


def judge_for(game: GameDefinition, seed: int = 0, way: str | None = None, **more: Any) -> Judge:
    return Judge(Network(network_for(game, seed).file(), way=way), game, **more)


def scratch_for(game: GameDefinition, seed: int = 0) -> Any:
    return new_scratch(game.longest_game, seed, game.scratch_room + ROOM)


def legal(game: GameDefinition, state: State) -> list[int]:
    moves = np.empty(game.move_count, np.int32)
    count = game.legal_moves(state.copy(), game.knowledge, scratch_for(game), moves)
    return [int(move) for move in moves[:count]]


def positions(game: GameDefinition, games: int = 2, seed: int = 0) -> Iterator[State]:
    """Positions of random games that are not over."""
    dice = random.Random(seed)
    for _ in range(games):
        state = game.initial_state()
        for _ in range(min(game.longest_game, 15)):
            moves = legal(game, state)
            if not moves:
                break
            yield state.copy()
            game.play(state, game.knowledge, scratch_for(game), dice.choice(moves))


def expected(
    network: SmallNetwork, game: GameDefinition, state: State, symmetry: int
) -> tuple[float, dict[int, float]]:
    """What a judge must say, worked out without it."""
    features = network.features
    planes = np.zeros(features.planes * features.cells, np.float32)
    view = features.write(state, game.knowledge, scratch_for(game), planes)
    image = planes.reshape(features.planes, features.cells)[:, features.symmetries[symmetry]]
    policy, value = network.answer(image)
    outcome = np.exp(value) / np.exp(value).sum()
    logits = {}
    for move in legal(game, state):
        output = int(features.views[view, features.outputs[move]])
        if features.output_symmetries is not None:
            output = int(features.output_symmetries[symmetry, output])
        elif features.by_cell and output < features.cells:
            output = features.symmetries[symmetry].tolist().index(output)
        logits[move] = math.exp(policy[output])
    total = sum(logits.values())
    chances = {move: weight / total for move, weight in logits.items()}
    return float(outcome[0] + outcome[2] / 2), chances


@pytest.mark.parametrize("way", ["C", "Python"])
@every_game
def test_a_judge_says_what_the_network_says(name: str, way: str) -> None:
    game = GAMES[name]
    network = network_for(game)
    judge = judge_for(game, way=way)
    assert judge.network.session.way == way
    tried = 0
    for state in positions(game):
        for symmetry in range(len(network.features.symmetries)):
            value, chances = expected(network, game, state, symmetry)
            found = judge.judge(state, symmetry)
            assert found.value == close(value)
            assert found.chances == close(chances)
            assert sum(found.chances.values()) == pytest.approx(1.0)
            tried += 1
    assert judge.counts().failures == 0
    assert tried > 5


@every_game
def test_compiled_and_interpreted_judges_say_the_same_to_the_bit(name: str) -> None:
    game = GAMES[name]
    judge = judge_for(game)
    assert isinstance(judge.evaluate, Kernel)
    twin: Any = interpreted(judge.evaluate)
    for seed in (1, 2):
        scratch, other = scratch_for(game, seed), scratch_for(game, seed)
        judge.prepare(scratch)
        judge.prepare(other)
        for state in positions(game, games=1, seed=seed):
            moves = np.array(legal(game, state), np.int32)
            chances, others = (np.empty(len(moves)) for _ in range(2))
            given = (state, game.knowledge)
            value = judge.evaluate(*given, scratch, moves, len(moves), chances)
            assert value == twin(*given, other, moves, len(moves), others)
            np.testing.assert_array_equal(chances, others)


def test_a_network_that_knows_the_symmetry_says_the_same_in_all_of_them() -> None:
    """With weights that are themselves symmetric, a symmetric view must not make a difference."""
    game = go_game(4)
    network = network_for(game)
    stem = network.weights["stem"]
    turned = [
        np.rot90(kernel, turns, (2, 3))
        for kernel in (stem, stem.swapaxes(2, 3))
        for turns in range(4)
    ]
    network.weights["stem"] = np.ascontiguousarray(np.mean(turned, axis=0), np.float32)
    judge = Judge(Network(network.file()), game)
    for state in positions(game):
        plain = judge.judge(state, 0)
        for symmetry in range(1, 8):
            found = judge.judge(state, symmetry)
            assert found.value == close(plain.value)
            assert found.chances == close(plain.chances)


def test_symmetries_are_chosen_by_the_seed_and_all_of_them_are() -> None:
    game = go_game(4)
    judge = judge_for(game, memory=0.0)
    state = next(iter(positions(game)))
    moves = np.array(legal(game, state), np.int32)
    chances = np.empty(len(moves))
    by_symmetry = [judge.judge(state, symmetry).value for symmetry in range(8)]
    assert len(set(by_symmetry)) == 1  # Of the empty board they are all the same.
    state = list(positions(game))[5]
    moves = np.array(legal(game, state), np.int32)
    by_symmetry = [judge.judge(state, symmetry).value for symmetry in range(8)]
    seen = []
    for seed in range(60):
        scratch = scratch_for(game, seed)
        judge.prepare(scratch)
        values = {
            judge.evaluate(state, game.knowledge, scratch, moves, len(moves), chances)
            for _ in range(3)
        }
        assert len(values) == 1
        seen.append(by_symmetry.index(values.pop()))
    assert set(seen) == set(range(8))


def test_what_was_judged_is_not_judged_again_and_stays_the_same() -> None:
    game = go_game(4)
    judge, forgetful = judge_for(game), judge_for(game, memory=0.0)
    states = list(positions(game))
    first = [judge.judge(state) for state in states]
    runs = judge.counts().runs
    again = [judge.judge(state) for state in states]
    assert judge.counts() == Counts(runs, 2 * len(states) - runs, 0)
    assert again == first == [forgetful.judge(state) for state in states]
    assert forgetful.counts() == Counts(len(states), 0, 0)
    judge.forget()
    assert [judge.judge(state) for state in states] == first
    assert judge.counts().runs == 2 * runs


def test_what_the_network_sees_and_nothing_less_tells_positions_apart() -> None:
    """The same stones with another komi, or another last move, are judged on their own."""
    game = go_game(4, komi=7.5)
    judge = judge_for(game)
    state = list(positions(game))[4]
    values = {judge.judge(state, 0).value}
    other = state.copy()
    other[15], other[16] = other[16], other[15]  # the last two moves
    values.add(judge.judge(other, 0).value)
    game.knowledge[0] = 1.5
    values.add(judge.judge(state, 0).value)
    assert len(values) == 3
    assert judge.counts() == Counts(3, 0, 0)


def test_a_memory_of_one_entry_is_enough_to_be_right() -> None:
    game = connect_four()
    small, plain = judge_for(game, memory=0.0003), judge_for(game, memory=0.0)
    for state in [*positions(game), *positions(game)]:
        assert small.judge(state, 0) == plain.judge(state, 0)


@pytest.mark.parametrize("way", ["C", "Python"])
def test_threads_judge_side_by_side_with_one_memory(way: str) -> None:
    game = go_game(4)
    judge = judge_for(game, way=way, memory=0.01)
    states = list(positions(game, games=4))
    value = {}
    wrong: list[str] = []
    for number, state in enumerate(states):
        for symmetry in range(8):
            value[number, judge.judge(state, symmetry).value] = symmetry

    def work(seed: int) -> None:
        scratch = scratch_for(game, seed)
        judge.prepare(scratch)
        for _ in range(5):
            for number, state in enumerate(states):
                moves = np.array(legal(game, state), np.int32)
                chances = np.empty(len(moves))
                given = (state, game.knowledge, scratch, moves, len(moves), chances)
                if (number, judge.evaluate(*given)) not in value:
                    wrong.append(f"{number} by {seed}")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert judge.counts().failures == 0


def test_a_move_without_an_output_is_the_least_likely_one() -> None:
    game = tic_tac_toe()
    assert game.features is not None
    outputs = np.arange(9, dtype=np.int32)
    outputs[4] = -1
    network = network_for(game).file()
    partial = replace(game, features=replace(game.features, outputs=outputs))
    found = Judge(Network(network), partial).judge(game.initial_state(), 0)
    assert found.chances[4] == min(found.chances.values())
    nothing = replace(game.features, outputs=np.full(9, -1, np.int32))
    found = Judge(Network(network), replace(game, features=nothing)).judge(game.initial_state())
    assert found.chances == pytest.approx(dict.fromkeys(range(9), 1 / 9))


@pytest.mark.parametrize("weight", ["outcome", "cell"])
def test_a_network_that_answers_no_numbers_judges_nothing(weight: str) -> None:
    game = go_game(4)
    network = network_for(game)
    network.weights[weight][...] = np.nan
    judge = Judge(Network(network.file()), game)
    state = next(iter(positions(game)))
    found = judge.judge(state)
    assert found.value == 0.5
    assert found.chances == pytest.approx(dict.fromkeys(legal(game, state), 1 / 17))
    assert judge.counts().failures == 1


def test_a_plain_python_writer_is_called_by_an_interpreted_judge() -> None:
    game = tic_tac_toe()
    assert game.features is not None
    assert isinstance(game.features.write, Kernel)
    plain = replace(game, features=replace(game.features, write=game.features.write.python))
    judge, compiled = judge_for(plain), judge_for(game)
    assert not isinstance(judge.evaluate, Kernel)
    for state in positions(game):
        assert judge.judge(state, 3) == compiled.judge(state, 3)


def test_a_desk_is_cleared_away_with_its_scratch_and_its_work_still_counts() -> None:
    game = tic_tac_toe()
    judge = judge_for(game)
    scratch = scratch_for(game)
    judge.prepare(scratch)
    moves, chances = np.arange(9, dtype=np.int32), np.empty(9)
    judge.evaluate(game.initial_state(), game.knowledge, scratch, moves, 9, chances)
    assert judge.counts().runs == 1
    import weakref

    gone = weakref.ref(scratch)
    del scratch
    gc.collect()
    assert gone() is None
    assert judge.counts().runs == 1
    own = weakref.ref(judge)
    del judge
    gc.collect()
    assert own() is None


def test_a_desk_may_go_while_desks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is reclaimed in the middle of anything: that once stopped a player for good."""
    game = tic_tac_toe()
    judge = judge_for(game)
    held = [scratch_for(game) for _ in range(3)]
    for scratch in held:
        judge.prepare(scratch)
    del scratch
    add_up = judging._sum

    def reclaiming(counts: list[Counts]) -> Counts:
        if held:
            held.pop()
        gc.collect()
        return add_up(counts)

    monkeypatch.setattr(judging, "_sum", reclaiming)
    found: list[Counts] = []
    thread = threading.Thread(
        target=lambda: found.extend(judge.counts() for _ in range(4)), daemon=True
    )
    thread.start()
    thread.join(60.0)

    assert found == [Counts(0, 0, 0)] * 4


def test_a_network_for_another_game_or_size_is_refused() -> None:
    go, small = go_game(5), go_game(4)
    hexagons = hex_game(4)
    for network, game, reason in (
        (network_for(small), go, "it is for 4x4, not for 5x5"),
        (network_for(small), hexagons, "it is for go, not for hex"),
        (network_for(hexagons), small, "it is for hex, not for go"),
    ):
        with pytest.raises(NetworkError, match=f"^the network: {reason}$"):
            Judge(Network(network.file()), game)
    with pytest.raises(NetworkError, match="reads 16 planes of version 7, not 16 of version 1"):
        Judge(Network(network_for(small).file(version=7)), small)
    with pytest.raises(NetworkError, match="nothing says what a network is shown of tic-tac-toe"):
        Judge(Network(network_for(small).file()), replace(tic_tac_toe(), features=None))
    # One that claims more than it can do: its input is of one size.
    boastful = network_for(small).file(least=(3, 3), most=(9, 9))
    with pytest.raises(NetworkError, match="the shape of its planes is 16x4x4, not 16x5x5"):
        Judge(Network(boastful), go)


def test_one_network_judges_boards_of_all_sizes() -> None:
    network = network_for(go_game(5))
    model = network.model()
    for value in (*model.graph.input, *model.graph.output):
        for dimension in value.type.tensor_type.shape.dim:
            if value.name == "policy" or dimension.dim_value == 5:
                dimension.dim_param = f"{value.name}_any"
    described = network.description(least=(3, 3), most=(7, 7))
    loose = Network(with_description(model.SerializeToString(), described))
    for size in (3, 5, 7):
        game = go_game(size)
        network.features = game.features  # type: ignore[assignment]
        judge = Judge(loose, game)
        for state in positions(game, games=1):
            value, chances = expected(network, game, state, 0)
            found = judge.judge(state, 0)
            assert found.value == close(value)
            assert found.chances == close(chances)


def test_a_wrong_shape_within_is_found_before_anything_is_judged() -> None:
    game = go_game(4)
    network = network_for(game)
    model = network.model()
    for tensor in model.graph.initializer:
        if tensor.name == "stem":
            tensor.CopyFrom(numpy_helper.from_array(np.zeros((4, 15, 3, 3), np.float32), "stem"))
    broken = with_description(model.SerializeToString(), network.description())
    for way in ("C", "Python"):
        with pytest.raises(NetworkError, match=r"^the network: .*onnxruntime") as caught:
            Judge(Network(broken, way=way), game)
        assert "\n" not in str(caught.value)


def test_nothing_of_onnxruntime_is_loaded_before_a_network_is_asked() -> None:
    code = (
        "import sys, montego.engine.player, montego.network.judge, montego.cli.main\n"
        "print([name for name in sys.modules if name.startswith('onnx')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_room_of_a_judge_is_behind_the_games() -> None:
    assert judging.ROOM == 1
    game = hex_game(4)
    judge = judge_for(game)
    scratch = scratch_for(game)
    judge.prepare(scratch)
    desk = int(scratch[-1])
    state = next(iter(positions(game)))
    game.playout(state.copy(), game.knowledge, scratch)
    assert int(scratch[-1]) == desk
