"""Code of other packages, which cannot be read: where it gets the browser and a text, it may type the text."""

from collections.abc import Sequence

from unknot.web.readers.looking import only_looks
from unknot.web.readers.syntax.machine import Activation, Machine
from unknot.web.readers.syntax.unknowns import Browser, Outside
from unknot.web.readers.syntax.values import UNKNOWN, Entries, Value, options, texts_in


def unread_call(machine: Machine, called: str, arguments: Sequence[Value], at: Activation, line: int) -> Value:
    """What a function or class of another package gives that is called by this name."""
    if not any(_is_browser(argument) for argument in arguments):
        return UNKNOWN
    if _has_text(arguments) and not only_looks(called.rpartition(".")[2]):
        machine.said.misses(f"{at.file}:{line} hands the browser to {called}, whose code is not in the project")
    return Outside(called)


def call_of_unread(
    machine: Machine, receiver: Outside, name: str, arguments: Sequence[Value], at: Activation, line: int
) -> Value:
    """What a method of such an object gives: mostly itself, or another page."""
    if _has_text(arguments) and not only_looks(name):
        machine.said.misses(f"{at.file}:{line} calls {name} of {receiver.maker}, whose code is not in the project")
    return receiver


def _is_browser(value: Value) -> bool:
    parts = (*options(value), *(value.entries.values() if isinstance(value, Entries) else ()))
    return any(isinstance(part, Browser | Outside) for part in parts)


def _has_text(arguments: Sequence[Value]) -> bool:
    return any(text.is_text for argument in arguments for text in texts_in(argument))
