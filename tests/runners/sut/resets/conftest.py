"""An instance's directories, and real servers that start quickly and are always stopped."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from unknot.runners.sut.commands import InstanceContext, Log
from unknot.runners.sut.resets.kinds import make_reset
from unknot.runners.sut.resets.protocol import Reset
from unknot.runners.sut.spec import ResetSpec

Make = Callable[..., Reset]


@pytest.fixture
def placed(tmp_path: Path) -> InstanceContext:
    for name in ("dir", "work", "store"):
        (tmp_path / name).mkdir()
    placeholders = {"dir": str(tmp_path / "dir"), "worker": "3", "port0": "7001"}
    environment = {**os.environ, "UNKNOT_DIR": placeholders["dir"]}
    return InstanceContext(
        tmp_path / "dir", tmp_path / "work", tmp_path / "store", Log(tmp_path / "log"), environment, placeholders
    )


@pytest.fixture
def make(placed: InstanceContext) -> Make:
    """A reset of this kind, with options by name."""

    def made(kind: str, **options: str | tuple[str, ...]) -> Reset:
        return make_reset(ResetSpec(kind, tuple(options.items())), placed)

    return made


@dataclass(frozen=True)
class Server:
    """`run` gives statements to the server's own client, each in a process, and returns what it printed."""

    options: dict[str, str]
    client: tuple[str, ...]

    def run(self, database: str, statements: str) -> str:
        return subprocess.run(
            [*self.client, database], input=statements, check=True, capture_output=True, text=True, timeout=60
        ).stdout.strip()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/nonexistent"))
    if not (programs / "initdb").exists():
        pytest.skip("PostgreSQL's server is not installed")
    with _home("postgres") as (home, become):
        _run([*become, str(programs / "initdb"), "-D", f"{home}/data", "-A", "trust", "-U", "postgres", "-N"])
        options = ["-k", str(home), "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB"]
        server = Server(
            {"host": str(home), "user": "postgres"},
            (
                str(programs / "psql"),
                "-X",
                "-q",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                "-h",
                str(home),
                "-U",
                "postgres",
            ),
        )
        with _running([*become, str(programs / "postgres"), "-D", f"{home}/data", *options], home / ".s.PGSQL.5432"):
            _until(lambda: server.run("postgres", "SELECT 1") == "1")
            yield server


@pytest.fixture(scope="session")
def mariadb() -> Iterator[Server]:
    if not (shutil.which("mariadbd") and shutil.which("mariadb-install-db") and shutil.which("mariadb")):
        pytest.skip("MariaDB's server is not installed")
    with _home("mysql") as (home, become):
        common = ["--no-defaults", f"--datadir={home}/data"]
        _run([*become, "mariadb-install-db", *common, "--auth-root-authentication-method=normal", "--skip-test-db"])
        socket = home / "socket"
        start = ["mariadbd", *common, f"--socket={socket}", f"--tmpdir={home}", "--skip-networking", "--skip-log-bin"]
        start += ["--innodb-buffer-pool-size=16M", "--innodb-log-file-size=8M", "--innodb-flush-log-at-trx-commit=0"]
        login = ("--no-defaults", f"--socket={socket}", "--user=root")
        server = Server({"socket": str(socket), "user": "root"}, ("mariadb", *login, "--batch", "--skip-column-names"))
        with _running([*become, *start], socket):
            _until(lambda: server.run("mysql", "SELECT 1") == "1")
            yield server


class _home:
    """A short path (a socket's must be), owned by the server's user if we are root, since servers refuse to be that."""

    def __init__(self, user: str) -> None:
        self._user = user

    def __enter__(self) -> tuple[Path, Sequence[str]]:
        self._home = Path(tempfile.mkdtemp(prefix="reset-"))
        if os.geteuid() != 0:
            return self._home, ()
        try:
            account = pwd.getpwnam(self._user)
        except KeyError:
            pytest.skip(f"root cannot run the server: there is no user {self._user}")
        os.chown(self._home, account.pw_uid, account.pw_gid)
        ids = (f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}")
        return self._home, ("setpriv", *ids, "--clear-groups", "env", f"HOME={self._home}")

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._home, ignore_errors=True)


class _running:
    def __init__(self, words: Sequence[str], appears: Path) -> None:
        self._words = words
        self._appears = appears

    def __enter__(self) -> None:
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(self._words, stdin=quiet, stdout=quiet, stderr=quiet, cwd="/")
        _until(self._appears.exists)

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _run(words: Sequence[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, cwd="/", timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _until(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        try:
            if holds():
                return
        except subprocess.CalledProcessError:
            pass
        time.sleep(0.05)
    raise AssertionError("the server did not come up")
