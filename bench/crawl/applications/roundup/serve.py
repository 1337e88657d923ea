"""`python serve.py DIRECTORY PORT`: a Roundup tracker of the classic template, with two users, an issue and a keyword.

Through WSGI, because Roundup's own server does not run as root. Mails go to a file.
"""

import os
import shutil
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import roundup.instance
from roundup import password
from roundup.cgi.wsgi_handler import RequestDispatcher
from roundup.configuration import CoreConfig

TEMPLATE = Path(sys.prefix) / "share" / "roundup" / "templates" / "classic"


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        """No line for each request."""


def main(directory: Path, port: int) -> None:
    os.environ["SENDMAILDEBUG"] = str(directory / "mails")
    home = directory / "tracker"
    if not home.exists():
        shutil.copytree(TEMPLATE, home, ignore=shutil.ignore_patterns("__pycache__"))
    settings = CoreConfig()
    settings["TRACKER_NAME"] = "Tracker"
    settings["TRACKER_WEB"] = f"http://127.0.0.1:{port}/"
    settings["MAIL_DOMAIN"] = settings["MAIL_HOST"] = "example.org"
    settings["MAIL_DEBUG"] = str(directory / "mails")
    settings["ADMIN_EMAIL"] = "admin@example.org"
    settings["RDBMS_BACKEND"] = "sqlite"
    settings["PASSWORD_PBKDF2_DEFAULT_ROUNDS"] = 1000
    settings.save(str(home / "config.ini"))
    tracker = roundup.instance.open(str(home))
    if not tracker.exists():
        tracker.init(password.Password("admin-secret", config=tracker.config), tx_Source="cli")
        fill(tracker)
    with make_server("127.0.0.1", port, RequestDispatcher(str(home)), Server, Quiet) as server:
        server.serve_forever()


def fill(tracker) -> None:
    database = tracker.open("admin")
    secret = password.Password("demo-secret", config=tracker.config)
    demo = database.user.create(
        username="demo", password=secret, realname="Dora Demo", address="demo@example.org", roles="User"
    )
    keyword = database.keyword.create(name="printing")
    database.issue.create(title="The printer is on fire", priority="2", status="1", assignedto=demo, keyword=[keyword])
    database.commit()
    database.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
