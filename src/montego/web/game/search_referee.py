"""The rules of Hex, Connect 4 and tic-tac-toe, for a session.

The rules are those of :mod:`montego.games`, run interpreted: a person's move waits for no compiler.
Black is the first player. Cells are named as the games name moves; in Connect 4, where a move is a
column, the cell in column 4 and row 1 from below is ``"d1"``.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.games import make_game
from montego.jit import Kernel, interpreted
from montego.jit.state import new_scratch
from montego.web.game.referee import Referee
from montego.web.messages.replies import Position

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from montego.jit.state import State as Cells
    from montego.mcts.game import GameDefinition
    from montego.web.messages.requests import Color, GameKind

MARKS: dict[Color, str] = {"black": "X", "white": "O"}

Place = tuple[int, int]
"""A column and a row, counted from the top left."""


class Words(NamedTuple):
    """How people speak of a game, and its board."""

    black: str
    white: str
    width: int
    height: int
    line: int
    """Stones in a row that win; 0 for Hex."""
    full: str
    """What is wrong with a move that is not legal."""


WORDS: dict[str, Words] = {
    "hex": Words("Red", "Blue", 0, 0, 0, "{move} is taken"),
    "connect-four": Words("Red", "Yellow", 7, 6, 4, "column {move} is full"),
    "tic-tac-toe": Words("X", "O", 3, 3, 3, "{move} is taken"),
}


@dataclass(frozen=True, eq=False)
class SearchState:
    """A position of such a game. Nobody changes the array."""

    cells: Cells
    """As the game keeps it, for the search."""
    last: str | None = None
    """The last move; after a swap in Hex, the cell of the stone that was taken over."""


@cache
def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of a game as plain Python."""
    return interpreted(function) if isinstance(function, Kernel) else function


class SearchReferee(Referee):
    """Referee of Hex, Connect 4 or tic-tac-toe."""

    def __init__(self, kind: GameKind, size: int = 11) -> None:
        """Make the rules of a kind of game; only Hex asks for the *size*.

        Raises:
            ValueError: If there is no such game, or not of that size.
        """
        if kind not in WORDS:
            raise ValueError(f"there are no rules for {kind!r} here")
        self.kind: GameKind = kind
        self.words = WORDS[kind]
        self.definition: GameDefinition = make_game(kind, size=size if kind == "hex" else None)
        self.width = self.size = self.words.width or size
        self.height = self.words.height or size
        self.names = {"black": self.words.black, "white": self.words.white}

    @property
    def moves_expected(self) -> int:
        """How many moves a game may have, for the clock."""
        return self.width * self.height

    def start(self) -> SearchState:
        """Return the empty board."""
        return SearchState(self.definition.initial_state())

    def move_name(self, state: SearchState, move: str) -> str:
        """Return a move as the game writes it: ``"a1"`` for ``"A1"``."""
        number = self.definition.parse_move(state.cells, move)
        return self.definition.format_move(state.cells, number)

    def play(self, state: SearchState, color: Color, move: str) -> SearchState:
        """Return the position after a move; ValueError if it is not that color's turn, too."""
        number = self.definition.parse_move(state.cells, move)
        legal = self._legal(state)
        if not legal:
            raise ValueError("the game is over")
        if color != self.to_play(state):
            raise ValueError(f"it is not {self.names[color]}'s turn")
        text = self.definition.format_move(state.cells, number)
        if number not in legal:
            if text == "swap":
                raise ValueError("swapping is possible as the answer to the first move only")
            raise ValueError(self.words.full.format(move=text))
        cells = state.cells.copy()
        self._ask(self.definition.play, cells, number)
        after = SearchState(cells, text)
        if text == "swap":  # The board has one stone, and that is what the last move made.
            taken = self.cells(after).index(MARKS[color])
            return SearchState(cells, self._cell_name((taken % self.width, taken // self.width)))
        return after

    def to_play(self, state: SearchState) -> Color:
        """Return whose turn it is."""
        return "black" if self.definition.to_play(state.cells) == 0 else "white"

    def position(self, state: SearchState, *, game: str, node: int) -> Position:
        """Return the position as pages show it."""
        cells = self.cells(state)
        moves = self._legal(state)
        return Position(
            game=game,
            node=node,
            width=self.width,
            height=self.height,
            cells=cells,
            to_play=self.to_play(state),
            last=state.last,
            moves=[self.definition.format_move(state.cells, move) for move in moves],
            connection=[] if moves else self._connection(state),
        )

    def cells(self, state: SearchState) -> str:
        """Return the stones row by row from the top left.

        The games' pictures have them in that order, with letters and digits around them.
        """
        return "".join(mark for mark in self.definition.format_state(state.cells) if mark in "XO.")

    def result(self, state: SearchState) -> str | None:
        """Return how the game ended, in words; None while it goes on."""
        if self._legal(state):
            return None
        winner = self.winner(state)
        if winner is None:
            return "A draw: the board is full"
        name = self.names[winner]
        if self.kind == "hex":
            edges = "top and bottom" if winner == "black" else "left and right"
            return f"{name} wins: {edges} are connected"
        return f"{name} wins: {'three' if self.words.line == 3 else 'four'} in a row"

    def winner(self, state: SearchState) -> Color | None:
        """Return who has won; None for a draw, or while the game goes on."""
        if self._legal(state):
            return None
        score = self._ask(self.definition.score, state.cells.copy())
        if score == 0:
            return None
        return "black" if score > 0 else "white"

    def _legal(self, state: SearchState) -> list[int]:
        moves = np.empty(self.definition.move_count, np.int32)
        count = self._ask(self.definition.legal_moves, state.cells.copy(), moves)
        return [int(move) for move in moves[:count]]

    def _ask(self, rule: Callable[..., Any], cells: Cells, *arguments: object) -> Any:
        """Call a function of the game, which may write to the cells even if it only looks."""
        game = self.definition
        scratch = new_scratch(game.longest_game, 0, game.scratch_room)
        return plain(rule)(cells, game.knowledge, scratch, *arguments)

    def _cell_name(self, place: Place) -> str:
        column, row = place
        # Hex counts rows from above, the others from below.
        number = row + 1 if self.kind == "hex" else self.height - row
        return f"{chr(ord('a') + column)}{number}"

    def _connection(self, state: SearchState) -> list[str]:
        """Return the cells that won: a shortest chain in Hex, whole lines in the other games."""
        winner = self.winner(state)
        if winner is None:
            return []
        cells = self.cells(state)
        stones = {
            (index % self.width, index // self.width)
            for index, mark in enumerate(cells)
            if mark == MARKS[winner]
        }
        if self.kind == "hex":
            found = shortest_chain(stones, self.width, downwards=winner == "black")
        else:
            found = sorted(winning_lines(stones, self.words.line))
        return [self._cell_name(place) for place in found]


def shortest_chain(stones: Collection[Place], size: int, *, downwards: bool) -> list[Place]:
    """Return a shortest chain of Hex cells from the top to the bottom, or from left to right.

    Empty if there is none.
    """
    axis = 1 if downwards else 0
    came_from: dict[Place, Place | None] = {
        place: None for place in sorted(stones) if place[axis] == 0
    }
    waiting = deque(came_from)
    while waiting:
        place = waiting.popleft()
        if place[axis] == size - 1:
            chain = [place]
            while (before := came_from[chain[-1]]) is not None:
                chain.append(before)
            return chain[::-1]
        for right, down in ((1, 0), (-1, 0), (0, -1), (1, -1), (0, 1), (-1, 1)):
            neighbor = place[0] + right, place[1] + down
            if neighbor in stones and neighbor not in came_from:
                came_from[neighbor] = place
                waiting.append(neighbor)
    return []


def winning_lines(stones: Collection[Place], length: int) -> set[Place]:
    """Return the cells of all lines of at least that many stones."""
    found: set[Place] = set()
    for column, row in stones:
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [(column + right * step, row + down * step) for step in range(length)]
            if all(place in stones for place in line):
                found.update(line)
    return found
