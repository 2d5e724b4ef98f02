"""``montego setup``: compile everything now, so that nothing waits later."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from montego.cli.progress import progress_bar

if TYPE_CHECKING:
    import argparse


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``setup`` to the command line."""
    parser = commands.add_parser(
        "setup",
        help="compile everything now, so that nothing waits later",
        description="Compile all kernels into the cache folder. Not necessary: what a command "
        "needs is compiled when it first runs.",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:  # noqa: ARG001
    """Carry out ``montego setup``."""
    from montego.engine.compilation import compile_kernels  # noqa: PLC0415  # Loads NumPy.
    from montego.jit import cache_folder, remove_stale_caches  # noqa: PLC0415

    with progress_bar("compiling") as show:
        count = compile_kernels(show)
    remove_stale_caches()
    sys.stdout.write(f"{count} groups of kernels are compiled in {cache_folder()}\n")
    return 0
