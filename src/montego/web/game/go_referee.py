"""The rules of Go for sessions. A state is a :class:`~montego.go.game.Game` that nobody changes.

The rules themselves are in :mod:`montego.go`; here are the rule sets by the names that people know,
what is agreed on before a game, the board as pages show it, and counting with people: which stones
live or die together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.area import area_of, to_grid
from montego.go.game import Game, Move
from montego.go.handicap import (
    HANDICAP_KOMI,
    fixed_handicap_points,
    free_handicap,
    most_fixed_stones,
)
from montego.go.vocabulary.color import EMPTY, opponent
from montego.go.vocabulary.errors import GoError, IllegalMove, InvalidVertex
from montego.go.vocabulary.rules import parse_rules, rules_name
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.web.game.referee import Referee
from montego.web.game.tree import Agreement
from montego.web.messages.replies import Count, Position

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from montego.web.game.tree import StonesSetUp
    from montego.web.messages.requests import Color, GameKind, NewGame

RULES = {
    "chinese": "Chinese",
    "japanese": "Japanese",
    "korean": "Korean",
    "aga": "AGA (American)",
    "aga-button": "AGA, half a point for the first pass",
    "bga": "BGA (British)",
    "new-zealand": "New Zealand",
    "tromp-taylor": "Tromp-Taylor",
    "stone-scoring": "Stone scoring",
    "chinese-ogs": "Chinese, as on OGS",
    "chinese-kgs": "Chinese, as on KGS",
}
"""The rule sets that a new game offers, the most common first."""

THREE = 3

_CELLS = ".XO"  # By color.
_REASONS = {
    "the point is occupied": "there is a stone already",
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
    if stones == THREE and most_fixed_stones(size):
        # Players leave the upper left free for the third; the Go Text Protocol, the lower right.
        points = [(x, y) for x, y in fixed_handicap_points(size, 4) if x >= y]
        return [format_vertex(point) for point in points]
    if stones <= most_fixed_stones(size):
        return [format_vertex(point) for point in fixed_handicap_points(size, stones)]
    return free_handicap(size, stones)


def position_of(game: Game, *, id: str, node: int, moves: list[str]) -> Position:  # noqa: A002
    """Return a board as pages show it; *moves* are those that may be played there."""
    last = game.history[-1] if game.history else None
    return Position(
        game=id,
        node=node,
        width=game.size,
        height=game.size,
        cells=_cells(game.board.rows()),
        to_play=game.to_play,
        last=last.vertex if isinstance(last, Move) and last.vertex != "pass" else None,
        moves=moves,
        ko=game.ko,
        captures=(game.captures.black, game.captures.white),
    )


def points_in_words(points: float) -> str:
    """Return ``"3.5 points"``."""
    return f"{points:g} {'point' if points == 1 else 'points'}"


class GoReferee(Referee):
    """Go by what was agreed on."""

    kind: GameKind = "go"

    def __init__(self, agreement: Agreement) -> None:
        """Lay out the board; raises GoError if the agreement makes no sense in Go."""
        game = Game(agreement.size, rules=agreement.rules, komi=agreement.komi)
        if agreement.handicap >= 2:
            game.free_handicap(agreement.black)
            if agreement.white:
                raise GoError("a handicap has black stones only")
            if agreement.first == "black":
                raise GoError("after a handicap White moves first")
        elif agreement.black or agreement.white or agreement.first != "black":
            game.setup(black=agreement.black, white=agreement.white, to_play=agreement.first)
        self.size = game.size
        self.names = {"black": "Black", "white": "White"}
        self._start = game

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

    def set_up(self, state: Game, stones: StonesSetUp) -> Game:
        """Return the game with stones put on the board or taken off."""
        game = state.copy()
        game.setup(
            black=stones.black, white=stones.white, empty=stones.empty, to_play=stones.to_play
        )
        return game

    def to_play(self, state: Game) -> Color:
        """Return whose turn it is."""
        return state.to_play

    def position(self, state: Game, *, game: str, node: int) -> Position:
        """Return the board, and where stones may be played."""
        moves = [] if state.is_over else [*state.legal_moves(), "pass"]
        return position_of(state, id=game, node=node, moves=moves)

    def result(self, state: Game) -> str | None:  # noqa: ARG002
        """Return None: a game of Go ends by a count or a resignation."""
        return None

    def is_to_count(self, state: Game) -> bool:
        """Say whether both players have passed."""
        return state.is_over

    def count(self, state: Game, dead: Collection[str], *, proposed: bool) -> Count:
        """Return the count of the position without these stones, if the rules know dead ones."""
        score = state.score(dead=dead)
        stones = sorted(score.dead, key=lambda point: (-point[1], point[0]))
        result = "A draw: both have as many points"
        if score.margin:
            winner = "Black" if score.margin > 0 else "White"
            result = f"{winner} wins by {points_in_words(abs(score.margin))}"
        return Count(
            dead=[format_vertex(stone) for stone in stones],
            territory=_cells(score.owner),
            black=score.black,
            white=score.white,
            result=result,
            proposed=proposed,
            acceptable=True,
        )

    def group(self, state: Game, vertex: str, dead: Collection[str]) -> frozenset[str]:
        """Return the stones that change their fate with the one at *vertex*.

        That is its chain, and chains of its color that lie with it in a region that the opponent's
        living stones enclose: who marks one dead stone in a territory means all of them. A region
        that holds most of the board's living stones of that color is no such region.
        """
        point = parse_vertex(vertex, state.size)
        if point is None:
            raise InvalidVertex("pass: a stone is wanted here")
        grid = to_grid(state.board.rows())
        color = grid[point]
        if color == EMPTY:
            raise GoError(f"there is no stone at {format_vertex(point)}")
        gone = {stone for stone in (parse_vertex(name, state.size) for name in dead) if stone}
        # Living enemies stop the walk; it goes over all else, dead enemies included.
        walls = {
            place: owner == opponent(color) and place not in gone for place, owner in grid.items()
        }
        group = {
            place
            for place in area_of(walls, point, lambda wall: not wall).points
            # Among dead stones those go together that are dead, among living ones the living.
            if grid[place] == color and (place in gone) == (point in gone)
        }
        chain = area_of(grid, point, color.__eq__).points
        everywhere = sum(owner == color for owner in grid.values())
        if 2 * len(group) > everywhere and point not in gone:
            group = set()
        return frozenset(format_vertex(stone) for stone in chain.union(group))


def _cells(rows: Sequence[Sequence[int]]) -> str:
    return "".join(_CELLS[color] for row in rows for color in row)
