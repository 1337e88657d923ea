"""Calls that leave the project: what submits a text to a page, and library functions whose results are known."""

from unknot.web.readers.interpreter.calls import constructed, entered, handed_over
from unknot.web.readers.interpreter.expressions import put_together
from unknot.web.readers.interpreter.list_functions import list_method, map_method
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.submitted_files import with_base_names
from unknot.web.readers.interpreter.text_functions import text_method
from unknot.web.readers.interpreter.unread import call_of_unread, unread_call
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Builder,
    Class,
    Closure,
    Entries,
    Instance,
    Items,
    Native,
    Result,
    Steps,
    Text,
    Unknown,
    Value,
    functions_in,
    in_turn,
    words,
)
from unknot.web.readers.java.known_classes import static_call
from unknot.web.readers.java.unwritten import must_be_there, type_name, unwritten_method

SUBMITTING = words(
    "sendKeys selectByVisibleText selectByValue selectByIndex selectByContainsVisibleText setValue",
    "selectOption selectOptionByValue uploadFile uploadFromClasspath typeText fill pressSequentially",
    "setInputFiles",
)
_SELECTOR_FIRST = frozenset({"fill", "selectOption", "setInputFiles"})


def library_value(name: str) -> Value:
    """A class of a library, known by its name; other names say nothing."""
    return Native(name) if name[:1].isupper() else UNKNOWN


def library_call(
    machine: Machine,
    receiver: Value,
    name: str,
    arguments: list[Value],
    at: Activation,
    line: int,
    *,
    unread: str = "",
) -> Result:
    """`unread` is what to call the code that is called, if it is of a package of which nothing is known."""
    known = _known(machine, receiver, name, arguments, at, line)
    if known is not None:
        return known
    if isinstance(receiver, Instance | Class) and must_be_there(receiver, name):
        machine.trace.misses(f"{at.file}:{line} calls {name} of {type_name(receiver)}, which has no such method")
    if name in SUBMITTING:
        skipped = 1 if name in _SELECTOR_FIRST and len(arguments) > 1 and _is_text(arguments[1]) else 0
        for argument in with_base_names(name, arguments[skipped:]):
            machine.trace.submits(argument)
    made: Value = UNKNOWN
    if isinstance(receiver, Unknown) and receiver.maker:
        is_heard = name in SUBMITTING
        made = receiver if is_heard else call_of_unread(machine, receiver, name, arguments, at, line)
    elif unread:
        made = unread_call(machine, unread, arguments, at, line)
    return _elsewhere(machine, receiver, arguments, at, made)


def _known(
    machine: Machine, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int
) -> Result | None:
    """The result of a call whose meaning we know; None of any other."""
    made: Value | None = None
    match receiver:
        case Instance() | Class():
            return unwritten_method(machine, receiver, name, arguments, at)
        case Builder():
            return _building(receiver, name, arguments, at, line)
        case Items():
            return _pair(machine, receiver, name) or list_method(machine, receiver, name, arguments, at, line)
        case Entries():
            return map_method(machine, receiver, name, arguments, at, line)
        case Closure():
            # A functional interface, whatever it calls its one method.
            return entered(machine, receiver, receiver.this, arguments, at.uncertain)
        case Native() if name in ("generate", "iterate"):
            return in_turn(entered(machine, function, function.this, []) for function in functions_in(arguments))
        case Text():
            made = text_method(receiver, name, arguments, at.place(line))
        case Native(name=owner):
            made = static_call(owner, name, arguments, at, line)
        case Unknown() if name == "arguments":
            made = Items(list(arguments))
    return None if made is None else machine.seen(made)


def _is_text(value: Value) -> bool:
    return isinstance(value, Text | Items | Unknown)


def _elsewhere(machine: Machine, receiver: Value, arguments: list[Value], at: Activation, made: Value) -> Steps:
    """Code that we cannot see, which gives `made` as far as we know. It may use all that it is given; a class that it
    is given it makes an object of, as `PageFactory.initElements(driver, LoginPage.class)` does; a chain of calls stays
    with its object."""
    yield handed_over(machine, arguments)
    for argument in arguments:
        if isinstance(argument, Class) and argument.code.kind == "class":
            return (yield constructed(machine, argument, argument.name, [], at, 0))
    return receiver if isinstance(receiver, Instance) and not receiver.type.is_all_known else made


def _pair(machine: Machine, pair: Items, name: str) -> Result | None:
    """An entry of a map."""
    if name in ("getKey", "getValue") and len(pair.items) == 2:
        return machine.seen(pair.items[name == "getValue"])
    return None


def _building(builder: Builder, name: str, arguments: list[Value], at: Activation, line: int) -> Value:
    if name == "append" and arguments:
        builder.text = put_together([builder.text, arguments[0]], at, line)
    return builder.text if name == "toString" else builder
