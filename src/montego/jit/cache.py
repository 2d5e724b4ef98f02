"""Where compiled kernels are kept between runs.

Numba's own cache looks only at the file a function stands in: edit a callee elsewhere and
the old machine code comes back in silence. The folder is therefore named after a digest of
every kernel source in the package and of the flags that change the machine code. It lies in
the user's cache directory, so it also works when the package itself is installed read-only.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FLAGS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
_IMPORT = re.compile(rb"^\s*from\s+(montego[\w.]*)\s+import\s+([\w ,]+|\([^)]*\))", re.MULTILINE)
_NAME = re.compile(r"\w+")
_KEPT = 3  # Digest folders kept: this version's, and a neighbour's or two for switching back.


@cache
def cache_folder() -> Path:
    """Return the folder for this version's machine code, made if need be.

    ``MONTEGO_CACHE_DIR``, then ``NUMBA_CACHE_DIR``, then the user's cache directory is the
    parent. Where none of them can be written, a temporary folder serves this process alone.
    """
    import tempfile  # noqa: PLC0415  # As below: only once a kernel is compiled.

    digest = source_digest()
    for parent in _parents():
        folder = parent / digest
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        return folder
    return Path(tempfile.mkdtemp(prefix="montego-"))


def source_digest() -> str:
    """Return a short digest of what machine code depends on: sources, flags and libraries.

    The sources are those of the modules with kernels and of all that they import: a constant that
    a kernel freezes at compilation may stand in any of these.
    """
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # Takes 35 ms.

    package = Path(__file__).resolve().parent.parent
    digest = hashlib.blake2b(digest_size=8)
    for name, text in sorted(_kernel_sources(package).items()):
        digest.update(name.encode())
        digest.update(text)
    for flag in _FLAGS:
        digest.update(f"{flag}={os.environ.get(flag, '')}".encode())
    for library in ("numba", "numpy"):
        try:
            digest.update(version(library).encode())
        except PackageNotFoundError:
            digest.update(b"?")
    return digest.hexdigest()


def _kernel_sources(package: Path) -> dict[str, bytes]:
    """Return the sources of modules with kernels and of all that they import."""
    texts = {}
    for source in package.rglob("*.py"):
        parts = source.relative_to(package.parent).with_suffix("").parts
        texts[".".join(parts).removesuffix(".__init__")] = source.read_bytes()
    wanted = [name for name, text in texts.items() if b"@kernel" in text]
    reached: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in texts and name not in reached:
            reached.add(name)
            for module, names in _IMPORT.findall(texts[name]):
                wanted.append(module.decode())
                # What is imported from a package may be a module.
                wanted += [f"{module.decode()}.{item}" for item in _NAME.findall(names.decode())]
    return {name: texts[name] for name in reached}


def remove_stale_caches() -> int:
    """Delete the machine code of versions not used lately and return how many were deleted.

    The current folder always stays. Only folders that look like ours are touched.
    """
    import shutil  # noqa: PLC0415  # Rarely needed.

    current = cache_folder()
    os.utime(current)
    others = [
        folder
        for folder in current.parent.iterdir()
        if folder != current and folder.is_dir() and _is_digest(folder.name)
    ]
    others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    stale = others[_KEPT - 1 :]
    for folder in stale:
        shutil.rmtree(folder, ignore_errors=True)
    return len(stale)


def _parents() -> Iterator[Path]:
    named = [os.environ.get("MONTEGO_CACHE_DIR"), os.environ.get("NUMBA_CACHE_DIR")]
    yield from (Path(name) for name in named if name)
    import platformdirs  # noqa: PLC0415  # Only needed if nobody named a folder.

    yield Path(platformdirs.user_cache_dir("montego", appauthor=False))


def _is_digest(name: str) -> bool:
    return len(name) == 16 and all(letter in "0123456789abcdef" for letter in name)
