"""Checks of an oracle: outcomes and clean states, batches of requests, crashes and hangs, and a whole detection."""

import math
import time
from dataclasses import replace
from typing import ClassVar

from unknot.conformance.conformance_case import Answers, ConformanceCase, Feature, outcomes, some_orders
from unknot.conformance.planted import PlantedGraph, PlantedSuite
from unknot.conformance.suites import CRASHING, HANGING, HOSTILE_NAMES, KNOTTED, SLEEPING, TALKATIVE, hostile, troubled
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Oracle

_ROUNDING = 0.01
"""Seconds per test that a runner may lose by rounding."""


class OracleChecks(ConformanceCase[Answers]):
    hostile_names: ClassVar[tuple[str, ...]] = HOSTILE_NAMES
    """Names that are possible in the runner's language."""

    def test_the_listing_is_the_suite_in_its_order(self) -> None:
        assert self.opened(KNOTTED).listed == self.ids(KNOTTED, KNOTTED.names)

    def test_the_reference_order_does_as_planted(self) -> None:
        self.run_and_check(KNOTTED, KNOTTED.names)

    def test_any_order_does_as_planted(self) -> None:
        self.run_and_check(KNOTTED, *some_orders(KNOTTED, self.many_orders, seed=1))

    def test_every_test_alone_does_as_planted(self) -> None:
        self.run_and_check(KNOTTED, *([name] for name in KNOTTED.names))

    def test_failures_are_reported_and_their_effects_persist(self) -> None:
        self.needs(Feature.FAILURES)
        suite = troubled(with_skips=Feature.SKIPS not in self.lacks)
        self.run_and_check(suite, suite.names, *some_orders(suite, self.few_orders, seed=2))

    def test_the_same_order_gives_the_same_answer_again(self) -> None:
        for _ in range(2):
            self.run_and_check(KNOTTED, ["rate_of_the_day", "price_in_euros"])
            self.run_and_check(KNOTTED, ["opens_account", "verifies_account"])

    def test_an_order_is_isolated_from_the_one_before(self) -> None:
        self.run_and_check(KNOTTED, KNOTTED.names)
        self.run_and_check(KNOTTED, ["verifies_account"])
        self.run_and_check(KNOTTED, ["rate_of_the_day"])
        self.run_and_check(KNOTTED, ["price_in_euros"])

    def test_an_order_is_isolated_from_one_that_failed(self) -> None:
        self.needs(Feature.FAILURES)
        suite = troubled(with_skips=Feature.SKIPS not in self.lacks)
        self.run_and_check(suite, ["leaves_ink_and_fails"])
        self.run_and_check(suite, ["clean_sheet"])

    def test_an_order_is_isolated_from_others_in_the_same_batch(self) -> None:
        self.run_and_check(KNOTTED, ["rate_of_the_day"], ["price_in_euros"], ["opens_account"], ["verifies_account"])

    def test_an_empty_order_has_an_empty_answer(self) -> None:
        empty, full = OrderRequest(()), OrderRequest(self.ids(KNOTTED, ["shows_banner"]))
        runs = {run.request: run for run in self.opened(KNOTTED).oracle.run_orders([empty, full])}
        assert set(runs) == {empty, full}
        assert runs[empty].results == ()
        assert runs[empty].executed == 0

    def test_no_request_gives_no_run(self) -> None:
        assert list(self.opened(KNOTTED).oracle.run_orders([])) == []

    def test_a_second_attempt_is_run_again(self) -> None:
        order = ["opens_account", "verifies_account", "shows_banner"]
        requests = [request for attempt in range(3) for request in self.requests(KNOTTED, [order], attempt)]
        runs = self.check(KNOTTED, self.opened(KNOTTED).oracle.run_orders(requests), requests)
        assert [run.executed for run in runs[1:]] == [len(order)] * 2

    def test_executed_counts_what_was_run(self) -> None:
        orders = some_orders(KNOTTED, self.few_orders, seed=3)
        runs = self.run_and_check(KNOTTED, *orders)
        beginnings = {order[: length + 1] for order in orders for length in range(len(order))}
        requested = sum(map(len, orders))
        least = len(beginnings) if self.opened(KNOTTED).oracle.price.shares_prefixes else requested
        assert least <= sum(run.executed for run in runs) <= requested

    def test_much_output_changes_nothing(self) -> None:
        self.needs(Feature.OUTPUT)
        self.run_and_check(TALKATIVE, TALKATIVE.names, TALKATIVE.names[::-1])

    def test_hostile_names_are_harmless(self) -> None:
        self.needs(Feature.HOSTILE_NAMES)
        suite = hostile(self.hostile_names)
        assert self.opened(suite).listed == self.ids(suite, suite.names)
        self.run_and_check(suite, suite.names, suite.names[::-1], suite.names[1::2])

    # --- batches of requests

    def test_many_requests_on_several_workers_are_answered_once_each(self) -> None:
        self.needs(Feature.WORKERS)
        suite = replace(KNOTTED, workers=self.workers)
        self.run_and_check(suite, *some_orders(suite, self.many_orders, seed=4))
        self.run_and_check(suite, *some_orders(suite, self.many_orders, seed=5), attempt=1)

    def test_requests_can_be_made_again_after_closing_the_iterator(self) -> None:
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

    def test_seconds_are_never_negative(self) -> None:
        for run in self.run_and_check(KNOTTED, *some_orders(KNOTTED, 5, seed=7)):
            assert all(result.seconds >= 0 and math.isfinite(result.seconds) for result in run.results)

    def test_the_price_is_sane(self) -> None:
        price = self.opened(KNOTTED).oracle.price
        assert price.clean_state >= 0
        assert math.isfinite(price.clean_state)
        assert price.workers == KNOTTED.workers

    def test_the_price_knows_the_workers(self) -> None:
        self.needs(Feature.WORKERS)
        assert self.opened(replace(KNOTTED, workers=self.workers)).oracle.price.workers == self.workers

    # --- crashes, hangs and failures

    def test_a_crash_is_a_crash_and_the_rest_was_not_run(self) -> None:
        self.needs(Feature.CRASHES)
        (run,) = self.run_and_check(CRASHING, ["shows_banner", "crashes_with_ink_left", "clean_sheet", "leaves_ink"])
        assert outcomes(run) == (Outcome.PASSED, Outcome.CRASHED, Outcome.NOT_RUN, Outcome.NOT_RUN)

    def test_a_crashing_test_crashes_at_every_position(self) -> None:
        self.needs(Feature.CRASHES)
        self.run_and_check(
            CRASHING,
            ["crashes_with_ink_left"],
            ["crashes_with_ink_left", "shows_banner"],
            ["leaves_ink", "shows_banner", "crashes_with_ink_left"],
            ["shows_banner", "leaves_ink"],
        )

    def test_executed_counts_up_to_the_crash(self) -> None:
        self.needs(Feature.CRASHES)
        (run,) = self.run_and_check(CRASHING, ["shows_banner", "crashes_with_ink_left", "clean_sheet"], attempt=1)
        assert run.executed == 2

    def test_an_order_is_isolated_from_one_that_crashed(self) -> None:
        self.needs(Feature.CRASHES)
        self.run_and_check(CRASHING, ["leaves_ink", "crashes_with_ink_left"])
        self.run_and_check(CRASHING, ["clean_sheet", "shows_banner"])

    def test_a_crash_has_a_story(self) -> None:
        self.needs(Feature.CRASHES, Feature.STORIES)
        (run,) = self.run_and_check(CRASHING, ["crashes_with_ink_left"])
        assert run.results[0].story.strip()

    def test_a_hang_is_timed_out_and_the_rest_was_not_run(self) -> None:
        self.needs(Feature.HANGS)
        (run,) = self.run_and_check(HANGING, ["shows_banner", "hangs_with_ink_left", "clean_sheet"])
        assert outcomes(run) == (Outcome.PASSED, Outcome.TIMED_OUT, Outcome.NOT_RUN)
        self.run_and_check(HANGING, ["clean_sheet"])

    def test_a_failure_has_a_story_and_a_success_has_none(self) -> None:
        self.needs(Feature.FAILURES, Feature.STORIES)
        suite = troubled(with_skips=Feature.SKIPS not in self.lacks)
        for result in self.run_and_check(suite, ["fails_always", "clean_sheet"])[0].results:
            assert bool(result.story.strip()) == result.outcome.is_bad

    def test_a_detection_finds_the_planted_graph(self) -> None:
        self.needs(Feature.DETECTION)
        oracle = self.opened(KNOTTED).oracle
        found = sieve(Suite(self.ids(KNOTTED, KNOTTED.names)), oracle)
        assert set(found.outcomes.values()) == {Outcome.PASSED}
        assert found.complete
        assert not found.flaky
        assert self._graph(KNOTTED, found) == KNOTTED.graph()

    def _graph(self, suite: PlantedSuite, found: Dependencies) -> PlantedGraph:
        names = {TestId(self.id_of(test)): test.name for test in suite.tests}
        for conflict in found.conflicts:
            assert len(conflict.polluters) == 1, f"one polluter is enough for {conflict.victim}"
        return PlantedGraph(
            frozenset((names[need.dependent], frozenset(names[test] for test in need.any_of)) for need in found.needs),
            frozenset(
                (
                    names[conflict.victim],
                    names[conflict.polluters[0]],
                    frozenset(names[test] for test in conflict.cleaners),
                )
                for conflict in found.conflicts
            ),
        )


class OracleConformance(OracleChecks[Oracle]):
    """All checks for an oracle (`unknot.oracle.protocol.Oracle`)."""
