"""What statements do to names, and in which sequence they are read. Each handler says whether the block surely ends."""

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from unknot.web.readers.python import definitions, expressions, flow, operators
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.imports import bind_imported, bind_module
from unknot.web.readers.python.scope import Scope
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import UNKNOWN, Foreign, Instance, Values, joined

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter


def _expression(reader: "Interpreter", node: ast.Expr, scope: Scope) -> bool:
    # A text that stands alone is a docstring or a comment.
    if not isinstance(node.value, ast.Constant):
        reader.evaluate(node.value, scope)
    return False


def _assignment(reader: "Interpreter", node: ast.Assign, scope: Scope) -> bool:
    values = reader.evaluate(node.value, scope)
    for target in node.targets:
        reader.bind(target, values, scope)
    return False


def _annotated(reader: "Interpreter", node: ast.AnnAssign, scope: Scope) -> bool:
    if scope.is_class_body and isinstance(node.target, ast.Name):
        scope.annotated.append(node.target.id)
    if node.value is not None:
        reader.bind(node.target, reader.evaluate(node.value, scope), scope)
    elif not scope.is_class_body and isinstance(node.target, ast.Name):
        scope.names.setdefault(node.target.id, UNKNOWN)
    return False


def _augmented(reader: "Interpreter", node: ast.AugAssign, scope: Scope) -> bool:
    before = reader.evaluate(node.target, scope)
    reader.bind(node.target, operators.combined(reader, before, node.op, reader.evaluate(node.value, scope)), scope)
    return False


def _returned(reader: "Interpreter", node: ast.Return, scope: Scope) -> bool:
    if node.value is not None:
        scope.returned.append(reader.evaluate(node.value, scope))
    return True


def _with(reader: "Interpreter", node: ast.With | ast.AsyncWith, scope: Scope) -> bool:
    entered: list[Instance] = []
    for item in node.items:
        values = reader.evaluate(item.context_expr, scope)
        entered.extend(thing for thing in values if isinstance(thing, Instance))
        values = joined(*(_entered(reader, thing, Place(scope, node.lineno)) for thing in values))
        if item.optional_vars is not None:
            reader.bind(item.optional_vars, values, scope)
    ended = reader.run(node.body, scope)
    for thing in entered:
        for name in ("__exit__", "__aexit__"):
            leaving = reader.attribute(thing, name, Place(scope, node.lineno))
            if not isinstance(leaving[0], Foreign):
                reader.call(leaving, Arguments(Place(scope, node.lineno), is_open=True))
    return ended


def _entered(reader: "Interpreter", thing: Any, place: Place) -> Values:
    if isinstance(thing, Instance):
        for name in ("__enter__", "__aenter__"):
            entering = reader.attribute(thing, name, place)
            if not isinstance(entering[0], Foreign):
                return reader.call(entering, Arguments(place))
    # A generator function that is used as a context manager gives what it yields.
    found, is_whole = elements(reader, (thing,))
    return joined(*found) if found and is_whole else (thing,)


def _raised(reader: "Interpreter", node: ast.Raise, scope: Scope) -> bool:
    expressions.anything_else(reader, node, scope)
    return True


def _jump(_reader: "Interpreter", _node: ast.stmt, _scope: Scope) -> bool:
    return True


def _outer_names(_reader: "Interpreter", node: ast.Global | ast.Nonlocal, scope: Scope) -> bool:
    scope.outer_names.update(node.names)
    return False


def _function(reader: "Interpreter", node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> bool:
    scope.names[node.name] = definitions.function(reader, node, scope)
    return False


def _class(reader: "Interpreter", node: ast.ClassDef, scope: Scope) -> bool:
    scope.names[node.name] = definitions.project_class(reader, node, scope)
    return False


def anything_else(reader: "Interpreter", node: ast.stmt, scope: Scope) -> bool:
    expressions.anything_else(reader, node, scope)
    return False


HANDLERS: dict[type[ast.stmt], Callable[["Interpreter", Any, Scope], bool]] = {
    ast.Expr: _expression,
    ast.Assign: _assignment,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _returned,
    ast.If: flow.branches,
    ast.For: flow.loop_over,
    ast.AsyncFor: flow.loop_over,
    ast.While: flow.loop_while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: flow.attempt,
    ast.TryStar: flow.attempt,
    ast.Match: flow.choice,
    ast.Raise: _raised,
    ast.Break: _jump,
    ast.Continue: _jump,
    ast.Global: _outer_names,
    ast.Nonlocal: _outer_names,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: bind_module,
    ast.ImportFrom: bind_imported,
}
