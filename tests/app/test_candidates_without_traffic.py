"""Without recorded traffic, no pair of tests is cleared."""

from pathlib import Path

from unknot.app.candidates.sources import CandidateSearch, HintOptions
from unknot.model.errors import RunnerError
from unknot.model.suite import Suite, TestId
from unknot.model.traffic import Exchange, Look, Moment, Page, Traffic

SUITE = Suite(tuple(TestId(name) for name in "abc"))
ALL_PAIRS = [(1, 0), (2, 0), (2, 1)]


def search(traffic: Traffic | RunnerError, runs: list[str]) -> CandidateSearch:
    def recorded() -> Traffic:
        runs.append("the suite was run")
        if isinstance(traffic, RunnerError):
            raise traffic
        return traffic

    return CandidateSearch(HintOptions(hints="traffic+storage"), Path("nowhere"), SUITE, lambda: (), recorded)


def pairs(traffic: Traffic | RunnerError) -> list[tuple[int, int]]:
    return [(edge.dependent, edge.prerequisite) for edge in search(traffic, []).candidates().edges]


def test_a_run_that_fails_is_made_once_and_clears_no_pair() -> None:
    runs: list[str] = []

    found = search(RunnerError("the suite does not start", slug="worker-failed"), runs).candidates()

    assert runs == ["the suite was run"]
    assert [(edge.dependent, edge.prerequisite) for edge in found.edges] == ALL_PAIRS
    assert "traffic was not recorded: the suite does not start" in found.notes


def test_a_browser_of_which_only_pages_are_recorded_clears_no_pair() -> None:
    page = Page(TestId("a"), "/users", 1, "user001")
    look = Look(TestId("a"), 1, Moment.LEFT)

    assert pairs(Traffic(SUITE.tests, pages=(page,), looks=(look,), contexts=1)) == ALL_PAIRS


def test_recorded_requests_clear_tests_that_send_none() -> None:
    exchange = Exchange(TestId("a"), "POST", "/users", 1, writes=True, status=200)

    assert pairs(Traffic(SUITE.tests, (exchange,), contexts=1)) == []
