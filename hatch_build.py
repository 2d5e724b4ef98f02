"""Builds the page of the board into wheels, and metadata with addresses for PyPI.

An editable install is left to the Makefile. The sources do not know where they are published: who
releases them says so by ``MONTEGO_REPOSITORY``, an address as GitHub has them. Without it links of
the README stay relative, and there are no addresses.
"""

from __future__ import annotations

import os
import re
import sys
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent / "frontend"))

import build_page  # Found by the line above.


class PageBuildHook(BuildHookInterface[Any]):
    """Asks for Node where the system has none, and builds the page before a wheel is packed."""

    def dependencies(self) -> list[str]:
        """Return what the build needs from PyPI on this machine."""
        return [] if build_page.find_node() else [build_page.NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the page, unless it is up to date or the install is editable."""
        if version == "editable":
            return
        try:
            build_page.build()
        except build_page.BuildError as error:
            sys.exit(f"The page of the board could not be built: {error}.")


REPOSITORY = "MONTEGO_REPOSITORY"
_LINK = re.compile(r"(?P<image>!?)(?P<text>\[[^\]]*\])\((?P<target>(?![a-z]+:|#)[^)\s]+)\)")


class AddressHook(MetadataHookInterface):
    """Gives the package its README, with links that lead somewhere, and its addresses."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add ``readme`` and ``urls``, which ``pyproject.toml`` calls dynamic."""
        folder = Path(self.root)
        address = repository(folder)
        text = (folder / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute_links(text, address) if address else text,
        }
        metadata["urls"] = addresses(address) if address else {}


def repository(folder: Path) -> str:
    """Return where the sources in a folder are published; empty if nobody has said so.

    A source distribution remembers what was said when it was made.
    """
    told = os.environ.get(REPOSITORY, "")
    package_info = folder / "PKG-INFO"
    if not told and package_info.is_file():
        found = HeaderParser().parsestr(package_info.read_text(encoding="utf-8"))
        urls = (line.partition(", ") for line in found.get_all("Project-URL", []))
        told = next((url for label, _, url in urls if label == "Repository"), "")
    return told.rstrip("/")


def addresses(address: str) -> dict[str, str]:
    """Return what PyPI shows beside the description."""
    return {
        "Repository": address,
        "Documentation": f"{address}/blob/main/README.md",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def absolute_links(text: str, address: str) -> str:
    """Return Markdown whose relative links and pictures lead into the repository."""

    def lead(link: re.Match[str]) -> str:
        way = "raw" if link["image"] else "blob"
        return f"{link['image']}{link['text']}({address}/{way}/main/{link['target']})"

    return _LINK.sub(lead, text)
