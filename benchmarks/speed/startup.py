"""What one waits for: importing Montego, a first compiled call, a GTP engine's first answers.

Wall-clock times of fresh processes, the median of several runs, over a Python that does nothing.

    python benchmarks/speed/startup.py --runs 15
    python benchmarks/speed/startup.py --runs 15 --network default --simulations 100
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
from montego.go.kernels.layout import empty_state
from montego.go.playout.knowledge import new_scratch
from montego.go.playout.uniform import uniform
from montego.jit.state import no_knowledge
uniform(empty_state(9), no_knowledge(), new_scratch(9, seed=0))
print(time.perf_counter() - begin)
"""

GENMOVE = "boardsize 9\nclear_board\ngenmove b\n"


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


def time_gtp(commands: str, flags: list[str]) -> float:
    """Return the seconds from the start of ``montego gtp`` to the last reply to *commands*."""
    begin = time.perf_counter()
    engine = subprocess.Popen(
        [sys.executable, "-m", "montego", "gtp", "--threads", "1", *flags],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    if engine.stdin is None or engine.stdout is None:
        raise RuntimeError("the engine has no pipes")
    engine.stdin.write(commands)
    engine.stdin.flush()
    for _ in commands.splitlines():
        while engine.stdout.readline().strip():
            pass
    seconds = time.perf_counter() - begin
    engine.kill()
    engine.communicate()
    return seconds


def main() -> None:
    """Measure in turn and print medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--network", default="none", help="none, default, or an ONNX file")
    parser.add_argument("--simulations", type=int, default=1000, help="of the genmove")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    options = parser.parse_args()

    # Fill the cache if need be.
    time_first_call()
    flags = ["--network", options.network, "--simulations", str(options.simulations)]
    time_gtp(GENMOVE, flags)
    bare, imports, calls, replies, moves = [], [], [], [], []
    for _ in range(options.runs):
        bare.append(time_process("pass"))
        imports.append(time_process("import montego"))
        calls.append(time_first_call())
        replies.append(time_gtp("name\n", flags))
        moves.append(time_gtp(GENMOVE, flags))
    report = {
        "python_seconds": statistics.median(bare),
        "import_seconds": statistics.median(imports) - statistics.median(bare),
        "first_call_seconds": statistics.median(calls),
        "first_reply_seconds": statistics.median(replies),
        "first_move_seconds": statistics.median(moves),
    }
    if options.json:
        print(json.dumps(report))
        return
    print(f"Python alone           {report['python_seconds']:.3f} s")
    print(f"import montego         {report['import_seconds']:.3f} s more")
    print(f"first kernel, cached   {report['first_call_seconds']:.3f} s after that")
    print(f"first GTP reply        {report['first_reply_seconds']:.3f} s after the start")
    label = f"genmove, {options.simulations:,} sims"
    print(f"{label:<23}{report['first_move_seconds']:.3f} s after the start")


if __name__ == "__main__":
    main()
