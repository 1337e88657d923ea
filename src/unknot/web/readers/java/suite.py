"""What the tests of a Java suite submit and mention, and which tests its source declares: which classes hold tests,
which methods are tests, and what runs around them, for JUnit 3, 4, 5 and TestNG; and the tests that an id means:

| id | means |
|---|---|
| `com.shop.CartTest#addsItem` | the method, as unknot's JUnit runner has it |
| `com.shop.CartTest$WhenEmpty#isEmpty` | of a class inside another |
| `…#adds(int)`, `…#adds[2]`, `…~2` | the same method: overloads, invocations and doubles share their texts |
| `CartTest#addsItem`, `com.shop.CartTest.addsItem`, `CartTest.addsItem` | the same, if only one class has that name |
| `com.shop.CartTest`, `CartTest` | all test methods of the class; in many browser suites there is one |
| `addsItem` | the method of that name, if there is only one in the suite |
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO

from unknot.model.candidates import StringUse
from unknot.model.suite import TestId
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import Annotation, ClassCode, FunctionCode, MemberCode
from unknot.web.readers.interpreter.language import items_of
from unknot.web.readers.interpreter.machine import Activation, with_deep_stack
from unknot.web.readers.interpreter.objects import bound_method, constructed, entered, method_call, start
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.java.language import JavaLanguage
from unknot.web.readers.java.project import JavaProject, is_abstract, superclass_names, with_outer

TESTS = v.words("Test ParameterizedTest RepeatedTest TestFactory TestTemplate")
BEFORE_CLASS = v.words("BeforeClass BeforeAll BeforeSuite BeforeTest BeforeGroups")
BEFORE = frozenset({"Before", "BeforeEach", "BeforeMethod"})
AFTER = v.words("After AfterEach AfterMethod AfterClass AfterAll AfterTest AfterSuite")


def test_methods(of: v.ProjectClass) -> list[tuple[v.ProjectClass, MemberCode]]:
    """Its own in source order, then inherited ones; a method that is overridden once, where it is overridden."""
    found: dict[str, tuple[v.ProjectClass, MemberCode]] = {}
    hidden: set[str] = set()
    for holder in of.chain():
        for member in holder.code.members:
            if member.kind != "method" or member.name in hidden:
                continue
            if is_test(of, holder, member):
                found.setdefault(member.name, (holder, member))
        hidden.update(member.name for member in holder.code.members if member.kind == "method")
    return list(found.values())


def is_test(of: v.ProjectClass, holder: v.ProjectClass, member: MemberCode) -> bool:
    if not isinstance(member.code, FunctionCode) or "abstract" in member.modifiers:
        return False
    names = annotation_names(member)
    if names & TESTS:
        return True
    if names & (BEFORE | BEFORE_CLASS | AFTER) or "DataProvider" in names:
        return False
    is_public = "public" in member.modifiers and not member.is_static
    if any(annotation.name == "Test" for annotation in holder.code.annotations):
        return is_public and member.type == ""
    return is_old_style(of) and member.name.startswith("test") and is_public and not member.code.parameters


def is_old_style(of: v.ProjectClass) -> bool:
    """JUnit 3: inherits from TestCase, directly or not."""
    return any(name.endswith("TestCase") for name in superclass_names(of))


def annotation_names(member: MemberCode) -> set[str]:
    return {annotation.name for annotation in member.annotations}


def hooks(of: v.ProjectClass, names: frozenset[str], old_name: str = "") -> list[tuple[v.ProjectClass, MemberCode]]:
    """The methods that run around each test, superclasses first; one that is overridden runs where it is overridden."""
    found: dict[str, tuple[v.ProjectClass, MemberCode]] = {}
    for holder in reversed(list(of.chain())):
        for member in holder.code.members:
            if member.kind != "method" or not isinstance(member.code, FunctionCode):
                continue
            is_old_hook = bool(old_name) and member.name == old_name and is_old_style(of)
            if annotation_names(member) & names or is_old_hook or member.name in found:
                found[member.name] = (holder, member)
    return list(found.values())


def with_inner(
    classes: list[v.ProjectClass], class_for: Callable[[ClassCode, v.ProjectClass | None], v.ProjectClass]
) -> Iterator[tuple[str, v.ProjectClass]]:
    """Every class of a file by its binary name without the package: `CartTest`, `CartTest$WhenEmpty`."""
    waiting = [(one.name, one) for one in reversed(classes)]
    while waiting:
        name, one = waiting.pop()
        yield name, one
        inner = [(f"{name}${code.name}", class_for(code, one)) for code in one.code.inner]
        waiting.extend(reversed(inner))


_ENDING = re.compile(r"(~\d+|\[[^\]]*\]|\([^()]*\))$")
_MAY_HOLD_TESTS = re.compile(r"@\w*Test\b|@Test|TestCase|@TestFactory|\bextends\b")


@dataclass(frozen=True, eq=False)
class JavaTest:
    """A test method as one class has it: `of` may inherit it from `holder`."""

    class_name: str
    of: v.ProjectClass
    holder: v.ProjectClass
    method: MemberCode

    @property
    def id(self) -> str:
        return f"{self.class_name}#{self.method.name}"


def declared(project: JavaProject) -> Iterator[JavaTest]:
    """Every test of the project: files as given, classes and methods in source order."""
    for path in project.paths:
        if not _MAY_HOLD_TESTS.search(project.source(path)):
            continue
        package = project.file(path).package
        for name, of in with_inner(project.classes_in(path), project.class_for):
            if not is_abstract(of) and of.code.kind == "class":
                full = f"{package}.{name}" if package else name
                yield from (JavaTest(full, of, holder, method) for holder, method in test_methods(of))


class JavaTestIndex:
    """The declared tests, to be found by id in any of the forms above."""

    def __init__(self, tests: Sequence[JavaTest]) -> None:
        self._by_class: dict[str, list[JavaTest]] = {}
        self._by_method: dict[str, list[JavaTest]] = {}
        for test in tests:
            simple = test.class_name.rpartition(".")[2]
            for name in {test.class_name, simple, simple.rpartition("$")[2], test.class_name.replace("$", ".")}:
                self._by_class.setdefault(name, []).append(test)
            self._by_method.setdefault(test.method.name, []).append(test)

    def meant_by(self, test: str) -> list[JavaTest]:
        """Empty if there is none, or if several classes may be meant."""
        plain = test.strip()
        while (shorter := _ENDING.sub("", plain)) != plain:
            plain = shorter
        if "#" in plain:
            owner, _, method = plain.rpartition("#")
            return self._of_class(owner, method)
        owner, _, method = plain.rpartition(".")
        called_so = self._by_method.get(plain, [])
        return self._of_class(plain, "") or self._of_class(owner, method) or (called_so if len(called_so) == 1 else [])

    def _of_class(self, name: str, method: str) -> list[JavaTest]:
        tests = self._by_class.get(name) or self._by_class.get(name.rpartition(".")[2], [])
        wanted = [test for test in tests if not method or test.method.name == method]
        return wanted if len({test.class_name for test in wanted}) == 1 else []


def declared_tests(files: Sequence[str], read: Callable[[str], str | None]) -> tuple[TestId, ...]:
    """Files in the sequence given, classes and methods in source order, ids as `com.shop.CartTest#addsItem`. Methods
    of one name in one class count once."""
    return tuple(TestId(test.id) for test in declared(JavaProject(files, read)))


def string_uses(
    tests: Sequence[TestId], files: Sequence[str], read: Callable[[str], str | None]
) -> dict[TestId, StringUse]:
    """The texts of each test, through everything of the project that it calls. Ids as in `tests`. A test that is not
    found, code that does not parse and classes that are missing are gaps of the tests that they concern."""
    project = JavaProject(files, read)
    language = JavaLanguage(project)
    found = JavaTestIndex(list(declared(project)))
    return with_deep_stack(lambda: {test: _use(language, test, found.meant_by(test)) for test in tests})


def _use(language: JavaLanguage, test: TestId, meant: Sequence[JavaTest]) -> StringUse:
    trace = StringTrace()
    if not meant:
        trace.add_gap(f"no test {test} is found in the source")
    for one in meant:
        language.project.forget_statics()
        for line in language.project.file(one.of.code.file).broken:
            trace.add_gap(f"{one.of.code.file}:{line} does not parse")
        language.machine.follow(partial(_followed, language, one), trace)
    return trace.as_use


def _followed(language: JavaLanguage, test: JavaTest) -> None:
    """As its runner would call it: class set-ups, a new object, set-ups, the method for each row, tear-downs."""
    at = Activation(test.of.scope, test.of.code.file, test.of.name, test.of, test.of)
    outer: v.Value = v.UNKNOWN
    outer_objects: list[tuple[v.ProjectClass, v.Value]] = []
    for around in reversed(list(with_outer(test.of.outer))[:20]):
        _hooks(language, around, BEFORE_CLASS, around)
        outer = _object(language, around, outer, [], at)
        _hooks(language, around, BEFORE, outer, "setUp")
        outer_objects.append((around, outer))
    _hooks(language, test.of, BEFORE_CLASS, test.of)
    for values in _class_rows(language, test.of):
        this = _object(language, test.of, outer, v.items(values), at)
        _hooks(language, test.of, BEFORE, this, "setUp")
        at.this = this
        for row in rows_of(language, test.of, test.method, this, at):
            _method(language, test.holder, test.method, this, v.items(row))
        _hooks(language, test.of, AFTER, this, "tearDown")
    for around, made in reversed(outer_objects):
        _hooks(language, around, AFTER, made, "tearDown")


def _object(
    language: JavaLanguage, of: v.ProjectClass, outer: v.Value, values: list[v.Value], at: Activation
) -> v.Value:
    """A new object of a test class; `@Parameter` fields take their values by number."""
    made = constructed(language.machine, of, of.name, values, at, of.code.line)
    if isinstance(made, v.ProjectObject):
        made.outer = outer
        fields = [member for member in of.code.members if "Parameter" in annotation_names(member)]
        for member, value in zip(fields, values, strict=False):
            made.fields[member.name] = value
    return made


def _class_rows(language: JavaLanguage, of: v.ProjectClass) -> list[v.Value]:
    """JUnit 4's Parameterized: the rows of the static method with @Parameters; one empty row for other classes."""
    for holder in of.chain():
        for member in holder.code.members:
            if "Parameters" in annotation_names(member) and member.is_static:
                return _as_rows(_method(language, holder, member, holder, [])) or [v.Items([])]
    return [v.Items([])]


def _hooks(
    language: JavaLanguage, of: v.ProjectClass, names: frozenset[str], this: v.Value, old_name: str = ""
) -> None:
    for holder, member in hooks(of, names, old_name):
        _method(language, holder, member, this, [])


def _method(
    language: JavaLanguage, holder: v.ProjectClass, member: MemberCode, this: v.Value, arguments: list[v.Value]
) -> v.Value:
    if not isinstance(member.code, FunctionCode):
        return v.UNKNOWN
    return entered(language.machine, bound_method(holder, member.code, this), this, arguments)


_DATA = frozenset({"ValueSource", "CsvSource", "EnumSource", "MethodSource", "FieldSource"})


def rows_of(
    language: JavaLanguage, of: v.ProjectClass, method: MemberCode, this: v.Value, at: Activation
) -> Sequence[v.Value]:
    """A list of lists; one empty list for a test without parameters, or if nothing is known of them."""
    rows: list[v.Value] = []
    for annotation in method.annotations:
        if annotation.name in _DATA:
            rows.extend(_annotated(language, annotation, of, method, this, at))
        if annotation.name == "Test" and "dataProvider" in annotation.values:
            rows.extend(_provided(language, annotation, of, this, at))
    return language.machine.rounds(rows, at, method.line) or [v.Items([])]


def _annotated(
    language: JavaLanguage,
    annotation: Annotation,
    of: v.ProjectClass,
    method: MemberCode,
    this: v.Value,
    at: Activation,
) -> Sequence[v.Value]:
    values: list[v.Value] = []
    for code in annotation.values.values():
        value = language.machine.stored(code, at)
        values.extend(items_of(value) or [value])
    if annotation.name == "ValueSource":
        return [v.Items([value]) for value in values]
    if annotation.name == "CsvSource":
        return [_fields(value, at) for value in values if isinstance(value, v.Text)]
    if annotation.name == "EnumSource":
        kind = next((value for value in values if isinstance(value, v.ProjectClass)), None)
        return [v.Items([constant]) for constant in _constants(kind)]
    names = [value.text for value in values if isinstance(value, v.Text)] or [method.name]
    return [row for name in names for row in _called(language, name, of, this, at)]


def _fields(row: v.Text, at: Activation) -> v.Items:
    try:
        parts = next(csv.reader(StringIO(row.text.strip()), quotechar="'", skipinitialspace=True), [])
    except csv.Error:
        parts = [row.text]
    place = row.place or at.place(0)
    return v.Items([v.Text(part.strip(), place) for part in parts])


def _constants(kind: v.ProjectClass | None) -> list[v.Value]:
    if kind is None:
        return []
    start(kind)
    return [kind.statics[name] for name, _ in kind.code.constants]


def _called(language: JavaLanguage, name: str, of: v.ProjectClass, this: v.Value, at: Activation) -> list[v.Value]:
    """The rows that a method of the class, or `com.shop.Data#users` of another one, gives."""
    owner, _, simple = name.rpartition("#")
    holder = language.project.class_named(owner, at.file, of) if owner else of
    if holder is None:
        return []
    method = method_call(language.machine, holder, simple, this, [])
    if method is None:
        language.machine.trace.add_gap(f"{at.file}: no method {name} for the test's arguments")
        return []
    return _as_rows(method)


def _as_rows(value: v.Value) -> list[v.Value]:
    return [row if isinstance(row, v.Items) else v.Items([row]) for row in items_of(value) or []]


def _provided(
    language: JavaLanguage, annotation: Annotation, of: v.ProjectClass, this: v.Value, at: Activation
) -> list[v.Value]:
    """TestNG's: by the provider's own name or that of its method, here or in `dataProviderClass`."""
    named = language.machine.stored(annotation.values["dataProvider"], at)
    elsewhere: v.Value = v.UNKNOWN
    if "dataProviderClass" in annotation.values:
        elsewhere = language.machine.value(annotation.values["dataProviderClass"], at)
    holder = elsewhere if isinstance(elsewhere, v.ProjectClass) else of
    wanted = named.text if isinstance(named, v.Text) else ""
    for owner in holder.chain():
        for member in owner.code.members:
            if "DataProvider" not in annotation_names(member) or not isinstance(member.code, FunctionCode):
                continue
            if wanted in (_provider_name(language, member, at), member.name):
                return _as_rows(_method(language, owner, member, this, []))
    language.machine.trace.add_gap(f"{at.file}: no data provider {wanted}")
    return []


def _provider_name(language: JavaLanguage, member: MemberCode, at: Activation) -> str:
    for annotation in member.annotations:
        if annotation.name == "DataProvider" and "name" in annotation.values:
            value = language.machine.stored(annotation.values["name"], at)
            if isinstance(value, v.Text):
                return value.text
    return member.name
