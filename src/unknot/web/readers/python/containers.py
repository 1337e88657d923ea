"""What is in lists, dicts, records and enumerations."""

from typing import TYPE_CHECKING

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.string_trace import significant_parts
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    CallArguments,
    Choice,
    Entries,
    Items,
    PartialText,
    ProjectObject,
    Text,
    Unknown,
    Value,
    either,
    options,
)
from unknot.web.readers.python.values import PythonClass, PythonFunction, class_of, constant, same_or_unknown

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_MOST_TEXTS = 1_000
_AT_ONCE = 10
"""So many values are gone through in the time of one step."""

_LONGEST_SPELLED = 50
"""No test types a text letter by letter that is longer."""


def elements(language: "PythonLanguage", value: Value) -> tuple[list[Value], bool]:
    """What is in it, in sequence, and whether that is all."""
    found: list[Value] = []
    is_whole = True
    for option in options(value):
        match option:
            case Items(items=items, rest=rest):
                found.extend(items)
                if rest is not None:
                    found.append(rest)
                    is_whole = is_whole and rest != UNKNOWN
            case Entries(entries=entries, rest=rest):
                found.extend(map(constant, entries))
                is_whole = is_whole and rest is None
            case Text(is_text=True, text=text) if len(text) <= _LONGEST_SPELLED:
                found.extend(map(constant, text))
            case PythonClass() if option.is_enumeration:
                found.extend(members(option))
            case ProjectObject():
                found.extend(field_values(option))
            case _:
                is_whole = False
    language.machine.spend(len(found) // _AT_ONCE)
    return found, is_whole


def members(enumeration: PythonClass) -> list[ProjectObject]:
    """Of an enumeration; the same objects every time."""
    made: list[ProjectObject] = []
    for ancestor in enumeration.ancestors:
        for name, value in ancestor.statics.items():
            if not name.startswith("_") and not any(isinstance(each, PythonFunction) for each in options(value)):
                member = ProjectObject(enumeration, {"name": constant(name), "value": value})
                made.append(enumeration.members.setdefault(name, member))
    return made


def items_at(language: "PythonLanguage", held: Value, keys: Value, place: Frame) -> Value:
    """`held[key]`; where the key is not known, anything that is in it."""
    pairs = [(option, key) for option in options(held) for key in options(keys)]
    return either(item(language, option, key, place) for option, key in pairs)


def item(language: "PythonLanguage", of: Value, key: Value, place: Frame) -> Value:
    """The same for one value and one key."""
    match of:
        case Entries(entries=entries, rest=rest):
            if isinstance(key, Text):
                return entries.get(key.value) or rest or UNKNOWN
            return same_or_unknown([*entries.values(), *(() if rest is None else (rest,))])
        case Items(items=items, rest=rest):
            if isinstance(key, Text) and isinstance(key.value, int) and rest is None:
                return items[key.value] if -len(items) <= key.value < len(items) else UNKNOWN
            return same_or_unknown([*items, *(() if rest is None else (rest,))])
        case PythonClass() if of.is_enumeration and isinstance(key, Text):
            return same_or_unknown([each for each in members(of) if each.fields["name"] == key])
        case ProjectObject():
            method = language.attribute(of, "__getitem__", place)
            if not isinstance(first(method), Unknown):
                return language.call(method, CallArguments([key], place=place))
            return same_or_unknown(field_values(of))
        case Unknown(path=path):
            # `Optional[LoginPage]`, `list[str]`: nothing is known of it; of `os.environ[...]` neither.
            return Unknown(f"{path}.[]")
        case _:
            return UNKNOWN


def first(value: Value) -> Value:
    return value.options[0] if isinstance(value, Choice) else value


def field_values(record: ProjectObject) -> list[Value]:
    """Of a record, in sequence: what `name, password = user` takes apart."""
    of = class_of(record)
    defaults = {name: value for ancestor in reversed(of.ancestors) for name, value in ancestor.statics.items()}
    return [record.fields.get(name) or defaults.get(name) or UNKNOWN for name in of.field_names]


def texts_within(language: "PythonLanguage", value: Value) -> list[str]:
    """Every text within, however deep; the keys of dicts are names of fields, not texts."""
    found: list[str] = []
    seen: set[int] = set()
    waiting = list(options(value))
    while waiting and len(found) < _MOST_TEXTS and len(seen) < _MOST_TEXTS:
        at = waiting.pop(0)
        is_new = id(at) not in seen
        match at:
            case Text(is_text=True, text=text):
                found.append(text)
            case PartialText(parts=parts):
                found.extend(significant_parts(parts))
            case Items(items=items) if is_new:
                waiting.extend(each for one in items for each in options(one))
            case Entries(entries=entries) if is_new:
                waiting.extend(each for one in entries.values() for each in options(one))
            case ProjectObject() if is_new and class_of(at).is_enumeration:
                waiting.extend(options(at.fields["value"]) if "value" in at.fields else ())
            case ProjectObject() if is_new:
                waiting.extend(each for one in field_values(at) for each in options(one))
        seen.add(id(at))
    language.machine.spend(len(seen) // _AT_ONCE)
    return found
