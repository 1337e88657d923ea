"""Real projects on disk, and the real command run on them."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Done = subprocess.CompletedProcess[str]


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / "pytest.ini").write_text("[pytest]\n")
    return directory


@pytest.fixture
def write(project: Path) -> Callable[[Mapping[str, str]], None]:
    def written(files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")

    return written


@pytest.fixture
def unknot(traced_unknot: Callable[..., Done]) -> Callable[..., Done]:
    """Runs the command in the project's directory. Nothing is recorded, which takes two more runs of the suite."""

    def run(*arguments: str, **environment: str) -> Done:
        quickly = ("detect", "--no-trace", *arguments[1:]) if arguments[:1] == ("detect",) else arguments
        return traced_unknot(*quickly, **environment)

    return run


@pytest.fixture
def traced_unknot(project: Path) -> Callable[..., Done]:
    """Runs the command in the project's directory, as users do."""

    def run(*arguments: str, **environment: str) -> Done:
        command = [sys.executable, "-m", "unknot", *arguments]
        return subprocess.run(
            command,
            cwd=project,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    return run
