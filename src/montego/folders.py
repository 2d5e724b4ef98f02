"""Where Montego keeps what belongs to its user."""

from __future__ import annotations

import os
from pathlib import Path

DATA_DIR_VARIABLE = "MONTEGO_DATA_DIR"


def data_folder() -> Path:
    """Return the user's data folder, which need not exist, unless the environment names another."""
    named = os.environ.get(DATA_DIR_VARIABLE)
    if named:
        return Path(named).expanduser()
    import platformdirs  # noqa: PLC0415  # Needed by nobody who names a folder.

    return platformdirs.user_data_path("montego", appauthor=False)
