"""The command ``montego``: finds the subcommand, runs it, and turns errors into one line.

Subcommands are loaded when they run, so that ``--help`` waits for neither NumPy nor Numba.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from montego import __version__
from montego.cli import bench, console, doctor, setup
from montego.go.errors import GoError
from montego.mcts.errors import MctsError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (console, bench, setup, doctor)

INTERRUPTED = 130  # What shells report for a program ended by Ctrl-C.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``montego`` with *arguments*, or the command line's; return the exit status.

    0 is success, 1 an error that was explained on standard error, 2 a wrong command line.
    """
    _prepare_streams()
    parser = build_parser()
    options = parser.parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except (GoError, MctsError) as error:
        sys.stderr.write(f"montego: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nmontego: stopped\n")
        return INTERRUPTED
    except OSError as error:
        # A reader that has gone knows it; a full disk is worth a word. Python would complain again
        # when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            sys.stderr.write(f"montego: {error}\n")
        return 1
    return status


def _prepare_streams() -> None:
    """Let no character that a terminal cannot show, and no stream that is closed, stop us."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            null = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # For good.
            setattr(sys, name, null)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


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
