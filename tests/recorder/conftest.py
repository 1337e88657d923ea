"""Suites with planted flows that are run by themselves, not as part of ours; and their recordings."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable

import pytest
from planted_suites import Record, Recorded, copy_of

from unknot.runners.settings import Settings

collect_ignore = ["planted", "papers", "hostile"]


@pytest.fixture(scope="session")
def free_port() -> int:
    """Free a moment ago: one suite binds a port, and must know its number beforehand."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory, free_port: int) -> Record:
    """Records a suite below tests/recorder, once in a session, and gives the copy that was recorded as well. Tests that
    are named are run in that order."""
    from unknot.app.recording.trace import record

    known: dict[tuple[str, ...], Recorded] = {}

    def take(suite: str, *tests: str) -> Recorded:
        if (suite, *tests) not in known:
            project = copy_of(suite, tmp_path_factory.mktemp("recorded"))
            with pytest.MonkeyPatch.context() as patch:
                for name, value in suite_variables(free_port).items():
                    patch.setenv(name, value)
                known[suite, *tests] = project, record(Settings(project, tests))
        return known[suite, *tests]

    return take


@pytest.fixture(scope="session")
def plain_run(tmp_path_factory: pytest.TempPathFactory, free_port: int) -> Callable[..., str]:
    """What plain pytest says about a suite below tests/recorder."""

    def run(suite: str, *options: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options],
            cwd=copy_of(suite, tmp_path_factory.mktemp("plain")),
            env={**os.environ, **suite_variables(free_port)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    return run


def suite_variables(port: int) -> dict[str, str]:
    return {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "SHOP_PORT": str(port)}
