"""Any game of :mod:`montego.games` in the terminal, against the tree search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from montego.cli.command import progress_bar
from montego.cli.player_options import options_from
from montego.engine.options.table import find_option
from montego.games import make_game
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from montego.jit.state import Scratch, State
    from montego.mcts import Config, Search, SearchResult
    from montego.mcts.game import GameDefinition

SIDES = {"black": 0, "b": 0, "x": 0, "first": 0, "white": 1, "w": 1, "o": 1, "second": 1}
SIMULATIONS = 20_000  # A move, unless a limit is given.
MEANINGFUL = ("simulations", "seconds", "threads", "memory", "seed", "size")
"""The player's options that mean something in every game; all others are Go's."""

HELP = """\
  {move:<15}play there          hint           what I would play
  undo           take back your last move and mine
  quit           leave               Ctrl-C         while I think: play at once"""


class GameTable:
    """A game against the tree search; see :class:`montego.cli.console.Table`."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        """Sit down to the game that the command line asks for.

        Raises:
            GoError: If the game does not have what is asked for.
        """
        side = SIDES.get(arguments.color.lower())
        if side is None:
            raise GoError(f"invalid color {arguments.color!r}: say black or white")
        self.person = side
        self.game: GameDefinition = make_game(arguments.game, size=_size(arguments))
        self.search = _new_search(arguments, self.game)
        self.past: list[State] = []
        self.commands: dict[str, Callable[[list[str]], str | None]] = {
            "help": lambda _words: HELP.format(move=self._example()),
            "hint": lambda _words: self.hint(),
            "undo": lambda _words: self.undo(),
        }

    def welcome(self) -> Iterator[str]:
        """Yield the first lines to say."""
        yield f"You are {'XO'[self.person]}. Type a move such as {self._example()}, or help."

    def picture(self) -> str:
        """Return the position for people."""
        return self.game.format_state(self.search.state)

    def result(self) -> str | None:
        """Return how the game ended; None while it goes on."""
        if self.search.legal_moves():
            return None
        score = self.game.score(self.search.state, self.game.knowledge, self._scratch())
        if score == 0:
            return "a draw"
        return "you win" if (score > 0) == (self.person == 0) else "Montego wins"

    def is_persons_turn(self) -> bool:
        """Say whether it is."""
        return self.game.to_play(self.search.state) == self.person

    def answer(self) -> str:
        """Make Montego's move and say which."""
        result = _think(self.search)
        assert result.move is not None  # noqa: S101  # There is one: the game is not over.
        text = self.game.format_move(self.search.state, result.move)
        self._move(result.move)
        return f"Montego plays {text}."

    def play(self, text: str) -> None:
        """Make the person's move."""
        self._move(self.game.parse_move(self.search.state, text))

    def hint(self) -> str:
        """Say what Montego would play."""
        if self.result() is not None:
            raise GoError("the game is over")
        result = _think(self.search)
        state, texts = self.search.state, []
        for move in result.variation[:6]:
            texts.append(self.game.format_move(state, move))
            self.game.play(state, self.game.knowledge, self._scratch(), move)
        chances = f"a proven {result.proof}" if result.proof else f"{result.value:.0%} to win"
        line = f", and expect {' '.join(texts[1:])}" if texts[1:] else ""
        return f"  I would play {texts[0]} ({chances}){line}."

    def undo(self) -> None:
        """Take back the person's last move and what came after it."""
        mine = [
            number
            for number, state in enumerate(self.past)
            if self.game.to_play(state) == self.person
        ]
        if not mine:
            raise GoError("you have not played yet")
        self.search.set_state(self.past[mine[-1]])
        del self.past[mine[-1] :]

    def leave(self) -> None:
        """Stop whatever is under way; nothing is."""

    def _move(self, move: int) -> None:
        before = self.search.state
        self.search.play(move)
        self.past.append(before)

    def _scratch(self) -> Scratch:
        from montego.jit.state import new_scratch  # Loads NumPy.

        return new_scratch(self.game.longest_game, 0, self.game.scratch_room)

    def _example(self) -> str:
        """Return the text of a move somewhere in the middle."""
        state = self.game.initial_state()
        return self.game.format_move(state, (self.game.move_count - 1) // 2)


def _size(arguments: argparse.Namespace) -> int | None:
    """Return the size that was asked for, which is not always one that Go has; None for none."""
    text = arguments.player_size
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise GoError(f"invalid size {text!r}: say a whole number") from None


def _new_search(arguments: argparse.Namespace, game: GameDefinition) -> Search:
    from montego.mcts import Config, Search  # Loads NumPy.

    arguments.player_size = None  # Go may not have it.
    if arguments.handicap is not None:
        raise GoError(f"{arguments.game} has no handicap")
    options = options_from(arguments)
    given = options.changes()
    for key in arguments.player_defaults:  # Those are for Go.
        given.pop(key, None)
    for key in given:
        if key not in MEANINGFUL:
            raise GoError(f"{arguments.game} has no option {find_option(key).name}")
    config = Config(
        simulations=options.simulations if options.has_limit else SIMULATIONS,
        seconds=options.seconds,
        threads=options.threads or 1,
        seed=options.drawn_seed,
        solver=True,
    )
    if "memory" in given:
        config = replace(config, memory=options.memory)
    if arguments.game == "hex":
        config = with_many_moves(config)
    return Search(game, config)


def with_many_moves(config: Config) -> Config:
    """Return a configuration for games with too many moves to try each before the next.

    All-moves-as-first tells them apart without.
    """
    return replace(config, selection="rave-mse", exploration=0.0)


def _think(search: Search) -> SearchResult:
    """Search with a progress bar."""
    with progress_bar("thinking") as show:
        show(0.0, "the first time, compiling")
        return search.run(progress=lambda _search, part: show(part, ""))
