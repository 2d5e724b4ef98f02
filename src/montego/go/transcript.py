"""Games from records and records from games.

:mod:`montego.go.sgf` knows the text of records and nothing of play; :mod:`montego.go.game` knows
play and nothing of text. This module takes the one through the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.game import Move, Setup
from montego.go.handicap import most_fixed_stones
from montego.go.sgf.record import APPLICATION, new_record, parse_sgf
from montego.go.vocabulary.color import opponent
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import Rules
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from montego.go.game import Game
    from montego.go.sgf.node import Node
    from montego.go.sgf.record import Record
    from montego.go.vocabulary.color import Color


def replay(record: Record, game: Game, *, moves: int | None = None, strict: bool = False) -> None:
    """Play the record's main line on *game*, which is new, or its first *moves* moves.

    A step that cannot be done ends the line, with a warning in the record. A node that cannot be
    understood, such as a move off the board, is left out; the record has warned of it already.

    Raises:
        GoError: If *strict*, instead of either.
    """
    try:
        _replay_main_line(record, game, moves=moves, strict=strict)
    except GoError as error:
        if strict:
            raise
        record.warnings.append(f"{error}; the main line was not played further")


def _replay_main_line(record: Record, game: Game, *, moves: int | None, strict: bool) -> None:
    _replay_handicap(record, game, strict=strict)
    played = 0
    for node in record.main_line():
        ends = played == moves and bool(node.raw("B") or node.raw("W"))
        if strict:
            for name, message in node.faults():
                if not ends or name not in ("B", "W"):
                    raise GoError(f"move {played + 1}: {name}: {message}")
        _replay_setup(record, node, game)
        if ends:
            return
        if node.move is not None:
            color, point = node.move
            game.play_unless_impossible(color, format_vertex(point))
            played += 1


def _replay_handicap(record: Record, game: Game, *, strict: bool) -> None:
    """Place handicap stones that the record counts but does not place, as some servers do."""
    if record.handicap_to_place:
        if strict or record.handicap <= most_fixed_stones(game.size):
            game.fixed_handicap(record.handicap)
        else:
            record.warnings.append(f"handicap {record.handicap} has no fixed points on this board")


def _replay_setup(record: Record, node: Node, game: Game) -> None:
    if not _sets_up(node):
        return
    (black, white, empty), to_play = _stones_of(node), node.to_play
    first = not game.history
    if node.parent is None and not first and not any(node.setup) and to_play == "white":
        return  # White's turn goes without saying after the handicap stones just placed.
    # Black stones alone at the beginning are a handicap, unless the record says whose turn it
    # is and counts no handicap: then they are a position like any other.
    alone = first and len(black) >= 2 and not white
    counted = record.handicap >= 2 or (node.parent is None and not to_play)
    if alone and counted and to_play != "black":
        game.free_handicap(sorted(black))
    else:
        game.setup(black=black, white=white, empty=empty, to_play=to_play)


def transcribe(game: Game, record: Record | None, *, as_played: bool = False) -> Record:
    """Return a record with *game* as its main line: a copy of *record* with more, or a new one.

    Steps that the record has already are found again; others are added, and what the record had
    in their place becomes a variation. Moves of the record that follow the game's last one stay
    behind it, unless a player resigned there; *as_played* leaves them out. The result is the
    record's as long as the game is; else the game's, if it is decided (``Game.is_decided``).
    """
    if record is None:
        record = new_record(game.size, komi=game.komi, rules=game.rules, handicap=_placed(game))
    else:
        record = parse_sgf(record.to_sgf())
    line = record.main_line()
    done = _begin(game, record)
    if done is None:  # It is the record of another game.
        return transcribe(game, None)
    node, steps = record.root, game.history
    while done < len(steps):
        found = _find(node, steps, done)
        if found is None:
            node, made = _add(node, steps[done], game.size), 1
        else:
            node, made = found
        done += made
    if game.to_play != _next_player(steps):
        node = node.add_node()
        node.to_play = game.to_play
    is_same = node in line
    if as_played and node.move is not None and not (steps and isinstance(steps[-1], Move)):
        is_same = False
        for name in ("B", "W"):
            node.set_raw(name, [])
    if _goes_on(node):
        if as_played:
            is_same = False
            node.remove_children()
        elif game.resigned:
            is_same = False
            node = node.add_node()  # An empty one: the line ends here.
    _make_main_line(node)
    if (
        _update_root(game, record, as_played=as_played)
        or game.resigned
        or not is_same
        or not record.result
    ):
        _remove(record, "RE")
        record.root.set_text("RE", (game.result or "") if game.is_decided else "")
    return record


def _next_player(steps: list[Move | Setup]) -> Color:
    """Return whose turn it is after *steps* unless somebody says otherwise."""
    if not steps:
        return "black"
    last = steps[-1]
    return last.to_play if isinstance(last, Setup) else opponent(last.color)


def _begin(game: Game, record: Record) -> int | None:
    """Return how many steps of the game the root makes, after writing its first stones there.

    None if the root places stones or makes a move that the game has not.
    """
    root, steps = record.root, game.history
    first, placed = steps[0] if steps else None, _stones_of(root)
    if _sets_up(root) and isinstance(first, Setup) and first[:3] == placed:
        # Stones of Black's alone are a handicap, after which it is White's turn.
        alone = len(placed[0]) >= 2 and not placed[1]
        if first.to_play != (root.to_play or ("white" if alone else "black")):
            root.to_play = first.to_play
    done = _steps_made_by(root, steps)
    if done or not steps:
        return done
    if any(root.setup) or root.move is not None:
        return None
    if isinstance(steps[0], Setup) and _find(root, steps, 0) is None:
        _write_setup(root, steps[0], game.size)
        if _placed(game):
            root.to_play = None  # White's turn goes without saying.
        done = _steps_made_by(root, steps)
    return done


def _make_main_line(node: Node) -> None:
    """Make the main line lead through *node*."""
    above: Node | None = node
    while above is not None:
        above.make_first()
        above = above.parent


def _update_root(game: Game, record: Record, *, as_played: bool) -> bool:
    """Write komi, rules and handicap into the root where a reader would not find those of the game.

    Return whether komi or rules were changed: then the record's result is of no use.
    """
    root, changed = record.root, False
    if game.rules != (record.rules or Rules()):
        root.set_text("RU", str(game.rules))
        changed = True
    if game.komi != (game.rules.komi if record.komi is None else record.komi):
        root.set_text("KM", f"{game.komi:.10g}")
        if record.komi != game.komi:
            # Numbers of other programs' records may mean stones, or hundredths.
            root.set_text("AP", APPLICATION)
        changed = True
    placed = _placed(game)
    if placed and placed != record.handicap:
        root.set_text("HA", str(placed))
    elif not placed and (game.history or as_played) and record.handicap_to_place:
        _remove(record, "HA")
    return changed


def _placed(game: Game) -> int:
    """Return the handicap stones that were set up. Those that were played are moves in a record."""
    return game.handicap if game.history and isinstance(game.history[0], Setup) else 0


def _remove(record: Record, name: str) -> None:
    """Take a property of the game out of every node where a reader would find it."""
    for node in record.main_line():
        node.set_raw(name, [])


def _find(node: Node, steps: list[Move | Setup], done: int) -> tuple[Node, int] | None:
    """Return the descendant that makes the next step after *done*, and how many it makes.

    Nodes without a step, such as mere comments, lie on the way.
    """
    waiting = node.children[::-1]
    while waiting:
        child = waiting.pop()
        made = _steps_made_by(child, steps, done)
        if made > 0:
            return child, made
        if not _makes_step(child):
            waiting += reversed(child.children)
    return None


def _add(node: Node, step: Move | Setup, size: int) -> Node:
    if isinstance(step, Move):
        return node.add_move(step.color, parse_vertex(step.vertex, size))
    child = node.add_node()
    _write_setup(child, step, size)
    return child


def _steps_made_by(node: Node, steps: list[Move | Setup], done: int = 0) -> int:
    """Return how many steps after *done* the node makes: stones set up, a move, or both.

    0 if it makes others.
    """
    made = 0
    if _sets_up(node):
        first = steps[done] if done < len(steps) else None
        if not isinstance(first, Setup) or first[:3] != _stones_of(node):
            return 0
        if node.to_play not in (None, first.to_play):
            return 0
        made = 1
    if node.move is not None and done + made < len(steps):
        color, point = node.move
        if steps[done + made] != Move(color, format_vertex(point)):
            return 0
        made += 1
    return made


def _goes_on(node: Node) -> bool:
    """Say whether there is a step behind *node*, by first children."""
    while node.children:
        node = node.children[0]
        if _makes_step(node):
            return True
    return False


def _makes_step(node: Node) -> bool:
    return node.move is not None or _sets_up(node)


def _sets_up(node: Node) -> bool:
    """Say whether a node sets stones up, or says whose turn it is."""
    return any(node.setup) or node.to_play is not None


def _stones_of(node: Node) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the vertices that a node makes black, white and empty."""
    black, white, empty = (frozenset(map(format_vertex, points)) for points in node.setup)
    return black, white, empty


def _write_setup(node: Node, setup: Setup, size: int) -> None:
    points = [
        {point for vertex in group if (point := parse_vertex(vertex, size)) is not None}
        for group in setup[:3]
    ]
    node.setup = points[0], points[1], points[2]
    node.to_play = setup.to_play
