"""`[tool.unknot.junit]`: what is found by itself, and what is said about mistakes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError, UsageError
from unknot.runners.command.spec import CommandSpec
from unknot.runners.junit.compiled import JavaProgram, compiled, find_java
from unknot.runners.junit.config import junit_spec
from unknot.runners.junit.jars import CORE, DEBIAN, find_junit

pytestmark = pytest.mark.foreign

JAVAC = ("javac", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-proc:none")
WHERE = "unknot.toml [junit]"


@pytest.fixture
def project(tmp_path: Path, junit_jars: list[Path], cache: Path) -> Path:
    """Nothing in it but an empty place for compiled tests."""
    directory = tmp_path / "project"
    (directory / "target/test-classes").mkdir(parents=True)
    (directory / "unknot.toml").write_text("")
    return directory


def test_paths_in_the_project_are_relative_and_others_are_not(project: Path, spec: CommandSpec) -> None:
    (project / "target/classes").mkdir()
    (project / "lib").mkdir()
    shutil.copy(Path(DEBIAN) / "opentest4j.jar", project / "lib/open {test} 4j.jar")
    found = junit_spec({"classpath": ["target/*classes", "lib/*.jar", str(project / "lib")]}, project, WHERE)
    classes = found.run[found.run.index("-cp") + 1].split(":")
    assert classes[1:5] == ["target/classes", "target/test-classes", "lib/open {{test}} 4j.jar", "lib"]
    assert all(os.path.isabs(path) for path in [classes[0], *classes[5:]])
    assert not any("opentest4j" in path for path in classes[5:])
    assert "lib/open {test} 4j.jar" in found.files


def test_where_things_are_on_this_machine_does_not_count(
    project: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jar = tmp_path / "one" / "open.jar"
    jar.parent.mkdir()
    shutil.copy(Path(DEBIAN) / "opentest4j.jar", jar)
    here = junit_spec({"classpath": ["target/test-classes", str(jar)]}, project, WHERE)
    moved = tmp_path / "two"
    shutil.copytree(project, moved / "project")
    shutil.copy(jar, moved / "open.jar")
    shutil.copytree(cache, moved / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(moved / "cache"))
    there = junit_spec({"classpath": ["target/test-classes", str(moved / "open.jar")]}, moved / "project", WHERE)
    assert here.run != there.run
    assert (here.known_by, here.versions) == (there.known_by, there.versions)
    options = {"classpath": ["target/test-classes", str(jar)], "jvm-options": "-Xmx64m"}
    assert junit_spec(options, project, WHERE).known_by != here.known_by


def test_a_class_path_can_stand_in_a_file(project: Path) -> None:
    (project / "class-path.txt").write_text(f"{DEBIAN}/junit4.jar:{project}/target/test-classes\n")
    found = junit_spec({"classpath": "@class-path.txt", "jvm-options": "-Xmx64m -Da='b c'"}, project, WHERE)
    assert f":{DEBIAN}/junit4.jar:target/test-classes:" in found.run[found.run.index("-cp") + 1]
    assert found.run.index("-Da=b c") == found.run.index("-Xmx64m") + 1 < found.run.index("unknot.junit.Main")


def test_classes_are_chosen_by_globs(planted: Path, cache: Path) -> None:
    chosen = junit_spec({"classes": ["planted.F*Test", "!*Broken*", "*Enclosed*$S*"], "engine": 4}, planted, WHERE)
    words = [word.replace("{{", "{").replace("}}", "}") for word in chosen.list]
    done = subprocess.run(words, cwd=planted, capture_output=True, text=True, check=True)
    reported = {line.split("\t")[1].partition("#")[0] for line in done.stdout.splitlines()}
    assert reported == {
        f"planted.{name}" for name in ("EnclosedTest$Second", "FixedManyTest", "FourOutcomesTest", "FourTest")
    }


def test_a_test_that_cannot_be_loaded_is_not_passed_over(project: Path, planted: Path) -> None:
    """Its tests would be missing, and no message would say so."""
    shutil.copytree(planted / "target/test-classes", project / "target/test-classes", dirs_exist_ok=True)
    (project / "target/test-classes/planted/AbstractBase.class").unlink()
    words = junit_spec({}, project, WHERE).list
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "cannot load planted.ChildTest" in done.stderr


_ENDS_THE_VM = """
@org.junit.runner.RunWith(org.junit.runners.Parameterized.class)
public class EndsTest {
    @org.junit.runners.Parameterized.Parameters
    public static Object[] data() {
        System.exit(0);
        return new Object[0];
    }

    @org.junit.Test
    public void never() {}
}
"""


def test_a_class_that_ends_the_vm_while_it_is_listed_hides_no_others(project: Path, junit_jars: list[Path]) -> None:
    (project / "EndsTest.java").write_text(_ENDS_THE_VM)
    words = [*JAVAC, "-cp", ":".join(map(str, junit_jars)), "-d", "target/test-classes", "EndsTest.java"]
    subprocess.run(words, cwd=project, check=True)
    listing = subprocess.run(junit_spec({}, project, WHERE).list, cwd=project, capture_output=True, text=True)
    assert listing.returncode == 3
    assert "EndsTest ended the VM while its tests were listed" in listing.stderr


@pytest.mark.parametrize(
    ("table", "reported", "hint"),
    [
        ({"claspath": "x"}, "`claspath`", "classpath"),
        ({"classpath": 5}, "`classpath`", ""),
        ({"classpath": ["nowhere/*.jar"]}, "nowhere/*.jar", "compile the tests"),
        ({"classpath": ["@nowhere"]}, "nowhere", "mvn dependency:build-classpath"),
        ({"engine": "6"}, "`engine`", ""),
        ({"engine": 3}, "`engine`", ""),
        ({"java": "no-such-java"}, "no-such-java", "apt-get install"),
        ({"java": "false"}, "--version", "Java 11"),
        ({"jar-path": "."}, "no junit4", "apt-get install junit4 junit5"),
        ({"jar-path": ".", "engine": "5"}, "no junit-jupiter-api", "jar-path"),
        ({"jvm-options": "'"}, "`jvm-options`", ""),
        ({"env": {"A": 1}}, "env", ""),
        ({"env": {"TMPDIR": "/"}}, "TMPDIR", ""),
        ({"classpath": ["unknot.toml"]}, "no directory", "test-classes"),
    ],
)
def test_a_mistake_is_named(project: Path, table: dict[str, object], reported: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        junit_spec(table, project, WHERE)
    assert WHERE in caught.value.message
    assert reported in caught.value.message
    assert hint in caught.value.hint


def test_a_project_that_was_not_compiled_gets_a_hint(project: Path) -> None:
    shutil.rmtree(project / "target")
    with pytest.raises(UsageError) as caught:
        junit_spec({}, project, WHERE)
    assert "target/test-classes" in caught.value.message
    assert "mvn test-compile" in caught.value.hint


def test_a_launcher_of_another_version_than_its_engines_is_refused(tmp_path: Path, junit_jars: list[Path]) -> None:
    engine = tmp_path / "junit-platform-engine-1.10.2.jar"
    shutil.copy(Path(DEBIAN) / "junit-platform-engine.jar", engine)
    with pytest.raises(UsageError) as caught:
        find_junit([engine], [Path(DEBIAN)], "auto", WHERE)
    assert "1.10.2" in caught.value.message
    assert "org.junit.platform:junit-platform-launcher:1.10.2" in caught.value.hint


def test_the_suites_own_junit_comes_first(tmp_path: Path, junit_jars: list[Path]) -> None:
    mine = tmp_path / "junit-4.13.2.jar"
    shutil.copy(Path(DEBIAN) / "junit4.jar", mine)
    found = find_junit([mine], [Path(DEBIAN)], "4", WHERE)
    assert found.jars[0] == mine
    assert mine not in found.added
    assert f"{CORE[1].jars[0]}.jar" in {jar.name for jar in found.added}


@pytest.fixture
def only_junit_4(tmp_path: Path, junit_jars: list[Path]) -> Path:
    """A directory of jars. There is less to compile without the others."""
    directory = tmp_path / "jars"
    directory.mkdir()
    for part in CORE:
        jar = next(jar for jar in junit_jars if jar.stem in part.jars)
        (directory / jar.name).symlink_to(jar)
    return directory


def test_classes_are_compiled_once_also_by_two_at_once(
    tmp_path: Path, only_junit_4: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        "import sys; from pathlib import Path; from unknot.runners.junit import compiled, jars;"
        "print(compiled.compiled(compiled.find_java('', ''), jars.find_junit((), [Path(sys.argv[1])], '4', '')))"
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    words = [sys.executable, "-c", program, str(only_junit_4)]
    both = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    reported = {process.communicate()[0].strip() for process in both}
    assert len(reported) == 1
    ready = Path(reported.pop())
    assert list((tmp_path / "unknot/junit").iterdir()) == [ready]
    without_compiler = JavaProgram("/nowhere/java", find_java("", WHERE).version)
    assert compiled(without_compiler, find_junit((), [only_junit_4], "4", WHERE)) == ready


_OLD_LISTENER = """
package org.junit.runner.notification;
import org.junit.runner.*;
public class RunListener {
    public void testRunStarted(Description description) throws Exception {}
    public void testRunFinished(Result result) throws Exception {}
    public void testStarted(Description description) throws Exception {}
    public void testFinished(Description description) throws Exception {}
    public void testFailure(Failure failure) throws Exception {}
    public void testAssumptionFailure(Failure failure) {}
    public void testIgnored(Description description) throws Exception {}
    public @interface ThreadSafe {}
}
"""


def test_a_junit_that_does_not_report_classes_will_do(tmp_path: Path, only_junit_4: Path, cache: Path) -> None:
    """That of JUnit 4.12, the oldest we promise."""
    (tmp_path / "RunListener.java").write_text(_OLD_LISTENER)
    jar = tmp_path / "junit4.jar"
    shutil.copy(Path(DEBIAN) / "junit4.jar", jar)
    words = [*JAVAC, "-implicit:none", "-cp", str(jar), "-d", str(tmp_path / "old"), "RunListener.java"]
    subprocess.run(words, cwd=tmp_path, check=True)
    subprocess.run(["jar", "--update", "--file", str(jar), "-C", str(tmp_path / "old"), "."], check=True)
    junit = find_junit([jar], [only_junit_4], "4", WHERE)
    assert (compiled(find_java("", WHERE), junit) / "unknot/junit/CoreListener.class").is_file()


def test_without_a_compiler_or_a_cache_it_says_what_to_do(
    tmp_path: Path, junit_jars: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    junit = find_junit((), [Path(DEBIAN)], "4", WHERE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(RunnerError) as caught:
        compiled(JavaProgram("/nowhere/java", "none"), junit)
    assert "JDK" in caught.value.hint
    assert list((tmp_path / "unknot/junit").iterdir()) == []
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(RunnerError) as caught:
        compiled(JavaProgram("/nowhere/java", "none"), junit)
    assert "XDG_CACHE_HOME" in caught.value.hint
