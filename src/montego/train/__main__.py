"""``python -m montego.train``: ``montego train`` with plain lines, where little is installed."""

from __future__ import annotations

import argparse
import signal
import sys
import threading

from montego.jit.interrupt import stopped_by_ctrl_c
from montego.mcts.errors import MctsError
from montego.train.flags import PURPOSE, add_flags
from montego.train.report import line_of
from montego.train.session import train


def main() -> int:
    """Train; return 0, or 1 after an error that was explained on standard error."""
    parser = argparse.ArgumentParser(prog="python -m montego.train", description=PURPOSE)
    add_flags(parser)
    arguments = parser.parse_args()
    asked = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: asked.set())

    def tell(text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    try:
        with stopped_by_ctrl_c(asked.set):
            outcome = train(arguments, lambda row: tell(line_of(row)), asked.is_set, tell)
    except (MctsError, OSError) as error:
        tell(f"montego: {error}")
        return 1
    tell(f"written: {', '.join(map(str, outcome.networks))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
