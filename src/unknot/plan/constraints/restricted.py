"""A part of a suite: what must be in it so that it can run by itself, and what is known of it then."""

from collections.abc import Container, Iterable, Iterator

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId

_ENDS_PROCESS = frozenset({Outcome.CRASHED, Outcome.TIMED_OUT})


def closed(dependencies: Dependencies, tests: Iterable[TestId], among: Iterable[TestId] | None = None) -> Order:
    """These tests and what must run with them, in reference order: run so, each does as it does in the whole suite.

    What is added: for each need one test that meets it, unless one is there; for each conflict whose polluters are
    there, a cleaner that stands between them and the victim. Of several the one is taken that is cheapest with nothing
    else to bring, so that the result is small, not smallest. Where the dependencies know no such test, only the
    reference order is known to be safe, and all that stands before is added. Only tests `among` those given are added,
    if any are given; what would be needed beyond them is left out, and `restricted` will say so.

    Assumes that the dependencies hold for every subsequence of the reference order; tests that are not in the suite are
    passed over. While dependencies are not complete, a part that is no beginning of the reference order may still
    break. Cost: linear in the clauses and conflicts of the tests, times the rounds in which conflicts bring new ones.
    """
    part = _Part(dependencies, _places(dependencies, tests))
    part.close(range(len(dependencies.suite)) if among is None else _places(dependencies, among))
    return dependencies.suite.order(sorted(part.members))


def restricted(dependencies: Dependencies, tests: Iterable[TestId]) -> Dependencies:
    """What is known of a part of the suite, as if there were no other tests: any maker can plan with it.

    Raises UsageError, which names what is missing, unless the part is closed: its own reference order must be safe,
    since makers and the check take that as given. Tests that are not in the suite are passed over.
    """
    part = _Part(dependencies, _places(dependencies, tests))
    for fault in part.faults():
        raise UsageError(fault, hint="add it, or leave both out")
    return dependencies.among(dependencies.suite.order(sorted(part.members)))


def _places(dependencies: Dependencies, tests: Iterable[TestId]) -> set[int]:
    return {dependencies.suite.index[test] for test in tests if test in dependencies.suite.index}


class _Part:
    """Positions in the reference order. A test that ends its process can neither meet a need nor clean."""

    def __init__(self, dependencies: Dependencies, members: set[int]) -> None:
        self._dependencies = dependencies
        self._tests = dependencies.suite.tests
        self._index = dependencies.suite.index
        self._lives = [dependencies.outcomes[test] not in _ENDS_PROCESS for test in self._tests]
        self.members = members

    def close(self, usable: Container[int]) -> None:
        fresh = sorted(self.members)
        while fresh:
            self._meet_needs(fresh, usable)
            fresh = self._add(self._cleaners_wanted(usable), usable)

    def faults(self) -> Iterator[str]:
        """Why the part is not closed, in reference order. At its beginning, as far as that is the beginning of the
        whole suite, everything is as it was seen."""
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
        """What has no alternative first: it may meet the wider clauses."""
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
        """Conflicts that would strike this member, with the cleaners that could hold them back."""
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
