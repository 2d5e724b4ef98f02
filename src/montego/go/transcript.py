"""Games from records and records from games.

:mod:`montego.go.sgf` knows the text of records and nothing of play; :mod:`montego.go.game` knows
play and nothing of text. This module takes the one through the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.color import format_color, parse_color
from montego.go.errors import GoError
from montego.go.game import Move, Setup
from montego.go.handicap import most_fixed_stones
from montego.go.sgf import new_record, parse_sgf
from montego.go.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.go.game import Game
    from montego.go.sgf import Record
    from montego.go.sgf_node import Node


def replay(record: Record, game: Game) -> None:
    """Play the record's main line on *game*, which is new.

    A step that cannot be done ends the line, with a warning in the record. A move off the board is
    left out; the record has warned of it already.
    """
    try:
        _replay_handicap(record, game)
        for node in record.main_line():
            _replay_node(record, node, game)
    except GoError as error:
        record.warnings.append(f"{error}; the main line was not played further")


def _replay_handicap(record: Record, game: Game) -> None:
    """Place handicap stones that the record counts but does not place, as some servers do."""
    root = record.root
    black, white, _ = root.setup
    if record.handicap >= 2 and not black and not white:
        if record.handicap <= most_fixed_stones(game.size):
            game.fixed_handicap(record.handicap)
        else:
            record.warnings.append(f"handicap {record.handicap} has no fixed points on this board")


def _replay_node(record: Record, node: Node, game: Game) -> None:
    setup = _setup_of(node)
    if setup is not None:
        # Black stones alone at the beginning are a handicap, unless the record says whose turn it
        # is and counts no handicap: then they are a position like any other.
        alone = node.parent is None and len(setup.black) >= 2 and not setup.white
        if alone and setup.to_play != "black" and (record.handicap >= 2 or not setup.to_play):
            game.free_handicap(sorted(setup.black))
        else:
            game.setup(
                black=setup.black,
                white=setup.white,
                empty=setup.empty,
                to_play=setup.to_play or None,
            )
    if node.move is not None:
        color, point = node.move
        game.play_unless_impossible(color, format_vertex(point))


def transcribe(game: Game, record: Record | None) -> Record:
    """Return a record with all of *game* in it: a copy of *record* with more, or a new one.

    Steps that the record has already are found again; others are added as variations.
    """
    steps = game.history
    if record is None:
        record = new_record(game.size, komi=game.komi, rules=game.rules, handicap=game.handicap)
    else:
        record = parse_sgf(record.to_sgf())
        _update_root(game, record)
    node = record.root
    done = _steps_made_by(node, steps)
    if done == 0 and steps and isinstance(steps[0], Setup) and _setup_of(node) is None:
        _write_setup(node, steps[0], game.size)
        if game.handicap:
            node.to_play = None  # White's turn goes without saying.
        done = _steps_made_by(node, steps)
    while done < len(steps):
        found = _find(node, steps[done:])
        if found is None:
            node, made = _add(node, steps[done], game.size), 1
        else:
            node, made = found
        done += made
    if game.result is not None and not record.result:
        record.root.set_text("RE", game.result)
    return record


def _update_root(game: Game, record: Record) -> None:
    """Write komi and rules into the root where they are not what the record says."""
    rules = record.rules
    if game.rules != (rules or game.rules):
        record.root.set_text("RU", str(game.rules))
    if game.komi != (game.rules.komi if record.komi is None else record.komi):
        record.root.set_text("KM", f"{game.komi:.10g}")


def _find(node: Node, steps: list[Move | Setup]) -> tuple[Node, int] | None:
    """Return the descendant that makes the first of *steps*, and how many of them it makes.

    Nodes without a step, such as mere comments, lie on the way.
    """
    for child in node.children:
        made = _steps_made_by(child, steps)
        if made > 0:
            return child, made
        if _setup_of(child) is None and child.move is None:
            found = _find(child, steps)
            if found is not None:
                return found
    return None


def _add(node: Node, step: Move | Setup, size: int) -> Node:
    if isinstance(step, Move):
        return node.add_move(parse_color(step.color), parse_vertex(step.vertex, size))
    child = node.add_node()
    _write_setup(child, step, size)
    return child


def _steps_made_by(node: Node, steps: list[Move | Setup]) -> int:
    """Return how many of *steps* the node makes: stones set up, a move, or both; 0 if others."""
    made = 0
    setup = _setup_of(node)
    if setup is not None:
        first = steps[0] if steps else None
        if not isinstance(first, Setup) or first[:3] != setup[:3]:
            return 0
        made = 1
    if node.move is not None:
        color, point = node.move
        if steps[made : made + 1] != [Move(format_color(color), format_vertex(point))]:
            return 0
        made += 1
    return made


def _setup_of(node: Node) -> Setup | None:
    """Return what a node sets up, with ``to_play`` empty if it does not say; None for nothing."""
    black, white, empty = (_vertices(points) for points in node.setup)
    to_play = "" if node.to_play is None else format_color(node.to_play)
    return Setup(black, white, empty, to_play) if black or white or empty or to_play else None


def _write_setup(node: Node, setup: Setup, size: int) -> None:
    points = [
        {point for vertex in group if (point := parse_vertex(vertex, size)) is not None}
        for group in setup[:3]
    ]
    node.setup = points[0], points[1], points[2]
    node.to_play = parse_color(setup.to_play)


def _vertices(points: Iterable[tuple[int, int]]) -> frozenset[str]:
    return frozenset(format_vertex(point) for point in points)
