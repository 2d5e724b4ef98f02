"""Go as a network sees it: the planes of :mod:`montego.go.planes` and the eight symmetries."""

from __future__ import annotations

from functools import cache

from montego.go.planes import PLANES, VERSION, outputs_of, write_planes
from montego.mcts.features import Features, square_symmetries


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
