"""Suites with planted flows that are run by themselves, not as part of ours; and their recordings."""

import fcntl
import hashlib
import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from planted_suites import Record, copy_of

from unknot.runners.settings import Settings

collect_ignore = ["planted", "papers", "hostile"]

Result = TypeVar("Result")


class SessionCache:
    """Computes each result once in a session, even if several processes of pytest-xdist need it: the first computes it
    and writes it to a file, the others wait for the file."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._known: dict[str, Any] = {}

    def get(self, key: str, make: Callable[[], Result]) -> Result:
        if key not in self._known:
            file = self._directory / f"{hashlib.sha256(key.encode()).hexdigest()}.pickle"
            with open(f"{file}.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not file.exists():
                    file.write_bytes(pickle.dumps(make()))
                self._known[key] = pickle.loads(file.read_bytes())
        found: Result = self._known[key]
        return found


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> SessionCache:
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    directory = shared / "recorder-cache"
    directory.mkdir(exist_ok=True)
    return SessionCache(directory)


@pytest.fixture(scope="session")
def free_port(session_cache: SessionCache) -> int:
    """Free a moment ago: one suite binds a port, and must know its number beforehand."""

    def find() -> int:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
            server.bind(("127.0.0.1", 0))
            return int(server.getsockname()[1])

    return session_cache.get("free port", find)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory, session_cache: SessionCache, free_port: int) -> Record:
    """Records a suite below tests/recorder, once in a session, and also returns the copy that was recorded. Tests that
    are named are run in that order."""
    from unknot.app.recording.suite_recorder import record
    from unknot.recorder import second_request

    def get(suite: str, *tests: str) -> Any:
        def make() -> Any:
            project = copy_of(suite, tmp_path_factory.mktemp("recorded"))
            with pytest.MonkeyPatch.context() as patch:
                # On a busy machine, too: what is found must not depend on how long it takes.
                patch.setattr(second_request, "_LEAST_SECONDS", 600.0)
                for name, value in suite_variables(free_port).items():
                    patch.setenv(name, value)
                return project, record(Settings(project, tests))

        return session_cache.get(f"recording {suite} {tests}", make)

    return get


@pytest.fixture(scope="session")
def plain_run(
    tmp_path_factory: pytest.TempPathFactory, session_cache: SessionCache, free_port: int
) -> Callable[[str], str]:
    """The verbose output of plain pytest for a suite below tests/recorder, which is run once in a session."""

    def get(suite: str) -> str:
        def make() -> str:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v"],
                cwd=copy_of(suite, tmp_path_factory.mktemp("plain")),
                env={**os.environ, **suite_variables(free_port)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            return done.stdout + done.stderr

        return session_cache.get(f"plain run {suite}", make)

    return get


def suite_variables(port: int) -> dict[str, str]:
    return {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "SHOP_PORT": str(port)}
