"""Random bytes, damaged queries and odd values: the JSON protocol answers and goes on."""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from analysis_fake_player import FakePlayer
from montego.engine.options.options import Options
from montego.gtp.json_protocol import AnalysisEngine, parse_query

SEEDS: list[dict[str, Any]] = [
    {
        "id": "a",
        "moves": [["B", "C3"], ["W", "D4"], ["B", "pass"]],
        "rules": "japanese",
        "komi": 6.5,
        "boardXSize": 5,
        "boardYSize": 5,
        "analyzeTurns": [0, 1, 3],
        "priorities": [3, 2, 1],
        "maxVisits": 5,
        "includeOwnership": True,
        "includePolicy": True,
    },
    {
        "id": "b",
        "moves": [],
        "initialStones": [["B", "A1"], ["B", "E5"]],
        "initialPlayer": "W",
        "rules": {"ko": "SIMPLE", "score": "AREA", "tax": "NONE", "suicide": False},
        "boardXSize": 7,
        "boardYSize": 7,
        "avoidMoves": [{"player": "W", "moves": ["C3", "pass"], "untilDepth": 2}],
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "maxTime": 1.5, "foo": 1},
        "reportDuringSearchEvery": 0.5,
        "firstReportDuringSearchAfter": 0.1,
        "priority": 2,
    },
    {"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1, 2]},
    {"id": "u", "action": "terminate_all"},
    {"id": "v", "action": "query_version"},
]
PROBE = {"id": "probe", "moves": [], "boardXSize": 2, "boardYSize": 2}

MUTATIONS, BATCHES = 50_000, 50
SOUP = b'{}[]",:\\ \t-+.0123456789eEaABWtruefalsnulpid\x00\xff\xc3\xe2\n'


class Ear:
    """An engine, and the last replies it owes and gave for each position."""

    def __init__(self) -> None:
        self.player = FakePlayer(Options())
        self.replies: list[dict[str, Any]] = []
        self.engine = AnalysisEngine(
            lambda: self.player,  # type: ignore[arg-type,return-value]
            self.player.options,
            lambda line: self.replies.append(json.loads(line)),
        )
        self.owed: Counter[tuple[str, int]] = Counter()

    def hear(self, line: bytes | str) -> None:
        """Obey a line, and note which positions it asks for."""
        self.engine.obey(line)
        with suppress(ValueError, RecursionError):  # GoError is one.
            fields = json.loads(line, parse_constant=int)  # Which takes no NaN.
            if isinstance(fields, dict) and "action" not in fields:
                query = parse_query(fields, self.player.options)
                self.owed.update((query.id, turn) for turn in query.turns)

    def settle(self) -> None:
        """Work the queue off, and see that everything was answered once."""
        self.engine.obey(json.dumps(PROBE))
        self.owed["probe", 0] += 1
        self.engine.finish()
        self.engine.work()
        given = Counter(
            (reply["id"], reply["turnNumber"])
            for reply in self.replies
            if reply.get("isDuringSearch") is False
        )
        assert given == self.owed
        assert "internal error" not in json.dumps(self.replies)


def damaged(line: bytes, chance: random.Random) -> bytes:
    """Return a line with a few bytes changed, cut out, doubled or put in."""
    data = bytearray(line)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            data[place:place] = bytes([chance.choice(SOUP)])
        elif kind == 1:
            del data[place : place + chance.randint(1, 8)]
        elif kind == 2:
            data[place:place] = data[place : place + chance.randint(1, 20)]
        else:
            data[place : place + 1] = bytes([chance.randrange(256)])
    return bytes(data)


def test_damaged_lines_are_answered_and_nothing_is_lost() -> None:
    chance = random.Random(20)
    lines = [json.dumps(seed).encode() for seed in SEEDS]
    answered = Counter[str]()
    for _ in range(BATCHES):
        ear = Ear()
        for _ in range(MUTATIONS // BATCHES):
            ear.hear(damaged(chance.choice(lines), chance))
        ear.settle()
        answered.update("error" if "error" in reply else "fine" for reply in ear.replies)

    assert answered["error"] > MUTATIONS / 4
    assert answered["fine"] > MUTATIONS / 20


def test_bytes_from_nowhere_are_errors() -> None:
    chance = random.Random(21)
    ear = Ear()
    for _ in range(5000):
        ear.hear(bytes(chance.choice(SOUP) for _ in range(chance.randint(1, 60))))
    ear.settle()

    assert all("error" in reply or reply["id"] == "probe" for reply in ear.replies)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = sorted({name for seed in SEEDS for name in seed} | {"whiteHandicapBonus", "analysisPVLen"})


@given(st.sampled_from(SEEDS), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=3))
def test_odd_values_in_any_field_are_answered(seed: dict[str, Any], fields: dict[str, Any]) -> None:
    ear = Ear()
    ear.hear(json.dumps(seed | fields))
    ear.settle()
    assert ear.replies


@given(st.dictionaries(st.sampled_from([*NAMES, "exploration", "memory", "level"]), JSON))
def test_odd_settings_are_answered(settings: dict[str, Any]) -> None:
    ear = Ear()
    ear.hear(json.dumps(SEEDS[0] | {"overrideSettings": settings}))
    ear.settle()
