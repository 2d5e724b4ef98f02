"""Rules and settings by the names that KataGo's programs use.

Rules come as a name, or as an object with a field for each rule::

    {"ko": "SIMPLE", "score": "AREA", "tax": "NONE", "suicide": false, "hasButton": false,
     "whiteHandicapBonus": "N", "friendlyPassOk": true}

Of the settings some are options of ours, and some mean nothing here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from montego.engine.options.options import InvalidOption
from montego.go.vocabulary.errors import InvalidRules
from montego.go.vocabulary.rank import parse_rank
from montego.go.vocabulary.rules import Rules, parse_rules, usual_komi

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = TypeVar("Value", str, bool)

KATAGO_NAMES = {
    "maxvisits": "simulations",
    "maxplayouts": "simulations",
    "maxtime": "seconds",
    "numsearchthreads": "threads",
    "lagbuffer": "lag",
    "ponderingenabled": "ponder",
    "rootpolicytemperature": "root-temperature",
    "rootdirichletnoiseweight": "root-noise",
}
"""KataGo's names of what we have too, in small letters."""

WITHOUT_EFFECT = {"playoutdoublingadvantage": (-3.0, 3.0), "analysiswiderootnoise": (0.0, 5.0)}
"""Settings that programs give KataGo, in small letters, with their range. Clients stumble if they
are refused, so they are taken and remembered; a search by playouts has nothing of the kind."""

HUMAN_PROFILE = "humanSLProfile"
"""KataGo's setting for people of some rank; see :func:`profile_rank`."""

SENT_ALWAYS = frozenset(
    {"wideRootNoise", "antiMirror", "rootNumSymmetriesToSample", "nnPolicyTemperature"}
)
"""Settings that programs send with every query and that mean nothing here: not worth a word."""

OF_NO_USE = frozenset(
    """
    analysisWideRootNoise antiMirror chosenMoveTemperature chosenMoveTemperatureEarly
    conservativePass cpuctExploration cpuctExplorationLog cpuctUtilityStdevPrior
    cpuctUtilityStdevPriorWeight cpuctUtilityStdevScale drawEquivalentWinsForWhite
    dynamicScoreCenterScale dynamicScoreCenterZeroWeight dynamicScoreUtilityFactor fpuLossProp
    fpuParentWeightByVisitedPolicy fpuReductionMax ignoreAllHistory
    ignorePreRootHistory lcbStdevs maxTimePondering maxVisitsPondering minVisitPropForLCB
    nnPolicyTemperature noResultUtilityForWhite playoutDoublingAdvantage
    playoutDoublingAdvantagePla rootDesiredPerChildVisitsCoeff
    rootDirichletNoiseTotalConcentration rootEndingBonusPoints rootFpuLossProp
    rootFpuReductionMax rootNoiseEnabled rootNumSymmetriesToSample
    rootPolicyTemperatureEarly rootPruneUselessMoves rootSymmetryPruning
    staticScoreUtilityFactor subtreeValueBiasFactor useGraphSearch useLcbForSelection
    useUncertainty valueWeightExponent wideRootNoise winLossUtilityFactor
    """.lower().split()
)
"""KataGo's names, in small letters, of what this search does not have."""

_BONUS = {"none": "0", "n": "N", "n-1": "N-1"}
_COMPENSATION = {text: name for name, text in _BONUS.items()}
_FIELDS = (
    "ko", "score", "scoring", "tax", "suicide", "hasButton", "whiteHandicapBonus",
    "friendlyPassOk", "komi",
)  # fmt: skip  # A list to read, not a column.


def parse_kata_rules(rules: str | Mapping[str, Any]) -> Rules:
    """Return the rules that a name, an object, or the JSON text of an object describes.

    What an object leaves out is as in Chinese rules, or in Japanese ones if territory counts.

    Raises:
        InvalidRules: If there are no such rules; the message says what is wrong.
        InvalidKomi: If the object has a komi that is none.
    """
    if isinstance(rules, str):
        if not rules.lstrip().startswith("{"):
            return parse_rules(rules)
        try:
            rules = json.loads(rules)
        except (ValueError, RecursionError):
            raise InvalidRules("invalid rules: that is no JSON object") from None
    if not isinstance(rules, dict):
        raise InvalidRules("invalid rules: say a name or an object")
    for name in rules:
        if name not in _FIELDS:
            raise InvalidRules(f"unknown rule {str(name)[:40]!r}: say one of {', '.join(_FIELDS)}")
    scoring = _field(rules, "score", _field(rules, "scoring", "area"))
    base = parse_rules("japanese" if scoring == "territory" else "chinese")
    button = _field(rules, "hasButton", default=False)
    bonus = str(rules.get("whiteHandicapBonus", _BONUS[base.handicap_compensation])).upper()
    if bonus not in _COMPENSATION:
        raise InvalidRules(f"invalid whiteHandicapBonus {bonus[:40]!r}: say 0, N or N-1")
    return Rules(
        scoring=scoring,
        ko=_field(rules, "ko", base.ko),
        tax=_field(rules, "tax", base.tax),
        suicide=_field(rules, "suicide", base.suicide),
        handicap_compensation=_COMPENSATION[bonus],
        dead_removal=_field(rules, "friendlyPassOk", base.dead_removal),
        button=button,
        komi=rules.get("komi", usual_komi(scoring, button=button)),
    )


def format_kata_rules(rules: Rules) -> dict[str, Any]:
    """Return the object that :func:`parse_kata_rules` turns into equal rules, but for komi."""
    return {
        "friendlyPassOk": rules.dead_removal,
        "hasButton": rules.button,
        "ko": rules.ko.upper(),
        "scoring": rules.scoring.upper(),
        "suicide": rules.suicide,
        "tax": rules.tax.upper(),
        "whiteHandicapBonus": _BONUS[rules.handicap_compensation],
    }


def _field(fields: Mapping[str, Any], name: str, default: Value) -> Value:
    """Return a field of the same type as *default*; words in small letters."""
    value = fields.get(name, default)
    if not isinstance(value, type(default)):
        wanted = "true or false" if isinstance(default, bool) else "a word"
        raise InvalidRules(f"invalid {name} {str(value)[:40]!r}: say {wanted}")
    return value.lower() if isinstance(value, str) else value


def option_name(name: str) -> str:
    """Return our name of a setting that may go by KataGo's. Whether we have it is not looked at.

    Raises:
        InvalidOption: If it is one of KataGo's that means nothing here.
    """
    key = name.strip().lower()
    if key in OF_NO_USE:
        raise InvalidOption(f"{name.strip()} is a setting of KataGo's, of no effect here")
    return KATAGO_NAMES.get(key, name)


def profile_rank(text: str) -> int | None:
    """Return the rank of the people in one of KataGo's profiles; None for an empty one.

    ``rank_5k`` and ``preaz_5k`` are both people of 5 kyu.

    Raises:
        InvalidOption: If it is no such profile.
    """
    kind, _, name = text.strip().lower().partition("_")
    if not kind:
        return None
    rank = parse_rank(name.partition("_")[0])
    if kind not in ("rank", "preaz") or rank is None:
        shown = text.strip()[:40]
        raise InvalidOption(f"invalid {HUMAN_PROFILE} {shown!r}: say, for example, rank_5k")
    return rank
