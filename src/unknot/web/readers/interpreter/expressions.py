"""What each kind of expression is worth, and what it says while it is worked out."""

import re
from itertools import islice, product, takewhile

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.binding import assigned
from unknot.web.readers.interpreter.calls import arguments_of, constructed, constructor_call, invoked, superclass_call
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.members import item_of, member_of
from unknot.web.readers.interpreter.text_functions import LONGEST
from unknot.web.readers.interpreter.values import (
    MOST_OPTIONS,
    UNKNOWN,
    Builder,
    Class,
    Closure,
    Entries,
    Items,
    Result,
    Steps,
    Text,
    Unknown,
    Value,
    either,
    in_turn,
    items,
    of_truth,
    one_of_all,
    options,
    truth,
)

MOST_ITEMS = 500
_WHOLE = re.compile(r"-?\d{1,9}", re.ASCII)


def nothing(machine: Machine, code: c.Code, at: Activation) -> Value:  # noqa: ARG001 - an evaluator
    return UNKNOWN


def literal(machine: Machine, code: c.Literal, at: Activation) -> Value:
    text = Text(code.text, at.place(code.line), code.is_text)
    machine.trace.uses(text)
    return text


def name(machine: Machine, code: c.Name, at: Activation) -> Result:
    if code.name == "this":
        return at.this
    holder = at.scope.holder(code.name)
    if holder is not None:
        return machine.seen(holder.names[code.name])
    return _seen(machine, machine.language.free_name(code.name, at))


def _seen(machine: Machine, found: Result) -> Result:
    return machine.seen(found) if isinstance(found, Value) else _seen_later(machine, found)


def _seen_later(machine: Machine, steps: Steps) -> Steps:
    return (yield machine.seen((yield steps)))


def member(machine: Machine, code: c.Member, at: Activation) -> Steps:
    receiver = yield machine.value(code.of, at)
    return (yield member_of(machine, receiver, code.name, at, code.line))


def index(machine: Machine, code: c.Index, at: Activation) -> Steps:
    of = yield machine.value(code.of, at)
    key = yield machine.datum(code.key, at)
    return (yield item_of(machine, of, key, at, code.line))


def call(machine: Machine, code: c.Call, at: Activation) -> Steps:
    callee = code.callee
    if isinstance(callee, c.Member):
        if isinstance(callee.of, c.Name) and callee.of.name == "super":
            arguments = yield arguments_of(machine, code.arguments, at)
            return (yield superclass_call(machine, callee.name, arguments, at, code.line))
        receiver = yield machine.value(callee.of, at)
        arguments = yield arguments_of(machine, code.arguments, at)
        return (yield invoked(machine, receiver, callee.name, arguments, at, code.line))
    if isinstance(callee, c.Name) and callee.name == "super":
        arguments = yield arguments_of(machine, code.arguments, at)
        return (yield superclass_call(machine, "", arguments, at, code.line))
    if isinstance(callee, c.Name) and callee.name == "this" and at.owner is not None:
        arguments = yield arguments_of(machine, code.arguments, at)
        return (yield constructor_call(machine, at.owner, at.this, items(arguments), code.line))
    if isinstance(callee, c.Own):
        arguments = yield arguments_of(machine, code.arguments, at)
        return (yield machine.language.own_call(callee.name, items(arguments), at, code.line))
    function = yield machine.value(callee, at)
    arguments = yield arguments_of(machine, code.arguments, at)
    return (yield invoked(machine, function, "", arguments, at, code.line))


def new(machine: Machine, code: c.New, at: Activation) -> Steps:
    made = yield machine.value(code.callee, at)
    arguments = yield arguments_of(machine, code.arguments, at, kept=isinstance(made, Class))
    if code.body is not None:
        anonymous = yield machine.language.class_of(code.body, at)
        if isinstance(anonymous, Class):
            anonymous.superclass = made if isinstance(made, Class) else UNKNOWN
            made = anonymous
    return (yield constructed(machine, made, last_name(code.callee), arguments, at, code.line))


def last_name(code: c.Code) -> str:
    return code.name if isinstance(code, c.Name | c.Member) else ""


def list_of(machine: Machine, code: c.ListOf, at: Activation) -> Steps:
    made: list[Value] = []
    for part in code.items[:MOST_ITEMS]:
        if isinstance(part, c.Spread):
            spread = yield machine.value(part.of, at)
            made.extend(spread.items[:MOST_ITEMS] if isinstance(spread, Items) else [spread])
        else:
            made.append((yield machine.datum(part, at)))
    return Items(made[:MOST_ITEMS])


def record_of(machine: Machine, code: c.RecordOf, at: Activation) -> Steps:
    entries: dict[str, Value] = {}
    made = Entries(entries)
    for key, part in code.entries[:MOST_ITEMS]:
        value = yield machine.datum(part, at)
        if key is None:
            for option in options(value):
                entries.update(option.entries if isinstance(option, Entries) else {})
            continue
        named = yield machine.datum(key, at)
        if isinstance(value, Closure) and not value.code.is_arrow:
            value.this = made
        if isinstance(named, Text):
            entries[named.text] = value
    return made


def joined(machine: Machine, code: c.Joined, at: Activation) -> Steps:
    parts = items((yield in_turn(machine.value(part, at) for part in code.parts)))
    return (yield machine.seen(put_together(parts, at, code.line)))


def put_together(parts: list[Value], at: Activation, line: int) -> Value:
    """The texts that the parts make, as far as all of them are known. Numbers before the first text are added up."""
    known = [[text for text in map(_as_text, options(part)) if text is not None] for part in parts]
    ways = islice(product(*known), MOST_OPTIONS)
    made = [_sum(texts, at.place(line)) for texts in ways if sum(len(text.text) for text in texts) <= LONGEST]
    unknown = [option for part in parts for option in options(part) if isinstance(option, Unknown)]
    return either([*made, *unknown])


def _sum(texts: tuple[Text, ...], place: Frame) -> Value:
    numbers = list(takewhile(lambda text: not text.is_text, texts))
    if len(numbers) > 1:
        if not all(_WHOLE.fullmatch(number.text) for number in numbers):
            return UNKNOWN
        total = Text(str(sum(int(number.text) for number in numbers)), place, is_text=False)
        texts = (total, *texts[len(numbers) :])
    is_text = any(text.is_text for text in texts)
    return Text("".join(text.text for text in texts), place, is_text)


def _as_text(value: Value) -> Text | None:
    if isinstance(value, Builder):
        value = value.text
    return value if isinstance(value, Text) else None


def one_of(machine: Machine, code: c.Either, at: Activation) -> Steps:
    chosen = None
    if code.condition is not None:
        chosen = truth((yield machine.value(code.condition, at)))
    if chosen is not None:
        return (yield machine.value(code.options[0 if chosen else 1], at))
    return (yield one_of_all(machine.value(option, at) for option in code.options))


def compared(machine: Machine, code: c.Compared, at: Activation) -> Steps:
    """Known only of texts: a number or truth value may be the state of something that other tests have changed."""
    left = yield machine.value(code.left, at)
    right = yield machine.value(code.right, at)
    if isinstance(left, Text) and isinstance(right, Text) and left.is_text and right.is_text:
        return of_truth((left.text == right.text) != code.negated)
    return UNKNOWN


def together(machine: Machine, code: c.Together, at: Activation) -> Steps:
    for part in code.parts:
        yield machine.value(part, at)
    return UNKNOWN


def after(machine: Machine, code: c.After, at: Activation) -> Steps:
    yield machine.value(code.first, at)
    return (yield machine.value(code.value, at))


def typed(machine: Machine, code: c.Typed, at: Activation) -> Steps:
    return (yield machine.or_typed((yield machine.value(code.value, at)), code.type, at))


def assign(machine: Machine, code: c.Assign, at: Activation) -> Steps:
    value = yield machine.datum(code.value, at)
    if code.adds:
        old = yield machine.value(code.target, at)
        value = _texts_only(put_together([old, value], at, code.line))
    yield assigned(machine, code.target, value, at)
    return value


def _texts_only(value: Value) -> Value:
    """A number that counts something up is not known: a loop may have done it before, or another test."""
    return UNKNOWN if any(isinstance(option, Text) and not option.is_text for option in options(value)) else value


def spread(machine: Machine, code: c.Spread, at: Activation) -> Result:
    return machine.value(code.of, at)


def default(machine: Machine, code: c.Default, at: Activation) -> Result:
    return machine.value(code.value, at)


def function(machine: Machine, code: c.FunctionCode, at: Activation) -> Value:
    return machine.closure(code, at)


def class_code(machine: Machine, code: c.ClassCode, at: Activation) -> Result:
    return machine.language.class_of(code, at)


Machine.evaluators.update(
    {
        c.Nothing: nothing,
        c.Literal: literal,
        c.Name: name,
        c.Member: member,
        c.Index: index,
        c.Call: call,
        c.New: new,
        c.ListOf: list_of,
        c.RecordOf: record_of,
        c.Joined: joined,
        c.Either: one_of,
        c.Together: together,
        c.After: after,
        c.Compared: compared,
        c.Typed: typed,
        c.Assign: assign,
        c.Spread: spread,
        c.Default: default,
        c.RecordPattern: nothing,
        c.FunctionCode: function,
        c.ClassCode: class_code,
        c.Annotation: nothing,
    }
)
