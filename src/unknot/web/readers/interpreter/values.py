"""What is known of a value without running anything: a text, a list, an object of the project, or nothing."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Optional

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.code import ClassCode, Code, FunctionCode

if TYPE_CHECKING:
    from unknot.web.readers.interpreter.string_trace import StringTrace

MOST_OPTIONS = 64
MOST_ITEMS = 10_000
MOST_TEXTS = 2_000
MOST_ANCESTORS = 50


_WHOLE = re.compile(r"-?\d{1,9}", re.ASCII)


def whole_number(text: str) -> int | None:
    """Of a text that writes one of a size that tests have."""
    return int(text) if _WHOLE.fullmatch(text) else None


def words(*lines: str) -> frozenset[str]:
    """A set of names, written as a list of words.

    >>> sorted(words("fill type", "select"))
    ['fill', 'select', 'type']
    """
    return frozenset(word for line in lines for word in line.split())


class Value:
    """One of the classes below."""

    __slots__ = ()


@dataclass(frozen=True)
class Unknown(Value):
    """A value of which no text is known. `path` says how it is reached, from the last call on:
    `selenium.webdriver.common.by.By`, or `.fill` for a method of something unknown. `maker` is the code of another
    package that made it of the browser, and that may type whatever it gets."""

    path: str = ""
    maker: str = ""

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def is_browser(self) -> bool:
        """A page, a driver or a browser, or something that was made of one: code that gets it can type."""
        return self.path in ("browser", "sb") or bool(self.maker)


@dataclass(frozen=True)
class UncountedRound(Unknown):
    """The number of a round of a loop, or a text made of it, where the number of rounds is not known."""

    loop: Frame | None = None


UNKNOWN = Unknown()

BROWSER = Unknown("browser")

Scalar = str | int | float | complex | bool | bytes | None
"""A constant of the language that is read."""


@dataclass(frozen=True)
class Text(Value):
    """A constant. `place` is where it is written, or put together. If `is_text` is false, it is a number, a truth value
    or None: no text until a test types it. `scalar` is then its value, where the language has it."""

    text: str
    place: Frame | None = field(default=None, compare=False)
    is_text: bool = True
    scalar: Scalar = field(default=None, compare=False)

    @property
    def value(self) -> Scalar:
        return self.text if self.is_text else self.scalar


@dataclass(frozen=True)
class PartialText(Value):
    """A text of which only these parts are known."""

    parts: tuple[str, ...]


@dataclass(eq=False)
class Items(Value):
    """A list, tuple or set. `rest` is what else may be in it. A very long one is known by its beginning."""

    items: list[Value]
    rest: Value | None = None

    def __post_init__(self) -> None:
        if len(self.items) > MOST_ITEMS:
            self.items = self.items[:MOST_ITEMS]
            self.rest = UNKNOWN


@dataclass(eq=False)
class Entries(Value):
    """Named values: an object literal, a dict, a map, a module. `origin` says what it is, if that matters; `rest` is
    what else may be in it."""

    entries: dict[Any, Value]
    origin: str = ""
    rest: Value | None = None


@dataclass(eq=False)
class TextBuilder(Value):
    """A text that grows: a StringBuilder."""

    text: Value


@dataclass(eq=False)
class NameScope:
    """The names of a block, a function, a class body or a module. `parent` is where else a name is looked for."""

    names: dict[str, Value] = field(default_factory=dict)
    parent: Optional["NameScope"] = None

    def holder(self, name: str) -> Optional["NameScope"]:
        scope: NameScope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope


@dataclass(eq=False)
class Closure(Value):
    """A function with the names around it. `is_getter`: it is called where it is read."""

    code: FunctionCode
    scope: NameScope
    this: Value = UNKNOWN
    owner: Optional["ProjectClass"] = None
    is_getter: bool = False


@dataclass(eq=False)
class ProjectClass(Value):
    """A class of the project. `superclass` is None if it has none, and UNKNOWN if it is not of the project. `statics`
    are filled when first read; `outer` is the class around it."""

    code: ClassCode
    scope: NameScope
    superclass: Value | None = None
    interfaces: list["ProjectClass"] = field(default_factory=list)
    outer: Optional["ProjectClass"] = None
    statics: dict[str, Value] = field(default_factory=dict)
    is_started: bool = False

    @property
    def name(self) -> str:
        return self.code.name

    def chain(self) -> Iterator["ProjectClass"]:
        """Itself, its superclasses, the nearest first, and then the interfaces of all of them; each once."""
        seen: dict[int, ProjectClass] = {}
        at: Value | None = self
        while isinstance(at, ProjectClass) and id(at) not in seen and len(seen) < MOST_ANCESTORS:
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
            (one.superclass is None or isinstance(one.superclass, ProjectClass))
            and len(one.interfaces) == len(one.code.interfaces)
            for one in self.chain()
        )


@dataclass(eq=False)
class ProjectObject(Value):
    type: ProjectClass
    fields: dict[str, Value] = field(default_factory=dict)
    outer: Value = UNKNOWN


@dataclass(frozen=True)
class Choice(Value):
    """One of these; it is not known which."""

    options: tuple[Value, ...]


@dataclass(eq=False)
class LibraryValue(Value):
    """A value of a library with a known meaning. `act` gets the arguments of a call; `members` are its own.
    `unread` is what to call it if it is of a package of which nothing is known."""

    name: str
    act: Callable[[list[Value]], Value] | None = None
    members: dict[str, Value] = field(default_factory=dict)
    unread: str = ""


@dataclass(eq=False)
class LazyValue(Value):
    """A constant that is evaluated when it is first read. `trace` has its texts, which each reader adds to its own."""

    code: Code
    scope: NameScope
    file: str
    function: str
    this: Value = UNKNOWN
    owner: ProjectClass | None = None
    type: str = ""
    value: Value | None = None
    is_being_evaluated: bool = False
    trace: Optional["StringTrace"] = None


NOWHERE = Frame("", 0, "")


@dataclass(eq=False)
class CallArguments(Value):
    """What a call is given. `is_open`: there may be more, which are unknown. `uncertain` counts the
    branches around the call that may not run."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    is_open: bool = False
    place: Frame = NOWHERE
    uncertain: int = 0

    def after(self, *first: Value) -> "CallArguments":
        return replace(self, positional=[*first, *self.positional])

    def get(self, position: int, name: str = "") -> Value | None:
        if name in self.keywords:
            return self.keywords[name]
        return self.positional[position] if position < len(self.positional) else None

    @property
    def all(self) -> list[Value]:
        return [*self.positional, *self.keywords.values()]


def either(values: Iterable[Value]) -> Value:
    """One of these as one value, each once. Beyond a number that no honest expression has, the rest is unknown. Of
    values of which nothing is known, those that say why go before those that do not."""
    kept: dict[Value, None] = {}
    for value in values:
        kept.update(dict.fromkeys(options(value)))
        if len(kept) > MOST_OPTIONS:
            kept = dict.fromkeys([*list(kept)[:MOST_OPTIONS], UNKNOWN])
            break
    if any(isinstance(option, Unknown) and option != UNKNOWN for option in kept):
        kept.pop(UNKNOWN, None)
    if len(kept) == 1:
        return next(iter(kept))
    return Choice(tuple(kept)) if kept else UNKNOWN


TRUE, FALSE = Text("true", None, is_text=False, scalar=True), Text("false", None, is_text=False, scalar=False)


def of_truth(holds: bool) -> Text:
    return TRUE if holds else FALSE


def truth(value: Value) -> bool | None:
    """What a comparison came to; None if that is not known. Truth values that are written in the source do not count:
    they are where a variable starts, and seldom where it is."""
    return True if value is TRUE else False if value is FALSE else None


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
        case TextBuilder(text):
            return [text]
        case ProjectObject(_, fields):
            return [part for part in fields.values() if isinstance(part, Text | Items)]
        case LazyValue(value=Value() as known):
            return [known]
    return []


def functions_in(values: Iterable[Value]) -> Iterator[Closure]:
    for value in values:
        for option in options(value):
            if isinstance(option, Closure):
                yield option
