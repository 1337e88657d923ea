"""Values given to names: declarations, parameters, assignments, and patterns that take a value apart."""

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.members import item_of, member_of
from unknot.web.readers.interpreter.values import (
    BROWSER,
    BROWSER_NAMES,
    UNKNOWN,
    Class,
    Entries,
    Instance,
    Items,
    Steps,
    Text,
    Unknown,
    Value,
    either,
    options,
)

MOST_ENTRIES = 2_000


def bound(machine: Machine, target: c.Code, value: Value, at: Activation) -> Steps:
    """Declares what the pattern names in the innermost scope. Patterns may be nested deeply: a list, no recursion."""
    waiting = [(target, value)]
    while waiting:
        pattern, given = waiting.pop()
        match pattern:
            case c.Name(name=name):
                at.scope.names[name] = BROWSER if given == UNKNOWN and name in BROWSER_NAMES else given
            case c.Default(target=inner, value=code):
                if isinstance(given, Unknown):
                    given = yield machine.datum(code, at)
                waiting.append((inner, given))
            case c.Spread(of=inner):
                waiting.append((inner, given))
            case c.RecordPattern(entries=entries):
                for key, inner in entries:
                    if key is None:
                        waiting.append((inner, given))
                        continue
                    waiting.append((inner, (yield member_of(machine, given, key, at, inner.line, quiet=True))))
            case c.ListOf(items=parts):
                for place, inner in enumerate(parts):
                    is_rest = isinstance(inner, c.Spread)
                    part = _rest(given, place) if is_rest else (yield item_of(machine, given, place, at, inner.line))
                    waiting.append((inner, part))
            case c.Member() | c.Index():
                yield assigned(machine, pattern, given, at)
    return UNKNOWN


def _rest(value: Value, start: int) -> Value:
    return Items(value.items[start:]) if isinstance(value, Items) else UNKNOWN


def assigned(machine: Machine, target: c.Code, value: Value, at: Activation) -> Steps:
    """Gives a value to what is there already; beside the old one where this may not run."""
    match target:
        case c.Name(name=name):
            holder = at.scope.holder(name)
            if holder is None:
                machine.language.assign_free(name, value, at)
            else:
                put(holder.names, name, value, at)
        case c.Member(of=of, name=name):
            owner = yield machine.value(of, at)
            for option in options(owner):
                entries = entries_of(option)
                if entries is not None:
                    put(entries, name, value, at)
        case c.Index(of=of, key=key):
            owner = yield machine.value(of, at)
            named = yield machine.datum(key, at)
            entries = entries_of(owner)
            if isinstance(owner, Items):
                owner.items.append(value)
            elif entries is not None and isinstance(named, Text):
                put(entries, named.text, value, at)
        case c.RecordPattern() | c.ListOf():
            yield bound(machine, target, value, at)
    return UNKNOWN


def put(entries: dict[str, Value], name: str, value: Value, at: Activation) -> None:
    """An object that may take the place of one of its own class does: `if (page == null) page = new Page()`."""
    old = entries.get(name)
    is_renewed = isinstance(old, Instance) and isinstance(value, Instance) and old.type is value.type
    if old is not None and at.uncertain and not is_renewed:
        entries[name] = either((old, value))
    elif name in entries or len(entries) < MOST_ENTRIES:
        entries[name] = value


def entries_of(value: Value) -> dict[str, Value] | None:
    match value:
        case Instance(fields=entries) | Entries(entries=entries) | Class(statics=entries):
            return entries
    return None
