"""Objects of the project: their members and constructors, calls with the arguments bound, and what libraries get."""

from collections.abc import Iterator, Sequence

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import NOTHING, FunctionCode, MemberCode
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.statements import bound


def known_member(receiver: v.Value, name: str) -> v.Value | None:
    """A field, a getter or a method of something of the project; None if it has no such member."""
    match receiver:
        case v.Entries(entries=entries) if name in entries:
            return entries[name]
        case v.Items(items=known) if name == "length" and known and v.UNKNOWN not in known:
            return v.Text(str(len(known)), None, is_text=False)
        case v.LibraryValue(members=members) if name in members:
            return members[name]
        case v.ProjectObject(type=of, fields=fields):
            if name in fields:
                return fields[name]
            return _of_class(of, name, receiver)
        case v.ProjectClass():
            return static_of(receiver, name)
    return None


def read_member(machine: Machine, found: v.Value) -> v.Value:
    """What reading it gives: the value of a getter, and of anything else itself."""
    if isinstance(found, v.Closure) and found.is_getter:
        return entered(machine, found, found.this, [])
    return machine.read(found)


def _of_class(of: v.ProjectClass, name: str, receiver: v.ProjectObject) -> v.Value | None:
    for holder in of.chain():
        for member in holder.code.members:
            if member.name != name or member.is_static or not isinstance(member.code, FunctionCode):
                continue
            if member.kind in ("getter", "method"):
                return v.Closure(member.code, holder.scope, receiver, holder, member.kind == "getter")
    return static_of(of, name)


def static_of(of: v.ProjectClass, name: str) -> v.Value | None:
    """A constant, a static method or a class inside, of this class or of those it inherits from."""
    for holder in of.chain():
        start(holder)
        if name in holder.statics:
            return holder.statics[name]
        for member in holder.code.members:
            if member.name == name and member.is_static and isinstance(member.code, FunctionCode):
                return bound_method(holder, member.code, holder) if member.kind == "method" else v.UNKNOWN
    return None


def start(of: v.ProjectClass) -> None:
    """Makes the static fields of a class ready to be evaluated when they are read."""
    if of.is_started:
        return
    of.is_started = True
    for constant, made in of.code.constants:
        of.statics[constant] = v.LazyValue(made, of.scope, of.code.file, of.name, of, of)
    for member in of.code.members:
        if member.kind == "field" and member.is_static:
            of.statics.setdefault(member.name, lazy_field(member, of, of))


def lazy_field(member: MemberCode, of: v.ProjectClass, this: v.Value) -> v.LazyValue:
    return v.LazyValue(member.code or NOTHING, of.scope, of.code.file, of.name, this, of, member.type)


def methods_named(
    of: v.ProjectClass, name: str, *, kind: str = "method"
) -> Iterator[tuple[v.ProjectClass, FunctionCode]]:
    """Of this class and of those it inherits from, the nearest first."""
    for holder in of.chain():
        for member in holder.code.members:
            is_meant = member.kind == kind and (member.name == name or kind == "constructor")
            if is_meant and isinstance(member.code, FunctionCode):
                yield holder, member.code
        if kind == "constructor":
            return


def numbered(of: v.Items, name: str | None) -> v.Value:
    if name is None:
        return v.either(of.items)
    place = int(name) if name.isascii() and name.isdigit() and len(name) < 9 else -1
    return of.items[place] if 0 <= place < len(of.items) else v.UNKNOWN


DEEPEST = 60
UNNAMED = "<anonymous>"
SAME_FUNCTION = 2
"""How often a function is followed inside itself: once more shows the texts of the second round."""


def arguments_of(machine: Machine, code: c.Call | c.New, at: Activation, *, kept: bool = False) -> v.CallArguments:
    """The arguments of a call. `kept`: they are for an object of the project, which keeps them until they are read."""
    given = v.CallArguments(place=at.place(code.line), uncertain=at.uncertain)
    for argument in code.arguments:
        if isinstance(argument, c.Spread) and argument.is_open:
            found, is_whole = machine.language.elements(machine.value(argument.of, at))
            given.positional.extend(found)
            given.is_open |= not is_whole
            continue
        value = machine.stored(argument, at) if kept else machine.value(argument, at)
        is_spread = isinstance(argument, c.Spread) and isinstance(value, v.Items)
        given.positional.extend(v.items(value) if is_spread else [value])
    for name, argument in code.keywords if isinstance(code, c.Call) else ():
        value = machine.value(argument, at)
        if name is not None:
            given.keywords[name] = value
            continue
        for option in v.options(value):
            entries = option.entries if isinstance(option, v.Entries) else {}
            given.keywords |= {key: each for key, each in entries.items() if isinstance(key, str)}
            given.is_open |= not isinstance(option, v.Entries) or option.rest is not None
    return given


def invoked(
    machine: Machine, receiver: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int
) -> v.Value:
    """`receiver.name(…)`, or `receiver(…)` if the name is empty."""
    if isinstance(receiver, v.Choice):
        return v.either([invoked(machine, option, name, arguments, at, line) for option in receiver.options])
    if not name:
        return _applied(machine, receiver, receiver, "", arguments, at, line)
    if isinstance(receiver, v.ProjectObject | v.ProjectClass):
        of = receiver if isinstance(receiver, v.ProjectClass) else receiver.type
        method = method_call(machine, of, name, receiver, arguments, at.uncertain)
        if method is not None:
            return method
    found = known_member(receiver, name)
    if found is None:
        return machine.language.library_call(receiver, name, arguments, at, line)
    return _applied(machine, read_member(machine, found), receiver, name, arguments, at, line)


def _applied(
    machine: Machine,
    function: v.Value,
    receiver: v.Value,
    name: str,
    arguments: list[v.Value],
    at: Activation,
    line: int,
) -> v.Value:
    match function:
        case v.Closure():
            is_bound = function.code.is_arrow or not isinstance(function.this, v.Unknown)
            this = function.this if is_bound else receiver
            return entered(machine, function, this, arguments, at.uncertain)
        case v.LibraryValue(act=act) if act is not None:
            return act(arguments)
        case v.Choice():
            return v.either(
                [_applied(machine, option, receiver, name, arguments, at, line) for option in function.options]
            )
    return machine.language.library_call(receiver if name else function, name, arguments, at, line)


def method_call(
    machine: Machine, of: v.ProjectClass, name: str, this: v.Value, arguments: list[v.Value], uncertain: int = 0
) -> v.Value | None:
    """The result of a method that the class has or inherits; None if there is no such method."""
    method = chosen(list(methods_named(of, name)), len(arguments))
    return None if method is None else entered(machine, bound_method(*method, this), this, arguments, uncertain)


def bound_method(holder: v.ProjectClass, code: FunctionCode, this: v.Value) -> v.Closure:
    return v.Closure(code, holder.scope, this, holder)


def chosen(
    methods: Sequence[tuple[v.ProjectClass, c.FunctionCode]], count: int
) -> tuple[v.ProjectClass, c.FunctionCode] | None:
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


def entered(
    machine: Machine, closure: v.Closure, this: v.Value, arguments: Sequence[v.Value], uncertain: int = 0
) -> v.Value:
    """The result of a function of the project. One that is deep inside itself already is not followed again."""
    code = closure.code
    if len(machine.calls) >= DEEPEST or machine.calls.count(code) >= SAME_FUNCTION:
        return v.UNKNOWN
    if code.damage is not None:
        machine.trace.add_gap(f"{code.file}:{code.damage} does not parse")
    at = Activation(v.NameScope({}, closure.scope), code.file, code.name or UNNAMED, this, closure.owner, uncertain)
    machine.calls.append(code)
    machine.functions_entered += 1
    try:
        _parameters(machine, code, arguments, at)
        machine.value(code.body, at)
    finally:
        machine.calls.pop()
    return machine.or_typed(v.either(at.returned), code.type, at)


def _parameters(machine: Machine, code: c.FunctionCode, arguments: Sequence[v.Value], at: Activation) -> None:
    last = len(code.parameters) - 1
    for place, parameter in enumerate(code.parameters):
        takes_rest = isinstance(parameter, c.Spread) or (code.is_variadic and place == last)
        if takes_rest:
            rest = list(arguments[place:])
            is_list_given = code.is_variadic and len(rest) == 1 and isinstance(rest[0], v.Items)
            value: v.Value = rest[0] if is_list_given else v.Items(rest)
        else:
            value = arguments[place] if place < len(arguments) else v.UNKNOWN
        if place < len(code.types):
            value = machine.or_typed(value, code.types[place], at)
        bound(machine, parameter, value, at)


def constructed(
    machine: Machine, of: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int
) -> v.Value:
    if isinstance(of, v.LibraryValue) and of.act is not None:
        return of.act(arguments)
    if not isinstance(of, v.ProjectClass):
        return machine.language.library_new(of, name, arguments, at, line)
    instance = v.ProjectObject(of, outer=at.this)
    for holder in reversed(list(of.chain())):
        for member in holder.code.members:
            if member.kind == "field" and not member.is_static:
                instance.fields[member.name] = lazy_field(member, holder, instance)
    _started(machine, of, instance)
    constructor_call(machine, of, instance, arguments)
    return instance


def _started(machine: Machine, of: v.ProjectClass, instance: v.ProjectObject) -> None:
    """Runs the blocks that a class has beside its constructors."""
    for holder in reversed(list(of.chain())):
        at = Activation(holder.scope, holder.code.file, holder.name, instance, holder)
        for member in holder.code.members:
            if member.kind == "start" and member.code is not None:
                machine.value(member.code, at)


def constructor_call(machine: Machine, of: v.ProjectClass, this: v.Value, arguments: list[v.Value]) -> v.Value:
    """Runs the constructor of a class on an object. A class without one hands its arguments up."""
    for holder in of.chain():
        constructors = list(methods_named(holder, "", kind="constructor"))
        if holder.code.kind == "record":
            # Beside those that are written, a record has the one that takes every field.
            constructors = [one for one in constructors if len(one[1].parameters) == len(arguments)]
            if not constructors and isinstance(this, v.ProjectObject):
                fields = [member.name for member in holder.code.members if member.kind == "field"]
                this.fields.update(zip(fields, arguments, strict=False))
        method = chosen(constructors, len(arguments))
        if method is None:
            continue
        if not _calls_superclass(method[1]) and isinstance(holder.superclass, v.ProjectClass):
            constructor_call(machine, holder.superclass, this, [])
        entered(machine, bound_method(*method, this), this, arguments)
        break
    return v.UNKNOWN


def _calls_superclass(code: c.FunctionCode) -> bool:
    steps = code.body.steps[:3] if isinstance(code.body, c.CodeBlock) else ()
    calls = [step.callee for step in steps if isinstance(step, c.Call)]
    return any(isinstance(callee, c.Name) and callee.name in ("super", "this") for callee in calls)


def superclass_call(machine: Machine, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value:
    """`super.name(…)`, or `super(…)` if the name is empty."""
    above = at.owner.superclass if at.owner is not None else None
    if isinstance(above, v.ProjectClass):
        if not name:
            return constructor_call(machine, above, at.this, arguments)
        method = method_call(machine, above, name, at.this, arguments)
        if method is not None:
            return method
    return machine.language.library_call(v.UNKNOWN, name, arguments, at, line)


def pass_to_library(machine: Machine, arguments: Sequence[v.Value]) -> None:
    """Arguments of an unknown library: it may use every text, and call every function."""
    for argument in arguments:
        machine.trace.uses(argument)
    for function in v.functions_in(arguments):
        entered(machine, function, function.this, [])
    for argument in arguments:
        if isinstance(argument, v.ProjectObject) and argument.type.name == "":
            _every_method(machine, argument)


def _every_method(machine: Machine, instance: v.ProjectObject) -> None:
    """Of an anonymous class, made to be called by a library."""
    for member in instance.type.code.members:
        if member.kind == "method" and isinstance(member.code, c.FunctionCode):
            entered(machine, bound_method(instance.type, member.code, instance), instance, [])
