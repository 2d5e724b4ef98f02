"""Games that others have played, to learn from in place of games against oneself.

The records are played over by the game's own rules, many at once, on a CPU or a GPU, and each
position teaches the move that was made and who won in the end. Who owns what is not in a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

from montego.go.playout.knowledge import KOMI
from montego.jit import kernel
from montego.jit.state import LIMIT, TRACE, copy_state
from montego.mcts.kernels.batch import LENGTH, OVER, PLACES, WAITS
from montego.network.ranked import shown_rank
from montego.train.errors import TrainError
from montego.train.games.machine import Machine
from montego.train.learning.net import win_probability
from montego.train.learning.positions import PlayProgress, Positions, joined_positions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition
    from montego.mcts.kernels.functions import LegalMoves, Play
    from montego.train.games.files import RecordedGame
    from montego.train.learning.net import Net
    from montego.train.learning.positions import Judge
    from montego.train.report import Measure

LANES_ON_GPU, LANES_ON_CPU = 4096, 64
HELD_POSITIONS, PIECE = 8192, 1024
STRETCH = 50
"""Moves of all games that are played over between two stretches of learning."""


@kernel
def play_over(
    legal_moves: LegalMoves,
    play: Play,
    write: Any,
    initial: State,
    start: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    place: NDArray[Any],
    record: NDArray[Any],
    planes: NDArray[Any],
) -> None:
    """Show the position of a game, and make the move of the record in it.

    ``place[WAITS]`` becomes 1 if that was done, ``place[OVER]`` if nothing is left of the record,
    because it has ended (with -1) or goes on with a move that the game does not list.
    """
    place[WAITS] = 0
    if place[OVER] != 0:
        return
    if place[LENGTH] == 0:
        copy_state(initial, start)
    place[OVER] = 1
    length = int(place[LENGTH])
    if length >= len(record) or record[length] < 0:
        return
    move = int(record[length])
    count = int(legal_moves(start, knowledge, scratch, moves))
    for rank in range(count):
        if int(moves[rank]) == move:
            write(start, knowledge, scratch, planes)
            play(start, knowledge, scratch, move)
            place[LENGTH] += 1
            place[WAITS] = 1
            place[OVER] = 0
            return


class Replay:
    """Records that are played over again and again, in an order drawn anew each time.

    In place of self-play: nobody is asked to judge, and *seconds* mean nothing.
    """

    has_ownership = False
    has_score = False
    origin = "records of games"

    def __init__(
        self,
        game: GameDefinition,
        records: Sequence[RecordedGame],
        *,
        device: str = "cpu",
        lanes: int | None = None,
        seed: int = 0,
        ranked: bool = False,
    ) -> None:
        """Play over *lanes* records at a time.

        With *ranked* every record has ranks, and a plane more shows that of the player to move, as
        :func:`~montego.network.ranked.shown_rank` has it.

        Raises:
            TrainError: If the game does not say what a network is shown of it.
        """
        if game.features is None:
            raise TrainError(f"{game.name} has no features: nothing that a network could be shown")
        lanes = lanes or (LANES_ON_GPU if device == "gpu" else LANES_ON_CPU)
        self._machine = machine = Machine(device, min(lanes, len(records)))
        self._features = features = game.features
        self._generator = torch.Generator().manual_seed(seed)
        self._queue: list[int] = []
        self._winners = torch.tensor([record.winner for record in records], device=machine.device)
        self._ranks: torch.Tensor | None = None
        if ranked:
            shown = [[shown_rank(rank) for rank in record.ranks or ()] for record in records]
            self._ranks = torch.tensor(shown, device=machine.device)
        self._komis = torch.tensor([record.komi for record in records], dtype=torch.float64)
        longest = max(len(record.cells) for record in records)
        # By cell, the move of the game; -1 where a record has ended.
        table = np.full(features.policy + 1, -1, np.int32)
        outputs = features.outputs
        table[outputs[outputs >= 0]] = np.flatnonzero(outputs >= 0)
        games = np.full((len(records), longest), -1, np.int16)
        for number, record in enumerate(records):
            games[number, : len(record.cells)] = record.cells
        self._games = torch.from_numpy(games)
        self._table = torch.from_numpy(table)

        initial = np.array(game.initial_state(), np.int32)
        scratch = np.zeros(TRACE + game.longest_game + game.scratch_room, np.uint64)
        scratch[LIMIT] = game.longest_game
        self._initial = machine.shared(initial)
        self._start = machine.rows(np.int32, len(initial), interleaved=True)
        self._scratch = machine.rows(np.uint64, len(scratch), interleaved=True)
        self._scratch.write(scratch)
        self._moves = machine.rows(np.int32, game.move_count, interleaved=True)
        self._knowledge = machine.rows(np.float64, len(game.knowledge))
        self._known = machine.tensor(self._knowledge)
        self._known[:] = torch.from_numpy(game.knowledge.copy()).to(machine.device)
        self._place = machine.rows(np.int32, PLACES)
        self._places = machine.tensor(self._place)
        self._places[:, OVER] = 1
        self._record = machine.rows(np.int32, longest)
        self._recorded = machine.tensor(self._record)
        self._playing = torch.zeros(machine.games, dtype=torch.long, device=machine.device)
        self._planes = machine.rows(np.float32, features.planes * features.cells)
        self._shown = machine.tensor(self._planes)
        self._outputs = torch.from_numpy(features.outputs.astype(np.int64)).to(machine.device)
        functions = {"legal_moves": game.legal_moves, "play": game.play, "write": features.write}
        self._play_over = machine.step(play_over, functions)

    def search_with(self, simulations: int) -> None:
        """Do nothing: what was played is not searched."""

    def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:  # noqa: ARG002
        """Play over a stretch of moves of all games, and return the positions."""
        found: list[Positions] = []
        games, length, wins = 0, 0, 0.0
        while len(found) < STRETCH:
            over = self._places[:, OVER].nonzero().squeeze(1)
            if len(over):
                lengths = self._places[over, LENGTH]
                games += int((lengths > 0).sum())
                length += int(lengths.sum())
                first = self._winners[self._playing[over]] == 0
                wins += float((first & (lengths > 0)).sum())
                self._begin(over)
            found.append(self._positions())
        positions = joined_positions(found)
        return positions, PlayProgress(
            games=games,
            positions=len(positions.value),
            evaluations=0,
            seconds=0.0,
            length=length / max(games, 1),
            first_wins=wins / max(games, 1),
            entropy=0.0,
        )

    def once(self, most: int) -> Positions:
        """Return positions of the records, up to so many, from all parts of the games."""
        stretches = -(-int(self._games.shape[1]) // STRETCH)
        each = -(-most // stretches)
        taken = []
        for _ in range(stretches):
            positions, _ = self.play(_nobody, 0.0)
            step = max(1, len(positions.value) // each)
            taken.append(Positions(*(column[::step][:each] for column in positions)))
        return Positions(*(column[:most] for column in joined_positions(taken)))

    def _begin(self, lanes: torch.Tensor) -> None:
        """Give these lanes the next records."""
        while len(self._queue) < len(lanes):
            order = torch.randperm(len(self._games), generator=self._generator)
            self._queue.extend(order.tolist())
        numbers = torch.tensor(self._queue[: len(lanes)])
        del self._queue[: len(lanes)]
        device = self._machine.device
        moves = self._table[self._games[numbers].long()]  # The end of a record reads the last: -1.
        self._recorded[lanes] = moves.to(device)
        self._playing[lanes] = numbers.to(device)
        self._known[lanes, KOMI] = self._komis[numbers].to(device)
        self._places[lanes, OVER] = 0
        self._places[lanes, LENGTH] = 0

    def _positions(self) -> Positions:
        """Make a move in all games, and return the positions before."""
        self._play_over(
            self._initial,
            self._start,
            self._knowledge,
            self._scratch,
            self._moves,
            self._place,
            self._record,
            self._planes,
        )
        features = self._features
        lanes = self._places[:, WAITS].nonzero().squeeze(1)
        number = self._places[lanes, LENGTH].long() - 1
        made = self._outputs[self._recorded[lanes, number].long()]
        shape = (-1, features.planes, features.height, features.width)
        policy = torch.zeros(
            (len(lanes), features.policy), dtype=torch.float16, device=self._machine.device
        )
        policy.scatter_(1, made[:, None], 1.0)
        playing = self._playing[lanes]
        won = self._winners[playing] == number % 2
        planes = self._shown[lanes].half().view(shape)
        if self._ranks is not None:
            rank = self._ranks[playing, number % 2].half()[:, None, None, None]
            planes = torch.cat([planes, rank.expand(-1, 1, *planes.shape[2:])], 1)
        return Positions(
            planes=planes,
            policy=policy,
            value=won.float(),
            score=torch.zeros_like(won, dtype=torch.float32),
            ownership=policy.new_zeros((len(lanes), 0), dtype=torch.int8),
            weight=torch.ones_like(won, dtype=torch.float32),
        )

    def state(self) -> dict[str, Any]:
        """Return what :meth:`restore` needs. The records are begun anew."""
        return {"generator": self._generator.get_state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with the random numbers of another."""
        self._generator.set_state(state["generator"])
        self._queue.clear()
        self._places[:, OVER] = 1


def _nobody(_planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    raise AssertionError("records are not judged")


def known_share(held: Replay, bands: Mapping[str, tuple[float, float]] | None = None) -> Measure:
    """Return what says, of positions held back, how many moves and results a network foretells.

    Where ranks are shown, *bands* may name ranges of what is shown: then of each as well.
    """
    positions = held.once(HELD_POSITIONS)
    shown = positions.planes[:, -1, 0, 0].float()
    # What is shown has sixteen bits.
    inside = {
        name: (shown > least - 0.01) & (shown < most + 0.01)
        for name, (least, most) in (bands or {}).items()
    }

    def measure(net: Net, minutes: float, *, last: bool) -> dict[str, float]:  # noqa: ARG001
        results = loss = 0.0
        known = []
        was_training = net.training
        net.eval()
        with torch.no_grad():
            for begin in range(0, len(positions.value), PIECE):
                part = Positions(*(column[begin : begin + PIECE] for column in positions))
                answer = net(part.planes.float().contiguous(memory_format=torch.channels_last))
                known.append(answer.policy.argmax(1) == part.policy.argmax(1))
                chance = win_probability(answer.value)
                results += float(((chance > 0.5) == (part.value > 0.5)).sum())
                loss += float(functional.binary_cross_entropy(chance, part.value, reduction="sum"))
        net.train(was_training)
        count = len(positions.value)
        moves = torch.cat(known).float()
        return {
            "held_accuracy": float(moves.mean()),
            "held_results": results / count,
            "held_value": loss / count,
        } | {
            f"held_{name}": float(moves[these].mean())
            for name, these in inside.items()
            if these.any()
        }

    return measure
