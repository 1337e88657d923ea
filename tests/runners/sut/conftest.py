"""Instances of real programs, each on a sandbox of its own, and a look at what they leave."""

import os
import secrets
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.sut.config import instance_spec
from unknot.runners.sut.instance import Instance

Open = Callable[..., Instance]

_SERVER = """
    import os, socket

    def state(text=None, path=os.environ["UNKNOT_DIR"] + "/state"):
        if text is not None or not os.path.exists(path):
            with open(path, "w") as file:
                file.write(text or "new ")
        with open(path) as file:
            return file.read()

    state()
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"])))
    server.listen()
    while True:
        connection = server.accept()[0]
        path = connection.recv(4096).decode().split(" ")[1:2]
        if path == ["/die"]:
            os._exit(3)
        if path and path[0].startswith("/add/"):
            state(state() + path[0][5:])
        connection.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\n" + state().encode())
        connection.close()
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Where commands run; holds `server.py`, a server with a word of state in a file of its directory."""
    directory = tmp_path / "work"
    directory.mkdir()
    (directory / "server.py").write_text(textwrap.dedent(_SERVER), encoding="utf-8")
    return directory


@pytest.fixture
def script(work: Path) -> Callable[[str, str], list[str]]:
    """Writes a Python program into the working directory; returns the words that run it."""

    def written(name: str, text: str) -> list[str]:
        (work / name).write_text(textwrap.dedent(text), encoding="utf-8")
        return [sys.executable, "-I", "-S", name]

    return written


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    home = tmp_path / "home"
    home.mkdir()
    return Sandbox(home, 7, {"UNKNOT_SLOT": secrets.token_hex(8)})


@pytest.fixture
def marked(sandbox: Sandbox) -> Callable[[], list[int]]:
    """Processes that carry the slot's mark now."""
    [(name, value)] = sandbox.mark.items()
    return lambda: processes_with(f"{name}={value}")


@pytest.fixture
def opened(sandbox: Sandbox, work: Path, marked: Callable[[], list[int]]) -> Iterator[Open]:
    """Makes an instance from a table as a user writes it, not yet begun. In the end, nothing may be left of any."""
    made: list[Instance] = []

    def open_instance(**table: object) -> Instance:
        spec = instance_spec({key.replace("_", "-"): value for key, value in table.items()}, "unknot.toml: [instance]")
        made.append(Instance(spec, sandbox, work, dict(os.environ)))
        return made[-1]

    yield open_instance
    for instance in made:
        instance.stop()
    assert marked() == []


@pytest.fixture
def server() -> dict[str, object]:
    """The table of `server.py`."""
    return {
        "start": [sys.executable, "-I", "-S", "server.py"],
        "ports": 1,
        "ready": "http://127.0.0.1:{port0}/ready",
        "ready-seconds": 20,
    }


def processes_with(mark: str) -> list[int]:
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path("/proc", entry, "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in environment.split(b"\0"):
            found.append(int(entry))
    return found
