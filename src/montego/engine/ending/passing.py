"""The end of a game: when to pass, and which moves are no use any more.

Everything rests on one judgement of the position (:mod:`montego.engine.ending.judgement`): what a
pass was decided by is what ``final_status_list`` and ``final_score`` say afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from montego.go.area import neighbors
from montego.go.vocabulary.color import format_color, opponent, parse_color
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from montego.engine.ending.judgement import Judgement
    from montego.go.game import Game

CERTAIN = 0.95  # Ownership of points that are left alone while the game is still going on.


class PassDecision(NamedTuple):
    """Whether to pass, and why, in a few words."""

    passes: bool
    reason: str


class Passing:
    """What a judgement of the position of a game means for one player's pass."""

    def __init__(
        self,
        game: Game,
        judgement: Judgement,
        mode: str = "friendly",
        *,
        color: str | None = None,
        cleanup: bool = False,
    ) -> None:
        """Look at a pass of *color*, or the player to move.

        *mode* is ``friendly``, which passes when the result is settled; ``strict``, only when it
        stands without taking anything off the board (CGOS, Tromp-Taylor), and by territory as
        friendly: to capture what is dead costs points there; or ``kgs``, friendly until the
        *cleanup*.
        """
        rules = game.rules
        self.judgement = judgement
        self._game = game
        self._player = game.to_play if color is None else format_color(parse_color(color))
        self._other = opponent(self._player)
        self._cleanup = cleanup
        # Whether only what stands on the board counts for the decision to pass.
        self._is_strict = not rules.dead_removal or (mode == "strict" and rules.scoring == "area")
        # Whether the opponent has just passed, so that another pass ends the game.
        self._ends = game.passes > 0 and game.moves[-1].color != self._player
        side = 1 if self._player == "black" else -1
        bonus = 0.5 if rules.button and game.button is None else 0.0
        self._count, self._standing = side * judgement.score.margin, side * judgement.standing
        self.lead = self._count + bonus
        """By how much the player leads after a pass, when the dead stones are taken off.

        A pass earns half a point where there is a button that nobody has taken.
        """
        self.is_beyond_doubt = not judgement.doubtful and self._standing + bonus > 0
        """Whether the player leads as the board stands, and no chain is in doubt."""
        # Whether the player leads as the board stands, and when dead stones are gone as well.
        self._is_won = min(self._standing, self._count) + bonus > 0

    @property
    def _ahead(self) -> float:
        """By how much the player leads if the game ends now."""
        return self._standing if self._is_strict else self._count

    def decision(self) -> PassDecision:
        """Say whether to pass instead of searching for a move.

        *friendly* and *kgs* pass when the position is settled and no neutral point is worth a move,
        and answer a pass by a pass if the count is won. *strict*, and every mode under rules
        without removal of dead stones, passes only when the position is won as it stands, and would
        be without the player's dead stones, and no dead enemy stone is left to capture; or when the
        opponent has passed and it is won as it stands. Who is behind has nothing to lose by a
        search. No pass turns a won game into a lost one by the judgement.

        In a cleanup only once no dead enemy stone is left: from then on none may be called dead. As
        long as something is not settled, the search has to decide, by :meth:`considered`.
        """
        judgement = self.judgement
        captives = judgement.captives_of(self._other)
        if self._cleanup:
            if captives:
                return PassDecision(False, "dead stones are still to be captured")
            if not judgement.settled:
                return PassDecision(False, "the position is not settled")
            return PassDecision(True, "no dead stone of the opponent's is left")
        if self._is_strict:
            if self._ends and self._ahead > 0:
                return PassDecision(True, "the opponent passed, and the game is won as it stands")
            if captives:
                return PassDecision(False, "dead stones are still to be captured")
            if not self._is_won:
                # Stones of one's own may be dead: who passes lets the opponent capture them.
                return PassDecision(
                    False, "the game is lost as it stands: the search has to decide"
                )
        elif self._ends and self._ahead > 0 and (judgement.settled or self._standing > 0):
            # Before the end a count relies on stones being dead that may yet live.
            return PassDecision(True, "the opponent passed, and the count is won")
        if not judgement.settled:
            return PassDecision(False, "the position is not settled")
        if self._neutral_moves():
            return PassDecision(False, "neutral points are still worth a point each")
        if self._ends and self._ahead <= 0:
            return PassDecision(True, "nothing is left that could change the result")
        return PassDecision(True, "everything is settled")

    def considered(self) -> PassDecision:
        """Say whether the search's own wish to pass may be followed.

        To be asked when the search prefers a pass although :meth:`decision` said no. The search
        counts the stones as they stand, so its wish proves little where dead ones are to be
        removed.
        """
        must_capture = self._cleanup or (self._is_strict and not self._ends)
        if must_capture and self.judgement.captives_of(self._other):
            return PassDecision(False, "dead stones are still to be captured")
        if not self._ends:
            return PassDecision(
                True, "the search finds no better move, and a pass ends nothing yet"
            )
        if self._ahead > 0:
            return PassDecision(True, "the game would end, and the count is won")
        if self.judgement.settled and not self._neutral_moves():
            return PassDecision(True, "nothing is left that could change the result")
        return PassDecision(False, "the game would end, and the count is lost")

    def useless_moves(self) -> frozenset[str]:
        """Return the legal vertices that cannot gain anything, for the search to leave out.

        Points inside either side's certain territory; in a settled position all territory, and
        neutral points that only take liberties in a seki. Where dead stones have to be captured, by
        the mode or for a cleanup, moves in the regions of the player's own that hold some are left
        in. Who is behind as the board stands, and gets nothing removed, gives up only what is
        beyond doubt. They may be all of the legal moves; then pass. The pass itself is never among
        them.
        """
        game, judgement = self._game, self.judgement
        owned = judgement.territory[self._player] | judgement.territory[self._other]
        if self._is_strict and not self._is_won:
            useless = owned & judgement.safe
        elif judgement.settled:
            useless = owned
            if game.rules.scoring == "area":
                # To look again costs nothing where stones count; by territory it may cost a point.
                useless -= judgement.doubtful
            useless |= self._seki_liberties()
        else:
            useless = frozenset(
                vertex
                for vertex in owned
                if vertex in judgement.safe or abs(judgement.owner(vertex)) >= CERTAIN
            )
            if self._cleanup:
                useless |= self._seki_liberties()
        if self._cleanup or self._is_strict:
            useless -= self._prisons()
        return useless & frozenset(game.legal_moves(self._player))

    def _neutral_moves(self) -> frozenset[str]:
        """Return the neutral points that are worth a point to the player: none by territory."""
        if self._game.rules.scoring == "territory":
            return frozenset()
        worth = self.judgement.territory["neutral"] - self._seki_liberties()
        return worth & frozenset(self._game.legal_moves(self._player))

    def _seki_liberties(self) -> frozenset[str]:
        """Return the empty points beside stones in seki. To play there is to lose them."""
        board = self._game.board
        return frozenset(near for stone in self.judgement.seki for near in board.liberties(stone))

    def _prisons(self) -> frozenset[str]:
        """Return the points of the player's territory that hang together with a dead enemy."""
        mine, size = self.judgement.territory[self._player], self._game.size
        found: set[str] = set()
        waiting = set(self.judgement.captives_of(self._other) & mine)
        while waiting:
            found |= waiting
            points = [parse_vertex(vertex, size) for vertex in waiting]
            beside = {near for point in points if point for near in neighbors(point)}
            named = {format_vertex(near) for near in beside if 0 <= min(near) <= max(near) < size}
            waiting = (named & mine) - found
        return frozenset(found)
