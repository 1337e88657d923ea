"""Reads of containers: which operations are reads, of which entry."""

import copy
import json
import marshal
import pickle
import pprint
from collections import ChainMap, Counter, OrderedDict, UserDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum, IntEnum
from typing import Any, NamedTuple

import pytest
from read_watching import OFTEN, ReadsOf, read_watch

from unknot.recorder.native import _watch


@pytest.fixture
def reads_of() -> Iterator[ReadsOf]:
    with read_watch() as reads_of:
        yield reads_of


def unpacked(*_: object, **__: object) -> None: ...


def fill(into: Any, content: Any) -> None:
    into |= content


READS_OF_KEY: dict[str, Callable[[Any], object]] = {
    "d[k]": lambda d: d["a"],
    "get": lambda d: d.get("a"),
    "get a default": lambda d: d.get("a", 1),
    "dict.get": lambda d: dict.get(d, "a"),
    "in": lambda d: "a" in d,
    "__contains__": lambda d: d.__contains__("a"),
    "__getitem__": lambda d: d.__getitem__("a"),
    "pop": lambda d: d.pop("a", None),
    "setdefault": lambda d: d.setdefault("a", 1),
    "+=": lambda d: exec("d['a'] += 1", {"d": d}),
    "in a format": lambda d: "%(a)s" % d,  # noqa: UP031
    "in format_map": lambda d: "{a}".format_map(d),
    "in a chain": lambda d: ChainMap({}, d)["a"],
    "as a name": lambda d: exec("a", d),
}
READS_OF_ALL_OF_DICT: dict[str, Callable[[Any], object]] = {
    "iteration": lambda d: [key for key in d],  # noqa: C416
    "len": len,
    "bool": bool,
    "keys": lambda d: d.keys(),
    "values": lambda d: d.values(),
    "items": lambda d: dict.items(d),
    "==": lambda d: d == {},
    "== from the other side": lambda d: {} == d,  # noqa: SIM300
    "copy": lambda d: d.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "repr": repr,
    "|": lambda d: d | {},
    "| from the other side": lambda d: {} | d,
    "|= into another": lambda d: fill({}, d),
    "update another": lambda d: dict[str, Any]().update(d),
    "**": lambda d: unpacked(**d),
    "{**d}": lambda d: {**d},
    "dict": dict,
    "sorted": sorted,
    "reversed": lambda d: list(reversed(d)),
    "popitem": lambda d: d.popitem(),
    "pickle": pickle.dumps,
    "json": json.dumps,
    "marshal": marshal.dumps,
    "pprint": pprint.pformat,
    "Counter": Counter,
    "fromkeys": dict.fromkeys,
    "UserDict": UserDict,
    "matched": lambda d: exec("match d:\n case {'a': x}: pass", {"d": d}),
}
WRITES_OF_DICT: dict[str, Callable[[Any], object]] = {
    "assignment": lambda d: d.__setitem__("a", 2),
    "assignment by statement": lambda d: exec("d['a'] = 3", {"d": d}),
    "deletion": lambda d: exec("del d['a']", {"d": d}),
    "update": lambda d: d.update(a=4),
    "|=": lambda d: fill(d, {"a": 5}),
    "clear": lambda d: d.clear(),
}
READS_OF_LIST: dict[str, Callable[[Any], object]] = {
    "index": lambda x: x[0],
    "slice": lambda x: x[:1],
    "iteration": lambda x: [item for item in x],  # noqa: C416
    "len": len,
    "bool": bool,
    "in": lambda x: 1 in x,
    "==": lambda x: x == [],
    "== from the other side": lambda x: [] == x,  # noqa: SIM300
    "<": lambda x: x < [0],
    "+": lambda x: [*x, 0],
    "concatenation": lambda x: x + [0],  # noqa: RUF005
    "concatenation on the right": lambda x: [0] + x,  # noqa: RUF005
    "*": lambda x: x * 2,
    "* from the left": lambda x: 2 * x,
    "unpacking": lambda x: exec("a, *b = x", {"x": x}),
    "arguments": lambda x: unpacked(*x),
    "extend another": lambda x: list[int]().extend(x),
    "copy": lambda x: x.copy(),
    "copy.copy": copy.copy,
    "repr": repr,
    "sort": lambda x: x.sort(),
    "reverse": lambda x: x.reverse(),
    "reversed": lambda x: list(reversed(x)),
    "pop": lambda x: x.pop(),
    "count": lambda x: x.count(1),
    "index of": lambda x: x.index(1),
    "remove": lambda x: x.remove(1),
    "tuple": tuple,
    "pickle": pickle.dumps,
    "json": json.dumps,
    "marshal": marshal.dumps,
    "matched": lambda x: exec("match x:\n case [1, *_]: pass", {"x": x}),
}
WRITES_OF_LIST: dict[str, Callable[[Any], object]] = {
    "append": lambda x: x.append(1),
    "extend": lambda x: x.extend([1]),
    "insert": lambda x: x.insert(0, 1),
    "clear": lambda x: x.clear(),
    "assignment": lambda x: x.__setitem__(0, 1),
    "assignment of a slice": lambda x: exec("x[:] = []", {"x": x}),
    "deletion": lambda x: exec("del x[0]", {"x": x}),
    "+=": lambda x: exec("x += [1]", {"x": x}),
}
READS_OF_SET: dict[str, Callable[[Any], object]] = {
    "iteration": lambda x: [item for item in x],  # noqa: C416
    "len": len,
    "bool": bool,
    "set": set,
    "frozenset": frozenset,
    "sorted": sorted,
    "==": lambda x: x == set(),
    "== from the other side": lambda x: {1} == x,
    "<=": lambda x: {1} <= x,
    "|": lambda x: x | {5},
    "| from the other side": lambda x: {5} | x,
    "&": lambda x: {5} & x,
    "-": lambda x: {5} - x,
    "^": lambda x: {5} ^ x,
    "|= into another": lambda x: fill({5}, x),
    "union of another": lambda x: {5}.union(x),
    "difference": lambda x: x.difference({5}),
    "isdisjoint": lambda x: frozenset({5}).isdisjoint(x),
    "update another": lambda x: {5}.update(x),
    "pop": lambda x: x.pop(),
    "copy": lambda x: x.copy(),
    "copy.copy": copy.copy,
    "repr": repr,
    "pickle": pickle.dumps,
    "arguments": lambda x: unpacked(*x),
}
WRITES_OF_SET: dict[str, Callable[[Any], object]] = {
    "add": lambda x: x.add(7),
    "discard": lambda x: x.discard(1),
    "update": lambda x: x.update({7}),
    "clear": lambda x: x.clear(),
    "|=": lambda x: fill(x, {7}),
}
READS_OF_DEQUE: dict[str, Callable[[Any], object]] = {
    "index": lambda x: x[0],
    "iteration": lambda x: [item for item in x],  # noqa: C416
    "len": len,
    "bool": bool,
    "in": lambda x: 1 in x,
    "==": lambda x: x == deque(),
    "== from the other side": lambda x: deque() == x,
    "+": lambda x: x + deque(),
    "pop": lambda x: x.pop(),
    "popleft": lambda x: x.popleft(),
    "copy": lambda x: x.copy(),
    "copy.copy": copy.copy,
    "list": list,
    "repr": repr,
    "reversed": lambda x: list(reversed(x)),
    "pickle": pickle.dumps,
}
WRITES_OF_DEQUE: dict[str, Callable[[Any], object]] = {
    "append": lambda x: x.append(1),
    "appendleft": lambda x: x.appendleft(1),
    "extend": lambda x: x.extend([1]),
    "clear": lambda x: x.clear(),
}


class Named(dict[str, Any]):
    """A dict of the user's."""

    def __init__(self, *content: Any) -> None:
        super().__init__(*content)
        self.name = "named"


DICTS: list[Callable[[], dict[str, Any]]] = [
    lambda: {"a": 1, "b": 2},
    lambda: OrderedDict(a=1, b=2),
    lambda: defaultdict(int, a=1, b=2),
    lambda: Counter(a=1, b=2),
    lambda: Named({"a": 1, "b": 2}),
]
LISTS: list[Callable[[], list[int]]] = [lambda: [1, 2], lambda: type("Items", (list,), {})([1, 2])]
SETS: list[Callable[[], set[int]]] = [lambda: {1, 2}, lambda: type("Tags", (set,), {})([1, 2])]


@pytest.mark.parametrize("make", DICTS)
@pytest.mark.parametrize("what", READS_OF_KEY)
def test_reads_of_a_key(what: str, make: Callable[[], dict[str, Any]], reads_of: ReadsOf) -> None:
    watched, other_key, missing = make(), make(), make()
    del missing["a"]
    _watch.watch(watched, "a", "the key")
    _watch.watch(other_key, "b", "another key")
    _watch.watch(missing, "a", "a key that is gone")
    assert reads_of(lambda: READS_OF_KEY[what](watched)) == ["the key"]
    assert reads_of(lambda: READS_OF_KEY[what](other_key)) == []

    def read_missing() -> None:
        with suppress(KeyError, NameError):
            READS_OF_KEY[what](missing)

    assert reads_of(read_missing) == ["a key that is gone"]


@pytest.mark.parametrize("make", DICTS)
@pytest.mark.parametrize("what", READS_OF_ALL_OF_DICT)
def test_reading_all_of_a_dict(what: str, make: Callable[[], dict[str, Any]], reads_of: ReadsOf) -> None:
    container = make()
    if what == "marshal" and type(container) is not dict:
        pytest.skip("marshal takes exact types only")
    _watch.watch(container, "a", "a")
    _watch.watch(container, "b", "b")
    _watch.watch(container, None, "all")
    assert reads_of(lambda: READS_OF_ALL_OF_DICT[what](container)) == ["a", "all", "b"]


@pytest.mark.parametrize("what", WRITES_OF_DICT)
def test_writing_a_dict_is_no_read(what: str, reads_of: ReadsOf) -> None:
    container = {"a": 1}
    _watch.watch(container, "a", "a")
    _watch.watch(container, None, "all")
    assert reads_of(lambda: WRITES_OF_DICT[what](container)) == []


@pytest.mark.parametrize("make", LISTS)
@pytest.mark.parametrize("what", READS_OF_LIST)
def test_reads_of_a_list(what: str, make: Callable[[], list[int]], reads_of: ReadsOf) -> None:
    container = make()
    if type(container) is not list and what in ("marshal", "pickle", "concatenation on the right"):
        pytest.skip("not so for a class of the user's")
    _watch.watch(container, None, "list")
    assert reads_of(lambda: READS_OF_LIST[what](container)) == ["list"]


@pytest.mark.parametrize("what", WRITES_OF_LIST)
def test_writing_a_list_is_no_read(what: str, reads_of: ReadsOf) -> None:
    container = [1, 2]
    _watch.watch(container, None, "list")
    assert reads_of(lambda: WRITES_OF_LIST[what](container)) == []


@pytest.mark.parametrize("make", SETS)
@pytest.mark.parametrize("what", READS_OF_SET)
def test_reads_of_a_set(what: str, make: Callable[[], set[int]], reads_of: ReadsOf) -> None:
    container = make()
    if type(container) is not set and what == "pickle":
        pytest.skip("not so for a class of the user's")
    _watch.watch(container, None, "set")
    _watch.watch(container, 1, "one")
    assert reads_of(lambda: READS_OF_SET[what](container)) == ["one", "set"]


def test_membership_in_a_set_reads_that_member(reads_of: ReadsOf) -> None:
    container = {1, 2}
    _watch.watch(container, 1, "one")
    assert reads_of(lambda: 1 in container) == ["one"]
    assert reads_of(lambda: 2 in container) == []


def test_reads_of_everything_can_have_a_token_of_their_own(reads_of: ReadsOf) -> None:
    container = {1, 2}
    _watch.watch(container, 1, "one")
    _watch.watch(container, 2, "two")
    assert _watch.entries_of(container) == 2
    _watch.watch_all(container, "all")
    assert reads_of(lambda: len(container)) == ["all"]
    assert reads_of(lambda: 1 in container) == ["one"]
    _watch.unwatch(container, 1)
    _watch.unwatch(container, 2)
    assert _watch.entries_of(container) == 0


@pytest.mark.parametrize("what", WRITES_OF_SET)
def test_writing_a_set_is_no_read(what: str, reads_of: ReadsOf) -> None:
    container = {1, 2}
    _watch.watch(container, None, "set")
    assert reads_of(lambda: WRITES_OF_SET[what](container)) == []


@pytest.mark.parametrize("what", READS_OF_DEQUE)
def test_reads_of_a_deque(what: str, reads_of: ReadsOf) -> None:
    container = deque([1, 2])
    _watch.watch(container, None, "deque")
    assert reads_of(lambda: READS_OF_DEQUE[what](container)) == ["deque"]


@pytest.mark.parametrize("what", WRITES_OF_DEQUE)
def test_writing_a_deque_is_no_read(what: str, reads_of: ReadsOf) -> None:
    container = deque([1, 2])
    _watch.watch(container, None, "deque")
    assert reads_of(lambda: WRITES_OF_DEQUE[what](container)) == []


class Place(NamedTuple):
    row: int
    name: str


class Size(IntEnum):
    SMALL = 1
    BIG = 2


class Colour(Enum):
    RED = 1
    BLUE = 2


class Plain:
    """Compared by identity."""


class Loud:
    """Its own comparison has effects."""

    calls: list[str]

    def __init__(self, calls: list[str]) -> None:
        self.calls = calls

    def __eq__(self, other: object) -> bool:
        self.calls.append("eq")
        return isinstance(other, Loud)

    def __hash__(self) -> int:
        self.calls.append("hash")
        return 1


ONE_PLAIN, OTHER_PLAIN = Plain(), Plain()


@pytest.mark.parametrize(
    ("watched", "read", "other"),
    [
        (1, 1.0, 2),
        (1, True, 0),
        (b"MODE", b"MODE", b"HOME"),
        (("a", 1), ("a", 1), ("a", 2)),
        (Place(1, "x"), (1, "x"), (2, "x")),
        (Size.SMALL, 1, 2),
        ("text", type("Text", (str,), {})("text"), type("Text", (str,), {})("other")),
        (ONE_PLAIN, ONE_PLAIN, OTHER_PLAIN),
        (Colour.RED, Colour.RED, "RED"),
        (3.5, 3.5, 3),
        (fill, fill, unpacked),
    ],
)
def test_keys_are_distinguished(watched: object, read: object, other: object, reads_of: ReadsOf) -> None:
    container: dict[object, int] = {watched: 1}
    _watch.watch(container, watched, "key")
    assert reads_of(lambda: container.get(read)) == ["key"]
    assert reads_of(lambda: container.get(other)) == []


def test_comparisons_of_the_suite_are_not_called_more_often(reads_of: ReadsOf) -> None:
    calls: list[str] = []
    key = Loud(calls)
    container: dict[object, int] = {key: 1}
    calls.clear()
    container.get(Loud(calls))
    usual = list(calls)
    _watch.watch(container, key, "key")
    calls.clear()
    assert reads_of(lambda: container.get(Loud(calls))) == ["key"]
    assert calls == usual


def dict_reader(container: dict[str, int]) -> object:
    for _ in container:
        pass
    return container["a"], "a" in container, len(container), [*container]


def list_reader(container: list[int]) -> object:
    first, second = container
    return container[0], 1 in container, first, second


def set_reader(container: set[int]) -> bool:
    return 1 in container


@pytest.mark.parametrize(
    ("reader", "container", "plain"),
    [(dict_reader, {"a": 1}, {"a": 2}), (list_reader, [1, 2], [3, 4]), (set_reader, {1}, {2})],
)
def test_reads_by_specialised_code_are_reported(
    reader: Callable[[Any], object], container: Any, plain: Any, reads_of: ReadsOf
) -> None:
    for _ in range(OFTEN):
        reader(container)
    _watch.watch(container, None, "read")
    for _ in range(OFTEN):
        assert reads_of(lambda: reader(container)) == ["read"]
        reader(plain)
