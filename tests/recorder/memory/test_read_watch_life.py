"""When tokens are reported, what the callback may do, and how watched objects die."""

import gc
import subprocess
import sys
import threading
import time
import types
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from read_watching import ReadsOf, read_watch

from unknot.recorder.native import _watch


@pytest.fixture
def reads_of() -> Iterator[ReadsOf]:
    with read_watch() as reads_of:
        yield reads_of


class Cart:
    count = 0

    def __init__(self) -> None:
        self.items = [1]


class Slotted:
    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items = [1]


class Tags(set[int]):
    pass


def test_once_in_an_epoch(reads_of: ReadsOf) -> None:
    container = {"a": 1, "b": 2}
    _watch.watch(container, "a", "a")
    _watch.watch(container, "b", "b")
    assert reads_of(lambda: (container["a"], container["a"], len(container))) == ["a", "b"]
    assert reads_of(lambda: container["b"]) == ["b"]


def test_nothing_is_reported_while_it_is_off(reads_of: ReadsOf) -> None:
    container = {"a": 1}
    _watch.watch(container, "a", "a")
    _watch.next_epoch()
    assert container["a"] == 1
    assert reads_of(lambda: None) == []
    assert reads_of(lambda: container["a"]) == ["a"], "a read while it was off does not count"


def test_the_token_is_replaced(reads_of: ReadsOf) -> None:
    container = {"a": 1, "b": 2}
    for token in ("first", "second"):
        _watch.watch(container, "a", token)
    _watch.watch(container, "b", "b")
    assert _watch.watched() == 2
    assert reads_of(lambda: (container["a"], container["b"])) == ["b", "second"]


def test_a_token_replaced_in_mid_epoch(reads_of: ReadsOf) -> None:
    container = {"a": 1, "b": 2}
    _watch.watch(container, "a", "first")
    _watch.watch(container, "b", "b")

    def read() -> None:
        _ = container["a"]
        _watch.watch(container, "a", "second")
        _ = container["a"], container["b"]

    assert reads_of(read) == ["b", "first", "second"]


def test_unwatching_one_key(reads_of: ReadsOf) -> None:
    container = {"a": 1, "b": 2}
    _watch.watch(container, "a", "a")
    _watch.watch(container, "b", "b")
    _watch.unwatch(container, "a")
    assert reads_of(lambda: len(container)) == ["b"]
    _watch.unwatch(container, "b")
    _watch.unwatch(container, "never")
    assert type(container) is dict
    assert _watch.watched() == 0


def test_all_is_as_it_was_after_unwatching() -> None:
    slots = type.__getattribute__
    containers: list[Any] = [{}, [], set(), types.ModuleType("shop"), deque(), OrderedDict(), Cart(), Slotted(), Cart]
    types_before = [type(container) for container in containers]
    with read_watch():
        for container in containers:
            assert _watch.watch(container, None, "token")
        assert _watch.watched() == 9
    assert all(type(container) is of for container, of in zip(containers, types_before, strict=True))
    assert type.__getattribute__ is slots
    assert _watch.watched() == 0


def test_the_callback_may_read_raise_and_unwatch() -> None:
    container = {"a": 1}
    reported: list[object] = []

    def callback(token: object) -> None:
        reported.append((token, container["a"], len(container)))
        _watch.unwatch_all()
        raise ValueError("not the suite's concern")

    with read_watch() as reads_of:
        _watch.install(callback, lambda token: None)
        _watch.watch(container, "a", "a")
        reads_of(lambda: container["a"])
    assert reported == [("a", 1, 1)]


def test_an_error_on_its_way_is_kept(reads_of: ReadsOf) -> None:
    class Computed:
        count = 0

        def __getattr__(self, name: str) -> Any:
            raise AttributeError("no attribute " + name)

    computed = Computed()
    _watch.watch(Computed, "gone", "gone")
    with pytest.raises(AttributeError, match="no attribute gone"):
        reads_of(lambda: computed.gone)


MAKERS: list[Callable[[], Any]] = [
    lambda: {"a": 1},
    lambda: [1],
    lambda: {1},
    lambda: deque([1]),
    lambda: OrderedDict(a=1),
    lambda: Tags({1}),
    lambda: types.ModuleType("shop"),
    Cart,
    Slotted,
    lambda: type("Made", (Cart,), {"more": 1}),
    lambda: type("Made", (dict,), {})(),
]


@pytest.mark.parametrize("make", MAKERS)
def test_what_dies_is_forgotten(make: Callable[[], Any], reads_of: ReadsOf) -> None:
    for _ in range(200):
        thing = make()
        assert _watch.watch(thing, "a", "dead")
        del thing
    gc.collect()
    assert _watch.watched() == 0

    def make_and_read() -> None:
        for _ in range(300):
            thing = make()
            getattr(thing, "a", None)
            if hasattr(thing, "__len__"):
                len(thing)

    assert reads_of(make_and_read) == []


@pytest.mark.parametrize("make", MAKERS)
def test_what_dies_in_a_circle_is_forgotten(make: Callable[[], Any], reads_of: ReadsOf) -> None:
    class Knot:
        pass

    gone = []
    for _ in range(50):
        knot: Any = Knot()
        thing = make()
        knot.itself, knot.thing = knot, thing
        if isinstance(thing, dict):
            dict.__setitem__(thing, "knot", knot)
        elif isinstance(thing, list | deque):
            thing.append(knot)
        _watch.watch(thing, "a", "thing")
        _watch.watch(knot, "thing", "knot")
        gone.append(weakref.ref(knot))
        del knot, thing
    gc.collect()
    assert not any(reference() for reference in gone)
    assert _watch.watched() == 0


def test_deep_structures_end_well(reads_of: ReadsOf) -> None:
    deep: list[Any] = []
    kept = []
    for _ in range(20_000):
        deep = [deep]
        _watch.watch(deep, None, "deep")
        kept.append(id(deep))
    del deep
    assert _watch.watched() == 0


def test_references_are_balanced(reads_of: ReadsOf) -> None:
    token, key = object(), "a unique key"
    container = {key: 1}
    things: list[Any] = [dict, list, set, deque, Cart, Slotted, type, container, token]

    def one_round() -> None:
        cart, slotted, items, tags, queue = Cart(), Slotted(), [1], {1}, deque([1])
        for thing, name in ((container, key), (cart, "items"), (slotted, "items"), (Cart, "count")):
            _watch.watch(thing, name, token)
        for whole in (items, tags, queue):
            _watch.watch(whole, None, token)
        reads_of(lambda: (container[key], cart.items, slotted.items, Cart.count, len(items), 1 in tags, queue[0]))
        _watch.unwatch_all()

    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(thing) for thing in things]

    for _ in range(10):
        one_round()
    before = counts()
    for _ in range(500):
        one_round()
    assert all(abs(after - ago) <= 10 for after, ago in zip(counts(), before, strict=True))


def test_a_hundred_threads(reads_of: ReadsOf) -> None:
    module: Any = types.ModuleType("shop")
    source = "CART = {}\ndef work():\n  for i in range(50):\n    CART[i % 7] = len(CART)\n    sleep(0)\n"
    module.sleep = time.sleep
    exec(source, module.__dict__)
    finished: list[int] = []

    def work() -> None:
        module.work()
        finished.append(1)

    threads = [threading.Thread(target=work) for _ in range(100)]
    for number, thread in enumerate(threads):
        thread.start()
        _watch.watch(module, "CART", number)
        _watch.watch(module.CART, number % 7, number)
        reads_of(lambda: len(module.CART))
        if number % 7 == 0:
            _watch.unwatch_all()
    for thread in threads:
        thread.join()
    assert len(finished) == 100


PROGRAM = """
import builtins, sys, os
from unknot.recorder.native import _watch
class Cart:
    count = 0
cart = Cart()
_watch.install(lambda token: None, lambda token: None)
main = sys.modules["__main__"]
for thing in (sys.modules, vars(builtins), sys.path, os.environ._data, main, cart, Cart, type(os.environ)):
    assert _watch.watch(thing, None, "token")
_watch.set_active(True)
import json.tool
print(len(sys.path) > 0, Cart.count)
"""


def test_a_process_may_end_with_everything_watched() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True 0\n", "")
