"""Go in the terminal, against the player: by its rules, with handicap, records and a count."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from montego.cli.command import progress_bar
from montego.cli.player_options import options_from
from montego.cli.termination import TERMINATED, asked_to_end
from montego.engine.knowledge.tuning import DEFAULT_SECONDS
from montego.go.handicap import HANDICAP_KOMI
from montego.go.vocabulary.color import format_color, opponent, parse_color
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from montego.engine.decision import Decision
    from montego.engine.options.options import Options
    from montego.engine.player import Player
    from montego.engine.request import Asked
    from montego.engine.searching.analysis import Analysis

GETTING_READY = 2.0  # Seconds to load what is compiled; if it takes longer, it is being compiled.
SHOWN_EVERY = 0.5  # Seconds between two looks into a search.

HELP = """\
  D4             play there          pass           pass; {passes} passes end the game
  hint           what I would play   undo           take back your last move and mine
  why            about my last move  score          count, without what I take for dead
  level 15k      play like that      level none     play as well as I can
  save FILE      write the game      resign         give up
  quit           leave               Ctrl-C         while I think: play at once"""


class GoTable:
    """A game of Go against the player; see :class:`montego.cli.console.Table`."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        """Sit down to the game that the command line asks for.

        Raises:
            GoError: If there is no such game.
        """
        from montego.engine.player import Player  # Loads NumPy.
        from montego.gtp.client.adviser import GtpAdviser  # As above.

        options = options_from(arguments)
        options.check_board(options.size)
        color = {"first": "black", "second": "white"}.get(arguments.color.lower(), arguments.color)
        self.person = format_color(parse_color(color))
        self.player = Player(options, hire=GtpAdviser)
        if arguments.handicap is not None:
            _give_handicap(self.player, arguments.handicap)
        self.player.prepare()
        self.commands: dict[str, Callable[[list[str]], str | None]] = {
            "help": lambda _words: self.help(),
            "hint": lambda _words: self.hint(),
            "why": lambda _words: self.why(),
            "undo": lambda _words: self.undo(),
            "score": lambda _words: self.count(),
            "level": self.set_level,
            "resign": lambda _words: self.resign(),
            "save": self.save,
        }

    def welcome(self) -> Iterator[str]:
        """Yield the first lines to say; the second only if something takes long."""
        yield f"You are {self.person}. Type a vertex such as D4, or help."
        if not self.player.prepare(GETTING_READY):
            yield "I am getting ready, which takes a minute the first time. You can already move."

    def picture(self) -> str:
        """Return the position for people."""
        self.player.settle()
        return str(self.player.game)

    def result(self) -> str | None:
        """Return how the game ended; None while it goes on."""
        game = self.player.game
        if not game.ended_by_passes:
            return game.result
        self.player.settle()
        return f"{game.result}{self._removed()}"

    def is_persons_turn(self) -> bool:
        """Say whether it is."""
        return self.player.game.to_play == self.person

    def answer(self) -> str:
        """Make Montego's move and say which."""
        color = format_color(opponent(parse_color(self.person)))
        with self._thinking() as asked:
            decision = self.player.genmove(color, **asked)
        if decision.vertex == "resign":
            self.player.game.resign(color)
        return f"Montego {_in_words(decision, 's')}."

    def play(self, text: str) -> None:
        """Make the person's move."""
        self.player.play(self.person, text)

    def help(self) -> str:
        """Tell what can be said, and how the game ends."""
        game = self.player.game
        button = game.rules.button and game.button is None
        return HELP.format(passes="three" if button else "two")

    def hint(self) -> str:
        """Say what Montego would play."""
        if self.player.game.is_over:
            raise GoError("the game is over: say undo or quit")
        with self._thinking() as asked:
            decision = self.player.choose(self.person, **asked)
        if decision.analysis is None or not decision.analysis.simulations:
            return f"  I would {_in_words(decision)}."
        found = decision.analysis.in_truth()
        chosen = next((move for move in found.moves if move.vertex == decision.vertex), None)
        follow = chosen.variation[1:6] if chosen else ()
        expected = f", and expect {' '.join(follow)}" if follow else ""
        return (
            f"  I would {_in_words(decision)} ({found.value:.0%} to win{found.proviso}){expected}."
        )

    def why(self) -> str:
        """Explain the latest decision: a move of Montego's, or a hint."""
        return "\n".join(f"  {line}" for line in self.player.explain().splitlines())

    def undo(self) -> None:
        """Take back the person's last move and what came after it."""
        game = self.player.game
        moves = game.moves
        mine = [number for number, move in enumerate(moves) if move.color == self.person]
        if game.is_over and not game.ended_by_passes:
            self.player.undo()
            if not self.is_persons_turn() and mine:  # Montego resigned; it is not asked again.
                self.player.undo(len(moves) - mine[-1])
        elif mine:
            self.player.undo(len(moves) - mine[-1])
        else:
            raise GoError("you have not played yet")

    def count(self) -> str:
        """Count as if the game were over."""
        when = "" if self.player.game.is_over else "If the game ended now: "
        return f"  {when}{self.player.final_score()}{self._removed()}."

    def resign(self) -> None:
        """Give up for the person."""
        self.player.game.resign(self.person)

    def set_level(self, words: list[str]) -> str:
        """Play as well as a person of another rank."""
        if len(words) != 1:
            raise GoError("say level and a rank, such as level 15k, or level none")
        options = self.player.options.set("level", words[0])
        self.player.configure(options)
        if options.level is None:
            return "  I play as well as I can."
        return f"  I play like about {options.level} from now on."

    def save(self, words: list[str]) -> str:
        """Write the game as SGF to the file named by the words."""
        if not words:
            raise GoError("say save FILE")
        name = " ".join(words)
        self.player.settle()
        Path(name).write_text(self.player.game.to_sgf(), encoding="utf-8")
        return f"  saved as {name}"

    def leave(self) -> None:
        """Stop what is under way. Does not return while something is being compiled."""
        if self.player.prepare():
            self.player.close()
            return
        sys.stdout.flush()
        status = TERMINATED if asked_to_end() else 0
        os._exit(status)  # A compiler cannot be stopped, and Python would not end well with it.

    def _removed(self) -> str:
        dead = self.player.dead_stones()
        return f", without the dead stones {' '.join(dead)}" if dead else ""

    @contextmanager
    def _thinking(self) -> Iterator[Asked]:
        """Show the search to those who watch, and let Ctrl-C end it; yield what to ask for."""
        options = self.player.options.on_board(self.player.game.size)
        with _hurried_by_ctrl_c() as hurried, progress_bar("thinking") as show:
            show(0.0, "Ctrl-C: play at once")
            asked: Asked = {"interrupt": hurried}
            if sys.stderr.isatty():
                asked["report"] = lambda found: show(_part(found, options), _outlook(found))
                asked["every"] = SHOWN_EVERY
            yield asked


def _give_handicap(player: Player, text: str) -> None:
    """Give Black stones, and White little komi unless a person has asked for one.

    Raises:
        GoError: If the board has no such handicap.
    """
    if not text.isdecimal():
        raise GoError(f"invalid handicap {text!r}: say a whole number")
    player.place_handicap(int(text))
    if player.options.komi is None:
        player.set_komi(HANDICAP_KOMI)


def _in_words(decision: Decision, ending: str = "") -> str:
    """Return what is done, as a verb with that ending."""
    if decision.vertex == "pass":
        return f"pass{ending and 'es'}"
    return f"resign{ending}" if decision.vertex == "resign" else f"play{ending} {decision.vertex}"


def _part(found: Analysis, options: Options) -> float:
    """Return how much of the thinking is done, as far as one can tell."""
    if options.simulations is not None:
        return found.simulations / options.simulations
    return found.seconds / (options.seconds or DEFAULT_SECONDS)


def _outlook(found: Analysis) -> str:
    best = found.best
    return "" if best is None else f"{best.vertex}, {found.value:.0%}"


@contextmanager
def _hurried_by_ctrl_c() -> Iterator[threading.Event]:
    """Have Ctrl-C set the event that is given; a second one raises as usual."""
    usual, hurried = signal.getsignal(signal.SIGINT), threading.Event()

    def handle(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, usual)
        hurried.set()

    signal.signal(signal.SIGINT, handle)
    try:
        yield hurried
    finally:
        signal.signal(signal.SIGINT, usual)
