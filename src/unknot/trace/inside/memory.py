"""What tests leave in memory, and who looks at it: the heap walk and the read watch, joined."""

import ast
import sys
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from unknot.trace.inside import others_state
from unknot.trace.inside._heap import Heap
from unknot.trace.inside.labels import module_contents
from unknot.trace.inside.ledger import Ledger
from unknot.trace.inside.reads import Watching, Written
from unknot.trace.inside.stop_list import StopList

_OURS = "unknot."


class Place:
    """A location in memory: how to get there, and what it held when the test before had ended."""

    def __init__(self, memory: "Memory", kind: str, name: str, root: str, road: Sequence[Any]) -> None:
        self._memory = memory
        self.key = (kind, name)
        self.root = root
        self.road = road
        self.sign = 0

    def was_read(self) -> bool:
        return self._memory.was_read(self)


class Memory:
    """Told at each border between tests, it tells the ledger what has changed since the last one, and from then on who
    reads that.

    A read counts for what an earlier test left: if the test at work has changed the content before, it reads its own.
    Reads by pytest itself, with none of the user's code on the stack, do not count. Costs a walk over all that the
    user's modules reach for each border: 100 to 250 ns an entry.
    """

    def __init__(self, ledger: Ledger, stop_list: StopList, watching: Watching) -> None:
        self._ledger = ledger
        self._stop_list = stop_list
        self._watching = watching
        self._heap = Heap(watching.is_users, stop_list.stops_type)
        self._clean: dict[tuple[str, str], int] = {}
        self._modules = 0
        self._others: list[tuple[str, object]] = []
        self._told_notes = 0

    def look(self, written: Written) -> bool:
        """Whether something has changed since the last look; the first one only looks."""
        changes = self._heap.look(self._roots(), self._others)
        for change in changes:
            location = self._location(change)
            if location is not None:
                self._take(change, Place(self, *location, change.root, change.road), written)
        for note in self._heap.notes[self._told_notes :]:
            self._ledger.note(note)
        self._told_notes = len(self._heap.notes)
        return bool(changes)

    def _take(self, change: Any, place: Place, written: Written) -> None:
        place.sign = change.sign
        restored = change.sign == self._clean.setdefault(place.key, change.sign_before)
        self._ledger.wrote(
            *place.key,
            written(place.key),
            shown=change.shown,
            sign=change.sign,
            clean=self._clean[place.key],
            root=change.root,
            road=_written_down(change.road),
            restored=restored,
        )
        if restored:
            self._watching.unwatch(change.holder, change.holder_key)
        else:
            self._watching.watch(change.holder, change.holder_key, place)

    def place(self, kind: str, name: str, root: str, road: str) -> Place:
        """A location as the first look wrote it down."""
        steps: Sequence[Any] = ast.literal_eval(road)
        return Place(self, kind, name, root, steps)

    def expect(self, places: Iterable[Place]) -> None:
        """Watches these from now on, whether or not they have changed yet."""
        for place in places:
            place.sign = self.sign(place)
            root, road = self._root(place.root), list(place.road)
            while road:
                # What cannot be watched itself is watched where it is held.
                try:
                    container = self._heap.follow(root, road[:-1])
                except LookupError:
                    container = None
                if container is not None and self._watching.watch(container, road[-1][1], place):
                    break
                road.pop()

    def sign(self, place: Place) -> int:
        """The fingerprint of what is there now, 0 if nothing is."""
        root = self._root(place.root)
        return 0 if root is None else self._heap.sign_at(root, place.road)

    def was_read(self, place: Place) -> bool:
        stack = self._ledger.stacks.here(sys._getframe(1))
        if not self._ledger.stacks.has_users(stack):
            return False
        if self.sign(place) == place.sign:
            self._ledger.read(*place.key, stack)
        return True

    def _location(self, change: Any) -> tuple[str, str] | None:
        if _is_submodule(change) or change.name.startswith(_OURS) or change.shown.startswith(f"<{_OURS}"):
            return None
        location = others_state.ours(change.name, change.container, change.key)
        return None if location is None or self._stop_list.stops(*location) else location

    def _roots(self) -> list[tuple[str, object]]:
        users = self._watching.users_modules()
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            numbers = set(map(id, users))
            self._others = [(name, module) for name, module in list(sys.modules.items()) if id(module) not in numbers]
        return [*((module.__name__, module) for module in users), *others_state.roots()]

    def _root(self, name: str) -> object:
        module = sys.modules.get(name)
        return module if module is not None else dict(others_state.roots()).get(name)


def _is_submodule(change: Any) -> bool:
    """A module becomes an attribute of its package when somebody imports it first, whoever that is."""
    if change.how != "added" or not isinstance(change.container, ModuleType):
        return False
    contents = module_contents(change.container)
    value = contents.get(change.key)
    return isinstance(value, ModuleType) and sys.modules.get(f"{contents.get('__name__')}.{change.key}") is value


def _written_down(road: Sequence[Any]) -> str:
    """The road as Python literals, empty if a key on it is no literal."""
    return repr(tuple(tuple(step) for step in road)) if all(_is_literal(key) for _, key in road) else ""


def _is_literal(key: object) -> bool:
    if type(key) is tuple:
        return all(map(_is_literal, key))
    return type(key) in (str, bytes, int, bool, float, type(None))
