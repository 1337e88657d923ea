"""Statements: blocks, branches, loops, and where a function ends."""

import re
from itertools import islice

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.binding import bound
from unknot.web.readers.interpreter.machine import Activation, Machine, arms_scope, forget, merged
from unknot.web.readers.interpreter.values import UNKNOWN, LazyValue, Text, UncountedRound, Value

_WHOLE = re.compile(r"-?\d{1,9}", re.ASCII)


class Stopped(Value):
    """The result of a statement that ends its block."""

    __slots__ = ()


STOPPED = Stopped()


def block(machine: Machine, code: c.CodeBlock, at: Activation) -> Value:
    inner = at.inner() if code.has_scope else at
    for step in code.steps:
        # Functions are known in the whole block, also above the place where they are written.
        if isinstance(step, c.FunctionCode) and step.name:
            inner.scope.names[step.name] = machine.closure(step, inner)
        elif isinstance(step, c.ClassCode) and step.name:
            inner.scope.names[step.name] = LazyValue(step, inner.scope, at.file, at.function, at.this, at.owner)
    for step in code.steps:
        if isinstance(step, c.FunctionCode | c.ClassCode):
            continue
        if isinstance(machine.value(step, inner), Stopped):
            return STOPPED
    return UNKNOWN


def declare(machine: Machine, code: c.Declare, at: Activation) -> Value:
    value: Value = UNKNOWN
    if machine.postpones and isinstance(code.target, c.Name) and code.value is not None:
        at.scope.names[code.target.name] = LazyValue(
            code.value, at.scope, at.file, at.function, at.this, at.owner, code.type
        )
        return UNKNOWN
    if code.value is not None:
        value = machine.stored(code.value, at)
    value = machine.or_typed(value, code.type, at)
    bound(machine, code.target, value, at)
    return value


def outer_names(machine: Machine, code: c.OuterNames, at: Activation) -> Value:  # noqa: ARG001 - an evaluator
    at.outer_names.update(code.names)
    return UNKNOWN


def branch(machine: Machine, code: c.Branch, at: Activation) -> Value:
    """After it, names may be what each arm that goes on has made of them."""
    condition = machine.value(code.condition, at)
    holds = machine.language.truth(condition) if code.is_choice else None
    if holds is not None:
        taken = code.arms[:1] if holds else code.arms[1:]
        inner = at.inner() if machine.language.block_scopes else at
        return machine.value(taken[0], inner) if taken else UNKNOWN
    before = at.names()
    ends = []
    for arm in code.arms:
        at.restore(before)
        if not isinstance(machine.value(arm, arms_scope(machine.language, at)), Stopped):
            ends.append(at.names())
    if not code.covers_all or not code.arms:
        ends.append(before)
    at.restore(merged(ends) if ends else before)
    return UNKNOWN if ends else STOPPED


def loop(machine: Machine, code: c.Loop, at: Activation) -> Value:
    language = machine.language
    over: Value = UNKNOWN
    if code.over is not None:
        over = machine.value(code.over, at)
    found, is_whole = language.loop_items(over, keys=code.keys)
    is_certain = is_whole and bool(found)
    rounds = [*([] if is_whole else [UNKNOWN]), *machine.rounds(found, at, code.line)]
    before = at.names()
    if not is_certain:
        forget(code.assigned, at)
    for item in rounds:
        inner = at.inner() if language.block_scopes else at
        inner = inner if is_certain else inner.in_doubt()
        if code.target is not None:
            known = machine.force(item) if isinstance(item, LazyValue) else item
            bound(machine, code.target, known, inner)
        # A break or a return may stand in a branch that is not taken: go on.
        machine.value(code.body, inner)
    if not is_certain:
        at.restore(merged([before, at.names()]))
    return UNKNOWN


def while_loop(machine: Machine, code: c.While, at: Activation) -> Value:
    """Rounds are followed one by one for as long as it is known that there is another. If it is then not known that
    there is none, the body counts once more, as something that may run."""
    most = machine.language.most_rounds
    if not code.is_endless:
        for _ in range(most):
            holds = machine.language.truth(machine.value(code.condition, at))
            if holds is False:
                return UNKNOWN
            if holds is None or isinstance(machine.value(code.body, at), Stopped):
                break
        else:
            machine.note_long_loop(at, code.line)
    before = at.names()
    forget(code.assigned, at)
    inner = arms_scope(machine.language, at)
    machine.value(code.condition, inner)
    machine.value(code.body, inner)
    at.restore(merged([before, at.names()]))
    return UNKNOWN


def try_block(machine: Machine, code: c.Try, at: Activation) -> Value:
    before = at.names()
    body_ended = isinstance(machine.value(code.body, at), Stopped)
    ends = [] if body_ended else [at.names()]
    for handler in code.handlers:
        at.restore(merged([before, at.names()]))
        if not isinstance(machine.value(handler, arms_scope(machine.language, at)), Stopped):
            ends.append(at.names())
    if ends:
        at.restore(merged(ends))
    ended = not ends
    if not body_ended:
        ended = isinstance(machine.value(code.otherwise, at), Stopped) and not code.handlers
    return STOPPED if isinstance(machine.value(code.final, at), Stopped) or ended else UNKNOWN


def returns(machine: Machine, code: c.Return, at: Activation) -> Value:
    if code.value is not None:
        at.returned.append(machine.stored(code.value, at))
    elif machine.language.block_scopes:
        at.returned.append(UNKNOWN)
    return STOPPED


def yields(machine: Machine, code: c.Yield, at: Activation) -> Value:
    value = machine.value(code.value, at) if code.value is not None else machine.language.nothing
    at.yielded.extend(machine.language.elements(value)[0] if code.is_all else [value])
    return UNKNOWN


def leave(machine: Machine, code: c.Leave, at: Activation) -> Value:
    if code.value is not None:
        machine.value(code.value, at)
    return STOPPED


def counted(machine: Machine, code: c.Counting, at: Activation) -> Value:
    """Where the numbers are not known, or too many to be followed, the body counts once, as something that may run;
    so it does where there seem to be none, since a loop is written to run."""
    start = _number(machine.value(code.start, at))
    bound = _number(machine.value(code.bound, at))
    most = machine.language.most_rounds
    lost = UncountedRound(loop=at.place(code.line))
    rounds: list[Value] = [lost]
    if start is not None and bound is not None:
        end = bound + (code.step > 0) - (code.step < 0) if code.is_inclusive else bound
        numbers = list(islice(range(start, end, code.step), most + 1))
        if 0 < len(numbers) <= most:
            rounds = [Text(str(number), at.place(code.line), is_text=False) for number in numbers]
    while rounds:
        number = rounds.pop(0)
        inner = at.inner()
        inner.uncertain += number is lost
        inner.scope.names[code.name] = number
        machine.value(code.body, inner)
        if inner.scope.names[code.name] is not number and number is not lost:
            # The body counts, too: the next round is unknown.
            rounds = [lost]
    return UNKNOWN


def _number(value: Value) -> int | None:
    is_known = isinstance(value, Text) and not value.is_text and _WHOLE.fullmatch(value.text)
    return int(value.text) if isinstance(value, Text) and is_known else None


Machine.evaluators.update(
    {
        c.CodeBlock: block,
        c.Declare: declare,
        c.OuterNames: outer_names,
        c.Branch: branch,
        c.Loop: loop,
        c.While: while_loop,
        c.Counting: counted,
        c.Try: try_block,
        c.Return: returns,
        c.Yield: yields,
        c.Leave: leave,
    }
)
