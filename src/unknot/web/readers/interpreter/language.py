"""What the machine needs to know of a language. The defaults are those of Java and JavaScript: names in blocks, objects
with members, and texts that count as used where they are written."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from unknot.web.readers.interpreter import statements  # noqa: F401 - teaches the machine, as expressions do
from unknot.web.readers.interpreter.code import ClassCode, FunctionCode
from unknot.web.readers.interpreter.expressions import put_together
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.objects import invoked, known_member, numbered, read_member
from unknot.web.readers.interpreter.statements import entries_of, put
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    CallArguments,
    Choice,
    Entries,
    Items,
    Text,
    Value,
    either,
    options,
    truth,
    words,
)


class Language(ABC):
    """`reads_count`: a text counts as used at each place that reads it, and not at the place where it is written.
    `block_scopes`: names that a block declares are not known behind it. `has_this`: `this` and `super` are no names
    like others. `browser_names` are parameters that get the browser. `most_rounds` of a loop are followed."""

    reads_count: ClassVar[bool] = False
    block_scopes: ClassVar[bool] = True
    has_this: ClassVar[bool] = True
    browser_names: ClassVar[frozenset[str]] = words("page driver browser webDriver webdriver webPage")
    most_rounds: ClassVar[int] = 60
    nothing: ClassVar[Value] = UNKNOWN
    machine: Machine

    @abstractmethod
    def free_name(self, name: str, at: Activation) -> Value:
        """A name that no block around it has declared."""

    @abstractmethod
    def assign_free(self, name: str, value: Value, at: Activation) -> None:
        """The same, on the left of an assignment."""

    @abstractmethod
    def class_of(self, code: ClassCode, at: Activation) -> Value:
        """A class that is declared in the middle of other code, with its superclass found."""

    def function_of(self, code: FunctionCode, at: Activation) -> Value:
        """A function, where code defines it."""
        return self.machine.closure(code, at)

    def invoke(self, receiver: Value, name: str, arguments: CallArguments, at: Activation, line: int) -> Value:
        """`receiver.name(…)`, or `receiver(…)` if the name is empty."""
        return invoked(self.machine, receiver, name, arguments.positional, at, line)

    def member(self, receiver: Value, name: str, at: Activation, line: int, *, quiet: bool = False) -> Value:
        """`receiver.name` of one value. `quiet`: a text that is only handed on under another name does not count as
        used yet."""
        found = known_member(receiver, name)
        if found is None:
            return self.library_member(receiver, name, at, line)
        if isinstance(found, Text) and quiet:
            return found
        return read_member(self.machine, found)

    def item(self, of: Value, key: Value, at: Activation, line: int) -> Value:
        """`of[key]` of one value and one key."""
        name = key.text if isinstance(key, Text) else None
        if isinstance(of, Items):
            return self.machine.read(numbered(of, name))
        if name is not None:
            is_place = isinstance(key, Text) and isinstance(key.scalar, int)
            return self.member(of, name, at, line, quiet=is_place)
        return self.machine.read(either(of.entries.values())) if isinstance(of, Entries) else UNKNOWN

    def set_member(self, owner: Value, name: str, value: Value, at: Activation, line: int) -> None:  # noqa: ARG002
        """`owner.name = value`."""
        entries = entries_of(owner)
        if entries is not None:
            put(self.machine, entries, name, value, at.uncertain)

    def set_item(self, owner: Value, key: Value, value: Value, at: Activation) -> None:
        """`owner[key] = value`."""
        entries = entries_of(owner)
        if isinstance(owner, Items):
            self.machine.changes.save(owner.items)
            owner.items.append(value)
        elif entries is not None and isinstance(key, Text):
            put(self.machine, entries, key.text, value, at.uncertain)

    def elements(self, value: Value) -> tuple[list[Value], bool]:
        """The items of a collection, and whether these are all."""
        return self.loop_items(value, keys=False)

    def loop_items(self, value: Value, *, keys: bool) -> tuple[list[Value], bool]:
        """What a loop over the value gets, and whether that is all."""
        found = items_of(value, keys=keys)
        return (found, True) if found is not None else ([], False)

    def truth(self, value: Value) -> bool | None:
        """Whether a condition holds; None where it may or may not."""
        return truth(value)

    def compare(self, left: Value, operator: str, right: Value) -> bool | None:
        """Whether a comparison holds; None where it may or may not. Known only of texts: a number or truth value may
        be the state of something that other tests have changed."""
        if isinstance(left, Text) and isinstance(right, Text) and left.is_text and right.is_text:
            return (left.text == right.text) != operator.startswith("!")
        return None

    def join(self, parts: list[Value], at: Activation, line: int) -> Value:
        """A text that is put together of these."""
        return put_together(parts, at, line)

    def resolve(self, value: Value) -> Value:
        """A value that was found by its name, with imports followed."""
        return value

    def note_compared(self, operands: Sequence[Value], at: Activation, line: int) -> None:  # noqa: B027 - may do nothing
        """Values that a comparison reads."""

    def operate(self, left: Value, operator: str, right: Value) -> Value:  # noqa: ARG002 - for those that have operators
        """`left operator right`."""
        return UNKNOWN

    def typed(self, type_name: str, at: Activation) -> Value:  # noqa: ARG002 - for languages with types
        """Something of this type, of which nothing else is known."""
        return UNKNOWN

    def own_call(self, name: str, arguments: list[Value], at: Activation, line: int) -> Value:
        """A method called without an object before it."""
        return self.library_call(UNKNOWN, name, arguments, at, line)

    def library_call(self, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Value:  # noqa: ARG002
        """A call of something that is not of the project; of a function if `name` is empty."""
        return UNKNOWN

    def library_new(self, of: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Value:  # noqa: ARG002
        """A new object of a class that is not of the project: `of`, as far as that is known."""
        return UNKNOWN

    def library_member(self, receiver: Value, name: str, at: Activation, line: int) -> Value:  # noqa: ARG002
        """What is read of something that has no such member in the project."""
        return UNKNOWN


def items_of(value: Value, *, keys: bool = False) -> list[Value] | None:
    """What a loop goes over; None if that is not known."""
    match value:
        case Items(items=items):
            return items
        case Entries(entries=entries, origin=origin) if keys or origin == "set":
            return [Text(name) for name in entries] if keys else list(entries.values())
        case Choice():
            lists = [known for known in (items_of(option, keys=keys) for option in options(value)) if known is not None]
            return [item for known in lists for item in known] if lists else None
    return None
