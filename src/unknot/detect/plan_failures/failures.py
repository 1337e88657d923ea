"""Explains why a test failed in a planned run although it was expected to pass, and which dependency follows.

Idea
    The suite's own order decides. A test that fails there too has really failed. One that passes there and fails with
    all its known needs lacks something; one that fails only after the other tests of the plan is broken by one of them;
    one that passes when the same order is run again is flaky. What is missing or breaks the test is isolated and
    becomes a need or a conflict.
Assumptions
    If a test fails after a prerequisite has failed, that is the reason: it is not investigated.
Guarantee
    Every test gets exactly one explanation and one verdict, even if the oracle signals that the budget is spent: then
    the suite's own order, run once more, decides. New dependencies were shown by two orders, run twice each. The same
    answers give the same orders.
Cost
    One order for each unexpected failure, at most one more, one run of the suite's own order up to the last of them,
    and a search (`searches`) for each that passes there.
"""

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from unknot.detect.engine.parallel import Found, Search, run_searches
from unknot.detect.plan_failures.lock_updates import LockUpdate, apply_updates, names_known_tests
from unknot.detect.plan_failures.searches import find_conflict, find_missing_needs, with_prerequisites
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.protocol import Oracle

MAX_FAILURES = 20
"""More failures than this mean that the suite has changed since the detection."""

_ENDS_PROCESS = (Outcome.CRASHED, Outcome.TIMED_OUT)
_MAX_CRASHES = 5


class FailureKind(StrEnum):
    REAL = "real"
    """It fails in the suite's own order too."""
    PREREQUISITE = "prerequisite"
    """A prerequisite has really failed."""
    AFTERMATH = "aftermath"
    """A prerequisite was broken; the test passes where that one does."""
    FLAKY = "flaky"
    """It passes when the same order is run again, or its outcome varies."""
    LACKING = "lacking"
    DISTURBED = "disturbed"
    UNEXPLAINED = "unexplained"
    """It passes in the suite's own order; why it failed in the plan was not found."""


@dataclass(frozen=True)
class PlanFailure:
    """`test` did not behave as expected after `before` had run from a clean state. `result` is what counts for it so
    far: that result, or the one of running it alone."""

    test: TestId
    before: Order
    result: Result


@dataclass(frozen=True)
class Explanation:
    """`result` is the verdict: the result in the order that decided. `cause` is the test that failed before it, if that
    is the reason."""

    test: TestId
    kind: FailureKind
    result: Result
    updates: tuple[LockUpdate, ...] = ()
    cause: TestId | None = None


def explain_failures(
    dependencies: Dependencies,
    suite: Suite,
    failures: Iterable[PlanFailure],
    oracle: Oracle,
    reference_oracle: Oracle,
    *,
    most: int = MAX_FAILURES,
) -> dict[TestId, Explanation]:
    """Returns an explanation for each failure, in the sequence of the suite, which is the current one; the dependencies
    may cover only part of it. `oracle` may signal that its budget is spent; `reference_oracle` then still runs the
    suite's own order, at most a few times."""
    investigation = _Investigation(dependencies, suite, failures, oracle)
    with contextlib.suppress(BudgetExhausted):
        investigation.run(most)
    return investigation.conclude(reference_oracle)


class _Investigation:
    """New dependencies are added to `_dependencies` on the way."""

    def __init__(
        self, dependencies: Dependencies, suite: Suite, failures: Iterable[PlanFailure], oracle: Oracle
    ) -> None:
        place = suite.index
        self._dependencies = dependencies
        self._suite = suite
        self._failures = {each.test: each for each in sorted(failures, key=lambda each: place[each.test])}
        self._oracle = oracle
        self._found: dict[TestId, Explanation] = {}
        self._runs: dict[OrderRequest, Run] = {}
        self._in_own_order: dict[TestId, Result] = {}
        self._ends_process = {test for test, outcome in dependencies.outcomes.items() if outcome in _ENDS_PROCESS}

    def run(self, most: int) -> None:
        causes = {test: self._cause(failure) for test, failure in self._failures.items()}
        roots = [failure for test, failure in self._failures.items() if causes[test] is None]
        roots = [failure for failure in roots if not self._was_own_order(failure)]
        if len(roots) > most:
            return
        roots = self._not_flaky(roots)
        affected = [test for test, cause in causes.items() if cause is not None and self._has_choice(test)]
        self._run_own_order({*(failure.test for failure in roots), *(affected if roots else ())})
        for failure in roots:
            self._investigate(failure)
        for test, cause in causes.items():
            if cause is not None:
                self._follow(self._failures[test], cause)

    def conclude(self, reference_oracle: Oracle) -> dict[TestId, Explanation]:
        left = [test for test in self._failures if test not in self._found]
        self._oracle = reference_oracle
        self._run_own_order([test for test in left if test not in self._in_own_order])
        for test in left:
            # A test without a verdict even now keeps the one it has.
            result = self._in_own_order.get(test, self._failures[test].result)
            self._conclude(test, FailureKind.REAL if result.outcome.is_bad else FailureKind.UNEXPLAINED, result)
        return {test: self._found[test] for test in self._failures}

    # Which tests to investigate

    def _cause(self, failure: PlanFailure) -> TestId | None:
        """The first of the tests that this one needed in its order and that failed as well."""
        needed = with_prerequisites(self._dependencies, [failure.test], (*failure.before, failure.test))
        return next((other for other in needed if other != failure.test and other in self._failures), None)

    def _was_own_order(self, failure: PlanFailure) -> bool:
        """It failed in the suite's own order already."""
        earlier = self._suite.tests[: self._suite.index[failure.test]]
        if failure.before != earlier or not failure.result.outcome.is_bad:
            return False
        self._in_own_order[failure.test] = failure.result
        self._conclude(failure.test, FailureKind.REAL, failure.result)
        return True

    def _has_choice(self, test: TestId) -> bool:
        return any(len(need.any_of) > 1 for need in self._dependencies.needs_of.get(test, ()))

    # Flaky failures

    def _not_flaky(self, failures: Sequence[PlanFailure]) -> list[PlanFailure]:
        """The failures that remain when the same order is run once more. Only tests that pass alone are repeated: for
        the others, the suite's own order is run anyway."""
        known = [failure for failure in failures if failure.test in self._dependencies.outcomes]
        self._run([OrderRequest(self._closure(failure.test), attempt=1) for failure in known])
        well = [failure for failure in known if self._passes_alone(failure.test)]
        again = {failure.test: OrderRequest((*failure.before, failure.test), attempt=1) for failure in well}
        self._run([again[failure.test] for failure in well if failure.test not in self._dependencies.flaky])
        for failure in well:
            request = again[failure.test]
            if failure.test in self._dependencies.flaky:
                self._conclude(failure.test, FailureKind.FLAKY, self._alone(failure.test))
            elif self._is_as_expected(self._runs[request]):
                self._conclude(failure.test, FailureKind.FLAKY, self._runs[request].results[-1])
        return [failure for failure in failures if failure.test not in self._found]

    # The suite's own order

    def _run_own_order(self, tests: Collection[TestId]) -> None:
        """Up to the last of these. Tests that are known to crash the process there are left out, and so is, in another
        attempt, a test that turns out to."""
        place = self._suite.index
        expected = set(tests)
        for _ in range(_MAX_CRASHES):
            if not expected:
                return
            last = max(place[test] for test in expected)
            order = (*self._earlier(self._suite.tests[last]), self._suite.tests[last])
            run = self._run([OrderRequest(order, attempt=1)])[0]
            for test, result in zip(order, run.results, strict=True):
                if result.outcome is not Outcome.NOT_RUN:
                    self._in_own_order[test] = result
                if result.outcome in _ENDS_PROCESS:
                    self._ends_process.add(test)
            expected -= self._in_own_order.keys()

    def _earlier(self, test: TestId) -> Order:
        """The tests before this one in the suite that do not crash the process."""
        earlier = self._suite.tests[: self._suite.index[test]]
        return tuple(other for other in earlier if other not in self._ends_process)

    # One by one

    def _investigate(self, failure: PlanFailure) -> None:
        test = failure.test
        verdict = self._in_own_order.get(test)
        if verdict is None or verdict.outcome.is_bad:
            self._conclude(test, FailureKind.REAL, verdict or failure.result)
        elif test not in self._dependencies.outcomes:
            self._conclude(test, FailureKind.UNEXPLAINED, verdict)
        elif test in self._dependencies.flaky:
            self._conclude(test, FailureKind.FLAKY, verdict)
        elif verdict.outcome is not self._dependencies.outcomes[test]:
            # Skipped, for example: neither as expected nor bad, so that there is nothing to search for.
            self._conclude(test, FailureKind.UNEXPLAINED, verdict)
        elif not self._passes_alone(test):
            search = find_missing_needs(self._dependencies, test, self._closure(test)[:-1], self._earlier(test))
            self._learn(test, verdict, self._drive(search))
        else:
            self._learn(test, verdict, self._unsuitable_alternative(failure) or self._conflict(failure))

    def _unsuitable_alternative(self, failure: PlanFailure) -> tuple[Need, ...]:
        """An alternative that no longer serves: the order had another one than the test's closure."""
        test, closure = failure.test, self._closure(failure.test)
        here = with_prerequisites(self._dependencies, [test], (*failure.before, test))
        if set(here) == set(closure) or self._is_as_expected(self._run([OrderRequest(here, attempt=1)])[0]):
            return ()
        enough = with_prerequisites(self._dependencies, [*here, *closure], self._earlier(test))
        return self._drive(find_missing_needs(self._dependencies, test, tuple(t for t in here if t != test), enough))

    def _conflict(self, failure: PlanFailure) -> tuple[Conflict, ...]:
        likely = list(
            dict.fromkeys(
                update.polluters
                for found in self._found.values()
                for update in found.updates
                if isinstance(update, Conflict)
            )
        )
        search = find_conflict(self._dependencies, self._suite, failure.test, failure.before, likely)
        conflict = self._drive(search)
        return () if conflict is None else (conflict,)

    def _learn(self, test: TestId, verdict: Result, updates: tuple[LockUpdate, ...]) -> None:
        self._dependencies = apply_updates(
            self._dependencies, [update for update in updates if names_known_tests(update, self._dependencies)]
        )
        if not updates:
            self._conclude(test, FailureKind.FLAKY, verdict)
        else:
            kind = FailureKind.LACKING if isinstance(updates[0], Need) else FailureKind.DISTURBED
            self._conclude(test, kind, verdict, updates)

    def _follow(self, failure: PlanFailure, cause: TestId) -> None:
        """The test failed because the cause had. If that really fails, so does the test, unless the suite's own order
        shows otherwise; if not, the test with all its needs known by now decides."""
        test = failure.test
        above = self._found.get(cause)
        if above is None:
            # It comes later in the suite, so that it did not run before the test in the order that decides.
            self._run_own_order([test])
            self._investigate(failure)
            return
        root = above.cause or cause
        if above.kind in (FailureKind.REAL, FailureKind.PREREQUISITE):
            verdict = self._in_own_order.get(test, failure.result)
            self._conclude(
                test, FailureKind.PREREQUISITE if verdict.outcome.is_bad else FailureKind.AFTERMATH, verdict, cause=root
            )
            return
        run = self._run([OrderRequest(self._closure(test), attempt=1)])[0]
        if self._is_as_expected(run):
            self._conclude(test, FailureKind.AFTERMATH, run.results[-1], cause=root)
        else:
            self._run_own_order([test])
            self._investigate(failure)

    # Running orders

    def _closure(self, test: TestId) -> Order:
        return self._dependencies.closure(test)

    def _alone(self, test: TestId) -> Result:
        return self._run([OrderRequest(self._closure(test), attempt=1)])[0].results[-1]

    def _passes_alone(self, test: TestId) -> bool:
        return self._alone(test).outcome is self._dependencies.outcomes[test]

    def _is_as_expected(self, run: Run) -> bool:
        return run.last is self._dependencies.outcomes[run.order[-1]]

    def _run(self, requests: Sequence[OrderRequest]) -> list[Run]:
        self._run_orders(requests)
        return [self._runs[request] for request in requests]

    def _run_orders(self, requests: Sequence[OrderRequest]) -> Mapping[OrderRequest, Run]:
        new = [request for request in dict.fromkeys(requests) if request not in self._runs]
        for run in self._oracle.run_orders(new) if new else ():
            self._runs[run.request] = run
        return self._runs

    def _drive(self, search: Search[Found]) -> Found:
        return run_searches({0: search}, self._run_orders)[0]

    def _conclude(
        self,
        test: TestId,
        kind: FailureKind,
        result: Result,
        updates: tuple[LockUpdate, ...] = (),
        *,
        cause: TestId | None = None,
    ) -> None:
        self._found[test] = Explanation(test, kind, result, updates, cause)
