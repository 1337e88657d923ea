"""What tests reach of others' state, as roots for the heap walk, and the names by which users know it."""

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
from collections.abc import Sequence
from types import BuiltinMethodType, FunctionType, ModuleType
from typing import Any, cast

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
"""What objects of the standard library work out when somebody asks: the module of their class, the attributes."""

_LAZY_SETTINGS = "django.conf.LazySettings"
"""Remembers what it was asked for; the settings are in what it wraps."""


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


def roots() -> list[tuple[str, object]]:
    """Asked for at each look, for tests exchange whole lists. About 5 µs; walking them costs as much as walking a
    thousand entries, most of them in `sys.modules`."""
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


def ours(name: str, container: object, key: object, how: str = "") -> tuple[str, str] | None:
    """Kind and name of a changed location as users know it; None if the change is known to be harmless.

    `name` is the heap walk's, `container` holds the entry `key`; `how` is "added", "changed" or "removed".
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


def unseen_readers(root: str, road: Sequence[object]) -> str:
    """Who could read it and not be seen; empty if nobody could."""
    return "ContextVar.get is C code" if root == _CONTEXT and len(road) == 1 else ""


def _environment() -> object:
    """The dictionary behind `os.environ`, or what somebody has put in its place."""
    environ: object = os.environ
    return _contents_of_environ(environ)["_data"] if type(environ) is _Environ else environ


class _Variables:
    """The variables of the context, each with a name of its own: a library may have many that are called alike. Those
    are numbered as they come up, and of two that come up together the one whose content is of the first type."""

    def __init__(self) -> None:
        self._names: dict[contextvars.ContextVar[Any], str] = {}
        self._counts: dict[str, int] = {}

    def contents(self) -> dict[str, object]:
        """What they hold. The dictionary is made for this: only what is in it can be watched. decimal's variable is
        told as state of the process."""
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
    """A module that the import machinery has made, or one that an extension has made for itself as a part. A stub
    that somebody has put there by hand has no loader."""
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
    """What the standard library remembers; and its shared generator of random numbers, which is told as state of the
    process, but is reached from every `from random import choice`."""
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
    """A package that offers what its modules define, but imports these only when somebody asks."""
    if not issubclass(type(container), ModuleType) or type(key) is not str:
        return False
    package = module_contents(cast(ModuleType, container))
    value = package.get(key)
    if issubclass(type(value), type):
        origin = class_name(cast(type, value))
    else:
        origin = f"{value.__module__}.{key}" if type(value) is FunctionType else ""
    return origin.rpartition(".")[0].startswith(f"{package.get('__name__')}.")
