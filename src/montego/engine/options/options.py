"""Everything that can be set about the player, in one immutable value.

What belongs to the player alone is a field of :class:`Options`, declared with all that is to be
known of it (:mod:`montego.setting`). The fields of :class:`~montego.mcts.config.Config`,
:class:`~montego.go.playout.rates.Rates` and :class:`~montego.engine.knowledge.tuning.PriorWeights`
are options as well. What is not set is tuned for the size of the board, or taken from the level.
Flags, files and GTP commands all go through :meth:`Options.set` or :meth:`Options.replace`.
"""

from __future__ import annotations

import difflib
import keyword
import math
import os
import re
from dataclasses import dataclass, fields, replace
from dataclasses import field as plain_field
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from montego.engine.knowledge.tuning import (
    DEFAULT_PLAYOUT,
    DEFAULT_SECONDS,
    EXPLORATION_WITHOUT_RAVE,
    TUNED,
    TUNED_BY_SIZE,
    PriorWeights,
    tuned,
)
from montego.engine.options.levels import LEVELS, PEOPLE, level_options
from montego.engine.options.presets import PRESETS as PROGRAMS
from montego.engine.options.presets import preset_settings
from montego.engine.options.styles import STYLES
from montego.go.playout.order import RULES as PLAYOUT_RULES
from montego.go.playout.order import USUAL_ORDER, WEIGHTS, RuleOrder
from montego.go.playout.policy import POLICIES
from montego.go.playout.rates import Rates
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.number import read_number, read_whole
from montego.go.vocabulary.rules import KOMI_LIMIT, PRESETS, parse_rules
from montego.mcts.config import WITH_AMAF, Config
from montego.mcts.errors import MctsError
from montego.setting import setting

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field
    from typing import Any

    from montego.engine.knowledge.tuning import Value
    from montego.go.vocabulary.rules import Rules
    from montego.mcts.game import GameDefinition

DEFAULT_NETWORK = "default"
"""The word for the network that comes with the program, as a value of the option ``network``."""

AUTOMATIC = "auto"
"""The word for that network where nobody asks for a player without one."""

DEFAULT_BOOK = "default"
"""The word for the book in the user's data folder, as a value of the option ``book``."""

_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")
_SHOWN = 60  # Characters of a wrong value that are shown to who gave it.
_MOST_HINTS = 5  # Names that are suggested for one that does not exist.
_INFINITE = {"inf": math.inf, "infinity": math.inf, "-inf": -math.inf, "-infinity": -math.inf}
_NUMBERS = {"int": "a whole number", "float": "a number"}


class InvalidOption(GoError):  # noqa: N818  # Named for what the user did, as InvalidKomi is.
    """An option that does not exist, or a value it cannot have; the message names both."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """What can be set about the player, and how it is written."""

    name: str
    """As people write it: ``rave-bias``. Underscores and capitals are understood as well."""
    kind: str
    """``int``, ``float``, ``bool``, ``choice``, ``text``, ``file`` to read or ``path`` to write."""
    default: Value
    help: str
    section: str
    choices: tuple[str, ...] = ()
    """All values of a ``choice``; of a ``path``, words that are no names of files."""
    least: float | None = None
    most: float | None = None
    absent: str | None = None
    """The word for no value at all (None), if the option can do without one."""
    read: Callable[[str], object] | None = None
    """Of a ``file``: reads it, and raises GoError for one that is of no use."""
    flag: str | None = None
    """What stands for a value in ``--help``, if the option is a flag of its own; ``""`` for a
    switch."""

    @classmethod
    def of(cls, declared: Field[Any], **changes: Any) -> Option:
        """Return the option that a field declares (:mod:`montego.setting`), but for *changes*."""
        known = dict(declared.metadata)
        least, most = known.pop("bounds")
        kind = str(declared.type).split(" |")[0].replace("str", "text")
        found = {
            "name": declared.name.rstrip("_").replace("_", "-"),
            "kind": "choice" if known["choices"] else kind,
            "default": declared.default,
            "help": known.pop("meaning"),
            "least": least,
            "most": most,
        }
        return cls(**found | known | changes)

    @property
    def key(self) -> str:
        """The name as Python spells it: ``rave_bias``, and ``with_`` for a word of Python's own."""
        key = self.name.replace("-", "_")
        return f"{key}_" if keyword.iskeyword(key) else key

    @property
    def allowed(self) -> str:
        """What to say, for people: ``a number from 0 to 1, or off``."""
        if self.kind in _NUMBERS:
            allowed = _NUMBERS[self.kind]
            allowed += "" if self.least is None else f" from {self.least:g}"
            # Nobody wants to know where the numbers of a machine end.
            allowed += f" to {self.most:g}" if self.most is not None and self.most < 1e6 else ""
        elif self.kind == "bool":
            allowed = "true or false"
        elif self.kind == "choice":
            allowed = f"one of {', '.join(self.choices)}"
        else:
            allowed = "a text" if self.kind == "text" else "the name of a file"
            allowed += "".join(f", {word}" for word in self.choices)
        return allowed if self.absent is None else f"{allowed}, or {self.absent}"

    def parse(self, text: str) -> Value:
        """Return the value that *text* stands for; ``default`` stands for the default.

        Raises:
            InvalidOption: If it stands for none, or for a file that is not there or of no use.
        """
        word = text.strip()
        lower = word.lower()
        if lower in self.choices:
            return lower
        if lower == "default":
            return self.default
        if self.absent is not None and lower in (self.absent, "none"):
            return None
        if self.kind == "bool":
            return self.check(True if lower in _YES else False if lower in _NO else word)
        if self.kind == "choice":
            return self.check(lower.replace("_", "-"))
        if self.kind == "file":
            self._look_into(word)
        if self.kind in ("text", "file", "path"):
            return self.check(word)
        number = read_whole(word) if self.kind == "int" else _INFINITE.get(lower, read_number(word))
        # What is no number is refused as it was written.
        return self.check(text if number is None or math.isnan(number) else number)

    def format(self, value: Value) -> str:
        """Return the text that :meth:`parse` turns into *value* again."""
        if value is None:
            return self.absent or "none"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        return str(value)

    def check(self, value: object) -> Value:
        """Return *value*, a whole number turned into a float where one is wanted.

        Names of files are as :func:`expand_home` makes them.

        Raises:
            InvalidOption: If the option cannot have it.
        """
        if value is None and self.absent is not None:
            return None
        if self.kind in _NUMBERS:
            return self._check_number(value)
        if self.kind == "bool":
            fits = isinstance(value, bool)
        elif self.kind == "choice":
            fits = value in self.choices
        else:
            fits = isinstance(value, str) and bool(value) and value.isprintable()
        if not fits:
            raise self._refusal(value)
        assert value is None or isinstance(value, (bool, str))  # noqa: S101  # For the type checker.
        if self.kind in ("file", "path") and isinstance(value, str):
            return expand_home(value)
        return value

    def _look_into(self, word: str) -> None:
        """Refuse a file that is not there or of no use now, not when it is needed."""
        path = expand_home(word)
        if not os.path.isfile(path):  # noqa: PTH113  # Raises nothing.
            raise InvalidOption(f"invalid {self.name} {word[:_SHOWN]!r}: there is no such file")
        if self.read is not None:
            try:
                self.read(path)
            except GoError as error:
                raise InvalidOption(str(error)) from None

    def _check_number(self, value: object) -> int | float:
        whole = self.kind == "int"
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            raise self._refusal(value)
        assert isinstance(value, (int, float))  # noqa: S101  # For the type checker.
        number = value if whole else _as_float(value)
        if math.isnan(number) or (self.least is not None and number < self.least):
            raise self._refusal(value)
        if self.most is not None and number > self.most:
            raise InvalidOption(f"{self._refusal(value)}; {self.most:g} is the most")
        return number

    def _refusal(self, value: object) -> InvalidOption:
        if not isinstance(value, str):
            value = self.format(value) if isinstance(value, (bool, int, float)) else repr(value)
        shown = value if len(value) <= _SHOWN else f"{value[: _SHOWN - 3]}..."
        return InvalidOption(f"invalid {self.name} {shown!r}: say {self.allowed}")


def expand_home(name: str) -> str:
    """Return the name of a file with the user's own folder for a ``~`` at its beginning."""
    return os.path.expanduser(name)  # noqa: PTH111  # Raises nothing if there is no such user.


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


SetFields: TypeAlias = "tuple[tuple[str, Value], ...]"
"""Fields of another class that are set, and their values; in the order of their names."""

SECTIONS = {
    "budget": "How long it thinks, and with what",
    "game": "The game",
    "manners": "Passing, resigning, handicap and levels",
    "book": "Experience of earlier games",
    "interface": "Names, logs and reports",
    "search": "The search",
    "network": "The network",
    "playouts": "The playouts",
    "priors": "What is known about a move before it is tried, in visits",
    "adviser": "Another program that gives advice",
}
"""The sections in the order people want them, and their headings."""

WITH_NETWORK: dict[str, Value] = {
    "selection": "puct",
    "evaluation": 1.0,
    "exploration": 0.45,
    "prior_game": 0.0,
}
"""How the search uses a network, unless somebody says otherwise: it alone judges.

``docs/learning.md`` has the games by which 0.45 was chosen.
"""

BY_NETWORK = ("puct", "gumbel")
"""The ways to choose moves that a network's chances go into."""

WITHOUT_NETWORK = (
    "amaf", "cutoff", "expan", "prior", "progressive", "pruning", "rave", "reward", "widening",
)  # fmt: skip
"""How the names of fields of the search begin that a network which judges alone has no use for."""

FEW = 64
"""Simulations up to which a search with a network chooses moves by ``gumbel``, not by ``puct``."""

ENOUGH_FOR_A_TREE = 10.0
"""Megabytes that will do for a tree of any board: who has them need not look closer."""

_budget, _game, _manners, _book, _interface, _search, _network, _playouts, _priors, _adviser = (
    partial(setting, section=section)
    for section in (
        "budget",
        "game",
        "manners",
        "book",
        "interface",
        "search",
        "network",
        "playouts",
        "priors",
        "adviser",
    )
)


def _read_patterns(path: str) -> None:
    from montego.go.kernels.patterns import read_patterns  # noqa: PLC0415  # Loads NumPy.

    read_patterns(path)


def _read_shapes(path: str) -> None:
    from montego.go.local_shape.weights import read_shapes_file  # noqa: PLC0415  # Loads NumPy.

    read_shapes_file(path)


def _read_prediction(path: str) -> None:
    from montego.go.prediction.prediction import read_prediction  # noqa: PLC0415  # Loads NumPy.

    read_prediction(path)


def _read_balance(path: str) -> None:
    from montego.go.playout.balanced.weights import read_balance_file  # noqa: PLC0415  # As above.

    read_balance_file(path)


def _read_network(path: str) -> None:
    from montego.network.network import Network  # noqa: PLC0415  # Only who has one waits for it.

    try:
        Network.open(path)
    except MctsError as error:
        raise InvalidOption(str(error)) from None


@dataclass(frozen=True, kw_only=True)
class Options:
    """A value for every option of the player. ``docs/options.md`` explains each.

    The options of the search, the playouts and the priors are not fields: ``replace`` and ``set``
    change them by name, :meth:`value` tells them.

    >>> options = Options(simulations=1000).replace(rave_bias=0.01).set("prior-capture", "20")
    >>> options.search_config(9).rave_bias
    0.01

    Raises:
        InvalidOption: If an option has a value that it cannot have; the message names it.
    """

    # One option a paragraph reads better than one argument a line.
    # fmt: off
    simulations: int | None = _budget(
        None,
        f"Simulations a move. With neither these nor seconds nor a clock: {DEFAULT_SECONDS:g} "
        "seconds on all cores.",
        bounds=(1, None), absent="none", flag="N",
    )
    seconds: float | None = _budget(
        None, "Seconds a move at most. A game clock may allow less.",
        bounds=(0.001, 1e6), absent="none", flag="S",
    )
    threads: int | None = _budget(
        None,
        "Threads. auto: one if simulations or seconds are given, else one for each core. One "
        "thread and a fixed seed play the same game again.",
        bounds=(1, 1024), absent="auto", flag="N",
    )
    memory: float = _budget(
        500.0, "Megabytes for the tree; a full tree is pruned, and the search goes on.",
        bounds=(1.0, 2e5), flag="MB",
    )
    seed: int | None = _budget(
        None, "Of the random numbers. random: another one each time the program starts.",
        bounds=(0, 2**63 - 1), absent="random", flag="N",
    )
    ponder: bool = _budget(False, "Whether to think in the opponent's time.", flag="")
    lag: float = _budget(
        0.5, "Seconds of the clock that each move is thought to lose on the way to a server and "
        "back, until its reports tell.",
        bounds=(0.0, 60.0),
    )

    size: int = _game(
        19, "Lines of the board until somebody asks for another.", bounds=(2, 25), flag="N"
    )
    rules: str = _game("chinese", f"One of {', '.join(PRESETS)}.", flag="NAME")
    komi: float | None = _game(
        None, "What White gets until somebody sets it. auto: as the rules have it.",
        bounds=(-KOMI_LIMIT, KOMI_LIMIT), absent="auto", flag="X",
    )

    preset: str | None = _manners(
        None,
        "Plays as a program of the documents did; see `docs/presets.md`. "
        + "; ".join(f"{name}: {one.title}, {one.meaning}" for name, one in PROGRAMS.items())
        + ". Other options may be set on top of it, but no level.",
        choices=tuple(PROGRAMS), absent="none", flag="NAME",
    )
    mode: str = _manners(
        "friendly",
        "friendly: passes when the result is settled, and answers a pass with a pass if the count "
        "is won or nothing is left to gain; strict: "
        "captures dead stones first, for CGOS and Tromp-Taylor rules, but not by territory, where "
        "that costs points; kgs: friendly, then cleans up if the players disagree; imitate: passes "
        "when the opponent has, or nothing else is left, and judges nothing (000 6.2.1).",
        choices=("friendly", "strict", "kgs", "imitate"), flag="WORD",
    )
    resign: float | None = _manners(
        0.1, "Resigns when its chance to win is below this. off: plays every game to the end.",
        bounds=(0.0, 1.0), absent="off", flag="X",
    )
    resign_moves: int = _manners(
        2, "How many of its moves in a row must be that hopeless.", bounds=(1, 1000)
    )
    resign_after: float = _manners(
        0.25,
        "Does not resign before this many moves for each point of the board: 0.25 is move 20 on "
        "9x9 and move 90 on 19x19.",
        bounds=(0.0, 10.0),
    )
    dynamic_komi: str = _manners(
        "handicap",
        "Imagines a komi at which the game is still open: in handicap games, or in all where one "
        "side is far ahead; then no points are counted in a decided game.",
        choices=("off", "handicap", "always"), flag="WORD",
    )
    count_points: bool = _manners(
        True,
        "Whether it goes on for points once a game is decided, where wins tell moves no longer "
        "apart.",
    )
    level: str | None = _manners(
        None,
        "Plays about as well as a person of that rank; like-: chooses what people of that rank "
        "choose, on 9x9. none: as well as it can. See `docs/levels.md`.",
        choices=(*LEVELS, *PEOPLE), absent="none", flag="RANK",
    )
    style: str | None = _manners(
        None,
        "Of moves that are about as good it likes those that keep away from the opponent (calm) or "
        "touch it (fighting), or those near the edge (territory) or far from it (influence). With "
        "a level or without; networks, who hardly ever find two moves as good, do not judge then.",
        choices=STYLES, absent="none", flag="WORD",
    )

    book: str | None = _book(
        None,
        "What searches learned in earlier games is read from this file, and what they learn in "
        "this one is added to it. default: the book in your data folder. Not used with a level, "
        "which would know more than it should.",
        kind="path", choices=(DEFAULT_BOOK,), absent="off", flag="FILE",
    )
    book_learn: bool = _book(True, "Whether games are added to the book; else it is only read.")
    book_depth: int = _book(
        20, "Positions up to this many moves into a game are added.", bounds=(0, 1000)
    )
    book_least: float = _book(
        0.05,
        "What the book knows of a position counts as done; this share of the simulations or of "
        "the time is taken all the same.",
        bounds=(0.0, 1.0),
    )

    name: str = _interface(
        "Montego", "What it says it is called; some programs choose their dialect by it.",
        flag="NAME",
    )
    log: str | None = _interface(
        None, "Appends all that is said, in both directions, to this file.",
        kind="path", absent="none", flag="FILE",
    )
    perspective: str = _interface(
        "side-to-move", "Whose chance to win analysis reports.",
        choices=("side-to-move", "black", "white"),
    )
    kgs_chat: bool = _interface(
        False, "Whether it answers chat on KGS; some versions of its client fail if it does.",
        flag="",
    )
    ogs: bool = _interface(
        False,
        "Whether it tells OGS about each move on standard error, for the panel there; "
        "`montego gtp --ogs` sets this and what else OGS wants.",
    )

    network: str | None = _network(
        AUTOMATIC,
        "The file of a network that judges positions in the search. default: the one that comes "
        "with the program, where there is one for the board. auto: the same, unless something is "
        "set, to another value than the default, that is for the player without a network: a "
        "style, an adviser, the playouts, priors, RAVE, rewards, or another selection than puct "
        "and gumbel. none: playouts judge. Not used with a level.",
        kind="file", read=_read_network, choices=(AUTOMATIC, DEFAULT_NETWORK), absent="none",
        flag="FILE",
    )
    network_memory: float = _network(
        32.0, "Megabytes for what the network has judged; 0 remembers nothing.",
        bounds=(0.0, 1e5),
    )

    playout: str = _playouts(
        DEFAULT_PLAYOUT,
        "; ".join(f"{name}: {policy.meaning}" for name, policy in POLICIES.items()) + ".",
        choices=tuple(POLICIES), flag="WORD",
    )
    patterns: str | None = _playouts(
        None,
        "A file of 3x3 patterns instead of those that come with the program. mogo: those of MoGo.",
        kind="file", read=_read_patterns, choices=("mogo",), absent="none", flag="FILE",
    )
    playout_order: str = _playouts(
        USUAL_ORDER,
        "In which order playout=sequence asks its rules: one after the other until there are "
        "moves, those joined by + together; one that is not named is not asked. "
        + "; ".join(f"{name}: {meaning}" for name, meaning in PLAYOUT_RULES.items())
        + ".",
    )
    playout_enough: int = _playouts(
        1,
        "Weight of the moves suggested so far from which on no further rule is asked; below it "
        "they stay in the draw with what later rules suggest.",
        bounds=(1, 10_000),
    )
    playout_weights: str = _playouts(
        "rules",
        "How moves that rules suggest are weighed against one another. rules: by the stones at "
        "stake, and patterns by their own weight; stones: the same, and every pattern weighs 1; "
        "alike: all the same.",
        choices=WEIGHTS,
    )
    balance: str | None = _playouts(
        None,
        "A file of weights of balanced playouts, as `montego learn balance` writes it. none: those "
        "that come with the program, learned on 9x9.",
        kind="file", read=_read_balance, absent="none",
    )
    game_length: float = _playouts(
        3.0, "A playout ends after this many moves for each point of the board.",
        bounds=(0.1, 100.0),
    )

    prediction: str | None = _priors(
        None,
        "A file of what strong players choose, as `montego learn moves` writes it, for "
        "prior-prediction. none: what comes with the program.",
        kind="file", read=_read_prediction, absent="none",
    )
    shapes: str | None = _priors(
        None,
        "A file of weights of local shapes, as `montego learn shapes` writes it, for prior-shape "
        "and the preset rlgo. none: those that come with the program, learned on 9x9.",
        kind="file", read=_read_shapes, absent="none",
    )
    shape_games: int = _priors(
        0,
        "Games against itself from the position at each move, from which local shape is learned "
        "anew before the search: RLGO 2.4. Wants prior-shape.",
        bounds=(0, 10**9),
    )

    with_: str | None = _adviser(
        None,
        "The command of a GTP engine that advises the search, such as `gnugo --mode gtp`; see "
        "`docs/hybrid.md`. Not asked with a level, nor for analysis.",
        absent="off", flag="CMD",
    )
    with_mode: str = _adviser(
        "priors",
        "How its values and the search decide together. product: value times chance to win; "
        "temperature: the less even the game, the more the adviser has to say; priors: values "
        "count as visits that were won, as soon as they come.",
        choices=("product", "temperature", "priors"), flag="WORD",
    )
    with_weight: float = _adviser(
        1.0,
        "How much the adviser counts: a power of its values, or with priors a factor of their "
        "visits. 0 does not ask it.",
        bounds=(0.0, 100.0),
    )
    with_patience: float = _adviser(
        60.0,
        "Seconds after which an adviser that has not answered is taken to hang, and is done "
        "without for the rest of the game. With a clock or seconds no move waits that long.",
        bounds=(0.1, 3600.0),
    )
    # fmt: on

    tree_moves: str = _search(
        "usual",
        "Which moves it considers. usual: all but eyes of its own by the diagonal rule, and a "
        "pass; enclosed: all but eyes of a single chain of its own, and a pass only where nothing "
        "else is left (000 6.2.1).",
        choices=("usual", "enclosed"),
    )
    fresh_tree: bool = _search(
        False, "Whether each search begins with an empty tree, not with what was found before."
    )
    grandparent: float = _search(
        0.0,
        "At each real move, the share of the visits of the same moves in the player's last search "
        "that the moves begin with (004 4.3.6.1); 0 for none.",
        bounds=(0.0, 1e6),
    )

    search: SetFields = ()
    """Fields of ``Config`` that are set; what is not is tuned for the board."""
    rates: SetFields = ()
    """Fields of ``Rates`` that are set."""
    weights: SetFields = ()
    """Fields of ``PriorWeights`` that are set."""
    filled_in: bool = plain_field(default=False, repr=False, compare=False)
    """Whether what the preset sets is set: who makes options with a preset need not say so."""

    def __post_init__(self) -> None:
        if self.preset is not None and not self.filled_in:
            _OWN["preset"].check(self.preset)
            given = replace(self, preset=None).changes()
            filled = _preset_base(self.preset).replace(**given)
            for each in fields(self):
                object.__setattr__(self, each.name, getattr(filled, each.name))
        for option in _OWN.values():
            # Whole numbers become floats where floats are wanted, so that equals print alike.
            object.__setattr__(self, option.key, option.check(getattr(self, option.key)))
        for group, found in _GROUPS.items():
            for name, value in getattr(self, group):
                found[name].check(value)
        if self.preset is not None and (self.level or self.style) is not None:
            raise InvalidOption(
                f"the preset {self.preset} plays as its document says, and has neither level nor "
                "style: leave one of them out"
            )
        try:
            parse_rules(self.rules)
            self.rule_order  # noqa: B018  # Refuses what is no order.
            for size in TUNED_BY_SIZE:
                self.search_config(size)
                self.playout_rates(size)
                self.prior_weights(size)
        except (GoError, MctsError) as error:
            raise InvalidOption(str(error)) from None

    def replace(self, **changes: Value) -> Options:
        """Return options with these changed, named with underscores: ``rave_bias=0.02``.

        None sets an option of the search, the playouts or the priors back to its default. With a
        *preset* all that was set by hand stays, on top of it; a limit in seconds takes the place of
        the preset's simulations.

        Raises:
            InvalidOption: If there is no such option, or it cannot have that value.
        """
        if "preset" in changes:
            name = _OWN["preset"].check(changes.pop("preset"))
            kept = self.changes()
            kept.pop("preset", None)
            return _preset_base(cast("str | None", name)).replace(**kept | changes)
        own: dict[str, Any] = {}  # Fields of this class; what is wrong with them it finds itself.
        if (
            changes.get("seconds") is not None
            and "simulations" not in changes
            and (
                self.preset is not None
                and self.simulations == _preset_base(self.preset).simulations
            )
        ):
            own["simulations"] = None
        groups: dict[str, dict[str, Value]] = {}
        for name, value in changes.items():
            option = find_option(name)
            if option.key not in _BY_OPTION:
                own[option.key] = value
                continue
            group, target = _BY_OPTION[option.key]
            given = groups.setdefault(group, dict(getattr(self, group)))
            given.pop(target, None)
            if value is not None:
                given[target] = option.check(value)
        own |= {group: tuple(sorted(given.items())) for group, given in groups.items()}
        return replace(self, **own)

    def set(self, name: str, text: str) -> Options:
        """Return options with one changed, as people write it; ``default`` takes it back.

        Raises:
            InvalidOption: If there is no such option, or it cannot have that value.
        """
        option = find_option(name)
        if option.key in _BY_OPTION and text.strip().lower() == "default":
            return self.replace(**{option.key: None})
        return self.replace(**{option.key: option.parse(text)})

    def value(self, name: str, size: int | None = None) -> Value:
        """Return the value of any option, on a board of that size where it matters.

        As set or tuned: what a level changes is not in it.

        Raises:
            InvalidOption: If there is no such option.
        """
        option = find_option(name)
        if option.key not in _BY_OPTION:
            return cast("Value", getattr(self, option.key))
        group, target = _BY_OPTION[option.key]
        given = self._fields(group, self.size if size is None else size)
        return given.get(target, cast("Value", getattr(_OWNERS[group], target)))

    def text(self, name: str, size: int | None = None) -> str:
        """Return the value of any option as :meth:`set` takes it."""
        return find_option(name).format(self.value(name, size))

    def changes(self) -> dict[str, Value]:
        """Return what differs from the defaults, by name with underscores; for logs.

        With a preset, that and what differs from it; None for what it sets and these options do
        not. ``Options().replace(**options.changes())`` equals the options.
        """
        base = _preset_base(self.preset)
        found: dict[str, Value] = {} if self.preset is None else {"preset": self.preset}
        found |= {
            key: getattr(self, key) for key in _OWN if getattr(self, key) != getattr(base, key)
        }
        for group, options in _GROUPS.items():
            held, given = dict(getattr(base, group)), dict(getattr(self, group))
            found |= {options[name].key: None for name in held if name not in given}
            found |= {
                options[name].key: value
                for name, value in given.items()
                if name not in held or held[name] != value
            }
        return found

    @property
    def has_limit(self) -> bool:
        """Whether simulations or seconds a move are given."""
        return self.simulations is not None or self.seconds is not None

    @property
    def thread_count(self) -> int:
        """The threads to search with: those given, else one if there is a limit, else all cores."""
        if self.threads is not None:
            return self.threads
        return 1 if self.has_limit else usable_cores()

    @property
    def drawn_seed(self) -> int:
        """The seed: the one given, else one that is drawn when the program first asks."""
        return _random_seed() if self.seed is None else self.seed

    def on_board(self, size: int) -> Options:
        """Return options with what the level says for that board filled in, and no level.

        What was set by hand stays as it is, but for the book, which no level uses, and the network,
        which only strong ones use.
        """
        return self if self.level is None else _with_level(self, size)

    def search_config(self, size: int) -> Config:
        """Return the configuration of a search on a board of that size, the level included.

        With no limit it has :data:`DEFAULT_SECONDS`; whoever has a clock replaces them.
        """
        options = self.on_board(size)
        seconds = options.seconds
        if not options.has_limit:
            seconds = DEFAULT_SECONDS
        return Config(
            **options._fields("search", size),
            simulations=options.simulations,
            seconds=seconds,
            threads=options.thread_count,
            memory=options.memory,
            seed=options.drawn_seed,
        )

    def network_path(self, size: int) -> str | None:
        """Return the file of the network that judges on boards of that size; None for none.

        Loads no NumPy.
        """
        if self.network not in (AUTOMATIC, DEFAULT_NETWORK):
            return self.network
        if self.network == AUTOMATIC and self.wants_playouts:
            return None
        from montego.network.network import find_network  # noqa: PLC0415  # Only for a search.

        found = find_network("go", (size, size))
        return None if found is None else str(found)

    def has_network(self, size: int) -> bool:
        """Say whether there is a network for boards of that size, and something to run it."""
        return self.network_path(size) is not None and _has_runtime()

    @property
    def wants_playouts(self) -> bool:
        """Whether something is set that is of use only where playouts judge, or an adviser."""
        if self.style is not None:
            return True
        if self.with_ is not None or dict(self.search).get("selection", "puct") not in BY_NETWORK:
            return True
        of_playouts = (
            option for option in _OWN.values() if option.section in ("playouts", "priors")
        )
        if any(getattr(self, option.key) != option.default for option in of_playouts):
            return True
        return any(
            # What is set to what it is anyway says nothing.
            value not in (_GROUPS[group][name].default, WITH_NETWORK.get(name))
            for group in _GROUPS
            for name, value in getattr(self, group)
            if group != "search" or name.startswith(WITHOUT_NETWORK)
        )

    def network_name(self, size: int) -> str | None:
        """Return what to call the network that judges on boards of that size; None for none.

        It is that of its file; a level has none.
        """
        path = self.on_board(size).network_path(size)
        return None if path is None else Path(path).stem

    def check_board(self, size: int) -> None:
        """Refuse a board that cannot be searched with these options.

        Raises:
            InvalidOption: If there is too little memory for it; the message says how much it wants.
        """
        config = self.search_config(size)
        if config.memory >= config.trees * ENOUGH_FOR_A_TREE:
            return
        from montego.go.kernels.layout import state_length  # noqa: PLC0415  # Loads NumPy.
        from montego.mcts.forest import check_memory  # noqa: PLC0415  # As above.

        try:
            check_memory(config, f"Go {size}x{size}", state_length(size))
        except MctsError as error:
            raise InvalidOption(str(error)) from None

    def _fields(self, group: str, size: int) -> dict[str, Any]:
        """Return the fields of another class that are set or tuned for a board of that size.

        Without RAVE the search explores as it usually does; what is tuned goes with RAVE. With a
        network PUCT chooses, explores less, and nothing else says beforehand what a move is worth.
        Nothing is tuned about a preset.
        """
        given, usual = dict(getattr(self, group)), tuned(group, size)
        if self.preset is not None:
            usual = {}
        judged = group == "search" and self.network_path(size) is not None
        if judged:
            usual |= WITH_NETWORK
            if self.simulations is not None and self.simulations <= FEW:
                usual["selection"] = "gumbel"
        selection = (usual | given).get("selection", Config.selection)
        explores = selection not in WITH_AMAF and not (judged and selection in BY_NETWORK)
        if group == "search" and explores:
            usual["exploration"] = EXPLORATION_WITHOUT_RAVE
        return usual | given

    @property
    def rule_order(self) -> RuleOrder:
        """In which order the rules of the playout are asked."""
        return RuleOrder(
            order=self.playout_order, enough=self.playout_enough, weights=self.playout_weights
        )

    def playout_rates(self, size: int) -> Rates:
        """Return the rates of the playout's rules on a board of that size."""
        return Rates(**self.on_board(size)._fields("rates", size))

    def prior_weights(self, size: int) -> PriorWeights:
        """Return what prior knowledge is worth on a board of that size."""
        return PriorWeights(**self.on_board(size)._fields("weights", size))

    def game_definition(
        self, size: int, rules: str | Rules | None = None, komi: float | None = None
    ) -> GameDefinition:
        """Return Go as a search with these options sees it. Loads NumPy.

        Raises:
            GoError: If there is no such size or rule set, or the file of patterns cannot be read.
            NetworkError: If the network that was named is not for this board.
        """
        from montego.engine.knowledge.definition import go_game  # noqa: PLC0415  # Loads NumPy.
        from montego.engine.knowledge.judged import judged  # noqa: PLC0415  # As above.

        options = self.on_board(size)
        definition = go_game(
            size,
            rules=options.rules if rules is None else rules,
            komi=options.komi if komi is None else komi,
            playout=options.playout,
            rates=self.playout_rates(size),
            patterns=options.patterns,
            priors=self.prior_weights(size),
            key_positions=options.value("move-order") == "game",
            experience=self.book is not None,  # Levels read none, but share compiled code.
            order=options.rule_order,
            moves=options.tree_moves,
            shapes=options.shapes,
            prediction=options.prediction,
            balance=options.balance,
        )
        definition = replace(definition, longest_game=max(round(self.game_length * size * size), 1))
        path = options.network_path(size)
        return definition if path is None else judged(definition, path, options.network_memory)


@cache
def knows_people(size: int) -> bool:
    """Say whether a network knows people who play on boards of that size. Loads no NumPy."""
    from montego.network.ranked import people_network  # noqa: PLC0415  # Only for a search.

    return _has_runtime() and people_network("go", (size, size)) is not None


@cache
def _has_runtime() -> bool:
    return find_spec("onnxruntime") is not None


@lru_cache(maxsize=64)  # Asked several times a move, and as long as a short search.
def _with_level(options: Options, size: int) -> Options:
    """Return what :meth:`Options.on_board` does, of options with a level."""
    given = options.changes()
    changes = level_options(
        str(options.level),
        size,
        network=options.has_network(size),
        people=knows_people(size),
        styled=options.style is not None,
    )
    changes = {name: value for name, value in changes.items() if name not in given} | {
        "network": changes.get("network", options.network)
    }
    return options.replace(level=None, book=None, **changes)


@cache
def _preset_base(name: str | None) -> Options:
    """Return a preset with nothing on top of it; the defaults for None."""
    options = Options()
    if name is None:
        return options
    for option, text in preset_settings(name).items():
        options = options.set(option, text)
    return replace(options, preset=name, filled_in=True)


@cache
def _random_seed() -> int:
    return int.from_bytes(os.urandom(4), "little")


def usable_cores() -> int:
    """Return how many cores this process may use, at least 1: not always all that there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # Not every system tells more.


# All options


def _search_options() -> dict[str, Option]:
    """Return the options that are fields of ``Config``, by field, but for the player's budget."""
    found = {}
    for field in fields(Config):
        if field.name not in _OWN:
            # Fields are spoken of as options.
            told = re.sub(
                r"`\w+`", lambda name: name[0].replace("_", "-"), field.metadata["meaning"]
            )
            said = {"help": told, "section": "search"} | _SAID_HERE.get(field.name, {})
            default = TUNED["search"].get(field.name, field.default)
            found[field.name] = Option.of(field, default=default, **said)
    return found


def _number_options(
    owner: type[Rates | PriorWeights], prefix: str, section: str, tuned: dict[str, Value]
) -> dict[str, Option]:
    """Return the options that are fields of *owner*, by field."""
    return {
        field.name: Option.of(
            field,
            name=f"{prefix}-{field.name.replace('_', '-')}",
            default=tuned.get(field.name, field.default),
            help=f"{field.metadata['meaning'][:1].upper()}{field.metadata['meaning'][1:]}.",
            section=section,
        )
        for field in fields(owner)
    }


_SAID_HERE = {
    "selection": {
        "help": "Which move to follow in the tree; `docs/search.md` has the formulas.",
    },
    "exploration": {
        "help": "The constant c of UCB1 and PUCT. 0 explores nothing, the default with RAVE; "
        f"without RAVE the default is {EXPLORATION_WITHOUT_RAVE:g}, with a network "
        f"{WITH_NETWORK['exploration']:g}. Document 000 writes the constant inside the root: its "
        "C = 2 is c = 1.41.",
    },
    "first_play_urgency": {
        "help": "Urgency of a move never tried; infinite tries each once first (004 4.3.5). It has "
        "no effect where moves begin with prior visits, as by default: then none is untried.",
    },
    "prior_even": {
        "name": "search-prior-even",  # The priors have an even one of their own.
        "help": "As prior-even, but added by the search to what the priors say.",
    },
    "experience": {
        "name": "book-weight",
        "section": "book",
        "help": "How much each visit that the book tells of counts; 0 reads nothing.",
    },
}
"""Where an option of the search is something else to a player than the field is to a search."""

_OWN = {field.name: Option.of(field) for field in fields(Options) if field.metadata}
_GROUPS = {
    "search": _search_options(),
    "rates": _number_options(Rates, "playout", "playouts", TUNED["rates"]),
    "weights": _number_options(PriorWeights, "prior", "priors", TUNED["weights"]),
}
_OWNERS = {"search": Config, "rates": Rates, "weights": PriorWeights}
_BY_OPTION = {
    option.key: (group, name) for group, found in _GROUPS.items() for name, option in found.items()
}

OPTIONS: tuple[Option, ...] = tuple(
    option
    for section in SECTIONS
    for found in (_OWN, *_GROUPS.values())
    for option in found.values()
    if option.section == section
)
"""All options, section by section."""

_BY_KEY = {option.key: option for option in OPTIONS}


def find_option(name: str) -> Option:
    """Return the option of that name; hyphens, underscores and capitals do not matter.

    Raises:
        InvalidOption: If there is none; the message suggests what looks like it, or names all.
    """
    key = name.strip().lower().replace("-", "_")
    option = _BY_KEY.get(key) or _BY_KEY.get(f"{key}_")
    if option is None:
        alike = difflib.get_close_matches(key, _BY_KEY)
        alike += [known for known in _BY_KEY if len(key) > 2 and key in known]
        if alike:
            near = list(dict.fromkeys(_BY_KEY[known].name for known in alike))[:_MOST_HINTS]
            hint = f"do you mean {' or '.join(near)}?"
        else:
            hint = f"there are {', '.join(option.name for option in OPTIONS)}"
        raise InvalidOption(f"unknown option {name.strip()[:60]!r}: {hint}")
    return option


# Files


def read_options(path: str | Path) -> dict[str, Value]:
    """Return the options that a TOML file sets, for ``Options().replace(**found)``.

    They have the names of the command line, in any table. Names of files are relative to the folder
    of the file that they stand in.

    Raises:
        InvalidOption: If the file cannot be read, or something in it is no option or no value of
            one. The message says what and suggests a name.
    """
    import tomllib  # noqa: PLC0415  # Only who has such a file waits for it.

    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "no text file"
        raise InvalidOption(f"cannot read {str(path)!r}: {reason}") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidOption(f"{path}: {error}") from None
    entries = [(name, value) for name, value in content.items() if not isinstance(value, dict)]
    for section, table in content.items():
        if isinstance(table, dict):
            if section not in SECTIONS:
                raise InvalidOption(
                    f"{path}: unknown table [{section}]: say one of {', '.join(SECTIONS)}, or none"
                )
            entries += table.items()
    found: dict[str, Value] = {}
    for name, value in entries:
        try:
            key, checked = _read(name, value, Path(path).parent)
        except InvalidOption as error:
            raise InvalidOption(f"{path}: {error}") from None
        if key in found:
            raise InvalidOption(f"{path}: {find_option(name).name} is set twice")
        found[key] = checked
    return found


def _read(name: str, value: object, folder: Path) -> tuple[str, Value]:
    option = find_option(name)
    if isinstance(value, str):
        words = (option.absent, "default", *option.choices)
        if option.kind in ("file", "path") and value.lower() not in words:
            value = str(folder / expand_home(value))
        return option.key, option.parse(value)
    if value is False and option.absent == "off":
        return option.key, None
    return option.key, option.check(value)
