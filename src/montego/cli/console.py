"""``montego console``: a game of Go in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from montego.cli.progress import progress_bar
from montego.go.color import BLACK, format_color, opponent, parse_color
from montego.go.errors import GoError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from montego.go.game import Game

HELP = """\
  D4             play there          pass           pass
  hint           what I would play   undo           take back your last move and mine
  score          count the board     save FILE      write the game as SGF
  resign         give up             quit           leave"""

SURRENDER = "resign"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``console`` to the command line."""
    parser = commands.add_parser(
        "console",
        help="play in the terminal",
        description="Play a game of Go against Montego in the terminal.",
    )
    parser.add_argument("--size", type=int, default=9, help="lines of the board (default 9)")
    parser.add_argument("--color", default="black", help="yours: black (default) or white")
    parser.add_argument("--rules", default="chinese", help="name of the rules (default chinese)")
    parser.add_argument("--komi", help="default: the rules' own")
    parser.add_argument(
        "--playouts", type=int, default=200, help="random games a candidate move (default 200)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers (default 0)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out ``montego console``."""
    from montego.go.game import Game  # noqa: PLC0415  # Loads NumPy.

    game = Game(options.size, rules=options.rules, komi=options.komi)
    if options.playouts < 1:
        raise GoError(f"invalid number of playouts {options.playouts}: say at least 1")
    person = parse_color(options.color)
    _say(f"You are {format_color(person)}. Type a vertex such as D4, or help.")
    while True:
        _say(f"\n{game}")
        if game.is_over:
            _say(f"The game is over: {game.result}. Undo, save FILE or quit?")
        elif game.to_play != format_color(person):
            vertex = choose_move(game, options.playouts, options.seed + len(game.moves))
            game.play(opponent(person), vertex)
            _say(f"Montego plays {vertex}.")
            continue
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line or line.strip().lower() in ("quit", "exit", "q"):
            return 0
        try:
            _obey(line.split(), game, person, options)
        except (GoError, OSError) as error:
            _say(f"  {error}")


def _obey(words: list[str], game: Game, person: int, options: argparse.Namespace) -> None:
    """Carry out one line from the person. Raises an error that says what is wrong with it."""
    if not words:
        return
    name = words[0].lower()
    commands: dict[str, Callable[[], object]] = {
        "help": lambda: _say(HELP),
        "hint": lambda: _say(
            f"  I would play {choose_move(game, options.playouts, options.seed)}."
        ),
        "undo": lambda: _undo(game, person),
        "score": lambda: _say(f"  With every stone alive: {game.score()}"),
        SURRENDER: lambda: game.resign(person),
        "save": lambda: _save(game, words[1:]),
    }
    if name in commands:
        commands[name]()
    else:
        game.play(person, words[0])


def _undo(game: Game, person: int) -> None:
    """Take back until it is the person's turn again, with at least one move of theirs undone."""
    moves = game.moves
    mine = [number for number, move in enumerate(moves) if move.color == format_color(person)]
    if game.result is not None and game.result.endswith("R"):
        game.undo()
    elif mine:
        game.undo(len(moves) - mine[-1])
    else:
        raise GoError("you have not played yet")


def _save(game: Game, words: list[str]) -> None:
    if len(words) != 1:
        raise GoError("say save FILE")
    Path(words[0]).write_text(game.to_sgf(), encoding="utf-8")
    _say(f"  saved as {words[0]}")


def choose_move(game: Game, playouts: int, seed: int) -> str:
    """Return the move that wins most of *playouts* random games after it, or ``"pass"``.

    Flat Monte Carlo: one move deep. Passes when no move is left but into its own eyes, and answers
    a pass with a pass if the count says it has won.
    """
    from montego.go.layout import point_at  # noqa: PLC0415  # These load NumPy.
    from montego.go.playout.run import sample_playouts  # noqa: PLC0415
    from montego.go.playout.uniform import is_eye  # noqa: PLC0415
    from montego.go.vertex import parse_vertex  # noqa: PLC0415
    from montego.jit import interpreted  # noqa: PLC0415

    color = parse_color(game.to_play)
    ahead = game.score().winner == color
    if ahead and game.moves and game.moves[-1].vertex == "pass":
        return "pass"
    best, best_value = "pass", -1.0
    spare = interpreted(is_eye)
    candidates = [
        vertex
        for vertex in game.legal_moves(color)
        if (place := parse_vertex(vertex, game.size)) is not None
        and not spare(game.board.state, point_at(*place, game.size), color)
    ]
    with progress_bar("thinking") as show:
        for number, vertex in enumerate(candidates):
            show(number / len(candidates), vertex)
            board = game.board.copy()
            board.play(color, vertex)
            sample = sample_playouts(board.state, "uniform", count=playouts, seed=seed)
            black = sample.summary(game.komi)["black_win_rate"]
            value = black if color == BLACK else 1.0 - black
            if value > best_value:
                best, best_value = vertex, value
    return best


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
