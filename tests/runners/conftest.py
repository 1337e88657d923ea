"""Real suites on disk and a real runner to ask about them."""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from unknot.model.run import OrderRequest, Run
from unknot.model.suite import TestId
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files below a new project directory and returns it."""

    def written(files: Mapping[str, str]) -> Path:
        directory = tmp_path / "project"
        for name, text in {"pytest.ini": "[pytest]\n", **files}.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        return directory

    return written


@pytest.fixture(params=["fork", "fresh"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ask(mode: str) -> Callable[..., list[Run]]:
    """Runs orders, given by the names of tests, in their sequence; without any, the suite's own order."""

    def asked(directory: Path, *orders: Sequence[str], attempts: int = 1, **settings: Any) -> list[Run]:
        with open_suite(Settings(directory, **settings), fork=mode == "fork") as opened:
            suite = opened.collected.suite
            wanted = [suite.tests] if not orders else [tuple(map(TestId, order)) for order in orders]
            requests = [OrderRequest(order, attempt) for order in wanted for attempt in range(attempts)]
            answers = {run.request: run for run in opened.runner.run_orders(requests)}
            return [answers[request] for request in requests]

    return asked
