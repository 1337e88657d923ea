"""Which values a parametrised test gets: found by the case in the brackets of its name, or else all of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.values import UNKNOWN, CallArguments, Items, ProjectObject, Text, Value, options
from unknot.web.readers.python.containers import elements
from unknot.web.readers.python.lowering import written
from unknot.web.readers.python.values import Mark, PythonClass, PythonFunction, class_of, same_or_unknown, texts_of

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_MOST_FITS = 200
_MOST_TRIED = 100_000


@dataclass(frozen=True, slots=True)
class ParameterSet:
    """One set of arguments; `ids` are the ways in which pytest may write it."""

    ids: tuple[str, ...]
    arguments: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Parameters:
    """What one `parametrize` or one fixture with `params` can be. `indirect` are names of fixtures that get theirs by
    `request.param`."""

    names: tuple[str, ...]
    sets: tuple[ParameterSet, ...]
    indirect: frozenset[str] = field(default=frozenset())
    line: int = 0

    def joined(self, sets: Sequence[ParameterSet]) -> dict[str, Value]:
        return {name: same_or_unknown([each.arguments[name] for each in sets]) for name in self.names}


def of_mark(language: "PythonLanguage", mark: Mark, place: Frame) -> Parameters:
    """`@pytest.mark.parametrize(names, values, indirect=…, ids=…)`."""
    given = CallArguments(mark.positional, mark.keywords, place=place)
    names = _names(language, given.get(0, "argnames"))
    sets = _sets(language, names, given.get(1, "argvalues"), given.get(3, "ids"), place)
    return Parameters(names, sets, _indirect(language, names, given.get(2, "indirect")), mark.line)


def of_fixture(language: "PythonLanguage", name: str, mark: Mark, place: Frame) -> Parameters | None:
    """`@pytest.fixture(params=…)`."""
    values = mark.keywords.get("params")
    if values is None:
        return None
    return Parameters(
        (name,), _sets(language, (name,), values, mark.keywords.get("ids"), place), frozenset({name}), mark.line
    )


def _sets(
    language: "PythonLanguage", names: tuple[str, ...], values: Value | None, ids: Value | None, place: Frame
) -> tuple[ParameterSet, ...]:
    rows = [] if values is None else elements(language, values)[0]
    sets = [_set(language, names, row, number) for number, row in enumerate(rows)]
    return tuple(_numbered(_with_ids(language, sets, ids, place)))


def fitting(several: Sequence[Parameters], case: str) -> list[Sequence[ParameterSet]]:
    """For each of them the sets that the id may mean: those of a reading that explains most of it; where there is
    none, each by itself; and all where none fits."""
    known = [(place, each) for place, each in enumerate(several) if each.sets]
    chosen: list[Sequence[ParameterSet]] = [each.sets for each in several]
    readings = list(islice(_readings([each for _, each in known], case), _MOST_FITS))
    longest = max((length for length, _ in readings), default=0)
    best = [sets for length, sets in readings if length == longest]
    for number, (place, each) in enumerate(known):
        alone = [one for one in each.sets if any(f"-{one_id}-" in f"-{case}-" for one_id in one.ids)]
        together = [sets[number] for sets in best]
        chosen[place] = list({id(one): one for one in together or alone}.values()) or each.sets
    return chosen


def _readings(several: Sequence[Parameters], case: str) -> Iterator[tuple[int, tuple[ParameterSet, ...]]]:
    """Every way to read part of the id as one set of each, one after another, with the length of that part."""
    starts = [0, *(place + 1 for place, letter in enumerate(case) if letter == "-")]
    waiting: list[tuple[int, int, tuple[ParameterSet, ...]]] = [(start, start, ()) for start in reversed(starts)]
    tried = 0
    while waiting and tried < _MOST_TRIED:
        start, end, chosen = waiting.pop()
        if len(chosen) == len(several):
            yield end - start, chosen
            continue
        for one in several[len(chosen)].sets:
            tried += 1
            ends = [end + len(each) + 1 for each in one.ids if f"{case[end:]}-".startswith(f"{each}-")]
            waiting.extend((start, each, (*chosen, one)) for each in ends)


def _names(language: "PythonLanguage", value: Value | None) -> tuple[str, ...]:
    texts = texts_of(value)
    if texts or value is None:
        return tuple(name.strip() for name in (texts or [""])[0].split(",") if name.strip())
    return tuple(name for each in elements(language, value)[0] for name in texts_of(each))


def _indirect(language: "PythonLanguage", names: tuple[str, ...], value: Value | None) -> frozenset[str]:
    if isinstance(value, Text) and isinstance(value.scalar, bool):
        return frozenset(names) if value.scalar else frozenset()
    return frozenset(_names(language, value))


def _set(language: "PythonLanguage", names: tuple[str, ...], row: Value, number: int) -> ParameterSet:
    param = next((each for each in options(row) if isinstance(each, Mark) and each.name == "param"), None)
    if param is not None:
        values, own = param.positional, texts_of(param.keywords.get("id"))
    else:
        values, own = [row] if len(names) == 1 else elements(language, row)[0], []
    arguments = {name: values[at] if at < len(values) else UNKNOWN for at, name in enumerate(names)}
    id_written = "-".join(_written(arguments[name], name, number) for name in names)
    return ParameterSet(tuple(own) or (id_written,), arguments)


def _written(value: Value, name: str, number: int) -> str:
    """As pytest writes a value that has no id of its own."""
    match value:
        case Text(is_text=True, text=text):
            return text.encode("unicode_escape").decode("ascii")
        case Text(scalar=scalar) if not isinstance(scalar, bytes):
            return written(scalar)
        case ProjectObject() if class_of(value).is_enumeration:
            return f"{class_of(value).name}.{''.join(texts_of(value.fields['name']))}"
        case PythonClass() | PythonFunction():
            return value.name.rpartition(".")[2]
        case _:
            return f"{name}{number}"


def _with_ids(
    language: "PythonLanguage", sets: list[ParameterSet], ids: Value | None, place: Frame
) -> list[ParameterSet]:
    """`ids=` is a list of texts, or a function of the value."""
    if ids is None:
        return sets
    if all(isinstance(option, Items) for option in options(ids)):
        given = [texts_of(each) for each in elements(language, ids)[0]]
        given += [[]] * (len(sets) - len(given))
        pairs = zip(sets, given, strict=False)
        return [ParameterSet(tuple(own), each.arguments) if own else each for each, own in pairs]
    made = []
    for each in sets:
        parts = [language.call(ids, CallArguments([value], place=place)) for value in each.arguments.values()]
        ids_written = [texts_of(part) for part in parts]
        is_known = all(ids_written)
        made.append(ParameterSet(("-".join(text[0] for text in ids_written),), each.arguments) if is_known else each)
    return made


def _numbered(sets: list[ParameterSet]) -> Iterator[ParameterSet]:
    """Of sets with the same id, pytest numbers each."""
    seen: dict[str, int] = {}
    ids = [each.ids[0] for each in sets]
    counts = Counter(ids)
    for each, name in zip(sets, ids, strict=True):
        if counts[name] == 1:
            yield each
            continue
        number = seen[name] = seen.get(name, -1) + 1
        yield ParameterSet((f"{name}{number}", f"{name}_{number}"), each.arguments)
