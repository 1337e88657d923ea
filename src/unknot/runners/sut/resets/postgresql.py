"""A PostgreSQL database: kept as a template, made anew from it."""

import re
import secrets

from unknot.model.errors import RunnerError
from unknot.runners.sut.resets.options import ResetOptions
from unknot.runners.sut.resets.protocol import ResetContext
from unknot.runners.sut.resets.psql import Psql, identifier, literal

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


class PostgresqlReset:
    """The whole database with owner, permissions and settings. Roles, other databases and what the server itself
    remembers are not put back.

    Both keeping and putting back end all connections to the database: the system must connect again by itself. The
    user needs the right to create databases. Kept states are databases whose names start with `unknot_`; they go with
    the server, or by `forget`. States are kept in the midst of an order only if the user says `share`: the connections
    that this cuts would not be cut without, and a system that minds would do otherwise. Cost: a copy of the database's
    files, and one psql process.
    """

    needs_stop = False

    def __init__(self, options: ResetOptions, placed: ResetContext) -> None:
        self._psql = Psql(options, placed)
        self.can_fork = options.flag("share", default=False)
        self._live = self._psql.database
        self._strategy = options.text("strategy").lower()
        if self._strategy not in ("", "wal_log", "file_copy"):
            raise options.wrong("strategy", f"is wal_log or file_copy, not {self._strategy!r}")
        self._token = secrets.token_hex(4)
        self._makings: dict[str, tuple[str, list[str]]] = {}

    def keep(self, name: str) -> None:
        version = int(self._psql.rows(f"cannot keep {self._live!r}", "SHOW server_version_num")[0])
        if version < _OLDEST:
            raise RunnerError(f"PostgreSQL {version // 10000} is too old for this reset", hint="it needs 13 or later")
        if self._strategy and version < _KNOWS_STRATEGY:
            raise RunnerError(f"PostgreSQL {version // 10000} knows no `strategy`", hint="leave that option out")
        named = {"name": literal(self._live)}
        properties = self._psql.rows(f"cannot keep {self._live!r}", _PROPERTIES % named)
        if not properties:
            raise RunnerError(
                f"there is no PostgreSQL database {self._live!r}",
                hint="it must exist when the system is ready: let `prepare` or the start make it",
            )
        statements = [
            row.split("|", 2)[2] for row in self._psql.rows(f"cannot keep {self._live!r}", _STATEMENTS % named)
        ]
        live = identifier(self._live)
        self._psql.run(
            f"cannot keep the PostgreSQL database {self._live!r}",
            f"DROP DATABASE IF EXISTS {self._kept(name)} WITH (FORCE)",
            # Nobody may come back before the copy is made: it fails while anybody is connected.
            f"ALTER DATABASE {live} ALLOW_CONNECTIONS false",
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {literal(self._live)}",
            self._creation(self._kept(name), live),
            f"ALTER DATABASE {live} ALLOW_CONNECTIONS true",
        )
        self._makings[name] = properties[0], statements

    def put_back(self, name: str) -> None:
        properties, statements = self._makings[name]
        live = identifier(self._live)
        self._psql.run(
            f"cannot put back the PostgreSQL database {self._live!r}",
            f"DROP DATABASE IF EXISTS {live} WITH (FORCE)",
            f"{self._creation(live, self._kept(name))} {properties}",
            *statements,
        )

    def forget(self, name: str) -> None:
        if self._makings.pop(name, None) is not None:
            self._psql.run(
                f"cannot forget a kept state of {self._live!r}",
                f"DROP DATABASE IF EXISTS {self._kept(name)} WITH (FORCE)",
            )

    def _creation(self, new: str, template: str) -> str:
        strategy = f" STRATEGY {self._strategy}" if self._strategy else ""
        return f"CREATE DATABASE {new} TEMPLATE {template}{strategy}"

    def _kept(self, name: str) -> str:
        assert re.fullmatch(r"[\w-]{1,40}", name, re.ASCII), name
        return identifier(f"unknot_{self._token}_{name}")
