"""The Java classes of a project, found by name as a compiler would; a file is parsed when it is first needed."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from posixpath import commonpath

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import ClassCode, Name
from unknot.web.readers.interpreter.grammars import LONGEST
from unknot.web.readers.java.lowering import JavaFile, java_file

MOST_IMPLEMENTERS = 3


class JavaProject:
    """`read` gives the text of one of the `files`, or None. Classes are made once, and shared by all tests."""

    def __init__(self, files: Sequence[str], read: Callable[[str], str | None]) -> None:
        self._read = read
        self.paths = tuple(dict.fromkeys(files))
        self._by_stem: dict[str, list[str]] = {}
        for path in self.paths:
            self._by_stem.setdefault(PurePosixPath(path).stem, []).append(path)
        self._files: dict[str, JavaFile] = {}
        self._classes: dict[int, v.ProjectClass] = {}
        self._packages: set[str] | None = None
        self._roots: set[str] | None = None

    def source(self, path: str) -> str:
        """The text of a file; empty if it cannot be read or is no written source."""
        text = self._read(path) or ""
        return text if len(text) <= LONGEST else ""

    def file(self, path: str) -> JavaFile:
        if path not in self._files:
            self._files[path] = java_file(path, self.source(path))
        return self._files[path]

    def classes_in(self, path: str) -> list[v.ProjectClass]:
        return [self.class_for(code) for code in self.file(path).classes]

    def class_for(self, code: ClassCode, outer: v.ProjectClass | None = None) -> v.ProjectClass:
        """The class that the code declares, with what it inherits from. A list, no recursion: chains may be long."""
        known = self._classes.get(id(code))
        if known is not None:
            return known
        made = self._classes[id(code)] = v.ProjectClass(code, v.NameScope(), outer=outer)
        waiting = [made]
        while waiting:
            one = waiting.pop()
            above = [one.code.superclass.name] if isinstance(one.code.superclass, Name) else []
            for name in (*above, *one.code.interfaces):
                found = self._code_named(name, one.code.file, one)
                if found is None:
                    if name in above:
                        one.superclass = v.UNKNOWN
                    continue
                parent = self._classes.get(id(found[0]))
                if parent is None:
                    parent = self._classes[id(found[0])] = v.ProjectClass(found[0], v.NameScope(), outer=found[1])
                    waiting.append(parent)
                if name in above:
                    one.superclass = parent
                else:
                    one.interfaces.append(parent)
        return made

    def forget_statics(self) -> None:
        """Static fields are as before any test: the texts of a test do not depend on the tests before it."""
        for one in self._classes.values():
            one.statics.clear()
            one.is_started = False

    def class_named(self, name: str, file: str, owner: v.ProjectClass | None = None) -> v.ProjectClass | None:
        """The class that a name means in a file, inside `owner`; None if it is none of the project's."""
        found = self._code_named(name, file, owner)
        return None if found is None else self.class_for(*found)

    def _code_named(
        self, name: str, file: str, owner: v.ProjectClass | None
    ) -> tuple[ClassCode, v.ProjectClass | None] | None:
        if not name:
            return None
        first, *inner = name.split(".")
        found = self._simple(first, file, owner)
        if found is None and inner:
            return self._qualified(name)
        for part in inner:
            if found is None:
                return None
            around = self.class_for(*found)
            found = next(((code, around) for code in around.code.inner if code.name == part), None)
        return found

    def _simple(
        self, name: str, file: str, owner: v.ProjectClass | None
    ) -> tuple[ClassCode, v.ProjectClass | None] | None:
        around = owner
        while around is not None:
            if around.name == name:
                return around.code, around.outer
            for holder in around.chain():
                for code in holder.code.inner:
                    if code.name == name:
                        return code, holder
            around = around.outer
        here = self.file(file)
        for code in here.classes:
            if code.name == name:
                return code, None
        if name in here.imports:
            return self._qualified(here.imports[name])
        for package in (here.package, *here.wildcards):
            found = self._qualified(f"{package}.{name}" if package else name)
            if found is not None:
                return found
        return None

    def _qualified(self, name: str) -> tuple[ClassCode, v.ProjectClass | None] | None:
        """`com.shop.Cart`, or `com.shop.Cart.Line` for a class inside."""
        parts = name.split(".")
        for last in range(len(parts), 0, -1):
            package = ".".join(parts[: last - 1])
            for path in self._by_stem.get(parts[last - 1], ()):
                file = self.file(path)
                code = next((one for one in file.classes if one.name == parts[last - 1]), None)
                if file.package == package and code is not None:
                    return self._inside(code, parts[last:])
        return None

    def _inside(self, code: ClassCode, names: Sequence[str]) -> tuple[ClassCode, v.ProjectClass | None] | None:
        outer: v.ProjectClass | None = None
        for name in names:
            outer = self.class_for(code, outer)
            inner = next((one for one in code.inner if one.name == name), None)
            if inner is None:
                return None
            code = inner
        return code, outer

    def static_member_owners(self, name: str, file: str) -> Iterator[v.ProjectClass]:
        """The classes of the project from which a name may have been imported statically."""
        here = self.file(file)
        for owner in (here.static_imports.get(name), *here.static_wildcards):
            found = self._qualified(owner) if owner else None
            if found is not None:
                yield self.class_for(*found)

    def missing_import(self, name: str, file: str) -> int | None:
        """The line that imports a class that must be one of the project's own, and is not there."""
        here = self.file(file)
        qualified = here.imports.get(name)
        if qualified is None or is_known_package(qualified) or self._qualified(qualified) is not None:
            return None
        package = qualified.rpartition(".")[0]
        is_own = any(package == own or package.startswith(f"{own}.") for own in self._own_roots())
        return here.import_lines.get(name) if is_own else None

    def _own_roots(self) -> set[str]:
        """The project's packages, and what all of them begin with, unless that is as general as `com`."""
        if self._roots is None:
            packages = self._all_packages()
            common = commonpath([package.replace(".", "/") for package in packages]) if packages else ""
            self._roots = packages | ({common.replace("/", ".")} if "/" in common else set())
        return self._roots

    def is_missing_here(self, name: str, file: str, owner: v.ProjectClass | None) -> bool:
        """Whether a class of this simple name could only be in the same package as the file, and is not."""
        here = self.file(file)
        if not name.isidentifier() or not name[0].isupper() or is_known_class(name):
            return False
        if name in here.imports or name in here.static_imports or here.static_wildcards:
            return False
        imports_unknown = any(package not in self._all_packages() for package in here.wildcards)
        inherits_unknown = any(not around.is_all_known for around in with_outer(owner))
        return not (imports_unknown or inherits_unknown) and self._code_named(name, file, owner) is None

    def is_unread(self, name: str, file: str) -> bool:
        """Whether a class that is not of the project may be anything: a page object of another package."""
        simple = name.rpartition(".")[2]
        qualified = self.file(file).imports.get(name, name)
        return not is_known_package(qualified) and ("." in qualified or not is_known_class(simple))

    def is_package(self, name: str) -> bool:
        """Whether a package of the project begins with this name."""
        return any(package.split(".", 1)[0] == name for package in self._all_packages())

    def _all_packages(self) -> set[str]:
        if self._packages is None:
            found = (re.search(r"^\s*package\s+([\w.]+)\s*;", self.source(path), re.MULTILINE) for path in self.paths)
            self._packages = {match.group(1) for match in found if match}
        return self._packages

    def implementers(self, of: v.ProjectClass) -> list[v.ProjectClass]:
        """The classes that extend or implement a class by its simple name, the first few in the sequence of files."""
        pattern = re.compile(rf"\b(?:extends|implements)\b[^{{;]*\b{re.escape(of.name)}\b")
        found: list[v.ProjectClass] = []
        for path in self.paths:
            if of.name in self.source(path) and pattern.search(self.source(path)):
                found.extend(one for one in self.classes_in(path) if one is not of and of in list(one.chain()))
            if len(found) >= MOST_IMPLEMENTERS:
                break
        return found[:MOST_IMPLEMENTERS]


def with_outer(of: v.ProjectClass | None) -> Iterator[v.ProjectClass]:
    while of is not None:
        yield of
        of = of.outer


def superclass_names(of: v.ProjectClass) -> Iterator[str]:
    """The names of all superclasses, as written, also of those that are not of the project."""
    for one in of.chain():
        above: object = one.code.superclass
        if isinstance(above, Name):
            yield above.name.rpartition(".")[2]


def is_abstract(of: v.Value) -> bool:
    return isinstance(of, v.ProjectClass) and (of.code.kind == "interface" or "abstract" in of.code.modifiers)


_PACKAGES = tuple(
    v.words(
        "java. javax. jakarta. kotlin. org.openqa.selenium. org.junit. junit. org.testng. com.microsoft.playwright.",
        "com.codeborne.selenide. io.appium. io.github.bonigarcia. org.hamcrest. org.assertj. com.google. org.slf4j.",
        "org.apache. ch.qos. io.qameta. com.aventstack. com.relevantcodes. com.applitools. io.percy. com.deque.",
        "com.github.javafaker. net.datafaker. com.fasterxml. com.github.romankh3. com.assertthat. ru.yandex.qatools.",
        "net.serenitybdd. net.thucydides.",
        "org.awaitility. lombok. org.mockito. io.restassured. okhttp3. org.json. com.paulhammant. org.springframework.",
        "io.cucumber. cucumber. org.skyscreamer. org.yaml. org.monte. com.automation.remarks. org.sikuli.",
    )
)

_CLASSES = v.words(
    "WebDriverWait FluentWait Wait Actions Select PageFactory AjaxElementLocatorFactory DefaultElementLocatorFactory",
    "DefaultFieldDecorator EventFiringWebDriver EventFiringDecorator Augmenter ByChained JavascriptExecutor",
    "TakesScreenshot ExpectedConditions By Keys Duration NgWebDriver AShot Eyes AxeBuilder AXE TouchActions Screenshot",
    "Assert Assertions SoftAssert SoftAssertions MatcherAssert WebDriverRunner Selenide FileUtils FileHandler Logger",
    "LoggerFactory LogManager Faker Allure Reporter Percy",
)

_OF_THE_LANGUAGE = v.words(
    "Object String StringBuilder StringBuffer Integer Long Short Byte Double Float Character Boolean Number Math",
    "StrictMath System Thread ThreadLocal Runnable Runtime Process ProcessBuilder Class ClassLoader Enum Record Void",
    "Iterable Comparable CharSequence AutoCloseable Cloneable Override Deprecated FunctionalInterface SafeVarargs",
    "SuppressWarnings StackTraceElement Package Module ThreadGroup InheritableThreadLocal",
)


_CLASS_ENDINGS = ("Exception", "Error", "Throwable", "Driver", "Options")


def is_known_package(qualified: str) -> bool:
    """Whether a class of this name belongs to one of these packages."""
    return qualified.startswith(_PACKAGES)


def is_known_class(simple: str) -> bool:
    """The same for a class that a file has by importing all of a package, or that every file has."""
    return simple in _CLASSES | _OF_THE_LANGUAGE or simple.endswith(_CLASS_ENDINGS)
