"""A system under test that comes back elsewhere after a reset is found there by the next order's tests."""

import sys
import textwrap
from pathlib import Path

import pytest
from old_server import KEEPS_ITS_PORT

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings
from unknot.runners.sut.config import instance_spec

_SUITE = """
    import os, socket
    def test_is_there():
        port = int(os.environ["UNKNOT_PORT_0"])
        with open(os.environ["TELL"], "a") as told:
            print(port, file=told)
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"x")
            while client.recv(1000):
                pass
    def test_is_there_too(): test_is_there()
"""


@pytest.mark.parametrize("fork", [True, False])
def test_the_next_order_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fork: bool) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("TELL", str(tmp_path / "told"))
    project = tmp_path / "project"
    project.mkdir()
    (project / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (project / "test_it.py").write_text(textwrap.dedent(_SUITE), encoding="utf-8")
    (project / "server.py").write_text(textwrap.dedent(KEEPS_ITS_PORT), encoding="utf-8")
    table = {"start": [sys.executable, "-I", "-S", "server.py"], "ports": 1, "ready": "port", "reset": "restart"}
    settings = Settings(project, instance=instance_spec(table, "unknot.toml"), workers=1)
    with open_suite(settings, fork=fork) as opened:
        tests = opened.collected.suite.tests
        runs = list(opened.runner.run_orders([OrderRequest(tests), OrderRequest(tests[::-1]), OrderRequest(tests[:1])]))
    assert [result.outcome for run in runs for result in run.results] == [Outcome.PASSED] * 5
    ports = (tmp_path / "told").read_text(encoding="utf-8").split()
    assert len(set(ports)) > 1, "it never moved: this tests nothing"
