"""Ports and processes."""

import contextlib
import gc
import os
import socket
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from external_recording import RecordedTests, recorded_tests


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[RecordedTests]:
    with recorded_tests(tmp_path / "scratch", tmp_path) as made:
        yield made


def _free_port() -> int:
    """Not one of those that the system assigns to new connections."""
    for port in range(20_000 + os.getpid() % 5_000, 30_000):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def _server(port: int) -> socket.socket:
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(("127.0.0.1", port))
    made.listen()
    return made


def test_a_port_that_stays_open_is_written_and_connecting_reads_it(recorded: RecordedTests) -> None:
    port = _free_port()
    name = f"127.0.0.1:{port}"
    with recorded.test("opens"):
        server = _server(port)
    with recorded.test("connects"):
        socket.create_connection(("localhost", port)).close()
    with recorded.test("binds too"), socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", port))
    with recorded.test("closes"):
        server.close()
    assert recorded.did("opens", "port") == {("read", name), ("wrote", name)}
    assert recorded.did("connects", "port") == {("read", name)}
    assert recorded.did("binds too", "port") == {("read", name)}
    assert recorded.did("closes", "port") == {("removed", name)}
    assert recorded.touched["connects"] == {f"port {name}"}
    assert any(frame[2] == "_server" for frame in recorded.stack("opens", "wrote", name))


def test_a_port_that_is_closed_again_is_not_written(recorded: RecordedTests) -> None:
    port = _free_port()
    with recorded.test("test"):
        _server(port).close()
    assert recorded.did("test", "port") == {("read", f"127.0.0.1:{port}")}


def test_a_port_that_the_system_chooses_does_not_count(recorded: RecordedTests) -> None:
    with recorded.test("test"), _server(0) as server, socket.create_connection(server.getsockname()):
        pass
    assert recorded.did("test", "port") == set()
    assert "port 0" in recorded.touched["test"]


def test_no_socket_is_held(recorded: RecordedTests) -> None:
    with recorded.test("test"):
        server = _server(_free_port())
        chosen = _server(0)
        held = [weakref.ref(server), weakref.ref(chosen)]
        server.close()
        chosen.close()
        del server, chosen
        gc.collect()
        assert [made() for made in held] == [None, None]


def test_a_socket_of_the_file_system(recorded: RecordedTests, tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with recorded.test("test"):
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
    server.close()
    assert recorded.did("test", "port") == {("read", path), ("wrote", path)}


def test_processes_are_recorded_by_program(recorded: RecordedTests) -> None:
    with recorded.test("run"):
        subprocess.run([sys.executable, "-c", ""], check=True)
    with recorded.test("shell"):
        subprocess.run("true && true", shell=True, check=True)
    with recorded.test("system"):
        os.system("/bin/true")
    with recorded.test("spawn"):
        os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
    python = Path(sys.executable).name
    assert recorded.did("run", "subprocess") == {("read", python), ("wrote", python)}
    assert recorded.touched["run"] == {f"subprocess {python}"}
    for test in ("shell", "system", "spawn"):
        assert recorded.did(test, "subprocess") == {("read", "true"), ("wrote", "true")}


def test_a_fork_is_no_location_but_counts(recorded: RecordedTests) -> None:
    with recorded.test("test"):
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
    assert recorded.did("test", "subprocess") == set()
    assert recorded.touched["test"] == {"subprocess fork"}
