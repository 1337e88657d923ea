"""What the machine needs to know of a language. The defaults are those of Java and JavaScript: names in blocks, objects
with members, and texts that count as used where they are written."""

# ruff: noqa: ARG002 - what a language does not have needs no arguments

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import ClassCode, FunctionCode
from unknot.web.readers.interpreter.expressions import put_together
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.objects import invoked, known_member, numbered, read_member
from unknot.web.readers.interpreter.statements import entries_of, put


class Language(ABC):
    """`reads_count`: a text counts as used at each place that reads it, and not at the place where it is written.
    `block_scopes`: names that a block declares are not known behind it. `has_this`: `this` and `super` are no names
    like others. `browser_names` are parameters that get the browser. `most_rounds` of a loop are followed."""

    reads_count: ClassVar[bool] = False
    block_scopes: ClassVar[bool] = True
    has_this: ClassVar[bool] = True
    browser_names: ClassVar[frozenset[str]] = v.words("page driver browser webDriver webdriver webPage")
    most_rounds: ClassVar[int] = 60
    nothing: ClassVar[v.Value] = v.UNKNOWN
    machine: Machine

    @abstractmethod
    def free_name(self, name: str, at: Activation) -> v.Value:
        """A name that no block around it has declared."""

    @abstractmethod
    def assign_free(self, name: str, value: v.Value, at: Activation) -> None:
        """The same, on the left of an assignment."""

    @abstractmethod
    def class_of(self, code: ClassCode, at: Activation) -> v.Value:
        """A class that is declared in the middle of other code, with its superclass found."""

    def function_of(self, code: FunctionCode, at: Activation) -> v.Value:
        """A function, where code defines it."""
        return self.machine.closure(code, at)

    def invoke(self, receiver: v.Value, name: str, arguments: v.CallArguments, at: Activation, line: int) -> v.Value:
        """`receiver.name(…)`, or `receiver(…)` if the name is empty."""
        return invoked(self.machine, receiver, name, arguments.positional, at, line)

    def member(self, receiver: v.Value, name: str, at: Activation, line: int, *, quiet: bool = False) -> v.Value:
        """`receiver.name` of one value. `quiet`: a text that is only handed on under another name does not count as
        used yet."""
        found = known_member(receiver, name)
        if found is None:
            return self.library_member(receiver, name, at, line)
        if isinstance(found, v.Text) and quiet:
            return found
        return read_member(self.machine, found)

    def item(self, of: v.Value, key: v.Value, at: Activation, line: int) -> v.Value:
        """`of[key]` of one value and one key."""
        name = key.text if isinstance(key, v.Text) else None
        if isinstance(of, v.Items):
            return self.machine.read(numbered(of, name))
        if name is not None:
            is_place = isinstance(key, v.Text) and isinstance(key.scalar, int)
            return self.member(of, name, at, line, quiet=is_place)
        return self.machine.read(v.either(of.entries.values())) if isinstance(of, v.Entries) else v.UNKNOWN

    def set_member(self, owner: v.Value, name: str, value: v.Value, at: Activation, line: int) -> None:
        """`owner.name = value`."""
        entries = entries_of(owner)
        if entries is not None:
            put(self.machine, entries, name, value, at.uncertain)

    def set_item(self, owner: v.Value, key: v.Value, value: v.Value, at: Activation) -> None:
        """`owner[key] = value`."""
        entries = entries_of(owner)
        if isinstance(owner, v.Items):
            self.machine.changes.save(owner.items)
            owner.items.append(value)
        elif entries is not None and isinstance(key, v.Text):
            put(self.machine, entries, key.text, value, at.uncertain)

    def elements(self, value: v.Value) -> tuple[list[v.Value], bool]:
        """The items of a collection, and whether these are all."""
        return self.loop_items(value, keys=False)

    def loop_items(self, value: v.Value, *, keys: bool) -> tuple[list[v.Value], bool]:
        """What a loop over the value gets, and whether that is all."""
        found = items_of(value, keys=keys)
        return (found, True) if found is not None else ([], False)

    def truth(self, value: v.Value) -> bool | None:
        """Whether a condition holds; None where it may or may not."""
        return v.truth(value)

    def compare(self, left: v.Value, operator: str, right: v.Value) -> bool | None:
        """Whether a comparison holds; None where it may or may not. Known only of texts: a number or truth value may
        be the state of something that other tests have changed."""
        if isinstance(left, v.Text) and isinstance(right, v.Text) and left.is_text and right.is_text:
            return (left.text == right.text) != operator.startswith("!")
        return None

    def join(self, parts: list[v.Value], at: Activation, line: int) -> v.Value:
        """A text that is put together of these."""
        return put_together(parts, at, line)

    def resolve(self, value: v.Value) -> v.Value:
        """A value that was found by its name, with imports followed."""
        return value

    def note_compared(self, operands: Sequence[v.Value], at: Activation, line: int) -> None:  # noqa: B027 - may do nothing
        """Values that a comparison reads."""

    def operate(self, left: v.Value, operator: str, right: v.Value) -> v.Value:
        """`left operator right`."""
        return v.UNKNOWN

    def typed(self, type_name: str, at: Activation) -> v.Value:
        """Something of this type, of which nothing else is known."""
        return v.UNKNOWN

    def own_call(self, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value:
        """A method called without an object before it."""
        return self.library_call(v.UNKNOWN, name, arguments, at, line)

    def library_call(
        self, receiver: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int
    ) -> v.Value:
        """A call of something that is not of the project; of a function if `name` is empty."""
        return v.UNKNOWN

    def library_new(self, of: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value:
        """A new object of a class that is not of the project: `of`, as far as that is known."""
        return v.UNKNOWN

    def library_member(self, receiver: v.Value, name: str, at: Activation, line: int) -> v.Value:
        """What is read of something that has no such member in the project."""
        return v.UNKNOWN


def items_of(value: v.Value, *, keys: bool = False) -> list[v.Value] | None:
    """What a loop goes over; None if that is not known."""
    match value:
        case v.Items(items=items):
            return items
        case v.Entries(entries=entries, origin=origin) if keys or origin == "set":
            return [v.Text(name) for name in entries] if keys else list(entries.values())
        case v.Choice():
            lists = [
                known for known in (items_of(option, keys=keys) for option in v.options(value)) if known is not None
            ]
            return [item for known in lists for item in known] if lists else None
    return None
