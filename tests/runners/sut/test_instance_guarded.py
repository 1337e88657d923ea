"""A worker that is killed while it holds instances: nothing is left, no port is lost."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from unknot.runners.sandbox.ports import is_taken

WORKER = """
import json, os, sys, time
from pathlib import Path
from unknot.runners.sut.config import instance_spec
from unknot.runners.sut.instance import Instance
from unknot.runners.sandbox.sandbox import OpenSandbox

reported = []
opened = []
for table in json.loads(sys.argv[1]):
    open_sandbox = OpenSandbox()
    instance = Instance(instance_spec(table, "x"), open_sandbox.sandbox, Path.cwd(), dict(os.environ))
    instance.begin()
    sandbox = open_sandbox.sandbox
    reported.append([next(iter(sandbox.mark.items())), str(sandbox.home), instance.variables["UNKNOT_PORT_0"]])
    opened.append((open_sandbox, instance))
print(json.dumps(reported), flush=True)
time.sleep(600)
"""

NASTY = """
import os, signal, socket, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
if os.environ.get("DETACHED") and os.fork():
    signal.pause()
if os.environ.get("DETACHED"):
    os.setsid()
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"])))
server.listen()
while True:
    server.accept()[0].close()
"""


@pytest.fixture
def worker(work: Path) -> Iterator[subprocess.Popen[bytes]]:
    (work / "nasty.py").write_text(NASTY)
    nasty = {"start": [sys.executable, "-I", "-S", "nasty.py"], "ports": 1, "ready": "port"}
    tables = [nasty, {**nasty, "env": {"DETACHED": "1"}}]
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, json.dumps(tables)], cwd=work, stdout=subprocess.PIPE, start_new_session=True
    )
    yield process
    process.kill()
    process.communicate()


def until(happens: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not happens() and time.monotonic() < deadline:
        time.sleep(0.02)
    return happens()


def with_mark(mark: str) -> list[str]:
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            if mark.encode() in Path("/proc", entry, "environ").read_bytes().split(b"\0"):
                found.append(entry)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_left_of_a_killed_worker(worker: subprocess.Popen[bytes], number: signal.Signals) -> None:
    assert worker.stdout is not None
    reported = json.loads(worker.stdout.readline())
    assert len(reported) == 2
    for (name, value), home, port in reported:
        assert len(with_mark(f"{name}={value}")) >= 2
        assert Path(home).is_dir()
        socket.create_connection(("127.0.0.1", int(port))).close()
    worker.send_signal(number)
    assert until(lambda: not any(with_mark(f"{name}={value}") for (name, value), _, _ in reported))
    assert until(lambda: not any(Path(home).exists() for _, home, _ in reported))
    assert until(lambda: not any(is_taken(int(port), lingering=False) for _, _, port in reported))
