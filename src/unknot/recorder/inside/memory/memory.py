"""What tests leave in memory, and who looks at it: the heap walk and the read watch, joined."""

import ast
import builtins
import functools
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile
from types import FunctionType, ModuleType
from typing import Any

from unknot.recorder.inside.labels import class_name, module_contents
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory import others_state
from unknot.recorder.inside.memory.reads import Watching, Written
from unknot.recorder.inside.memory.shared_fixtures import SharedFixtures
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.recorder.inside.patience import Patience
from unknot.recorder.native._heap import Heap

_OURS = "unknot."
_WHOLES: tuple[Any, ...] = (list, set, deque)
"""What is one location as a whole."""

_MOST_BY_IDENTITY = 1_000
_LOOK_AGAIN_SECONDS = 0.005
_clock = time.perf_counter
_lru_cache = type(functools.lru_cache(ast.literal_eval))
_contents_of_class = type.__dict__["__dict__"].__get__


class Place:
    """A location in memory, and how to get there. `is_whole` says that a container is watched, not a slot that holds
    it; `found` is what stood there at the last border, if that is known, `seen` what the last reader had before its
    eyes."""

    def __init__(self, memory: "Memory", kind: str, name: str, root: str, road: Sequence[Any]) -> None:
        self._memory = memory
        self.key = (kind, name)
        self.root = root
        self.road = road
        self.is_whole = False
        self.is_cut = False
        self.found: int | None = None
        self.seen: int | None = None

    def was_read(self) -> bool:
        return self._memory.was_read(self)


class Memory:
    """Told at each border between tests, it tells the ledger what has changed since the last one, and from then on who
    reads that.

    Reads by pytest itself, with none of the user's code on the stack, do not count. Costs a walk over all that the
    user's modules reach for each border: 20 to 80 ns an entry, and more where much has changed.
    """

    def __init__(self, ledger: Ledger, stop_list: StopList, watching: Watching) -> None:
        self._ledger = ledger
        self._stop_list = stop_list
        self._watching = watching
        self._heap = Heap(watching.is_users, stop_list.stops_type)
        self._patience = Patience()
        self._clean: dict[tuple[str, str], int] = {}
        self._watched: dict[tuple[str, str], Place] = {}
        self._modules = 0
        self._others: list[tuple[str, object]] = []
        self._told_notes = 0
        self._others_roots = frozenset(name for name, _ in others_state.roots())
        self.fixtures = SharedFixtures(ledger.stacks.is_users)

    def look(self, written: Written) -> bool:
        """Whether something has changed since the last look; the first one only looks."""
        self._patience.begin()
        try:
            return self._look(written)
        finally:
            if self._patience.end():
                most = self._patience.most_entries
                self._heap = Heap(self._watching.is_users, self._stop_list.stops_type, most_entries=most)
                self._told_notes = 0
                self._heap.look(self._roots(), self._others)
                self._ledger.note(
                    f"memory beyond {most:,} entries, from {self._ledger.test or 'the beginning'} on: to look at all of"
                    " it took longer than the tests"
                )

    def _look(self, written: Written) -> bool:
        other_fixtures = self.fixtures.have_changed()
        changes = self._heap.look(self._roots(), self._others)
        for change in changes:
            location = self._location(change)
            if location is not None:
                self._take(change, Place(self, *location, change.root, change.road), written)
        for note in self._heap.notes[self._told_notes :]:
            self._ledger.note(note)
        self._told_notes = len(self._heap.notes)
        if changes:
            self._look_again()
        return other_fixtures or bool(changes)

    def _look_again(self) -> None:
        """A change further in is a change of what holds it, too. Where there is much to ask, what is not asked in time
        is not known."""
        deadline = _clock() + _LOOK_AGAIN_SECONDS
        for place in self._watched.values():
            place.found = self.sign(place) if _clock() < deadline else None

    def _take(self, change: Any, place: Place, written: Written) -> None:
        restored = change.sign == self._clean.setdefault(place.key, change.sign_before)
        self._ledger.wrote(
            *place.key,
            written(place.key),
            shown=change.shown,
            sign=change.sign,
            clean=self._clean[place.key],
            root=change.root,
            road=_written_down(change.road),
            cut=not all(_is_literal(key) for _, key in change.road),
            restored=restored,
        )
        if unseen := others_state.unseen_readers(change.root, change.road):
            self._ledger.fact(kind=place.key[0], name=place.key[1], unseen=unseen)
        # Keys that are no literals look alike in names, so that all of them are one location: the whole container.
        holder, key = _holder(change.holder), change.holder_key if _is_literal(change.holder_key) else None
        if restored:
            self._watched.pop(place.key, None)
            self._watching.unwatch(holder, key)
        else:
            self._watched[place.key] = place
            place.is_whole = key is None
            self._watching.watch(holder, key, place)

    def place(self, kind: str, name: str, root: str, road: str, is_cut: bool) -> Place:
        """A location as the first look wrote it down. Where the road is cut, its signs are of what holds it."""
        steps: Sequence[Any] = ast.literal_eval(road)
        place = Place(self, kind, name, root, steps)
        place.is_cut = is_cut
        return place

    def expect(self, places: Iterable[Place]) -> None:
        """Watches these from now on, whether or not they have changed yet."""
        for place in places:
            self._watched[place.key] = place
            place.found = self.sign(place)
            road = list(place.road)
            held = self._at(place.root, road)
            place.is_whole = issubclass(type(held), _WHOLES) and self._watching.watch(held, None, place)
            if place.is_whole:
                continue
            while road:
                # What cannot be watched itself is watched where it is held.
                _, key = road.pop()
                holder = self._at(place.root, road)
                if holder is not None and self._watching.watch(_holder(holder), key, place):
                    break

    def _at(self, root: str, road: Sequence[Any]) -> object:
        try:
            return self._heap.follow(self._root(root), road)
        except LookupError:
            return None

    def sign(self, place: Place) -> int:
        """The fingerprint of what is there now, 0 if nothing is."""
        root = self._root(place.root)
        return 0 if root is None else self._heap.sign_at(root, place.road)

    def quick_sign(self, place: Place) -> Callable[[], object] | None:
        """For where `sign` takes too long to be asked after every line: what tells within one test whether the location
        was written, though not whether something further in was. None if there is no such thing."""
        steps = list(place.road)
        if place.is_cut:
            return None
        if steps and steps[-1][0] == "cache":
            cached = self._at(place.root, steps[:-1])
            return partial(_fillings, cached) if type(cached) is _lru_cache else None
        held = self._at(place.root, steps)
        return partial(self._members, place) if issubclass(type(held), _WHOLES) else None

    def _members(self, place: Place) -> object:
        held = self._at(place.root, place.road)
        kind = next((kind for kind in _WHOLES if issubclass(type(held), kind)), None)
        if kind is None:
            return id(held)
        self._watching.pause()
        try:
            length = kind.__len__(held)
            return id(held), length, *map(id, kind.__iter__(held) if length <= _MOST_BY_IDENTITY else ())
        finally:
            self._watching.resume()

    def was_read(self, place: Place) -> bool:
        if self._ledger.has_read(*place.key):
            return True
        stack = self._ledger.stacks.here(sys._getframe(1))
        if not self._ledger.stacks.has_users(stack):
            return False
        place.seen = self.sign(place)
        self._ledger.read(*place.key, stack, found=place.found, seen=place.seen, whole=place.is_whole, cut=place.is_cut)
        return True

    def _location(self, change: Any) -> tuple[str, str] | None:
        if _is_submodule(change) or _is_ours(change):
            return None
        location = others_state.ours(change.name, change.container, change.key, change.how)
        return None if location is None or self._stop_list.stops(*location) else location

    def _roots(self) -> list[tuple[str, object]]:
        users = self._watching.users_modules()
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            known = {*users, *self._others_roots}
            self._others = [(name, module) for name, module in list(sys.modules.items()) if name not in known]
        return [*users.items(), *others_state.roots(), *self.fixtures.roots()]

    def _root(self, name: str) -> object:
        if name in self._others_roots:
            return dict(others_state.roots())[name]
        return sys.modules[name] if name in sys.modules else self.fixtures.root(name)


def _fillings(cached: Any) -> object:
    return cached.cache_info()[1:]


def _holder(container: object) -> object:
    """Names of builtins are looked up without asking the dictionary's type, but not without asking the module."""
    return builtins if container is builtins.__dict__ else container


def _is_ours(change: Any) -> bool:
    """Whether it is something that the recorder itself has put in its place, to listen."""
    value = _entry(change)
    ours = value.__module__ if type(value) is FunctionType else class_name(type(value))
    return change.name.startswith(_OURS) or (type(ours) is str and ours.startswith(_OURS))


def _entry(change: Any) -> object:
    """What stands there now, if a module or a class holds it."""
    if issubclass(type(change.container), ModuleType):
        return module_contents(change.container).get(change.key)
    if issubclass(type(change.container), type):
        return _contents_of_class(change.container).get(change.key)
    return None


def _is_submodule(change: Any) -> bool:
    """A module becomes an attribute of its package when somebody imports it first, whoever that is."""
    if change.how != "added" or not issubclass(type(change.container), ModuleType):
        return False
    value, package = _entry(change), module_contents(change.container).get("__name__")
    return issubclass(type(value), ModuleType) and sys.modules.get(f"{package}.{change.key}") is value


def _written_down(road: Sequence[Any]) -> str:
    """The road as Python literals, as far as its keys are literals: what holds the rest changes with it."""
    return repr(tuple(tuple(step) for step in takewhile(lambda step: _is_literal(step[1]), road)))


def _is_literal(key: object) -> bool:
    if type(key) is tuple:
        return all(map(_is_literal, key))
    return type(key) in (str, bytes, int, bool, float, type(None))
