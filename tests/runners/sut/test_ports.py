"""Ports: each is given once, a dead process holds none, and a foreign_listener is not taken for the system."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from old_server import KEEPS_ITS_PORT

from unknot.model.errors import RunnerError
from unknot.runners.sandbox import locks, ports
from unknot.runners.sandbox.ports import Ports, foreign_listener, is_taken
from unknot.runners.sut.instance import Instance

Open = Callable[..., Instance]
Script = Callable[[str, str], list[str]]


@pytest.fixture
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Only three ports may be claimed."""
    with_locks = Ports(3)
    numbers = list(with_locks.numbers)
    with_locks.release()
    monkeypatch.setattr(ports, "_candidates", lambda: iter(numbers))
    return numbers


def test_claims_do_not_meet(few_candidates: list[int]) -> None:
    one, other = Ports(1), Ports(2)
    assert sorted([*one.numbers, *other.numbers]) == sorted(few_candidates)
    with pytest.raises(RunnerError, match="no 1 free ports"):
        Ports(1)
    one.release()
    one.release()
    again = Ports(1)
    assert again.numbers == one.numbers
    with pytest.raises(RunnerError):
        Ports(1)
    for each in (again, other):
        each.release()


def test_a_claim_that_fails_keeps_nothing(few_candidates: list[int]) -> None:
    with pytest.raises(RunnerError):
        Ports(4)
    got = Ports(3)
    assert sorted(got.numbers) == sorted(few_candidates)
    got.release()


def test_a_killed_process_holds_no_port(few_candidates: list[int]) -> None:
    text = f"""
import time
from unknot.runners.sandbox import ports
ports._candidates = lambda: iter({few_candidates})
claimed = ports.Ports(3)
print("claimed", flush=True)
time.sleep(600)
"""
    holder = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": "/"})
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"claimed\n"
        with pytest.raises(RunnerError):
            Ports(1)
    finally:
        holder.kill()
        holder.communicate()
    got = Ports(3)
    assert sorted(got.numbers) == sorted(few_candidates)
    got.release()


@pytest.mark.parametrize(
    ("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::1")]
)
def test_a_port_with_a_listener_is_taken(few_candidates: list[int], family: int, address: str) -> None:
    with socket.socket(family) as server:
        try:
            server.bind((address, few_candidates[0]))
        except OSError as problem:
            pytest.skip(f"this machine has no {address}: {problem}")
        server.listen()
        assert is_taken(few_candidates[0])
        assert is_taken(few_candidates[0], lingering=False)
        got = Ports(2)
        assert few_candidates[0] not in got.numbers
        assert got.taken() == []
        got.release()
    assert not is_taken(few_candidates[0])


def test_old_connections_are_distinguished_from_a_listener(few_candidates: list[int]) -> None:
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", few_candidates[0]))
        server.listen()
        client = socket.create_connection(("127.0.0.1", few_candidates[0]))
        # The side that closes first has the connection linger.
        server.accept()[0].close()
        client.recv(1)
        client.close()
    assert is_taken(few_candidates[0])
    assert not is_taken(few_candidates[0], lingering=False)


def test_ports_are_not_those_of_outgoing_connections() -> None:
    low, high = ports._ephemeral_range()
    got = Ports(20)
    assert all(not low <= number <= high for number in got.numbers)
    got.release()


@pytest.mark.parametrize(("low", "high"), [(1024, 65535), (16000, 60999), (1024, 40000)])
def test_other_ranges_of_the_kernel_leave_candidates_too(monkeypatch: pytest.MonkeyPatch, low: int, high: int) -> None:
    monkeypatch.setattr(ports, "_ephemeral_range", lambda: (low, high))
    found = list(ports._candidates())
    assert len(found) == len(set(found)) > 1000
    assert min(found) >= 15_000
    assert max(found) <= 65_535


def test_a_directory_of_another_user_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(locks, "_SHARED", tmp_path)
    (tmp_path / f"unknot-ports-{os.geteuid()}").symlink_to(tmp_path)
    with pytest.raises(RunnerError, match="not a directory that only you can use"):
        Ports(1)


THIEF = """
    import os, pathlib, subprocess, sys

    # Takes the port after it was claimed and before the program listens, and does not belong to the instance.
    text = '''
    import socket, sys
    server = socket.socket()
    server.bind(("127.0.0.1", int(sys.argv[1])))
    server.listen()
    print("there", flush=True)
    while True:
        server.accept()[0].close()
    '''
    stolen = pathlib.Path("stolen")
    before = stolen.read_text().split() if stolen.exists() else []
    if len(before) < int(sys.argv[1]):
        words = [sys.executable, "-c", text, os.environ["UNKNOT_PORT_0"]]
        thief = subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True, env={})
        thief.stdout.readline()
        stolen.write_text(" ".join([*before, str(thief.pid)]))
    pathlib.Path(os.environ["UNKNOT_DIR"], "prepared-for").write_text(os.environ["UNKNOT_PORT_0"])
"""


@pytest.fixture
def thief(script: Script, work: Path) -> Iterator[list[str]]:
    yield script("thief.py", THIEF)
    for pid in (work / "stolen").read_text().split():
        os.kill(int(pid), signal.SIGKILL)


SLOW = [sys.executable, "-c", "import time, runpy; time.sleep(0.5); runpy.run_path('server.py')"]


@pytest.mark.parametrize("ready", ["port", "http://127.0.0.1:{port0}/ready"])
def test_a_stolen_port_is_replaced(
    opened: Open, server: dict[str, object], thief: list[str], work: Path, ready: str
) -> None:
    instance = opened(**{**server, "ready": ready, "start": SLOW}, prepare=[*thief, "1"])
    instance.begin()
    assert len((work / "stolen").read_text().split()) == 1
    assert instance.is_alive()
    prepared_for = Path(instance.variables["UNKNOT_DIR"], "prepared-for").read_text()
    assert prepared_for == instance.variables["UNKNOT_PORT_0"]


def test_ports_that_are_taken_each_time_are_an_error(
    opened: Open, server: dict[str, object], thief: list[str], work: Path
) -> None:
    with pytest.raises(RunnerError, match="ports were taken by others 3 times in a row") as caught:
        opened(**{**server, "ready": "port"}, prepare=[*thief, "99"]).begin()
    assert "ss -tlnp" in caught.value.hint
    assert len((work / "stolen").read_text().split()) == 3


def test_a_program_that_fails_for_another_reason_is_not_tried_again(opened: Open, work: Path) -> None:
    with pytest.raises(RunnerError, match="ended with status 1"):
        opened(start="sh -c 'echo once >> tries; exit 1'", ports=1, ready="port").begin()
    assert (work / "tries").read_text() == "once\n"


def test_a_server_that_cannot_reuse_its_port_gets_another(opened: Open, script: Script) -> None:
    instance = opened(start=script("old.py", KEEPS_ITS_PORT), ports=1, ready="http://127.0.0.1:{port0}/")
    instance.begin()
    first = instance.variables["UNKNOT_PORT_0"]
    with socket.create_connection(("127.0.0.1", int(first))) as client:
        client.sendall(b"x")
        while client.recv(1000):
            pass
    instance.reset()
    assert instance.is_alive()
    assert instance.variables["UNKNOT_PORT_0"] != first


def test_strangers_are_known_by_name() -> None:
    text = "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as listener:
        assert listener.stdout is not None
        port = int(listener.stdout.readline())
        assert foreign_listener(port, [os.getpid()]).startswith("python")
        assert foreign_listener(port, [listener.pid]) == ""
        listener.communicate(b"\n")
    assert foreign_listener(port, []) == ""
