"""``montego doctor``: what is installed, what is missing, and how fast this machine is."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from montego import __version__

if TYPE_CHECKING:
    import argparse

LIBRARIES = ("numba", "numpy", "sgfmill", "platformdirs", "rich")
PROGRAMS = {"gnugo": "an opponent for matches, and a second opinion in tests"}
SPEED_SECONDS = 1.0


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``doctor`` to the command line."""
    parser = commands.add_parser("doctor", help="check the installation", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry out ``montego doctor``. The status is 1 if a library is missing."""
    from montego.jit import cache_folder  # noqa: PLC0415  # Only this command asks.

    libraries = {name: _version(name) for name in LIBRARIES}
    programs = {name: shutil.which(name, path=_search_path()) for name in PROGRAMS}
    report: dict[str, object] = {
        "montego": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "libraries": libraries,
        "programs": programs,
        "cache": str(cache_folder()),
    }
    complete = all(libraries.values())
    if complete:
        report["uniform_playouts_per_second"] = _speeds()
    if options.json:
        sys.stdout.write(json.dumps(report) + "\n")
        return 0 if complete else 1
    for key, value in report.items():
        if isinstance(value, dict):
            sys.stdout.write(f"{key.replace('_', ' ')}\n")
            for name, found in value.items():
                shown = f"{found:,}" if isinstance(found, int) else found or "missing"
                use = f" ({PROGRAMS[name]})" if name in PROGRAMS and not found else ""
                sys.stdout.write(f"  {name:<14}{shown}{use}\n")
        else:
            sys.stdout.write(f"{key:<16}{value}\n")
    return 0 if complete else 1


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _search_path() -> str:
    """Return the search path with Debian's folder for games, which not every user has in it."""
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])


def _speeds() -> dict[str, int]:
    from montego.go.layout import empty_state  # noqa: PLC0415  # Loads NumPy.
    from montego.go.playout.run import sample_playouts  # noqa: PLC0415

    return {
        f"{size}x{size}": round(
            sample_playouts(empty_state(size), "uniform", seconds=SPEED_SECONDS).summary(7.5)[
                "playouts_per_second"
            ]
        )
        for size in (9, 13, 19)
    }
