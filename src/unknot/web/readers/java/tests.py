"""Which classes hold tests, which methods are tests, and what runs around them, for JUnit 3, 4, 5 and TestNG; and the
tests that an id means:

| id | means |
|---|---|
| `com.shop.CartTest#addsItem` | the method, as unknot's JUnit runner has it |
| `com.shop.CartTest$WhenEmpty#isEmpty` | of a class inside another |
| `…#adds(int)`, `…#adds[2]`, `…~2` | the same method: overloads, invocations and doubles share their texts |
| `CartTest#addsItem`, `com.shop.CartTest.addsItem`, `CartTest.addsItem` | the same, if only one class has that name |
| `com.shop.CartTest`, `CartTest` | all test methods of the class; in many browser suites there is one |
| `addsItem` | the method of that name, if there is only one in the suite |
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from unknot.web.readers.interpreter.code import ClassCode, FunctionCode, MemberCode
from unknot.web.readers.interpreter.values import ProjectClass, words
from unknot.web.readers.java.project import JavaProject, is_abstract, superclass_names

TESTS = words("Test ParameterizedTest RepeatedTest TestFactory TestTemplate")
BEFORE_CLASS = words("BeforeClass BeforeAll BeforeSuite BeforeTest BeforeGroups")
BEFORE = frozenset({"Before", "BeforeEach", "BeforeMethod"})
AFTER = words("After AfterEach AfterMethod AfterClass AfterAll AfterTest AfterSuite")


def test_methods(of: ProjectClass) -> list[tuple[ProjectClass, MemberCode]]:
    """Its own in source order, then inherited ones; a method that is overridden once, where it is overridden."""
    found: dict[str, tuple[ProjectClass, MemberCode]] = {}
    hidden: set[str] = set()
    for holder in of.chain():
        for member in holder.code.members:
            if member.kind != "method" or member.name in hidden:
                continue
            if is_test(of, holder, member):
                found.setdefault(member.name, (holder, member))
        hidden.update(member.name for member in holder.code.members if member.kind == "method")
    return list(found.values())


def is_test(of: ProjectClass, holder: ProjectClass, member: MemberCode) -> bool:
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


def is_old_style(of: ProjectClass) -> bool:
    """JUnit 3: inherits from TestCase, directly or not."""
    return any(name.endswith("TestCase") for name in superclass_names(of))


def annotation_names(member: MemberCode) -> set[str]:
    return {annotation.name for annotation in member.annotations}


def hooks(of: ProjectClass, names: frozenset[str], old_name: str = "") -> list[tuple[ProjectClass, MemberCode]]:
    """The methods that run around each test, superclasses first; one that is overridden runs where it is overridden."""
    found: dict[str, tuple[ProjectClass, MemberCode]] = {}
    for holder in reversed(list(of.chain())):
        for member in holder.code.members:
            if member.kind != "method" or not isinstance(member.code, FunctionCode):
                continue
            is_old_hook = bool(old_name) and member.name == old_name and is_old_style(of)
            if annotation_names(member) & names or is_old_hook or member.name in found:
                found[member.name] = (holder, member)
    return list(found.values())


def with_inner(
    classes: list[ProjectClass], class_for: Callable[[ClassCode, ProjectClass | None], ProjectClass]
) -> Iterator[tuple[str, ProjectClass]]:
    """Every class of a file by its binary name without the package: `CartTest`, `CartTest$WhenEmpty`."""
    waiting = [(one.name, one) for one in reversed(classes)]
    while waiting:
        name, one = waiting.pop()
        yield name, one
        inner = [(f"{name}${code.name}", class_for(code, one)) for code in one.code.inner]
        waiting.extend(reversed(inner))


def holds_tests(of: ProjectClass) -> bool:
    return not is_abstract(of) and of.code.kind == "class" and bool(test_methods(of))


_ENDING = re.compile(r"(~\d+|\[[^\]]*\]|\([^()]*\))$")
_MAY_HOLD_TESTS = re.compile(r"@\w*Test\b|@Test|TestCase|@TestFactory|\bextends\b")


@dataclass(frozen=True, eq=False)
class JavaTest:
    """A test method as one class has it: `of` may inherit it from `holder`."""

    class_name: str
    of: ProjectClass
    holder: ProjectClass
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
            if holds_tests(of):
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
        return self._of_class(plain, "") or self._of_class(owner, method) or self._only(self._by_method.get(plain, []))

    def _of_class(self, name: str, method: str) -> list[JavaTest]:
        tests = self._by_class.get(name) or self._by_class.get(name.rpartition(".")[2], [])
        wanted = [test for test in tests if not method or test.method.name == method]
        return wanted if len({test.class_name for test in wanted}) == 1 else []

    def _only(self, tests: list[JavaTest]) -> list[JavaTest]:
        return tests if len(tests) == 1 else []
