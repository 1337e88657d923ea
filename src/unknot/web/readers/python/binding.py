"""Assignments: names, attributes, items, and values taken apart."""

import ast
from typing import TYPE_CHECKING

from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.attributes import found_in
from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.scope import Module, Scope
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import (
    UNKNOWN,
    Foreign,
    Function,
    Instance,
    Keyed,
    Known,
    Listed,
    ProjectClass,
    Values,
    joined,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter


def bind(reader: "Interpreter", target: ast.expr, values: Values, scope: Scope) -> None:
    match target:
        case ast.Name(id=name):
            _bind_name(reader, name, values, scope)
        case ast.Attribute(value=owner, attr=name):
            for thing in reader.evaluate(owner, scope):
                if isinstance(thing, Instance) and _is_set_by_code(reader, thing, name, values, scope, target.lineno):
                    continue
                if isinstance(thing, Instance | ProjectClass):
                    reader.heap.set_attribute(thing, name, values)
                elif isinstance(thing, Module):
                    reader.heap.set_global(thing, name, values)
        case ast.Subscript(value=owner, slice=key):
            keys = reader.evaluate(key, scope)
            for thing in reader.evaluate(owner, scope):
                _bind_item(reader, thing, keys, values)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            _take_apart(reader, targets, values, scope)
        case ast.Starred(value=inner):
            bind(reader, inner, (Listed([values]),), scope)


def _is_set_by_code(reader: "Interpreter", owner: Instance, name: str, values: Values, scope: Scope, line: int) -> bool:
    """Page objects that type when an attribute is set: by a property with a setter, or by an object with `__set__`."""
    place = Place(scope, line)
    for thing in found_in(reader, owner.of.line_of_descent, name) or ():
        if isinstance(thing, Function) and thing.setter is not None:
            reader.call((thing.setter,), Arguments(place, [(owner,), values]))
            return True
        if isinstance(thing, Instance):
            setter = reader.attribute(thing, "__set__", place)
            if not isinstance(setter[0], Foreign):
                reader.call(setter, Arguments(place, [(owner,), values]))
                return True
    return False


def _bind_name(reader: "Interpreter", name: str, values: Values, scope: Scope) -> None:
    if name not in scope.outer_names:
        scope.names[name] = values
        return
    holder = scope.parent.holder(name) if scope.parent is not None else None
    if holder is None or holder.parent is None:
        reader.heap.set_global(scope.module, name, values)
    else:
        holder.names[name] = joined(holder.names[name], values) if reader.heap.doubts else values


def _bind_item(reader: "Interpreter", thing: object, keys: Values, values: Values) -> None:
    if isinstance(thing, Keyed):
        for key in keys:
            if isinstance(key, Known):
                reader.heap.put(thing, key.value, values)
    elif isinstance(thing, Listed):
        reader.heap.append(thing, values)


def _take_apart(reader: "Interpreter", targets: list[ast.expr], values: Values, scope: Scope) -> None:
    """Each target may be what stands at its place in any of the values; behind a star, any of the rest."""
    rows = [elements(reader, (thing,)) for thing in values]
    stars = [place for place, target in enumerate(targets) if isinstance(target, ast.Starred)]
    for place, target in enumerate(targets):
        found: list[Values] = []
        for items, is_whole in rows:
            if not is_whole:
                found.append(UNKNOWN)
            elif not stars or place < stars[0]:
                found.append(items[place] if place < len(items) else UNKNOWN)
            elif place > stars[0]:
                back = len(targets) - place
                found.append(items[-back] if back <= len(items) else UNKNOWN)
            else:
                found.extend(items[place : len(items) - (len(targets) - place - 1)])
        bind(reader, target, joined(*found) or UNKNOWN, scope)
