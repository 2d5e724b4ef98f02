"""Impossible configurations are refused before any search, with a message that names the field."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any, get_type_hints

import numpy as np
import pytest

from mcts_checks import scripted_game
from montego.games import make_game
from montego.jit import compile_off
from montego.mcts import Config, InvalidConfig, InvalidMove, MctsError, Search
from montego.mcts.config import SELECTIONS
from montego.mcts.kernels.settings import Settings
from places import DOCS

INFINITE, NAN, HUGE = math.inf, math.nan, 10**400  # The last is more than a float can hold.

BAD: dict[str, list[Any]] = {
    "simulations": [0, -1, 1.5, "100", True, INFINITE, HUGE],
    "seconds": [0, -1.0, NAN, INFINITE, "1"],
    "early_stop": [1, None, "yes"],
    "selection": ["uct", "", None, 3, []],
    "exploration": [-0.1, NAN, INFINITE, "c", HUGE],
    "first_play_urgency": [NAN, -INFINITE, None, "high", HUGE],
    "rave_equivalence": [-1, NAN],
    "rave_bias": [-0.1, NAN, 1e200],
    "progressive_bias": [NAN, INFINITE, "much"],
    "widening": [1.0, 0.5, -1, NAN, INFINITE, None, HUGE],
    "expansion": ["two", None],
    "move_order": ["sorted", None],
    "expand_after": [-1, 2.5, 1 << 63],
    "expand_nodes": [0, -1, 2.5],
    "rave_bias_learned": [1, None],
    "selection_temperature": [0.0, -1.0, NAN],
    "pruning_errors": [-0.1, NAN],
    "pruning_after": [0, 1.5],
    "amaf_scope": ["board", None],
    "reward_window": [-1, 1.5, 1_000_000],
    "reward_adapts": [1, None],
    "cutoff": [-1, 1.5],
    "prior_even": [-1, NAN, 1e39],
    "prior_grandfather": [-1, NAN],
    "prior_grandparent": [-1, NAN],
    "prior_game": [-1, NAN],
    "prior_to_visits": [-1, NAN],
    "prior_to_amaf": [-1, NAN],
    "experience": [-1, 1e7, NAN],
    "amaf_update": ["last", None],
    "amaf_opposite": [0, "no"],
    "amaf_earliness": [0, "no"],
    "backup_maximum": [-0.1, 1.1, NAN],
    "reward": ["points", None],
    "reward_scale": [0, -1, NAN, INFINITE, 1e-15, HUGE],
    "reward_temperature": [-0.1, 1.1, NAN],
    "reward_average": [1, None],
    "reward_points": [-0.1, 1.1, NAN],
    "final_move": ["best", None],
    "decisive": [1, None],
    "evaluation": [-0.1, 1.1, True, None],
    "exploration_growth": [-0.1, math.inf, True, None],
    "first_play_reduction": [-0.1, 1.1, True, None],
    "root_noise": [-0.1, 11.0, True, None],
    "root_temperature": [0.0, 101.0, True, None],
    "considered": [0, 1.5, True, None],
    "gumbel_visits": [-0.1, math.inf, True, None],
    "gumbel_scale": [-0.1, math.inf, True, None],
    "solver": [1, None],
    "votes": [0, -1, 1.5, 100_000],
    "votes_threshold": [-1, NAN],
    "threads": [0, -1, 1.5, 5000, None],
    "parallel": ["leaf", None],
    "virtual_loss": [0, -1, 1.5, 5000],
    "memory": [0, -1, 0.5, NAN, "big", 1e7, HUGE],
    "seed": [-1, 0.5, None, 1 << 63, HUGE],
}


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({}, 1),
        ({"threads": 2}, 1),
        ({"threads": 2, "virtual_loss": 3}, 0),
        ({"threads": 2, "virtual_loss": 3, "parallel": "root"}, 1),
        ({"virtual_loss": 3}, 1),
        ({"exploration": 0.0}, 0),
        ({"solver": True}, 0),
        ({"prior_even": 1.0}, 0),
        ({"selection": "rave-mse"}, 0),
    ],
)
def test_only_plain_ucb1_keeps_inverse_square_roots(fields: dict[str, Any], kept: int) -> None:
    config = Config(**{"selection": "ucb1"} | fields)
    assert config.settings(make_game("tic-tac-toe")).keep_inverse_sqrt == kept


@pytest.mark.parametrize(("name", "value"), [(name, bad) for name in BAD for bad in BAD[name]])
def test_impossible_values_are_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidConfig, match=rf"invalid {name} {re.escape(repr(value))}: "):
        Config(**{name: value})


def test_every_field_has_impossible_values_above() -> None:
    assert set(BAD) == {field.name for field in dataclasses.fields(Config)}


def test_choices_are_listed() -> None:
    with pytest.raises(InvalidConfig, match="say one of tree, lock, root"):
        Config(parallel="leaf")
    with pytest.raises(InvalidConfig, match=", ".join(SELECTIONS)):
        Config(selection="uct")


def test_a_formula_that_is_no_kernel_is_told_what_to_write() -> None:
    def plain(move: object, settings: object) -> float:  # noqa: ARG001
        return 0.5

    with pytest.raises(
        InvalidConfig, match=r"invalid selection .*say @kernel\(inline=True\) above"
    ):
        Config(selection=plain)  # type: ignore[arg-type]


def test_bounds_are_named() -> None:
    with pytest.raises(InvalidConfig, match="say a whole number from 1 to 1024"):
        Config(threads=0)
    with pytest.raises(InvalidConfig, match=r"say a number from 0 to 1$"):
        Config(backup_maximum=2)
    with pytest.raises(InvalidConfig, match="say 0, or a number above 1"):
        Config(widening=0.5)


def test_votes_need_something_to_divide() -> None:
    with pytest.raises(InvalidConfig, match="votes want"):
        Config(simulations=None, votes=3)
    Config(simulations=None, seconds=1.0, votes=3)


def test_a_configuration_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Config().simulations = 5  # type: ignore[misc]


def test_errors_are_value_errors() -> None:
    assert issubclass(InvalidConfig, MctsError)
    assert issubclass(InvalidMove, MctsError)
    assert issubclass(MctsError, ValueError)


def test_settings_are_numbers_for_compiled_code() -> None:
    game = dataclasses.replace(make_game("tic-tac-toe"), evaluate=lambda *_: 0.5)
    for selection in SELECTIONS:
        settings = Config(selection=selection, evaluation=1.0).settings(game)
        hints = get_type_hints(Settings)
        for name, value in settings._asdict().items():
            assert type(value) is hints[name], name


def test_no_path_is_longer_than_its_storage() -> None:
    settings = Config().settings(make_game("tic-tac-toe"))
    assert settings.depth_limit == 10
    assert Config(selection="flat").settings(make_game("tic-tac-toe")).depth_limit == 1


# --- What only shows with a game ---


def test_too_little_memory_for_a_game() -> None:
    game = scripted_game(lambda _moves: None, move_count=3000)
    with pytest.raises(InvalidConfig, match="invalid memory 1: script wants at least"):
        Search(game, Config(memory=1))
    # Each tree of a root parallel search gets its share.
    if not compile_off():
        with pytest.raises(InvalidConfig, match="invalid memory 1: hex wants at least"):
            Search(make_game("hex", size=19), Config(memory=1, threads=4, parallel="root"))


def test_points_do_not_go_with_everything() -> None:
    with pytest.raises(InvalidConfig, match="reward_points wants another selection"):
        Config(selection="ucb1-tuned", reward_points=0.5)
    with pytest.raises(InvalidConfig, match="reward_points cannot be used with the solver"):
        Config(solver=True, reward_points=0.5)


def test_threads_want_a_compiled_game() -> None:
    if compile_off():
        pytest.skip("nothing is compiled")
    game = scripted_game(lambda _moves: None)
    with pytest.raises(InvalidConfig, match="threads want a compiled game"):
        Search(game, Config(threads=2))


def test_budgets_of_one_run_are_checked_too() -> None:
    search = Search(make_game("tic-tac-toe"))
    with pytest.raises(InvalidConfig, match="invalid simulations 0"):
        search.run(simulations=0)
    with pytest.raises(InvalidConfig, match="invalid seconds -1"):
        search.run(seconds=-1)


@pytest.mark.parametrize("move", [9, -1, 1000, "b2", None, 1.0])
def test_what_is_no_move_is_refused(move: Any) -> None:
    search = Search(make_game("tic-tac-toe"))
    before = search.state
    with pytest.raises(InvalidMove, match="is not a move of tic-tac-toe"):
        search.play(move)
    with pytest.raises(InvalidMove, match="is not a move of tic-tac-toe"):
        search.run(allowed=[move])
    with pytest.raises(InvalidMove, match="is not a move of tic-tac-toe"):
        search.run(avoided=[move])
    assert np.array_equal(search.state, before)


def test_an_illegal_move_is_refused_by_its_text() -> None:
    search = Search(make_game("tic-tac-toe"))
    search.play(4)
    before = search.state
    with pytest.raises(InvalidMove, match="b2 is not a legal move"):
        search.play(4)
    assert np.array_equal(search.state, before)


@pytest.mark.parametrize("state", [np.zeros(2, np.int32), np.zeros(4, np.int32), [], 3])
def test_positions_of_other_games_are_refused(state: Any) -> None:
    game = make_game("tic-tac-toe")
    with pytest.raises(MctsError, match="a position of tic-tac-toe has 10 numbers"):
        Search(game, state=state)
    with pytest.raises(MctsError, match="a position of tic-tac-toe has 10 numbers"):
        Search(game).set_state(state)


# --- Documentation ---


def test_the_document_lists_every_field_with_its_default() -> None:
    text = (DOCS / "search.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", text, re.MULTILINE))
    fields = {field.name: repr(field.default) for field in dataclasses.fields(Config)}
    assert rows == fields


def test_the_document_names_every_selection() -> None:
    text = (DOCS / "search.md").read_text(encoding="utf-8")
    for name in SELECTIONS:
        assert re.search(rf"^\| `{name}` \|", text, re.MULTILINE), name
