"""Which classes hold tests, which methods are tests, and what runs around them, for JUnit 3, 4, 5 and TestNG."""

from collections.abc import Callable, Iterator

from unknot.web.readers.interpreter.code import ClassCode, FunctionCode, MemberCode
from unknot.web.readers.interpreter.values import Class, words
from unknot.web.readers.java.project import is_abstract, superclass_names

TESTS = words("Test ParameterizedTest RepeatedTest TestFactory TestTemplate")
BEFORE_CLASS = words("BeforeClass BeforeAll BeforeSuite BeforeTest BeforeGroups")
BEFORE = frozenset({"Before", "BeforeEach", "BeforeMethod"})
AFTER = words("After AfterEach AfterMethod AfterClass AfterAll AfterTest AfterSuite")


def test_methods(of: Class) -> list[tuple[Class, MemberCode]]:
    """Its own in source order, then inherited ones; a method that is overridden once, where it is overridden."""
    found: dict[str, tuple[Class, MemberCode]] = {}
    hidden: set[str] = set()
    for holder in of.chain():
        for member in holder.code.members:
            if member.kind != "method" or member.name in hidden:
                continue
            if is_test(of, holder, member):
                found.setdefault(member.name, (holder, member))
        hidden.update(member.name for member in holder.code.members if member.kind == "method")
    return list(found.values())


def is_test(of: Class, holder: Class, member: MemberCode) -> bool:
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


def is_old_style(of: Class) -> bool:
    """JUnit 3: inherits from TestCase, directly or not."""
    return any(name.endswith("TestCase") for name in superclass_names(of))


def annotation_names(member: MemberCode) -> set[str]:
    return {annotation.name for annotation in member.annotations}


def hooks(of: Class, names: frozenset[str], old_name: str = "") -> list[tuple[Class, MemberCode]]:
    """The methods that run around each test, superclasses first; one that is overridden runs where it is overridden."""
    found: dict[str, tuple[Class, MemberCode]] = {}
    for holder in reversed(list(of.chain())):
        for member in holder.code.members:
            if member.kind != "method" or not isinstance(member.code, FunctionCode):
                continue
            is_old_hook = bool(old_name) and member.name == old_name and is_old_style(of)
            if annotation_names(member) & names or is_old_hook or member.name in found:
                found[member.name] = (holder, member)
    return list(found.values())


def with_inner(
    classes: list[Class], class_for: Callable[[ClassCode, Class | None], Class]
) -> Iterator[tuple[str, Class]]:
    """Every class of a file by its binary name without the package: `CartTest`, `CartTest$WhenEmpty`."""
    waiting = [(one.name, one) for one in reversed(classes)]
    while waiting:
        name, one = waiting.pop()
        yield name, one
        inner = [(f"{name}${code.name}", class_for(code, one)) for code in one.code.inner]
        waiting.extend(reversed(inner))


def holds_tests(of: Class) -> bool:
    return not is_abstract(of) and of.code.kind == "class" and bool(test_methods(of))
