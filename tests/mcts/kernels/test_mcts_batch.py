"""Many trees whose leaves are judged together: the same trees as a search makes one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mcts_checks import check_tree
from montego.games import make_game
from montego.jit import interpreted
from montego.jit.loop import Loop, Rows, rows_of
from montego.jit.state import LIMIT as PLAYOUT_LIMIT
from montego.jit.state import RANDOM, TRACE
from montego.mcts import Config, Search
from montego.mcts.kernels import batch
from montego.mcts.kernels.selection import selector_of
from montego.mcts.kernels.tree import COUNTERS, ROOT, Tree
from montego.mcts.kernels.workspace import GROUP, Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

GAMES, SIMULATIONS = 3, 12
GAME = make_game("tic-tac-toe")
SCORES = np.array([0.3, -0.2, 0.5, 0.1, 1.0, -0.4, 0.2, 0.0, 0.6])
VALUE = 0.625


def judged(*_: Any) -> float:
    """Judge every position alike, whatever stands on the board; as a function of a game."""
    _state, _knowledge, _scratch, moves, count, chances = _
    odds = np.exp(SCORES[moves[:count]] - SCORES[moves[:count]].max())
    chances[:count] = odds / odds.sum()
    return VALUE


def config(**fields: Any) -> Config:
    given: dict[str, Any] = {
        "selection": "gumbel",
        "evaluation": 1.0,
        "simulations": SIMULATIONS + 1,
        "considered": 8,
        "decisive": False,
        "move_order": "game",
    }
    return Config(**given | fields)


class Field:
    """Games side by side, on rows or lanes."""

    def __init__(
        self,
        rows: Callable[..., Any],
        records: Callable[..., Any],
        step: Any,
        simulations: int,
    ) -> None:
        self.simulations = simulations
        features = GAME.features
        assert features is not None
        self.settings = config().settings(replace(GAME, evaluate=batch.answered))._replace(apart=1)
        initial = GAME.initial_state()
        scratch = TRACE + GAME.longest_game + GAME.scratch_room
        extents = {
            "node": SIMULATIONS + 3,
            "edge": (SIMULATIONS + 2) * 9,
            "counter": COUNTERS,
            "state": len(initial),
            "scratch": scratch,
            "move": 9,
            "group": 9 + GROUP,
            "depth": 14,
            "play": 1,
            "score": 1,
            "one": 1,
            "two": 2,
        }
        self.tree = records(Tree, extents, GAMES)
        self.work = records(Workspace, extents, GAMES)
        words = np.zeros((GAMES, scratch), np.uint64)
        words[:, RANDOM] = np.arange(1, GAMES + 1) * 0x9E3779B9
        words[:, PLAYOUT_LIMIT] = GAME.longest_game
        self.work.scratch.write(words)
        known = len(GAME.knowledge)
        answers = np.concatenate([GAME.knowledge, SCORES, [1.0, 9, VALUE]])
        self.knowledge = rows(np.float64, known + 12)
        self.knowledge.write(answers)
        self.start, self.place = rows(np.int32, len(initial)), rows(np.int32, batch.PLACES)
        over = np.zeros(batch.PLACES, np.int32)
        over[batch.OVER], over[batch.LIMIT] = 1, 9
        self.place.write(over)
        self.planes = rows(np.float32, features.planes * 9)
        self.policy, self.result = rows(np.float32, 9), rows(np.float32, 2)
        self.owned = rows(np.int8, 9)
        functions = {
            "legal_moves": GAME.legal_moves,
            "play": GAME.play,
            "priors": GAME.priors,
            "experience": GAME.experience,
            "hash_of": GAME.hash,
            "turn": GAME.turn,
            "final_score": GAME.score,
            "write": features.write,
            "selection": selector_of("gumbel"),
            "owners": batch.no_owners,
        }

        def made(kernel: Any) -> Any:
            names = kernel.python.__code__.co_varnames
            return step(kernel, **{n: f for n, f in functions.items() if n in names})

        self.begin, self.find, self.take, self.make = map(
            made, (batch.begin_move, batch.find_leaf, batch.take_answer, batch.make_move)
        )

    def search(self, share: Callable[[NDArray[Any]], Any]) -> None:
        """Begin a move of every game and run its simulations."""
        history, limits = share(np.zeros(1, np.uint64)), share(np.zeros(1, np.int32))
        begun = (self.settings, self.start, self.knowledge, self.work.scratch, self.place, 0)
        self.begin(share(GAME.initial_state()), self.tree, *begun, games=GAMES)
        for _ in range(self.simulations + 1):
            task = (self.start, self.knowledge, history, limits, self.place)
            self.find(self.tree, self.work, self.settings, *task, self.planes, games=GAMES)
            self.take(self.tree, self.work, self.settings, *task, games=GAMES)

    def move(self, share: Callable[[NDArray[Any]], Any]) -> None:
        """Search, and make the moves."""
        self.search(share)
        features = GAME.features
        assert features is not None
        outputs = share(np.ascontiguousarray(features.readings()[:, 0].ravel()))
        found = (self.place, outputs, self.policy, self.result, self.owned, 1)
        self.make(
            self.tree, self.work, self.settings, self.start, self.knowledge, *found, games=GAMES
        )


def interpreted_loop(kernel: Any, **functions: Any) -> Loop:
    """Compiling takes most of a minute; the tests of training do it."""
    return Loop(kernel, **{name: interpreted(function) for name, function in functions.items()})


def on_cpu(simulations: int = SIMULATIONS) -> Field:
    def rows(kind: Any, length: int) -> Rows:
        return Rows(kind, length, GAMES)

    return Field(rows, rows_of, interpreted_loop, simulations)


def on_gpu(simulations: int) -> Field:
    from montego.jit.gpu import Grid, Lanes, lanes_of

    return Field(
        lambda kind, length: Lanes(kind, length, GAMES, interleaved=False),
        lanes_of,
        Grid,
        simulations,
    )


def tree_of(field: Field, number: int) -> Tree:
    return Tree(*(array.read()[number] for array in field.tree))


@pytest.mark.small_boards
def test_each_tree_is_the_one_of_a_search_of_its_own() -> None:
    field = on_cpu()
    field.search(lambda array: array)
    search = Search(replace(GAME, evaluate=judged), replace(config(), move_order="random", seed=1))
    search.run(simulations=SIMULATIONS + 1)
    wanted = dict(zip(search.root().moves.tolist(), search.root().move_visits, strict=True))
    for number in range(GAMES):
        tree = tree_of(field, number)
        check_tree(tree, values=False)
        assert tree.node_visits[ROOT] == SIMULATIONS + 1
        found = dict(zip(tree.move[:9].tolist(), tree.visits[:9].tolist(), strict=True))
        assert found == wanted


@pytest.mark.small_boards
def test_games_are_played_to_their_end_and_begin_anew() -> None:
    field = on_cpu()
    lengths: list[int] = []
    for _ in range(24):
        before = field.start.read()
        field.move(lambda array: array)
        place, after = field.place.read(), field.start.read()
        policy, result = field.policy.read(), field.result.read()
        assert policy.sum(axis=1) == pytest.approx(np.ones(GAMES), rel=1e-5)
        for game in range(GAMES):
            board = before[game] if before[game].any() or place[game, batch.LENGTH] > 1 else None
            if board is not None and place[game, batch.LENGTH] > 1:
                assert np.count_nonzero(after[game, :9] != board[:9]) == 1
                assert board[place[game, batch.MOVE]] == 0
            assert policy[game, place[game, batch.MOVE]] > 0
            if place[game, batch.OVER]:
                lengths.append(int(place[game, batch.LENGTH]))
                state = after[game].copy()
                scored = GAME.score(state, GAME.knowledge, field.work.scratch.read()[game])
                assert result[game, 0] == scored
    assert len(lengths) >= GAMES
    assert all(5 <= length <= 9 for length in lengths)


@pytest.mark.cuda_simulator
def test_a_gpu_plays_the_same_games() -> None:
    from montego.jit.gpu import upload

    fields = (on_cpu(2), on_gpu(2))  # The simulator takes seconds for each step.
    fields[0].move(lambda array: array)
    fields[1].move(upload)
    for name in ("place", "start", "policy", "result"):
        ours, theirs = (getattr(field, name).read() for field in fields)
        assert np.array_equal(ours, theirs), name
    for one, other in zip(fields[0].tree, fields[1].tree, strict=True):
        assert np.array_equal(one.read(), other.read())
