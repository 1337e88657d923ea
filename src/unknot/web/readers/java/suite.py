"""What the tests of a Java suite submit and mention, and which tests its source declares."""

from collections.abc import Callable, Sequence
from functools import partial

from unknot.model.candidates import StringUse
from unknot.model.suite import TestId
from unknot.web.readers.interpreter.block_language import items_of
from unknot.web.readers.interpreter.calls import constructed, entered
from unknot.web.readers.interpreter.code import FunctionCode, MemberCode
from unknot.web.readers.interpreter.machine import Activation
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.interpreter.values import UNKNOWN, Class, Closure, Instance, Items, Steps, Value, items
from unknot.web.readers.java.ids import DeclaredTest, Found, declared
from unknot.web.readers.java.language import JavaLanguage
from unknot.web.readers.java.project import JavaProject
from unknot.web.readers.java.rows import rows_of
from unknot.web.readers.java.tests import AFTER, BEFORE, BEFORE_CLASS, annotation_names, hooks


def declared_tests(files: Sequence[str], read: Callable[[str], str | None]) -> tuple[TestId, ...]:
    """Files in the sequence given, classes and methods in source order, ids as `com.shop.CartTest#addsItem`. Methods
    of one name in one class count once."""
    return tuple(TestId(test.id) for test in declared(JavaProject(files, read)))


def string_uses(
    tests: Sequence[TestId], files: Sequence[str], read: Callable[[str], str | None]
) -> dict[TestId, StringUse]:
    """For each test what it says, through everything of the project that it calls. Ids as in `ids`. A test that is not
    found, code that does not parse and classes that are missing are gaps of the tests that they concern."""
    project = JavaProject(files, read)
    language = JavaLanguage(project)
    found = Found(list(declared(project)))
    return {test: _use(language, test, found.meant_by(test)) for test in tests}


def _use(language: JavaLanguage, test: TestId, meant: Sequence[DeclaredTest]) -> StringUse:
    trace = StringTrace()
    if not meant:
        trace.misses(f"no test {test} is found in the source")
    for one in meant:
        language.project.forget_statics()
        for line in language.project.file(one.of.code.file).broken:
            trace.misses(f"{one.of.code.file}:{line} does not parse")
        language.machine.follow(partial(_followed, language, one), trace)
    return trace.as_use


def _followed(language: JavaLanguage, test: DeclaredTest) -> Steps:
    """As its runner would call it: class set-ups, a new object, set-ups, the method for each row, tear-downs."""
    at = Activation(test.of.scope, test.of.code.file, test.of.name, test.of, test.of)
    outer: Value = UNKNOWN
    outer_objects: list[tuple[Class, Value]] = []
    for around in reversed(_outer_classes(test.of)):
        yield _hooks(language, around, BEFORE_CLASS, around)
        outer = yield _object(language, around, outer, [], at)
        yield _hooks(language, around, BEFORE, outer, "setUp")
        outer_objects.append((around, outer))
    yield _hooks(language, test.of, BEFORE_CLASS, test.of)
    for values in items((yield _class_rows(language, test.of))):
        this = yield _object(language, test.of, outer, items_of(values) or [], at)
        yield _hooks(language, test.of, BEFORE, this, "setUp")
        at.this = this
        for row in items((yield rows_of(language, test.of, test.method, this, at))):
            yield _method(language, test.holder, test.method, this, items_of(row) or [])
        yield _hooks(language, test.of, AFTER, this, "tearDown")
    for around, made in reversed(outer_objects):
        yield _hooks(language, around, AFTER, made, "tearDown")
    return UNKNOWN


def _outer_classes(of: Class) -> list[Class]:
    found: list[Class] = []
    while of.outer is not None and len(found) < 20:
        of = of.outer
        found.append(of)
    return found


def _object(language: JavaLanguage, of: Class, outer: Value, values: list[Value], at: Activation) -> Steps:
    """A new object of a test class; `@Parameter` fields take their values by number."""
    made = yield constructed(language.machine, of, of.name, values, at, of.code.line)
    if isinstance(made, Instance):
        made.outer = outer
        fields = [member for member in of.code.members if "Parameter" in annotation_names(member)]
        for member, value in zip(fields, values, strict=False):
            made.fields[member.name] = value
    return made


def _class_rows(language: JavaLanguage, of: Class) -> Steps:
    """JUnit 4's Parameterized: the rows of the static method with @Parameters; one empty row for other classes."""
    for holder in of.chain():
        for member in holder.code.members:
            if "Parameters" in annotation_names(member) and member.is_static:
                rows = yield _method(language, holder, member, holder, [])
                known = [row if isinstance(row, Items) else Items([row]) for row in items_of(rows) or []]
                return Items([*known] or [Items([])])
    return Items([Items([])])


def _hooks(language: JavaLanguage, of: Class, names: frozenset[str], this: Value, old_name: str = "") -> Steps:
    for holder, member in hooks(of, names, old_name):
        yield _method(language, holder, member, this, [])
    return UNKNOWN


def _method(language: JavaLanguage, holder: Class, member: MemberCode, this: Value, arguments: list[Value]) -> Steps:
    if not isinstance(member.code, FunctionCode):
        return UNKNOWN
    return (yield entered(language.machine, Closure(member.code, holder.scope, this, holder), this, arguments))
