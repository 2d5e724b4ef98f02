"""The built page: which files there are, and how browsers should keep them.

The files are listed once, when the server starts, and only what is listed is served: no path that
a browser sends is ever looked up on the disk.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse, Response

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from starlette.requests import Request

FOLDER = Path(__file__).parent.parent / "static"
"""Where the build of ``frontend/`` puts the page."""

PAGE = "index.html"
ASSETS = "assets/"  # Their names have a digest of what is in them.

_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"

# Not Python's mimetypes, which ask the machine and get all kinds of answers.
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".wav": "audio/wav",
    ".mp3": "audio/mpeg",
}


class PageNotBuilt(GoError):  # noqa: N818  # Named for what is the matter.
    """There is no page to serve; the message says how to get one."""


class StaticFiles:
    """The files of the page, in memory: there are few, and they are small."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read the page, from :data:`FOLDER` unless told otherwise.

        Raises:
            PageNotBuilt: If it is not there.
        """
        folder = folder or FOLDER
        if not (folder / PAGE).is_file():
            raise PageNotBuilt(
                "the page is not built yet: run 'make frontend' in the folder of the sources"
            )
        self._files: dict[str, tuple[bytes, str, str]] = {}  # Content, type, how to keep it.
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix in _TYPES:
                path = file.relative_to(folder).as_posix()
                cache = _FOR_GOOD if path.startswith(ASSETS) else _ASK_AGAIN
                self._files[f"/{path}"] = (file.read_bytes(), _TYPES[file.suffix], cache)
        self._files["/"] = self._files[f"/{PAGE}"]

    def reply_to(self, request: Request) -> Response:
        """Answer a request for a file."""
        if request.url.path not in self._files:
            return PlainTextResponse("There is no such page.\n", status_code=404)
        content, media_type, cache = self._files[request.url.path]
        return Response(content, media_type=media_type, headers={"cache-control": cache})
