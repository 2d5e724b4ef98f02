"""The game itself: moves, variations, turns, clocks, the count and the end. No threads, no engine.

A :class:`LiveGame` is what a session keeps under its lock. Every method is quick; one that raises
has changed nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from montego.web.game.clocks import Clocks
from montego.web.game.go_referee import GoReferee
from montego.web.game.marks import marked
from montego.web.game.own_referee import OwnReferee
from montego.web.game.search_referee import SearchReferee
from montego.web.game.tree import ROOT, GameOutcome, GameTree
from montego.web.messages.limits import MOST_TREE_NODES

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition
    from montego.web.game.referee import Referee, State
    from montego.web.game.tree import Agreement, GameNode, SavedGame
    from montego.web.messages.replies import Count, Phase, Position
    from montego.web.messages.requests import Color, MarkTool, Side

STATES_KEPT = 600  # Positions held ready; others are played again from the nearest.


def referee_for(agreement: Agreement, own: GameDefinition | None = None) -> Referee:
    """Return the referee of a game; raises ValueError if the agreement makes no sense.

    *own* is the game of the file that Montego was started with.
    """
    if agreement.kind == "go":
        return GoReferee(agreement)
    if agreement.kind == "own":
        if own is None or own.name != agreement.game:
            raise ValueError(
                f"this is a game of {agreement.game or 'your own'}: start montego play with the "
                "file that has its rules"
            )
        return OwnReferee(own)
    return SearchReferee(agreement.kind, agreement.size)


class LiveGame:
    """One game, its variations, and where it stands."""

    def __init__(self, saved: SavedGame, own: GameDefinition | None = None) -> None:
        """Go on with a game as it was kept; raises ValueError if what was kept makes no sense."""
        self.referee = referee_for(saved.agreement, own)
        self.agreement = saved.agreement
        self.tree = GameTree(saved.nodes or None, saved.next_id)
        self.head = self.tree[saved.head].id
        self.sides: dict[Color, Side] = {"black": saved.black, "white": saved.white}
        self.mode: Literal["game", "analysis"] = saved.mode
        self.outcome = saved.outcome
        self.dead = frozenset(saved.dead)
        self.proposal = None if saved.proposal is None else frozenset(saved.proposal)
        self.paused = saved.paused
        self.clocks: Clocks | None = None
        if saved.clock.kind != "none":
            self.clocks = Clocks(saved.clock, saved.clocks)
        self._states: OrderedDict[int, State] = OrderedDict()
        self._positions: OrderedDict[int, Position] = OrderedDict()
        self._id = saved.id
        self.state(self.head)

    # What there is

    def state(self, number: int) -> State:
        """Return the position at a node, for the referee."""
        if number in self._states:
            self._states.move_to_end(number)
            return self._states[number]
        missing: list[GameNode] = []
        node = self.tree[number]
        while node.id not in self._states and node.parent is not None:
            missing.append(node)
            node = self.tree[node.parent]
        state = self._states.get(node.id)
        if state is None:
            state = self.referee.start()
            self._keep(node.id, state)
        for step in reversed(missing):
            if step.color is not None and step.move is not None:
                state = self.referee.play(state, step.color, step.move)
            elif step.setup is not None:
                state = self.referee.set_up(state, step.setup)
            self._keep(step.id, state)
        return state

    def position(self, number: int) -> Position:
        """Return the position at a node as pages show it."""
        found = self._positions.get(number)
        if found is None:
            found = self.referee.position(self.state(number), game=self._id, node=number)
            self._positions[number] = found
            if len(self._positions) > STATES_KEPT:
                self._positions.popitem(last=False)
        return found

    def is_over(self, number: int) -> bool:
        """Say whether nobody can move any more at a node."""
        state = self.state(number)
        return self.referee.result(state) is not None or self.referee.is_to_count(state)

    def moves(self, number: int) -> tuple[tuple[Color, str], ...]:
        """Return the moves from the root to a node."""
        return tuple(
            (node.color, node.move)
            for node in self.tree.path(number)
            if node.color is not None and node.move is not None
        )

    @property
    def to_play(self) -> Color:
        """Whose turn it is at the head."""
        return self.referee.to_play(self.state(self.head))

    @property
    def people(self) -> list[Color]:
        """The colors that people play; none if programs play one another."""
        free = self.mode == "analysis"
        return [color for color, side in self.sides.items() if free or side == "human"]

    @property
    def phase(self) -> Phase:
        """How far the game is, at the head."""
        state = self.state(self.head)
        if self.ended_here is not None or self.referee.result(state) is not None:
            return "over"
        return "counting" if self.referee.is_to_count(state) else "playing"

    @property
    def ended_here(self) -> GameOutcome | None:
        """How the game ended at the head, if it did by something else than the position."""
        return self.outcome if self.outcome and self.outcome.node == self.head else None

    @property
    def result(self) -> str | None:
        """The result in words, if the game is over at the head."""
        if self.ended_here is not None:
            return self.ended_here.text
        return self.referee.result(self.state(self.head))

    @property
    def winner(self) -> Color | None:
        """Who won, if the game is over at the head; None for a draw."""
        if self.ended_here is not None:
            return self.ended_here.winner
        return self.referee.winner(self.state(self.head))

    @property
    def turn_of_program(self) -> Color | None:
        """The color for which a program should move now, if one should."""
        if self.mode == "analysis" or self.phase != "playing":
            return None
        color = self.to_play
        return None if self.sides[color] == "human" else color

    def unreviewed(self, line: list[GameNode]) -> list[GameNode]:
        """Return the positions of a line that no review has looked at."""
        missing = [node for node in line if node.judged is None]
        if missing and missing[-1] is line[-1] and self.is_over(line[-1].id):
            missing.pop()  # Nobody moves there any more.
        return missing

    # Moves

    def play(self, number: int, text: str, now: float) -> GameNode:
        """Play a move after a node, which becomes the head; what was played before is kept.

        In analysis that is any node, and no clock runs; else it is the head, and whoever moves
        presses the clock.

        Raises:
            ValueError: If the game is not there any more, the move is illegal, or there are too
                many variations.
        """
        is_game = self.mode == "game"
        if is_game and number != self.head:
            raise ValueError("the game has moved on")
        if is_game and self.phase == "over":
            raise ValueError("the game is over")
        if is_game and self.phase == "counting":
            raise ValueError("the game is being counted: undo to play on")
        state = self.state(number)
        color = self.referee.to_play(state)
        move = self.referee.move_name(state, text)
        node = self.tree.child(number, color, move)
        if node is None:
            after = self.referee.play(state, color, move)
            if len(self.tree) >= MOST_TREE_NODES:
                raise ValueError(f"a game holds {MOST_TREE_NODES} moves: delete a variation first")
            node = self.tree.add(number, color, move)
            self._keep(node.id, after)
        self._go(node.id)
        if is_game and self.clocks is not None:
            self.clocks.press(color, now)
            node.clocks = self.clocks.shown(now)
        return node

    def undo_target(self) -> int | None:
        """Return the node that undo goes to; the head itself if it takes back the end."""
        end, people = self._own_end, self.people
        if end is not None and (
            end.how == "count" or (end.how == "resignation" and self.to_play in people)
        ):
            return self.head  # Play can go on there.
        node = self.tree[self.head]
        while node.parent is not None:
            node = self.tree[node.parent]
            if len(people) != 1 or self.referee.to_play(self.state(node.id)) == people[0]:
                return node.id
        return None if end is None else self.head

    def undo(self) -> None:
        """Take back the end of the game, or moves until it is a person's turn; none is deleted.

        Raises:
            ValueError: If there is nothing to take back.
        """
        target = self.undo_target()
        if target is None:
            raise ValueError("there is nothing to take back")
        end = self._own_end
        if end is not None:
            self.dead, self.outcome = frozenset(end.dead), None
        if target != self.head:
            self.set_head(target, follow=False)
        elif self.phase == "playing":
            self._restore_clocks()

    def redo_target(self) -> int | None:
        """Return the node that redo goes to."""
        people = self.people
        node = self.tree.next(self.head)
        while node is not None:
            following = self.tree.next(node.id)
            color = self.referee.to_play(self.state(node.id))
            if following is None or len(people) != 1 or color == people[0]:
                return node.id
            node = following
        return None

    def redo(self) -> None:
        """Go again to what was taken back; raises ValueError if there is nothing."""
        target = self.redo_target()
        if target is None:
            raise ValueError("there is nothing to do again")
        self.set_head(target)

    def set_head(self, number: int, *, follow: bool = True) -> None:
        """Go on from another node, with the clocks as they were there.

        Raises:
            ValueError: If there is no such node.
        """
        self.state(number)
        self._go(number, follow=follow)
        self._restore_clocks()

    def delete(self, number: int) -> None:
        """Forget a variation; the head moves before it if it was inside.

        Raises:
            ValueError: If it is the root, or there is no such node.
        """
        parent = self.tree[number].parent
        if parent is not None and self.tree.is_under(self.head, number):
            self.set_head(parent, follow=False)
        if self.outcome and self.tree.is_under(self.outcome.node, number) and parent is not None:
            self.outcome = None
        self.tree.delete(number)
        for kept in (self._states, self._positions):
            for gone in [key for key in kept if key not in self.tree]:
                del kept[gone]

    # The end

    def resign(self) -> None:
        """Give up for the person who plays a program, or whose turn it is among people.

        Raises:
            ValueError: If nobody can.
        """
        people = self.people
        if self.mode == "analysis":
            raise ValueError("in analysis nobody plays to win")
        if self.phase == "over":
            raise ValueError("the game is over")
        if not people:
            raise ValueError("nobody here can resign: programs play both colors")
        loser = people[0] if len(people) == 1 else self.to_play
        name = "you" if len(people) == 1 else self.referee.names[loser]
        self.lose("resignation", loser, f"{name} resigned")

    def lose(self, how: Literal["resignation", "time"], loser: Color, reason: str) -> None:
        """End the game at the head: a player resigned, or has no time left."""
        winner: Color = "white" if loser == "black" else "black"
        text = f"{self.referee.names[winner]} wins: {reason}"
        sgf = f"{winner[0].upper()}+{'R' if how == 'resignation' else 'T'}"
        self.outcome = GameOutcome(self.head, text, winner, sgf, how)

    @property
    def count(self) -> Count | None:
        """The count, while the board is counted and after that."""
        state = self.state(self.head)
        if not self.referee.is_to_count(state):
            return None
        if self.ended_here is not None:
            return self.referee.count(state, self.ended_here.dead, proposed=False)
        proposed = self.proposal is not None and self.dead == self.proposal
        count = self.referee.count(state, self.dead, proposed=proposed)
        return structs.replace(count, acceptable=self.proposal is not None or bool(self.dead))

    def mark(self, vertex: str) -> None:
        """Change whether the group at a point is dead.

        Raises:
            ValueError: If nothing is being counted, or there is no stone.
        """
        self.require_counting()
        state = self.state(self.head)
        name = self.referee.move_name(state, vertex)
        group = self.referee.group(state, name, self.dead)
        dead = self.dead - group if name in self.dead else self.dead | group
        self.referee.count(state, dead, proposed=False)
        self.dead = dead

    def propose(self, dead: frozenset[str]) -> None:
        """Mark what Montego takes for dead, unless a person marked stones before it was known."""
        if self.proposal is not None or not self.dead:
            self.dead = dead
        self.proposal = dead

    def accept_count(self) -> None:
        """End the game with the count as it is.

        Raises:
            ValueError: If nothing is being counted, or nobody has said yet which stones are dead.
        """
        self.require_counting()
        count = self.count
        if count is None:
            return
        if not count.acceptable:
            raise ValueError("Montego is still looking for dead stones")
        margin = count.black - count.white
        winner: Color | None = None if margin == 0 else "black" if margin > 0 else "white"
        text = f"{count.result}: {count.black:g} to {count.white:g}"
        sgf = "0" if winner is None else f"{winner[0].upper()}+{abs(margin):g}"
        self.outcome = GameOutcome(self.head, text, winner, sgf, "count", tuple(count.dead))

    def draw(self, number: int, move: str, tool: MarkTool) -> None:
        """Draw on a point of a node's board, see :func:`~montego.web.game.marks.marked`.

        Raises:
            ValueError: If there is no such node or point, or it is not a game of Go.
        """
        node = self.tree[number]
        if self.agreement.kind != "go":
            raise ValueError("only boards of Go are drawn on")
        vertex = self.referee.move_name(self.state(number), move)
        if vertex == "pass":
            raise ValueError("a pass is not on the board")
        node.marks = marked(node.marks, vertex, tool)

    def require_counting(self) -> None:
        """Raise a sentence unless the board is being counted."""
        if self.phase != "counting":
            raise ValueError("the board is counted after two passes")

    # Inside

    @property
    def _own_end(self) -> GameOutcome | None:
        """The end of the game at the head; what a record says of its end stays with it."""
        end = self.ended_here
        return None if end is None or end.how == "record" else end

    def _go(self, number: int, *, follow: bool = True) -> None:
        if number != self.head:
            self.dead, self.proposal = frozenset(), None
        self.head = number
        if follow:
            self.tree.follow(number)

    def _restore_clocks(self) -> None:
        if self.clocks is None:
            return
        known = [node.clocks for node in self.tree.path(self.head) if node.clocks is not None]
        self.clocks.put(known[-1] if known else self.clocks.full())

    def _keep(self, number: int, state: State) -> None:
        self._states[number] = state
        self._states.move_to_end(number)
        if len(self._states) > STATES_KEPT:
            # The root is cheap to have, and where every other one can be played from.
            oldest = next(key for key in self._states if key != ROOT)
            del self._states[oldest]
