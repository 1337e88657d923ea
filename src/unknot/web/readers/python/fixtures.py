"""Fixtures: which function a name means for a test, and what it gives."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unknot.web.readers.python import calls
from unknot.web.readers.python.arguments import Arguments, parameters
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import (
    BROWSER,
    UNKNOWN,
    FixtureRequest,
    Foreign,
    Function,
    Mark,
    Values,
    constants,
    joined,
    texts_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_BROWSERS = frozenset({"page", "browser", "context", "driver", "web_driver", "webdriver", "selenium"})
"""What plugins call theirs."""

_MAKERS = ("fixture", "yield_fixture")


@dataclass(frozen=True, slots=True)
class Fixture:
    """A function with what its decorator says."""

    name: str
    function: Function
    mark: Mark

    @property
    def is_automatic(self) -> bool:
        return self.mark.keywords.get("autouse") == constants(True)


def declared(values: Values, name: str) -> Fixture | None:
    """The fixture that a name of a module or class stands for."""
    for function in (thing for thing in values if isinstance(thing, Function)):
        for each in (thing for decorator in function.decorators for thing in decorator):
            if isinstance(each, Mark) and each.name in _MAKERS:
                own = texts_of(each.keywords.get("name", ()))
                return Fixture(own[0] if own else name, function, each)
            if isinstance(each, Foreign) and each.last in _MAKERS:
                return Fixture(name, function, Mark("fixture", [], {}))
    return None


@dataclass(slots=True)
class Shelf:
    """The fixtures that one test can see, nearest first: those of its class, its file, the conftest files above it,
    and the plugins that these name. Each is made once."""

    reader: "Interpreter"
    levels: list[dict[str, Fixture]]
    params: dict[str, Values] = field(default_factory=dict)
    given: dict[str, Values] = field(default_factory=dict)
    """What the test's case puts in the place of fixtures."""
    _made: dict[Function, Values] = field(default_factory=dict)
    _being_made: list[Function] = field(default_factory=list)

    def automatic(self) -> list[str]:
        """Those that every test gets, outermost first."""
        return list(
            dict.fromkeys(each.name for level in reversed(self.levels) for each in level.values() if each.is_automatic)
        )

    def get(self, name: str) -> Values:
        """What a test that asks for the name gets. A fixture that asks for its own name means the one farther out."""
        if name == "request":
            return (FixtureRequest(self._param()),)
        if name in self.given:
            return self.given[name]
        for fixture in self.called(name):
            if fixture.function not in self._being_made:
                return self._value(fixture)
        if name in _BROWSERS:
            return BROWSER
        return (Foreign("sb"),) if name == "sb" else UNKNOWN

    def called(self, name: str) -> list[Fixture]:
        return [level[name] for level in self.levels if name in level]

    def needed(self, names: list[str]) -> list[str]:
        """With all that they need in turn."""
        found: dict[str, None] = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop(0)
            if name not in found:
                found[name] = None
                for fixture in self.called(name)[:1]:
                    waiting.extend(parameters(fixture.function.node))
        return list(found)

    def _param(self) -> Values:
        """Of the fixture that is being made."""
        if not self._being_made:
            return UNKNOWN
        asking = self._being_made[-1]
        names = [name for level in self.levels for name, each in level.items() if each.function is asking]
        return next((self.params[name] for name in names if name in self.params), UNKNOWN)

    def _value(self, fixture: Fixture) -> Values:
        if fixture.function in self._made:
            return self._made[fixture.function]
        self._being_made.append(fixture.function)
        try:
            self._made[fixture.function] = values = self._fresh(fixture.function)
        finally:
            self._being_made.pop()
        return values

    def _fresh(self, function: Function) -> Values:
        arguments = Arguments(Place(function.scope, getattr(function.node, "lineno", 1)))
        asked = parameters(function.node)
        if function.owner is not None and asked:
            arguments.keywords[asked[0]] = self.reader.test_object
            asked = asked[1:]
        arguments.keywords |= {name: self.get(name) for name in asked}
        scope = calls.entered(self.reader, function, arguments)
        if scope is None:
            return UNKNOWN
        return joined(*(scope.yielded or scope.returned)) or constants(None)
