"""What is known of a value without running anything: a text, a list, an object of the project, or nothing."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Optional, TypeAlias

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.code import ClassCode, Code, FunctionCode

if TYPE_CHECKING:
    from unknot.web.readers.interpreter.string_trace import StringTrace

MOST_OPTIONS = 12
MOST_TEXTS = 2_000
MOST_ANCESTORS = 50


def words(*lines: str) -> frozenset[str]:
    """A set of names, written as a list of words.

    >>> sorted(words("fill type", "select"))
    ['fill', 'select', 'type']
    """
    return frozenset(word for line in lines for word in line.split())


class Value:
    """One of the classes below."""

    __slots__ = ()


Steps: TypeAlias = Generator["Steps | Value", Value, Value]
"""A computation that asks for the results of others by yielding them; so that depth costs no Python stack."""

Result: TypeAlias = Steps | Value


@dataclass(frozen=True)
class Unknown(Value):
    pass


UNKNOWN = Unknown()


@dataclass(frozen=True)
class Browser(Unknown):
    """A page, a driver or a browser: whoever gets it can type."""


@dataclass(frozen=True)
class Unread(Unknown):
    """Something of a package of which nothing is known but its name there."""

    name: str


@dataclass(frozen=True)
class Outside(Unknown):
    """What code that cannot be read has made of the browser: a page object of another package. It may type whatever it
    is told."""

    maker: str


@dataclass(frozen=True)
class Uncounted(Unknown):
    """The number of a round of a loop, or a text made of it, where nobody knows how many rounds there are."""

    loop: Frame


BROWSER = Browser()

BROWSER_NAMES = words("page driver browser webDriver webdriver webPage")
"""What people call it."""


@dataclass(frozen=True)
class Text(Value):
    """`place` is where it is written, or put together. A number or truth value is no text until somebody types it."""

    text: str
    place: Frame | None = field(default=None, compare=False)
    is_text: bool = True


@dataclass(eq=False)
class Items(Value):
    items: list[Value]


@dataclass(eq=False)
class Entries(Value):
    """Named values: an object literal, a map, a module. `origin` says what it is, if that matters."""

    entries: dict[str, Value]
    origin: str = ""


@dataclass(eq=False)
class Builder(Value):
    """A text that grows: a StringBuilder."""

    text: Value


@dataclass(eq=False)
class Scope:
    names: dict[str, Value] = field(default_factory=dict)
    parent: Optional["Scope"] = None

    def holder(self, name: str) -> Optional["Scope"]:
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope


@dataclass(eq=False)
class Closure(Value):
    code: FunctionCode
    scope: Scope
    this: Value = UNKNOWN
    owner: Optional["Class"] = None


@dataclass(eq=False)
class Class(Value):
    """A class of the project. `superclass` is None if it has none, and UNKNOWN if it is somebody else's. `statics` are
    filled when first read; `outer` is the class around it."""

    code: ClassCode
    scope: Scope
    superclass: Value | None = None
    interfaces: list["Class"] = field(default_factory=list)
    outer: Optional["Class"] = None
    statics: dict[str, Value] = field(default_factory=dict)
    is_started: bool = False

    @property
    def name(self) -> str:
        return self.code.name

    def chain(self) -> Iterator["Class"]:
        """Itself, its superclasses, the nearest first, and then the interfaces of all of them; each once."""
        seen: dict[int, Class] = {}
        at: Value | None = self
        while isinstance(at, Class) and id(at) not in seen and len(seen) < MOST_ANCESTORS:
            seen[id(at)] = at
            yield at
            at = at.superclass
        waiting = [one for known in list(seen.values()) for one in known.interfaces]
        while waiting and len(seen) < MOST_ANCESTORS:
            one = waiting.pop(0)
            if id(one) not in seen:
                seen[id(one)] = one
                yield one
                waiting.extend(one.interfaces)

    @property
    def is_all_known(self) -> bool:
        """Whether everything that it inherits is of the project, so that nothing can come from elsewhere."""
        return all(
            (one.superclass is None or isinstance(one.superclass, Class))
            and len(one.interfaces) == len(one.code.interfaces)
            for one in self.chain()
        )


@dataclass(eq=False)
class Instance(Value):
    type: Class
    fields: dict[str, Value] = field(default_factory=dict)
    outer: Value = UNKNOWN


@dataclass(frozen=True)
class Choice(Value):
    """One of these, nobody knows which."""

    options: tuple[Value, ...]


@dataclass(eq=False)
class Native(Value):
    """What a library gives that we know the meaning of. `act` gets the arguments of a call; `members` are its own.
    `unread` is what to call it if it is of a package of which nothing is known."""

    name: str
    act: Callable[[list[Value]], Result] | None = None
    members: dict[str, Value] = field(default_factory=dict)
    unread: str = ""


@dataclass(eq=False)
class Lazy(Value):
    """A constant that is worked out when it is first read. `trace` is what that trace; each reader says it again."""

    code: Code
    scope: Scope
    file: str
    function: str
    this: Value = UNKNOWN
    owner: Class | None = None
    type: str = ""
    value: Value | None = None
    is_forcing: bool = False
    trace: Optional["StringTrace"] = None


def either(values: Iterable[Value]) -> Value:
    """One of these as one value; the same text once. More than a handful are not kept. Of values of which nothing is
    known, those that say why go before those that do not."""
    kept: list[Value] = []
    for value in values:
        if len(kept) >= MOST_OPTIONS:
            break
        for option in value.options if isinstance(value, Choice) else (value,):
            if not any(option is other or (isinstance(option, Text | Unknown) and option == other) for other in kept):
                kept.append(option)
    if any(isinstance(option, Unknown) and option != UNKNOWN for option in kept):
        kept = [option for option in kept if option != UNKNOWN]
    if len(kept) == 1:
        return kept[0]
    return Choice(tuple(kept[:MOST_OPTIONS])) if kept else UNKNOWN


TRUE, FALSE = Text("true", None, is_text=False), Text("false", None, is_text=False)


def of_truth(holds: bool) -> Text:
    return TRUE if holds else FALSE


def truth(value: Value) -> bool | None:
    """What a comparison came to; None if that is not known. Truth values that are written in the source do not count:
    they are where a variable starts, and seldom where it is."""
    return True if value is TRUE else False if value is FALSE else None


def in_turn(asked: Iterable[Result]) -> Steps:
    """The results of several computations, one after the other, as a list."""
    results: list[Value] = []
    for one in asked:
        results.append((yield one))  # noqa: PERF401 - a comprehension cannot yield
    return Items(results)


def one_of_all(asked: Iterable[Result]) -> Steps:
    """The same, as one value that may be any of them."""
    return either(items((yield in_turn(asked))))


def items(value: Value) -> list[Value]:
    """Of a list; of anything else none."""
    return value.items if isinstance(value, Items) else []


def options(value: Value) -> tuple[Value, ...]:
    return value.options if isinstance(value, Choice) else (value,)


def texts_in(value: Value) -> Iterator[Text]:
    """Every text of a value, at whatever depth; of an object those of its fields that are known already."""
    stack, seen, left = [value], set[int](), MOST_TEXTS
    while stack and left:
        at = stack.pop()
        left -= 1
        if isinstance(at, Text):
            yield at
        elif id(at) not in seen:
            seen.add(id(at))
            stack.extend(reversed(_parts(at)))


def _parts(value: Value) -> list[Value]:
    match value:
        case Items(items):
            return items
        case Entries(entries):
            return [] if value.origin == "module" else list(entries.values())
        case Choice(choices):
            return list(choices)
        case Builder(text):
            return [text]
        case Instance(_, fields):
            return [part for part in fields.values() if isinstance(part, Text | Items)]
        case Lazy(value=Value() as known):
            return [known]
    return []


def functions_in(values: Iterable[Value]) -> Iterator[Closure]:
    for value in values:
        for option in options(value):
            if isinstance(option, Closure):
                yield option
