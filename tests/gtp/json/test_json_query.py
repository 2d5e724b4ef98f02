"""Queries of the JSON protocol: what their fields mean, and what is wrong with them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from json_talk import Talk, final, query
from montego.engine.options.options import Options
from montego.go.game import Game

ALLOWED = {"player": "B", "moves": ["A1", "B1"], "untilDepth": 1}
NO_AGREEMENT = {"whiteHandicapBonus": "0", "friendlyPassOk": False, "hasButton": False}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "B"),
        ({"initialPlayer": "W"}, "W"),
        ({"initialStones": [["B", "A1"], ["W", "E5"]]}, "B"),
        ({"initialStones": [["B", "A1"], ["B", "E5"]], "initialPlayer": "b"}, "B"),
        ({"moves": [["W", "A1"]], "analyzeTurns": [0]}, "W"),
        ({"moves": [["W", "A1"]]}, "B"),
        ({"moves": [["B", "A1"], ["B", "B1"]]}, "W"),
    ],
)
def test_who_is_to_move(fields: dict[str, Any], expected: str) -> None:
    (reply,) = Talk().ask(query(**fields))
    assert reply["rootInfo"]["currentPlayer"] == expected


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("japanese", "japanese"),
        ("korean", "korean"),
        ("new zealand", "new-zealand"),
        ("stone_scoring", "stone-scoring"),
        ("tromp-taylor", "tromp-taylor"),
        ("AGA", "aga"),
        ({"ko": "SIMPLE", "score": "AREA", "tax": "NONE", "suicide": False}, "chinese"),
        ({"ko": "SIMPLE", "scoring": "TERRITORY", "tax": "SEKI"}, "japanese"),
        (json.dumps({"ko": "POSITIONAL", "suicide": True, **NO_AGREEMENT}), "tromp-taylor"),
    ],
)
def test_rules_by_every_name_and_as_objects(rules: Any, name: str) -> None:
    talk = Talk()
    talk.ask(query(rules=rules, komi=0))

    assert str(talk.player.game.rules) == name
    assert talk.player.game.komi == 0.0


def test_without_rules_and_komi_those_of_the_command_line_hold() -> None:
    talk = Talk(Options(rules="japanese", komi=3.5))
    fields = query()
    del fields["rules"]
    talk.ask(fields)

    assert str(talk.player.game.rules) == "japanese"
    assert talk.player.game.komi == 3.5


def test_a_bonus_for_white_belongs_to_the_rules() -> None:
    talk = Talk()
    talk.ask(query(rules="chinese", whiteHandicapBonus="N-1"))
    assert talk.player.game.rules.handicap_compensation == "n-1"


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"id": 3}, "id"),
        ({"moves": None}, "moves"),
        ({"moves": "D4"}, "moves"),
        ({"moves": [["B"]]}, "moves"),
        ({"moves": [["B", "D4", "x"]]}, "moves"),
        ({"moves": [["X", "A1"]]}, "moves"),
        ({"moves": [["B", "Z9"]]}, "moves"),
        ({"moves": [["B", 5]]}, "moves"),
        ({"moves": [["B", "A1"], ["W", "A1"]]}, "moves"),
        ({"moves": [["B", "(9,0)"]]}, "moves"),
        ({"initialStones": [["B", "A1"], ["B", "A1"]]}, "initialStones"),
        ({"initialStones": [["B", "A1"], ["W", "A2"], ["W", "B1"]]}, "initialStones"),
        ({"initialStones": [["B", "pass"]]}, "initialStones"),
        ({"initialPlayer": "green"}, "initialPlayer"),
        ({"initialPlayer": None}, "initialPlayer"),
        ({"rules": "monopoly"}, "rules"),
        ({"rules": 7}, "rules"),
        ({"rules": {"ko": "MAYBE"}}, "rules"),
        ({"rules": {"ko": 1}}, "rules"),
        ({"rules": {"hasButton": True, "scoring": "TERRITORY"}}, "rules"),
        ({"rules": {"color": "blue"}}, "rules"),
        ({"rules": "{"}, "rules"),
        ({"komi": "six"}, "komi"),
        ({"komi": 5000}, "komi"),
        ({"komi": True}, "komi"),
        ({"whiteHandicapBonus": "7"}, "whiteHandicapBonus"),
        ({"boardXSize": 1, "boardYSize": 1}, "boardXSize"),
        ({"boardXSize": 26, "boardYSize": 26}, "boardXSize"),
        ({"boardXSize": 9}, "boardYSize"),
        ({"boardXSize": "5"}, "boardXSize"),
        ({"analyzeTurns": 0}, "analyzeTurns"),
        ({"analyzeTurns": []}, "analyzeTurns"),
        ({"analyzeTurns": [1]}, "analyzeTurns"),
        ({"analyzeTurns": [-1]}, "analyzeTurns"),
        ({"analyzeTurns": [0.5]}, "analyzeTurns"),
        ({"maxVisits": 0}, "maxVisits"),
        ({"maxVisits": 1.5}, "maxVisits"),
        ({"maxVisits": "many"}, "maxVisits"),
        ({"maxVisits": True}, "maxVisits"),
        ({"maxVisits": 1e30}, "maxVisits"),
        ({"maxVisits": 2**50 + 1}, "maxVisits"),
        ({"priority": "high"}, "priority"),
        ({"priorities": [1]}, "priorities"),
        ({"analyzeTurns": [0], "priorities": [1, 2]}, "priorities"),
        ({"analyzeTurns": [0], "priorities": [1], "priority": 1}, "priorities"),
        ({"includeOwnership": "yes"}, "includeOwnership"),
        ({"includePolicy": 1}, "includePolicy"),
        ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery"),
        ({"reportDuringSearchEvery": "often"}, "reportDuringSearchEvery"),
        ({"analysisPVLen": 0}, "analysisPVLen"),
        ({"avoidMoves": {}}, "avoidMoves"),
        ({"avoidMoves": [{"player": "B", "moves": ["A1"]}]}, "avoidMoves"),
        ({"avoidMoves": [{"player": "B", "moves": "A1", "untilDepth": 1}]}, "avoidMoves"),
        ({"allowMoves": [{"player": "B", "moves": ["A1"], "untilDepth": 0}]}, "allowMoves"),
        ({"allowMoves": [{"player": "B", "moves": ["Z1"], "untilDepth": 1}]}, "allowMoves"),
        ({"allowMoves": [{"player": "B", "moves": [], "untilDepth": 1}]}, "allowMoves"),
        ({"allowMoves": [ALLOWED, ALLOWED]}, "allowMoves"),
        ({"overrideSettings": []}, "overrideSettings"),
        ({"overrideSettings": {"threads": 1000, "parallel": "root"}}, "overrideSettings"),
        ({"overrideSettings": {"maxTime": -1}}, "overrideSettings"),
        ({"overrideSettings": {"maxVisits": 1e30}}, "overrideSettings"),
        ({"overrideSettings": {"maxPlayouts": 10**30}}, "overrideSettings"),
        ({"overrideSettings": {"reportAnalysisWinratesAs": "RED"}}, "overrideSettings"),
    ],
)
def test_an_error_names_its_field_and_nothing_is_searched(
    fields: dict[str, Any], name: str
) -> None:
    talk = Talk()
    (reply,) = talk.ask(query(**fields))

    assert reply["field"] == name
    assert reply["error"]
    assert reply.get("id") == ("a" if "id" not in fields else None)
    assert talk.player.calls == []


@pytest.mark.parametrize("name", ["id", "moves", "boardXSize", "boardYSize"])
def test_some_fields_must_be_there(name: str) -> None:
    fields = query()
    del fields[name]
    (reply,) = Talk().ask(fields)
    assert (reply["field"], "missing" in reply["error"]) == (name, True)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "3",
        "null",
        '"a"',
        "{'id': 1}",
        b"\xff\xfe",
        b'{"id": "\xff"}',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"id": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_query_is_an_error_and_the_next_one_is_answered(line: str | bytes) -> None:
    replies = Talk().ask(line, query())

    assert len(replies) == 2
    assert "error" in replies[0]
    assert replies[1]["moveInfos"]


def test_empty_lines_are_passed_over() -> None:
    assert Talk().ask("", "\n", b"  \r\n") == []


def test_unknown_settings_and_fields_are_warned_of_and_known_ones_obeyed() -> None:
    talk = Talk()
    replies = talk.ask(
        query(
            overrideSettings={"fooBar": 1, "wideRootNoise": 0.04, "exploration": 0.25},
            colour="blue",
            rootPolicyTemperature=1.5,
        )
    )

    assert [reply.get("field") for reply in replies] == ["overrideSettings", "colour", None]
    assert "fooBar" in replies[0]["warning"]
    assert all(reply["id"] == "a" for reply in replies)
    assert talk.player.options.value("exploration") == 0.25


def test_settings_hold_for_their_query_only() -> None:
    talk = Talk()
    talk.ask(query(overrideSettings={"exploration": 0.25}), query(id="b"))
    assert talk.player.options == talk.options


@pytest.mark.parametrize(
    "settings",
    [
        *({"log": "x"}, {"name": "y"}, {"exploration": []}, {"exploration": "much"}),
        *({"book": "other.sqlite"}, {"book-depth": 3}, {"with": "gnugo --mode gtp"}),
        *({"patterns": "patterns.txt"}, {"seed": 1}, {"memory": 1}, {"size": 9}, {"lag": 1}),
        *({"lagBuffer": 1}, {"ponderingEnabled": True}, {"numSearchThreads": "many"}),
    ],
)
def test_a_setting_that_cannot_be_is_a_warning(settings: dict[str, Any]) -> None:
    talk = Talk()
    replies = talk.ask(query(overrideSettings=settings))

    assert replies[0]["field"] == "overrideSettings"
    assert "do you mean" not in replies[0]["warning"]
    assert replies[-1]["moveInfos"]
    assert talk.player.options == talk.options


def test_a_board_that_is_not_square_is_refused_with_the_reason() -> None:
    (reply,) = Talk().ask(query(boardXSize=9, boardYSize=13))

    assert reply["field"] == "boardYSize"
    assert reply["error"] == "the board must be square: the state of a game has one size"


def test_a_human_profile_brings_what_people_choose() -> None:
    asked = {"overrideSettings": {"humanSLProfile": "rank_5k"}, "includePolicy": True}
    (reply,) = Talk().ask(query(boardXSize=9, boardYSize=9, moves=[], maxVisits=10, **asked))

    chances = reply["humanPolicy"]
    assert len(chances) == len(reply["policy"]) == 82
    assert sum(chances) == pytest.approx(1.0, abs=0.001)
    assert max(chances) == max(chances[:81])  # Nobody begins with a pass.


def test_where_nobody_knows_people_a_profile_brings_a_warning() -> None:
    settings = {"humanSLProfile": "rank_5k"}
    replies = Talk().ask(query(overrideSettings=settings, includePolicy=True))

    assert "humanSLProfile: no network knows people on" in replies[0]["warning"]
    assert "policy" in replies[1]
    assert "humanPolicy" not in replies[1]


def test_a_profile_that_is_none_is_named() -> None:
    replies = Talk().ask(query(overrideSettings={"humanSLProfile": "proyear_1950"}))

    assert (
        "invalid humanSLProfile 'proyear_1950': say, for example, rank_5k"
        in (replies[0]["warning"])
    )


@pytest.mark.parametrize("name", ["playoutDoublingAdvantage", "cpuctExploration", "lcbStdevs"])
def test_what_only_katago_has_is_named_as_such(name: str) -> None:
    replies = Talk().ask(query(overrideSettings={name: 1}))

    told = f"{name}: {name} is a setting of KataGo's, of no effect here"
    assert [reply.get("warning") for reply in replies] == [told, None]


def test_threads_may_go_by_katago_s_name() -> None:
    talk = Talk()
    replies = talk.ask(query(overrideSettings={"numSearchThreads": 3}))

    assert len(replies) == 1
    assert talk.player.options.threads == 3


def test_columns_and_rows_may_be_counted_from_the_upper_left() -> None:
    talk = Talk()
    talk.ask(query(moves=[["B", "(0,0)"], ["W", "(4, 3)"]]))
    assert [move.vertex for move in talk.player.game.moves] == ["A5", "E2"]


def test_a_game_that_superko_forbids_is_analyzed_as_it_was_played() -> None:
    # A ko that is taken back after two passes: the position was on the board before.
    vertices = ["B5", "C5", "A4", "D4", "B3", "C3", "C4", "B4", "pass", "pass", "C4"]
    pairs = [["BW"[number % 2], vertex] for number, vertex in enumerate(vertices)]
    game = Game(5, rules="tromp-taylor")
    for color, vertex in pairs[:-1]:
        game.play(color, vertex)
    assert game.fault("black", "C4") is not None

    talk = Talk()
    replies = talk.ask(query(moves=pairs, rules="tromp-taylor", analyzeTurns=[9, 10, 11]))
    assert len(final(replies)) == 3
