"""The first step of every detection: run the suite in its own order."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from unknot.detect.engine.session import SearchSession
from unknot.model.dependencies import Cost
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Reference, Suite, TestId

_MAX_CRASHES = 20
"""Tests that crash the process are set aside one by one; a suite with more of them is not worth the runs."""


def backwards(suite: Suite) -> list[OrderRequest]:
    """The reference order in reverse."""
    return [OrderRequest(suite.tests[::-1])]


class ReferenceRun:
    """`session` has the tests that take part. A test that crashes the process in the reference order is set aside,
    because the tests after it would have no outcome; a new session then has the others."""

    def __init__(self, suite: Suite, new_session: Callable[[Suite], SearchSession]) -> None:
        self._new_session = new_session
        self.session = new_session(suite)
        self.outcomes: dict[TestId, Outcome] = {}
        self.seconds: dict[TestId, float] = {}
        self.original: Run | None = None
        """The run of the reference order, if another order has taken its place in the session."""
        self._orders = self._tests = 0
        """What earlier sessions ran."""

    def run(
        self, known: Reference | None, beside: Callable[[Suite], Sequence[OrderRequest]] = lambda suite: ()
    ) -> None:
        """Runs the reference order, unless it is known, and in the same batch, on other workers, what `beside` names
        for the tests that take part. Raises BudgetExhausted if too many tests crash the process."""
        for _ in range(_MAX_CRASHES):
            crashed = self._run_once(known, beside)
            if not crashed:
                return
            self._start_session(Suite(tuple(test for test in self.session.suite.tests if test not in crashed)))
        raise BudgetExhausted

    def _start_session(self, suite: Suite) -> None:
        self._orders += self.session.orders
        self._tests += self.session.tests
        self.session = self._new_session(suite)

    def replace_order(self, run: Run) -> None:
        """The order of this run, with its outcomes, takes the place of the reference order in a new session, which has
        all runs so far. `outcomes` remain those of the reference order."""
        old = self.session
        self.outcomes.update((old.suite.tests[test], outcome) for test, outcome in old.findings.usual.items())
        if self.original is None:
            self.original = old.known.get(OrderRequest(old.suite.tests))
        self._start_session(Suite(run.order))
        session, findings = self.session, self.session.findings
        place = [session.suite.index[test] for test in old.suite.tests]
        findings.flaky = {place[test] for test in old.findings.flaky}
        findings.decided = {place[test] for test in old.findings.decided}
        findings.flakiness = {place[test]: verdict for test, verdict in old.findings.flakiness.items()}
        findings.expected[:] = [result.outcome for result in run.results]
        for test in old.findings.flaky:
            findings.expected[place[test]] = old.findings.expected[test]
        session.known.update(old.known)
        session.rebuild_pairs()

    def _run_once(self, known: Reference | None, beside: Callable[[Suite], Sequence[OrderRequest]]) -> Sequence[TestId]:
        """Returns the tests that crashed the process."""
        session = self.session
        tests = session.suite.tests
        session.start_step("running the reference order")
        requests = [] if known else [OrderRequest(tests)]
        answers = session.run_orders([*requests, *beside(session.suite)])
        if known:
            results = [Result(known.outcomes[test], known.seconds.get(test, 0.0)) for test in tests]
        else:
            results = list(answers[requests[0]].results)
        crashed = []
        for number, (test, result) in enumerate(zip(tests, results, strict=True)):
            self.seconds[test] = result.seconds
            self.outcomes[test] = result.outcome
            if result.outcome is not Outcome.NOT_RUN:
                session.findings.expected[number] = result.outcome
            if result.outcome in (Outcome.CRASHED, Outcome.TIMED_OUT):
                crashed.append(test)
        session.knows_reference = known is not None
        session.rebuild_pairs()
        return crashed

    def cost(self, algorithm: str) -> Cost:
        """Orders and tests run so far. The caller knows the seconds."""
        return Cost(algorithm, self._orders + self.session.orders, self._tests + self.session.tests)

    def usual_seconds(self) -> Mapping[TestId, float]:
        """The median over the runs in which a test behaved as expected and was not the first of its order; if there is
        none, its seconds in the reference order. The reference order alone would charge its first test with the setup
        of the session, and one hiccup of the machine would count in full. For plans and reports only: no detector
        decides by it. Cost: linear in the results."""
        expected = dict(zip(self.session.suite.tests, self.session.findings.expected, strict=True))
        seen: dict[TestId, list[float]] = {}
        for run in self.session.known.values():
            for test, result in list(zip(run.order, run.results, strict=True))[1:]:
                if result.outcome is expected[test]:
                    seen.setdefault(test, []).append(result.seconds)
        return {**self.seconds, **{test: median(seconds) for test, seconds in seen.items()}}
