"""What one waits for: importing Montego, and the first call of a kernel that is in the cache.

Wall-clock times of fresh processes, the median of several runs, over a Python that does nothing.

    python benchmarks/startup.py --runs 15
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

FIRST_CALL = """
import time
import montego
begin = time.perf_counter()
from montego.go.layout import empty_state
from montego.go.playout.scratch import new_scratch
from montego.go.playout.uniform import uniform
from montego.mcts.scratch import no_knowledge
uniform(empty_state(9), no_knowledge(), new_scratch(9, seed=0))
print(time.perf_counter() - begin)
"""


def time_process(code: str) -> float:
    """Return the seconds that a Python process takes to run *code* and end."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def time_first_call() -> float:
    """Return the seconds from after ``import montego`` to the end of a first playout."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def main() -> None:
    """Measure in turn and print medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    options = parser.parse_args()

    time_first_call()  # Fills the cache if need be.
    bare, imports, calls = [], [], []
    for _ in range(options.runs):
        bare.append(time_process("pass"))
        imports.append(time_process("import montego"))
        calls.append(time_first_call())
    report = {
        "python_seconds": statistics.median(bare),
        "import_seconds": statistics.median(imports) - statistics.median(bare),
        "first_call_seconds": statistics.median(calls),
    }
    if options.json:
        print(json.dumps(report))
        return
    print(f"Python alone           {report['python_seconds']:.3f} s")
    print(f"import montego         {report['import_seconds']:.3f} s more")
    print(f"first kernel, cached   {report['first_call_seconds']:.3f} s after that")


if __name__ == "__main__":
    main()
