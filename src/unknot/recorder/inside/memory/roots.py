"""Roots of the heap walk besides the user's modules: state of libraries, and values of shared fixtures.

Also the names by which users know the locations below these roots.
"""

import builtins
import contextvars
import copyreg
import functools
import logging
import os
import random
import re
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence
from types import BuiltinMethodType, FunctionType, MethodType, ModuleType
from typing import Any, cast

import pytest

from unknot.recorder.inside.labels import class_name, module_contents

_ENVIRONMENT = "os.environ"
_CONTEXT = "contextvars.copy_context()"
_OF_VARIABLE = re.compile(rf"{re.escape(_CONTEXT)}\[('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")\]")
_copy_context = contextvars.copy_context
_Environ = type(os.environ)
_contents_of_environ = _Environ.__dict__["__dict__"].__get__
_fsdecode = os.fsdecode
_generator = random._inst
_LruCache = functools._lru_cache_wrapper

_OURS_IN_ENVIRONMENT = ("PYTEST_", "UNKNOT_", "COV_CORE_", "COVERAGE_")
_BY_EXTENSIONS = ("ExtensionFileLoader", "BuiltinImporter")

_PATHS = "_str _hash _parts _pparts _drv _root _cached_cparts _tail_cached _raw_paths _str_normcase_cached"
_CACHES = {
    "pathlib": {*_PATHS.split(), "_parts_normcase_cached", "_lines_cached"},
    "weakref": {"_pending_removals", "_iterating", "_dirty_len"},
    "_weakrefset": {"_pending_removals", "_iterating"},
}
"""Attributes that objects of the standard library compute on first use, by the module of their class."""

_LAZY_SETTINGS = "django.conf.LazySettings"
"""Caches the settings that were read; the settings themselves are in the object that it wraps."""


class _Filters:
    """`warnings.filters` as they are outside of `catch_warnings(record=True)`, in which pytest runs every test."""

    def __init__(self) -> None:
        self._last: object = warnings.filters

    def outside(self) -> object:
        show = getattr(warnings, "_showwarnmsg_impl", None)
        recording = type(show) is BuiltinMethodType and show.__name__ == "append"
        if not recording:
            self._last = warnings.filters
        return self._last


_filters = _Filters()


def library_roots() -> list[tuple[str, object]]:
    """Taken again for each snapshot, since tests replace whole lists. About 5 µs; walking them costs as much as
    walking a thousand entries, most of them in `sys.modules`."""
    return [
        (_ENVIRONMENT, _environment()),
        ("sys.path", sys.path),
        ("sys.argv", sys.argv),
        ("sys.modules", sys.modules),
        ("sys.meta_path", sys.meta_path),
        ("sys.path_hooks", sys.path_hooks),
        ("sys.warnoptions", sys.warnoptions),
        ("warnings.filters", _filters.outside()),
        ("builtins", builtins.__dict__),
        ("copyreg.dispatch_table", copyreg.dispatch_table),
        ("logging.getLevelName", logging._levelToName),
        (_CONTEXT, _variables.contents()),
    ]


def location_of(name: str, container: object, key: object, how: str = "") -> tuple[str, str] | None:
    """Kind and name of a changed location as users know it; None if the change is known to be harmless.

    `name` comes from the heap walk, `container` holds the entry `key`; `how` is "added", "changed" or "removed".
    """
    if name.startswith("os.environ["):
        variable = _fsdecode(key) if type(key) in (str, bytes) else ""  # type: ignore[arg-type]
        return None if variable.startswith(_OURS_IN_ENVIRONMENT) else ("environment", f"os.environ[{variable!r}]")
    if container is sys.modules:
        return None if how in ("", "added") and _is_imported(key) else ("memory", name)
    if container is builtins.__dict__:
        return "memory", f"builtins.{key}"
    if name.startswith("logging.getLevelName["):
        return "memory", f"logging.getLevelName({key!r})"
    if name.startswith(_CONTEXT):
        return "memory", _OF_VARIABLE.sub(r"ContextVar(\1).get()", name)
    if _is_cache(container, key) or (how == "added" and _is_loaded_late(container, key)):
        return None
    return "memory", name


def unseen_readers(root: str, path: Sequence[object]) -> str:
    """Which readers of the location cannot be recorded; empty if all can."""
    return "ContextVar.get is C code" if root == _CONTEXT and len(path) == 1 else ""


def _environment() -> object:
    """The dictionary behind `os.environ`, or the object that has replaced `os.environ`."""
    environ: object = os.environ
    return _contents_of_environ(environ)["_data"] if type(environ) is _Environ else environ


class _Variables:
    """The variables of the context, each under a unique name: a library may have many of the same name. Those are
    numbered in the order in which they appear, and two that appear together in the order of their contents' types."""

    def __init__(self) -> None:
        self._names: dict[contextvars.ContextVar[Any], str] = {}
        self._counts: dict[str, int] = {}

    def contents(self) -> dict[str, object]:
        """Their values, in a dictionary made for this: only the values can be watched. decimal's variable is recorded
        as state of the process."""
        found = [(variable, value) for variable, value in _copy_context().items() if variable.name != "decimal_context"]
        if any(variable not in self._names for variable, _ in found):
            for variable, _ in sorted(found, key=lambda pair: (pair[0].name, class_name(type(pair[1])))):
                if variable not in self._names:
                    self._give_name(variable)
        return {self._names[variable]: value for variable, value in found}

    def _give_name(self, variable: contextvars.ContextVar[Any]) -> None:
        count = self._counts[variable.name] = self._counts.get(variable.name, 0) + 1
        self._names[variable] = variable.name if count == 1 else f"{variable.name} {count}"


_variables = _Variables()


def _is_imported(name: object) -> bool:
    """A module made by the import system, or by an extension as a part of itself. A stub that was put there by hand
    has no loader."""
    module = sys.modules.get(name) if type(name) is str else None
    if module is None or not issubclass(type(module), ModuleType):
        return False
    if _loader(module) is not None:
        return True
    parent = sys.modules.get(str(name).rpartition(".")[0])
    return parent is not None and class_name(type(_loader(parent))).endswith(_BY_EXTENSIONS)


def _loader(module: ModuleType) -> object:
    if not issubclass(type(module), ModuleType):
        return None
    spec = module_contents(module).get("__spec__")
    return getattr(spec, "loader", None) if type(spec).__module__.startswith(("importlib", "_frozen")) else None


def _is_cache(container: object, key: object) -> bool:
    """Caches of the standard library; and its shared random generator, which is recorded as state of the process but
    can be reached from every `from random import choice`."""
    if container is _generator:
        return True
    kind = type(container)
    if kind is _LruCache:
        module = vars(container).get("__module__")
        return type(module) is str and module.partition(".")[0] in sys.stdlib_module_names
    if class_name(kind) == _LAZY_SETTINGS:
        return key != "_wrapped"
    attributes = _CACHES.get(class_name(kind).split(".")[0])
    return attributes is not None and type(key) is str and key in attributes


def _is_loaded_late(container: object, key: object) -> bool:
    """A package that offers what its modules define, but imports them only on first use."""
    if not issubclass(type(container), ModuleType) or type(key) is not str:
        return False
    package = module_contents(cast(ModuleType, container))
    value = package.get(key)
    if issubclass(type(value), type):
        origin = class_name(cast(type, value))
    else:
        origin = f"{value.__module__}.{key}" if type(value) is FunctionType else ""
    return origin.rpartition(".")[0].startswith(f"{package.get('__name__')}.")


class SharedFixtures:
    """Values of fixtures of larger scope: tests share them like a global variable. A pytest plugin that keeps the
    user's fixtures that are set up now, by names that include their scope: `<fixture app>` for the session,
    `<fixture box of tests/test_box.py::TestBox>` for a class. The names are the same in every run and order.

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
        """Whether one was set up or torn down since the last call."""
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
        # A fixture that overrides another of the same name may use that one.
        return f"<fixture {whole}{', overriding' if f'<fixture {whole}>' in self._values else ''}>"


def _file(function: object) -> str:
    """The file that defines the function, not its decorators."""
    if type(function) is MethodType:
        function = function.__func__
    while type(function) is FunctionType and "__wrapped__" in function.__dict__:
        function = function.__dict__["__wrapped__"]
    return function.__code__.co_filename if type(function) is FunctionType else ""
