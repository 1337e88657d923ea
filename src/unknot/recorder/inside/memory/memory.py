"""What tests leave in memory, and which test reads it: combines the heap walk and the read watch."""

import ast
import builtins
import functools
import sys
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence, Set
from functools import partial
from itertools import takewhile
from types import FunctionType, ModuleType
from typing import Any

from unknot.recorder.inside.labels import class_name, module_contents
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.roots import SharedFixtures, library_roots, location_of, unseen_readers
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.recorder.inside.memory.watched_location import Key, WatchedLocation, WriteStacks
from unknot.recorder.inside.stack import Frame, UserModules
from unknot.recorder.native import _watch
from unknot.recorder.native._heap import Heap

_OURS = "unknot."
_WHOLES: tuple[Any, ...] = (list, set, deque)
"""Containers that are one location as a whole: sets only if they hold more than simple values."""

_WEAK = (weakref.ReferenceType, *weakref.ProxyTypes)

_MOST_BY_IDENTITY = 1_000
_REFRESH_SECONDS = 0.002
_LARGE_SECONDS, _LARGE_TIMES = 0.0005, 3
"""A location whose fingerprint has taken longer than this, so many times, is large: it is not taken again."""

_clock = time.perf_counter
_cpu_seconds = time.process_time
_lru_cache = type(functools.lru_cache(ast.literal_eval))
_contents_of_class = type.__dict__["__dict__"].__get__

_MANY_ENTRIES = 32
"""From so many watched entries on, a read of the whole container is one event, not one for each entry."""

_FREE_SECONDS = 2.0
_SHARE = 0.5
_LIMITS = (1_000_000, 200_000, 50_000, 10_000)


class WalkBudget:
    """How many entries a heap walk may visit: fewer when the walks have taken more than their share of the run.

    Otherwise a suite whose state grows from test to test would be walked longer and longer.
    """

    def __init__(self) -> None:
        self._started = _cpu_seconds()
        self._walking = 0.0
        self._level = 0
        self._since = 0.0

    @property
    def most_entries(self) -> int:
        return _LIMITS[self._level]

    def begin(self) -> None:
        self._since = _cpu_seconds()

    def end(self) -> bool:
        """Whether the limit changes from now on. The account then starts again at zero, to try the new limit."""
        now = _cpu_seconds()
        self._walking += now - self._since
        is_too_much = self._walking > _FREE_SECONDS and self._walking > _SHARE * (now - self._started)
        if not is_too_much or self._level + 1 == len(_LIMITS):
            return False
        self._level += 1
        self._started, self._walking = now, 0.0
        return True


class MemoryLocation(WatchedLocation):
    """A location in memory, and the path that leads there. `is_whole` means that the container is watched, not the slot
    that holds it; `is_all`, that reads of all its entries are, which are locations of their own. If the path is cut,
    fingerprints are of what contains the location."""

    def __init__(self, memory: "MemoryCollector", key: Key, root: str, path: Sequence[Any], *, is_cut: bool) -> None:
        super().__init__(memory.ledger, *key)
        self._memory = memory
        self._root = root
        self._path = path
        self._is_cut = is_cut
        self.is_whole = False
        self.is_all = False
        self.shown = ""

    def container(self) -> "MemoryLocation | None":
        """The container of which this is an entry; None if it cannot be named."""
        how, key = self._path[-1] if self._path else ("", None)
        kind, name = self.key
        shown = f"{key!r}"
        is_named = how == "key" and name.endswith((f"[{shown}]", f"{{{shown}}}"))
        if not is_named or not _is_literal(key):
            return None
        whole = MemoryLocation(
            self._memory, (kind, name[: -len(shown) - 2]), self._root, self._path[:-1], is_cut=self._is_cut
        )
        whole.is_all = True
        return whole

    def was_written(self) -> None:
        if self.found is None or self.affordable_fingerprint() != self.found:
            return
        stack = self._ledger.stacks.here(sys._getframe(1))
        if self._ledger.stacks.has_users(stack):
            self._memory.written_unchanged[self] = stack

    def record_unchanged_write(self, stack: Sequence[Frame], clean: int | None) -> None:
        """The test wrote what was there already: run alone, it would have changed it."""
        self._ledger.wrote(
            *self.key,
            stack,
            shown=self.shown,
            fingerprint=self.found,
            clean=self.found if clean is None else clean,
            root=self._root,
            path=_as_literals(self._path),
            cut=self._is_cut,
            restored=clean in (None, self.found),
            unchanged=True,
        )

    def fingerprint(self) -> int:
        return self._memory.fingerprint(self._root, self._path)

    def affordable_fingerprint(self) -> int | None:
        slow = self._memory.slow
        times = slow.get(self.key, 0)
        if times >= _LARGE_TIMES:
            return None
        started = _clock()
        found = self.fingerprint()
        if _clock() - started > _LARGE_SECONDS:
            slow[self.key] = times + 1
        return found

    def quick_fingerprint(self) -> Callable[[], object] | None:
        if self._is_cut:
            return None
        if self._path and self._path[-1][0] == "cache":
            cached = self._memory.follow(self._root, self._path[:-1])
            return partial(_cache_counters, cached) if type(cached) is _lru_cache else None
        value = self._memory.follow(self._root, self._path)
        return self._members if issubclass(type(value), _WHOLES) else None

    def _members(self) -> object:
        value = self._memory.follow(self._root, self._path)
        kind = next((kind for kind in _WHOLES if issubclass(type(value), kind)), None)
        if kind is None:
            return id(value)
        _watch.set_active(False)
        try:
            length = kind.__len__(value)
            return id(value), length, *map(id, kind.__iter__(value) if length <= _MOST_BY_IDENTITY else ())
        finally:
            _watch.set_active(True)

    def expect(self, *, takes_fingerprint: bool = True) -> None:
        self._memory.expect(self, self._root, list(self._path), takes_fingerprint=takes_fingerprint)

    def _details(self) -> dict[str, Any]:
        return {"whole": self.is_whole or self.is_all, "all": self.is_all, "cut": self._is_cut}


class MemoryCollector:
    """Records, at each test boundary, what has changed in memory since the last one, and from then on which test reads
    it.

    Reads by pytest itself, with none of the user's code on the stack, do not count. Each boundary costs a walk over
    everything that the user's modules reach: 20 to 80 ns an entry, and more where much has changed.
    """

    def __init__(self, ledger: Ledger, stop_list: StopList, user_modules: UserModules) -> None:
        self.ledger = ledger
        self._stop_list = stop_list
        self._user_modules = user_modules
        self._heap = Heap(user_modules.is_users, stop_list.stops_type)
        self._budget = WalkBudget()
        self._clean: dict[Key, int] = {}
        self._watched: dict[Key, MemoryLocation] = {}
        self._weak: set[Key] = set()
        """Locations that hold a weak reference, and are often removed with what it refers to, by no test."""
        self.slow: dict[Key, int] = {}
        self.written_unchanged: dict[MemoryLocation, Sequence[Frame]] = {}
        """What the current test has written without changing it, and where."""
        self._modules = 0
        self._others: list[tuple[str, object]] = []
        self._recorded_notes = 0
        self._library_roots = frozenset(name for name, _ in library_roots())
        self.fixtures = SharedFixtures(ledger.stacks.is_users)

    def compare(self, write_stacks: WriteStacks) -> bool:
        """Whether anything has changed since the last snapshot. The first call only takes one."""
        self._budget.begin()
        try:
            return self._compare(write_stacks)
        finally:
            if self._budget.end():
                most = self._budget.most_entries
                self._heap = Heap(self._user_modules.is_users, self._stop_list.stops_type, most_entries=most)
                self._recorded_notes = 0
                self._heap.compare(self._roots(), self._others)
                self.ledger.note(
                    f"memory beyond {most:,} entries, from {self.ledger.test or 'the beginning'} on: walking all of it"
                    " took longer than the tests"
                )

    def _compare(self, write_stacks: WriteStacks) -> bool:
        other_fixtures = self.fixtures.have_changed()
        changes = self._heap.compare(self._roots(), self._others)
        located = [(location, change) for change in changes if (location := self._location(change)) is not None]
        self._record_unchanged({location for location, _ in located})
        for location, change in located:
            self._record(change, location, write_stacks)
        for note in self._heap.notes[self._recorded_notes :]:
            self.ledger.note(note)
        self._recorded_notes = len(self._heap.notes)
        if changes:
            self._refresh_fingerprints()
        return other_fixtures or bool(changes)

    def _record_unchanged(self, changed: Set[Key]) -> None:
        for location, stack in self.written_unchanged.items():
            if location.key not in changed:
                location.record_unchanged_write(stack, self._clean.get(location.key))
        self.written_unchanged.clear()

    def _refresh_fingerprints(self) -> None:
        """A nested change also changes what contains it. Fingerprints that do not fit into the time limit become
        unknown."""
        deadline = _clock() + _REFRESH_SECONDS
        for location in self._watched.values():
            location.found = location.affordable_fingerprint() if _clock() < deadline else None

    def _record(self, change: Any, location: Key, write_stacks: WriteStacks) -> None:
        # Keys that are not literals have equal names, so all of them are one location: the whole container.
        holder, key = _holder(change.holder), change.holder_key if _is_literal(change.holder_key) else None
        if change.how == "removed" and location in self._weak:
            self._watched.pop(location, None)
            _watch.unwatch(holder, key)
            return
        if type(self.follow(change.root, change.path)) in _WEAK:
            self._weak.add(location)
        restored = change.fingerprint == self._clean.setdefault(location, change.fingerprint_before)
        self.ledger.wrote(
            *location,
            write_stacks(location),
            shown=change.shown,
            fingerprint=change.fingerprint,
            clean=self._clean[location],
            root=change.root,
            path=_as_literals(change.path),
            cut=not all(_is_literal(key) for _, key in change.path),
            restored=restored,
        )
        if unseen := unseen_readers(change.root, change.path):
            self.ledger.fact(kind=location[0], name=location[1], unseen=unseen)
        # What was restored is watched too: its readers could have found what was there before.
        watched = self._watched[location] = MemoryLocation(self, location, change.root, change.path, is_cut=False)
        watched.is_whole = key is None
        watched.shown = change.shown
        self._watch_entry(holder, key, watched)

    def _watch_entry(self, holder: object, key: object, location: MemoryLocation) -> bool:
        if not _watch.watch(holder, key, location):
            return False
        if _watch.entries_of(holder) == _MANY_ENTRIES and (container := location.container()) is not None:
            self._watched[container.key] = container
            _watch.watch_all(holder, container)
        return True

    def location(self, kind: str, name: str, root: str, path: str, is_cut: bool) -> MemoryLocation:
        """A location as the first pass recorded it."""
        return MemoryLocation(self, (kind, name), root, ast.literal_eval(path), is_cut=is_cut)

    def expect(self, location: MemoryLocation, root: str, path: list[Any], *, takes_fingerprint: bool) -> None:
        former = self._watched.get(location.key)
        self._watched[location.key] = location
        if former is not None:
            # At a boundary it has just been taken, if there was time.
            location.found = former.found
        else:
            location.found = location.affordable_fingerprint() if takes_fingerprint else None
        value = self.follow(root, path)
        location.is_whole = issubclass(type(value), _WHOLES) and _watch.watch(value, None, location)
        if location.is_whole:
            return
        while path:
            # What cannot be watched itself is watched in the nearest container that can.
            _, key = path.pop()
            holder = self.follow(root, path)
            if holder is not None and self._watch_entry(_holder(holder), key, location):
                break

    def follow(self, root: str, path: Sequence[Any]) -> object:
        """None if there is no such object."""
        try:
            return self._heap.follow(self._root(root), path)
        except LookupError:
            return None

    def fingerprint(self, root: str, path: Sequence[Any]) -> int:
        found = self._root(root)
        return 0 if found is None else self._heap.fingerprint_at(found, path)

    def _location(self, change: Any) -> Key | None:
        if _is_submodule(change) or _is_ours(change):
            return None
        location = location_of(change.name, change.container, change.key, change.how)
        return None if location is None or self._stop_list.stops(location[1]) else location

    def _roots(self) -> list[tuple[str, object]]:
        users = self._user_modules.by_name()
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            known = {*users, *self._library_roots}
            self._others = [(name, module) for name, module in list(sys.modules.items()) if name not in known]
        return [*users.items(), *library_roots(), *self.fixtures.roots()]

    def _root(self, name: str) -> object:
        if name in self._library_roots:
            return dict(library_roots())[name]
        return sys.modules[name] if name in sys.modules else self.fixtures.root(name)


def _cache_counters(cached: Any) -> object:
    return cached.cache_info()[1:]


def _holder(container: object) -> object:
    """Lookups of builtin names bypass the type of the dictionary, but not that of the module."""
    return builtins if container is builtins.__dict__ else container


def _is_ours(change: Any) -> bool:
    """Whether the recorder itself has put it there, to listen."""
    value = _entry(change)
    origin = value.__module__ if type(value) is FunctionType else class_name(type(value))
    return change.name.startswith(_OURS) or (type(origin) is str and origin.startswith(_OURS))


def _entry(change: Any) -> object:
    """The current value, if a module or a class holds it."""
    if issubclass(type(change.container), ModuleType):
        return module_contents(change.container).get(change.key)
    if issubclass(type(change.container), type):
        return _contents_of_class(change.container).get(change.key)
    return None


def _is_submodule(change: Any) -> bool:
    """A module becomes an attribute of its package with its first import, whichever test that is in."""
    if change.how != "added" or not issubclass(type(change.container), ModuleType):
        return False
    value, package = _entry(change), module_contents(change.container).get("__name__")
    return issubclass(type(value), ModuleType) and sys.modules.get(f"{package}.{change.key}") is value


def _as_literals(path: Sequence[Any]) -> str:
    """The path as Python literals, up to the first key that is not a literal: what contains the rest changes with
    it."""
    return repr(tuple(tuple(step) for step in takewhile(lambda step: _is_literal(step[1]), path)))


def _is_literal(key: object) -> bool:
    if type(key) is tuple:
        return all(map(_is_literal, key))
    return type(key) in (str, bytes, int, bool, float, type(None))
