"""Members and items of values, found in the project as far as they are known."""

from collections.abc import Iterator

from unknot.web.readers.interpreter.code import NOTHING, FunctionCode, MemberCode
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.values import (
    MOST_OPTIONS,
    UNKNOWN,
    Choice,
    Class,
    Closure,
    Entries,
    Instance,
    Items,
    Lazy,
    Native,
    Result,
    Text,
    Value,
    either,
    one_of_all,
    options,
)


def member_of(
    machine: Machine, receiver: Value, name: str, at: Activation, line: int, *, quiet: bool = False
) -> Result:
    """`quiet`: a text that is only handed on under another name does not count as used yet."""
    if isinstance(receiver, Choice):
        return one_of_all(
            machine.language.find_member(option, name, at, line, quiet=quiet) for option in receiver.options
        )
    return machine.language.find_member(receiver, name, at, line, quiet=quiet)


def item_of(machine: Machine, of: Value, key: Value | int, at: Activation, line: int) -> Result:
    """By number or by name; all of them if the key is not known."""
    if isinstance(key, int):
        key = Text(str(key), None, is_text=False, scalar=key)
    pairs = [(one, other) for one in options(of) for other in options(key)][:MOST_OPTIONS]
    if len(pairs) == 1:
        return machine.language.item(*pairs[0], at, line)
    return one_of_all(machine.language.item(one, other, at, line) for one, other in pairs)


def known_member(machine: Machine, receiver: Value, name: str) -> Result | None:
    """A field, a getter's value or a method of something of the project; None if it has no such member."""
    match receiver:
        case Entries(entries=entries) if name in entries:
            return entries[name]
        case Items(items=known) if name == "length" and known and UNKNOWN not in known:
            return Text(str(len(known)), None, is_text=False)
        case Native(members=members) if name in members:
            return members[name]
        case Instance(type=of, fields=fields):
            if name in fields:
                return fields[name]
            return _of_class(machine, of, name, receiver)
        case Class():
            return static_of(receiver, name)
    return None


def _of_class(machine: Machine, of: Class, name: str, receiver: Instance) -> Result | None:
    for holder in of.chain():
        for member in holder.code.members:
            if member.name != name or member.is_static or not isinstance(member.code, FunctionCode):
                continue
            method = Closure(member.code, holder.scope, receiver, holder)
            if member.kind == "getter":
                return machine.enter(method, receiver, [])
            if member.kind == "method":
                return method
    return static_of(of, name)


def static_of(of: Class, name: str) -> Value | None:
    """A constant, a static method or a class inside, of this class or of those it inherits from."""
    for holder in of.chain():
        start(holder)
        if name in holder.statics:
            return holder.statics[name]
        for member in holder.code.members:
            if member.name == name and member.is_static and isinstance(member.code, FunctionCode):
                method = Closure(member.code, holder.scope, holder, holder)
                return method if member.kind == "method" else UNKNOWN
    return None


def start(of: Class) -> None:
    """Makes the static fields of a class ready to be read, each when somebody does."""
    if of.is_started:
        return
    of.is_started = True
    for constant, made in of.code.constants:
        of.statics[constant] = Lazy(made, of.scope, of.code.file, of.name, of, of)
    for member in of.code.members:
        if member.kind == "field" and member.is_static:
            of.statics.setdefault(member.name, lazy_field(member, of, of))


def lazy_field(member: MemberCode, of: Class, this: Value) -> Lazy:
    return Lazy(member.code or NOTHING, of.scope, of.code.file, of.name, this, of, member.type)


def methods_named(of: Class, name: str, *, kind: str = "method") -> Iterator[tuple[Class, FunctionCode]]:
    """Of this class and of those it inherits from, the nearest first."""
    for holder in of.chain():
        for member in holder.code.members:
            is_meant = member.kind == kind and (member.name == name or kind == "constructor")
            if is_meant and isinstance(member.code, FunctionCode):
                yield holder, member.code
        if kind == "constructor":
            return


def numbered(of: Items, name: str | None) -> Value:
    if name is None:
        return either(of.items)
    place = int(name) if name.isascii() and name.isdigit() and len(name) < 9 else -1
    return of.items[place] if 0 <= place < len(of.items) else UNKNOWN
