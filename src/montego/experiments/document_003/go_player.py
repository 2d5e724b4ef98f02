"""The program of document 003, Go-player, as contestants of :mod:`montego.experiments.games`.

Its options at their defaults: all children are expanded at a leaf's second visit, RAVE weighs by a
move's own visits with K = 1000, no exploration with RAVE. Playouts are random, or save stones from
atari, capture, follow 3x3 patterns and try once a move to fill the board. Area scoring, komi 5.
Each search begins with an empty tree, so that the number of simulations is what it says: 003 does
not tell what its program keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON

GNUGO_LEVEL = 10
"""Document 003 plays against GNU Go 3.8 at this level."""
KOMI = 5.0
EQUIVALENCE = 1000.0
EXPLORATION = 0.4
"""c of UCB1 without RAVE. 003 does not say which its UCT had: the option's default is 0, the value
that it found best with RAVE."""
NOTE_EXPLORATION = (
    f"UCT explores with c = {EXPLORATION:g}. The document does not say its own; the default of its "
    "option is 0, which it found best with RAVE."
)
NOTE_PRESET = (
    "The program is the preset go-player: its rules in its order, with one thread in place of "
    "five, and its tree kept between moves."
)
NOTE_PLAYOUTS = (
    "Playouts with patterns are Montego's with the document's rules alone, and not in its order. "
    "It tries to fill the board after escapes from atari and before all else, then draws among "
    "patterns around the last move and captures of any chain, by its stones. Here escapes are of "
    "chains beside the last move, and a capture is of the chain just played and drawn with them; "
    "then come patterns around the last two moves, and the board is filled last."
)

_RULES = {
    "ko": 0.0,
    "capture": 1.0,
    "atari": 1.0,
    "two_liberties": 0.0,
    "eye_fix": 0.0,
    "nakade": 0.0,
    "pattern": 1.0,
    "fill_board": 1.0,
    "self_atari": 0.0,
    "ladder": 0.0,
}


def preset(simulations: int, *, rave: bool = True, patterns: bool = True) -> dict[str, JSON]:
    """Return Go-player as the document tells it, with or without its two improvements."""
    options = {} if patterns else {"playout": "uniform"}
    if not rave:
        options |= {"selection": "ucb1", "exploration": f"{EXPLORATION:g}"}
    return {"preset": "go-player", "options": options, "search": {"simulations": simulations}}


def go_player(
    simulations: int, *, rave: bool = True, patterns: bool = True, **search: JSON
) -> dict[str, JSON]:
    """Return Go-player with or without its two improvements; *search* are fields of ``Config``."""
    selection: dict[str, JSON] = {"selection": "ucb1", "exploration": EXPLORATION}
    if rave:
        selection = {"selection": "rave-child", "exploration": 0.0, "rave_equivalence": EQUIVALENCE}
    playout: dict[str, JSON] = {"playout": "uniform"}
    if patterns:
        playout = {"playout": "sequence", "rates": _RULES}
    return {
        "komi": KOMI,
        "fresh": True,
        "search": {"simulations": simulations} | selection | search,
    } | playout
