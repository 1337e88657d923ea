"""The value of each kind of expression, and the texts that its evaluation uses."""

from itertools import islice, product, takewhile
from typing import Any

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.known_functions import LONGEST
from unknot.web.readers.interpreter.machine import Activation, Machine, item_of, member_of
from unknot.web.readers.interpreter.objects import (
    arguments_of,
    constructed,
    constructor_call,
    superclass_call,
)
from unknot.web.readers.interpreter.statements import assigned, bound

MOST_ITEMS = 500
"""Of a list that is written in the code, and of one that is made in one expression."""


def literal(machine: Machine, code: c.Literal, at: Activation) -> v.Value:
    text = v.Text(code.text, at.place(code.line), code.is_text, code.scalar)
    if not machine.language.reads_count:
        machine.trace.uses(text)
    return text


def name(machine: Machine, code: c.Name, at: Activation) -> v.Value:
    if code.name == "this" and machine.language.has_this:
        return at.this
    holder = at.scope.holder(code.name)
    found = holder.names[code.name] if holder is not None else machine.language.free_name(code.name, at)
    return machine.read(found)


def member(machine: Machine, code: c.Member, at: Activation) -> v.Value:
    return member_of(machine, machine.value(code.of, at), code.name, at, code.line)


def index(machine: Machine, code: c.Index, at: Activation) -> v.Value:
    return item_of(machine, machine.value(code.of, at), machine.stored(code.key, at), at, code.line)


def call(machine: Machine, code: c.Call, at: Activation) -> v.Value:
    callee, line = code.callee, code.line
    name = callee.name if isinstance(callee, c.Member) else ""
    if machine.language.has_this and _is_own_object(callee, at):
        arguments = arguments_of(machine, code, at)
        if isinstance(callee, c.Name) and callee.name == "this" and at.owner is not None:
            return constructor_call(machine, at.owner, at.this, arguments.positional)
        return superclass_call(machine, name, arguments.positional, at, line)
    if isinstance(callee, c.Own):
        arguments = arguments_of(machine, code, at)
        return machine.language.own_call(callee.name, arguments.positional, at, line)
    receiver = machine.value(callee.of if isinstance(callee, c.Member) else callee, at)
    arguments = arguments_of(machine, code, at)
    return machine.language.invoke(receiver, name, arguments, at, line)


def _is_own_object(callee: c.Code, at: Activation) -> bool:
    """`super(…)`, `super.name(…)`, and `this(…)` in a constructor."""
    if isinstance(callee, c.Member):
        return isinstance(callee.of, c.Name) and callee.of.name == "super"
    if not isinstance(callee, c.Name):
        return False
    return callee.name == "super" or (callee.name == "this" and at.owner is not None)


def new(machine: Machine, code: c.New, at: Activation) -> v.Value:
    made = machine.value(code.callee, at)
    arguments = arguments_of(machine, code, at, kept=isinstance(made, v.ProjectClass))
    if code.body is not None:
        anonymous = machine.language.class_of(code.body, at)
        if isinstance(anonymous, v.ProjectClass):
            anonymous.superclass = made if isinstance(made, v.ProjectClass) else v.UNKNOWN
            made = anonymous
    name = code.callee.name if isinstance(code.callee, c.Name | c.Member) else ""
    return constructed(machine, made, name, arguments.positional, at, code.line)


def list_of(machine: Machine, code: c.ListOf, at: Activation) -> v.Value:
    made: list[v.Value] = []
    rest: v.Value | None = None
    for part in code.items[:MOST_ITEMS]:
        if isinstance(part, c.Spread):
            spread = machine.value(part.of, at)
            found, is_whole = machine.language.elements(spread)
            made.extend(found if is_whole or part.is_open else [spread])
            rest = rest if is_whole or not part.is_open else v.UNKNOWN
        else:
            made.append(machine.stored(part, at))
    return v.Items(made, rest)


def record_of(machine: Machine, code: c.RecordOf, at: Activation) -> v.Value:
    entries: dict[Any, v.Value] = {}
    made = v.Entries(entries)
    for key, part in code.entries[:MOST_ITEMS]:
        value = machine.stored(part, at)
        if key is None:
            for option in v.options(value):
                entries.update(option.entries if isinstance(option, v.Entries) else {})
                rest = option.rest if isinstance(option, v.Entries) else v.UNKNOWN
                made.rest = made.rest if rest is None else v.either([*v.options(made.rest or rest), rest])
            continue
        named = machine.stored(key, at)
        if isinstance(value, v.Closure) and machine.language.has_this and not value.code.is_arrow:
            value.this = made
        for option in v.options(named):
            if isinstance(option, v.Text):
                # Where names and numbers are the same as keys, a key is always a text.
                entries[option.text if machine.language.has_this else option.value] = value
            elif machine.language.reads_count:
                made.rest = v.either([*v.options(made.rest or value), value])
    return made


def joined(machine: Machine, code: c.Joined, at: Activation) -> v.Value:
    parts = [machine.value(part, at) for part in code.parts]
    return machine.read(machine.language.join(parts, at, code.line))


def put_together(parts: list[v.Value], at: Activation, line: int) -> v.Value:
    """The texts that the parts make, as far as all of them are known. Numbers before the first text are added up."""
    known = [[text for text in map(_as_text, v.options(part)) if text is not None] for part in parts]
    ways = islice(product(*known), v.MOST_OPTIONS)
    made = [_sum(texts, at.place(line)) for texts in ways if sum(len(text.text) for text in texts) <= LONGEST]
    unknown = [option for part in parts for option in v.options(part) if isinstance(option, v.Unknown)]
    return v.either([*made, *unknown])


def _sum(texts: tuple[v.Text, ...], place: Frame) -> v.Value:
    numbers = list(takewhile(lambda text: not text.is_text, texts))
    if len(numbers) > 1:
        known = [number for number in (v.whole_number(text.text) for text in numbers) if number is not None]
        if len(known) < len(numbers):
            return v.UNKNOWN
        texts = (v.Text(str(sum(known)), place, is_text=False), *texts[len(numbers) :])
    is_text = any(text.is_text for text in texts)
    return v.Text("".join(text.text for text in texts), place, is_text)


def _as_text(value: v.Value) -> v.Text | None:
    if isinstance(value, v.TextBuilder):
        value = value.text
    return value if isinstance(value, v.Text) else None


def one_of(machine: Machine, code: c.Either, at: Activation) -> v.Value:
    chosen = None
    if code.condition is not None:
        chosen = machine.language.truth(machine.value(code.condition, at))
    if chosen is not None:
        return machine.value(code.options[0 if chosen else 1], at)
    inner = at.in_doubt() if machine.language.reads_count else at
    return v.either([machine.value(option, inner) for option in code.options])


def logic(machine: Machine, code: c.Logic, at: Activation) -> v.Value:
    """The operands that the whole may be: all up to the first that decides it."""
    truth = machine.language.truth
    found: list[v.Value] = []
    for operand in code.operands[:-1]:
        value = machine.value(operand, at)
        if truth(value) is code.is_or:
            return v.either([*found, value])
        found.extend(option for option in v.options(value) if truth(option) is not (not code.is_or))
    return v.either([*found, machine.value(code.operands[-1], at.in_doubt())])


def negation(machine: Machine, code: c.Not, at: Activation) -> v.Value:
    holds = machine.language.truth(machine.value(code.value, at))
    return v.UNKNOWN if holds is None else v.of_truth(not holds)


def compared(machine: Machine, code: c.Compared, at: Activation) -> v.Value:
    operands = [machine.value(operand, at) for operand in code.operands]
    machine.language.note_compared(operands, at, code.line)
    holds = None
    if len(operands) == 2:
        holds = machine.language.compare(operands[0], code.operators[0], operands[1])
    return v.UNKNOWN if holds is None else v.of_truth(holds)


def operation(machine: Machine, code: c.Operation, at: Activation) -> v.Value:
    """A long sum leans to the left: it is taken apart in a loop, since it may have thousands of terms."""
    terms = [code]
    while isinstance(terms[-1].left, c.Operation):
        terms.append(terms[-1].left)
    value = machine.value(terms[-1].left, at)
    for term in reversed(terms):
        right = machine.value(term.right, at)
        value = machine.language.operate(value, term.operator, right)
    return value


def comprehension(machine: Machine, code: c.Comprehension, at: Activation) -> v.Value:
    inner = at.inner()
    made: list[v.Value] = []
    keys: list[v.Value] = []
    is_whole = _rounds(machine, code, code.generators, inner, made, keys)
    rest = None if is_whole else v.UNKNOWN
    if code.key is None:
        return v.Items(made, rest)
    pairs = zip(keys, made, strict=True)
    known = {key.value: value for named, value in pairs for key in v.options(named) if isinstance(key, v.Text)}
    return v.Entries(known, "", rest)


def _rounds(
    machine: Machine,
    code: c.Comprehension,
    generators: tuple[c.Generator, ...],
    at: Activation,
    made: list[v.Value],
    keys: list[v.Value],
) -> bool:
    """Whether all rounds are known. What they give goes to `made` and `keys`."""
    if not generators:
        if code.key is not None:
            keys.append(machine.value(code.key, at))
        made.append(machine.value(code.value, at))
        return True
    first, *others = generators
    found, is_whole = machine.language.elements(machine.value(first.over, at))
    for item in found[:MOST_ITEMS] or [v.UNKNOWN]:
        bound(machine, first.target, item, at)
        answers = [machine.language.truth(machine.value(condition, at)) for condition in first.conditions]
        if False not in answers:
            is_inner_whole = _rounds(machine, code, tuple(others), at, made, keys)
            is_whole = is_whole and is_inner_whole and None not in answers
    return is_whole and bool(found)


def together(machine: Machine, code: c.Together, at: Activation) -> v.Value:
    for part in code.parts:
        machine.value(part, at)
    return v.UNKNOWN


def after(machine: Machine, code: c.After, at: Activation) -> v.Value:
    machine.value(code.first, at)
    return machine.value(code.value, at)


def typed(machine: Machine, code: c.Typed, at: Activation) -> v.Value:
    return machine.or_typed(machine.value(code.value, at), code.type, at)


def assign(machine: Machine, code: c.Assign, at: Activation) -> v.Value:
    value = machine.stored(code.value, at)
    if code.adds:
        old = machine.value(code.target, at)
        value = put_together([old, value], at, code.line)
        # A number that counts something up is not known: a loop may have done it before, or another test.
        if any(isinstance(option, v.Text) and not option.is_text for option in v.options(value)):
            value = v.UNKNOWN
    assigned(machine, code.target, value, at)
    return value


Machine.evaluators.update(
    {
        c.Literal: literal,
        c.Name: name,
        c.Member: member,
        c.Index: index,
        c.Call: call,
        c.New: new,
        c.ListOf: list_of,
        c.RecordOf: record_of,
        c.Joined: joined,
        c.TextPiece: lambda machine, code, at: v.Text(code.text),
        c.Logic: logic,
        c.Not: negation,
        c.Operation: operation,
        c.Comprehension: comprehension,
        c.Either: one_of,
        c.Together: together,
        c.After: after,
        c.Compared: compared,
        c.Typed: typed,
        c.Assign: assign,
        c.Spread: lambda machine, code, at: machine.value(code.of, at),
        c.Default: lambda machine, code, at: machine.value(code.value, at),
        **dict.fromkeys((c.Nothing, c.RecordPattern, c.Annotation), lambda machine, code, at: v.UNKNOWN),
        c.FunctionCode: lambda machine, code, at: machine.language.function_of(code, at),
        c.ClassCode: lambda machine, code, at: machine.language.class_of(code, at),
    }
)
