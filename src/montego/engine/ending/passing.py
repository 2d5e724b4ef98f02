"""The end of a game: when to pass, and which moves are no use any more.

Everything rests on one judgement of the position (:mod:`montego.engine.ending.judgement`): what a
pass was decided by is what ``final_status_list`` and ``final_score`` say afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from montego.engine.ending.judgement import Judgement, Status, judge
from montego.go.vocabulary.color import format_color, opponent, parse_color
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from montego.go.game import Game

__all__ = [
    "Judgement",
    "Mode",
    "PassDecision",
    "Status",
    "cleanup_decision",
    "judge",
    "pass_decision",
    "pass_may_be_considered",
    "useless_moves",
]

Mode = Literal["friendly", "strict", "kgs"]
"""``friendly`` passes when the result is settled; ``strict`` only when it stands without taking
anything off the board (CGOS, Tromp-Taylor), and by territory as friendly: to capture what is dead
costs points there; ``kgs`` is friendly until the cleanup.
"""

CERTAIN = 0.95  # Ownership of points that are left alone while the game is still going on.


@dataclass(frozen=True)
class PassDecision:
    """Whether to pass, and why, in a few words."""

    passes: bool
    reason: str


def pass_decision(
    game: Game, judgement: Judgement, mode: Mode = "friendly", *, color: str | None = None
) -> PassDecision:
    """Say whether *color*, or the player to move, should pass instead of searching for a move.

    *friendly* and *kgs* pass when the position is settled and no neutral point is worth a move, and
    answer a pass by a pass if the count is won. *strict*, and every mode under rules without
    removal of dead stones, passes only when the position is won as it stands, and would be
    without the player's dead stones, and no dead enemy stone is left to capture; or when the
    opponent has passed and it is won as it stands. Who is behind has nothing to lose by a search.
    No pass turns a won game into a lost one by the judgement.
    """
    player = game.to_play if color is None else format_color(parse_color(color))
    ends = _passed_last(game, player)
    ahead = _ahead(judgement, player, strict=_is_strict(game, mode))
    if _is_strict(game, mode):
        if ends and ahead > 0:
            return PassDecision(True, "the opponent passed, and the game is won as it stands")
        if judgement.captives_of(_other(player)):
            return PassDecision(False, "dead stones are still to be captured")
        if not _is_won(judgement, player, pass_bonus(game)):
            # Stones of the player's own may be dead: who passes lets the opponent capture them.
            return PassDecision(False, "the game is lost as it stands: the search has to decide")
    elif ends and ahead > 0 and _is_clear(judgement, player):
        return PassDecision(True, "the opponent passed, and the count is won")
    if not judgement.settled:
        return PassDecision(False, "the position is not settled")
    if _neutral_moves(game, judgement, player):
        return PassDecision(False, "neutral points are still worth a point each")
    if ends and ahead <= 0:
        return PassDecision(True, "nothing is left that could change the result")
    return PassDecision(True, "everything is settled")


def pass_may_be_considered(
    game: Game,
    judgement: Judgement,
    mode: Mode = "friendly",
    *,
    color: str | None = None,
    cleanup: bool = False,
) -> PassDecision:
    """Say whether the search's own wish to pass may be followed.

    To be asked when the search prefers a pass although :func:`pass_decision`, or in a *cleanup*
    :func:`cleanup_decision`, said no. The search counts the stones as they stand, so its wish
    proves little where dead ones are to be removed.
    """
    player = game.to_play if color is None else format_color(parse_color(color))
    strict = _is_strict(game, mode)
    if cleanup and judgement.captives_of(_other(player)):
        return PassDecision(False, "dead stones are still to be captured")
    if not _passed_last(game, player):
        if strict and judgement.captives_of(_other(player)):
            return PassDecision(False, "dead stones are still to be captured")
        return PassDecision(True, "the search finds no better move, and a pass ends nothing yet")
    if _ahead(judgement, player, strict=strict) > 0:
        return PassDecision(True, "the game would end, and the count is won")
    if judgement.settled and not _neutral_moves(game, judgement, player):
        return PassDecision(True, "nothing is left that could change the result")
    return PassDecision(False, "the game would end, and the count is lost")


def cleanup_decision(game: Game, judgement: Judgement, *, color: str | None = None) -> PassDecision:
    """Say whether to pass in the cleanup phase: only once no dead enemy stone is left.

    From then on no stone of the opponent's may be called dead. As long as something is not settled,
    the search has to decide, by :func:`pass_may_be_considered`.
    """
    player = game.to_play if color is None else format_color(parse_color(color))
    if judgement.captives_of(_other(player)):
        return PassDecision(False, "dead stones are still to be captured")
    if not judgement.settled:
        return PassDecision(False, "the position is not settled")
    return PassDecision(True, "no dead stone of the opponent's is left")


def useless_moves(
    game: Game,
    judgement: Judgement,
    mode: Mode = "friendly",
    *,
    color: str | None = None,
    cleanup: bool = False,
) -> frozenset[str]:
    """Return the legal vertices that cannot gain anything, for the search to leave out.

    Points inside either side's certain territory; in a settled position all territory, and neutral
    points that only take liberties in a seki. Where dead stones have to be captured, by *mode* or
    for a *cleanup*, moves in the regions of the player's own that hold some are left in. Who is
    behind as the board stands, and gets nothing removed, gives up only what is beyond doubt.
    They may be all of the legal moves; then pass. The pass itself is never among them.
    """
    player = game.to_play if color is None else format_color(parse_color(color))
    mine, theirs = judgement.territory[player], judgement.territory[_other(player)]
    strict = _is_strict(game, mode)
    if strict and not _is_won(judgement, player, pass_bonus(game)):
        useless = (mine | theirs) & judgement.safe
    elif judgement.settled:
        useless = mine | theirs
        if game.rules.scoring == "area":
            # To look again costs nothing where stones count; by territory it may cost a point.
            useless -= judgement.doubtful
        useless |= _seki_liberties(game, judgement)
    else:
        useless = frozenset(
            vertex
            for vertex in mine | theirs
            if vertex in judgement.safe or _is_owned(game, judgement, vertex)
        )
        if cleanup:
            useless |= _seki_liberties(game, judgement)
    if cleanup or strict:
        useless -= _prisons(game, judgement, player)
    return useless & frozenset(game.legal_moves(player))


def _is_strict(game: Game, mode: Mode) -> bool:
    """Say whether only what stands on the board counts for the decision to pass."""
    return not game.rules.dead_removal or (mode == "strict" and game.rules.scoring == "area")


def _other(player: str) -> str:
    return format_color(opponent(parse_color(player)))


def _passed_last(game: Game, player: str) -> bool:
    """Say whether the opponent of *player* has just passed, so that another pass ends the game."""
    return game.passes > 0 and game.moves[-1].color != player


def pass_bonus(game: Game) -> float:
    """Return the points that a pass earns now: the half of a button that nobody has taken."""
    return 0.5 if game.rules.button and game.button is None else 0.0


def _ahead(judgement: Judgement, player: str, *, strict: bool) -> float:
    """Return by how much *player* leads if the game ends now."""
    margin = judgement.standing if strict else judgement.score.margin
    return margin if player == "black" else -margin


def _is_won(judgement: Judgement, player: str, bonus: float) -> bool:
    """Say whether *player* leads as the board stands, and when dead stones are gone as well."""
    return min(_ahead(judgement, player, strict=strict) for strict in (True, False)) + bonus > 0


def _is_clear(judgement: Judgement, player: str) -> bool:
    """Say whether a win by the judgement can be trusted: settled, or no removal is needed for it.

    Before the end a count relies on stones being dead that may yet live.
    """
    standing = judgement.standing if player == "black" else -judgement.standing
    return judgement.settled or standing > 0


def _neutral_moves(game: Game, judgement: Judgement, player: str) -> frozenset[str]:
    """Return the neutral points that are worth a point to *player*: none by territory."""
    if game.rules.scoring == "territory":
        return frozenset()
    worth = judgement.territory["neutral"] - _seki_liberties(game, judgement)
    return worth & frozenset(game.legal_moves(player))


def _seki_liberties(game: Game, judgement: Judgement) -> frozenset[str]:
    """Return the empty points beside stones in seki. To play there is to lose them."""
    return frozenset(liberty for stone in judgement.seki for liberty in game.board.liberties(stone))


def _is_owned(game: Game, judgement: Judgement, vertex: str) -> bool:
    coordinates = parse_vertex(vertex, game.size)
    if coordinates is None:
        return False
    column, row = coordinates
    return abs(judgement.ownership[(game.size - 1 - row) * game.size + column]) >= CERTAIN


def _prisons(game: Game, judgement: Judgement, player: str) -> frozenset[str]:
    """Return the points of the player's territory that hang together with a dead enemy stone."""
    mine = judgement.territory[player]
    found: set[str] = set()
    waiting = [stone for stone in judgement.captives_of(_other(player)) if stone in mine]
    while waiting:
        vertex = waiting.pop()
        if vertex in found:
            continue
        found.add(vertex)
        waiting.extend(near for near in _beside(vertex, game.size) if near in mine)
    return frozenset(found)


def _beside(vertex: str, size: int) -> list[str]:
    column, row = parse_vertex(vertex, size) or (0, 0)
    near = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [format_vertex(point) for point in near if min(point) >= 0 and max(point) < size]
