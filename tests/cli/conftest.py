"""Real projects on disk, and the real command run on them."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

import pytest

from unknot.cli.main import main

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
    return partial(write_files, project)


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
        return run_process(project, *arguments, **environment) if environment else run_here(project, *arguments)

    return run


@dataclass(frozen=True)
class Detected:
    """A project on which `unknot detect` has run, and what that printed. Tests get copies of it."""

    directory: Path
    done: Done

    def copy_to(self, directory: Path) -> None:
        shutil.copytree(self.directory, directory, dirs_exist_ok=True)


@pytest.fixture(scope="session")
def unknot_in() -> Callable[..., Done]:
    """Runs the command in a directory. For fixtures that come before the ones that set the environment of a test."""

    def run(directory: Path, *arguments: str) -> Done:
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
            environment.setenv("COLUMNS", "120")
            return run_here(directory, *arguments)

    return run


@pytest.fixture(scope="module")
def detected_once(tmp_path_factory: pytest.TempPathFactory, unknot_in: Callable[..., Done]) -> Callable[..., Detected]:
    """Detects a suite of these files, with these options, once for all tests of the module."""
    known: dict[tuple[object, ...], Detected] = {}

    def detect(files: Mapping[str, str], *options: str) -> Detected:
        key = (*files.items(), *options)
        if key not in known:
            directory = tmp_path_factory.mktemp("detected")
            write_files(directory, {"pytest.ini": "[pytest]\n", **files})
            known[key] = Detected(directory, unknot_in(directory, "detect", *options))
        return known[key]

    return detect


def write_files(directory: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")


def run_process(directory: Path, *arguments: str, **environment: str) -> Done:
    return subprocess.run(
        [sys.executable, "-m", "unknot", *arguments],
        cwd=directory,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def run_here(directory: Path, *arguments: str) -> Done:
    """The same in this process: most commands take less time than Python takes to import them. What the processes that
    it starts write to their standard output and error is captured too."""
    with ExitStack() as undo:
        files = [undo.enter_context(_captured(descriptor, name)) for descriptor, name in ((1, "stdout"), (2, "stderr"))]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            undo.callback(signal.signal, number, signal.getsignal(number))
        undo.callback(os.chdir, Path.cwd())
        os.chdir(directory)
        # Warnings are errors in tests, and not for users.
        undo.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        code = main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = (_content(file) for file in files)
    return subprocess.CompletedProcess(["unknot", *arguments], code, out, err)


@contextmanager
def _captured(descriptor: int, name: str) -> Iterator[IO[bytes]]:
    """A file that holds what is written to the stream of that name, and to its descriptor."""
    stream, saved = getattr(sys, name), os.dup(descriptor)
    with tempfile.TemporaryFile(buffering=0) as file, open(os.dup(file.fileno()), "w") as text:
        os.dup2(file.fileno(), descriptor)
        setattr(sys, name, text)
        try:
            yield file
        finally:
            setattr(sys, name, stream)
            os.dup2(saved, descriptor)
            os.close(saved)


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")
