"""Reads of attributes: of modules, instances and classes."""

import copy
import importlib
import pickle
import sys
import types
from abc import ABC
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

import pytest
from read_watching import OFTEN, ReadsOf, read_watch

from unknot.recorder.native import _watch


@pytest.fixture
def reads_of() -> Iterator[ReadsOf]:
    with read_watch() as reads_of:
        yield reads_of


SHOP = """
CART = []
OTHER = 1
def total(): return len(CART)
def other(): return OTHER + max(1, 2)
def put(): global CART; CART = [1]
def missing():
    try: return NOT_THERE
    except NameError: return None
"""


@pytest.fixture
def shop() -> Iterator[Any]:
    module = types.ModuleType("shop_that_is_watched")
    exec(SHOP, module.__dict__)
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


def import_from() -> None:
    exec("from shop_that_is_watched import CART")


def test_a_modules_names(shop: Any, reads_of: ReadsOf) -> None:
    def from_outside() -> object:
        return shop.CART

    for reader in (from_outside, shop.total, shop.other):
        for _ in range(OFTEN):
            reader()
    assert _watch.watch(shop, "CART", "cart")
    for _ in range(OFTEN):
        assert reads_of(from_outside) == ["cart"]
        assert reads_of(shop.total) == ["cart"]
        assert reads_of(shop.other) == []
    assert reads_of(import_from) == ["cart"]
    assert reads_of(lambda: getattr(shop, "CART")) == ["cart"]  # noqa: B009
    assert reads_of(lambda: vars(shop)["CART"]) == ["cart"]
    assert reads_of(shop.put) == []
    assert reads_of(lambda: setattr(shop, "CART", [])) == []
    assert reads_of(lambda: (shop.total(), shop.CART)) == ["cart"]


def test_a_name_that_is_not_there(shop: Any, reads_of: ReadsOf) -> None:
    _watch.watch(shop, "NOT_THERE", "gone")
    assert reads_of(shop.missing) == ["gone"]
    assert reads_of(lambda: hasattr(shop, "NOT_THERE")) == ["gone"]


def test_a_module_of_another_class(reads_of: ReadsOf) -> None:
    class Lazy(types.ModuleType):
        pass

    module: Any = Lazy("lazy")
    exec(SHOP, module.__dict__)
    assert _watch.watch(module, "OTHER", "other")
    assert reads_of(lambda: module.OTHER) == ["other"]
    assert reads_of(module.other) == ["other"]
    assert type(module) is Lazy


def test_a_watched_modules_class_can_be_set(shop: Any, reads_of: ReadsOf) -> None:
    class Strict(types.ModuleType):
        pass

    _watch.watch(shop, "CART", "cart")
    shop.__class__ = Strict
    assert type(shop) is Strict
    assert reads_of(lambda: shop.CART) == ["cart"]
    total = shop.total
    assert reads_of(total) == ["cart"]


def test_a_watched_module_can_be_loaded_again(tmp_path: Any, monkeypatch: Any, reads_of: ReadsOf) -> None:
    (tmp_path / "loaded_again.py").write_text("VALUE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("loaded_again")
    _watch.watch(module, "VALUE", "value")
    assert importlib.reload(module) is module
    assert reads_of(lambda: module.VALUE) == ["value"]
    del sys.modules["loaded_again"]


class Cart:
    """With a dict, inline or not."""

    count = 0
    limit = 5

    def __init__(self) -> None:
        self.items: list[str] = []
        self.owner = "alice"

    def size(self) -> int:
        return len(self.items)


class Slotted:
    __slots__ = ("items", "owner")

    def __init__(self) -> None:
        self.items: list[str] = []
        self.owner = "alice"

    def size(self) -> int:
        return len(self.items)


@dataclass
class Data:
    items: list[str]
    owner: str = "alice"

    def size(self) -> int:
        return len(self.items)


class Computed(Cart):
    """`__getattribute__` in Python."""

    def __getattribute__(self, name: str) -> Any:
        return super().__getattribute__(name)


class Fallback(Cart):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return name


def with_a_dict() -> Cart:
    cart = Cart()
    vars(cart)["more"] = 1
    return cart


INSTANCES: list[Callable[[], Any]] = [Cart, with_a_dict, Slotted, lambda: Data([]), Computed, Fallback]


@pytest.mark.parametrize("make", INSTANCES)
def test_an_instances_attribute(make: Callable[[], Any], reads_of: ReadsOf) -> None:
    watched, other = make(), make()

    def direct(cart: Any) -> object:
        return cart.items

    def of_another_name(cart: Any) -> object:
        return cart.owner

    def write(cart: Any) -> None:
        cart.items = []

    for _ in range(OFTEN):
        for reader in (direct, of_another_name, write, type(watched).size):
            reader(watched)
            reader(other)
    assert _watch.watch(watched, "items", "items")
    for _ in range(OFTEN):
        assert reads_of(lambda: direct(watched)) == ["items"]
        assert reads_of(lambda: watched.size()) == ["items"]
        assert reads_of(lambda: (direct(other), other.size())) == []
        assert reads_of(lambda: of_another_name(watched)) == []
        assert reads_of(lambda: write(watched)) == []
    assert reads_of(lambda: hasattr(watched, "items")) == ["items"]
    assert reads_of(lambda: copy.copy(watched)) == ["items"]
    assert reads_of(lambda: pickle.dumps(watched)) == ["items"]


def test_reading_all_of_an_instance(reads_of: ReadsOf) -> None:
    cart, data = Cart(), Data([])
    _watch.watch(cart, "items", "cart")
    _watch.watch(data, "items", "data")
    assert reads_of(lambda: vars(cart)) == ["cart"]
    assert reads_of(lambda: cart.__dict__) == ["cart"]
    assert reads_of(lambda: asdict(data)) == ["data"]
    assert reads_of(lambda: repr(data)) == ["data"]
    assert reads_of(lambda: data == Data([])) == ["data"]
    assert reads_of(lambda: exec("match data:\n case Data(items=[]): pass", {"data": data, "Data": Data})) == ["data"]


def test_any_attribute_of_an_instance(reads_of: ReadsOf) -> None:
    cart = Cart()
    _watch.watch(cart, None, "cart")
    assert reads_of(lambda: cart.owner) == ["cart"]
    assert reads_of(lambda: cart.size) == [], "looking up a method does not read the object"


def test_an_instance_that_changes_its_class(reads_of: ReadsOf) -> None:
    class Other(Cart):
        pass

    for _ in range(100):
        cart = Cart()
        _watch.watch(cart, "items", "items")
        cart.__class__ = Other
        assert reads_of(cart.size) == ["items"]
        del cart
    assert _watch.watched() == 0
    carts = [Cart() for _ in range(100)]
    assert reads_of(lambda: [cart.items for cart in carts]) == []


def test_a_class_that_changes_its_bases(reads_of: ReadsOf) -> None:
    class First(Cart):
        pass

    class Second(Cart):
        pass

    class Heir(First):
        pass

    heir = Heir()
    _watch.watch(heir, "items", "items")
    _watch.watch(First, "limit", "limit")
    Heir.__bases__ = (Second,)
    assert reads_of(lambda: (heir.items, heir.limit)) == ["items"]


class Shop(Cart):
    pass


class Abstract(ABC):  # noqa: B024
    count = 0


class Level(Enum):
    LOW = 1


def test_a_class_attribute(reads_of: ReadsOf) -> None:
    cart, shop = Cart(), Shop()

    readers: list[Callable[[], object]] = [
        lambda: Cart.count,
        lambda: Shop.count,
        lambda: cart.count,
        lambda: shop.count,
        lambda: getattr(Shop, "count"),  # noqa: B009
    ]
    others: list[Callable[[], object]] = [lambda: Cart.limit, lambda: shop.limit, lambda: shop.owner, lambda: int.real]
    for reader in (*readers, *others):
        for _ in range(OFTEN):
            reader()
    assert _watch.watch(Cart, "count", "count")
    for _ in range(OFTEN):
        assert [reads_of(reader) for reader in readers] == [["count"]] * len(readers)
        assert [reads_of(reader) for reader in others] == [[]] * len(others)
    assert reads_of(lambda: setattr(Cart, "count", 0)) == []
    assert reads_of(lambda: vars(Cart)) == ["count"]


def test_a_call_reads_a_patched_method(reads_of: ReadsOf) -> None:
    cart, shop = Cart(), Shop()

    def call() -> int:
        return cart.size()

    def call_on_class() -> int:
        return Cart.size(shop)

    for _ in range(OFTEN):
        call()
        call_on_class()
    _watch.watch(Cart, "size", "size")
    for _ in range(OFTEN):
        assert reads_of(call) == ["size"]
        assert reads_of(call_on_class) == ["size"]
        assert reads_of(lambda: shop.size()) == ["size"]


def test_what_hides_a_class_attribute(reads_of: ReadsOf) -> None:
    class Own(Cart):
        limit = 7

    own = Own()
    own.count = 3
    _watch.watch(Cart, "count", "count")
    _watch.watch(Cart, "limit", "limit")
    assert reads_of(lambda: (own.count, own.limit, Own.limit)) == []
    assert reads_of(lambda: Own.count) == ["count"]


def test_a_class_made_later(reads_of: ReadsOf) -> None:
    _watch.watch(Cart, "count", "count")

    class Later(Shop):
        pass

    assert reads_of(lambda: Later.count) == ["count"]
    later = Later()
    assert reads_of(lambda: later.count) == ["count"]


@pytest.mark.parametrize(("of", "name"), [(Abstract, "count"), (Level, "LOW")])
def test_classes_with_a_metaclass(of: type, name: str, reads_of: ReadsOf) -> None:
    assert _watch.watch(of, name, "read")
    assert reads_of(lambda: getattr(of, name)) == ["read"]


def test_a_class_that_gets_its_own_attribute_access(reads_of: ReadsOf) -> None:
    class Changed(Cart):
        pass

    changed: Any = Changed()
    _watch.watch(changed, "items", "items")
    Changed.__getattr__ = lambda self, name: name  # type: ignore[attr-defined]
    assert reads_of(lambda: changed.items) == ["items"]
    assert changed.unknown == "unknown"
    del Changed.__getattr__  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = changed.unknown
    assert reads_of(lambda: changed.items) == ["items"]


@pytest.mark.parametrize(
    "thing", [bytearray(b"x"), (1,), frozenset({1}), 5, "text", len, iter([]), (x for x in (1,)), int, Cart.size]
)
def test_what_cannot_be_watched(thing: object) -> None:
    assert not _watch.watch(thing, None, "no")
    assert _watch.watched() == 0
