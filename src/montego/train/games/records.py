"""Games that others have played, to learn from in place of games against oneself.

The records are played over by the game's own rules, many at once, on a CPU or a GPU, and each
position teaches the move that was made and who won in the end. Who owns what is not in a record.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch.nn import functional

from montego.go.playout.knowledge import KOMI
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LIMIT, TRACE
from montego.mcts.kernels.batch import LENGTH, OVER, PLACES, WAITS
from montego.train.errors import TrainError
from montego.train.games.machine import Machine
from montego.train.learning.net import win_probability
from montego.train.learning.positions import Positions, Progress, joined_positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition
    from montego.mcts.kernels.functions import LegalMoves, Play
    from montego.train.learning.net import Net
    from montego.train.learning.positions import Judge
    from montego.train.report import Measure

HELD_BACK = 50
"""One game in so many is not learned from, to see how well others are known."""

MOST_KOMI = 20.0
"""Records with more komi, for either side, are handicap games by another name."""

LANES_ON_GPU, LANES_ON_CPU = 4096, 64
HELD_POSITIONS, PIECE = 8192, 1024
STRETCH = 50
"""Moves of all games that are played over between two stretches of learning."""


class Record(NamedTuple):
    """A game that was played, from the empty board, Black first."""

    cells: NDArray[np.int16]
    """Where the moves were, row by row from the top; a pass is one more than the last cell."""
    winner: int
    """0 for the first player, 1 for the second."""
    komi: float


def read_records(paths: Sequence[str | Path], size: int) -> list[Record]:
    """Return the games of Go in files that were played to a result, on such a board, even.

    Files are SGF, folders of them, or JSON lines (also gzipped) with ``size``, ``komi``,
    ``result``, ``first`` and ``moves``, two letters a move as in SGF. Games on other boards, with
    handicap or without a winner are passed over.

    Raises:
        TrainError: If a file cannot be read, or no game is left.
    """
    records: list[Record] = []
    for path in map(Path, paths):
        try:
            if path.name.endswith((".jsonl", ".jsonl.gz")):
                records.extend(_from_json_lines(path, size))
            else:
                files = sorted(path.rglob("*.sgf")) if path.is_dir() else [path]
                records.extend(record for file in files for record in _from_sgf(file, size))
        except OSError as error:
            raise TrainError(f"cannot read {path}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
            raise TrainError(f"{path} is no file of games: {error}") from None
    if len(records) < HELD_BACK:
        raise TrainError(
            f"{len(records)} games on {size}x{size} with a winner and without handicap are too few "
            f"to learn from: {HELD_BACK} are the least"
        )
    return records


def _from_json_lines(path: Path, size: int) -> Iterator[Record]:
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            game = json.loads(line)
            is_even = not game.get("ab") and not game.get("aw") and game.get("first", "B") == "B"
            winner = "BW".find((game.get("result") or "?")[:1])
            if game["size"] != size or not is_even or winner < 0:
                continue
            komi = float(game.get("komi") or 0.0)
            letters = np.frombuffer(game["moves"].encode("ascii"), np.uint8).astype(np.int16)
            columns, rows = letters[::2] - ord("a"), letters[1::2] - ord("a")
            is_pass = (columns < 0) | (columns >= size) | (rows < 0) | (rows >= size)
            cells = np.where(is_pass, size * size, rows * size + columns).astype(np.int16)
            if len(cells) and abs(komi) <= MOST_KOMI:
                yield Record(cells, winner, komi)


def _from_sgf(path: Path, size: int) -> Iterator[Record]:
    from montego.go import Game, GoError  # noqa: PLC0415  # Wants what a GPU's machine may lack.
    from montego.go.sgf.record import read_sgf_file  # noqa: PLC0415
    from montego.go.vocabulary.vertex import parse_vertex  # noqa: PLC0415

    try:
        written = read_sgf_file(path)
        game = Game.from_record(written)
    except GoError as error:
        raise TrainError(f"{path}: {error}") from None
    colors = [move.color for move in game.moves]
    alternate = colors == (["black", "white"] * len(colors))[: len(colors)]
    winner = "BW".find(written.result[:1] or "?")
    if game.size != size or winner < 0 or not colors or not alternate:
        return
    if len(game.moves) != len(game.history) or abs(game.komi) > MOST_KOMI:
        return
    cells = []
    for move in game.moves:
        at = parse_vertex(move.vertex, size)
        cells.append(size * size if at is None else (size - 1 - at[1]) * size + at[0])
    yield Record(np.array(cells, np.int16), winner, game.komi)


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
        for index in range(Index(len(initial))):
            start[index] = initial[index]
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
        records: Sequence[Record],
        *,
        device: str = "cpu",
        lanes: int | None = None,
        seed: int = 0,
    ) -> None:
        """Play over *lanes* records at a time.

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

    def play(self, judge: Judge, seconds: float) -> tuple[Positions, Progress]:  # noqa: ARG002
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
        return positions, Progress(
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
        won = self._winners[self._playing[lanes]] == number % 2
        return Positions(
            planes=self._shown[lanes].half().view(shape),
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


def known_share(held: Replay) -> Measure:
    """Return what says, of positions held back, how many moves and results a network foretells."""
    positions = held.once(HELD_POSITIONS)

    def measure(net: Net, minutes: float, *, last: bool) -> dict[str, float]:  # noqa: ARG001
        moves = results = loss = 0.0
        was_training = net.training
        net.eval()
        with torch.no_grad():
            for begin in range(0, len(positions.value), PIECE):
                part = Positions(*(column[begin : begin + PIECE] for column in positions))
                answer = net(part.planes.float().contiguous(memory_format=torch.channels_last))
                moves += float((answer.policy.argmax(1) == part.policy.argmax(1)).sum())
                chance = win_probability(answer.value)
                results += float(((chance > 0.5) == (part.value > 0.5)).sum())
                loss += float(functional.binary_cross_entropy(chance, part.value, reduction="sum"))
        net.train(was_training)
        count = len(positions.value)
        return {
            "held_accuracy": moves / count,
            "held_results": results / count,
            "held_value": loss / count,
        }

    return measure
