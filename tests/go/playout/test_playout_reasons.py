"""Reasons: a told playout is the real one, what it claims is true, and where playouts may begin."""

from __future__ import annotations

import io
from dataclasses import fields
from typing import TYPE_CHECKING

import pytest
from conftest import to_point, to_vertex

from go_positions import random_games, to_index, to_state
from gtp_fake_player import FakePlayer
from montego.engine.options.options import Options
from montego.go.game import Game
from montego.go.kernels.layout import KO, PASSES, SIZE, TO_PLAY, empty_state
from montego.go.playout.explain import first_reasons
from montego.go.playout.knowledge import new_knowledge
from montego.go.playout.policy import POLICIES
from montego.go.playout.rates import Rates
from montego.go.playout.reason import Reason
from montego.go.playout.trace import TracedPlayout, trace_playout
from montego.go.playout.urgency import CAPTURE, ESCAPE, PLAIN, reason_of, urgency_of
from montego.go.vocabulary.errors import GoError
from montego.gtp.session import GtpSession
from montego.jit import interpreted
from montego.jit.index import Index
from playout_checks import finish
from reference import BLACK, WHITE, Reference, liberties

if TYPE_CHECKING:
    from montego.jit.state import State

EVERY_POLICY = pytest.mark.parametrize("policy", POLICIES)
RULES = {
    Reason.CAPTURE, Reason.ATARI, Reason.TWO_LIBERTIES, Reason.EYE_FIX, Reason.NAKADE,
    Reason.PATTERN,
}  # fmt: skip


def vertices(told: TracedPlayout) -> list[str]:
    return [move.vertex for move in told.moves]


def positions() -> list[tuple[str, State]]:
    """Boards of several sizes, with stones, a ko, White to play, a pass before, and a full one."""
    middle = [state.copy() for state, _ in random_games(7, 1, 40, seed=3)]
    fought = [state.copy() for state, _ in random_games(4, 6, 40, seed=5) if state[KO] != 0]
    passed = to_state(". X O .\n. X O .\n. X O .\n. X O .")
    passed[PASSES] = 1
    over = to_state(". X O\nX X O\nX O .")
    over[PASSES] = 2
    assert fought
    return [
        *((f"empty {size}", empty_state(size)) for size in (2, 3, 5, 9)),
        ("White to play", to_state(". . .\n. X .\n. . .", to_play=WHITE, last="B2")),
        ("middle game", middle[25]),
        ("late", middle[-1]),
        ("ko", fought[0]),
        ("passed", passed),
        ("over", over),
    ]


@EVERY_POLICY
@pytest.mark.parametrize("base", [pytest.param(base, id=name) for name, base in positions()])
def test_a_told_playout_is_the_real_one(policy: str, base: State) -> None:
    before = base.copy()
    for seed in range(1 if base[SIZE] > 5 else 3):
        told = trace_playout(before, policy, seed)
        real = finish(policy, before, seed)
        assert vertices(told) == [to_vertex(point) for point in real.trace]
        assert told.score == real.score
        first = int(before[TO_PLAY])
        colors = ("black", "white") if first == BLACK else ("white", "black")
        assert [move.color for move in told.moves] == [
            colors[number % 2] for number in range(len(told.moves))
        ]
    assert (before == base).all()


@EVERY_POLICY
def test_so_it_is_on_a_large_board_with_rates_and_a_limit_of_its_own(policy: str) -> None:
    rates = Rates(**{rate.name: 0.5 for rate in fields(Rates)} | {"fill_board": 3})
    knowledge = new_knowledge(rates=rates)
    base = empty_state(13)
    told = trace_playout(base, policy, 11, knowledge=knowledge, limit=60)
    real = finish(policy, base, 11, knowledge=knowledge, limit=60)
    assert vertices(told) == [to_vertex(point) for point in real.trace]
    assert len(told.moves) == 60
    assert told.score == real.score


def test_only_policies_that_exist_are_told() -> None:
    with pytest.raises(GoError, match="unknown playout policy"):
        trace_playout(empty_state(3), "nice", 0)


# What the reasons claim, looked at by the oracle.


def in_atari(game: Reference, color: int) -> set[frozenset[tuple[int, int]]]:
    """The liberties of the chains in atari, one set a stone."""
    return {
        frozenset(liberties(game.stones, at, game.size))
        for at, stone in game.stones.items()
        if stone == color and len(liberties(game.stones, at, game.size)) == 1
    }


@pytest.mark.parametrize("policy", ["sequence", "urgency"])
def test_reasons_are_true(policy: str) -> None:
    size = 6
    for seed in range(8):
        base = empty_state(size)
        game = Reference(size, ko="simple")
        taken: dict[tuple[int, int], int] = {}  # when a single stone was last captured there
        for number, (_, vertex, reason) in enumerate(trace_playout(base, policy, seed).moves):
            point, color = to_point(vertex), game.to_play
            assert (point is None) == (reason is Reason.PASS)
            threatened, before = in_atari(game, color), dict(game.stones)
            game.play(color, point)
            gone = [at for at in before if game.stones.get(at) != before[at]]
            if reason is Reason.CAPTURE:
                assert gone
            elif reason is Reason.ATARI:
                assert threatened
                assert gone or {point} in threatened
            elif reason is Reason.KO:
                assert point is not None
                assert gone
                assert number - taken[point] <= 3
            elif reason is Reason.PATTERN:
                assert point is not None
                assert any(
                    (point[0] + x, point[1] + y) in before for x in (-1, 0, 1) for y in (-1, 0, 1)
                )
            if len(gone) == 1:
                taken[gone[0]] = number


def test_every_reason_comes_up() -> None:
    knowledge = new_knowledge(rates=Rates(fill_board=2))
    found = set()
    for seed in range(20):
        found |= set(trace_playout(empty_state(7), "sequence", seed, knowledge=knowledge).counts())
    # An eye is seldom threatened; here White's last move does so, and the diagonal D4 is free.
    threatened = to_state(". . . . .\n. O X . .\n. X . X .\n. X X X .\n. . . . .", last="B4")
    quiet = new_knowledge(rates=Rates(capture=0, atari=0, two_liberties=0))
    (fixed,) = trace_playout(threatened, "sequence", 0, knowledge=quiet, limit=1).moves
    assert fixed == ("black", "D4", Reason.EYE_FIX)
    assert found | {fixed.reason} == set(Reason)
    for policy in POLICIES:
        if policy not in ("sequence", "urgency", "balanced"):
            told = trace_playout(empty_state(5), policy, 3)
            assert set(told.counts()) <= {Reason.RANDOM, Reason.PASS}


@pytest.mark.small_boards
def test_reasons_are_numbered_named_and_told_once() -> None:
    assert [int(reason) for reason in Reason] == list(range(len(Reason)))
    assert Reason(0) is Reason.PASS
    assert len({reason.label for reason in Reason}) == len(Reason)
    assert len({reason.meaning for reason in Reason}) == len(Reason)
    assert {reason.name.lower() for reason in RULES} <= {rate.name for rate in fields(Rates)}


@pytest.mark.small_boards
def test_counts_come_with_the_most_frequent_first() -> None:
    told = trace_playout(empty_state(5), "sequence", 4)
    counts = told.counts()
    assert sum(counts.values()) == len(told.moves)
    assert list(counts.values()) == sorted(counts.values(), reverse=True)


@pytest.mark.small_boards
def test_an_urgent_move_has_the_reason_of_the_part_that_was_drawn() -> None:
    # Black D1 captures one stone, saves two, and is a pattern.
    state = to_state(". . . . .\n. . . . .\n. . . X X\n. O O O X\nO X X . O")
    point = to_index("D1", int(state[SIZE]))
    whole = urgency_of(state, new_knowledge(), point, BLACK)
    ends = {
        Reason.RANDOM: PLAIN,
        Reason.CAPTURE: PLAIN * (1 + CAPTURE),
        Reason.ATARI: PLAIN * (1 + CAPTURE + 2 * ESCAPE),
        Reason.PATTERN: whole,
    }
    assert sorted(set(ends.values())) == list(ends.values())
    begin = 0
    for reason, end in ends.items():
        for drawn in (begin, end - 1):
            assert reason_of(state, point, BLACK, Index(drawn)) == reason
            assert interpreted(reason_of)(state, point, BLACK, Index(drawn)) == reason
        begin = end


# Where playouts may begin.


def played(size: int, moves: str) -> Game:
    """A game of these moves, Black first."""
    game = Game(size)
    for vertex in moves.split():
        game.play(game.to_play, vertex)
    return game


@EVERY_POLICY
def test_playouts_begin_where_they_may(policy: str) -> None:
    for moves in ("", "C3 C2 D2", "B4 pass A3 pass B2 B3", "B5 C5 A4 D4 B3 C3 C4 B4"):
        game = played(5, moves)
        reasons = first_reasons(game, policy=policy)
        for seed in range(25):
            (first,) = trace_playout(game.board.state, policy, seed, limit=1).moves
            if policy.startswith("analyze-after") and first.vertex == game.ko:
                continue  # It knows no ko, and the game does.
            assert first.vertex in reasons
            if reasons[first.vertex] is Reason.RANDOM:
                assert first.reason is Reason.RANDOM
            elif policy == "sequence":
                assert first.reason in {reasons[first.vertex], *RULES, Reason.RANDOM}


def test_rules_come_before_chance_unless_their_rate_is_zero() -> None:
    game = played(5, "B4 pass A3 pass B2 B3")
    assert first_reasons(game)["C3"] is Reason.CAPTURE
    assert first_reasons(game)["E5"] is Reason.RANDOM
    assert first_reasons(game, "white")["C3"] is not Reason.CAPTURE
    without = first_reasons(game, rates=Rates(capture=0))
    assert without["C3"] is not Reason.CAPTURE
    assert set(without) == set(first_reasons(game))
    assert first_reasons(game, policy="urgency")["C3"] is Reason.CAPTURE
    assert set(first_reasons(game, policy="uniform").values()) == {Reason.RANDOM}
    with pytest.raises(GoError, match="unknown playout policy"):
        first_reasons(game, policy="nice")


def test_a_self_atari_is_left_out_where_it_is_always_refused() -> None:
    game = Game(5)
    game.setup(black=["A1", "B1"], white=["A3", "B2"], to_play="black")
    usual = first_reasons(game)
    assert (usual["A2"], usual["C1"]) == (Reason.RANDOM, Reason.OTHER_LIBERTY)
    always = first_reasons(game, rates=Rates(self_atari=1))
    assert "A2" not in always
    assert always["C1"] is Reason.OTHER_LIBERTY
    assert "A2" not in first_reasons(game, policy="naive")
    assert first_reasons(game, rates=Rates(self_atari=0))["C1"] is Reason.RANDOM
    assert first_reasons(game, rates=Rates(fill_board=1))["D4"] is Reason.FILL_BOARD


def test_no_playout_begins_in_an_eye() -> None:
    game = Game(5)
    game.setup(black=["A2", "B1", "B2", "C1", "C2", "D1", "D2", "E2"], white=["C4"])
    for policy in POLICIES:
        assert "A1" not in first_reasons(game, "black", policy=policy)
        assert "E1" not in first_reasons(game, "black", policy=policy)


# For people.


def say(*lines: str, options: Options | None = None) -> list[str]:
    """The replies of a session to these lines."""
    output = io.BytesIO()
    session = GtpSession(lambda: FakePlayer(options), output, errors=io.StringIO())
    session.run(io.BytesIO("\n".join(lines).encode()))
    return output.getvalue().decode().split("\n\n")


def test_the_command_tells_the_playout_of_the_options() -> None:
    options = Options(simulations=10, size=5, komi=6.5)
    options = options.replace(playout_pattern=0.0, game_length=2.0)
    replies = say("play b C3", "montego-playout 5", "montego-playout 5", "showboard",
                  options=options)  # fmt: skip
    assert replies[1] == replies[2]
    head, *lines, reasons, score = replies[1].split("\n")
    assert head == "= policy sequence, seed 5"
    definition = options.game_definition(5)
    game = played(5, "C3")
    told = trace_playout(game.board.state, "sequence", 5, knowledge=definition.knowledge, limit=50)
    assert lines == [
        f"{number} {'WB'[(number - 1) % 2]} {move.vertex} {move.reason.label}"
        for number, move in enumerate(told.moves, 1)
    ]
    assert "pattern" not in reasons
    assert reasons == "reasons: " + ", ".join(f"{r.label} {n}" for r, n in told.counts().items())
    margin = told.score - 6.5
    assert score == f"score: {'B' if margin > 0 else 'W'}+{abs(margin):g}"
    assert "Move 1, white to play" in replies[3]


def test_without_a_seed_one_is_drawn_and_told() -> None:
    first = say("boardsize 3", "montego-playout")[1]
    seed = first.split("\n")[0].rpartition(" ")[2]
    assert say("boardsize 3", f"montego-playout {seed}")[1] == first
