"""How soon a page shows its board, and how much moves before it stands still.

    python benchmarks/speed/first_board.py [--runs 10] [--chromium /usr/bin/chromium]

A fresh browser opens a game: the time from asking for the page to the first frame with the board,
and the cumulative layout shift (0 is best, below 0.1 is good by the web's own measure) within two
seconds after it, on a laptop and on a phone, in English and in a language with a catalogue of its
own. Needs the built page (``make frontend``), Chromium, and ``pip install '.[dev]'``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request

from playwright.sync_api import Browser, sync_playwright
from websockets.sync.client import connect
from websockets.typing import Origin

SCREENS = {"laptop": (1366, 768), "phone": (390, 844)}
LANGUAGES = ("en-US", "fr-FR")
SETTLED = 2000
"""Milliseconds after the board in which things may still move."""

WATCH = """
window.shift = 0;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({type: "layout-shift", buffered: true});
const look = () => {
    if (document.querySelector(".shudan-goban, .board svg")) window.board = performance.now();
    else requestAnimationFrame(look);
};
look();
"""


def measure(browser: Browser, address: str, screen: tuple[int, int], locale: str) -> list[float]:
    """Return milliseconds to the first board, and the layout shift."""
    width, height = screen
    context = browser.new_context(viewport={"width": width, "height": height}, locale=locale)
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_function("() => window.board !== undefined")  # Its policy allows no text.
    page.wait_for_timeout(SETTLED)
    found = page.evaluate("[window.board, window.shift]")
    context.close()
    return [float(number) for number in found]


def begin_game(port: int) -> str:
    """Begin a game of two people on 19x19 and return its id."""
    here = f"127.0.0.1:{port}"
    with connect(f"ws://{here}/ws", origin=Origin(f"http://{here}"), max_size=None) as socket:
        socket.send(json.dumps({"type": "new_game", "size": 19, "white": "human"}))
        while True:
            reply = json.loads(socket.recv(timeout=60))
            if reply["type"] == "game":
                return str(reply["id"])


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "montego", "play", "--no-browser", "--port", "0"],
            env=os.environ | {"MONTEGO_DATA_DIR": folder},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            line = server.stdout.readline() if server.stdout else ""
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found is None:
                raise SystemExit(f"The server did not say where it is: {line!r}")
            port = int(found[1])
            address = f"http://127.0.0.1:{port}/#/game/{begin_game(port)}"
            urllib.request.urlopen(f"http://127.0.0.1:{port}/").close()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=arguments.chromium, args=["--no-sandbox"]
                )
                print(f"{'':16}{'median ms':>10}{'worst ms':>10}{'worst shift':>13}")
                for name, screen in SCREENS.items():
                    for locale in LANGUAGES:
                        runs = [
                            measure(browser, address, screen, locale) for _ in range(arguments.runs)
                        ]
                        times, shifts = zip(*runs, strict=True)
                        print(
                            f"{name + ' ' + locale:16}{statistics.median(times):10.0f}"
                            f"{max(times):10.0f}{max(shifts):13.4f}"
                        )
                browser.close()
        finally:
            server.terminate()
            server.wait(timeout=60)


if __name__ == "__main__":
    main()
