"""Hex, Connect 4 and tic-tac-toe as sessions play them: the rules, the search, and its words."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from montego.engine.options.options import Options
from montego.network.errors import NoRuntime
from montego.web.game.search_referee import SearchReferee, shortest_chain, winning_lines
from montego.web.messages.replies import ClockFace, Findings
from montego.web.messages.requests import ClockSettings, Strength
from montego.web.thinking import search_thinker
from montego.web.thinking.search_thinker import (
    Compilation,
    SearchThinker,
    level_simulations,
    time_for_move,
)
from montego.web.thinking.thinker import READY, Programs, Question

if TYPE_CHECKING:
    from montego.web.game.search_referee import SearchState
    from montego.web.messages.replies import Position
    from montego.web.messages.requests import Color, GameKind

KINDS: tuple[GameKind, ...] = ("hex", "connect-four", "tic-tac-toe")


def play(referee: SearchReferee, moves: str) -> tuple[SearchState, tuple[tuple[Color, str], ...]]:
    """Return the position after moves, and the moves with their colors."""
    state = referee.start()
    played = []
    for move in moves.split():
        color = referee.to_play(state)
        state = referee.play(state, color, move)
        played.append((color, move))
    return state, tuple(played)


def show(referee: SearchReferee, state: SearchState) -> Position:
    return referee.position(state, game="game", node=3)


def ask(referee: SearchReferee, moves: str = "", **changes: object) -> Question:
    state, played = play(referee, moves)
    fields = {"state": state, "moves": played, "color": referee.to_play(state)} | changes
    return Question(**fields)  # type: ignore[arg-type]


# The rules


def test_hex_is_read_from_the_top_left() -> None:
    referee = SearchReferee("hex", 3)
    state, _ = play(referee, "a1 c2")
    position = show(referee, state)
    assert position.cells == "X....O..."
    assert (position.width, position.height, position.last) == (3, 3, "c2")
    assert position.to_play == "black"
    assert sorted(position.moves) == ["a2", "a3", "b1", "b2", "b3", "c1", "c3"]


def test_connect_four_fills_columns_from_below() -> None:
    referee = SearchReferee("connect-four")
    state, _ = play(referee, "4 4 1")
    position = show(referee, state)
    rows = [position.cells[start : start + 7] for start in range(0, 42, 7)]
    assert rows == ["......."] * 4 + ["...O...", "X..X..."]
    assert position.last == "1"
    assert position.moves == list("1234567")


def test_tic_tac_toe_counts_rows_from_below() -> None:
    referee = SearchReferee("tic-tac-toe")
    state, _ = play(referee, "a1 c3")
    assert referee.cells(state) == "..O...X.."


def test_moves_have_one_way_of_writing() -> None:
    referee = SearchReferee("hex", 5)
    assert referee.move_name(referee.start(), " E5 ") == "e5"
    assert referee.move_name(referee.start(), "SWAP") == "swap"
    with pytest.raises(ValueError, match="say one from a1 to e5, or swap"):
        referee.move_name(referee.start(), "f1")
    columns = SearchReferee("connect-four")
    with pytest.raises(ValueError, match="number from 1 to 7"):
        columns.move_name(columns.start(), "pass")


def test_a_swap_takes_over_the_stone() -> None:
    referee = SearchReferee("hex", 4)
    first, _ = play(referee, "a2")
    assert "swap" in show(referee, first).moves
    after = referee.play(first, "white", "swap")
    position = show(referee, after)
    assert position.cells == ".O.............."
    assert position.last == "b1"
    assert position.to_play == "black"
    assert "swap" not in position.moves
    with pytest.raises(ValueError, match="answer to the first move only"):
        referee.play(after, "black", "swap")


@pytest.mark.parametrize(
    ("kind", "moves", "color", "move", "message"),
    [
        ("hex", "a1", "white", "a1", "a1 is taken"),
        ("hex", "a1", "black", "b1", "it is not Red's turn"),
        ("connect-four", "1 1 1 1 1 1", "black", "1", "column 1 is full"),
        ("tic-tac-toe", "b2", "white", "b2", "b2 is taken"),
        ("tic-tac-toe", "a1 a2 b1 b2 c1", "white", "c3", "the game is over"),
    ],
)
def test_illegal_moves_are_refused_in_words(
    kind: GameKind, moves: str, color: Color, move: str, message: str
) -> None:
    referee = SearchReferee(kind, 4)
    state, _ = play(referee, moves)
    before = referee.cells(state)
    with pytest.raises(ValueError, match=message):
        referee.play(state, color, move)
    assert referee.cells(state) == before


@pytest.mark.parametrize(
    ("kind", "moves", "winner", "result", "connection"),
    [
        (
            "hex",
            "b1 a1 b2 a2 a3",
            "black",
            "Red wins: top and bottom are connected",
            ["b1", "b2", "a3"],
        ),
        (
            "hex",
            "c3 a2 b3 b2 a3 c1",
            "white",
            "Blue wins: left and right are connected",
            ["a2", "b2", "c1"],
        ),
        (
            "connect-four",
            "4 3 4 3 4 3 4",
            "black",
            "Red wins: four in a row",
            ["d4", "d3", "d2", "d1"],
        ),
        ("tic-tac-toe", "a1 b2 a2 b1 c3 b3", "white", "O wins: three in a row", ["b3", "b2", "b1"]),
        ("tic-tac-toe", "b2 a1 a2 c2 b1 b3 a3 c1 c3", None, "A draw: the board is full", []),
    ],
)
def test_the_end_is_told_with_its_reason(
    kind: GameKind, moves: str, winner: Color | None, result: str, connection: list[str]
) -> None:
    referee = SearchReferee(kind, 3)
    state, _ = play(referee, moves)
    assert referee.result(state) == result
    assert referee.winner(state) == winner
    position = show(referee, state)
    assert position.moves == []
    assert position.connection == connection


@pytest.mark.parametrize("kind", KINDS)
def test_random_games_end_with_a_connection_of_the_winner(kind: GameKind) -> None:
    random = Random(7)
    referee = SearchReferee(kind, 5)
    for _ in range(10):
        state = referee.start()
        while referee.result(state) is None:
            assert referee.winner(state) is None
            move = random.choice(show(referee, state).moves)
            state = referee.play(state, referee.to_play(state), move)
        position = show(referee, state)
        assert bool(position.connection) == (referee.winner(state) is not None)
        assert len(position.cells) == position.width * position.height


def test_a_chain_is_the_shortest_and_in_order() -> None:
    stones = {(0, 0), (0, 1), (0, 2), (1, 1), (2, 0), (1, 2)}
    assert shortest_chain(stones, 3, downwards=False) == [(0, 1), (1, 1), (2, 0)]
    assert shortest_chain({(0, 0), (2, 2)}, 3, downwards=True) == []
    # The cell below to the right is no neighbor.
    assert shortest_chain({(0, 0), (1, 1)}, 2, downwards=True) == []


def test_two_lines_at_once_are_both_shown() -> None:
    stones = {(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (2, 2)}
    assert winning_lines(stones, 3) == stones - {(2, 2)}


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_counted(kind: GameKind) -> None:
    referee = SearchReferee(kind, 5)
    assert not referee.is_to_count(referee.start())
    with pytest.raises(ValueError, match="has no count"):
        referee.count(referee.start(), (), proposed=False)
    with pytest.raises(ValueError, match="no dead stones"):
        referee.group(referee.start(), "a1", ())


def test_sizes_are_those_of_the_games() -> None:
    assert SearchReferee("hex", 25).size == 25
    assert SearchReferee("connect-four", 19).size == 7
    with pytest.raises(ValueError, match="invalid size 27"):
        SearchReferee("hex", 27)


# The search


@pytest.fixture(scope="module", params=KINDS)
def ready(request: pytest.FixtureRequest) -> SearchReferee:
    """A referee of each game, whose search is compiled."""
    referee = SearchReferee(request.param, 5)
    thinker = SearchThinker(referee)
    while thinker.preparation() != READY:
        time.sleep(0.02)
    return referee


def test_it_plays_whole_games_and_says_why(ready: SearchReferee) -> None:
    thinker = SearchThinker(ready, seed=1)
    state = ready.start()
    moves: list[tuple[Color, str]] = []
    while ready.result(state) is None:
        color = ready.to_play(state)
        question = Question(
            state=state, moves=tuple(moves), color=color, strength=Strength(simulations=60)
        )
        answer = thinker.choose(question)
        found = answer.findings
        assert found is not None
        assert found.to_play == color
        assert found.simulations <= 60
        assert found.moves[0].move == answer.move
        assert found.moves[0].variation[0] == answer.move
        assert 0.0 <= found.value <= 1.0
        assert answer.lines[0].startswith(f"{ready.names[color]} plays ")
        state = ready.play(state, color, answer.move)
        moves.append((color, answer.move))


def test_reports_arrive_while_it_thinks(ready: SearchReferee) -> None:
    reports: list[Findings] = []
    thinker = SearchThinker(ready, seed=1)
    question = ask(ready, seconds=5.0, every=0.0)
    interrupt = question.interrupt

    def report(findings: Findings) -> None:
        reports.append(findings)
        if len(reports) >= 3:
            interrupt.set()

    found = thinker.analyze(ask(ready, seconds=30.0, every=0.0, report=report, interrupt=interrupt))
    assert len(reports) >= 1
    assert reports[-1].simulations <= found.simulations
    shares = sum(move.prior for move in found.moves)
    assert shares == pytest.approx(len(found.moves) / len(show(ready, ready.start()).moves))


def test_the_tree_is_kept_along_the_game(ready: SearchReferee) -> None:
    thinker = SearchThinker(ready, seed=1)
    first = thinker.analyze(ask(ready, simulations=400))
    followed = thinker.analyze(ask(ready, first.moves[0].move, simulations=10))
    assert followed.visits > 10
    again = thinker.analyze(ask(ready, simulations=10))
    assert again.visits <= 10


def test_the_same_seed_finds_the_same(ready: SearchReferee) -> None:
    found = [SearchThinker(ready, seed=5).analyze(ask(ready, simulations=200)) for _ in range(2)]
    assert found[0].moves == found[1].moves


def test_values_are_the_first_players() -> None:
    referee = SearchReferee("connect-four")
    thinker = SearchThinker(referee, seed=1)
    # Yellow has three in a row with both ends open, and Red has wasted its moves.
    lost = thinker.analyze(ask(referee, "1 3 1 4 7 5 7", simulations=2000))
    assert lost.to_play == "white"
    assert lost.value == 0.0
    assert lost.moves[0].move in ("2", "6")
    assert all(move.value <= 1.0 for move in lost.moves)


def test_a_few_lucky_playouts_are_no_certainty(ready: SearchReferee) -> None:
    found = SearchThinker(ready, seed=1).analyze(ask(ready, simulations=4))
    assert found.moves
    assert all(0.0 < move.value < 1.0 for move in found.moves)


def test_proofs_are_told_in_words() -> None:
    referee = SearchReferee("connect-four")
    thinker = SearchThinker(referee, seed=1)
    question = ask(referee, "4 3 4 3 4 3", strength=Strength(simulations=2000))
    answer = thinker.choose(question)
    assert answer.move == "4"
    assert answer.lines[0] == "Red plays column 4: it wins against any defense."
    assert answer.findings is not None
    other = thinker.explain(question, "7", answer.findings)
    assert other[0].startswith("Red plays column 7: ")
    assert thinker.explain(question, "9", answer.findings)[0].endswith("did not look at it.")


def test_tic_tac_toe_is_a_draw() -> None:
    referee = SearchReferee("tic-tac-toe")
    found = SearchThinker(referee, seed=1).analyze(ask(referee, simulations=200_000))
    assert found.value == 0.5
    assert found.simulations < 200_000


def test_an_interrupt_ends_it_and_a_move_is_made_all_the_same(ready: SearchReferee) -> None:
    interrupt = threading.Event()
    interrupt.set()
    thinker = SearchThinker(ready, seed=1)
    answer = thinker.choose(ask(ready, interrupt=interrupt, strength=Strength(seconds=600)))
    assert answer.move in show(ready, ready.start()).moves
    found = thinker.analyze(ask(ready, interrupt=interrupt))
    assert found.simulations == 0


def test_a_closed_thinker_ends_its_search(ready: SearchReferee) -> None:
    thinker = SearchThinker(ready, seed=1)
    question = ask(ready, seconds=600.0, every=0.0, report=lambda _: thinker.close())
    assert thinker.analyze(question).simulations > 0


def test_a_move_comes_before_the_compiler_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Compilation):
        def _compile(self, *_: object) -> None:
            """Never come to an end."""

    monkeypatch.setattr(search_thinker, "compilation_of", Endless)
    monkeypatch.setattr(search_thinker, "PATIENCE", 0.0)
    for kind in KINDS:
        referee = SearchReferee(kind, 4)
        thinker = SearchThinker(referee, seed=1)
        assert "Compiling the search" in thinker.preparation().text
        answer = thinker.choose(ask(referee, strength=Strength(simulations=20)))
        assert answer.findings is not None
        assert answer.findings.moves[0].visits > 0
        assert "still being compiled" in answer.lines[-1]


# With a network


@pytest.fixture(scope="module", params=["hex", "connect-four"])
def judged(request: pytest.FixtureRequest) -> tuple[SearchReferee, SearchThinker]:
    """A thinker with the network that comes along for a game."""
    referee = SearchReferee(request.param, 11)
    thinker = SearchThinker(referee, by_network=True, seed=1)
    while thinker.preparation() != READY:
        time.sleep(0.02)
    return referee, thinker


def test_the_network_judges_what_is_searched_at_full_strength(
    judged: tuple[SearchReferee, SearchThinker],
) -> None:
    referee, thinker = judged
    found = thinker.analyze(ask(referee, simulations=40))
    assert found.simulations == 40
    priors = [move.prior for move in found.moves]
    assert max(priors) > 2 * min(priors), "a network has an opinion"
    assert found.moves[0].rave_visits == 0
    answer = thinker.choose(ask(referee, found.moves[0].move, strength=Strength(simulations=20)))
    assert answer.findings is not None
    assert answer.findings.visits > 20, "the tree is kept"
    assert "playouts" not in " ".join(answer.lines)


def test_levels_play_without_the_network(
    judged: tuple[SearchReferee, SearchThinker],
) -> None:
    referee, thinker = judged
    answer = thinker.choose(ask(referee, strength=Strength(level="20k")))
    assert answer.findings is not None
    assert len({move.prior for move in answer.findings.moves}) == 1
    assert any(move.rave_visits for move in answer.findings.moves)


def test_without_what_runs_networks_montego_is_classical(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_game: object) -> None:
        raise NoRuntime("onnxruntime is missing")

    monkeypatch.setattr(search_thinker, "judged_game", refuse)
    referee = SearchReferee("connect-four")
    thinker = SearchThinker(referee, by_network=True, seed=1)
    assert "playing without a network: onnxruntime is missing" in capsys.readouterr().err
    found = thinker.analyze(ask(referee, simulations=40))
    assert any(move.rave_visits for move in found.moves)


def test_a_network_judges_where_one_comes_along_and_is_wanted() -> None:
    programs = Programs()
    assert programs.network("hex", 11) is True
    assert programs.network("hex", 9) is False
    assert programs.network("connect-four", 7) is True
    assert programs.network("tic-tac-toe", 3) is None
    without = Programs(options=Options(network=None))
    assert without.network("connect-four", 7) is False
    assert without.network("go", 9) is False


# Limits


def test_levels_are_steps_of_simulations() -> None:
    counts = [level_simulations(Strength(level=level)) for level in ("30k", "10k", "9d")]
    assert counts[0] == search_thinker.FEWEST
    assert counts[2] == search_thinker.MOST
    assert counts[0] < counts[1] < counts[2]
    with pytest.raises(ValueError, match="no level"):
        level_simulations(Strength(level="10d"))


@pytest.mark.parametrize(
    ("clock", "face"),
    [
        (ClockSettings(kind="absolute", main=2.0), ClockFace(seconds=2.0, periods=0)),
        (ClockSettings(kind="fischer", main=1.0, period=0.5), ClockFace(seconds=1.0, periods=0)),
        (
            ClockSettings(kind="byoyomi", main=0.0, period=1.0, periods=3),
            ClockFace(seconds=1.0, periods=1),
        ),
    ],
)
def test_the_clock_is_respected(clock: ClockSettings, face: ClockFace) -> None:
    question = ask(SearchReferee("connect-four"), clock=clock, clocks=(face, face))
    seconds = time_for_move(question, 42)
    assert seconds is not None
    assert 0.0 < seconds < face.seconds


def test_without_a_clock_there_is_no_limit_of_time() -> None:
    assert time_for_move(ask(SearchReferee("connect-four")), 42) is None


def test_there_is_no_score_to_estimate(ready: SearchReferee) -> None:
    with pytest.raises(ValueError, match="has no score to estimate"):
        SearchThinker(ready).estimate(ask(ready))
