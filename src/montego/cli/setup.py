"""``montego setup``: compile everything now, so that nothing waits later.

With the name of another program it compiles what a game needs and says what to paste there.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from montego.cli.gtp import PRESETS
from montego.cli.gui_setup import CLIENTS, launch
from montego.cli.player_options import add_player_options, flags_of, options_from
from montego.cli.progress import progress_bar
from montego.engine.options.options import Options

if TYPE_CHECKING:
    import argparse


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``setup`` to the command line."""
    parser = commands.add_parser(
        "setup",
        help="compile everything now; print settings for other Go programs",
        description="Compile all kernels into the cache folder. Not necessary: what a command "
        "needs is compiled when it first runs. With the name of a program, compile what a game "
        "needs and print what to paste there; options of the player become part of it.",
        epilog="programs: "
        + "; ".join(f"{name}: {client.title}" for name, client in CLIENTS.items()),
    )
    parser.add_argument(
        "program", nargs="?", choices=tuple(CLIENTS), metavar="PROGRAM", help="see below"
    )
    add_player_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out ``montego setup``."""
    return compile_all() if options.program is None else introduce(options)


def compile_all() -> int:
    """Compile every kernel and say where they are."""
    from montego.engine.compilation import compile_kernels  # noqa: PLC0415  # Loads NumPy.
    from montego.jit import cache_folder, remove_stale_caches  # noqa: PLC0415

    with progress_bar("compiling") as show:
        count = compile_kernels(show)
    remove_stale_caches()
    sys.stdout.write(f"{count} groups of kernels are compiled in {cache_folder()}\n")
    return 0


def introduce(options: argparse.Namespace) -> int:
    """Say what to paste into another program, after everything for its first game is compiled."""
    from montego.engine.compilation import compile_player  # noqa: PLC0415  # Loads NumPy.

    client = CLIENTS[options.program]
    preset = PRESETS.get(options.program, {})
    given = Options()
    for name, text in preset.items():
        given = given.set(name, text)
    options.player_defaults = preset | dict(client.options)
    wanted = options_from(options)
    with progress_bar("compiling") as show:
        show(0.0, "the player")
        compile_player(wanted)
    flags = [f"--{options.program}"] if preset else []
    sys.stdout.write(client.describe(launch(client.command, flags + flags_of(wanted, given))))
    return 0
