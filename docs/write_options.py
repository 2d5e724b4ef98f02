"""Writes ``docs/options.md`` from the options themselves.

Run ``python docs/write_options.py`` after a change; a test compares.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from montego.engine.knowledge.tuning import DEFAULT_SECONDS, TUNED_BY_SIZE
from montego.engine.options.levels import LEVELS, skill_of
from montego.engine.options.options import FEW, OPTIONS, SECTIONS, WITH_NETWORK, Options

if TYPE_CHECKING:
    from montego.engine.options.options import Option

PAGE = Path(__file__).resolve().parent / "options.md"


class Parameter(NamedTuple):
    """A parameter of a document's program, and how it is said here."""

    document: str
    name: str
    settings: tuple[tuple[str, str], ...]
    """Options and values; a value in capitals stands for what the document's parameter had."""
    note: str = ""


DOCUMENTED = (
    Parameter("003", "--patterns FILE", (("patterns", "FILE"),)),
    Parameter("003", "--bandit_coeff X", (("exploration", "X"),), "0 in 003, as here"),
    Parameter(
        "003", "--amaf_coeff K", (("selection", "rave-child"), ("rave-equivalence", "K")),
        "the default selection has a schedule without k",
    ),
    Parameter("003", "--fill_board N", (("playout-fill-board", "N"),)),
    Parameter("003", "--long_game_coeff X", (("game-length", "X"),)),
    Parameter("003", "--limit_expansion N", (("expand-after", "N"),)),
    Parameter("003", "--cycles_mcts N", (("simulations", "N"),)),
    Parameter("003", "--threads_mcts N", (("threads", "N"),)),
    Parameter("003", "--resign_limit X", (("resign", "X"),)),
    Parameter("003", "--root_parallel", (("parallel", "joined"),), "with `threads` above 1"),
    Parameter("003", "--japanese_rules", (("rules", "japanese"),)),
    Parameter(
        "003", "--totally_random_sim", (("playout", "uniform"),),
        "`prior-game=0` does without knowledge in the tree as well",
    ),
    Parameter("003", "--no_rave", (("selection", "ucb1"),)),
    Parameter("000", "iterations i", (("simulations", "N"),)),
    Parameter(
        "000", "C of UCT (3.1)", (("selection", "ucb1"), ("exploration", "X")),
        "C stands inside the root there: X is √C",
    ),
    Parameter("000", "μ of progressive widening (3.2.2)", (("widening", "X"),)),
    Parameter(
        "000", "d and k of majority voting (7.5)", (("votes", "N"), ("votes-threshold", "X"))
    ),
    Parameter(
        "000", "k of the score reward (7.6)", (("reward", "score"), ("reward-scale", "X"))
    ),
    Parameter(
        "000", "0.9 and 0.1 for win and loss (7.6)", (("reward", "bounded-score"),),
        "with the same `reward-scale`",
    ),
    Parameter("000", "komi x", (("komi", "X"),)),
)  # fmt: skip  # A table to read.
"""The parameters of the documents' programs, in the documents' order."""

_INTRODUCTION = f"""\
# Options

<!-- Written by `python docs/write_options.py`. -->

Everything that can be set about the player, under one name everywhere:

| where | how |
|---|---|
| command line | `montego gtp --simulations 5000 --set rave-bias=0.01` |
| file | `montego gtp --config player.toml`, with lines such as `rave-bias = 0.01` |
| GTP | `montego-param rave-bias 0.01`; also `kata-set-param` and `kata-get-param` |
| Python | `Options(simulations=5000).replace(rave_bias=0.01)`, from `montego` |

On the command line `--help` shows which options are flags, `--set` sets any of them, and
`--list-options` explains all. Flags win over the file.
Hyphens, underscores and capitals do not matter in names; the word `default` takes an option back.
What does not exist is refused with one line that says what does.
With no limit and no clock the player thinks {DEFAULT_SECONDS:g} seconds a move on all cores.

A file may be divided into tables named after the sections below, or not at all. Names of files in
it are relative to its own folder.

```toml
rules = "japanese"
resign = "off"

[search]
selection = "rave-hand"
rave-equivalence = 2000
```
"""

_NOTES = {
    "network": "With a network the search chooses by `selection=puct`, or by `gumbel` up to "
    f"{FEW} simulations, with\n`evaluation={WITH_NETWORK['evaluation']:g}`, "
    f"`prior-game={WITH_NETWORK['prior_game']:g}` and "
    f"`exploration={WITH_NETWORK['exploration']:g}`. "
    "The defaults of the search on this page are those without one.",
    "playouts": "`playout-fill-board` counts tries; the other numbers that begin with `playout-`\n"
    "are the chance that a rule is tried at a move, from 0 (never) to 1 (always).",
    "priors": "How many visits each kind of knowledge about a move is worth; 0 does without it.",
}
"""What stands above the table of a section."""

_LEVELS = """\
## Levels

`level` sets how much the player reads and what it knows, and makes it less choosy between moves
that look about equally good; [the page on levels](levels.md) explains ranks and what was measured.
What is set by hand wins over the level. Levels pass and count as the full player does.
The table has the simulations of a move, with *n* where the network judges them; without a network,
and on boards that have none, they are those of the columns behind. *Weakness* is 0 for who knows
all that playouts know, 1 for who knows rules of thumb, 2 for a beginner.
"""


def reference() -> str:
    """Return the whole page."""
    parts = [_INTRODUCTION]
    for section, heading in SECTIONS.items():
        rows = [_row(option) for option in OPTIONS if option.section == section]
        table = "\n".join(["| option | default | values | meaning |", "|---|---|---|---|", *rows])
        note = f"Table `[{section}]` in a file.\n{_NOTES.get(section, '')}".rstrip()
        parts.append(f"## {heading}\n\n{note}\n\n{table}\n")
    parts += [_levels(), _documented()]
    return "\n".join(parts)


def _row(option: Option) -> str:
    told = option.help.replace("|", "\\|")
    return f"| `{option.name}` | {_default(option)} | {option.allowed} | {told} |"


def _default(option: Option) -> str:
    """Return the default, with the boards on which it differs."""
    options = Options(network=None)
    shown = f"`{option.format(option.default)}`"
    for size in () if option.name == "network" else TUNED_BY_SIZE:
        text = options.text(option.name, size)
        if text != option.format(option.default):
            shown += f", `{text}` on {size}x{size}"
    return shown


def _levels() -> str:
    rows = []
    for level in LEVELS:
        judged = [skill_of(level, size, network=True) for size in TUNED_BY_SIZE]
        played_out = [skill_of(level, size) for size in TUNED_BY_SIZE]
        counts = [f"{one.simulations:,}{' n' if one.network else ''}" for one in judged]
        counts += [f"{one.simulations:,}" for one in played_out]
        weakness = f"{played_out[0].weakness:.2f}"
        rows.append(f"| `{level}` | " + " | ".join([*counts, weakness]) + " |")
    sizes = [f"{size}x{size}" for size in TUNED_BY_SIZE]
    columns = [*sizes, *(f"{size}, no network" for size in sizes), "weakness on 9x9"]
    head = f"| level | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}"
    return f"{_LEVELS}\n{head}\n" + "\n".join(rows) + "\n"


def _documented() -> str:
    rows = []
    for parameter in DOCUMENTED:
        settings = " ".join(f"`{name}={value}`" for name, value in parameter.settings)
        name = f"`{parameter.name}`" if parameter.name.startswith("--") else parameter.name
        rows.append(f"| {parameter.document} | {name} | {settings} | {parameter.note} |")
    head = "| document | there | here | |\n|---|---|---|---|"
    return "## Where the documents' parameters are\n\n" + head + "\n" + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
