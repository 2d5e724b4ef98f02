"""Is this a game? :func:`check_game` plays it at random and looks whether the rules keep the rules.

A search trusts a game's functions: a move out of range writes beyond an array, a turn that does not
alternate gives false proofs, and nobody says so. Whoever writes a game calls this first.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from montego.jit import Kernel, compile_off, interpreted
from montego.jit.state import LENGTH, TRACE, new_scratch
from montego.mcts.errors import InvalidGame, compiling
from montego.mcts.game import (
    alternating,
    no_evaluation,
    no_hash,
    no_playout,
)
from montego.mcts.kernels.functions import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.jit.state import Scratch, State
    from montego.mcts.game import GameDefinition

LARGEST_SCORE = 1e6  # Sums of very many larger ones would not fit their counter.


def check_game(game: GameDefinition, *, games: int = 100, seed: int = 0) -> None:
    """Play random games and check all that a search relies on; return if nothing is wrong.

    Whose turn it is, the range of moves, the longest game, the score, the hash, a playout's trace,
    an evaluation's chances, texts for people; and, if the game is compiled, that its interpreted
    twin says the same. It does not check that these are the rules somebody had in mind.

    Raises:
        InvalidGame: If something is wrong; the message says what, and after which moves.
        InvalidConfig: If a function cannot be compiled.
    """
    _Check(game, np.random.default_rng(seed)).run(games)


class _Check:
    """A game under test, and the moves that were played so far."""

    def __init__(self, game: GameDefinition, random: np.random.Generator) -> None:
        self._game = game
        self._random = random
        self._moves: list[int] = []
        names = [field.name for field in fields(game) if field.name in FUNCTIONS]
        self._functions: dict[str, Callable[..., Any]] = {n: getattr(game, n) for n in names}
        self._twins: dict[str, Callable[..., Any]] = {}
        if game.is_compiled and not compile_off():
            self._twins = {
                name: interpreted(function)
                for name, function in self._functions.items()
                if isinstance(function, Kernel)
            }

    def run(self, games: int) -> None:
        for number in range(games):
            with compiling():
                # The interpreted twins are slow; a tenth of the games is enough for them.
                self._play_game(with_twins=number % 10 == 0)

    def _play_game(self, *, with_twins: bool) -> None:
        game = self._game
        self._moves = []
        state = np.asarray(game.initial_state())
        if state.ndim != 1 or state.dtype != np.int32:
            self._refuse("initial_state does not make a flat array of int32")
        if np.shares_memory(state, np.asarray(game.initial_state())):
            self._refuse("initial_state gives the same array twice: make a new one each time")
        while True:
            player = self._player(state)
            moves = self._legal_moves(state, with_twins=with_twins)
            self._check_hash(state)
            if with_twins or not moves:
                self._check_playout(state, is_over=not moves, with_twins=with_twins)
            if not moves:
                self._check_score(state, with_twins=with_twins)
                return
            if len(self._moves) == game.longest_game:
                return  # Games may be cut off there.
            self._check_evaluation(state, moves)
            move = int(self._random.choice(moves))
            self._check_text(state, move)
            after = self._played(state, move, with_twins=with_twins)
            if np.array_equal(after, state):
                self._refuse(f"play changes nothing with move {move}")
            self._moves.append(move)
            state = after
            if game.turn is alternating and self._player(state) == player:
                self._refuse(
                    "the same player is to move again by to_play: say whose turn it is by turn"
                )

    def _call(self, name: str, state: State, *arguments: Any, twin: bool = False) -> Any:
        functions = self._twins if twin else self._functions
        return functions[name](state, self._game.knowledge, self._scratch(), *arguments)

    def _scratch(self) -> Scratch:
        scratch = new_scratch(self._game.longest_game, 1, self._game.scratch_room)
        self._game.prepare_scratch(scratch)
        return scratch

    def _player(self, state: State) -> int:
        player = self._game.to_play(state)
        if player not in (0, 1):
            self._refuse(f"to_play says {player!r}: say 0 for the first player, 1 for the second")
        if self._game.turn is not alternating:
            turn = self._call("turn", state.copy())
            if turn != player:
                self._refuse(f"turn says {turn} and to_play {player}")
        return int(player)

    def _legal_moves(self, state: State, *, with_twins: bool) -> list[int]:
        found = self._listed(state, twin=False)
        if with_twins and self._twins and self._listed(state, twin=True) != found:
            self._refuse("compiled and interpreted, legal_moves differ")
        return found

    def _listed(self, state: State, *, twin: bool) -> list[int]:
        game, before = self._game, state.copy()
        # With room behind, so that too many are noticed and not written elsewhere.
        room = np.full(2 * game.move_count + 1, -1, np.int32)
        count = int(self._call("legal_moves", state, room[: game.move_count], twin=twin))
        if not 0 <= count <= game.move_count:
            self._refuse(f"legal_moves returns {count}: there are {game.move_count} moves in all")
        moves = [int(move) for move in room[:count]]
        wrong = [move for move in moves if not 0 <= move < game.move_count]
        if wrong:
            self._refuse(f"legal_moves lists {wrong[0]}: moves go from 0 to {game.move_count - 1}")
        if len(set(moves)) != count:
            self._refuse("legal_moves lists a move twice")
        if not np.array_equal(state, before):
            self._refuse("legal_moves changes the state")
        return moves

    def _played(self, state: State, move: int, *, with_twins: bool) -> State:
        after = state.copy()
        self._call("play", after, move)
        if with_twins and self._twins:
            other = state.copy()
            self._call("play", other, move, twin=True)
            if not np.array_equal(after, other):
                self._refuse(f"compiled and interpreted, play differs with move {move}")
        return after

    def _check_score(self, state: State, *, with_twins: bool) -> None:
        before = state.copy()
        score = float(self._call("score", state))
        if not math.isfinite(score) or abs(score) > LARGEST_SCORE:
            self._refuse(f"score is {score:g}: at most a million either way")
        if not np.array_equal(state, before):
            self._refuse("score changes the state")
        if with_twins and self._twins and float(self._call("score", state, twin=True)) != score:
            self._refuse("compiled and interpreted, score differs")

    def _check_hash(self, state: State) -> None:
        if self._game.hash is no_hash:
            return
        value = self._call("hash", state.copy())
        if value != self._call("hash", state.copy()) or not 0 <= int(value) < 2**64:
            self._refuse(f"hash says {value!r}: a whole number of 64 bits, the same each time")

    def _check_playout(self, state: State, *, is_over: bool, with_twins: bool) -> None:
        if self._game.playout is no_playout:
            return
        results = []
        for twin in (False, True) if with_twins and self._twins else (False,):
            scratch, end = self._scratch(), state.copy()
            functions = self._twins if twin else self._functions
            score = float(functions["playout"](end, self._game.knowledge, scratch))
            length = int(scratch[LENGTH])
            if length > self._game.longest_game:
                self._refuse(f"a playout has {length} moves: longest_game says fewer")
            results.append((score, scratch[TRACE : TRACE + length].tolist()))
            if is_over and (length or score != float(self._call("score", state.copy()))):
                self._refuse("the game is over, and playout does not return its score at once")
        if results[0] != results[-1]:
            self._refuse("compiled and interpreted, playout differs")

    def _check_evaluation(self, state: State, moves: list[int]) -> None:
        if self._game.evaluate is no_evaluation:
            return
        room, chances = np.array(moves, np.int32), np.zeros(len(moves))
        value = float(self._call("evaluate", state.copy(), room, len(moves), chances))
        if not 0.0 <= value <= 1.0:
            self._refuse(f"evaluate returns {value:g}: a win probability goes from 0 to 1")
        if not (chances >= 0.0).all() or abs(chances.sum() - 1.0) > 1e-3:
            self._refuse(f"the chances of evaluate add up to {chances.sum():g}, not to 1")

    def _check_text(self, state: State, move: int) -> None:
        text = self._game.format_move(state, move)
        for name, written in (
            ("format_move", text),
            ("format_state", self._game.format_state(state)),
        ):
            if not isinstance(written, str):
                self._refuse(f"{name} returns {type(written).__name__}: say a text, of type str")
        try:
            again = self._game.parse_move(state, text)
        except ValueError:
            again = None
        if again != move:
            self._refuse(f"move {move} is written {text!r}, which is read as {again}")

    def _refuse(self, what: str) -> NoReturn:
        played = " ".join(map(str, self._moves)) or "none"
        raise InvalidGame(f"{self._game.name}: {what} (moves before: {played})")
