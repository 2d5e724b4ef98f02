"""What the package says of itself on PyPI: links that lead somewhere, addresses, versions."""

from __future__ import annotations

import re
import sys
import tarfile
from typing import TYPE_CHECKING, Any

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from places import ROOT

sys.path.insert(0, str(ROOT))

import hatch_build

if TYPE_CHECKING:
    from pathlib import Path

ADDRESS = "https://example.org/go/montego"


def metadata() -> ProjectMetadata[Any]:
    return ProjectMetadata(str(ROOT), PluginManager())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](docs/a.md)", f"[a]({ADDRESS}/blob/main/docs/a.md)"),
        ("[a](docs/a.md#part)", f"[a]({ADDRESS}/blob/main/docs/a.md#part)"),
        ("![a](docs/a.png)", f"![a]({ADDRESS}/raw/main/docs/a.png)"),
        ("[a](https://numba.pydata.org)", "[a](https://numba.pydata.org)"),
        ("[a](#part)", "[a](#part)"),
        ("`legal_moves()[:4]` (text)", "`legal_moves()[:4]` (text)"),
    ],
)
def test_relative_links_lead_into_the_repository(text: str, expected: str) -> None:
    assert hatch_build.absolute_links(text, ADDRESS) == expected


def test_a_release_has_absolute_links_and_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(hatch_build.REPOSITORY, f"{ADDRESS}/")
    core = metadata().core

    targets = re.findall(r"\]\(([^)\s]+)\)", core.readme)
    assert len(targets) > 20
    assert all(target.startswith(("https://", "#")) for target in targets)
    assert core.readme_content_type == "text/markdown"
    assert core.urls["Repository"] == ADDRESS
    assert set(core.urls) == {"Repository", "Documentation", "Changelog", "Issues"}


def test_without_an_address_nothing_is_invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(hatch_build.REPOSITORY, raising=False)
    core = metadata().core

    assert core.readme == (ROOT / "README.md").read_text(encoding="utf-8")
    assert core.urls == {}


def test_a_source_distribution_remembers_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(hatch_build.REPOSITORY, ADDRESS)
    archive = next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path)))
    with tarfile.open(archive) as packed:
        (info,) = [name for name in packed.getnames() if name.count("/") == 1 and "PKG" in name]
        packed.extract(info, tmp_path, filter="data")
    monkeypatch.delenv(hatch_build.REPOSITORY)

    assert hatch_build.repository((tmp_path / info).parent) == ADDRESS


def test_the_versions_of_python_are_named() -> None:
    named = [line for line in metadata().core.classifiers if re.search(r"Python :: 3\.\d+$", line)]

    assert named[0].endswith(metadata().core.requires_python.removeprefix(">="))
    assert len(named) >= 3
