"""Changes of what code has made. What modules made belongs to all tests: a test changes copies of its own."""

from dataclasses import dataclass, field
from typing import TypeVar

from unknot.web.readers.python.scope import Module
from unknot.web.readers.python.things import MOST_ITEMS, Constant, Instance, Keyed, Listed, ProjectClass, Values, joined

Key = TypeVar("Key", bound=Constant)


@dataclass(slots=True)
class Heap:
    """`is_shared` says that what is changed now is changed for all: a module is being imported. `doubts` counts the
    branches around the code that is read: in one, a change adds to what was known and replaces nothing."""

    is_shared: bool = False
    doubts: int = 0
    _lists: dict[Listed, list[Values]] = field(default_factory=dict)
    _dicts: dict[Keyed, dict[Constant, Values]] = field(default_factory=dict)
    _attributes: dict[Instance | ProjectClass, dict[str, Values]] = field(default_factory=dict)
    _globals: dict[Module, dict[str, Values]] = field(default_factory=dict)

    def items(self, thing: Listed) -> list[Values]:
        return self._lists.get(thing, thing.contents)

    def entries(self, thing: Keyed) -> dict[Constant, Values]:
        return self._dicts.get(thing, thing.contents)

    def attributes(self, thing: Instance | ProjectClass) -> dict[str, Values]:
        return self._attributes.get(thing, thing.contents)

    def global_names(self, module: Module) -> dict[str, Values]:
        """Those that this test has changed."""
        return self._globals.get(module, {})

    def append(self, thing: Listed, values: Values) -> None:
        if not self.is_shared:
            self._lists.setdefault(thing, list(thing.contents))
        items = self.items(thing)
        if len(items) < MOST_ITEMS:
            items.append(values)

    def put(self, thing: Keyed, key: Constant, values: Values) -> None:
        if not self.is_shared:
            self._dicts.setdefault(thing, dict(thing.contents))
        self._set(self.entries(thing), key, values)

    def set_attribute(self, thing: Instance | ProjectClass, name: str, values: Values) -> None:
        if not self.is_shared:
            self._attributes.setdefault(thing, dict(thing.contents))
        self._set(self.attributes(thing), name, values)

    def set_global(self, module: Module, name: str, values: Values) -> None:
        names = module.scope.names if self.is_shared else self._globals.setdefault(module, {})
        if name not in names and name in module.scope.names:
            names[name] = module.scope.names[name]
        self._set(names, name, values)

    def _set(self, known: dict[Key, Values], key: Key, values: Values) -> None:
        if len(known) < MOST_ITEMS or key in known:
            known[key] = joined(known[key], values) if self.doubts and key in known else values
