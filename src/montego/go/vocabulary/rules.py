"""Rule sets: one small frozen value, presets under the names clients use, and komi.

The names and their meanings are those of KataGo, because the programs around an engine send them;
``docs/rules.md`` shows all of them in one table. Nothing here plays or counts: ``game`` and
``scoring`` read the fields.
"""

from __future__ import annotations

import math
import re
import reprlib
import sys
from dataclasses import dataclass, field, replace
from numbers import Real

from montego.go.vocabulary.errors import InvalidKomi, InvalidRules
from montego.go.vocabulary.number import DECIMAL, read_number

KOMI_LIMIT = 1000.0  # More than the points of the largest board: anything beyond is a slip.

_ALLOWED: dict[str, tuple[str, ...]] = {
    "scoring": ("area", "territory"),
    "ko": ("simple", "positional", "situational"),
    "tax": ("none", "seki", "all"),
    "handicap_compensation": ("none", "n", "n-1"),
}


def parse_komi(komi: float | str) -> float:
    """Return *komi*, a number or the text of one; any fraction and either sign will do.

    Raises:
        InvalidKomi: If it is no finite number or lies beyond 1000 points.
    """
    if isinstance(komi, str):
        number = read_number(komi.strip())
    elif isinstance(komi, Real) and not isinstance(komi, bool):
        number = float(komi) if abs(komi) <= sys.float_info.max else math.inf
    else:
        number = math.nan
    if not math.isfinite(number):
        raise InvalidKomi(f"invalid komi {reprlib.repr(komi)}: say a number such as 7.5")
    if abs(number) > KOMI_LIMIT:
        raise InvalidKomi(f"invalid komi {reprlib.repr(komi)}: say a number from -1000 to 1000")
    return number + 0.0  # Turns -0.0 into 0.0, which prints as people write it.


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What a game is played and counted by. ``Rules()`` equals the preset ``chinese``.

    A single stone that would capture only itself is illegal under every value of ``suicide``: it
    would leave the board as it was, which is a pass by another name and any superko forbids.

    Raises:
        InvalidRules: If a field has a value that it cannot have.
        InvalidKomi: If the komi is not a finite number of sensible size.
    """

    scoring: str = "area"
    """``area``: stones and territory count; ``territory``: territory and prisoners."""

    ko: str = "simple"
    """``simple`` bars retaking at once; ``positional`` and ``situational`` bar repetition."""

    suicide: bool = False
    """Whether a move may remove its own chain of two or more stones."""

    tax: str = "none"
    """Eyes that do not count: ``seki`` in seki; ``all`` in seki and two for each living group."""

    handicap_compensation: str = "n"
    """Points White gets for Black's handicap stones: ``none``, ``n``, or ``n-1``."""

    dead_removal: bool = True
    """Whether players agree on dead stones; if not, everything on the board is alive."""

    button: bool = False
    """Whether the first pass earns half a point, and is no step towards the end of the game."""

    komi: float = 7.5
    """What White gets in an even game unless somebody says otherwise."""

    name: str = field(default="", compare=False)
    """The preset it was made from, or nothing; two equal rule sets may have different names."""

    def __post_init__(self) -> None:
        for name, allowed in _ALLOWED.items():
            value = getattr(self, name)
            if value not in allowed:
                raise InvalidRules(f"invalid {name} {value!r}: say one of {', '.join(allowed)}")
        for name in ("suicide", "dead_removal", "button"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise InvalidRules(f"invalid {name} {value!r}: say True or False")
        if self.button and self.scoring == "territory":
            raise InvalidRules("a button goes with area scoring only")
        if not isinstance(self.name, str):
            raise InvalidRules(f"invalid name {self.name!r}: say a text")
        object.__setattr__(self, "komi", parse_komi(self.komi))

    def __str__(self) -> str:
        return rules_name(self)

    def handicap_points(self, stones: int) -> int:
        """Return the points White gets for *stones* handicap stones; one stone is no handicap."""
        if stones < 2 or self.handicap_compensation == "none":
            return 0
        return stones if self.handicap_compensation == "n" else stones - 1


def _presets() -> dict[str, Rules]:
    area = Rules(handicap_compensation="none")
    chinese_superko = Rules(ko="positional")
    japanese = Rules(scoring="territory", tax="seki", handicap_compensation="none", komi=6.5)
    aga = Rules(ko="situational", handicap_compensation="n-1")
    presets = {
        "chinese": Rules(),
        "chinese-ogs": chinese_superko,
        "chinese-kgs": chinese_superko,
        "japanese": japanese,
        "korean": japanese,
        "aga": aga,
        "aga-button": replace(aga, button=True, komi=7.0),
        "bga": aga,
        "new-zealand": replace(area, ko="situational", suicide=True, komi=7.0),
        "tromp-taylor": replace(area, ko="positional", suicide=True, dead_removal=False),
        "stone-scoring": replace(area, tax="all"),
    }
    return {name: replace(rules, name=name) for name, rules in presets.items()}


PRESETS: dict[str, Rules] = _presets()


def _squash(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text).lower()


_BY_SQUASHED_NAME = {_squash(name): rules for name, rules in PRESETS.items()}
_BY_SQUASHED_NAME["nz"] = PRESETS["new-zealand"]  # How the SGF standard abbreviates them.

# Rules that no preset has are written the way KataGo writes all of its own, for example
# koPOSITIONALscoreAREAtaxNONEsui0whb0fpok1komi7.5, so that a record can carry them.
_DESCRIPTION = re.compile(
    r"ko(?P<ko>simple|positional|situational)score(?P<scoring>area|territory)"
    r"tax(?P<tax>none|seki|all)sui(?P<suicide>[01])"
    r"(?:button(?P<button>[01]))?(?:whb(?P<compensation>0|n-1|n))?(?:fpok(?P<dead_removal>[01]))?"
    rf"(?:komi(?P<komi>-?{DECIMAL}(?:e-?[0-9]+)?))?",
    re.IGNORECASE,
)


def parse_rules(rules: str | Rules) -> Rules:
    """Return the rule set of that name, or *rules* itself if it is one already.

    Blanks, underscores, hyphens and case do not matter; what ``rules_name`` wrote is understood.

    Raises:
        InvalidRules: If there is no such rule set; the message lists the names.
        InvalidKomi: If what ``rules_name`` wrote was given an impossible komi by hand.
    """
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        preset = _BY_SQUASHED_NAME.get(_squash(rules))
        if preset is not None:
            return preset
        match = _DESCRIPTION.fullmatch(re.sub(r"[\s_]+", "", rules))
        if match is not None:
            return _described(match)
    raise InvalidRules(f"unknown rules {reprlib.repr(rules)}: say one of {', '.join(PRESETS)}")


def _described(match: re.Match[str]) -> Rules:
    scoring, button = match["scoring"].lower(), match["button"] == "1"
    compensation = (match["compensation"] or "0").lower()
    return Rules(
        scoring=scoring,
        ko=match["ko"].lower(),
        suicide=match["suicide"] == "1",
        tax=match["tax"].lower(),
        handicap_compensation="none" if compensation == "0" else compensation,
        dead_removal=match["dead_removal"] != "0",
        button=button,
        komi=parse_komi(match["komi"] or usual_komi(scoring, button=button)),
    )


def usual_komi(scoring: str, *, button: bool = False) -> float:
    """Return the komi of rules that say nothing about it."""
    if scoring == "territory":
        return 6.5
    return 7.0 if button else 7.5


def rules_name(rules: Rules) -> str:
    """Return the name of a preset that equals *rules*, else a description in one word.

    ``parse_rules`` gives equal rules back for either.
    """
    if PRESETS.get(rules.name) == rules:
        return rules.name
    for name, preset in PRESETS.items():
        if preset == rules:
            return name
    compensation = {"none": "0", "n": "N", "n-1": "N-1"}[rules.handicap_compensation]
    return (
        f"ko{rules.ko.upper()}score{rules.scoring.upper()}tax{rules.tax.upper()}"
        f"sui{rules.suicide:d}{'button1' * rules.button}whb{compensation}"
        f"fpok{rules.dead_removal:d}komi{rules.komi!r}"
    )
