"""Positions with the value that a network or a search gives them, for playouts to learn from.

Where positions come from and who judges them are two questions: games that the network plays
against itself by its policy alone, games at random, or records; and the network, or a search of so
many simulations, by the network if there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.engine.knowledge.definition import go_game
from montego.engine.knowledge.features import within_komi
from montego.engine.knowledge.judged import open_network
from montego.engine.options.options import DEFAULT_NETWORK, Options
from montego.go.kernels.layout import PASSES, TO_PLAY, empty_state
from montego.go.kernels.position import play
from montego.go.vocabulary.color import BLACK
from montego.jit.index import Index
from montego.learn.balance.positions import JudgedPosition, played
from montego.learn.errors import LearnError
from montego.mcts.search import Search
from montego.network.opinion import opinion_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from montego.jit.state import State
    from montego.learn.moves.lessons import LessonGame

PER_GAME = 8
"""Positions of one game at most: neighbors are much alike."""
DECIDED = 0.02
"""Self-play ends once a player's chance is less than this."""
LENGTH_PER_POINT = 1.2
"""Moves of a game for each point of the board, at most."""
RANDOM_PART = 0.7
"""How much of the board random games fill, at most."""

_SYMMETRIES = 8


class Teacher:
    """Somebody who finds positions on one board and says what they are worth."""

    def __init__(self, size: int, komi: float, *, simulations: int = 0, seed: int = 1) -> None:
        """Judge by a search of so many simulations, or with 0 by the network alone.

        Raises:
            LearnError: If there is no network for the board, and none but it could judge.
        """
        self._size, self._komi = size, komi
        self._random = np.random.default_rng(seed)
        options = Options(network=DEFAULT_NETWORK, threads=1, seed=seed)
        path = options.network_path(size) if options.has_network(size) else None
        self._network = None if path is None else open_network(path)
        self._definition = go_game(size, komi=komi)
        if self._network is not None:
            self._definition = within_komi(self._definition, self._network.description.komi)
        elif simulations == 0:
            raise LearnError(
                f"there is no network for {size}x{size} that could judge: say --simulations N, to "
                "judge by a search"
            )
        self._search: Search | None = None
        if simulations > 0:
            options = options.replace(
                simulations=simulations, network=None if path is None else path
            )
            self._search = Search(
                options.game_definition(size, komi=komi), options.search_config(size)
            )

    def from_self_play(self, temperature: float) -> Iterator[JudgedPosition]:
        """Yield positions of games that the network plays by its policy, without end.

        *temperature* 1 takes moves as often as the policy says, less of it the likely ones more
        often.

        Raises:
            LearnError: If there is no network for the board.
        """
        if self._network is None:
            raise LearnError(
                f"there is no network for {self._size}x{self._size} to play games: say --games "
                "random, or name files of games"
            )
        while True:
            moves: list[int] = []
            values: list[float] = []
            state = empty_state(self._size)
            while len(moves) < LENGTH_PER_POINT * self._size**2 and state[PASSES] < 2:
                value, chances = self._ask_network(state)
                if not DECIDED <= value <= 1.0 - DECIDED:
                    break
                values.append(value)
                parts = np.array(list(chances.values())) ** (1.0 / temperature)
                chosen = self._random.choice(len(parts), p=parts / parts.sum())
                moves.append(list(chances)[int(chosen)])
                play(state, Index(moves[-1]), int(state[TO_PLAY]))
            for at in self._some_of(range(1, len(values))):
                value = values[at]
                if self._search is not None:
                    value = self._ask_search(played(self._size, BLACK, moves[:at]))
                yield JudgedPosition(BLACK, moves[:at], value, moves[at])

    def from_random_games(self) -> Iterator[JudgedPosition]:
        """Yield positions after legal moves that fill no eye, any of them, without end."""
        found = np.empty(self._definition.move_count, np.int32)
        scratch = np.zeros(8 * self._definition.move_count, np.uint64)
        while True:
            state, moves = empty_state(self._size), list[int]()
            length = int(self._random.integers(1, int(RANDOM_PART * self._size**2)))
            for _ in range(length):
                count = int(
                    self._definition.legal_moves(state, self._definition.knowledge, scratch, found)
                )
                if count < 2:  # The last one is the pass.
                    break
                moves.append(int(found[self._random.integers(count - 1)]))
                play(state, Index(moves[-1]), int(state[TO_PLAY]))
            yield JudgedPosition(BLACK, moves, self._judge(state))

    def from_games(self, lessons: Sequence[LessonGame]) -> Iterator[JudgedPosition]:
        """Yield positions of games, each game once and in any order."""
        for number in self._random.permutation(len(lessons)):
            lesson = lessons[int(number)]
            for at in self._some_of(range(1, len(lesson.moves))):
                moves = lesson.moves[:at].tolist()
                state = played(self._size, lesson.first, moves)
                if state[PASSES] < 2:
                    yield JudgedPosition(
                        lesson.first, moves, self._judge(state), int(lesson.moves[at])
                    )

    def _some_of(self, plies: range) -> list[int]:
        """Return a few of them, in their order."""
        few = min(PER_GAME, len(plies))
        chosen = self._random.choice(len(plies), few, replace=False) if few else np.zeros(0)
        return sorted(plies[int(at)] for at in chosen)

    def _judge(self, state: State) -> float:
        if self._search is not None:
            return self._ask_search(state)
        return self._ask_network(state)[0]

    def _ask_network(self, state: State) -> tuple[float, dict[int, float]]:
        """Return the chance of the player to move, and each move's; shown in any symmetry."""
        assert self._network is not None  # noqa: S101  # Whoever has none was refused.
        symmetry = int(self._random.integers(_SYMMETRIES))
        said = opinion_of(self._network, self._definition, state, symmetry)
        return said.win + said.draw / 2.0, said.chances

    def _ask_search(self, state: State) -> float:
        """Return the chance of the player to move after a search from nothing."""
        assert self._search is not None  # noqa: S101  # As above.
        self._search.set_state(state)
        return self._search.run().value


def collect(
    positions: Iterator[JudgedPosition],
    count: int,
    *,
    is_over: Callable[[], bool],
    note: Callable[[int], None],
) -> list[JudgedPosition]:
    """Return so many positions, or fewer if there are no more or somebody says stop.

    *note* is told how many there are so far.
    """
    found: list[JudgedPosition] = []
    for position in positions:
        if is_over():
            break
        found.append(position)
        note(len(found))
        if len(found) >= count:
            break
    return found
