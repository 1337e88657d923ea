"""ihatemoney as the suite wants it: a database of its own, no mails, no limit of logins."""

import logging
import os
from pathlib import Path

from ihatemoney.run import create_app  # type: ignore[import-untyped, import-not-found, unused-ignore]
from werkzeug.serving import BaseWSGIServer, make_server

SETTINGS = """\
SQLALCHEMY_DATABASE_URI = "sqlite:///{database}"
SECRET_KEY = "known to everybody"
ALLOW_PUBLIC_PROJECT_CREATION = True
ACTIVATE_DEMO_PROJECT = False
ENABLE_CAPTCHA = False
SESSION_COOKIE_SECURE = False
RATELIMIT_ENABLED = False
MAIL_SUPPRESS_SEND = True
BABEL_DEFAULT_TIMEZONE = "UTC"
# The request for the icon of a page replaces the token of the form on it now and then.
WTF_CSRF_ENABLED = False
# Private codes are worth nothing here: to check one takes no time.
PASSWORD_HASH_METHOD = "pbkdf2:sha256:1"
# Scripts and styles are asked for once.
SEND_FILE_MAX_AGE_DEFAULT = 86400
"""


def serving(directory: Path, port: int) -> BaseWSGIServer:
    """The application on a new database in this directory: its migrations are run when it is created."""
    settings = directory / "settings.py"
    settings.write_text(SETTINGS.format(database=directory / "money.db"), encoding="utf-8")
    os.environ["IHATEMONEY_SETTINGS_FILE_PATH"] = str(settings)
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    application = create_app(instance_path=str(directory))
    return make_server("127.0.0.1", port, application, threaded=True)
