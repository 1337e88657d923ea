"""The code of one test: where it is, and all that is run for it, from the first fixture to the last teardown."""

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unknot.web.readers.python import cases
from unknot.web.readers.python.arguments import Arguments, parameters
from unknot.web.readers.python.catalogue import Catalogue
from unknot.web.readers.python.collected import elements, laid_out
from unknot.web.readers.python.fixtures import Shelf
from unknot.web.readers.python.imports import member
from unknot.web.readers.python.instances import made_instance
from unknot.web.readers.python.marks import marks, named_fixtures
from unknot.web.readers.python.node_ids import NodeId
from unknot.web.readers.python.scope import Module
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import UNKNOWN, Foreign, Function, Instance, Mark, ProjectClass, Values

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_BEFORE_MODULE = ("setup_module", "setUpModule", "setup_function")
_BEFORE = ("setup_class", "setUpClass", "setup_method", "setup", "setUp", "asyncSetUp")
_AFTER = ("teardown_method", "teardown", "tearDown", "asyncTearDown", "teardown_class", "tearDownClass")
_AFTER_MODULE = ("teardown_function", "teardown_module", "tearDownModule")
_NUMBERED = re.compile(r"(.+?)_(\d+)(?:_.*)?")
"""What the packages parameterized and ddt make of a name: `test_add_0_alice`."""


@dataclass(frozen=True, slots=True)
class Found:
    """A test's function, the classes around it, and the values that its name alone says it gets."""

    function: Function
    owners: list[ProjectClass]
    given: list[Values]


def read_test(reader: "Interpreter", catalogue: Catalogue, node: NodeId) -> None:
    """Everything that pytest would run for the test, in that sequence."""
    module = reader.project.module(node.path)
    if module is None:
        reader.speech.misses(f"{node.path} is not a Python file of the project")
        return
    reader.touch(module)
    found = _found(reader, module, node)
    if found is None:
        if not module.gaps:
            reader.speech.misses(f"{node.path}:1: {'.'.join((*node.classes, node.function))} is not found in it")
        return
    place = Place(module.scope, getattr(found.function.node, "lineno", 1))
    _name_what_is_not_followed(reader, found, place)
    if found.owners:
        reader.test_object = _test_object(reader, found.owners[-1], place)
    for each in catalogue.modules(module):
        reader.touch(each)
    _run(reader, catalogue, module, found, node, place)


def _run(reader: "Interpreter", catalogue: Catalogue, module: Module, found: Found, node: NodeId, place: Place) -> None:
    shelf = Shelf(reader, catalogue.levels(module, reader.test_object))
    reader.fixture = shelf.get
    said = marks(reader, module, found.owners, found.function)
    asked = parameters(found.function.node)[len(found.given) + bool(found.owners and found.function.kind != "static") :]
    wanted = [*shelf.automatic(), *named_fixtures(said), *asked]
    several = _parameters(catalogue, shelf, said, wanted, place)
    direct = _choose(reader, shelf, several, node.case, place)
    _mention_decorators(reader, found)
    _call_named(reader, module, _BEFORE_MODULE, place)
    for name in (*shelf.automatic(), *named_fixtures(said)):
        shelf.get(name)
    _call_methods(reader, _BEFORE, place)
    arguments = Arguments(place, [*_self(reader, found), *found.given])
    arguments.keywords = {name: direct[name] if name in direct else shelf.get(name) for name in asked}
    reader.call((found.function,), arguments)
    _call_methods(reader, _AFTER, place)
    _call_named(reader, module, _AFTER_MODULE, place)


def _parameters(
    catalogue: Catalogue, shelf: Shelf, said: list[Mark], wanted: list[str], place: Place
) -> list[cases.Parameters]:
    """Those of marks, nearest first, then those of fixtures that no mark gives a value."""
    several = [each for each in (catalogue.parameters(mark, place) for mark in said) if each is not None]
    marked = {name for each in several for name in each.names}
    needed = catalogue.parametrised(shelf, [*wanted, *sorted(marked)], place)
    return [*several, *(each for each in needed if not marked & set(each.names))]


def _choose(
    reader: "Interpreter", shelf: Shelf, several: list[cases.Parameters], case: str, place: Place
) -> dict[str, Values]:
    """The arguments that the test's case gives it directly; those for fixtures are put on the shelf."""
    direct: dict[str, Values] = {}
    for each, chosen in zip(several, cases.fitting(several, case), strict=True):
        values = each.joined(chosen)
        direct |= {name: given for name, given in values.items() if name not in each.indirect}
        shelf.params |= {name: given for name, given in values.items() if name in each.indirect}
        where = Place(place.scope, each.line or place.line)
        for text in (text for given in values.values() for text in laid_out(reader, given)):
            reader.speech.uses(text, where)
    shelf.given = direct
    return direct


def _found(reader: "Interpreter", module: Module, node: NodeId) -> Found | None:
    place = Place(module.scope, 1)
    owners: list[ProjectClass] = []
    for name in node.classes:
        values = reader.attribute(owners[-1], name, place) if owners else member(reader, module, name, place) or ()
        inner = [thing for thing in values if isinstance(thing, ProjectClass)]
        if not inner:
            return None
        owners.append(inner[0])
    for name, given in ((node.function, -1), *_numbered(node.function)):
        values = reader.attribute(owners[-1], name, place) if owners else member(reader, module, name, place) or ()
        for thing in values:
            if isinstance(thing, Function):
                return Found(thing, owners, _expanded(reader, thing, given) if given >= 0 else [])
    return None


def _numbered(name: str) -> list[tuple[str, int]]:
    fitting = _NUMBERED.fullmatch(name)
    return [(fitting[1], int(fitting[2]))] if fitting and len(fitting[2]) < 6 else []


def _expanded(reader: "Interpreter", function: Function, number: int) -> list[Values]:
    """The arguments of that case in `@parameterized.expand([...])`, or in `@ddt.data(...)`, which counts from one."""
    decorators = [thing for values in function.decorators for thing in values]
    for mark in (thing for thing in decorators if isinstance(thing, Mark) and thing.positional):
        rows = elements(reader, mark.positional[0])[0] if mark.name == "expand" else [UNKNOWN, *mark.positional]
        row = rows[number] if number < len(rows) else UNKNOWN
        is_one = mark.name == "data" and Foreign("ddt.unpack") not in decorators
        if mark.name in ("expand", "data"):
            return [row] if is_one else elements(reader, row)[0] or [row]
    return []


def _test_object(reader: "Interpreter", owner: ProjectClass, place: Place) -> Values:
    return made_instance(reader, owner, Arguments(place))


def _self(reader: "Interpreter", found: Found) -> list[Values]:
    if not found.owners or found.function.kind == "static":
        return []
    return [tuple(found.owners[-1:])] if found.function.kind == "class" else [reader.test_object]


def _call_named(reader: "Interpreter", module: Module, names: tuple[str, ...], place: Place) -> None:
    for name in names:
        if name in module.scope.names:
            values = reader.known(module.scope.names[name], place)
            reader.call(values, Arguments(place, is_open=True))


def _call_methods(reader: "Interpreter", names: tuple[str, ...], place: Place) -> None:
    for thing in reader.test_object:
        for name in names if isinstance(thing, Instance) else ():
            values = reader.attribute(thing, name, place)
            if not isinstance(values[0], Foreign):
                reader.call(values, Arguments(place, is_open=True))


def _mention_decorators(reader: "Interpreter", found: Found) -> None:
    """Their arguments count as used, but for those of marks, which are names of pytest's."""
    node = found.function.node
    if isinstance(node, ast.Lambda):
        return
    for decorator, values in zip(node.decorator_list, found.function.decorators, strict=False):
        if not any(isinstance(thing, Mark) for thing in values):
            reader.evaluate(decorator, found.function.scope)


def _name_what_is_not_followed(reader: "Interpreter", found: Found, place: Place) -> None:
    node = found.function.node
    for decorator in [] if isinstance(node, ast.Lambda) else node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        for thing in reader.evaluate(called, found.function.scope):
            if isinstance(thing, Foreign) and thing.path.startswith("pytest_bdd."):
                reader.misses("the steps of a scenario are not followed", place)
