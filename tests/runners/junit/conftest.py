"""A suite of planted Java classes, compiled once, and a real slot that runs orders of them."""

import fcntl
import os
import secrets
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.runners.command.slot import CommandSlotSpec
from unknot.runners.command.spec import CommandSpec
from unknot.runners.junit.compiled import compiled, find_java
from unknot.runners.junit.config import junit_spec
from unknot.runners.junit.jars import DEBIAN, find_junit
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.settings import Settings
from unknot.runners.workers.slot import answers

Ask = Callable[[Sequence[str]], tuple[Result, ...]]
JAVAC = ("javac", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-proc:none")
PLANTED = Path(__file__).parent / "planted"


@pytest.fixture(scope="session")
def junit_jars() -> list[Path]:
    if shutil.which("javac") is None:
        pytest.skip("there is no Java compiler")
    if not (Path(DEBIAN) / "junit-platform-launcher.jar").exists() or not (Path(DEBIAN) / "junit4.jar").exists():
        pytest.skip(f"there is no JUnit 4 or 5 in {DEBIAN}")
    return list(find_junit((), [Path(DEBIAN)], "auto", "here").jars)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that all workers of one run of these tests have: what is compiled there is compiled once."""
    base = tmp_path_factory.getbasetemp()
    directory = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "junit-shared"
    directory.mkdir(exist_ok=True)
    return directory


@contextmanager
def only_one(shared: Path) -> Iterator[None]:
    with open(shared / "lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def cache(shared: Path, junit_jars: list[Path]) -> Iterator[Path]:
    """Not the user's own. Has our classes for the JUnit of this machine."""
    with pytest.MonkeyPatch.context() as patch:
        directory = shared / "cache"
        patch.setenv("XDG_CACHE_HOME", str(directory))
        with only_one(shared):
            compiled(find_java("", "here"), find_junit((), [Path(DEBIAN)], "auto", "here"))
        yield directory


@pytest.fixture(scope="session")
def planted(shared: Path, junit_jars: list[Path]) -> Path:
    """A project as Maven would leave it. It is only read."""
    project = shared / "planted {project}"
    with only_one(shared):
        if not (project / "unknot.toml").exists():
            words = [*JAVAC, "--release", "11", "-encoding", "UTF-8", "-d", str(project / "target/test-classes")]
            jars = ":".join(map(str, junit_jars))
            subprocess.run([*words, "-cp", jars, *map(str, sorted(PLANTED.glob("*.java")))], check=True)
            (project / "unknot.toml").write_text("[junit]\n")
    return project


@pytest.fixture(scope="session")
def spec(planted: Path, cache: Path) -> CommandSpec:
    return junit_spec({}, planted, "unknot.toml [junit]")


@pytest.fixture(scope="session")
def ask(planted: Path, spec: CommandSpec, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Runs one order in a VM of its own, and says what came of each test."""
    sandbox = Sandbox(tmp_path_factory.mktemp("sandbox"), 0, {"UNKNOT_SLOT": secrets.token_hex(8)})
    slot = CommandSlotSpec(spec, None, Settings(planted, timeout=120)).open(sandbox)

    def requested(order: Sequence[str]) -> tuple[Result, ...]:
        tests = tuple(TestId(f"planted.{test}") for test in order)
        return next(answers(slot.answer([tests], shares=False))).results

    yield requested
    slot.close()
