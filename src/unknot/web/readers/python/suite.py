"""Which texts each test of a pytest suite submits and uses: the sets S and U of TEDD's Algorithm 1, from source."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from unknot.model.candidates import StringUse
from unknot.model.recording import Frame
from unknot.model.suite import TestId
from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.machine import Activation, with_deep_stack
from unknot.web.readers.python.calls import made_instance
from unknot.web.readers.python.fixtures import (
    FixtureCatalogue,
    FixtureValues,
    Parameters,
    fitting,
    marks,
    named_fixtures,
)
from unknot.web.readers.python.language import PythonLanguage
from unknot.web.readers.python.members import optional_method, texts_within
from unknot.web.readers.python.project import PythonProject, Read, member
from unknot.web.readers.python.values import Mark, PythonClass, PythonFunction, PythonModule

MOST_STEPS = 20_000_000
"""For all tests together: a few minutes. A suite of a thousand tests takes a tenth of it."""


def string_uses(
    tests: Sequence[TestId], read: Read, files: Collection[str], roots: Sequence[str] = ()
) -> dict[TestId, StringUse]:
    """The texts of each test, through page objects, helper functions, fixtures and parameters.

    `read` gives the text of a project file by its path from the root, with slashes; `files` are all such paths, and
    decide which imports mean the project's own code; `roots` are further directories where imports start, such as
    pytest's `pythonpath`. Tests are named by pytest's node ids from the same root.

    Guarantees: no code of the project is run or imported. It ends, whatever the code is, and never raises: what cannot
    be followed is a gap of the test. The same files give the same answer, and tests do not change each other's.
    Assumes that decorators change nothing. A text that is not known adds nothing, and is no gap.
    Cost: each file is parsed once; a test takes about as many steps as it would take Python, and at most 100,000. Of a
    suite that takes more than `MOST_STEPS` the last tests are not read, which is a gap.
    """
    return with_deep_stack(lambda: _string_uses(tests, PythonLanguage(PythonProject(read, files, roots))))


def _string_uses(tests: Sequence[TestId], language: PythonLanguage) -> dict[TestId, StringUse]:
    catalogue = FixtureCatalogue(language)
    found: dict[TestId, StringUse] = {}
    for test in tests:
        if language.steps_taken >= MOST_STEPS:
            found[test] = StringUse(gaps=(f"the tests before it take more than {MOST_STEPS:,} steps to follow",))
            continue
        with language.test(test) as trace:
            follow_test(language, catalogue, NodeId.of(test))
        found[test] = trace.as_use
    return found


_BEFORE_MODULE = ("setup_module", "setUpModule", "setup_function")
_BEFORE = ("setup_class", "setUpClass", "setup_method", "setup", "setUp", "asyncSetUp")
_AFTER = ("teardown_method", "teardown", "tearDown", "asyncTearDown", "teardown_class", "tearDownClass")
_AFTER_MODULE = ("teardown_function", "teardown_module", "tearDownModule")
_NUMBERED = re.compile(r"(.+?)_(\d+)(?:_.*)?")
"""What the packages parameterized and ddt make of a name: `test_add_0_alice`."""


@dataclass(frozen=True, slots=True)
class NodeId:
    """Where the code of a test is, as its id states: `path::Class::Inner::function[case]`."""

    path: str
    classes: tuple[str, ...]
    function: str
    case: str

    @classmethod
    def of(cls, test: TestId) -> "NodeId":
        path, _, inside = test.partition(".py::")
        name, bracket, case = inside.partition("[")
        *classes, function = name.split("::")
        return cls(
            f"{path}.py" if inside else path, tuple(classes), function, case.removesuffix("]") if bracket else ""
        )


@dataclass(frozen=True, slots=True)
class PythonTest:
    """A test's function, the classes around it, and the arguments that its name alone selects."""

    function: PythonFunction
    owners: list[PythonClass]
    given: list[v.Value]

    @property
    def self_count(self) -> int:
        return int(bool(self.owners) and self.function.kind != "static")


def follow_test(language: PythonLanguage, catalogue: FixtureCatalogue, node: NodeId) -> None:
    """Everything that pytest would run for the test, in that sequence."""
    module = language.project.module(node.path)
    if module is None:
        language.machine.trace.add_gap(f"{node.path} is not a Python file of the project")
        return
    language.load(module)
    test = _found(language, module, node)
    if test is None:
        if not module.gaps:
            name = ".".join((*node.classes, node.function))
            language.machine.trace.add_gap(f"{node.path}:1: {name} is not found in it")
        return
    place = Frame(module.path, test.function.code.line, "")
    _note_scenarios(language, test, place)
    if test.owners:
        made = made_instance(language, test.owners[-1], v.CallArguments(place=place))
        language.test_object = made
    for each in catalogue.modules(module):
        language.load(each)
    _run(language, catalogue, module, test, node, place)


def _run(
    language: PythonLanguage,
    catalogue: FixtureCatalogue,
    module: PythonModule,
    test: PythonTest,
    node: NodeId,
    place: Frame,
) -> None:
    fixtures = FixtureValues(language, catalogue.levels(module, language.test_object))
    language.fixture = fixtures.get
    declared = marks(language, module, test.owners, test.function)
    parameters = test.function.code.required[len(test.given) + test.self_count :]
    wanted = [*fixtures.automatic(), *named_fixtures(declared), *parameters]
    several = _parameters(catalogue, fixtures, declared, wanted, place)
    direct = _choose(language, fixtures, several, node.case, place)
    _mention_decorators(language, test)
    _call_named(language, module, _BEFORE_MODULE, place)
    for name in (*fixtures.automatic(), *named_fixtures(declared)):
        fixtures.get(name)
    _call_methods(language, _BEFORE, place)
    given = v.CallArguments([*_self(language, test), *test.given], place=place)
    given.keywords = {name: direct[name] if name in direct else fixtures.get(name) for name in parameters}
    language.call(test.function, given)
    _call_methods(language, _AFTER, place)
    _call_named(language, module, _AFTER_MODULE, place)


def _parameters(
    catalogue: FixtureCatalogue, fixtures: FixtureValues, declared: list[Mark], wanted: list[str], place: Frame
) -> list[Parameters]:
    """Those of marks, nearest first, then those of fixtures that no mark gives a value."""
    several = [each for each in (catalogue.parameters(mark, place) for mark in declared) if each is not None]
    marked = {name for each in several for name in each.names}
    needed = catalogue.parametrised(fixtures, [*wanted, *sorted(marked)], place)
    return [*several, *(each for each in needed if not marked & set(each.names))]


def _choose(
    language: PythonLanguage, fixtures: FixtureValues, several: list[Parameters], case: str, place: Frame
) -> dict[str, v.Value]:
    """The arguments that the test's case gives it directly; those for fixtures are kept with these."""
    direct: dict[str, v.Value] = {}
    for each, chosen in zip(several, fitting(several, case), strict=True):
        values = each.joined(chosen)
        direct |= {name: given for name, given in values.items() if name not in each.indirect}
        fixtures.params |= {name: given for name, given in values.items() if name in each.indirect}
        where = Frame(place.file, each.line or place.line, place.function)
        for text in (text for given in values.values() for text in texts_within(language, given)):
            language.machine.trace.uses_text(text, where)
    fixtures.given = direct
    return direct


def _found(language: PythonLanguage, module: PythonModule, node: NodeId) -> PythonTest | None:
    place = Frame(module.path, 1, "")
    owners: list[PythonClass] = []

    def named(name: str) -> tuple[v.Value, ...]:
        value = language.attribute(owners[-1], name, place) if owners else member(language, module, name)
        return () if value is None else v.options(value)

    for name in node.classes:
        inner = [option for option in named(name) if isinstance(option, PythonClass)]
        if not inner:
            return None
        owners.append(inner[0])
    for name, number in ((node.function, -1), *_numbered(node.function)):
        for option in named(name):
            if isinstance(option, PythonFunction):
                return PythonTest(option, owners, _expanded(language, option, number) if number >= 0 else [])
    return None


def _numbered(name: str) -> list[tuple[str, int]]:
    fitting_name = _NUMBERED.fullmatch(name)
    return [(fitting_name[1], int(fitting_name[2]))] if fitting_name and len(fitting_name[2]) < 6 else []


def _expanded(language: PythonLanguage, function: PythonFunction, number: int) -> list[v.Value]:
    """The arguments of that case in `@parameterized.expand([...])`, or in `@ddt.data(...)`, which counts from one."""
    decorators = [option for value in function.decorators for option in v.options(value)]
    for mark in (option for option in decorators if isinstance(option, Mark) and option.positional):
        rows = language.elements(mark.positional[0])[0] if mark.name == "expand" else [v.UNKNOWN, *mark.positional]
        row = rows[number] if number < len(rows) else v.UNKNOWN
        is_one = mark.name == "data" and v.Unknown("ddt.unpack") not in decorators
        if mark.name in ("expand", "data"):
            return [row] if is_one else language.elements(row)[0] or [row]
    return []


def _self(language: PythonLanguage, test: PythonTest) -> list[v.Value]:
    if not test.self_count:
        return []
    return [test.owners[-1]] if test.function.kind == "class" else [language.test_object]


def _call_named(language: PythonLanguage, module: PythonModule, names: tuple[str, ...], place: Frame) -> None:
    for name in names:
        if name in module.scope.names:
            function = language.resolve(module.scope.names[name])
            language.call(function, v.CallArguments(place=place, is_open=True))


def _call_methods(language: PythonLanguage, names: tuple[str, ...], place: Frame) -> None:
    for option in v.options(language.test_object):
        for name in names if isinstance(option, v.ProjectObject) else ():
            method = optional_method(language, option, (name,), place)
            if method is not None:
                language.call(method, v.CallArguments(place=place, is_open=True))


def _mention_decorators(language: PythonLanguage, test: PythonTest) -> None:
    """Their arguments count as used, but for those of marks, which are names of pytest's."""
    at = Activation(test.function.scope, test.function.code.file, "")
    for code, value in zip(test.function.code.decorators, test.function.decorators, strict=False):
        if not any(isinstance(option, Mark) for option in v.options(value)):
            language.machine.value(code, at)


def _note_scenarios(language: PythonLanguage, test: PythonTest, place: Frame) -> None:
    at = Activation(test.function.scope, test.function.code.file, "")
    for code in test.function.code.decorators:
        called = code.callee if isinstance(code, c.Call) else code
        for option in v.options(language.machine.value(called, at)):
            if isinstance(option, v.Unknown) and option.path.startswith("pytest_bdd."):
                language.add_gap("the steps of a scenario are not followed", place)
