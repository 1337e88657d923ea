"""The abstract machine: follows every branch, every call into the project and known loops in full, and records texts.

No code of the user runs. Steps and depth are bounded; `with_deep_stack` gives room for that depth.
Errs on the side of more texts: if a condition is unknown, all branches are followed.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import (
    Call,
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

if TYPE_CHECKING:
    from unknot.web.readers.interpreter.language import Language

_Result = TypeVar("_Result")

MOST_STEPS = 100_000
"""Of one test: a second or so. Tests that people write take a few thousand."""


MOST_DEPTH = 4_000
"""Of code within code, also through calls: twice as deep as generated code is."""

_STACK_BYTES = 256 * 1024 * 1024
_MOST_FRAMES = 15 * MOST_DEPTH
"""Of Python, for code of that depth."""


def with_deep_stack(work: Callable[[], _Result]) -> _Result:
    """What `work` gives, which may recurse as deeply as the code that it follows: in a thread, since Python's parsers
    recurse on the stack of the machine, which must then be large."""
    results: list[_Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)

    frames, size = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(_MOST_FRAMES)
    try:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(frames)
    for error in errors:
        raise error
    return results[0]


class Exhausted(Exception):
    """A test is too long to be followed to its end: what was found until then counts."""


Names = list[dict[str, v.Value]]


@dataclass(eq=False)
class Activation:
    """One function at work, or the outside of all functions. `uncertain` counts the branches and loops around this
    place that may not run: what is assigned outside of the function there comes beside the old value, not in its stead.
    `root` is the outermost scope of the function; `outer_names` are those that it assigns outside of itself."""

    scope: v.NameScope
    file: str
    function: str
    this: v.Value = v.UNKNOWN
    owner: v.ProjectClass | None = None
    uncertain: int = 0
    returned: list[v.Value] = field(default_factory=list)
    yielded: list[v.Value] = field(default_factory=list)
    outer_names: set[str] = field(default_factory=set)
    root: v.NameScope | None = None
    is_class_body: bool = False

    def __post_init__(self) -> None:
        self.root = self.root or self.scope

    def within(self, scope: v.NameScope) -> "Activation":
        """The same function in a block of its own."""
        return replace(self, scope=scope)

    def inner(self) -> "Activation":
        return self.within(v.NameScope({}, self.scope))

    def in_doubt(self) -> "Activation":
        return replace(self, uncertain=self.uncertain + 1)

    def place(self, line: int) -> Frame:
        return Frame(self.file, line, self.function)

    def scopes(self) -> Iterator[v.NameScope]:
        """Those of the function, the innermost first."""
        scope: v.NameScope | None = self.scope
        while scope is not None:
            yield scope
            scope = None if scope is self.root else scope.parent

    def holds(self, scope: v.NameScope) -> bool:
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
        found.append({name: v.either([end[name] for end in known if name in end]) for name in names})
    return found


Evaluator = Callable[["Machine", Any, Activation], v.Value]


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

    def __init__(self, language: "Language") -> None:
        self.language = language
        self.trace = StringTrace()
        self.changes = UndoLog()
        self.calls: list[FunctionCode] = []
        self.functions_entered = 0
        self.postpones = False
        self.steps_left = MOST_STEPS
        self.depth = 0

    def follow(self, work: Callable[[], object], trace: StringTrace) -> None:
        """Does the work; its texts go to `trace`. Too many steps are a gap, not an error."""
        self.trace, self.calls, self.steps_left, self.depth = trace, [], MOST_STEPS, 0
        try:
            work()
        except (Exhausted, RecursionError):
            trace.add_gap("too long to be followed to its end")
        finally:
            self.trace = StringTrace()

    def spend(self, steps: int) -> None:
        """Work that grows with what code has made, and not with the code, counts as well."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise Exhausted

    def value(self, code: Code, at: Activation) -> v.Value:
        self.spend(1)
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise RecursionError
        value = self.evaluators[type(code)](self, code, at)
        self.depth -= 1
        if self.language.reads_count and not self.trace.is_silent and not isinstance(code, TextPiece):
            for option in v.options(value):
                for text in self.trace.texts_of(option):
                    self.trace.uses_text(text, at.place(code.line))
        return value

    def stored(self, code: Code, at: Activation) -> v.Value:
        """The same for what is kept as data: a text that is known there counts as used when it is read."""
        if self.language.reads_count:
            return self.value(code, at)
        if isinstance(code, Literal):
            return v.Text(code.text, at.place(code.line), code.is_text)
        if isinstance(code, Joined | Name | Member | Either | Call):
            return self._kept(code, at)
        return self.value(code, at)

    def _kept(self, code: Code, at: Activation) -> v.Value:
        """Functions of the project that are called on the way may do more than make a text: their texts count."""
        outer, self.trace = self.trace, StringTrace()
        entered = self.functions_entered
        try:
            value = self.value(code, at)
            trace = self.trace
        finally:
            self.trace = outer
        if self.functions_entered == entered and all(isinstance(option, v.Text) for option in v.options(value)):
            trace.used.clear()
        outer.merge(trace)
        return value

    def read(self, value: v.Value) -> v.Value:
        """A value that was read by its name."""
        if self.language.reads_count:
            return self.language.resolve(value)
        if isinstance(value, v.LazyValue):
            return self.force(value)
        if isinstance(value, v.Text | v.Choice):
            self.trace.uses(value)
            if isinstance(value, v.Choice) and any(isinstance(option, v.LazyValue) for option in value.options):
                return v.either([self.force(one) if isinstance(one, v.LazyValue) else one for one in value.options])
        return value

    def force(self, lazy: v.LazyValue) -> v.Value:
        if lazy.is_being_evaluated:
            return v.UNKNOWN
        if lazy.value is None:
            outer, self.trace = self.trace, StringTrace()
            lazy.is_being_evaluated = True
            try:
                at = Activation(lazy.scope, lazy.file, lazy.function, lazy.this, lazy.owner)
                value = self.stored(lazy.code, at)
                lazy.value = self.or_typed(value, lazy.type, at)
                lazy.trace = self.trace
            finally:
                lazy.is_being_evaluated = False
                self.trace = outer
        if lazy.trace is not None:
            self.trace.merge(lazy.trace)
        return self.read(lazy.value)

    def or_typed(self, value: v.Value, type_name: str, at: Activation) -> v.Value:
        """The value, or, if nothing is known of it, something of its type."""
        if not isinstance(value, v.Unknown) or not type_name:
            return value
        made = self.language.typed(type_name, at)
        return value if isinstance(made, v.Unknown) and value != v.UNKNOWN else made

    def rounds(self, over: Sequence[v.Value], at: Activation, line: int) -> Sequence[v.Value]:
        """As many items as a loop is followed over. The others count as used, and what is done with them is a gap."""
        most = self.language.most_rounds
        if len(over) > most:
            self.note_long_loop(at, line)
            for value in over[most:]:
                self.trace.uses(value)
        return over[:most]

    def note_long_loop(self, at: Activation, line: int) -> None:
        most = self.language.most_rounds
        self.trace.add_gap(f"{at.file}:{line}: only the first {most} rounds of a loop are followed")

    def closure(self, code: FunctionCode, at: Activation) -> v.Closure:
        return v.Closure(code, at.scope, at.this if code.is_arrow else v.UNKNOWN, at.owner)


def arms_scope(language: "Language", at: Activation) -> Activation:
    """Where an arm of a branch or a round of a loop works that may not run."""
    return (at.inner() if language.block_scopes else at).in_doubt()


def forget(names: Iterable[str], at: Activation) -> None:
    """Of what a loop sets, nothing is certain in it: an earlier round may have set it."""
    for name in names:
        holder = at.scope.holder(name)
        if holder is not None and at.holds(holder):
            holder.names[name] = v.either((holder.names[name], v.UNKNOWN))


def member_of(
    machine: Machine, receiver: v.Value, name: str, at: Activation, line: int, *, quiet: bool = False
) -> v.Value:
    """`quiet`: a text that is only handed on under another name does not count as used yet."""
    if isinstance(receiver, v.Choice):
        return v.either([machine.language.member(option, name, at, line, quiet=quiet) for option in receiver.options])
    return machine.language.member(receiver, name, at, line, quiet=quiet)


def item_of(machine: Machine, of: v.Value, key: v.Value | int, at: Activation, line: int) -> v.Value:
    """By number or by name; all of them if the key is not known."""
    if isinstance(key, int):
        key = v.Text(str(key), None, is_text=False, scalar=key)
    pairs = [(one, other) for one in v.options(of) for other in v.options(key)][: v.MOST_OPTIONS]
    return v.either([machine.language.item(one, other, at, line) for one, other in pairs])
