"""Paths lead to the same place again, and fingerprints depend on the content alone."""

import subprocess
import sys

import pytest
from walked_module import WalkedModule

from unknot.recorder.native._heap import Heap

_MADE = """
import collections, datetime, enum, functools, re

class User:
    def __init__(self, name):
        self.name, self.tags = name, {"x", ("y", 1)}

class Color(enum.Enum):
    RED = 1

def total(a, b=[]):
    return a

class Key:
    pass

def made():
    user = User("alice")
    user.me = user
    return {
        "user": user, 5: [1, 2.5, None, True, b"x", 1j], "color": Color.RED, "call": total, "class": User,
        "deque": collections.deque([user]), "when": datetime.datetime(2020, 1, 1), "word": re.compile("a"),
        "partial": functools.partial(total, 3), Key(): {1: {}}, "module": re, "method": user.__init__, "big": 2 ** 300,
    }
"""


@pytest.fixture
def heap() -> Heap:
    return Heap(lambda name: name == "shop", lambda _name: False)


def test_equal_contents_have_equal_fingerprints_in_two_processes() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from walked_module import WalkedModule\n"
        f"junk = [object() for _ in range(int(sys.argv[1]))]\nshop = WalkedModule({_MADE!r})\n"
        "print(shop.heap.fingerprint(shop.module.made()), shop.heap.fingerprint(shop.module.made()))"
    )
    printed = {
        number
        for junk in ("1", "100000")
        for number in subprocess.run(
            [sys.executable, "-c", code, junk], env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True
        ).stdout.split()
    }

    assert len(printed) == 1
    assert printed.isdisjoint({"0"})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({1, "a", (2,)}, {(2,), "a", 1}),
        ([[1], [1]], [[1]] * 2),
        ("abc", "".join(["a", "bc"])),
        (2**100, 2**99 * 2),
    ],
)
def test_equal_contents(heap: Heap, one: object, other: object) -> None:
    assert heap.fingerprint(one) == heap.fingerprint(other) != 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, 2], [2, 1]),
        ([], ()),
        ([], {}),
        (1, 1.0),
        (1, True),
        (0, None),
        (-1, -2),
        ("a", b"a"),
        ({"a": 1}, {"b": 1}),
        ({"a": {}}, {"a": []}),
        ([[1], 2], [1, [2]]),
        ((1, (2,)), (1, 2)),
        (float("nan"), 0.0),
        (0.0, -0.0),
        (2**61 - 1, 0),
        (len, print),
        (int, str),
    ],
)
def test_different_contents(heap: Heap, one: object, other: object) -> None:
    assert heap.fingerprint(one) != heap.fingerprint(other)


def test_paths_are_followed() -> None:
    shop = WalkedModule("""
        import functools
        class User:
            shared = {"x": [1]}
            def __init__(self): self.name = "a"
        class Slotted:
            __slots__ = ("a",)
        class Basket(dict): pass
        def make():
            count = 3
            def counter(into=[5], *, also={6: 7}): return count
            return counter
        counter = make()
        @functools.cache
        def rate(x): return [x]
        rate("eur")
        SLOTTED, BASKET, LISTS = Slotted(), Basket(x=1), [[1], (2, {3: 4})]
        SLOTTED.a, BASKET.x = 8, 9
        NUMBERS = iter([1])
        """)
    paths: list[tuple[list[tuple[str, object]], object]] = [
        ([("attr", "User"), ("attr", "shared"), ("key", "x")], [1]),
        ([("attr", "SLOTTED"), ("attr", "a")], 8),
        ([("attr", "BASKET"), ("key", "x")], 1),
        ([("attr", "BASKET"), ("attr", "x")], 9),
        ([("attr", "LISTS"), ("item", 1), ("item", 1), ("key", 3)], 4),
        ([("attr", "counter"), ("cell", "count")], 3),
        ([("attr", "counter"), ("default", 0)], [5]),
        ([("attr", "counter"), ("kwdefault", "also"), ("key", 6)], 7),
        ([("attr", "rate"), ("cache", "eur")], ["eur"]),
        ([("attr", "rate"), ("cache", None)], shop.module.rate),
        ([("attr", "NUMBERS"), ("position", None)], shop.module.NUMBERS),
        ([], shop.module),
    ]

    for path, there in paths:
        assert shop.heap.follow(shop.module, path) == there
        assert shop.heap.fingerprint_at(shop.module, tuple(path)) == shop.heap.fingerprint(there)


@pytest.mark.parametrize(
    "path",
    [
        [("attr", "nothing")],
        [("attr", "CART"), ("key", "x")],
        [("attr", "CART"), ("key", 1)],
        [("attr", "CART"), ("item", 0)],
        [("attr", "ITEMS"), ("item", 7)],
        [("attr", "ITEMS"), ("cell", "x")],
        [("attr", "ITEMS"), ("unheard of", 1)],
        [("attr", "nothing"), ("attr", "at all")],
    ],
)
def test_a_path_that_leads_nowhere(path: list[tuple[str, object]]) -> None:
    shop = WalkedModule("CART = {}; ITEMS = [1]")

    with pytest.raises(LookupError):
        shop.heap.follow(shop.module, path)
    assert shop.heap.fingerprint_at(shop.module, path) == 0


def test_following_runs_no_code() -> None:
    shop = WalkedModule("""
        class Touchy:
            calls = []
            def __hash__(self): return hash("x")
            def __eq__(self, other): self.calls.append("eq"); return True
            def __getattr__(self, name): self.calls.append(name); return 1
        CART = {Touchy(): 1, 5: 2}
        ONE = Touchy()
        """)
    del shop.module.Touchy.calls[:]

    assert shop.heap.fingerprint_at(shop.module, (("attr", "CART"), ("key", "x"))) == 0
    assert shop.heap.fingerprint_at(shop.module, (("attr", "ONE"), ("attr", "x"))) == 0
    assert shop.heap.follow(shop.module, (("attr", "CART"), ("key", 5))) == 2
    assert shop.module.Touchy.calls == []


def test_the_fingerprint_of_a_slot_changes_with_what_is_below() -> None:
    shop = WalkedModule("CART = {'alice': {'items': []}}")
    path = (("attr", "CART"), ("key", "alice"))
    fingerprints = []
    for source in ("", "CART['alice']['items'].append(1)", "", "CART['alice']['items'].pop()", "CART.clear()"):
        shop.run(source)
        fingerprints.append(shop.heap.fingerprint_at(shop.module, path))

    assert fingerprints[0] == fingerprints[3] != fingerprints[1] == fingerprints[2]
    assert fingerprints[4] == 0
