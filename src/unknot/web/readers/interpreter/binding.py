"""Values given to names: declarations, parameters, assignments, and patterns that take a value apart."""

from typing import Any

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.machine import Activation, Machine, item_of, member_of
from unknot.web.readers.interpreter.values import (
    BROWSER,
    MOST_ITEMS,
    UNKNOWN,
    Entries,
    Items,
    ProjectClass,
    ProjectObject,
    Scalar,
    UncountedRound,
    Unknown,
    Value,
    either,
    options,
)


def bound(machine: Machine, target: c.Code, value: Value, at: Activation) -> Value:
    """Declares what the pattern names in the innermost scope. Patterns may be nested deeply: a list, no recursion."""
    waiting = [(target, value)]
    while waiting:
        pattern, given = waiting.pop()
        match pattern:
            case c.Name(name=name) if name in at.outer_names:
                assigned(machine, pattern, given, at)
            case c.Name(name=name):
                is_browser = given == UNKNOWN and name in machine.language.browser_names
                at.scope.names[name] = BROWSER if is_browser else given
            case c.Default(target=inner, value=code):
                if isinstance(given, Unknown):
                    given = machine.stored(code, at)
                waiting.append((inner, given))
            case c.Spread(of=inner, is_open=is_open):
                waiting.append((inner, Items([given]) if is_open else given))
            case c.RecordPattern(entries=entries):
                for key, inner in entries:
                    if key is None:
                        waiting.append((inner, given))
                        continue
                    waiting.append((inner, member_of(machine, given, key, at, inner.line, quiet=True)))
            case c.ListOf(items=parts):
                for place, inner in enumerate(parts):
                    is_rest = isinstance(inner, c.Spread)
                    part = _rest(given, place) if is_rest else item_of(machine, given, place, at, inner.line)
                    waiting.append((inner, part))
            case c.Unpack(parts=parts):
                waiting.extend(reversed(list(zip(parts, _taken_apart(machine, parts, given), strict=True))))
            case c.Several(parts=parts):
                waiting.extend((part, given) for part in reversed(parts))
            case c.Member() | c.Index():
                assigned(machine, pattern, given, at)
    return UNKNOWN


def _rest(value: Value, start: int) -> Value:
    return Items(value.items[start:]) if isinstance(value, Items) else UNKNOWN


def _taken_apart(machine: Machine, parts: tuple[c.Code, ...], value: Value) -> list[Value]:
    """Each part may be what stands at its place in any of the values; behind a star, any of the rest."""
    rows = [machine.language.elements(option) for option in options(value)]
    stars = [place for place, part in enumerate(parts) if isinstance(part, c.Spread)]
    taken: list[Value] = []
    for place in range(len(parts)):
        found: list[Value] = []
        for row, is_whole in rows:
            if not is_whole:
                found.append(UNKNOWN)
            elif not stars or place < stars[0]:
                found.append(row[place] if place < len(row) else UNKNOWN)
            elif place > stars[0]:
                back = len(parts) - place
                found.append(row[-back] if back <= len(row) else UNKNOWN)
            else:
                found.extend(row[place : len(row) - (len(parts) - place - 1)])
        taken.append(either(found))
    return taken


def assigned(machine: Machine, target: c.Code, value: Value, at: Activation) -> Value:
    """Gives a value to what is there already; beside the old one where this may not run."""
    match target:
        case c.Name(name=name):
            holder = at.scope.holder(name)
            if holder is None:
                machine.language.assign_free(name, value, at)
            elif at.holds(holder):
                # A number that was lost count of stays one, whatever is done with it.
                is_lost = isinstance(holder.names[name], UncountedRound) and value == UNKNOWN
                holder.names[name] = holder.names[name] if is_lost else value
            else:
                put(machine, holder.names, name, value, at.uncertain)
        case c.Member(of=of, name=name):
            owner = machine.value(of, at)
            for option in options(owner):
                machine.language.set_member(option, name, value, at, target.line)
        case c.Index(of=of, key=key):
            owner = machine.value(of, at)
            named = machine.stored(key, at)
            for option in options(owner):
                machine.language.set_item(option, named, value, at)
        case c.RecordPattern() | c.ListOf():
            bound(machine, target, value, at)
    return UNKNOWN


def put(machine: Machine, entries: dict[Any, Value], name: Scalar, value: Value, uncertain: int) -> None:
    """An object that may take the place of one of its own class does: `if (page == null) page = new Page()`."""
    old = entries.get(name)
    is_same_type = isinstance(old, ProjectObject) and isinstance(value, ProjectObject) and old.type is value.type
    is_renewed = is_same_type and machine.language.has_this
    machine.changes.save(entries)
    if old is not None and uncertain and not is_renewed:
        entries[name] = either((old, value))
    elif name in entries or len(entries) < MOST_ITEMS:
        entries[name] = value


def entries_of(value: Value) -> dict[str, Value] | None:
    match value:
        case ProjectObject(fields=entries) | Entries(entries=entries) | ProjectClass(statics=entries):
            return entries
    return None
