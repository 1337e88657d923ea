"""One verdict for each test, though a prerequisite may run on several workers."""

from collections.abc import Callable
from typing import Any

Event = tuple[str, dict[str, Any]]

_OF_ONE_TEST = frozenset({"logstart", "logfinish", "testreport"})


class Echoes:
    """Stands between a worker and pytest-xdist's queue of events, and drops what the worker tells about tests whose
    verdict comes from another worker. The controller cannot do that later: no hook can take a report back.

    Called in the thread that listens to the worker. `silence` is called before the worker is sent the tests in
    question, so no report can come earlier. A repetition that fails is remembered: its dependents are likely to fail,
    and the user should hear why. How far the worker has come is remembered too: xdist counts a test as under way until
    the worker has said that it goes on, and one that dies before has brought its last test to an end all the same.
    """

    def __init__(self, put: Callable[[Event], None]) -> None:
        self._put = put
        self._silent: frozenset[int] = frozenset()
        self._silent_ids: frozenset[str] = frozenset()
        self.failed: dict[str, None] = {}
        self.begun = 0
        self.judged: set[int | None] = set()

    def silence(self, indices: frozenset[int], ids: frozenset[str]) -> None:
        """`indices` are positions in the worker's collection, `ids` the node ids of the same tests."""
        self._silent = indices
        self._silent_ids = ids

    def __call__(self, event: Event) -> None:
        name, details = event
        if name == "logstart":
            self.begun += 1
        if name == "testreport":
            self._note(details["rep"])
        if name not in _OF_ONE_TEST or not self._is_echo(name, details):
            self._put(event)

    def _note(self, report: Any) -> None:
        index = getattr(report, "item_index", None)
        if report.when == "teardown":
            self.judged.add(index)
        if report.failed and index in self._silent:
            self.failed[report.nodeid] = None

    def _is_echo(self, name: str, details: dict[str, Any]) -> bool:
        if name == "testreport":
            return getattr(details["rep"], "item_index", None) in self._silent
        return details["nodeid"] in self._silent_ids
