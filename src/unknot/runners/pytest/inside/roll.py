"""The tests of one whole run: what they are called, which is under way, what came out of each."""

import json
import os
from collections.abc import Mapping
from typing import Any

from unknot.runners.pytest.inside.plugin import unique_ids
from unknot.runners.pytest.inside.verdict import Verdict


class Roll:
    """What every plugin for a whole run keeps besides what it is there for. `request` says which tests to leave out,
    where to tell which one is under way, and where the answer goes."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._request = request
        self._process = os.getpid()
        self._names: dict[Any, str] = {}
        self._current: Verdict | None = None
        self.verdicts: dict[str, Verdict] = {}

    @property
    def is_in_child(self) -> bool:
        """Whether this is a process that a test has forked, and that does not know when to end."""
        return os.getpid() != self._process

    def take(self, items: list[Any]) -> None:
        """Names the tests, and drops from the list those that are to be left out."""
        left_out = frozenset(self._request["leave_out"])
        self._names = dict(zip(items, unique_ids(items), strict=True))
        items[:] = [item for item in items if self._names[item] not in left_out]

    def name(self, item: Any) -> str:
        return self._names.get(item) or str(item.nodeid)

    def begin(self, item: Any) -> str:
        """The name of the test, which is under way from now on."""
        test = self.name(item)
        self._current = self.verdicts[test] = Verdict()
        with open(self._request["progress"], "a", encoding="utf-8") as file:
            file.write(json.dumps(test) + "\n")
        return test

    def add(self, report: Any) -> None:
        if self._current is not None:
            self._current.add(report)

    def end(self) -> float:
        """How long the test took that is over now."""
        ended, self._current = self._current, None
        return ended.seconds if ended is not None else 0.0

    def answer(self, document: Mapping[str, object] | None = None) -> None:
        """Writes the answer: this document, or else what came out of each test."""
        outcomes = {"tests": {test: verdict.outcome for test, verdict in self.verdicts.items()}}
        with open(self._request["answer"], "w", encoding="utf-8") as file:
            json.dump(outcomes if document is None else document, file)
