"""Builds the page of the board into wheels; an editable install is left to the Makefile."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

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
