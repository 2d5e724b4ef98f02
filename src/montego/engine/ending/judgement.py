"""The judgement of a position: who is dead, whose is what, is anything left to play, when to pass.

From playouts that either side begins, from Benson's unconditional life, and, where the playouts are
in doubt about a fight that is closed on all sides, from proving what comes of it
(:mod:`montego.engine.ending.proof`) or else from reading it
(:mod:`montego.engine.ending.reading`). A *fight* is what hangs together with a chain in doubt; it
is closed if it reaches no large empty region, and chains that are sure of themselves are its walls.
A judgement looks at the stones alone, not at whose turn it is, but for the half point of a button.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from montego.engine.ending.ownership import sample_ownership
from montego.engine.ending.proof import prove_fate
from montego.engine.ending.reading import SIMULATIONS, read_fate
from montego.engine.knowledge.definition import go_game
from montego.go.area import areas, neighbors, to_grid
from montego.go.benson import pass_alive
from montego.go.kernels.layout import KO, PASS, TO_PLAY, point_at
from montego.go.scoring import score_position, seki_stones
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, format_color, opponent, parse_color
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

WALL = 0.6
"""Chains owned more surely than this take no part in a neighbor's fight."""

SAME_FATE = 0.02  # Chains of a color with a common liberty, owned so much alike: one fate.

LARGEST_GAP = 8  # A fight that reaches a larger empty region is open.
LARGEST_LOCALE = 14  # Empty points of a fight; more cannot be read.

MOST_READINGS = 16  # A board with more doubtful chains is no finished game.

KEPT = 16  # Judgements that are remembered.

DEAD = -0.05  # Ownership below which a chain is dead: in doubt it lives.

CERTAIN = 0.95  # Ownership of points that are left alone while the game is still going on.
SURE_CHAIN = 0.3  # Ownership of a chain whose fate is clear, and
SURE_TERRITORY = 0.35  # of a region that nobody can invade. Playouts invade wildly.

DECIDED = 0.8  # Ownership of an empty point about which nobody would play on.
FEW_OPEN = 4  # Empty points less decided than that with which a game may end; a large board has
OPEN_SHARE = 40  # one more for so many points.


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
    simulations: int | None = None,
    nodes: int = 0,
) -> Judgement:
    """Judge the position of *game*, which is not changed. The same arguments, the same answer.

    *simulations* go into reading each doubtful chain; fewer on large boards unless it is given. So
    many *nodes* go into proving its fate before that; none for 0, as the player has it: of 57
    finished games none was judged otherwise by it (docs/solve.md).

    Raises:
        GoError: If a number is out of range.
    """
    definition = go_game(game.size, rules=game.rules, komi=game.komi)
    if simulations is None:
        simulations = max(300, SIMULATIONS * 81 // max(81, game.size**2))
    return _Judging(game, definition, playouts, seed, simulations, nodes).judgement()


class _Judging:
    """The work of judging one position."""

    def __init__(
        self,
        game: Game,
        definition: GameDefinition,
        playouts: int,
        seed: int,
        simulations: int,
        nodes: int,
    ) -> None:
        self.game = game
        self.definition = definition
        self.seed = seed
        self.simulations = simulations
        self.nodes = nodes
        self.size = game.size
        self.rows = game.board.rows()
        self.grid = to_grid(self.rows)
        self.chains = areas(self.grid, [BLACK]) + areas(self.grid, [WHITE])
        regions = areas(self.grid, [EMPTY])
        self.color = {chain: self.grid[min(chain.points)] for chain in self.chains}
        self.area_at = {point: area for area in self.chains + regions for point in area.points}
        self.owner = self._sample(definition, playouts)
        self.opinion: dict[Coordinates, float] = {}  # of the other playouts, if they were asked
        self.alive_stones: dict[int, frozenset[Coordinates]] = {}
        self.sure_territory: dict[int, frozenset[Coordinates]] = {}
        for color in (BLACK, WHITE):
            self.alive_stones[color], self.sure_territory[color] = pass_alive(self.rows, color)
        self.strength = {chain: self._strength(chain, self.owner) for chain in self.chains}
        self.fates: dict[Area, Fate] = {}  # as far as they were read

    def judgement(self) -> Judgement:
        fallen = [chain for chain in self.chains if self._is_fallen(chain)]
        captives = frozenset(stone for chain in fallen for stone in chain.points)
        living = [
            [
                EMPTY if (column, self.size - 1 - line) in captives else color
                for column, color in enumerate(row)
            ]
            for line, row in enumerate(self.rows)
        ]
        dead = _names(captives if self.game.rules.dead_removal else frozenset())
        settled = self._is_settled(living, fallen)
        seki = _names(self._seki(fallen) | (seki_stones(living) if settled else frozenset()))
        tromp_taylor = parse_rules("tromp-taylor")
        owners = to_grid(score_position(living, tromp_taylor, 0.0).owner)
        empty = [point for point, color in to_grid(living).items() if color == EMPTY]
        safe = frozenset[tuple[int, int]]().union(
            *self.alive_stones.values(), *self.sure_territory.values()
        )
        return Judgement(
            dead=dead,
            captives=_names(captives),
            seki=seki,
            ownership=tuple(self.owner.values()),
            score=self.game.score(dead=dead, seki=seki),
            standing=score_position(self.rows, tromp_taylor, self.game.compensation).margin,
            settled=settled,
            doubtful=_names(self._doubtful()),
            safe=_names(safe),
            territory={
                name: _names({point for point in empty if owners[point] == color})
                for name, color in (("black", BLACK), ("white", WHITE), ("neutral", EMPTY))
            },
            board={
                format_vertex(point): "black" if color == BLACK else "white"
                for point, color in self.grid.items()
                if color != EMPTY
            },
        )

    def _sample(self, definition: GameDefinition, playouts: int) -> dict[Coordinates, float]:
        """Return the ownership of all points, either side beginning half of the playouts.

        In the order of a judgement's :attr:`~Judgement.ownership`.
        """
        state = self.game.board.state.copy()
        state[KO] = PASS
        halves = []
        for color in (BLACK, WHITE):
            state[TO_PLAY] = color
            seed = self.seed * 2 + color - 1
            halves.append(sample_ownership(state, definition, (playouts + 1) // 2, seed).points)
        lines = range(self.size)
        points = [(column, row) for row in reversed(lines) for column in lines]
        means = ((one + other) / 2 for one, other in zip(*halves, strict=True))
        return dict(zip(points, means, strict=True))

    def _strength(self, chain: Area, owner: Mapping[Coordinates, float]) -> float:
        """Return how surely the color of a chain owns its points, from -1 to 1."""
        mean = sum(owner[point] for point in chain.points) / len(chain.points)
        return mean if self.color[chain] == BLACK else -mean

    def _is_certain(self, chain: Area) -> bool:
        """Say whether a chain lives or is dead whatever anybody plays."""
        color = self.color[chain]
        return chain.points <= self.alive_stones[color] | self.sure_territory[opponent(color)]

    def _is_fallen(self, chain: Area) -> bool:
        """Say whether a chain is dead."""
        color = self.color[chain]
        if chain.points <= self.alive_stones[color]:
            return False
        if chain.points <= self.sure_territory[opponent(color)]:
            return True
        strength = self.strength[chain]
        if abs(strength) < DOUBT:
            fate = self._fate(chain)
            if fate is not None and fate.is_settled:
                return not fate.lives
            if abs(strength) < SECOND_OPINION:
                if not self.opinion:
                    game = self.game
                    second = go_game(
                        game.size, rules=game.rules, komi=game.komi, playout=OPINION_POLICY
                    )
                    self.opinion = self._sample(second, OPINION_PLAYOUTS)
                strength = (strength + self._strength(chain, self.opinion)) / 2
        return strength < DEAD

    def _doubtful(self) -> set[Coordinates]:
        """Return the points of chains in doubt and of the empty regions beside them."""
        found: set[Coordinates] = set()
        for chain in self.chains:
            if abs(self.strength[chain]) < DOUBT and not self._is_certain(chain):
                found |= chain.points
                for gap in self._gaps(chain):
                    found |= gap.points
        return found

    def _seki(self, fallen: list[Area]) -> frozenset[Coordinates]:
        """Return the chains that were read to live although playouts kill one side or the other.

        They live next to an enemy of whom the same is true.
        """
        living = {
            chain
            for chain, fate in self.fates.items()
            if fate.lives and chain not in fallen and self.strength[chain] < DOUBT
        }
        return frozenset(
            stone
            for chain in living
            if any(
                self.color[chain] != self.color[other] and self._share_liberty(chain, other)
                for other in living
            )
            for stone in chain.points
        )

    def _is_settled(self, living: list[list[int]], fallen: list[Area]) -> bool:
        """Say whether every chain's fate is clear and every region is closed.

        A living chain in atari has to be read: somebody may still have to connect a ko.
        """
        for chain in self.chains:
            if self._is_certain(chain):
                continue
            liberties = sum(self.grid[point] == EMPTY for point in chain.border)
            in_atari = liberties == 1 and chain not in fallen
            fate = self._fate(chain) if in_atari else self.fates.get(chain)
            if fate is None:
                if in_atari or abs(self.strength[chain]) < SURE_CHAIN:
                    return False
            elif not fate.is_settled:
                return False
        grid = to_grid(living)
        for region in areas(grid, [EMPTY]):
            touched = {grid[point] for point in region.border}
            if len(touched) == 1:
                color = touched.pop()
                sign = 1 if color == BLACK else -1
                is_clear = all(
                    sign * self.owner[point] >= SURE_TERRITORY
                    or point in self.sure_territory[color]
                    for point in region.points
                )
            else:
                # A neutral point lies between stones of both; else a border is still open there.
                is_clear = all(
                    {BLACK, WHITE} <= {grid.get(near, EMPTY) for near in neighbors(point)}
                    for point in region.points
                )
            if not is_clear and not self._was_read(region, fallen):
                return False
        return True

    def _was_read(self, region: Area, fallen: list[Area]) -> bool:
        """Say whether the fight for a region was read to its end."""
        return any(
            chain.points <= region.points or not chain.points.isdisjoint(region.border)
            for chain, fate in self.fates.items()
            if fate.is_settled or chain in fallen
        )

    # Fights

    def _fate(self, chain: Area) -> Fate | None:
        """Read the chain's fight, if it is closed, once. Chains of one fate are read once."""
        locale = self._locale(chain)
        if locale is None:
            return None
        for other, fate in self.fates.items():
            if (
                other.points <= locale
                and self.color[other] == self.color[chain]
                and abs(self.strength[other] - self.strength[chain]) < SAME_FATE
                and self._share_liberty(chain, other)
            ):
                self.fates[chain] = fate
                return fate
        if len(set(self.fates.values())) >= MOST_READINGS:
            return None
        proven = prove_fate(self.grid, chain.points, locale, self.nodes)
        self.fates[chain] = proven or read_fate(
            self.game.board.state,
            self.definition,
            [point_at(*point, self.size) for point in sorted(chain.points)],
            [point_at(*point, self.size) for point in sorted(locale)],
            simulations=self.simulations,
            seed=self.seed,
        )
        return self.fates[chain]

    def _share_liberty(self, one: Area, other: Area) -> bool:
        """Say whether two chains have a liberty in common."""
        return any(self.grid[point] == EMPTY for point in one.border & other.border)

    def _gaps(self, chain: Area) -> set[Area]:
        """Return the empty regions in which a chain has its liberties."""
        return {self.area_at[point] for point in chain.border if self.grid[point] == EMPTY}

    def _locale(self, chain: Area) -> frozenset[Coordinates] | None:
        """Return what takes part in the chain's fight, or None if it is open or too large.

        All chains that are not sure of themselves and hang together with it, by contact or over
        empty regions, these regions, and the chains that have no liberties elsewhere: however
        sure, they stand inside, and once captured their points are fought over, too.
        """
        inside, waiting = {chain}, [chain]
        walls: set[Area] = set()
        while waiting:
            for point in waiting.pop().border:
                area = self.area_at[point]
                if area in inside:
                    continue
                if self.grid[point] == EMPTY:
                    if len(area.points) > LARGEST_GAP:
                        return None
                elif self.strength[area] > WALL:
                    walls.add(area)
                    continue
                inside.add(area)
                waiting.append(area)
            if not waiting:
                waiting = [wall for wall in walls if self._gaps(wall) <= inside]
                inside.update(waiting)
                walls.difference_update(waiting)
        points = frozenset(point for area in inside for point in area.points)
        gaps = sum(self.grid[point] == EMPTY for point in points)
        return points if gaps <= LARGEST_LOCALE else None


def _names(points: frozenset[Coordinates] | set[Coordinates]) -> frozenset[str]:
    return frozenset(format_vertex(point) for point in points)


class Judgements:
    """The judgements of a player, each made once for a position and kept.

    Passing, the score and the status of stones rest on the same one. Nothing is dead under rules
    without removal; and no stone of the opponent's after a cleanup has begun, and was not taken
    back: those were to be captured.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        # Who captures dead stones, after an argument about them on KGS; and the history of the game
        # from then on, the first move of it included.
        self._cleanup: tuple[str, list[Move | Setup]] | None = None
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
            self._cleanup = color, game.history

    def _cleaner(self, game: Game) -> str | None:
        """Return the color that has begun to capture dead stones in this game, if one has."""
        if self._cleanup is None:
            return None
        color, history = self._cleanup
        # Taken back, it is as before.
        return color if game.history[: len(history)] == history else None

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
        self._is_open = not judgement.settled and _is_open(game, judgement)

    @property
    def _ahead(self) -> float:
        """By how much the player leads if the game ends now."""
        return self._standing if self._is_strict else self._count

    def decision(self) -> PassDecision:
        """Say whether to pass instead of searching for a move.

        *friendly* and *kgs* pass when the position is settled and no neutral point is worth a move,
        and answer a pass by a pass if it is settled and the count is won. *strict*, and every mode
        under rules without removal of dead stones, passes only when the position is won as it
        stands, with or without the player's dead stones, and no dead enemy stone is left to
        capture; or when the opponent has passed and it is won as it stands. In a cleanup no dead
        enemy stone may be left. What is not settled the search decides, by :meth:`considered`.
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
        elif self._ends and self._ahead > 0 and judgement.settled:
            return PassDecision(True, "the opponent passed, and the count is won")
        if not judgement.settled:
            return PassDecision(False, "the position is not settled")
        if self._neutral_moves():
            return PassDecision(False, "neutral points are still worth a point each")
        if self._ends and self._ahead <= 0:
            return PassDecision(True, "nothing is left that could change the result")
        return PassDecision(True, "everything is settled")

    def considered(self) -> PassDecision:
        """Say whether to pass because the search prefers it, although :meth:`decision` said no.

        It counts the stones as they stand, which proves little where dead ones are to be removed.
        While much of the board is open it is not followed, whoever leads: people play on there. Who
        counts only what stands may end a game that is won.
        """
        if self._is_open and not (self._is_strict and self._ends):
            return PassDecision(False, "the board is still open")
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
        neutral points that only take liberties in a seki; not where dead stones are to be captured.
        Who is behind as the board stands, and gets nothing removed, gives up only what is beyond
        doubt. They may be all of the legal moves, but never the pass.
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


def _is_open(game: Game, judgement: Judgement) -> bool:
    """Say whether more than a few empty points may still become either side's."""
    rows = game.board.rows()
    open_points = sum(
        color == EMPTY and abs(owner) < DECIDED
        for color, owner in zip(
            (color for row in rows for color in row), judgement.ownership, strict=True
        )
    )
    return open_points > FEW_OPEN + game.size**2 // OPEN_SHARE
