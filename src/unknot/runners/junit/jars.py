"""Which parts of JUnit are on the class path, and where the missing ones are."""

import glob
import os
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import UsageError
from unknot.runners.sandbox.working_copy import project_root

TEST_CLASSES = (
    "target/test-classes",
    "build/classes/java/test",
    "build/classes/kotlin/test",
    "build/classes/groovy/test",
)
"""Where Maven and Gradle put the tests."""

_USUAL = (
    *TEST_CLASSES,
    "build/resources/test",
    "target/classes",
    "build/classes/java/main",
    "build/classes/kotlin/main",
    "build/classes/groovy/main",
    "build/resources/main",
    "target/dependency/*.jar",
    "build/dependency/*.jar",
)


def usual_class_path(directory: Path, where: str) -> list[Path]:
    """Raises UsageError if nothing was compiled where builds usually put it."""
    found = [path for entry in _USUAL for path in _matches(entry, directory)]
    if not any((directory / usual).is_dir() for usual in TEST_CLASSES):
        raise UsageError(
            f"{where}: no `classpath` is given, and {directory} has none of {', '.join(TEST_CLASSES)}",
            hint="compile the tests first (`mvn test-compile dependency:copy-dependencies`, `gradle testClasses`),"
            ' or say where they are: classpath = ["out", "lib/*.jar"]',
            slug="classpath-missing",
        )
    return found


def named_class_path(entries: Iterable[str], directory: Path, where: str) -> list[Path]:
    """Paths, globs, and `@FILE` for a file that holds a class path, as Maven's dependency:build-classpath writes it.
    Raises UsageError for an entry that matches nothing."""
    found: list[Path] = []
    for entry in entries:
        matches = _from_file(entry[1:], directory, where) if entry.startswith("@") else _matches(entry, directory)
        if not matches:
            raise UsageError(
                f"{where}: `{entry}` of the class path is not there (looked from {directory})",
                hint="compile the tests first, or correct the entry; paths and globs begin at the project",
                slug="classpath-missing",
            )
        found.extend(matches)
    return list(dict.fromkeys(found))


def as_seen_from(directory: Path, paths: Sequence[Path]) -> list[str]:
    """As words for a command that runs in a copy of the project: what is in the project by a relative path, so that it
    is the copy's own; what is elsewhere by an absolute one."""
    root = project_root(directory)
    return [os.path.relpath(path, directory) if path.is_relative_to(root) else str(path) for path in paths]


def _matches(entry: str, directory: Path) -> list[Path]:
    pattern = os.path.join(glob.escape(str(directory)), os.path.expanduser(entry))
    return [Path(os.path.normpath(match)) for match in sorted(glob.glob(pattern, recursive=True))]


def _from_file(name: str, directory: Path, where: str) -> list[Path]:
    try:
        text = (directory / name).read_text()
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"{where}: cannot read the class path from {name}: {problem}",
            hint="write it by `mvn dependency:build-classpath -Dmdep.outputFile=FILE`, or by a task of your build",
            slug="classpath-missing",
        ) from None
    entries = [entry for line in text.splitlines() for entry in line.strip().split(os.pathsep) if entry]
    return [Path(os.path.normpath(directory / entry)) for entry in entries]


DEBIAN = "/usr/share/java"


@dataclass(frozen=True)
class Part:
    """`holds` is a class that only this part has; `jars` are names of its jar, without version and ending."""

    holds: str
    jars: tuple[str, ...]


CORE = (
    Part("org/junit/runner/Request.class", ("junit4", "junit")),
    Part("org/hamcrest/Matcher.class", ("hamcrest", "hamcrest-core", "hamcrest-all")),
)
ENGINE = Part("org/junit/platform/engine/TestEngine.class", ("junit-platform-engine",))
LAUNCHER = Part("org/junit/platform/launcher/Launcher.class", ("junit-platform-launcher",))
PLATFORM = (
    Part("org/junit/jupiter/api/Test.class", ("junit-jupiter-api",)),
    Part("org/junit/jupiter/engine/JupiterTestEngine.class", ("junit-jupiter-engine",)),
    Part("org/junit/platform/commons/JUnitException.class", ("junit-platform-commons",)),
    ENGINE,
    LAUNCHER,
    Part("org/opentest4j/AssertionFailedError.class", ("opentest4j",)),
)
_USEFUL = (
    Part("org/junit/jupiter/params/ParameterizedTest.class", ("junit-jupiter-params",)),
    Part("org/apiguardian/api/API.class", ("apiguardian-api",)),
)
"""What a suite may use, or only the compiler misses."""


@dataclass(frozen=True)
class JUnit:
    """`jars` hold all parts; `added` are those of them that the class path lacks."""

    has_core: bool
    has_platform: bool
    jars: tuple[Path, ...]
    added: tuple[Path, ...]


def find_junit(class_path: Sequence[Path], jar_paths: Sequence[Path], engine: str, where: str) -> JUnit:
    """Parts on the class path come first: a suite's own JUnit is the one it was written for. Raises UsageError if the
    requested engine is not complete, or none is. Cost: a look into the table of contents of every jar."""
    index = _JarIndex(class_path, jar_paths)
    found: list[tuple[Part, ...]] = [group for group in (CORE, PLATFORM) if index.has(group)]
    groups: dict[str, list[tuple[Part, ...]]] = {"4": [CORE], "5": [PLATFORM], "auto": [CORE, PLATFORM]}
    wanted = groups[engine]
    if not any(group in found for group in wanted):
        missing = [part.jars[0] for group in wanted for part in group if not index.has((part,))]
        raise UsageError(
            f"{where}: JUnit is neither on the class path nor in {', '.join(map(str, jar_paths))}:"
            f" no {', no '.join(missing)}",
            hint="install it (Debian: apt-get install junit4 junit5), put its jars on the class path, or say where they"
            " are by `jar-path`",
            slug="junit-missing",
        )
    if PLATFORM in found:
        _check_versions(index.place(ENGINE), index.place(LAUNCHER), where)
    # Also of an engine that is not requested: without them its tests could not even be passed over.
    parts = [part for group in (*found, _USEFUL) for part in group]
    jars = tuple(dict.fromkeys(place for part in parts if (place := index.place(part)) is not None))
    return JUnit(CORE in found, PLATFORM in found, jars, tuple(jar for jar in jars if jar not in class_path))


class _JarIndex:
    """Says where each part is, looking into every jar once."""

    def __init__(self, class_path: Sequence[Path], jar_paths: Sequence[Path]) -> None:
        self._contents = [(path, _contents(path)) for path in class_path]
        self._jar_paths = jar_paths
        self._places: dict[Part, Path | None] = {}

    def has(self, parts: Iterable[Part]) -> bool:
        return all(self.place(part) is not None for part in parts)

    def place(self, part: Part) -> Path | None:
        if part not in self._places:
            self._places[part] = self._look_for(part)
        return self._places[part]

    def _look_for(self, part: Part) -> Path | None:
        for path, contents in self._contents:
            if part.holds in contents if contents is not None else (path / part.holds).is_file():
                return path
        for directory in self._jar_paths:
            for name in (*part.jars, "junit-platform-console-standalone"):
                for jar in _versions_of(directory, name):
                    if part.holds in (_contents(jar) or ()):
                        return jar
        return None


def _contents(path: Path) -> frozenset[str] | None:
    """Of a jar; None for a directory. What is no jar holds nothing: Java passes over it too."""
    if path.is_dir():
        return None
    try:
        with zipfile.ZipFile(path) as jar:
            return frozenset(jar.namelist())
    except (OSError, zipfile.BadZipFile):
        return frozenset()


def _versions_of(directory: Path, name: str) -> list[Path]:
    """The jar without a version, which is a link to the right one, before the newest."""
    versioned = [(numbers, path) for path in directory.glob(f"{name}-*.jar") if (numbers := _numbers(path, name))]
    plain = directory / f"{name}.jar"
    return [*([plain] if plain.is_file() else []), *(path for _, path in sorted(versioned, reverse=True))]


def _numbers(path: Path, name: str) -> tuple[int, ...]:
    found = re.fullmatch(re.escape(name) + r"-(\d+(?:\.\d+)*).*\.jar", path.name)
    return tuple(int(number) for number in found[1].split(".")) if found else ()


def _check_versions(engine: Path | None, launcher: Path | None, where: str) -> None:
    """A launcher of another version than its engines fails in ways that explain nothing."""
    mine, theirs = _numbers_of(launcher, LAUNCHER), _numbers_of(engine, ENGINE)
    if mine and theirs and mine != theirs:
        version = ".".join(map(str, theirs))
        raise UsageError(
            f"{where}: the class path has junit-platform-engine {version}, but the launcher found is {launcher}",
            hint=f"add org.junit.platform:junit-platform-launcher:{version} to the tests' dependencies",
            slug="junit-version",
        )


def _numbers_of(jar: Path | None, part: Part) -> tuple[int, ...]:
    """By its name, or by that of a link beside it; nothing if neither has one."""
    if jar is None or not jar.is_file():
        return ()
    name = part.jars[0]
    beside = [other for other in sorted(jar.parent.glob(f"{name}-*.jar")) if other.exists() and other.samefile(jar)]
    return next((numbers for path in (jar, *beside) if (numbers := _numbers(path, name))), ())
