"""A small language that test code is put into before it is followed: what it says in calls, values and texts.

Everything else (arithmetic, types, who waits for whom) is left out. Nodes are compared by identity and may be nested as
deeply as the source is, so nothing here recurses over them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False, repr=False)
class Code:
    line: int


@dataclass(frozen=True, eq=False, repr=False)
class Nothing(Code):
    """Says nothing: null, a type, an operator."""


@dataclass(frozen=True, eq=False, repr=False)
class Literal(Code):
    """A text as written, or a number or truth value (then `is_text` is false)."""

    text: str
    is_text: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class Name(Code):
    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Own(Code):
    """A method called without saying whose, where methods have names of their own: Java's `login(user)`."""

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
    callee: Code
    arguments: tuple[Code, ...]


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
    """`...items` in a list, in arguments, in an object; in a pattern, the rest."""

    of: Code


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
    """One of these; which one is not known before it runs. All are evaluated, unless the `condition` is known to hold,
    which chooses the first, or not to, which chooses the second."""

    options: tuple[Code, ...]
    condition: Code | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Together(Code):
    """Evaluated one after the other for what they say; the result is not known."""

    parts: tuple[Code, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Code):
    """Whether two values are the same, or, if `negated`, differ."""

    left: Code
    right: Code
    negated: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class After(Code):
    """A value that comes after something else was evaluated: a condition, an annotation, the left of a comma."""

    first: Code
    value: Code


@dataclass(frozen=True, eq=False, repr=False)
class Typed(Code):
    """A value that is trace to be of a type: a cast."""

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
class Block(Code):
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
    """Over the items of `over`, if that is known; else the body counts once, as something that may run."""

    target: Code | None
    over: Code | None
    body: Code
    keys: bool = False


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
class FunctionCode(Code):
    """`types` are those of the parameters and `type` that of the result, where the language says them. `is_arrow`: has
    the `this` of where it was made. `damage` is the line of something in it that does not parse."""

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
