"""The planted suite once more, with its state in a server: what an instance is for."""

import sys
from pathlib import Path

SERVER = """
import http.server, os, sys
state = set()
kept = set(sys.argv[2:])  # what its reset forgets to put back
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        verb, _, what = self.path[1:].partition("/")
        if verb == "set": state.add(what)
        elif verb == "unset": state.discard(what)
        elif verb == "reset": state.intersection_update(kept)
        self.send_response(200 if verb != "has" or what in state else 404)
        self.end_headers()
    do_POST = do_GET
    def log_message(self, *_): pass
class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = "LINGERS" not in os.environ
    daemon_threads = True
Server(("127.0.0.1", int(sys.argv[1])), Page).serve_forever()
"""

CLIENT = """
import os, socket, sys, time
def ask(path):
    with socket.create_connection(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"])), timeout=20) as connection:
        connection.sendall(f"GET /{path} HTTP/1.0\\r\\n\\r\\n".encode())
        answer = connection.makefile("rb").read()
        if not answer: raise OSError("no answer")
        return b" 200 " in answer
def does(test):
    time.sleep(float(os.environ.get("PAUSE", 0)))
    if test == "make": return ask("set/made")
    if test == "fill": return ask("set/filled")
    if test == "uses": return ask("has/made")
    if test == "uses_both": return ask("has/made") and ask("has/filled")
    if test == "spoil": return ask("set/spoilt")
    if test == "clean": return ask("unset/spoilt")
    if test == "victim": return not ask("has/spoilt")
    if test == "fragile": return not ask("has/left")
    if test == "leaves": return ask("set/left")
    if test == "flaky":
        with open(os.environ["COUNTED"], "a") as file: file.write("x")
        return os.stat(os.environ["COUNTED"]).st_size % 3 > 0
    return test != "fails"
def told(test):
    try: return does(test)
    except OSError: return False
for test in sys.argv[1:]:
    print("passed" if told(test) else "failed", test, flush=True)
"""

COMMAND = f'run = ["{sys.executable}", "-IS", "client.py", "{{tests}}"]\n' + (
    "results = \"lines\"\npattern = '(?P<outcome>passed|failed) (?P<test>.*)'\n"
)

HTTP_RESET = 'reset = { kind = "http", url = "http://127.0.0.1:{port0}/reset" }\n'


def instance(reset: str, *, forgets: str = "", more: str = "") -> str:
    start = [sys.executable, "-IS", "server.py", "{port0}", *filter(None, [forgets])]
    return f'[instance]\nstart = {start!r}\nready = "port"\nports = 1\n{reset}{more}'


def write_server(directory: Path) -> None:
    (directory / "server.py").write_text(SERVER)
    (directory / "client.py").write_text(CLIENT)
