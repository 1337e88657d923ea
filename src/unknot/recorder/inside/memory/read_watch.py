"""The read watch, shared by all collectors that record which test reads what."""

import sys
from collections.abc import Callable, Mapping, Sequence
from operator import methodcaller
from types import ModuleType
from typing import Any

from unknot.recorder.inside.labels import module_contents
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Frame, Stacks
from unknot.recorder.native import _watch

Key = tuple[str, str]
"""Kind and name of a location."""

WriteStacks = Callable[[Key], Sequence[Frame]]
"""Where the test that has just ended wrote a location; empty if unknown."""


class WatchedLocation:
    """A location whose reads are recorded. `found` is the fingerprint at the last test boundary, if known; `seen` the
    one that the last reader read."""

    def __init__(self, ledger: Ledger, kind: str, name: str) -> None:
        self._ledger = ledger
        self.key = (kind, name)
        self.found: int | None = None
        self.seen: int | None = None

    def fingerprint(self) -> int:
        """Of the current content; 0 if the location does not exist."""
        raise NotImplementedError

    def quick_fingerprint(self) -> Callable[[], object] | None:
        """For where `fingerprint` takes too long to run after every line: shows, within one test, whether the location
        was written, but not whether something nested in it was. None if there is no such shortcut."""
        return None

    def expect(self) -> None:
        """Watches it from now on, whether or not it has changed yet."""
        raise NotImplementedError

    def was_read(self) -> bool:
        """Called in the middle of the suite's code. False if the read does not count, because the suite's code did not
        cause it: then the next read in the same test is reported too."""
        if self._ledger.has_read(*self.key):
            return True
        stack = self._ledger.stacks.here(sys._getframe(1))
        if not self._ledger.stacks.has_users(stack):
            return False
        self.seen = self.fingerprint()
        self._ledger.read(*self.key, stack, found=self.found, seen=self.seen, **self._details())
        return True

    def _details(self) -> dict[str, Any]:
        """What else the record of a read contains."""
        return {}


class ReadWatch:
    """Reports reads to the watched locations: at most once in each test, and only while a test is running."""

    def __init__(self, stacks: Stacks) -> None:
        self._stacks = stacks
        self._count = 0
        self._modules: dict[str, ModuleType] = {}
        _watch.install(methodcaller("was_read"))

    def begin_test(self) -> None:
        _watch.next_epoch()
        _watch.set_active(True)

    def pause(self) -> None:
        """While the recorder's own code runs."""
        _watch.set_active(False)

    def resume(self) -> None:
        _watch.set_active(True)

    def watch(self, container: object, key: object, location: WatchedLocation) -> bool:
        """Whether it can be watched at all."""
        return _watch.watch(container, key, location)

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
