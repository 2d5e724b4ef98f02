"""What an engine is told about a game: rules, board, moves and time, in the words that it knows.

A :class:`Follower` remembers what an engine knows already and tells it only what is new.
"""

from __future__ import annotations

import math
from itertools import takewhile
from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import rules_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.go.game import Game, Move, Setup
    from montego.go.vocabulary.timing import Remaining, TimeControl
    from montego.gtp.client.engine import Engine

UNDONE = 8  # Moves taken back up to which undoing is quicker than telling the game again.

_KGS_RULES = ("chinese", "japanese", "aga", "new-zealand")


class Follower:
    """What one engine was told about a game so far."""

    def __init__(self) -> None:
        self._beginning: tuple[object, ...] | None = None  # What its board began with.
        self._told: list[Move | Setup] = []

    def forget(self) -> None:
        """Tell everything again next time: the engine is another, or nobody knows what it did."""
        self._beginning = None

    def played(self, move: Move) -> None:
        """Note a move that the engine made itself."""
        self._told.append(move)

    def commands(self, engine: Engine, game: Game) -> Iterator[str]:
        """Yield what brings the engine to the position of *game*; send each before the next.

        Moves that follow are told, a few that were taken back are undone; for anything else the
        engine begins with an empty board.

        Raises:
            GoError: If stones were taken off the board, which GTP cannot tell.
        """
        history, beginning = game.history, (game.size, game.komi, game.rules)
        pairs = zip(self._told, history, strict=False)
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if self._beginning != beginning or not self._undo(engine, common):
            self._beginning, self._told = None, []
            tell_rules(engine, rules_name(game.rules))
            yield f"boardsize {game.size}"
            yield "clear_board"
            yield f"komi {game.komi:g}"
            self._beginning = beginning
        for step in history[len(self._told) :]:
            is_handicap = not self._told and game.handicap >= 2
            yield from _commands(engine, step, is_handicap=is_handicap)
            self._told.append(step)

    def _undo(self, engine: Engine, kept: int) -> bool:
        """Take back what was told beyond *kept* steps; say whether that was possible."""
        from montego.go.game import Move  # noqa: PLC0415  # Loads NumPy.

        excess = self._told[kept:]
        if len(excess) > UNDONE or not all(isinstance(step, Move) for step in excess):
            return False
        for _ in excess:
            if engine.try_send("undo") is None:
                return False
            self._told.pop()
        return True


def _commands(engine: Engine, step: Move | Setup, *, is_handicap: bool) -> Iterator[str]:
    """Yield what tells an engine of a step; GTP knows a handicap, and else only moves."""
    from montego.go.game import Move  # noqa: PLC0415  # Loads NumPy.

    if isinstance(step, Move):
        yield f"play {step.color} {step.vertex}"
        return
    if step.empty:
        raise GoError(f"{engine.name} cannot take stones off the board in the middle of a game")
    if is_handicap and engine.knows("set_free_handicap"):
        yield f"set_free_handicap {' '.join(sorted(step.black))}"
        return
    for color, vertices in (("black", step.black), ("white", step.white)):
        for vertex in sorted(vertices):
            yield f"play {color} {vertex}"


def tell_rules(engine: Engine, rules: str) -> None:
    """Tell an engine the rules if it can be told; most engines learn them on their command line."""
    if engine.try_send(f"kata-set-rules {rules}") is None and rules in _KGS_RULES:
        engine.try_send(f"kgs-rules {rules.replace('-', '_')}")


def tell_control(engine: Engine, control: TimeControl) -> None:
    """Tell an engine the time control, in the best way it understands.

    An engine that knows no Fischer time is told of absolute time, and one that knows no byo-yomi of
    a Canadian period of one move; ``time_left`` tells them the truth at every move.

    Raises:
        EngineError: If the engine fails other than by refusing.
    """
    main, period = _seconds(control.main, control), _seconds(control.period, control)
    increment = _seconds(control.increment, control)
    if control.kind == "byoyomi" and _told(
        engine, f"kgs-time_settings byoyomi {main} {period} {control.periods}"
    ):
        return
    if control.kind == "fischer":
        known = (engine.try_send("kata-list_time_settings") or "").split()
        if control.most_main is not None and "fischer-capped" in known:
            cap = _seconds(control.most_main, control)
            if _told(engine, f"kata-time_settings fischer-capped {main} {increment} {cap} -1"):
                return
        if "fischer" in known and _told(engine, f"kata-time_settings fischer {main} {increment}"):
            return
    stones = {"canadian": control.stones, "byoyomi": 1}.get(control.kind, 0)
    if not _told(engine, f"time_settings {main} {period} {stones}") and not _is_whole(control):
        _told(engine, f"time_settings {int(control.main)} {math.ceil(control.period)} {stones}")


def tell_time_left(engine: Engine, color: str, control: TimeControl, left: Remaining) -> None:
    """Send ``time_left`` if the engine knows it. Raises as :func:`tell_control`.

    In byo-yomi stones are the periods left, for engines that were told of byo-yomi.
    """
    seconds, stones = left
    if control.kind == "byoyomi" and stones and not engine.knows("kgs-time_settings"):
        stones = 1
    if not _told(engine, f"time_left {color} {_seconds(seconds, control)} {stones}"):
        _told(engine, f"time_left {color} {int(seconds)} {stones}")


def _told(engine: Engine, command: str) -> bool:
    return engine.try_send(command) is not None


def _seconds(seconds: float, control: TimeControl) -> str:
    """Return whole seconds, which every engine can read, unless the control itself has others."""
    return str(int(seconds)) if _is_whole(control) else f"{seconds:.2f}"


def _is_whole(control: TimeControl) -> bool:
    """Say whether all times are whole seconds, as GTP would have them."""
    times = (control.main, control.period, control.increment)
    return all(seconds == int(seconds) for seconds in times)
