"""The judgement of a position: who is dead, whose is what, and whether anything is left to play.

From playouts that either side begins, from Benson's unconditional life, and, where the playouts are
in doubt about a fight that is closed on all sides, from reading it
(:mod:`montego.engine.ending.reading`). A judgement looks at the stones alone, not at whose turn it
is: it stays the same when players pass, but for the half point of a button. What a pass was based
on is what ``final_status_list`` and ``final_score`` say later: :class:`Judgements` keeps it.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from montego.engine.ending.ownership import sample_ownership
from montego.engine.ending.reading import SIMULATIONS, Fights, read_fate
from montego.engine.knowledge.definition import go_game
from montego.go.area import areas, neighbors, to_grid
from montego.go.benson import pass_alive
from montego.go.kernels.layout import KO, PASS, TO_PLAY, point_at
from montego.go.scoring import score_position, seki_stones
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, opponent
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_rules
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.engine.ending.reading import Fate
    from montego.go.area import Area, Coordinates
    from montego.go.game import Game, Move, Setup
    from montego.go.scoring import Score
    from montego.mcts.game import GameDefinition

Status = Literal["alive", "dead", "seki"]

PLAYOUTS = 600

DOUBT = 0.5
"""Chains whose mean ownership is nearer to 0 than this are read, where their fight is closed."""

SECOND_OPINION = 0.4
"""Chains in doubt beyond reading are played out by the other policy, too, which knows tactics."""
OPINION_POLICY = "sequence"
OPINION_PLAYOUTS = 300

KEPT = 16  # Judgements that are remembered.

DEAD = -0.05  # Ownership below which a chain is dead: in doubt it lives.

SURE_CHAIN = 0.3  # Ownership of a chain whose fate is clear, and
SURE_TERRITORY = 0.35  # of a region that nobody can invade. Playouts invade wildly.


@dataclass(frozen=True)
class Judgement:
    """What a position comes to if it is counted now. Vertices are text (``"D4"``)."""

    dead: frozenset[str]
    """The stones that would be taken off; whole chains. Empty if the rules know no removal."""
    captives: frozenset[str]
    """The stones that are dead in truth, whatever the rules say about taking them off."""
    seki: frozenset[str]
    """Stones that live without two eyes because nobody can approach them."""
    ownership: tuple[float, ...]
    """Row-major from the top left: +1 for Black, -1 for White; from the playouts."""
    score: Score
    """The count by the game's rules, with :attr:`dead` taken off."""
    standing: float
    """Black's margin if every stone on the board counted as alive, as Tromp-Taylor counts."""
    settled: bool
    """Whether nothing is left to play for but neutral points."""
    doubtful: frozenset[str]
    """Chains on which the playouts do not agree, and the empty regions beside them.

    What is said of them rests on reading or on a second opinion, and may depend on who moves first.
    """
    safe: frozenset[str]
    """Stones and territory that are certain beyond doubt, captives included: Benson's."""
    territory: Mapping[str, frozenset[str]]
    """``"black"``, ``"white"`` and ``"neutral"``: the empty points and those of captives."""
    board: Mapping[str, str]
    """The color of each stone."""

    def status(self, vertex: str) -> Status:
        """Return the status of the stone at *vertex*, for ``final_status``.

        Raises:
            GoError: If there is no stone.
        """
        name = vertex.strip().upper()
        if name not in self.board:
            raise GoError(f"there is no stone at {name}")
        if name in self.dead:
            return "dead"
        return "seki" if name in self.seki else "alive"

    def owner(self, vertex: str) -> float:
        """Return whose a point is, from the playouts: +1 for Black, -1 for White."""
        size = math.isqrt(len(self.ownership))
        column, row = parse_vertex(vertex, size) or (0, 0)
        return self.ownership[(size - 1 - row) * size + column]

    def captives_of(self, color: str) -> frozenset[str]:
        """Return the dead stones of *color*."""
        return frozenset(stone for stone in self.captives if self.board[stone] == color)


def judge_position(
    game: Game,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    policy: str = "uniform",
    definition: GameDefinition | None = None,
    simulations: int | None = None,
) -> Judgement:
    """Judge the position of *game*, which is not changed. The same arguments, the same answer.

    *policy* names the playouts; a *definition* is used as it is instead, whatever its policy.
    *simulations* go into reading each doubtful chain; fewer on large boards unless it is given.

    Raises:
        GoError: If there is no such policy, or a number is out of range.
    """
    if definition is None:
        definition = go_game(game.size, rules=game.rules, komi=game.komi, playout=policy)
    if simulations is None:
        simulations = max(300, SIMULATIONS * 81 // max(81, game.size**2))
    second = go_game(game.size, rules=game.rules, komi=game.komi, playout=OPINION_POLICY)
    return _Judging(game, definition, second, playouts, seed, simulations).judgement()


class _Judging:
    """The work of judging one position."""

    def __init__(
        self,
        game: Game,
        definition: GameDefinition,
        second: GameDefinition,
        playouts: int,
        seed: int,
        simulations: int,
    ) -> None:
        self.game = game
        self.definition = definition
        self.second = second
        self.seed = seed
        self.simulations = simulations
        self.size = game.size
        self.rows = game.board.rows()
        self.grid = to_grid(self.rows)
        self.areas = areas(self.grid, [BLACK]) + areas(self.grid, [WHITE]) + areas(self.grid, [0])
        self.chains = [area for area in self.areas if self.grid[min(area.points)] != EMPTY]
        self.area_at = {point: area for area in self.areas for point in area.points}
        self.ownership = self._sample(definition, playouts)
        self.opinion: tuple[float, ...] | None = None
        self.alive_stones: dict[int, frozenset[Coordinates]] = {}
        self.sure_territory: dict[int, frozenset[Coordinates]] = {}
        for color in (BLACK, WHITE):
            self.alive_stones[color], self.sure_territory[color] = pass_alive(self.rows, color)
        self.strength = {chain: self._mean_strength(chain) for chain in self.chains}
        self.fights = Fights(self.grid, self.area_at, self.strength, self._read)

    def judgement(self) -> Judgement:
        fallen = self._fallen()
        captives = frozenset(stone for chain in fallen for stone in chain.points)
        living = [
            [
                EMPTY if (column, self.size - 1 - line) in captives else color
                for column, color in enumerate(row)
            ]
            for line, row in enumerate(self.rows)
        ]
        rules = self.game.rules
        removed = captives if rules.dead_removal else frozenset()
        settled = self._is_settled(living, fallen)
        seki = self._seki(fallen)
        if settled:
            seki |= seki_stones(living)
        score = self.game.score(
            dead=[format_vertex(stone) for stone in removed],
            seki=[format_vertex(stone) for stone in seki],
        )
        tromp_taylor = parse_rules("tromp-taylor")
        standing = score_position(self.rows, tromp_taylor, self.game.compensation).margin
        open_to_all = score_position(living, tromp_taylor, 0.0).owner
        sides = {BLACK: set[str](), WHITE: set[str](), EMPTY: set[str]()}
        for line, row in enumerate(open_to_all):
            for column, owner in enumerate(row):
                if living[line][column] == EMPTY:
                    sides[owner].add(format_vertex((column, self.size - 1 - line)))
        safe = frozenset[tuple[int, int]]().union(
            *self.alive_stones.values(), *self.sure_territory.values()
        )
        return Judgement(
            dead=_names(removed),
            captives=_names(captives),
            seki=_names(seki),
            ownership=self.ownership,
            score=score,
            standing=standing,
            settled=settled,
            doubtful=_names(self._doubtful()),
            safe=_names(safe),
            territory={
                "black": frozenset(sides[BLACK]),
                "white": frozenset(sides[WHITE]),
                "neutral": frozenset(sides[EMPTY]),
            },
            board={
                format_vertex(point): "black" if color == BLACK else "white"
                for point, color in self.grid.items()
                if color != EMPTY
            },
        )

    def _sample(self, definition: GameDefinition, playouts: int) -> tuple[float, ...]:
        """Return the ownership of all points, either side beginning half of the playouts."""
        state = self.game.board.state.copy()
        state[KO] = PASS
        halves = []
        for color, share in ((BLACK, (playouts + 1) // 2), (WHITE, (playouts + 1) // 2)):
            state[TO_PLAY] = color
            halves.append(
                sample_ownership(state, definition, share, self.seed * 2 + color - 1).points
            )
        return tuple((one + other) / 2 for one, other in zip(*halves, strict=True))

    def _owner(self, point: Coordinates) -> float:
        column, row = point
        return self.ownership[(self.size - 1 - row) * self.size + column]

    def _other_owner(self, point: Coordinates) -> float:
        """Return a point's ownership by the other playouts, which are asked in doubt only."""
        if self.opinion is None:
            self.opinion = self._sample(self.second, OPINION_PLAYOUTS)
        column, row = point
        return self.opinion[(self.size - 1 - row) * self.size + column]

    def _mean_strength(self, chain: Area) -> float:
        """Return how surely the color of a chain owns its points, from -1 to 1."""
        mean = sum(map(self._owner, chain.points)) / len(chain.points)
        return mean if self.grid[min(chain.points)] == BLACK else -mean

    def _fallen(self) -> list[Area]:
        """Return the dead chains."""
        fallen = []
        for chain in self.chains:
            color = self.grid[min(chain.points)]
            if chain.points <= self.alive_stones[color]:
                continue
            if chain.points <= self.sure_territory[opponent(color)] or self._is_dead(chain):
                fallen.append(chain)
        return fallen

    def _doubtful(self) -> set[Coordinates]:
        """Return the points of chains in doubt and of the empty regions beside them."""
        found: set[Coordinates] = set()
        for chain in self.chains:
            color = self.grid[min(chain.points)]
            sure = self.alive_stones[color] | self.sure_territory[opponent(color)]
            if abs(self.strength[chain]) < DOUBT and not chain.points <= sure:
                found |= chain.points
                for gap in self.fights.gaps(chain):
                    found |= gap.points
        return found

    def _is_dead(self, chain: Area) -> bool:
        strength = self.strength[chain]
        if abs(strength) < DOUBT:
            fate = self.fights.fate(chain)
            if fate is not None and fate.is_settled:
                return not fate.lives
            if abs(strength) < SECOND_OPINION:
                sign = 1 if self.grid[min(chain.points)] == BLACK else -1
                other = sign * sum(map(self._other_owner, chain.points)) / len(chain.points)
                strength = (strength + other) / 2
        return strength < DEAD

    def _read(self, chain: Area, locale: frozenset[Coordinates]) -> Fate:
        """Search for the life of a chain in its fight."""
        return read_fate(
            self.game.board.state,
            self.definition,
            [point_at(*point, self.size) for point in sorted(chain.points)],
            [point_at(*point, self.size) for point in sorted(locale)],
            simulations=self.simulations,
            seed=self.seed,
        )

    def _seki(self, fallen: list[Area]) -> frozenset[Coordinates]:
        """Return the chains that were read to live although playouts kill one side or the other.

        They live next to an enemy of whom the same is true.
        """
        living = {
            chain
            for chain, fate in self.fights.fates.items()
            if fate.lives and chain not in fallen and self.strength[chain] < DOUBT
        }

        return frozenset(
            stone
            for chain in living
            if any(
                self.grid[min(chain.points)] != self.grid[min(other.points)]
                and self.fights.share_liberty(chain, other)
                for other in living
            )
            for stone in chain.points
        )

    def _is_settled(self, living: list[list[int]], fallen: list[Area]) -> bool:
        """Say whether every chain's fate is clear and every region is closed.

        A living chain in atari has to be read: somebody may still have to connect a ko.
        """
        for chain in self.chains:
            color = self.grid[min(chain.points)]
            if chain.points <= self.alive_stones[color] | self.sure_territory[opponent(color)]:
                continue
            liberties = sum(self.grid[point] == EMPTY for point in chain.border)
            in_atari = liberties == 1 and chain not in fallen
            fate = self.fights.fate(chain) if in_atari else self.fights.fates.get(chain)
            if fate is None:
                if in_atari or abs(self.strength[chain]) < SURE_CHAIN:
                    return False
            elif not fate.is_settled:
                return False
        grid = to_grid(living)
        for region in areas(grid, [EMPTY]):
            touched = {grid[point] for point in region.border}
            if len(touched) != 1:
                # A neutral point lies between stones of both; else a border is still open there.
                between = all(_touches_both(grid, point) for point in region.points)
                if not between and not self._was_read(region, fallen):
                    return False
                continue
            color = touched.pop()
            sign = 1 if color == BLACK else -1
            sure = all(
                sign * self._owner(point) >= SURE_TERRITORY or point in self.sure_territory[color]
                for point in region.points
            )
            if not sure and not self._was_read(region, fallen):
                return False
        return True

    def _was_read(self, region: Area, fallen: list[Area]) -> bool:
        """Say whether the fight for a region was read to its end."""
        return any(
            chain.points <= region.points or not chain.points.isdisjoint(region.border)
            for chain, fate in self.fights.fates.items()
            if fate.is_settled or chain in fallen
        )


def _touches_both(grid: Mapping[Coordinates, int], point: Coordinates) -> bool:
    return {BLACK, WHITE} <= {grid.get(near, EMPTY) for near in neighbors(point)}


def _names(points: frozenset[Coordinates] | set[Coordinates]) -> frozenset[str]:
    return frozenset(format_vertex(point) for point in points)


class Cleanup(NamedTuple):
    """A player captures dead stones, after an argument about them on KGS."""

    color: str
    history: list[Move | Setup]
    """Of the game, the first move of the cleanup included."""

    def holds_in(self, game: Game) -> bool:
        """Say whether *game* is still that one, if further on: taken back, it is as before."""
        return game.history[: len(self.history)] == self.history


class Judgements:
    """The judgements of a player, each made once for a position and kept.

    After a cleanup has begun, and was not taken back, no stone of the opponent's is dead: those
    were to be captured.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._cleanup: Cleanup | None = None  # the latest, which may have been taken back
        self._known: OrderedDict[tuple[object, ...], Judgement] = OrderedDict()

    def of(self, game: Game) -> Judgement:
        """Return the judgement of the position; the same one whenever the stones are the same."""
        key = (game.board.hash, game.size, game.rules, game.compensation, game.captures)
        found = self._known.pop(key, None)
        if found is None:
            found = judge_position(game, seed=self._seed)
        self._known[key] = found
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found

    def dead_stones(self, game: Game) -> list[str]:
        """Return the stones judged dead, in reading order."""
        dead = [v for v in self.of(game).dead if self.status(game, v) == "dead"]

        def reading_order(vertex: str) -> tuple[int, int]:
            column, row = parse_vertex(vertex, game.size) or (0, 0)
            return -row, column

        return sorted(dead, key=reading_order)

    def status(self, game: Game, vertex: str) -> Status:
        """Return the status of a stone, by the same judgement as :meth:`dead_stones`.

        Raises:
            GoError: If there is no stone.
        """
        status = self.of(game).status(vertex)
        cleaner = self._cleaner(game)
        spared = cleaner is not None and game.board.color_at(vertex) != cleaner
        return "alive" if status == "dead" and spared else status

    def score(self, game: Game) -> Score:
        """Count the game after taking off what :meth:`dead_stones` says."""
        judgement = self.of(game)
        if self._cleaner(game) is None:
            return judgement.score
        return game.score(dead=self.dead_stones(game), seki=judgement.seki)

    def mark(self, game: Game) -> None:
        """Mark in a game that two passes ended what is judged dead."""
        game.mark_dead(self.dead_stones(game), seki=self.of(game).seki)

    def begin_cleanup(self, game: Game, color: str) -> None:
        """Note that *color* has just moved in a cleanup; one that it began before goes on."""
        if self._cleaner(game) != color:
            self._cleanup = Cleanup(color, game.history)

    def _cleaner(self, game: Game) -> str | None:
        """Return the color that has begun to capture dead stones in this game, if one has."""
        cleanup = self._cleanup
        return cleanup.color if cleanup is not None and cleanup.holds_in(game) else None

    def end_cleanup(self) -> None:
        """Forget that there was one: the game is another."""
        self._cleanup = None

    def reseed(self, seed: int) -> None:
        """Judge everything anew with another seed, if it is another."""
        if seed != self._seed:
            self._seed = seed
            self.forget()

    def forget(self) -> None:
        """Judge everything anew."""
        self._known.clear()
