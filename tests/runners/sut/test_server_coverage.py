"""The lines that the programs of an instance run, from request to request."""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from unknot.model.web.code_coverage import Ranges, StepCoverage, ranges_of
from unknot.runners.sut.instance import SandboxedInstance
from unknot.runners.sut.server_coverage import ServerCoverage
from unknot.runners.sut.spec import InstanceSpec

SERVER = """\
import os, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass

    def do_GET(self):
        if self.path == "/first":
            body = b"1"
        else:
            body = b"2"
        self.send_response(200)
        self.send_header("Content-Length", "1")
        self.end_headers()
        self.wfile.write(body)

server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
for _ in range(int(sys.argv[2])):
    if not os.fork():
        break
os.write(1, b"%d\\n" % server.server_port)
server.serve_forever()
"""
FIRST, SECOND = ranges_of([5, 8, 9, 12, 13, 14, 15]), ranges_of([5, 8, 11, 12, 13, 14, 15])
CODE = ranges_of([1, 2, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22])


@pytest.fixture
def sockets() -> Iterator[Path]:
    """A short path: that of a socket has a limit."""
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory)


Started = Callable[..., tuple[ServerCoverage, str]]


@pytest.fixture
def started(sockets: Path, tmp_path: Path) -> Iterator[Started]:
    """Starts the server in the project, measured, and returns where it answers."""
    processes: list[subprocess.Popen[str]] = []

    def start(
        *flags: str,
        sources: tuple[str, ...] = (),
        forks: int = 0,
        variables: Mapping[str, str] | None = None,
    ) -> tuple[ServerCoverage, str]:
        (tmp_path / "server.py").write_text(SERVER)
        coverage = ServerCoverage(sockets, tmp_path, sources)
        environment = coverage.environment({**os.environ, **(variables or {})})
        words = [sys.executable, *flags, "server.py", "0", str(forks)]
        process = subprocess.Popen(
            words, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        processes.append(process)
        assert process.stdout is not None
        for _ in range(forks):
            process.stdout.readline()
        return coverage, f"http://127.0.0.1:{process.stdout.readline().strip()}"

    yield start
    for process in processes:
        os.killpg(process.pid, 9)
        process.communicate()


def get(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        return str(answer.read().decode())


def lines(coverage: StepCoverage) -> Ranges:
    return coverage.ran.server_lines.get("server.py", ())


def test_each_answer_has_the_lines_since_the_last_one(started: Started) -> None:
    coverage, address = started()
    loaded = coverage.taken()
    assert dict(loaded.known.server_lines) == {"server.py": CODE}
    # The port is open before the last line has run.
    get(f"{address}/second")
    coverage.taken()
    for path, expected in (("/first", FIRST), ("/first", FIRST), ("/second", SECOND)):
        get(address + path)
        step = coverage.taken()
        assert lines(step) == expected
        assert set(step.ran.server_lines) == {"server.py"}
        assert not step.known
    assert not coverage.taken().ran
    assert coverage.problem == ""


def test_processes_that_are_forked_hand_over_theirs(started: Started) -> None:
    coverage, address = started(forks=2)
    coverage.taken()
    found = StepCoverage()
    for _ in range(20):
        get(f"{address}/first")
        found = found.union(coverage.taken())
    assert lines(found) == FIRST


def test_a_process_that_ends_leaves_its_last_lines(sockets: Path, tmp_path: Path) -> None:
    (tmp_path / "short.py").write_text("first = 1\nif not first:\n    second = 2\n")
    coverage = ServerCoverage(sockets, tmp_path, ())
    subprocess.run([sys.executable, "short.py"], cwd=tmp_path, env=coverage.environment(os.environ), check=True)
    step = coverage.taken()
    assert dict(step.ran.server_lines) == {"short.py": ranges_of([1, 2])}
    assert dict(step.known.server_lines) == {"short.py": ranges_of([1, 2, 3])}
    assert list(sockets.iterdir()) == []
    assert not coverage.taken().ran


def test_only_the_sources_that_are_named_count(sockets: Path, tmp_path: Path) -> None:
    for name in ("inside", "outside"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("value = 1\n")
    (tmp_path / "main.py").write_text("import inside, outside\n")
    coverage = ServerCoverage(sockets, tmp_path, ("inside",))
    subprocess.run([sys.executable, "main.py"], cwd=tmp_path, env=coverage.environment(os.environ), check=True)
    assert set(coverage.taken().ran.server_lines) == {"inside/__init__.py"}


def test_the_installed_package_of_a_command_is_own_code(sockets: Path, tmp_path: Path) -> None:
    coverage = ServerCoverage(sockets, tmp_path, ())
    words = [str(Path(sys.executable).with_name("shtab")), "--version"]
    subprocess.run(words, cwd=tmp_path, env=coverage.environment(os.environ), check=True, stdout=subprocess.DEVNULL)
    names = set(coverage.taken().ran.server_lines)
    assert names
    assert all(name.startswith("shtab/") for name in names)


def test_another_sitecustomize_still_runs(sockets: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text("import builtins\nbuiltins.customized = 1\n")
    coverage = ServerCoverage(sockets, tmp_path, ())
    environment = coverage.environment({**os.environ, "PYTHONPATH": str(other)})
    code = "import sitecustomize, sys; print(customized, sitecustomize.__file__, *sys.path)"
    words = [sys.executable, "-c", code]
    printed = subprocess.run(words, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout
    assert printed.startswith(f"1 {other / 'sitecustomize.py'} ")
    assert "injected" not in printed


def test_without_coverage_py_the_program_runs_and_the_reason_is_known(started: Started, tmp_path: Path) -> None:
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "coverage.py").write_text("raise ImportError\n")
    coverage, address = started(variables={"PYTHONPATH": str(shadow)})
    assert get(f"{address}/first") == "1"
    assert coverage.taken() == StepCoverage()
    assert coverage.problem == f"coverage.py is not installed for {sys.executable}"


def test_a_program_without_pythonpath_is_not_measured(started: Started) -> None:
    coverage, address = started("-I")
    assert get(f"{address}/first") == "1"
    assert coverage.taken() == StepCoverage()
    assert "PYTHONPATH" in coverage.problem


def test_a_process_that_was_killed_is_forgotten(started: Started, sockets: Path) -> None:
    coverage, _ = started()
    (path,) = sockets.iterdir()
    os.kill(int(path.stem), 9)
    for _ in range(500):
        if not list(sockets.iterdir()):
            break
        coverage.taken()
        time.sleep(0.01)
    assert list(sockets.iterdir()) == []


def test_an_instance_is_measured_across_resets(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    spec = InstanceSpec(start=(sys.executable, "server.py", "{port0}", "0"), ports=1, ready=("port",))
    instance = SandboxedInstance(spec, tmp_path, measured=True)
    try:
        coverage = instance.coverage
        assert coverage is not None
        for _ in range(2):
            instance.reset()
            assert dict(coverage.taken().known.server_lines) == {"server.py": CODE}
            for _ in range(2):
                get(f"http://127.0.0.1:{instance.variables['UNKNOT_PORT_0']}/first")
                step = coverage.taken()
            assert lines(step) == FIRST
    finally:
        instance.close()


def test_an_instance_that_is_not_measured_has_no_coverage(tmp_path: Path) -> None:
    instance = SandboxedInstance(InstanceSpec(), tmp_path)
    assert instance.coverage is None
    instance.close()
