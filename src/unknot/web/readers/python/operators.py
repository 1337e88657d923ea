"""What operators make of two values."""

import ast
from typing import TYPE_CHECKING

from unknot.web.readers.python import formats, texts
from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.things import UNKNOWN, Keyed, Known, Listed, Partly, Thing, Values, constants, joined

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_LARGEST = 10**12
_LONGEST_REPEATED = 1_000
_MOST_PAIRS = 64


def combined(reader: "Interpreter", left: Values, operator: ast.operator, right: Values) -> Values:
    pairs = [(one, other) for one in left for other in right][:_MOST_PAIRS]
    return joined(*(_pair(reader, one, operator, other) for one, other in pairs)) or UNKNOWN


def _pair(reader: "Interpreter", left: Thing, operator: ast.operator, right: Thing) -> Values:
    match operator, left, right:
        case ast.Mod(), Known(value=str() as template), _:
            return _percent(reader, template, right)
        case ast.Add(), Listed(), Listed():
            items = elements(reader, (left,))[0] + elements(reader, (right,))[0]
            return (Listed(items, joined(left.rest, right.rest)),)
        case ast.BitOr(), Keyed(), Keyed():
            return (Keyed(reader.heap.entries(left) | reader.heap.entries(right), joined(left.rest, right.rest)),)
        case ast.Mult(), Known(value=str() as text), Known(value=int() as times):
            return constants(text * times) if max(1, len(text)) * abs(times) <= _LONGEST_REPEATED else UNKNOWN
        case _, Known(value=int() | float() as one), Known(value=int() | float() as other):
            return _number(one, operator, other)
        case ast.Add(), _, _:
            return texts.put_together([(left,), (right,)])
        case ast.Div(), _, Known(value=str() as name):
            # A path: the name of a file is known even where its directory is not.
            return texts.put_together([(left,), constants("/"), (right,)]) if _is_text(left) else (Partly((name,)),)
        case _:
            return UNKNOWN


def _is_text(thing: Thing) -> bool:
    return isinstance(thing, Known | Partly)


def _percent(reader: "Interpreter", template: str, right: Thing) -> Values:
    if isinstance(right, Listed):
        return formats.percent(template, reader.heap.items(right), lambda name: UNKNOWN)
    if isinstance(right, Keyed):
        entries = reader.heap.entries(right)
        return formats.percent(template, [], lambda name: entries.get(name, UNKNOWN))
    return formats.percent(template, [(right,)], lambda name: UNKNOWN)


def _number(one: float, operator: ast.operator, other: float) -> Values:
    if abs(one) > _LARGEST or abs(other) > _LARGEST:
        return UNKNOWN
    match operator:
        case ast.Add():
            return constants(one + other)
        case ast.Sub():
            return constants(one - other)
        case ast.Mult():
            return constants(one * other)
        case ast.FloorDiv() if other:
            return constants(one // other)
        case ast.Mod() if other:
            return constants(one % other)
        case _:
            return UNKNOWN
