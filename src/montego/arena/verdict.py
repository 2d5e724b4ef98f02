"""Who won a game that ended by two passes: dead stones by agreement, or by a referee engine.

Counting is always ours. The engines only say which stones are dead, and only stones that both call
dead are taken off; where they differ, or one cannot tell, the game's record says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.arena.record import DISAGREEMENT, ENDING_OF_FAULT, REFEREE, Event
from montego.go.result import parse_result
from montego.go.vocabulary.errors import GoError
from montego.gtp.client import EngineError, Fault

if TYPE_CHECKING:
    from montego.go.game import Game, Move, Setup
    from montego.gtp.client import Engine


@dataclass(frozen=True)
class Verdict:
    """What is said of a game that ended by two passes."""

    result: str
    dead: tuple[str, ...] = ()
    event: Event | None = None


def agree(game: Game, black: Engine, white: Engine) -> Verdict:
    """Count the board without the stones that both engines call dead."""
    if not game.rules.dead_removal:
        return Verdict(str(game.score()))
    opinions: list[frozenset[str]] = []
    event: Event | None = None
    for engine in (black, white):
        try:
            opinions.append(_dead_stones(game, engine))
        except EngineError as error:
            opinions.append(frozenset())
            refused = error.fault == Fault.REFUSED
            kind = DISAGREEMENT if refused else str(ENDING_OF_FAULT[error.fault])
            event = event or Event(kind, engine.name, len(game.moves), error.reason)
    both = opinions[0] & opinions[1]
    if event is None and opinions[0] != opinions[1]:
        results = [str(game.score(dead=opinion)) for opinion in opinions]
        text = "; ".join(
            f"{engine.name} has {' '.join(sorted(opinion - both)) or 'nothing'} dead too: {result}"
            for engine, opinion, result in zip((black, white), opinions, results, strict=True)
        )
        event = Event(DISAGREEMENT, "", len(game.moves), text)
    return Verdict(str(game.score(dead=both)), tuple(sorted(both)), event)


def by_referee(game: Game, referee: Engine) -> Verdict:
    """Count the board without the stones a third engine calls dead.

    A referee that cannot list dead stones is asked for the score itself. Nobody is asked where the
    rules remove none.

    Raises:
        EngineError: If the referee fails.
        GoError: If its answer makes no sense.
    """
    if not game.rules.dead_removal:
        return Verdict(str(game.score()))
    referee.send(f"boardsize {game.size}")
    referee.send("clear_board")
    referee.send(f"komi {game.compensation:g}")
    for step in game.history:
        for color, vertex in _stones(step):
            referee.send(f"play {color} {vertex}")
    if referee.knows("final_status_list"):
        dead = _dead_stones(game, referee)
        return Verdict(str(game.score(dead=dead)), tuple(sorted(dead)))
    return Verdict(str(parse_result(referee.send("final_score").split()[0])))


def refer(game: Game, black: Engine, white: Engine, referee: Engine) -> Verdict:
    """Let the referee decide; if it fails, let the players agree, and say so in the record."""
    try:
        return by_referee(game, referee)
    except (GoError, IndexError) as error:
        verdict = agree(game, black, white)
        event = Event(REFEREE, referee.name, len(game.moves), str(error))
        return Verdict(verdict.result, verdict.dead, event)


def _dead_stones(game: Game, engine: Engine) -> frozenset[str]:
    """Return every stone of the chains an engine calls dead.

    Raises:
        EngineError: ``REFUSED`` if it cannot tell, or says what makes no sense; else if it fails.
    """
    stones: set[str] = set()
    answer = engine.try_send("final_status_list dead")
    if answer is None:
        raise EngineError(engine.name, Fault.REFUSED, "cannot tell dead stones")
    for vertex in answer.split():
        try:
            chain = [] if vertex.lower() == "pass" else game.board.chain(vertex)
        except GoError as error:
            raise EngineError(engine.name, Fault.REFUSED, f"dead stones: {error}") from None
        if not chain:
            message = f"says that {vertex!r} is dead, where no stone is"
            raise EngineError(engine.name, Fault.REFUSED, message)
        stones.update(chain)
    return frozenset(stones)


def _stones(step: Move | Setup) -> list[tuple[str, str]]:
    """Return a step of a game as moves that any engine can be told."""
    if isinstance(step[0], str):
        return [(step[0], str(step[1]))]
    groups = zip(("black", "white"), step[:2], strict=True)
    return [(color, vertex) for color, stones in groups for vertex in sorted(stones)]
