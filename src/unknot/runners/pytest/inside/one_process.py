"""The pytest plugin of a run in one process, in the suite's own order: keeps what each test did, and how long it took.

Loaded with `-p` by `one_process` beside this package; does nothing unless the environment names a file to write.
Collecting makes many objects and hardly any garbage: the collector of garbage rests meanwhile, and passes them over
when tests run.
"""

import gc
import json
import os
import time
from typing import Any

import pytest

from unknot.runners.pytest.inside.options import RESULTS, STARTED, keep_order
from unknot.runners.pytest.inside.verdict import Verdict

_collects_garbage = False
if RESULTS in os.environ:
    _collects_garbage = gc.isenabled()
    gc.disable()


class OneProcess:
    """Registered in the process that was started with the variable, not in those that a test starts."""

    def __init__(self, path: str, started: float) -> None:
        self._path = path
        self._started = started
        self._collecting = 0.0
        self._numbers: dict[Any, str] = {}
        self._verdicts: dict[str, Verdict] = {}
        self._current: Verdict | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> None:
        self._collecting = time.time() - self._started
        seen: dict[str, int] = {}
        for item in session.items:
            count = seen[item.nodeid] = seen.get(item.nodeid, 0) + 1
            self._numbers[item] = item.nodeid if count == 1 else f"{item.nodeid}#{count}"
        if _collects_garbage:
            gc.freeze()
            gc.enable()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> None:
        self._current = self._verdicts[self._numbers.get(item, item.nodeid)] = Verdict()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if self._current is not None:
            self._current.add(report)

    def pytest_sessionfinish(self) -> None:
        results = {test: [found.outcome, found.seconds, found.story] for test, found in self._verdicts.items()}
        with open(f"{self._path}.new", "w", encoding="utf-8") as file:
            json.dump({"collecting": self._collecting, "results": results}, file)
        os.replace(f"{self._path}.new", self._path)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    if RESULTS in os.environ:
        keep_order(config)
        started = float(os.environ.pop(STARTED, "0") or time.time())
        config.pluginmanager.register(OneProcess(os.environ.pop(RESULTS), started), "unknot-one-process")
