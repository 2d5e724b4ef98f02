"""Rule sets as KataGo's programs send them: a name, or an object with a field for each rule.

{"ko": "SIMPLE", "score": "AREA", "tax": "NONE", "suicide": false, "hasButton": false,
 "whiteHandicapBonus": "N", "friendlyPassOk": true}
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from montego.go.vocabulary.errors import InvalidRules
from montego.go.vocabulary.rules import Rules, parse_rules, usual_komi

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    return _from_object(rules)


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


def _from_object(fields: Mapping[str, Any]) -> Rules:
    for name in fields:
        if name not in _FIELDS:
            raise InvalidRules(f"unknown rule {str(name)[:40]!r}: say one of {', '.join(_FIELDS)}")
    scoring = _word(fields, "score", _word(fields, "scoring", "area"))
    base = parse_rules("japanese" if scoring == "territory" else "chinese")
    button = _flag(fields, "hasButton", default=False)
    bonus = str(fields.get("whiteHandicapBonus", _BONUS[base.handicap_compensation])).upper()
    if bonus not in _COMPENSATION:
        raise InvalidRules(f"invalid whiteHandicapBonus {bonus[:40]!r}: say 0, N or N-1")
    return Rules(
        scoring=scoring,
        ko=_word(fields, "ko", base.ko),
        tax=_word(fields, "tax", base.tax),
        suicide=_flag(fields, "suicide", default=base.suicide),
        handicap_compensation=_COMPENSATION[bonus],
        dead_removal=_flag(fields, "friendlyPassOk", default=base.dead_removal),
        button=button,
        komi=fields.get("komi", usual_komi(scoring, button=button)),
    )


def _word(fields: Mapping[str, Any], name: str, default: str) -> str:
    value = fields.get(name, default)
    if not isinstance(value, str):
        raise InvalidRules(f"invalid {name} {str(value)[:40]!r}: say a word")
    return value.lower()


def _flag(fields: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = fields.get(name, default)
    if not isinstance(value, bool):
        raise InvalidRules(f"invalid {name} {str(value)[:40]!r}: say true or false")
    return value
