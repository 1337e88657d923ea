"""`filling.py sqlite|postgresql|mariadb DIRECTORY KILOBYTES`: makes a system's data, as `prepare` does."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

POSTGRESQL = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/nonexistent"))

POSTGRESQL_WORDS = ("-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=64MB")
MARIADB_WORDS = ("--skip-networking", "--skip-log-bin", "--innodb-flush-log-at-trx-commit=0")


def as_user(user: str) -> tuple[str, ...]:
    """Servers refuse to be root."""
    return ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups") if os.geteuid() == 0 else ()


def fill_sqlite(directory: Path, kilobytes: int) -> None:
    with contextlib.closing(sqlite3.connect(directory / "app.db")) as connection, connection:
        connection.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
        connection.executemany("INSERT INTO notes (text) VALUES (?)", (("x" * 1000,) for _ in range(kilobytes)))
        connection.execute("CREATE TABLE about AS SELECT max(id) AS value FROM notes")


def fill_postgresql(directory: Path, kilobytes: int) -> None:
    data = _owned(directory / "data", "postgres")
    become = as_user("postgres")
    _run([*become, str(POSTGRESQL / "initdb"), "-D", str(data), "-A", "trust", "-U", "postgres", "-N"])
    with _serving([*become, str(POSTGRESQL / "postgres"), "-D", str(data), "-k", str(data), *POSTGRESQL_WORDS]):
        client = [str(POSTGRESQL / "psql"), "-X", "-q", "-h", str(data), "-U", "postgres"]
        _until_answered([*client, "-d", "postgres", "-c", "CREATE DATABASE app"])
        rows = f"INSERT INTO notes (text) SELECT repeat('x', 1000) FROM generate_series(1, {kilobytes})"
        _run([*client, "-d", "app", "-c", "CREATE TABLE notes (id serial PRIMARY KEY, text text)", "-c", rows])


def fill_mariadb(directory: Path, kilobytes: int) -> None:
    data = _owned(directory / "data", "mysql")
    become = as_user("mysql")
    common = ["--no-defaults", f"--datadir={data}"]
    _run([*become, "mariadb-install-db", *common, "--auth-root-authentication-method=normal", "--skip-test-db"])
    with _serving([*become, "mariadbd", *common, f"--socket={data}/s", f"--tmpdir={data}", *MARIADB_WORDS]):
        client = ["mariadb", "--no-defaults", f"--socket={data}/s", "--user=root"]
        _until_answered([*client, "-e", "CREATE DATABASE app"])
        table = "CREATE TABLE notes (id INT AUTO_INCREMENT PRIMARY KEY, text TEXT)"
        rows = f"INSERT INTO notes (text) SELECT repeat('x', 1000) FROM seq_1_to_{kilobytes}"
        _run([*client, "app", "-e", f"{table}; {rows}"])


def _owned(directory: Path, user: str) -> Path:
    directory.mkdir(0o700)
    if os.geteuid() == 0:
        shutil.chown(directory, user, user)
    return directory


@contextlib.contextmanager
def _serving(words: Sequence[str]) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet) as server:
        try:
            yield
        finally:
            server.terminate()


def _until_answered(words: Sequence[str]) -> None:
    for _ in range(300):
        if subprocess.run(words, capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
    raise SystemExit(f"no answer to {words}")


def _run(words: Sequence[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)


if __name__ == "__main__":
    kind, directory, kilobytes = sys.argv[1:]
    {"sqlite": fill_sqlite, "postgresql": fill_postgresql, "mariadb": fill_mariadb}[kind](
        Path(directory), int(kilobytes)
    )
