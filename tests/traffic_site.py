"""A small web application, as a program of its own, and how a suite gets at it and at a browser."""

from pathlib import Path

SITE = '''
import html, json, re, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

USERS, NOTES = {}, []
FORM = """<form method=post action=/users><input name=name><input type=password name=password>
<button>Add</button></form>
<form method=post action=/upload enctype=multipart/form-data><input name=caption><input type=file name=picture>
<button id=upload>Upload</button></form>"""
APP = """<ul id=notes></ul><script>fetch('/api/notes').then(r => r.json()).then(notes => {
  for (const note of notes) document.querySelector('#notes').append(note.text + ';');
  document.title = 'ready'; })</script>"""


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, text="", kind="text/html; charset=utf-8", **headers):
        body = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        user = re.fullmatch(r"/users/(\\d+)", self.path)
        if self.path == "/users":
            links = (f'<a href="/users/{number}">{html.escape(name)}</a>' for number, name in USERS.items())
            self.answer(200, " ".join(links) + FORM)
        elif user and int(user[1]) in USERS:
            self.answer(200, f"<h1>{html.escape(USERS[int(user[1])])}</h1>")
        elif self.path == "/api/notes":
            self.answer(200, json.dumps(NOTES), "application/json")
        elif self.path == "/app":
            self.answer(200, APP)
        elif self.path == "/login":
            self.answer(200, "<h1>hello</h1>", Set_Cookie="session=abc")
        else:
            self.answer(404 if user else 200, "<h1>nothing here</h1>")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
        if self.path == "/users":
            USERS[len(USERS) + 7] = parse_qs(body)["name"][0]
            self.answer(303, Location=f"/users/{len(USERS) + 6}")
        elif self.path == "/api/notes":
            NOTES.append({"id": f"note-{len(NOTES)}-f00d", **json.loads(body)})
            self.answer(201, json.dumps(NOTES[-1]), "application/json")
        else:
            self.answer(200, "<h1>thanks</h1>")


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Site).serve_forever()
'''

FLAGS = [
    *("--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
]
CHROMIUM = "/usr/bin/chromium"
DRIVER = "/usr/bin/chromedriver"
has_browser = Path(CHROMIUM).exists() and Path(DRIVER).exists()

IN_THREAD = """
import threading
from http.server import ThreadingHTTPServer
import pytest
from site_under_test import Site

@pytest.fixture(scope="session")
def url():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
"""

STRICT = "[pytest]\nfilterwarnings = error\n"
"""So that whatever the recorder leaves unclosed or lets out would fail a test."""
