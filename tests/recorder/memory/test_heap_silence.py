"""What is no change is not reported, and a snapshot has no side effects: it runs no code and keeps nothing alive."""

import gc
import sys
import threading
import types
import weakref

import pytest
from walked_module import WalkedModule

from unknot.recorder.native._heap import Heap

_SHOP = """
import datetime, decimal, fractions, functools, pathlib, re, threading, uuid, weakref

class User:
    def __init__(self, name="x"):
        self.name = name
        self.friends = [1, {"a": (1, 2)}]

USER, LOCK, PATH = User(), threading.Lock(), pathlib.Path("a") / "b"
CART = {"alice": User("alice"), 1: {2: [3]}}
BIG, FRACTION, ID = 2**200, fractions.Fraction(1, 3), uuid.UUID(int=5)
WHEN, COST, WORD = datetime.datetime(2020, 1, 1), decimal.Decimal("1.5"), re.compile("a+", re.I)
REF = weakref.ref(USER)

@functools.lru_cache
def rate(currency):
    return 2

rate(1)

def make():
    count = [0]
    return lambda: count

function = make()
"""


@pytest.mark.parametrize(
    "source",
    [
        "USER.__dict__",
        "vars(USER)['name']",
        "USER = User()",
        "USER.friends = [1, {'a': (1, 2)}]",
        "CART = {1: {2: [3]}, 'alice': User('alice')}",
        "CART['alice'] = CART.pop('alice')",
        "CART['alice'] = User('alice')",
        "del CART['alice']; CART['alice'] = User(''.join(['al', 'ice']))",
        "LOCK.acquire()",
        "LOCK = threading.Lock()",
        "str(PATH); hash(PATH); PATH.parts; PATH.name",
        "PATH = pathlib.Path('a', 'b'); str(PATH)",
        "BIG = 2**199 * 2",
        "FRACTION = fractions.Fraction(2, 6); ID = uuid.UUID(int=5)",
        "WHEN = datetime.datetime(2020, 1, 1); COST = decimal.Decimal('1.5')",
        "re.purge(); WORD = re.compile('a+', re.I)",
        "rate(1)",
        "REF = weakref.ref(CART['alice'])",
        "User.__doc__, User.__annotations__, User.__subclasshook__, User.__abstractmethods__ if 0 else 0",
        "function()",
        "__warningregistry__ = {}; __pytest_wrapped__ = 1",
    ],
)
def test_the_same_content_is_no_change(source: str) -> None:
    shop = WalkedModule(_SHOP)

    assert shop.after(source) == []


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("BIG = 2**200 + 2**61 - 1", "shop.BIG"),
        ("FRACTION = fractions.Fraction(1, 4)", "shop.FRACTION"),
        ("ID = uuid.UUID(int=6)", "shop.ID"),
        ("WHEN = datetime.datetime(2020, 1, 1, fold=1)", "shop.WHEN"),
        ("WHEN = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)", "shop.WHEN"),
        ("COST = decimal.Decimal('1.6')", "shop.COST"),
        ("WORD = re.compile('b+', re.I)", "shop.WORD"),
        ("PATH = PATH / 'c'", "shop.PATH"),
        ("function = make()", "shop.function"),
        ("CART['alice'] = User('bob')", "shop.CART['alice']"),
    ],
)
def test_other_content_is_one(source: str, name: str) -> None:
    shop = WalkedModule(_SHOP)

    assert shop.names_after(source) == [name]


def test_none_of_the_suites_code_is_run() -> None:
    shop = WalkedModule("""
        CALLS = []

        class Watchful(type):
            def __getattribute__(cls, name):
                CALLS.append(("meta", name))
                return super().__getattribute__(name)
            def __eq__(cls, other):
                CALLS.append("meta ==")
                return True
            def __hash__(cls):
                CALLS.append("meta hash")
                return 1

        def said(what):
            def method(self, *arguments):
                CALLS.append(what)
                raise RuntimeError(what)
            return method

        class Touchy(metaclass=Watchful):
            for name in ("getattribute", "getattr", "repr", "str", "len", "iter", "eq", "bool", "contains", "getitem",
                         "get", "set", "call", "format", "length_hint", "reduce_ex", "sizeof"):
                vars()[f"__{name}__"] = said(name)
            __hash__ = lambda self: 1
            secret = property(said("property"))

        class TouchyDict(dict):
            __iter__ = keys = items = values = __len__ = __getitem__ = __repr__ = __eq__ = said("dict")

        class TouchyList(list):
            __iter__ = __len__ = __getitem__ = __repr__ = __eq__ = said("list")

        class TouchyText(str):
            __eq__ = __repr__ = __len__ = said("text")
            __hash__ = said("text hash")

        class TouchyNumber(int):
            __eq__ = __repr__ = __index__ = __int__ = __hash__ = said("number")

        ONE, DICT, LIST, TEXT, NUMBER = Touchy(), TouchyDict(a=1), TouchyList([1]), TouchyText("a"), TouchyNumber(3)
        BY_KEY = {ONE: 1}
        SET = {ONE}
        del CALLS[:]
        """)
    shop.compare()
    shop.run("dict.__setitem__(DICT, 'b', 1); list.append(LIST, 2); BY_KEY[5] = NEW = object.__new__(Touchy)")
    shop.run("object.__setattr__(ONE, 'x', TouchyText('b')); NUMBER = TouchyNumber(4); TEXT = TouchyText('b')")
    del shop.module.CALLS[:]

    changes = shop.compare()
    for change in changes:
        assert shop.heap.fingerprint_at(shop.module, change.path) == change.fingerprint
    names = {change.name for change in changes}

    assert names == {
        "shop.DICT['b']",
        "shop.LIST",
        "shop.BY_KEY[5]",
        "shop.NEW",
        "shop.ONE.x",
        "shop.NUMBER",
        "shop.TEXT",
    }
    assert shop.module.CALLS == []
    del changes, change
    shop.module.CALLS.clear()


def test_nothing_of_the_suite_is_kept_alive() -> None:
    shop = WalkedModule("""
        class User: pass
        class Other: pass
        USER, OTHER = User(), Other()
        CART, TAGS = {USER: OTHER}, {USER}
        """)
    dying = [weakref.ref(shop.module.USER), weakref.ref(shop.module.Other)]
    assert shop.compare() == []
    shop.run("del USER, OTHER, Other, CART, TAGS")
    gc.collect()

    assert [reference() for reference in dying] == [None, None]
    assert {change.name for change in shop.compare()} >= {"shop.USER", "shop.Other"}


def test_a_removed_key_that_is_dead_is_still_reported() -> None:
    shop = WalkedModule("class User: pass\nCART = {User(): 1}")

    (change,) = shop.after("CART.clear()")

    assert (change.name, change.how, change.key) == ("shop.CART[<User object>]", "removed", None)


def test_addresses_that_are_used_again_neither_hide_nor_invent_changes() -> None:
    shop = WalkedModule("class User:\n    def __init__(self, name): self.name = name\nSLOT = None")
    for number in range(500):
        shop.run(f"SLOT = None; SLOT = User({number // 2})")
        changed = bool(shop.compare())
        assert changed == (number % 2 == 0)


def test_a_snapshot_makes_no_dictionary() -> None:
    shop = WalkedModule("class User:\n    def __init__(self): self.name = 1\nUSER = User()")

    assert not any(isinstance(found, dict) for found in gc.get_referents(shop.module.USER))


def test_a_class_stopped_by_name_counts_by_identity() -> None:
    names = []

    def is_stopped(name: str) -> bool:
        names.append(name)
        return name == "shop.Noisy"

    shop = WalkedModule("class Noisy: pass\nNOISY = Noisy()", is_stopped)

    assert shop.names_after("NOISY.x = 1") == []
    assert shop.names_after("NOISY = Noisy()") == ["shop.NOISY"]
    assert names.count("shop.Noisy") == 1


def test_names_that_are_stopped_are_ignored_everywhere() -> None:
    module = types.ModuleType("shop")
    exec("class User: pass\nUSER = User()", vars(module))
    heap = Heap(lambda name: name == "shop", lambda _name: False, stop_names=frozenset({"noise", "tmp_*"}))
    heap.compare([("shop", module)])

    exec("noise = 1; tmp_x = 2; USER.noise = 3; User.noise = 4; USER.quiet = 5", vars(module))
    vars(module)["".join(["no", "ise"])] = 6

    assert [change.name for change in heap.compare([("shop", module)])] == ["shop.USER.quiet"]


def test_a_container_retyped_by_our_tracker_is_what_it_was() -> None:
    tracking = type("dict", (dict,), {"__unknot_tracks__": dict, "__slots__": ()})
    module_class = type("module", (types.ModuleType,), {"__unknot_tracks__": types.ModuleType, "__slots__": ()})
    shop = WalkedModule("class Holder: pass\nHOLDER = Holder(); HOLDER.cart = {'a': [1]}")
    shop.module.HOLDER.cart = tracking({"a": [1]})
    shop.module.__class__ = module_class

    assert shop.compare() == []
    assert shop.names_after("HOLDER.cart['b'] = 1") == ["shop.HOLDER.cart['b']"]


def test_an_error_of_a_callable_is_raised_and_the_heap_still_works() -> None:
    module = types.ModuleType("shop")
    exec("class User: pass\nUSER = User()", vars(module))
    angry = [True]

    def is_users(name: str) -> bool:
        if angry.pop():
            raise ValueError(name)
        return True

    heap = Heap(is_users, lambda _name: False)
    with pytest.raises(ValueError, match="shop"):
        heap.compare([("shop", module)])
    angry[:] = [False] * 10
    assert heap.compare([("shop", module)]) == []
    vars(module)["x"] = 1
    assert [change.name for change in heap.compare([("shop", module)])] == ["shop.x"]


def test_snapshots_while_threads_run_and_objects_die() -> None:
    shop = WalkedModule("CART = {}; ITEMS = []")
    is_over = threading.Event()

    def work(name: str) -> None:
        while not is_over.is_set():
            shop.module.CART[name] = [object() for _ in range(20)]
            shop.module.ITEMS[:] = [{name: []}, type("T", (), {"x": 1})(), lambda: name]
            shop.module.CART.pop(name, None)

    threads = [threading.Thread(target=work, args=(str(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        for change in shop.compare():
            assert change.name.startswith("shop.")
    is_over.set()
    for thread in threads:
        thread.join()


def test_no_reference_is_leaked() -> None:
    shop = WalkedModule(_SHOP + "\nSTATE = {}")
    sentinel = "".join(["a key ", "of ours"])
    shop.module.STATE[sentinel] = [sentinel]

    def turn(number: int) -> None:
        shop.run(f"STATE['x{number % 3}'] = User(); STATE.pop('x{(number + 1) % 3}', None); rate({number % 7})")
        for change in shop.compare():
            shop.heap.fingerprint_at(shop.module, change.path)
        shop.heap.fingerprint(shop.module.STATE)

    for number in range(50):
        turn(number)
    gc.collect()
    user = shop.module.USER
    references = sys.getrefcount(sentinel), sys.getrefcount(user), sys.getrefcount(type(user))
    blocks = sys.getallocatedblocks()
    for number in range(50, 1100):
        turn(number)
    gc.collect()

    more = sys.getallocatedblocks() - blocks
    after = sys.getrefcount(sentinel), sys.getrefcount(user), sys.getrefcount(type(user))
    assert more < 300
    assert after == references
