"""One game between two engines under the eyes of a referee.

The referee is our own :class:`~montego.go.game.Game`: it checks every move and counts the board.
Engines only say which stones are dead: only those that both call dead are taken off, unless a third
engine is asked; where they differ, or one cannot tell, the record says so. Whoever fails loses, and
the record says how. Nothing an engine does raises from :func:`play_game`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from montego.arena.opening import Opening, played_stones, setup_commands
from montego.arena.record import (
    DISAGREEMENT,
    ENDING_OF_FAULT,
    REFEREE,
    Ending,
    Event,
    GameRecord,
    PlayerRecord,
)
from montego.go.result import parse_result
from montego.go.vocabulary.errors import GoError, InvalidVertex
from montego.go.vocabulary.timing import Remaining, TimeControl, check_control, check_seconds
from montego.gtp.client import Engine, EngineError, Fault
from montego.gtp.client.follower import tell_control, tell_rules, tell_time_left

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.go.game import Game

Answer = TypeVar("Answer")


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """What both players agree on before a game."""

    size: int = 19
    komi: float = 7.5
    rules: str = "chinese"
    control: TimeControl | None = None
    """None for no clocks: then an engine that takes longer than ``hang_seconds`` hangs."""
    hang_seconds: float = 600.0
    tolerance_seconds: float = 0.05
    """Time per move that is not counted, for the way through the pipes."""
    grace_seconds: float = 10.0
    """How long after its time is up an engine may still answer and be said to have lost on time;
    after that it hangs. It loses either way."""
    move_limit: int | None = None
    """Moves after which nobody is expected to stop; None for four times the points, at least
    100."""

    def __post_init__(self) -> None:
        check_seconds("timeout", self.hang_seconds)
        if self.control is not None:
            check_control(self.control)
        if self.move_limit is not None and self.move_limit < 1:
            raise GoError(f"invalid move_limit {self.move_limit}: say a whole number from 1")

    @property
    def most_moves(self) -> int:
        """The limit that holds."""
        return self.move_limit or max(100, 4 * self.size * self.size)


@dataclass
class _Forfeit(Exception):  # noqa: N818  # It ends a game, not the program.
    """A player did something that ends the game."""

    color: str
    ending: Ending
    text: str


@dataclass
class _Player:
    """One engine in one game."""

    engine: Engine
    color: str
    left: Remaining
    """What is on its clock, if the game has clocks."""
    cpu_before: float | None
    seconds: float = 0.0
    slowest: float = 0.0

    def attempt(self, action: Callable[[], Answer]) -> Answer:
        """Do something with the engine; what goes wrong is a forfeit."""
        try:
            return action()
        except EngineError as error:
            raise _Forfeit(self.color, ENDING_OF_FAULT[error.fault], error.reason) from None

    def send(self, command: str, *, timeout: float | None = None) -> str:
        """Send a command that every engine must know and obey."""
        return self.attempt(lambda: self.engine.send(command, timeout=timeout))

    def record(self) -> PlayerRecord:
        """Return what it used. The engine may have died."""
        cpu = _cpu_seconds(self.engine)
        used = None if cpu is None or self.cpu_before is None else cpu - self.cpu_before
        return PlayerRecord(
            name=self.engine.name,
            version=self.engine.title,
            sources=self.engine.sources,
            command=" ".join(self.engine.command),
            cpu_seconds=None if used is None else round(used, 3),
            seconds=round(self.seconds, 3),
            slowest_seconds=round(self.slowest, 3),
        )


@dataclass
class PlayedGame:
    """A finished game: the record of it, and the game itself for the SGF."""

    record: GameRecord
    game: Game


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """Which game to play: its number, where it begins, and the random seed for the engines."""

    number: int = 0
    opening: Opening = field(default_factory=Opening)
    seed: int | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    """Goes into the record as it is."""


def play_game(
    black: Engine,
    white: Engine,
    conditions: Conditions,
    assignment: Assignment | None = None,
    *,
    referee: Engine | None = None,
) -> PlayedGame:
    """Play one game and return its record, whatever the engines do.

    A *referee* is asked which stones are dead, instead of the players. An engine that failed beyond
    a refusal or a bad move has been ended; see ``is_usable``.

    Raises:
        GoError: If the conditions make no sense, or the opening does not fit them.
    """
    from montego.go.game import Game  # noqa: PLC0415  # NumPy is not needed to show a help text.

    assignment = assignment or Assignment()
    game = Game(conditions.size, rules=conditions.rules, komi=conditions.komi)
    assignment.opening.play_on(game)
    first = game.to_play
    opening_moves = len(game.moves)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    begin = time.monotonic()
    full = (conditions.control or TimeControl()).full
    players = {
        color: _Player(engine, color, full, _cpu_seconds(engine))
        for color, engine in (("black", black), ("white", white))
    }
    event: Event | None = None
    dead: tuple[str, ...] = ()
    try:
        for player in players.values():
            _prepare(player, conditions, assignment)
        ending = _play_moves(game, players, conditions)
        if ending == Ending.SCORE:
            result, dead, event = _count(game, (black, white), referee)
        elif ending == Ending.RESIGNATION:
            result = game.result or "?"
        else:
            result = "0"
            event = Event(str(ending), "", len(game.moves), "nobody would stop")
    except _Forfeit as forfeit:
        ending = forfeit.ending
        winner = "W" if forfeit.color == "black" else "B"
        result = f"{winner}+{'T' if ending == Ending.TIME else 'F'}"
        name = players[forfeit.color].engine.name
        event = Event(str(ending), name, len(game.moves), forfeit.text)
    record = GameRecord(
        game=assignment.number,
        black=players["black"].record(),
        white=players["white"].record(),
        result=result,
        ending=ending,
        size=conditions.size,
        komi=conditions.komi,
        rules=conditions.rules,
        moves=tuple(move.vertex for move in game.moves[opening_moves:]),
        opening=assignment.opening.name,
        opening_digest=assignment.opening.digest,
        first=first,
        dead=dead,
        event=event,
        seed=assignment.seed,
        started=started,
        seconds=round(time.monotonic() - begin, 3),
        extra=assignment.extra,
    )
    return PlayedGame(record, game)


def _cpu_seconds(engine: Engine) -> float | None:
    try:
        return engine.cpu_seconds()
    except EngineError:
        return None


def _prepare(player: _Player, conditions: Conditions, assignment: Assignment) -> None:
    """Bring an engine to the beginning of the game."""
    engine = player.engine
    player.attempt(lambda: tell_rules(engine, conditions.rules))
    player.send(f"boardsize {conditions.size}")
    player.send("clear_board")
    player.send(f"komi {conditions.komi:g}")
    if assignment.seed is not None:
        player.attempt(lambda: engine.try_send(f"set_random_seed {assignment.seed}"))
    control = conditions.control
    if control is not None:
        player.attempt(lambda: tell_control(engine, control))
    player.attempt(lambda: assignment.opening.tell(engine))


def _play_moves(game: Game, players: dict[str, _Player], conditions: Conditions) -> Ending:
    """Let the players move in turn until the game ends by itself.

    Raises:
        _Forfeit: If a player fails.
    """
    while not game.is_over:
        if len(game.moves) >= conditions.most_moves:
            return Ending.MOVE_LIMIT
        color = game.to_play
        player = players[color]
        other = players["white" if color == "black" else "black"]
        vertex = _ask_move(player, conditions)
        if vertex == "resign":
            game.resign(color)
            return Ending.RESIGNATION
        try:
            game.play(color, vertex)
        except InvalidVertex:
            raise _Forfeit(color, Ending.GARBAGE, f"answered {vertex[:40]!r} for a move") from None
        except GoError as error:
            raise _Forfeit(color, Ending.ILLEGAL, str(error)) from None
        other.send(f"play {color} {game.moves[-1].vertex}")
    return Ending.SCORE


def _ask_move(player: _Player, conditions: Conditions) -> str:
    """Return what the engine answers to ``genmove``, in lower case if it is no vertex."""
    control, left, tolerance = conditions.control, player.left, conditions.tolerance_seconds
    timeout = conditions.hang_seconds
    if control is not None:
        player.attempt(lambda: tell_time_left(player.engine, player.color, control, left))
        timeout = control.until_flag(left) + tolerance + conditions.grace_seconds
    begin = time.monotonic()
    answer = player.send(f"genmove {player.color}", timeout=timeout)
    elapsed = time.monotonic() - begin
    player.seconds += elapsed
    player.slowest = max(player.slowest, elapsed)
    if control is not None:
        spent, limit = max(0.0, elapsed - tolerance), control.until_flag(left)
        if spent > limit:
            raise _Forfeit(player.color, Ending.TIME, f"took {elapsed:.2f} s of {limit:.2f} s")
        player.left = control.after_move(left, spent)
    words = answer.split()
    if not words:
        raise _Forfeit(player.color, Ending.GARBAGE, "answered nothing for a move")
    word = words[0].lower()
    return word if word in ("pass", "resign") else words[0]


class _Count(NamedTuple):
    """What is said of a game that ended by two passes."""

    result: str
    dead: tuple[str, ...] = ()
    event: Event | None = None


def _count(game: Game, players: tuple[Engine, Engine], referee: Engine | None) -> _Count:
    """Count the board without its dead stones. Nobody is asked where the rules remove none.

    If the referee fails the players decide, and the event says so.
    """
    if not game.rules.dead_removal:
        return _Count(str(game.score()))
    if referee is None:
        return _count_by_agreement(game, players)
    try:
        return _count_by_referee(game, referee)
    except (GoError, IndexError) as error:
        event = Event(REFEREE, referee.name, len(game.moves), str(error))
        return _count_by_agreement(game, players)._replace(event=event)


def _count_by_agreement(game: Game, players: tuple[Engine, Engine]) -> _Count:
    """Count the board without the stones that both engines call dead."""
    opinions: list[frozenset[str]] = []
    event: Event | None = None
    for engine in players:
        try:
            opinions.append(_dead_stones(game, engine))
        except EngineError as error:
            opinions.append(frozenset())
            refused = error.fault == Fault.REFUSED
            kind = DISAGREEMENT if refused else str(ENDING_OF_FAULT[error.fault])
            event = event or Event(kind, engine.name, len(game.moves), error.reason)
    both = opinions[0] & opinions[1]
    if event is None and opinions[0] != opinions[1]:
        text = "; ".join(
            f"{engine.name} has {' '.join(sorted(opinion - both)) or 'nothing'} dead too: "
            f"{game.score(dead=opinion)}"
            for engine, opinion in zip(players, opinions, strict=True)
        )
        event = Event(DISAGREEMENT, "", len(game.moves), text)
    return _Count(str(game.score(dead=both)), tuple(sorted(both)), event)


def _count_by_referee(game: Game, referee: Engine) -> _Count:
    """Count the board without the stones a third engine calls dead.

    A referee that cannot list dead stones is asked for the score itself.

    Raises:
        EngineError: If the referee fails.
        GoError: If its answer makes no sense. IndexError if there is none.
    """
    for command in setup_commands(game.size, game.compensation, played_stones(game.history)):
        referee.send(command)
    if referee.knows("final_status_list"):
        dead = _dead_stones(game, referee)
        return _Count(str(game.score(dead=dead)), tuple(sorted(dead)))
    return _Count(str(parse_result(referee.send("final_score").split()[0])))


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
