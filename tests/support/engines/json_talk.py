"""A conversation with the JSON protocol in one process, with a player that thinks nothing."""

from __future__ import annotations

import json
from typing import Any

from analysis_fake_player import FakePlayer
from montego.engine.options.options import Options
from montego.gtp.json_protocol import AnalysisEngine


def query(**fields: Any) -> dict[str, Any]:
    return {"id": "a", "moves": [], "rules": "chinese", "boardXSize": 5, "boardYSize": 5} | fields


class Talk:
    """An engine whose replies are collected."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options(perspective="black")
        self.player = FakePlayer(self.options)
        self.lines: list[str] = []
        self.engine = AnalysisEngine(
            lambda: self.player,  # type: ignore[arg-type,return-value]
            self.options,
            self.lines.append,
        )

    @property
    def replies(self) -> list[dict[str, Any]]:
        assert all(line.endswith("\n") and line.count("\n") == 1 for line in self.lines)
        return [json.loads(line) for line in self.lines]

    def say(self, *lines: dict[str, Any] | str | bytes) -> None:
        for line in lines:
            self.engine.obey(line if isinstance(line, (str, bytes)) else json.dumps(line))

    def ask(self, *lines: dict[str, Any] | str | bytes) -> list[dict[str, Any]]:
        """Say lines, let the queue be worked off, and return all replies."""
        self.say(*lines)
        self.engine.finish()
        self.engine.work()
        return self.replies


def final(replies: list[dict[str, Any]]) -> dict[tuple[str, int], dict[str, Any]]:
    """The last reply for each position; fails if there are two for one."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for reply in replies:
        if reply.get("isDuringSearch") is False:
            key = reply["id"], reply["turnNumber"]
            assert key not in found
            found[key] = reply
    return found
