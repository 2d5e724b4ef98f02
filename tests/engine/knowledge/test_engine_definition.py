"""Go as the search sees it agrees with Go as people play it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from montego.engine.knowledge.definition import go_game, history_of, search_komi
from montego.go.board import Board
from montego.go.game import Game
from montego.go.kernels.layout import TO_PLAY, rows_of
from montego.go.scoring import score_position
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_rules
from montego.jit.state import LENGTH, TRACE, State, new_scratch
from montego.mcts import Config, GameDefinition, Search


def moves_of(definition: GameDefinition, state: State) -> list[str]:
    scratch = new_scratch(definition.longest_game, 0, definition.scratch_room)
    moves = np.zeros(definition.move_count, np.int32)
    count = definition.legal_moves(state.copy(), definition.knowledge, scratch, moves)
    return [definition.format_move(state, int(move)) for move in moves[:count]]


def score_of(definition: GameDefinition, state: State) -> float:
    scratch = new_scratch(definition.longest_game, 0, definition.scratch_room)
    return definition.score(state.copy(), definition.knowledge, scratch)


@pytest.mark.small_boards
@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "new-zealand"])
def test_moves_and_scores_are_those_of_the_game(size: int, rules: str) -> None:
    definition = go_game(size, rules=rules, komi=0.5)
    game = Game(size, rules=rules, komi=0.5)
    dice = random.Random(size)
    for _ in range(3 * size * size):
        if game.is_over:
            break
        offered = moves_of(definition, game.board.state)
        legal = set(game.legal_moves())

        assert offered[-1] == "pass"
        # Repetition is found by the hash in the tree, eyes are left out.
        assert legal - set(offered) <= own_eyes(game)
        assert score_of(definition, game.board.state) == game.score().margin
        choices = [vertex for vertex in offered if vertex in legal] or ["pass"]
        game.play(game.to_play, dice.choice(choices))


def own_eyes(game: Game) -> set[str]:
    """Points whose neighbors are all the player's own: a superset of the eyes."""
    found = set()
    for vertex in game.legal_moves():
        board = game.board.copy()
        before = board.liberties(vertex)
        board.play(game.to_play, vertex)
        if not before and all(
            board.color_at(near) == game.to_play for near in around(vertex, game)
        ):
            found.add(vertex)
    return found


def around(vertex: str, game: Game) -> list[str]:
    columns = "ABCDEFGHJ"
    column, row = columns.index(vertex[0]), int(vertex[1:])
    places = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [f"{columns[c]}{r}" for c, r in places if 0 <= c < game.size and 1 <= r <= game.size]


def test_two_passes_end_the_game_and_the_area_counts() -> None:
    board = Board.from_diagram(
        """
        . X O .
        . X O .
        . X O .
        . X O .
        """
    )
    definition = go_game(4, komi=0.5)
    board.play("b", "pass")
    assert moves_of(definition, board.state)
    board.play("w", "pass")

    assert moves_of(definition, board.state) == []
    assert score_of(definition, board.state) == -0.5


def test_the_trace_of_a_playout_takes_turns() -> None:
    definition = go_game(5)
    state = definition.initial_state()
    scratch = new_scratch(definition.longest_game, 7, definition.scratch_room)
    definition.playout(state, definition.knowledge, scratch)
    replayed = Board(5)
    color = "black"
    for index in range(int(scratch[LENGTH])):
        replayed.play(color, definition.format_move(state, int(scratch[TRACE + index])))
        color = "white" if color == "black" else "black"

    assert replayed.rows() == rows_of(state)


KO_FIGHT = [("b", "B3"), ("w", "C3"), ("b", "A2"), ("w", "D2"), ("b", "B1"), ("w", "C1"),
            ("b", "C2"), ("w", "B2")]  # fmt: skip


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "aga"])
def test_a_search_does_not_retake_a_ko(rules: str) -> None:
    game = Game(4, rules=rules)
    for color, vertex in KO_FIGHT:
        game.play(color, vertex)
    assert game.fault("black", "C2") is not None
    definition = go_game(4, rules=rules)
    search = Search(
        definition,
        Config(simulations=3000, memory=20.0),
        state=game.board.state,
        history=history_of(game),
    )
    result = search.run()
    played = {definition.format_move(search.state, c.move): c.visits for c in result.candidates}

    assert played.get("C2", 0) == 0


def test_superko_is_found_through_the_history() -> None:
    game = Game(2, rules="tromp-taylor")
    dice = random.Random(1)
    forbidden = 0
    for _ in range(60):
        legal = set(game.legal_moves())
        definition = go_game(2, rules="tromp-taylor")
        search = Search(
            definition,
            Config(simulations=200, memory=5.0),
            state=game.board.state,
            history=history_of(game),
        )
        result = search.run()
        visited = {
            definition.format_move(search.state, c.move) for c in result.candidates if c.visits
        }
        assert visited - {"pass"} <= legal
        offered = set(moves_of(definition, game.board.state)) - {"pass"}
        forbidden += len(offered - legal)
        game.play(game.to_play, dice.choice(sorted(legal) or ["pass"]))
        if game.is_over:
            game = Game(2, rules="tromp-taylor")

    assert forbidden > 0


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor", "aga"])
def test_a_pass_can_be_answered_with_a_pass(rules: str) -> None:
    game = Game(3, rules=rules)
    game.play("b", "B2")
    game.play("w", "pass")
    definition = go_game(3, rules=rules)
    search = Search(
        definition,
        Config(simulations=500, memory=10.0),
        state=game.board.state,
        history=history_of(game),
    )
    result = search.run()
    visited = {definition.format_move(search.state, c.move) for c in result.candidates if c.visits}

    assert "pass" in visited


@pytest.mark.parametrize("komi", [-3.0, 0.0, 7.5])
def test_komi_reaches_the_score(komi: float) -> None:
    definition = go_game(3, komi=komi)

    assert score_of(definition, definition.initial_state()) == -komi


def test_at_the_searches_komi_area_comes_to_the_same_as_territory() -> None:
    area = parse_rules("tromp-taylor")
    for seed in range(5):
        chance = random.Random(seed)
        game = Game(5, rules="japanese", komi=6.5)
        if seed % 2:
            game.free_handicap(["B2", "D4", "C3"])
        while not game.is_over and len(game.moves) < 60:
            color = chance.choice(["black", "white"])  # Also twice in a row: moves in any order.
            game.play(color, chance.choice([*game.legal_moves(color), "pass"]))
            rows = game.board.rows()
            counted = score_position(rows, area, search_komi(game, "black"))
            # Without regard to seki, which the rules have an eye on.
            surrounded = [
                owner
                for row, owners in zip(rows, counted.owner, strict=True)
                for point, owner in zip(row, owners, strict=True)
                if point == EMPTY
            ]
            territory = surrounded.count(BLACK) - surrounded.count(WHITE)
            by_black, by_white = game.captures
            assert counted.margin == territory + by_black - by_white - 6.5


def test_the_searches_komi_is_the_games_where_turns_are_taken() -> None:
    game = Game(9, rules="japanese", komi=6.5)
    for color, vertex in (("black", "A1"), ("white", "A2"), ("black", "J9"), ("white", "B1")):
        assert search_komi(game, color) == 6.5
        game.play(color, vertex)  # The last one captures.
    assert game.captures == (0, 1)
    assert search_komi(game, "black") == 6.5
    game.play("black", "pass")
    assert search_komi(game, "white") == 5.5  # White may play where Black has not.
    game.play("white", "pass")
    assert search_komi(game, "black") == 6.5
    given = Game(9, rules="japanese", komi=0.5)
    given.fixed_handicap(4)
    assert search_komi(given, "white") == 3.5  # The first stone would have been Black's anyway.
    by_area = Game(9, rules="chinese", komi=0.5)
    by_area.fixed_handicap(4)
    assert search_komi(by_area, "white") == 0.5 + by_area.rules.handicap_points(4)


def test_text_of_moves_goes_there_and_back() -> None:
    definition = go_game(19)
    state = definition.initial_state()
    for vertex in ("A1", "T19", "K10", "pass"):
        assert definition.format_move(state, definition.parse_move(state, vertex)) == vertex
    assert definition.to_play(state) == 0
    state[TO_PLAY] = parse_color("white")
    assert definition.to_play(state) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 1}, "invalid board size"),
        ({"rules": "chess"}, "unknown rules"),
        ({"playout": "clever"}, "unknown playout policy"),
        ({"komi": "many"}, "invalid komi"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(GoError, match=message):
        go_game(**options)  # type: ignore[arg-type]


def test_the_search_finds_the_move_that_captures() -> None:
    game = Game(5, rules="chinese", komi=0.5)
    game.setup(
        black=["A3", "B3", "C3", "D3", "E3", "C2"],
        white=["A2", "B2", "A1", "B1", "D2", "E2", "D1", "E1"],
        to_play="black",
    )
    definition = go_game(5, komi=0.5)
    search = Search(definition, Config(simulations=5000, memory=50.0), state=game.board.state)

    assert definition.format_move(search.state, search.run().move or 0) == "C1"
