"""Conversations of the programs that speak JSON, with a real engine; see ``test_clients``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from client_parsers import katrain_node, ogatak_belongs
from engine_process import EngineProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL = ("--simulations", "60", "--threads", "1", "--seed", "1", "--memory", "64")


class JsonProcess(EngineProcess):
    """The same for JSON lines."""

    def query(self, **fields: Any) -> None:
        self.send(json.dumps(fields))

    def answer(self) -> dict[str, Any]:
        line = self.line()
        assert line, self.errors
        reply: dict[str, Any] = json.loads(line)
        return reply

    def last_answer(self, identifier: str, turn: int) -> dict[str, Any]:
        """Pass over what comes before the last reply about a position."""
        while True:
            reply = self.answer()
            key = reply["id"], reply.get("turnNumber"), reply.get("isDuringSearch")
            if key == (identifier, turn, False):
                return reply


@pytest.fixture(scope="module")
def analysis() -> Iterator[JsonProcess]:
    engine = JsonProcess(("analysis", *SMALL))
    try:
        yield engine
    finally:
        engine.kill()


class TestKaTrain:
    """Speaks JSON, wants owners and policy, and the win rates of Black."""

    BASE: ClassVar[dict[str, Any]] = {
        "rules": "japanese",
        "boardXSize": 7,
        "boardYSize": 7,
        "komi": 6.5,
        "initialStones": [],
        "includeOwnership": True,
        "includeMovesOwnership": False,
        "includePolicy": True,
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04},
    }

    def test_conversation(self, analysis: JsonProcess) -> None:
        analysis.query(id="hello", action="query_version")
        assert "version" in analysis.answer()
        moves = [["B", "D4"], ["W", "C3"], ["B", "C4"]]
        analysis.query(id="QUERY:1", moves=moves, analyzeTurns=[0, 1, 3], maxVisits=80, **self.BASE)
        nodes = {}
        for _ in range(3):
            reply = analysis.answer()
            nodes[reply["turnNumber"]] = katrain_node(reply, 7, 7)
        assert set(nodes) == {0, 1, 3}
        for node in nodes.values():
            assert node is not None
            assert node.visits >= 60
            assert node.ownership is not None
            assert node.policy is not None
        assert nodes[1] is not None
        assert nodes[1].policy is not None
        assert nodes[1].policy[3 * 7 + 3] == -1

    @pytest.mark.parametrize("rules", ["new zealand", "stone_scoring", "tromp-taylor", "korean"])
    def test_its_names_of_rules(self, analysis: JsonProcess, rules: str) -> None:
        analysis.query(id=rules, moves=[], maxVisits=5, **(self.BASE | {"rules": rules}))
        assert katrain_node(analysis.answer(), 7, 7) is not None

    def test_terminating_a_long_query(self, analysis: JsonProcess) -> None:
        long = self.BASE | {"reportDuringSearchEvery": 0.02}
        analysis.query(id="long", moves=[], maxVisits=10**8, **long)
        assert analysis.answer()["isDuringSearch"]
        analysis.query(id="waiting", moves=[["B", "A1"]], maxVisits=10**8, **long)
        analysis.query(id="stop", action="terminate", terminateId="waiting")
        analysis.query(id="stop", action="terminate", terminateId="long")
        assert analysis.last_answer("waiting", 1)["noResults"]
        assert katrain_node(analysis.last_answer("long", 0), 7, 7) is not None

    def test_an_error_keeps_it_going(self, analysis: JsonProcess) -> None:
        analysis.send("{")
        assert "error" in analysis.answer()
        analysis.query(id="bad", moves=[["B", "Z9"]], **self.BASE)
        assert analysis.answer()["field"] == "moves"
        analysis.query(id="good", moves=[], maxVisits=5, **self.BASE)
        assert analysis.answer()["id"] == "good"

    def test_the_end_of_input_finishes_the_queue(self) -> None:
        engine = JsonProcess(("analysis", *SMALL))
        try:
            for number in range(3):
                engine.query(id=str(number), moves=[], maxVisits=20, **self.BASE)
            engine.close_input()
            assert [engine.answer()["id"] for _ in range(3)] == ["0", "1", "2"]
            assert engine.wait() == 0
            assert "ready to begin handling requests" in engine.errors
        finally:
            engine.kill()


class TestOgatak:
    """Asks for reports soon after the start and again and again; ends what it asked before."""

    def test_conversation(self, analysis: JsonProcess) -> None:
        base = {
            "rules": "chinese",
            "komi": 7.5,
            "boardXSize": 9,
            "boardYSize": 9,
            "maxVisits": 10**6,
            "reportDuringSearchEvery": 0.05,
            "firstReportDuringSearchAfter": 0.01,
            "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
            "includeOwnership": True,
            "includePVVisits": True,
        }
        analysis.query(id="node1:1", moves=[], **base)
        assert ogatak_belongs(analysis.answer(), "node1:1")
        analysis.query(id="end:1", action="terminate", terminateId="node1:1")
        analysis.query(id="node2:2", moves=[["B", "E5"]], **base)
        reply = analysis.answer()
        while not ogatak_belongs(reply, "node2:2"):
            reply = analysis.answer()
        assert reply["isDuringSearch"]
        assert all(len(info["pv"]) == len(info["pvVisits"]) for info in reply["moveInfos"])
        analysis.query(id="end:2", action="terminate", terminateId="node2:2")
        analysis.last_answer("node2:2", 1)
        analysis.query(id="sync", action="query_version")
        while analysis.answer()["id"] != "sync":
            pass
