"""The intermediate language of the readers: test code as calls, values and texts.

Arithmetic, types and waiting are left out. Nodes are compared by identity and may be nested as
deeply as the source is, so nothing here recurses over them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False, repr=False)
class Code:
    line: int


@dataclass(frozen=True, eq=False, repr=False)
class Nothing(Code):
    """Has no value of interest: null, a type, an operator."""


@dataclass(frozen=True, eq=False, repr=False)
class Literal(Code):
    """A text as written, or a number or truth value (then `is_text` is false)."""

    text: str
    is_text: bool = True
    scalar: str | int | float | complex | bool | bytes | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Name(Code):
    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Own(Code):
    """A method called without a receiver, where methods have a namespace of their own: Java's `login(user)`."""

    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Member(Code):
    of: Code
    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Index(Code):
    of: Code
    key: Code


@dataclass(frozen=True, eq=False, repr=False)
class Call(Code):
    """`keywords` are arguments by name; a name of None spreads a dict."""

    callee: Code
    arguments: tuple[Code, ...]
    keywords: tuple[tuple[str | None, Code], ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class New(Code):
    """`body` is that of an anonymous class."""

    callee: Code
    arguments: tuple[Code, ...]
    body: "ClassCode | None" = None


@dataclass(frozen=True, eq=False, repr=False)
class ListOf(Code):
    items: tuple[Code, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Spread(Code):
    """`...items` in a list, in arguments, in an object; in a pattern, the rest. `is_open`: one of which nothing is
    known takes no place among the others."""

    of: Code
    is_open: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class RecordOf(Code):
    """An object of named values; a key of None is a spread."""

    entries: tuple[tuple[Code | None, Code], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Joined(Code):
    """Texts put together: by `+`, or in a template."""

    parts: tuple[Code, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Either(Code):
    """One of these; which one is known only at run time. All are evaluated, unless the `condition` is known to hold,
    which chooses the first, or not to, which chooses the second."""

    options: tuple[Code, ...]
    condition: Code | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Together(Code):
    """Evaluated one after the other for their texts; the result is unknown."""

    parts: tuple[Code, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Code):
    """Comparisons of neighbours: `a < b <= c`; operators as Python writes them."""

    operands: tuple[Code, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class After(Code):
    """A value that comes after something else was evaluated: a condition, an annotation, the left of a comma."""

    first: Code
    value: Code


@dataclass(frozen=True, eq=False, repr=False)
class Typed(Code):
    """A value with a declared type: a cast."""

    value: Code
    type: str


@dataclass(frozen=True, eq=False, repr=False)
class Assign(Code):
    target: Code
    value: Code
    adds: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Default(Code):
    """In a pattern or a parameter: a name with the value that it has when nothing is given."""

    target: Code
    value: Code


@dataclass(frozen=True, eq=False, repr=False)
class RecordPattern(Code):
    """`{name, other: {deep}, ...rest}`: keys and what they are bound to; a key of None takes the rest."""

    entries: tuple[tuple[str | None, Code], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Declare(Code):
    target: Code
    value: Code | None
    type: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class CodeBlock(Code):
    steps: tuple[Code, ...]
    has_scope: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class Branch(Code):
    """Each arm may run or not; one of them does if `covers_all`. If `is_choice`, the first runs if the condition holds
    and the second, if there is one, if not."""

    condition: Code
    arms: tuple[Code, ...]
    covers_all: bool = False
    is_choice: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Loop(Code):
    """Over the items of `over`, if that is known; else the body counts once, as something that may run. `assigned` are
    the names that the body sets."""

    target: Code | None
    over: Code | None
    body: Code
    keys: bool = False
    assigned: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False, repr=False)
class While(Code):
    """Its rounds are followed for as long as the condition is known to hold."""

    condition: Code
    body: Code
    assigned: frozenset[str] = frozenset()
    is_endless: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Try(Code):
    """`handlers` may run after any part of the body; `otherwise` runs if none of them does, `final` in any case."""

    body: Code
    handlers: tuple[Code, ...]
    otherwise: Code
    final: Code


@dataclass(frozen=True, eq=False, repr=False)
class Counting(Code):
    """A loop in which `name` counts by `step` from `start` until it has passed `bound`, or, unless `is_inclusive`, has
    come to it."""

    name: str
    start: Code
    bound: Code
    step: int
    is_inclusive: bool
    body: Code


@dataclass(frozen=True, eq=False, repr=False)
class Return(Code):
    value: Code | None


@dataclass(frozen=True, eq=False, repr=False)
class Leave(Code):
    """break, continue, throw: what follows in this block does not run."""

    value: Code | None = None


@dataclass(frozen=True, eq=False, repr=False)
class TextPiece(Code):
    """A literal part of a text with placeholders, which counts as part of the whole and not by itself."""

    text: str


@dataclass(frozen=True, eq=False, repr=False)
class Formatted(Code):
    """A value as a format writes it; a `spec` of None is one that is known only when the code runs."""

    value: Code
    conversion: str = ""
    spec: str | None = ""


@dataclass(frozen=True, eq=False, repr=False)
class Operation(Code):
    """`left operator right`, with the operator as the source writes it."""

    left: Code
    operator: str
    right: Code


@dataclass(frozen=True, eq=False, repr=False)
class Not(Code):
    value: Code


@dataclass(frozen=True, eq=False, repr=False)
class Logic(Code):
    """`a or b or c`, or with `and`: the first operand that decides the whole, or else the last."""

    operands: tuple[Code, ...]
    is_or: bool


@dataclass(frozen=True, eq=False, repr=False)
class Slice(Code):
    """`of[start:end:step]`."""

    of: Code
    bounds: tuple[Code, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Generator(Code):
    """One `for target in over if …` of a comprehension."""

    target: Code
    over: Code
    conditions: tuple[Code, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Comprehension(Code):
    """A list of `value` for each round, or with a `key` a dict."""

    value: Code
    generators: tuple[Generator, ...]
    key: Code | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Yield(Code):
    """`is_all`: every item of the value, one after another."""

    value: Code | None
    is_all: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Unpack(Code):
    """A pattern that takes a list apart. One part may be a spread, which takes what the others leave."""

    parts: tuple[Code, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Several(Code):
    """A pattern whose parts all get the whole value: `a = b = 1`."""

    parts: tuple[Code, ...]


@dataclass(frozen=True, eq=False, repr=False)
class OuterNames(Code):
    """Names that assignments in this function set outside of it."""

    names: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
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


@dataclass(frozen=True, eq=False, repr=False)
class Annotation(Code):
    name: str
    values: Mapping[str, Code] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class MemberCode(Code):
    """`kind` is "method", "getter", "constructor", "field" or "start" (what runs when the class is loaded)."""

    name: str
    kind: str
    code: Code | None
    is_static: bool = False
    type: str = ""
    annotations: tuple[Annotation, ...] = ()
    modifiers: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False, repr=False)
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
