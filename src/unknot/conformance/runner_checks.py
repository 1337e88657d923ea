"""Checks of what a runner does beyond an oracle: lanes, listener and watcher, interruptions, and clean-up."""

from dataclasses import replace

import pytest

from unknot.conformance.conformance_case import Feature, some_orders
from unknot.conformance.leftovers import LeftoverWatch, can_see_processes, watch_leftovers
from unknot.conformance.oracle_checks import OracleChecks
from unknot.conformance.suites import CRASHING, KNOTTED, LEAVING, SLEEPING
from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.runners.protocol import Execution, Runner


class RunnerConformance(OracleChecks[Runner]):
    """All checks for a runner (`unknot.runners.protocol.Runner`)."""

    def test_requests_in_turn_do_as_planted_and_share_nothing(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        requests = self.requests(suite, some_orders(suite, self.few_orders, seed=8))
        runs = self.check(suite, self.opened(suite).oracle.run_in_turn(requests), requests)
        assert [run.executed for run in runs] == [len(run.order) for run in runs]

    @pytest.mark.parametrize("shares", [False, True])
    def test_lanes_do_as_planted(self, shares: bool) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        requests = self.requests(suite, some_orders(suite, self.few_orders, seed=9))
        lanes = [requests[number :: self.workers] for number in range(self.workers)]
        self.check(suite, self.opened(suite).oracle.run_lanes(lanes, shares=shares), requests)

    def test_empty_lanes_are_allowed(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        requests = self.requests(suite, [["shows_banner"]])
        lanes = [requests, *([] for _ in range(self.workers - 1))]
        self.check(suite, self.opened(suite).oracle.run_lanes(lanes), requests)

    def test_tests_kept_apart_do_as_planted(self) -> None:
        with self.fresh(KNOTTED) as opened:
            opened.oracle.keep_apart(self.ids(KNOTTED, ["opens_account", "rate_of_the_day"]))
            requests = self.requests(KNOTTED, some_orders(KNOTTED, self.few_orders, seed=10))
            self.check(KNOTTED, opened.oracle.run_orders(requests), requests)

    def test_a_suite_without_side_effects_reports_none(self) -> None:
        self.run_and_check(KNOTTED, KNOTTED.names)
        assert self.opened(KNOTTED).oracle.beyond == []

    def test_the_listener_is_called_once_for_every_test(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        runner = self.opened(suite).oracle
        reported: list[tuple[TestId, Result]] = []
        runner.listener = lambda test, result: reported.append((test, result))
        try:
            requests = self.requests(suite, some_orders(suite, self.few_orders, seed=11))
            runs = self.check(suite, runner.run_in_turn(requests), requests)
        finally:
            runner.listener = lambda test, result: None
        happened = [pair for run in runs for pair in zip(run.order, run.results, strict=True)]
        assert sorted((test, result.outcome) for test, result in reported) == sorted(
            (test, result.outcome) for test, result in happened
        )

    def test_the_watcher_is_called_with_test_and_times(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        seen: list[Execution] = []
        with self.fresh(suite) as opened:
            opened.oracle.watcher = seen.append
            requests = self.requests(suite, some_orders(suite, self.few_orders, seed=12))
            self.check(suite, opened.oracle.run_in_turn(requests[:2]), requests[:2])
            self.check(suite, opened.oracle.run_in_turn(requests[2:]), requests[2:])
        assert sorted((execution.request, execution.test) for execution in seen) == sorted(
            (number, test) for number, request in enumerate(requests) for test in request.order
        )
        for execution in seen:
            assert 0 <= execution.worker < self.workers
            assert execution.started <= execution.ended

    def test_the_watcher_is_called_for_a_crash(self) -> None:
        self.needs(Feature.CRASHES)
        seen: list[Execution] = []
        with self.fresh(CRASHING) as opened:
            opened.oracle.watcher = seen.append
            requests = self.requests(CRASHING, [["shows_banner", "crashes_with_ink_left", "clean_sheet"]])
            (run,) = self.check(CRASHING, opened.oracle.run_orders(requests), requests)
        # A runner may run an order again to confirm a crash.
        reported = list(dict.fromkeys((execution.test, execution.result.outcome) for execution in seen))
        assert reported == [(test, result.outcome) for test, result in zip(run.order[:2], run.results[:2], strict=True)]

    def test_an_interruption_is_raised_and_nothing_is_left(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        requests = self.requests(suite, some_orders(suite, self.many_orders, seed=13))
        with watch_leftovers() as trace:
            with self.fresh(suite) as opened:
                opened.oracle.listener = _interrupt
                with pytest.raises(KeyboardInterrupt):
                    list(opened.oracle.run_orders(requests))
                opened.oracle.listener = lambda test, result: None
                self.check(suite, opened.oracle.run_orders(requests[:5]), requests[:5])
            self._assert_nothing_is_left(trace)

    def test_nothing_is_left_when_it_is_closed(self) -> None:
        suite = replace(SLEEPING, workers=self.workers)
        requests = self.requests(suite, [suite.names, suite.names[::-1]])
        with watch_leftovers() as trace:
            with self.fresh(suite) as opened, trace.while_running() as seen:
                self.check(suite, opened.oracle.run_orders(requests), requests)
            if Feature.PROCESSES not in self.lacks and can_see_processes():
                assert seen, "no process carries the mark, so this check proves nothing"
            self._assert_nothing_is_left(trace)

    def test_nothing_is_left_when_it_is_closed_in_the_middle(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        requests = self.requests(suite, some_orders(suite, self.many_orders, seed=15))
        with watch_leftovers() as trace:
            with self.fresh(suite) as opened:
                next(answers := opened.oracle.run_orders(requests))
            getattr(answers, "close", lambda: None)()
            self._assert_nothing_is_left(trace)

    def test_processes_that_tests_leave_are_ended(self) -> None:
        self.needs(Feature.PROCESSES, Feature.LEFTOVERS)
        suite = replace(LEAVING, workers=self.workers)
        with watch_leftovers() as trace:
            with self.fresh(suite) as opened:
                requests = self.requests(suite, [suite.names, suite.names[::-1], suite.names[2:]])
                self.check(suite, opened.oracle.run_orders(requests), requests)
            self._assert_nothing_is_left(trace)

    def _assert_nothing_is_left(self, trace: LeftoverWatch) -> None:
        if can_see_processes():
            assert trace.processes() == []
        assert trace.files() == []


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
