"""Objects of the project's classes."""

from typing import TYPE_CHECKING

from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.attributes import found_in
from unknot.web.readers.python.collected import members
from unknot.web.readers.python.things import UNKNOWN, Bound, Function, Instance, Known, ProjectClass, Values

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter


def made_instance(reader: "Interpreter", of: ProjectClass, arguments: Arguments) -> Values:
    """With what `__init__` gives it; a class without one is a record, whose fields take the arguments in turn."""
    if of.is_enumeration:
        return _member(of, arguments)
    made = Instance(of)
    initialiser = _method(reader, of, "__init__")
    if initialiser is not None:
        reader.call((Bound(initialiser, made),), arguments)
    else:
        names = [name for ancestor in reversed(of.line_of_descent) for name in ancestor.fields]
        made.contents.update(zip(dict.fromkeys(names), arguments.positional, strict=False))
        made.contents.update(arguments.keywords)
        finisher = _method(reader, of, "__post_init__")
        if finisher is not None:
            reader.call((Bound(finisher, made),), Arguments(arguments.place))
    return (made,)


def _method(reader: "Interpreter", of: ProjectClass, name: str) -> Function | None:
    found = found_in(reader, of.line_of_descent, name)
    return next((thing for thing in found or () if isinstance(thing, Function)), None)


def _member(of: ProjectClass, arguments: Arguments) -> Values:
    wanted = arguments.get(0, "value") or ()
    if all(isinstance(thing, Known) for thing in wanted):
        return tuple(each for each in members(of) if set(each.contents["value"]) & set(wanted)) or UNKNOWN
    return UNKNOWN
