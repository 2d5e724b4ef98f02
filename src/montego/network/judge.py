"""Judging positions with a network: what the search calls where it gives a node its moves.

:func:`evaluate` shows the network the position, in one of its symmetries, and turns the answer into
a chance for each move and a win probability. It runs in the thread that found the position, without
the GIL, and asks for one position at a time: batches gain little on a processor, and would make
threads wait for each other.

Everything that it needs lies on a *desk*, an array of addresses and sizes that each thread has one
of; the last word of a thread's scratch says where it is. The network's answers are remembered, by
what the network was shown, in a memory that threads share without locks: an entry bears a sum over
its contents, and if that is wrong, because two threads wrote at once, it counts as not there.

Which symmetry is shown depends on the position and on the seed of the thread's random numbers, and
on nothing else. What is remembered therefore never changes a result.
"""

from __future__ import annotations

import math
import threading
import weakref
from collections import deque
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.jit import (
    Kernel,
    call_at,
    compile_off,
    floats_at,
    integers_at,
    interpreted,
    kernel,
    specialize,
    words_at,
)
from montego.jit.index import Index
from montego.jit.state import RANDOM, advance, draw, new_scratch
from montego.network.description import INPUT, OUTCOMES, POLICY, VALUE
from montego.network.errors import NetworkError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.features import Features
    from montego.mcts.game import GameDefinition
    from montego.network.network import Network

ROOM = 1
"""Integers of scratch that a judge takes, behind the game's own: where the desk is."""

MEMORY = 32.0
"""Megabytes for what was judged, unless somebody says otherwise."""

# What is where on the desk.
_CALL = Index(0)  # the address of what runs the network, then its eight arguments
_RELEASE = Index(9)  # the address of what takes back a failure; 0 if there is none
_SHOWN = Index(10)  # address of the planes as the features write them
_IMAGE = Index(11)  # address of the planes as the network gets them
_ANSWER = Index(12)  # address of the outputs: value, and behind it the policy
_SYMMETRIES = Index(13)  # address of Features.symmetries
_READINGS = Index(14)  # address of Features.readings()
_MEMORY = Index(15)  # address of what is remembered
_ENTRIES = Index(16)  # how many entries that has: 0, or a power of 2
_PLANES = Index(17)
_CELLS = Index(18)
_POLICY = Index(19)
_SYMMETRY_COUNT = Index(20)
_MOVE_COUNT = Index(21)
_VIEWS = Index(22)
_CHOSEN = Index(23)  # the symmetry to show, plus 1; 0 for any
_SALT = Index(24)  # mixed into the choice of a symmetry
_RUNS = Index(25)  # how often the network was run
_RECALLED = Index(26)  # how often it was not, because the answer was remembered
_FAILED = Index(27)  # how often it gave no answer
DESK = 28

VALUE_ROOM = 16  # Floats in the answer before the policy: tensors begin at multiples of 64 bytes.
_VALUE_ROOM = Index(VALUE_ROOM)
_ZERO, _ONE, _TWO = Index(0), Index(1), Index(2)
_HASH = Index(0x9E3779B97F4A7C15)  # Any number will do.


@kernel
def write(
    state: State,  # noqa: ARG001
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    planes: NDArray[Any],  # noqa: ARG001
) -> int:
    """Stand in :func:`evaluate` for what writes the planes of a game."""
    return 0


@kernel
def evaluate(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    count: int,
    chances: NDArray[Any],
) -> float:
    """Write the chance of each move, summing to 1; return the win probability of who is to move.

    A move without an output counts as the least likely one of the others. If the network gives no
    answer, or one that is no number, all moves are equal and the value is 1/2.
    """
    desk = words_at(Index(scratch[len(scratch) - 1]), DESK)
    numbers = Index(desk[_PLANES]) * Index(desk[_CELLS])
    view = Index(write(state, knowledge, scratch, floats_at(Index(desk[_SHOWN]), numbers)))
    seen = hash_of(words_at(Index(desk[_SHOWN]), (numbers + _ONE) // _TWO))
    symmetry = choose_symmetry(desk, seen)
    key = advance(seen ^ (symmetry + _ONE))
    if recall(desk, key):
        desk[_RECALLED] += _ONE
    else:
        if not run(desk, symmetry):
            desk[_FAILED] += _ONE
            return judge_nothing(count, chances)
        desk[_RUNS] += _ONE
        remember(desk, key)
    value = win_probability(floats_at(Index(desk[_ANSWER]), OUTCOMES))
    row = (view * Index(desk[_SYMMETRY_COUNT]) + symmetry) * Index(desk[_MOVE_COUNT])
    if value < 0.0 or not read_policy(desk, row, moves, count, chances):
        desk[_FAILED] += _ONE
        return judge_nothing(count, chances)
    return value


@kernel(inline=True)
def hash_of(words: NDArray[Any]) -> int:
    """Return a hash of some words: each bit changes it in its own way, as Zobrist's keys do."""
    value = _HASH
    for index in range(len(words)):
        value = advance(value ^ Index(words[index]))
    return value


@kernel(inline=True)
def choose_symmetry(desk: NDArray[Any], seen: int) -> int:
    """Return the symmetry in which a position with that hash is shown."""
    if desk[_CHOSEN] != _ZERO:
        return Index(desk[_CHOSEN]) - _ONE
    return draw(advance(seen ^ Index(desk[_SALT])), Index(desk[_SYMMETRY_COUNT]))


@kernel(inline=True)
def run(desk: NDArray[Any], symmetry: int) -> bool:
    """Show the network what was written, in that symmetry; say whether there is an answer."""
    planes, cells = Index(desk[_PLANES]), Index(desk[_CELLS])
    shown = floats_at(Index(desk[_SHOWN]), planes * cells)
    image = floats_at(Index(desk[_IMAGE]), planes * cells)
    order = integers_at(
        Index(desk[_SYMMETRIES]) + Index(4) * symmetry * cells,  # Four bytes each.
        cells,
    )
    for step in range(planes):
        plane = Index(step) * cells
        for cell in range(cells):
            image[plane + Index(cell)] = shown[plane + Index(order[Index(cell)])]
    status = call_at(
        Index(desk[_CALL]),
        (
            Index(desk[_CALL + Index(1)]),
            Index(desk[_CALL + Index(2)]),
            Index(desk[_CALL + Index(3)]),
            Index(desk[_CALL + Index(4)]),
            Index(desk[_CALL + Index(5)]),
            Index(desk[_CALL + Index(6)]),
            Index(desk[_CALL + Index(7)]),
            Index(desk[_CALL + Index(8)]),
        ),
    )
    if status != _ZERO and desk[_RELEASE] != _ZERO:
        call_at(Index(desk[_RELEASE]), (Index(status),))
    return bool(status == _ZERO)


@kernel(inline=True)
def answer_words(desk: NDArray[Any]) -> int:
    """Return how many words of 64 bits an answer takes."""
    return (_VALUE_ROOM + Index(desk[_POLICY]) + _ONE) // _TWO


@kernel(inline=True)
def recall(desk: NDArray[Any], key: int) -> bool:
    """Put a remembered answer where the network would; say whether there is one."""
    entries = Index(desk[_ENTRIES])
    if entries == _ZERO:
        return False
    size = answer_words(desk)
    place = (key & (entries - _ONE)) * (size + _ONE)
    memory = words_at(Index(desk[_MEMORY]), entries * (size + _ONE))
    answer = words_at(Index(desk[_ANSWER]), size)
    # The words that are compared are those that are kept, whoever writes meanwhile.
    total = _HASH
    for index in range(size):
        word = Index(memory[place + _ONE + Index(index)])
        answer[Index(index)] = word
        total = advance(total ^ word)
    return bool(Index(memory[place]) == key ^ total)


@kernel(inline=True)
def remember(desk: NDArray[Any], key: int) -> None:
    """Keep the answer of the network, in place of what was there."""
    entries = Index(desk[_ENTRIES])
    if entries == _ZERO:
        return
    size = answer_words(desk)
    place = (key & (entries - _ONE)) * (size + _ONE)
    memory = words_at(Index(desk[_MEMORY]), entries * (size + _ONE))
    answer = words_at(Index(desk[_ANSWER]), size)
    for index in range(size):
        memory[place + _ONE + Index(index)] = answer[Index(index)]
    memory[place] = key ^ hash_of(answer)


@kernel(inline=True)
def win_probability(logits: NDArray[Any]) -> float:
    """Return the probability of a win and half that of a draw; -1 if they are no numbers."""
    # In compiled code float() leaves 32 bits 32 bits.
    wins, losses, draws = np.float64(logits[0]), np.float64(logits[1]), np.float64(logits[2])
    top = max(wins, losses, draws)
    win, loss, drawn = math.exp(wins - top), math.exp(losses - top), math.exp(draws - top)
    value = (win + 0.5 * drawn) / (win + loss + drawn)
    return value if 0.0 <= value <= 1.0 else -1.0


@kernel(inline=True)
def read_policy(
    desk: NDArray[Any], row: int, moves: NDArray[Any], count: int, chances: NDArray[Any]
) -> bool:
    """Write the chances of the moves from the policy; say whether they are numbers.

    *row* is where in the readings those of the view and the symmetry begin.
    """
    policy = floats_at(
        Index(desk[_ANSWER]) + Index(4 * VALUE_ROOM), Index(desk[_POLICY])
    )  # Four bytes each.
    readings = integers_at(
        Index(desk[_READINGS]),
        Index(desk[_VIEWS]) * Index(desk[_SYMMETRY_COUNT]) * Index(desk[_MOVE_COUNT]),
    )
    top, least = -math.inf, math.inf
    for rank in range(count):
        output = int(readings[row + Index(moves[rank])])
        if output >= 0:
            chances[rank] = policy[output]
            logit = float(chances[rank])
            if not -1e30 < logit < 1e30:
                return False
            top = max(top, logit)
            least = min(least, logit)
        else:
            chances[rank] = math.nan
    if top < least:  # There was none.
        top = least = 0.0
    total = 0.0
    for rank in range(count):
        logit = float(chances[rank])
        if math.isnan(logit):
            logit = least
        chances[rank] = math.exp(logit - top)
        total += float(chances[rank])
    for rank in range(count):
        chances[rank] = float(chances[rank]) / total
    return True


@kernel(inline=True)
def judge_nothing(count: int, chances: NDArray[Any]) -> float:
    """Judge as if nothing were known."""
    for rank in range(count):
        chances[rank] = 1.0 / count
    return 0.5


class NetworkJudgement(NamedTuple):
    """What a network thinks of a position."""

    value: float
    """Win probability of the player to move."""
    chances: dict[int, float]
    """By legal move; they sum to 1."""


class Counts(NamedTuple):
    """What a judge has done."""

    runs: int
    """How often the network was run."""
    recalled: int
    """How often that was not needed, because the answer was known."""
    failures: int
    """How often it gave no answer."""


class Judge:
    """A network that judges positions of one game, for any number of searches and threads.

    :meth:`judged_game` is what a search takes.
    """

    def __init__(self, network: Network, game: GameDefinition, *, memory: float = MEMORY) -> None:
        """Let *network* judge positions of *game*; *memory* is in megabytes, 0 remembers nothing.

        Raises:
            NetworkError: If the network is not for the game, or cannot be run.
        """
        if game.features is None:
            raise NetworkError(f"nothing says what a network is shown of {game.name}")
        network.check(game.features)
        self.network = network
        self._shared = _Shared.of(network, game.features, memory)
        outputs = self._shared.readings.shape[2]
        if outputs != game.move_count:
            raise NetworkError(
                f"{game.name} has {game.move_count} moves, but outputs for {outputs}"
            )
        self._ledger = _Ledger()
        self.evaluate: Callable[..., float] = _evaluate_with(game.features.write)
        """As the search calls it: a kernel if what writes the features is one."""
        self._game = game
        self._own = new_scratch(game.longest_game, 0, game.scratch_room + ROOM)
        self.prepare(self._own)

    def judged_game(self) -> GameDefinition:
        """Return the game with this judge as its evaluation."""
        return replace(
            self._game,
            evaluate=self.evaluate,
            prepare_scratch=self.prepare,
            scratch_room=self._game.scratch_room + ROOM,
        )

    def prepare(self, scratch: Scratch) -> None:
        """Give a thread a desk, for as long as its scratch exists.

        Raises:
            NetworkError: If the network does not run.
        """
        desk = _Desk(self._shared, int(scratch[RANDOM]))
        scratch[-1] = desk.words.ctypes.data
        self._ledger.open(desk, scratch)

    def judge(self, state: State, symmetry: int | None = None) -> NetworkJudgement:
        """Return what the network thinks of a position, shown in that symmetry or in any.

        Not for several threads at the same time.
        """
        game, scratch = self._game, self._own
        moves = np.empty(game.move_count, np.int32)
        chances = np.empty(game.move_count, np.float64)
        count = int(game.legal_moves(state.copy(), game.knowledge, scratch, moves))
        desk = words_at(int(scratch[-1]), DESK)
        desk[_CHOSEN] = 0 if symmetry is None else symmetry + 1
        value = self.evaluate(state, game.knowledge, scratch, moves, count, chances)
        found = {int(moves[rank]): float(chances[rank]) for rank in range(count)}
        return NetworkJudgement(float(value), found)

    def counts(self) -> Counts:
        """Return what it has done so far, at all desks."""
        return self._ledger.total()

    def forget(self) -> None:
        """Remember nothing of what was judged before."""
        self._shared.memory.fill(0)


class _Shared(NamedTuple):
    """What the desks of a judge have in common."""

    network: Network
    features: Features
    symmetries: NDArray[np.int32]
    readings: NDArray[np.int32]
    memory: NDArray[np.uint64]
    entries: int

    @classmethod
    def of(cls, network: Network, features: Features, megabytes: float) -> _Shared:
        words = 1 + (VALUE_ROOM + features.policy + 1) // 2
        most = int(megabytes * (1 << 20)) // (8 * words)
        entries = 1 << most.bit_length() - 1 if most > 0 else 0
        return cls(
            network,
            features,
            np.ascontiguousarray(features.symmetries),
            features.readings(),
            np.zeros(max(entries * words, 1), np.uint64),
            entries,
        )


class _Desk:
    """What a thread needs for judging, in one place that kernels find by its address."""

    def __init__(self, shared: _Shared, salt: int) -> None:
        features = shared.features
        numbers = features.planes * features.cells
        shown = np.zeros((numbers + 1) // 2, np.uint64)
        image = np.zeros((1, features.planes, features.height, features.width), np.float32)
        words_of_answer = np.zeros((VALUE_ROOM + features.policy + 1) // 2, np.uint64)
        answer = words_of_answer.view(np.float32)
        value = answer[:OUTCOMES].reshape(1, OUTCOMES)
        policy = answer[VALUE_ROOM : VALUE_ROOM + features.policy].reshape(1, features.policy)
        call = shared.network.bind({INPUT: image}, {VALUE: value, POLICY: policy})
        self._kept = (shared, shown, image, words_of_answer, call)
        self.words = words = np.zeros(DESK, np.uint64)
        words[_CALL] = call.address
        words[int(_CALL) + 1 : int(_CALL) + 9] = call.arguments
        words[_RELEASE] = call.release
        words[_SHOWN] = shown.ctypes.data
        words[_IMAGE] = image.ctypes.data
        words[_ANSWER] = words_of_answer.ctypes.data
        words[_SYMMETRIES] = shared.symmetries.ctypes.data
        words[_READINGS] = shared.readings.ctypes.data
        words[_MEMORY] = shared.memory.ctypes.data
        words[_ENTRIES] = shared.entries
        words[_PLANES] = features.planes
        words[_CELLS] = features.cells
        words[_POLICY] = features.policy
        words[_VIEWS], words[_SYMMETRY_COUNT], words[_MOVE_COUNT] = shared.readings.shape
        words[_SALT] = salt

    def counts(self) -> Counts:
        """Return what was done here."""
        return Counts(*(int(self.words[place]) for place in (_RUNS, _RECALLED, _FAILED)))


class _Ledger:
    """The desks of a judge and what was done at them. It outlives the judge if a thread does."""

    def __init__(self) -> None:
        self._desks: set[_Desk] = set()
        # Memory is reclaimed at any moment, also in the middle of what is done under the lock: a
        # desk that goes is only noted then, without one.
        self._gone: deque[_Desk] = deque()
        self._closed = Counts(0, 0, 0)
        self._lock = threading.Lock()

    def open(self, desk: _Desk, scratch: Scratch) -> None:
        """Keep a desk until its thread's scratch is gone."""
        with self._lock:
            self._desks.add(desk)
            self._close_gone()
        closing = weakref.finalize(scratch, self._gone.append, desk)
        closing.atexit = False

    def total(self) -> Counts:
        """Return what was done at all desks, those that are gone included."""
        with self._lock:
            self._close_gone()
            return _sum([self._closed, *(desk.counts() for desk in self._desks)])

    def _close_gone(self) -> None:
        while self._gone:
            desk = self._gone.popleft()
            self._desks.discard(desk)
            self._closed = _sum([self._closed, desk.counts()])


def _sum(counts: list[Counts]) -> Counts:
    return Counts(*(sum(parts) for parts in zip(*counts, strict=True)))


def _evaluate_with(writer: Callable[..., int]) -> Callable[..., float]:
    """Return :func:`evaluate` with what writes the planes inside."""
    if isinstance(writer, Kernel) and not compile_off():
        return _compiled_with(writer)
    plain = interpreted(writer) if isinstance(writer, Kernel) else writer
    return interpreted(evaluate, {write: plain})


@cache
def _compiled_with(writer: Kernel[..., int]) -> Kernel[..., float]:
    # The name must be the writer's own: machine code is found again by it.
    name = f"{writer.__module__}_{writer.__name__}".replace(".", "_")
    return specialize(evaluate, name, {write: writer})
