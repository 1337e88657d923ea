"""What a test leaves changed in memory is found, and named by its path."""

import types

import pytest
from walked_module import WalkedModule

from unknot.recorder.native._heap import Heap

_SHOP = """
import array, collections, contextvars, enum, functools, io, itertools, random, threading, weakref

CART, ITEMS, TAGS, COUNT = {}, [], set(), 0
QUEUE, BYTES, NUMBERS = collections.deque(), bytearray(b"x"), array.array("i", [1])
PAIR = (1, [2])

class User:
    count = 0
    names = {}
    def __init__(self, name="x"):
        self.name = name
        self.tags = []
    @classmethod
    def make(cls, made=[]):
        made.append(1)

class Slotted:
    __slots__ = ("a", "b")

class SlottedToo(Slotted):
    __slots__ = ("c", "__dict__")

class Basket(dict):
    pass

class Row(list):
    pass

class Color(enum.Enum):
    RED = 1
    BLUE = 2

USER, SLOTTED, SLOTTED_TOO, BASKET, ROW, COLOR = User(), Slotted(), SlottedToo(), Basket(), Row(), Color.RED

def make():
    count = 0
    def counter():
        nonlocal count
        count += 1
    return counter

counter = make()

def add(item, into=[], *, also={}):
    into.append(item)
    also[item] = 1

def total():
    return 0

@functools.lru_cache(maxsize=8)
def rate(currency):
    return 2 * currency

@functools.cache
def prices(day):
    return [day]

def numbers():
    for number in range(9):
        yield number

GENERATOR, COUNTER, ITERATOR, PAIRS = numbers(), itertools.count(), iter([1, 2, 3]), enumerate("abc")
TEXT, BINARY, DICE, LOCAL = io.StringIO(), io.BytesIO(), random.Random(7), threading.local()
VARIABLE = contextvars.ContextVar("VARIABLE", default=0)
PARTIAL = functools.partial(add, [])
ORDERED, BY_DEFAULT = collections.OrderedDict(), collections.defaultdict(list)
WEAK = weakref.WeakKeyDictionary()
"""


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("CART['alice'] = 1", ["shop.CART['alice']"]),
        ("CART[3, b'x'] = 1", ["shop.CART[(3, b'x')]"]),
        ("CART[USER] = 1", ["shop.CART[<User object>]"]),
        ("CART = {'bob': 1}", ["shop.CART"]),
        ("ITEMS.append(1)", ["shop.ITEMS"]),
        ("ITEMS.append(User())", ["shop.ITEMS"]),
        ("TAGS.add('x')", ["shop.TAGS{'x'}"]),
        ("TAGS.add(USER)", ["shop.TAGS"]),
        ("QUEUE.append(1)", ["shop.QUEUE"]),
        ("BYTES.append(1)", ["shop.BYTES"]),
        ("NUMBERS[0] = 2", ["shop.NUMBERS"]),
        ("COUNT += 1", ["shop.COUNT"]),
        ("COUNT = True", ["shop.COUNT"]),
        ("COUNT = 0.0", ["shop.COUNT"]),
        ("COUNT = -1", ["shop.COUNT"]),
        ("PAIR[1].append(3)", ["shop.PAIR[1]"]),
        ("PAIR = (2, PAIR[1])", ["shop.PAIR"]),
        ("User.count += 1", ["shop.User.count"]),
        ("User.names['x'] = 1", ["shop.User.names['x']"]),
        ("User.make()", ["shop.User.make.__defaults__[0]"]),
        ("User.method = lambda self: 1", ["shop.User.method"]),
        ("USER.name = 'y'", ["shop.USER.name"]),
        ("USER.tags.append(1)", ["shop.USER.tags"]),
        ("USER.other = 1", ["shop.USER.other"]),
        ("del USER.name", ["shop.USER.name"]),
        ("vars(USER)['name'] = 'y'", ["shop.USER.name"]),
        ("SLOTTED.b = 1", ["shop.SLOTTED.b"]),
        ("SLOTTED_TOO.a = 1", ["shop.SLOTTED_TOO.a"]),
        ("SLOTTED_TOO.c = SLOTTED_TOO.d = 1", ["shop.SLOTTED_TOO.d", "shop.SLOTTED_TOO.c"]),
        ("BASKET['x'] = 1", ["shop.BASKET['x']"]),
        ("BASKET.x = 1", ["shop.BASKET.x"]),
        ("ROW.append(1)", ["shop.ROW"]),
        ("ROW.x = 1", ["shop.ROW.x"]),
        ("COLOR = Color.BLUE", ["shop.COLOR"]),
        ("counter()", ["shop.counter.<closure count>"]),
        ("add(1)", ["shop.add.__defaults__[0]", "shop.add.__kwdefaults__['also'][1]"]),
        ("add.__defaults__ = (5,)", ["shop.add.__defaults__[0]"]),
        ("add.calls = 1", ["shop.add.calls"]),
        ("total.__code__ = (lambda: 1).__code__", ["shop.total"]),
        ("total = lambda: 0", ["shop.total"]),
        ("rate(1)", ["shop.rate.<cache>"]),
        ("prices('today')", ["shop.prices.<cache>"]),
        ("next(GENERATOR)", ["shop.GENERATOR.<position>"]),
        ("next(COUNTER)", ["shop.COUNTER.<position>"]),
        ("next(ITERATOR)", ["shop.ITERATOR.<position>"]),
        ("next(PAIRS)", ["shop.PAIRS.<position>"]),
        ("TEXT.write('a')", ["shop.TEXT"]),
        ("BINARY.write(b'a')", ["shop.BINARY"]),
        ("DICE.random()", ["shop.DICE.<state>"]),
        ("LOCAL.connection = 1", ["shop.LOCAL.connection"]),
        ("VARIABLE.set(1)", ["shop.VARIABLE.<value>"]),
        ("PARTIAL.args[0].append(1)", ["shop.PARTIAL.args[0]"]),
        ("ORDERED['x'] = 1", ["shop.ORDERED['x']"]),
        ("BY_DEFAULT['x']", ["shop.BY_DEFAULT['x']"]),
        ("WEAK[USER] = 1", ["shop.WEAK.data[<User object>]"]),
        ("import os", ["shop.os"]),
        ("del COUNT", ["shop.COUNT"]),
        ("total()", []),
    ],
)
def test_what_is_left_changed_is_found_and_named(source: str, names: list[str]) -> None:
    shop = WalkedModule(_SHOP)

    changes = shop.after(source)

    assert [change.name for change in changes] == names
    assert shop.compare() == [], "the next snapshot is compared with the new one"
    for change in changes:
        assert change.root == "shop"
        assert shop.heap.fingerprint_at(shop.module, change.path) == change.fingerprint
        assert change.fingerprint != change.fingerprint_before


def test_a_change_within_an_added_object_is_not_a_second_change() -> None:
    shop = WalkedModule("CART = {}")

    assert shop.names_after("CART['alice'] = {'items': [1]}") == ["shop.CART['alice']"]
    assert shop.names_after("CART['alice']['items'].append(2)") == ["shop.CART['alice']['items']"]


def test_a_write_that_is_undone_is_no_change() -> None:
    shop = WalkedModule("CART = {'alice': 1}; COUNT = 0")

    assert shop.after("CART['bob'] = 1; COUNT = 5; del CART['bob']; COUNT = 0") == []


def test_added_changed_and_removed_are_distinguished_with_their_fingerprints() -> None:
    shop = WalkedModule("CART = {}")

    (added,) = shop.after("CART['alice'] = [1]")
    (changed,) = shop.after("CART['alice'] = (1,)")
    (removed,) = shop.after("del CART['alice']")

    assert [change.how for change in (added, changed, removed)] == ["added", "changed", "removed"]
    assert (added.fingerprint_before, removed.fingerprint) == (0, 0)
    assert (changed.fingerprint_before, removed.fingerprint_before) == (added.fingerprint, changed.fingerprint)
    assert [change.shown for change in (added, changed, removed)] == ["[1]", "(1,)", ""]
    assert all(change.container is shop.module.CART and change.key == "alice" for change in (added, changed, removed))
    assert removed.name == "shop.CART['alice']"


def test_what_cannot_be_watched_names_the_slot_that_holds_it() -> None:
    shop = WalkedModule(_SHOP)

    (closure,) = shop.after("counter()")
    (cache,) = shop.after("rate(1)")
    (item,) = shop.after("CART['ids'] = itertools.count()")
    (position,) = shop.after("next(CART['ids'])")

    assert (closure.holder, closure.holder_key) == (shop.module, "counter")
    assert (cache.container, cache.key, cache.holder_key) == (shop.module.rate, None, "rate")
    assert (item.holder, item.holder_key) == (shop.module.CART, "ids")
    assert (position.container, position.holder, position.holder_key) == (
        shop.module.CART["ids"],
        shop.module.CART,
        "ids",
    )


def test_aliases_are_one_object_named_by_the_shortest_path() -> None:
    shop = WalkedModule("CART = {'alice': []}; ALIAS = CART['alice']")

    (change,) = shop.after("CART['alice'].append(1)")

    assert change.name == "shop.ALIAS"


def test_rebinding_to_another_old_object_is_a_write_of_the_slot() -> None:
    shop = WalkedModule("A = [1]; B = [2]; Z = [3]")

    assert shop.names_after("A = B") == ["shop.A"]
    assert shop.names_after("Z = A") == ["shop.Z"]
    assert shop.names_after("B.append(4)") == ["shop.A"]
    assert shop.names_after("B = [2, 4]") == [], "no longer the same object, but of the same content"
    assert shop.names_after("B.append(5)") == ["shop.B"]


def test_a_class_is_named_by_the_module_that_defines_it() -> None:
    package, models = types.ModuleType("shop"), types.ModuleType("shop.models")
    exec("class User:\n    count = 0", vars(models))
    vars(package).update(User=models.User, models=models)
    heap = Heap(lambda name: name.startswith("shop"), lambda _name: False)
    roots = [("shop", package), ("shop.models", models)]
    heap.compare(roots)

    models.User.count = 1

    assert [change.name for change in heap.compare(roots)] == ["shop.models.User.count"]


def test_objects_of_libraries_count_by_identity() -> None:
    shop = WalkedModule("import json, collections; dump = json.dumps; Queue = collections.UserList")

    assert shop.names_after("collections.UserList.extra = 1; del collections.UserList.extra") == []
    assert shop.names_after("dump = json.loads; Queue = collections.UserDict") == ["shop.dump", "shop.Queue"]


def test_the_environment_is_known_by_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    heap = Heap(lambda _name: False, lambda _name: False)
    heap.compare([("os.environ", os.environ)])
    monkeypatch.setenv("UNKNOT_TRIED", "1")

    (change,) = heap.compare([("os.environ", os.environ)])

    assert (change.name, change.key) == ("os.environ['UNKNOT_TRIED']", b"UNKNOT_TRIED")
    assert change.shown == "b'1'"


def test_a_new_root_is_no_change_and_a_lost_one_neither() -> None:
    shop = WalkedModule("CART = {}")
    other = types.ModuleType("shop.other")
    vars(other)["STATE"] = {}
    roots = [("shop", shop.module), ("shop.other", other)]

    assert shop.heap.compare(roots) == []
    other.STATE["x"] = 1
    assert [change.name for change in shop.heap.compare(roots)] == ["shop.other.STATE['x']"]
    assert shop.compare() == []


def test_many_changes_of_one_dictionary_are_one() -> None:
    shop = WalkedModule("CART = {}")

    changes = shop.after("CART.update((number, 1) for number in range(5000))")

    assert len(changes) < 300
    assert (changes[-1].container, changes[-1].key, changes[-1].name) == (shop.module.CART, None, "shop.CART")
