"""Local shape learned anew at each move: what changes, when it begins anew, and when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.engine.searching.tutor import ShapeTutor, tutor_of
from montego.go.game import Game
from montego.go.kernels.layout import empty_state
from montego.go.playout.knowledge import SHAPES

if TYPE_CHECKING:
    from montego.jit.state import Knowledge

OPTIONS = Options(preset="rlgo", shape_games=20, seed=1, size=5, komi=0.5)


def knowledge_of(options: Options) -> Knowledge:
    return options.game_definition(5).knowledge.copy()


def test_only_who_asks_for_games_and_for_local_shape_has_a_tutor() -> None:
    assert isinstance(tutor_of(OPTIONS, 5), ShapeTutor)
    assert tutor_of(OPTIONS, 3) is None
    assert tutor_of(OPTIONS.replace(shape_games=0), 5) is None
    assert tutor_of(Options(shape_games=20), 5) is None


def test_what_is_learned_stays_for_the_game_and_another_one_begins_with_what_was_known() -> None:
    tutor = ShapeTutor(OPTIONS, 5)
    game = Game(5)

    def learn(history: list[Any]) -> Knowledge:
        knowledge = knowledge_of(OPTIONS)
        tutor.learn(knowledge, history, empty_state(5), lambda: False)
        return knowledge

    before = knowledge_of(OPTIONS)
    first = learn(game.history)
    begin = int(before[SHAPES])
    assert np.array_equal(first[:begin], before[:begin])
    assert not np.array_equal(first[begin:], before[begin:])
    game.play("black", "C3")
    second = learn(game.history)
    assert not np.array_equal(second, first)
    # That went on with the game; one without that move begins anew.
    other = Game(5)
    other.play("black", "A1")
    learn(other.history)
    assert np.array_equal(learn([]), first)


def test_a_tutor_ends_when_it_is_told_to() -> None:
    tutor = ShapeTutor(OPTIONS.replace(shape_games=10**9), 5)
    knowledge = knowledge_of(OPTIONS)
    tutor.learn(knowledge, [], empty_state(5), lambda: True)
    assert knowledge == pytest.approx(knowledge_of(OPTIONS))


def test_a_player_with_a_tutor_plays_and_the_same_seed_plays_the_same() -> None:
    moves = []
    for _ in range(2):
        player = Player(OPTIONS)
        moves.append([player.genmove().vertex for _ in range(4)])
    assert moves[0] == moves[1]
    limited = Player(OPTIONS.replace(shape_games=10**9, seconds=0.2))
    assert limited.genmove().vertex is not None
