"""Orders in which new tests meet all others, and the search for conflicts.

Idea
    Each pair with a new test has to run both ways round: the reference order is one of them, and an order backwards the
    other. Few pairs are left then, mostly victims that others broke on the way; those are put together in as few orders
    as possible. What these two orders hide, because a cleaner runs between a new test and its victim, is tried side by
    side if the suite was recorded beside them (recorded_pairs.py). If not, two more orders of the whole suite have the
    new tests first, and last.
Assumptions
    Old tests still affect each other as before, so that only pairs with a new test count. A cleaner may be between a
    new test and its victim each time: then the pair counts as tried, as in any other detection.
Guarantee
    Only what runs have shown is recorded; a pollution only if the search showed it.
Cost
    One order of the whole suite besides the reference order, and up to 16 short ones for each new test, if the suite
    was recorded; if not, three. One for each layer of victims, and one for each new test that never ran after some
    other test. Each broken test costs a search, about 2 log2 n orders for each polluter.
"""

import random
from collections.abc import Collection, Iterator, Sequence

from unknot.detect.engine import orders
from unknot.detect.engine.isolation import record_broken_tests
from unknot.detect.engine.polluters import find_polluters
from unknot.detect.engine.session import SearchSession, is_claimable
from unknot.detect.incremental.recorded_pairs import recorded_pairs
from unknot.model.run import OrderRequest

_MAX_ROUNDS = 8

_MOST_LIKELY = 8
"""So many new tests are tried by themselves on what was broken: more cost as much as a search by halving."""


class NewTestSearch:
    """`backwards` are orders that were run beside the reference order, in which the new tests meet the others the other
    way round; `is_recorded` says that the suite was recorded beside them. `needs_more` are tests that were broken and
    also fail with all their known needs."""

    def __init__(
        self,
        session: SearchSession,
        new_tests: Collection[int],
        backwards: Sequence[OrderRequest],
        *,
        is_recorded: bool,
        reorders: bool,
        thorough: bool,
        seed: int,
    ) -> None:
        self._session = session
        self._new_tests = sorted(new_tests)
        self._backwards = backwards
        self._is_recorded = is_recorded
        self._reorders = reorders
        self._thorough = thorough
        self._seed = seed
        self.needs_more: set[int] = set()

    def run(self) -> bool:
        """Returns whether every failure was explained in the end."""
        session = self._session
        self.needs_more.clear()
        requests = list(self._reorderings() if self._reorders else map(session.request, self._selections()))
        session.start_step("running new tests with the others", len(requests))
        self._run(requests)
        if self._reorders:
            pairs = recorded_pairs(session, self._new_tests, thorough=self._thorough)
            self._run([session.directly_after(*pair) for pair in pairs])
        if not self._explain():
            return False
        self._try_untried()
        if self._thorough and self._reorders:
            self._run(list(self._adjacent_orders()))
        return self._explain()

    def _run(self, requests: list[OrderRequest]) -> None:
        record_broken_tests(self._session, self._session.runs(requests))

    def _reorderings(self) -> Iterator[OrderRequest]:
        session = self._session
        closure = session.findings.closure
        all_tests = range(len(session.suite))
        if self._backwards:
            yield from self._backwards
        else:
            yield session.request(orders.respecting_needs(reversed(all_tests), closure))
        if self._new_tests and not self._is_recorded:
            others = [test for test in all_tests if test not in self._new_tests]
            yield session.request(orders.respecting_needs([*self._new_tests, *others], closure))
            random.Random(self._seed).shuffle(others)
            yield session.request(orders.respecting_needs([*others, *reversed(self._new_tests)], closure))

    def _selections(self) -> Iterator[list[int]]:
        """Keeps the reference order: the new tests with a random half of the others, then with the other half."""
        if not self._new_tests:
            return
        chance = random.Random(self._seed)
        others = [test for test in range(len(self._session.suite)) if test not in self._new_tests]
        half = {test for test in others if chance.random() < 0.5}
        for chosen in (half, [test for test in others if test not in half]):
            yield self._session.findings.closure_of([*self._new_tests, *chosen])

    def _try_untried(self) -> None:
        session = self._session
        for _ in range(_MAX_ROUNDS):
            waiting = [test for test in range(len(session.suite)) if session.untried(test)]
            together = self._compatible(waiting) if self._reorders else []
            if len(together) < 2:
                break
            self._run(
                [session.request(orders.respecting_needs(self._new_tests + together, session.findings.closure))],
            )
            if len([test for test in waiting if session.untried(test)]) == len(waiting):
                break
        self._run(list(filter(None, map(session.after_untried, range(len(session.suite))))))

    def _compatible(self, waiting: list[int]) -> list[int]:
        """Those that do not break each other, one after another, after the new tests."""
        findings = self._session.findings
        order = orders.respecting_needs(self._new_tests, findings.closure)
        chosen: list[int] = []
        for test in waiting:
            if test in order:
                continue
            company = [member for member in findings.closure(test)[:-1] if member not in order]
            if not findings.explains(test, [*order, *company]):
                chosen.append(test)
                order += [*company, test]
        return chosen

    def _adjacent_orders(self) -> Iterator[OrderRequest]:
        """Every new test directly after every other test, and the reverse."""
        session, findings = self._session, self._session.findings
        for new_test in self._new_tests:
            for other in range(len(session.suite)):
                for first, second in ((new_test, other), (other, new_test)):
                    if second not in findings.closure(first) and is_claimable(session, second):
                        yield session.directly_after(first, second)

    def _explain(self) -> bool:
        session = self._session
        for _ in range(_MAX_ROUNDS):
            evidence = session.findings.unexplained()
            if not evidence:
                return True
            self.needs_more |= session.failing_closures(evidence)
            if self.needs_more:
                # Tests that bring them along would seem to break what these fail to set up.
                return False
            likely = [(test,) for test in self._new_tests[:_MOST_LIKELY]]
            find_polluters(session, evidence, one_by_one=self._thorough, likely=likely)
        return not session.findings.unexplained()
