"""What calls give, and what is read on the way."""

import ast
from typing import TYPE_CHECKING

from unknot.web.readers.python import methods, outside
from unknot.web.readers.python.arguments import Arguments, bound
from unknot.web.readers.python.instances import made_instance
from unknot.web.readers.python.scope import Scope
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import (
    BROWSER,
    UNKNOWN,
    Bound,
    Foreign,
    Function,
    Instance,
    Listed,
    Method,
    Partial,
    ProjectClass,
    Thing,
    Values,
    constants,
    joined,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_MOST_TURNS = 3
"""How often a function may be within itself, each time with other arguments."""

_MOST_CALLED = 8
"""How many functions one call may mean; a table of more is not a call of any of them that we could name."""


def called(reader: "Interpreter", callees: Values, arguments: Arguments) -> Values:
    if len(callees) == 1:
        return _one(reader, callees[0], arguments)
    with reader.in_doubt():
        return joined(*(_one(reader, thing, arguments) for thing in callees[:_MOST_CALLED])) or UNKNOWN


def _one(reader: "Interpreter", callee: Thing, arguments: Arguments) -> Values:
    match callee:
        case Function():
            return result(entered(reader, callee, arguments))
        case Bound(function=function, to=to):
            return result(entered(reader, function, arguments.after((to,))))
        case Partial(callee=callees, positional=positional, keywords=keywords):
            given = arguments.after(*positional)
            given.keywords = {**dict(keywords), **arguments.keywords}
            return reader.call(callees, given)
        case ProjectClass():
            return made_instance(reader, callee, arguments)
        case Method():
            return methods.called(reader, callee, arguments)
        case Instance():
            method = reader.attribute(callee, "__call__", arguments.place)
            return (
                outside.called(reader, Foreign(), arguments) if method == _NO_CALL else reader.call(method, arguments)
            )
        case Foreign():
            return outside.called(reader, callee, arguments)
        case _:
            return outside.called(reader, Foreign(), arguments)


_NO_CALL: Values = (Foreign("inherited.__call__"),)


def entered(reader: "Interpreter", function: Function, arguments: Arguments) -> Scope | None:
    """The scope of the call when it is over. None for a function that is within itself: with the same arguments it
    says nothing new; with others it is followed a few times, and then there is a gap."""
    taken = _with_annotations(reader, function, bound(function, arguments))
    given = tuple(taken.values())
    turns = [earlier for active, earlier in reader.active if active.node is function.node]
    if given in turns:
        return None
    if len(turns) >= _MOST_TURNS:
        reader.misses(f"{function.name} calls itself, too often to be followed", arguments.place)
        return None
    scope = Scope(function.module, function.name, function.scope, taken)
    reader.active.append((function, given))
    try:
        if isinstance(function.node, ast.Lambda):
            scope.returned.append(reader.evaluate(function.node.body, scope))
        else:
            reader.run(function.node.body, scope)
    finally:
        reader.active.pop()
    return scope


def result(scope: Scope | None) -> Values:
    if scope is None:
        return UNKNOWN
    if scope.yielded:
        return (Listed(scope.yielded),)
    return joined(*scope.returned) or constants(None)


def _with_annotations(reader: "Interpreter", function: Function, taken: dict[str, Values]) -> dict[str, Values]:
    """An argument of which nothing is known is an object of the class of ours that its annotation names."""
    if isinstance(function.node, ast.Lambda):
        return taken
    declared = function.node.args
    for each in (*declared.posonlyargs, *declared.args, *declared.kwonlyargs):
        if each.annotation is not None and taken.get(each.arg) in (UNKNOWN, BROWSER):
            meant = annotated(reader, each.annotation, function)
            taken[each.arg] = taken[each.arg] if meant == UNKNOWN else meant
    return taken


def annotated(reader: "Interpreter", annotation: ast.expr, function: Function) -> Values:
    """An object of the class that is named, about which nothing else is known."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str) and annotation.value.isidentifier():
        annotation = ast.copy_location(ast.Name(annotation.value, ast.Load()), annotation)
    if not isinstance(annotation, ast.Name | ast.Attribute):
        return UNKNOWN
    for thing in reader.evaluate(annotation, function.scope):
        if isinstance(thing, ProjectClass) and not thing.is_enumeration and not _is_record(thing):
            place = Place(function.scope, annotation.lineno)
            return made_instance(reader, thing, Arguments(place, is_open=True))
    return UNKNOWN


def _is_record(named: ProjectClass) -> bool:
    return any(ancestor.fields for ancestor in named.line_of_descent)
