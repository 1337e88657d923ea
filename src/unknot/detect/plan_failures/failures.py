"""What a run of a plan has disproved: why a test that is expected to do well did not, and what that teaches.

Idea
    The suite's own order is the judge. A test that fails there too has really failed. One that does well there and
    fails with all that it is known to need lacks something; one that fails only in the plan's company is disturbed by
    somebody in it; one that does well when the same order is run again is flaky. What is lacking or disturbing is
    isolated and becomes a need or a conflict.
Assumptions
    A test that fails after one it needs has failed fails because of that: it is not looked into.
Guarantee
    Every test asked about gets exactly one explanation and one verdict, whenever the oracle says that the budget is
    spent: then the suite's own order, run once more, has the word. What is learned was shown by two orders, run twice
    each. The same answers give the same requests.
Cost
    One order for each surprising test, at most one more, one run of the suite's own order up to the last of them, and
    for each that does well there what `surprise_search` takes.
"""

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from unknot.detect.engine.parallel import Found, Search, side_by_side
from unknot.detect.plan_failures.lock_updates import Lesson, is_expressible, with_lessons
from unknot.detect.plan_failures.searches import company, find_disturbing, find_lacking
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.protocol import Oracle

MOST = 20
"""So many surprises at once are no accident: the suite is another than the dependencies know."""

_ENDS_PROCESS = (Outcome.CRASHED, Outcome.TIMED_OUT)
_MOST_CRASHES = 5


class Kind(StrEnum):
    REAL = "real"
    """It fails in the suite's own order too."""
    PREREQUISITE = "prerequisite"
    """Somebody that it needs has really failed."""
    AFTERMATH = "aftermath"
    """Somebody that it needs had been disturbed; it does well where that one does."""
    FLAKY = "flaky"
    """It does well when the same is run again, or now this, now that."""
    LACKING = "lacking"
    DISTURBED = "disturbed"
    UNEXPLAINED = "unexplained"
    """It does well in the suite's own order; why not in the plan was not found out."""


@dataclass(frozen=True)
class Surprise:
    """`test` did not do as expected after `before` had run from a clean state; `result` is what counts for it so far:
    that, or what it did when it was tried by itself."""

    test: TestId
    before: Order
    result: Result


@dataclass(frozen=True)
class Explanation:
    """`result` is the verdict: what the test did in the order that decided. `cause` is who failed before it, where
    that is the reason."""

    test: TestId
    kind: Kind
    result: Result
    lessons: tuple[Lesson, ...] = ()
    cause: TestId | None = None


def explain(
    dependencies: Dependencies,
    suite: Suite,
    surprises: Iterable[Surprise],
    oracle: Oracle,
    judge: Oracle,
    *,
    most: int = MOST,
) -> dict[TestId, Explanation]:
    """An explanation for each surprise, in the sequence of the suite, which is the suite as it is now; the dependencies
    may know only some of it. `oracle` may signal that its budget is spent; `judge` is asked, at most a few times, even
    then, and only for the suite's own order."""
    investigation = _Investigation(dependencies, suite, surprises, oracle)
    with contextlib.suppress(BudgetExhausted):
        investigation.run(most)
    return investigation.concluded(judge)


class _Investigation:
    """`dependencies` grow with what is learned on the way."""

    def __init__(self, dependencies: Dependencies, suite: Suite, surprises: Iterable[Surprise], oracle: Oracle) -> None:
        place = suite.index
        self._dependencies = dependencies
        self._suite = suite
        self._surprises = {each.test: each for each in sorted(surprises, key=lambda each: place[each.test])}
        self._oracle = oracle
        self._found: dict[TestId, Explanation] = {}
        self._runs: dict[OrderRequest, Run] = {}
        self._in_own_order: dict[TestId, Result] = {}
        self._ends_process = {test for test, outcome in dependencies.outcomes.items() if outcome in _ENDS_PROCESS}

    def run(self, most: int) -> None:
        causes = {test: self._cause(surprise) for test, surprise in self._surprises.items()}
        roots = [surprise for test, surprise in self._surprises.items() if causes[test] is None]
        roots = [surprise for surprise in roots if not self._was_own_order(surprise)]
        if len(roots) > most:
            return
        roots = self._not_by_chance(roots)
        affected = [test for test, cause in causes.items() if cause is not None and self._has_choice(test)]
        self._run_own_order({*(surprise.test for surprise in roots), *(affected if roots else ())})
        for surprise in roots:
            self._look_into(surprise)
        for test, cause in causes.items():
            if cause is not None:
                self._follow(self._surprises[test], cause)

    def concluded(self, judge: Oracle) -> dict[TestId, Explanation]:
        left = [test for test in self._surprises if test not in self._found]
        self._oracle = judge
        self._run_own_order([test for test in left if test not in self._in_own_order])
        for test in left:
            # A test that comes to no verdict even now keeps the one it has.
            result = self._in_own_order.get(test, self._surprises[test].result)
            self._say(test, Kind.REAL if result.outcome.is_bad else Kind.UNEXPLAINED, result)
        return {test: self._found[test] for test in self._surprises}

    # Who is looked into at all

    def _cause(self, surprise: Surprise) -> TestId | None:
        """The first of those that the test needed in its order and that surprised as well."""
        needed = company(self._dependencies, [surprise.test], (*surprise.before, surprise.test))
        return next((other for other in needed if other != surprise.test and other in self._surprises), None)

    def _was_own_order(self, surprise: Surprise) -> bool:
        """It failed in the suite's own order already."""
        earlier = self._suite.tests[: self._suite.index[surprise.test]]
        if surprise.before != earlier or not surprise.result.outcome.is_bad:
            return False
        self._in_own_order[surprise.test] = surprise.result
        self._say(surprise.test, Kind.REAL, surprise.result)
        return True

    def _has_choice(self, test: TestId) -> bool:
        return any(len(need.any_of) > 1 for need in self._dependencies.needs_of.get(test, ()))

    # Chance

    def _not_by_chance(self, surprises: Sequence[Surprise]) -> list[Surprise]:
        """Those who do not do well when the same order is run once more. Asked only of those who do well by themselves:
        of the others, the suite's own order is asked anyway."""
        known = [surprise for surprise in surprises if surprise.test in self._dependencies.outcomes]
        self._ask([OrderRequest(self._closure(surprise.test), attempt=1) for surprise in known])
        well = [surprise for surprise in known if self._does_well_alone(surprise.test)]
        again = {surprise.test: OrderRequest((*surprise.before, surprise.test), attempt=1) for surprise in well}
        self._ask([again[surprise.test] for surprise in well if surprise.test not in self._dependencies.flaky])
        for surprise in well:
            request = again[surprise.test]
            if surprise.test in self._dependencies.flaky:
                self._say(surprise.test, Kind.FLAKY, self._alone(surprise.test))
            elif self._is_as_expected(self._runs[request]):
                self._say(surprise.test, Kind.FLAKY, self._runs[request].results[-1])
        return [surprise for surprise in surprises if surprise.test not in self._found]

    # The suite's own order

    def _run_own_order(self, tests: Collection[TestId]) -> None:
        """Up to the last of these. Those who are known to end their process there are left out, and so is, in another
        try, who turns out to."""
        place = self._suite.index
        wanted = set(tests)
        for _ in range(_MOST_CRASHES):
            if not wanted:
                return
            last = max(place[test] for test in wanted)
            order = (*self._earlier(self._suite.tests[last]), self._suite.tests[last])
            run = self._ask([OrderRequest(order, attempt=1)])[0]
            for test, result in zip(order, run.results, strict=True):
                if result.outcome is not Outcome.NOT_RUN:
                    self._in_own_order[test] = result
                if result.outcome in _ENDS_PROCESS:
                    self._ends_process.add(test)
            wanted -= self._in_own_order.keys()

    def _earlier(self, test: TestId) -> Order:
        """What stands before the test in the suite and leaves the process alive."""
        earlier = self._suite.tests[: self._suite.index[test]]
        return tuple(other for other in earlier if other not in self._ends_process)

    # One by one

    def _look_into(self, surprise: Surprise) -> None:
        test = surprise.test
        verdict = self._in_own_order.get(test)
        if verdict is None or verdict.outcome.is_bad:
            self._say(test, Kind.REAL, verdict or surprise.result)
        elif test not in self._dependencies.outcomes:
            self._say(test, Kind.UNEXPLAINED, verdict)
        elif test in self._dependencies.flaky:
            self._say(test, Kind.FLAKY, verdict)
        elif verdict.outcome is not self._dependencies.outcomes[test]:
            # Skipped, say: neither as expected nor bad, so that there is nothing to search for.
            self._say(test, Kind.UNEXPLAINED, verdict)
        elif not self._does_well_alone(test):
            search = find_lacking(self._dependencies, test, self._closure(test)[:-1], self._earlier(test))
            self._learn(test, verdict, self._drive(search))
        else:
            self._learn(test, verdict, self._unsuited(surprise) or self._disturbing(surprise))

    def _unsuited(self, surprise: Surprise) -> tuple[Need, ...]:
        """An alternative that no longer does: the order held another one than the test's closure does."""
        test, closure = surprise.test, self._closure(surprise.test)
        here = company(self._dependencies, [test], (*surprise.before, test))
        if set(here) == set(closure) or self._is_as_expected(self._ask([OrderRequest(here, attempt=1)])[0]):
            return ()
        enough = company(self._dependencies, [*here, *closure], self._earlier(test))
        return self._drive(find_lacking(self._dependencies, test, tuple(t for t in here if t != test), enough))

    def _disturbing(self, surprise: Surprise) -> tuple[Conflict, ...]:
        suspects = list(
            dict.fromkeys(
                lesson.polluters
                for found in self._found.values()
                for lesson in found.lessons
                if isinstance(lesson, Conflict)
            )
        )
        search = find_disturbing(self._dependencies, self._suite, surprise.test, surprise.before, suspects)
        conflict = self._drive(search)
        return () if conflict is None else (conflict,)

    def _learn(self, test: TestId, verdict: Result, lessons: tuple[Lesson, ...]) -> None:
        self._dependencies = with_lessons(
            self._dependencies, [lesson for lesson in lessons if is_expressible(lesson, self._dependencies)]
        )
        if not lessons:
            self._say(test, Kind.FLAKY, verdict)
        else:
            kind = Kind.LACKING if isinstance(lessons[0], Need) else Kind.DISTURBED
            self._say(test, kind, verdict, lessons)

    def _follow(self, surprise: Surprise, cause: TestId) -> None:
        """The test failed because the cause had. If that really fails, so does the test, unless the suite's own order
        says otherwise; if not, the test with all that is now known to be needed tells."""
        test = surprise.test
        above = self._found.get(cause)
        if above is None:
            # In the suite it stands behind: it was not before the test in the order that decides.
            self._run_own_order([test])
            self._look_into(surprise)
            return
        root = above.cause or cause
        if above.kind in (Kind.REAL, Kind.PREREQUISITE):
            verdict = self._in_own_order.get(test, surprise.result)
            self._say(test, Kind.PREREQUISITE if verdict.outcome.is_bad else Kind.AFTERMATH, verdict, cause=root)
            return
        run = self._ask([OrderRequest(self._closure(test), attempt=1)])[0]
        if self._is_as_expected(run):
            self._say(test, Kind.AFTERMATH, run.results[-1], cause=root)
        else:
            self._run_own_order([test])
            self._look_into(surprise)

    # Asking

    def _closure(self, test: TestId) -> Order:
        return self._dependencies.closure(test)

    def _alone(self, test: TestId) -> Result:
        return self._ask([OrderRequest(self._closure(test), attempt=1)])[0].results[-1]

    def _does_well_alone(self, test: TestId) -> bool:
        return self._alone(test).outcome is self._dependencies.outcomes[test]

    def _is_as_expected(self, run: Run) -> bool:
        return run.last is self._dependencies.outcomes[run.order[-1]]

    def _ask(self, requests: Sequence[OrderRequest]) -> list[Run]:
        self._answers(requests)
        return [self._runs[request] for request in requests]

    def _answers(self, requests: Sequence[OrderRequest]) -> Mapping[OrderRequest, Run]:
        new = [request for request in dict.fromkeys(requests) if request not in self._runs]
        for run in self._oracle.run_orders(new) if new else ():
            self._runs[run.request] = run
        return self._runs

    def _drive(self, search: Search[Found]) -> Found:
        return side_by_side({0: search}, self._answers)[0]

    def _say(
        self,
        test: TestId,
        kind: Kind,
        result: Result,
        lessons: tuple[Lesson, ...] = (),
        *,
        cause: TestId | None = None,
    ) -> None:
        self._found[test] = Explanation(test, kind, result, lessons, cause)
