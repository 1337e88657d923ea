"""Conflict search: runs orders in which polluters meet their victims, and finds which test broke which."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from unknot.detect.engine import orders
from unknot.detect.engine.conflict_free_orders import conflict_free_order
from unknot.detect.engine.cost import MAX_RANDOM_ORDERS, CostModel
from unknot.detect.engine.findings import Positions
from unknot.detect.engine.isolation import record_broken_tests
from unknot.detect.engine.polluters import find_first_polluters, find_other_polluters, find_polluters
from unknot.detect.engine.session import SearchSession, is_claimable
from unknot.hints.recording import transposed
from unknot.model.bits import bits, positions
from unknot.model.run import OrderRequest

_MAX_ROUNDS = 8
"""Each round explains at least one failure of a broken test; a suite that needs more rounds is marked incomplete."""

_SELECTIONS = 2
_WALKS = 8

_FEW_WRITERS = 12

_FORESEEN_ORDERS = 2
"""Random orders if the recording foresaw all that was found."""

_SHARE_FOR_RANDOM_ORDERS = 0.15
"""Random orders may take this share of the tests run so far."""

_FEW_UNTRIED = 4
"""So many untried pairs for each test are tried test by test, in short orders, rather than by random orders."""

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
        self.on_first: Callable[[], None] = lambda: None
        """Called when one polluter is known for each victim so far."""
        self.expected_later: Callable[[], Sequence[OrderRequest]] = lambda: ()
        """Long orders that the detection will need: workers that random orders leave idle run them."""
        self.needs_more: set[int] = set()
        self._open: set[int] = set()
        """Victims for which other polluters and cleaners are still to be searched."""

    def run(self, *, reorders: bool, selects: bool) -> bool:
        """Returns whether every failure was explained in the end. If the reference order is kept, orders that only
        leave tests out are run if `selects`."""
        session = self._session
        self.needs_more.clear()
        every_pair = reorders and session.is_small
        if not reorders:
            sequences: list[Sequence[int]] = list(self._selections()) if selects else []
        elif self._is_foreseen() and not every_pair:
            # Run before. What is new now is what was recorded.
            sequences = [self._tests[::-1]]
        else:
            sequences = [orders.respecting_needs(reversed(self._tests), session.findings.closure)]
        if every_pair:
            squares = [[self._tests[place] for place in order] for order in orders.tuscan(len(self._tests))]
            sequences += [orders.respecting_needs(order, session.findings.closure) for order in squares]
        session.start_step("looking for tests that break others", len(sequences))
        self._run(map(session.request, sequences))
        if not every_pair and not self._costs.is_clean_state_expensive:
            self._try_directly(self._recorded_pairs())
            if reorders:
                self._run(self._after_all_writers())
        self._explain()
        if reorders and not every_pair:
            self._reorder()
        self._try_untried(reorders=reorders)
        if every_pair:
            self._explain()
            self._try_neighbours(self._never_adjacent())
        self._recall_broken_tests()
        return self._explain_completely()

    def _run(self, requests: Iterable[OrderRequest]) -> None:
        """Runs the orders and records broken tests."""
        record_broken_tests(self._session, self._session.runs(list(requests)))

    def _recall_broken_tests(self) -> None:
        """Records tests that were broken in any run, also in those that looked for what tests need, by tests that
        passed themselves."""
        findings = self._session.findings
        seen: defaultdict[int, list[Positions]] = defaultdict(list)
        record_broken_tests(self._session, list(self._session.known.values()), seen)
        for victim, sequences in seen.items():
            findings.broken[victim] += [before for before in sequences if not findings.failed[victim, before]]

    def _reorder(self) -> None:
        """Random orders, in which a polluter may meet its victim without the cleaner that hides it: see
        `orders.of_blocks`. Every failure is explained before the next batch, in which known polluters come after their
        victims. None for a large suite without any finding so far."""
        session, findings = self._session, self._session.findings
        if not (findings.broken or findings.clauses) and self._costs.group_size > 1:
            return
        chance = random.Random(self._seed)
        size = len(self._tests)
        if self._random_orders == 1:
            # Whole orders would take too long: run one, cut into as many parts as there are workers.
            files = [self._file_of[test] for test in self._tests]
            mixed = [self._tests[place] for place in orders.shuffled(size, files, chance)]
            part = -(-size // self._costs.price.workers)
            pieces = [mixed[start : start + part] for start in range(0, size, part)]
            self._run(session.request(orders.respecting_needs(piece, findings.closure)) for piece in pieces)
            self._explain()
            return
        waiting = [
            [self._tests[place] for place in order] for order in orders.of_blocks(size, MAX_RANDOM_ORDERS, chance)
        ]
        done = 0
        while waiting and done < self._random_orders:
            count = min(max(2, self._costs.price.workers), self._random_orders - done)
            now, waiting = waiting[:count], waiting[count:]
            session.start_step("looking for more tests that break others", len(now))
            # A test that undoes the work of another mostly needs it, and hides that the other breaks something: needed
            # tests come first in every second order.
            needed = {option for clauses in findings.clauses.values() for clause in clauses for option in clause.any_of}
            for order in now[1 - done % 2 :: 2]:
                order.sort(key=lambda test: test not in needed)
            requests = [session.request(conflict_free_order(findings, order)) for order in now]
            idle = 0 if done else max(0, self._costs.price.workers - len(now))
            session.run_orders([*requests, *self.expected_later()[:idle]])
            self._run(requests)
            done += len(now)
            if not self._explain():
                return

    @property
    def _random_orders(self) -> int:
        """As many as are worth a minute, or a share of the tests requested so far; fewer if the recording foresaw what
        was found. Requested, not executed: the latter depends on the journal."""
        requests = sum(len(run.order) for run in self._session.known.values())
        share = int(requests * _SHARE_FOR_RANDOM_ORDERS / len(self._tests))
        most = max(self._costs.random_orders, min(MAX_RANDOM_ORDERS, share))
        return min(most, _FORESEEN_ORDERS) if self._is_foreseen() else most

    def _is_foreseen(self) -> bool:
        """Whether the suite was recorded, and everything found so far is between tests that share state by it. Does not
        matter if a clean state is too expensive to try all that was recorded."""
        flows, findings = self._session.flows, self._session.findings
        if self._costs.is_clean_state_expensive:
            return False
        needs = [(test, clause.any_of) for test, clauses in findings.clauses.items() for clause in clauses]
        return (
            self._session.is_recorded
            and all(any(flows.related(test) >> option & 1 for option in options) for test, options in needs)
            and all(
                flows.related(known.victim) >> polluter & 1
                for known in findings.pollutions
                for polluter in known.polluters
            )
        )

    def _recorded_pairs(self) -> list[set[int]]:
        """For each test, the tests that read what it writes, by the recording, and were never shown to behave as
        expected after it with no other writer in between. As far as affordable; readers without needs first, for which
        there is no other reason to read it, and readers of few writers; none of which most others write something it
        reads. If no dependency was found so far, nearly all flows are caches, and only few are tried of what no test
        restores."""
        session, flows = self._session, self._session.flows
        chosen: list[set[int]] = [set() for _ in session.suite.tests]
        if not any(flows.may_be_broken_by):
            return chosen
        cleared = self._last_writers()
        needs = session.findings.clauses
        readers = sorted(self._tests, key=lambda test: (test in needs, flows.may_be_broken_by[test].bit_count(), test))
        affordable = {flag: self._costs.recorded_pairs(is_suspicious=flag) for flag in (True, False)}
        for reader in readers:
            flag = self._is_suspicious(reader)
            if not affordable[flag]:
                continue
            writers = flows.may_be_broken_by[reader] & session.candidates(reader)
            if 2 * writers.bit_count() > session.candidates(reader).bit_count() and not self._costs.thorough:
                continue
            left = writers & ~cleared[reader] & session.never_directly_after(reader)
            for writer in islice(positions(left), affordable[flag]):
                chosen[writer].add(reader)
                affordable[flag] -= 1
        return chosen

    def _is_suspicious(self, reader: int) -> bool:
        """Whether what this test reads may matter: the suite has shown dependencies, or others restore it."""
        session = self._session
        return bool(session.findings.clauses or session.findings.pollutions) or session.flows.is_cleaned(reader)

    def _after_all_writers(self) -> Iterator[OrderRequest]:
        """Tests after all that write what they read, by the recording, if these are few: they may break it only
        together."""
        session, findings = self._session, self._session.findings
        for test in filter(self._is_suspicious, self._tests):
            out = bits({test} | findings.unrunnable_without({test}) | session.polluters_of(test))
            writers = list(positions(session.flows.may_be_broken_by[test] & ~out))
            if 2 <= len(writers) <= _FEW_WRITERS and test not in findings.clauses and is_claimable(session, test):
                yield session.after(writers, test)

    def _last_writers(self) -> list[int]:
        """For each test, as a bitset, the tests that were in some run the last of those related to it before it, which
        then behaved as expected."""
        session, flows = self._session, self._session.flows
        found = [0] * len(session.suite)
        for run in session.known.values():
            before: list[int] = []
            for test, outcome in session.outcomes(run):
                if outcome is not session.findings.expected[test]:
                    continue
                related = flows.related(test)
                if related:
                    last = next((other for other in reversed(before) if related >> other & 1), None)
                    found[test] |= 0 if last is None else 1 << last
                before.append(test)
        return found

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
        while reorders and left > _FEW_UNTRIED * len(session.suite):
            sequences = [
                conflict_free_order(session.findings, chance.sample(self._tests, len(self._tests)))
                for _ in range(session.price.workers)
            ]
            self._run(map(session.request, sequences))
            before, left = left, session.pairs_left()
            if left > before * _WORTHWHILE:
                break
        self._run(filter(None, map(session.after_untried, range(len(session.suite)))))

    def _try_neighbours(self, missing: list[set[int]]) -> None:
        """Tries these tests directly after each other, for pairs that the orders so far did not show side by side
        because one of the two failed or another test had to run in between. Long orders first, as long as they pay."""
        session = self._session
        left = sum(map(len, missing))
        chance = random.Random(self._seed)
        while left > len(session.suite):
            before = left
            wanted = [set(tests) for tests in missing]
            sequences = [self._walk(wanted, chance) for _ in range(_WALKS)]
            session.start_step("trying tests right after each other", before)
            self._run(map(session.request, sequences))
            still = self._never_adjacent()
            missing = [tests & still[first] for first, tests in enumerate(missing)]
            left = sum(map(len, missing))
            if left > before * _WORTHWHILE:
                break
        self._try_directly(missing)

    def _try_directly(self, missing: list[set[int]]) -> None:
        """Each by itself; in reference order as many as possible in one order first."""
        session = self._session
        pairs = [(first, test) for first, tests in enumerate(missing) for test in sorted(tests)]
        if pairs and not session.reorders:
            session.start_step("trying tests right after each other", len(pairs))
            companies = [[session.suite.index[test] for test in session.directly_after(*pair).order] for pair in pairs]
            together = orders.keeping_ends_adjacent(company for company in companies if company == sorted(company))
            self._run(map(session.request, together))
            kept = zip(pairs, companies, strict=True)
            pairs = [
                (first, test)
                for (first, test), company in kept
                if company == sorted(company) and session.never_directly_after(test) >> first & 1
            ]
        if pairs:
            session.start_step("trying tests right after each other", len(pairs))
            self._run(session.directly_after(*pair) for pair in pairs)

    def _never_adjacent(self) -> list[set[int]]:
        """For each test, the tests that never behaved as expected directly after it, and might."""
        tests = range(len(self._session.suite))
        return [set(positions(row)) for row in transposed([self._session.never_directly_after(test) for test in tests])]

    def _walk(self, missing: list[set[int]], chance: random.Random) -> list[int]:
        """A random order of all tests that respects their needs and continues with a test that is still missing
        directly after the previous one, if possible. Removes from `missing` what it shows."""
        findings = self._session.findings
        left = chance.sample(self._tests, len(self._tests))
        order: list[int] = []
        placed: set[int] = set()
        while left:
            ready = [test for test in left if findings.has_needs(test, placed)] or left
            expected = missing[order[-1]] if order else set[int]()
            following = next((test for test in ready if test in expected), None)
            if following is None:
                following = max(ready, key=lambda test: len(missing[test]))
            expected.discard(following)
            left.remove(following)
            placed.add(following)
            order.append(following)
        return order

    def _explain(self) -> bool:
        """Finds polluters for all failures; returns whether all are explained then."""
        every_pair = self._session.is_small
        for _ in range(_MAX_ROUNDS):
            evidence = self.unexplained()
            if not evidence:
                return True
            evidence = self._passing_alone(evidence)
            if every_pair:
                find_polluters(self._session, evidence, one_by_one=True)
            else:
                self._open |= set(find_first_polluters(self._session, evidence, on_first=self.on_first))
        return not self.unexplained()

    def _explain_completely(self) -> bool:
        """The same, with all alternatives and cleaners of what was found."""
        for _ in range(_MAX_ROUNDS):
            explained = self._explain()
            victims, self._open = self._open - self._session.findings.flaky, set()
            if not victims:
                return explained
            find_other_polluters(self._session, victims, one_by_one=False)
        return False

    def unexplained(self) -> dict[int, tuple[int, ...]]:
        """For each victim the shortest sequence that nothing accounts for, without tests that need more."""
        return self._session.findings.unexplained(self.needs_more)

    def _passing_alone(self, evidence: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """A test that fails with its known needs, and nothing else, is no victim: it needs more."""
        self.needs_more |= self._session.failing_closures(evidence)
        return {victim: before for victim, before in evidence.items() if victim not in self.needs_more}
