"""Games of Go from records and to records, with all variations and all that is said in them.

:mod:`montego.go.sgf.record` knows the format; here its nodes become the nodes of a session and
back. What a session has no use for, such as mark-up, stays with the nodes as the record writes it.
What a session cannot hold is told in the game's notice: a line ends at a move that cannot be
played.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from montego.go.handicap import HANDICAP_KOMI, most_fixed_stones
from montego.go.result import Result, parse_result
from montego.go.sgf.record import new_record, parse_sgf
from montego.go.vocabulary.color import opponent
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_rules, rules_name
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.web.game.go_referee import GoReferee, handicap_stones, points_in_words
from montego.web.game.tree import (
    ROOT,
    Agreement,
    GameOutcome,
    GameTree,
    SavedGame,
    StonesSetUp,
    new_id,
)
from montego.web.messages.limits import MOST_BOARD, MOST_TREE_NODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.go.sgf.node import Node as RecordNode
    from montego.go.sgf.record import Record
    from montego.web.game.tree import GameNode
    from montego.web.messages.requests import Color

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_NOTICES = 3
LONGEST_NAME = 80

_NODE = frozenset({"B", "W", "AB", "AW", "AE", "PL", "C"})
"""Properties that the nodes of a session have in their own terms."""

_ROOT = frozenset({"SZ", "CA", "B", "W", "AB", "AW", "C", "PB", "PW", "RE"})
"""The same for the root. Everything else that is agreed on before a game never changes."""


SHAPES = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}
"""What records call shapes on points, and how pages call them."""


def read_game(data: bytes, name: str = "") -> SavedGame:
    """Return the first game of a record, ready for analysis at the end of its main line.

    A long record takes a moment: not for the event loop.

    Raises:
        GoError: If it is no record of Go, or its beginning makes no sense.
    """
    record = parse_sgf(data)
    notices: list[str] = list(record.warnings[:-1] if record.games > 1 else record.warnings)
    root, comment, properties = _root_of(record)
    agreement = _agreement(record, root, notices)
    try:
        referee = GoReferee(agreement)
    except GoError as error:
        raise GoError(f"the record begins with a position that cannot be: {error}") from None
    tree = GameTree()
    tree[ROOT].comment, tree[ROOT].properties = comment, properties
    tree[ROOT].marks = _take_marks(properties, record.size)
    _read_nodes(root, tree, referee, notices)
    head = tree.line(ROOT)[-1].id
    outcome = _outcome(record.result, head)
    if outcome is None and record.result:
        properties["RE"] = [record.result.replace("\\", "\\\\").replace("]", "\\]")]
    moment, title = time.time(), _title(record, name)
    return SavedGame(
        id=new_id(),
        name=title,
        agreement=agreement,
        created=moment,
        changed=moment,
        mode="analysis",
        nodes=list(tree),
        next_id=tree.next_id,
        head=head,
        outcome=outcome,
        player_names=record.player_names,
        record_name=title,
        notice=_notice(notices, record.games),
    )


def _root_of(record: Record) -> tuple[RecordNode, str, dict[str, list[str]]]:
    """Return the node that sets up the board, and comments and other properties up to there.

    Some programs leave the first node to the players' names.
    """
    node, comments = record.root, [record.root.comment]
    properties = _properties(node, _ROOT)
    while node.move is None and not any(node.setup) and len(node.children) == 1:
        child = node.children[0]
        if child.move is not None or not any(child.setup):
            break
        node = child
        comments.append(node.comment)
        properties |= _properties(node, _ROOT)
    return node, "\n".join(filter(None, comments)), properties


def _properties(node: RecordNode, known: frozenset[str]) -> dict[str, list[str]]:
    """Return what a node says besides *known*."""
    return {name: node.raw(name) for name in node.properties if name not in known}


def _agreement(record: Record, root: RecordNode, notices: list[str]) -> Agreement:
    """Return what the game is played by."""
    rules = record.rules or parse_rules("chinese")
    black, white, _ = (_vertices(points) for points in root.setup)
    handicap, said = 0, root.to_play
    if record.handicap_to_place:
        if record.handicap <= most_fixed_stones(record.size):
            black = tuple(sorted(handicap_stones(record.size, record.handicap)))
        else:
            notices.append(f"the places of {record.handicap} handicap stones are not known")
    if len(black) >= 2 and not white and said != "black" and (record.handicap >= 2 or said is None):
        handicap = len(black)
    komi = record.komi
    if komi is None:
        komi = HANDICAP_KOMI if handicap else rules.komi
    colors = [node.move[0] for node in record.main_line() if node.move is not None]
    first: Color = "white" if handicap else said or (colors or ["black"])[0]
    return Agreement(
        kind="go",
        size=record.size,
        komi=komi,
        rules=rules_name(rules),
        handicap=handicap,
        black=black,
        white=white,
        first=first,
    )


def _read_nodes(root: RecordNode, tree: GameTree, referee: GoReferee, notices: list[str]) -> None:
    """Put every move of the record into the tree, the main line first."""
    start = referee.start()
    waiting = [(child, ROOT, start) for child in reversed(root.children)]
    if root.move is not None:  # Not as it should be, but it happens.
        waiting = [(root, ROOT, start)]
    while waiting:
        record, number, state = waiting.pop()
        is_root = record == root
        properties = {} if is_root else _properties(record, _NODE)
        try:
            setup = None if is_root else _setup_of(record)
            if setup is not None:
                state = referee.set_up(state, setup)
                number = tree.add_without_move(number, setup).id
            played = _move_of(record)
            if played is not None:
                state = referee.play(state, *played)
                number = (tree.child(number, *played) or tree.add(number, *played)).id
            elif setup is None and properties:
                number = tree.add_without_move(number, None).id
        except ValueError as error:
            notices.append(f"a line ends after move {tree[number].number}: {error}")
            continue
        node = tree[number]
        node.marks = node.marks | _take_marks(properties, referee.size)
        node.properties = node.properties | properties
        if record.comment and not is_root:
            node.comment = "\n".join(filter(None, (node.comment, record.comment)))
        if len(tree) >= MOST_TREE_NODES:
            notices.append(f"only the first {MOST_TREE_NODES} moves were read")
            return
        waiting += [(child, number, state) for child in reversed(record.children)]


def _setup_of(record: RecordNode) -> StonesSetUp | None:
    """Return the stones that a node sets up in mid-game, or whose turn it says it is."""
    if not record.sets_stones and (record.to_play is None or record.move is not None):
        return None
    black, white, empty = (_vertices(points) for points in record.setup)
    return StonesSetUp(black, white, empty, record.to_play)


def _move_of(record: RecordNode) -> tuple[Color, str] | None:
    """Return the move of a node; None if it has none."""
    if record.move is None:
        if record.raw("B") or record.raw("W"):
            raise GoError("the next move is not on the board")
        return None
    return record.move[0], format_vertex(record.move[1])


def _title(record: Record, name: str) -> str:
    players = " and ".join(filter(None, record.player_names))
    title = name.strip() or record.info("GN").strip() or players or "A record"
    return without_suffix(title)[:LONGEST_NAME]


def without_suffix(name: str) -> str:
    """Return the name of a game without the ``.sgf`` of a file; the name itself if that is all."""
    return name[:-4] if name.lower().endswith(".sgf") and len(name) > 4 else name


def _notice(notices: list[str], games: int) -> str:
    """Return what could not be read, as a line or two."""
    others = f"This is the first of {games} games in the file." if games > 1 else ""
    if not notices:
        return others
    shown = "; ".join(notices[:MOST_NOTICES])
    more = f"; and {len(notices) - MOST_NOTICES} more" if len(notices) > MOST_NOTICES else ""
    return f"{others} The record was mended: {shown}{more}.".strip()


def _outcome(text: str, node: int) -> GameOutcome | None:
    """Return the result that a record tells."""
    try:
        result = parse_result(text)
    except GoError:
        return None
    if result.how in ("unknown", "void"):
        return None
    return GameOutcome(node, _result_in_words(result), result.winner, text, "record")


def _result_in_words(result: Result) -> str:
    winner = result.winner
    if winner is None:
        return "A draw, says the record"
    name, loser = winner.capitalize(), opponent(winner).capitalize()
    if result.margin is not None:
        return f"{name} wins by {points_in_words(result.margin)}"
    reasons = {
        "resignation": f": {loser} resigned",
        "time": f": {loser} had no time left",
        "forfeit": " by forfeit",
    }
    return f"{name} wins{reasons.get(result.how, '')}"


def write_game(saved: SavedGame, names: tuple[str, str]) -> str:
    """Return a game with all its variations as the text of a record.

    *names* are Black's and White's, which a record has where they say more than the color. The
    line that was played last comes first everywhere.

    Raises:
        ValueError: If it is not a game of Go.
    """
    agreement = saved.agreement
    if agreement.kind != "go":
        raise ValueError("only games of Go can be saved as SGF")
    record = new_record(
        agreement.size,
        komi=agreement.komi,
        rules=agreement.rules,
        handicap=agreement.handicap,
        player_names=(
            "" if names[0] == "Black" else names[0],
            "" if names[1] == "White" else names[1],
        ),
    )
    root = record.root
    outcome, tree = saved.outcome, GameTree(saved.nodes or None, saved.next_id)
    if saved.record_name:
        root.set_text("AP", "")  # What numbers mean is up to the program that wrote them.
    else:
        root.set_text("DT", time.strftime("%Y-%m-%d", time.localtime(saved.created)))
    for name, values in tree[ROOT].properties.items():
        root.set_raw(name, values)
    if saved.name != saved.record_name:
        root.set_text("GN", saved.name)
    if outcome is not None and saved.mode == "game" and outcome.node != tree.line(ROOT)[-1].id:
        outcome = None  # The game was taken up again on another line.
    if saved.mode == "game" or outcome is not None:
        root.set_text("RE", "" if outcome is None else outcome.sgf)
    root.setup = (
        _points(agreement.black, agreement.size),
        _points(agreement.white, agreement.size),
        (),
    )
    has_stones = agreement.black or agreement.white
    if not agreement.handicap and (agreement.first != "black" or has_stones):
        root.to_play = agreement.first
    root.comment = tree[ROOT].comment
    _write_marks(root, tree[ROOT].marks, agreement.size)
    line = [] if outcome is None else tree.path(outcome.node)
    _write_nodes(tree, root, line, agreement.size)
    return record.to_sgf()


def _write_nodes(tree: GameTree, root: RecordNode, line: list[GameNode], size: int) -> None:
    """Write all variations; the main line leads through *line*, else where play went last."""
    first = {node.id for node in line}
    waiting = [(root, ROOT)]
    while waiting:
        written, number = waiting.pop()
        followed = tree[number].followed
        children = tree.children(number)
        for child in sorted(children, key=lambda n: (n.id not in first, n.id != followed)):
            if child.color is not None and child.move is not None:
                node = written.add_move(child.color, parse_vertex(child.move, MOST_BOARD))
            else:
                node = written.add_node()
            if child.setup is not None:
                black, white, empty = (
                    _points(stones, MOST_BOARD)
                    for stones in (child.setup.black, child.setup.white, child.setup.empty)
                )
                node.setup, node.to_play = (black, white, empty), child.setup.to_play
            node.comment = child.comment
            for name, values in child.properties.items():
                node.set_raw(name, values)
            _write_marks(node, child.marks, size)
            waiting.append((node, child.id))


def _take_marks(properties: dict[str, list[str]], size: int) -> dict[str, str]:
    """Take what is drawn on points out of the properties of a node.

    What is not as it should be, or lies on a point that has something already, stays there.
    """
    marks: dict[str, str] = {}
    for name in (*SHAPES, "LB"):
        found: dict[str, str] = {}
        for value in properties.get(name, []):
            text = SHAPES.get(name)
            place, _, label = value.partition(":")
            if name == "LB":
                text, corners = label, [place, place]
            else:
                corners = [place, label or place]
            points = _area(corners, size)
            is_doubtful = name == "LB" and ("\\" in label or label in SHAPES.values())
            if not points or not text or is_doubtful:
                found = {}
                break
            found |= {format_vertex(point): text for point in points}
        if found and not found.keys() & marks.keys():
            marks |= found
            del properties[name]
    return marks


def _area(corners: list[str], size: int) -> list[tuple[int, int]]:
    """Return the points between two corners as SGF writes them; none if they are not there."""
    places = []
    for corner in corners:
        place = [_LETTERS.find(letter) for letter in corner]
        if len(place) != 2 or not all(0 <= line < size for line in place):
            return []
        places.append(place)
    (left, top), (right, bottom) = places
    columns, rows = range(left, right + 1), range(top, bottom + 1)
    return [(column, size - 1 - row) for row in rows for column in columns]


def _write_marks(node: RecordNode, marks: dict[str, str], size: int) -> None:
    """Write what is drawn on points as a record has it."""
    written: dict[str, list[str]] = {}
    names = {shape: name for name, shape in SHAPES.items()}
    for vertex, mark in sorted(marks.items()):
        point = parse_vertex(vertex, size)
        if point is None:
            continue
        place = f"{_LETTERS[point[0]]}{_LETTERS[size - 1 - point[1]]}"
        escaped = mark.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
        value = place if mark in names else f"{place}:{escaped}"
        written.setdefault(names.get(mark, "LB"), []).append(value)
    for name, values in written.items():
        node.set_raw(name, [*node.raw(name), *values])


def _vertices(points: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(sorted(format_vertex(point) for point in points))


def _points(vertices: Iterable[str], size: int) -> set[tuple[int, int]]:
    return {point for vertex in vertices if (point := parse_vertex(vertex, size)) is not None}
