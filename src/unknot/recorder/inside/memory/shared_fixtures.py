"""What fixtures of larger scope have made, as roots for the heap walk: tests share it like a global variable."""

from collections.abc import Callable, Generator, Iterable
from types import FunctionType, MethodType
from typing import Any

import pytest


class SharedFixtures:
    """A pytest plugin that knows the user's fixtures that are set up now, by names that say for whom: `<fixture app>`
    for the session, `<fixture box of tests/test_box.py::TestBox>` for a class. The same names in every run, whatever
    ran before.

    Fixtures of plugins are left out: much of pytest itself can be reached from them. Never raises.
    """

    def __init__(self, is_users: Callable[[str], bool]) -> None:
        self._is_users = is_users
        self._names: dict[int, str] = {}
        self._values: dict[str, object] = {}
        self._has_changed = False

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, object, object]:
        value = yield
        if fixturedef.scope != "function" and self._is_users(_file(fixturedef.func)):
            name = self._names[id(fixturedef)] = self._name(fixturedef, request)
            self._values[name] = value
            self._has_changed = True
        return value

    def pytest_fixture_post_finalizer(self, fixturedef: Any) -> None:
        name = self._names.pop(id(fixturedef), None)
        if name is not None:
            self._values.pop(name, None)
            self._has_changed = True

    def have_changed(self) -> bool:
        """Whether one was set up or torn down since the last time this was asked."""
        has_changed, self._has_changed = self._has_changed, False
        return has_changed

    def roots(self) -> Iterable[tuple[str, object]]:
        return self._values.items()

    def root(self, name: str) -> object:
        return self._values.get(name)

    def _name(self, definition: Any, request: Any) -> str:
        number = getattr(request, "param_index", 0) if hasattr(request, "param") else None
        name = definition.argname if number is None else f"{definition.argname}[{number}]"
        whole = f"{name} of {request.node.nodeid}" if request.node.nodeid else name
        # One that overrides another of its name may use that one.
        return f"<fixture {whole}{', overriding' if f'<fixture {whole}>' in self._values else ''}>"


def _file(function: object) -> str:
    """Where it was written, not where the decorators are from."""
    if type(function) is MethodType:
        function = function.__func__
    while type(function) is FunctionType and "__wrapped__" in function.__dict__:
        function = function.__dict__["__wrapped__"]
    return function.__code__.co_filename if type(function) is FunctionType else ""
