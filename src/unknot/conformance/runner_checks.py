"""Checks of what a runner does beyond answering: turns and lanes, who is told, and what is left when it is over."""

from dataclasses import replace

import pytest

from unknot.conformance.asking import Asking, some_orders
from unknot.conformance.opened import Feature
from unknot.conformance.suites import CRASHING, KNOTTED, LEAVING, SLEEPING
from unknot.conformance.traces import Watched, can_see_processes, watched
from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.runners.protocol import Execution, Runner


class RunnerChecks(Asking[Runner]):
    def test_questions_in_turn_do_as_planted_and_share_nothing(self) -> None:
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

    def test_more_lanes_than_work_are_no_trouble(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        requests = self.requests(suite, [["shows_banner"]])
        lanes = [requests, *([] for _ in range(self.workers - 1))]
        self.check(suite, self.opened(suite).oracle.run_lanes(lanes), requests)

    def test_those_kept_apart_do_as_planted(self) -> None:
        with self.anew(KNOTTED) as opened:
            opened.oracle.keep_apart(self.ids(KNOTTED, ["opens_account", "rate_of_the_day"]))
            requests = self.requests(KNOTTED, some_orders(KNOTTED, self.few_orders, seed=10))
            self.check(KNOTTED, opened.oracle.run_orders(requests), requests)

    def test_a_suite_that_stays_at_home_leaves_nothing_beyond(self) -> None:
        self.ask(KNOTTED, KNOTTED.names)
        assert self.opened(KNOTTED).oracle.beyond == []

    def test_whoever_listens_is_told_every_test_once(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        runner = self.opened(suite).oracle
        told: list[tuple[TestId, Result]] = []
        runner.listener = lambda test, result: told.append((test, result))
        try:
            requests = self.requests(suite, some_orders(suite, self.few_orders, seed=11))
            runs = self.check(suite, runner.run_in_turn(requests), requests)
        finally:
            runner.listener = lambda test, result: None
        happened = [pair for run in runs for pair in zip(run.order, run.results, strict=True)]
        assert sorted((test, result.outcome) for test, result in told) == sorted(
            (test, result.outcome) for test, result in happened
        )

    def test_whoever_watches_is_told_who_and_when(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        seen: list[Execution] = []
        with self.anew(suite) as opened:
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

    def test_a_crash_is_watched_too(self) -> None:
        self.needs(Feature.CRASHES)
        seen: list[Execution] = []
        with self.anew(CRASHING) as opened:
            opened.oracle.watcher = seen.append
            requests = self.requests(CRASHING, [["shows_banner", "crashes_with_ink_left", "clean_sheet"]])
            (run,) = self.check(CRASHING, opened.oracle.run_orders(requests), requests)
        # A runner may ask again before it believes a crash.
        told = list(dict.fromkeys((execution.test, execution.result.outcome) for execution in seen))
        assert told == [(test, result.outcome) for test, result in zip(run.order[:2], run.results[:2], strict=True)]

    def test_an_interruption_comes_through_and_nothing_is_left(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        requests = self.requests(suite, some_orders(suite, self.many_orders, seed=13))
        with watched() as trace:
            with self.anew(suite) as opened:
                opened.oracle.listener = _interrupt
                with pytest.raises(KeyboardInterrupt):
                    list(opened.oracle.run_orders(requests))
                opened.oracle.listener = lambda test, result: None
                self.check(suite, opened.oracle.run_orders(requests[:5]), requests[:5])
            self._assert_nothing_is_left(trace)

    def test_nothing_is_left_when_it_is_closed(self) -> None:
        suite = replace(SLEEPING, workers=self.workers)
        requests = self.requests(suite, [suite.names, suite.names[::-1]])
        with watched() as trace:
            with self.anew(suite) as opened, trace.while_running() as seen:
                self.check(suite, opened.oracle.run_orders(requests), requests)
            if Feature.PROCESSES not in self.lacks and can_see_processes():
                assert seen, "no process carries the mark, so that this check sees nothing"
            self._assert_nothing_is_left(trace)

    def test_nothing_is_left_when_it_is_closed_in_the_middle(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        requests = self.requests(suite, some_orders(suite, self.many_orders, seed=15))
        with watched() as trace:
            with self.anew(suite) as opened:
                next(answers := opened.oracle.run_orders(requests))
            getattr(answers, "close", lambda: None)()
            self._assert_nothing_is_left(trace)

    def test_processes_that_tests_leave_are_ended(self) -> None:
        self.needs(Feature.PROCESSES, Feature.LEFTOVERS)
        suite = replace(LEAVING, workers=self.workers)
        with watched() as trace:
            with self.anew(suite) as opened:
                requests = self.requests(suite, [suite.names, suite.names[::-1], suite.names[2:]])
                self.check(suite, opened.oracle.run_orders(requests), requests)
            self._assert_nothing_is_left(trace)

    def _assert_nothing_is_left(self, trace: Watched) -> None:
        if can_see_processes():
            assert trace.processes() == []
        assert trace.files() == []


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
