"""Test ids of Java suites, and the tests of the source that they mean.

| id | means |
|---|---|
| `com.shop.CartTest#addsItem` | the method, as unknot's JUnit runner has it |
| `com.shop.CartTest$WhenEmpty#isEmpty` | of a class inside another |
| `…#adds(int)`, `…#adds[2]`, `…~2` | the same method: overloads, invocations and doubles share what they say |
| `CartTest#addsItem`, `com.shop.CartTest.addsItem`, `CartTest.addsItem` | the same, if only one class has that name |
| `com.shop.CartTest`, `CartTest` | all test methods of the class; in many browser suites there is one |
| `addsItem` | the method of that name, if there is only one in the suite |
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unknot.web.readers.interpreter.code import MemberCode
from unknot.web.readers.interpreter.values import Class
from unknot.web.readers.java.project import JavaProject
from unknot.web.readers.java.tests import holds_tests, test_methods, with_inner

_ENDING = re.compile(r"(~\d+|\[[^\]]*\]|\([^()]*\))$")
_MAY_HOLD_TESTS = re.compile(r"@\w*Test\b|@Test|TestCase|@TestFactory|\bextends\b")


@dataclass(frozen=True, eq=False)
class DeclaredTest:
    """A test method as one class has it: `of` may inherit it from `holder`."""

    class_name: str
    of: Class
    holder: Class
    method: MemberCode

    @property
    def id(self) -> str:
        return f"{self.class_name}#{self.method.name}"


def declared(project: JavaProject) -> Iterator[DeclaredTest]:
    """Every test of the project: files as given, classes and methods in source order."""
    for path in project.paths:
        if not _MAY_HOLD_TESTS.search(project.source(path)):
            continue
        package = project.file(path).package
        for name, of in with_inner(project.classes_in(path), project.class_for):
            if holds_tests(of):
                full = f"{package}.{name}" if package else name
                yield from (DeclaredTest(full, of, holder, method) for holder, method in test_methods(of))


class Found:
    """The declared tests, to be found by id in any of the forms above."""

    def __init__(self, tests: Sequence[DeclaredTest]) -> None:
        self._by_class: dict[str, list[DeclaredTest]] = {}
        self._by_method: dict[str, list[DeclaredTest]] = {}
        for test in tests:
            simple = test.class_name.rpartition(".")[2]
            for name in {test.class_name, simple, simple.rpartition("$")[2], test.class_name.replace("$", ".")}:
                self._by_class.setdefault(name, []).append(test)
            self._by_method.setdefault(test.method.name, []).append(test)

    def meant_by(self, test: str) -> list[DeclaredTest]:
        """Empty if there is none, or if several classes may be meant."""
        plain = test.strip()
        while (shorter := _ENDING.sub("", plain)) != plain:
            plain = shorter
        if "#" in plain:
            owner, _, method = plain.rpartition("#")
            return self._of_class(owner, method)
        owner, _, method = plain.rpartition(".")
        return self._of_class(plain, "") or self._of_class(owner, method) or self._only(self._by_method.get(plain, []))

    def _of_class(self, name: str, method: str) -> list[DeclaredTest]:
        tests = self._by_class.get(name) or self._by_class.get(name.rpartition(".")[2], [])
        wanted = [test for test in tests if not method or test.method.name == method]
        return wanted if len({test.class_name for test in wanted}) == 1 else []

    def _only(self, tests: list[DeclaredTest]) -> list[DeclaredTest]:
        return tests if len(tests) == 1 else []
