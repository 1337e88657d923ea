"""The read watch, shared by all collectors that record which test reads what."""

import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Protocol

from unknot.recorder.inside.labels import module_contents
from unknot.recorder.inside.stack import Frame, Stacks
from unknot.recorder.native import _watch

WriteStacks = Callable[[tuple[str, str]], Sequence[Frame]]
"""Where the test that has just ended wrote a location, by its kind and name; empty if unknown."""


class ReadListener(Protocol):
    """Is notified when a watched location is read."""

    def was_read(self) -> bool:
        """Called in the middle of the suite's code. False if the read does not count, because the suite's code did not
        cause it: then the next read in the same test is reported too."""
        ...


class ReadWatch:
    """Reports reads to the listeners: at most once in each test, and only while a test is running."""

    def __init__(self, stacks: Stacks) -> None:
        self._stacks = stacks
        self._count = 0
        self._modules: dict[str, ModuleType] = {}
        _watch.install(_notify)

    def begin_test(self) -> None:
        _watch.next_epoch()
        _watch.set_active(True)

    def pause(self) -> None:
        """While the recorder's own code runs."""
        _watch.set_active(False)

    def resume(self) -> None:
        _watch.set_active(True)

    def watch(self, container: object, key: object, listener: ReadListener) -> bool:
        """Whether it can be watched at all."""
        return _watch.watch(container, key, listener)

    def unwatch(self, container: object, key: object) -> None:
        _watch.unwatch(container, key)

    def close(self) -> None:
        """Restores everything that watching has changed."""
        _watch.set_active(False)
        _watch.unwatch_all()

    def users_modules(self) -> Mapping[str, ModuleType]:
        """The user's modules that are imported now, by their names in `sys.modules`."""
        if len(sys.modules) != self._count:
            self._count = len(sys.modules)
            self._modules = {name: module for name, module in list(sys.modules.items()) if self._is_users(module)}
        return self._modules

    def is_users(self, name: str) -> bool:
        return self._is_users(sys.modules.get(name))

    def _is_users(self, module: object) -> bool:
        # A module may be of a class whose every attribute access runs code.
        if not issubclass(type(module), ModuleType):
            return False
        file = module_contents(module).get("__file__")  # type: ignore[arg-type]
        return type(file) is str and self._stacks.is_users(file)


def _notify(listener: object) -> bool:
    return listener.was_read()  # type: ignore[attr-defined, no-any-return]
