"""Fixtures of Playwright tests: `test.extend({ loginPage: async ({ page }, use) => … })`, found by the names that a
test takes apart."""

from collections.abc import Iterable, Mapping

from unknot.web.readers.syntax.calling import entered
from unknot.web.readers.syntax.code import RecordPattern
from unknot.web.readers.syntax.machine import Machine
from unknot.web.readers.syntax.values import UNKNOWN, Closure, Entries, Items, Lazy, Native, Steps, Text, Value


class Fixtures:
    """Those of one test; each is set up once. One that asks for itself gets what it overrides, which is not known."""

    def __init__(self, machine: Machine, given: Mapping[str, Value]) -> None:
        self._machine = machine
        self._given = given
        self._made: dict[str, Value] = {}
        self._making: set[str] = set()

    def asked_by(self, function: Closure) -> Steps:
        """The first argument of a test or a fixture: an object with what it names."""
        entries: dict[str, Value] = {}
        for name in _named(function):
            entries[name] = yield self._one(name)
        return Entries(entries)

    def automatic(self) -> Steps:
        """Sets up what runs for every test, whether it is asked for or not."""
        for name, given in self._given.items():
            if isinstance(given, Items) and len(given.items) > 1 and _is_automatic(given.items[1]):
                yield self._one(name)
        return UNKNOWN

    def _one(self, name: str) -> Steps:
        if name in self._made or name in self._making or name not in self._given:
            return self._made.get(name, UNKNOWN)
        self._making.add(name)
        given = self._given[name]
        if isinstance(given, Lazy):
            given = yield self._machine.forced(given)
        if isinstance(given, Items):
            given = given.items[0] if given.items else UNKNOWN
        if isinstance(given, Closure):
            given = yield self._set_up(given)
        self._making.discard(name)
        self._made[name] = given
        return given

    def _set_up(self, function: Closure) -> Steps:
        """What the fixture hands to `use`. What comes after that tears down, and is followed, too."""
        used: list[Value] = []

        def use(arguments: list[Value]) -> Value:
            used.extend(arguments[:1])
            return UNKNOWN

        asked = yield self.asked_by(function)
        yield entered(self._machine, function, UNKNOWN, [asked, Native("use", use)])
        return used[0] if used else UNKNOWN


def _named(function: Closure) -> Iterable[str]:
    pattern = function.code.parameters[0] if function.code.parameters else None
    return [name for name, _ in pattern.entries if name] if isinstance(pattern, RecordPattern) else []


def _is_automatic(options: Value) -> bool:
    return isinstance(options, Entries) and options.entries.get("auto") == Text("true", None, is_text=False)
