"""Our playouts against another program's, in turn, so that the machine is the same for both.

The other program is any command that prints playouts per second of processor time as the last
number of its output. ``{size}`` in the command becomes the size of the board.

    python benchmarks/speed/compare_playouts.py --peer "other-program --board {size}" \
        --size 9 --size 19
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys

NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")


def last_number(output: str) -> float:
    """Return the last number in a text; thousands may be separated by commas."""
    found = NUMBER.findall(output)
    if not found:
        raise SystemExit(f"the other program printed no number:\n{output}")
    return float(found[-1].replace(",", ""))


def run_peer(command: str, size: int) -> float:
    """Return the other program's playouts per second."""
    words = shlex.split(command.replace("{size}", str(size)))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"the other program failed:\n{done.stderr}")
    return last_number(done.stdout)


def run_ours(policy: str, size: int, seconds: float) -> float:
    """Return our playouts per second, from a process of its own as well."""
    command = [sys.executable, "-m", "montego", "bench", "playouts", "--json"]
    settings = ["--size", str(size), "--policy", policy, "--seconds", str(seconds)]
    done = subprocess.run([*command, *settings], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["playouts_per_second"])


def main() -> None:
    """Run both in turn and print the best of each, and the ratio of these."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peer", required=True, metavar="COMMAND", help="the other program")
    parser.add_argument("--size", type=int, action="append", help="may be repeated (default 9)")
    parser.add_argument("--policy", default="uniform")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each of our runs")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--json", action="store_true", help="one JSON object a size, for programs")
    options = parser.parse_args()

    for size in options.size or [9]:
        ours, theirs = [], []
        for _ in range(options.rounds):
            theirs.append(run_peer(options.peer, size))
            ours.append(run_ours(options.policy, size, options.seconds))
        ratio = max(ours) / max(theirs)
        if options.json:
            print(json.dumps({"size": size, "ours": ours, "theirs": theirs, "ratio": ratio}))
        else:
            print(
                f"{size}x{size}: ours {max(ours):,.0f}, theirs {max(theirs):,.0f} playouts per "
                f"second, ratio {ratio:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
