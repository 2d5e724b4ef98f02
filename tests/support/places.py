"""Where the repository and its parts are, for tests that read or run them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
ENGINES = Path(__file__).resolve().parent / "fake_engines"
ADVISER = ENGINES / "adviser.py"
TINY = ENGINES / "tiny.py"
