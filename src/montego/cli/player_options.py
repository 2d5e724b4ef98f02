"""The flags of every command with a player in it: ``gtp``, ``analysis`` and their kin.

Common options have flags of their own, all others are set with ``--set NAME=VALUE``. Flags win
over the file that ``--config`` names.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.cli.command import Namespace, argument
from montego.engine.options.options import (
    DEFAULT_BOOK,
    OPTIONS,
    SECTIONS,
    InvalidOption,
    Options,
    find_option,
    read_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.cli.command import Argument

COMMON = tuple(option.name for option in OPTIONS if option.flag is not None)
"""The options that are flags, in the order of ``--help``."""


def player_options(*, without: Sequence[str] = (), **defaults: str) -> Argument:
    """Return the flags of the player, for a command; :func:`options_from` reads them.

    *without* names options whose flags the command does not want, for example because it has its
    own. *defaults* are values, as text, that differ from the player's in this command; a
    configuration file wins over them.
    """

    def add(parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("the player")
        for name in COMMON:
            if name not in without:
                _add_flag(group, name, defaults)
        argument("--config FILE", "a TOML file with options; flags win over it")(group)
        told = "set any other option; may be given more than once"
        argument("--set NAME=VALUE", told, action="append", default=[])(group)
        group.add_argument(
            "--list-options", action=_ListOptions, help="explain all options and exit"
        )
        parser.set_defaults(player_defaults=defaults)

    return add


def options_from(namespace: Namespace) -> Options:
    """Return the options that the command line asks for.

    Raises:
        InvalidOption: If an option does not exist or cannot have its value; the message says which.
    """
    options = Options()
    for key, text in namespace.player_defaults.items():
        options = options.set(key, text)
    if namespace.config is not None:
        options = options.replace(**read_options(namespace.config))
    for name in COMMON:
        given = getattr(namespace, _destination(name), None)
        if given is not None:
            options = options.set(name, str(given))
    for setting in namespace.set:
        name, separator, text = setting.partition("=")
        if not separator:
            find_option(name)
            raise InvalidOption(f"invalid --set {setting!r}: say NAME=VALUE")
        options = options.set(name, text)
    return options


def flags_of(options: Options, given: Options | None = None) -> list[str]:
    """Return the flags that ask for these options; names of files become absolute.

    *given* are options of the player that hold without flags, if not the defaults.
    """
    flags = []
    held = {} if given is None else given.changes()
    changes = {key: find_option(key).default for key in held} | options.changes()
    for key, value in changes.items():
        if key in held and held[key] == value:
            continue
        option = find_option(key)
        text = "default" if value is None and option.absent is None else option.format(value)
        if option.kind in ("file", "path") and value not in (None, *option.choices):
            text = str(Path(text).absolute())
        if option.name not in COMMON:
            flags += ["--set", f"{option.name}={text}"]
        elif option.kind == "bool":
            flags.append(f"--{option.name}" if value else f"--no-{option.name}")
        else:
            flags += [f"--{option.name}", text]
    return flags


def _add_flag(group: argparse._ArgumentGroup, name: str, defaults: dict[str, str]) -> None:
    option = find_option(name)
    shown = defaults.get(option.key, option.format(option.default))
    if name == "book" and shown == DEFAULT_BOOK:
        shown = "your own"
    # The first sentence will do here; argparse wants its percent signs doubled.
    told = option.help.split(". ")[0].rstrip(".").replace("%", "%%")
    told = f"{told[:1].lower()}{told[1:]} (default {shown})"
    settings: dict[str, Any] = {"dest": _destination(name), "help": told, "default": None}
    if option.kind == "bool":
        settings["action"] = argparse.BooleanOptionalAction
    else:
        settings["metavar"] = option.flag
    group.add_argument(f"--{name}", **settings)


def _destination(name: str) -> str:
    """Return where argparse puts a flag; other commands may have attributes of the same name."""
    return f"player_{find_option(name).key}"


class _ListOptions(argparse.Action):
    """Prints every option and ends the program, as ``--help`` does."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:  # noqa: A002
        super().__init__(option_strings, dest=argparse.SUPPRESS, nargs=0, help=help)
        del dest

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        sys.stdout.write(describe_options())
        parser.exit()


def describe_options() -> str:
    """Return every option with its meaning, for a terminal."""
    paragraphs = []
    for section, heading in SECTIONS.items():
        lines = [heading]
        for option in OPTIONS:
            if option.section == section:
                lines.append(f"  {option.name} (default {option.format(option.default)})")
                told = f"{option.help} Say {option.allowed}."
                lines.append(textwrap.indent(textwrap.fill(told, 90), "      "))
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs) + "\n"
