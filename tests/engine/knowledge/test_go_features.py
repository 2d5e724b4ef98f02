"""What a network of the player's is shown of Go: a komi that it knows."""

from __future__ import annotations

import numpy as np
import pytest

from montego.engine.knowledge.definition import go_game
from montego.engine.knowledge.features import within_komi
from montego.go.kernels.layout import TO_PLAY
from montego.go.planes import KOMI_PLANE, KOMI_SCALE
from montego.go.vocabulary.color import BLACK, WHITE
from montego.jit.state import new_scratch


@pytest.mark.parametrize(
    ("komi", "known", "shown"),
    [
        (6.5, (5.5, 7.5), 6.5),
        (0.5, (5.5, 7.5), 5.5),
        (80.0, (5.5, 7.5), 7.5),
        (-12.0, (-10.0, 30.0), -10.0),
        (0.5, None, 5.5),
    ],
)
def test_komi_is_shown_as_far_as_it_is_known(
    komi: float, known: tuple[float, float] | None, shown: float
) -> None:
    plain = go_game(5, komi=komi)
    game = within_komi(plain, known)
    assert plain.features is not None
    assert game.features is not None
    state, scratch = game.initial_state(), new_scratch(1, 0)
    for color, sign in ((BLACK, -1.0), (WHITE, 1.0)):
        state[TO_PLAY] = color
        planes, wanted = np.zeros((2, 16 * 25), np.float32)
        game.features.write(state, game.knowledge, scratch, planes)
        plain.features.write(state, plain.knowledge, scratch, wanted)
        wanted = wanted.reshape(16, 25)
        wanted[int(KOMI_PLANE)] = sign * shown / KOMI_SCALE
        np.testing.assert_allclose(planes.reshape(16, 25), wanted)
    assert float(game.knowledge[0]) == komi  # The count is by the true one.
