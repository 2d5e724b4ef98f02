"""Does a chain live? The solver's word, where it has one within a few thousand nodes.

Nobody has threats: a ko goes to who takes it first. The chains around the locale are taken for
alive, as in :mod:`montego.engine.ending.reading`, which is asked where there is no proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.engine.ending.reading import Fate
from montego.go.area import neighbors
from montego.go.vocabulary.color import EMPTY
from montego.solve.fight import Fight
from montego.solve.kernels.layout import MOST_POINTS
from montego.solve.prover import NO_THREATS, ProofTable, Prover

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.go.area import Coordinates

NODES = 20_000
"""Of each of the two searches: less than a tenth of a second."""

MEMORY = 2.0  # MB


def prove_fate(
    grid: Mapping[Coordinates, int],
    chain: frozenset[Coordinates],
    locale: frozenset[Coordinates],
    nodes: int = NODES,
) -> Fate | None:
    """Return whether *chain* lives, for certain, with the moves of *locale*; None without a proof.

    *locale* is as :func:`~montego.engine.ending.reading.read_fate` takes it. The same arguments,
    the same answer.
    """
    if len(locale) > MOST_POINTS or nodes < 1:
        return None
    around = {near for point in locale for near in neighbors(point)} - locale
    fight = Fight(
        size=max(max(point) for point in grid) + 1,
        defender=grid[min(chain)],
        target=chain,
        points=locale,
        stones={point: grid[point] for point in locale if grid[point] != EMPTY},
        walls={point: grid[point] for point in around if grid.get(point, EMPTY) != EMPTY},
    )
    prover = Prover(fight, "capture", ProofTable(MEMORY))
    attacked = prover.run(prover.place("attacker", NO_THREATS), nodes)
    if attacked is None:
        return None
    # Who lives even if attacked lives if defended, for one may pass.
    defended = attacked and prover.run(prover.place("defender", NO_THREATS), nodes)
    if defended is None:
        return None
    return Fate(defended=float(not defended), attacked=float(not attacked))
