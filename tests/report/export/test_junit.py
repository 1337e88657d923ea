"""JUnit XML, parsed back."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.report.export.junit import to_junit


def parsed(results: dict[TestId, Result]) -> ET.Element:
    suite = ET.fromstring(to_junit(results, 1.5)).find("testsuite")
    assert suite is not None
    return suite


def only_case(result: Result, test: str = "tests/test_a.py::test_x") -> ET.Element:
    case = parsed({TestId(test): result}).find("testcase")
    assert case is not None
    return case


def test_counts_add_up_and_each_test_occurs_once() -> None:
    suite = parsed({TestId(f"t.py::test_{outcome}"): Result(outcome, 0.5) for outcome in Outcome})
    assert suite.attrib == {
        "name": "pytest", "errors": "5", "failures": "1", "skipped": "2", "tests": "10", "time": "1.500",
    }  # fmt: skip
    assert len(suite.findall("testcase")) == 10
    assert len(suite.findall("testcase/*")) == 8


@pytest.mark.parametrize(
    ("test", "classname", "name"),
    [
        ("tests/unit/test_a.py::test_x", "tests.unit.test_a", "test_x"),
        ("tests/test_a.py::TestA::test_x", "tests.test_a.TestA", "test_x"),
        ("tests/test_a.py::test_x[a::b/c.py]", "tests.test_a", "test_x[a::b/c.py]"),
        ("test_x", "", "test_x"),
    ],
)
def test_names_are_those_of_pytest(test: str, classname: str, name: str) -> None:
    case = only_case(Result(Outcome.PASSED, 0.25), test)
    assert case.attrib == {"classname": classname, "name": name, "time": "0.250"}


def test_a_failure_has_its_reason_and_its_story() -> None:
    story = "def test_x():\n>   assert 1 == 2\nE   assert 1 == 2\n\ntest_a.py:2: AssertionError"
    failure = only_case(Result(Outcome.FAILED, 0.0, story)).find("failure")
    assert failure is not None
    assert failure.get("message") == "assert 1 == 2"
    assert failure.text == story


@pytest.mark.parametrize(
    ("outcome", "tag", "message"),
    [
        (Outcome.FAILED, "failure", "failed"),
        (Outcome.SETUP_ERROR, "error", "failed on setup"),
        (Outcome.TEARDOWN_ERROR, "error", "failed on teardown"),
        (Outcome.TIMED_OUT, "error", "timed out"),
        (Outcome.CRASHED, "error", "crashed"),
        (Outcome.NOT_RUN, "error", "not run"),
        (Outcome.SKIPPED, "skipped", "skipped"),
        (Outcome.XFAILED, "skipped", "expected to fail"),
    ],
)
def test_a_bad_outcome_without_a_story_still_says_what_it_is(outcome: Outcome, tag: str, message: str) -> None:
    (detail,) = only_case(Result(outcome))
    assert (detail.tag, detail.get("message")) == (tag, message)


def test_an_error_says_where_and_why() -> None:
    (detail,) = only_case(Result(Outcome.CRASHED, 0.0, "Fatal Python error: Segmentation fault"))
    assert detail.get("message") == "crashed: Fatal Python error: Segmentation fault"


@pytest.mark.parametrize("outcome", [Outcome.PASSED, Outcome.XPASSED])
def test_a_pass_has_nothing_inside(outcome: Outcome) -> None:
    assert not list(only_case(Result(outcome)))


def test_characters_that_xml_cannot_say_are_replaced() -> None:
    case = only_case(Result(Outcome.FAILED, 0.0, "\x1b[31mred\x00\ufffe\udcff"), "t.py::test_x[\x07]")
    assert case.get("name") == "test_x[#x07]"
    assert case[0].text == "#x1B[31mred#x00#xFFFE#xDCFF"


def test_hostile_ids_come_back(nasty: Order) -> None:
    suite = parsed({test: Result(Outcome.FAILED, 0.0, f"]]>{test}<![CDATA[") for test in nasty})
    assert len(suite.findall("testcase/failure")) == len(nasty)
    assert "<.script><script>alert(1)<.script>" in [case.get("name") for case in suite]


@given(
    st.dictionaries(
        st.text(st.characters()).map(TestId),
        st.builds(Result, st.sampled_from(Outcome), st.just(0.0), st.text(st.characters())),
    )
)
def test_any_results_give_a_document(results: dict[TestId, Result]) -> None:
    assert len(parsed(results)) == len(results)
