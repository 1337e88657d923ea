"""Statements: values given to names, patterns that take a value apart, blocks, branches, loops, ends of functions."""

from itertools import islice
from typing import Any

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.machine import Activation, Machine, arms_scope, forget, item_of, member_of, merged


def bound(machine: Machine, target: c.Code, value: v.Value, at: Activation) -> None:
    """Declares what the pattern names in the innermost scope. Patterns may be nested deeply: a list, no recursion."""
    waiting = [(target, value)]
    while waiting:
        pattern, given = waiting.pop()
        match pattern:
            case c.Name(name=name) if name in at.outer_names:
                assigned(machine, pattern, given, at)
            case c.Name(name=name):
                is_browser = given == v.UNKNOWN and name in machine.language.browser_names
                at.scope.names[name] = v.BROWSER if is_browser else given
            case c.Default(target=inner, value=code):
                if isinstance(given, v.Unknown):
                    given = machine.stored(code, at)
                waiting.append((inner, given))
            case c.Spread(of=inner, is_open=is_open):
                waiting.append((inner, v.Items([given]) if is_open else given))
            case c.RecordPattern(entries=entries):
                for key, inner in entries:
                    if key is None:
                        waiting.append((inner, given))
                        continue
                    waiting.append((inner, member_of(machine, given, key, at, inner.line, quiet=True)))
            case c.ListOf(items=parts):
                for place, inner in enumerate(parts):
                    if not isinstance(inner, c.Spread):
                        waiting.append((inner, item_of(machine, given, place, at, inner.line)))
                    else:
                        waiting.append(
                            (inner, v.Items(given.items[place:]) if isinstance(given, v.Items) else v.UNKNOWN)
                        )
            case c.Unpack(parts=parts):
                waiting.extend(reversed(list(zip(parts, _taken_apart(machine, parts, given), strict=True))))
            case c.Several(parts=parts):
                waiting.extend((part, given) for part in reversed(parts))
            case c.Member() | c.Index():
                assigned(machine, pattern, given, at)


def _taken_apart(machine: Machine, parts: tuple[c.Code, ...], value: v.Value) -> list[v.Value]:
    """Each part may be what stands at its place in any of the values; behind a star, any of the rest."""
    rows = [machine.language.elements(option) for option in v.options(value)]
    stars = [place for place, part in enumerate(parts) if isinstance(part, c.Spread)]
    taken: list[v.Value] = []
    for place in range(len(parts)):
        found: list[v.Value] = []
        for row, is_whole in rows:
            if not is_whole:
                found.append(v.UNKNOWN)
            elif not stars or place < stars[0]:
                found.append(row[place] if place < len(row) else v.UNKNOWN)
            elif place > stars[0]:
                back = len(parts) - place
                found.append(row[-back] if back <= len(row) else v.UNKNOWN)
            else:
                found.extend(row[place : len(row) - (len(parts) - place - 1)])
        taken.append(v.either(found))
    return taken


def assigned(machine: Machine, target: c.Code, value: v.Value, at: Activation) -> None:
    """Gives a value to what is there already; beside the old one where this may not run."""
    match target:
        case c.Name(name=name):
            holder = at.scope.holder(name)
            if holder is None:
                machine.language.assign_free(name, value, at)
            elif at.holds(holder):
                # A number that was lost count of stays one, whatever is done with it.
                is_lost = isinstance(holder.names[name], v.UncountedRound) and value == v.UNKNOWN
                holder.names[name] = holder.names[name] if is_lost else value
            else:
                put(machine, holder.names, name, value, at.uncertain)
        case c.Member(of=of, name=name):
            owner = machine.value(of, at)
            for option in v.options(owner):
                machine.language.set_member(option, name, value, at, target.line)
        case c.Index(of=of, key=key):
            owner = machine.value(of, at)
            named = machine.stored(key, at)
            for option in v.options(owner):
                machine.language.set_item(option, named, value, at)
        case c.RecordPattern() | c.ListOf():
            bound(machine, target, value, at)


def put(machine: Machine, entries: dict[Any, v.Value], name: v.Scalar, value: v.Value, uncertain: int) -> None:
    """An object that may take the place of one of its own class does: `if (page == null) page = new Page()`."""
    old = entries.get(name)
    is_same_type = isinstance(old, v.ProjectObject) and isinstance(value, v.ProjectObject) and old.type is value.type
    is_renewed = is_same_type and machine.language.has_this
    machine.changes.save(entries)
    if old is not None and uncertain and not is_renewed:
        entries[name] = v.either((old, value))
    elif name in entries or len(entries) < v.MOST_ITEMS:
        entries[name] = value


def entries_of(value: v.Value) -> dict[str, v.Value] | None:
    match value:
        case v.ProjectObject(fields=entries) | v.Entries(entries=entries) | v.ProjectClass(statics=entries):
            return entries
    return None


class Stopped(v.Value):
    """The result of a statement that ends its block."""

    __slots__ = ()


STOPPED = Stopped()


def block(machine: Machine, code: c.CodeBlock, at: Activation) -> v.Value:
    inner = at.inner() if code.has_scope else at
    for step in code.steps:
        # Functions are known in the whole block, also above the place where they are written.
        if isinstance(step, c.FunctionCode) and step.name:
            inner.scope.names[step.name] = machine.closure(step, inner)
        elif isinstance(step, c.ClassCode) and step.name:
            inner.scope.names[step.name] = v.LazyValue(step, inner.scope, at.file, at.function, at.this, at.owner)
    for step in code.steps:
        if isinstance(step, c.FunctionCode | c.ClassCode):
            continue
        if isinstance(machine.value(step, inner), Stopped):
            return STOPPED
    return v.UNKNOWN


def declare(machine: Machine, code: c.Declare, at: Activation) -> v.Value:
    value: v.Value = v.UNKNOWN
    if machine.postpones and isinstance(code.target, c.Name) and code.value is not None:
        at.scope.names[code.target.name] = v.LazyValue(
            code.value, at.scope, at.file, at.function, at.this, at.owner, code.type
        )
        return v.UNKNOWN
    if code.value is not None:
        value = machine.stored(code.value, at)
    value = machine.or_typed(value, code.type, at)
    bound(machine, code.target, value, at)
    return value


def outer_names(machine: Machine, code: c.OuterNames, at: Activation) -> v.Value:  # noqa: ARG001 - an evaluator
    at.outer_names.update(code.names)
    return v.UNKNOWN


def branch(machine: Machine, code: c.Branch, at: Activation) -> v.Value:
    """After it, names may be what each arm that goes on has made of them."""
    condition = machine.value(code.condition, at)
    holds = machine.language.truth(condition) if code.is_choice else None
    if holds is not None:
        taken = code.arms[:1] if holds else code.arms[1:]
        inner = at.inner() if machine.language.block_scopes else at
        return machine.value(taken[0], inner) if taken else v.UNKNOWN
    before = at.names()
    ends = []
    for arm in code.arms:
        at.restore(before)
        if not isinstance(machine.value(arm, arms_scope(machine.language, at)), Stopped):
            ends.append(at.names())
    if not code.covers_all or not code.arms:
        ends.append(before)
    at.restore(merged(ends) if ends else before)
    return v.UNKNOWN if ends else STOPPED


def loop(machine: Machine, code: c.Loop, at: Activation) -> v.Value:
    language = machine.language
    over: v.Value = v.UNKNOWN
    if code.over is not None:
        over = machine.value(code.over, at)
    found, is_whole = language.loop_items(over, keys=code.keys)
    is_certain = is_whole and bool(found)
    rounds = [*([] if is_whole else [v.UNKNOWN]), *machine.rounds(found, at, code.line)]
    before = at.names()
    if not is_certain:
        forget(code.assigned, at)
    for item in rounds:
        inner = at.inner() if language.block_scopes else at
        inner = inner if is_certain else inner.in_doubt()
        if code.target is not None:
            known = machine.force(item) if isinstance(item, v.LazyValue) else item
            bound(machine, code.target, known, inner)
        # A break or a return may stand in a branch that is not taken: go on.
        machine.value(code.body, inner)
    if not is_certain:
        at.restore(merged([before, at.names()]))
    return v.UNKNOWN


def while_loop(machine: Machine, code: c.While, at: Activation) -> v.Value:
    """Rounds are followed one by one for as long as it is known that there is another. If it is then not known that
    there is none, the body counts once more, as something that may run."""
    most = machine.language.most_rounds
    if not code.is_endless:
        for _ in range(most):
            holds = machine.language.truth(machine.value(code.condition, at))
            if holds is False:
                return v.UNKNOWN
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
    return v.UNKNOWN


def try_block(machine: Machine, code: c.Try, at: Activation) -> v.Value:
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
    return STOPPED if isinstance(machine.value(code.final, at), Stopped) or ended else v.UNKNOWN


def returns(machine: Machine, code: c.Return, at: Activation) -> v.Value:
    if code.value is not None:
        at.returned.append(machine.stored(code.value, at))
    elif machine.language.block_scopes:
        at.returned.append(v.UNKNOWN)
    return STOPPED


def yields(machine: Machine, code: c.Yield, at: Activation) -> v.Value:
    value = machine.value(code.value, at) if code.value is not None else machine.language.nothing
    at.yielded.extend(machine.language.elements(value)[0] if code.is_all else [value])
    return v.UNKNOWN


def leave(machine: Machine, code: c.Leave, at: Activation) -> v.Value:
    if code.value is not None:
        machine.value(code.value, at)
    return STOPPED


def counted(machine: Machine, code: c.Counting, at: Activation) -> v.Value:
    """Where the numbers are not known, or too many to be followed, the body counts once, as something that may run;
    so it does where there seem to be none, since a loop is written to run."""
    start = _number(machine.value(code.start, at))
    bound = _number(machine.value(code.bound, at))
    most = machine.language.most_rounds
    lost = v.UncountedRound(loop=at.place(code.line))
    rounds: list[v.Value] = [lost]
    if start is not None and bound is not None:
        end = bound + (code.step > 0) - (code.step < 0) if code.is_inclusive else bound
        numbers = list(islice(range(start, end, code.step), most + 1))
        if 0 < len(numbers) <= most:
            rounds = [v.Text(str(number), at.place(code.line), is_text=False) for number in numbers]
    while rounds:
        number = rounds.pop(0)
        inner = at.inner()
        inner.uncertain += number is lost
        inner.scope.names[code.name] = number
        machine.value(code.body, inner)
        if inner.scope.names[code.name] is not number and number is not lost:
            # The body counts, too: the next round is unknown.
            rounds = [lost]
    return v.UNKNOWN


def _number(value: v.Value) -> int | None:
    return v.whole_number(value.text) if isinstance(value, v.Text) and not value.is_text else None


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
