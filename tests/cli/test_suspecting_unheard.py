"""Where nothing could be heard of a suite's requests, nobody is cleared."""

import argparse

from unknot.app.candidates.sources import Suspecting
from unknot.model.errors import RunnerError
from unknot.model.suite import Suite, TestId
from unknot.model.traffic import Exchange, Look, Moment, Page, Traffic

SUITE = Suite(tuple(TestId(name) for name in "abc"))
ALL_PAIRS = [(1, 0), (2, 0), (2, 1)]


def suspecting(traffic: Traffic | RunnerError, asked: list[str]) -> Suspecting:
    def recorded() -> Traffic:
        asked.append("the suite was run")
        if isinstance(traffic, RunnerError):
            raise traffic
        return traffic

    options = argparse.Namespace(suspects="traffic+storage")
    return Suspecting(options, SUITE, lambda: (), recorded)


def pairs(traffic: Traffic | RunnerError) -> list[tuple[int, int]]:
    return [(edge.dependent, edge.prerequisite) for edge in suspecting(traffic, []).suspects().edges]


def test_a_run_that_fails_is_made_once_and_clears_nobody() -> None:
    asked: list[str] = []

    found = suspecting(RunnerError("the suite does not start"), asked).suspects()

    assert asked == ["the suite was run"]
    assert [(edge.dependent, edge.prerequisite) for edge in found.edges] == ALL_PAIRS
    assert "traffic was not recorded: the suite does not start" in found.notes


def test_a_browser_of_which_only_pages_are_seen_clears_nobody() -> None:
    page = Page(TestId("a"), "/users", 1, "user001")
    look = Look(TestId("a"), 1, Moment.LEFT)

    assert pairs(Traffic(SUITE.tests, pages=(page,), looks=(look,), contexts=1)) == ALL_PAIRS


def test_requests_that_were_heard_clear_whoever_sends_none() -> None:
    exchange = Exchange(TestId("a"), "POST", "/users", 1, writes=True, status=200)

    assert pairs(Traffic(SUITE.tests, (exchange,), contexts=1)) == []
