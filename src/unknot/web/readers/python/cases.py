"""Which values a parametrised test gets: found by the case in the brackets of its name, or else all of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.texts import as_text
from unknot.web.readers.python.things import (
    UNKNOWN,
    Function,
    Instance,
    Known,
    Listed,
    Mark,
    ProjectClass,
    Thing,
    Values,
    constants,
    joined,
    texts_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_MOST_FITS = 200
_MOST_TRIED = 100_000


@dataclass(frozen=True, slots=True)
class Case:
    """One set of arguments; `ids` are the ways in which pytest may write it."""

    ids: tuple[str, ...]
    arguments: dict[str, Values]


@dataclass(frozen=True, slots=True)
class Parameters:
    """What one `parametrize` or one fixture with `params` can be. `indirect` are names of fixtures that get theirs by
    `request.param`."""

    names: tuple[str, ...]
    cases: tuple[Case, ...]
    indirect: frozenset[str] = field(default=frozenset())
    line: int = 0

    def joined(self, cases: Sequence[Case]) -> dict[str, Values]:
        return {name: joined(*(each.arguments[name] for each in cases)) or UNKNOWN for name in self.names}


def of_mark(reader: "Interpreter", mark: Mark, place: Place) -> Parameters:
    """`@pytest.mark.parametrize(names, values, indirect=…, ids=…)`."""
    given = Arguments(place, mark.positional, mark.keywords)
    names = _names(reader, given.get(0, "argnames") or ())
    rows = elements(reader, given.get(1, "argvalues") or ())[0]
    cases = [_case(reader, names, row, number) for number, row in enumerate(rows)]
    cases = _with_ids(reader, cases, given.get(3, "ids"), place)
    return Parameters(names, tuple(_told_apart(cases)), _indirect(reader, names, given.get(2, "indirect")), mark.line)


def of_fixture(reader: "Interpreter", name: str, mark: Mark, place: Place) -> Parameters | None:
    """`@pytest.fixture(params=…)`."""
    values = mark.keywords.get("params")
    if values is None:
        return None
    rows = elements(reader, values)[0]
    cases = [_case(reader, (name,), row, number) for number, row in enumerate(rows)]
    cases = _with_ids(reader, cases, mark.keywords.get("ids"), place)
    return Parameters((name,), tuple(_told_apart(cases)), frozenset({name}), mark.line)


def fitting(several: Sequence[Parameters], case: str) -> list[Sequence[Case]]:
    """For each of them the cases that the id may mean: those of a reading that explains most of it; where there is
    none, each by itself; and all where none fits."""
    known = [(place, each) for place, each in enumerate(several) if each.cases]
    chosen: list[Sequence[Case]] = [each.cases for each in several]
    readings = list(islice(_readings([each for _, each in known], case), _MOST_FITS))
    longest = max((length for length, _ in readings), default=0)
    best = [cases for length, cases in readings if length == longest]
    for number, (place, each) in enumerate(known):
        alone = [one for one in each.cases if any(f"-{one_id}-" in f"-{case}-" for one_id in one.ids)]
        together = [cases[number] for cases in best]
        chosen[place] = list({id(one): one for one in together or alone}.values()) or each.cases
    return chosen


def _readings(several: Sequence[Parameters], case: str) -> Iterator[tuple[int, tuple[Case, ...]]]:
    """Every way to read part of the id as one case of each, one after another, with the length of that part."""
    starts = [0, *(place + 1 for place, letter in enumerate(case) if letter == "-")]
    waiting: list[tuple[int, int, tuple[Case, ...]]] = [(start, start, ()) for start in reversed(starts)]
    tried = 0
    while waiting and tried < _MOST_TRIED:
        start, end, chosen = waiting.pop()
        if len(chosen) == len(several):
            yield end - start, chosen
            continue
        for one in several[len(chosen)].cases:
            tried += 1
            ends = [end + len(each) + 1 for each in one.ids if f"{case[end:]}-".startswith(f"{each}-")]
            waiting.extend((start, each, (*chosen, one)) for each in ends)


def _names(reader: "Interpreter", values: Values) -> tuple[str, ...]:
    texts = texts_of(values)
    if texts:
        return tuple(name.strip() for name in texts[0].split(",") if name.strip())
    return tuple(name for each in elements(reader, values)[0] for name in texts_of(each))


def _indirect(reader: "Interpreter", names: tuple[str, ...], values: Values | None) -> frozenset[str]:
    if values == constants(True):
        return frozenset(names)
    return frozenset(_names(reader, values)) if values and values != constants(False) else frozenset()


def _case(reader: "Interpreter", names: tuple[str, ...], row: Values, number: int) -> Case:
    param = next((thing for thing in row if isinstance(thing, Mark) and thing.name == "param"), None)
    if param is not None:
        values = param.positional
        own = texts_of(param.keywords.get("id", ()))
    else:
        values = [row] if len(names) == 1 else elements(reader, row)[0]
        own = []
    arguments = {name: values[at] if at < len(values) else UNKNOWN for at, name in enumerate(names)}
    written = "-".join(_written(arguments[name], name, number) for name in names)
    return Case(tuple(own) or (written,), arguments)


def _written(values: Values, name: str, number: int) -> str:
    """As pytest writes a value that has no id of its own."""
    thing: Thing | None = values[0] if len(values) == 1 else None
    match thing:
        case Known(value=str() as text):
            return text.encode("unicode_escape").decode("ascii")
        case Known(value=bytes()):
            return f"{name}{number}"
        case Known(value=value):
            return as_text(value)
        case Instance() if thing.of.is_enumeration:
            return f"{thing.of.name}.{''.join(texts_of(thing.contents['name']))}"
        case ProjectClass() | Function():
            return thing.name.rpartition(".")[2]
        case _:
            return f"{name}{number}"


def _with_ids(reader: "Interpreter", cases: list[Case], ids: Values | None, place: Place) -> list[Case]:
    """`ids=` is a list of texts, or a function of the value."""
    if not ids:
        return cases
    if all(isinstance(thing, Listed) for thing in ids):
        given = elements(reader, ids)[0]
        return [
            Case(tuple(texts_of(given[number])) if number < len(given) else each.ids, each.arguments)
            if number < len(given) and texts_of(given[number])
            else each
            for number, each in enumerate(cases)
        ]
    made = []
    for each in cases:
        parts = [reader.call(ids, Arguments(place, [values])) for values in each.arguments.values()]
        written = [texts_of(part) for part in parts]
        made.append(Case(("-".join(text[0] for text in written),), each.arguments) if all(written) else each)
    return made


def _told_apart(cases: list[Case]) -> Iterator[Case]:
    """Of cases with the same id, pytest numbers each."""
    seen: dict[str, int] = {}
    written = [each.ids[0] for each in cases]
    counts = Counter(written)
    for each, name in zip(cases, written, strict=True):
        if counts[name] == 1:
            yield each
            continue
        number = seen[name] = seen.get(name, -1) + 1
        yield Case((f"{name}{number}", f"{name}_{number}"), each.arguments)
