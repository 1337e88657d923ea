"""A small application that each instance of these tests starts: notes behind a login, with links that log out by
themselves, that end the process, and that lead to a login form for everybody."""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

NOTES: list[str] = []
SESSIONS: set[str] = set()
MENU = "<nav><a href=/>Start</a> <a href=/notes>Notes</a> <a href=/about>About</a></nav>"
LOGIN = "<h1>Log in</h1><form method=post action=/login><label>Name <input name=name></label>"
LOGIN += "<label>Password <input type=password name=password></label><button>Log in</button></form>"
FORM = "<form method=post action=/add><label>Note <input name=note></label><button>Add</button></form>"
CHANGE = "<form method=post action=/change><label>New password <input type=password name=new></label>"
CHANGE += "<button>Change</button></form>"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/die":
            os._exit(1)
        if path == "/forget":
            SESSIONS.clear()
            self.show("<h1>Forgotten</h1>" + MENU)
        elif path == "/switch" or self.headers.get("Cookie", "") not in SESSIONS:
            self.show(LOGIN)
        elif path == "/notes":
            items = "".join(f"<li>{note}</li>" for note in NOTES)
            self.show(f"<h1>Notes</h1>{MENU}{FORM}<ul>{items}</ul>{EXTRA}")
        elif path == "/about":
            self.show(f"<h1>About</h1>{MENU}{CHANGE}<a href=http://127.0.0.1:{sys.argv[1]}/notes>All</a>")
        else:
            self.show(f"<h1>Start</h1>{MENU}")

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if self.path == "/add":
            NOTES.extend(form.get("note", []))
            with Path(sys.argv[2]).open("a") as log:
                log.write(f"{os.getpid()}\n")
        self.send_response(303)
        if self.path == "/login" and form.get("password") == ["secret"]:
            SESSIONS.add("session=1")
            self.send_header("Set-Cookie", "session=1")
        self.send_header("Location", "/notes" if self.path == "/add" else "/")
        self.end_headers()

    def show(self, body: str) -> None:
        content = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


EXTRA = sys.argv[3] if len(sys.argv) > 3 else ""

if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
