"""Dependencies for other sets of tests than the recorded suite: a part of it, or the suite as it is now."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.errors import UsageError
from unknot.model.suite import Order, Suite, TestId


def close_tests(
    dependencies: Dependencies,
    tests: Iterable[TestId],
    among: Iterable[TestId] | None = None,
    *,
    prefer_first: bool = False,
) -> Order:
    """These tests and what must run with them, in reference order: each then behaves as in the whole suite.

    Added are: for each need, a test that meets it, unless one is present; for each conflict whose polluters are
    present, a cleaner between them and the victim. Of several, the cheapest test without dependencies of its own is
    preferred, so the result is small but not minimal; with `prefer_first` it is the first in reference order, as in
    `Dependencies.closure`. If no such test is known, only the reference order is known to be
    safe, and all earlier tests are added. If `among` is given, only those tests are added; what is missing then is
    left out, and `restrict` reports it.

    Assumes that the dependencies hold for every subsequence of the reference order; tests that are not in the suite are
    ignored. While dependencies are incomplete, a part that is not a prefix of the reference order may still break.
    Cost: linear in the clauses and conflicts of the tests, times the rounds in which conflicts add tests.
    """
    part = _Part(dependencies, _places(dependencies, tests), prefer_first=prefer_first)
    part.close(range(len(dependencies.suite)) if among is None else _places(dependencies, among))
    return dependencies.suite.order(sorted(part.members))


def restrict(dependencies: Dependencies, tests: Iterable[TestId]) -> Dependencies:
    """The dependencies of a part of the suite, as if there were no other tests: any maker can plan with them.

    Raises UsageError, which names what is missing, unless the part is closed: its own reference order must be safe,
    because makers and the check assume it. Tests that are not in the suite are ignored.
    """
    part = _Part(dependencies, _places(dependencies, tests))
    for fault in part.faults():
        raise UsageError(fault, hint="Add it, or leave both out.", slug="selection-incomplete")
    return dependencies.among(dependencies.suite.order(sorted(part.members)))


def _places(dependencies: Dependencies, tests: Iterable[TestId]) -> set[int]:
    return {dependencies.suite.index[test] for test in tests if test in dependencies.suite.index}


class _Part:
    """Positions in the reference order. A test that ends its process can neither meet a need nor clean."""

    def __init__(self, dependencies: Dependencies, members: set[int], *, prefer_first: bool = False) -> None:
        self._dependencies = dependencies
        self._tests = dependencies.suite.tests
        self._index = dependencies.suite.index
        self._lives = [not dependencies.outcomes[test].ends_process for test in self._tests]
        self._prefer_first = prefer_first
        self.members = members

    def close(self, usable: Container[int]) -> None:
        fresh = sorted(self.members)
        while fresh:
            self._meet_needs(fresh, usable)
            fresh = self._add(self._cleaners_wanted(usable), usable)

    def faults(self) -> Iterator[str]:
        """Why the part is not closed, in reference order. Where its start is a prefix of the whole suite, everything is
        as recorded."""
        as_seen = next((place for place, lives in enumerate(self._lives) if lives and place not in self.members), None)
        if as_seen is None:
            return
        for place in sorted(place for place in self.members if place > as_seen):
            for need in self._needs(place):
                if self.members.isdisjoint(self._before(need.any_of, place)):
                    wanted = " or ".join(need.any_of)
                    yield f"{self._tests[place]} needs {wanted}, which is not among the tests to run"
            for conflict, cleaners in self._struck(place):
                polluters = " and ".join(conflict.polluters)
                wanted = " or ".join(self._tests[cleaner] for cleaner in cleaners) or "all that runs before it"
                yield (
                    f"{self._tests[place]} breaks after {polluters} without {wanted} in between,"
                    " which is not among the tests to run"
                )

    def _meet_needs(self, fresh: list[int], usable: Container[int]) -> None:
        """Needs without a choice first: they may meet the wider clauses."""
        waiting = fresh
        undecided: list[tuple[int, list[int]]] = []
        while waiting or undecided:
            while waiting:
                place = waiting.pop()
                for need in self._needs(place):
                    options = self._before(need.any_of, place)
                    there = [option for option in options if option in usable]
                    if not options:
                        waiting += self._add(self._all_before(place), usable)
                    elif len(there) > 1:
                        undecided.append((place, there))
                    else:
                        waiting += self._add(there, usable)
            undecided = [(place, options) for place, options in undecided if self.members.isdisjoint(options)]
            if undecided:
                _, options = max(undecided)
                waiting += self._add([min(options, key=self._price)], usable)

    def _cleaners_wanted(self, usable: Container[int]) -> list[int]:
        wanted: set[int] = set()
        for place in sorted(self.members):
            for _, cleaners in self._struck(place):
                there = [cleaner for cleaner in cleaners if cleaner in usable]
                if not cleaners:
                    wanted.update(self._all_before(place))
                elif there and wanted.isdisjoint(there):
                    wanted.add(min(there, key=self._price))
        return sorted(wanted)

    def _struck(self, place: int) -> Iterator[tuple[Conflict, list[int]]]:
        """Conflicts that would strike this member, with the cleaners that could prevent them."""
        if self._dependencies.outcomes[self._tests[place]].is_bad:
            return
        for conflict in self._dependencies.conflicts_of.get(self._tests[place], ()):
            polluters = self._before(conflict.polluters, place)
            if not polluters or len(polluters) < len(conflict.polluters) or not self.members.issuperset(polluters):
                continue
            cleaners = [cleaner for cleaner in self._before(conflict.cleaners, place) if cleaner > polluters[-1]]
            if self.members.isdisjoint(cleaners) and not self.members.issuperset(self._all_before(place)):
                yield conflict, cleaners

    def _needs(self, place: int) -> tuple[Need, ...]:
        return self._dependencies.needs_of.get(self._tests[place], ())

    def _before(self, tests: Order, place: int) -> list[int]:
        places = (self._index[test] for test in tests if test in self._index)
        return sorted(other for other in places if other < place and self._lives[other])

    def _price(self, place: int) -> tuple[bool, bool, float, int]:
        test = self._tests[place]
        if self._prefer_first:
            return False, False, 0.0, place
        return (
            self._dependencies.outcomes[test].is_bad,
            test in self._dependencies.needs_of or test in self._dependencies.conflicts_of,
            self._dependencies.seconds.get(test, 0.0),
            place,
        )

    def _all_before(self, place: int) -> list[int]:
        return [other for other in range(place) if self._lives[other]]

    def _add(self, places: Iterable[int], usable: Container[int]) -> list[int]:
        added = [place for place in places if place not in self.members and place in usable]
        self.members.update(added)
        return added


@dataclass(frozen=True)
class MatchedSuite:
    """Recorded dependencies matched to the present suite: tests are added and deleted after a detection.

    `dependencies` are those of the tests that can be planned, in the present order of the suite. All its other tests
    are `unknown`, in its order: new tests, which were never analysed, and `orphaned` ones, whose prerequisites are no
    longer in the suite. `gone` are tests that only the dependencies name.
    """

    dependencies: Dependencies
    unknown: Order
    orphaned: Order
    gone: Order

    @property
    def new(self) -> Order:
        return tuple(test for test in self.unknown if test not in self.orphaned)


def match_suite(dependencies: Dependencies, suite: Suite) -> MatchedSuite:
    """Guarantee: every test of the suite is either planned or unknown, and each need of a planned test has a planned
    alternative. A conflict keeps all its polluters; it may lose cleaners, and its victim is then separated. Cost:
    linear in the dependencies, times the length of the longest chain of orphaned tests."""
    there = {test for test in suite.tests if test in dependencies.suite.index}
    orphaned: set[TestId] = set()
    while lost := {need.dependent for need in dependencies.needs if _is_lost(need, there)}:
        orphaned |= lost
        there -= lost
    return MatchedSuite(
        dependencies=dependencies.among(tuple(test for test in suite.tests if test in there)),
        unknown=tuple(test for test in suite.tests if test not in there),
        orphaned=tuple(test for test in suite.tests if test in orphaned),
        gone=tuple(test for test in dependencies.suite.tests if test not in suite.index),
    )


def _is_lost(need: Need, there: set[TestId]) -> bool:
    return need.dependent in there and there.isdisjoint(need.any_of)
