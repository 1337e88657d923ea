"""A JUnit suite as commands: one that lists its methods, one that runs a list of them in one VM."""

import glob
import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from unknot.model.errors import UsageError
from unknot.runners.command.spec import CommandSpec, ResultsSpec
from unknot.runners.config_table import ConfigTable
from unknot.runners.junit.compiled import compiled, find_java
from unknot.runners.junit.jars import DEBIAN, TEST_CLASSES, as_seen_from, find_junit, named_class_path, usual_class_path
from unknot.runners.sandbox.working_copy import project_root
from unknot.runners.sut.placeholders import escaped

_KEYS = ("classpath", "test-classes", "jar-path", "java", "jvm-options", "classes", "engine", "env")

_VM = ("-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto")
"""Assertions as Maven and Gradle have them; otherwise a VM that starts quickly and leaves nothing in /tmp. What the
user says comes later and wins."""

_ENGINES = ("auto", "4", "5")
_HOME = "{dir}/unknot-java"
_RESULTS = ResultsSpec(
    format="lines",
    file="{results}",
    pattern=r"^(?P<test>[^\t]+)\t(?P<outcome>[a-z-]+)\t(?P<seconds>[0-9.]+)\t(?P<escaped_story>[^\t]*)\t\.$",
    words=tuple((word, word) for word in ("passed", "failed", "skipped", "setup-error", "teardown-error")),
)


_START_SECONDS = 0.5


def junit_spec(table: Mapping[str, object], directory: Path, where: str) -> CommandSpec:
    """From `[tool.unknot.junit]`; `where` names the file and the table in messages. `directory` is where the commands
    run, in each worker's own copy. Looks for Java and JUnit, and compiles our own classes if that was not done yet.

    Raises UsageError for a mistake of the user's, RunnerError if our classes cannot be compiled. Cost: a start of Java
    and a look into the jars, about 0.1 s; some seconds when it compiles.
    """
    read = ConfigTable(table, where)
    read.check_keys(_KEYS)
    java = find_java(read.text("java"), where)
    named = read.texts("classpath", or_one=True)
    classes = named_class_path(named, directory, where) if named else usual_class_path(directory, where)
    tests = _test_classes(read, classes, directory, where)
    classes = [*(path for path in tests if path not in classes), *classes]
    engine = _engine(read)
    jar_paths = [directory / os.path.expanduser(path) for path in read.texts("jar-path", or_one=True) or (DEBIAN,)]
    junit = find_junit(classes, jar_paths, engine, where)
    seen = as_seen_from(directory, [*classes, *junit.added])
    ours, options = compiled(java, junit), read.words("jvm-options")
    path = os.pathsep.join([str(ours), *seen])
    words = tuple(map(escaped, (java.program, *_VM, *options, "-cp", path, "unknot.junit.Main")))
    roots = os.pathsep.join(escaped(word) for word in as_seen_from(directory, tests))
    home = (f"-Djava.io.tmpdir={_HOME}/tmp", f"-Duser.home={_HOME}/home")
    return CommandSpec(
        run=(*words[:1], *home, *words[1:], "run", engine, _HOME, "{tests_file}", "{results}"),
        list=(*words, "list", engine, roots, *map(escaped, read.texts("classes", or_one=True))),
        list_pattern=r"^test\t(?P<test>[^\t]+)\t(?P<file>.*)$",
        results=_RESULTS,
        files=tuple(_globs(classes, directory)),
        environment=read.environment("env"),
        statuses=(0,),
        start_seconds=_START_SECONDS,
        versions=(
            java.version,
            *(_identity(path) for path in (*classes, *junit.added) if not path.is_relative_to(project_root(directory))),
        ),
        known_by=("junit", engine, ours.name, *_VM, *options, *(word for word in seen if not os.path.isabs(word))),
    )


def _engine(read: ConfigTable) -> str:
    """A bare number will do."""
    value = read.value("engine", _ENGINES[0])
    engine = str(value) if type(value) is int else value
    if engine not in _ENGINES:
        raise read.wrong("engine", f"must be one of {', '.join(_ENGINES)}, not {value!r}")
    return str(engine)


def _test_classes(read: ConfigTable, classes: Sequence[Path], directory: Path, where: str) -> list[Path]:
    """Where tests are looked for: as said, or as builds have it, or in every directory of the class path."""
    named = read.texts("test-classes", or_one=True)
    if named:
        return named_class_path(named, directory, where)
    usual = [directory / place for place in TEST_CLASSES]
    directories = [path for path in classes if path.is_dir()]
    found = [path for path in directories if path in usual] or directories
    if not found:
        raise UsageError(
            f"{where}: the class path has no directory where tests could be looked for",
            hint='name the jar or directory that holds them: test-classes = ["build/tests.jar"]',
            slug="classpath-missing",
        )
    return found


def _globs(class_path: Sequence[Path], directory: Path) -> list[str]:
    """What the suite is made of, from the project's root; what is elsewhere is known by `versions`."""
    root = project_root(directory)
    inside = [(path, glob.escape(str(path.relative_to(root)))) for path in class_path if path.is_relative_to(root)]
    return [f"{name}/**/*" if path.is_dir() else name for path, name in inside]


def _identity(path: Path) -> str:
    """A jar outside the project, by what is in it; a directory by what changes when something comes or goes there."""
    if path.is_file():
        with path.open("rb") as content:
            return f"{path.name} {hashlib.file_digest(content, 'sha256').hexdigest()}"
    return f"{path} {os.stat(path).st_mtime_ns}"
