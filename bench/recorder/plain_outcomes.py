"""A pytest plugin: what came out of each test, by the same rules as in a recording, into the file that the environment
names."""

import json
import os
from collections.abc import Generator
from typing import Any

import pytest

from unknot.runners.pytest.inside.plugin import unique_ids
from unknot.runners.pytest.inside.verdict import Verdict

_verdicts: dict[str, Verdict] = {}
_names: dict[Any, str] = {}
_current: list[str] = []


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[Any]) -> None:
    _names.update(zip(items, unique_ids(items), strict=True))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: Any) -> Generator[None, object, object]:
    _current[:] = [_names[item]]
    return (yield)


def pytest_runtest_logreport(report: Any) -> None:
    _verdicts.setdefault(_current[0], Verdict()).add(report)


def pytest_unconfigure() -> None:
    with open(os.environ["BENCH_OUTCOMES"], "w", encoding="utf-8") as file:
        json.dump({test: verdict.outcome for test, verdict in _verdicts.items()}, file)
