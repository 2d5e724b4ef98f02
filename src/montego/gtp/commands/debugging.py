"""Commands that look inside: document 003's ``match_patterns`` and ``debug``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from montego.go.result import Result
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.gtp.commands.gogui import board_of
from montego.gtp.protocol import GtpError
from montego.gtp.registry import SYNTAX_ERROR, Arguments, command

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
    "Show where a playout from the position may begin, and for which reason (board): `capture`, "
    "`atari`, `two-liberties`, `eye-fix`, `nakade`, `pattern`, `fill-board`, `other-liberty` "
    "(instead of a self-atari) or `random`.",
)
def show_reasons(session: Session, arguments: Arguments) -> str:
    """Show where the playout policy may play, and why."""
    reasons = policy_reasons(session, _color(session, arguments))
    return board_of(session, lambda vertex: reasons.get(vertex, '""'))


def policy_reasons(session: Session, color: str) -> dict[str, str]:
    """Return the moves that a playout may begin with, each with the first reason's name."""
    from montego.go.playout.beginning import first_reasons  # noqa: PLC0415  # Loads NumPy.

    game, options = session.player.game, session.player.options
    found = first_reasons(
        game,
        color,
        policy=options.on_board(game.size).playout,
        rates=options.playout_rates(game.size),
        patterns=options.patterns,
    )
    return {vertex: reason.label for vertex, reason in found.items()}


@command(
    "montego-playout",
    "[SEED]",
    "Play one playout from the position, as the search would, and list its moves, each with the "
    "reason; the game stays as it is. Reasons are those of `montego-reasons`, `ko` and `pass`. The "
    "same seed plays the same playout; without one it is drawn, and told in the first line.",
)
def tell(session: Session, arguments: Arguments) -> str:
    """Tell a playout move by move."""
    arguments.expect(0, 1)
    seed = arguments.integer(0) if arguments.words else int.from_bytes(os.urandom(2), "big")
    if seed < 0:
        raise GtpError(SYNTAX_ERROR)
    from montego.engine.knowledge.definition import position_of  # noqa: PLC0415  # Loads NumPy.
    from montego.go.playout.telling import tell_playout  # noqa: PLC0415

    game, options = session.player.game, session.player.options
    policy = options.on_board(game.size).playout
    definition = options.game_definition(game.size, game.rules, game.komi)
    told = tell_playout(
        position_of(game, game.to_play),
        policy,
        seed,
        knowledge=definition.knowledge,
        limit=definition.longest_game,
    )
    lines = [f"policy {policy}, seed {seed}"]
    lines += [
        f"{number} {move.color[0].upper()} {move.vertex} {move.reason.label}"
        for number, move in enumerate(told.moves, 1)
    ]
    counts = ", ".join(f"{reason.label} {count}" for reason, count in told.counts().items())
    margin = told.score - game.compensation
    lines.append(f"reasons: {counts or 'none'}")
    lines.append(f"score: {Result.by_score(margin)}")
    return "\n".join(lines)


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
