"""The folder of machine code: its name, its place, when it is used again, and when it is not.

The package is copied for these tests, with two small kernels in two files of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import montego
from montego.jit.cache import source_digest

CALLEE = """
from montego.jit import kernel

STEP = 1

@kernel
def step(number: int) -> int:
    return number + STEP
"""

CALLER = """
from montego.callee import step
from montego.jit import kernel

@kernel
def two_steps(number: int) -> int:
    return step(step(number))
"""

RUN = """
from montego.caller import two_steps
from montego.jit import cache_folder
result = two_steps(40)
stats = two_steps.dispatcher.stats
print(result, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), cache_folder())
"""

REMOVE = """
from montego.jit import cache_folder, remove_stale_caches
cache_folder()
print(remove_stale_caches())
"""

DIGEST = "from montego.jit.cache import source_digest; print(source_digest())"


class Copy:
    """A copy of the package in a folder of its own, and the cache it uses."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "lib" / "montego"
        self.cache = folder / "cache"
        source = Path(montego.__file__).parent
        shutil.copytree(source / "jit", self.package / "jit")
        for name in ("__init__.py", "lazy.py", "version.py"):
            shutil.copy(source / name, self.package)
        (self.package / "callee.py").write_text(CALLEE)
        (self.package / "caller.py").write_text(CALLER)

    def run(self, code: str, **environment: str) -> list[str]:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("NUMBA_", "MONTEGO_"))
        }
        settings = {
            "PYTHONPATH": str(self.package.parent),
            "PYTHONDONTWRITEBYTECODE": "1",
            "MONTEGO_CACHE_DIR": str(self.cache),
            "HOME": str(self.package.parent),
            "XDG_CACHE_HOME": str(self.package.parent / "user"),
        }
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env=inherited | settings | environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_a_second_process_loads_what_the_first_compiled(copy: Copy) -> None:
    first, second = copy.run(RUN), copy.run(RUN)

    assert first[:3] == ["42", "0", "1"]
    assert second[:3] == ["42", "1", "0"]
    assert second[3] == first[3]
    assert Path(first[3]).parent == copy.cache


def test_an_edited_callee_in_another_file_is_not_served_stale(copy: Copy) -> None:
    first = copy.run(RUN)
    (copy.package / "callee.py").write_text(CALLEE.replace("STEP = 1", "STEP = 2"))
    second = copy.run(RUN)

    assert first[0] == "42"
    assert second[:3] == ["44", "0", "1"]
    assert second[3] != first[3]


def test_the_digest_tells_every_byte_every_name_and_every_flag(copy: Copy) -> None:
    digests = [copy.run(DIGEST)[0]]
    assert copy.run(DIGEST) == digests

    callee = copy.package / "callee.py"
    callee.write_text(CALLEE + " ")
    digests += copy.run(DIGEST)
    callee.rename(callee.with_name("renamed.py"))
    digests += copy.run(DIGEST)
    digests += copy.run(DIGEST, NUMBA_BOUNDSCHECK="1")
    digests += copy.run(DIGEST, NUMBA_OPT="1")
    digests += copy.run(DIGEST, NUMBA_CPU_NAME="generic")
    digests += copy.run(DIGEST, NUMBA_CPU_FEATURES="")  # The default: no new digest.

    assert len(set(digests)) == 6
    assert digests[-1] == digests[2]
    assert all(len(digest) == 16 for digest in digests)


def test_the_digest_of_the_package_itself_is_steady() -> None:
    assert source_digest() == source_digest()


FOLDER = "from montego.jit import cache_folder; print(cache_folder())"


def test_where_the_folder_is(copy: Copy, tmp_path: Path) -> None:
    chosen, numba, user = (tmp_path / name for name in ("chosen", "numba", "user"))
    settings = {
        "MONTEGO_CACHE_DIR": str(chosen),
        "NUMBA_CACHE_DIR": str(numba),
        "XDG_CACHE_HOME": str(user),
    }
    assert Path(copy.run(FOLDER, **settings)[0]).parent == chosen
    settings["MONTEGO_CACHE_DIR"] = ""
    assert Path(copy.run(FOLDER, **settings)[0]).parent == numba
    if sys.platform == "linux":
        settings["NUMBA_CACHE_DIR"] = ""
        assert Path(copy.run(FOLDER, **settings)[0]).parent == user / "montego"


def test_a_parent_that_cannot_be_written_is_passed_over(copy: Copy, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")  # A file where a folder should be stops even the superuser.
    other = tmp_path / "other"
    settings = {"MONTEGO_CACHE_DIR": str(blocked), "NUMBA_CACHE_DIR": str(other)}

    first = copy.run(RUN, **settings)
    second = copy.run(RUN, **settings)

    assert Path(first[3]).parent == other
    assert second[:3] == ["42", "1", "0"]


def test_with_nowhere_to_write_a_temporary_folder_serves(copy: Copy, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    places = ("MONTEGO_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME")
    settings = dict.fromkeys(places, str(blocked)) | {"TMPDIR": str(temporary)}

    result = copy.run(RUN, **settings)

    assert result[:3] == ["42", "0", "1"]
    assert Path(result[3]).parent == temporary


def test_stale_folders_go_and_nothing_else_does(copy: Copy) -> None:
    copy.cache.mkdir()
    for age in range(5):
        folder = copy.cache / f"{age:016x}"
        folder.mkdir()
        (folder / "code").write_text("")
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    foreign = ["notes", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdefg"]
    for name in foreign:
        (copy.cache / name).mkdir()
    (copy.cache / "fedcba9876543210").write_text("a file")
    current = Path(copy.run(FOLDER)[0]).name

    assert copy.run(REMOVE) == ["3"]
    left = {path.name for path in copy.cache.iterdir()}
    assert left == {current, *foreign, "fedcba9876543210", f"{0:016x}", f"{1:016x}"}
    assert copy.run(REMOVE) == ["0"]


def test_the_current_folder_stays_even_if_it_is_the_oldest(copy: Copy) -> None:
    current = Path(copy.run(FOLDER)[0])
    os.utime(current, (1, 1))
    for number in range(4):
        (copy.cache / f"{number:016x}").mkdir()

    assert copy.run(REMOVE) == ["2"]
    assert current.is_dir()


def test_the_compiler_setting_of_others_is_left_alone(copy: Copy, tmp_path: Path) -> None:
    theirs = str(tmp_path / "theirs")
    show = "import numba\nprint(numba.config.CACHE_DIR)"

    assert copy.run(f"{RUN}\n{show}", NUMBA_CACHE_DIR=theirs)[4:] == [theirs]
    assert copy.run(f"{show}\n{RUN}\n{show}", NUMBA_CACHE_DIR=theirs)[::5] == [theirs, theirs]
