"""MariaDB or MySQL databases: dumped, and loaded again while the server runs."""

import shutil
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets.programs import run_program
from unknot.runners.sut.resets.protocol import Reset, ResetOptions

_NOT_OURS = frozenset({"mysql", "sys", "information_schema", "performance_schema"})

_DUMP = ("--single-transaction", "--routines", "--events", "--triggers", "--hex-blob", "--add-drop-database")


class MariadbReset(Reset):
    """Tables with their data and next automatic numbers, views, triggers, routines, events. Users, their rights, global
    variables and other databases are not put back. Connections stay open, but those that hold a lock on a table are
    waited for.

    Cost: a process, and inserting every row again: for more than some megabytes a copy of the data directory with the
    server stopped (`directory`) is cheaper.
    """

    OPTIONS = frozenset({"socket", "host", "port", "user", "password", "database"})
    REQUIRED = ("database",)
    can_fork = True

    def __init__(self, options: ResetOptions, context: InstanceContext) -> None:
        self._context = context
        self._databases = options.texts("database")
        for database in self._databases:
            if not database or database.lower() in _NOT_OURS or database.startswith("-"):
                raise options.wrong("database", f"is {database!r}, which cannot be put back")
        socket, host, port = options.text("socket"), options.text("host"), options.text("port")
        if socket and (host or port):
            raise options.wrong("socket", "cannot be given together with host or port")
        # --no-defaults: no client settings of a user may change what is dumped.
        self._login = ["--no-defaults"]
        if socket:
            self._login += [f"--socket={socket}", "--protocol=socket"]
        elif host or port:
            self._login += [f"--host={host or '127.0.0.1'}", "--protocol=tcp"]
            self._login += [f"--port={port}"] if port else []
        if user := options.text("user"):
            self._login.append(f"--user={user}")
        password = options.text("password")
        self._environment = {"MYSQL_PWD": password} if password else {}

    def keep(self, name: str) -> None:
        purpose = f"cannot keep the MariaDB database {', '.join(self._databases)}"
        unfinished = self._kept("unfinished")
        run_program(
            [_program("mariadb-dump", "mysqldump"), *self._login, *_DUMP, "--databases", *self._databases],
            self._context,
            purpose=purpose,
            environment=self._environment,
            write_to=unfinished,
        )
        with unfinished.open("rb") as dump:
            dump.seek(max(0, unfinished.stat().st_size - 200))
            is_whole = b"-- Dump completed" in dump.read()
        if not is_whole:
            raise RunnerError(f"{purpose}: the dump has no end", hint="is there room on disk?", slug="reset-failed")
        unfinished.replace(self._kept(name))

    def put_back(self, name: str) -> None:
        run_program(
            # A connection that holds a lock on a table is waited for, but not for a day, as the server would.
            [_program("mariadb", "mysql"), *self._login, "--init-command=SET SESSION lock_wait_timeout=60"],
            self._context,
            purpose=f"cannot put back the MariaDB database {', '.join(self._databases)}",
            environment=self._environment,
            read_from=self._kept(name),
        )

    def forget(self, name: str) -> None:
        self._kept(name).unlink(missing_ok=True)

    def _kept(self, name: str) -> Path:
        return self._context.store / f"mariadb-{name}.sql"


def _program(*names: str) -> str:
    return next((found for name in names if (found := shutil.which(name))), names[0])
