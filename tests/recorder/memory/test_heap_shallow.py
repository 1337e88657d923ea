"""Others' modules: what was put in the place of their functions and classes."""

import builtins
import gc
import types
import weakref
from collections.abc import Iterator

import pytest

from unknot.recorder.native._heap import Change, Heap

_SOURCE = """
import json

LIMIT, CACHE = 1, {}

def now():
    return 0

class Clock:
    zone = "utc"
    seen = []
    def read(self):
        return 0
"""


class Others:
    def __init__(self) -> None:
        self.module = types.ModuleType("clocks")
        exec(_SOURCE, vars(self.module))
        self.heap = Heap(lambda _name: False, lambda _name: False)
        self.compare()

    def compare(self) -> list[Change]:
        return self.heap.compare([], [("clocks", self.module), ("builtins", builtins)])

    def after(self, source: str) -> list[Change]:
        exec(source, vars(self.module))
        return self.compare()


@pytest.fixture
def others() -> Iterator[Others]:
    yield Others()
    vars(builtins).pop("unknot_tried", None)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("now = lambda: 1", ["changed clocks.now"]),
        ("now = 3", ["changed clocks.now"]),
        ("LIMIT = lambda: 1", ["changed clocks.LIMIT"]),
        ("del now", ["removed clocks.now"]),
        ("def later(): pass", ["added clocks.later"]),
        ("json = None", ["changed clocks.json"]),
        ("class Clock: pass", ["changed clocks.Clock"]),
        ("Clock.read = lambda self: 1", ["changed clocks.Clock.read"]),
        ("Clock.zone = 'cet'", ["changed clocks.Clock.zone"]),
        ("Clock.seen = []", ["changed clocks.Clock.seen"]),
        ("Clock.more = 1", ["added clocks.Clock.more"]),
        ("del Clock.read", ["removed clocks.Clock.read"]),
        ("Clock.read = Clock.read; now = now", []),
        ("LIMIT = 2; CACHE['x'] = 1; NEW = 3; Clock.seen.append(1)", []),
        ("Clock().read(); Clock.__doc__; Clock.__annotations__", []),
        ("__builtins__['unknot_tried'] = 1", ["added builtins.unknot_tried"]),
    ],
)
def test_what_was_replaced(others: Others, source: str, found: list[str]) -> None:
    vars(others.module)["__builtins__"] = vars(builtins)
    others.compare()

    changes = others.after(source)

    assert [f"{change.how} {change.name}" for change in changes] == found
    assert others.compare() == []
    for change in changes:
        root = others.module if change.root == "clocks" else builtins
        assert others.heap.fingerprint_at(root, change.path) == change.fingerprint
        assert change.how == "removed" or change.container in (root, others.module.Clock)


def test_replaced_and_put_back(others: Others) -> None:
    (replaced,) = others.after("kept = 0; saved = [now]; now = lambda: 1")
    (restored,) = others.after("now = saved[0]")

    assert (restored.fingerprint, restored.fingerprint_before) == (replaced.fingerprint_before, replaced.fingerprint)
    assert others.after("saved.append(now); now = None; now = saved.pop()") == []


def test_a_value_has_the_same_fingerprint_before_and_after(others: Others) -> None:
    (changed,) = others.after("Clock.zone = 'cet'")
    (back,) = others.after("Clock.zone = 'utc'")

    assert (back.fingerprint, back.fingerprint_before) == (changed.fingerprint_before, changed.fingerprint)


def test_submodules_that_are_imported_are_no_change(others: Others) -> None:
    vars(others.module)["hands"] = types.ModuleType("clocks.hands")

    assert others.compare() == []


def test_a_module_that_is_new_gone_or_another_one(others: Others) -> None:
    more = types.ModuleType("more")
    vars(more)["tick"] = len

    assert others.heap.compare([], [("more", more), ("clocks", others.module)]) == []
    vars(more)["tick"] = print
    assert [change.name for change in others.heap.compare([], [("more", more)])] == ["more.tick"]
    again = types.ModuleType("more")
    assert others.heap.compare([], [("more", again), ("clocks", others.module)]) == []


def test_neither_modules_nor_their_classes_are_kept_alive(others: Others) -> None:
    more = types.ModuleType("more")
    exec("class Thing:\n    x = 1", vars(more))
    dying = weakref.ref(more.Thing)
    others.heap.compare([], [("more", more)])
    others.heap.compare([], [("more", more)])
    del more.Thing
    gc.collect()

    assert dying() is None
    assert [change.name for change in others.heap.compare([], [("more", more)])] == ["more.Thing"]
