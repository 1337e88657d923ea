"""What is in lists, dicts and classes of constants."""

from typing import TYPE_CHECKING

from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.speech import Place, telling_parts
from unknot.web.readers.python.things import (
    UNKNOWN,
    Foreign,
    Function,
    Instance,
    Keyed,
    Known,
    Listed,
    Partly,
    ProjectClass,
    Thing,
    Values,
    constants,
    joined,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_MOST_TEXTS = 1_000
_AT_ONCE = 10
"""So many things are gone through in the time of one step."""

_LONGEST_SPELLED = 50
"""Nobody types a text letter by letter that is longer."""


def elements(reader: "Interpreter", values: Values) -> tuple[list[Values], bool]:
    """What a loop over it gets, in turn, and whether that is all."""
    found: list[Values] = []
    is_whole = True
    for thing in values:
        match thing:
            case Listed():
                found.extend(reader.heap.items(thing))
                if thing.rest:
                    found.append(thing.rest)
                    is_whole = is_whole and thing.rest != UNKNOWN
            case Keyed():
                found.extend(constants(key) for key in reader.heap.entries(thing))
                is_whole = is_whole and not thing.rest
            case Known(value=str() as text) if len(text) <= _LONGEST_SPELLED:
                found.extend(constants(letter) for letter in text)
            case ProjectClass() if thing.is_enumeration:
                found.extend((member,) for member in members(thing))
            case Instance():
                found.extend(_fields(reader, thing))
            case _:
                is_whole = False
    reader.spend(len(found) // _AT_ONCE)
    return found, is_whole


def members(enumeration: ProjectClass) -> list[Instance]:
    """Of an enumeration; the same objects every time."""
    made: list[Instance] = []
    for ancestor in enumeration.line_of_descent:
        for name, values in ancestor.contents.items():
            if not name.startswith("_") and not any(isinstance(thing, Function) for thing in values):
                member = Instance(enumeration, {"name": constants(name), "value": values})
                made.append(enumeration.members.setdefault(name, member))
    return made


def items_at(reader: "Interpreter", held: Values, keys: Values, place: Place) -> Values:
    """`held[key]`; where the key is not known, anything that is in it."""
    return joined(*(_item(reader, thing, key, place) for thing in held for key in keys)) or UNKNOWN


def _item(reader: "Interpreter", thing: Thing, key: Thing, place: Place) -> Values:
    match thing:
        case Keyed():
            entries = reader.heap.entries(thing)
            if isinstance(key, Known):
                return entries.get(key.value) or thing.rest or UNKNOWN
            return joined(*entries.values(), thing.rest) or UNKNOWN
        case Listed():
            items = reader.heap.items(thing)
            if isinstance(key, Known) and isinstance(key.value, int) and not thing.rest:
                return items[key.value] if -len(items) <= key.value < len(items) else UNKNOWN
            return joined(*items, thing.rest) or UNKNOWN
        case ProjectClass() if thing.is_enumeration and isinstance(key, Known):
            return tuple(each for each in members(thing) if each.contents["name"] == (key,)) or UNKNOWN
        case Instance():
            method = reader.attribute(thing, "__getitem__", place)
            if not isinstance(method[0], Foreign):
                return reader.call(method, Arguments(place, [(key,)]))
            fields = _fields(reader, thing)
            return joined(*fields) or UNKNOWN
        case Foreign(path=path):
            # `Optional[LoginPage]`, `list[str]`: nothing is known of it; of `os.environ[...]` neither.
            return (Foreign(f"{path}.[]"),)
        case _:
            return UNKNOWN


def _fields(reader: "Interpreter", instance: Instance) -> list[Values]:
    """Of a record, in sequence: what `name, password = user` takes apart."""
    names = [name for ancestor in reversed(instance.of.line_of_descent) for name in ancestor.fields]
    held = reader.heap.attributes(instance)
    defaults = {name: v for a in reversed(instance.of.line_of_descent) for name, v in a.contents.items()}
    return [held.get(name) or defaults.get(name) or UNKNOWN for name in dict.fromkeys(names)]


def laid_out(reader: "Interpreter", values: Values) -> list[str]:
    """Every text within, however deep; the keys of dicts are names of fields, not texts."""
    found: list[str] = []
    seen: set[int] = set()
    waiting = list(values)
    while waiting and len(found) < _MOST_TEXTS and len(seen) < _MOST_TEXTS:
        thing = waiting.pop(0)
        match thing:
            case Known(value=str() as text):
                found.append(text)
            case Partly(parts=parts):
                found.extend(telling_parts(parts))
            case Listed() if id(thing) not in seen:
                waiting.extend(each for item in reader.heap.items(thing) for each in item)
            case Keyed() if id(thing) not in seen:
                waiting.extend(each for item in reader.heap.entries(thing).values() for each in item)
            case Instance() if id(thing) not in seen and thing.of.is_enumeration:
                waiting.extend(thing.contents.get("value", ()))
            case Instance() if id(thing) not in seen:
                waiting.extend(each for field in _fields(reader, thing) for each in field)
        seen.add(id(thing))
    reader.spend(len(seen) // _AT_ONCE)
    return found
