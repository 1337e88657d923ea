"""The systems under test, the resets that each can have, and a way to make each dirty."""

import subprocess
import sys
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.resets.filling import MARIADB_WORDS, POSTGRESQL, POSTGRESQL_WORDS, as_user
from unknot.runners.sut.spec import InstanceSpec, ResetSpec

_HERE = Path(__file__).resolve().parent
_PYTHON = (sys.executable, "-I", "-S")

Values = Mapping[str, str]


@dataclass(frozen=True)
class System:
    """`spec` makes an instance with so many kilobytes of data. `spoil` changes it as a test would. `count` looks: the
    same number before and after, if the reset is right."""

    name: str
    spec: Callable[[int], InstanceSpec]
    resets: Mapping[str, ResetSpec]
    spoil: Callable[[Values], None]
    count: Callable[[Values], str]


def _call(values: Values, path: str) -> str:
    request = urllib.request.Request(f"http://127.0.0.1:{values['port0']}{path}", data=b"", method="POST")
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
        return str(answer.read().decode())


def _psql(values: Values, statement: str) -> str:
    words = (
        str(POSTGRESQL / "psql"),
        "-X",
        "-q",
        "-A",
        "-t",
        "-h",
        f"{values['dir']}/data",
        "-U",
        "postgres",
        "-d",
        "app",
    )
    return _said(*words, "-c", statement)


def _mariadb(values: Values, statement: str) -> str:
    login = ("--no-defaults", f"--socket={values['dir']}/data/s", "--user=root", "--skip-column-names")
    return _said("mariadb", *login, "app", "-e", statement)


def _said(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=120).stdout.strip()


def _prepare(kind: str, kilobytes: int) -> tuple[str, ...]:
    return (*_PYTHON, str(_HERE / "filling.py"), kind, "{dir}", str(kilobytes))


_DIRECTORY = ResetSpec("directory")
_MORE = "INSERT INTO notes (text) SELECT text FROM notes LIMIT 100"
_COUNT = "SELECT count(*) FROM notes"

SQLITE = System(
    "web application on SQLite",
    lambda kilobytes: InstanceSpec(
        start=(*_PYTHON, str(_HERE / "application.py"), "{dir}/app.db", "{port0}"),
        prepare=_prepare("sqlite", kilobytes),
        ready=("port",),
        ports=1,
    ),
    {
        "restart": ResetSpec(),
        "directory, stopped": _DIRECTORY,
        "directory, live": ResetSpec("directory", (("live", "true"),)),
        "sqlite": ResetSpec("sqlite", (("file", "{dir}/app.db"),)),
        "http (its own DELETE)": ResetSpec("http", (("url", "http://127.0.0.1:{port0}/reset"),)),
        "command `true`, for comparison": ResetSpec("command", (("run", ("true",)),)),
    },
    lambda values: _said_nothing(_call(values, "/add")),
    lambda values: _call(values, "/"),
)


def _postgresql_reset(strategy: str) -> ResetSpec:
    options = {"host": "{dir}/data", "user": "postgres", "dbname": "app", "strategy": strategy}
    return ResetSpec("postgresql", tuple(options.items()))


POSTGRESQL_SYSTEM = System(
    "PostgreSQL",
    lambda kilobytes: InstanceSpec(
        start=(
            *as_user("postgres"),
            *(str(POSTGRESQL / "postgres"), "-D", "{dir}/data", "-k", "{dir}/data", *POSTGRESQL_WORDS),
        ),
        prepare=_prepare("postgresql", kilobytes),
        ready=(str(POSTGRESQL / "pg_isready"), "-q", "-h", "{dir}/data"),
        ready_seconds=60.0,
    ),
    {
        "restart": ResetSpec(),
        "directory, stopped": _DIRECTORY,
        "postgresql, wal_log": _postgresql_reset("wal_log"),
        "postgresql, file_copy": _postgresql_reset("file_copy"),
    },
    lambda values: _said_nothing(_psql(values, _MORE)),
    lambda values: _psql(values, _COUNT),
)

MARIADB_SYSTEM = System(
    "MariaDB",
    lambda kilobytes: InstanceSpec(
        start=(
            *as_user("mysql"),
            *("mariadbd", "--no-defaults", "--datadir={dir}/data", "--socket={dir}/data/s", "--tmpdir={dir}/data"),
            *MARIADB_WORDS,
        ),
        prepare=_prepare("mariadb", kilobytes),
        ready=("mariadb-admin", "--no-defaults", "--socket={dir}/data/s", "--user=root", "ping"),
        ready_seconds=60.0,
    ),
    {
        "restart": ResetSpec(),
        "directory, stopped": _DIRECTORY,
        "mariadb (dump and load)": ResetSpec(
            "mariadb", (("socket", "{dir}/data/s"), ("user", "root"), ("database", "app"))
        ),
    },
    lambda values: _said_nothing(_mariadb(values, _MORE)),
    lambda values: _mariadb(values, _COUNT),
)


def _said_nothing(_: str) -> None:
    """Whatever it printed is of no interest."""


SYSTEMS = (SQLITE, POSTGRESQL_SYSTEM, MARIADB_SYSTEM)
