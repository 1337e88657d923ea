"""Suites in which a thread runs when the tests have been collected."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

Write = Callable[[dict[str, str]], Path]

PLUGIN = """
    import heart

    def pytest_configure():
        heart.start()
"""
HEART = """
    import os
    import threading

    def start():
        threading.Thread(target=threading.Event().wait, daemon=True, name="heartbeat").start()
"""
TESTS = """
    import threading

    def test_one():
        assert "heartbeat" in [thread.name for thread in threading.enumerate()]

    def test_two():
        assert "heartbeat" in [thread.name for thread in threading.enumerate()]
"""


def test_the_reason_for_fresh_processes_names_the_thread_and_the_line_that_started_it(write: Write) -> None:
    directory = write({"conftest.py": PLUGIN, "heart.py": HEART, "test_it.py": TESTS})
    with open_suite(Settings(directory)) as opened:
        assert not opened.forks
        assert "`heartbeat`, started at heart.py:6" in opened.why_fresh
        assert "register_at_fork" in opened.why_fresh


def test_a_plugin_outside_the_project_that_calls_the_library_is_named_with_its_version(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "site-packages"
    information = packages / "pytest_heart-0.3.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: pytest-heart\nVersion: 0.3\n")
    (information / "entry_points.txt").write_text("[pytest11]\nheart = pytest_heart\n")
    (packages / "pytest_heart.py").write_text("import heart\n\ndef pytest_configure():\n    heart.start()\n")
    (packages / "heart.py").write_text(textwrap.dedent(HEART))
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    monkeypatch.setenv("PYTHONPATH", str(packages))
    with open_suite(Settings(write({"test_it.py": "def test_it(): pass\n"}))) as opened:
        assert "started at heart.py:6, called from pytest_heart.py:4 of pytest-heart 0.3" in opened.why_fresh


def test_a_suite_whose_thread_is_started_again_after_a_fork_is_forked(write: Write) -> None:
    heart = HEART + "\n    os.register_at_fork(after_in_child=start)\n"
    directory = write({"conftest.py": PLUGIN, "heart.py": heart, "test_it.py": TESTS})
    with open_suite(Settings(directory)) as opened:
        assert opened.forks, opened.why_fresh
        suite = opened.collected.suite
        requests = [OrderRequest(suite.tests), OrderRequest(suite.tests[::-1])]
        for run in opened.runner.run_orders(requests):
            assert [result.outcome for result in run.results] == [Outcome.PASSED] * 2, run.results[-1].story
