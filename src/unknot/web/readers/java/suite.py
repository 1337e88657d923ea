"""What the tests of a Java suite submit and mention, and which tests its source declares."""

import csv
from collections.abc import Callable, Sequence
from functools import partial
from io import StringIO

from unknot.model.candidates import StringUse
from unknot.model.suite import TestId
from unknot.web.readers.interpreter.code import Annotation, FunctionCode, MemberCode
from unknot.web.readers.interpreter.language import items_of
from unknot.web.readers.interpreter.machine import Activation, with_deep_stack
from unknot.web.readers.interpreter.objects import bound_method, constructed, entered, method_call, start
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Items,
    ProjectClass,
    ProjectObject,
    Text,
    Value,
    items,
)
from unknot.web.readers.java.language import JavaLanguage
from unknot.web.readers.java.project import JavaProject
from unknot.web.readers.java.tests import (
    AFTER,
    BEFORE,
    BEFORE_CLASS,
    JavaTest,
    JavaTestIndex,
    annotation_names,
    declared,
    hooks,
)


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


def _followed(language: JavaLanguage, test: JavaTest) -> Value:
    """As its runner would call it: class set-ups, a new object, set-ups, the method for each row, tear-downs."""
    at = Activation(test.of.scope, test.of.code.file, test.of.name, test.of, test.of)
    outer: Value = UNKNOWN
    outer_objects: list[tuple[ProjectClass, Value]] = []
    for around in reversed(_outer_classes(test.of)):
        _hooks(language, around, BEFORE_CLASS, around)
        outer = _object(language, around, outer, [], at)
        _hooks(language, around, BEFORE, outer, "setUp")
        outer_objects.append((around, outer))
    _hooks(language, test.of, BEFORE_CLASS, test.of)
    for values in items(_class_rows(language, test.of)):
        this = _object(language, test.of, outer, items_of(values) or [], at)
        _hooks(language, test.of, BEFORE, this, "setUp")
        at.this = this
        for row in items(rows_of(language, test.of, test.method, this, at)):
            _method(language, test.holder, test.method, this, items_of(row) or [])
        _hooks(language, test.of, AFTER, this, "tearDown")
    for around, made in reversed(outer_objects):
        _hooks(language, around, AFTER, made, "tearDown")
    return UNKNOWN


def _outer_classes(of: ProjectClass) -> list[ProjectClass]:
    found: list[ProjectClass] = []
    while of.outer is not None and len(found) < 20:
        of = of.outer
        found.append(of)
    return found


def _object(language: JavaLanguage, of: ProjectClass, outer: Value, values: list[Value], at: Activation) -> Value:
    """A new object of a test class; `@Parameter` fields take their values by number."""
    made = constructed(language.machine, of, of.name, values, at, of.code.line)
    if isinstance(made, ProjectObject):
        made.outer = outer
        fields = [member for member in of.code.members if "Parameter" in annotation_names(member)]
        for member, value in zip(fields, values, strict=False):
            made.fields[member.name] = value
    return made


def _class_rows(language: JavaLanguage, of: ProjectClass) -> Value:
    """JUnit 4's Parameterized: the rows of the static method with @Parameters; one empty row for other classes."""
    for holder in of.chain():
        for member in holder.code.members:
            if "Parameters" in annotation_names(member) and member.is_static:
                rows = _as_rows(_method(language, holder, member, holder, []))
                return rows if rows.items else Items([Items([])])
    return Items([Items([])])


def _hooks(language: JavaLanguage, of: ProjectClass, names: frozenset[str], this: Value, old_name: str = "") -> Value:
    for holder, member in hooks(of, names, old_name):
        _method(language, holder, member, this, [])
    return UNKNOWN


def _method(
    language: JavaLanguage, holder: ProjectClass, member: MemberCode, this: Value, arguments: list[Value]
) -> Value:
    if not isinstance(member.code, FunctionCode):
        return UNKNOWN
    return entered(language.machine, bound_method(holder, member.code, this), this, arguments)


_DATA = frozenset({"ValueSource", "CsvSource", "EnumSource", "MethodSource", "FieldSource"})


def rows_of(language: JavaLanguage, of: ProjectClass, method: MemberCode, this: Value, at: Activation) -> Value:
    """A list of lists; one empty list for a test without parameters, or if nothing is known of them."""
    rows: list[Value] = []
    for annotation in method.annotations:
        if annotation.name in _DATA:
            rows.extend(items(_annotated(language, annotation, of, method, this, at)))
        provider = annotation.values.get("dataProvider")
        if annotation.name == "Test" and provider is not None:
            rows.extend(items(_provided(language, annotation, of, this, at)))
    return Items([*language.machine.rounds(rows, at, method.line)] or [Items([])])


def _annotated(
    language: JavaLanguage, annotation: Annotation, of: ProjectClass, method: MemberCode, this: Value, at: Activation
) -> Value:
    machine = language.machine
    values: list[Value] = []
    for code in annotation.values.values():
        value = machine.stored(code, at)
        values.extend(items_of(value) or [value])
    if annotation.name == "ValueSource":
        return Items([Items([value]) for value in values])
    if annotation.name == "CsvSource":
        return Items([_fields(value, at) for value in values if isinstance(value, Text)])
    if annotation.name == "EnumSource":
        kind = next((value for value in values if isinstance(value, ProjectClass)), None)
        return Items([Items([constant]) for constant in _constants(kind)])
    names = [value.text for value in values if isinstance(value, Text)] or [method.name]
    rows: list[Value] = []
    for name in names:
        rows.extend(items(_called(language, name, of, this, at)))
    return Items(rows)


def _fields(row: Text, at: Activation) -> Items:
    try:
        parts = next(csv.reader(StringIO(row.text.strip()), quotechar="'", skipinitialspace=True), [])
    except csv.Error:
        parts = [row.text]
    place = row.place or at.place(0)
    return Items([Text(part.strip(), place) for part in parts])


def _constants(kind: ProjectClass | None) -> list[Value]:
    if kind is None:
        return []
    start(kind)
    return [kind.statics[name] for name, _ in kind.code.constants]


def _called(language: JavaLanguage, name: str, of: ProjectClass, this: Value, at: Activation) -> Value:
    """The rows that a method of the class, or `com.shop.Data#users` of another one, gives."""
    owner, _, simple = name.rpartition("#")
    holder = language.project.class_named(owner, at.file, of) if owner else of
    if holder is None:
        return Items([])
    method = method_call(language.machine, holder, simple, this, [])
    if method is None:
        language.machine.trace.add_gap(f"{at.file}: no method {name} for the test's arguments")
        return Items([])
    return _as_rows(method)


def _as_rows(value: Value) -> Items:
    return Items([row if isinstance(row, Items) else Items([row]) for row in items_of(value) or []])


def _provided(language: JavaLanguage, annotation: Annotation, of: ProjectClass, this: Value, at: Activation) -> Value:
    """TestNG's: by the provider's own name or that of its method, here or in `dataProviderClass`."""
    named = language.machine.stored(annotation.values["dataProvider"], at)
    elsewhere: Value = UNKNOWN
    if "dataProviderClass" in annotation.values:
        elsewhere = language.machine.value(annotation.values["dataProviderClass"], at)
    holder = elsewhere if isinstance(elsewhere, ProjectClass) else of
    wanted = named.text if isinstance(named, Text) else ""
    for owner in holder.chain():
        for member in owner.code.members:
            if "DataProvider" not in annotation_names(member) or not isinstance(member.code, FunctionCode):
                continue
            if wanted in (_provider_name(language, member, at).text, member.name):  # type: ignore[attr-defined]
                return _as_rows(_method(language, owner, member, this, []))
    language.machine.trace.add_gap(f"{at.file}: no data provider {wanted}")
    return Items([])


def _provider_name(language: JavaLanguage, member: MemberCode, at: Activation) -> Value:
    for annotation in member.annotations:
        if annotation.name == "DataProvider" and "name" in annotation.values:
            value = language.machine.stored(annotation.values["name"], at)
            if isinstance(value, Text):
                return value
    return Text(member.name)
