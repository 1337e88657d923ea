"""A watched object behaves as before: watching must not change the outcome of a test."""

import builtins
import collections
import copy
import dataclasses
import functools
import inspect
import io
import json
import marshal
import os
import pickle
import pprint
import sys
import types
import weakref
from collections.abc import Callable, Iterator, Mapping, MutableSequence
from typing import Any

import pytest
from read_watching import ReadsOf, read_watch

from unknot.recorder.native import _watch


@pytest.fixture(autouse=True)
def reads_of() -> Iterator[ReadsOf]:
    with read_watch() as reads_of:
        _watch.set_active(True)
        yield reads_of


@functools.singledispatch
def kind(value: object) -> str:
    return "other"


kind.register(dict, lambda value: "dict")
kind.register(list, lambda value: "list")
kind.register(set, lambda value: "set")


@dataclasses.dataclass
class Holder:
    content: Any


def matched(value: object) -> str:
    match value:
        case dict():
            return "dict"
        case [*_]:
            return "list"
        case set():
            return "set"
    return "other"


def marshalled(value: Any) -> bytes:
    file = io.BytesIO()
    marshal.dump(value, file)
    return file.getvalue()


def run(code: str, *namespaces: dict[str, Any]) -> str:
    exec(code, *namespaces)
    return code


def error_of(action: Callable[[], object]) -> str:
    try:
        action()
    except Exception as error:  # noqa: BLE001
        return repr(error)
    return ""


LETTERS: dict[type, str] = {dict: "d", list: "l", set: "s"}
EMPTY: list[Any] = [{}, [], set(), 1]
READS: dict[str, Callable[[Any], object]] = {
    "type ==": lambda x: (type(x) == dict, type(x) == list, type(x) == set, type(x) == object),  # noqa: E721
    "== type": lambda x: (dict == type(x), type(x) != list, type(x) != set),  # noqa: E721
    "type in": lambda x: (type(x) in (dict, list), type(x) in {dict, set}),
    "by type": lambda x: LETTERS[type(x)],
    "hash of the type": lambda x: hash(type(x)),
    "names": lambda x: (type(x).__name__, type(x).__qualname__, type(x).__module__, repr(type(x))),
    "__class__": lambda x: x.__class__,
    "class of the class": lambda x: type(x).__class__,
    "documentation": lambda x: (x.__doc__, type(x).__doc__),
    "isinstance": lambda x: [isinstance(x, of) for of in (dict, list, set, object, str, Mapping, MutableSequence)],
    "isinstance of its type": lambda x: [isinstance(other, type(x)) for other in EMPTY],
    "issubclass": lambda x: [issubclass(type(x), of) for of in (dict, list, set)],
    "issubclass of its type": lambda x: [issubclass(of, type(x)) for of in (dict, list, set, int)],
    "call of the type": lambda x: (type(x)(), type(type(x)()) in (dict, list, set), type(type(x)(x)).__mro__),
    "repr": repr,
    "str": lambda x: f"{x} {x!r}",
    "pformat": lambda x: pprint.pformat(x, width=10),
    "size": sys.getsizeof,
    "dir": dir,
    "pickle": lambda x: [(back := pickle.loads(pickle.dumps(x, n)), type(back)) for n in range(6)],
    "pickle in Python": lambda x: pickle._dumps(x, 2),  # type: ignore[attr-defined]
    "in an object": lambda x: pickle.loads(pickle.dumps(Holder(x))),
    "copy": lambda x: (copy.copy(x), type(copy.copy(x))),
    "deepcopy": lambda x: (copy.deepcopy(x), type(copy.deepcopy(x))),
    "copy method": lambda x: type(x.copy()),
    "marshal": lambda x: marshal.loads(marshal.dumps(x)),
    "marshal into a file": lambda x: marshal.loads(marshalled(x)),
    "asdict": lambda x: (dataclasses.asdict(Holder(x)), type(dataclasses.asdict(Holder(x))["content"])),
    "singledispatch": kind,
    "match": matched,
    "hash": lambda x: error_of(lambda: hash(x)),
    "weak reference": lambda x: error_of(lambda: weakref.ref(x)),
    "new attribute": lambda x: error_of(lambda: setattr(x, "name", 1)),
    "new class": lambda x: error_of(lambda: setattr(x, "__class__", int)),
    "missing": lambda x: error_of(lambda: x["missing"]),
    "missing of many": lambda x: error_of(lambda: x[(1, 2)]),
    "compared": lambda x: (x == copy.copy(x), x != x, copy.copy(x) == x, error_of(lambda: x < 1)),
    "text of a method": lambda x: (x.pop.__name__, x.pop.__qualname__, x.pop.__doc__, x.pop.__text_signature__),
    "methods": lambda x: type(x).copy is type(x.copy()).copy,
    "special methods": lambda x: type(x).__repr__ is type(x.copy()).__repr__,
}
MORE: dict[type, dict[str, Callable[[Any], object]]] = {
    dict: {
        "json": lambda x: json.dumps(x, indent=1, sort_keys=True),
        "|": lambda x: (x | {"z": 1}, {"z": 1} | x, type(x | {}), type({} | x)),
        "Counter": lambda x: collections.Counter(x),
        "**": lambda x: dict(**x),
        "dict": lambda x: (dict(x), type(dict(x)), {**x}),
        "exec": lambda x: (run("b = len(a)", x), x.pop("__builtins__") is not None, x["b"]),
        "exec as locals": lambda x: (run("c = a", {}, x), x["c"]),
        "class body": lambda x: type("Made", (), x).__name__,
        "fromkeys": lambda x: (type(x).fromkeys("ab"), type(type(x).fromkeys("ab"))),
        "views": lambda x: (list(x.items()), x.keys() & {"a"}, list(reversed(x))),
        "popitem": lambda x: x.popitem(),
        "order": lambda x: list(dict(x)),
        "namespace": lambda x: types.SimpleNamespace(**x),
    },
    list: {
        "json": json.dumps,
        "slices": lambda x: (x[1:], type(x[:]), x[::-1]),
        "+": lambda x: (x + [1], [1] + x, type(x + x), type([] + x)),  # noqa: RUF005
        "*": lambda x: (x * 2, 2 * x, type(x * 1)),
        "+ of another type": lambda x: (error_of(lambda: x + ()), error_of(lambda: () + x)),  # noqa: RUF005
        "sorted": lambda x: sorted(x, key=str),
        "arguments": lambda x: "{} {}".format(*x[:2]),
        "tuple": tuple,
        "in place": lambda x: (x.__iadd__([1]), x.__imul__(2), x.sort(key=str)),
        "reversed": lambda x: list(reversed(x)),
        "join": lambda x: "".join([str(y) for y in x]),
        "has __radd__": lambda x: hasattr(x, "__radd__"),
    },
    set: {
        "operators": lambda x: [type(y) for y in (x | {9}, {9} | x, x & {1}, x - {1}, x ^ {9}, x.union([9]))],
        "with frozen ones": lambda x: (frozenset({1}) | x, type(frozenset({1}) & x), x == frozenset(x)),
        "order": lambda x: x <= {1, 2, 3, (4, 5)},
        "weak reference": lambda x: weakref.ref(x)() is x,
        "in a set": lambda x: x in {frozenset(x)},
        "reduced": lambda x: x.__reduce__()[0],
        "in place": lambda x: (x.__ior__({3}), x.__iand__({1, 3}), x.__isub__({1})),
    },
}
MAKE: dict[type, Callable[[], Any]] = {
    dict: lambda: {"a": [1, "x"], "b": {"nested": 1}},
    list: lambda: [1, "x", [2, 3]],
    set: lambda: {1, 2, (4, 5)},
}


@pytest.mark.parametrize(
    ("of", "read"), [(of, read) for of in MAKE for read in [*READS, *(name for name in MORE[of] if name not in READS)]]
)
def test_a_watched_object_looks_the_same(of: type, read: str) -> None:
    do = MORE[of].get(read) or READS[read]
    plain, tracked = MAKE[of](), MAKE[of]()
    assert _watch.watch(tracked, None, "token")
    if isinstance(tracked, dict | list):
        nested = tracked["b"] if isinstance(tracked, dict) else tracked[2]
        assert _watch.watch(nested, None, "nested")
    expected = error_of(lambda: do(plain)) or do(plain)
    found = error_of(lambda: do(tracked)) or do(tracked)
    assert found == expected
    assert repr(found) == repr(expected)
    assert tracked == plain


@pytest.mark.parametrize("of", MAKE)
def test_the_base_is_accessible(of: type) -> None:
    tracked = MAKE[of]()
    _watch.watch(tracked, None, "token")
    assert type(tracked).__unknot_tracks__ is of
    _watch.unwatch(tracked, None)
    assert type(tracked) is of


class Matcher:
    """Equal to everything, from the left."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Strict:
    """Equal to nothing but its kind, and sure of it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Strict)

    __hash__ = None  # type: ignore[assignment]


def test_the_order_of_operands_is_kept() -> None:
    expected: list[Any] = [Matcher()]
    found: list[Any] = [Strict()]
    assert expected == found
    assert found != expected
    _watch.watch(found, None, "found")
    assert expected == found
    assert found != expected
    first: dict[str, Any] = {"a": Matcher()}
    second: dict[str, Any] = {"a": Strict()}
    _watch.watch(second, "a", "second")
    assert first == second
    assert second != first


def test_a_watched_module_looks_the_same() -> None:
    plain, module = types.ModuleType("shop", "doc"), types.ModuleType("shop", "doc")
    _watch.watch(module, "CART", "cart")
    assert repr(module) == repr(plain)
    assert module.__class__ is types.ModuleType
    assert type(module) == types.ModuleType  # noqa: E721
    assert inspect.ismodule(module)
    assert vars(module) == vars(plain)
    assert dir(module) == dir(plain)
    with pytest.raises(AttributeError, match="module 'shop' has no attribute 'CART'"):
        _ = module.CART


class Odd(dict[str, int]):
    """Dict reads this one directly, whatever its methods say."""

    def __getitem__(self, key: str) -> int:
        return 100

    def keys(self) -> Any:
        return ["never", "asked"]


def test_a_dict_with_methods_of_its_own() -> None:
    odd = Odd(a=1)
    assert dict(odd) == {"a": 1}
    _watch.watch(odd, "a", "a")
    assert dict(odd) == {"a": 1}
    assert odd["a"] == 100


class Bag(set[int]):
    def __or__(self, other: Any) -> Any:
        return "left"

    def __ror__(self, other: Any) -> Any:
        return "right"


def test_a_set_with_operators_of_its_own() -> None:
    bag, plain = Bag({1}), {2}
    for watched in (bag, plain):
        _watch.watch(watched, None, "watched")
    assert bag | {3} == "left"
    assert {3} | bag == "right"
    assert plain | bag == "right"
    assert bag | plain == "left"


def test_errors_of_missing_keys_have_their_context() -> None:
    container: dict[str, int] = {}
    _watch.watch(container, None, "container")
    try:
        raise ValueError("first")
    except ValueError:
        with pytest.raises(KeyError, match="missing") as caught:
            _ = container["missing"]
    assert isinstance(caught.value.__context__, ValueError)
    assert caught.value.args == ("missing",)


def test_a_global_name_that_is_missing_leaves_nothing_behind() -> None:
    source = "def read():\n  try: globals()['missing']\n  except KeyError as e: return e\ndef use(): return len"
    module: Any = types.ModuleType("shop")
    exec(source, module.__dict__)
    _watch.watch(module, "CART", "cart")
    first, _, second = module.read(), module.use(), module.read()
    assert first is not second
    assert first.args == second.args == ("missing",)
    assert first.__traceback__ is not second.__traceback__


@pytest.mark.parametrize(
    "thing", [lambda: sys.modules, lambda: vars(builtins), lambda: vars(os.environ)["_data"], lambda: sys.path]
)
def test_the_interpreters_own(thing: Callable[[], Any]) -> None:
    container = thing()
    try:
        assert _watch.watch(container, None, "own")
        exec("import colorsys, json.tool; x = len([max(1, 2)]); os.environ['UNKNOT_X'] = '1'", {"os": os})
        assert os.environ.pop("UNKNOT_X") == "1"
    finally:
        _watch.unwatch(container, None)
    assert type(container) in (dict, list)
