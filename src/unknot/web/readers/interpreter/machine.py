"""The abstract machine: follows every branch, every call into the project and known loops in full, and records texts.

No code of the user runs. A computation is a generator that yields what it needs; `Machine.drive` keeps them on a
list, so that neither deep nesting nor long chains of calls reach Python's own limit. Steps and depth are bounded.
Errs on the side of more texts: if a condition is unknown, all branches are followed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.code import (
    Call,
    ClassCode,
    Code,
    Either,
    FunctionCode,
    Joined,
    Literal,
    Member,
    Name,
    TextPiece,
)
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.interpreter.values import (
    MOST_OPTIONS,
    UNKNOWN,
    CallArguments,
    Choice,
    Closure,
    LazyValue,
    NameScope,
    ProjectClass,
    Result,
    Steps,
    Text,
    Unknown,
    Value,
    either,
    one_of_all,
    options,
)

MOST_STEPS = 100_000
"""Of one test: a second or so. Tests that people write take a few thousand."""


class Exhausted(Exception):
    """A test is too long to be followed to its end: what was found until then counts."""


Names = list[dict[str, Value]]


@dataclass(eq=False)
class Activation:
    """One function at work, or the outside of all functions. `uncertain` counts the branches and loops around this
    place that may not run: what is assigned outside of the function there comes beside the old value, not in its stead.
    `root` is the outermost scope of the function; `outer_names` are those that it assigns outside of itself."""

    scope: NameScope
    file: str
    function: str
    this: Value = UNKNOWN
    owner: ProjectClass | None = None
    uncertain: int = 0
    returned: list[Value] = field(default_factory=list)
    yielded: list[Value] = field(default_factory=list)
    outer_names: set[str] = field(default_factory=set)
    root: NameScope | None = None
    is_class_body: bool = False

    def __post_init__(self) -> None:
        self.root = self.root or self.scope

    def within(self, scope: NameScope) -> "Activation":
        """The same function in a block of its own."""
        return replace(self, scope=scope)

    def inner(self) -> "Activation":
        return self.within(NameScope({}, self.scope))

    def in_doubt(self) -> "Activation":
        return replace(self, uncertain=self.uncertain + 1)

    def place(self, line: int) -> Frame:
        return Frame(self.file, line, self.function)

    def scopes(self) -> Iterator[NameScope]:
        """Those of the function, the innermost first."""
        scope: NameScope | None = self.scope
        while scope is not None:
            yield scope
            scope = None if scope is self.root else scope.parent

    def holds(self, scope: NameScope) -> bool:
        return any(own is scope for own in self.scopes())

    def names(self) -> Names:
        """What the names of the function stand for now."""
        return [dict(scope.names) for scope in self.scopes()]

    def restore(self, names: Names) -> None:
        for scope, known in zip(self.scopes(), names, strict=True):
            scope.names = dict(known)


def merged(ends: Sequence[Names]) -> Names:
    """What names stand for after one of several ways, of which it is not known which one was taken."""
    found: Names = []
    for known in zip(*ends, strict=True):
        names = dict.fromkeys(name for end in known for name in end)
        found.append({name: either([end[name] for end in known if name in end]) for name in names})
    return found


class Language(ABC):
    """What the languages do differently. `reads_count`: a text counts as used at each place that reads it, and not at
    the place where it is written. `block_scopes`: names that a block declares are not known behind it. `has_this`:
    `this` and `super` are no names like others. `browser_names` are parameters that get the browser.
    `most_rounds` of a loop are followed."""

    reads_count: ClassVar[bool]
    block_scopes: ClassVar[bool]
    has_this: ClassVar[bool]
    browser_names: ClassVar[frozenset[str]] = frozenset()
    most_rounds: ClassVar[int]
    nothing: ClassVar[Value] = UNKNOWN
    machine: "Machine"

    @abstractmethod
    def free_name(self, name: str, at: Activation) -> Result:
        """A name that no block around it has declared."""

    @abstractmethod
    def assign_free(self, name: str, value: Value, at: Activation) -> None:
        """The same, on the left of an assignment."""

    @abstractmethod
    def invoke(self, receiver: Value, name: str, arguments: CallArguments, at: Activation, line: int) -> Result:
        """`receiver.name(…)`, or `receiver(…)` if the name is empty."""

    @abstractmethod
    def member(self, receiver: Value, name: str, at: Activation, line: int, *, quiet: bool = False) -> Result:
        """`receiver.name` of one value. `quiet`: a text that is only handed on under another name does not count as
        used yet."""

    @abstractmethod
    def item(self, of: Value, key: Value, at: Activation, line: int) -> Result:
        """`of[key]` of one value and one key."""

    @abstractmethod
    def set_member(self, owner: Value, name: str, value: Value, at: Activation, line: int) -> None:
        """`owner.name = value`."""

    @abstractmethod
    def set_item(self, owner: Value, key: Value, value: Value, at: Activation) -> None:
        """`owner[key] = value`."""

    @abstractmethod
    def elements(self, value: Value) -> tuple[list[Value], bool]:
        """The items of a collection, and whether these are all."""

    @abstractmethod
    def loop_items(self, value: Value, *, keys: bool) -> tuple[list[Value], bool]:
        """What a loop over the value gets, and whether that is all."""

    @abstractmethod
    def truth(self, value: Value) -> bool | None:
        """Whether a condition holds; None where it may or may not."""

    @abstractmethod
    def compare(self, left: Value, operator: str, right: Value) -> bool | None:
        """Whether a comparison holds; None where it may or may not."""

    @abstractmethod
    def join(self, parts: list[Value], at: Activation, line: int) -> Value:
        """A text that is put together of these."""

    @abstractmethod
    def function_of(self, code: FunctionCode, at: Activation) -> Result:
        """A function, where code defines it."""

    @abstractmethod
    def class_of(self, code: ClassCode, at: Activation) -> Result:
        """A class that is declared in the middle of other code, with its superclass found."""

    def resolve(self, value: Value) -> Value:
        """A value that was found by its name, with imports followed."""
        return value

    def note_compared(self, operands: Sequence[Value], at: Activation, line: int) -> None:  # noqa: B027 - may do nothing
        """Values that a comparison reads."""

    def operate(self, left: Value, operator: str, right: Value) -> Value:  # noqa: ARG002 - for those that have operators
        """`left operator right`."""
        return UNKNOWN

    def typed(self, type_name: str, at: Activation) -> Result:  # noqa: ARG002 - for languages with types
        """Something of this type, of which nothing else is known."""
        return UNKNOWN

    def own_call(self, name: str, arguments: list[Value], at: Activation, line: int) -> Result:
        """A method called without an object before it."""
        return self.library_call(UNKNOWN, name, arguments, at, line)

    def library_call(self, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Result:
        """A call of something that is not of the project; of a function if `name` is empty."""
        return self.invoke(receiver, name, CallArguments(arguments), at, line)

    def library_new(self, of: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Result:  # noqa: ARG002
        """A new object of a class that is not of the project: `of`, as far as that is known."""
        return UNKNOWN


Evaluator = Callable[["Machine", Any, Activation], Result]


class UndoLog:
    """Changes to lists and dicts that outlive a test: a test begins with what modules have made, and what it changes is
    undone at its end. Modules that are loaded meanwhile make lasting changes."""

    def __init__(self) -> None:
        self.is_lasting = True
        self._saved: dict[int, tuple[Any, Any]] = {}

    def save(self, container: list[Any] | dict[Any, Any]) -> None:
        """Call before each change."""
        if not self.is_lasting and id(container) not in self._saved:
            self._saved[id(container)] = (container, container.copy())

    @contextmanager
    def undone(self) -> Iterator[None]:
        self.is_lasting = False
        try:
            yield
        finally:
            self.is_lasting = True
            for container, before in self._saved.values():
                if isinstance(container, list):
                    container[:] = before
                else:
                    container.clear()
                    container.update(before)
            self._saved.clear()

    @contextmanager
    def lasting(self) -> Iterator[None]:
        before, self.is_lasting = self.is_lasting, True
        try:
            yield
        finally:
            self.is_lasting = before


class Machine:
    """`trace` collects the texts of the code that is followed now; `calls` are the functions under way, the innermost
    last. `postpones`: this code only prepares tests, so its declarations are evaluated when a test reads them."""

    evaluators: ClassVar[dict[type[Code], Evaluator]] = {}
    """Filled by the modules that know how: expressions hold statements and calls, and these expressions."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.trace = StringTrace()
        self.changes = UndoLog()
        self.calls: list[FunctionCode] = []
        self.functions_entered = 0
        self.postpones = False
        self.steps_left = MOST_STEPS

    def follow(self, start: Callable[[], Steps], trace: StringTrace) -> Value:
        """The result of `start`; its texts go to `trace`. Too many steps are a gap, not an error."""
        self.trace, self.calls, self.steps_left = trace, [], MOST_STEPS
        try:
            return self.drive(start())
        except Exhausted:
            trace.add_gap("too long to be followed to its end")
            return UNKNOWN
        finally:
            self.trace = StringTrace()

    def drive(self, start: Result) -> Value:
        if isinstance(start, Value):
            return start
        stack = [start]
        sent: Value = UNKNOWN
        started = False
        try:
            while stack:
                try:
                    wanted = stack[-1].send(sent) if started else next(stack[-1])
                except StopIteration as end:
                    stack.pop()
                    sent, started = end.value, True
                    continue
                if isinstance(wanted, Value):
                    sent, started = wanted, True
                else:
                    stack.append(wanted)
                    started = False
        except BaseException:
            # Innermost first, and now: each puts back what it has changed for a while.
            while stack:
                stack.pop().close()
            raise
        return sent

    def spend(self, steps: int) -> None:
        """Work that grows with what code has made, and not with the code, counts as well."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise Exhausted

    def value(self, code: Code, at: Activation) -> Result:
        self.spend(1)
        made = self.evaluators[type(code)](self, code, at)
        if not self.language.reads_count or self.trace.is_silent or isinstance(code, TextPiece):
            return made
        if isinstance(made, Value):
            self._mention(made, code, at)
            return made
        return self._mentioned(made, code, at)

    def _mentioned(self, steps: Steps, code: Code, at: Activation) -> Steps:
        value = yield steps
        self._mention(value, code, at)
        return value

    def _mention(self, value: Value, code: Code, at: Activation) -> None:
        for option in options(value):
            for text in self.trace.texts_of(option):
                self.trace.uses_text(text, at.place(code.line))

    def stored(self, code: Code, at: Activation) -> Result:
        """The same for what is kept as data: a text that is known there counts as used when it is read."""
        if self.language.reads_count:
            return self.value(code, at)
        if isinstance(code, Literal):
            return Text(code.text, at.place(code.line), code.is_text)
        if isinstance(code, Joined | Name | Member | Either | Call):
            return self._kept(code, at)
        return self.value(code, at)

    def _kept(self, code: Code, at: Activation) -> Steps:
        """Functions of the project that are called on the way may do more than make a text: their texts count."""
        outer, self.trace = self.trace, StringTrace()
        entered = self.functions_entered
        try:
            value = yield self.value(code, at)
            trace = self.trace
        finally:
            self.trace = outer
        if self.functions_entered == entered and all(isinstance(option, Text) for option in options(value)):
            trace.used.clear()
        outer.merge(trace)
        return value

    def read(self, value: Value) -> Result:
        """A value that was read by its name."""
        if self.language.reads_count:
            return self.language.resolve(value)
        if isinstance(value, LazyValue):
            return self.force(value)
        if isinstance(value, Text | Choice):
            self.trace.uses(value)
            if isinstance(value, Choice) and any(isinstance(option, LazyValue) for option in value.options):
                return self._force_all(value)
        return value

    def _force_all(self, choice: Choice) -> Steps:
        return (yield one_of_all(self.force(one) if isinstance(one, LazyValue) else one for one in options(choice)))

    def force(self, lazy: LazyValue) -> Steps:
        if lazy.is_being_evaluated:
            return UNKNOWN
        if lazy.value is None:
            outer, self.trace = self.trace, StringTrace()
            lazy.is_being_evaluated = True
            try:
                lazy.value = yield self._evaluate_lazy(lazy)
                lazy.trace = self.trace
            finally:
                lazy.is_being_evaluated = False
                self.trace = outer
        if lazy.trace is not None:
            self.trace.merge(lazy.trace)
        return (yield self.read(lazy.value))

    def _evaluate_lazy(self, lazy: LazyValue) -> Steps:
        at = Activation(lazy.scope, lazy.file, lazy.function, lazy.this, lazy.owner)
        return (yield self.or_typed((yield self.stored(lazy.code, at)), lazy.type, at))

    def or_typed(self, value: Value, type_name: str, at: Activation) -> Result:
        """The value, or, if nothing is known of it, something of its type."""
        return self._typed(value, type_name, at) if isinstance(value, Unknown) and type_name else value

    def _typed(self, value: Value, type_name: str, at: Activation) -> Steps:
        made = yield self.language.typed(type_name, at)
        return value if isinstance(made, Unknown) and value != UNKNOWN else made

    def rounds(self, over: Sequence[Value], at: Activation, line: int) -> Sequence[Value]:
        """As many items as a loop is followed over. The others count as used, and what is done with them is a gap."""
        most = self.language.most_rounds
        if len(over) > most:
            self.note_long_loop(at, line)
            self.trace.uses_all(over[most:])
        return over[:most]

    def note_long_loop(self, at: Activation, line: int) -> None:
        most = self.language.most_rounds
        self.trace.add_gap(f"{at.file}:{line}: only the first {most} rounds of a loop are followed")

    def closure(self, code: FunctionCode, at: Activation) -> Closure:
        return Closure(code, at.scope, at.this if code.is_arrow else UNKNOWN, at.owner)


def arms_scope(language: Language, at: Activation) -> Activation:
    """Where an arm of a branch or a round of a loop works that may not run."""
    return (at.inner() if language.block_scopes else at).in_doubt()


def forget(names: Iterable[str], at: Activation) -> None:
    """Of what a loop sets, nothing is certain in it: an earlier round may have set it."""
    for name in names:
        holder = at.scope.holder(name)
        if holder is not None and at.holds(holder):
            holder.names[name] = either((holder.names[name], UNKNOWN))


def member_of(
    machine: Machine, receiver: Value, name: str, at: Activation, line: int, *, quiet: bool = False
) -> Result:
    """`quiet`: a text that is only handed on under another name does not count as used yet."""
    if isinstance(receiver, Choice):
        return one_of_all(machine.language.member(option, name, at, line, quiet=quiet) for option in receiver.options)
    return machine.language.member(receiver, name, at, line, quiet=quiet)


def item_of(machine: Machine, of: Value, key: Value | int, at: Activation, line: int) -> Result:
    """By number or by name; all of them if the key is not known."""
    if isinstance(key, int):
        key = Text(str(key), None, is_text=False, scalar=key)
    pairs = [(one, other) for one in options(of) for other in options(key)][:MOST_OPTIONS]
    if len(pairs) == 1:
        return machine.language.item(*pairs[0], at, line)
    return one_of_all(machine.language.item(one, other, at, line) for one, other in pairs)
