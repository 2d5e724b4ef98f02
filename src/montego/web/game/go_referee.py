"""The rules of Go for sessions. A state is a :class:`~montego.go.game.Game` that nobody changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from montego.engine.free_handicap import free_handicap
from montego.go.game import Game, Move
from montego.go.handicap import HANDICAP_KOMI, fixed_handicap_points, most_fixed_stones
from montego.go.vocabulary.errors import GoError, IllegalMove
from montego.go.vocabulary.rules import parse_rules, rules_name
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.web.game.counting import count_board, group_at
from montego.web.game.saved import Agreement
from montego.web.messages.replies import Position

if TYPE_CHECKING:
    from collections.abc import Collection

    from montego.web.messages.replies import Count
    from montego.web.messages.requests import Color, NewGame

CELLS = ".XO"

_REASONS = {
    "the point is occupied": "there is a stone already",
    "the ko may not be retaken at once": "the ko may not be retaken at once",
    "suicide": "the stone would have no liberty",
}


def agree(request: NewGame) -> Agreement:
    """Return what a new game is played by: komi by rules and handicap unless it is given.

    Raises:
        GoError: If there are no such rules, or no room for the handicap.
    """
    rules = parse_rules(request.rules)
    stones = request.handicap if request.handicap >= 2 else 0
    komi = request.komi
    if komi is None:
        komi = HANDICAP_KOMI if stones else rules.komi
    return Agreement(
        kind="go",
        size=request.size,
        komi=komi,
        rules=rules_name(rules),
        handicap=stones,
        black=tuple(sorted(handicap_stones(request.size, stones))) if stones else (),
        first="white" if stones else "black",
    )


def handicap_stones(size: int, stones: int) -> list[str]:
    """Return where handicap stones go: the fixed points, or good ones where there are none.

    Raises:
        GoError: If the board has no room for them.
    """
    if stones <= most_fixed_stones(size):
        return [format_vertex(point) for point in fixed_handicap_points(size, stones)]
    return free_handicap(size, stones)


class GoReferee:
    """Go by what was agreed on; see :class:`montego.web.game.referee.Referee`."""

    def __init__(self, agreement: Agreement) -> None:
        """Lay out the board.

        Raises:
            GoError: If the agreement makes no sense in Go.
        """
        game = Game(agreement.size, rules=agreement.rules, komi=agreement.komi)
        if agreement.handicap >= 2:
            game.free_handicap(agreement.black)
            if agreement.white:
                raise GoError("a handicap has black stones only")
            if agreement.first == "black":
                raise GoError("after a handicap White moves first")
        elif agreement.black or agreement.white or agreement.first != "black":
            game.setup(black=agreement.black, white=agreement.white, to_play=agreement.first)
        self._start = game

    @property
    def size(self) -> int:
        """The number of lines."""
        return self._start.size

    def color_name(self, color: Color) -> str:
        """Return ``"Black"`` or ``"White"``."""
        return color.capitalize()

    def start(self) -> Game:
        """Return the position before the first move."""
        return self._start

    def move_name(self, state: Game, move: str) -> str:
        """Return ``"D4"`` or ``"pass"``."""
        return format_vertex(parse_vertex(move, state.size))

    def play(self, state: Game, color: Color, move: str) -> Game:
        """Return the game after a move. After two passes it goes on, as records sometimes do."""
        game = state.copy()
        try:
            game.play(color, move)
        except IllegalMove as error:
            reason = _REASONS.get(error.reason, error.reason)
            name = color.capitalize()
            raise GoError(f"{name} cannot play {error.vertex}: {reason}") from None
        return game

    def to_play(self, state: Game) -> Color:
        """Return whose turn it is."""
        return cast("Color", state.to_play)

    def position(self, state: Game, *, game: str, node: int) -> Position:
        """Return the board, and where stones may be played."""
        last = state.history[-1] if state.history else None
        played = isinstance(last, Move) and last.vertex != "pass"
        return Position(
            game=game,
            node=node,
            width=state.size,
            height=state.size,
            cells=self.cells(state),
            to_play=self.to_play(state),
            last=last.vertex if isinstance(last, Move) and played else None,
            moves=[] if state.is_over else [*state.legal_moves(), "pass"],
            ko=state.ko,
            captures=(state.captures.black, state.captures.white),
        )

    def cells(self, state: Game) -> str:
        """Return the stones, row by row from the top left."""
        return "".join(CELLS[color] for row in state.board.rows() for color in row)

    def result(self, state: Game) -> str | None:  # noqa: ARG002
        """Return None: a game of Go ends by a count or a resignation."""
        return None

    def winner(self, state: Game) -> Color | None:  # noqa: ARG002
        """Return None, as :meth:`result`."""
        return None

    def is_to_count(self, state: Game) -> bool:
        """Say whether both players have passed."""
        return state.is_over

    def count(self, state: Game, dead: Collection[str], *, proposed: bool) -> Count:
        """Count the board without these stones."""
        return count_board(state, dead, proposed=proposed)

    def group(self, state: Game, vertex: str, dead: Collection[str]) -> frozenset[str]:
        """Return the stones that live or die with the one at *vertex*."""
        return group_at(state, vertex, dead)
