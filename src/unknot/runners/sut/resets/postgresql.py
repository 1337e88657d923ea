"""A PostgreSQL database: kept as a template, and made again from it."""

import glob
import os
import secrets
import shutil
from urllib.parse import unquote, urlsplit

from unknot.model.errors import RunnerError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets.programs import run_program
from unknot.runners.sut.resets.protocol import Reset, ResetOptions

_VARIABLES = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD"}

_NOT_OURS = frozenset({"postgres", "template0", "template1"})
"""Every server has these, and others need them."""


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
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


_OLDEST = 130000
"""DROP DATABASE … WITH (FORCE)."""

_KNOWS_STRATEGY = 150000

_PROPERTIES = """
SELECT format('OWNER %%I CONNECTION LIMIT %%s', pg_get_userbyid(datdba), datconnlimit)
FROM pg_database WHERE datname = %(name)s
"""

_STATEMENTS = """
WITH live AS (SELECT * FROM pg_database WHERE datname = %(name)s),
settings AS (
  SELECT setrole, split_part(setting, '=', 1) AS name, substr(setting, strpos(setting, '=') + 1) AS value, number
  FROM live JOIN pg_db_role_setting ON setdatabase = live.oid,
    unnest(setconfig) WITH ORDINALITY AS one (setting, number)
)
SELECT 1, 0, format('REVOKE ALL ON DATABASE %%I FROM PUBLIC, %%I', datname, pg_get_userbyid(datdba))
FROM live WHERE datacl IS NOT NULL
UNION ALL
SELECT 2, 0, format('GRANT %%s ON DATABASE %%I TO %%s%%s', privilege_type, datname,
  CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
  CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM live, aclexplode(datacl)
UNION ALL
SELECT 3, number, CASE setrole WHEN 0 THEN format('ALTER DATABASE %%I', datname)
    ELSE format('ALTER ROLE %%I IN DATABASE %%I', pg_get_userbyid(setrole), datname) END
  || format(' SET %%I = ', name)
  || CASE WHEN value IN ('', '""') THEN '''''' WHEN name IN ('search_path', 'temp_tablespaces',
      'local_preload_libraries', 'session_preload_libraries') THEN value ELSE quote_literal(value) END
FROM live, settings
ORDER BY 1, 2
"""
"""What CREATE DATABASE does not take from a template: permissions and settings. Values of settings that are lists are
stored as they are to be written. Settings keep their sequence."""


class PostgresqlReset(Reset):
    """The whole database with owner, permissions and settings. Roles, other databases and what the server itself
    remembers are not put back.

    Both keeping and putting back end all connections to the database: the system must connect again by itself. The
    user needs the right to create databases. Kept states are databases whose names start with `unknot_`; they go with
    the server, or by `forget`. States are kept in the midst of an order only if the user says `share`: the connections
    that this cuts would not be cut without, and a system that minds would do otherwise. Cost: a copy of the database's
    files, and one psql process.
    """

    OPTIONS = frozenset({"url", "host", "port", "user", "password", "dbname", "maintenance", "strategy", "share"})

    def __init__(self, options: ResetOptions, context: InstanceContext) -> None:
        self._context = context
        self.can_fork = options.flag("share")
        self._strategy = options.text("strategy").lower()
        if self._strategy not in ("", "wal_log", "file_copy"):
            raise options.wrong("strategy", f"is wal_log or file_copy, not {self._strategy!r}")
        self._token = secrets.token_hex(4)
        self._makings: dict[str, tuple[str, list[str]]] = {}
        self._connect(options)

    def _connect(self, options: ResetOptions) -> None:
        """To another database than the one that is put back. The password is in the environment, not among the words of
        the command, which every user can read."""
        maintenance = options.text("maintenance", "postgres")
        self._environment = {"PGCONNECT_TIMEOUT": "20", "PGOPTIONS": "-c client_min_messages=warning"}
        for option, variable in _VARIABLES.items():
            if value := options.text(option):
                self._environment[variable] = value
        self._target: list[str] = []
        if url := options.text("url"):
            name = "url"
            self._live = self._connect_by_url(url, maintenance, options)
        else:
            name = "dbname"
            self._live = options.text("dbname")
            self._environment["PGDATABASE"] = maintenance
        if not self._live:
            raise options.wrong(name, "names no database")
        if self._live in _NOT_OURS | {maintenance} or "\0" in self._live:
            raise options.wrong(name, f"is {self._live!r}, which cannot be dropped", hint="give the tests their own")

    def _connect_by_url(self, url: str, maintenance: str, options: ResetOptions) -> str:
        """The database's name."""
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
        self._target = ["-d", address]
        return unquote(parts.path.lstrip("/"))

    def keep(self, name: str) -> None:
        purpose = f"cannot keep the PostgreSQL database {self._live!r}"
        self._check_version(int(self._psql(purpose, "SHOW server_version_num")[0]))
        live, quoted = _identifier(self._live), _literal(self._live)
        properties = self._psql(purpose, _PROPERTIES % {"name": quoted})
        if not properties:
            raise RunnerError(
                f"there is no PostgreSQL database {self._live!r}",
                hint="it must exist when the system is ready: let `prepare` or the start make it",
                slug="reset-failed",
            )
        statements = [row.split("|", 2)[2] for row in self._psql(purpose, _STATEMENTS % {"name": quoted})]
        self._psql(
            purpose,
            f"DROP DATABASE IF EXISTS {self._kept(name)} WITH (FORCE)",
            # No client may connect before the copy is made: it fails while one is connected.
            f"ALTER DATABASE {live} ALLOW_CONNECTIONS false",
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {quoted}",
            self._creation(self._kept(name), live),
            f"ALTER DATABASE {live} ALLOW_CONNECTIONS true",
        )
        self._makings[name] = properties[0], statements

    def put_back(self, name: str) -> None:
        properties, statements = self._makings[name]
        live = _identifier(self._live)
        self._psql(
            f"cannot put back the PostgreSQL database {self._live!r}",
            f"DROP DATABASE IF EXISTS {live} WITH (FORCE)",
            f"{self._creation(live, self._kept(name))} {properties}",
            *statements,
        )

    def forget(self, name: str) -> None:
        if self._makings.pop(name, None) is not None:
            self._psql(
                f"cannot forget a kept state of {self._live!r}",
                f"DROP DATABASE IF EXISTS {self._kept(name)} WITH (FORCE)",
            )

    def _psql(self, purpose: str, *statements: str) -> list[str]:
        """The rows of all results; columns are separated by `|`. Each statement is a transaction of its own: databases
        cannot be made inside a larger one. Cost: one process."""
        commands = [word for statement in statements for word in ("-c", statement)]
        printed = run_program(
            [_program(), "-X", "-q", "-A", "-t", "-w", "-R", "\x1e", "-v", "ON_ERROR_STOP=1", *self._target, *commands],
            self._context,
            purpose=purpose,
            environment=self._environment,
        )
        return [row for row in printed.split("\x1e") if row]

    def _check_version(self, version: int) -> None:
        problem = ""
        if version < _OLDEST:
            problem, hint = "is too old for this reset", "it needs 13 or later"
        elif self._strategy and version < _KNOWS_STRATEGY:
            problem, hint = "knows no `strategy`", "leave that option out"
        if problem:
            raise RunnerError(f"PostgreSQL {version // 10000} {problem}", hint=hint, slug="reset-unsupported")

    def _creation(self, new: str, template: str) -> str:
        strategy = f" STRATEGY {self._strategy}" if self._strategy else ""
        return f"CREATE DATABASE {new} TEMPLATE {template}{strategy}"

    def _kept(self, name: str) -> str:
        return _identifier(f"unknot_{self._token}_{name}")
