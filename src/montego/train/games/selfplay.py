"""Many games of a program with itself, all at once, by the same rules and search that play.

All games make a move together: their trees descend, a network judges the leaves in one batch, the
trees back up, so many times; then every game makes its move. What runs is
:mod:`montego.mcts.kernels.batch`, in a loop on a CPU or a grid on a GPU. Nothing is copied between
kernels and network: they share the memory. On a GPU a round, the search's kernels and the network's
together, is recorded once (a CUDA graph) and played back.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch

from montego.jit.state import LIMIT as PLAYOUT_LIMIT
from montego.jit.state import RANDOM, TRACE
from montego.mcts.config import Config
from montego.mcts.errors import MctsError
from montego.mcts.kernels import batch
from montego.mcts.kernels.batch import no_owners
from montego.mcts.kernels.selection import selector_of
from montego.mcts.kernels.tree import COUNTERS, Tree
from montego.mcts.kernels.workspace import GROUP, Workspace
from montego.train.games.machine import Machine
from montego.train.learning.positions import PlayProgress, Positions, joined_positions
from montego.train.learning.recording import recorded

if TYPE_CHECKING:
    from collections.abc import Generator

    from torch import Tensor

    from montego.jit.kernel import Kernel
    from montego.mcts.game import GameDefinition
    from montego.train.learning.positions import Judge


DRAWN = 8
"""Moves at the beginning of a match's games that are drawn, so that no two are alike."""


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings:
    """How games of self-play are played."""

    games: int
    """At once."""
    simulations: int = 32
    """A move, the root's own evaluation apart."""
    considered: int = 16
    """Moves that are considered at the root."""
    cheap_share: float = 0.0
    """Share of the moves that are searched less, and whose policy is not learned (KataGo)."""
    cheap_simulations: int = 8
    root_value: float = 0.0
    """How much the value that the search found counts beside the result."""
    late_noise: float = 1.0
    """What the noise by which moves are drawn, 1 at the beginning of a game, falls to."""
    noise_moves: float = 9.0
    """Moves in which it falls half of the way."""
    random_moves: int = 0
    """A game begins with up to so many moves at random; none in half of the games."""
    longest: int = 0
    """Moves after which a game is counted as it stands; 0 for as many as the game can have."""
    selection: str = "gumbel"
    """How the search chooses moves; only ``gumbel`` gives policies that are worth learning."""
    seed: int = 0


class Variety(Protocol):
    """Changes what games know, one game from another: komi, for example."""

    def __call__(self, knowledge: Tensor, games: Tensor, generator: torch.Generator) -> None:
        """Set the knowledge of these games, which begin anew; *knowledge* has a row a game."""


class SelfPlay:
    """Games in progress. The game must be compiled where they are to run on a GPU."""

    origin = "self-play"

    def __init__(
        self,
        game: GameDefinition,
        play: SelfPlaySettings,
        *,
        device: str = "cpu",
        owners: Kernel[..., None] = no_owners,
        has_score: bool = False,
        variety: Variety | None = None,
    ) -> None:
        """Make room for all games. *owners* says who owns what when one ends: see ``no_owners``.

        *has_score* says whether the score tells more than who won.

        Raises:
            MctsError: If the game does not say what a network is shown of it.
            DeviceError: If there is no GPU where one is asked for, or too little memory.
        """
        if game.features is None:
            raise MctsError(f"{game.name} does not say what a network is shown of it")
        self._game, self._features, self._play = game, game.features, play
        self._machine = Machine(device, play.games)
        self._device = self._machine.device
        self._variety = variety
        self._generator = torch.Generator().manual_seed(play.seed)
        self.has_ownership = owners is not no_owners
        self.has_score = has_score
        self._limit = min(play.longest or game.longest_game, game.longest_game)
        self._settings: dict[tuple[int, bool], Any] = {}  # By simulations, and whether noisy.
        self._simulations = play.simulations
        self._make_arrays(max(play.simulations, play.cheap_simulations), owners)
        self._make_history()
        self._steps = 0
        self._warm_up()

    def _settings_of(self, way: tuple[int, bool]) -> Any:
        if way not in self._settings:
            simulations, noisy = way
            config = Config(
                selection=self._play.selection,
                evaluation=1.0,
                simulations=simulations + 1,
                # Else most would be tried once, which tells the policy little.
                considered=min(self._play.considered, max(simulations // 2, 2)),
                root_noise=float(noisy),
                decisive=False,
            )
            game = replace(self._game, evaluate=batch.answered)
            self._settings[way] = config.settings(game)._replace(apart=1)
        return self._settings[way]

    def search_with(self, simulations: int) -> None:
        """Search every move with so many simulations from now on, at most those made room for."""
        self._simulations = min(simulations, self._play.simulations)

    # Memory

    def _make_arrays(self, simulations: int, owners: Kernel[..., None]) -> None:
        game, features, games = self._game, self._features, self._play.games
        machine = self._machine
        initial = np.array(game.initial_state(), np.int32)
        scratch = TRACE + game.longest_game + game.scratch_room
        most = int((features.outputs >= 0).sum())
        extents = {
            "node": simulations + 3,
            "edge": (simulations + 2) * most,
            "counter": COUNTERS,
            "state": len(initial),
            "scratch": scratch,
            "move": game.move_count,
            "group": game.move_count + GROUP,
            "depth": min(simulations, game.longest_game) + 4,
            "play": 1,  # All moves as first are not counted.
            "score": 1,
            "one": 1,
            "two": 2,
        }
        self._tree: Any = machine.record(Tree, extents)
        self._work: Any = machine.record(Workspace, extents)
        random = np.zeros((games, scratch), np.uint64)
        seeds = np.random.SeedSequence(self._play.seed).generate_state(games, np.uint64)
        random[:, RANDOM] = seeds | np.uint64(1)
        random[:, PLAYOUT_LIMIT] = game.longest_game
        lanes: Any = self._work.scratch
        lanes.write(random)
        self._start = machine.rows(np.int32, len(initial), interleaved=True)
        self._initial = machine.shared(initial)
        self._history = machine.shared(np.zeros(1, np.uint64))  # No position has this hash.
        self._limits = machine.shared(np.zeros(1, np.int32))
        known = len(game.knowledge)
        self._knowledge = machine.rows(np.float64, known + game.move_count + batch.ANSWER_TAIL)
        self._known = machine.tensor(self._knowledge)
        self._known[:, :known] = torch.from_numpy(game.knowledge.copy()).to(self._device)
        self._known[:, -batch.MOVES] = game.move_count
        self._known[:, -batch.LOUDNESS] = 1.0
        self._place = machine.rows(np.int32, batch.PLACES)
        self._places = machine.tensor(self._place)
        self._places[:, batch.OVER] = 1
        self._places[:, batch.LIMIT] = self._limit
        self._planes = machine.rows(np.float32, features.planes * features.cells)
        self._policy = machine.rows(np.float32, features.policy)
        self._result = machine.rows(np.float32, 2)
        self._owned = machine.rows(np.int8, features.cells)
        shape = (games, features.planes, features.cells)
        self._shown = machine.tensor(self._planes).view(shape)
        readings = features.readings()[:, 0]  # Symmetries are undone before answers are written.
        self._readings = machine.shared(np.ascontiguousarray(readings.ravel()))
        moves = np.flatnonzero(features.outputs >= 0)
        self._answered = torch.from_numpy(moves + known).to(self._device)
        self._reading = torch.from_numpy(readings[:, moves].astype(np.int64)).to(self._device)
        self._cells = torch.from_numpy(features.symmetries.astype(np.int64)).to(self._device)
        self._outputs = torch.from_numpy(features.output_permutations().astype(np.int64)).to(
            self._device
        )
        self._symmetry = torch.zeros(1, dtype=torch.long, device=self._device)
        self._judge: Judge | None = None
        # What was recorded for that judge, by simulations and whether the root is noisy.
        self._rounds: dict[tuple[int, bool], Any] = {}
        self._players: tuple[Judge, Judge] | None = None  # Of the last match.
        functions = {
            "legal_moves": game.legal_moves,
            "play": game.play,
            "priors": game.priors,
            "experience": game.experience,
            "hash_of": game.hash,
            "turn": game.turn,
            "final_score": game.score,
            "write": features.write,
            "selection": selector_of(self._play.selection),
            "owners": owners,
        }
        self._begin_move = machine.step(batch.begin_move, functions)
        self._find_leaf = machine.step(batch.find_leaf, functions)
        self._take_answer = machine.step(batch.take_answer, functions)
        self._make_move = machine.step(batch.make_move, functions)

    def _make_history(self) -> None:
        """Make room for the positions of games that are not over yet: a step a row."""
        features, games, steps = self._features, self._play.games, self._limit
        device = self._device

        def room(*shape: int, dtype: torch.dtype) -> Tensor:
            return torch.zeros((steps, games, *shape), dtype=dtype, device=device)

        self._past_planes = room(features.planes * features.cells, dtype=torch.float16)
        self._past_policy = room(features.policy, dtype=torch.float16)
        self._past_mover = room(dtype=torch.int8)
        self._past_value = room(dtype=torch.float32)
        self._past_weight = room(dtype=torch.float32)

    # Playing

    def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:
        """Play for so many seconds, or a move at least; return what games that ended leave."""
        playing = self.playing(judge, seconds)
        while True:
            try:
                next(playing)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    def playing(
        self, judge: Judge, seconds: float
    ) -> Generator[None, None, tuple[Positions, PlayProgress]]:
        """Do what :meth:`play` does, and yield whenever a GPU has been given a round's work."""
        begin = time.perf_counter()
        found: list[Positions] = []
        moves = evaluations = games = cut_off = 0
        length = wins = 0.0
        entropy = torch.zeros((), device=self._device)
        while moves == 0 or time.perf_counter() - begin < seconds:
            made, uncertain = yield from self._move(judge)
            entropy += uncertain
            evaluations += made
            moves += 1
            ended = self._ended()
            if ended is not None:
                positions, scores, lengths = ended
                found.append(positions)
                games += len(scores)
                length += float(lengths.sum())
                cut_off += int((lengths >= self._limit).sum())
                wins += float((scores > 0).sum() + 0.5 * (scores == 0).sum())
        seconds = time.perf_counter() - begin
        if not found:
            found.append(self._positions_of(torch.zeros(0, dtype=torch.long, device=self._device)))
        joined = joined_positions(found)
        progress = PlayProgress(
            games=games,
            positions=len(joined.value),
            evaluations=evaluations,
            seconds=seconds,
            length=length / max(games, 1),
            first_wins=wins / max(games, 1),
            entropy=float(entropy) / moves,
            cut_off=cut_off / max(games, 1),
        )
        return joined, progress

    def match(self, one: Judge, other: Judge) -> float:
        """Play all games once, *one* against *other*; return the share of the points that it made.

        Each begins half of the games; a draw is half a point. The first DRAWN moves are chosen with
        noise, so that games differ, and the others without, as the player plays. Games in
        progress are given up, and all begin anew afterwards. The two may be the same objects from
        call to call, whatever has become of their weights: then nothing has to be recorded again.
        """
        if self._players != (one, other):
            self._players, self._contest = (one, other), self._judge_of_both(one, other)
        second = torch.arange(self._play.games, device=self._device) % 2
        points = torch.full((self._play.games,), torch.nan, device=self._device)
        self._places[:, batch.OVER] = 1
        moves = 0
        while bool(points.isnan().any()):
            for _ in self._move(self._contest, noisy=moves < DRAWN):
                pass
            moves += 1
            ended = (self._places[:, batch.OVER] != 0) & points.isnan()
            score = self._machine.tensor(self._result)[:, 0] * (1.0 - 2.0 * second)
            points = torch.where(ended, 0.5 + 0.5 * score.sign(), points)
        self._places[:, batch.OVER] = 1
        return float(points.mean())

    def _judge_of_both(self, one: Judge, other: Judge) -> Judge:
        """Return what judges like *one* where it is to move at the root, and else like *other*.

        In games of even numbers *one* is the first player.
        """
        second = torch.arange(self._play.games, device=self._device) % 2

        def judge(planes: Tensor) -> tuple[Tensor, Tensor]:
            mine = self._places[:, batch.TURN] == second
            (scores, values), (scores_of_other, values_of_other) = one(planes), other(planes)
            return (
                torch.where(mine[:, None], scores, scores_of_other),
                torch.where(mine, values, values_of_other),
            )

        return judge

    def _warm_up(self) -> None:
        """Compile everything, before a clock runs."""
        outputs = self._features.policy
        state = self._generator.get_state()

        def undecided(planes: Tensor) -> tuple[Tensor, Tensor]:
            return planes.new_zeros(len(planes), outputs), planes.new_full((len(planes),), 0.5)

        for _ in self._move(undecided, records=False):
            pass
        self._generator.set_state(state)
        self._places[:, batch.OVER] = 1
        self._steps = 0

    def state(self) -> dict[str, Any]:
        """Return what :meth:`restore` needs. Games in progress are begun anew."""
        return {"generator": self._generator.get_state(), "steps": self._steps}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with the random numbers of another, or of the first of several tables.

        All games begin anew.
        """
        first = state["tables"][0] if "tables" in state else state
        self._generator.set_state(first["generator"])
        self._places[:, batch.OVER] = 1

    def _move(
        self, judge: Judge, *, records: bool = True, noisy: bool = True
    ) -> Generator[None, None, tuple[int, Tensor]]:
        """Let all games make a move; return the evaluations, and the entropy of the policies.

        *noisy* says whether moves to consider are drawn, as learning needs it.
        """
        games, row = self._play.games, self._steps % self._limit
        cheap = float(torch.rand((), generator=self._generator)) < self._play.cheap_share
        simulations = self._play.cheap_simulations if cheap else self._simulations
        way = (simulations, noisy)
        settings = self._settings_of(way)
        first_turn = int(self._game.to_play(np.array(self._game.initial_state(), np.int32)))
        self._vary()
        self._known[:, -batch.LOUDNESS] = self._loudness()
        drawn = self._places[:, batch.LENGTH] < self._places[:, batch.RANDOM_MOVES]
        self._begin_move(
            self._initial,
            self._tree,
            settings,
            self._start,
            self._knowledge,
            self._work.scratch,
            self._place,
            first_turn,
        )
        drawn_symmetries = torch.randint(
            len(self._features.symmetries), (simulations + 1,), generator=self._generator
        ).to(self._device)
        search = self._round_of(judge, way) if records and self._machine.is_gpu else None
        for number in range(simulations + 1):
            self._symmetry.copy_(drawn_symmetries[number])
            if search is None:
                self._round(judge, way)
            else:
                search.replay()
            if number == 0:
                self._past_planes[row] = self._shown.view(games, -1)
            yield
        self._make_move(
            self._tree,
            self._work,
            settings,
            self._start,
            self._knowledge,
            self._place,
            self._readings,
            self._policy,
            self._result,
            self._owned,
            len(self._features.views),
        )
        policy = self._machine.tensor(self._policy)
        self._past_policy[row] = policy
        self._past_mover[row] = self._places[:, batch.MOVER]
        self._past_value[row] = self._machine.tensor(self._result)[:, 1]
        self._past_weight[row] = 0.0 if cheap else (~drawn).float()
        self._steps += 1
        entropy = -(policy * policy.clamp_min(1e-12).log()).sum(1).mean()
        return games * (simulations + 1), entropy

    def _round(self, judge: Judge, way: tuple[int, bool]) -> None:
        """Do a simulation in all games, by the settings for so many, noisy or not."""
        settings = self._settings_of(way)
        task = (self._start, self._knowledge, self._history, self._limits, self._place)
        self._find_leaf(self._tree, self._work, settings, *task, self._planes)
        self._answer(judge)
        self._take_answer(self._tree, self._work, settings, *task)

    def _round_of(self, judge: Judge, way: tuple[int, bool]) -> Any:
        """Return the graph of a round on a GPU with this judge, recorded if there is none yet."""
        if self._judge is not judge:
            self._judge, self._rounds = judge, {}
        if way not in self._rounds:
            self._answer(judge)  # Whatever it does for the first time cannot be recorded.
            self._rounds[way] = recorded(lambda: self._round(judge, way))
        return self._rounds[way]

    def _answer(self, judge: Judge) -> None:
        """Have the leaves judged, in a symmetry drawn for all of them, and write the answers."""
        features = self._features
        shape = (self._play.games, features.planes, features.height, features.width)
        shown = self._shown
        if len(features.symmetries) > 1:
            shown = shown.index_select(2, self._cells.index_select(0, self._symmetry)[0])
        scores, values = judge(shown.reshape(shape))
        if len(features.symmetries) > 1:
            scores = scores.index_select(1, self._outputs.index_select(0, self._symmetry)[0])
        if len(features.views) == 1:
            answers = scores[:, self._reading[0]]
        else:
            answers = scores.gather(1, self._reading[self._places[:, batch.VIEW].long()])
        self._known[:, self._answered] = answers.double()
        self._known[:, -batch.VALUE] = values.double()

    def _loudness(self) -> Tensor:
        """Return what the noise of each game's next move is multiplied by."""
        late, length = self._play.late_noise, self._places[:, batch.LENGTH].double()
        return late + (1.0 - late) * torch.exp2(-length / self._play.noise_moves)

    def _vary(self) -> None:
        """Prepare the games that begin with the next move."""
        begun = self._places[:, batch.OVER].nonzero().squeeze(1)
        if len(begun) == 0:
            return
        if self._play.random_moves:
            drawn = torch.randint(
                -self._play.random_moves,
                self._play.random_moves + 1,
                (len(begun),),
                generator=self._generator,
            )
            moves = drawn.clamp_min(0).to(self._device, torch.int32)
            self._places[begun, batch.RANDOM_MOVES] = moves
        self._places[begun, batch.LENGTH] = 0
        if self._variety is not None:
            self._variety(self._known, begun, self._generator)

    def _ended(self) -> tuple[Positions, Tensor, Tensor] | None:
        """Return the positions of the games that ended with the last move, scores and lengths."""
        games = self._places[:, batch.OVER].nonzero().squeeze(1)
        if len(games) == 0:
            return None
        scores = self._machine.tensor(self._result)[games, 0]
        return self._positions_of(games), scores, self._places[games, batch.LENGTH].long()

    def _positions_of(self, games: Tensor) -> Positions:
        """Return all positions of these games, which ended with the last move."""
        features = self._features
        lengths = self._places[games, batch.LENGTH].long()
        which = torch.repeat_interleave(torch.arange(len(games), device=self._device), lengths)
        begins = lengths.cumsum(0) - lengths
        age = lengths[which] - 1 - (torch.arange(len(which), device=self._device) - begins[which])
        rows, columns = (self._steps - 1 - age) % self._limit, games[which]
        sign = 1.0 - 2.0 * self._past_mover[rows, columns].float()
        score = self._machine.tensor(self._result)[columns, 0] * sign
        value = 0.5 + 0.5 * score.sign()
        found = self._past_value[rows, columns]
        ownership = torch.zeros((len(which), 0), dtype=torch.int8, device=self._device)
        if self.has_ownership:
            ownership = self._machine.tensor(self._owned)[columns] * sign.to(torch.int8)[:, None]
        shape = (-1, features.planes, features.height, features.width)
        return Positions(
            planes=self._past_planes[rows, columns].view(shape),
            policy=self._past_policy[rows, columns],
            value=value + self._play.root_value * (found - value),
            score=score,
            ownership=ownership,
            weight=self._past_weight[rows, columns],
        )
