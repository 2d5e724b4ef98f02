"""One game between two engines under the eyes of a referee.

The referee is our own :class:`~montego.go.game.Game`: it checks every move and counts the board.
Whoever fails loses, and the record says how. Nothing an engine does raises from :func:`play_game`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from montego.arena.clock import PlayerClock, check_seconds, tell_control, tell_time_left
from montego.arena.opening import Opening
from montego.arena.record import ENDING_OF_FAULT, Ending, Event, GameRecord, PlayerRecord
from montego.arena.verdict import agree
from montego.go.vocabulary.errors import GoError, InvalidVertex
from montego.go.vocabulary.timing import TimeControl, check_control
from montego.gtp.client import Engine, EngineError

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.arena.verdict import Verdict
    from montego.go.game import Game

_KGS_RULES = {
    "chinese": "chinese",
    "japanese": "japanese",
    "aga": "aga",
    "new-zealand": "new_zealand",
}


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


class _Forfeit(Exception):  # noqa: N818  # It ends a game, not the program.
    """A player did something that ends the game."""

    def __init__(self, color: str, ending: Ending, text: str) -> None:
        super().__init__(text)
        self.color = color
        self.ending = ending
        self.text = text


@dataclass
class _Player:
    """One engine in one game."""

    engine: Engine
    color: str
    clock: PlayerClock | None
    cpu_before: float | None = None
    seconds: float = 0.0
    slowest: float = 0.0

    def send(self, command: str, *, timeout: float | None = None) -> str:
        """Send a command every engine must know; what goes wrong is a forfeit."""
        try:
            return self.engine.send(command, timeout=timeout)
        except EngineError as error:
            raise _Forfeit(self.color, ENDING_OF_FAULT[error.fault], error.reason) from None

    def attempt(self, action: Callable[[], object]) -> None:
        """Do what an engine may refuse, but must survive."""
        try:
            action()
        except EngineError as error:
            raise _Forfeit(self.color, ENDING_OF_FAULT[error.fault], error.reason) from None

    def record(self) -> PlayerRecord:
        """Return what it used. The engine may have died."""
        cpu = _cpu_seconds(self.engine)
        used = None if cpu is None or self.cpu_before is None else cpu - self.cpu_before
        return PlayerRecord(
            name=self.engine.name,
            version=self.engine.title,
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
    judge: Callable[[Game, Engine, Engine], Verdict] = agree,
) -> PlayedGame:
    """Play one game and return its record, whatever the engines do.

    An engine that failed beyond a refusal or a bad move has been ended; see ``is_usable``.

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
    players = {
        "black": _Player(black, "black", _clock(conditions)),
        "white": _Player(white, "white", _clock(conditions)),
    }
    for player in players.values():
        player.cpu_before = _cpu_seconds(player.engine)
    event: Event | None = None
    dead: tuple[str, ...] = ()
    try:
        for player in players.values():
            _prepare(player, conditions, assignment)
        ending = _play_moves(game, players, conditions)
        if ending == Ending.SCORE:
            verdict = judge(game, black, white)
            result, dead, event = verdict.result, verdict.dead, verdict.event
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
        first=first,
        dead=dead,
        event=event,
        seed=assignment.seed,
        started=started,
        seconds=round(time.monotonic() - begin, 3),
        extra=assignment.extra,
    )
    return PlayedGame(record, game)


def _clock(conditions: Conditions) -> PlayerClock | None:
    return None if conditions.control is None else PlayerClock(conditions.control)


def _cpu_seconds(engine: Engine) -> float | None:
    try:
        return engine.cpu_seconds()
    except EngineError:
        return None


def _prepare(player: _Player, conditions: Conditions, assignment: Assignment) -> None:
    """Bring an engine to the beginning of the game."""
    engine = player.engine
    player.attempt(lambda: _tell_rules(engine, conditions.rules))
    player.send(f"boardsize {conditions.size}")
    player.send("clear_board")
    player.send(f"komi {conditions.komi:g}")
    if assignment.seed is not None:
        player.attempt(lambda: engine.try_send(f"set_random_seed {assignment.seed}"))
    control = conditions.control
    if control is not None:
        player.attempt(lambda: tell_control(engine, control))
    player.attempt(lambda: assignment.opening.tell(engine))


def _tell_rules(engine: Engine, rules: str) -> None:
    """Tell an engine the rules if it can be told; most engines learn them on their command line."""
    if engine.try_send(f"kata-set-rules {rules}") is None and rules in _KGS_RULES:
        engine.try_send(f"kgs-rules {_KGS_RULES[rules]}")


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
    clock = player.clock
    timeout = conditions.hang_seconds
    if clock is not None:
        running = clock
        player.attempt(lambda: tell_time_left(player.engine, player.color, running))
        timeout = clock.limit + conditions.tolerance_seconds + conditions.grace_seconds
    begin = time.monotonic()
    answer = player.send(f"genmove {player.color}", timeout=timeout)
    elapsed = time.monotonic() - begin
    player.seconds += elapsed
    player.slowest = max(player.slowest, elapsed)
    if clock is not None:
        limit = clock.limit
        if not clock.spend(max(0.0, elapsed - conditions.tolerance_seconds)):
            raise _Forfeit(player.color, Ending.TIME, f"took {elapsed:.2f} s of {limit:.2f} s")
    words = answer.split()
    if not words:
        raise _Forfeit(player.color, Ending.GARBAGE, "answered nothing for a move")
    word = words[0].lower()
    return word if word in ("pass", "resign") else words[0]
