"""A game as files keep it, and its tree of variations: every move that was ever played in it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, convert

# The classes of fields are needed at run time.
from montego.web.messages.replies import ClockFace, MoveReport, TreeNode
from montego.web.messages.requests import ClockSettings, Color, GameKind, Side, Strength

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = 0


class Reviewed(Struct, frozen=True, omit_defaults=True):
    """What a review found in the position of a node."""

    value: float
    """Black's chance."""
    best: str | None = None
    """The move that the search prefers there."""
    variation: tuple[str, ...] = ()
    score: float | None = None
    """Black's points minus White's."""
    simulations: int = 0


class StonesSetUp(Struct, frozen=True, omit_defaults=True):
    """Stones that a record puts on the board, or takes off, in mid-game."""

    black: tuple[str, ...] = ()
    white: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    to_play: Color | None = None
    """Who moves next; None for whoever would anyway."""


class GameNode(Struct, omit_defaults=True):
    """A move and the position after it.

    The root has no move, nor has a node of a record with stones set up or with mark-up alone.
    """

    id: int
    parent: int | None = None
    move: str | None = None
    color: Color | None = None
    number: int = 0
    value: float | None = None
    """Black's chance after the move."""
    score: float | None = None
    simulations: int = 0
    """That the value stands on."""
    comment: str = ""
    clocks: tuple[ClockFace, ClockFace] | None = None
    """After the move."""
    lines: list[str] = []
    """Why the move was played."""
    alternatives: list[MoveReport] = []
    plain: str = ""
    """Why, in one sentence."""
    judged: Reviewed | None = None
    followed: int | None = None
    """The child that was gone to last: what redo goes to."""
    setup: StonesSetUp | None = None
    marks: dict[str, str] = {}
    """What is drawn on points: ``circle``, ``cross``, ``square``, ``triangle``, or a label."""
    properties: dict[str, list[str]] = {}
    """What a record says here beside moves, stones and comments, as it writes it."""

    @property
    def explained(self) -> bool:
        """Whether it is known why the move was played."""
        return bool(self.lines)


class Agreement(Struct, frozen=True, omit_defaults=True):
    """What was agreed on before the first move, and never changes."""

    kind: GameKind = "go"
    game: str = ""
    """The name of a game of one's own."""
    size: int = 9
    komi: float = 0.0
    rules: str = ""
    handicap: int = 0
    """Stones that Black was given."""
    black: tuple[str, ...] = ()
    """Stones on the board at the root, the handicap among them."""
    white: tuple[str, ...] = ()
    first: Color = "black"
    """Who moves first."""


class GameOutcome(Struct, frozen=True, omit_defaults=True):
    """How the game ended at a node, by something else than the position."""

    node: int
    text: str
    """In words, with the reason."""
    winner: Color | None
    sgf: str
    """As records write it: ``"B+R"``."""
    how: Literal["resignation", "time", "count", "record"]
    dead: tuple[str, ...] = ()
    """Stones that the accepted count took off."""


class SavedGame(Struct, omit_defaults=True):
    """A game, whole."""

    id: str
    name: str
    agreement: Agreement
    created: float
    """In seconds since 1970, as :attr:`changed`."""
    changed: float
    black: Side = "human"
    white: Side = "human"
    mode: Literal["game", "analysis"] = "game"
    strength: Strength = Strength()
    clock: ClockSettings = ClockSettings()
    clocks: tuple[ClockFace, ClockFace] | None = None
    nodes: list[GameNode] = []
    next_id: int = 1
    head: int = 0
    outcome: GameOutcome | None = None
    dead: list[str] = []
    """Stones marked while counting."""
    proposal: list[str] | None = None
    """What Montego takes for dead; None if it has not been asked."""
    paused: bool = False
    player_names: tuple[str, str] = ("", "")
    """As a record gave them; empty for those of the session."""
    record_name: str = ""
    """What the game was called when it was read from a record; empty if it was not."""
    notice: str = ""
    archived: bool = False
    helped: bool = False
    """Whether the person was helped, or met several opponents: then it says nothing of strength."""
    format: int = 1


def new_id() -> str:
    """Return an id that no other game has."""
    return secrets.token_hex(8)


class GameTree:
    """Nodes by number. Numbers grow and are never used again, so parents come before children."""

    def __init__(self, nodes: list[GameNode] | None = None, next_id: int = 1) -> None:
        """Begin with a root, or with nodes that were kept.

        Raises:
            ValueError: If the nodes are no tree.
        """
        self._nodes: dict[int, GameNode] = {}
        self._children: dict[int, list[int]] = {}
        for node in nodes or [GameNode(id=ROOT)]:
            is_placed = node.parent is None if node.id == ROOT else node.parent in self._nodes
            if node.id in self._nodes or not is_placed:
                raise ValueError("the moves of the game are damaged")
            self._keep(node)
        for node in self:
            if node.followed is not None and node.followed not in self._children[node.id]:
                raise ValueError("the moves of the game are damaged")
        self.next_id = max(next_id, max(self._nodes) + 1)

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[GameNode]:
        """Yield every node, parents before children."""
        return iter(self._nodes.values())

    def __contains__(self, number: int) -> bool:
        return number in self._nodes

    def __getitem__(self, number: int) -> GameNode:
        """Return a node; raises ValueError if there is none of that number."""
        try:
            return self._nodes[number]
        except KeyError:
            raise ValueError("there is no such move any more") from None

    def children(self, number: int) -> list[GameNode]:
        """Return the moves that were played after a node, the first one first."""
        return [self._nodes[child] for child in self._children[number]]

    def child(self, number: int, color: Color, move: str) -> GameNode | None:
        """Return the node of a move that was already played there."""
        played = (
            node for node in self.children(number) if (node.color, node.move) == (color, move)
        )
        return next(played, None)

    def add(self, parent: int, color: Color, move: str) -> GameNode:
        """Return a new node for a move that was not yet played there."""
        number = self[parent].number + 1
        node = GameNode(id=self.next_id, parent=parent, move=move, color=color, number=number)
        self.next_id += 1
        self._keep(node)
        return node

    def add_without_move(self, parent: int, setup: StonesSetUp | None) -> GameNode:
        """Return a new node with stones set up, or nothing but what a record says there."""
        number = self[parent].number
        node = GameNode(id=self.next_id, parent=parent, number=number, setup=setup)
        self.next_id += 1
        self._keep(node)
        return node

    def delete(self, number: int) -> None:
        """Forget a node and all that follows.

        Raises:
            ValueError: If it is the root, or there is no such node.
        """
        parent = self[number].parent
        if parent is None:
            raise ValueError("the beginning of the game cannot be deleted")
        self._children[parent].remove(number)
        if self[parent].followed == number:
            self[parent].followed = None
        waiting = [number]
        while waiting:
            gone = waiting.pop()
            waiting += self._children.pop(gone)
            del self._nodes[gone]

    def path(self, number: int) -> list[GameNode]:
        """Return the nodes from the root to a node, both included."""
        nodes = [self[number]]
        while nodes[-1].parent is not None:
            nodes.append(self._nodes[nodes[-1].parent])
        return nodes[::-1]

    def is_under(self, number: int, ancestor: int) -> bool:
        """Say whether a node is another one, or follows it."""
        return any(node.id == ancestor for node in self.path(number))

    def follow(self, number: int) -> None:
        """Remember the way to a node: redo goes it again."""
        for node in self.path(number):
            if node.parent is not None:
                self._nodes[node.parent].followed = node.id

    def next(self, number: int) -> GameNode | None:
        """Return the child that redo goes to: the one followed last, else the first."""
        node = self[number]
        if node.followed is not None:
            return self._nodes[node.followed]
        children = self._children[number]
        return self._nodes[children[0]] if children else None

    def line(self, number: int) -> list[GameNode]:
        """Return the nodes from the root through a node to the end of its line."""
        nodes = self.path(number)
        while (following := self.next(nodes[-1].id)) is not None:
            nodes.append(following)
        return nodes

    def evaluate(self, number: int, value: float, score: float | None, simulations: int) -> None:
        """Keep what a search found about a position, unless a longer one has been there."""
        node = self._nodes.get(number)
        if node is not None and simulations and simulations >= node.simulations:
            node.value, node.score, node.simulations = value, score, simulations

    def shown(self) -> list[TreeNode]:
        """Return the tree as pages see it."""
        return convert(list(self), list[TreeNode], from_attributes=True)

    def _keep(self, node: GameNode) -> None:
        self._nodes[node.id] = node
        self._children[node.id] = []
        if node.parent is not None:
            self._children[node.parent].append(node.id)
