"""Who may talk to the server: checks before anything else happens, and headers on every reply.

A page of another site may make a browser send requests to this machine, or point its own name at
it. Hence a request must name this server as its ``Host``, and whatever can change something must
come from a page of this server. When the server is open to the network, everybody needs the token
that was printed when it started; it travels in the address once, then in a cookie, and the browser
is sent on to the address without it, so that no history, bookmark or picture of the screen has it.
"""

from __future__ import annotations

import contextlib
import html
import ipaddress
import re
import secrets
import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
TOKEN_PARAMETER = "token"  # noqa: S105  # The name of it.
COOKIE_SECONDS = 30 * 24 * 3600

# Scripts and styles are files of ours only: what the page sets through the object model, to place
# stones and axes, needs no exception.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; font-src 'self'; media-src 'self'; manifest-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)

_HOST = re.compile(
    r"(?:\[(?P<address>[^\]]*)\]|(?P<name>[^:\[\]]*|.*:.*:.*))(?::(?P<port>[0-9]{1,5})?)?"
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@dataclass(frozen=True, kw_only=True)
class Site:
    """Where the server listens, and what it asks of those who come."""

    host: str
    """The address it listens on, without brackets."""
    port: int
    token: str | None = None
    """None on this machine alone: everybody who can reach it may come in."""
    names: frozenset[str] = field(default_factory=frozenset)
    """Further names of this machine."""

    @property
    def address(self) -> str:
        """What to type into a browser on this machine."""
        host = "127.0.0.1" if is_wildcard(self.host) else self.host
        query = f"?{TOKEN_PARAMETER}={self.token}" if self.token else ""
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/{query}"

    @property
    def cookie(self) -> str:
        """The name of the cookie; servers on other ports of this machine have their own."""
        return f"montego_{self.port}"

    def answers_to(self, host: str) -> bool:
        """Say whether a ``Host`` header names this server."""
        name, port = split_host(host)
        if port != self.port and not (port is None and self.port == 80):
            return False
        if name in LOCAL_NAMES or name == self.host.lower() or name in self.names:
            return True
        # A page of another site comes under a name of its own, never under a bare address.
        return is_wildcard(self.host) and _is_address(name)


def open_site(host: str, port: int) -> Site:
    """Return the site of a server at that address; one open to the network gets a new token."""
    if host.lower() in LOCAL_NAMES:
        return Site(host=host, port=port)
    own = socket.gethostname().lower()
    names = frozenset({own, own.partition(".")[0], f"{own.partition('.')[0]}.local"})
    return Site(host=host, port=port, token=secrets.token_urlsafe(18), names=names)


def is_wildcard(host: str) -> bool:
    """Say whether an address to listen on means all addresses of the machine."""
    return _is_address(host) and ipaddress.ip_address(host).is_unspecified


def own_addresses() -> list[str]:
    """Return addresses by which others may reach this machine, as far as they are known."""
    found: set[str] = set()
    with contextlib.suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found.add(str(address[0]))
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # Nothing is sent; it only chooses a way out.
        found.add(str(probe.getsockname()[0]))
    return sorted(address for address in found if not address.startswith("127."))


def shared_addresses(site: Site) -> list[str]:
    """Return what to type into a browser on another machine; nothing if none may come.

    The token is part of it: whoever asks has come with it.
    """
    if site.token is None:
        return []
    if not is_wildcard(site.host):
        return [site.address]
    return [site.address.replace("127.0.0.1", address) for address in own_addresses()]


def split_host(host: str) -> tuple[str, int | None]:
    """Return name and port of a ``Host`` header; the name in lower case, without brackets.

    What is malformed comes back as a name that no server has.
    """
    found = _HOST.fullmatch(host.strip().lower())
    if found is None:
        return "", None
    return found["address"] or found["name"], int(found["port"]) if found["port"] else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """ASGI middleware: refuses strangers, and adds :data:`HEADERS` to every reply."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, then pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                added = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    added.setdefault(name, value)
            await send(message)

        if refusal is None and self._has_token_in_address(scope):
            await self._let_in(scope)(scope, receive, send_with_headers)
        elif refusal is None:
            await self._app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await receive()  # The request to connect.
            await send({"type": "websocket.close", "code": 1008, "reason": refusal[:100]})
        else:
            await _explain(refusal, headers)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> str | None:
        """Say why a request is not for us; None if it is."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._site.answers_to(hosts[0]):
            named = hosts[0][:80] if hosts else "nothing"
            return (
                f"This is the Montego at {self._site.host}, port {self._site.port}, and the "
                f"request was for {named!r}. Open the address that was printed when it started."
            )
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origins = [origin.lower() for origin in headers.getlist("origin")]
        if changes and origins != [f"http://{hosts[0].lower()}"]:
            return "A page of another site cannot use this Montego."
        cookie = cookie_parser("; ".join(headers.getlist("cookie"))).get(self._site.cookie, "")
        if self._site.token and not (self._is_token(cookie) or self._has_token_in_address(scope)):
            return (
                "This Montego is open to the network and asks for the token in its address. Open "
                "the whole address that was printed when it started."
            )
        return None

    def _has_token_in_address(self, scope: Scope) -> bool:
        if not self._site.token or scope["type"] != "http" or scope["path"] != "/":
            return False
        query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20)
        return any(self._is_token(value) for value in query.get(TOKEN_PARAMETER, ()))

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), (self._site.token or "").encode())

    def _let_in(self, scope: Scope) -> Response:
        """Send a browser that has the token in its address on to the same one without it."""
        fields = parse_qsl(scope["query_string"].decode("latin-1"), max_num_fields=20)
        rest = urlencode([field for field in fields if field[0] != TOKEN_PARAMETER])
        reply = RedirectResponse(f"/?{rest}" if rest else "/", status_code=303)
        reply.headers["cache-control"] = "no-store"
        # Not Strict: who follows the printed address from a message in another page would come
        # without the cookie then. What changes anything is asked for its origin in any case.
        reply.set_cookie(
            self._site.cookie,
            self._site.token or "",
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
        )
        return reply


def _explain(refusal: str, headers: Headers) -> Response:
    if "text/html" in headers.get("accept", ""):
        return HTMLResponse(
            "<!doctype html><html lang=en><meta charset=utf-8>"
            "<meta name=viewport content='width=device-width'><title>Montego</title>"
            f"<h1>Montego</h1><p>{html.escape(refusal)}</p>",
            status_code=403,
        )
    return JSONResponse({"error": refusal}, status_code=403)
