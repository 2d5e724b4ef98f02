"""The solver as GTP and JSON clients ask for it."""

from __future__ import annotations

from gtp_conversation import Conversation
from json_talk import Talk, query

WHITE = ("A6", "B6", "C6", "D6", "D7")
BLACK = ("A5", "B5", "C5", "D5", "E5", "E6", "E7", "A4", "B3", "C3", "D2", "F6")
STONES = [f"play b {vertex}" for vertex in BLACK] + [f"play w {vertex}" for vertex in WHITE]


def talk_about_three_in_a_row() -> Conversation:
    talk = Conversation()
    talk.say("boardsize 7", "clear_board", *STONES)
    return talk


def test_montego_solve_answers_in_words() -> None:
    talk = talk_about_three_in_a_row()
    reply = talk.say("montego-solve black")
    assert "White's 5 stones at D7: dies if Black moves first (proven)." in reply
    assert "B7 works" in reply
    assert "lives if White moves first" in talk.say("montego-solve white D7 20")


def test_montego_solve_refuses_what_it_cannot_solve() -> None:
    talk = Conversation()
    talk.say("boardsize 7", "clear_board")
    assert talk.say("montego-solve").startswith("? no problem of life and death")
    assert talk.say("montego-solve black Z9").startswith("? ")
    assert talk.say("montego-solve black A1").startswith("? A1: there is no stone")


def test_a_json_query_gets_a_solution_if_it_asks_for_one() -> None:
    stones = [["B", vertex] for vertex in BLACK] + [["W", vertex] for vertex in WHITE]
    asked = query(initialStones=stones, initialPlayer="B", boardXSize=7, boardYSize=7)
    (plain,) = Talk().ask(asked)
    assert "solution" not in plain
    (reply,) = Talk().ask({**asked, "solve": ["D7"]})
    assert (reply["solution"]["value"], reply["solution"]["proven"]) == ("dies", True)
    (guessed,) = Talk().ask({**asked, "solve": True})
    assert guessed["solution"]["target"] == reply["solution"]["target"]
    (empty,) = Talk().ask({**query(), "solve": True})
    assert "both colors" in empty["solution"]["error"]
    (wrong,) = Talk().ask({**asked, "solve": ["Q77"]})
    assert wrong["field"] == "solve"
