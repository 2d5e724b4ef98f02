"""``montego console``: a game in the terminal.

The loop here knows no game. It sits at a table; start reading in :mod:`montego.cli.console.tables`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from montego.cli.command import Namespace, argument, command
from montego.cli.console.tables import GameTable, GoTable
from montego.cli.player_options import player_options
from montego.cli.termination import asked_to_end
from montego.games import GAMES
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    Table = GoTable | GameTable

GO = "go"
LEAVING = ("quit", "exit", "q", "bye")


@command(
    "Play against Montego in the terminal. The first player is black, or X.",
    argument("game GAME", "default go", nargs="?", default=GO, choices=(GO, *GAMES)),
    argument(
        "--color COLOR", "yours: black (default) or white; also first or second", default="black"
    ),
    argument(
        "--handicap N", "stones that Black gets at the start of go; komi is then 0.5 unless given"
    ),
    # People want to play on small boards first, and to the end.
    player_options(without=("name", "log", "kgs-chat"), size="9", resign="off"),
    epilog="games: go; " + "; ".join(f"{name}: {game.meaning}" for name, game in GAMES.items()),
)
def console(arguments: Namespace) -> None:
    """Carry out ``montego console``."""
    try:
        table: Table = GoTable(arguments) if arguments.game == GO else GameTable(arguments)
    except ValueError as error:
        raise GoError(str(error)) from None
    try:
        _converse(table)
    except KeyboardInterrupt:
        _say("\nGoodbye.")
    table.leave()


def _converse(table: Table) -> None:
    """Let the person and Montego move in turn until the person leaves."""
    for line in table.welcome():
        _say(line)
    changed = True
    while True:
        if asked_to_end():
            raise KeyboardInterrupt  # What Ctrl-C does here, while Montego thinks, is not enough.
        if changed:
            _say(f"\n{table.picture()}")
            if (result := table.result()) is not None:
                _say(f"The game is over: {result}. Undo or quit?")
            elif not table.is_persons_turn():
                _say(table.answer())
                continue
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            _say("")  # The prompt's line is still open.
        if not line or line.strip().lower() in LEAVING:
            return
        try:
            changed = _obey(line.split(), table)
        except (ValueError, OSError) as error:
            _say(f"  {error}")
            changed = False


def _obey(words: list[str], table: Table) -> bool:
    """Carry out one line from the person; say whether it changed the game.

    Raises:
        ValueError: If there is something wrong with it; the message says what.
    """
    if not words:
        return False
    if words[0].lower() in table.commands:
        told: str | None = getattr(table, words[0].lower())(*words[1:])
        if told is not None:
            _say(told)
        return told is None
    if table.result() is not None:
        raise ValueError("the game is over: say undo or quit")
    if len(words) > 1:
        raise ValueError("say one move, or help")
    table.play(words[0])
    return True


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
