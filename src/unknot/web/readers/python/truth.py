"""Whether conditions hold, as far as that is known."""

import ast
import operator
from collections.abc import Callable

from unknot.web.readers.python.heap import Heap
from unknot.web.readers.python.things import (
    FixtureRequest,
    Foreign,
    Import,
    Keyed,
    Known,
    Listed,
    Mark,
    Partly,
    Thing,
    Values,
)


def truth(heap: Heap, values: Values) -> bool | None:
    """None where it may be either."""
    return _agreed({_of_thing(heap, thing) for thing in values})


def _agreed(answers: set[bool | None]) -> bool | None:
    return answers.pop() if len(answers) == 1 else None


def may_be(heap: Heap, values: Values, answer: bool) -> Values:
    """Those of the values that are not surely the opposite."""
    return tuple(thing for thing in values if _of_thing(heap, thing) is not (not answer))


def _of_thing(heap: Heap, thing: Thing) -> bool | None:
    match thing:
        case Known(value=value):
            return bool(value)
        case Partly():
            return True
        case Listed(rest=rest):
            return True if heap.items(thing) else (None if rest else False)
        case Keyed(rest=rest):
            return True if heap.entries(thing) else (None if rest else False)
        case Foreign() | Mark() | FixtureRequest() | Import():
            return None
        case _:
            return True


def compared(left: Values, sign: ast.cmpop, right: Values) -> bool | None:
    """`==`, `!=`, `is`, `is not` of constants, `<` and its like of numbers; None where it may be either."""
    if (holds := _OF_NUMBERS.get(type(sign))) is not None:
        return _agreed({_of_numbers(one, other, holds) for one in left for other in right})
    if not isinstance(sign, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
        return None
    same = _agreed({_same(one, other) for one in left for other in right})
    return same if same is None or isinstance(sign, ast.Eq | ast.Is) else not same


_OF_NUMBERS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _of_numbers(one: Thing, other: Thing, holds: Callable[[float, float], bool]) -> bool | None:
    match one, other:
        case Known(value=int() | float() as first), Known(value=int() | float() as second):
            return holds(first, second)
        case _:
            return None


def _same(one: Thing, other: Thing) -> bool | None:
    if isinstance(one, Known) and isinstance(other, Known):
        return bool(one.value == other.value)
    if Known(None) in (one, other):
        return None if isinstance(one, Foreign) or isinstance(other, Foreign) else False
    return None
