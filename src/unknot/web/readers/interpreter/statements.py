"""Statements: blocks, branches, loops, and where a function ends."""

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.binding import bound
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Choice,
    Entries,
    Items,
    Lazy,
    Steps,
    Text,
    Value,
    options,
    truth,
)


class Stopped(Value):
    """What a statement gives after which nothing of its block runs."""

    __slots__ = ()


STOPPED = Stopped()


def block(machine: Machine, code: c.Block, at: Activation) -> Steps:
    inner = at.inner() if code.has_scope else at
    for step in code.steps:
        # Functions are known in the whole block, also above the place where they are written.
        if isinstance(step, c.FunctionCode) and step.name:
            inner.scope.names[step.name] = machine.closure(step, inner)
        elif isinstance(step, c.ClassCode) and step.name:
            inner.scope.names[step.name] = Lazy(step, inner.scope, at.file, at.function, at.this, at.owner)
    for step in code.steps:
        if isinstance(step, c.FunctionCode | c.ClassCode):
            continue
        if isinstance((yield machine.value(step, inner)), Stopped):
            return STOPPED
    return UNKNOWN


def declare(machine: Machine, code: c.Declare, at: Activation) -> Steps:
    value: Value = UNKNOWN
    if machine.postpones and isinstance(code.target, c.Name) and code.value is not None:
        at.scope.names[code.target.name] = Lazy(
            code.value, at.scope, at.file, at.function, at.this, at.owner, code.type
        )
        return UNKNOWN
    if code.value is not None:
        value = yield machine.datum(code.value, at)
    value = yield machine.or_typed(value, code.type, at)
    yield bound(machine, code.target, value, at)
    return UNKNOWN


def branch(machine: Machine, code: c.Branch, at: Activation) -> Steps:
    condition = yield machine.value(code.condition, at)
    holds = truth(condition) if code.is_choice else None
    if holds is not None:
        taken = code.arms[:1] if holds else code.arms[1:]
        return (yield machine.value(taken[0], at.inner())) if taken else UNKNOWN
    ends = []
    for arm in code.arms:
        inner = at.inner()
        inner.uncertain += 1
        ends.append(isinstance((yield machine.value(arm, inner)), Stopped))
    return STOPPED if code.covers_all and ends and all(ends) else UNKNOWN


def loop(machine: Machine, code: c.Loop, at: Activation) -> Steps:
    over: Value = UNKNOWN
    if code.over is not None:
        over = yield machine.value(code.over, at)
    rounds = items_of(over, keys=code.keys)
    for item in [UNKNOWN] if rounds is None else machine.rounds(rounds, at, code.line):
        inner = at.inner()
        inner.uncertain += rounds is None
        if code.target is not None:
            known = (yield machine.forced(item)) if isinstance(item, Lazy) else item
            yield bound(machine, code.target, known, inner)
        yield machine.value(code.body, inner)
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


def returns(machine: Machine, code: c.Return, at: Activation) -> Steps:
    at.returned.append(UNKNOWN if code.value is None else (yield machine.datum(code.value, at)))
    return STOPPED


def leave(machine: Machine, code: c.Leave, at: Activation) -> Steps:
    if code.value is not None:
        yield machine.value(code.value, at)
    return STOPPED


Machine.evaluators.update(
    {
        c.Block: block,
        c.Declare: declare,
        c.Branch: branch,
        c.Loop: loop,
        c.Return: returns,
        c.Leave: leave,
    }
)
