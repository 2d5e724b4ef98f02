"""Every option of the player, by name.

The search, the playouts and the priors bring their own fields: they are read off
:class:`~montego.mcts.config.Config`, :class:`~montego.go.playout.rates.Rates` and
:class:`~montego.engine.knowledge.weights.PriorWeights`, so that a field added there is an option
here. What belongs to the player alone stands in :data:`PLAYER_OPTIONS`.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import re
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast

from montego.engine.advice import MODES
from montego.engine.knowledge.tuning import DEFAULT_PLAYOUT, DEFAULT_SECONDS, RATES, SEARCH, WEIGHTS
from montego.engine.knowledge.weights import PriorWeights
from montego.engine.options.levels import LEVELS
from montego.engine.options.option import DEFAULT_BOOK, InvalidOption, Option
from montego.go.playout.policy import POLICIES
from montego.go.playout.rates import Rates
from montego.go.vocabulary.rules import KOMI_LIMIT, PRESETS
from montego.mcts import config
from montego.mcts.config import Config

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.engine.knowledge.tuning import Value

SECTIONS = {
    "budget": "How long it thinks, and with what",
    "game": "The game",
    "manners": "Passing, resigning, handicap and levels",
    "book": "Experience of earlier games",
    "interface": "Names, logs and reports",
    "search": "The search",
    "playouts": "The playouts",
    "priors": "What is known about a move before it is tried, in visits",
    "adviser": "Another program that gives advice",
}
"""The sections in the order people want them, and their headings."""


def _read_patterns(path: str) -> None:
    from montego.go.kernels.patterns import read_patterns  # noqa: PLC0415  # Loads NumPy.

    read_patterns(path)


PLAYER_OPTIONS = (
    Option(
        name="simulations", kind="int", default=None, section="budget", least=1, absent="none",
        help=f"Simulations a move. With neither these nor seconds nor a clock: {DEFAULT_SECONDS:g} "
        "seconds on all cores.",
    ),
    Option(
        name="seconds", kind="float", default=None, section="budget", least=0.001, most=1e6,
        absent="none",
        help="Seconds a move at most. A game clock may allow less.",
    ),
    Option(
        name="threads", kind="int", default=None, section="budget", least=1, most=1024,
        absent="auto",
        help="Threads. auto: one if simulations or seconds are given, else one for each core. One "
        "thread and a fixed seed play the same game again.",
    ),
    Option(
        name="memory", kind="float", default=500.0, section="budget", least=1.0, most=2e5,
        help="Megabytes for the tree; a full tree is pruned, and the search goes on.",
    ),
    Option(
        name="seed", kind="int", default=None, section="budget", least=0, most=2**63 - 1,
        absent="random",
        help="Of the random numbers. random: another one each time the program starts.",
    ),
    Option(
        name="ponder", kind="bool", default=False, section="budget",
        help="Whether to think in the opponent's time.",
    ),
    Option(
        name="lag", kind="float", default=0.5, section="budget", least=0.0, most=60.0,
        help="Seconds of the clock that each move may lose on the way to a server and back.",
    ),
    Option(
        name="size", kind="int", default=19, section="game", least=2, most=25,
        help="Lines of the board until somebody asks for another.",
    ),
    Option(
        name="rules", kind="text", default="chinese", section="game",
        help=f"One of {', '.join(PRESETS)}.",
    ),
    Option(
        name="komi", kind="float", default=None, section="game", least=-KOMI_LIMIT,
        most=KOMI_LIMIT, absent="auto",
        help="What White gets until somebody sets it. auto: as the rules have it.",
    ),
    Option(
        name="mode", kind="choice", default="friendly", section="manners",
        choices=("friendly", "strict", "kgs"),
        help="friendly: passes when the result is settled, and answers a pass with a pass; strict: "
        "captures dead stones first, for CGOS and Tromp-Taylor rules, but not by territory, where "
        "that costs points; kgs: friendly, then cleans up if the players disagree.",
    ),
    Option(
        name="resign", kind="float", default=0.1, section="manners", least=0.0, most=1.0,
        absent="off",
        help="Resigns when its chance to win is below this. off: plays every game to the end.",
    ),
    Option(
        name="resign-moves", kind="int", default=2, section="manners", least=1, most=1000,
        help="How many of its moves in a row must be that hopeless.",
    ),
    Option(
        name="resign-after", kind="float", default=0.25, section="manners", least=0.0, most=10.0,
        help="Does not resign before this many moves for each point of the board: 0.25 is move 20 "
        "on 9x9 and move 90 on 19x19.",
    ),
    Option(
        name="dynamic-komi", kind="choice", default="handicap", section="manners",
        choices=("off", "handicap", "always"),
        help="Imagines a komi at which the game is still open: in handicap games, or in all where "
        "one side is far ahead; then no points are counted in a decided game.",
    ),
    Option(
        name="level", kind="choice", default=None, section="manners", choices=tuple(LEVELS),
        absent="none",
        help="Plays about as well as a person of that rank. none: as well as it can.",
    ),
    Option(
        name="book", kind="path", default=None, section="book", absent="off",
        choices=(DEFAULT_BOOK,),
        help="What searches learned in earlier games is read from this file, and what they learn "
        "in this one is added to it. default: the book in your data folder. Not used with a "
        "level, which would know more than it should.",
    ),
    Option(
        name="book-learn", kind="bool", default=True, section="book",
        help="Whether games are added to the book; else it is only read.",
    ),
    Option(
        name="book-depth", kind="int", default=20, section="book", least=0, most=1000,
        help="Positions up to this many moves into a game are added.",
    ),
    Option(
        name="book-least", kind="float", default=0.05, section="book", least=0.0, most=1.0,
        help="What the book knows of a position counts as done; this share of the simulations or "
        "of the time is taken all the same.",
    ),
    Option(
        name="name", kind="text", default="Montego", section="interface",
        help="What it says it is called; some programs choose their dialect by it.",
    ),
    Option(
        name="log", kind="path", default=None, section="interface", absent="none",
        help="Appends all that is said, in both directions, to this file.",
    ),
    Option(
        name="perspective", kind="choice", default="side-to-move", section="interface",
        choices=("side-to-move", "black", "white"),
        help="Whose chance to win analysis reports.",
    ),
    Option(
        name="kgs-chat", kind="bool", default=False, section="interface",
        help="Whether it answers chat on KGS; some versions of its client fail if it does.",
    ),
    Option(
        name="ogs", kind="bool", default=False, section="interface",
        help="Whether it tells OGS about each move on standard error, for the panel there; "
        "`montego gtp --ogs` sets this and what else OGS wants.",
    ),
    Option(
        name="playout", kind="choice", default=DEFAULT_PLAYOUT, section="playouts",
        choices=tuple(POLICIES),
        help="; ".join(f"{name}: {policy.meaning}" for name, policy in POLICIES.items()) + ".",
    ),
    Option(
        name="patterns", kind="file", default=None, section="playouts", absent="none",
        read=_read_patterns,
        help="A file of 3x3 patterns instead of those that come with the program.",
    ),
    Option(
        name="game-length", kind="float", default=3.0, section="playouts", least=0.1, most=100.0,
        help="A playout ends after this many moves for each point of the board.",
    ),
    Option(
        name="with", kind="text", default=None, section="adviser", absent="off",
        help="The command of a GTP engine that advises the search, such as `gnugo --mode gtp`; see "
        "`docs/hybrid.md`. Not asked with a level, nor for analysis.",
    ),
    Option(
        name="with-mode", kind="choice", default="priors", section="adviser", choices=MODES,
        help="How its values and the search decide together. product: value times chance to win; "
        "temperature: the less even the game, the more the adviser has to say; priors: values "
        "count as visits that were won, as soon as they come.",
    ),
    Option(
        name="with-weight", kind="float", default=1.0, section="adviser", least=0.0, most=100.0,
        help="How much the adviser counts: a power of its values, or with priors a factor of "
        "their visits. 0 does not ask it.",
    ),
    Option(
        name="with-patience", kind="float", default=60.0, section="adviser", least=0.1, most=3600.0,
        help="Seconds after which an adviser that has not answered is taken to hang, and is done "
        "without for the rest of the game. With a clock or seconds no move waits that long.",
    ),
)  # fmt: skip  # One option a paragraph reads better than one argument a line.

_OWN_CONFIG = ("simulations", "seconds", "threads", "memory", "seed")
_CHOICES = {
    "selection": config.SELECTIONS,
    "expansion": config.EXPANSIONS,
    "move_order": config.MOVE_ORDERS,
    "amaf_update": config.AMAF_UPDATES,
    "reward": config.REWARDS,
    "final_move": config.FINAL_MOVES,
    "parallel": config.PARALLELS,
}
_QUOTED = re.compile(r"`\w+`")
_RENAMED = {
    "prior_even": "search-prior-even",  # The priors have an even one of their own.
    "experience": "book-weight",
}
_SECTIONS = {"experience": "book"}
_OWN_HELP = {
    "selection": "Which move to follow in the tree; `docs/search.md` has the formulas.",
    "exploration": "The constant c of UCB1 and PUCT. 0 explores nothing, the default with RAVE; "
    f"without RAVE the default is {Config.exploration:g}. Document 000 writes the constant inside "
    "the root: its C = 2 is c = 1.41.",
    "prior_even": "As prior-even, but added by the search to what the priors say.",
    "experience": "How much each visit that the book tells of counts; 0 reads nothing.",
}


def _search_options() -> dict[str, Option]:
    """Return the options that are fields of ``Config``, by field."""
    notes = _notes_under_fields(Config) | _OWN_HELP
    found = {}
    for field in fields(Config):
        if field.name in _OWN_CONFIG:
            continue
        kind = str(field.type).split(" |")[0]
        found[field.name] = Option(
            name=_RENAMED.get(field.name, field.name.replace("_", "-")),
            kind="choice" if field.name in _CHOICES else kind,
            default=SEARCH.get(field.name, cast("Value", field.default)),
            help=notes.get(field.name, ""),
            section=_SECTIONS.get(field.name, "search"),
            choices=_CHOICES.get(field.name, ()),
        )
    return found


def _number_options(
    owner: type[Rates | PriorWeights], prefix: str, section: str, tuned: Mapping[str, Value]
) -> dict[str, Option]:
    """Return the options that are fields of *owner*, all numbers with metadata, by field."""
    return {
        field.name: Option(
            name=f"{prefix}-{field.name.replace('_', '-')}",
            kind="float",
            default=tuned.get(field.name, cast("Value", field.default)),
            help=_sentence(field.metadata["help"]),
            section=section,
            least=field.metadata["least"],
            most=field.metadata["most"],
        )
        for field in fields(owner)
    }


def _notes_under_fields(owner: type) -> dict[str, str]:
    """Return the strings that stand under the fields of a class, on one line each.

    Nothing if the source is not there to be read.
    """
    path = inspect.getsourcefile(owner)
    if path is None or not Path(path).is_file():
        return {}
    module = ast.parse(Path(path).read_text(encoding="utf-8"))
    body = next(
        node.body
        for node in module.body
        if isinstance(node, ast.ClassDef) and node.name == owner.__name__
    )
    notes = {}
    for field, note in pairwise(body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(note, ast.Expr)
            and isinstance(note.value, ast.Constant)
        ):
            text = " ".join(str(note.value.value).replace("``", "`").split())
            # Fields are spoken of as options.
            notes[field.target.id] = _QUOTED.sub(lambda name: name[0].replace("_", "-"), text)
    return notes


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


SEARCH_OPTIONS = _search_options()
RATE_OPTIONS = _number_options(Rates, "playout", "playouts", RATES)
WEIGHT_OPTIONS = _number_options(PriorWeights, "prior", "priors", WEIGHTS)

OPTIONS: tuple[Option, ...] = tuple(
    option
    for section in SECTIONS
    for option in (
        *PLAYER_OPTIONS,
        *SEARCH_OPTIONS.values(),
        *RATE_OPTIONS.values(),
        *WEIGHT_OPTIONS.values(),
    )
    if option.section == section
)
"""All options, section by section."""

_BY_KEY = {option.key: option for option in OPTIONS}


def find_option(name: str) -> Option:
    """Return the option of that name; hyphens, underscores and capitals do not matter.

    Raises:
        InvalidOption: If there is none; the message suggests one that looks like it.
    """
    key = name.strip().lower().replace("-", "_")
    option = _BY_KEY.get(key) or _BY_KEY.get(f"{key}_")
    if option is None:
        near = difflib.get_close_matches(key, _BY_KEY, n=1, cutoff=0.5)
        hint = f": do you mean {_BY_KEY[near[0]].name}?" if near else ""
        raise InvalidOption(f"unknown option {name.strip()[:60]!r}{hint}")
    return option
