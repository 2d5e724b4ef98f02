"""The command ``montego``: finds the subcommand, runs it, and turns errors into one line.

Subcommands are loaded when they run, so that ``--help`` waits for neither NumPy nor Numba.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from montego import __version__
from montego.cli import bench, console, doctor, setup
from montego.go.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (console, bench, setup, doctor)

INTERRUPTED = 130  # What shells report for a program ended by Ctrl-C.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``montego`` with *arguments*, or the command line's; return the exit status.

    0 is success, 1 an error that was explained on standard error, 2 a wrong command line.
    """
    parser = build_parser()
    options = parser.parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except GoError as error:
        sys.stderr.write(f"montego: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nmontego: stopped\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line. Every subcommand adds its own part."""
    parser = argparse.ArgumentParser(
        prog="montego",
        description="Monte-Carlo Go: play it, measure it, build on it.",
        epilog="'montego COMMAND --help' says more about each.",
    )
    parser.add_argument("--version", action="version", version=f"montego {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    return parser
