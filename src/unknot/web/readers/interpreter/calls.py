"""Calls into the project, with the arguments bound; constructors; and what is handed to libraries."""

from collections.abc import Sequence

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.binding import bound
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.members import known_member, lazy_field, methods_named
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Arguments,
    Choice,
    Class,
    Closure,
    Entries,
    Instance,
    Items,
    Native,
    Result,
    Scope,
    Steps,
    Unknown,
    Value,
    either,
    functions_in,
    items,
    one_of_all,
    options,
)

DEEPEST = 60
UNNAMED = "<anonymous>"
SAME_FUNCTION = 2
"""So often a function is followed inside itself: once more shows what the second round says."""


def arguments_of(machine: Machine, code: c.Call | c.New, at: Activation, *, kept: bool = False) -> Steps:
    """The arguments of a call. `kept`: they are for an object of the project, which keeps them until they are read."""
    given = Arguments(place=at.place(code.line), uncertain=at.uncertain)
    for argument in code.arguments:
        if isinstance(argument, c.Spread) and argument.is_open:
            found, is_whole = machine.language.elements((yield machine.value(argument.of, at)))
            given.positional.extend(found)
            given.is_open |= not is_whole
            continue
        value = yield machine.datum(argument, at) if kept else machine.value(argument, at)
        is_spread = isinstance(argument, c.Spread) and isinstance(value, Items)
        given.positional.extend(items(value) if is_spread else [value])
    for name, argument in code.keywords if isinstance(code, c.Call) else ():
        value = yield machine.value(argument, at)
        if name is not None:
            given.keywords[name] = value
            continue
        for option in options(value):
            entries = option.entries if isinstance(option, Entries) else {}
            given.keywords |= {key: each for key, each in entries.items() if isinstance(key, str)}
            given.is_open |= not isinstance(option, Entries) or option.rest is not None
    return given


def list_of_arguments(given: Value) -> list[Value]:
    return given.positional if isinstance(given, Arguments) else items(given)


def invoked(machine: Machine, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Result:
    """`receiver.name(…)`, or `receiver(…)` if the name is empty."""
    if isinstance(receiver, Choice):
        return one_of_all(invoked(machine, option, name, arguments, at, line) for option in receiver.options)
    if not name:
        return _applied(machine, receiver, receiver, "", arguments, at, line)
    if isinstance(receiver, Instance | Class):
        of = receiver if isinstance(receiver, Class) else receiver.type
        method = chosen(list(methods_named(of, name)), len(arguments))
        if method is not None:
            holder, code = method
            return entered(machine, Closure(code, holder.scope, receiver, holder), receiver, arguments, at.uncertain)
    found = known_member(machine, receiver, name)
    if found is None:
        return machine.language.library_call(receiver, name, arguments, at, line)
    return _applied_later(machine, found, receiver, name, arguments, at, line)


def _applied_later(
    machine: Machine, found: Result, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int
) -> Steps:
    value = (yield machine.seen(found)) if isinstance(found, Value) else (yield found)
    return (yield _applied(machine, value, receiver, name, arguments, at, line))


def _applied(
    machine: Machine, function: Value, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int
) -> Result:
    match function:
        case Closure():
            is_bound = function.code.is_arrow or not isinstance(function.this, Unknown)
            this = function.this if is_bound else receiver
            return entered(machine, function, this, arguments, at.uncertain)
        case Native(act=act) if act is not None:
            return act(arguments)
        case Choice():
            return one_of_all(
                _applied(machine, option, receiver, name, arguments, at, line) for option in function.options
            )
    return machine.language.library_call(receiver if name else function, name, arguments, at, line)


def chosen(methods: Sequence[tuple[Class, c.FunctionCode]], count: int) -> tuple[Class, c.FunctionCode] | None:
    """The nearest method that takes so many arguments; else the nearest with a body."""
    for holder, code in methods:
        if len(code.parameters) == count and not code.is_variadic and not isinstance(code.body, c.Nothing):
            return holder, code
    for holder, code in methods:
        if code.is_variadic and count >= len(code.parameters) - 1:
            return holder, code
    for holder, code in methods:
        if not isinstance(code.body, c.Nothing):
            return holder, code
    return None


def entered(machine: Machine, closure: Closure, this: Value, arguments: Sequence[Value], uncertain: int = 0) -> Steps:
    """The result of a function of the project. One that is deep inside itself already is not followed again."""
    code = closure.code
    if len(machine.calls) >= DEEPEST or machine.calls.count(code) >= SAME_FUNCTION:
        return UNKNOWN
    if code.damage is not None:
        machine.trace.misses(f"{code.file}:{code.damage} does not parse")
    at = Activation(Scope({}, closure.scope), code.file, code.name or UNNAMED, this, closure.owner, uncertain)
    machine.calls.append(code)
    machine.functions_entered += 1
    try:
        yield _parameters(machine, code, arguments, at)
        yield machine.value(code.body, at)
    finally:
        machine.calls.pop()
    return (yield machine.or_typed(either(at.returned), code.type, at))


def _parameters(machine: Machine, code: c.FunctionCode, arguments: Sequence[Value], at: Activation) -> Steps:
    last = len(code.parameters) - 1
    for place, parameter in enumerate(code.parameters):
        takes_rest = isinstance(parameter, c.Spread) or (code.is_variadic and place == last)
        if takes_rest:
            rest = list(arguments[place:])
            is_list_given = code.is_variadic and len(rest) == 1 and isinstance(rest[0], Items)
            value: Value = rest[0] if is_list_given else Items(rest)
        else:
            value = arguments[place] if place < len(arguments) else UNKNOWN
        if place < len(code.types):
            value = yield machine.or_typed(value, code.types[place], at)
        yield bound(machine, parameter, value, at)
    return UNKNOWN


def constructed(machine: Machine, of: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Steps:
    if isinstance(of, Native) and of.act is not None:
        return (yield of.act(arguments))
    if not isinstance(of, Class):
        return (yield machine.language.library_new(of, name, arguments, at, line))
    instance = Instance(of, outer=at.this)
    for holder in reversed(list(of.chain())):
        for member in holder.code.members:
            if member.kind == "field" and not member.is_static:
                instance.fields[member.name] = lazy_field(member, holder, instance)
    yield _started(machine, of, instance)
    yield constructor_call(machine, of, instance, arguments, line)
    return instance


def _started(machine: Machine, of: Class, instance: Instance) -> Steps:
    """Runs the blocks that a class has beside its constructors."""
    for holder in reversed(list(of.chain())):
        at = Activation(holder.scope, holder.code.file, holder.name, instance, holder)
        for member in holder.code.members:
            if member.kind == "start" and member.code is not None:
                yield machine.value(member.code, at)
    return UNKNOWN


def constructor_call(machine: Machine, of: Class, this: Value, arguments: list[Value], line: int) -> Steps:
    """Runs the constructor of a class on an object. A class without one hands its arguments up."""
    for holder in of.chain():
        constructors = list(methods_named(holder, "", kind="constructor"))
        if holder.code.kind == "record":
            # Beside those that are written, a record has the one that takes every field.
            constructors = [one for one in constructors if len(one[1].parameters) == len(arguments)]
            if not constructors and isinstance(this, Instance):
                fields = [member.name for member in holder.code.members if member.kind == "field"]
                this.fields.update(zip(fields, arguments, strict=False))
        method = chosen(constructors, len(arguments))
        if method is None:
            continue
        if not _calls_superclass(method[1]) and isinstance(holder.superclass, Class):
            yield constructor_call(machine, holder.superclass, this, [], line)
        yield entered(machine, Closure(method[1], holder.scope, this, holder), this, arguments)
        break
    return UNKNOWN


def _calls_superclass(code: c.FunctionCode) -> bool:
    steps = code.body.steps[:3] if isinstance(code.body, c.Block) else ()
    calls = [step.callee for step in steps if isinstance(step, c.Call)]
    return any(isinstance(callee, c.Name) and callee.name in ("super", "this") for callee in calls)


def superclass_call(machine: Machine, name: str, arguments: list[Value], at: Activation, line: int) -> Result:
    """`super.name(…)`, or `super(…)` if the name is empty."""
    above = at.owner.superclass if at.owner is not None else None
    if isinstance(above, Class):
        if not name:
            return constructor_call(machine, above, at.this, arguments, line)
        method = chosen(list(methods_named(above, name)), len(arguments))
        if method is not None:
            return entered(machine, Closure(method[1], method[0].scope, at.this, method[0]), at.this, arguments)
    return machine.language.library_call(UNKNOWN, name, arguments, at, line)


def handed_over(machine: Machine, arguments: Sequence[Value]) -> Steps:
    """What a library that we do not know gets: it may use every text, and call every function."""
    for argument in arguments:
        machine.trace.uses(argument)
    for function in functions_in(arguments):
        yield entered(machine, function, function.this, [])
    for argument in arguments:
        if isinstance(argument, Instance) and argument.type.name == "":
            yield _every_method(machine, argument)
    return UNKNOWN


def _every_method(machine: Machine, instance: Instance) -> Steps:
    """Of an anonymous class, made to be called by a library."""
    for member in instance.type.code.members:
        if member.kind == "method" and isinstance(member.code, c.FunctionCode):
            yield entered(machine, Closure(member.code, instance.type.scope, instance, instance.type), instance, [])
    return UNKNOWN


Machine.enter = entered
