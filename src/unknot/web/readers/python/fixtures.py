"""Fixtures, marks and cases: which function a name means for a test, what it gives, and which values a parametrised
test gets, found by the case in the brackets of its name, or else all of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.python import calls
from unknot.web.readers.python.lowering import written
from unknot.web.readers.python.project import PythonProject
from unknot.web.readers.python.values import (
    NONE,
    FixtureRequest,
    Mark,
    PythonClass,
    PythonFunction,
    PythonModule,
    class_of,
    constant,
    texts_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_MOST_FITS = 200
_MOST_TRIED = 100_000


@dataclass(frozen=True, slots=True)
class ParameterSet:
    """One set of arguments; `ids` are the ways in which pytest may write it."""

    ids: tuple[str, ...]
    arguments: dict[str, v.Value]


@dataclass(frozen=True, slots=True)
class Parameters:
    """What one `parametrize` or one fixture with `params` can be. `indirect` names fixtures that get their value by
    `request.param`."""

    names: tuple[str, ...]
    sets: tuple[ParameterSet, ...]
    indirect: frozenset[str] = field(default=frozenset())
    line: int = 0

    def joined(self, sets: Sequence[ParameterSet]) -> dict[str, v.Value]:
        return {name: v.either([each.arguments[name] for each in sets]) for name in self.names}


def of_mark(language: "PythonLanguage", mark: Mark, place: Frame) -> Parameters:
    """`@pytest.mark.parametrize(names, values, indirect=…, ids=…)`."""
    given = v.CallArguments(mark.positional, mark.keywords, place=place)
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
    language: "PythonLanguage", names: tuple[str, ...], values: v.Value | None, ids: v.Value | None, place: Frame
) -> tuple[ParameterSet, ...]:
    rows = [] if values is None else language.elements(values)[0]
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


def _names(language: "PythonLanguage", value: v.Value | None) -> tuple[str, ...]:
    texts = texts_of(value)
    if texts or value is None:
        return tuple(name.strip() for name in (texts or [""])[0].split(",") if name.strip())
    return tuple(name for each in language.elements(value)[0] for name in texts_of(each))


def _indirect(language: "PythonLanguage", names: tuple[str, ...], value: v.Value | None) -> frozenset[str]:
    if isinstance(value, v.Text) and isinstance(value.scalar, bool):
        return frozenset(names) if value.scalar else frozenset()
    return frozenset(_names(language, value))


def _set(language: "PythonLanguage", names: tuple[str, ...], row: v.Value, number: int) -> ParameterSet:
    param = next((each for each in v.options(row) if isinstance(each, Mark) and each.name == "param"), None)
    if param is not None:
        values, own = param.positional, texts_of(param.keywords.get("id"))
    else:
        values, own = [row] if len(names) == 1 else language.elements(row)[0], []
    arguments = {name: values[at] if at < len(values) else v.UNKNOWN for at, name in enumerate(names)}
    id_written = "-".join(_written(arguments[name], name, number) for name in names)
    return ParameterSet(tuple(own) or (id_written,), arguments)


def _written(value: v.Value, name: str, number: int) -> str:
    """As pytest writes a value that has no id of its own."""
    match value:
        case v.Text(is_text=True, text=text):
            return text.encode("unicode_escape").decode("ascii")
        case v.Text(scalar=scalar) if not isinstance(scalar, bytes):
            return written(scalar)
        case v.ProjectObject() if class_of(value).is_enumeration:
            return f"{class_of(value).name}.{''.join(texts_of(value.fields['name']))}"
        case PythonClass() | PythonFunction():
            return value.name.rpartition(".")[2]
        case _:
            return f"{name}{number}"


def _with_ids(
    language: "PythonLanguage", sets: list[ParameterSet], ids: v.Value | None, place: Frame
) -> list[ParameterSet]:
    """`ids=` is a list of texts, or a function of the value."""
    if ids is None:
        return sets
    if all(isinstance(option, v.Items) for option in v.options(ids)):
        given = [texts_of(each) for each in language.elements(ids)[0]]
        given += [[]] * (len(sets) - len(given))
        pairs = zip(sets, given, strict=False)
        return [ParameterSet(tuple(own), each.arguments) if own else each for each, own in pairs]
    made = []
    for each in sets:
        parts = [language.call(ids, v.CallArguments([value], place=place)) for value in each.arguments.values()]
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


_BROWSERS = frozenset({"page", "browser", "context", "driver", "web_driver", "webdriver", "selenium"})
"""Names of the fixtures of browser plugins."""

_MAKERS = ("fixture", "yield_fixture")
_MOST_PLUGINS = 50


@dataclass(frozen=True, slots=True)
class Fixture:
    """A function with the arguments of its decorator."""

    name: str
    function: PythonFunction
    mark: Mark

    @property
    def is_automatic(self) -> bool:
        return self.mark.keywords.get("autouse") == constant(True)


def declared_fixture(value: v.Value, name: str) -> Fixture | None:
    """The fixture that a name of a module or class stands for."""
    for function in (option for option in v.options(value) if isinstance(option, PythonFunction)):
        for each in (option for decorator in function.decorators for option in v.options(decorator)):
            if isinstance(each, Mark) and each.name in _MAKERS:
                own = texts_of(each.keywords.get("name"))
                return Fixture(own[0] if own else name, function, each)
            if isinstance(each, v.Unknown) and each.last in _MAKERS:
                return Fixture(name, function, Mark("fixture", [], {}))
    return None


@dataclass(slots=True)
class FixtureValues:
    """The fixtures that one test can use, nearest first: those of its class, its file, the conftest files above it, and
    the plugins that these name. Each is made once. `given` is what the test's case puts in the place of fixtures."""

    language: "PythonLanguage"
    levels: list[dict[str, Fixture]]
    params: dict[str, v.Value] = field(default_factory=dict)
    given: dict[str, v.Value] = field(default_factory=dict)
    _made: dict[PythonFunction, v.Value] = field(default_factory=dict)
    _being_made: list[PythonFunction] = field(default_factory=list)

    def automatic(self) -> list[str]:
        """Those that every test gets, outermost first."""
        fixtures = (each for level in reversed(self.levels) for each in level.values())
        return list(dict.fromkeys(each.name for each in fixtures if each.is_automatic))

    def get(self, name: str) -> v.Value:
        """What a parameter of this name gets. A fixture with a parameter of its own name gets the one farther out."""
        if name == "request":
            return FixtureRequest(self._param())
        if name in self.given:
            return self.given[name]
        for fixture in self.called(name):
            if fixture.function not in self._being_made:
                return self._value(fixture)
        if name in _BROWSERS:
            return v.BROWSER
        return v.Unknown("sb") if name == "sb" else v.UNKNOWN

    def called(self, name: str) -> list[Fixture]:
        return [level[name] for level in self.levels if name in level]

    def needed(self, names: list[str]) -> list[str]:
        """With all that they need in turn."""
        found: dict[str, None] = {}
        waiting = list(names)
        while waiting:
            name = waiting.pop(0)
            if name not in found:
                found[name] = None
                for fixture in self.called(name)[:1]:
                    waiting.extend(fixture.function.code.required)
        return list(found)

    def _param(self) -> v.Value:
        """Of the fixture that is being made."""
        if not self._being_made:
            return v.UNKNOWN
        making = self._being_made[-1]
        names = [name for level in self.levels for name, each in level.items() if each.function is making]
        return next((self.params[name] for name in names if name in self.params), v.UNKNOWN)

    def _value(self, fixture: Fixture) -> v.Value:
        if fixture.function in self._made:
            return self._made[fixture.function]
        self._being_made.append(fixture.function)
        try:
            self._made[fixture.function] = value = self._new(fixture.function)
        finally:
            self._being_made.pop()
        return value

    def _new(self, function: PythonFunction) -> v.Value:
        names = function.code.required
        given = v.CallArguments(place=Frame(function.code.file, function.code.line, ""))
        if function.owner is not None and names:
            given.keywords[names[0]] = self.language.test_object
            names = names[1:]
        given.keywords |= {name: self.get(name) for name in names}
        at = calls.activation(self.language, function, given)
        if at is None:
            return v.UNKNOWN
        calls.run(self.language, function, at)
        values = at.yielded or at.returned
        return v.either(values) if values else NONE


class FixtureCatalogue:
    """The fixtures that each module declares or imports, and the cases of each mark: looked up once for all tests."""

    def __init__(self, language: "PythonLanguage") -> None:
        self._language = language
        self._fixtures: dict[PythonModule, dict[str, Fixture]] = {}
        self._parameters: dict[Mark, Parameters | None] = {}

    def parameters(self, mark: Mark, place: Frame) -> Parameters | None:
        """Of `@pytest.mark.parametrize`; None for any other mark."""
        if mark not in self._parameters:
            is_known = mark.name == "parametrize"
            with self._language.silent():
                self._parameters[mark] = of_mark(self._language, mark, place) if is_known else None
        return self._parameters[mark]

    def parametrised(self, values: FixtureValues, names: list[str], place: Frame) -> list[Parameters]:
        """The fixtures with `params` among those that a test needs."""
        found = []
        for name in values.needed(names):
            for fixture in values.called(name)[:1]:
                if fixture.mark not in self._parameters:
                    with self._language.silent():
                        self._parameters[fixture.mark] = of_fixture(self._language, name, fixture.mark, place)
                found.append(self._parameters[fixture.mark])
        return [each for each in found if each is not None]

    def levels(self, module: PythonModule, test_object: v.Value) -> list[dict[str, Fixture]]:
        """Where a test of the module looks for fixtures, nearest first."""
        objects = [option for option in v.options(test_object) if isinstance(option, v.ProjectObject)]
        found = [_fixtures(ancestor.statics) for each in objects for ancestor in class_of(each).ancestors]
        found.extend(self._in_module(each) for each in self.modules(module))
        return [level for level in found if level]

    def modules(self, module: PythonModule) -> list[PythonModule]:
        """The module itself, the conftest files above it, and the plugins that these name."""
        with self._language.silent():
            near = [module, *_conftests(self._language.project, module)]
            for each in near:
                self._language.load(each)
            return [*near, *(plugin for each in near for plugin in _plugins(self._language, each))]

    def _in_module(self, module: PythonModule) -> dict[str, Fixture]:
        if module not in self._fixtures:
            with self._language.silent():
                self._language.load(module)
                names = list(module.scope.names.items())
                self._fixtures[module] = _fixtures({name: self._language.resolve(value) for name, value in names})
        return self._fixtures[module]


def _fixtures(names: Mapping[str, v.Value]) -> dict[str, Fixture]:
    fixtures = [declared_fixture(value, name) for name, value in names.items()]
    return {each.name: each for each in fixtures if each is not None}


def _conftests(project: PythonProject, module: PythonModule) -> Iterator[PythonModule]:
    parts = module.directory.split("/") if module.directory else []
    for size in range(len(parts), -1, -1):
        found = project.module("/".join([*parts[:size], "conftest.py"]))
        if found is not None and found is not module:
            yield found


def _plugins(language: "PythonLanguage", module: PythonModule) -> Iterator[PythonModule]:
    """Those that `pytest_plugins` names."""
    named = module.scope.names.get("pytest_plugins")
    if named is None:
        return
    names = texts_of(named) or [name for each in language.elements(named)[0] for name in texts_of(each)]
    for name in names[:_MOST_PLUGINS]:
        plugin = language.project.imported(module, name, 0)
        if plugin is not None:
            yield plugin


def marks(
    language: "PythonLanguage", module: PythonModule, owners: list[PythonClass], function: PythonFunction
) -> list[Mark]:
    """Those of a test, its classes and its module: nearest first, as pytest writes their cases into its name."""
    found = _marks(language, list(reversed(function.decorators)))
    for owner in reversed(owners):
        for ancestor in owner.ancestors:
            found += _marks(language, [*reversed(ancestor.decorators), ancestor.statics.get("pytestmark")])
    return found + _marks(language, [module.scope.names.get("pytestmark")])


def _marks(language: "PythonLanguage", decorators: list[v.Value | None]) -> list[Mark]:
    found = []
    for value in (value for value in decorators if value is not None):
        inner = [option for each in language.elements(value)[0] for option in v.options(each)]
        found += [option for option in (*v.options(value), *inner) if isinstance(option, Mark)]
    return found


def named_fixtures(found: list[Mark]) -> list[str]:
    """Those that `usefixtures` names."""
    return [name for mark in found if mark.name == "usefixtures" for each in mark.positional for name in texts_of(each)]
