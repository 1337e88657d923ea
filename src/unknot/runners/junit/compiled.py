"""Our own Java classes, compiled when they are first needed and kept in the user's cache."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import RunnerError, UsageError
from unknot.runners.junit.jars import JUnit

_JAVA_SECONDS = 60
"""Java prints its version in a tenth of one."""

_INSTALL = "install a JDK (Debian: apt-get install default-jdk-headless), or name the program by `java`"


@dataclass(frozen=True)
class JavaProgram:
    """`version` is what it prints about itself, in one line."""

    program: str
    version: str


def find_java(named: str, where: str) -> JavaProgram:
    """The program named, or that of JAVA_HOME, or the first of PATH. Raises UsageError if it does not run."""
    program = named or _default()
    found = shutil.which(program)
    if found is None:
        raise UsageError(f"{where}: there is no Java: `{program}` is not a program", hint=_INSTALL, slug="java-missing")
    try:
        done = _run([found, "--version"], _JAVA_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise UsageError(f"{where}: `{found}` does not run: {problem}", hint=_INSTALL, slug="java-failed") from None
    if done.returncode != 0 or not done.stdout.strip():
        printed = (done.stderr or done.stdout).strip().splitlines()[:1]
        raise UsageError(
            f"{where}: `{found} --version` fails: {' '.join(printed) or f'status {done.returncode}'}",
            hint="it must be Java 11 or later; " + _INSTALL,
            slug="java-failed",
        )
    return JavaProgram(os.path.abspath(found), " / ".join(done.stdout.strip().splitlines()))


def _run(words: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds,
        check=False,
    )


def _default() -> str:
    home = os.environ.get("JAVA_HOME", "")
    beside = os.path.join(home, "bin", "java")
    return beside if home and os.access(beside, os.X_OK) else "java"


_SOURCES = Path(__file__).parent / "java"
_CORE = ("Core*.java", "InOrder.java", "WantedTests.java")
_PLATFORM = ("OrderedEngine.java", "Platform*.java")
_QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Half the time for so little to compile."""

_SECONDS = 300
"""Some seconds do; a machine under load may take long."""


def compiled(java: JavaProgram, junit: JUnit) -> Path:
    """A directory with the classes for this Java and these jars. Compiled at most once for each: the directory appears
    whole or not at all, and two processes that make it at the same time are both right."""
    sources = _sources(junit)
    cache = _cache()
    ready = cache / _digest(java, sources, junit.jars)
    if ready.is_dir():
        return ready
    try:
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        made = Path(tempfile.mkdtemp(prefix="new-", dir=cache))
    except OSError as problem:
        raise RunnerError(
            f"cannot keep the compiled JUnit runner in {cache}: {problem}",
            hint="set XDG_CACHE_HOME to a directory that can be written",
            slug="junit-not-compiled",
        ) from None
    try:
        _compile(java, sources, junit.jars, made)
        os.rename(made, ready)
    except OSError:
        # Another process may have been faster: what it made is the same.
        if not ready.is_dir():
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return ready


def _sources(junit: JUnit) -> list[Path]:
    left_out = [*(() if junit.has_core else _CORE), *(() if junit.has_platform else _PLATFORM)]
    return [path for path in sorted(_SOURCES.glob("*.java")) if not any(path.match(one) for one in left_out)]


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME", "")
    parent = Path(home) if os.path.isabs(home) else Path.home() / ".cache"
    return parent / "unknot" / "junit"


def _digest(java: JavaProgram, sources: Sequence[Path], jars: Sequence[Path]) -> str:
    digest = hashlib.sha256(java.version.encode())
    for path in (*sources, *jars):
        digest.update(hashlib.sha256(path.read_bytes()).digest() if path.is_file() else str(path).encode())
    return digest.hexdigest()[:24]


def _compile(java: JavaProgram, sources: Sequence[Path], jars: Sequence[Path], target: Path) -> None:
    # Java's own compiler: one of another version could write classes that this Java cannot read.
    compiler = (java.program, *_QUICK, "-m", "jdk.compiler/com.sun.tools.javac.Main", "-nowarn", "-proc:none")
    options = ("--release", "11", "-encoding", "UTF-8", "-d", str(target), "-cp", os.pathsep.join(map(str, jars)))
    try:
        done = _run([*compiler, *options, *map(str, sources)], _SECONDS)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise RunnerError(f"the Java compiler does not run: {problem}", hint=_HINT, slug="java-failed") from None
    if done.returncode != 0:
        printed = (done.stderr or done.stdout).strip()[:500]
        raise RunnerError(
            f"the JUnit runner cannot be compiled by {java.program}: {printed}", hint=_HINT, slug="junit-not-compiled"
        )


_HINT = (
    "it takes a JDK 11 or later, not only a runtime (Debian: apt-get install default-jdk-headless),"
    " JUnit 4.12 or later, or JUnit 5.8 or later"
)
