"""How the time of a uniform playout grows with the number of points, from 5x5 to 25x25.

Times are processor time, the best of several rounds that go through all sizes in turn, so that a
busy moment of the machine falls on all of them. The exponent is the slope of a straight line
through the logarithms, by least squares; 1 means that time is proportional to points.

    python benchmarks/speed/playout_scaling.py --plot benchmarks/speed/playout_scaling.svg
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from montego.go.kernels.layout import empty_state
from montego.go.playout.policy import POLICIES
from montego.go.sampling.run import sample_playouts

SIZES = range(5, 26)


def time_playouts(policy: str, seconds: float, rounds: int) -> dict[int, float]:
    """Return the microseconds of processor time that a playout takes, by board size."""
    best = dict.fromkeys(SIZES, float("inf"))
    for number in range(rounds):
        for size in SIZES:
            sample = sample_playouts(empty_state(size), policy, seconds=seconds, seed=number)
            playouts = int(sample.frequency.sum())
            best[size] = min(best[size], 1e6 * sample.cpu_seconds / playouts)
    return best


def fit(times: dict[int, float]) -> tuple[float, float]:
    """Return the exponent, and the factor: the microseconds of a board of one point."""
    points = np.log([size * size for size in times])
    slope, intercept = np.polyfit(points, np.log(list(times.values())), 1)
    return float(slope), float(np.exp(intercept))


def plot(times: dict[int, float], exponent: float, factor: float, path: Path) -> None:
    """Draw times and line with logarithmic axes. Needs matplotlib."""
    import matplotlib as mpl  # noqa: PLC0415  # An optional library, slow to load.

    mpl.use("agg")
    mpl.rcParams["svg.hashsalt"] = "montego"  # The same picture for the same figures.
    from matplotlib import pyplot as plt  # noqa: PLC0415

    points = [size * size for size in times]
    figure, axes = plt.subplots(figsize=(5, 3.5))
    axes.loglog(points, list(times.values()), "o", color="black", markersize=4)
    line = [factor * count**exponent for count in points]
    axes.loglog(points, line, color="tab:blue", label=f"points$^{{{exponent:.3f}}}$")
    axes.set_xlabel("points on the board")
    axes.set_ylabel("µs of processor time per playout")
    shown = [5, 7, 9, 13, 19, 25]
    axes.set_xticks([size * size for size in shown], [f"{size}x{size}" for size in shown])
    axes.minorticks_off()
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Measure, print, and draw if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--policy", choices=POLICIES, default="uniform")
    parser.add_argument("--seconds", type=float, default=0.3, help="per size and round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw to FILE.svg or FILE.png")
    options = parser.parse_args()

    times = time_playouts(options.policy, options.seconds, options.rounds)
    exponent, factor = fit(times)
    if options.json:
        report = {"policy": options.policy, "exponent": exponent, "microseconds": times}
        print(json.dumps(report))
    else:
        print("size  points   µs/playout   ns/point   off the line")
        for size, time in times.items():
            count = size * size
            off = time / (factor * count**exponent) - 1
            print(f"{size:4}{count:8}{time:13.2f}{1000 * time / count:11.1f}{off:+14.1%}")
        print(f"time of {options.policy} playouts ~ points ^ {exponent:.3f}")
    if options.plot:
        plot(times, exponent, factor, options.plot)


if __name__ == "__main__":
    main()
