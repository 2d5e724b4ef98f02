"""Everything that can be set about the player, in one immutable value.

:data:`OPTIONS` lists the options with their meaning; :class:`Options` holds a value for each.
Flags, configuration files and GTP commands all go through :meth:`Options.set` or
:meth:`Options.replace`. What is not set is tuned for the size of the board
(:mod:`montego.engine.knowledge.tuning`), or taken from the level.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, cast

from montego.engine.cores import usable_cores
from montego.engine.knowledge.tuning import (
    DEFAULT_PLAYOUT,
    DEFAULT_SECONDS,
    SIZES,
    tuned_rates,
    tuned_search,
    tuned_weights,
)
from montego.engine.knowledge.weights import PriorWeights
from montego.engine.options.config_file import read_options
from montego.engine.options.levels import level_options
from montego.engine.options.option import InvalidOption, Option
from montego.engine.options.table import (
    OPTIONS,
    PLAYER_OPTIONS,
    RATE_OPTIONS,
    SEARCH_OPTIONS,
    WEIGHT_OPTIONS,
    find_option,
)
from montego.go.playout.rates import Rates
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_rules
from montego.mcts.config import WITH_AMAF, Config
from montego.mcts.errors import MctsError

if TYPE_CHECKING:
    from typing import Any

    from montego.engine.knowledge.tuning import Value
    from montego.go.vocabulary.rules import Rules
    from montego.mcts.game import GameDefinition

__all__ = [
    "DEFAULT_SECONDS",
    "OPTIONS",
    "InvalidOption",
    "Option",
    "Options",
    "find_option",
    "read_options",
]

Changes: TypeAlias = "tuple[tuple[str, Value], ...]"
"""Fields of another class that are set, and their values; in the order of their names."""

ENOUGH_FOR_A_TREE = 10.0
"""Megabytes that will do for a tree of any board: who has them need not look closer."""

_OWNERS = {"search": Config, "rates": Rates, "weights": PriorWeights}
_GROUPS = {"search": SEARCH_OPTIONS, "rates": RATE_OPTIONS, "weights": WEIGHT_OPTIONS}
_BY_OPTION = {
    option.key: (group, name) for group, found in _GROUPS.items() for name, option in found.items()
}


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

    simulations: int | None = None
    seconds: float | None = None
    threads: int | None = None
    memory: float = 500.0
    seed: int | None = None
    ponder: bool = False
    lag: float = 0.5
    size: int = 19
    rules: str = "chinese"
    komi: float | None = None
    mode: str = "friendly"
    resign: float | None = 0.1
    resign_moves: int = 2
    resign_after: float = 0.25
    dynamic_komi: str = "handicap"
    level: str | None = None
    book: str | None = None
    book_learn: bool = True
    book_depth: int = 20
    book_least: float = 0.05
    name: str = "Montego"
    log: str | None = None
    perspective: str = "side-to-move"
    kgs_chat: bool = False
    ogs: bool = False
    playout: str = DEFAULT_PLAYOUT
    patterns: str | None = None
    game_length: float = 3.0
    with_: str | None = None
    with_mode: str = "priors"
    with_weight: float = 1.0
    with_patience: float = 60.0

    search: Changes = ()
    """Fields of ``Config`` that are set; what is not is tuned for the board."""
    rates: Changes = ()
    """Fields of ``Rates`` that are set."""
    weights: Changes = ()
    """Fields of ``PriorWeights`` that are set."""

    def __post_init__(self) -> None:
        for option in PLAYER_OPTIONS:
            # Whole numbers become floats where floats are wanted, so that equals print alike.
            object.__setattr__(self, option.key, option.check(getattr(self, option.key)))
        for group, options in _GROUPS.items():
            for name, value in getattr(self, group):
                options[name].check(value)
        try:
            parse_rules(self.rules)
            for size in SIZES:
                self.search_config(size)
                self.playout_rates(size)
                self.prior_weights(size)
        except (GoError, MctsError) as error:
            raise InvalidOption(str(error)) from None

    def replace(self, **changes: Value) -> Options:
        """Return options with these changed, named with underscores: ``rave_bias=0.02``.

        None sets an option of the search, the playouts or the priors back to its default.

        Raises:
            InvalidOption: If there is no such option, or it cannot have that value.
        """
        own: dict[str, Any] = {}  # Fields of this class; what is wrong with them it finds itself.
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
        size = self.size if size is None else size
        fields = {
            "search": self.search_fields(size),
            "rates": tuned_rates(size) | dict(self.rates),
            "weights": tuned_weights(size) | dict(self.weights),
        }[group]
        return fields.get(target, cast("Value", getattr(_OWNERS[group], target)))

    def text(self, name: str, size: int | None = None) -> str:
        """Return the value of any option as :meth:`set` takes it."""
        return find_option(name).format(self.value(name, size))

    def changes(self) -> dict[str, Value]:
        """Return what differs from the defaults, by name with underscores; for logs.

        ``Options().replace(**options.changes())`` equals the options.
        """
        found = {
            option.key: getattr(self, option.key)
            for option in PLAYER_OPTIONS
            if getattr(self, option.key) != option.default
        }
        for group, options in _GROUPS.items():
            found |= {options[name].key: value for name, value in getattr(self, group)}
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

        What was set by hand stays as it is, but for the book, which no level uses.
        """
        if self.level is None:
            return self
        given = self.changes()
        changes = level_options(self.level, size)
        changes = {name: value for name, value in changes.items() if name not in given}
        return self.replace(level=None, book=None, **changes)

    def search_config(self, size: int) -> Config:
        """Return the configuration of a search on a board of that size, the level included.

        With no limit it has :data:`DEFAULT_SECONDS`; whoever has a clock replaces them.
        """
        options = self.on_board(size)
        seconds = options.seconds
        if not options.has_limit:
            seconds = DEFAULT_SECONDS
        return Config(
            **cast("dict[str, Any]", options.search_fields(size)),
            simulations=options.simulations,
            seconds=seconds,
            threads=options.thread_count,
            memory=options.memory,
            seed=options.drawn_seed,
        )

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

    def search_fields(self, size: int) -> dict[str, Value]:
        """Return the fields of ``Config`` that are set or tuned for a board of that size.

        Without RAVE the search explores as it usually does; what is tuned goes with RAVE.
        """
        given, tuned = dict(self.search), tuned_search(size)
        if (tuned | given).get("selection", Config.selection) not in WITH_AMAF:
            tuned.pop("exploration", None)
        return tuned | given

    def playout_rates(self, size: int) -> Rates:
        """Return the rates of the playout's rules on a board of that size."""
        given = tuned_rates(size) | dict(self.on_board(size).rates)
        return Rates(**cast("dict[str, Any]", given))

    def prior_weights(self, size: int) -> PriorWeights:
        """Return what prior knowledge is worth on a board of that size."""
        given = tuned_weights(size) | dict(self.on_board(size).weights)
        return PriorWeights(**cast("dict[str, Any]", given))

    def game_definition(
        self, size: int, rules: str | Rules | None = None, komi: float | None = None
    ) -> GameDefinition:
        """Return Go as a search with these options sees it. Loads NumPy.

        Raises:
            GoError: If there is no such size or rule set, or the file of patterns cannot be read.
        """
        from montego.engine.knowledge.definition import go_game  # noqa: PLC0415  # Loads NumPy.

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
        )
        return replace(definition, longest_game=max(round(self.game_length * size * size), 1))


@cache
def _random_seed() -> int:
    return int.from_bytes(os.urandom(4), "little")
