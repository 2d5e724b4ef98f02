"""The player: a game that can be played, searched, taken back and talked to from two threads."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from montego.engine.decision import DecisionReason
from montego.engine.options.options import InvalidOption, Options
from montego.engine.player import Player
from montego.engine.searching.analysis import Analysis, VertexLimit
from montego.engine.win_chances import WinChances
from montego.go.game import Game
from montego.go.playout.knowledge import KOMI
from montego.go.vocabulary.errors import GoError, IllegalMove
from montego.go.vocabulary.timing import TimeControl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

QUICK = Options(size=5, simulations=60, seed=1, threads=1, network=None)


@pytest.fixture
def player() -> Iterator[Player]:
    player = Player(QUICK)
    yield player
    player.close()


class NeverReady:
    """A compiler that does not come to an end."""

    is_ready = False
    error: Exception | None = None

    def wait(self, seconds: float | None, is_interrupted: Callable[[], bool]) -> bool:
        assert seconds is not None
        return is_interrupted()

    def start(self) -> None:
        pass


def test_genmove_plays_what_it_chose(player: Player) -> None:
    decision = player.genmove("black")
    assert decision.reason is DecisionReason.SEARCH
    assert player.game.moves == [("black", decision.vertex)]
    assert decision.analysis is not None
    assert decision.analysis.to_play == "black"
    assert decision.analysis.best is not None
    assert decision.analysis.best.vertex == decision.vertex
    assert player.last_decision is decision


def test_choose_plays_nothing(player: Player) -> None:
    decision = player.choose("white")
    assert decision.color == "white"
    assert player.game.moves == []
    assert player.game.to_play == "black"


def test_after_a_resignation_nothing_is_thought_or_changed(player: Player) -> None:
    player.clock.set(TimeControl(kind="absolute", main=60))
    player.game.resign("black")
    before = player.clock.left("white")
    reports: list[Analysis] = []

    with pytest.raises(GoError, match="black resigned"):
        player.genmove("white", report=reports.append)

    assert reports == []
    assert player.last_decision is None
    assert player.clock.left("white") == before


def test_the_next_game_is_another_one() -> None:
    player = Player(QUICK)
    games = []
    for _ in range(4):
        player.new_game()
        games.append([player.genmove(color).vertex for color in ("black", "white") * 3])
    player.close()

    assert len({tuple(game) for game in games}) > 1
    again = Player(QUICK)
    for game in games:
        again.new_game()
        assert [again.genmove(color).vertex for color in ("black", "white") * 3] == game
    again.close()


def test_one_thread_and_a_seed_play_the_same_game_again() -> None:
    games = []
    for _ in range(2):
        player = Player(QUICK)
        for _ in range(8):
            player.genmove()
        games.append(player.game.moves)
        player.close()
    assert games[0] == games[1]


def test_the_tree_is_kept_over_both_players_moves(player: Player) -> None:
    first = player.genmove("black")
    assert first.analysis is not None
    assert first.analysis.best is not None
    reply = first.analysis.best.variation[1]
    player.play("white", reply)
    second = player.choose("black")
    assert second.analysis is not None
    assert second.analysis.visits > second.analysis.simulations


def test_the_search_follows_undo_and_other_moves(player: Player) -> None:
    player.genmove("black")
    player.genmove("white")
    player.undo(2)
    assert player.game.moves == []
    player.play("black", "C3")
    decision = player.choose("white")
    assert decision.analysis is not None
    assert "C3" not in [move.vertex for move in decision.analysis.moves]


def test_colors_may_play_twice_in_a_row(player: Player) -> None:
    player.play("black", "B2")
    player.play("black", "D4")
    assert player.genmove("black").is_move
    assert [move.color for move in player.game.moves] == ["black"] * 3


def test_boards_of_other_sizes_get_a_search_of_their_own(player: Player) -> None:
    player.genmove("black")
    player.new_game(7)
    for _ in range(4):
        player.genmove()
    assert player.game.size == 7
    assert player.game.board.color_at(player.game.moves[0].vertex) == "black"


def test_komi_rules_and_time_survive_a_new_game(player: Player) -> None:
    player.game.komi = -3.5
    player.game.rules = "tromp-taylor"
    player.clock.set(TimeControl(kind="absolute", main=100))
    player.clock.spent("black", 50)
    player.new_game(6)
    assert (player.game.komi, str(player.game.rules)) == (-3.5, "tromp-taylor")
    assert player.clock.left("black").seconds == 100


def test_komi_decides_who_is_ahead(player: Player) -> None:
    values = []
    for komi in (-100, 100):
        player.game.komi = komi
        found = player.choose("black").analysis
        assert found is not None
        values.append(found.value)
    assert values[0] > 0.95
    assert values[1] < 0.05


def test_a_failed_call_changes_nothing(player: Player) -> None:
    player.play("black", "C3")
    for call in (
        lambda: player.play("white", "C3"),
        lambda: player.play("green", "A1"),
        lambda: player.play("white", "Z99"),
        lambda: player.undo(2),
        lambda: player.new_game(99),
        lambda: setattr(player.game, "komi", "dear"),
        lambda: setattr(player.game, "rules", "no such"),
        lambda: player.genmove("green"),
        lambda: player.place_handicap(2),
        lambda: player.game.free_handicap(["A1", "B1"]),
    ):
        with pytest.raises(GoError):
            call()
    assert player.game.moves == [("black", "C3")]
    assert player.game.size == 5
    assert player.genmove("white").is_move


def test_a_board_that_cannot_be_searched_is_refused_before_the_search(player: Player) -> None:
    small = player.options.replace(memory=2)
    player.configure(small)
    player.play("black", "C3")
    wants = "invalid memory 2: Go 25x25 wants at least 6.33 MB"

    with pytest.raises(InvalidOption, match=wants):
        player.new_game(25)
    with pytest.raises(InvalidOption, match=wants):
        player.load(Game(25))
    with pytest.raises(InvalidOption, match="invalid memory 2: Go 5x5 wants at least"):
        player.configure(small.replace(threads=300, parallel="root"))
    with pytest.raises(InvalidOption, match="invalid memory 1: Go 19x19"):
        player.load(Game(19), small.replace(memory=1))

    assert player.options == small
    assert (player.game.size, player.game.moves) == (5, [("black", "C3")])
    player.load(Game(25), small.replace(memory=7))
    assert (player.game.size, player.options.memory) == (25, 7)


def test_the_largest_seed_lasts_for_more_than_one_game(player: Player) -> None:
    player.configure(player.options.replace(seed=2**63 - 1))
    assert player.genmove().is_move
    player.new_game()
    assert player.genmove().is_move


def test_a_move_that_the_rules_forbid_is_never_answered(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    favorite = player.choose("black").vertex
    allowed = Game.fault

    def fault(game: Game, color: str | int, vertex: str) -> str | None:
        return "superko" if vertex == favorite else allowed(game, color, vertex)

    monkeypatch.setattr(Game, "fault", fault)
    decision = player.genmove("black")
    assert decision.vertex not in (favorite, "pass")


@pytest.mark.parametrize("rules", ["tromp-taylor", "aga", "chinese"])
def test_plays_tiny_boards_to_the_end_under_every_superko(rules: str) -> None:
    for size in (2, 3):
        player = Player(QUICK.replace(simulations=30, rules=rules, size=size, resign=None))
        for _ in range(60):
            if player.game.is_over:
                break
            player.genmove()  # Playing an illegal move would raise IllegalMove.
        assert player.game.is_over
        player.close()


def test_restrictions_hold_at_the_root(player: Player) -> None:
    only = VertexLimit(color="black", vertices=frozenset({"A1", "E5"}), only=True)
    assert player.choose("black", restrict=(only,)).vertex in ("A1", "E5")
    favorite = player.choose("black").vertex
    assert favorite is not None
    never = VertexLimit(color="black", vertices=frozenset({favorite}))
    assert player.choose("black", restrict=(never,)).vertex != favorite
    others = VertexLimit(color="white", vertices=frozenset({favorite}))
    found = player.choose("black", restrict=(others,)).analysis
    assert found is not None
    assert favorite in [move.vertex for move in found.moves]


def test_restrictions_that_leave_no_move_are_refused(player: Player) -> None:
    player.play("black", "C3")
    lists = [
        VertexLimit(color="white", vertices=frozenset(vertices), only=True)
        for vertices in (["C3", "D3"], ["C3", "D4"])
    ]
    with pytest.raises(GoError, match="white has no legal move among those allowed"):
        player.genmove("white", restrict=tuple(lists))
    with pytest.raises(GoError, match="white has no legal move among those allowed"):
        player.analyze(limit=10, restrict=tuple(lists))
    assert player.game.moves == [("black", "C3")]

    found = player.choose("white", restrict=(lists[0],))
    assert found.vertex == "D3"
    assert found.analysis is not None
    assert [info.vertex for info in found.analysis.moves] == ["D3"]


def test_restrictions_that_leave_only_eyes_are_refused(player: Player) -> None:
    # A search looks at no eye of its own side, so the list would leave it nothing.
    player.load(Game(5))
    player.game.setup(black=["A2", "B1", "B2"], white=["D4"], to_play="black")
    only = (VertexLimit(color="black", vertices=frozenset({"A1"}), only=True),)
    for ask in (player.genmove, lambda color, **asked: player.analyze(color, limit=10, **asked)):
        with pytest.raises(GoError, match="but into eyes of its own, which no search looks at"):
            ask("black", restrict=only)
    assert player.game.moves == []


@pytest.mark.parametrize("again", [True, False])
def test_beginning_again_brings_the_same_moves_and_clearing_the_cache_does_not(
    *, again: bool
) -> None:
    player = Player(QUICK)
    games = []
    for _ in range(3):
        (player.begin_again if again else player.clear_cache)()
        player.new_game()
        games.append(tuple(player.genmove().vertex for _ in range(6)))
    player.close()
    assert (len(set(games)) == 1) == again


def test_restrictions_hold_below_the_root(player: Player) -> None:
    reply = VertexLimit(color="white", vertices=frozenset({"B2"}), only=True, until_depth=2)
    found = player.analyze(limit=600, restrict=(reply,))
    # After Black's own B2 that would leave White nothing, so everything is considered.
    others = [move for move in found.moves if move.vertex != "B2" and len(move.variation) > 1]
    assert len(others) > 3
    assert {move.variation[1] for move in others} == {"B2"}
    again = player.analyze(limit=900, restrict=(reply,))
    assert again.visits >= 900
    assert again.simulations < 900  # The tree was kept.
    # With other limits it is not, and what it had does not count for what is asked for.
    free = player.analyze(limit=500)
    assert (free.simulations, free.visits) == (500, 500)


def test_reports_come_while_it_thinks_and_at_the_end(player: Player) -> None:
    reports: list[Analysis] = []
    last = player.analyze(report=reports.append, every=0.01, limit=4000, ownership=True)
    assert reports[-1] is last
    assert len(reports) > 1
    assert [r.visits for r in reports] == sorted(r.visits for r in reports)
    assert last.visits >= 4000
    assert last.ownership is not None
    assert len(last.ownership) == 25
    assert all(-1.0 <= value <= 1.0 for value in last.ownership)
    best = last.moves[0]
    assert best.score is not None
    assert best.variation[0] == best.vertex
    assert len(best.variation_visits) == len(best.variation)
    assert best.variation_visits[0] == best.visits
    assert sum(move.prior for move in last.moves) == pytest.approx(1.0)
    assert [move.order for move in last.moves] == list(range(len(last.moves)))


def test_a_genmove_reports_at_least_once(player: Player) -> None:
    reports: list[Analysis] = []
    decision = player.genmove("black", report=reports.append)
    assert len(reports) == 1
    assert reports[0].moves[0].vertex == decision.vertex


def test_ownership_knows_whose_corner_it_is(player: Player) -> None:
    game = Game(5, komi=0.5)
    game.setup(black=[f"{c}3" for c in "ABCDE"] + ["B2", "D2"], white=["A5", "C5"])
    player.load(game)
    found = player.analyze("white", limit=100, ownership=True)
    assert found.ownership is not None
    assert found.ownership[-1] > 0.9  # E1


def test_stop_ends_an_endless_analysis(player: Player) -> None:
    begun = threading.Event()
    thread = threading.Thread(
        target=lambda: player.analyze(report=lambda _: begun.set(), every=0.01)
    )
    thread.start()
    assert begun.wait(60)
    assert player.is_thinking
    player.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert not player.is_thinking


def test_an_interrupt_may_come_before_the_beginning(player: Player) -> None:
    interrupt = threading.Event()
    interrupt.set()
    found = player.analyze(interrupt=interrupt)
    assert found.moves
    assert player.choose("black", interrupt=interrupt).is_move


def test_a_cancelled_search_has_no_move(player: Player) -> None:
    player.configure(QUICK.replace(simulations=None, seconds=1000.0))
    begun = threading.Event()
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(
            player.genmove("black", report=lambda _: begun.set(), every=0.01)
        )
    )
    thread.start()
    assert begun.wait(60)
    player.cancel()
    thread.join(60)
    assert answers[0].vertex is None
    assert answers[0].reason is DecisionReason.CANCELLED
    assert player.game.moves == []


def test_a_second_thread_waits_for_the_first(player: Player) -> None:
    begun = threading.Event()
    thread = threading.Thread(
        target=lambda: player.analyze(report=lambda _: begun.set(), every=0.01)
    )
    thread.start()
    assert begun.wait(60)
    other = threading.Thread(target=lambda: player.play("black", "C3"))
    other.start()
    assert player.game.moves == []
    player.stop()
    other.join(60)
    thread.join(60)
    assert player.game.moves == [("black", "C3")]
    assert player.genmove("white").is_move


def test_many_threads_at_once_leave_the_game_in_order(player: Player) -> None:
    player.configure(QUICK.replace(ponder=True, simulations=20))
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(6):
                if number == 0:
                    player.genmove()
                elif number == 1:
                    player.stop()
                    player.choose()
                elif player.game.moves:
                    player.undo()
                time.sleep(0.001)
        except GoError:
            pass  # Somebody else was quicker with undo.
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    fresh = Game(5, komi=player.game.komi)
    for color, vertex in player.game.moves:
        fresh.play(color, vertex)
    assert fresh.board == player.game.board


def test_ponders_in_the_opponents_time_only(player: Player) -> None:
    player.configure(QUICK.replace(ponder=True))
    assert not player.is_pondering
    player.genmove("black")
    assert player.is_pondering
    searcher = player._searcher
    assert searcher is not None
    while searcher.visits() < 500:
        time.sleep(0.01)
    player.play("white", searcher.vertex(searcher.candidates()[0].move))
    assert not player.is_pondering
    found = player.choose("black").analysis
    assert found is not None
    assert found.visits > 60
    player.genmove("black")
    player.close()
    assert not player.is_pondering


def test_does_not_ponder_unless_asked(player: Player) -> None:
    player.genmove("black")
    assert not player.is_pondering


def test_does_not_ponder_after_the_end(player: Player) -> None:
    player.configure(QUICK.replace(ponder=True))
    game = Game(5)
    game.setup(
        black=["B1", "B2", "B3", "B4", "B5", "A2", "A4"],
        white=["C1", "C2", "C3", "C4", "C5", "D2", "E2", "D4"],
    )
    player.load(game)
    player.play("black", "pass")
    assert player.genmove("white").vertex == "pass"
    assert player.game.is_over
    assert not player.is_pondering


def test_without_a_compiler_it_still_answers_in_time(player: Player) -> None:
    player.clock.set(TimeControl(kind="absolute", main=30))
    player._searcher_now().preparation = NeverReady()  # type: ignore[assignment]
    decision = player.genmove("black")
    assert decision.reason is DecisionReason.COLD_START
    assert decision.vertex == "C3"
    reports: list[Analysis] = []
    assert player.genmove("white", report=reports.append).is_move
    assert len(reports) == 1


def test_a_search_that_cannot_be_compiled_is_not_said_to_be_on_its_way(player: Player) -> None:
    broken = NeverReady()
    broken.error = OSError("no\nroom")
    player._searcher_now().preparation = broken  # type: ignore[assignment]
    player.clock.set(TimeControl(kind="absolute", main=30))

    assert player.genmove("black").reason is DecisionReason.NO_SEARCH
    assert player.explain().startswith(
        "Black plays C3: the search cannot be compiled; a move by simple rules (no room)."
    )


def test_the_clock_is_charged_and_obeyed(player: Player) -> None:
    player.configure(QUICK.replace(simulations=10**9, lag=0.0))
    player.clock.set(TimeControl(kind="absolute", main=3.0))
    decision = player.genmove("black")
    assert decision.analysis is not None
    assert decision.analysis.simulations < 10**9
    left = player.clock.left("black").seconds
    assert left == pytest.approx(3.0 - decision.seconds)
    assert left > 0


def test_thinks_by_the_clock_where_no_limit_is_given(player: Player) -> None:
    player.configure(QUICK.replace(simulations=None))
    player.clock.set(TimeControl(kind="absolute", main=2.0))
    for _ in range(3):
        assert player.genmove().is_move
    assert player.clock.left("black").seconds > 0


def test_loses_no_games_it_can_win_by_resigning(player: Player) -> None:
    player.configure(QUICK.replace(resign=0.1, resign_moves=2, resign_after=0.0))
    player.game.komi = 100
    assert player.choose("white").is_move
    assert player.choose("black").is_move  # The first hopeless move is still played.
    assert player.genmove("black").is_move
    player.play("white", "pass")
    decision = player.genmove("black")
    assert (decision.vertex, decision.reason) == ("resign", DecisionReason.RESIGNED)
    assert not player.game.is_over


def test_never_resigns_if_told_so(player: Player) -> None:
    player.configure(QUICK.replace(resign=None, resign_after=0.0, resign_moves=1))
    player.game.komi = 100
    assert player.choose("black").is_move


def test_handicap_of_free_choice_is_always_complete() -> None:
    for size, stones in ((19, 9), (19, 15), (9, 2), (9, 12), (3, 5), (2, 3), (6, 4)):
        player = Player(QUICK.replace(size=size))
        vertices = player.place_handicap(stones, fixed=False)
        assert len(set(vertices)) == stones
        assert player.game.handicap == stones
        assert player.game.to_play == "white"


def test_fixed_handicap_is_one_step_to_take_back(player: Player) -> None:
    player.new_game(9)
    assert player.place_handicap(2) == ["C3", "G7"]
    assert player.genmove("white").is_move
    player.undo(2)
    assert player.game.history == []


def test_explains_its_moves(player: Player) -> None:
    assert player.explain() == "Nothing was decided yet."
    decision = player.genmove("black")
    text = player.explain()
    assert text.startswith(f"Black plays {decision.vertex}: the search prefers it.")
    assert "\n\n" not in text
    assert "Expected:" in text


def test_a_move_that_was_taken_back_is_not_explained(player: Player) -> None:
    decision = player.genmove("black")
    player.play("white", "pass")
    player.undo()
    assert player.last_decision is decision
    player.undo()
    assert player.last_decision is None
    assert player.explain() == "Nothing was decided yet."

    player.play("black", "A1")
    suggested = player.choose("white")
    player.play("white", "E5")
    player.undo()
    assert player.last_decision is suggested  # It is still about this position.
    player.undo()
    assert player.last_decision is None


def test_the_next_game_is_another_one_whatever_was_taken_back(player: Player) -> None:
    player.genmove("black")
    seed = player._searcher_now().config.seed
    player.undo()
    player.new_game()

    assert player._searcher_now().config.seed != seed


def test_levels_play_legal_moves_and_end_the_game() -> None:
    player = Player(Options(size=5, level="30k", seed=3))
    for _ in range(80):
        if player.game.is_over or player.genmove().vertex == "resign":
            break
    else:
        pytest.fail("the game did not end")
    player.close()


def test_an_illegal_move_of_the_opponent_is_refused(player: Player) -> None:
    player.play("black", "C3")
    with pytest.raises(IllegalMove):
        player.play("white", "C3")


def test_numba_is_loaded_by_the_first_search_only() -> None:
    program = (
        "import sys\n"
        "import montego.engine.clock, montego.engine.searching.analysis, montego.engine.decision\n"
        "assert 'numpy' not in sys.modules\n"
        "from montego.engine.player import Player\n"
        "player = Player()\n"
        "player.play('black', 'D4'); player.undo(); player.new_game(9)\n"
        "player.place_handicap(2)\n"
        "assert 'numba' not in sys.modules\n"
    )
    environment = {**os.environ, "MONTEGO_PATIENCE": "2000"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


def test_a_handicap_game_is_searched_with_a_komi_that_helps_white(player: Player) -> None:
    komi = []
    for mode in ("off", "handicap"):
        player.configure(QUICK.replace(dynamic_komi=mode))
        player.new_game(9)
        player.place_handicap(4)
        player.choose("white")
        komi.append(player._searcher_now().definition.knowledge[KOMI])
    assert komi[1] - komi[0] == 15
    assert player.game.komi == 7.5


def test_reports_of_a_handicap_game_are_by_the_true_komi(player: Player) -> None:
    player.configure(QUICK.replace(simulations=400))
    player.new_game(9)
    player.game.komi = 0.5
    player.place_handicap(4)
    reports: list[Analysis] = []
    quiet = player.choose("white").analysis
    player.clear_cache()
    found = player.choose("white", report=reports.append).analysis
    plain = player.analyze("white", limit=400)

    assert quiet is not None
    assert found is not None
    assert (quiet.imagined, found.imagined, plain.imagined) == (15.0, 15.0, 0.0)
    told = reports[-1]
    for one in (quiet, found, told):  # Quiet ones have no scores but those of the search.
        assert one.mean_score == pytest.approx(plain.mean_score, abs=6.0)
    assert told.moves[0].score == pytest.approx(plain.moves[0].score, abs=6.0)
    assert told.imagined == 0.0
    assert plain.value <= told.value + 0.1 < found.value
    assert [move.vertex for move in told.moves] == [move.vertex for move in found.moves]


def test_an_analysis_keeps_nothing_of_a_search_with_another_komi(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WinChances, "komi_offset", lambda *_asked: 2.0)
    assert player.analyze("black", limit=60).visits < 70
    found = player.choose("black").analysis
    assert found is not None
    assert found.visits > found.simulations + 50  # Kept, since komi is about the same.
    assert player.analyze("black", limit=60).visits < 70


def test_moves_of_a_game_from_a_record_can_be_explained(player: Player) -> None:
    player.load(Game.from_sgf("(;GM[1]FF[4]SZ[5];B[cc];W[bb])"))
    decision = player.genmove("black")
    assert player.explain().startswith(f"Black plays {decision.vertex}: ")


DECIDED = QUICK.replace(simulations=400, dynamic_komi="off")


def test_a_decided_game_is_searched_for_points(player: Player) -> None:
    player.configure(DECIDED)
    player.new_game(7)  # Large enough for a komi with which either may win.
    player.game.komi = -100
    # The first search of a game looks after a while whether it is.
    first = player.genmove("black").analysis
    assert first is not None
    assert first.best is not None
    player.play("white", first.best.variation[1])
    second = player.genmove("black").analysis
    for found in (first, second):
        assert found is not None
        assert found.points
        assert found.simulations >= 100
        assert found.value > 0.9  # Still a chance to win, not a mean of rewards.
        assert found.best is not None
        assert found.best.rave_visits == 0.0
    assert second is not None
    assert second.visits > second.simulations  # The tree was kept.
    assert player.explain().count("points were counted") == 1
    assert not player.analyze("white", limit=100).points
    player.game.komi = 20.5
    open_game = player.choose("black").analysis
    assert open_game is not None
    assert 0.2 < open_game.value < 0.8
    assert not open_game.points


@pytest.mark.parametrize(
    "settings", [{"reward": "score"}, {"selection": "ucb1-tuned"}, {"solver": True}]
)
def test_a_reward_of_ones_own_stays(player: Player, settings: dict[str, str | bool]) -> None:
    player.configure(DECIDED.replace(**settings))
    player.game.komi = -100
    player.genmove("black")
    assert player._chances.counts_points(player.options, player.game, "black")
    found = player.choose("black").analysis
    assert found is not None
    assert not found.points


def test_a_game_that_opens_again_is_searched_for_wins(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.configure(DECIDED.replace(simulations=2000))
    monkeypatch.setattr(WinChances, "counts_points", lambda *_asked: True)
    player.game.komi = 24.5
    player.play("black", "C3")
    found = player.choose("white").analysis
    assert found is not None
    assert not found.points
    assert found.simulations >= 200


def test_a_stop_after_the_change_to_points_leaves_enough_to_choose_from(player: Player) -> None:
    player.configure(DECIDED.replace(simulations=4000))
    player.game.komi = -100
    seen: list[Analysis] = []
    halt = threading.Event()

    def report(found: Analysis) -> None:
        seen.append(found)
        if found.points:
            halt.set()

    found = player.choose("black", report=report, every=1e-9, interrupt=halt).analysis
    assert found is not None
    assert found.points
    assert 200 <= found.visits < 3000
    assert found.simulations >= 1000 + found.visits  # What came before the change counts as well.
    assert found.value > 0.9


def test_with_a_book_the_first_search_is_for_wins(player: Player, tmp_path: Path) -> None:
    player.configure(DECIDED.replace(book=str(tmp_path / "book.sqlite")))
    player.game.komi = -100
    found = player.choose("black").analysis
    assert found is not None
    assert not found.points
    player.close()
