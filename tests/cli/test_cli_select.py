"""`unknot select`: a real project under git, recorded once, changed in many ways."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Done = subprocess.CompletedProcess[str]
Unknot = Callable[..., Done]
Write = Callable[[Mapping[str, str]], None]

FILES = {
    ".gitignore": ".unknot/\n__pycache__/\n",
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "app/__init__.py": "",
    "app/sums.py": """
        def double(number):
            return 2 * number

        def triple(number):
            return 3 * number
        """,
    "app/words.py": """
        GREETING = "hello"
        """,
    "data/ä file.txt": "text\n",
    "tests/test_sums.py": """
        from app import sums

        state = []

        def test_double():
            assert sums.double(2) == 4
            state.append(1)

        def test_triple():
            assert sums.triple(2) == 6

        def test_needs_double():
            assert state

        def test_needs_and_triple():
            assert state and sums.triple(1) == 3
        """,
    "tests/test_words.py": """
        from pathlib import Path

        from app import words

        def test_greeting():
            made = Path(__file__).parents[1] / "made"
            made.mkdir(exist_ok=True)
            made.joinpath("by-tests.txt").write_text("x")
            assert made.joinpath("by-tests.txt").read_text() == "x"
            assert words.GREETING == "hello"

        def test_file():
            assert Path(__file__).parents[1].joinpath("data", "ä file.txt").read_text() == "text\\n"
        """,
}

DOUBLE, TRIPLE, NEEDS, BOTH = (
    f"tests/test_sums.py::test_{name}" for name in ("double", "triple", "needs_double", "needs_and_triple")
)
GREETING, FILE = (f"tests/test_words.py::test_{name}" for name in ("greeting", "file"))


def git(root: Path, *arguments: str) -> None:
    identity = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(
        ["git", *arguments], cwd=root, env={**os.environ, **identity, **quiet}, check=True, capture_output=True
    )


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, unknot_in: Unknot) -> Path:
    root = tmp_path_factory.mktemp("recorded") / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "first")
    done = unknot_in(root, "detect", "-q", "--coverage", "-n", "1", "--no-trace")
    assert "coverage of 6 tests" in done.stderr, done.stderr
    assert done.returncode == 1
    return root


@pytest.fixture
def project(recorded: Path, tmp_path: Path) -> Path:
    """In place of the empty one of this directory's conftest."""
    return Path(shutil.copytree(recorded, tmp_path / "a project"))


@pytest.fixture
def change(project: Path) -> Callable[[str, str, str], None]:
    def changed(name: str, old: str, new: str) -> None:
        text = (project / name).read_text(encoding="utf-8")
        assert old in text
        (project / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return changed


def selected(done: Done) -> dict[str, object]:
    assert done.returncode in (0, 5), done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


Change = Callable[[str, str, str], None]


def test_a_changed_function_brings_its_tests_and_what_they_need(unknot: Unknot, change: Change) -> None:
    change("app/sums.py", "3 * number", "number * 3")
    done = unknot("select", "--format", "json")
    assert done.returncode == 0
    assert selected(done) == {
        "tests": [DOUBLE, TRIPLE, BOTH],
        "affected": [TRIPLE, BOTH],
        "needed": [DOUBLE],
        "new": [],
        "everything": None,
        "reasons": {TRIPLE: ["app/sums.py: triple"], BOTH: ["app/sums.py: triple"]},
    }


def test_a_changed_prerequisite_brings_those_that_depend_on_it(unknot: Unknot, change: Change) -> None:
    change("app/sums.py", "2 * number", "number * 2")
    found = json.loads(unknot("select", "--format", "json").stdout)
    assert found["affected"] == [DOUBLE, NEEDS, BOTH]
    assert found["reasons"][NEEDS] == [f"depends on {DOUBLE}, which is affected"]


def test_what_the_suite_makes_by_itself_is_no_change(unknot: Unknot, project: Path) -> None:
    assert (project / ".unknot" / "coverage").exists()
    (project / "made").mkdir()
    (project / "made" / "by-tests.txt").write_text("left behind")
    assert unknot("select", "--format", "ids").stdout == ""


def test_the_text_has_groups_and_reasons(unknot: Unknot, change: Change) -> None:
    change("app/sums.py", "3 * number", "number * 3")
    done = unknot("select")
    assert done.stdout == textwrap.dedent(
        """\
        2 of 6 tests affected, 1 more needed by them.

        affected
          tests/test_sums.py::test_triple
              app/sums.py: triple
          tests/test_sums.py::test_needs_and_triple
              app/sums.py: triple

        needed by them
          tests/test_sums.py::test_double
        """
    )


def test_the_ids_are_what_pytest_runs(unknot: Unknot, change: Change, project: Path) -> None:
    change("app/sums.py", "3 * number", "number * 3")
    ids = unknot("select", "--format", "ids").stdout.splitlines()
    assert ids == [DOUBLE, TRIPLE, BOTH]
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *ids], cwd=project, capture_output=True, check=False)
    assert done.returncode == 0


def test_nothing_changed_is_nothing_to_run_and_exit_code_5(unknot: Unknot) -> None:
    done = unknot("select")
    assert (done.returncode, done.stdout) == (5, "0 of 6 tests affected.\n")


def test_a_comment_is_no_change_and_a_file_that_no_test_reads_is_named(
    unknot: Unknot, change: Change, write: Write
) -> None:
    change("app/sums.py", "def triple", "# A comment.\ndef triple")
    write({"notes.txt": "new"})
    done = unknot("select")
    assert done.returncode == 5
    assert "notes.txt: no test is known to run or read it" in done.stderr
    assert "sums.py" not in done.stderr


def test_a_constant_brings_all_who_import_it(unknot: Unknot, change: Change) -> None:
    change("app/words.py", "hello", "good day")
    assert selected(unknot("select", "--format", "json"))["affected"] == [GREETING, FILE]


def test_a_data_file_brings_who_read_it(unknot: Unknot, change: Change) -> None:
    change("data/ä file.txt", "text", "words")
    assert selected(unknot("select", "--format", "json"))["reasons"] == {FILE: ["data/ä file.txt: read by it"]}


def test_a_data_file_that_is_gone_or_renamed_is_missed(unknot: Unknot, project: Path) -> None:
    git(project, "mv", "data/ä file.txt", "data/other.txt")
    assert selected(unknot("select", "--format", "json"))["affected"] == [FILE]


def test_new_tests_are_selected_and_come_last(unknot: Unknot, write: Write) -> None:
    write({"tests/test_a_new_one.py": "def test_new():\n    pass\n"})
    found = selected(unknot("select", "--format", "json"))
    assert found["tests"] == found["new"] == ["tests/test_a_new_one.py::test_new"]


def test_a_test_that_is_gone_is_not_selected(unknot: Unknot, change: Change) -> None:
    change("tests/test_sums.py", "def test_triple", "def check_triple")
    found = selected(unknot("select", "--format", "json"))
    assert found["affected"] == [DOUBLE, NEEDS, BOTH], "the module itself has changed"


def test_a_test_file_that_is_gone_takes_its_tests_along(unknot: Unknot, project: Path) -> None:
    (project / "tests/test_words.py").unlink()
    done = unknot("select", "--format", "json")
    assert selected(done)["tests"] == []
    assert "2 tests of the lock file are not collected now" in done.stderr


def test_configuration_brings_everything_and_says_so(unknot: Unknot, change: Change) -> None:
    change("pytest.ini", "pythonpath", "xfail_strict = true\npythonpath")
    found = selected(unknot("select", "--format", "json"))
    assert found["everything"] == "pytest.ini: configuration of the whole suite"
    assert len(str(found["affected"]).split(",")) == 6
    assert unknot("select").stdout.startswith("Everything is selected, 6 tests. pytest.ini: configuration")


def test_a_syntax_error_brings_all_tests_of_the_file(unknot: Unknot, change: Change) -> None:
    change("tests/test_words.py", "def test_file", "def def test_file")
    done = unknot("select", "--format", "json")
    assert selected(done)["affected"] == [GREETING, FILE]
    assert "pytest could not collect the suite" in done.stderr
    assert "tests/test_words.py" in done.stderr
    assert "unknot-" not in done.stderr, "no path of a working copy"


def test_what_was_committed_counts_since_an_older_revision_and_since_the_recording(
    unknot: Unknot, change: Change, project: Path
) -> None:
    change("app/sums.py", "2 * number", "number * 2")
    git(project, "commit", "-q", "-a", "-m", "second")
    assert selected(unknot("select", "--format", "json", "--since", "HEAD~1"))["affected"] == [DOUBLE, NEEDS, BOTH]
    # The recording is older than HEAD.
    assert selected(unknot("select", "--format", "json"))["affected"] == [DOUBLE, NEEDS, BOTH]


def test_a_recording_newer_than_the_change_tells_it_all_the_same(unknot: Unknot, change: Change, project: Path) -> None:
    change("app/sums.py", "2 * number", "number * 2")
    unknot("detect", "-q", "--coverage", "-n", "1")
    assert selected(unknot("select", "--format", "json"))["affected"] == [DOUBLE, NEEDS, BOTH]
    git(project, "commit", "-q", "-a", "-m", "second")
    assert selected(unknot("select", "--format", "json"))["affected"] == []
    assert selected(unknot("select", "--format", "json", "--since", "HEAD~1"))["affected"] == [DOUBLE, NEEDS, BOTH]


def test_named_files_need_no_git(unknot: Unknot, change: Change, project: Path) -> None:
    shutil.rmtree(project / ".git")
    assert selected(unknot("select", "--format", "json", "--changed", "app/words.py"))["affected"] == [GREETING, FILE]
    change("app/sums.py", "2 * number", "number * 2")
    named = selected(unknot("select", "--format", "json", "--changed", "app/sums.py"))
    assert named["affected"] == [DOUBLE, NEEDS, BOTH]
    done = unknot("select", "--format", "json")
    assert selected(done)["affected"] == [DOUBLE, NEEDS, BOTH]
    assert "is not in a git repository; compared only with the recording" in done.stderr


def test_a_data_file_of_pytest_cov_does_as_well(unknot: Unknot, change: Change, project: Path) -> None:
    measured = ("-p", "pytest_cov.plugin", "--cov=app", "--cov-context=test", "--cov-report=")
    subprocess.run([sys.executable, "-m", "pytest", "-q", *measured], cwd=project, capture_output=True, check=True)
    shutil.rmtree(project / ".unknot")
    change("app/sums.py", "2 * number", "number * 2")
    found = selected(unknot("select", "--coverage", ".coverage", "--format", "json"))
    assert DOUBLE in set(found["affected"])  # type: ignore[call-overload]
    assert TRIPLE not in found["reasons"] or found["reasons"][TRIPLE] == ["it was not measured"]  # type: ignore[operator,index]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--since", "nowhere"], "unknown git revision `nowhere`"),
        (["--since=--output=x"], "is not a revision"),
        (["--since", "HEAD^{tree}"], "unknown git revision"),
        (["--changed", "nowhere.py"], "nowhere.py: no such file"),
        (["--changed", "/etc/passwd"], "/etc/passwd is not in the project"),
        (["--coverage", "pytest.ini"], "pytest.ini: not a data file of coverage.py"),
        (["--coverage", "nowhere"], "nowhere: no such file"),
        (["--lock", "nowhere"], "nowhere: there is no such file"),
    ],
)
def test_bad_input_gets_one_line_and_a_hint(unknot: Unknot, project: Path, arguments: list[str], message: str) -> None:
    done = unknot("select", *arguments)
    assert done.returncode in (4, 13)
    assert message in done.stderr
    assert "hint: " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (project / "x").exists()


def test_without_git_or_a_repository_it_says_so(unknot: Unknot, project: Path, tmp_path: Path) -> None:
    shutil.rmtree(project / ".git")
    done = unknot("select", "--since", "HEAD")
    assert (done.returncode, "is not in a git repository" in done.stderr) == (4, True)
    done = unknot("select", "--since", "HEAD", PATH=str(tmp_path))
    assert (done.returncode, "git cannot be run" in done.stderr) == (4, True)


def test_a_shallow_clone_gets_the_hint_to_fetch_more(unknot: Unknot, change: Change, project: Path) -> None:
    first = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project, capture_output=True, text=True, check=True).stdout
    change("app/sums.py", "2 * number", "number * 2")
    git(project, "commit", "-q", "-a", "-m", "second")
    git(project.parent, "clone", "-q", "--depth", "1", project.as_uri(), "clone")
    shutil.rmtree(project / ".git")
    shutil.copytree(project.parent / "clone" / ".git", project / ".git")
    done = unknot("select", "--since", first.strip())
    assert done.returncode == 4
    assert "fetch --unshallow" in done.stderr


def test_a_damaged_recording_is_named(unknot: Unknot, project: Path) -> None:
    (project / ".unknot/coverage-sources.json").write_text('{"format": 1}')
    done = unknot("select")
    assert done.returncode == 13
    assert "coverage-sources.json: not a recording" in done.stderr


def test_unfinished_dependencies_keep_all_that_stands_before(unknot: Unknot, change: Change, project: Path) -> None:
    lock = project / "unknot.lock.json"
    document = json.loads(lock.read_text())
    lock.write_text(json.dumps({**document, "complete": False}))
    change("app/sums.py", "3 * number", "number * 3")
    found = selected(unknot("select", "--format", "json"))
    assert found["tests"] == [DOUBLE, TRIPLE, NEEDS, BOTH]
    assert found["affected"] == [TRIPLE, BOTH]


def test_without_coverage_everything_is_selected(unknot: Unknot) -> None:
    """As in a fresh clone, where there is only the lock file."""
    done = unknot("select", "--changed", "app/words.py", "--state-dir", "other")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Everything is selected, 6 tests. No coverage was recorded")
