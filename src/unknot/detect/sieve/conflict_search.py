"""Conflict search: runs orders in which polluters meet their victims, and finds which test broke which."""

import random
from collections.abc import Iterable, Iterator, Sequence

from unknot.detect.engine import orders
from unknot.detect.engine.cost import MAX_RANDOM_ORDERS, CostModel
from unknot.detect.engine.isolation import record_broken_tests
from unknot.detect.engine.polluters import find_polluters
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.conflict_free_orders import conflict_free_order
from unknot.model.run import OrderRequest

_MAX_ROUNDS = 8
"""Each round explains at least one failure of a broken test; a suite that needs more rounds is marked incomplete."""

_SELECTIONS = 2
_WALKS = 8

_MAX_CONFLICT_FREE_BATCHES = 3

_SHARE_FOR_RANDOM_ORDERS = 0.15
"""Random orders may take this share of the tests run so far."""

_WORTHWHILE = 0.8
"""Random orders continue as long as a batch leaves less than this share of the untried pairs."""


class ConflictSearch:
    """Finds pollutions. Every order respects the known needs, so that a failing test is polluted or needs more than is
    known; running its closure alone shows which. `tests` are those that are to meet."""

    def __init__(
        self, session: SearchSession, costs: CostModel, file_of: Sequence[str], seed: int, tests: Sequence[int]
    ) -> None:
        self._session = session
        self._tests = tests
        self._costs = costs
        self._file_of = file_of
        self._seed = seed
        self.needs_more: set[int] = set()

    def run(self, *, reorders: bool, selects: bool) -> bool:
        """Returns whether every failure was explained in the end. If the reference order is kept, orders that only
        leave tests out are run if `selects`."""
        session = self._session
        self.needs_more.clear()
        if reorders:
            sequences = list(self._reorderings(is_clean=not session.findings.broken))
        else:
            sequences = list(self._selections()) if selects else []
        session.start_step("looking for tests that break others", len(sequences))
        self._run(map(session.request, sequences))
        explained = self._explain()
        self._try_untried(reorders=reorders)
        if reorders and self._costs.affords_all_pairs:
            self._try_neighbours()
        elif reorders:
            self._search_beyond_known()
        return self._explain() and explained

    def _run(self, requests: Iterable[OrderRequest]) -> None:
        """Runs the orders and records broken tests."""
        record_broken_tests(self._session, self._session.runs(list(requests)))

    def _reorderings(self, *, is_clean: bool) -> Iterator[list[int]]:
        """For a large suite without any finding so far, only what it takes to run every pair once."""
        tests, size = self._tests, len(self._tests)
        closure = self._session.findings.closure
        yield orders.respecting_needs(reversed(tests), closure)
        if self._costs.affords_all_pairs:
            for order in orders.tuscan(size):
                yield orders.respecting_needs((tests[place] for place in order), closure)
            return
        if is_clean and not self._session.findings.clauses and self._costs.group_size > 1:
            return
        # A polluter may meet its victim here without the cleaner that hides it: once in three orders if all orders are
        # equally likely, once in six if the cleaner needs the polluter, and once in two if needed tests come first.
        chance = random.Random(self._seed)
        mixed = [tests[place] for place in orders.shuffled(size, [self._file_of[test] for test in tests], chance)]
        if (count := self._random_orders) > 1:
            yield orders.respecting_needs(mixed, closure)
            for number in range(count - 1):
                yield conflict_free_order(self._session.findings, tests, chance, needed_first=bool(number % 2))
            return
        # Whole orders would take too long: run one, cut into as many parts as there are workers.
        part = -(-size // self._costs.price.workers)
        for start in range(0, size, part):
            yield orders.respecting_needs(mixed[start : start + part], closure)

    @property
    def _random_orders(self) -> int:
        """As many as are worth a minute, or a share of the tests requested so far. Requested, not executed: the latter
        depends on the journal."""
        requests = sum(len(run.order) for run in self._session.known.values())
        share = int(requests * _SHARE_FOR_RANDOM_ORDERS / len(self._tests))
        return max(self._costs.random_orders, min(MAX_RANDOM_ORDERS, share))

    def _selections(self) -> Iterator[list[int]]:
        """Keeps the reference order: tests are only left out. If a clean state is expensive, the halves of the suite by
        each binary digit of the position; else a random half and then the other."""
        findings = self._session.findings
        tests = self._tests
        if self._costs.is_clean_state_expensive:
            for half in orders.halving(len(tests)):
                yield findings.closure_of(tests[place] for place in half)
            return
        chance = random.Random(self._seed)
        for _ in range(_SELECTIONS):
            kept = {test for test in tests if chance.random() < 0.5}
            yield findings.closure_of(kept)
            yield findings.closure_of(test for test in tests if test not in kept)

    def _try_untried(self, *, reorders: bool) -> None:
        """Tries untried pairs: first by random orders, each of which shows many, as long as that pays; then the rest,
        test by test."""
        session = self._session
        chance = random.Random(self._seed + 1)
        left = session.pairs_left()
        while reorders and left > len(session.suite):
            sequences = []
            for _ in range(session.price.workers):
                sequence = list(self._tests)
                chance.shuffle(sequence)
                sequences.append(orders.respecting_needs(sequence, session.findings.closure))
            self._run(map(session.request, sequences))
            before, left = left, session.pairs_left()
            if left > before * _WORTHWHILE:
                break
        self._run(filter(None, map(session.after_untried, range(len(session.suite)))))

    def _search_beyond_known(self) -> None:
        """If polluters are known: runs orders in which they break no test, until a batch shows nothing new."""
        session = self._session
        chance = random.Random(self._seed + 2)
        for _ in range(_MAX_CONFLICT_FREE_BATCHES):
            if not self._explain() or not session.findings.pollutions:
                return
            count = self._random_orders
            sequences = [
                conflict_free_order(session.findings, self._tests, chance, needed_first=bool(number % 2))
                for number in range(count)
            ]
            session.start_step("looking for more tests that break others", count)
            self._run(map(session.request, sequences))
            if not self.unexplained():
                return

    def _try_neighbours(self) -> None:
        """Tries every test directly after every other, for pairs that the orders so far did not show side by side
        because one of the two failed or another test had to run in between. Long orders first, as long as they pay."""
        session = self._session
        missing = self._never_adjacent()
        while sum(map(len, missing)) > len(session.suite):
            before = sum(map(len, missing))
            sequences = [self._walk(missing) for _ in range(_WALKS)]
            session.start_step("trying every test right after every other", before)
            self._run(map(session.request, sequences))
            missing = self._never_adjacent()
            if sum(map(len, missing)) > before * _WORTHWHILE:
                break
        requests = [
            session.directly_after(first, test) for first, tests in enumerate(missing) for test in sorted(tests)
        ]
        session.start_step("trying every test right after every other", len(requests))
        self._run(requests)

    def _never_adjacent(self) -> list[set[int]]:
        """For each test, the tests that never behaved as expected directly after it, and might."""
        session, findings = self._session, self._session.findings
        missing: list[set[int]] = [set() for _ in session.suite.tests]
        for test in range(len(session.suite)):
            if test in findings.flaky or findings.expected[test].is_bad:
                continue
            out = {*findings.closure(test), *session.polluters_of(test), *findings.unrunnable_without({test})}
            for other, tests in enumerate(missing):
                if (
                    other not in out
                    and not session.pairs.directly_after[test] >> other & 1
                    and session.may_affect(test, other)
                ):
                    tests.add(test)
        return missing

    def _walk(self, missing: list[set[int]]) -> list[int]:
        """An order of all tests that respects their needs and continues with a test that is still missing directly
        after the previous one, if possible. Removes from `missing` what it shows."""
        findings = self._session.findings
        left = list(self._tests)
        order: list[int] = []
        placed: set[int] = set()
        while left:
            ready = [test for test in left if findings.has_needs(test, placed)] or left
            expected = missing[order[-1]] if order else set[int]()
            following = next((test for test in ready if test in expected), None)
            if following is None:
                following = max(ready, key=lambda test: (len(missing[test]), -test))
            expected.discard(following)
            left.remove(following)
            placed.add(following)
            order.append(following)
        return order

    def _explain(self) -> bool:
        for _ in range(_MAX_ROUNDS):
            evidence = self.unexplained()
            if not evidence:
                return True
            evidence = self._passing_alone(evidence)
            find_polluters(self._session, evidence, one_by_one=self._costs.affords_all_pairs)
        return not self.unexplained()

    def unexplained(self) -> dict[int, tuple[int, ...]]:
        """For each victim the shortest sequence that nothing accounts for, without tests that need more."""
        return self._session.findings.unexplained(self.needs_more)

    def _passing_alone(self, evidence: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """A test that fails with its known needs, and nothing else, is no victim: it needs more."""
        self.needs_more |= self._session.failing_closures(evidence)
        return {victim: before for victim, before in evidence.items() if victim not in self.needs_more}
