"""psycopg2's connections and cursors, which are written in C, as classes whose methods can be wrapped."""

from types import ModuleType
from typing import Any

PSYCOPG2 = "psycopg2"
_CONNECTION_METHODS = ("commit", "rollback", "close")
_CURSOR_METHODS = ("execute", "executemany", "callproc", "copy_expert")


class Psycopg2Classes:
    """Lets `psycopg2.connect` make connections and cursors of subclasses that do nothing of their own, where the suite
    asks for none of its own. They are instances of psycopg2's classes, but not exactly of these.

    Assumes psycopg2's private `_connect`, which `connect` calls whoever has taken it out of the module; without it
    nothing is changed.
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
        # A bound method is made anew each time that it is asked for.
        if self._original is not None and self._module._connect == self._connect:
            self._module._connect = self._original

    def _connect(self, dsn: Any, connection_factory: Any = None, **more: Any) -> Any:
        original: Any = self._original
        made = original(dsn, connection_factory=connection_factory or self.connection, **more)
        if made.cursor_factory is None:
            made.cursor_factory = self.cursor
        return made


def _subclass(base: type, methods: tuple[str, ...]) -> type:
    own: dict[str, Any] = {name: _passing_on(base, name) for name in methods}
    return type(base.__name__, (base,), {**own, "__module__": base.__module__, "__doc__": base.__doc__})


def _passing_on(base: type, name: str) -> Any:
    original = getattr(base, name)

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return original(self, *args, **kwargs)

    method.__name__ = name
    method.__qualname__ = f"{base.__qualname__}.{name}"
    method.__doc__ = original.__doc__
    return method
