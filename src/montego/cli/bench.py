"""``montego bench``: how fast this machine plays, and a fixed-seed signature of how it plays."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from montego.cli.progress import progress_bar
from montego.go.playout.policy import POLICIES
from montego.go.rules import parse_komi
from montego.go.vertex import check_size

if TYPE_CHECKING:
    import argparse

SIGNATURE_SIZES = (5, 9, 13, 19)
SIGNATURE_PLAYOUTS = 200

_LABELS = {
    "playouts": ("playouts", ",.0f"),
    "cpu_seconds": ("seconds of processor time", ".2f"),
    "playouts_per_second": ("playouts per second of processor time", ",.0f"),
    "moves_per_playout": ("moves per playout", ".1f"),
    "black_win_rate": ("Black's win rate", ".4f"),
    "mean_score": ("mean score without komi", "+.2f"),
    "score_deviation": ("its standard deviation", ".2f"),
}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``bench`` and its kinds to the command line."""
    parser = commands.add_parser("bench", help="measure speed", description=__doc__)
    kinds = parser.add_subparsers(title="what to measure", metavar="KIND", required=True)

    playouts = kinds.add_parser(
        "playouts",
        help="random games from the empty board",
        description="Play random games from the empty board and report their number per second of "
        "processor time, summed over the threads, and what came out of them.",
        epilog="policies: "
        + "; ".join(f"{name}: {policy.meaning}" for name, policy in POLICIES.items()),
    )
    playouts.add_argument("--size", type=int, default=9, help="lines of the board (default 9)")
    playouts.add_argument(
        "--policy", default="uniform", metavar="NAME", help="how moves are chosen (see below)"
    )
    playouts.add_argument("--threads", type=int, default=1, help="default 1")
    playouts.add_argument("--seconds", type=float, default=5.0, help="how long (default 5)")
    playouts.add_argument("--playouts", type=int, help="how many, instead of --seconds")
    playouts.add_argument("--komi", default="7.5", help="for the win rate (default 7.5)")
    playouts.add_argument("--seed", type=int, default=0, help="of the random numbers (default 0)")
    playouts.add_argument("--json", action="store_true", help="one JSON object, for programs")
    playouts.set_defaults(run=run_playouts)

    signature = kinds.add_parser(
        "signature",
        help="one number that changes when play does",
        description="Play a fixed set of games with fixed seeds and print one number. It is the "
        "same on every machine, and changes only when the way of playing does.",
    )
    signature.set_defaults(run=run_signature)


def run_playouts(options: argparse.Namespace) -> int:
    """Carry out ``montego bench playouts``."""
    size, komi = check_size(options.size), parse_komi(options.komi)
    from montego.go.layout import empty_state  # noqa: PLC0415  # Loads NumPy.
    from montego.go.playout.run import sample_playouts  # noqa: PLC0415

    with progress_bar("playing", enabled=not options.json) as show:
        sample = sample_playouts(
            empty_state(size),
            options.policy,
            count=options.playouts,
            seconds=options.seconds,
            threads=options.threads,
            seed=options.seed,
            progress=lambda part: show(part, ""),
        )
    figures = sample.summary(komi)
    settings = {
        "size": size,
        "policy": options.policy,
        "threads": options.threads,
        "komi": komi,
        "seed": options.seed,
    }
    if options.json:
        sys.stdout.write(json.dumps(settings | figures) + "\n")
        return 0
    sys.stdout.write(
        f"{options.policy} playouts on {size}x{size}, {options.threads} thread(s), komi {komi:g}\n"
    )
    for key, (label, form) in _LABELS.items():
        sys.stdout.write(f"  {label:<40}{figures[key]:>14{form}}\n")
    return 0


def run_signature(options: argparse.Namespace) -> int:  # noqa: ARG001
    """Carry out ``montego bench signature``."""
    sys.stdout.write(f"{signature()}\n")
    return 0


def signature() -> int:
    """Return a number that depends on every score of a fixed set of playouts."""
    import zlib  # noqa: PLC0415  # With the next line: only this command needs them.

    from montego.go.layout import empty_state  # noqa: PLC0415
    from montego.go.playout.run import sample_playouts  # noqa: PLC0415

    checksum = 0
    for policy in POLICIES:
        for size in SIGNATURE_SIZES:
            sample = sample_playouts(empty_state(size), policy, count=SIGNATURE_PLAYOUTS, seed=size)
            text = f"{policy} {size} {sample.moves} {sample.frequency.tolist()}"
            checksum = zlib.crc32(text.encode(), checksum)
    return checksum
