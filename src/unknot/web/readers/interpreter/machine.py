"""Follows code of the small language for what it says: every branch, every call into the project, known loops in full.

Nothing of the user's runs. A computation is a generator that yields what it needs; `Machine.drive` keeps them on a
list, so that neither deep nesting nor long chains of calls reach Python's own limit. Steps and depth are bounded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

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
)
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Choice,
    Class,
    Closure,
    Lazy,
    Result,
    Scope,
    Steps,
    Text,
    Unknown,
    Value,
    one_of_all,
    options,
)

MOST_STEPS = 100_000
"""Of one test: a second or so. Tests that people write take a few thousand."""


MOST_ROUNDS = 60
"""Of one loop; whoever types more in one is not known well enough to be cleared of anything."""


class Exhausted(Exception):
    """A test is too long to be followed to its end: what was found until then counts."""


@dataclass(eq=False)
class Activation:
    """One function at work, or the outside of all functions. `uncertain` counts the branches and loops around this
    place that may not run: what is assigned there comes beside the old value, not in its stead."""

    scope: Scope
    file: str
    function: str
    this: Value = UNKNOWN
    owner: Class | None = None
    uncertain: int = 0
    returned: list[Value] = field(default_factory=list)

    def within(self, scope: Scope) -> "Activation":
        """The same function in a block of its own."""
        return Activation(scope, self.file, self.function, self.this, self.owner, self.uncertain, self.returned)

    def inner(self) -> "Activation":
        return self.within(Scope({}, self.scope))

    def place(self, line: int) -> Frame:
        return Frame(self.file, line, self.function)


class Language(Protocol):
    """What Java and JavaScript do differently."""

    def free_name(self, name: str, at: Activation) -> Result:
        """A name that no block around it has declared."""

    def assign_free(self, name: str, value: Value, at: Activation) -> None:
        """The same, on the left of an assignment."""

    def own_call(self, name: str, arguments: list[Value], at: Activation, line: int) -> Result:
        """A method called without saying whose."""

    def library_call(self, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Result:
        """A call of something that is not of the project; of a function if `name` is empty."""

    def library_new(self, of: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Result:
        """A new object of a class that is not of the project: `of`, as far as that is known."""

    def member(self, receiver: Value, name: str, at: Activation, line: int) -> Result:
        """What is read of something that has no such member in the project."""

    def typed(self, type_name: str, at: Activation) -> Result:
        """Something of this type, of which nothing else is known."""

    def class_of(self, code: ClassCode, at: Activation) -> Result:
        """A class that is declared in the middle of other code, with its superclass found."""


Evaluator = Callable[["Machine", Any, Activation], Result]
Entry = Callable[["Machine", Closure, Value, Sequence[Value]], Steps]


class Machine:
    """`trace` is what the code that is followed now says; `calls` are the functions under way, the innermost last.
    `postpones`: this code only prepares tests, so what it declares is worked out when a test reads it."""

    evaluators: ClassVar[dict[type[Code], Evaluator]] = {}
    enter: ClassVar[Entry]
    """Both are filled by the modules that know how: expressions hold statements and calls, and these expressions."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.trace = StringTrace()
        self.calls: list[FunctionCode] = []
        self.functions_entered = 0
        self.postpones = False
        self._left = MOST_STEPS

    def follow(self, start: Callable[[], Steps], trace: StringTrace) -> Value:
        """Whatever `start` computes; what that says goes to `trace`. Too long a way is a gap, not an error."""
        self.trace, self.calls, self._left = trace, [], MOST_STEPS
        try:
            return self.drive(start())
        except Exhausted:
            trace.misses("too long to be followed to its end")
            return UNKNOWN
        finally:
            self.trace = StringTrace()

    def drive(self, start: Steps) -> Value:
        stack = [start]
        sent: Value = UNKNOWN
        started = False
        try:
            while stack:
                try:
                    asked = stack[-1].send(sent) if started else next(stack[-1])
                except StopIteration as end:
                    stack.pop()
                    sent, started = end.value, True
                    continue
                if isinstance(asked, Value):
                    sent, started = asked, True
                else:
                    stack.append(asked)
                    started = False
        except BaseException:
            # Innermost first, and now: each puts back what it has changed for a while.
            while stack:
                stack.pop().close()
            raise
        return sent

    def value(self, code: Code, at: Activation) -> Result:
        self._left -= 1
        if self._left < 0:
            raise Exhausted
        return self.evaluators[type(code)](self, code, at)

    def datum(self, code: Code, at: Activation) -> Result:
        """The same for what is kept as data: a text that is known there counts as used when somebody reads it."""
        if isinstance(code, Literal):
            return Text(code.text, at.place(code.line), code.is_text)
        if isinstance(code, Joined | Name | Member | Either | Call):
            return self._kept(code, at)
        return self.value(code, at)

    def _kept(self, code: Code, at: Activation) -> Steps:
        """Functions of the project that are called on the way may do more than make a text: what they say counts."""
        outer, self.trace = self.trace, StringTrace()
        entered = self.functions_entered
        try:
            value = yield self.value(code, at)
            trace = self.trace
        finally:
            self.trace = outer
        if self.functions_entered == entered and all(isinstance(option, Text) for option in options(value)):
            trace.used.clear()
        outer.again(trace)
        return value

    def seen(self, value: Value) -> Result:
        """A value that was read by its name."""
        if isinstance(value, Lazy):
            return self.forced(value)
        if isinstance(value, Text | Choice):
            self.trace.uses(value)
            if isinstance(value, Choice) and any(isinstance(option, Lazy) for option in value.options):
                return self._all_forced(value)
        return value

    def _all_forced(self, choice: Choice) -> Steps:
        return (yield one_of_all(self.forced(one) if isinstance(one, Lazy) else one for one in options(choice)))

    def forced(self, lazy: Lazy) -> Steps:
        if lazy.is_forcing:
            return UNKNOWN
        if lazy.value is None:
            outer, self.trace = self.trace, StringTrace()
            lazy.is_forcing = True
            try:
                lazy.value = yield self._worked_out(lazy)
                lazy.trace = self.trace
            finally:
                lazy.is_forcing = False
                self.trace = outer
        if lazy.trace is not None:
            self.trace.again(lazy.trace)
        return (yield self.seen(lazy.value))

    def _worked_out(self, lazy: Lazy) -> Steps:
        at = Activation(lazy.scope, lazy.file, lazy.function, lazy.this, lazy.owner)
        return (yield self.or_typed((yield self.datum(lazy.code, at)), lazy.type, at))

    def or_typed(self, value: Value, type_name: str, at: Activation) -> Result:
        """The value, or, if nothing is known of it, something of its type."""
        return self._typed(value, type_name, at) if isinstance(value, Unknown) and type_name else value

    def _typed(self, value: Value, type_name: str, at: Activation) -> Steps:
        made = yield self.language.typed(type_name, at)
        return value if isinstance(made, Unknown) and value != UNKNOWN else made

    def rounds(self, over: Sequence[Value], at: Activation, line: int) -> Sequence[Value]:
        """As many items as a loop is followed over. The others count as used, and what is done with them is a gap."""
        if len(over) > MOST_ROUNDS:
            self.trace.misses(f"{at.file}:{line} goes on for more than {MOST_ROUNDS} rounds, and is followed no longer")
            for item in over[MOST_ROUNDS:]:
                self.trace.uses(item)
        return over[:MOST_ROUNDS]

    def closure(self, code: FunctionCode, at: Activation) -> Closure:
        return Closure(code, at.scope, at.this if code.is_arrow else UNKNOWN, at.owner)
