"""What modules declare for their tests: fixtures, and the cases of marks."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from unknot.web.readers.python.cases import Parameters, of_fixture, of_mark
from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.fixtures import Fixture, Shelf, declared
from unknot.web.readers.python.project import Project
from unknot.web.readers.python.scope import Module
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import Instance, Mark, ProjectClass, Values, texts_of

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_MOST_PLUGINS = 50


class Catalogue:
    """The fixtures that each module declares or imports, and the cases of each mark: looked up once for all tests.
    `new_reader` gives an interpreter of whom no test hears."""

    def __init__(self, new_reader: "Callable[[], Interpreter]") -> None:
        self._new_reader = new_reader
        self._fixtures: dict[Module, dict[str, Fixture]] = {}
        self._parameters: dict[Mark, Parameters | None] = {}

    def parameters(self, mark: Mark, place: Place) -> Parameters | None:
        """Of `@pytest.mark.parametrize`; None for any other mark."""
        if mark not in self._parameters:
            known = mark.name == "parametrize"
            self._parameters[mark] = of_mark(self._new_reader(), mark, place) if known else None
        return self._parameters[mark]

    def parametrised(self, shelf: Shelf, names: list[str], place: Place) -> list[Parameters]:
        """The fixtures with `params` among those that a test needs."""
        found = []
        for name in shelf.needed(names):
            for fixture in shelf.called(name)[:1]:
                if fixture.mark not in self._parameters:
                    self._parameters[fixture.mark] = of_fixture(self._new_reader(), name, fixture.mark, place)
                found.append(self._parameters[fixture.mark])
        return [each for each in found if each is not None]

    def levels(self, module: Module, test_object: Values) -> list[dict[str, Fixture]]:
        """Where a test of the module looks for fixtures, nearest first."""
        found = [
            _in_class(ancestor)
            for thing in test_object
            if isinstance(thing, Instance)
            for ancestor in thing.of.line_of_descent
        ]
        found.extend(self._in_module(each) for each in self.modules(module))
        return [level for level in found if level]

    def modules(self, module: Module) -> list[Module]:
        """The module itself, the conftest files above it, and the plugins that these name."""
        reader = self._new_reader()
        near = [module, *_conftests(reader.project, module)]
        for each in near:
            reader.touch(each)
        return [*near, *(plugin for each in near for plugin in _plugins(reader, each))]

    def _in_module(self, module: Module) -> dict[str, Fixture]:
        if module not in self._fixtures:
            reader = self._new_reader()
            reader.touch(module)
            place = Place(module.scope, 1)
            names = list(module.scope.names.items())
            found = [declared(reader.known(values, place), name) for name, values in names]
            self._fixtures[module] = {each.name: each for each in found if each is not None}
        return self._fixtures[module]


def _in_class(owner: ProjectClass) -> dict[str, Fixture]:
    fixtures = [declared(values, name) for name, values in owner.contents.items()]
    return {each.name: each for each in fixtures if each is not None}


def _conftests(project: Project, module: Module) -> Iterator[Module]:
    parts = module.directory.split("/") if module.directory else []
    for size in range(len(parts), -1, -1):
        found = project.module("/".join([*parts[:size], "conftest.py"]))
        if found is not None and found is not module:
            yield found


def _plugins(reader: "Interpreter", module: Module) -> Iterator[Module]:
    """Those that `pytest_plugins` names."""
    named = module.scope.names.get("pytest_plugins", ())
    names = texts_of(named) or [name for each in elements(reader, named)[0] for name in texts_of(each)]
    for name in names[:_MOST_PLUGINS]:
        plugin = reader.project.imported(module, name, 0)
        if plugin is not None:
            yield plugin
