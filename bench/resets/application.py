"""`application.py FILE PORT`: a small web application on one SQLite file, with a connection that stays open."""

import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


def main() -> None:
    file, port = sys.argv[1], int(sys.argv[2])
    connection = sqlite3.connect(file, isolation_level=None)

    class Application(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if self.path == "/add":
                connection.execute("INSERT INTO notes (text) SELECT text FROM notes LIMIT 100")
            if self.path == "/reset":
                connection.execute("DELETE FROM notes WHERE id > (SELECT value FROM about)")
            body = str(connection.execute("SELECT count(*) FROM notes").fetchone()[0]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    HTTPServer(("127.0.0.1", port), Application).serve_forever()


if __name__ == "__main__":
    main()
