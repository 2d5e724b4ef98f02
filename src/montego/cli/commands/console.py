"""``montego console``: a game in the terminal.

The loop knows no game. It sits at a table: one for Go, one for whatever :mod:`montego.games` or a
file of the person's own has.
Both have the same methods, which raise ValueError and then change nothing. Their ``commands`` are
what a person can say besides a move: methods that are called with the words after it and return
what there is to say, or None if the game has changed.
"""

from __future__ import annotations

import os
import secrets
import sys
import time
from argparse import ArgumentTypeError
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import montego
from montego.cli.command import Namespace, argument, command
from montego.cli.output import progress_bar
from montego.cli.own_game import is_game_file, own_game
from montego.cli.player_options import options_from, player_options
from montego.cli.termination import TERMINATED, asked_to_end
from montego.engine.knowledge.tuning import DEFAULT_SECONDS
from montego.engine.options.levels import LEVELS, PEOPLE
from montego.engine.options.options import AUTOMATIC, DEFAULT_NETWORK, find_option
from montego.engine.options.presets import PRESETS
from montego.games import GAMES, make_game
from montego.games.file import failure_in
from montego.go.handicap import HANDICAP_KOMI
from montego.go.result import parse_result
from montego.go.vocabulary.color import format_color, opponent, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rank import format_rank, rank_in_words
from montego.go.vocabulary.rules import parse_rules
from montego.gtp.client.adviser import GtpAdviser
from montego.jit.interrupt import stopped_by_ctrl_c
from montego.ladder.home import PERSON, LadderGame, default_home
from montego.ladder.standing import standing
from montego.mcts.errors import MctsError
from montego.network.errors import NetworkError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.engine.decision import Decision
    from montego.engine.options.options import Options
    from montego.engine.searching.analysis import Analysis
    from montego.engine.thinking import Asked
    from montego.jit.state import Scratch, State
    from montego.mcts import Search, SearchResult
    from montego.mcts.game import GameDefinition

    Table: TypeAlias = "GoTable | GameTable"

GO = "go"
LEAVING = ("quit", "exit", "q", "bye")


def _game_name(text: str) -> str:
    if text not in (GO, *GAMES) and not is_game_file(text):
        known = ", ".join((GO, *GAMES))
        raise ArgumentTypeError(f"unknown game {text!r}: say one of {known}, or a file FILE.py")
    return text


@command(
    "Play against Montego in the terminal. The first player is black, or X.",
    argument(
        "game GAME",
        "default go; FILE.py for one of your own",
        nargs="?",
        default=GO,
        type=_game_name,
    ),
    argument(
        "--color COLOR", "yours: black (default) or white; also first or second", default="black"
    ),
    argument(
        "--handicap N",
        "stones that Black gets at the start of go; komi is then 0.5 unless given; even: stones, "
        "or komi, that make up for the difference between you and the level, by your rating",
    ),
    argument(
        "--against WORD",
        "a level by your games so far (montego ladder): even, as strong as you, or next, the next "
        "rung to climb",
        choices=("even", "next"),
    ),
    # People want to play on small boards first, and to the end.
    player_options(without=("name", "log", "kgs-chat"), size="9", resign="off"),
    epilog="games: go; "
    + "; ".join(f"{name}: {game.meaning}" for name, game in GAMES.items())
    + "; or a file of Python that has one by the name 'game'",
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
    except (GoError, MctsError, OSError):
        raise
    except Exception as error:
        if not is_game_file(arguments.game):
            raise
        raise GoError(failure_in(arguments.game, error)) from error
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


GETTING_READY = 2.0  # Seconds to load what is compiled; if it takes longer, it is being compiled.
SHOWN_EVERY = 0.5  # Seconds between two looks into a search.

GO_HELP = """\
  D4             play there          pass           pass; {passes} passes end the game
  hint           what I would play   undo           take back your last move and mine
  why            about my last move  score          count, without what I take for dead
  why D4         what if I had played there, or if you do now
  level 15k      play like that      level none     play as well as I can
  preset v-run   play as a program of the documents did; preset none plays as usual
  style calm     or fighting, territory, influence; style none has none
  save FILE      write the game      resign         give up
  quit           leave               Ctrl-C         while I think: play at once"""


_LIKED = {
    "calm": "those that keep away from you",
    "fighting": "those that touch your stones",
    "territory": "those near the edge",
    "influence": "those far from the edge",
}


class _Terms(NamedTuple):
    """Handicap stones, and the komi; None for that of the rules."""

    handicap: int
    komi: float | None


class GoTable:
    """A game of Go against the player: by its rules, with handicap, records and a count."""

    commands = (
        "help", "hint", "why", "undo", "score", "level", "preset", "style", "resign", "save",
    )  # fmt: skip

    def __init__(self, arguments: Namespace) -> None:
        """Sit down to the game that the command line asks for.

        Raises:
            GoError: If there is no such game.
        """
        options = options_from(arguments)
        options.check_board(options.size)
        color = {"first": "black", "second": "white"}.get(arguments.color.lower(), arguments.color)
        self.person = format_color(parse_color(color))
        self.home, self.helped, self.id, self.kept = default_home(), False, secrets.token_hex(8), ""
        if arguments.against is not None:
            options = self._find_opponent(options, arguments.against)
        terms = self._terms(options, arguments.handicap)
        self.player = montego.Player(options, hire=GtpAdviser)
        if terms.handicap:
            self.player.place_handicap(terms.handicap)
        with self.player.alone() as game:
            self.handicap = terms.handicap
            if terms.komi is not None and options.komi is None:
                game.komi = terms.komi
        self.player.prepare()

    def _find_opponent(self, options: Options, word: str) -> Options:
        """Return options with the level that suits the person, or is the next to beat."""
        if options.level is not None or options.preset is not None:
            raise GoError("--against chooses a level: leave --level and --preset out")
        found = standing(self.home.games(PERSON), options.size)
        rank = found.next_rung if word == "next" else found.rank
        return options.set("level", format_rank(rank))

    def _terms(self, options: Options, text: str | None) -> _Terms:
        """Return the handicap that the command line asks for, or that the ratings propose."""
        if text is None:
            return _Terms(0, None)
        if text.isdecimal():
            return _Terms(int(text), HANDICAP_KOMI if int(text) else None)
        if text != "even":
            raise GoError(f"invalid handicap {text!r}: say a whole number, or even")
        rank = LEVELS.get(options.level or "")
        if rank is None:
            raise GoError("handicap even makes up for a level: name it with --level")
        found = standing(self.home.games(PERSON), options.size)
        color, terms = found.terms_against(rank, parse_rules(options.rules).komi)
        self.person = "black" if color == "black" else "white"
        return _Terms(terms.handicap, terms.komi)

    def welcome(self) -> Iterator[str]:
        """Yield the first lines to say; the second only if something takes long."""
        yield f"You are {self.person}. Type a vertex such as D4, or help."
        level, game = self.player.options.level, self.player.game
        if level is not None:
            stones = f" with {self.handicap} handicap stones" if self.handicap else ""
            yield f"I play like about {level}{stones}; komi is {game.komi:g}."
        if not self.player.prepare(GETTING_READY):
            yield "I am getting ready, which takes a minute the first time. You can already move."

    def picture(self) -> str:
        """Return the position for people."""
        self.player.settle()
        return str(self.player.game)

    def result(self) -> str | None:
        """Return how the game ended; None while it goes on."""
        game = self.player.game
        if game.ended_by_passes:
            self.player.settle()
        if game.result is not None:
            self._keep_result(game.result)
        return f"{game.result}{self._removed()}" if game.ended_by_passes else game.result

    def _keep_result(self, result: str) -> None:
        """Add the game to the ladder, if it was against a level; say so if that fails."""
        rank, game = LEVELS.get(self.player.options.level or ""), self.player.game
        if rank is None or self.kept == result:
            return
        self.kept = result
        winner = parse_result(result).winner
        score = 0.5 if winner is None else float(winner == self.person)
        kept = LadderGame(
            id=self.id,
            time=time.time(),
            size=game.size,
            rank=rank,
            color="black" if self.person == "black" else "white",
            handicap=self.handicap,
            komi=game.komi,
            score=score,
            helped=self.helped,
        )
        try:
            self.home.add([kept])
        except GoError as error:
            _say(f"  {error}")

    def is_persons_turn(self) -> bool:
        """Say whether it is."""
        return self.player.game.to_play == self.person

    def answer(self) -> str:
        """Make Montego's move and say which."""
        color = opponent(self.person)
        with self._thinking() as asked:
            decision = self.player.genmove(color, **asked)
        if decision.vertex == "resign":
            self.player.game.resign(color)
        return f"Montego {_in_words(decision, 's')}."

    def play(self, text: str) -> None:
        """Make the person's move."""
        self.player.play(self.person, text)

    def help(self, *_words: str) -> str:
        """Tell what can be said, and how the game ends."""
        game = self.player.game
        button = game.rules.button and game.button is None
        return GO_HELP.format(passes="three" if button else "two")

    def hint(self, *_words: str) -> str:
        """Say what Montego would play."""
        if self.player.game.is_over:
            raise GoError("the game is over: say undo or quit")
        self.helped = True
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

    def why(self, *words: str) -> str:
        """Explain the latest decision, a move of Montego's or a hint; or another move instead."""
        text = self.player.explain_move(words[0]) if words else self.player.explain()
        return "\n".join(f"  {line}" for line in text.splitlines())

    def undo(self, *_words: str) -> None:
        """Take back the person's last move and what came after it."""
        game, self.helped = self.player.game, True
        moves = game.moves
        mine = [number for number, move in enumerate(moves) if move.color == self.person]
        if game.resigned:
            self.player.undo()
            if not self.is_persons_turn() and mine:  # Montego resigned; it is not asked again.
                self.player.undo(len(moves) - mine[-1])
        elif mine:
            self.player.undo(len(moves) - mine[-1])
        else:
            raise GoError("you have not played yet")

    def score(self, *_words: str) -> str:
        """Count as if the game were over."""
        when = "" if self.player.game.is_over else "If the game ended now: "
        return f"  {when}{self.player.final_score()}{self._removed()}."

    def resign(self, *_words: str) -> None:
        """Give up for the person."""
        self.player.game.resign(self.person)

    def level(self, *words: str) -> str:
        """Play as well as a person of another rank."""
        if len(words) != 1:
            raise GoError("say level and a rank, such as level 15k, or level none")
        options = self.player.options.set("level", words[0])
        self.helped = self.helped or bool(self.player.game.moves)  # Half of it was another's.
        self.player.configure(options)
        if options.level is None:
            return "  I play as well as I can."
        if options.level in PEOPLE:
            people = rank_in_words(PEOPLE[options.level])
            return f"  I choose what people of {people} choose from now on, on a board of 9x9."
        return f"  I play like about {options.level} from now on."

    def preset(self, *words: str) -> str:
        """Play as a program of the documents did."""
        if len(words) != 1:
            raise GoError("say preset and a program, such as preset v-run, or preset none")
        options = self.player.options.set("preset", words[0])
        self.player.configure(options)
        if options.preset is None:
            return "  I play as usual."
        return f"  I play as {PRESETS[options.preset].title} did from now on."

    def style(self, *words: str) -> str:
        """Play in a style."""
        if len(words) != 1:
            raise GoError("say style and what I shall like, such as style calm, or style none")
        options = self.player.options.set("style", words[0])
        self.player.configure(options)
        if options.style is None:
            return "  I play in no style from now on."
        return f"  Of moves that are about as good I like {_LIKED[options.style]} from now on."

    def save(self, *words: str) -> str:
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
        with stopped_by_ctrl_c(lambda: None) as hurried, progress_bar("thinking") as show:
            show(0.0, "Ctrl-C: play at once")
            asked: Asked = {"interrupt": hurried}

            def report(found: Analysis) -> None:
                """Show the best move, and how much is done as far as one can tell."""
                part = found.seconds / (options.seconds or DEFAULT_SECONDS)
                if options.simulations is not None:
                    part = found.simulations / options.simulations
                show(part, f"{found.best.vertex}, {found.value:.0%}" if found.best else "")

            if sys.stderr.isatty():
                asked |= {"report": report, "every": SHOWN_EVERY}
            yield asked


def _in_words(decision: Decision, ending: str = "") -> str:
    """Return what is done, as a verb with that ending."""
    if decision.vertex == "pass":
        return f"pass{ending and 'es'}"
    return f"resign{ending}" if decision.vertex == "resign" else f"play{ending} {decision.vertex}"


SIDES = {"black": 0, "b": 0, "x": 0, "first": 0, "white": 1, "w": 1, "o": 1, "second": 1}
SIMULATIONS = 20_000  # A move, unless a limit is given;
INTERPRETED_SIMULATIONS = 2_000  # of a game that is not compiled;
JUDGED_SIMULATIONS = 400  # and where a network judges.
MOST_LISTED = 300  # Moves.
MEANINGFUL = ("simulations", "seconds", "threads", "memory", "seed", "size", "network")
"""The player's options that mean something in every game; all others are Go's."""

GAME_HELP = """\
  {move:<15}play there          hint           what I would play
  moves          list the legal ones undo           take back your last move and mine
  quit           leave               Ctrl-C         while I think: play at once"""


class GameTable:
    """Any other game against the tree search."""

    commands = ("help", "hint", "moves", "undo")

    def __init__(self, arguments: Namespace) -> None:
        """Sit down to the game that the command line asks for.

        Raises:
            GoError: If there is no such game, or it does not have what is asked for.
        """
        side = SIDES.get(arguments.color.lower())
        if side is None:
            raise GoError(f"invalid color {arguments.color!r}: say black or white")
        self.person = side
        self.is_own = is_game_file(arguments.game)
        size = _size(arguments)
        self.game: GameDefinition = (
            own_game(arguments.game, size) if self.is_own else make_game(arguments.game, size=size)
        )
        self.search = _new_search(arguments, self.game)
        self.past: list[State] = []
        moves = self.search.legal_moves()
        # Somewhere in the middle, which most boards have.
        middle = moves[(len(moves) - 1) // 2] if moves else 0
        self.example = self.game.format_move(self.search.state, middle)

    def welcome(self) -> Iterator[str]:
        """Yield the first lines to say."""
        # How a game of one's own marks its players, only its file knows.
        mark = ("the first player", "the second player") if self.is_own else "XO"
        yield f"You are {mark[self.person]}. Type a move such as {self.example}, or help."

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
        if not self.is_own:
            self._move(self.game.parse_move(self.search.state, text))
            return
        move, why = -1, ""
        try:
            move = self.game.parse_move(self.search.state, text)
        except Exception as error:  # noqa: BLE001  # Whatever a stranger's function raises.
            why = f" ({error})" if str(error) else ""
        if move not in range(self.game.move_count):
            raise ValueError(
                f"invalid move {text!r}{why}: say one such as {self.example}, or moves"
            )
        self._move(move)

    def moves(self, *_words: str) -> str:
        """List what is legal."""
        state, moves = self.search.state, self.search.legal_moves()
        texts = [self.game.format_move(state, move) for move in moves[:MOST_LISTED]]
        more = len(moves) - len(texts)
        return "\n".join(
            wrap(" ".join(texts) or "none", 76, initial_indent="  ", subsequent_indent="  ")
            + ([f"  and {more} more"] if more else [])
        )

    def help(self, *_words: str) -> str:
        """Tell what can be said."""
        return GAME_HELP.format(move=self.example)

    def hint(self, *_words: str) -> str:
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

    def undo(self, *_words: str) -> None:
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


def _size(arguments: Namespace) -> int | None:
    """Return the size that was asked for, which is not always one that Go has; None for none."""
    text = arguments.player_size
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise GoError(f"invalid size {text!r}: say a whole number") from None


def _new_search(arguments: Namespace, game: GameDefinition) -> Search:
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
    base, usual = Config(), SIMULATIONS if game.is_compiled else INTERPRETED_SIMULATIONS
    if options.network not in (None, AUTOMATIC):
        from montego.network.game import BY_NETWORK, judged_game  # Loads NumPy.

        file = None if options.network == DEFAULT_NETWORK else options.network
        try:
            game, base, usual = judged_game(game, file), BY_NETWORK, JUDGED_SIMULATIONS
        except NetworkError as error:
            raise GoError(str(error)) from None
    config = replace(
        base,
        simulations=options.simulations if options.has_limit else usual,
        seconds=options.seconds,
        threads=options.threads or 1,
        seed=options.drawn_seed,
        solver=True,
    )
    if "memory" in given:
        config = replace(config, memory=options.memory)
    return Search(game, config)


def _think(search: Search) -> SearchResult:
    """Search with a progress bar."""
    with progress_bar("thinking") as show:
        show(0.0, "the first time, compiling")
        return search.run(progress=lambda _search, part: show(part, ""))
