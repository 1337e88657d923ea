"""Every check can fail: a runner that answers from the truth passes all of them, and for each way in which one can go
wrong some check fails."""
# ruff: noqa: ARG002 (a flawed runner takes what its caller gives)

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from unknot.conformance import Feature, Opened, PlantedSuite, RunnerConformance
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, TestId
from unknot.oracle.protocol import Price
from unknot.runners.protocol import Execution, Runner


class _Truthful:
    """Answers what is planted. Each flaw is a method that another class replaces."""

    can_share = False
    price = Price(0.01)

    def __init__(self, suite: PlantedSuite) -> None:
        self.suite = suite
        self.price = replace(self.price, workers=suite.workers)
        self.beyond: list[str] = []
        self.listener: Callable[[TestId, Result], None] = lambda test, result: None
        self.watcher: Callable[[Execution], None] | None = None
        self.requested = 0

    def listed(self) -> Order:
        return tuple(map(TestId, self.suite.names))

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        first, self.requested = self.requested, self.requested + len(requests)
        for number, request in enumerate(requests, first):
            yield self.run(request, number)

    def run_in_turn(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        return self.run_orders(requests)

    def run_lanes(self, lanes: Sequence[Sequence[OrderRequest]], *, shares: bool = False) -> Iterator[Run]:
        return self.run_orders([request for lane in lanes for request in lane])

    def keep_apart(self, tests: Iterable[TestId]) -> None:
        pass

    def close(self) -> None:
        pass

    def run(self, request: OrderRequest, number: int) -> Run:
        results = tuple(map(self.result, self.truth(request.order)))
        executed = [result for result in results if result.outcome is not Outcome.NOT_RUN]
        for test, result in zip(request.order, executed, strict=False):
            self.tell(number, test, result)
        return Run(request, results, self.executed(len(executed), request), 0.0)

    def truth(self, order: Order) -> Sequence[Outcome]:
        return self.suite.truth(order)

    def result(self, outcome: Outcome) -> Result:
        return Result(outcome, 0.0, "it went wrong" if outcome.is_bad else "")

    def executed(self, count: int, request: OrderRequest) -> int:
        return count

    def tell(self, number: int, test: TestId, result: Result) -> None:
        if self.watcher is not None:
            self.watcher(Execution(0, number, test, result, 0.0, 0.0))
        if result.outcome.is_verdict:
            self.listener(test, result)


class _Conformance(RunnerConformance):
    kind: ClassVar[type[_Truthful]] = _Truthful
    lacks: ClassVar = {
        Feature.SECONDS: "nothing is run",
        Feature.PROCESSES: "nothing is run",
        Feature.LEFTOVERS: "nothing is run",
    }

    @contextmanager
    def make(self, suite: PlantedSuite, directory: Path) -> Iterator[Opened[Runner]]:
        runner = self.kind(suite)
        try:
            yield Opened(runner, runner.listed())
        finally:
            runner.close()


class TestTruthful(_Conformance):
    pass


class _ListsBackwards(_Truthful):
    def listed(self) -> Order:
        return super().listed()[::-1]


class _ForgetsAQuestion(_Truthful):
    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        return super().run_orders(requests[:-1] or requests)


class _AnswersTwice(_Truthful):
    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        return super().run_orders([*requests, *requests[:1]])


class _NeverCleansUp(_Truthful):
    """An order goes on where the last one ended."""

    before: Order = ()

    def truth(self, order: Order) -> Sequence[Outcome]:
        seen = self.before
        reported = self.suite.truth((*seen, *order))[len(seen) :]
        self.before = (*seen, *order)
        return reported


class _CleansUpButAfterCrashes(_NeverCleansUp):
    def truth(self, order: Order) -> Sequence[Outcome]:
        reported = self.suite.truth(order)
        if self.before and Outcome.CRASHED not in reported:
            reported = tuple(
                Outcome.FAILED if test == "clean_sheet" else was for test, was in zip(order, reported, strict=True)
            )
        self.before = order if Outcome.CRASHED in reported else ()
        return reported


class _CallsACrashAFailure(_Truthful):
    def truth(self, order: Order) -> Sequence[Outcome]:
        return [Outcome.FAILED if was is Outcome.CRASHED else was for was in super().truth(order)]


class _CallsAHangAFailure(_Truthful):
    def truth(self, order: Order) -> Sequence[Outcome]:
        return [Outcome.FAILED if was is Outcome.TIMED_OUT else was for was in super().truth(order)]


class _GoesOnAfterACrash(_Truthful):
    def truth(self, order: Order) -> Sequence[Outcome]:
        return [Outcome.PASSED if was is Outcome.NOT_RUN else was for was in super().truth(order)]


class _TellsNoStory(_Truthful):
    def result(self, outcome: Outcome) -> Result:
        return Result(outcome)


class _TellsTooManyStories(_Truthful):
    def result(self, outcome: Outcome) -> Result:
        return Result(outcome, 0.0, "all is well")


class _RunsBackwardsInTime(_Truthful):
    def result(self, outcome: Outcome) -> Result:
        return replace(super().result(outcome), seconds=-1.0)


class _CountsTooMuch(_Truthful):
    def executed(self, count: int, request: OrderRequest) -> int:
        return count + 1


class _RecallsSecondAttempts(_Truthful):
    def executed(self, count: int, request: OrderRequest) -> int:
        return 0 if request.attempt else count


class _CannotBeStopped(_Truthful):
    """Earlier requests are answered together with the next ones."""

    def __init__(self, suite: PlantedSuite) -> None:
        super().__init__(suite)
        self.waiting: list[OrderRequest] = []

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        self.waiting += requests
        while self.waiting:
            yield self.run(self.waiting.pop(0), 0)


class _KnowsNoPrice(_Truthful):
    price = Price(float("nan"))


class _ConfusesNames(_Truthful):
    """As if a shell had read them."""

    def listed(self) -> Order:
        return tuple(TestId(" ".join(test.split())) for test in super().listed())


class _TellsNobody(_Truthful):
    def tell(self, number: int, test: TestId, result: Result) -> None:
        pass


class _WatchesOthers(_Truthful):
    def tell(self, number: int, test: TestId, result: Result) -> None:
        super().tell(0, test, result)


class _SwallowsInterruptions(_Truthful):
    def tell(self, number: int, test: TestId, result: Result) -> None:
        with suppress(KeyboardInterrupt):
            super().tell(number, test, result)


class _LeavesAFile(_Truthful):
    def close(self) -> None:
        Path(tempfile.mkdtemp(), "left").write_text("something")


class _LeavesAProcess(_Truthful):
    left: ClassVar[list[subprocess.Popen[bytes]]] = []

    def close(self) -> None:
        self.left.append(subprocess.Popen(["sleep", "3600"]))


class _LosesALane(_Truthful):
    def run_lanes(self, lanes: Sequence[Sequence[OrderRequest]], *, shares: bool = False) -> Iterator[Run]:
        return super().run_lanes(lanes[:1])


class _LeavesTraces(_Truthful):
    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        self.beyond.append("/etc/hosts")
        return super().run_orders(requests)


class _MissesACleaner(_Truthful):
    """A cleaner sometimes does not clean: the detection then finds something else than was planted."""

    def truth(self, order: Order) -> Sequence[Outcome]:
        return super().truth(order) if "refreshes_rates" not in order else self._without(order)

    def _without(self, order: Order) -> Sequence[Outcome]:
        kept = iter(super().truth(tuple(test for test in order if test != "refreshes_rates")))
        return [Outcome.PASSED if test == "refreshes_rates" else next(kept) for test in order]


FLAWS: dict[type[_Truthful], str] = {
    _ListsBackwards: "test_the_listing_is_the_suite_in_its_order",
    _ForgetsAQuestion: "test_any_order_does_as_planted",
    _AnswersTwice: "test_many_requests_on_several_workers_are_answered_once_each",
    _NeverCleansUp: "test_an_order_is_isolated_from_the_one_before",
    _CleansUpButAfterCrashes: "test_an_order_is_isolated_from_one_that_crashed",
    _CallsACrashAFailure: "test_a_crash_is_a_crash_and_the_rest_was_not_run",
    _CallsAHangAFailure: "test_a_hang_is_timed_out_and_the_rest_was_not_run",
    _GoesOnAfterACrash: "test_a_crash_is_a_crash_and_the_rest_was_not_run",
    _TellsNoStory: "test_a_crash_has_a_story",
    _TellsTooManyStories: "test_a_failure_has_a_story_and_a_success_has_none",
    _RunsBackwardsInTime: "test_seconds_are_never_negative",
    _CountsTooMuch: "test_executed_counts_what_was_run",
    _RecallsSecondAttempts: "test_a_second_attempt_is_run_again",
    _CannotBeStopped: "test_requests_can_be_made_again_after_closing_the_iterator",
    _KnowsNoPrice: "test_the_price_is_sane",
    _ConfusesNames: "test_hostile_names_are_harmless",
    _TellsNobody: "test_the_listener_is_called_once_for_every_test",
    _WatchesOthers: "test_the_watcher_is_called_with_test_and_times",
    _LeavesAFile: "test_nothing_is_left_when_it_is_closed",
    _LosesALane: "test_lanes_do_as_planted",
    _LeavesTraces: "test_a_suite_without_side_effects_reports_none",
    _MissesACleaner: "test_a_detection_finds_the_planted_graph",
}


@pytest.fixture
def held_to(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[type[_Truthful]], _Conformance]]:
    """Makes an object whose checks are about a runner of this kind."""
    monkeypatch.setattr("unknot.conformance.leftovers._PATIENCE", 0.2)
    made: list[_Conformance] = []

    def make(flawed: type[_Truthful]) -> _Conformance:
        class OpenSlot(_Conformance):
            kind = flawed

        held = OpenSlot()
        held.setup_class()
        held._directories = tmp_path_factory
        made.append(held)
        return held

    yield make
    for held in made:
        held.teardown_class()


@pytest.mark.parametrize("flawed", FLAWS, ids=lambda flawed: flawed.__name__.strip("_"))
def test_a_flaw_is_caught(flawed: type[_Truthful], held_to: Callable[[type[_Truthful]], _Conformance]) -> None:
    check = getattr(held_to(flawed), FLAWS[flawed])
    with pytest.raises(AssertionError):
        check(shares=False) if "lanes" in FLAWS[flawed] else check()


def test_an_interruption_that_is_swallowed_is_caught(held_to: Callable[[type[_Truthful]], _Conformance]) -> None:
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        held_to(_SwallowsInterruptions).test_an_interruption_is_raised_and_nothing_is_left()


@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="processes cannot be seen here")
def test_a_process_that_is_left_is_caught(held_to: Callable[[type[_Truthful]], _Conformance]) -> None:
    try:
        with pytest.raises(AssertionError, match="sleep 3600"):
            held_to(_LeavesAProcess).test_nothing_is_left_when_it_is_closed()
    finally:
        for process in _LeavesAProcess.left:
            process.kill()
            process.wait()


def test_every_check_is_there_to_be_inherited() -> None:
    """A check whose name is misspelt would never run."""
    checks = {name for name in dir(RunnerConformance) if callable(getattr(RunnerConformance, name))}
    assert set(FLAWS.values()) <= checks
