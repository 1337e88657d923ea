"""Fixtures and marks: which function a name means for a test, what it gives, and which cases marks declare."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.values import (
    BROWSER,
    UNKNOWN,
    CallArguments,
    ProjectObject,
    Unknown,
    Value,
    either,
    options,
)
from unknot.web.readers.python import calls
from unknot.web.readers.python.containers import elements
from unknot.web.readers.python.parametrisation import Parameters, of_fixture, of_mark
from unknot.web.readers.python.project import PythonProject
from unknot.web.readers.python.values import (
    NONE,
    FixtureRequest,
    Mark,
    PythonClass,
    PythonFunction,
    PythonModule,
    class_of,
    constant,
    texts_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_BROWSERS = frozenset({"page", "browser", "context", "driver", "web_driver", "webdriver", "selenium"})
"""What plugins call theirs."""

_MAKERS = ("fixture", "yield_fixture")
_MOST_PLUGINS = 50


@dataclass(frozen=True, slots=True)
class Fixture:
    """A function with the arguments of its decorator."""

    name: str
    function: PythonFunction
    mark: Mark

    @property
    def is_automatic(self) -> bool:
        return self.mark.keywords.get("autouse") == constant(True)


def declared_fixture(value: Value, name: str) -> Fixture | None:
    """The fixture that a name of a module or class stands for."""
    for function in (option for option in options(value) if isinstance(option, PythonFunction)):
        for each in (option for decorator in function.decorators for option in options(decorator)):
            if isinstance(each, Mark) and each.name in _MAKERS:
                own = texts_of(each.keywords.get("name"))
                return Fixture(own[0] if own else name, function, each)
            if isinstance(each, Unknown) and each.last in _MAKERS:
                return Fixture(name, function, Mark("fixture", [], {}))
    return None


@dataclass(slots=True)
class FixtureValues:
    """The fixtures that one test can use, nearest first: those of its class, its file, the conftest files above it, and
    the plugins that these name. Each is made once. `given` is what the test's case puts in the place of fixtures."""

    language: "PythonLanguage"
    levels: list[dict[str, Fixture]]
    params: dict[str, Value] = field(default_factory=dict)
    given: dict[str, Value] = field(default_factory=dict)
    _made: dict[PythonFunction, Value] = field(default_factory=dict)
    _being_made: list[PythonFunction] = field(default_factory=list)

    def automatic(self) -> list[str]:
        """Those that every test gets, outermost first."""
        fixtures = (each for level in reversed(self.levels) for each in level.values())
        return list(dict.fromkeys(each.name for each in fixtures if each.is_automatic))

    def get(self, name: str) -> Value:
        """What a parameter of this name gets. A fixture with a parameter of its own name gets the one farther out."""
        if name == "request":
            return FixtureRequest(self._param())
        if name in self.given:
            return self.given[name]
        for fixture in self.called(name):
            if fixture.function not in self._being_made:
                return self._value(fixture)
        if name in _BROWSERS:
            return BROWSER
        return Unknown("sb") if name == "sb" else UNKNOWN

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
                    waiting.extend(fixture.function.code.required)
        return list(found)

    def _param(self) -> Value:
        """Of the fixture that is being made."""
        if not self._being_made:
            return UNKNOWN
        making = self._being_made[-1]
        names = [name for level in self.levels for name, each in level.items() if each.function is making]
        return next((self.params[name] for name in names if name in self.params), UNKNOWN)

    def _value(self, fixture: Fixture) -> Value:
        if fixture.function in self._made:
            return self._made[fixture.function]
        self._being_made.append(fixture.function)
        try:
            self._made[fixture.function] = value = self._new(fixture.function)
        finally:
            self._being_made.pop()
        return value

    def _new(self, function: PythonFunction) -> Value:
        names = function.code.required
        given = CallArguments(place=Frame(function.code.file, function.code.line, ""))
        if function.owner is not None and names:
            given.keywords[names[0]] = self.language.test_object
            names = names[1:]
        given.keywords |= {name: self.get(name) for name in names}
        at = calls.activation(self.language, function, given)
        if at is None:
            return UNKNOWN
        self.language.machine.drive(calls.run(self.language, function, at))
        values = at.yielded or at.returned
        return either(values) if values else NONE


class FixtureCatalogue:
    """The fixtures that each module declares or imports, and the cases of each mark: looked up once for all tests."""

    def __init__(self, language: "PythonLanguage") -> None:
        self._language = language
        self._fixtures: dict[PythonModule, dict[str, Fixture]] = {}
        self._parameters: dict[Mark, Parameters | None] = {}

    def parameters(self, mark: Mark, place: Frame) -> Parameters | None:
        """Of `@pytest.mark.parametrize`; None for any other mark."""
        if mark not in self._parameters:
            is_known = mark.name == "parametrize"
            with self._language.silent():
                self._parameters[mark] = of_mark(self._language, mark, place) if is_known else None
        return self._parameters[mark]

    def parametrised(self, values: FixtureValues, names: list[str], place: Frame) -> list[Parameters]:
        """The fixtures with `params` among those that a test needs."""
        found = []
        for name in values.needed(names):
            for fixture in values.called(name)[:1]:
                if fixture.mark not in self._parameters:
                    with self._language.silent():
                        self._parameters[fixture.mark] = of_fixture(self._language, name, fixture.mark, place)
                found.append(self._parameters[fixture.mark])
        return [each for each in found if each is not None]

    def levels(self, module: PythonModule, test_object: Value) -> list[dict[str, Fixture]]:
        """Where a test of the module looks for fixtures, nearest first."""
        objects = [option for option in options(test_object) if isinstance(option, ProjectObject)]
        found = [_in_class(ancestor) for each in objects for ancestor in class_of(each).ancestors]
        found.extend(self._in_module(each) for each in self.modules(module))
        return [level for level in found if level]

    def modules(self, module: PythonModule) -> list[PythonModule]:
        """The module itself, the conftest files above it, and the plugins that these name."""
        with self._language.silent():
            near = [module, *_conftests(self._language.project, module)]
            for each in near:
                self._language.load(each)
            return [*near, *(plugin for each in near for plugin in _plugins(self._language, each))]

    def _in_module(self, module: PythonModule) -> dict[str, Fixture]:
        if module not in self._fixtures:
            with self._language.silent():
                self._language.load(module)
                names = list(module.scope.names.items())
                found = [declared_fixture(self._language.resolve(value), name) for name, value in names]
            self._fixtures[module] = {each.name: each for each in found if each is not None}
        return self._fixtures[module]


def _in_class(owner: PythonClass) -> dict[str, Fixture]:
    fixtures = [declared_fixture(value, name) for name, value in owner.statics.items()]
    return {each.name: each for each in fixtures if each is not None}


def _conftests(project: PythonProject, module: PythonModule) -> Iterator[PythonModule]:
    parts = module.directory.split("/") if module.directory else []
    for size in range(len(parts), -1, -1):
        found = project.module("/".join([*parts[:size], "conftest.py"]))
        if found is not None and found is not module:
            yield found


def _plugins(language: "PythonLanguage", module: PythonModule) -> Iterator[PythonModule]:
    """Those that `pytest_plugins` names."""
    named = module.scope.names.get("pytest_plugins")
    if named is None:
        return
    names = texts_of(named) or [name for each in elements(language, named)[0] for name in texts_of(each)]
    for name in names[:_MOST_PLUGINS]:
        plugin = language.project.imported(module, name, 0)
        if plugin is not None:
            yield plugin


def marks(
    language: "PythonLanguage", module: PythonModule, owners: list[PythonClass], function: PythonFunction
) -> list[Mark]:
    """Those of a test, its classes and its module: nearest first, as pytest writes their cases into its name."""
    found = _marks(language, list(reversed(function.decorators)))
    for owner in reversed(owners):
        for ancestor in owner.ancestors:
            found += _marks(language, [*reversed(ancestor.decorators), ancestor.statics.get("pytestmark")])
    return found + _marks(language, [module.scope.names.get("pytestmark")])


def _marks(language: "PythonLanguage", decorators: list[Value | None]) -> list[Mark]:
    found = []
    for value in (value for value in decorators if value is not None):
        inner = [option for each in elements(language, value)[0] for option in options(each)]
        found += [option for option in (*options(value), *inner) if isinstance(option, Mark)]
    return found


def named_fixtures(found: list[Mark]) -> list[str]:
    """Those that `usefixtures` names."""
    return [name for mark in found if mark.name == "usefixtures" for each in mark.positional for name in texts_of(each)]
