"""An answer as a game record: the position, and a tree of variations for every first move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.sgf.record import new_record
from montego.go.vocabulary.color import BLACK, WHITE, format_color, opponent, parse_color
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.go.board import Board
    from montego.go.sgf.node import Node
    from montego.go.sgf.record import Record
    from montego.solve.answer import Answer


def to_record(board: Board, answer: Answer) -> Record:
    """Return the position with its answer as comments and variations; what works comes first."""
    size = board.size
    record = new_record(size)
    rows = board.rows()

    def stones(color: int) -> set[tuple[int, int]]:
        return {
            (column, size - 1 - line)
            for line, row in enumerate(rows)
            for column, found in enumerate(row)
            if found == color
        }

    root = record.root
    root.setup = stones(BLACK), stones(WHITE), set()
    root.to_play = answer.to_move
    root.comment = answer.in_words()
    for move in answer.moves:
        for number, line in enumerate((move.line, *move.variations)):
            first = _add_line(root, answer.to_move, line, size)
            if number > 0:
                continue
            known = {True: "Works.", False: "Fails.", None: "Not known."}
            first.comment = known[move.works]
            if move.works:
                first.set_raw("TE", ["1"])
            elif move.works is False:
                first.set_raw("BM", ["1"])
    return record


def _add_line(root: Node, to_move: str, line: Sequence[str], size: int) -> Node:
    """Add a line of moves, as far as it is not there yet; return its first node."""
    node, color = root, parse_color(to_move)
    path = []
    for vertex in line:
        move = format_color(color), parse_vertex(vertex, size)
        there = next((child for child in node.children if child.move == move), None)
        node = node.add_move(*move) if there is None else there
        path.append(node)
        color = opponent(color)
    return path[0]
