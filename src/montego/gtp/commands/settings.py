"""Commands that tell and change the rules of the game and the options of the player.

The rules are in the words of KataGo's programs; ``docs/options.md`` explains the options.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from montego.engine.options.levels import people_level
from montego.engine.options.options import OPTIONS, find_option
from montego.go.vocabulary.rules import rules_name
from montego.gtp.analyze.katago import (
    HUMAN_PROFILE,
    WITHOUT_EFFECT,
    format_kata_rules,
    option_name,
    parse_kata_rules,
    profile_rank,
)
from montego.gtp.registry import MANY, Arguments, GtpError, command

if TYPE_CHECKING:
    from montego.engine.knowledge.tuning import Value
    from montego.engine.options.options import Option
    from montego.gtp.session import GtpSession


@command("kata-get-rules")
def kata_get_rules(session: GtpSession, _arguments: Arguments) -> str:
    """Answer the rules as a JSON object."""
    return json.dumps(format_kata_rules(session.player.game.rules), separators=(",", ":"))


@command("get_rules")
def get_rules(session: GtpSession, _arguments: Arguments) -> str:
    """Answer the name of the rules, or a description in one word."""
    return rules_name(session.player.game.rules)


@command("kata-set-rules", "NAME|JSON", words=(1, MANY))
def kata_set_rules(session: GtpSession, arguments: Arguments) -> None:
    """Set the rules by a name such as `chinese`, or by a JSON object. Komi stays."""
    with session.player.alone() as game:
        game.rules = parse_kata_rules(arguments.text)


@command("kata-set-rule", "FIELD VALUE", words=2)
def kata_set_rule(session: GtpSession, arguments: Arguments) -> None:
    """Change one field of what `kata-get-rules` answers, such as `ko POSITIONAL`."""
    rules = format_kata_rules(session.player.game.rules)
    known = {name.lower(): name for name in rules} | {"score": "scoring"}
    field = known.get(arguments[0].lower())
    if field is None:
        raise GtpError(f"unknown rule: say one of {', '.join(rules)}")
    rules[field] = {"true": True, "false": False}.get(arguments[1].lower(), arguments[1])
    with session.player.alone() as game:
        game.rules = parse_kata_rules(rules)


@command("kata-list-params")
def kata_list_params(_session: GtpSession, _arguments: Arguments) -> str:
    """List the names of all options."""
    return " ".join(option.name for option in OPTIONS)


@command("kata-get-param", "NAME", words=1)
def kata_get_param(session: GtpSession, arguments: Arguments) -> str:
    """Answer the value of an option; `rules`, `komi` and `size` are those of the game.

    KataGo's `maxVisits`, `maxPlayouts`, `maxTime` and `numSearchThreads` are understood.
    `playoutDoublingAdvantage` and `analysisWideRootNoise` are what they were set to.
    """
    name = arguments[0]
    if name.lower() in WITHOUT_EFFECT:
        return str(session.without_effect.get(name.lower(), 0.0))
    return option_text(session, option_name(name))


@command("kata-set-param", "NAME VALUE", words=(2, MANY))
def kata_set_param(session: GtpSession, arguments: Arguments) -> None:
    """Change an option; the next search uses it.

    `default` takes it back. Moves and stones stay; `size` is used at the start only. KataGo's
    `playoutDoublingAdvantage` and `analysisWideRootNoise` are remembered, and have no effect; its
    `humanSLProfile`, such as `rank_5k`, is the level `like-` of the nearest rank.
    """
    name, text = arguments[0], " ".join(arguments.words[1:])
    if name.lower() in WITHOUT_EFFECT:
        least, most = WITHOUT_EFFECT[name.lower()]
        number = arguments.number(1)
        if not least <= number <= most:
            raise GtpError(f"{name} can be {least:g} to {most:g}")
        if number != 0.0 and name.lower() not in session.without_effect:
            session.tell(f"montego: {name} is remembered, but has no effect here")
        session.without_effect[name.lower()] = number
        return
    if name.lower() == HUMAN_PROFILE.lower():
        rank = profile_rank(text)
        set_option(session, "level", "none" if rank is None else people_level(rank))
        return
    set_option(session, option_name(name), text)


@command("montego-param", "[NAME [VALUE]]")
def montego_param(session: GtpSession, arguments: Arguments) -> str | None:
    """Answer the value of an option, or change it.

    Without a name, list all options in the form in which GoGui shows them as a dialog.
    """
    if not arguments.words:
        return "\n".join(_gogui_line(session, option) for option in OPTIONS)
    if len(arguments.words) == 1:
        return option_text(session, arguments[0])
    set_option(session, arguments[0], " ".join(arguments.words[1:]))
    return None


@command("set_random_seed", "SEED", words=1)
def set_random_seed(session: GtpSession, arguments: Arguments) -> None:
    """Let what follows depend on this number; with one thread and no clock it can be played
    again.
    """
    set_option(session, "seed", arguments[0])


@command("get_random_seed")
def get_random_seed(session: GtpSession, _arguments: Arguments) -> str:
    """Answer the seed that was given, or `random`."""
    return option_text(session, "seed")


def option_text(session: GtpSession, name: str) -> str:
    """Return an option's value for the board in use; rules, komi and size are those of the game.

    Raises InvalidOption if there is no such option.
    """
    game, option = session.player.game, find_option(name)
    in_game: dict[str, Value] = {
        "rules": rules_name(game.rules),
        "komi": game.komi,
        "size": game.size,
    }
    if option.key in in_game:
        return option.format(in_game[option.key])
    return session.player.options.text(name, game.size)


def set_option(session: GtpSession, name: str, text: str) -> None:
    """Change an option; those of the game take effect at once."""
    key = find_option(name).key
    player = session.player
    options = player.options.set(name, text)
    if options.log != player.options.log:
        raise GtpError("the log is chosen when the program starts")
    player.configure(options)
    with player.alone() as game:
        if key == "rules":
            game.rules = options.rules
        elif key == "seed":
            player.begin_again()  # Else the same number would not mean the same game.
        elif key == "komi":
            game.komi = game.rules.komi if options.komi is None else options.komi


def _gogui_line(session: GtpSession, option: Option) -> str:
    """Return an option as GoGui's parameter dialogs want it: a type, a key and a value."""
    text = option_text(session, option.name)
    if option.kind == "bool":
        return f"[bool] {option.name} {int(text == 'true')}"
    if option.kind == "choice":
        choices = [*([option.absent] if option.absent else []), *option.choices]
        return f"[list/{'/'.join(choices)}] {option.name} {text}"
    return f"[string] {option.name} {text}"
