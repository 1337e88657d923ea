"""Lists, dicts, f-strings and comprehensions."""

import ast
from typing import TYPE_CHECKING

from unknot.web.readers.python import formats, texts
from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.scope import Scope
from unknot.web.readers.python.things import UNKNOWN, Constant, Keyed, Known, Listed, Values, constants, joined
from unknot.web.readers.python.truth import truth

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_MOST_ELEMENTS = 500


def joined_text(reader: "Interpreter", node: ast.JoinedStr, scope: Scope) -> Values:
    """Its literal parts are heard as parts of the whole, not by themselves."""
    parts = [
        constants(str(part.value)) if isinstance(part, ast.Constant) else reader.evaluate(part, scope)
        for part in node.values
    ]
    return texts.put_together(parts)


def formatted_value(reader: "Interpreter", node: ast.FormattedValue, scope: Scope) -> Values:
    values = reader.evaluate(node.value, scope)
    conversion = chr(node.conversion) if node.conversion > 0 else ""
    if node.format_spec is None:
        return formats.formatted(values, conversion)
    spec = node.format_spec.values if isinstance(node.format_spec, ast.JoinedStr) else []
    if len(spec) == 1 and isinstance(spec[0], ast.Constant) and isinstance(spec[0].value, str):
        return formats.formatted(values, conversion, spec[0].value)
    return UNKNOWN


def sequence(reader: "Interpreter", node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Values:
    items: list[Values] = []
    rest: Values = ()
    for each in node.elts:
        if isinstance(each, ast.Starred):
            found, is_whole = elements(reader, reader.evaluate(each.value, scope))
            items.extend(found)
            rest = rest if is_whole else UNKNOWN
        else:
            items.append(reader.evaluate(each, scope))
    return (Listed(items, rest),)


def mapping(reader: "Interpreter", node: ast.Dict, scope: Scope) -> Values:
    entries: dict[Constant, Values] = {}
    rest: Values = ()
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        values = reader.evaluate(value_node, scope)
        if key_node is None:
            for thing in values:
                entries |= reader.heap.entries(thing) if isinstance(thing, Keyed) else {}
                rest = joined(rest, thing.rest if isinstance(thing, Keyed) else UNKNOWN)
            continue
        for key in reader.evaluate(key_node, scope):
            if isinstance(key, Known):
                entries[key.value] = values
            else:
                rest = joined(rest, values)
    return (Keyed(entries, rest),)


def comprehension(
    reader: "Interpreter", node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope
) -> Values:
    inner = Scope(scope.module, scope.function, scope)
    made: list[Values] = []
    keys: list[Values] = []

    def go_through(generators: list[ast.comprehension]) -> bool:
        if not generators:
            if isinstance(node, ast.DictComp):
                keys.append(reader.evaluate(node.key, inner))
                made.append(reader.evaluate(node.value, inner))
            else:
                made.append(reader.evaluate(node.elt, inner))
            return True
        first, *others = generators
        found, is_whole = elements(reader, reader.evaluate(first.iter, inner))
        for values in found[:_MOST_ELEMENTS] or [UNKNOWN]:
            reader.bind(first.target, values, inner)
            answers = [truth(reader.heap, reader.evaluate(each, inner)) for each in first.ifs]
            if False not in answers:
                is_whole &= go_through(others) and None not in answers
        return is_whole and bool(found)

    rest = () if go_through(node.generators) else UNKNOWN
    if not isinstance(node, ast.DictComp):
        return (Listed(made, rest),)
    pairs = zip(keys, made, strict=True)
    return (Keyed({key.value: v for names, v in pairs for key in names if isinstance(key, Known)}, rest),)
