"""Strength over GPU minutes, as the logs of training runs tell it: docs/images/training.svg.

    python benchmarks/learning/training_plot.py training/go-9x9 training/hex-11x11

The rating is the network's own, in matches against its earlier selves on the card; a run begins
with 0, and one whose first matches were never played with 0 at the first it has.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from montego.arena.drawing import Curve, curve_chart

TARGET = Path(__file__).parents[2] / "docs" / "images" / "training.svg"


def main() -> None:
    """Draw the runs in these folders."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folders", nargs="+", type=Path, help="of runs of montego train")
    curves = [_curve(folder) for folder in parser.parse_args().folders]
    TARGET.write_text(curve_chart(curves, "GPU minutes", "rating in Elo"), encoding="utf-8")
    print(TARGET)


def _curve(folder: Path) -> Curve:
    info = json.loads((folder / "run.json").read_text(encoding="utf-8"))["info"]
    points = [
        (row["minutes"], row["measured"]["rating"])
        for row in info["log"]
        if "rating" in row["measured"]
    ]
    # The first match was against what was kept as many minutes before it as lie between matches.
    before = points[0][0] - info["settings"]["rating"] if points else 0.0
    begin = max((row["minutes"] for row in info["log"] if row["minutes"] <= before), default=0.0)
    return Curve.through(folder.name, [(begin, 0.0), *points])


if __name__ == "__main__":
    main()
