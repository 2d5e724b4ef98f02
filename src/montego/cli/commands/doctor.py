"""``montego doctor``: what is installed, what is missing, and how fast this machine is."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import time
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from montego.cli.command import Namespace, argument, command
from montego.cli.commands.setup import montego_words
from montego.cli.output import print_result, progress_bar
from montego.cli.termination import leave_if_interrupted
from montego.engine.options.options import DEFAULT_NETWORK, Options, usable_cores
from montego.jit import cache_folder, repair_cache
from montego.jit.errors import DeviceError
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

LIBRARIES = {
    "msgspec": "0.19",
    "numba": "0.61",
    "numpy": "2.0",
    "onnxruntime": "1.19",
    "platformdirs": "4.2",
    "rich": "13.7",
    "segno": "1.6",
    "sgfmill": "1.1.1",
    "starlette": "0.41",
    "uvicorn": "0.35",
    "websockets": "14.0",
}
"""What Montego cannot do without, with the least version."""
EXTRAS = {
    "matplotlib": "bench",
    "pillow": "bench",
    "ray": "cluster",
    "numba-cuda": "gpu",
    "open_spiel": "openspiel",
    "onnx": "train",
    "torch": "train",
}
"""What only some commands need, and the extra that brings it along."""
PROGRAMS = {
    "gnugo": (("gnugo",), "an opponent for matches, and a second opinion in tests"),
    "chromium": (
        ("chromium", "chromium-browser", "google-chrome"),
        "a browser that tests can drive",
    ),
}
"""Programs that are good to have: the names they go by, and what for."""

SIZES = (9, 13, 19)
SPEED_SECONDS = 0.5
NO_GPU = "none: "  # What a line about a GPU begins with where there is none.


@command(__doc__, argument("--json", "one JSON object, for programs"))
def doctor(options: Namespace) -> int:
    """Carry out ``montego doctor``. The status is 1 if a library is missing or too old."""
    libraries = {name: _version(name) for name in LIBRARIES}
    too_old = [
        f"{name} {found}, and Montego wants {LIBRARIES[name]} or later"
        for name, found in libraries.items()
        if found is not None and _numbers(found) < _numbers(LIBRARIES[name])
    ]
    report: dict[str, object] = {
        "montego": __version__,
        "command": " ".join(montego_words()),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": usable_cores(),
        # What standard output is, and which characters it can show.
        "terminal": f"{'a' if sys.stdout.isatty() else 'no'} terminal, "
        + (sys.stdout.encoding or "unknown encoding").lower(),
        "libraries": libraries,
        **({"too_old": "; ".join(too_old)} if too_old else {}),
        "extras": {name: _version(name) for name in EXTRAS},
        "programs": {name: find_program(names) for name, (names, _use) in PROGRAMS.items()},
        **_cache(),
    }
    complete = all(libraries.values()) and not too_old
    if complete:
        report["gpu"] = _gpu()
        with progress_bar("measuring", enabled=not options.json) as show:
            show(0.0, "playouts")
            report["uniform_playouts_per_second"] = _playout_speeds()
            leave_if_interrupted()
            if not str(report["gpu"]).startswith(NO_GPU):
                show(0.3, "playouts on the GPU; compiles them")
                report["gpu_uniform_playouts_per_second"] = _gpu_speeds()
                leave_if_interrupted()
            show(0.5, "the search; the first time this compiles it")
            report["search_simulations_per_second"] = _search_speeds(None)
            show(0.8, "the search with a network")
            report["network_simulations_per_second"] = _search_speeds(DEFAULT_NETWORK)
    print_result(options, report, _text(report), indent=None)
    return 0 if complete else 1


def _text(report: dict[str, object]) -> str:
    lines = []
    for key, value in report.items():
        if not isinstance(value, dict):
            lines.append(f"{key.replace('_', ' '):<16}{value}\n")
            continue
        lines.append(f"{key.replace('_', ' ')}\n")
        for name, found in value.items():
            shown = f"{found:,}" if isinstance(found, int) else found or "missing"
            use = "" if found else _use(name)
            lines.append(f"  {name:<14}{shown}{use}\n")
    return "".join(lines)


def _use(name: str) -> str:
    """Return what something that is missing would be for, or how to get it."""
    if name in PROGRAMS:
        return f" ({PROGRAMS[name][1]})"
    return f" (pip install 'montego[{EXTRAS[name]}]')" if name in EXTRAS else ""


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers that a version begins with; what comes after them does not matter."""
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def find_program(names: Sequence[str]) -> str | None:
    """Return the path of a program; Debian's folder for games is not in every user's path."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
    return next(filter(None, (shutil.which(name, path=path) for name in names)), None)


def _cache() -> dict[str, object]:
    """Return where compiled code is and how it fares, once what is damaged has been removed."""
    folder = cache_folder()
    if folder is None:
        return {
            "cache": "none: no folder can be written, so every start compiles anew; "
            "MONTEGO_CACHE_DIR may name one"
        }
    files, damaged, trouble = repair_cache(folder)
    state = f"{files} files"
    if damaged:
        state += f"; {damaged} damaged ones removed"
    if trouble:
        state += f"; nothing new can be kept: {trouble}"
    return {"cache": str(folder), "cache_files": state}


def _gpu() -> str:
    """Return which GPU kernels can run on, or why there is none."""
    from montego.jit.gpu import gpu_name  # Loads NumPy and Numba.

    try:
        return gpu_name()
    except DeviceError as error:
        return f"{NO_GPU}{error}"


def _playout_speeds(device: str = "cpu") -> dict[str, int]:
    """Return uniform playouts per second: of processor time on one thread, or of a GPU's clock.

    Raises:
        DeviceError: If the GPU fails.
    """
    from montego.go.kernels.layout import empty_state  # Loads NumPy.
    from montego.go.sampling.run import sample_playouts

    speeds = {}
    for size in SIZES:
        sample = sample_playouts(empty_state(size), "uniform", seconds=SPEED_SECONDS, device=device)
        speeds[f"{size}x{size}"] = round(sample.summary(7.5)["playouts_per_second"])
    return speeds


def _gpu_speeds() -> dict[str, int] | str:
    """Return uniform playouts per second of a GPU's clock, or what went wrong there."""
    try:
        return _playout_speeds("gpu")
    except DeviceError as error:
        return f"{NO_GPU}{error}"


def _search_speeds(network: str | None) -> dict[str, int]:
    """Return simulations per second of processor time with that network, one thread.

    Only on boards that it is for.
    """
    from montego.mcts.search import Search  # Loads NumPy.

    options = Options(threads=1, seed=0, network=network).replace(early_stop=False)
    speeds = {}
    for size in SIZES:
        if network is not None and options.network_path(size) is None:
            continue
        game = options.game_definition(size)
        config = options.search_config(size)
        Search(game, replace(config, simulations=2, seconds=None)).run()  # Compiles, or loads.
        search = Search(game, replace(config, seconds=SPEED_SECONDS))
        begin = time.process_time()
        simulations = search.run().simulations
        leave_if_interrupted()
        speeds[f"{size}x{size}"] = round(simulations / max(time.process_time() - begin, 1e-6))
    return speeds
