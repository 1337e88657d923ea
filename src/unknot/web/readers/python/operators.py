"""What operators and comparisons make of values, and whether conditions hold, as far as that is known."""

import operator as operators
from collections.abc import Callable, Iterable

from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Entries,
    Items,
    PartialText,
    Text,
    Unknown,
    Value,
    either,
    options,
)
from unknot.web.readers.python import texts
from unknot.web.readers.python.values import NONE, FixtureRequest, ImportedName, Mark, constant, one_of

_LARGEST = 10**12
_LONGEST_REPEATED = 1_000
_MOST_PAIRS = 64


def truth(value: Value) -> bool | None:
    """None where it may be either."""
    return _agreed(_truth(option) for option in options(value))


def _agreed(answers: Iterable[bool | None]) -> bool | None:
    several = set(answers)
    return several.pop() if len(several) == 1 else None


def _truth(value: Value) -> bool | None:
    match value:
        case Text():
            return bool(value.value)
        case Items(items=known, rest=rest) | Entries(entries=known, rest=rest):
            return True if known else (False if rest is None else None)
        case Unknown() | Mark() | FixtureRequest() | ImportedName():
            return None
        case _:
            return True


def compare(left: Value, operator: str, right: Value) -> bool | None:
    """`==` and `!=` of constants, `<` and its like of numbers; None where it may be either."""
    pairs = [(one, other) for one in options(left) for other in options(right)]
    if (holds := _OF_NUMBERS.get(operator)) is not None:
        return _agreed(_of_numbers(one, other, holds) for one, other in pairs)
    if operator not in ("==", "!="):
        return None
    same = _agreed(_same(one, other) for one, other in pairs)
    return same if same is None or operator == "==" else not same


_OF_NUMBERS: dict[str, Callable[[float, float], bool]] = {
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}


def _of_numbers(one: Value, other: Value, holds: Callable[[float, float], bool]) -> bool | None:
    match one, other:
        case Text(scalar=int() | float() as first), Text(scalar=int() | float() as second):
            return holds(first, second)
        case _:
            return None


def _same(one: Value, other: Value) -> bool | None:
    if isinstance(one, Text) and isinstance(other, Text):
        return bool(one.value == other.value)
    if NONE in (one, other):
        return None if isinstance(one, Unknown) or isinstance(other, Unknown) else False
    return None


def combined(left: Value, operator: str, right: Value) -> Value:
    pairs = [(one, other) for one in options(left) for other in options(right)][:_MOST_PAIRS]
    return either(_pair(one, operator, other) for one, other in pairs)


def _pair(left: Value, operator: str, right: Value) -> Value:
    match operator, left, right:
        case "%", Text(is_text=True, text=template), _:
            return _percent(template, right)
        case "+", Items(items=one, rest=rest), Items(items=other, rest=other_rest):
            return Items(_with_rest(one, rest) + _with_rest(other, other_rest), one_of(rest, other_rest))
        case "|", Entries(entries=first, rest=rest), Entries(entries=second, rest=other_rest):
            return Entries(first | second, "", one_of(rest, other_rest))
        case "*", Text(is_text=True, text=text), Text(scalar=int() as times):
            return Text(text * times) if max(1, len(text)) * abs(times) <= _LONGEST_REPEATED else UNKNOWN
        case _, Text(scalar=int() | float() as number), Text(scalar=int() | float() as second_number):
            return _number(number, operator, second_number)
        case "+", _, _:
            return texts.put_together([left, right])
        case "/", _, Text(is_text=True, text=name):
            # A path: the name of a file is known even where its directory is not.
            is_path = isinstance(left, Text | PartialText)
            return texts.put_together([left, Text("/"), right]) if is_path else PartialText((name,))
        case _:
            return UNKNOWN


def _with_rest(items: list[Value], rest: Value | None) -> list[Value]:
    return items if rest is None else [*items, rest]


def _percent(template: str, right: Value) -> Value:
    if isinstance(right, Items):
        return texts.percent(template, right.items, lambda name: UNKNOWN)
    if isinstance(right, Entries):
        return texts.percent(template, [], lambda name: right.entries.get(name, UNKNOWN))
    return texts.percent(template, [right], lambda name: UNKNOWN)


def _number(one: float, operator: str, other: float) -> Value:
    if abs(one) > _LARGEST or abs(other) > _LARGEST:
        return UNKNOWN
    match operator:
        case "+":
            return constant(one + other)
        case "-":
            return constant(one - other)
        case "*":
            return constant(one * other)
        case "//" if other:
            return constant(one // other)
        case "%" if other:
            return constant(one % other)
        case _:
            return UNKNOWN
