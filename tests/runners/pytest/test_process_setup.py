"""Libraries that start threads of their own when they are imported."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

Write = Callable[[dict[str, str]], Path]

SOURCE = """
    import os
    import numpy

    def test_the_environment_is_the_users():
        assert os.environ.get("OPENBLAS_NUM_THREADS") == {wanted!r}
"""


@pytest.mark.parametrize("wanted", [None, "2"])
def test_a_suite_that_imports_a_numeric_library_is_forked_and_sees_its_own_environment(
    write: Write, monkeypatch: pytest.MonkeyPatch, wanted: str | None
) -> None:
    pytest.importorskip("numpy")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if wanted is not None:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", wanted)
    directory = write({"test_it.py": SOURCE.format(wanted=wanted)})
    with open_suite(Settings(directory)) as opened:
        suite = opened.collected.suite
        if wanted is None:
            assert opened.forks, opened.why_fresh
        (run,) = opened.runner.run_orders([OrderRequest(suite.tests)])
    assert run.last is Outcome.PASSED, run.results[-1].story
    assert os.environ.get("OPENBLAS_NUM_THREADS") == wanted
