"""The tests of one whole run: what they are called, which is under way, what came out of each."""

import json
import os
from collections.abc import Mapping
from typing import Any

import pytest

from unknot.runners.pytest.inside.event_file import EventFile
from unknot.runners.pytest.inside.footprint import Footprint
from unknot.runners.pytest.inside.options import neutralise
from unknot.runners.pytest.inside.plugin import unique_ids
from unknot.runners.pytest.inside.verdict import Verdict
from unknot.runners.sandbox.lifeline import die_with_parent
from unknot.runners.sandbox.originals import Originals, SharedPlaces

_SCRATCH = pytest.StashKey[str]()


def take_request(variable: str, early_config: Any) -> dict[str, Any] | None:
    """The request that the environment names, once: tests must not find it. None if it names none, and then nothing is
    done. Otherwise the process dies with its parent; shared files are kept before they change, where no overlay keeps
    them apart; and pytest-cov measures nothing: beside a plugin that measures itself it would disturb,
    beside any other it would cost time."""
    if variable not in os.environ:
        return None
    if hasattr(early_config.known_args_namespace, "no_cov"):
        early_config.known_args_namespace.no_cov = True
        early_config.known_args_namespace.cov_source = []
    with open(os.environ.pop(variable), encoding="utf-8") as file:
        request: dict[str, Any] = json.load(file)
    die_with_parent(request["parent"])
    places = SharedPlaces.from_text(request["places"])
    if not places.private:
        footprint = Footprint(places, Originals(request["originals"]))
        footprint.install()
        footprint.start()
    early_config.stash[_SCRATCH] = request["scratch"]
    return request


def configure(config: Any) -> None:
    """The suite's own order, in the scratch directory of the request; nothing if there was none."""
    scratch = config.stash.get(_SCRATCH, None)
    if scratch is not None:
        neutralise(config)
        config.option.basetemp = scratch


class WholeRunTests:
    """What every plugin for a whole run keeps besides what it is there for. `request` says which tests to leave out,
    where to write which one is under way, and where the answer goes."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._request = request
        self._progress = EventFile(request["progress"])
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
        self._progress.write(json.dumps(test) + "\n")
        self._progress.flush()
        return test

    def add(self, report: Any) -> None:
        if self._current is not None:
            self._current.add(report)

    def end(self) -> float:
        """How long the test took that is over now."""
        ended, self._current = self._current, None
        return ended.seconds if ended is not None else 0.0

    def answer(self, document: Mapping[str, object] | None = None, *, problem: str = "") -> None:
        """Writes the answer, as a whole: this document, or else what came out of each test, and what kept us from
        writing down the rest. The process may be ended as soon as it is there."""
        outcomes = {"tests": {test: verdict.outcome for test, verdict in self.verdicts.items()}}
        found = {**(outcomes if document is None else document), "problem": problem or self._progress.problem}
        unfinished = f"{self._request['answer']}.unfinished"
        with open(unfinished, "w", encoding="utf-8") as file:
            json.dump(found, file)
        os.replace(unfinished, self._request["answer"])
