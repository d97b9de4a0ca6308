"""A small HTTP server for one page and the few questions it asks, on 127.0.0.1 with a secret in its address.

Other machines cannot reach it, because it listens on the loopback interface only. Other pages in the same browser
cannot use it: they do not know the secret; requests whose Host or Origin is not this server are refused, which also
stops pages that let their name point to 127.0.0.1. There are no files behind it, only the routes below.
"""

from __future__ import annotations

import hmac
import json
import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from qnml.errors import QnmlError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.serving.session import Session

__all__ = ["MOST_BYTES", "PageServer"]

MOST_BYTES = 1 << 20
"""Requests with a longer body are refused."""

# Browsers open connections ahead; an idle one must not hold up the end for long.
_SOCKET_SECONDS = 3.0
_LOCAL = ("127.0.0.1", "localhost")
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class PageServer(ThreadingHTTPServer):
    """Serves the page of a session until it is shut down.

    Parameters
    ----------
    session
        What the page shows and what it can ask.
    port
        The port; 0 takes a free one.
    """

    # The end waits for answers under way: a thread that outlives the interpreter would be cut off in the core.
    daemon_threads = False

    def __init__(self, session: Session, port: int = 0) -> None:
        self.session = session
        self.secret = secrets.token_urlsafe(24)
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def address(self) -> str:
        """The address of the page, with its secret."""
        return f"http://127.0.0.1:{self.server_address[1]}/{self.secret}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing when a browser goes away in the middle of an answer."""


class _RefusedError(Exception):
    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    timeout = _SOCKET_SECONDS
    server_version = "qnml"
    sys_version = ""

    def do_GET(self) -> None:
        self._respond("GET")

    def do_POST(self) -> None:
        self._respond("POST")

    def log_message(self, format: str, *args: object) -> None:
        """Keep the terminal for what matters."""

    def _respond(self, method: str) -> None:
        try:
            route = self._checked_route()
            body = self._body() if method == "POST" else {}
            kind, text = self._answer(method, route, body)
            self._send(HTTPStatus.OK, kind, text)
        except _RefusedError as refused:
            self._send(refused.status, "text/plain", str(refused))
        except QnmlError as error:
            self._send(HTTPStatus.UNPROCESSABLE_ENTITY, "application/json", json.dumps({"error": str(error)}))

    def _checked_route(self) -> str:
        port = self.server.server_address[1]
        if self.headers.get("Host", "") not in {f"{name}:{port}" for name in _LOCAL}:
            raise _RefusedError(HTTPStatus.FORBIDDEN, "This server answers to this machine only.")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{name}:{port}" for name in _LOCAL}:
            raise _RefusedError(HTTPStatus.FORBIDDEN, "This server answers to its own page only.")
        _, _, rest = urlsplit(self.path).path.partition("/")
        secret, _, route = rest.partition("/")
        if not hmac.compare_digest(secret.encode(), self.server.secret.encode()):
            raise _RefusedError(HTTPStatus.NOT_FOUND, "There is no such page. Its address is printed by qnml show.")
        return route

    def _body(self) -> Mapping[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED, "The length of the request is missing.")
        if int(length) > MOST_BYTES:
            raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"Requests have at most {MOST_BYTES} bytes.")
        if self.headers.get_content_type() != "application/json":
            raise _RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Requests are JSON.")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise _RefusedError(HTTPStatus.BAD_REQUEST, "The request is not JSON.") from None
        if not isinstance(body, dict):
            raise _RefusedError(HTTPStatus.BAD_REQUEST, "The request is not a JSON object.")
        return body

    def _answer(self, method: str, route: str, body: Mapping[str, Any]) -> tuple[str, str]:
        session = self.server.session
        if (method, route) == ("GET", ""):
            return "text/html; charset=utf-8", session.html
        if (method, route) == ("GET", "progress"):
            return "application/json", json.dumps(session.progress())
        if (method, route) == ("POST", "answer"):
            return "application/json", json.dumps(session.answer(body))
        if (method, route) == ("POST", "knowledge"):
            return "application/json", json.dumps(session.keep(body))
        if (method, route) == ("POST", "stop"):
            return "application/json", json.dumps(session.stop())
        if (method, route) == ("POST", "learn"):
            return "application/json", json.dumps(session.learn(body))
        raise _RefusedError(HTTPStatus.NOT_FOUND, "There is no such page.")

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        sent = text.encode()
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(sent))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)
