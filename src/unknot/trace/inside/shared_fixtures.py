"""What fixtures of larger scope have made, as roots for the heap walk: tests share it like a global variable."""

from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, MethodType
from typing import Any

import pytest

_NODES: Mapping[str, type[Any]] = {"class": pytest.Class, "module": pytest.Module, "package": pytest.Package}


class SharedFixtures:
    """Knows the user's fixtures that are set up now, by names that say for whom: `<fixture app>` for the session,
    `<fixture box of tests/test_box.py::TestBox>` for a class. The same in every run, whatever ran before.

    Assumes pytest's inner names for what it has collected; without them there are no such fixtures. Costs about 0.1 µs
    for each fixture of larger scope and each look.
    """

    def __init__(self, is_users: Callable[[str], bool]) -> None:
        self._is_users = is_users
        self._items: Mapping[str, Any] = {}
        self._definitions: list[Any] = []
        self._named: dict[int, tuple[object, str]] = {}
        self._roots: dict[str, object] = {}

    def collected(self, items: Mapping[str, Any]) -> None:
        """`items` are pytest's, by their ids."""
        self._items = items
        session = getattr(next(iter(items.values()), None), "session", None)
        by_name = getattr(getattr(session, "_fixturemanager", None), "_arg2fixturedefs", {})
        self._definitions = [one for several in by_name.values() for one in several if self._is_shared(one)]

    def look(self, test: str) -> bool:
        """Whether one was set up or torn down since the last look; whatever was set up was so for this test."""
        is_new = False
        for number, definition in enumerate(self._definitions):
            result = getattr(definition, "cached_result", None)
            known, name = self._named.get(number, (None, ""))
            if result is known:
                continue
            is_new = True
            self._named.pop(number, None)
            self._roots.pop(name, None)
            if result is not None and result[2] is None:
                name = self._name(definition, self._items.get(test))
                self._named[number] = (result, name)
                self._roots[name] = result[0]
        return is_new

    def roots(self) -> Iterable[tuple[str, object]]:
        return self._roots.items()

    def root(self, name: str) -> object:
        return self._roots.get(name)

    def _is_shared(self, definition: Any) -> bool:
        function = getattr(definition, "func", None)
        if definition.scope == "function":
            return False
        if type(function) is MethodType:
            function = function.__func__
        while type(function) is FunctionType and "__wrapped__" in function.__dict__:
            function = function.__dict__["__wrapped__"]
        return type(function) is FunctionType and self._is_users(function.__code__.co_filename)

    def _name(self, definition: Any, item: Any) -> str:
        name = definition.argname
        if item is not None:
            number = getattr(getattr(item, "callspec", None), "indices", {}).get(name)
            name += "" if number is None else f"[{number}]"
        node = item.getparent(_NODES[definition.scope]) if item is not None and definition.scope in _NODES else None
        whole = f"{name} of {node.nodeid}" if node is not None and node.nodeid else name
        label = f"<fixture {whole}>"
        # One that overrides another of the same name may use it.
        return label if label not in self._roots else f"<fixture {whole}, defined in {definition.baseid or 'a plugin'}>"
