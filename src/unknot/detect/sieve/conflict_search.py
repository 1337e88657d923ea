"""Orders in which polluters meet their victims, and the search for who broke whom."""

import random
from collections.abc import Iterable, Iterator, Sequence

from unknot.detect.engine import orders
from unknot.detect.engine.effort import MOST_ORDERS_AT_RANDOM, Effort
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.conflict_causes import find_culprits, unexplained
from unknot.detect.sieve.conflict_free_orders import peaceful
from unknot.detect.sieve.isolation import Seen, deviations
from unknot.model.bits import positions
from unknot.model.run import OrderRequest

_MOST_ROUNDS = 8
"""Each round explains at least one sight of a broken test; a suite that needs more is marked incomplete."""

_SELECTIONS = 2
_WALKS = 8

_MOST_PEACEFUL_BATCHES = 3

_SHARE_FOR_CHANCE = 0.15
"""Whoever has asked for much may ask for so much more at random."""

_WORTHWHILE = 0.8
"""Orders at random go on as long as a batch leaves less than this share of the untried pairs."""


class Contest:
    """Finds pollutions. Every order respects the needs found so far, so that whoever fails is polluted, or needs more
    than is known; the second is told by running its closure alone. `tests` are those that are to meet."""

    def __init__(
        self, session: SearchSession, effort: Effort, file_of: Sequence[str], seed: int, tests: Sequence[int]
    ) -> None:
        self._session = session
        self._tests = tests
        self._effort = effort
        self._file_of = file_of
        self._seed = seed
        self.needs_more: set[int] = set()

    def run(self, seen: Seen, *, reorders: bool, selects: bool) -> bool:
        """Whether everything seen was explained in the end. Where the reference order is kept, orders that only leave
        tests out are run if `selects`."""
        session = self._session
        self.needs_more.clear()
        if reorders:
            sequences = list(self._reorderings(is_clean=not seen.broken))
        else:
            sequences = list(self._selections()) if selects else []
        session.start_step("looking for tests that break others", len(sequences))
        self._watch(map(session.request, sequences), seen)
        explained = self._explain(seen)
        self._try_untried(seen, reorders=reorders)
        if reorders and self._effort.affords_all_pairs:
            self._try_neighbours(seen)
        elif reorders:
            self._look_behind_known(seen)
        return self._explain(seen) and explained

    def _watch(self, requests: Iterable[OrderRequest], seen: Seen) -> None:
        """Asks, and notes whoever is broken."""
        for run in self._session.runs(list(requests)):
            deviations(self._session, run, seen)

    def _reorderings(self, *, is_clean: bool) -> Iterator[list[int]]:
        """What is asked of a large suite that has shown nothing so far is what it takes to see every pair once."""
        tests, size = self._tests, len(self._tests)
        closure = self._session.findings.closure
        yield orders.respecting(reversed(tests), closure)
        if self._effort.affords_all_pairs:
            for order in orders.tuscan(size):
                yield orders.respecting((tests[place] for place in order), closure)
            return
        if is_clean and not self._session.findings.clauses and self._effort.group_size > 1:
            return
        # A polluter may meet its victim here without the cleaner that hides it: one time in three if any order is as
        # likely, in six if the cleaner needs the polluter, and in two of those in which needed tests come first.
        chance = random.Random(self._seed)
        mixed = [tests[place] for place in orders.shuffled(size, [self._file_of[test] for test in tests], chance)]
        if (count := self._orders_at_random) > 1:
            yield orders.respecting(mixed, closure)
            for number in range(count - 1):
                yield peaceful(self._session.findings, tests, chance, needed_first=bool(number % 2))
            return
        # Whole ones would take too long: one, cut into as many parts as there are workers.
        part = -(-size // self._effort.price.workers)
        for start in range(0, size, part):
            yield orders.respecting(mixed[start : start + part], closure)

    @property
    def _orders_at_random(self) -> int:
        """As many as are worth a minute, or a share of what was asked so far. By what was asked, not by what was
        executed for it: that depends on what the journal has."""
        asked = sum(len(run.order) for run in self._session.known.values())
        share = int(asked * _SHARE_FOR_CHANCE / len(self._tests))
        return max(self._effort.orders_at_random, min(MOST_ORDERS_AT_RANDOM, share))

    def _selections(self) -> Iterator[list[int]]:
        """Reference order throughout: tests are only left out. Where a clean state is dear, the halves of the suite by
        each binary digit of the position; else a random half and then the other."""
        findings = self._session.findings
        tests = self._tests
        if self._effort.is_clean_state_dear:
            for half in orders.halving(len(tests)):
                yield findings.closed(tests[place] for place in half)
            return
        chance = random.Random(self._seed)
        for _ in range(_SELECTIONS):
            kept = {test for test in tests if chance.random() < 0.5}
            yield findings.closed(kept)
            yield findings.closed(test for test in tests if test not in kept)

    def _try_untried(self, seen: Seen, *, reorders: bool) -> None:
        """Pairs that no order has shown yet: first by orders at random, each of which shows many, as long as that
        pays; then, test by test, what is left."""
        session = self._session
        chance = random.Random(self._seed + 1)
        left = session.pairs_left()
        while reorders and left > len(session.suite):
            sequences = []
            for _ in range(session.price.workers):
                sequence = list(self._tests)
                chance.shuffle(sequence)
                sequences.append(orders.respecting(sequence, session.findings.closure))
            self._watch(map(session.request, sequences), seen)
            before, left = left, session.pairs_left()
            if left > before * _WORTHWHILE:
                break
        requests = (self._with_all_untried(test) for test in range(len(session.suite)))
        self._watch(filter(None, requests), seen)

    def _look_behind_known(self, seen: Seen) -> None:
        """Where polluters are known, orders in which they disturb nobody, until a batch shows nothing new."""
        session = self._session
        chance = random.Random(self._seed + 2)
        for _ in range(_MOST_PEACEFUL_BATCHES):
            if not self._explain(seen) or not session.findings.pollutions:
                return
            count = self._orders_at_random
            sequences = [
                peaceful(session.findings, self._tests, chance, needed_first=bool(number % 2))
                for number in range(count)
            ]
            session.start_step("looking for tests that break others, behind those that are known", count)
            self._watch(map(session.request, sequences), seen)
            if not self.unexplained(seen):
                return

    def _try_neighbours(self, seen: Seen) -> None:
        """Every test right after every other, for those pairs that the orders so far did not show side by side: one
        of the two failed there, or something had to run in between. Long orders first, as long as they pay."""
        session = self._session
        missing = self._not_side_by_side()
        while sum(map(len, missing)) > len(session.suite):
            before = sum(map(len, missing))
            sequences = [self._walk(missing) for _ in range(_WALKS)]
            session.start_step("trying every test right after every other", before)
            self._watch(map(session.request, sequences), seen)
            missing = self._not_side_by_side()
            if sum(map(len, missing)) > before * _WORTHWHILE:
                break
        asked = [self._side_by_side(test, other) for other, tests in enumerate(missing) for test in sorted(tests)]
        session.start_step("trying every test right after every other", len(asked))
        self._watch(asked, seen)

    def _not_side_by_side(self) -> list[set[int]]:
        """For each test, those that were never seen to do as wanted right after it, and might."""
        session, findings = self._session, self._session.findings
        missing: list[set[int]] = [set() for _ in session.suite.tests]
        for test in range(len(session.suite)):
            if test in findings.flaky or findings.wanted[test].is_bad:
                continue
            out = {*findings.closure(test), *session.polluters_of(test), *findings.stranded({test})}
            for other, tests in enumerate(missing):
                if (
                    other not in out
                    and not session.pairs.right_after[test] >> other & 1
                    and session.suspects(test, other)
                ):
                    tests.add(test)
        return missing

    def _walk(self, missing: list[set[int]]) -> list[int]:
        """An order of all tests that respects their needs and goes from a test to one still missing right after it
        wherever it can. Takes from `missing` what it shows."""
        findings = self._session.findings
        left = list(self._tests)
        order: list[int] = []
        placed: set[int] = set()
        while left:
            ready = [test for test in left if findings.has_needs(test, placed)] or left
            wanted = missing[order[-1]] if order else set[int]()
            following = next((test for test in ready if test in wanted), None)
            if following is None:
                following = max(ready, key=lambda test: (len(missing[test]), -test))
            wanted.discard(following)
            left.remove(following)
            placed.add(following)
            order.append(following)
        return order

    def _side_by_side(self, test: int, other: int) -> OrderRequest:
        findings = self._session.findings
        needed = [*findings.closure(other)[:-1], *findings.closure(test)[:-1]]
        company = findings.closed(needed, frozenset({test}))
        return self._session.request([*(member for member in company if member not in (test, other)), other, test])

    def _with_all_untried(self, test: int) -> OrderRequest | None:
        session = self._session
        untried = session.untried(test)
        if not untried:
            return None
        lost = session.findings.stranded({test, *session.polluters_of(test)})
        left = [other for other in positions(untried) if other not in lost]
        if not left:
            return None
        return session.after([*left, *session.findings.closure(test)[:-1]], test)

    def _explain(self, seen: Seen) -> bool:
        for _ in range(_MOST_ROUNDS):
            evidence = self.unexplained(seen)
            if not evidence:
                return True
            evidence = self._that_pass_by_themselves(evidence)
            find_culprits(self._session, seen, evidence, one_by_one=self._effort.affords_all_pairs)
        return not self.unexplained(seen)

    def unexplained(self, seen: Seen) -> dict[int, tuple[int, ...]]:
        """For each victim the shortest sequence that nothing accounts for; not of those that need more."""
        return unexplained(self._session, seen, self.needs_more)

    def _that_pass_by_themselves(self, evidence: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """A test that fails with all it is known to need, and nothing else, is no victim: it needs more."""
        self.needs_more |= self._session.failing_closures(evidence)
        return {victim: before for victim, before in evidence.items() if victim not in self.needs_more}
