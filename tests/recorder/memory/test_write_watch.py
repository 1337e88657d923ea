"""Writes of a watched key, member or attribute are reported, whether or not they change anything."""

import types
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from read_watching import OFTEN, ReadsOf, write_watch

from unknot.recorder.native import _watch


@pytest.fixture
def writes_of() -> Iterator[ReadsOf]:
    with write_watch() as found:
        yield found


class Prices(dict[str, int]):
    pass


class Careful(dict[str, int]):
    def __setitem__(self, key: str, value: int) -> None:
        super().__setitem__(key, value)


class Tags(set[str]):
    pass


def assign(prices: dict[str, int], key: str) -> None:
    prices[key] = 1


def delete(prices: dict[str, int], key: str) -> None:
    del prices[key]


DICTS: list[Callable[..., dict[str, int]]] = [
    dict, Prices, Careful, OrderedDict, lambda of: defaultdict(int, of)
]  # fmt: skip
SETS: list[Callable[..., set[str]]] = [set, Tags]
WRITES_OF_SET: dict[str, Callable[[set[str]], object]] = {
    "add": lambda tags: tags.add("red"),
    "set.add": lambda tags: set.add(tags, "red"),
    "discard": lambda tags: tags.discard("red"),
    "update with a list": lambda tags: tags.update(["blue", "red"]),
    "update with two": lambda tags: tags.update({"blue"}, ("red",)),
}
NO_WRITES_OF_SET: dict[str, Callable[[set[Any]], object]] = {
    "another member": lambda tags: tags.add("blue"),
    "in": lambda tags: "red" in tags,
    "update with others": lambda tags: tags.update(["blue"]),
    "copy": lambda tags: tags | {"red"},
}


@pytest.mark.parametrize("make", DICTS)
@pytest.mark.parametrize("write", [assign, delete])
def test_writing_an_item_of_a_dict(make: Callable[..., Any], write: Callable[..., None], writes_of: ReadsOf) -> None:
    prices = make({"apple": 1, "pear": 1})
    _watch.watch(prices, "apple", "token")
    assert writes_of(lambda: write(prices, "pear")) == []
    assert writes_of(lambda: write(prices, "apple")) == ["token"]


def test_code_that_was_specialised_before_is_noticed(writes_of: ReadsOf) -> None:
    plain, watched = {"apple": 1}, {"apple": 1}
    for _ in range(OFTEN):
        assign(plain, "apple")
    _watch.watch(watched, "apple", "token")
    assert writes_of(lambda: assign(watched, "apple")) == ["token"]


@pytest.mark.parametrize("make", SETS)
@pytest.mark.parametrize("members", [(), ("red",)])
@pytest.mark.parametrize("what", WRITES_OF_SET)
def test_writing_a_member_of_a_set(
    what: str, members: tuple[str, ...], make: Callable[..., set[str]], writes_of: ReadsOf
) -> None:
    tags = make(members)
    _watch.watch(tags, "red", "token")
    assert writes_of(lambda: WRITES_OF_SET[what](tags)) == ["token"]


def test_adding_a_set_in_place(writes_of: ReadsOf) -> None:
    tags = {"red"}
    _watch.watch(tags, "red", "token")

    def take_in(others: set[str]) -> None:
        nonlocal tags
        tags |= others

    assert writes_of(lambda: take_in({"blue"})) == []
    assert writes_of(lambda: take_in({"red"})) == ["token"]


@pytest.mark.parametrize("what", NO_WRITES_OF_SET)
def test_what_is_no_write_of_a_member(what: str, writes_of: ReadsOf) -> None:
    tags = {"red"}
    _watch.watch(tags, "red", "token")
    assert writes_of(lambda: NO_WRITES_OF_SET[what](tags)) == []


def test_writing_an_attribute_of_a_module(writes_of: ReadsOf) -> None:
    module = types.ModuleType("shop")
    vars(module).update(count=1, other=1)
    _watch.watch(module, "count", "token")
    assert writes_of(lambda: setattr(module, "other", 2)) == []
    assert writes_of(lambda: setattr(module, "count", 1)) == ["token"]
    assert writes_of(lambda: module.__setattr__("count", 1)) == ["token"]


def test_a_watched_module_is_written_like_any_other(writes_of: ReadsOf) -> None:
    module: Any = types.ModuleType("shop")
    _watch.watch(module, "count", "token")
    object.__setattr__(module, "count", 1)
    assert module.count == 1
    types.ModuleType.__setattr__(module, "count", 2)
    assert module.count == 2
    del module.count
    with pytest.raises(AttributeError):
        del module.count
    with pytest.raises(TypeError):
        setattr(module, 5, 1)  # type: ignore[arg-type]


def test_only_the_first_write_of_an_epoch_is_reported(writes_of: ReadsOf) -> None:
    tags = {"red"}
    _watch.watch(tags, "red", "token")

    def twice() -> None:
        tags.discard("red")
        tags.add("red")

    assert writes_of(twice) == ["token"]
    assert writes_of(twice) == ["token"]


def test_a_write_that_fails_is_none(writes_of: ReadsOf) -> None:
    prices: dict[str, int] = {}
    _watch.watch(prices, "apple", "token")

    def fail() -> None:
        with pytest.raises(KeyError):
            delete(prices, "apple")

    assert writes_of(fail) == []


def test_an_error_of_the_callback_is_swallowed() -> None:
    tags = {"red"}
    _watch.install(lambda token: None, lambda token: 1 / 0)  # type: ignore[arg-type]
    _watch.watch(tags, "red", "token")
    _watch.next_epoch()
    _watch.set_active(True)
    try:
        tags.add("red")
    finally:
        _watch.set_active(False)
        _watch.unwatch_all()
    assert tags == {"red"}
