"""What the chances to win that were found so far mean for the next move of a game.

A search that loses or wins nearly every playout cannot tell good moves from bad ones. *Dynamic
komi* searches as if the komi were one at which the game is still open: in handicap games with a
bonus for each stone, which melts away as the game goes on; a ratchet moves it with the win rate.
Komi is what White gets, so a positive offset helps White. Where no komi is imagined, a decided game
is searched for points. What is hopeless is given up after several such moves in a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from montego.engine.options.options import Options
    from montego.engine.searching.analysis import Analysis
    from montego.go.game import Game, Move, Setup
    from montego.go.vocabulary.rules import Rules

DECIDED = 0.95  # A chance to win beyond this, or its opposite, makes the player count points;
OPEN = 0.85  # and one within this makes it stop.
ENOUGH_TO_RESIGN = 100  # Simulations of a weak level below which it cannot tell that it has lost.
ENOUGH_VISITS = 50  # Of the move to play, below which its chance to win is a guess.

POINTS_PER_STONE = {"white": 8.0, "black": 12.0}  # by who thinks: Black should not play lazily
GONE_BY = {"white": 0.42, "black": 0.55}  # moves per point of the board, when nothing is left of it
TOO_GOOD, TOO_BAD = 0.85, 0.20  # chances to win that move the ratchet
STEP = 1.0  # points that it moves by
MOST = 30.0  # points that it may be off at most
RATCHET_ENDS = 0.75  # moves per point of the board; the end is played by the true komi


def is_decided(chance: float, visits: int) -> bool:
    """Say whether a move's chance to win leaves so little open that points alone differ."""
    return visits >= ENOUGH_VISITS and not 1 - DECIDED <= chance <= DECIDED


def is_open(chance: float, visits: int) -> bool:
    """Say whether a game that seemed decided is not."""
    return visits >= ENOUGH_VISITS and 1 - OPEN <= chance <= OPEN


def handicap_bonus(handicap: int, color: str, moves_played: int, size: int) -> float:
    """Return what *color* adds to komi while it thinks, because Black has handicap stones.

    On small boards a stone is worth less, in proportion to the lines.
    """
    if handicap < 2:
        return 0.0
    gone = GONE_BY[color] * size * size
    left = max(1.0 - moves_played / gone, 0.0)
    return handicap * POINTS_PER_STONE[color] * (size / 19) * left


def imagines_komi(options: Options, game: Game) -> bool:
    """Say whether the options want another komi than the true one in this game."""
    mode = options.dynamic_komi
    return mode == "always" or (mode == "handicap" and game.handicap >= 2)


class _Verdict(NamedTuple):
    """Whether a search called its game decided, and which game that was."""

    decided: bool
    history: list[Move | Setup]
    komi: float
    rules: Rules

    def holds_in(self, game: Game) -> bool:
        """Say whether *game* is still that one, if further on."""
        same = (self.komi, self.rules) == (game.komi, game.rules)
        return same and game.history[: len(self.history)] == self.history


class WinChances:
    """What the searches of one game have found so far, as far as later ones depend on it."""

    def __init__(self) -> None:
        self.ratchet = 0.0
        """Points that wins and losses have moved the imagined komi by."""
        self._verdicts: dict[str, _Verdict] = {}  # of the last search of each color
        self._hopeless: dict[str, list[int]] = {}  # by color, the numbers of the moves in a row

    def note(self, game: Game, color: str, found: Analysis | None) -> None:
        """Note what the search for a move of *color* found in *game*."""
        if found is None or found.best is None or not found.simulations:
            return
        against = STEP if color == "black" else -STEP  # the direction that makes it harder
        moved = against * ((found.value > TOO_GOOD) - (found.value < TOO_BAD))
        self.ratchet = min(max(self.ratchet + moved, -MOST), MOST)
        visits = found.best.visits
        if visits < ENOUGH_VISITS:
            return
        decided = is_decided(found.value, visits)
        if found.points:
            decided |= not is_open(found.value, visits)  # Not to and fro.
        self._verdicts[color] = _Verdict(decided, game.history, game.komi, game.rules)

    def komi_offset(self, options: Options, game: Game, color: str) -> float:
        """Return what *color* should add to komi while it thinks.

        Whole points, so that a search is not disturbed by every move.
        """
        if not imagines_komi(options, game):
            return 0.0
        played = len(game.moves)
        if played >= RATCHET_ENDS * game.size**2:
            self.ratchet = 0.0
        return float(round(handicap_bonus(game.handicap, color, played, game.size) + self.ratchet))

    def counts_points(self, options: Options, game: Game, color: str) -> bool | None:
        """Say whether *color* should count points, because winning alone tells nothing.

        None if nothing was learned on the way to this position. An imagined komi does the same in
        another way, and a level is not to know what its search cannot see.
        """
        if imagines_komi(options, game) or options.level is not None or not options.count_points:
            return False
        held = {
            whose: verdict.decided
            for whose, verdict in self._verdicts.items()
            if verdict.holds_in(game)
        }
        # What one color's search says is true for the other, too: they may share a tree.
        return True if any(held.values()) else held.get(color)

    def should_resign(
        self, options: Options, game: Game, color: str, found: Analysis | None
    ) -> bool:
        """Note the chance of the move that *color* is about to make; say whether to resign instead.

        A komi that was imagined against oneself proves nothing; and who gives a handicap, and has a
        network that imagines none, is behind from the start. A level that hardly reads plays on.
        """
        if found is None or not found.simulations:
            return False
        is_guess = found.simulations < ENOUGH_TO_RESIGN and found.network_value is None
        if options.level is not None and is_guess:
            return False
        behind = handicap_bonus(game.handicap, color, len(game.moves), game.size) > 0.0
        if found.network_value is not None and behind and color == "white":
            return False
        if (found.imagined if color == "black" else -found.imagined) > 0:
            return False
        chance = found.value
        if found.points:
            # What is best for points need not be what is best for the win.
            known = [move.value for move in found.moves if move.visits >= ENOUGH_VISITS]
            chance = max([chance, *known])
        if options.resign is None or chance >= options.resign:
            self._hopeless.pop(color, None)
            return False
        played = len(game.moves)
        # Moves were taken back, or this one is decided again.
        counted = [move for move in self._hopeless.get(color, []) if move < played]
        self._hopeless[color] = [*counted, played]
        early = played < options.resign_after * game.size**2
        return not early and len(counted) + 1 >= options.resign_moves
