"""A small web server for tests of crawls: pages by path, and what was requested."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = str | tuple[int, Mapping[str, str], str]
Page = Answer | Callable[["Asked"], Answer]


@dataclass(frozen=True)
class Asked:
    """A request. `path` is without the `query`."""

    method: str
    path: str
    query: str
    cookie: str
    body: str


@dataclass
class CrawledSite:
    address: str
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def serving(pages: Mapping[str, Page], otherwise: Page | None = None) -> Iterator[CrawledSite]:
    """`otherwise` answers for all other paths; without it they are not found. Text is a page of HTML; a tuple is a
    status, headers and a body."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments: object) -> None:
            pass

        def _answer(self) -> None:
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
            asked = Asked(self.command, path, query, self.headers.get("Cookie", ""), body)
            site.asked.append(asked)
            page = pages.get(path, otherwise if otherwise is not None else (404, {}, "<h1>Not found</h1>"))
            found = page(asked) if callable(page) else page
            status, headers, text = (200, {}, found) if isinstance(found, str) else found
            content = text.encode("utf-8", "surrogatepass")
            self.send_response(status)
            for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = _answer

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site = CrawledSite(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
