"""Commands about the rules of the game, in the words of KataGo's programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from montego.go.vocabulary.rules import rules_name
from montego.gtp.analyze.kata_rules import format_kata_rules, parse_kata_rules
from montego.gtp.protocol import GtpError
from montego.gtp.registry import SYNTAX_ERROR, Arguments, command

if TYPE_CHECKING:
    from montego.gtp.session import Session


@command("kata-get-rules", "", "Answer the rules as a JSON object.")
def kata_get_rules(session: Session, _arguments: Arguments) -> str:
    """Answer the rules as JSON."""
    return json.dumps(format_kata_rules(session.player.game.rules), separators=(",", ":"))


@command("get_rules", "", "Answer the name of the rules, or a description in one word.")
def get_rules(session: Session, _arguments: Arguments) -> str:
    """Answer the name of the rules."""
    return rules_name(session.player.game.rules)


@command(
    "kata-set-rules",
    "NAME|JSON",
    "Set the rules by a name such as `chinese`, or by a JSON object. Komi stays.",
)
def kata_set_rules(session: Session, arguments: Arguments) -> None:
    """Set the rules."""
    if not arguments.words:
        raise GtpError(SYNTAX_ERROR)
    session.player.set_rules(parse_kata_rules(arguments.text))


@command(
    "kata-set-rule",
    "FIELD VALUE",
    "Change one field of what `kata-get-rules` answers, such as `ko POSITIONAL`.",
)
def kata_set_rule(session: Session, arguments: Arguments) -> None:
    """Change one field of the rules."""
    arguments.expect(2)
    rules: dict[str, Any] = format_kata_rules(session.player.game.rules)
    field, text = arguments.words
    field = {"score": "scoring"}.get(field.lower(), field)
    known = {name.lower(): name for name in rules}
    if field.lower() not in known:
        raise GtpError(f"unknown rule: say one of {', '.join(rules)}")
    field = known[field.lower()]
    rules[field] = {"true": True, "false": False}.get(text.lower(), text)
    session.player.set_rules(parse_kata_rules(rules))
