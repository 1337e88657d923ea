"""The intermediate language of the readers: test code as calls, values and texts.

Arithmetic, types and waiting are left out. Nodes are compared by identity and may be nested as
deeply as the source is, so nothing here recurses over them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import dataclass_transform


@dataclass_transform(frozen_default=True, eq_default=False)
@dataclass(frozen=True, eq=False, repr=False)
class Code:
    """Each subclass is such a dataclass, too."""

    line: int

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False, repr=False)(cls)


class Nothing(Code):
    """Has no value of interest: null, a type, an operator."""


class Literal(Code):
    """A text as written, or a number or truth value (then `is_text` is false)."""

    text: str
    is_text: bool = True
    scalar: str | int | float | complex | bool | bytes | None = None


class Name(Code):
    name: str


class Own(Code):
    """A method called without a receiver, where methods have a namespace of their own: Java's `login(user)`."""

    name: str


class Member(Code):
    of: Code
    name: str


class Index(Code):
    of: Code
    key: Code


class Call(Code):
    """`keywords` are arguments by name; a name of None spreads a dict."""

    callee: Code
    arguments: tuple[Code, ...]
    keywords: tuple[tuple[str | None, Code], ...] = ()


class New(Code):
    """`body` is that of an anonymous class."""

    callee: Code
    arguments: tuple[Code, ...]
    body: "ClassCode | None" = None


class ListOf(Code):
    items: tuple[Code, ...]


class Spread(Code):
    """`...items` in a list, in arguments, in an object; in a pattern, the rest. `is_open`: one of which nothing is
    known takes no place among the others."""

    of: Code
    is_open: bool = False


class RecordOf(Code):
    """An object of named values; a key of None is a spread."""

    entries: tuple[tuple[Code | None, Code], ...]


class Joined(Code):
    """Texts put together: by `+`, or in a template."""

    parts: tuple[Code, ...]


class Either(Code):
    """One of these; which one is known only at run time. All are evaluated, unless the `condition` is known to hold,
    which chooses the first, or not to, which chooses the second."""

    options: tuple[Code, ...]
    condition: Code | None = None


class Together(Code):
    """Evaluated one after the other for their texts; the result is unknown."""

    parts: tuple[Code, ...]


class Compared(Code):
    """Comparisons of neighbours: `a < b <= c`; operators as Python writes them."""

    operands: tuple[Code, ...]
    operators: tuple[str, ...]


class After(Code):
    """A value that comes after something else was evaluated: a condition, an annotation, the left of a comma."""

    first: Code
    value: Code


class Typed(Code):
    """A value with a declared type: a cast."""

    value: Code
    type: str


class Assign(Code):
    target: Code
    value: Code
    adds: bool = False


class Default(Code):
    """In a pattern or a parameter: a name with the value that it has when nothing is given."""

    target: Code
    value: Code


class RecordPattern(Code):
    """`{name, other: {deep}, ...rest}`: keys and what they are bound to; a key of None takes the rest."""

    entries: tuple[tuple[str | None, Code], ...]


class Declare(Code):
    target: Code
    value: Code | None
    type: str = ""


class CodeBlock(Code):
    steps: tuple[Code, ...]
    has_scope: bool = True


class Branch(Code):
    """Each arm may run or not; one of them does if `covers_all`. If `is_choice`, the first runs if the condition holds
    and the second, if there is one, if not."""

    condition: Code
    arms: tuple[Code, ...]
    covers_all: bool = False
    is_choice: bool = False


class Loop(Code):
    """Over the items of `over`, if that is known; else the body counts once, as something that may run. `assigned` are
    the names that the body sets."""

    target: Code | None
    over: Code | None
    body: Code
    keys: bool = False
    assigned: frozenset[str] = frozenset()


class While(Code):
    """Its rounds are followed for as long as the condition is known to hold."""

    condition: Code
    body: Code
    assigned: frozenset[str] = frozenset()
    is_endless: bool = False


class Try(Code):
    """`handlers` may run after any part of the body; `otherwise` runs if none of them does, `final` in any case."""

    body: Code
    handlers: tuple[Code, ...]
    otherwise: Code
    final: Code


class Counting(Code):
    """A loop in which `name` counts by `step` from `start` until it has passed `bound`, or, unless `is_inclusive`, has
    come to it."""

    name: str
    start: Code
    bound: Code
    step: int
    is_inclusive: bool
    body: Code


class Return(Code):
    value: Code | None


class Leave(Code):
    """break, continue, throw: what follows in this block does not run."""

    value: Code | None = None


class TextPiece(Code):
    """A literal part of a text with placeholders, which counts as part of the whole and not by itself."""

    text: str


class Formatted(Code):
    """A value as a format writes it; a `spec` of None is one that is known only when the code runs."""

    value: Code
    conversion: str = ""
    spec: str | None = ""


class Operation(Code):
    """`left operator right`, with the operator as the source writes it."""

    left: Code
    operator: str
    right: Code


class Not(Code):
    value: Code


class Logic(Code):
    """`a or b or c`, or with `and`: the first operand that decides the whole, or else the last."""

    operands: tuple[Code, ...]
    is_or: bool


class Slice(Code):
    """`of[start:end:step]`."""

    of: Code
    bounds: tuple[Code, ...]


class Generator(Code):
    """One `for target in over if …` of a comprehension."""

    target: Code
    over: Code
    conditions: tuple[Code, ...]


class Comprehension(Code):
    """A list of `value` for each round, or with a `key` a dict."""

    value: Code
    generators: tuple[Generator, ...]
    key: Code | None = None


class Yield(Code):
    """`is_all`: every item of the value, one after another."""

    value: Code | None
    is_all: bool = False


class Unpack(Code):
    """A pattern that takes a list apart. One part may be a spread, which takes what the others leave."""

    parts: tuple[Code, ...]


class Several(Code):
    """A pattern whose parts all get the whole value: `a = b = 1`."""

    parts: tuple[Code, ...]


class OuterNames(Code):
    """Names that assignments in this function set outside of it."""

    names: tuple[str, ...]


class FunctionCode(Code):
    """`types` are those of the parameters and `type` that of the result, where the language declares them. `is_arrow`:
    has the `this` of where it was made. `damage` is the line of something in it that does not parse."""

    name: str
    file: str
    parameters: tuple[Code, ...]
    body: Code
    types: tuple[str, ...] = ()
    type: str = ""
    is_arrow: bool = False
    is_variadic: bool = False
    damage: int | None = None


class Annotation(Code):
    name: str
    values: Mapping[str, Code] = field(default_factory=dict)


class MemberCode(Code):
    """`kind` is "method", "getter", "constructor", "field" or "start" (what runs when the class is loaded)."""

    name: str
    kind: str
    code: Code | None
    is_static: bool = False
    type: str = ""
    annotations: tuple[Annotation, ...] = ()
    modifiers: frozenset[str] = frozenset()


class ClassCode(Code):
    """`kind` is "class", "interface", "enum" or "record"; `constants` are an enum's, each with its arguments."""

    name: str
    file: str
    kind: str = "class"
    superclass: Code | None = None
    interfaces: tuple[str, ...] = ()
    members: tuple[MemberCode, ...] = ()
    inner: tuple["ClassCode", ...] = ()
    constants: tuple[tuple[str, New], ...] = ()
    annotations: tuple[Annotation, ...] = ()
    modifiers: frozenset[str] = frozenset()


NOTHING = Nothing(0)
