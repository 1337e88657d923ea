"""What `thing.name` may be."""

from posixpath import basename, dirname
from typing import TYPE_CHECKING

from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.collected import members
from unknot.web.readers.python.imports import member
from unknot.web.readers.python.scope import Module
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import (
    UNKNOWN,
    Ancestors,
    Bound,
    DataFile,
    FixtureRequest,
    Foreign,
    Function,
    Instance,
    Key,
    Keyed,
    Known,
    Listed,
    Method,
    Partly,
    ProjectClass,
    Thing,
    Values,
    as_dict,
    constants,
    joined,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_LONGEST_PATH = 200

OF_OUTSIDE_CLASS = "inherited"
"""Where the path of a method begins that one of our classes has from a class of another's."""


def attribute(reader: "Interpreter", thing: Thing, name: str, place: Place) -> Values:
    match thing:
        case Foreign(path=path):
            return (Key(name),) if thing.last == "Keys" else (Foreign(f"{path}.{name}"[-_LONGEST_PATH:], thing.maker),)
        case Instance():
            return _of_instance(reader, thing, name, place)
        case ProjectClass():
            return _of_class(reader, thing, name, place)
        case Ancestors(after=after, to=to):
            return _of_ancestors(reader, after, to, name, place)
        case Module():
            return _of_module(reader, thing, name, place)
        case Known(value=str() as text):
            return _of_text(thing, text, name)
        case Known() | Partly() | Listed() | Keyed() | DataFile():
            return (Method(thing, name),)
        case FixtureRequest(param=param):
            return _of_request(reader, param, name)
        case Function() | Bound() if name in ("__name__", "__qualname__"):
            function = thing if isinstance(thing, Function) else thing.function
            return constants(function.name.rpartition(".")[2])
        case _:
            return (Foreign(f".{name}"),)


def _of_instance(reader: "Interpreter", instance: Instance, name: str, place: Place) -> Values:
    own = reader.heap.attributes(instance).get(name)
    if own is not None:
        return own
    inherited = found_in(reader, instance.of.line_of_descent, name)
    if inherited is not None:
        return joined(*(_bound(reader, each, instance, place) for each in inherited))
    if name == "__class__":
        return (instance.of,)
    if name == "__dict__":
        return (as_dict(reader.heap.attributes(instance)),)
    return (Foreign(f"{OF_OUTSIDE_CLASS}.{name}"),)


def _of_class(reader: "Interpreter", project_class: ProjectClass, name: str, place: Place) -> Values:
    if name in ("__name__", "__qualname__"):
        return constants(project_class.name)
    if project_class.is_enumeration:
        known = [each for each in members(project_class) if each.contents["name"] == constants(name)]
        if known:
            return tuple(known)
    inherited = found_in(reader, project_class.line_of_descent, name)
    if inherited is None:
        return (Foreign(f".{name}"),)
    return joined(*(_bound(reader, each, project_class, place) for each in inherited))


def _of_ancestors(reader: "Interpreter", after: ProjectClass, to: Thing, name: str, place: Place) -> Values:
    beginning = to.of if isinstance(to, Instance) else to
    line = beginning.line_of_descent if isinstance(beginning, ProjectClass) else after.line_of_descent
    behind = line[line.index(after) + 1 :] if after in line else after.line_of_descent[1:]
    inherited = found_in(reader, behind, name)
    if inherited is None:
        return (Foreign(f"{OF_OUTSIDE_CLASS}.{name}"),)
    return joined(*(_bound(reader, each, to, place) for each in inherited))


def found_in(reader: "Interpreter", line: list[ProjectClass], name: str) -> Values | None:
    for ancestor in line:
        found = reader.heap.attributes(ancestor).get(name)
        if found is not None:
            return found
    return None


def _bound(reader: "Interpreter", found: Thing, to: Thing, place: Place) -> Values:
    """A method with its object; of a property what it gives."""
    if isinstance(found, Instance) and isinstance(to, Instance) and "__get__" in _names(reader, found):
        return reader.call(_of_instance(reader, found, "__get__", place), Arguments(place, [(to,), (to.of,)]))
    if not isinstance(found, Function):
        return reader.known((found,), place)
    if found.kind == "static":
        return (found,)
    if found.kind == "class":
        return (Bound(found, to.of if isinstance(to, Instance) else to),)
    if isinstance(to, ProjectClass):
        return (found,)
    if found.kind == "property":
        return reader.call((Bound(found, to),), Arguments(place))
    return (Bound(found, to),)


def _names(reader: "Interpreter", instance: Instance) -> set[str]:
    return {name for ancestor in instance.of.line_of_descent for name in reader.heap.attributes(ancestor)}


def _of_module(reader: "Interpreter", module: Module, name: str, place: Place) -> Values:
    reader.touch(module)
    known = member(reader, module, name, place)
    if known is None and not module.path.endswith("/"):
        reader.misses(f"{name} is not in {module.path}", place)
    return known if known is not None else (Foreign(f".{name}"),)


def _of_text(thing: Known, text: str, name: str) -> Values:
    """Paths count as texts: what their attributes give is known as well."""
    if name == "parent":
        return constants(dirname(text))
    if name in ("name", "stem"):
        last = basename(text)
        return constants(last if name == "name" else last.rpartition(".")[0] or last)
    return (Method(thing, name),)


def _of_request(reader: "Interpreter", param: Values, name: str) -> Values:
    if name == "param":
        return param
    if name == "instance":
        return reader.test_object
    if name == "cls":
        return tuple(each.of for each in reader.test_object if isinstance(each, Instance)) or UNKNOWN
    return (Foreign(f"request.{name}"),)
