"""Commands that look inside: document 003's ``match_patterns`` and ``debug``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from montego.go.result import Result
from montego.gtp.analyze.lines import reading_order
from montego.gtp.commands.gogui import board_of
from montego.gtp.registry import SYNTAX_ERROR, Arguments, GtpError, command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.go.board import Board
    from montego.go.game import Game
    from montego.gtp.session import GtpSession


@command("match_patterns", "[COLOR]")
def match_patterns(session: GtpSession, arguments: Arguments) -> str:
    """List the moves of a player, or of the player to move, that match a 3x3 pattern, that capture,
    and that save stones from atari.
    """
    patterns, captures, escapes = _noticed_moves(session, arguments)
    found = {
        "patterns": [f"{vertex}({'+'.join(names)})" for vertex, names in patterns.items()],
        "captures": captures,
        "escapes": escapes,
    }
    return "\n".join(f"{name}: {' '.join(moves)}".rstrip() for name, moves in found.items())


@command("montego-patterns", "[COLOR]")
def show_patterns(session: GtpSession, arguments: Arguments) -> str:
    """Mark the moves of `match_patterns` (graphics)."""
    marks = zip(("SQUARE", "TRIANGLE", "CIRCLE"), _noticed_moves(session, arguments), strict=True)
    lines = [f"{mark} {' '.join(vertices)}" for mark, vertices in marks if vertices]
    return "\n".join([*lines, "TEXT squares: patterns; triangles: captures; circles: escapes"])


def _noticed_moves(
    session: GtpSession, arguments: Arguments
) -> tuple[dict[str, list[str]], list[str], list[str]]:
    """Return the moves that match a pattern, with its names, that capture, and that escape."""
    from montego.go.playout.explain import matching_patterns  # noqa: PLC0415  # Loads NumPy.

    game = session.player.game
    color = arguments.color_or_none() or game.to_play
    patterns: dict[str, list[str]] = {}
    for vertex, name in matching_patterns(game, color, session.player.options.patterns):
        patterns.setdefault(vertex, []).append(name)
    return patterns, capturing_moves(game, color), escaping_moves(game, color)


@command("debug")
def debug(session: GtpSession, _arguments: Arguments) -> str:
    """Show the chains with their liberties, and what the search tree knows about each move."""
    board = session.player.game.board
    lines = ["chains:"]
    for chain, liberties in chains(board):
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


@command("montego-reasons", "[COLOR]")
def show_reasons(session: GtpSession, arguments: Arguments) -> str:
    """Show where a playout from the position may begin, and for which reason (board): `capture`,
    `atari`, `two-liberties`, `eye-fix`, `nakade`, `pattern`, `fill-board`, `other-liberty` (instead
    of a self-atari) or `random`.
    """
    from montego.go.playout.explain import first_reasons  # noqa: PLC0415  # Loads NumPy.

    game, options = session.player.game, session.player.options
    found = first_reasons(
        game,
        arguments.color_or_none() or game.to_play,
        policy=options.on_board(game.size).playout,
        rates=options.playout_rates(game.size),
        patterns=options.patterns,
        order=options.rule_order,
    )
    return board_of(session, {vertex: reason.label for vertex, reason in found.items()})


@command("montego-playout", "[SEED]", words=(0, 1))
def tell(session: GtpSession, arguments: Arguments) -> str:
    """Play one playout from the position, as the search would, and list its moves, each with the
    reason; the game stays as it is. Reasons are those of `montego-reasons`, `ko` and `pass`. The
    same seed plays the same playout; without one it is drawn, and told in the first line.
    """
    seed = arguments.integer(0) if arguments.words else int.from_bytes(os.urandom(2), "big")
    if seed < 0:
        raise GtpError(SYNTAX_ERROR)
    from montego.engine.knowledge.definition import position_of  # noqa: PLC0415  # Loads NumPy.
    from montego.go.playout.trace import trace_playout  # noqa: PLC0415

    game, options = session.player.game, session.player.options
    policy = options.on_board(game.size).playout
    definition = options.game_definition(game.size, game.rules, game.komi)
    told = trace_playout(
        position_of(game, game.to_play),
        policy,
        seed,
        knowledge=definition.knowledge,
        limit=definition.longest_game,
        order=options.rule_order,
    )
    lines = [f"policy {policy}, seed {seed}"]
    lines += [
        f"{number} {move.color[0].upper()} {move.vertex} {move.reason.label}"
        for number, move in enumerate(told.moves, 1)
    ]
    counts = ", ".join(f"{reason.label} {count}" for reason, count in told.counts().items())
    lines.append(f"reasons: {counts or 'none'}")
    lines.append(f"score: {Result.by_score(told.score - game.compensation)}")
    return "\n".join(lines)


def chains(board: Board) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the stones and the liberties of every chain, in reading order of its first stone."""
    seen: set[str] = set()
    for vertex in reading_order(board.size):
        if vertex not in seen and board.color_at(vertex) is not None:
            chain = board.chain(vertex)
            seen.update(chain)
            yield chain, board.liberties(vertex)


def capturing_moves(game: Game, color: str) -> list[str]:
    """Return the legal moves of *color* that capture, in reading order."""
    found = {
        liberties[0]
        for chain, liberties in chains(game.board)
        if len(liberties) == 1 and game.board.color_at(chain[0]) != color
    }
    return [move for move in game.legal_moves(color) if move in found]


def escaping_moves(game: Game, color: str) -> list[str]:
    """Return the legal moves of *color* after which a chain of its in atari has more liberties."""
    board, legal = game.board, game.legal_moves(color)
    captures = capturing_moves(game, color)
    found = set()
    for chain, liberties in chains(board):
        if len(liberties) == 1 and board.color_at(chain[0]) == color:
            for move in {*liberties, *captures}.intersection(legal):
                after = board.copy()
                after.play(color, move)
                if len(after.liberties(chain[0])) > 1:
                    found.add(move)
    return [move for move in legal if move in found]
