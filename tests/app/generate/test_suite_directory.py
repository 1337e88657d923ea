"""Where a generated suite may be, how its tests import what they use, and which files are replaced."""

from pathlib import Path

import pytest

from unknot.app.generate.suite_directory import SuiteDirectory
from unknot.model.errors import StorageError, UsageError
from unknot.web.pages.writing.stamp import stamped
from unknot.web.suite.writing.fixtures_file import LoginImport

TEST = stamped("def test_books() -> None: ...\n", "leave it.", by="unknot generate")


def suite(project: Path, out: str = "tests/generated", pages: str = "tests/pages") -> SuiteDirectory:
    return SuiteDirectory(project, project / out, project / pages)


def put(project: Path, path: str, text: str = "") -> None:
    file = project / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_page_objects_are_imported_from_the_first_directory_that_is_no_package(tmp_path: Path) -> None:
    assert suite(tmp_path).page_package == "pages"
    put(tmp_path, "tests/__init__.py")
    assert suite(tmp_path).page_package == "tests.pages"
    assert suite(tmp_path, pages="web/objects").page_package == "web.objects"


def test_a_login_beside_the_suite_is_imported_and_one_elsewhere_is_found_by_its_directory(tmp_path: Path) -> None:
    assert suite(tmp_path).login_import("", tmp_path) is None
    assert suite(tmp_path).login_import("tests/login.py::log_in", tmp_path) == LoginImport("login", "log_in")
    assert suite(tmp_path).login_import("login.py::log_in", tmp_path) == LoginImport("login", "log_in", 2)
    below = tmp_path / "tests"
    assert suite(tmp_path).login_import("login.py::log_in", below) == LoginImport("login", "log_in")
    assert suite(tmp_path).login_import("../login.py::log_in", below) == LoginImport("login", "log_in", 2)


@pytest.mark.parametrize(
    ("out", "pages"),
    [
        ("tests/my-suite", "tests/pages"),
        ("tests/generated", "tests/class"),
        ("../elsewhere", "tests/pages"),
        (".", "tests/pages"),
        ("tests/generated", "../pages"),
    ],
)
def test_a_directory_that_tests_cannot_be_imported_from_is_named(out: str, pages: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    with pytest.raises(UsageError) as raised:
        SuiteDirectory(project, (project / out).resolve(), (project / pages).resolve()).check()
    assert raised.value.slug == "generate-directory"


def test_a_generated_file_may_be_formatted_but_not_changed(tmp_path: Path) -> None:
    put(tmp_path, "tests/generated/test_books.py", TEST.replace(": ...", ":\n    ..."))
    suite(tmp_path).check()
    put(tmp_path, "tests/generated/test_books.py", TEST.replace("...", "assert False"))
    with pytest.raises(UsageError, match=r"test_books\.py was changed by hand") as raised:
        suite(tmp_path).check()
    assert raised.value.slug == "generate-changed"


def test_files_of_the_user_are_never_taken(tmp_path: Path) -> None:
    put(tmp_path, "tests/generated/test_mine.py", "def test_mine(): ...\n")
    put(tmp_path, "tests/generated/conftest.py", "# mine\n")
    suite(tmp_path).check()
    assert suite(tmp_path).generated() == {}
    assert suite(tmp_path).own_files("theirs").keys() == {"__init__.py"}
    with pytest.raises(UsageError, match=r"test_mine\.py is yours"):
        suite(tmp_path).check_names({"test_mine.py": TEST})
    with pytest.raises(UsageError, match=r"conftest\.py is yours"):
        suite(tmp_path).check_names({"conftest.py": "theirs"})


@pytest.mark.parametrize("path", ["tests", "tests/generated", "tests/pages", "tests/pages/_generated"])
def test_nothing_is_written_through_a_link_out_of_the_project(path: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "project" / path
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError) as raised:
        suite(tmp_path / "project").check()
    assert raised.value.slug == "link-outside"
