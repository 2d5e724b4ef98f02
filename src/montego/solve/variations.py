"""An answer as a game record: the position, and a variation for every first move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.sgf.record import new_record
from montego.go.vocabulary.color import BLACK, WHITE, format_color, opponent, parse_color
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from montego.go.board import Board
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
        node, color = root, parse_color(answer.to_move)
        for step, vertex in enumerate(move.line):
            node = node.add_move(format_color(color), parse_vertex(vertex, size))
            color = opponent(color)
            if step == 0:
                known = {True: "Works.", False: "Fails.", None: "Not known."}
                node.comment = known[move.works]
                if move.works:
                    node.set_raw("TE", ["1"])
                elif move.works is False:
                    node.set_raw("BM", ["1"])
    return record
