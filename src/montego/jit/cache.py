"""Where compiled kernels are kept between runs.

Numba's own cache looks only at the file a function stands in: edit a callee elsewhere and
the old machine code comes back in silence. The folder is therefore named after a digest of
every kernel source in the package and of the flags that change the machine code. It lies in
the user's cache directory, so it also works when the package itself is installed read-only.

Every file in it ends with a *seal*, a digest of what comes before: damaged machine code would not
fail, it would crash. What has no seal is thrown away and compiled anew. :mod:`montego.jit.storage`
reads and writes the files.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_FLAGS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
_IMPORT = re.compile(rb"^\s*from\s+(montego[\w.]*)\s+import\s+([\w ,]+|\([^)]*\))", re.MULTILINE)
_NAME = re.compile(r"\w+")
_KERNEL = re.compile(rb"^\s*@kernel\b", re.MULTILINE)
_KEPT = 3  # Digest folders kept: this version's, and a neighbour's or two for switching back.


_SEAL = 16  # Bytes.
_PROBE = bytes(1 << 16)  # What must fit on a disk that is not full.
_ABANDONED = 3600.0  # Seconds after which nobody will finish writing a file.

_told: set[str] = set()


@cache
def cache_folder() -> Path | None:
    """Return the folder for this version's machine code, made if need be.

    ``MONTEGO_CACHE_DIR``, then ``NUMBA_CACHE_DIR``, then the user's cache directory is the
    parent: the first in which something can be written, or is already. None if there is no such
    place: machine code then lives in memory alone, and is compiled anew by every process.
    """
    digest = source_digest()
    for parent in _parents():
        folder = parent / digest
        if write_trouble(folder) is None or _has_files(folder):
            return folder
    return None


def write_trouble(folder: Path) -> str | None:
    """Return why nothing can be kept in a folder, which is made if need be; None if it can."""
    import tempfile  # noqa: PLC0415  # As below: only once a kernel is compiled.

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(_PROBE)
            file.flush()
    except OSError as error:
        return error.strerror or str(error)
    return None


def _has_files(folder: Path) -> bool:
    try:
        return any(folder.rglob("*.nbi"))
    except OSError:
        return False


def tell_once(text: str) -> None:
    """Write a line for people to standard error, unless this process has done so before."""
    if text not in _told:
        _told.add(text)
        with suppress(OSError, ValueError, AttributeError):  # Closed, or none at all.
            sys.stderr.write(f"montego: {text}\n")
            sys.stderr.flush()


def seal(content: bytes) -> bytes:
    """Return what follows *content* in its file."""
    return hashlib.blake2b(content, digest_size=_SEAL).digest()


def is_whole(path: Path) -> bool:
    """Say whether a file ends with the seal of what comes before.

    Raises:
        OSError: If it cannot be read.
    """
    whole = path.read_bytes()
    return seal(whole[:-_SEAL]) == whole[-_SEAL:]


class CacheReport(NamedTuple):
    """What was found in the folder of machine code."""

    files: int
    damaged: int
    """Files that were not whole and are gone now."""
    trouble: str | None
    """Why nothing can be kept there; None if it can."""


def repair_cache(folder: Path) -> CacheReport:
    """Read all files of the folder and delete what is damaged or was never finished.

    The next process that wants it compiles it anew.
    """
    files = damaged = 0
    for path in sorted(folder.rglob("*")):
        with suppress(OSError):  # Others may delete files meanwhile.
            if ".tmp." in path.name:
                if time.time() - path.stat().st_mtime > _ABANDONED:
                    path.unlink()
            elif path.suffix in (".nbi", ".nbc"):
                if _is_readable(path):
                    files += 1
                else:
                    path.unlink()
                    damaged += 1
    return CacheReport(files, damaged, write_trouble(folder))


def _is_readable(path: Path) -> bool:
    try:
        return is_whole(path)
    except FileNotFoundError:
        raise
    except OSError:
        return False


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
    wanted = [name for name, text in texts.items() if _KERNEL.search(text)]
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
    if current is None:
        return 0
    with suppress(OSError):  # A disk that can only be read.
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
