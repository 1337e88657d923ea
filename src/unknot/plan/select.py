"""Some tests of a suite, with what they need, in one safe order."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from unknot.model.bits import bits, positions
from unknot.model.closure import closure_bits
from unknot.model.dependencies import Conflict, Dependencies
from unknot.model.errors import UnknotError, UsageError
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order, TestId
from unknot.plan.check import ViolationKind, check_plan

_ENDS_PROCESS = (Outcome.CRASHED, Outcome.TIMED_OUT)


@dataclass(frozen=True)
class Selection:
    """`order` is what to run, from one clean state; it holds the `wanted` tests and those `needed` beside them."""

    order: Order
    wanted: Order
    needed: Order


def select_tests(dependencies: Dependencies, wanted: Collection[TestId]) -> Selection:
    """The wanted tests, and as few others as a simple choice finds, so that each wanted test does as it does in the
    reference order.

    - What a test needs comes with it; of several alternatives one that is there anyway, else the first.
    - Where tests that are there would break another one, a test that cleans up in between comes too.
    - Where the dependencies know no such test, or are not complete, everything that stands before comes too: only the
      reference order itself is then known to be safe.
    - The order is the reference order, but that tests which end their process come last.

    Guarantee: `check_plan` finds nothing wrong in the order; a test stands in it once. Assumes that the dependencies
    hold for every subsequence of the reference order. Raises UsageError for a test that is not in the suite. Cost: the
    closures, once more for every conflict that needs a cleaner.
    """
    for test in wanted:
        if test not in dependencies.suite.index:
            raise UsageError(f"there is no test {test}", hint="run `unknot detect` again if it is new")
    order = _Selecting(dependencies, wanted).order()
    _check(order, dependencies)
    chosen = frozenset(wanted)
    asked_for = tuple(test for test in order if test in chosen)
    return Selection(order, asked_for, tuple(test for test in order if test not in chosen))


class _Selecting:
    def __init__(self, dependencies: Dependencies, wanted: Collection[TestId]) -> None:
        tests = dependencies.suite.tests
        self._dependencies = dependencies
        self._place = dependencies.suite.index
        self._wanted = sorted(self._place[test] for test in wanted)
        self._ending = frozenset(
            place for place, test in enumerate(tests) if dependencies.outcomes[test] in _ENDS_PROCESS
        )
        self._clauses = [self._needs(place) for place in range(len(tests))]
        # A test behind all others that needs what is wanted: its closure is the selection's.
        self._clauses.append([[place] for place in self._wanted])

    def order(self) -> Order:
        if self._dependencies.untried or not self._dependencies.complete:
            members = self._beginning(self._wanted[-1]) if self._wanted else 0
        else:
            members = self._closed()
        members |= bits(self._wanted)
        living = [place for place in positions(members) if place not in self._ending]
        return self._dependencies.suite.order([*living, *(place for place in self._wanted if place in self._ending)])

    def _closed(self) -> int:
        """Grows until nobody is broken. Ends, because each round adds a test that was not there."""
        top = len(self._clauses) - 1
        beginning = 0
        while True:
            members = (closure_bits(top, self._met_before) & ~(1 << top)) | beginning
            stuck = [place for place in positions(members) if self._is_stuck(place) and not beginning >> place & 1]
            if stuck:
                beginning |= self._beginning(stuck[-1])
                continue
            struck = [found for place in positions(members & ~beginning) for found in self._struck(place, members)]
            if not struck:
                return members
            for victim, cleaners in struck:
                if cleaners:
                    self._clauses[victim].append(cleaners)
                else:
                    beginning |= self._beginning(victim)

    def _needs(self, place: int) -> list[list[int]]:
        needs = self._dependencies.needs_of.get(self._dependencies.suite.tests[place], ())
        return [self._between(need.any_of, -1, place) for need in needs]

    def _met_before(self, place: int) -> list[list[int]]:
        return [clause for clause in self._clauses[place] if clause]

    def _is_stuck(self, place: int) -> bool:
        """Whether something that it needs is met by nothing that stands before it."""
        return not all(self._clauses[place])

    def _struck(self, victim: int, members: int) -> Iterable[tuple[int, list[int]]]:
        test = self._dependencies.suite.tests[victim]
        if self._dependencies.outcomes[test].is_bad:
            return
        for conflict in self._dependencies.conflicts_of.get(test, ()):
            polluters = self._between(conflict.polluters, -1, victim)
            if not _can_strike(conflict, polluters) or any(not members >> place & 1 for place in polluters):
                continue
            cleaners = self._between(conflict.cleaners, polluters[-1], victim)
            if not any(members >> place & 1 for place in cleaners):
                yield victim, cleaners

    def _between(self, tests: Order, after: int, before: int) -> list[int]:
        places = {self._place[test] for test in tests if test in self._place} - self._ending
        return sorted(place for place in places if after < place < before)

    def _beginning(self, last: int) -> int:
        return bits(place for place in range(last + 1) if place not in self._ending)


def _can_strike(conflict: Conflict, before: list[int]) -> bool:
    """Whether all polluters stand before the victim and leave their process alive."""
    return bool(before) and len(before) == len(set(conflict.polluters))


def _check(order: Order, dependencies: Dependencies) -> None:
    for violation in check_plan(Plan((Lane((order,)),), 0.0), dependencies):
        if violation.kind is not ViolationKind.MISSING_TEST and not _is_last_resort(violation.test, dependencies):
            raise UnknotError(f"the selection is not safe: {violation.message}", hint="please report this as a bug")


def _is_last_resort(test: TestId, dependencies: Dependencies) -> bool:
    """A test that ends its process does so wherever it stands."""
    return dependencies.outcomes[test] in _ENDS_PROCESS
