"""Experience: what earlier searches found counts as if it had been found now.

First the search's part, on games that everybody knows, then the table of positions of Go.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mcts_checks import edges_of, same_trees
from montego.engine.book import found_nodes
from montego.engine.knowledge.definition import go_game
from montego.engine.knowledge.experience import ROOM, SLOTS, key_of, recall, write_experience
from montego.games.tic_tac_toe import MOVES, tic_tac_toe
from montego.go.game import Game
from montego.go.kernels.layout import KO, PASS, PASSES, TO_PLAY, point_at
from montego.go.playout.knowledge import EXPERIENCE
from montego.jit import interpreted
from montego.jit.state import new_scratch
from montego.mcts import Config, GameDefinition, MoveLimit, Search
from montego.mcts.kernels.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import State

CENTER = 4


def game_that_recalls(
    moves_played: int, known: dict[int, tuple[float, float, float, float]]
) -> GameDefinition:
    """Tic-tac-toe that knows positions after so many moves: values and visits, AMAF the same."""

    def experience(
        state: State,
        knowledge: Any,
        scratch: Any,
        moves: NDArray[Any],
        count: int,
        values: NDArray[Any],
        visits: NDArray[Any],
        amaf_values: NDArray[Any],
        amaf_visits: NDArray[Any],
    ) -> None:
        assert knowledge.dtype == np.float64
        assert scratch.dtype == np.uint64
        assert not visits[:count].any()
        assert not amaf_visits[:count].any()
        if state[MOVES] != moves_played:
            return
        for rank in range(count):
            found = known.get(int(moves[rank]), (0.0, 0.0, 0.0, 0.0))
            values[rank], visits[rank], amaf_values[rank], amaf_visits[rank] = found

    return replace(tic_tac_toe(), experience=experience)


def knows_nothing() -> GameDefinition:
    return game_that_recalls(99, {})


KNOWN = {CENTER: (0.75, 40.0, 0.6, 90.5), 0: (0.25, 8.0, 0.5, 30.0), 1: (0.5, 0.0, 0.0, 7.0)}


def test_visits_and_values_stand_in_the_tree_as_if_found_there() -> None:
    search = Search(game_that_recalls(0, KNOWN), Config(simulations=1, selection="rave-mse"))
    search.run()
    tree = search.tree

    found = {int(tree.move[edge]): edge for edge in edges_of(tree, ROOT)}
    assert tree.recalled[ROOT] == 48
    assert tree.node_visits[ROOT] == 49
    center = next(c for c in search.candidates() if c.move == CENTER)
    tried = center.visits - 40
    assert tried in (0, 1)
    if tried == 0:
        assert center.value == pytest.approx(0.75)
    assert sum(int(tree.visits[edge]) for edge in found.values()) == 49
    # AMAF came with them: what one playout adds is at most one visit.
    assert 90.5 <= center.amaf_visits <= 91.5
    assert 7.0 <= next(c for c in search.candidates() if c.move == 1).amaf_visits <= 8.0


def test_the_scale_applies_to_visits_and_amaf_alike() -> None:
    config = Config(simulations=1, selection="rave-mse", experience=0.25)
    search = Search(game_that_recalls(0, KNOWN), config)
    search.run()

    assert search.tree.recalled[ROOT] == 12
    center = next(c for c in search.candidates() if c.move == CENTER)
    assert center.visits in (10, 11)
    assert 22.6 <= center.amaf_visits <= 23.7


def test_without_amaf_in_the_selection_none_is_kept() -> None:
    search = Search(game_that_recalls(0, KNOWN), Config(simulations=5, selection="ucb1"))
    search.run()

    assert search.tree.recalled[ROOT] == 48
    assert not search.tree.amaf.any()


def test_a_scale_of_nothing_does_without() -> None:
    config = Config(simulations=60, seed=3, experience=0.0)
    plain, deaf = Search(tic_tac_toe(), config), Search(game_that_recalls(0, KNOWN), config)
    plain.run()
    deaf.run()

    assert same_trees(plain.tree, deaf.tree)
    assert deaf.tree.recalled[ROOT] == 0


def test_a_game_that_knows_nothing_here_searches_as_ever() -> None:
    config = Config(simulations=80, seed=4, selection="rave-mse", widening=2.0)
    plain, blank = Search(tic_tac_toe(), config), Search(knows_nothing(), config)
    plain.run()
    blank.run()

    assert same_trees(plain.tree, blank.tree)


def test_experience_decides_where_little_is_searched() -> None:
    known = {0: (0.9, 500.0, 0.0, 0.0), CENTER: (0.2, 100.0, 0.0, 0.0)}
    search = Search(game_that_recalls(0, known), Config(simulations=20))

    result = search.run()

    assert result.move == 0
    assert result.value > 0.8
    assert result.simulations < 20, "nothing could catch up: an early stop"


def test_it_is_recalled_below_the_root_and_kept_when_the_root_moves() -> None:
    search = Search(game_that_recalls(1, KNOWN), Config(simulations=300, early_stop=False))
    search.run()
    tree = search.tree
    assert tree.recalled[ROOT] == 0
    below = {int(tree.move[e]): int(tree.recalled[tree.child[e]]) for e in edges_of(tree, ROOT)}
    # After a move to the center only the corner of the two is left.
    assert below[CENTER] == 8
    assert below[0] == 40
    assert below[8] == 48

    search.play(8)

    assert search.tree.recalled[ROOT] == 48
    assert search.tree.node_visits[ROOT] > 48


def test_sorting_moves_by_their_priors_does_not_mix_them_up() -> None:
    def priors(*given: Any) -> None:
        _state, _knowledge, _scratch, moves, count, values, visits = given
        for rank in range(count):
            values[rank], visits[rank] = (int(moves[rank]) * 5 % 9) / 9.0, 3.0

    game = replace(game_that_recalls(0, KNOWN), priors=priors)
    search = Search(game, Config(simulations=1, widening=2.0))
    search.run()

    visits = {c.move: c.visits for c in search.candidates()}
    assert visits[CENTER] in (40, 41)
    assert visits[0] in (8, 9)


def test_trees_that_are_added_up_have_a_share_each() -> None:
    config = Config(threads=4, parallel="root", experience=2.0)
    assert config.experience_per_tree == 0.5
    assert config.settings(knows_nothing()).experience == 0.5
    assert Config(threads=4, experience=2.0).experience_per_tree == 2.0


def test_enormous_numbers_stay_within_the_sums() -> None:
    known = {CENTER: (1.0, 1e12, 1.0, 1e12)}
    search = Search(game_that_recalls(0, known), Config(simulations=30, selection="rave-mse"))
    search.run()

    center = search.candidates()[0]
    assert center.move == CENTER
    assert center.visits > 1_000_000
    assert center.value == pytest.approx(1.0, abs=1e-3)
    assert center.amaf_value == pytest.approx(1.0, abs=1e-3)


# --- The table of positions ---


def lookup(
    definition: GameDefinition, state: State, *, call: Callable[..., Any] = recall
) -> dict[int, tuple[float, ...]]:
    """What the table says about each legal move, those it says nothing about left out."""
    moves = np.array(legal_moves(definition, state), np.int32)
    numbers = np.zeros((4, len(moves)))
    scratch = np.zeros(10, np.uint64)
    call(state, definition.knowledge, scratch, moves, len(moves), *numbers)
    return {
        int(move): tuple(numbers[:, rank])
        for rank, move in enumerate(moves)
        if numbers[:, rank].any()
    }


def legal_moves(definition: GameDefinition, state: State) -> list[int]:
    moves = np.zeros(definition.move_count, np.int32)
    scratch = new_scratch(definition.longest_game, 0, definition.scratch_room)
    count = definition.legal_moves(state, definition.knowledge, scratch, moves)
    return [int(move) for move in moves[:count]]


def entry(*rows: tuple[int, float, float, float, float]) -> NDArray[np.float64]:
    return np.array(rows, np.float64)


def random_positions(count: int, size: int = 5) -> list[State]:
    dice = random.Random(7)
    found: list[State] = []
    while len(found) < count:
        game = Game(size, komi=0.5)
        for _ in range(dice.randrange(1, 18)):
            legal = game.legal_moves()
            if not legal:
                break
            game.play(game.to_play, dice.choice(legal))
        found.append(game.board.state.copy())
    return found


@pytest.mark.small_boards
def test_every_position_finds_its_own_entry_and_others_nothing() -> None:
    definition = go_game(5, experience=True)
    positions = {int(key_of(state)): state for state in random_positions(60)}
    known = dict(list(positions.items())[::2])
    entries = {}
    for number, (key, state) in enumerate(known.items()):
        legal = legal_moves(definition, state)
        rows = [(legal[0], 0.5, 1.0 + number, 0.25, 3.0), (int(PASS), 0.1, 2.0, 0.0, 0.0)]
        entries[key] = entry(*rows[: len(legal)])

    assert write_experience(definition.knowledge, entries) == len(entries)

    for number, state in enumerate(known.values()):
        told = lookup(definition, state)
        assert (0.5, 1.0 + number, 0.25, 3.0) in told.values()
        assert told == lookup(definition, state, call=interpreted(recall))
    for key, state in positions.items():
        if key not in known:
            assert lookup(definition, state) == {}


def test_the_player_to_move_the_ko_and_a_pass_make_other_positions() -> None:
    game = Game(5, komi=0.5)
    for move in ("B3", "C3", "C4", "D4", "C2", "D2", "A1", "E3", "D3"):  # The last takes a ko.
        game.play(game.to_play, move)
    ko = game.board.state
    assert game.ko == "C3"
    without = ko.copy()
    without[KO] = PASS
    other = ko.copy()
    other[TO_PLAY] = 3 - other[TO_PLAY]
    game.play("white", "pass")
    passed = game.board.state
    unpassed = passed.copy()
    unpassed[PASSES] = 0

    keys = [int(key_of(state)) for state in (ko, without, other, passed, unpassed)]

    assert len(set(keys)) == 5
    assert all(0 < key < 1 << 48 for key in keys)


def test_keys_that_want_the_same_slot_do_not_displace_one_another() -> None:
    definition = go_game(5, experience=True)
    state = definition.initial_state()
    key = int(key_of(state))
    point = point_at(2, 2, 5)
    others = {key + SLOTS * step: entry((point, 0.9, 9.0, 0.0, 0.0)) for step in (1, 2, 3)}

    write_experience(definition.knowledge, others | {key: entry((point, 0.4, 4.0, 0.0, 0.0))})
    assert lookup(definition, state) == {point: (0.4, 4.0, 0.0, 0.0)}

    write_experience(definition.knowledge, others)
    assert lookup(definition, state) == {}


def test_the_first_come_first_where_there_is_no_room() -> None:
    definition = go_game(5, experience=True)
    state = definition.initial_state()
    point = point_at(2, 2, 5)
    mine = {int(key_of(state)): entry((point, 0.4, 4.0, 0.0, 0.0))}
    long = entry(*((1, 0.5, 1.0, 0.5, 1.0),) * (ROOM // 100))
    many = dict.fromkeys(range(2, 400), long)

    written = write_experience(definition.knowledge, mine | many)

    assert 1 < written < 100
    assert lookup(definition, state) == {point: (0.4, 4.0, 0.0, 0.0)}
    small = dict.fromkeys(range(2, 2 * SLOTS), entry((1, 0.5, 1.0, 0.5, 1.0)))
    assert write_experience(definition.knowledge, small) == SLOTS // 2
    assert lookup(definition, state) == {}


def test_new_entries_replace_the_old_and_nothing_else_is_touched() -> None:
    definition = go_game(5, experience=True)
    knowledge = definition.knowledge
    before = knowledge[: int(knowledge[EXPERIENCE])].copy()
    key = int(key_of(definition.initial_state()))
    write_experience(knowledge, {key: entry((point_at(1, 1, 5), 0.5, 5.0, 0.0, 0.0))})
    write_experience(knowledge, {})

    assert lookup(definition, definition.initial_state()) == {}
    assert np.array_equal(before, knowledge[: int(knowledge[EXPERIENCE])])
    assert go_game(5).knowledge[EXPERIENCE] == 0


@pytest.mark.small_boards
def test_a_search_of_go_starts_with_what_the_table_knows() -> None:
    definition = go_game(5, experience=True)
    center, corner = point_at(2, 2, 5), point_at(0, 0, 5)
    key = int(key_of(definition.initial_state()))
    known = entry((center, 0.8, 200.0, 0.7, 50.0), (corner, 0.1, 20.0, 0.2, 50.0))
    write_experience(definition.knowledge, {key: known})

    search = Search(definition, Config(simulations=10, selection="rave-mse"))
    result = search.run()

    assert result.move == center
    assert search.tree.recalled[ROOT] == 220
    assert next(c for c in result.candidates if c.move == corner).visits >= 20


# What is read off a tree.


@pytest.mark.parametrize(
    ("depth", "opponent", "least"), [(None, False, 0), (1, False, 1), (2, True, 2)]
)
def test_nothing_is_kept_of_nodes_whose_moves_were_left_out(
    depth: int | None, opponent: bool, least: int
) -> None:
    search = Search(go_game(5), Config(simulations=3000, early_stop=False))
    corner = frozenset({point_at(0, 0, 5)})
    limits = [] if depth is None else [MoveLimit(moves=corner, depth=depth, opponent=opponent)]
    search.run(limits=limits)
    found = found_nodes(search, (), ply=4, depth=8, recalled={})
    levels = {finding.ply - 4 for finding in found.values()}
    assert min(levels) == least
    assert max(levels) >= 2
