"""A digest of the sources that Montego plays by, so that games of two versions are not mixed."""

from __future__ import annotations

import hashlib
from pathlib import Path

ROOMS = ("book", "engine", "go", "gtp", "jit", "mcts", "network", "solve")
"""Where they are. What only shows or measures games does not count."""


def sources_digest() -> str:
    """Return 16 hexadecimal digits that change with any of these files, data included."""
    package = Path(__file__).parent
    files = list(package.glob("*.py"))
    for room in ROOMS:
        files += [file for file in (package / room).rglob("*") if file.is_file()]
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(files):
        if file.suffix not in (".pyc", ".pyo"):
            data = file.read_bytes()
            digest.update(f"{file.relative_to(package).as_posix()} {len(data)}\n".encode())
            digest.update(data)
    return digest.hexdigest()
