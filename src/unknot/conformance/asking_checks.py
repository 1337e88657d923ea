"""Checks of the asking itself: many at once, stopping early, seconds, the price."""

import math
import time
from dataclasses import replace

from unknot.conformance.asking import Asking, some_orders
from unknot.conformance.opened import Answers, Feature
from unknot.conformance.suites import KNOTTED, SLEEPING

_ROUNDING = 0.01
"""Seconds that a runner may lose by rounding, for each test."""


class AskingChecks(Asking[Answers]):
    def test_many_questions_on_several_workers_are_answered_once_each(self) -> None:
        self.needs(Feature.WORKERS)
        suite = replace(KNOTTED, workers=self.workers)
        self.ask(suite, *some_orders(suite, self.many_orders, seed=4))
        self.ask(suite, *some_orders(suite, self.many_orders, seed=5), attempt=1)

    def test_whoever_stops_listening_can_ask_again(self) -> None:
        suite = replace(KNOTTED, workers=self.workers)
        oracle = self.opened(suite).oracle
        requests = self.requests(suite, some_orders(suite, self.many_orders, seed=6))
        for _ in range(2):
            answers = oracle.run_orders(requests)
            first = next(answers)
            assert first.request in requests
            getattr(answers, "close", lambda: None)()
        self.check(suite, oracle.run_orders(requests), requests)

    def test_seconds_are_plausible(self) -> None:
        self.needs(Feature.SECONDS)
        suite = replace(SLEEPING, workers=self.workers)
        oracle = self.opened(suite).oracle
        requests = self.requests(suite, [suite.names, suite.names[::-1], suite.names[:1]], attempt=1)
        began = time.monotonic()
        runs = self.check(suite, oracle.run_orders(requests), requests)
        wall = time.monotonic() - began
        results = [result for run in runs for result in run.results]
        asleep = suite.tests[0].steps[0].seconds
        assert all(result.seconds >= asleep - _ROUNDING for result in results)
        assert sum(result.seconds for result in results) <= wall * self.workers + _ROUNDING * len(results)
        assert all(run.seconds >= 0 for run in runs)

    def test_no_test_takes_less_than_no_time(self) -> None:
        for run in self.ask(KNOTTED, *some_orders(KNOTTED, 5, seed=7)):
            assert all(result.seconds >= 0 and math.isfinite(result.seconds) for result in run.results)

    def test_the_price_is_sane(self) -> None:
        price = self.opened(KNOTTED).oracle.price
        assert price.clean_state >= 0
        assert math.isfinite(price.clean_state)
        assert price.workers == KNOTTED.workers

    def test_the_price_knows_the_workers(self) -> None:
        self.needs(Feature.WORKERS)
        assert self.opened(replace(KNOTTED, workers=self.workers)).oracle.price.workers == self.workers
