"""In which order a sequence-like playout asks its rules, and how far each looks.

Written as people write it: rules separated by commas are asked one after the other until enough
moves are suggested, rules joined by ``+`` are asked together. A rule whose name ends in ``-any``
looks at the whole board, the others around the last moves. How often a rule is asked at all is
:class:`montego.go.playout.rates.Rates`'s; where the order does not name it, never.

The usual order has a kernel of its own, :func:`montego.go.playout.sequence.sequence`; all others
are read as they are played, by :mod:`montego.go.playout.ordered`.
"""

from __future__ import annotations

from dataclasses import dataclass

from montego.go.vocabulary.errors import GoError

RULES = {
    "capture": "the chain just played is captured",
    "atari": "chains that the last move put into atari are saved",
    "two-liberties": "chains with two liberties at the last move are attacked and defended",
    "eye-fix": "an eye that the last move threatens to make false is kept",
    "nakade": "the vital point of a small eye space at the last move is taken",
    "pattern": "3x3 patterns around the last two moves",
    "fill-board": "an empty 3x3 area is looked for",
    "capture-any": "any chain in atari is captured, wherever it is",
    "atari-any": "any chain of one's own in atari is saved, wherever it is",
    "pattern-last": "3x3 patterns around the last move alone",
}
"""The rules by name, and what they do. Compiled code knows them by their place here, from 1 on."""

USUAL_ORDER = "capture+atari, two-liberties, eye-fix, nakade, pattern, fill-board"
WEIGHTS = ("alike", "stones", "rules")
"""How moves are weighed. Compiled code knows them by their place here, from 0 on."""
STEPS = 16
"""Rules that an order has at most, with room for the end."""
JOINED = 32
"""Added to the number of a rule that is asked together with the next."""


@dataclass(frozen=True, kw_only=True)
class RuleOrder:
    """An order of rules, and how a move is drawn from what they suggest.

    >>> RuleOrder(order="atari, pattern-last, capture-any").steps()
    (2, 10, 8)

    Raises:
        GoError: If a rule does not exist or is named twice, or a number is out of range.
    """

    order: str = USUAL_ORDER
    enough: int = 1
    """Weight of the moves suggested so far from which on no further rule is asked. Below it they
    stay in the draw, together with what later rules suggest."""
    weights: str = "rules"
    """``rules``: as each rule has it, in stones at stake or by the pattern; ``stones``: the same,
    and every pattern weighs 1; ``alike``: all moves that are suggested have the same chance."""

    def __post_init__(self) -> None:
        self.steps()
        if isinstance(self.enough, bool) or not isinstance(self.enough, int):
            raise GoError(f"invalid playout-enough {self.enough!r}: say a whole number")
        if not 1 <= self.enough <= 10_000:
            raise GoError(f"invalid playout-enough {self.enough}: say a number from 1 to 10000")
        if self.weights not in WEIGHTS:
            raise GoError(
                f"invalid playout-weights {self.weights!r}: say one of {', '.join(WEIGHTS)}"
            )

    @property
    def is_usual(self) -> bool:
        """Whether the kernel for the usual order plays it."""
        return self == RuleOrder() or (
            self.enough == 1 and self.weights == "rules" and self.steps() == RuleOrder().steps()
        )

    def steps(self) -> tuple[int, ...]:
        """Return the rules as compiled code takes them: numbers, with JOINED where one is."""
        known = list(RULES)
        found: list[int] = []
        for group in self.order.split(","):
            names = [name.strip().lower().replace("_", "-") for name in group.split("+")]
            for place, name in enumerate(names, start=1):
                if name not in known:
                    raise GoError(
                        f"invalid playout-order: there is no rule {name[:40]!r}; say some of "
                        f"{', '.join(known)}"
                    )
                found.append(known.index(name) + 1 + (JOINED if place < len(names) else 0))
        numbers = [step % JOINED for step in found]
        if len(set(numbers)) < len(numbers):
            raise GoError("invalid playout-order: a rule is named twice")
        return tuple(found)

    @property
    def names(self) -> tuple[str, ...]:
        """The rules by name, in their order."""
        known = list(RULES)
        return tuple(known[step % JOINED - 1] for step in self.steps())
