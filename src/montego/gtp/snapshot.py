"""The state of a game as a command finds it, to be put back if the command breaks halfway."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from montego.engine.player import Player
    from montego.go.game import Game, Move, Setup
    from montego.go.vocabulary.rules import Rules


class Snapshot(NamedTuple):
    """Everything about a game that a client can see. Two equal ones are the same game."""

    size: int
    rules: Rules
    komi: float
    handicap: int
    resigned: str | None
    """The result, if it came by resignation."""
    history: list[Move | Setup]
    to_play: str


def has_resigned(game: Game) -> bool:
    """Say whether a player gave the game up."""
    return game.is_over and str(game.result).endswith("+R")


def take_snapshot(game: Game) -> Snapshot:
    """Return the state of *game*."""
    return Snapshot(
        game.size,
        game.rules,
        game.komi,
        game.handicap,
        game.result if has_resigned(game) else None,
        game.history,
        game.to_play,
    )


def rebuild(snapshot: Snapshot) -> Game:
    """Return a new game in that state. What a record said beside the moves is lost."""
    from montego.go.game import Game, Move  # noqa: PLC0415  # Loads NumPy.

    game = Game(snapshot.size, rules=snapshot.rules, komi=snapshot.komi)
    for number, done in enumerate(snapshot.history):
        if isinstance(done, Move):
            game.play_unless_impossible(done.color, done.vertex)
        elif number == 0 and snapshot.handicap:
            game.free_handicap(done.black)
        else:
            game.setup(black=done.black, white=done.white, empty=done.empty, to_play=done.to_play)
    game.give_turn(snapshot.to_play)
    if snapshot.resigned is not None:
        game.resign("white" if snapshot.resigned.startswith("B") else "black")
    return game


def restore(player: Player, snapshot: Snapshot) -> None:
    """Give *player* the game of *snapshot*, if it has another one now."""
    if take_snapshot(player.game) != snapshot:
        player.load(rebuild(snapshot))
