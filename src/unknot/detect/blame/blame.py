"""Blame: what makes one given test fail.

Idea
    Run the test alone, the suite in its own order, and the orders in which the test is said to fail. A test that fails
    alone and passes in some order lacks a setter; one that passes alone and fails in some order has a polluter before
    it; one whose outcome differs in one order is flaky. If no order is given, or none of them fails, likely ones are
    tried: all other tests before it, forwards, backwards, file by file, mixed, and each directly before it. The
    searches for setters and polluters are those of a detection, for this test only.
Assumptions
    As for a detection. Other tests are searched only if they serve or break this one and cannot run alone.
Guarantee
    Every need and conflict was shown by two orders, each run six times more. Stopped at any moment, the result has what
    was proved until then, each order run at least twice more.
Cost
    Three runs of the test alone and one of each order; about 2k log2 n orders for k setters or polluters; one short
    order for each other test if that takes seconds.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from unknot.detect.engine import orders
from unknot.detect.engine.findings import Positions
from unknot.detect.engine.isolation import REPETITIONS, record_broken_tests, run_each_alone
from unknot.detect.engine.options import ProgressCallback, no_progress
from unknot.detect.engine.parallel import run_searches
from unknot.detect.engine.polluters import find_polluters
from unknot.detect.engine.proofs import prove_conflicts, prove_needs
from unknot.detect.engine.reference import ReferenceRun
from unknot.detect.engine.result import build_result
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.setters import NeedSearch
from unknot.detect.flaky.sequential_test import decide_flakiness, mark_if_flaky, repeat_until_decided
from unknot.hints.position import any_other
from unknot.hints.recording import RecordedFlows
from unknot.model.bits import positions
from unknot.model.blame import Blame, BlameVerdict, NamedOrder, Tried
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.protocol import Oracle

_MAX_ROUNDS = 8
_MORE_ATTEMPTS = range(1000, 1004)
"""Far from those of the sequential test, which must not be chosen by their outcome."""

_RANDOM_ORDERS = 2
_SECONDS_FOR_PAIRS = 5.0
"""Each other test is run directly before this one if that takes no longer."""


def blame(
    suite: Suite,
    oracle: Oracle,
    test: TestId,
    said_to_fail: Sequence[NamedOrder] = (),
    *,
    file_of: Callable[[TestId], str] = lambda test: test.partition("::")[0],
    flows: RecordedFlows | None = None,
    seed: int = 0,
    on_progress: ProgressCallback = no_progress,
) -> Blame:
    """`said_to_fail` are orders of tests of the suite that end with the test. `flows` say which tests to try first."""
    return _Investigation(suite, oracle, test, said_to_fail, file_of, flows, seed, on_progress).run()


class _Investigation:
    def __init__(
        self,
        suite: Suite,
        oracle: Oracle,
        test: TestId,
        said_to_fail: Sequence[NamedOrder],
        file_of: Callable[[TestId], str],
        flows: RecordedFlows | None,
        seed: int,
        on_progress: ProgressCallback,
    ) -> None:
        def new_session(part: Suite) -> SearchSession:
            known = flows and flows.among(suite, part)
            return SearchSession(part, oracle, any_other, on_progress, known, reorders=True)

        self._suite = suite
        self._name = test
        self._said = said_to_fail
        self._file_of = file_of
        self._seed = seed
        self._reference_run = ReferenceRun(suite, new_session)
        self._tried: dict[OrderRequest, str] = {}

    @property
    def _session(self) -> SearchSession:
        return self._reference_run.session

    @property
    def _test(self) -> int:
        return self._session.suite.index[self._name]

    def run(self) -> Blame:
        finished = True
        try:
            self._search()
            self._settle()
        except (BudgetExhausted, KeyboardInterrupt):
            finished = False
        found = build_result("blame", self._suite, self._reference_run, complete=False)
        kept = set(found.closure(self._name))
        mine = replace(
            found,
            needs=tuple(need for need in found.needs if need.dependent in kept),
            conflicts=tuple(conflict for conflict in found.conflicts if conflict.victim == self._name),
            conflicts_when_failing=(),
            suspected=(),
        )
        return Blame(self._name, self._verdict(mine), mine, tuple(self._all_tried()), finished)

    # The search

    def _search(self) -> None:
        session = self._session
        session.start_step("running the test alone and in suite order")
        first = [OrderRequest((self._name,), attempt) for attempt in range(REPETITIONS)]
        self._tried |= {first[0]: "alone"}
        said = {OrderRequest(named.order): named.what for named in self._said}
        self._tried |= said
        session.run_orders([OrderRequest(session.suite.tests), *said, *first])
        self._reference_run.run(None)
        if self._name not in self._session.suite.index:
            return
        self._run_beside_reference(list(said), first)
        session = self._session
        decide_flakiness(session)
        if self._test in session.findings.flaky:
            return
        if not self._passes_alone() and not self._find_needs():
            return
        self._record(list(said))
        for orders_to_try in (self._whole_orders, self._neighbours):
            if not self._session.findings.broken.get(self._test):
                self._record(self._named(orders_to_try()))
        self._explain()
        self._prove()

    def _run_beside_reference(self, said: Sequence[OrderRequest], alone: Sequence[OrderRequest]) -> None:
        """Sets what the test is expected to do: to pass, if it passes alone."""
        session = self._session
        here = session.suite.index
        # Again if tests that end the process had to be left out.
        session.run_orders([request for request in (*said, *alone) if all(test in here for test in request.order)])
        reference = OrderRequest(session.suite.tests[: self._test + 1])
        self._tried.setdefault(reference, "in suite order")
        findings, test = session.findings, self._test
        if findings.expected[test].is_bad and session.known[alone[0]].last is Outcome.PASSED:
            findings.expected[test] = Outcome.PASSED
            findings.reference_victims.add(test)
            findings.broken[test].append(tuple(range(test)))
            session.rebuild_pairs()

    def _passes_alone(self) -> bool:
        session, test = self._session, self._test
        return run_each_alone(session, [test])[test] is session.findings.expected[test] is not Outcome.FAILED

    def _find_needs(self) -> bool:
        """The setters of a test that fails alone; false if it passes in no order."""
        if self._session.findings.expected[self._test].is_bad and not self._find_passing_order():
            return False
        brittle = {self._test}
        for _ in range(_MAX_ROUNDS):
            self._search_needs(brittle)
            findings = self._session.findings
            members = {
                member for test in brittle for clause in findings.clauses.get(test, ()) for member in clause.any_of
            }
            more = self._failing_alone(members - brittle)
            if not more:
                break
            # What a setter needs itself is no need of this test.
            brittle |= more
        self._session.start_step("proving what was found")
        with self._session.proving():
            prove_needs(self._session, may_run=True)
        return bool(self._session.findings.clauses.get(self._test))

    def _search_needs(self, brittle: set[int]) -> None:
        NeedSearch(self._session, "finding what the test needs", from_scratch=True).find(brittle)

    def _failing_alone(self, tests: set[int]) -> set[int]:
        session = self._session
        alone = run_each_alone(session, sorted(tests - session.findings.flaky))
        expected = session.findings.expected
        return {test for test, outcome in alone.items() if outcome is not expected[test]} - session.findings.flaky

    def _find_passing_order(self) -> bool:
        """An order in which the test passes, which takes the place of the reference order: all others before it."""
        session = self._session
        others = [test for test in range(len(session.suite)) if test != self._test]
        requests = [session.request([*others[::step], self._test]) for step in (1, -1)]
        self._tried |= {requests[0]: "after all other tests", requests[1]: "after all other tests, backwards"}
        passing = [run for run in session.runs(requests) if run.last is Outcome.PASSED]
        if not passing:
            return False
        decide_flakiness(session)
        self._reference_run.replace_order(passing[0])
        return True

    def _affords_neighbours(self) -> bool:
        session = self._session
        suite_seconds = sum(self._reference_run.seconds[test] for test in session.suite.tests)
        pairs = len(session.suite) * (session.price.clean_state + self._reference_run.seconds[self._name])
        return (pairs + suite_seconds) / max(1, session.price.workers) <= _SECONDS_FOR_PAIRS

    def _named(self, found: Iterable[tuple[str, OrderRequest]]) -> list[OrderRequest]:
        self._session.start_step("trying likely orders")
        new = {request: what for what, request in found}
        self._tried |= {request: what for request, what in new.items() if request not in self._tried}
        return list(new)

    def _whole_orders(self) -> Iterator[tuple[str, OrderRequest]]:
        """Each ends with the test; what it is known to need is before it."""
        session, closure = self._session, self._session.findings.closure
        for what, before in self._likely():
            sequence = [other for other in orders.respecting_needs(before, closure) if other != self._test]
            needed = [other for other in closure(self._test)[:-1] if other not in sequence]
            yield what, session.request([*needed, *sequence, self._test])

    def _neighbours(self) -> Iterator[tuple[str, OrderRequest]]:
        """Each other test directly before this one: no cleaner can be in between."""
        session = self._session
        out = {*session.findings.closure(self._test), *session.findings.unrunnable_without({self._test})}
        if self._affords_neighbours():
            for other, name in enumerate(session.suite.tests):
                if other not in out:
                    yield f"directly after {name}", session.directly_after(other, self._test)

    def _likely(self) -> Iterator[tuple[str, list[int]]]:
        session = self._session
        lost = session.findings.unrunnable_without({self._test})
        others = [test for test in range(len(session.suite)) if test != self._test and test not in lost]
        names = session.suite.tests
        writers = [test for test in positions(session.flows.may_be_broken_by[self._test]) if test in others]
        if writers:
            yield "after the tests that were recorded to write what it reads", writers
        mine = self._file_of(self._name)
        yield "after the other tests of its file", [test for test in others if self._file_of(names[test]) == mine]
        yield "after all other tests", others
        yield "after all other tests, backwards", others[::-1]
        files = list(dict.fromkeys(self._file_of(names[test]) for test in others))[::-1]
        place = {file: number for number, file in enumerate(files)}
        yield "after all other files, backwards", sorted(others, key=lambda test: place[self._file_of(names[test])])
        chance = random.Random(self._seed)
        for _ in range(_RANDOM_ORDERS):
            yield "after all other tests, mixed", chance.sample(others, len(others))

    def _record(self, requests: Sequence[OrderRequest]) -> None:
        """Notes after which of these orders the test was broken."""
        session = self._session
        here = [request for request in requests if all(test in session.suite.index for test in request.order)]
        seen: defaultdict[int, list[Positions]] = defaultdict(list)
        record_broken_tests(session, session.runs(here), seen)
        session.findings.broken[self._test] += seen.get(self._test, [])

    def _explain(self) -> None:
        """Finds the polluters of this test. One that only pollutes with others before it may be brittle itself: then
        what it needs does not pollute."""
        for _ in range(_MAX_ROUNDS):
            session = self._session
            findings, test = session.findings, self._test
            evidence = {victim: before for victim, before in findings.unexplained().items() if victim == test}
            if not evidence or test in findings.flaky:
                return
            find_polluters(session, evidence, one_by_one=False)
            together = {
                polluter
                for known in findings.pollutions
                if known.victim == test and len(known.polluters) > 1
                for polluter in known.polluters
            }
            if more := self._failing_alone(together - findings.clauses.keys()):
                findings.pollutions = [known for known in findings.pollutions if known.victim != test]
                self._search_needs(more | findings.clauses.keys())

    def _prove(self) -> None:
        session = self._session
        session.start_step("proving what was found")
        with session.proving():
            prove_needs(session, may_run=True)
            prove_conflicts(session, may_run=True)

    def _settle(self) -> None:
        """Repeats the proofs, or, without any, the test alone and where it failed: a flaky test may have looked like a
        dependent, a failing or a broken one by chance."""
        session = self._session
        if self._name not in session.suite.index or self._test in session.findings.flaky:
            return
        session.start_step("repeating what was found")
        proved = self._proofs()
        doubtful = proved or [(self._name,), *self._shortest_failing_order()]
        session.run_orders([OrderRequest(order, attempt) for order in doubtful for attempt in _MORE_ATTEMPTS])
        decide_flakiness(session)
        if not proved and len(self._outcomes()) > 1 and self._test not in session.findings.flaky:
            for order in doubtful:
                verdict = run_searches({0: repeat_until_decided(session, order)}, session.run_orders)[0]
                mark_if_flaky(session, self._test, verdict)

    def _proofs(self) -> list[Order]:
        session = self._session
        claims: tuple[Need | Conflict, ...] = (
            *prove_needs(session, may_run=False),
            *prove_conflicts(session, may_run=False),
        )
        proofs = [claim.proof for claim in claims if claim.proof.fails[-1] == self._name]
        return list(dict.fromkeys(order for proof in proofs for order in (proof.passes, proof.fails)))

    def _shortest_failing_order(self) -> list[Order]:
        session = self._session
        failing = [run.order[: run.order.index(self._name) + 1] for run in session.failures(self._test)]
        return [min(failing, key=len)] if failing else []

    # The result

    def _all_tried(self) -> Iterator[Tried]:
        runs = {run.order: run for run in self._session.known.values()}
        whole = next((run for order, run in runs.items() if order[: len(self._suite)] == self._suite.tests), None)
        for request, what in self._tried.items():
            run = self._session.known.get(request)
            if run is not None:
                yield Tried(what, request.order, run.last)
            elif whole is not None and whole.order[: len(request.order)] == request.order:
                yield Tried(what, request.order, whole.results[len(request.order) - 1].outcome)

    def _verdict(self, found: Dependencies) -> BlameVerdict:
        if self._name not in self._session.suite.index:
            return BlameVerdict.CRASHING
        if self._name in found.flaky:
            return BlameVerdict.FLAKY
        if found.needs_of.get(self._name) or found.conflicts_of.get(self._name):
            return BlameVerdict.DEPENDENT
        if self._outcomes() == {True}:
            return BlameVerdict.PASSING
        return BlameVerdict.FAILING if self._outcomes() == {False} else BlameVerdict.UNEXPLAINED

    def _outcomes(self) -> set[bool]:
        """Whether the test passed, over all runs."""
        return {
            outcome is Outcome.PASSED
            for run in self._session.known.values()
            for test, outcome in self._session.outcomes(run)
            if test == self._test and outcome is not Outcome.NOT_RUN
        }
