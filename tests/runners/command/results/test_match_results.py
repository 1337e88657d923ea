"""What was all_reported, against what was requested."""

import pytest

from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId
from unknot.runners.command.parse_results import matched
from unknot.runners.command.results.reported import Reading, ReportedTest

ORDER: Order = (TestId("a"), TestId("b"), TestId("c"))
MEANING = {"P": Outcome.PASSED, "F": Outcome.FAILED, "S": Outcome.SKIPPED}


def reading(words: str, *, complete: bool = True, problem: str = "") -> Reading:
    """`aP bF`: a passed, b failed."""
    all_reported = (
        ReportedTest(word[:-1], MEANING[word[-1]], 1.0, "why" if word[-1] == "F" else "") for word in words.split()
    )
    return Reading(tuple(all_reported), complete, problem)


def outcomes(results: tuple[object, ...]) -> str:
    return "".join(str(result.outcome)[0] for result in results)  # type: ignore[attr-defined]


@pytest.mark.parametrize("checks_order", [True, False])
def test_all_reported(checks_order: bool) -> None:
    found = matched(ORDER, reading("aP bF cS"), checks_order=checks_order)
    assert outcomes(found.results) == "pfs"
    assert [result.story for result in found.results] == ["", "why", ""]
    assert (found.problem, found.broke_off) == ("", False)


@pytest.mark.parametrize("checks_order", [True, False])
@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("aP bP xF", ["`x`", "number 3", "not in the order", "why"]),
        ("xP aP bP cP", ["`x`", "number 1"]),
        ("aP bP cP aP", ["`a`", "twice", "number 1", "number 4"]),
        ("aP aP", ["`a`", "number 1", "number 2"]),
        ("aP bP bF cP", ["`b`", "number 2 of the results says passed", "number 3 failed"]),
    ],
)
def test_foreign_and_doubled_tests(checks_order: bool, complete: bool, words: str, parts: list[str]) -> None:
    found = matched(
        ORDER, reading(words, complete=complete, problem="" if complete else "cut"), checks_order=checks_order
    )
    assert (found.results, found.broke_off) == ((), False)
    for part in parts:
        assert part in found.problem
    assert complete or "cut" in found.problem


@pytest.mark.parametrize("words", ["aP cP bP", "bS aP cP", "aP cP bS", "cF bF aF"])
def test_another_sequence_is_refused_only_if_it_is_checked(words: str) -> None:
    found = matched(ORDER, reading(words), checks_order=True)
    assert (found.results, found.broke_off) == ((), False)
    assert "another sequence" in found.problem
    expected = {word[0]: MEANING[word[1]] for word in words.split()}
    free = matched(ORDER, reading(words), checks_order=False)
    assert [result.outcome for result in free.results] == [expected[test] for test in ORDER]
    assert free.problem == ""


def test_another_sequence_names_the_test_and_both_places() -> None:
    problem = matched(ORDER, reading("aP cP bP"), checks_order=True).problem
    assert "`c` is number 2 of the results and 3 of the order" in problem
    assert "`b` 3 and 2" in problem


def test_a_document_that_breaks_off_gives_what_it_has() -> None:
    found = matched(ORDER, reading("aP", complete=False, problem="it was cut"), checks_order=True)
    assert outcomes(found.results) == "p"
    assert "it was cut" in found.problem
    assert "`b`" in found.problem
    assert found.broke_off


def test_a_document_that_breaks_off_after_the_last_test_gives_all_and_says_so() -> None:
    for checks_order in (True, False):
        found = matched(ORDER, reading("aP bP cP", complete=False, problem="it was cut"), checks_order=checks_order)
        assert outcomes(found.results) == "ppp"
        assert (found.problem, found.broke_off) == ("it was cut", False)


def test_where_the_sequence_is_free_it_is_not_known_where_a_document_broke_off() -> None:
    found = matched(ORDER, reading("aP", complete=False, problem="it was cut"), checks_order=False)
    assert (found.results, found.broke_off) == ((), False)
    assert "it was cut" in found.problem


@pytest.mark.parametrize("checks_order", [True, False])
def test_a_test_left_out_of_a_whole_document_is_named_and_is_no_crash(checks_order: bool) -> None:
    found = matched(ORDER, reading("aP cP"), checks_order=checks_order)
    assert outcomes(found.results) == "p"
    assert "`b`, number 2 of the order" in found.problem
    assert "`c` is reported" in found.problem
    assert not found.broke_off


def test_a_whole_document_that_ends_early_may_be_a_run_that_did() -> None:
    found = matched(ORDER, reading("aP bP"), checks_order=True)
    assert outcomes(found.results) == "pp"
    assert "`c`, number 3 of the order" in found.problem
    assert found.broke_off


def test_a_document_that_reports_nothing_says_nothing_about_where() -> None:
    found = matched(ORDER, reading("", problem="the plan says: SKIP no database"), checks_order=True)
    assert (found.results, found.broke_off) == ((), False)
    assert "no database" in found.problem
    assert "`a`" in found.problem
    assert matched(ORDER[:1], reading("", complete=False, problem="cut"), checks_order=True).broke_off


def test_an_order_of_nothing() -> None:
    assert matched((), reading(""), checks_order=True).problem == ""
    assert "not in the order" in matched((), reading("aP"), checks_order=True).problem
