"""The fixture with the ports of an instance: started once for a session, or that of unknot."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SERVER = """
import sys
from http.server import HTTPServer, SimpleHTTPRequestHandler

with open("started.txt", "a") as log:
    log.write("started\\n")
HTTPServer(("127.0.0.1", int(sys.argv[1])), SimpleHTTPRequestHandler).serve_forever()
"""
INSTANCE = '[instance]\nstart = "python server.py {port0}"\nports = 1\nready = "port"\n'
TESTS = """
import socket

def test_first(unknot_ports):
    socket.create_connection(("127.0.0.1", unknot_ports[0])).close()
    assert len(unknot_ports) == 1

def test_second(unknot_ports):
    socket.create_connection(("127.0.0.1", unknot_ports[0])).close()
"""


def run(directory: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "UNKNOT_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=directory, capture_output=True,
        text=True, check=False, env={**inherited, **environment},
    )  # fmt: skip


def project(directory: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (directory / name).write_text(text)
    return directory


def test_an_instance_is_started_once_for_the_session_and_ended(tmp_path: Path) -> None:
    here = project(tmp_path, {"server.py": SERVER, "unknot.toml": INSTANCE, "test_it.py": TESTS})
    done = run(here)
    assert done.returncode == 0, done.stdout
    assert (here / "started.txt").read_text() == "started\n"


def test_under_unknot_the_ports_are_those_of_its_instance(tmp_path: Path) -> None:
    tests = "def test_ports(unknot_ports):\n    assert unknot_ports == (11, 22)\n"
    done = run(project(tmp_path, {"test_it.py": tests}), UNKNOT_PORT_0="11", UNKNOT_PORT_1="22")
    assert done.returncode == 0, done.stdout


def test_without_an_instance_the_test_says_what_is_missing(tmp_path: Path) -> None:
    done = run(project(tmp_path, {"test_it.py": "def test_ports(unknot_ports): ...\n"}))
    assert done.returncode == 1
    assert "describes no instance of the application" in done.stdout
    assert "instance.md" in done.stdout
