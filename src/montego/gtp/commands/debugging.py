"""Commands that look inside: document 003's ``match_patterns`` and ``debug``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.vertex import format_vertex, parse_vertex
from montego.gtp.commands.gogui import board_of
from montego.gtp.registry import Arguments, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.go.board import Board
    from montego.go.game import Game
    from montego.gtp.session import Session


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
    """Return the moves that the playout's rules suggest, each with the first rule's name."""
    from montego.go.playout.explain import suggestions  # noqa: PLC0415  # Loads NumPy.

    player = session.player
    found: dict[str, str] = {}
    for suggestion in suggestions(player.game, color, player.options.patterns):
        found.setdefault(suggestion.vertex, suggestion.reason.name.lower())
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
    from montego.go.playout.explain import matching_patterns  # noqa: PLC0415  # Loads NumPy.

    player = session.player
    found: dict[str, list[str]] = {}
    for vertex, name in matching_patterns(player.game, color, player.options.patterns):
        found.setdefault(vertex, []).append(name)
    return found
