import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unknot.recorder.inside.process.process import EVENTS, event_reads

_seen: list[tuple[str, tuple[Any, ...]]] = []
_read: set[str] = set()
_listening = False


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _listening and event in EVENTS:
        _seen.append((event, arguments))
        _read.update(event_reads(event, arguments))


sys.addaudithook(_hook)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to be relative to, with a file and a directory in it."""
    (tmp_path / "there").write_text("x")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def reads(do: Callable[[], object]) -> set[str]:
    global _listening
    _seen.clear()
    _read.clear()
    _listening = True
    try:
        do()
    finally:
        _listening = False
    return {*_read}


@pytest.mark.parametrize(
    "do",
    [
        lambda: open("there").close(),
        lambda: open(b"there", "a").close(),
        lambda: Path("there").read_text(),
        os.listdir,
        lambda: os.listdir("below"),
        lambda: list(os.scandir()),
        lambda: os.rename("there", "elsewhere"),
        lambda: os.remove("there"),
        lambda: os.rmdir("below"),
        lambda: os.chdir("below"),
        lambda: os.chmod("there", 0o600),
        lambda: os.symlink("/", "link"),
        lambda: os.link("there", "twin"),
        lambda: os.truncate("there", 0),
        lambda: os.utime("there"),
        lambda: sqlite3.connect("there").close(),
    ],
)
def test_a_relative_path_reads_the_directory(do: Callable[[], object]) -> None:
    assert reads(do) == {"os.getcwd()"}


def test_an_absolute_path_does_not(place: Path) -> None:
    assert reads(lambda: open(place / "there").close()) == set()
    assert reads(lambda: os.listdir(place)) == set()
    assert reads(lambda: os.remove(place / "there")) == set()
    assert reads(lambda: sqlite3.connect(":memory:").close()) == set()
    assert reads(lambda: sqlite3.connect("file:x?mode=memory", uri=True).close()) == set()


def test_a_path_relative_to_an_open_directory_does_not(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY)
    try:
        assert reads(lambda: os.remove("there", dir_fd=descriptor)) == set()
        assert reads(lambda: os.mkdir("new", dir_fd=descriptor)) == {"os.umask()"}
        assert reads(lambda: os.listdir(descriptor)) == set()
    finally:
        os.close(descriptor)


def test_creating_a_file_reads_the_umask(place: Path) -> None:
    assert reads(lambda: open(place / "new", "w").close()) == {"os.umask()"}
    assert reads(lambda: open(place / "new", "w").close()) == set()
    assert reads(lambda: open(place / "there", "r+").close()) == set()
    assert reads(lambda: os.mkdir(place / "directory")) == {"os.umask()"}
    assert reads(lambda: tempfile.TemporaryFile(dir=place).close()) <= {"os.umask()"}


def test_a_program_inherits_what_it_is_not_given(place: Path) -> None:
    assert reads(lambda: subprocess.run(["true"])) >= {"os.getcwd()", "os.umask()"}
    assert "os.getcwd()" not in reads(lambda: subprocess.run(["/bin/true"], cwd=place, env={"PATH": "/bin"}))
    assert reads(lambda: os.system("true")) == {"os.getcwd()", "os.umask()"}


def test_a_signal_to_the_own_process_reads_its_handler() -> None:
    before = signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    try:
        assert reads(lambda: os.kill(os.getpid(), signal.SIGUSR2)) == {"signal.getsignal(SIGUSR2)"}
        assert reads(lambda: os.kill(os.getppid(), 0)) == set()
    finally:
        signal.signal(signal.SIGUSR2, before)


def test_a_new_socket_reads_the_default_timeout() -> None:
    assert reads(lambda: socket.socket().close()) == {"socket.getdefaulttimeout()"}


@pytest.mark.parametrize("event", sorted(EVENTS))
@pytest.mark.parametrize(
    "arguments", [(), (None,), (3, None, None), (object(), object()), ("\0", 1, os.O_CREAT), (b"",)]
)
def test_strange_arguments_do_no_harm(event: str, arguments: tuple[Any, ...]) -> None:
    assert isinstance(event_reads(event, arguments), tuple)


def test_other_events_read_nothing() -> None:
    assert event_reads("import", ("json", None)) == ()
