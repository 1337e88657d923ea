"""What expressions may be: names, attributes, calls, operators."""

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from unknot.web.readers.python import literals, operators, texts
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.collected import elements, items_at, laid_out
from unknot.web.readers.python.scope import Scope
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import (
    UNKNOWN,
    Ancestors,
    Foreign,
    Function,
    Keyed,
    Known,
    Listed,
    Values,
    constants,
    joined,
    listed,
)
from unknot.web.readers.python.truth import compared, may_be, truth

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter


def _constant(_reader: "Interpreter", node: ast.Constant, _scope: Scope) -> Values:
    return UNKNOWN if node.value is Ellipsis else (Known(node.value),)


def _name(reader: "Interpreter", node: ast.Name, scope: Scope) -> Values:
    holder = scope.holder(node.id)
    if holder is not None and holder.parent is not None:
        return reader.known(holder.names[node.id], Place(scope, node.lineno))
    changed = reader.heap.global_names(scope.module).get(node.id)
    if changed is not None:
        return changed
    if holder is not None:
        return reader.known(holder.names[node.id], Place(scope, node.lineno))
    if node.id == "__file__":
        return constants(scope.module.path)
    return (Foreign(f"builtins.{node.id}"),) if hasattr(builtins, node.id) else UNKNOWN


def _attribute(reader: "Interpreter", node: ast.Attribute, scope: Scope) -> Values:
    place = Place(scope, node.lineno)
    return joined(*(reader.attribute(thing, node.attr, place) for thing in reader.evaluate(node.value, scope)))


def _subscript(reader: "Interpreter", node: ast.Subscript, scope: Scope) -> Values:
    held = reader.evaluate(node.value, scope)
    if isinstance(node.slice, ast.Slice):
        parts = (node.slice.lower, node.slice.upper, node.slice.step)
        bounds = [constants(None) if part is None else reader.evaluate(part, scope) for part in parts]
        return joined(*((thing if isinstance(thing, Listed) else texts.cut(thing, bounds),) for thing in held))
    return items_at(reader, held, reader.evaluate(node.slice, scope), Place(scope, node.lineno))


def _call(reader: "Interpreter", node: ast.Call, scope: Scope) -> Values:
    if isinstance(node.func, ast.Name) and node.func.id == "super":
        return _ancestors(reader, node, scope)
    called = reader.evaluate(node.func, scope)
    return reader.call(called, _arguments(reader, node, scope))


def _arguments(reader: "Interpreter", node: ast.Call, scope: Scope) -> Arguments:
    given = Arguments(Place(scope, node.lineno))
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            found, is_whole = elements(reader, reader.evaluate(argument.value, scope))
            given.positional.extend(found)
            given.is_open |= not is_whole
        else:
            given.positional.append(reader.evaluate(argument, scope))
    for keyword in node.keywords:
        values = reader.evaluate(keyword.value, scope)
        if keyword.arg is not None:
            given.keywords[keyword.arg] = values
            continue
        for thing in values:
            entries = reader.heap.entries(thing) if isinstance(thing, Keyed) else {}
            given.keywords |= {key: each for key, each in entries.items() if isinstance(key, str)}
            given.is_open |= not isinstance(thing, Keyed) or bool(thing.rest)
    return given


def _ancestors(reader: "Interpreter", node: ast.Call, scope: Scope) -> Values:
    """`super()`, whose class and object are those of the method that is being read."""
    for argument in node.args:
        reader.evaluate(argument, scope)
    for function, given in reversed(reader.active):
        if function.owner is not None and given and given[0]:
            return (Ancestors(function.owner, given[0][0]),)
    return UNKNOWN


def _operation(reader: "Interpreter", node: ast.BinOp, scope: Scope) -> Values:
    """A long sum leans to the left: it is taken apart in a loop, since it may have thousands of terms."""
    terms: list[ast.BinOp] = [node]
    while isinstance(terms[-1].left, ast.BinOp):
        terms.append(terms[-1].left)
    values = reader.evaluate(terms[-1].left, scope)
    for term in reversed(terms):
        values = operators.combined(reader, values, term.op, reader.evaluate(term.right, scope))
    return values


def _negation(reader: "Interpreter", node: ast.UnaryOp, scope: Scope) -> Values:
    values = reader.evaluate(node.operand, scope)
    if isinstance(node.op, ast.Not):
        answer = truth(reader.heap, values)
        return UNKNOWN if answer is None else constants(not answer)
    if isinstance(node.op, ast.USub) and len(values) == 1:
        return operators.combined(reader, constants(0), ast.Sub(), values)
    return UNKNOWN


def _either(reader: "Interpreter", node: ast.BoolOp, scope: Scope) -> Values:
    """The operands that the whole may be: all up to the first that decides it."""
    deciding = isinstance(node.op, ast.Or)
    found: list[Values] = []
    for operand in node.values[:-1]:
        values = reader.evaluate(operand, scope)
        if truth(reader.heap, values) is deciding:
            return joined(*found, values)
        found.append(may_be(reader.heap, values, deciding))
    with reader.in_doubt():
        return joined(*filter(None, found), reader.evaluate(node.values[-1], scope))


def _conditional(reader: "Interpreter", node: ast.IfExp, scope: Scope) -> Values:
    answer = truth(reader.heap, reader.evaluate(node.test, scope))
    if answer is not None:
        return reader.evaluate(node.body if answer else node.orelse, scope)
    with reader.in_doubt():
        return joined(reader.evaluate(node.body, scope), reader.evaluate(node.orelse, scope))


def _comparison(reader: "Interpreter", node: ast.Compare, scope: Scope) -> Values:
    operands = [reader.evaluate(each, scope) for each in (node.left, *node.comparators)]
    place = Place(scope, node.lineno)
    for values in operands:
        for text in laid_out(reader, values):
            reader.speech.uses(text, place)
    answer = compared(operands[0], node.ops[0], operands[1]) if len(operands) == 2 else None
    return UNKNOWN if answer is None else constants(answer)


def _lambda(reader: "Interpreter", node: ast.Lambda, scope: Scope) -> Values:
    return (made_function(reader, node, scope, "<lambda>"),)


def made_function(
    reader: "Interpreter", node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope, name: str
) -> Function:
    """With its defaults, which belong to the place where it is defined."""
    return Function(
        node,
        scope.for_functions,
        name,
        defaults=tuple(reader.evaluate(each, scope) for each in node.args.defaults),
        keyword_defaults=tuple(() if each is None else reader.evaluate(each, scope) for each in node.args.kw_defaults),
    )


def _awaited(reader: "Interpreter", node: ast.Await, scope: Scope) -> Values:
    return reader.evaluate(node.value, scope)


def _starred(reader: "Interpreter", node: ast.Starred, scope: Scope) -> Values:
    return listed(elements(reader, reader.evaluate(node.value, scope))[0])


def _named(reader: "Interpreter", node: ast.NamedExpr, scope: Scope) -> Values:
    values = reader.evaluate(node.value, scope)
    reader.bind(node.target, values, scope)
    return values


def _yielded(reader: "Interpreter", node: ast.Yield, scope: Scope) -> Values:
    scope.yielded.append(reader.evaluate(node.value, scope) if node.value else constants(None))
    return UNKNOWN


def _all_yielded(reader: "Interpreter", node: ast.YieldFrom, scope: Scope) -> Values:
    scope.yielded.extend(elements(reader, reader.evaluate(node.value, scope))[0])
    return UNKNOWN


def anything_else(reader: "Interpreter", node: ast.AST, scope: Scope) -> Values:
    """Of an expression or a statement that nothing is known about: its parts are evaluated for what they say."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            reader.evaluate(child, scope)
    return UNKNOWN


HANDLERS: dict[type[ast.expr], Callable[["Interpreter", Any, Scope], Values]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.JoinedStr: literals.joined_text,
    ast.FormattedValue: literals.formatted_value,
    ast.BinOp: _operation,
    ast.UnaryOp: _negation,
    ast.BoolOp: _either,
    ast.IfExp: _conditional,
    ast.Compare: _comparison,
    ast.List: literals.sequence,
    ast.Tuple: literals.sequence,
    ast.Set: literals.sequence,
    ast.Dict: literals.mapping,
    ast.Lambda: _lambda,
    ast.ListComp: literals.comprehension,
    ast.SetComp: literals.comprehension,
    ast.GeneratorExp: literals.comprehension,
    ast.DictComp: literals.comprehension,
    ast.Await: _awaited,
    ast.Starred: _starred,
    ast.NamedExpr: _named,
    ast.Yield: _yielded,
    ast.YieldFrom: _all_yielded,
}
