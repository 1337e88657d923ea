import builtins
import contextvars
import functools
import os
import random
import sys
import types
import urllib.parse
import warnings
from pathlib import Path

import pytest

from unknot.recorder.inside.memory.roots import library_roots, location_of, unseen_readers

_BASKET: contextvars.ContextVar[object] = contextvars.ContextVar("basket")


def test_roots_are_what_is_there_now(monkeypatch: pytest.MonkeyPatch) -> None:
    path: list[str] = ["/somewhere"]
    monkeypatch.setattr(sys, "path", path)
    found = dict(library_roots())
    assert found["sys.path"] is path
    assert found["sys.modules"] is sys.modules
    assert found["builtins"] is vars(builtins)


def test_the_environment_is_named_as_users_know_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODE", "fast")
    data = dict(library_roots())["os.environ"]
    assert isinstance(data, dict)
    assert data[b"MODE"] == b"fast"
    assert location_of("os.environ[b'MODE']", data, b"MODE") == ("environment", "os.environ['MODE']")
    assert location_of("os.environ[b'it\\'s']", data, b"it's") == ("environment", 'os.environ["it\'s"]')


def test_an_environment_that_was_replaced_is_a_root_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {"MODE": "slow"}
    monkeypatch.setattr(os, "environ", other)
    assert dict(library_roots())["os.environ"] is other
    assert location_of("os.environ['MODE']", other, "MODE") == ("environment", "os.environ['MODE']")


@pytest.mark.parametrize("variable", [b"PYTEST_CURRENT_TEST", b"UNKNOT_TRACE", b"COVERAGE_FILE"])
def test_the_tools_own_variables_are_harmless(variable: bytes) -> None:
    assert location_of(f"os.environ[{variable!r}]", {}, variable) is None


def test_an_imported_module_is_harmless_and_a_stub_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    import xml.parsers.expat

    assert location_of("sys.modules['xml.parsers']", sys.modules, "xml.parsers", "added") is None
    assert xml.parsers.expat.errors is sys.modules["pyexpat.errors"]
    assert location_of("sys.modules['pyexpat.errors']", sys.modules, "pyexpat.errors", "added") is None
    monkeypatch.setitem(sys.modules, "stub", types.ModuleType("stub"))
    assert location_of("sys.modules['stub']", sys.modules, "stub", "added") == ("memory", "sys.modules['stub']")
    monkeypatch.setitem(sys.modules, "thing", object())
    assert location_of("sys.modules['thing']", sys.modules, "thing", "added") is not None
    monkeypatch.setitem(sys.modules, "none", None)
    assert location_of("sys.modules['none']", sys.modules, "none", "added") is not None


def test_a_module_that_was_replaced_or_removed_counts() -> None:
    assert location_of("sys.modules['json']", sys.modules, "json", "changed") == ("memory", "sys.modules['json']")
    assert location_of("sys.modules['gone']", sys.modules, "gone", "removed") == ("memory", "sys.modules['gone']")


def test_names_of_builtins_and_levels() -> None:
    assert location_of("builtins['shop']", vars(builtins), "shop") == ("memory", "builtins.shop")
    assert location_of("logging.getLevelName[25]", {}, 25) == ("memory", "logging.getLevelName(25)")
    assert location_of("shop.cart.CART['alice']", {}, "alice") == ("memory", "shop.cart.CART['alice']")


def test_context_variables_are_named_by_their_get() -> None:
    def get() -> object:
        _BASKET.set(["apple"])
        return dict(library_roots())["contextvars.copy_context()"]

    assert contextvars.copy_context().run(get)["basket"] == ["apple"]  # type: ignore[index]
    name = "contextvars.copy_context()['basket'].items['x']"
    assert location_of(name, {}, "x") == ("memory", "ContextVar('basket').get().items['x']")


def test_context_variables_of_one_name_are_kept_apart() -> None:
    one: contextvars.ContextVar[object] = contextvars.ContextVar("local")
    other: contextvars.ContextVar[object] = contextvars.ContextVar("local")

    def get() -> list[object]:
        one.set([1])
        first = dict(dict(library_roots())["contextvars.copy_context()"])  # type: ignore[call-overload]
        other.set([2])
        second = dict(dict(library_roots())["contextvars.copy_context()"])  # type: ignore[call-overload]
        return [first.get("local"), second.get("local"), second.get("local 2")]

    assert contextvars.copy_context().run(get) == [[1], [1], [2]]


def test_reads_of_a_context_variable_are_not_recorded() -> None:
    assert unseen_readers("contextvars.copy_context()", [("key", "basket")])
    assert not unseen_readers("contextvars.copy_context()", [("key", "basket"), ("key", "x")])
    assert not unseen_readers("shop", [("attr", "x")])


def test_filters_are_those_outside_of_recorded_warnings() -> None:
    before = dict(library_roots())["warnings.filters"]
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("ignore")
        assert dict(library_roots())["warnings.filters"] is before


def test_what_a_path_caches_is_harmless() -> None:
    path = Path("/somewhere")
    assert location_of("shop.HERE._str", path, "_str") is None
    assert location_of("shop.TREE._root", types.SimpleNamespace(), "_root") == ("memory", "shop.TREE._root")


def test_containers_that_override_methods_are_never_called() -> None:
    class Evil:
        def __getattribute__(self, name: str) -> object:
            raise AssertionError(name)

        def __eq__(self, other: object) -> bool:
            raise AssertionError

        __hash__ = None  # type: ignore[assignment]

    assert location_of("shop.EVIL.x", Evil(), Evil()) == ("memory", "shop.EVIL.x")


def test_caches_of_the_standard_library_are_harmless_and_the_users_are_not() -> None:
    @functools.lru_cache
    def rate() -> int:
        return 1

    assert location_of("shop.urlsplit.<cache>", urllib.parse.urlsplit, None, "changed") is None
    assert location_of("shop.rate.<cache>", rate, None, "changed") == ("memory", "shop.rate.<cache>")


def test_the_shared_generator_is_not_reported_twice() -> None:
    assert location_of("shop.choice.__self__.<state>", random.choice.__self__, None, "changed") is None  # type: ignore[attr-defined]
    assert location_of("shop.RANDOM.<state>", random.Random(4), None, "changed") == ("memory", "shop.RANDOM.<state>")


def test_what_a_package_imports_late_is_harmless() -> None:
    package = types.ModuleType("shop")
    late = type("Cart", (), {"__module__": "shop.cart"})
    own = type("Plugin", (), {"__module__": "test_shop"})
    vars(package).update(Cart=late, Plugin=own, total=3)
    assert location_of("shop.Cart", package, "Cart", "added") is None
    assert location_of("shop.Cart", package, "Cart", "changed") is not None
    assert location_of("shop.Plugin", package, "Plugin", "added") == ("memory", "shop.Plugin")
    assert location_of("shop.total", package, "total", "added") == ("memory", "shop.total")
