"""Python's own functions, as far as it is known what they give. Each answers None where it does not know."""

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from unknot.web.readers.python import data_files, texts
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.things import (
    UNKNOWN,
    Constant,
    Instance,
    Keyed,
    Known,
    Listed,
    ProjectClass,
    Values,
    constants,
    joined,
    listed,
    texts_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

Answer = Callable[["Interpreter", Arguments], Values | None]

_MOST_NUMBERS = 1_000


def _text(_reader: "Interpreter", given: Arguments) -> Values | None:
    return texts.put_together([given.positional[0]]) if given.positional else constants("")


def _number(_reader: "Interpreter", given: Arguments) -> Values | None:
    values = given.positional[0] if given.positional else ()
    known = [each.value for each in values if isinstance(each, Known)]
    if len(known) == 1 and isinstance(known[0], int):
        return values
    if len(known) == 1 and isinstance(known[0], str) and known[0].isdecimal() and len(known[0]) < 15:
        return constants(int(known[0]))
    return None


def _list(reader: "Interpreter", given: Arguments) -> Values | None:
    if not given.positional:
        return (Listed([]),)
    found, is_whole = elements(reader, given.positional[0])
    return (Listed(found, () if is_whole else UNKNOWN),)


def _numbered(reader: "Interpreter", given: Arguments) -> Values | None:
    if not given.positional:
        return None
    start = [each.value for each in given.get(1, "start") or constants(0) if isinstance(each, Known)]
    first = start[0] if start and isinstance(start[0], int) else 0
    found, is_whole = elements(reader, given.positional[0])
    pairs = [listed([constants(number), each]) for number, each in enumerate(found, first)]
    return (Listed(pairs, () if is_whole else listed([UNKNOWN, UNKNOWN])),)


def _paired(reader: "Interpreter", given: Arguments) -> Values | None:
    columns = [elements(reader, each) for each in given.positional]
    is_whole = all(whole for _, whole in columns)
    rows = [listed(row) for row in zip(*(found for found, _ in columns), strict=False)]
    return (Listed(rows, () if is_whole else listed([UNKNOWN for _ in columns])),)


def _range(_reader: "Interpreter", given: Arguments) -> Values | None:
    bounds = [each.value for values in given.positional for each in values if isinstance(each, Known)]
    numbers = [each for each in bounds if isinstance(each, int)]
    if (
        not numbers
        or len(numbers) != len(given.positional)
        or len(numbers) > 3
        or (len(numbers) == 3 and not numbers[2])
    ):
        return None
    return (Listed([constants(each) for each in islice(range(*numbers), _MOST_NUMBERS)]),)


def _dict(reader: "Interpreter", given: Arguments) -> Values | None:
    entries: dict[Constant, Values] = {}
    for thing in given.positional[0] if given.positional else ():
        if not isinstance(thing, Keyed):
            return None
        entries |= reader.heap.entries(thing)
    entries.update(given.keywords.items())
    return (Keyed(entries, UNKNOWN if given.is_open else ()),)


def _attribute(reader: "Interpreter", given: Arguments) -> Values | None:
    names = texts_of(given.positional[1]) if len(given.positional) > 1 else []
    if len(names) != 1:
        return None
    return joined(*(reader.attribute(thing, names[0], given.place) for thing in given.positional[0]))


def _set_attribute(reader: "Interpreter", given: Arguments) -> Values | None:
    if len(given.positional) == 3:
        for thing in given.positional[0]:
            for name in texts_of(given.positional[1]):
                if isinstance(thing, Instance | ProjectClass):
                    reader.heap.set_attribute(thing, name, given.positional[2])
    return constants(None)


def _type(_reader: "Interpreter", given: Arguments) -> Values | None:
    if len(given.positional) != 1:
        return None
    return tuple(each.of for each in given.positional[0] if isinstance(each, Instance)) or None


def any_of(reader: "Interpreter", given: Arguments) -> Values | None:
    """`random.choice`, `next`: any of the elements."""
    found, is_whole = elements(reader, given.positional[0]) if given.positional else ([], False)
    return joined(*found, () if is_whole else UNKNOWN) or None


def _mapped(reader: "Interpreter", given: Arguments) -> Values | None:
    if len(given.positional) != 2:
        return None
    found, is_whole = elements(reader, given.positional[1])
    results = [reader.call(given.positional[0], Arguments(given.place, [each])) for each in found]
    return (Listed(results, () if is_whole else UNKNOWN),)


def _open(reader: "Interpreter", given: Arguments) -> Values | None:
    return data_files.opened_by_name(reader, given.get(0, "file") or UNKNOWN)


BUILTINS: dict[str, Answer] = {
    "builtins.str": _text,
    "builtins.int": _number,
    "builtins.list": _list,
    "builtins.tuple": _list,
    "builtins.set": _list,
    "builtins.frozenset": _list,
    "builtins.sorted": _list,
    "builtins.reversed": _list,
    "builtins.iter": _list,
    "builtins.enumerate": _numbered,
    "builtins.zip": _paired,
    "builtins.range": _range,
    "builtins.dict": _dict,
    "builtins.getattr": _attribute,
    "builtins.setattr": _set_attribute,
    "builtins.type": _type,
    "builtins.map": _mapped,
    "builtins.next": any_of,
    "builtins.open": _open,
}
