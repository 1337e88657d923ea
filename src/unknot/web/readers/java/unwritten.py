"""Methods that a class of the project has without writing them: of enums, of records, of `Class`, and those that Lombok
makes."""

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.calls import constructed
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.members import start
from unknot.web.readers.interpreter.values import UNKNOWN, Class, Instance, Items, Lazy, Result, Text, Value, words

_OF_OBJECTS = words(
    "toString equals hashCode getClass wait notify notifyAll name ordinal compareTo values valueOf length",
    "clone builder toBuilder build getSimpleName getName getResource getResourceAsStream getClassLoader isInstance",
    "cast getPackage getDeclaredFields getDeclaredMethods getEnumConstants",
)


def unwritten_method(
    machine: Machine, receiver: Instance | Class, name: str, arguments: list[Value], at: Activation
) -> Result | None:
    """Its result; None if there is no such method."""
    if isinstance(receiver, Class):
        if receiver.code.kind == "enum":
            start(receiver)
            if name == "values":
                return Items([receiver.statics[constant] for constant, _ in receiver.code.constants])
            if name == "valueOf" and arguments and isinstance(arguments[0], Text):
                return machine.seen(receiver.statics.get(arguments[0].text, UNKNOWN))
        if name in ("getDeclaredConstructor", "getConstructor"):
            return receiver
        if name == "newInstance":
            return constructed(machine, receiver, receiver.name, arguments, at, 0)
        return Instance(receiver) if name == "builder" and not arguments else None
    if receiver.type.code.kind == "enum" and name in ("name", "toString"):
        return machine.seen(_constant_name(receiver))
    if name in ("build", "toBuilder") and not arguments:
        return receiver
    field = next((one for one in _field_names(name) if one in receiver.fields), None)
    if field is not None and not arguments:
        return machine.seen(receiver.fields[field])
    own_fields = {member.name for holder in receiver.type.chain() for member in holder.code.members}
    field = next((one for one in _field_names(name) if one in own_fields), None)
    if field is not None and len(arguments) == 1:
        receiver.fields[field] = arguments[0]
        return receiver
    return None


def _constant_name(constant: Instance) -> Value:
    of = constant.type
    for name, made in of.code.constants:
        known = of.statics.get(name)
        if known is constant or (isinstance(known, Lazy) and known.value is constant):
            return Text(name, Frame(of.code.file, made.line, of.name))
    return UNKNOWN


def _field_names(method: str) -> list[str]:
    for prefix in ("get", "is", "set", "with"):
        rest = method.removeprefix(prefix)
        if rest != method and rest[:1].isupper():
            return [rest[0].lower() + rest[1:], method]
    return [method]


def must_be_there(receiver: Instance | Class, name: str) -> bool:
    of = receiver if isinstance(receiver, Class) else receiver.type
    has_generated = any(one.code.annotations for one in of.chain())
    is_declared = any(member.name == name for one in of.chain() for member in one.code.members)
    return of.is_all_known and bool(of.name) and not has_generated and name not in _OF_OBJECTS and not is_declared


def type_name(receiver: Instance | Class) -> str:
    return receiver.name if isinstance(receiver, Class) else receiver.type.name
