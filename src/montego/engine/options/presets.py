"""The documents' own programs, as options of this player.

A preset is a document's algorithm with the document's parameters; ``docs/presets.md`` says line by
line what the document states, what is done here, and where it is silent. What a preset does not
name has the plain default of its class, not the value that the player is tuned to. Single options
may be set on top of it; a level may not, which would play like somebody else.

Values are written as people write them, for ``Options.set``.
"""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from functools import cache

GAMES = "/usr/games:/usr/local/games"
"""Where Debian puts programs such as GNU Go, and where not every user's shell looks."""


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A program of the documents."""

    title: str
    """What its authors call it."""
    document: str
    history: str
    """What it was, in a few words."""
    meaning: str
    """What it does, in a few words."""
    settings: dict[str, str]
    """Options and their values, as text."""


_PLAIN = {
    # What the documents' programs do not do, or do not tell of.
    "early-stop": "false",
    "decisive": "false",
    "count-points": "false",
    "dynamic-komi": "off",
    "prior-game": "0",
    "network": "none",
    "book": "off",
    "resign": "off",
}

_ALONE_IN_PRIORS = {
    f"prior-{name}": "0"
    for name in (
        "even", "capture", "escape", "atari", "self-atari", "pattern", "policy", "distance-1",
        "distance-2", "distance-3", "line", "eye", "prediction", "rules",
    )
}  # fmt: skip

_RULES_OFF = {
    "playout-ko": "0",
    "playout-two-liberties": "0",
    "playout-eye-fix": "0",
    "playout-nakade": "0",
    "playout-self-atari": "0",
    "playout-ladder": "0",
    "playout-fill-board": "0",
    "playout-capture": "1",
    "playout-atari": "1",
    "playout-pattern": "1",
}

_V_RUN = _PLAIN | {
    "simulations": "10000",
    "playout": "uniform-prisoners",
    "tree-moves": "enclosed",
    "fresh-tree": "true",
    "mode": "imitate",
    "expansion": "one",
    "expand-after": "1",
    "final-move": "robust",
}

PRESETS = {
    "v-run": Preset(
        title="V-Run",
        document="000",
        history="T. Vandermosten's program in Python, 2016",
        meaning="plain UCT with random games",
        settings=_V_RUN | {"selection": "ucb1", "exploration": "1.4142135623730951"},
    ),
    "v-run-draft": Preset(
        title="V-Run's draft",
        document="002",
        history="the same program in the draft of its thesis",
        meaning="Objective Monte Carlo with random games",
        settings=_V_RUN | {"selection": "objective", "final-move": "max"},
    ),
    "mogo": Preset(
        title="MoGo",
        document="001",
        history="the first program of master level on 9x9, by S. Gelly and D. Silver",
        meaning="heuristic MC-RAVE with four rules in the playouts",
        settings=_PLAIN
        | _ALONE_IN_PRIORS
        | _RULES_OFF
        | {
            "simulations": "3000",
            "komi": "7.5",
            "playout": "sequence",
            "playout-order": "atari, pattern-last, capture-any",
            "playout-weights": "alike",
            "patterns": "mogo",
            "selection": "rave-mse",
            "rave-bias": "0.02",
            "exploration": "0",
            "expand-after": "0",
            "prior-game": "1",
            "prior-rules": "50",
            "prior-to-visits": "0",
            "prior-to-amaf": "1",
            "final-move": "combined",
            "fresh-tree": "true",
            "mode": "strict",
        },
    ),
    "rlgo": Preset(
        title="RLGO",
        document="001",
        history="D. Silver's program that learned shapes by playing itself",
        meaning="the best move by local shape, learned by temporal differences, and no search",
        settings=_PLAIN
        | _ALONE_IN_PRIORS
        | {
            # One simulation gives the root its moves; what it found weighs nothing.
            "simulations": "1",
            "komi": "7.5",
            "playout": "uniform",
            "selection": "greedy",
            "exploration": "0",
            "expand-after": "0",
            "prior-game": "1",
            "prior-shape": "1000000",
            "prior-to-visits": "1",
            "prior-to-amaf": "0",
            "final-move": "combined",
            "fresh-tree": "true",
            "mode": "strict",
        },
    ),
    "go-player": Preset(
        title="Go-player",
        document="003",
        history="M. Pividori's program, one search for four games, 2016",
        meaning="UCT-RAVE with escapes, captures, patterns and empty areas in the playouts",
        settings=_PLAIN
        | _RULES_OFF
        | {
            "simulations": "30000",
            "threads": "5",
            "parallel": "lock",
            "komi": "5",
            "playout": "sequence",
            "playout-order": "atari-any, fill-board, pattern-last+capture-any",
            "playout-weights": "stones",
            "patterns": "mogo",
            "playout-enough": "17",
            "playout-fill-board": "1",
            "game-length": "3",
            "selection": "rave-child",
            "rave-equivalence": "1000",
            "exploration": "0",
            "expand-after": "1",
            "final-move": "robust",
            "resign": "0.1",
            "resign-moves": "1",
            "resign-after": "0",
            "mode": "strict",
        },
    ),
    "mcgnugo": Preset(
        title="McGnuGo",
        document="004",
        history="F. Chelaru's GNU Go with a Monte-Carlo search, 2008",
        meaning="UCT with analyze-after games, multiplied with what GNU Go finds",
        settings=_PLAIN
        | {
            "simulations": "4000",
            "komi": "6.5",
            "ponder": "true",
            "playout": "analyze-after-captures",
            "selection": "ucb1-tuned",
            "exploration": "1",
            "first-play-urgency": "inf",
            "move-order": "game",
            "expand-after": "1",
            "grandparent": "1",
            "final-move": "robust",
            "mode": "strict",
            "with-mode": "product",
        },
    ),
}
"""The presets by name."""


@cache
def preset_settings(name: str) -> dict[str, str]:
    """Return the options of a preset, those of this machine included.

    Each has a name of its own. McGnuGo asks GNU Go where it is installed, and keeps its experience
    in a book of its own, beside the user's.
    """
    preset = PRESETS[name]
    settings = dict(preset.settings) | {"name": f"Montego as {preset.title}"}
    if name == "mcgnugo":
        from montego.book.store import default_book  # noqa: PLC0415  # Only who wants a book waits.

        book = default_book()
        settings["book"] = str(book.with_name(f"{name}{book.suffix}"))
        found = shutil.which("gnugo") or shutil.which("gnugo", path=GAMES)
        settings["with"] = "off" if found is None else f"{shlex.quote(found)} --mode gtp"
    return settings
