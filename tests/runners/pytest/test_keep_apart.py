"""Tests that are known to touch what no fork copies share nothing."""

import textwrap
from pathlib import Path

import pytest

from unknot.model.run import OrderRequest
from unknot.model.suite import TestId
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

TESTS = """
import pytest

def test_first(): pass

@pytest.mark.parametrize("number", range(40))
def test_other(number): pass
"""
FIRST = TestId("test_it.py::test_first")
OTHERS = [TestId(f"test_it.py::test_other[{number}]") for number in range(40)]


def executions(directory: Path, apart: list[TestId]) -> int:
    with open_suite(Settings(directory, workers=1), fork=True) as opened:
        opened.runner.keep_apart([*apart, TestId("test_it.py::gone")])
        return sum(run.executed for run in opened.runner.run_orders([OrderRequest((FIRST, other)) for other in OTHERS]))


def test_a_shared_beginning_is_run_less_often_unless_it_is_kept_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(textwrap.dedent(TESTS))
    assert executions(tmp_path, []) < 2 * len(OTHERS)
    assert executions(tmp_path, [FIRST]) == 2 * len(OTHERS)
