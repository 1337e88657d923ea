"""Checks of answers: that they are true, and that each order begins with a clean state."""

from typing import ClassVar

from unknot.conformance.asking import Asking, some_orders
from unknot.conformance.opened import Answers, Feature
from unknot.conformance.suites import HOSTILE_NAMES, KNOTTED, TALKATIVE, hostile, troubled
from unknot.model.run import OrderRequest


class AnswerChecks(Asking[Answers]):
    hostile_names: ClassVar[tuple[str, ...]] = HOSTILE_NAMES
    """Those that the runner's language can give to a test."""

    def test_the_listing_is_the_suite_in_its_order(self) -> None:
        assert self.opened(KNOTTED).listed == self.ids(KNOTTED, KNOTTED.names)

    def test_the_reference_order_does_as_planted(self) -> None:
        self.ask(KNOTTED, KNOTTED.names)

    def test_any_order_does_as_planted(self) -> None:
        self.ask(KNOTTED, *some_orders(KNOTTED, self.many_orders, seed=1))

    def test_every_test_alone_does_as_planted(self) -> None:
        self.ask(KNOTTED, *([name] for name in KNOTTED.names))

    def test_failures_are_told_and_what_they_left_is_seen(self) -> None:
        self.needs(Feature.FAILURES)
        suite = troubled(with_skips=Feature.SKIPS not in self.lacks)
        self.ask(suite, suite.names, *some_orders(suite, self.few_orders, seed=2))

    def test_the_same_order_gives_the_same_answer_again(self) -> None:
        for _ in range(2):
            self.ask(KNOTTED, ["rate_of_the_day", "price_in_euros"])
            self.ask(KNOTTED, ["opens_account", "verifies_account"])

    def test_an_order_sees_nothing_of_the_one_before(self) -> None:
        self.ask(KNOTTED, KNOTTED.names)
        self.ask(KNOTTED, ["verifies_account"])
        self.ask(KNOTTED, ["rate_of_the_day"])
        self.ask(KNOTTED, ["price_in_euros"])

    def test_an_order_sees_nothing_of_one_that_failed(self) -> None:
        self.needs(Feature.FAILURES)
        suite = troubled(with_skips=Feature.SKIPS not in self.lacks)
        self.ask(suite, ["leaves_ink_and_fails"])
        self.ask(suite, ["clean_sheet"])

    def test_an_order_sees_nothing_of_others_in_the_same_batch(self) -> None:
        self.ask(KNOTTED, ["rate_of_the_day"], ["price_in_euros"], ["opens_account"], ["verifies_account"])

    def test_an_empty_order_has_an_empty_answer(self) -> None:
        empty, full = OrderRequest(()), OrderRequest(self.ids(KNOTTED, ["shows_banner"]))
        runs = {run.request: run for run in self.opened(KNOTTED).oracle.run_orders([empty, full])}
        assert set(runs) == {empty, full}
        assert runs[empty].results == ()
        assert runs[empty].executed == 0

    def test_no_question_has_no_answer(self) -> None:
        assert list(self.opened(KNOTTED).oracle.run_orders([])) == []

    def test_a_second_attempt_is_run_again(self) -> None:
        order = ["opens_account", "verifies_account", "shows_banner"]
        requests = [request for attempt in range(3) for request in self.requests(KNOTTED, [order], attempt)]
        runs = self.check(KNOTTED, self.opened(KNOTTED).oracle.run_orders(requests), requests)
        assert [run.executed for run in runs[1:]] == [len(order)] * 2

    def test_executed_counts_what_was_run(self) -> None:
        orders = some_orders(KNOTTED, self.few_orders, seed=3)
        runs = self.ask(KNOTTED, *orders)
        beginnings = {order[: length + 1] for order in orders for length in range(len(order))}
        asked = sum(map(len, orders))
        least = len(beginnings) if self.opened(KNOTTED).oracle.price.shares_prefixes else asked
        assert least <= sum(run.executed for run in runs) <= asked

    def test_much_output_changes_nothing(self) -> None:
        self.needs(Feature.OUTPUT)
        self.ask(TALKATIVE, TALKATIVE.names, TALKATIVE.names[::-1])

    def test_a_hostile_name_is_only_a_name(self) -> None:
        self.needs(Feature.HOSTILE_NAMES)
        suite = hostile(self.hostile_names)
        assert self.opened(suite).listed == self.ids(suite, suite.names)
        self.ask(suite, suite.names, suite.names[::-1], suite.names[1::2])
