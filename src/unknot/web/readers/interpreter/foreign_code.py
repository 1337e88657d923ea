"""Code of other packages, which cannot be read. If it gets the browser and a text, it may type the text."""

import re
from collections.abc import Sequence

from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.values import UNKNOWN, Entries, Unknown, Value, options, texts_in

_LOOKING = re.compile(
    r"assert|expect|verif|should|snapshot|screenshot|^(?:step|attach|log|info|warn|debug|error|trace)$", re.I
)


def only_looks(name: str) -> bool:
    """Whether a function of another package only inspects a page, judging by its name: its arguments are not typed.

    >>> only_looks("percySnapshot"), only_looks("login")
    (True, False)
    """
    return _LOOKING.search(name) is not None


def unread_call(machine: Machine, called: str, arguments: Sequence[Value], at: Activation, line: int) -> Value:
    """What a function or class of another package gives that is called by this name."""
    if not any(_is_browser(argument) for argument in arguments):
        return UNKNOWN
    if _has_text(arguments) and not only_looks(called.rpartition(".")[2]):
        machine.trace.add_gap(f"{at.file}:{line} hands the browser to {called}, whose code is not in the project")
    return Unknown(maker=called)


def call_of_unread(
    machine: Machine, receiver: Unknown, name: str, arguments: Sequence[Value], at: Activation, line: int
) -> Value:
    """What a method of such an object gives: mostly itself, or another page."""
    if _has_text(arguments) and not only_looks(name):
        machine.trace.add_gap(f"{at.file}:{line} calls {name} of {receiver.maker}, whose code is not in the project")
    return receiver


def _is_browser(value: Value) -> bool:
    parts = (*options(value), *(value.entries.values() if isinstance(value, Entries) else ()))
    return any(isinstance(part, Unknown) and part.is_browser for part in parts)


def _has_text(arguments: Sequence[Value]) -> bool:
    return any(text.is_text for argument in arguments for text in texts_in(argument))
