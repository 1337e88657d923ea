"""What Java and JavaScript have in common beside their syntax: names in blocks, objects with members, and texts that
count as used where they are written."""

from abc import abstractmethod
from typing import ClassVar

from unknot.web.readers.interpreter import expressions, lowering, statements  # noqa: F401 - they teach the machine
from unknot.web.readers.interpreter.binding import entries_of, put
from unknot.web.readers.interpreter.code import FunctionCode
from unknot.web.readers.interpreter.expressions import put_together
from unknot.web.readers.interpreter.machine import Activation, Language
from unknot.web.readers.interpreter.objects import invoked, known_member, numbered
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    CallArguments,
    Choice,
    Entries,
    Items,
    Result,
    Text,
    Value,
    either,
    options,
    truth,
    words,
)


class BlockLanguage(Language):
    """Languages with a grammar of tree-sitter build on this."""

    reads_count: ClassVar[bool] = False
    block_scopes: ClassVar[bool] = True
    has_this: ClassVar[bool] = True
    browser_names: ClassVar[frozenset[str]] = words("page driver browser webDriver webdriver webPage")
    most_rounds: ClassVar[int] = 60

    @abstractmethod
    def library_member(self, receiver: Value, name: str, at: Activation, line: int) -> Result:
        """What is read of something that has no such member in the project."""

    def invoke(self, receiver: Value, name: str, arguments: CallArguments, at: Activation, line: int) -> Result:
        return invoked(self.machine, receiver, name, arguments.positional, at, line)

    def member(self, receiver: Value, name: str, at: Activation, line: int, *, quiet: bool = False) -> Result:
        found = known_member(self.machine, receiver, name)
        if found is None:
            return self.library_member(receiver, name, at, line)
        if isinstance(found, Text) and quiet:
            return found
        return self.machine.read(found) if isinstance(found, Value) else found

    def item(self, of: Value, key: Value, at: Activation, line: int) -> Result:
        name = key.text if isinstance(key, Text) else None
        if isinstance(of, Items):
            return self.machine.read(numbered(of, name))
        if name is not None:
            is_place = isinstance(key, Text) and isinstance(key.scalar, int)
            return self.member(of, name, at, line, quiet=is_place)
        return self.machine.read(either(of.entries.values())) if isinstance(of, Entries) else UNKNOWN

    def set_member(self, owner: Value, name: str, value: Value, at: Activation, line: int) -> None:  # noqa: ARG002
        entries = entries_of(owner)
        if entries is not None:
            put(self.machine, entries, name, value, at.uncertain)

    def set_item(self, owner: Value, key: Value, value: Value, at: Activation) -> None:
        entries = entries_of(owner)
        if isinstance(owner, Items):
            self.machine.changes.save(owner.items)
            owner.items.append(value)
        elif entries is not None and isinstance(key, Text):
            put(self.machine, entries, key.text, value, at.uncertain)

    def elements(self, value: Value) -> tuple[list[Value], bool]:
        return self.loop_items(value, keys=False)

    def loop_items(self, value: Value, *, keys: bool) -> tuple[list[Value], bool]:
        found = items_of(value, keys=keys)
        return (found, True) if found is not None else ([], False)

    def truth(self, value: Value) -> bool | None:
        return truth(value)

    def compare(self, left: Value, operator: str, right: Value) -> bool | None:
        """Known only of texts: a number or truth value may be the state of something that other tests have changed."""
        if isinstance(left, Text) and isinstance(right, Text) and left.is_text and right.is_text:
            return (left.text == right.text) != operator.startswith("!")
        return None

    def join(self, parts: list[Value], at: Activation, line: int) -> Value:
        return put_together(parts, at, line)

    def function_of(self, code: FunctionCode, at: Activation) -> Value:
        return self.machine.closure(code, at)


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
