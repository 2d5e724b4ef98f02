"""V-Run, the program of document 000, as settings of this search.

Plain UCT with C = 2, uniformly random games and the robust child (3.1.2), and a new tree for each
move; nobody fills an eye of his own (6.2.1). The document counts prisoners and empty points and
tells no komi: here the area counts, with 7.5 points, so that no game is drawn.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON

NOTE_RULES = (
    "The document tells no komi and counts prisoners and empty points; here the area counts, with "
    "a komi of 7.5, which decides how near to one half equals are as Black."
)
C = 2.0
"""The document's constant, which stands inside the root."""
BYTES = 80
"""Memory for each move that a simulation may add to the tree, in bytes."""


def exploration_of(c: float) -> float:
    """Return what ``Config.exploration`` calls the document's C."""
    return round(math.sqrt(c), 4)


def v_run(iterations: int, *, size: int = 9, **search: Any) -> dict[str, JSON]:
    """Return V-Run with so many iterations a move as a contestant; *search* changes its search."""
    plain = {
        "simulations": iterations,
        "exploration": exploration_of(C),
        # A new tree costs the more the larger it may become.
        "memory": 10 + math.ceil(iterations * size * size * BYTES / 1e6),
    }
    return {"size": size, "komi": 7.5, "fresh": True, "search": plain | search}
