"""Functions and classes, where code defines them."""

import ast
from typing import TYPE_CHECKING

from unknot.web.readers.python.expressions import made_function
from unknot.web.readers.python.scope import Scope
from unknot.web.readers.python.things import Foreign, Function, FunctionKind, ProjectClass, Values

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_KINDS: dict[str, FunctionKind] = {
    "staticmethod": "static",
    "classmethod": "class",
    "property": "property",
    "cached_property": "property",
}


def function(reader: "Interpreter", node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Values:
    """Decorators are kept for those who ask about fixtures and marks; besides, they count as changing nothing."""
    name = f"{scope.function}.{node.name}" if scope.is_class_body else node.name
    made = made_function(reader, node, scope, name)
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter"):
            return _with_setter(scope.names.get(node.name, (made,)), made if decorator.attr == "setter" else None)
    made.decorators = tuple(reader.evaluate(each, scope) for each in node.decorator_list)
    for values in made.decorators:
        for thing in values:
            if isinstance(thing, Foreign):
                made.kind = _KINDS.get(thing.last, made.kind)
    return (made,)


def _with_setter(getters: Values, setter: Function | None) -> Values:
    for thing in getters:
        if isinstance(thing, Function):
            thing.setter = setter or thing.setter
    return getters


def project_class(reader: "Interpreter", node: ast.ClassDef, scope: Scope) -> Values:
    bases = tuple(thing for base in node.bases for thing in reader.evaluate(base, scope))
    for keyword in node.keywords:
        reader.evaluate(keyword.value, scope)
    name = f"{scope.function}.{node.name}" if scope.is_class_body else node.name
    body = Scope(scope.module, name, scope.for_functions, is_class_body=True)
    reader.run(node.body, body)
    decorators = tuple(reader.evaluate(each, scope) for each in node.decorator_list)
    made = ProjectClass(node.name, scope.module, bases, body.names, tuple(body.annotated), decorators)
    for values in body.names.values():
        for thing in values:
            if isinstance(thing, Function) and thing.owner is None and isinstance(thing.node, ast.stmt):
                thing.owner = made
    return (made,)
