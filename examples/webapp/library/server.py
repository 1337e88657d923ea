"""The application behind HTTP, on the loopback interface only."""

import json
import mimetypes
import sys
import traceback
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from library import accounts, catalogue, front, layout, lists, loans, people, settings, store
from library.web import Refused, Request, Response, answered, as_json

PARTS = (front, people, catalogue, loans, settings, lists)
"""Importing them has registered their addresses."""

_STATIC = Path(__file__).parent / "static"
_MOST_BYTES = 100_000
_WRITING = ("POST", "DELETE")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    database_file = Path()

    def do_GET(self) -> None:
        name = self.path.removeprefix("/static/")
        if name in {file.name for file in _STATIC.iterdir()}:
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            self._send(Response((_STATIC / name).read_bytes(), type=kind))
        else:
            self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_DELETE(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:
        """No line for each request."""

    def _answer(self) -> None:
        database = store.connected(self.database_file)
        try:
            response = self._response(database)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            response = Response(b"Something went wrong.", 500, "text/plain")
        finally:
            database.close()
        self._send(response)

    def _response(self, database: store.Database) -> Response:
        address = urlsplit(self.path)
        request = Request(self.command, address.path, dict(parse_qsl(address.query)), {}, self._token(), database)
        try:
            request.form = self._form()
            self._check_origin()
            request.user = accounts.user_of(database, request.token)
            with database:
                return answered(request)
        except Refused as refused:
            if address.path.startswith("/api/"):
                return as_json({"error": refused.reason}, refused.status)
            return layout.refusal(request, refused)

    def _form(self) -> dict[str, str]:
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > _MOST_BYTES:
            self.close_connection = True
            raise Refused(413, "That is too much.")
        body = self.rfile.read(int(length))
        try:
            if body and self.headers.get_content_type() == "application/json":
                values = json.loads(body)
                return {str(name): str(value) for name, value in values.items()}
            return dict(parse_qsl(body.decode(), keep_blank_values=True))
        except (ValueError, AttributeError):
            raise Refused(400, "That cannot be read.") from None

    def _check_origin(self) -> None:
        """Another site's page may not write here. Programs that are no browsers send no origin, and no cookie
        that their user did not give them."""
        origin = self.headers.get("Origin")
        if self.command in _WRITING and origin is not None and origin != f"http://{self.headers.get('Host')}":
            raise Refused(403, "This came from another site.")

    def _token(self) -> str:
        try:
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
        except CookieError:
            return ""
        return cookies["session"].value if "session" in cookies else ""

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        self.send_header("Content-Type", response.type)
        self.send_header("Content-Length", str(len(response.body)))
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self' data:")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "max-age=60" if self.path.startswith("/static/") else "no-store")
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


def serving(database_file: Path, port: int) -> Server:
    """A server that listens already; `serve_forever` answers."""
    store.prepared(database_file)
    handler = type("LibraryHandler", (Handler,), {"database_file": database_file})
    return Server(("127.0.0.1", port), handler)
