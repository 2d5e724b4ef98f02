"""The past of a game: what was done, step by step, the position after each, and how it ended.

Keeping every position makes taking back trivial, and superko a look into the past. Copies share
their positions, as none changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.handicap import handicap_of_moves
from montego.go.kernels.layout import (
    CAPTURED,
    KO,
    PASS,
    PASSES,
    SUICIDE,
    TO_PLAY,
    all_points,
    coordinates_of,
    point_at,
)
from montego.go.kernels.position import LEGAL, move_fault
from montego.go.step import Captures, Move, Step, set_up
from montego.go.superko import forbidden, key_of, may_repeat, repeats
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.go.board import Board
    from montego.go.step import Setup
    from montego.go.superko import Key
    from montego.go.vocabulary.rules import Rules


class Past:
    """The steps of a game so far, the last of which may be a resignation.

    Says what may be played, but adds whatever it is given.
    """

    def __init__(self, board: Board) -> None:
        """Begin with a board on which nothing was done yet."""
        self._steps = [Step(None, board, key_of(board.state), 0)]
        self.resigned: int | None = None
        """The player who gave up."""
        self.dead: frozenset[str] = frozenset()
        """Stones that the players agreed are dead, until a step is added or taken back."""
        self.seki: frozenset[str] = frozenset()
        """Stones whose chains they agreed are in seki."""

    def copy(self) -> Past:
        """Return an independent copy, which shares the positions."""
        twin = Past.__new__(Past)
        twin.__dict__.update(self.__dict__)
        twin._steps = list(self._steps)  # noqa: SLF001  # Its own class.
        return twin

    @property
    def board(self) -> Board:
        """The board after the last step."""
        return self._steps[-1].board

    @property
    def done(self) -> list[Move | Setup]:
        """Everything done, in order."""
        return [step.done for step in self._steps if step.done is not None]

    @property
    def captures(self) -> Captures:
        """The prisoners taken by each player."""
        lost = [int(self.board.state[CAPTURED + Index(color)]) for color in (BLACK, WHITE)]
        return Captures(black=lost[1], white=lost[0])

    @property
    def last_point(self) -> tuple[int, int] | None:
        """Where the last step put a stone; None if it was no move, or a pass."""
        done = self._steps[-1].done
        return parse_vertex(done.vertex, self.board.size) if isinstance(done, Move) else None

    @property
    def handicap(self) -> int:
        """Handicap stones: those given, else those played before White's first move."""
        return self._steps[-1].handicap or handicap_of_moves(
            parse_color(done.color) if isinstance(done, Move) and done.vertex != "pass" else EMPTY
            for done in (step.done for step in self._steps[1:])
        )

    def positions(self, rules: Rules) -> list[Key]:
        """Return the keys of the positions since stones were set up, from the latest back.

        Taking the button begins anew, too: without it, the same stones are another position.
        """
        button = self._button(rules)
        found = []
        for number, step in reversed(list(enumerate(self._steps))):
            found.append(step.key)
            if not isinstance(step.done, Move) or number == button:
                break
        return found

    def passes(self, rules: Rules) -> int:
        """Return how many passes were just played in a row, not counting one for the button."""
        passes, button = int(self.board.state[PASSES]), self._button(rules)
        return passes - (button is not None and button >= len(self._steps) - passes)

    def button_taker(self, rules: Rules) -> str | None:
        """Return the player who took the button, if there is one and somebody did."""
        button = self._button(rules)
        done = None if button is None else self._steps[button].done
        return done.color if isinstance(done, Move) else None

    def _button(self, rules: Rules) -> int | None:
        """Return the number of the step that took the button: the first pass of the game."""
        passes = (
            number
            for number, step in enumerate(self._steps)
            if isinstance(step.done, Move) and step.done.vertex == "pass"
        )
        return next(passes, None) if rules.button else None

    def __len__(self) -> int:
        return len(self._steps) - 1 + (self.resigned is not None)

    def play(self, move: Move) -> int:
        """Add a move and return how many stones it captured; it must be legal but for superko."""
        board = self.board.copy()
        captured = board.play(move.color, move.vertex)
        self._add(move, board)
        return captured

    def set_up(
        self,
        black: Iterable[str],
        white: Iterable[str],
        empty: Iterable[str],
        to_play: str,
        *,
        suicide: bool,
    ) -> None:
        """Add stones put on the board or taken off, as :func:`montego.go.step.set_up` does."""
        self._add(*set_up(self.board, black, white, empty, to_play, suicide=suicide))

    def _add(self, done: Move | Setup, board: Board) -> None:
        self._steps.append(Step(done, board, key_of(board.state), self._steps[-1].handicap))
        self._forget_marks()

    def give_handicap(self, stones: list[str], *, suicide: bool) -> None:
        """Add handicap stones, before everything else.

        Raises:
            InvalidVertex: If a vertex is no point of the board.
            GoError: If it is not the first step, there are fewer than two, or one comes twice.
        """
        if self.done:
            raise GoError("handicap stones come before everything else")
        if len(stones) < 2:
            raise GoError("a handicap has at least 2 stones")
        self.set_up(stones, (), (), "white", suicide=suicide)
        self._steps[-1] = self._steps[-1]._replace(handicap=len(stones))

    def take_back(self, count: int) -> None:
        """Forget the last *count* steps; a resignation is the very last.

        Raises:
            GoError: If there are not that many; then nothing is forgotten.
        """
        available = len(self)
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise GoError(f"cannot undo {count!r} moves: say a whole number from 1")
        if count > available:
            raise GoError(f"cannot undo {count} moves: there are {available}")
        self.resigned = None
        self._forget_marks()
        del self._steps[1 + available - count :]

    def give_turn(self, player: int) -> None:
        """Let *player* be to move after the last step; if others were, no ko is barred then."""
        if player == self.board.state[TO_PLAY]:
            return
        board = self.board.copy()  # Copies share the old one.
        board.state[TO_PLAY] = player
        board.state[KO] = PASS
        self._steps[-1] = self._steps[-1]._replace(board=board, key=key_of(board.state))

    def adopt(self, rules: Rules) -> None:
        """Go on under other rules: whether suicide is allowed is written to all positions."""
        self._forget_marks()
        for number, step in enumerate(self._steps):
            if bool(step.board.state[SUICIDE]) != rules.suicide:
                board = step.board.copy()  # Copies of the game share the old one.
                board.state[SUICIDE] = int(rules.suicide)
                self._steps[number] = step._replace(board=board)

    def _forget_marks(self) -> None:
        self.dead = self.seki = frozenset()

    def would_repeat(self, player: int, vertex: str, rules: Rules) -> bool:
        """Say whether superko forbids a move that is legal otherwise."""
        size = self.board.size
        coordinates = parse_vertex(vertex, size)
        if rules.ko == "simple" or coordinates is None:
            return False
        past = forbidden(self.positions(rules), rules)
        return repeats(self.board.state, point_at(*coordinates, size), player, past, rules)

    def legal_moves(self, player: int, rules: Rules) -> list[str]:
        """Return the vertices where *player* may play, in reading order, without pass."""
        state, size = self.board.state, self.board.size
        suspects = (
            frozenset()
            if rules.ko == "simple"
            else may_repeat(self.board, self.done, player, rules)
        )
        past = forbidden(self.positions(rules), rules) if suspects else set()
        moves = []
        for point in all_points(size):
            vertex = format_vertex(coordinates_of(point, size))
            if move_fault(state, point, player) == LEGAL and not (
                vertex in suspects and repeats(state, point, player, past, rules)
            ):
                moves.append(vertex)
        return moves
