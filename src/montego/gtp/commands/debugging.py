"""Commands that look inside: document 003's ``match_patterns`` and ``debug``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from montego.go.color import WHITE, parse_color
from montego.go.vertex import format_vertex, parse_vertex
from montego.gtp.commands.gogui import board_of
from montego.gtp.registry import Arguments, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.go.board import Board
    from montego.go.game import Game
    from montego.gtp.session import Session

ANSWERS = 100  # How often the rules of the playout are asked.


@command(
    "match_patterns",
    "[COLOR]",
    "List the moves of a player, or of the player to move, that match a 3x3 pattern, that "
    "capture, and that save stones from atari.",
)
def match_patterns(session: Session, arguments: Arguments) -> str:
    """List moves that the knowledge of the playouts would notice."""
    color = _color(session, arguments)
    found = {
        "patterns": " ".join(
            f"{vertex}({'+'.join(names)})"
            for vertex, names in pattern_moves(session, color).items()
        ),
        "captures": " ".join(capturing_moves(session.player.game, color)),
        "escapes": " ".join(escaping_moves(session.player.game, color)),
    }
    return "\n".join(f"{name}: {text}".rstrip() for name, text in found.items())


@command("montego-patterns", "[COLOR]", "Mark the moves of `match_patterns` (graphics).")
def show_patterns(session: Session, arguments: Arguments) -> str:
    """Mark moves that the knowledge of the playouts would notice."""
    color = _color(session, arguments)
    game = session.player.game
    marks = {
        "SQUARE": list(pattern_moves(session, color)),
        "TRIANGLE": capturing_moves(game, color),
        "CIRCLE": escaping_moves(game, color),
    }
    lines = [f"{mark} {' '.join(vertices)}" for mark, vertices in marks.items() if vertices]
    return "\n".join([*lines, "TEXT squares: patterns; triangles: captures; circles: escapes"])


@command(
    "debug",
    "",
    "Show the chains with their liberties, and what the search tree knows about each move.",
)
def debug(session: Session, _arguments: Arguments) -> str:
    """Show the inside of board and tree."""
    board = session.player.game.board
    lines = ["chains:"]
    for chain in chains(board):
        liberties = board.liberties(chain[0])
        lines.append(
            f"  {board.color_at(chain[0])} {' '.join(chain)}: "
            f"{len(liberties)} liberties {' '.join(liberties)}"
        )
    analysis = session.player.analyze(limit=1)
    lines.append("moves in the tree: visits, value, RAVE visits, RAVE value, prior")
    lines.extend(
        f"  {info.vertex}: {info.visits} {info.value:.3f} "
        f"{info.rave_visits:.0f} {info.rave_value:.3f} {info.prior:.4f}"
        for info in analysis.moves
    )
    return "\n".join(lines)


@command(
    "montego-reasons",
    "[COLOR]",
    "Show where the playouts would answer the last moves, and by which rule (board).",
)
def show_reasons(session: Session, arguments: Arguments) -> str:
    """Show the answers of the sequence-like playout."""
    reasons = policy_reasons(session, _color(session, arguments))
    return board_of(session, lambda vertex: reasons.get(vertex, '""'))


def policy_reasons(session: Session, color: str) -> dict[str, str]:
    """Return the moves that the sequence-like playout might answer with, and the rule's name.

    The rules have chances, so they are asked many times; a move that several rules find has the
    first one's name.
    """
    from montego.go.layout import (  # noqa: PLC0415  # Loads NumPy.
        BEFORE_LAST,
        EMPTY_COUNT,
        KO,
        LAST,
        PASS,
        coordinates_of,
    )
    from montego.go.playout.sequence import Reason, answer  # noqa: PLC0415  # Loads NumPy.
    from montego.jit import interpreted  # noqa: PLC0415  # As above.
    from montego.jit.index import Index  # noqa: PLC0415
    from montego.mcts.scratch import new_scratch  # noqa: PLC0415

    game = session.player.game
    options = session.player.options.replace(playout="sequence")
    definition = options.game_definition(game.size, game.rules, game.komi)
    scratch = new_scratch(definition.longest_game, 1, definition.scratch_room)
    state = game.board.state.copy()
    last, before, ko = (Index(state[at]) for at in (LAST, BEFORE_LAST, KO))
    player, empties = parse_color(color), int(state[EMPTY_COUNT])
    ask = interpreted(answer)  # A few calls are not worth a compilation.
    found: dict[str, str] = {}
    for _ in range(ANSWERS):
        move, reason = ask(state, definition.knowledge, scratch, player, last, before, ko, empties)
        if move != PASS:
            vertex = format_vertex(coordinates_of(int(move), game.size))
            found.setdefault(vertex, Reason(int(reason)).name.lower())
    return found


def _color(session: Session, arguments: Arguments) -> str:
    arguments.expect(0, 1)
    return arguments.color(0) if arguments.words else session.player.game.to_play


def chains(board: Board) -> Iterator[list[str]]:
    """Yield every chain once, in reading order of its first stone."""
    seen: set[str] = set()
    for index, row in enumerate(board.rows()):
        for column, stone in enumerate(row):
            vertex = format_vertex((column, board.size - 1 - index))
            if stone and vertex not in seen:
                chain = board.chain(vertex)
                seen.update(chain)
                yield chain


def capturing_moves(game: Game, color: str) -> list[str]:
    """Return the legal moves of *color* that capture, in reading order."""
    board = game.board
    found = {
        board.liberties(chain[0])[0]
        for chain in chains(board)
        if board.color_at(chain[0]) != color and len(board.liberties(chain[0])) == 1
    }
    return _in_reading_order(game, {move for move in found if game.fault(color, move) is None})


def escaping_moves(game: Game, color: str) -> list[str]:
    """Return the legal moves of *color* after which a chain of its in atari has more liberties."""
    board = game.board
    captures = capturing_moves(game, color)
    found = set()
    for chain in chains(board):
        if board.color_at(chain[0]) != color or len(board.liberties(chain[0])) != 1:
            continue
        for move in {*board.liberties(chain[0]), *captures}:
            if game.fault(color, move) is None:
                after = board.copy()
                after.play(color, move)
                if len(after.liberties(chain[0])) > 1:
                    found.add(move)
    return _in_reading_order(game, found)


def _in_reading_order(game: Game, vertices: set[str]) -> list[str]:
    def place(vertex: str) -> tuple[int, int]:
        coordinates = parse_vertex(vertex, game.size)
        assert coordinates is not None  # noqa: S101  # There are no passes among them.
        return -coordinates[1], coordinates[0]

    return sorted(vertices, key=place)


def pattern_moves(session: Session, color: str) -> dict[str, list[str]]:
    """Return the legal moves that match a 3x3 pattern, with the patterns' names."""
    from montego.go.layout import point_at  # noqa: PLC0415  # Loads NumPy.
    from montego.go.patterns import code_of, swap_colors  # noqa: PLC0415  # Loads NumPy.

    game = session.player.game
    names = _names_by_code(session.player.options.patterns)
    found = {}
    for vertex in game.legal_moves(color):
        coordinates = parse_vertex(vertex, game.size)
        assert coordinates is not None  # noqa: S101  # There are no passes among them.
        code = int(code_of(game.board.state, point_at(*coordinates, game.size)))
        matching = names.get(swap_colors(code) if parse_color(color) == WHITE else code)
        if matching:
            found[vertex] = matching
    return found


@cache
def _names_by_code(path: str | None) -> dict[int, list[str]]:
    """Return the names of the patterns that match each code with Black to move."""
    from montego.go.patterns import expand, read_patterns  # noqa: PLC0415  # Loads NumPy.

    names: dict[int, list[str]] = {}
    for pattern in read_patterns(path):
        for code in expand(pattern):
            names.setdefault(code, []).append(pattern.name)
    return names
