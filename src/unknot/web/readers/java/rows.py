"""The arguments that a parametrised test is called with, as far as its source says them."""

import csv
from io import StringIO

from unknot.web.readers.interpreter.block_language import items_of
from unknot.web.readers.interpreter.calls import chosen, entered
from unknot.web.readers.interpreter.code import Annotation, FunctionCode, MemberCode
from unknot.web.readers.interpreter.machine import Activation
from unknot.web.readers.interpreter.members import methods_named, start
from unknot.web.readers.interpreter.values import UNKNOWN, Class, Closure, Items, Steps, Text, Value, items
from unknot.web.readers.java.language import JavaLanguage
from unknot.web.readers.java.tests import annotation_names

_DATA = frozenset({"ValueSource", "CsvSource", "EnumSource", "MethodSource", "FieldSource"})


def rows_of(language: JavaLanguage, of: Class, method: MemberCode, this: Value, at: Activation) -> Steps:
    """A list of lists; one empty list for a test without parameters, or if nothing is known of them."""
    rows: list[Value] = []
    for annotation in method.annotations:
        if annotation.name in _DATA:
            rows.extend(items((yield _annotated(language, annotation, of, method, this, at))))
        provider = annotation.values.get("dataProvider")
        if annotation.name == "Test" and provider is not None:
            rows.extend(items((yield _provided(language, annotation, of, this, at))))
    return Items([*language.machine.rounds(rows, at, method.line)] or [Items([])])


def _annotated(
    language: JavaLanguage, annotation: Annotation, of: Class, method: MemberCode, this: Value, at: Activation
) -> Steps:
    machine = language.machine
    values: list[Value] = []
    for code in annotation.values.values():
        value = yield machine.datum(code, at)
        values.extend(items_of(value) or [value])
    if annotation.name == "ValueSource":
        return Items([Items([value]) for value in values])
    if annotation.name == "CsvSource":
        return Items([_fields(value, at) for value in values if isinstance(value, Text)])
    if annotation.name == "EnumSource":
        kind = next((value for value in values if isinstance(value, Class)), None)
        return Items([Items([constant]) for constant in _constants(kind)])
    names = [value.text for value in values if isinstance(value, Text)] or [method.name]
    rows: list[Value] = []
    for name in names:
        rows.extend(items((yield _called(language, name, of, this, at))))
    return Items(rows)


def _fields(row: Text, at: Activation) -> Items:
    try:
        parts = next(csv.reader(StringIO(row.text.strip()), quotechar="'", skipinitialspace=True), [])
    except csv.Error:
        parts = [row.text]
    place = row.place or at.place(0)
    return Items([Text(part.strip(), place) for part in parts])


def _constants(kind: Class | None) -> list[Value]:
    if kind is None:
        return []
    start(kind)
    return [kind.statics[name] for name, _ in kind.code.constants]


def _called(language: JavaLanguage, name: str, of: Class, this: Value, at: Activation) -> Steps:
    """The rows that a method of the class, or `com.shop.Data#users` of another one, gives."""
    owner, _, simple = name.rpartition("#")
    holder = language.project.class_named(owner, at.file, of) if owner else of
    if holder is None:
        return Items([])
    method = chosen(list(methods_named(holder, simple)), 0)
    if method is None:
        language.machine.trace.misses(f"{at.file}: no method {name} for the test's arguments")
        return Items([])
    result = yield entered(language.machine, Closure(method[1], method[0].scope, this, method[0]), this, [])
    return Items([row if isinstance(row, Items) else Items([row]) for row in items_of(result) or []])


def _provided(language: JavaLanguage, annotation: Annotation, of: Class, this: Value, at: Activation) -> Steps:
    """TestNG's: by the provider's own name or that of its method, here or in `dataProviderClass`."""
    named = yield language.machine.datum(annotation.values["dataProvider"], at)
    elsewhere: Value = UNKNOWN
    if "dataProviderClass" in annotation.values:
        elsewhere = yield language.machine.value(annotation.values["dataProviderClass"], at)
    holder = elsewhere if isinstance(elsewhere, Class) else of
    wanted = named.text if isinstance(named, Text) else ""
    for owner in holder.chain():
        for member in owner.code.members:
            if "DataProvider" not in annotation_names(member) or not isinstance(member.code, FunctionCode):
                continue
            if wanted in ((yield _provider_name(language, member, at)).text, member.name):  # type: ignore[attr-defined]
                result = yield entered(language.machine, Closure(member.code, owner.scope, this, owner), this, [])
                return Items([row if isinstance(row, Items) else Items([row]) for row in items_of(result) or []])
    language.machine.trace.misses(f"{at.file}: no data provider {wanted}")
    return Items([])


def _provider_name(language: JavaLanguage, member: MemberCode, at: Activation) -> Steps:
    for annotation in member.annotations:
        if annotation.name == "DataProvider" and "name" in annotation.values:
            value = yield language.machine.datum(annotation.values["name"], at)
            if isinstance(value, Text):
                return value
    return Text(member.name)
