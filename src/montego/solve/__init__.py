"""Life and death, proven: who lives, who dies, by which moves.

It knows positions of Go, no search of the player's and no playouts. Start reading with ``solver``,
which fights are looked at, and ``inquiry``, what is asked of them; ``kernels/proof`` is the search
that answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.lazy import lazy_names

if TYPE_CHECKING:
    from montego.solve.answer import Answer as Answer
    from montego.solve.answer import MoveAnswer as MoveAnswer
    from montego.solve.answer import Suggestion as Suggestion
    from montego.solve.answer import Verdict as Verdict
    from montego.solve.fight import Fight as Fight
    from montego.solve.fight import NoFight as NoFight
    from montego.solve.fight import find_target as find_target
    from montego.solve.solver import solve as solve
    from montego.solve.variations import to_record as to_record
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "answer": "Answer MoveAnswer Suggestion Verdict",
            "fight": "Fight NoFight find_target",
            "solver": "solve",
            "variations": "to_record",
        },
    )
