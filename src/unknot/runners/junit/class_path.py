"""The class path of a suite: what the user named, or what builds usually leave where."""

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from unknot.model.errors import UsageError
from unknot.runners.sandbox.workdir import project_root

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
        ) from None
    entries = [entry for line in text.splitlines() for entry in line.strip().split(os.pathsep) if entry]
    return [Path(os.path.normpath(directory / entry)) for entry in entries]
