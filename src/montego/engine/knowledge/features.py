"""Go as a network sees it: the planes of :mod:`montego.go.planes` and the eight symmetries.

A network judges well what it has learned from. With a komi beyond that it wants to pass on an empty
board: so where it plays, it is shown the nearest komi that it knows.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from montego.go.kernels.layout import SIZE, TO_PLAY
from montego.go.planes import (
    KOMI_PLANE,
    KOMI_SCALE,
    PLANES,
    VERSION,
    outputs_of,
    write_planes,
)
from montego.go.playout.knowledge import KOMI, LEAST_SHOWN, MOST_SHOWN
from montego.go.vocabulary.color import WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.mcts.features import Features, square_symmetries

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition

USUAL_KOMI = (5.5, 7.5)
"""What a network has learned with that does not say."""


@cache
def go_features(size: int) -> Features:
    """Return what a network is shown of Go on a board of that size."""
    return Features(
        game="go",
        version=VERSION,
        planes=PLANES,
        height=size,
        width=size,
        write=write_planes,
        outputs=outputs_of(size),
        policy=size * size + 1,
        symmetries=square_symmetries(size),
    )


def within_komi(game: GameDefinition, komi: tuple[float, float] | None) -> GameDefinition:
    """Return Go whose network is shown a komi within that range, or within the usual one."""
    if game.features is None:
        return game
    knowledge = game.knowledge.copy()
    knowledge[[int(LEAST_SHOWN), int(MOST_SHOWN)]] = USUAL_KOMI if komi is None else komi
    features = replace(game.features, write=write_known_planes)
    return replace(game, knowledge=knowledge, features=features)


@kernel
def write_known_planes(
    state: State, knowledge: Knowledge, scratch: Scratch, planes: NDArray[Any]
) -> int:
    """As ``write_planes``, with a komi from ``knowledge[LEAST_SHOWN]`` to ``[MOST_SHOWN]``."""
    view = int(write_planes(state, knowledge, scratch, planes))
    true = float(knowledge[KOMI])
    komi = min(max(true, float(knowledge[LEAST_SHOWN])), float(knowledge[MOST_SHOWN]))
    if komi != true:
        shown = (komi if int(state[TO_PLAY]) == WHITE else -komi) / KOMI_SCALE
        area = Index(state[SIZE]) * Index(state[SIZE])
        for cell in range(area):
            planes[KOMI_PLANE * area + Index(cell)] = shown
    return view
