"""KataGo's JSON protocol, with a player that thinks nothing."""

from __future__ import annotations

import gc
import threading
import time
from typing import Any

import pytest

from analysis_fake_player import PATIENCE, FakePlayer
from client_parsers import katrain_node
from json_talk import Talk, final, query
from montego.engine.options.levels import skill_of
from montego.engine.options.options import Options
from montego.go.game import Game
from montego.gtp.json_protocol import (
    DEFAULT_VISITS,
    AnalysisEngine,
    QueuedTurn,
    position_hashes,
)
from montego.gtp.session import OutputClosed

LEVEL_VISITS = skill_of("20k", 5).simulations


def test_a_query_is_answered_with_everything_katrain_reads() -> None:
    (reply,) = Talk().ask(
        query(
            moves=[["B", "A5"], ["W", "pass"]],
            includeOwnership=True,
            includePolicy=True,
            includeMovesOwnership=True,
            includeOwnershipStdev=True,
            includePVVisits=True,
            maxVisits=7,
        )
    )

    node = katrain_node(reply, 5, 5)
    assert node is not None
    assert reply["turnNumber"] == 2
    assert reply["rootInfo"]["currentPlayer"] == "B"
    assert node.winrate == 0.75
    assert node.policy is not None
    assert node.policy[0] == -1.0
    assert sum(value for value in node.policy if value > 0) == pytest.approx(1.0, abs=1e-4)
    best = reply["moveInfos"][0]
    assert best["move"] == "B5"
    assert best["visits"] == 7
    assert best["pvVisits"] == [7]
    assert len(best["ownership"]) == 25
    assert reply["ownershipStdev"] == [0.866] * 25


def test_what_was_not_asked_for_is_not_there() -> None:
    (reply,) = Talk().ask(query())

    assert set(reply) == {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"}
    assert not {"ownership", "pvVisits"} & set(reply["moveInfos"][0])


def test_every_turn_has_exactly_one_last_reply() -> None:
    moves = [["B", "A1"], ["W", "B1"], ["B", "C1"]]
    talk = Talk()
    replies = final(talk.ask(query(moves=moves, analyzeTurns=[0, 2, 3, 2, 0])))

    assert set(replies) == {("a", 0), ("a", 2), ("a", 3)}
    assert [replies["a", turn]["rootInfo"]["currentPlayer"] for turn in (0, 2, 3)] == list("BBW")
    assert [move.vertex for move in talk.player.game.moves] == ["A1", "B1", "C1"]
    # The tree is kept from one position of a game to the next.
    assert talk.player.calls.count("load") == 1


def test_turns_may_come_in_any_order() -> None:
    moves = [["B", "A1"], ["W", "B1"], ["B", "C1"]]
    talk = Talk()
    replies = talk.ask(query(moves=moves, analyzeTurns=[3, 1, 0]))

    assert [reply["turnNumber"] for reply in replies] == [3, 1, 0]
    assert talk.player.calls.count("load") == 3
    assert talk.player.game.moves == []


def test_higher_priorities_go_first_and_equal_ones_in_order() -> None:
    replies = Talk().ask(
        query(id="low", priority=-5),
        query(id="first"),
        query(id="many", moves=[["B", "A1"]], analyzeTurns=[0, 1], priorities=[1, 9]),
        query(id="second"),
        query(id="high", priority=5),
    )

    assert [(reply["id"], reply["turnNumber"]) for reply in replies] == [
        ("many", 1),
        ("high", 0),
        ("many", 0),
        ("first", 0),
        ("second", 0),
        ("low", 0),
    ]


@pytest.mark.parametrize(
    ("perspective", "winrates", "scores"),
    [
        ("BLACK", [0.75, 0.25], [3.5, 3.5]),
        ("WHITE", [0.25, 0.75], [-3.5, -3.5]),
        ("SIDETOMOVE", [0.75, 0.75], [3.5, -3.5]),
    ],
)
def test_values_are_those_of_whom_the_query_names(
    perspective: str, winrates: list[float], scores: list[float]
) -> None:
    settings = {"reportAnalysisWinratesAs": perspective}
    replies = Talk().ask(query(moves=[["B", "A1"]], analyzeTurns=[0, 1], overrideSettings=settings))

    assert [reply["rootInfo"]["winrate"] for reply in replies] == winrates
    assert [reply["moveInfos"][0]["winrate"] for reply in replies] == winrates
    assert [reply["rootInfo"]["scoreLead"] for reply in replies] == scores


def test_moves_are_avoided_and_allowed() -> None:
    rule = {"player": "B", "moves": ["A5", "pass"], "untilDepth": 1}
    (avoiding,) = Talk().ask(query(avoidMoves=[rule]))
    (allowing,) = Talk().ask(query(allowMoves=[rule]))
    other = {"player": "W", "moves": ["A5"], "untilDepth": 1}
    (untouched,) = Talk().ask(query(avoidMoves=[other]))

    assert avoiding["moveInfos"][0]["move"] == "B5"
    assert [info["move"] for info in allowing["moveInfos"]] == ["A5", "pass"]
    assert untouched["moveInfos"][0]["move"] == "A5"


def test_each_player_may_have_a_list_of_moves() -> None:
    rules = [{"player": player, "moves": ["B5"], "untilDepth": 1} for player in "BW"]
    (reply,) = Talk().ask(query(allowMoves=rules))

    assert [info["move"] for info in reply["moveInfos"]] == ["B5"]


def test_a_turn_without_any_move_is_an_error_and_the_others_are_answered() -> None:
    rules = [{"player": player, "moves": ["A5"], "untilDepth": 1} for player in "BW"]
    talk = Talk()
    replies = talk.ask(query(moves=[["B", "A5"]], analyzeTurns=[0, 1], allowMoves=rules))

    assert [reply for reply in replies if "error" in reply] == [
        {
            "error": "white has no legal move among those allowed",
            "field": "allowMoves",
            "id": "a",
        }
    ]
    assert final(replies)["a", 0]["moveInfos"][0]["move"] == "A5"
    assert final(replies)["a", 1]["noResults"] is True
    assert talk.player.calls.count("analyze") == 1


def test_variations_are_cut() -> None:
    (reply,) = Talk().ask(query(analysisPVLen=1, includePVVisits=True))
    assert all(len(info["pv"]) == len(info["pvVisits"]) == 1 for info in reply["moveInfos"])
    (reply,) = Talk().ask(query(overrideSettings={"analysisPVLen": 1}))
    assert all(len(info["pv"]) == 1 for info in reply["moveInfos"])


@pytest.mark.parametrize(
    ("fields", "options", "expected"),
    [
        ({}, Options(), (DEFAULT_VISITS, None)),
        ({"maxVisits": 30}, Options(simulations=5), (30, None)),
        ({}, Options(simulations=5), (5, None)),
        ({}, Options(seconds=2.0), (None, 2.0)),
        ({"overrideSettings": {"maxTime": 0.5}}, Options(), (None, 0.5)),
        ({"maxVisits": 9, "overrideSettings": {"maxTime": 0.5}}, Options(), (9, 0.5)),
        ({"overrideSettings": {"maxPlayouts": 12}}, Options(), (12, None)),
        ({"overrideSettings": {"level": "20k"}}, Options(), (LEVEL_VISITS, None)),
        ({"maxVisits": 9, "overrideSettings": {"level": "20k"}}, Options(), (9, None)),
        ({"maxVisits": 1e8}, Options(), (10**8, None)),
        ({"maxVisits": 2**50}, Options(), (2**50, None)),
    ],
)
def test_a_position_has_its_limits(
    fields: dict[str, Any], options: Options, expected: tuple[int | None, float | None]
) -> None:
    talk = Talk(options)
    seen = []
    analyze = talk.player.analyze

    def spy(**settings: Any) -> Any:
        seen.append((settings["limit"], settings["seconds"]))
        return analyze(**settings)

    talk.player.analyze = spy  # type: ignore[method-assign,assignment]
    talk.ask(query(**fields))

    assert seen == [expected]


def test_handicap_stones_count_as_such_and_white_begins() -> None:
    talk = Talk()
    stones = [["B", "A1"], ["B", "E5"]]
    (reply,) = talk.ask(query(initialStones=stones))

    assert reply["rootInfo"]["currentPlayer"] == "W"
    assert talk.player.game.handicap == 2


# Actions


def test_actions_are_answered_with_what_was_asked_and_the_answer() -> None:
    version, models, cleared = Talk().ask(
        {"id": "v", "action": "query_version"},
        {"id": "m", "action": "query_models"},
        {"id": "c", "action": "clear_cache"},
    )

    assert version["version"].count(".") == 2
    assert (version["id"], version["action"]) == ("v", "query_version")
    # On boards without a network it is Montego itself that judges.
    names = [model["name"] for model in models["models"]]
    assert names == ["go-19x19", "go-9x9", "montego"]
    assert cleared == {"id": "c", "action": "clear_cache"}


def test_clearing_the_cache_is_done_before_the_next_search() -> None:
    talk = Talk()
    talk.ask({"id": "c", "action": "clear_cache"}, query(analyzeTurns=[0]), query(id="b"))

    assert [call for call in talk.player.calls if call != "close"] == [
        "clear_cache",
        "load",
        "analyze",
        "load",
        "analyze",
    ]


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"action": "dance"}, "action"),
        ({"action": 5}, "action"),
        ({"action": "terminate"}, "terminateId"),
        ({"action": "terminate", "terminateId": 4}, "terminateId"),
        ({"action": "terminate", "terminateId": "a", "turnNumbers": 3}, "turnNumbers"),
        ({"action": "terminate_all", "turnNumbers": ["x"]}, "turnNumbers"),
        ({"action": "query_version", "id": 4}, "id"),
    ],
)
def test_actions_have_errors_too(fields: dict[str, Any], name: str) -> None:
    (reply,) = Talk().ask({"id": "x"} | fields)
    assert (reply["field"], "error" in reply) == (name, True)


def test_what_waits_is_terminated_without_results() -> None:
    moves = [["B", "A1"]]
    replies = Talk().ask(
        query(id="a", moves=moves, analyzeTurns=[0, 1]),
        query(id="b", moves=moves, analyzeTurns=[0, 1]),
        query(id="c"),
        {"id": "t", "action": "terminate", "terminateId": "a"},
        {"id": "u", "action": "terminate", "terminateId": "b", "turnNumbers": [1]},
        {"id": "v", "action": "terminate", "terminateId": "nobody"},
    )

    ended = {key for key, reply in final(replies).items() if reply.get("noResults")}
    assert ended == {("a", 0), ("a", 1), ("b", 1)}
    assert len(final(replies)) == 5
    assert replies[2] == {"id": "t", "action": "terminate", "terminateId": "a"}
    assert "noResults" not in final(replies)["b", 0]


def test_terminating_one_of_many_looks_at_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk()
    talk.say(*(query(id=str(number)) for number in range(2000)))
    looks = []
    compare = QueuedTurn.__lt__

    def look(one: QueuedTurn, other: QueuedTurn) -> bool:
        looks.append(1)
        return compare(one, other)

    monkeypatch.setattr(QueuedTurn, "__lt__", look)
    talk.say({"id": "t", "action": "terminate", "terminateId": "1000"})

    assert len(looks) < 100
    assert final(talk.replies) == {
        ("1000", 0): {"id": "1000", "turnNumber": 0, "isDuringSearch": False, "noResults": True}
    }


def jobs() -> int:
    gc.collect()
    # Not isinstance, which asks what a dead proxy stands for.
    return sum(type(thing) is QueuedTurn for thing in gc.get_objects())


def test_what_is_terminated_again_and_again_is_not_kept() -> None:
    talk = Talk()
    talk.say(query(id="first"))
    before = jobs()
    for number in range(1000):
        again = {"id": "t", "action": "terminate", "terminateId": str(number)}
        talk.say(query(id=str(number), priority=-1), again)
    assert jobs() < before + 200

    replies = final(talk.ask())
    assert len(replies) == 1001
    assert [key for key, reply in replies.items() if "noResults" not in reply] == [("first", 0)]


def test_everything_can_be_terminated() -> None:
    replies = Talk().ask(
        query(id="a"),
        query(id="b"),
        {"id": "t", "action": "terminate_all", "turnNumbers": [5]},
        {"id": "u", "action": "terminate_all"},
    )
    assert all(reply["noResults"] for reply in final(replies).values())
    assert len(final(replies)) == 2


def wait(is_there: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not is_there():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_a_running_search_is_terminated_with_what_it_found() -> None:
    talk = Talk()
    talk.player.patient = True
    worker = threading.Thread(target=talk.engine.work, daemon=True)
    worker.start()
    talk.say(query(reportDuringSearchEvery=0.001, firstReportDuringSearchAfter=0.001))
    wait(lambda: "analyze" in talk.player.calls)
    talk.say({"id": "t", "action": "terminate", "terminateId": "a"})
    talk.engine.finish()
    worker.join(PATIENCE)
    assert not worker.is_alive()

    assert final(talk.replies)["a", 0]["moveInfos"]


def test_reports_during_a_search_come_before_the_last_reply() -> None:
    talk = Talk()
    talk.player.reports = 3
    analyze = talk.player.analyze

    def slow(**settings: Any) -> Any:
        report = settings["report"]

        def later(analysis: Any) -> None:
            time.sleep(0.02)
            report(analysis)

        assert settings["every"] <= 0.01
        return analyze(**(settings | {"report": later}))

    talk.player.analyze = slow  # type: ignore[method-assign,assignment]
    replies = talk.ask(query(reportDuringSearchEvery=0.01, includeOwnership=True))

    assert [reply["isDuringSearch"] for reply in replies] == [True, True, True, False]
    assert all(katrain_node(reply, 5, 5) for reply in replies)


def test_without_a_wish_for_reports_there_are_none() -> None:
    talk = Talk()
    talk.player.reports = 5
    assert [reply["isDuringSearch"] for reply in talk.ask(query())] == [False]


def test_dropping_ends_the_work_and_answers_nothing_more() -> None:
    talk = Talk()
    talk.say(query(), query(id="b"))
    talk.engine.drop()
    talk.engine.work()
    assert talk.replies == []


def test_a_bug_in_the_player_is_an_error_and_not_the_end() -> None:
    talk = Talk()
    analyze = talk.player.analyze

    def broken(**settings: Any) -> Any:
        if talk.player.game.moves:
            raise RuntimeError("something\nis wrong")
        return analyze(**settings)

    talk.player.analyze = broken  # type: ignore[method-assign,assignment]
    replies = talk.ask(query(moves=[["B", "A1"]]), query(id="b"))

    assert "something is wrong" in replies[0]["error"]
    assert final(replies)["a", 1]["noResults"]
    assert final(replies)["b", 0]["moveInfos"]


def test_a_reader_that_has_gone_ends_the_work() -> None:
    def refuse(_line: str) -> None:
        raise BrokenPipeError

    engine = AnalysisEngine(FakePlayer.make, Options(), refuse)
    with pytest.raises(OutputClosed):
        engine.obey("{")


def test_hashes_tell_positions_apart_and_see_through_symmetry() -> None:
    def hashes(vertex: str, to_play: str = "white") -> tuple[str, str]:
        game = Game(5)
        game.play("black", vertex)
        return position_hashes(game, to_play)

    assert len(hashes("A1")[0]) == 32
    assert len({hashes(vertex)[0] for vertex in ("A2", "A4", "B1", "E2", "E4", "D5")}) == 6
    assert len({hashes(vertex)[1] for vertex in ("A2", "A4", "B1", "E2", "E4", "D5")}) == 1
    assert hashes("A2")[1] != hashes("A3")[1]
    assert hashes("A2") != hashes("A2", "black")
