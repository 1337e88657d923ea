"""PostgreSQL's own client as a way to run statements."""

import glob
import os
import shutil
from urllib.parse import unquote, urlsplit

from unknot.runners.sut.resets.options import ResetOptions
from unknot.runners.sut.resets.programs import run_program
from unknot.runners.sut.resets.protocol import ResetContext

_VARIABLES = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD"}

_NOT_OURS = frozenset({"postgres", "template0", "template1"})
"""Every server has these, and others need them."""


class Psql:
    """Connects to another database than the one that is put back. The password is in the environment, not among the
    words of the command, which everybody can read. Cost: one process for each call."""

    def __init__(self, options: ResetOptions, placed: ResetContext) -> None:
        self._placed = placed
        self._environment = {"PGCONNECT_TIMEOUT": "20", "PGOPTIONS": "-c client_min_messages=warning"}
        maintenance = options.text("maintenance", "postgres")
        for option, variable in _VARIABLES.items():
            if value := options.text(option):
                self._environment[variable] = value
        if options.has("url"):
            self.database, self._target = self._from_url(options, maintenance)
        else:
            self.database = options.text("dbname")
            self._environment["PGDATABASE"] = maintenance
            self._target = ""
        name = "url" if options.has("url") else "dbname"
        if not self.database:
            raise options.wrong(name, "names no database")
        if self.database in _NOT_OURS | {maintenance} or "\0" in self.database:
            raise options.wrong(name, f"is {self.database!r}, which cannot be dropped", hint="give the tests their own")

    def run(self, purpose: str, *statements: str) -> None:
        self._run(purpose, statements)

    def rows(self, purpose: str, query: str) -> list[str]:
        """Columns are separated by `|`."""
        return [row for row in self._run(purpose, [query]).split("\x1e") if row]

    def _run(self, purpose: str, statements: "list[str] | tuple[str, ...]") -> str:
        # Each in a transaction of its own: databases cannot be made inside a larger one.
        commands = [word for statement in statements for word in ("-c", statement)]
        target = ["-d", self._target] if self._target else []
        return run_program(
            [_program(), "-X", "-q", "-A", "-t", "-w", "-R", "\x1e", "-v", "ON_ERROR_STOP=1", *target, *commands],
            self._placed,
            purpose=purpose,
            environment=self._environment,
        )

    def _from_url(self, options: ResetOptions, maintenance: str) -> tuple[str, str]:
        """The database's name, and an address of the maintenance database without the password."""
        url = options.text("url")
        try:
            parts = urlsplit(url)
            password = parts.password
        except ValueError as problem:
            raise options.wrong("url", f"is {url!r}: {problem}") from problem
        if parts.scheme not in ("postgresql", "postgres"):
            raise options.wrong("url", "does not start with postgresql://")
        account, at, place = parts.netloc.rpartition("@")
        if password is not None:
            self._environment["PGPASSWORD"] = unquote(password)
            account = account.partition(":")[0]
        address = parts._replace(netloc=f"{account}{at}{place}", path=f"/{maintenance}").geturl()
        return unquote(parts.path.lstrip("/")), address


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Also where the server reads backslashes in plain literals."""
    quoted = text.replace("\\", "\\\\").replace("'", "''")
    return f"E'{quoted}'"


def _program() -> str:
    """Debian's `psql` is a script that looks for the real one, which costs more than most resets."""
    found = shutil.which("psql") or "psql"
    if os.path.basename(os.path.realpath(found)) != "pg_wrapper":
        return found
    real = glob.glob("/usr/lib/postgresql/*/bin/psql")
    return max(real, key=lambda path: float(path.split("/")[4])) if real else found
