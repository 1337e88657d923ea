"""What marks say about a test: its own, its classes', its module's."""

from typing import TYPE_CHECKING

from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.scope import Module
from unknot.web.readers.python.things import Function, Mark, ProjectClass, Values, texts_of

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter


def marks(reader: "Interpreter", module: Module, owners: list[ProjectClass], function: Function) -> list[Mark]:
    """Nearest first, as pytest writes their cases into the name of the test."""
    found = _marks(reader, list(reversed(function.decorators)))
    for owner in reversed(owners):
        for ancestor in owner.line_of_descent:
            found += _marks(reader, [*reversed(ancestor.decorators), ancestor.contents.get("pytestmark", ())])
    return found + _marks(reader, [module.scope.names.get("pytestmark", ())])


def _marks(reader: "Interpreter", decorators: list[Values]) -> list[Mark]:
    found = []
    for values in decorators:
        inner = [thing for each in elements(reader, values)[0] for thing in each]
        found += [thing for thing in (*values, *inner) if isinstance(thing, Mark)]
    return found


def named_fixtures(found: list[Mark]) -> list[str]:
    """Those that `usefixtures` names."""
    return [name for mark in found if mark.name == "usefixtures" for each in mark.positional for name in texts_of(each)]
