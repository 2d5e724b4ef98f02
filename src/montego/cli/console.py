"""``montego console``: a game in the terminal.

The loop in :func:`run` knows no game. It sits at a *table*: :class:`GoTable` for Go with its rules
and records, :class:`GameTable` for whatever :mod:`montego.games` has.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from montego.cli.progress import progress_bar
from montego.games import GAMES, make_game
from montego.go.color import format_color, opponent, parse_color
from montego.go.errors import GoError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from montego.go.game import Game
    from montego.mcts import Config, Search, SearchResult
    from montego.mcts.definition import GameDefinition
    from montego.mcts.scratch import Scratch, State

GO = "go"
SIDES = {"black": 0, "b": 0, "x": 0, "first": 0, "white": 1, "w": 1, "o": 1, "second": 1}

GO_HELP = """\
  D4             play there          pass           pass
  hint           what I would play   undo           take back your last move and mine
  score          count the board     save FILE      write the game as SGF
  resign         give up             quit           leave"""

GAME_HELP = """\
  {move:<15}play there          hint           what I would play
  undo           take back your last move and mine
  quit           leave               Ctrl-C         while I think: play at once"""

SURRENDER = "resign"


class Table(Protocol):
    """A game between a person and Montego. Methods raise ValueError and then change nothing."""

    commands: dict[str, Callable[[list[str]], object]]
    """What a person can say besides a move, by its first word; called with the others."""

    def welcome(self) -> str:
        """Return the first line to say."""

    def picture(self) -> str:
        """Return the position for people."""

    def result(self) -> str | None:
        """Return how the game ended; None while it goes on."""

    def is_persons_turn(self) -> bool:
        """Say whether it is."""

    def answer(self) -> str:
        """Make Montego's move and return its text."""

    def play(self, text: str) -> None:
        """Make the person's move."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``console`` to the command line."""
    parser = commands.add_parser(
        "console",
        help="play in the terminal",
        description="Play against Montego in the terminal. The first player is black, or X.",
        epilog="games: go; " + "; ".join(f"{name}: {game.meaning}" for name, game in GAMES.items()),
    )
    parser.add_argument(
        "game", nargs="?", default=GO, choices=(GO, *GAMES), metavar="GAME", help="default go"
    )
    parser.add_argument("--size", type=int, help="lines of the board (default: go 9, hex 11)")
    parser.add_argument(
        "--color", default="black", help="yours: black (default) or white; also first or second"
    )
    parser.add_argument("--rules", help="of go: a name (default chinese)")
    parser.add_argument("--komi", help="of go (default: the rules' own)")
    parser.add_argument(
        "--simulations", type=int, default=20_000, help="games a move in my head (default 20000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default 0)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out ``montego console``."""
    try:
        table: Table = GoTable(options) if options.game == GO else GameTable(options)
    except ValueError as error:
        raise GoError(str(error)) from None
    _say(table.welcome())
    changed = True
    while True:
        if changed:
            _say(f"\n{table.picture()}")
            if (result := table.result()) is not None:
                _say(f"The game is over: {result}. Undo or quit?")
            elif not table.is_persons_turn():
                _say(f"Montego plays {table.answer()}.")
                continue
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            _say("")  # The prompt's line is still open.
        if not line or line.strip().lower() in ("quit", "exit", "q"):
            return 0
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
    command = table.commands.get(words[0].lower())
    if command is not None:
        return bool(command(words[1:]))
    if table.result() is not None:
        raise ValueError("the game is over")
    if len(words) > 1:
        raise ValueError("say one move, or help")
    table.play(words[0])
    return True


class GameTable:
    """Any game of :mod:`montego.games` against the tree search."""

    def __init__(self, options: argparse.Namespace) -> None:
        if options.rules is not None or options.komi is not None:
            raise ValueError(f"{options.game} has no --rules and no --komi")
        side = SIDES.get(options.color.lower())
        if side is None:
            raise ValueError(f"invalid color {options.color!r}: say black or white")
        from montego.mcts import Config, Search  # noqa: PLC0415  # Loads NumPy.

        self.person = side
        self.game: GameDefinition = make_game(options.game, size=options.size)
        config = Config(simulations=options.simulations, seed=options.seed, solver=True)
        if options.game == "hex":
            config = with_many_moves(config)
        self.search = Search(self.game, config)
        self.past: list[State] = []
        self.commands: dict[str, Callable[[list[str]], object]] = {
            "help": lambda _words: _say(GAME_HELP.format(move=self._example())),
            "hint": lambda _words: self.hint(),
            "undo": lambda _words: self.undo(),
        }

    def welcome(self) -> str:
        """Return the first line to say."""
        return f"You are {'XO'[self.person]}. Type a move such as {self._example()}, or help."

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
        """Make Montego's move and return its text."""
        result = _think(self.search)
        assert result.move is not None  # noqa: S101  # There is one: the game is not over.
        text = self.game.format_move(self.search.state, result.move)
        self._move(result.move)
        return text

    def play(self, text: str) -> None:
        """Make the person's move."""
        self._move(self.game.parse_move(self.search.state, text))

    def hint(self) -> None:
        """Say what Montego would play."""
        if self.result() is not None:
            raise ValueError("the game is over")
        result = _think(self.search)
        state, texts = self.search.state, []
        for move in result.variation[:6]:
            texts.append(self.game.format_move(state, move))
            self.game.play(state, self.game.knowledge, self._scratch(), move)
        chances = f"a proven {result.proof}" if result.proof else f"{result.value:.0%} to win"
        line = f", and expect {' '.join(texts[1:])}" if texts[1:] else ""
        _say(f"  I would play {texts[0]} ({chances}){line}.")

    def undo(self) -> bool:
        """Take back the person's last move and what came after it."""
        mine = [
            number
            for number, state in enumerate(self.past)
            if self.game.to_play(state) == self.person
        ]
        if not mine:
            raise ValueError("you have not played yet")
        self.search.set_state(self.past[mine[-1]])
        del self.past[mine[-1] :]
        return True

    def _move(self, move: int) -> None:
        before = self.search.state
        self.search.play(move)
        self.past.append(before)

    def _scratch(self) -> Scratch:
        from montego.mcts.scratch import new_scratch  # noqa: PLC0415  # Loads NumPy.

        return new_scratch(self.game.longest_game, 0, self.game.scratch_room)

    def _example(self) -> str:
        """Return the text of a move somewhere in the middle."""
        state = self.game.initial_state()
        return self.game.format_move(state, (self.game.move_count - 1) // 2)


class GoTable:
    """Go by its rules, with records, against the tree search."""

    def __init__(self, options: argparse.Namespace) -> None:
        from montego.go.game import Game  # noqa: PLC0415  # Loads NumPy.

        size = 9 if options.size is None else options.size
        self.game = Game(size, rules=options.rules or "chinese", komi=options.komi)
        if options.simulations < 1:
            raise GoError(f"invalid number of simulations {options.simulations}: say at least 1")
        color = {"first": "black", "second": "white"}.get(options.color.lower(), options.color)
        self.person = parse_color(color)
        self.simulations, self.seed = options.simulations, options.seed
        self.commands: dict[str, Callable[[list[str]], object]] = {
            "help": lambda _words: _say(GO_HELP),
            "hint": lambda _words: _say(f"  I would play {self._choose()}."),
            "undo": lambda _words: self.undo(),
            "score": lambda _words: _say(f"  With every stone alive: {self.game.score()}"),
            SURRENDER: lambda _words: self.resign(),
            "save": self.save,
        }

    def welcome(self) -> str:
        """Return the first line to say."""
        return f"You are {format_color(self.person)}. Type a vertex such as D4, or help."

    def picture(self) -> str:
        """Return the position for people."""
        return str(self.game)

    def result(self) -> str | None:
        """Return how the game ended; None while it goes on."""
        return self.game.result if self.game.is_over else None

    def is_persons_turn(self) -> bool:
        """Say whether it is."""
        return self.game.to_play == format_color(self.person)

    def answer(self) -> str:
        """Make Montego's move and return its text."""
        vertex = self._choose()
        self.game.play(opponent(self.person), vertex)
        return vertex

    def play(self, text: str) -> None:
        """Make the person's move."""
        self.game.play(self.person, text)

    def resign(self) -> bool:
        """Give up for the person."""
        self.game.resign(self.person)
        return True

    def undo(self) -> bool:
        """Take back the person's last move and what came after it."""
        moves = self.game.moves
        color = format_color(self.person)
        mine = [number for number, move in enumerate(moves) if move.color == color]
        if self.game.result is not None and self.game.result.endswith("R"):
            self.game.undo()
        elif mine:
            self.game.undo(len(moves) - mine[-1])
        else:
            raise GoError("you have not played yet")
        return True

    def save(self, words: list[str]) -> None:
        """Write the game as SGF to the file named by the only word."""
        if len(words) != 1:
            raise GoError("say save FILE")
        Path(words[0]).write_text(self.game.to_sgf(), encoding="utf-8")
        _say(f"  saved as {words[0]}")

    def _choose(self) -> str:
        if self.game.is_over:
            raise GoError("the game is over")
        return choose_move(self.game, self.simulations, self.seed + len(self.game.moves))


def choose_move(game: Game, simulations: int, seed: int) -> str:
    """Return the move that a tree search of Go finds best, or ``"pass"``.

    Answers a pass with a pass if the count says that it has won.
    """
    from montego.engine.definition import go_game, history_of  # noqa: PLC0415  # Loads NumPy.
    from montego.mcts import Config, Search  # noqa: PLC0415

    ahead = game.score().winner == parse_color(game.to_play)
    if ahead and game.moves and game.moves[-1].vertex == "pass":
        return "pass"
    search = Search(
        go_game(game.size, rules=game.rules, komi=game.komi),
        with_many_moves(Config(simulations=simulations, seed=seed)),
        state=game.board.state,
        history=history_of(game),
    )
    result = _think(search)
    return "pass" if result.move is None else search.game.format_move(search.state, result.move)


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


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
