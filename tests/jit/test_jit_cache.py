"""The folder of machine code: its name, its place, when it is used again, and when it is not.

The package is copied for these tests, with two small kernels in two files of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import montego
from montego.jit.cache import source_digest

if TYPE_CHECKING:
    from collections.abc import Callable

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
        """Run code that has nothing to say on standard error, and return the words it prints."""
        words, complaints = self.run_with_complaints(code, **environment)
        assert complaints == []
        return words

    def run_with_complaints(self, code: str, **environment: str) -> tuple[list[str], list[str]]:
        """Run code and return the words it prints, and the lines on standard error."""
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
        assert done.returncode == 0, done.stderr
        return done.stdout.split(), done.stderr.splitlines()

    def files(self) -> list[Path]:
        return sorted(path for path in self.cache.rglob("*") if path.is_file())


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


def test_with_nowhere_to_write_a_line_says_so_and_nothing_is_left_behind(
    copy: Copy, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    places = ("MONTEGO_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME")
    settings = dict.fromkeys(places, str(blocked)) | {"TMPDIR": str(temporary)}

    result, complaints = copy.run_with_complaints(RUN, **settings)

    assert result == ["42", "0", "1", "None"]
    (line,) = complaints  # Of two kernels.
    assert line.startswith("montego: no folder for compiled code can be written")
    assert list(temporary.iterdir()) == []
    assert copy.run(REMOVE, **settings) == ["0"]


def bite(content: bytes) -> bytes:
    """A bit of the machine code, or whatever is in the middle, is wrong."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _content: b"",
    "the first half": lambda content: content[: len(content) // 2],
    "one bit off": bite,
    "something else": lambda _content: b"not a pickle\n",
}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_thrown_away_and_compiled_anew(
    copy: Copy, damage: str, suffix: str
) -> None:
    copy.run(RUN)
    damaged = [path for path in copy.files() if path.suffix == suffix]
    assert damaged
    for path in damaged:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))

    assert copy.run(RUN)[:3] == ["42", "0", "1"]
    assert copy.run(RUN)[:3] == ["42", "1", "0"]


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
"""
"""Makes every longer file fail as on a disk without room."""

READ_ONLY = """
import errno, os, sys

def refuse(event, arguments):
    if event == "os.mkdir" or (event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        if str(arguments[0]).startswith(os.environ["MONTEGO_CACHE_DIR"]):
            raise OSError(errno.EROFS, "Read-only file system")

sys.addaudithook(refuse)
"""
"""Makes the cache a disk that can only be read, for the superuser as well."""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_with_no_room_machine_code_lives_in_memory_and_a_line_says_so(copy: Copy) -> None:
    copy.cache.mkdir()
    settings = {"XDG_CACHE_HOME": str(copy.cache), "HOME": str(copy.cache)}

    result, complaints = copy.run_with_complaints(FULL + RUN, **settings)

    assert result[:3] == ["42", "0", "1"]
    assert len(complaints) == 1
    assert "every start compiles it anew" in complaints[0]
    assert copy.files() == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_disk_that_is_full_now_does_not_keep_what_it_has_from_being_used(copy: Copy) -> None:
    copy.run(RUN)

    assert copy.run(FULL + RUN)[:3] == ["42", "1", "0"]


def test_a_warm_cache_on_a_disk_that_can_only_be_read_is_used(copy: Copy) -> None:
    warm = copy.run(RUN)[3]

    assert copy.run(READ_ONLY + RUN) == ["42", "1", "0", warm]
    assert copy.run(READ_ONLY + REMOVE) == ["0"]


def test_what_a_cache_that_can_only_be_read_lacks_lives_in_memory(copy: Copy) -> None:
    copy.run("from montego.callee import step\nstep(1)")
    compiled = copy.files()

    result, complaints = copy.run_with_complaints(READ_ONLY + RUN)

    assert result[:3] == ["42", "0", "1"]
    assert ["(Read-only file system)" in line for line in complaints] == [True]
    assert copy.files() == compiled


def test_a_cold_cache_that_can_only_be_read_is_passed_over(copy: Copy, tmp_path: Path) -> None:
    other = tmp_path / "other"

    assert Path(copy.run(READ_ONLY + RUN, NUMBA_CACHE_DIR=str(other))[3]).parent == other


def test_the_place_of_an_installation_makes_no_difference(copy: Copy) -> None:
    copy.run(RUN)
    copy.package.parent.rename(copy.package.parent.with_name("elsewhere"))
    copy.package = copy.package.parent.with_name("elsewhere") / "montego"

    assert copy.run(RUN)[:3] == ["42", "1", "0"]


REPAIR = """
from montego.jit import cache_folder, repair_cache
print(*repair_cache(cache_folder()))
"""


def test_a_repair_finds_what_is_damaged_and_what_was_never_finished(copy: Copy) -> None:
    copy.run(RUN)
    whole = copy.files()
    (broken,) = (path for path in whole if "two_steps" in path.name and path.suffix == ".nbc")
    others = [path for path in whole if path != broken]
    broken.write_bytes(bite(broken.read_bytes()))
    left, recent = (broken.with_name(f"{name}.nbc.tmp.1") for name in ("left", "recent"))
    foreign = broken.with_name("notes.txt")
    for path in (left, recent, foreign):
        path.write_text("half")
    os.utime(left, (1, 1))

    assert copy.run(REPAIR) == [str(len(others)), "1", "None"]
    assert copy.files() == sorted([*others, recent, foreign])
    assert copy.run(REPAIR)[1] == "0"
    copy.run(RUN)
    assert set(copy.files()) == {*whole, recent, foreign}


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
