"""Wraps the methods of database drivers; gives psycopg2, which is written in C, classes that can be wrapped."""

from _thread import get_ident
from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

PSYCOPG2 = "psycopg2"
_CONNECTION_METHODS = ("commit", "rollback", "close")
_CURSOR_METHODS = ("execute", "executemany", "callproc", "copy_expert")

After = Callable[[Any, tuple[Any, ...], bool], None]
"""Called with the object, the arguments, and whether the call returned without an exception. Must not raise."""


class MethodPatches:
    """Calls a function after each call of a method. Wraps each method once, until `restore`.

    When a wrapped method calls another one of the same object, only the outermost call is reported. A coroutine
    function is reported when it is called, not when it is awaited.
    """

    def __init__(self) -> None:
        self._patched: dict[tuple[type, str], tuple[Any, Any]] = {}
        self._inside: set[tuple[int, int]] = set()

    def wrap(self, owner: type, name: str, after: After) -> None:
        if (owner, name) in self._patched:
            return
        original = owner.__dict__[name]
        inside = self._inside

        @wraps(original)
        def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            key = (get_ident(), id(self))
            if key in inside:
                return original(self, *args, **kwargs)
            inside.add(key)
            succeeded = False
            try:
                result = original(self, *args, **kwargs)
                succeeded = True
                return result
            finally:
                inside.discard(key)
                after(self, args or tuple(kwargs.values()), succeeded)

        self._patched[owner, name] = (original, method)
        setattr(owner, name, method)

    def restore(self) -> None:
        for (owner, name), (original, ours) in self._patched.items():
            if owner.__dict__.get(name) is ours:
                setattr(owner, name, original)
        self._patched = {}


class Psycopg2Classes:
    """Makes `psycopg2.connect` return connections and cursors of subclasses that add nothing, unless the suite passes
    classes of its own. They are instances of psycopg2's classes, but not of these exact types.

    Assumes psycopg2's private `_connect`, which `connect` calls even where it was imported earlier. Without it nothing
    is changed.
    """

    def __init__(self, module: ModuleType) -> None:
        extensions: Any = vars(module)["extensions"]
        self.connection = _subclass(extensions.connection, _CONNECTION_METHODS)
        self.cursor = _subclass(extensions.cursor, _CURSOR_METHODS)
        self._module: Any = module
        self._original = vars(module).get("_connect")
        if self._original is not None:
            module.__dict__["_connect"] = self._connect

    def restore(self) -> None:
        # Compared by equality: each access makes a new bound method.
        if self._original is not None and self._module._connect == self._connect:
            self._module._connect = self._original

    def _connect(self, dsn: Any, connection_factory: Any = None, **more: Any) -> Any:
        original: Any = self._original
        made = original(dsn, connection_factory=connection_factory or self.connection, **more)
        if made.cursor_factory is None:
            made.cursor_factory = self.cursor
        return made


def _subclass(base: type, methods: tuple[str, ...]) -> type:
    own: dict[str, Any] = {name: _forwarding(base, name) for name in methods}
    return type(base.__name__, (base,), {**own, "__module__": base.__module__, "__doc__": base.__doc__})


def _forwarding(base: type, name: str) -> Any:
    original = getattr(base, name)

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return original(self, *args, **kwargs)

    method.__name__ = name
    method.__qualname__ = f"{base.__qualname__}.{name}"
    method.__doc__ = original.__doc__
    return method
