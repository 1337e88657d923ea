"""Reading what tests cover, from every kind of file, good and bad."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.coverage.contexts import LineCoverage
from unknot.coverage.elements import ElementFault, elements_from_csv, elements_from_json, elements_of, read_elements
from unknot.model.bits import members, wide_bits
from unknot.model.coverage import Coverage
from unknot.model.errors import StorageError, UsageError
from unknot.model.suite import TestId


def table(coverage: Coverage) -> dict[str, set[str]]:
    return {test: set(coverage.names(row)) for test, row in coverage.rows.items()}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "coverage.anything"


@pytest.mark.parametrize(
    "text",
    [
        "a,x\na,y\nb,y\n",
        "test,element\na,x\na,y\nb,y\n",
        "Element,Test\r\nx,a\r\ny,a\r\ny,b\r\n",
        "\ufeffa,x\n\na,y\n b , y \na,x\n",
        '{"a": ["x", "y"], "b": ["y"]}',
        ' \n{"tests": {"a": ["x", "y"], "b": ["y"]}, "elements": ["y", "x"]}',
    ],
)
def test_every_spelling_says_the_same(file: Path, text: str) -> None:
    file.write_bytes(text.encode())
    found = read_elements(file)
    assert table(found) == {"a": {"x", "y"}, "b": {"y"}}
    assert found.uncovered == ()


def test_csv_can_name_an_uncovered_element_and_a_test_that_covers_nothing() -> None:
    found = elements_from_csv('"test[1,2]",x\n,lonely\nidle,\n')
    assert table(found) == {"test[1,2]": {"x"}, "idle": set()}
    assert found.uncovered == ("lonely",)


def test_json_can_name_uncovered_elements() -> None:
    assert elements_from_json('{"tests": {"a": ["x"]}, "elements": ["x", "y", "z"]}').uncovered == ("y", "z")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,x\ntest[1,2],x\n", "line 2: must have two cells, test and element, not 3"),
        ("just text", "line 1: must have two cells, test and element, not 1"),
        ('a,"x\n', "not CSV"),
        ("", "no test covers anything"),
        ("[]", "must be an object"),
        ('{"a": "x"}', '["a"]: must be a list, is a string'),
        ('{"a": [1]}', '["a"][0]: must be a string, is the number 1'),
        ('{"a": ["x"], "a": ["y"]}', 'the key "a" stands twice'),
        ('{"a": [', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"a": []}', "no test covers anything"),
        ('{"tests": {"a": ["x"]}, "elements": 3}', "elements: must be a list"),
        ('{"meta": {}, "files": {"app.py": {"executed_lines": [1]}}}', "it has no contexts"),
        ('{"meta": {}, "files": {"app.py": {"contexts": {"1": [""]}}}}', "it has no contexts"),
        ('{"meta": {}, "files": {"app.py": {"contexts": {"one": ["t"]}}}}', "a line must be a number"),
        ('{"meta": {}, "files": {"app.py": 3}}', 'files["app.py"]: must be an object, is the number 3'),
    ],
)
def test_what_is_wrong_is_said_in_one_line_that_names_the_file(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_elements(file)
    assert message in caught.value.message
    assert str(file) in caught.value.message
    assert caught.value.hint


def test_what_cannot_be_read(file: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no such file"):
        read_elements(file)
    with pytest.raises(StorageError, match="cannot read"):
        read_elements(tmp_path)
    file.write_bytes(b"a,\xff\n")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_elements(file)
    file.write_bytes(b"SQLite format 3\x00 and then nothing")
    with pytest.raises(StorageError, match="not a data file"):
        read_elements(file)


def test_the_files_of_the_tests_themselves_do_not_count() -> None:
    test = TestId("tests/test_a.py::test_x")
    lines = {
        "/home/me/tests/test_a.py": {test: frozenset({1})},
        "/home/me/tests/conftest.py": {test: frozenset({2})},
        "/home/me/more_tests/test_a.py": {test: frozenset({3})},
        "C:\\me\\tests\\test_a.py": {test: frozenset({4})},
        "/home/me/app.py": {test: frozenset({5, 6})},
    }
    found = elements_of(LineCoverage(lines))
    assert found.elements == ("/home/me/app.py:5", "/home/me/app.py:6", "/home/me/more_tests/test_a.py:3")


def test_a_module_with_doctests_is_no_test_file() -> None:
    example, test = TestId("app/sums.py::app.sums.double"), TestId("tests/test_it.py::test_it[a.b]")
    measured = LineCoverage(
        lines={
            "/home/me/app/sums.py": {example: frozenset({1, 2}), test: frozenset({1})},
            "/home/me/tests/test_it.py": {test: frozenset({9})},
        }
    )
    assert set(elements_of(measured).elements) == {"/home/me/app/sums.py:1", "/home/me/app/sums.py:2"}


def test_branches_are_ways_from_line_to_line() -> None:
    test = TestId("t.py::test")
    measured = LineCoverage({"app.py": {test: frozenset({1, 2})}}, {"app.py": {test: frozenset({(-1, 1), (1, 2)})}})
    assert elements_of(measured, branches=True).elements == ("app.py:-1->1", "app.py:1->2")


@laws(60)
@given(st.dictionaries(st.text(max_size=4), st.lists(st.text(max_size=3), max_size=5)))
def test_any_table_survives_json(covered: dict[str, list[str]]) -> None:
    try:
        found = elements_from_json(json.dumps({"tests": covered}))
    except ElementFault:
        pytest.fail("a table is a table")
    assert table(found) == {test: set(names) for test, names in covered.items()}


@laws(60)
@given(st.sets(st.integers(0, 3000)))
def test_wide_bits_and_positions_are_each_others_inverse(places: set[int]) -> None:
    mask = wide_bits(places)
    assert mask == sum(1 << place for place in places)
    assert members(mask) == sorted(places)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real suite, measured by the real tools: pytest-cov's contexts, and coverage.py's JSON report."""
    directory = tmp_path_factory.mktemp("measured")
    (directory / "app.py").write_text(
        textwrap.dedent("""
            def sign(x):
                if x < 0:
                    return "minus"
                return "plus"
            def unused():
                return 1
        """).lstrip()
    )
    (directory / "test_app.py").write_text(
        "import app\ndef test_minus(): assert app.sign(-1) == 'minus'\ndef test_plus(): assert app.sign(1) == 'plus'\n"
    )
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(directory)}
    environment.pop("COVERAGE_FILE", None)

    def run(*arguments: str) -> None:
        subprocess.run(
            [sys.executable, "-m", *arguments], cwd=directory, env=environment, check=True, capture_output=True
        )

    run("pytest", "-q", "-p", "pytest_cov", "--cov=.", "--cov-branch", "--cov-context=test", "-p", "no:cacheprovider")
    run("coverage", "json", "--show-contexts", "-o", "report.json")
    run("coverage", "json", "-o", "plain.json")
    return directory


def test_a_real_data_file_and_its_report_say_the_same(measured: Path) -> None:
    minus, plus = "test_app.py::test_minus", "test_app.py::test_plus"
    report = read_elements(measured / "report.json")
    assert table(report) == {minus: {"app.py:2", "app.py:3"}, plus: {"app.py:2", "app.py:4"}}
    assert report.uncovered == ("app.py:6",)
    data = read_elements(measured / ".coverage")
    assert {test: {name.rsplit("/", 1)[-1] for name in names} for test, names in table(data).items()} == table(report)
    ways = table(read_elements(measured / ".coverage", branches=True))
    assert {name.rsplit("/", 1)[-1] for name in ways[TestId(minus)] - ways[TestId(plus)]} >= {"app.py:2->3"}


def test_a_report_without_contexts_and_a_report_for_branches(measured: Path) -> None:
    with pytest.raises(UsageError, match="it has no contexts"):
        read_elements(measured / "plain.json")
    with pytest.raises(UsageError, match="which test took which branch"):
        read_elements(measured / "report.json", branches=True)
