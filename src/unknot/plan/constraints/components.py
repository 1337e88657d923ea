"""Tests that dependencies connect: what must stay together, where a suite may be cut, how far a change reaches."""

from collections.abc import Collection, Iterable
from itertools import pairwise

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId


def components(dependencies: Dependencies, sharing: Iterable[Collection[TestId]] = ()) -> tuple[Order, ...]:
    """The connected parts of at least two tests, each in reference order, in the sequence of their first tests.

    Guarantee: if each part runs in reference order in one state, with any other tests before, between or after its own,
    every test behaves as expected as far as the dependencies are known. A need connects its dependent to all
    alternatives, a conflict its victim to all polluters and cleaners; so are those connected that are in one set of
    `sharing`. Incomplete dependencies give one part with all
    tests. Cost: nearly linear.
    """
    tests = dependencies.suite.tests
    if dependencies.untried or not dependencies.complete:
        return (tests,) if len(tests) > 1 else ()
    leader = list(range(len(tests)))

    def find(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    tied = [(need.dependent, *need.any_of) for need in dependencies.needs]
    tied += [(conflict.victim, *conflict.polluters, *conflict.cleaners) for conflict in dependencies.conflicts]
    tied += [tuple(test for test in each if test in dependencies.suite.index) for each in sharing]
    for first, *others in filter(None, tied):
        for other in others:
            if other in dependencies.suite.index:
                ends = find(dependencies.suite.index[first]), find(dependencies.suite.index[other])
                leader[max(ends)] = min(ends)
    parts: dict[int, list[int]] = {}
    for place in range(len(tests)):
        parts.setdefault(find(place), []).append(place)
    return tuple(dependencies.suite.order(part) for part in parts.values() if len(part) > 1)


def blocks(dependencies: Dependencies) -> tuple[Order, ...]:
    """The reference order, cut at every point that no need crosses.

    Guarantee: any sequence of neighbouring blocks is safe by itself in reference order, as far as the dependencies are
    known. Conflicts do not matter for the cuts: a cleaner between a polluter and its victim is in the same sequence of
    neighbours. Of several alternatives, the last one before the dependent is kept with it. Incomplete dependencies give
    a single block.
    """
    tests, index = dependencies.suite.tests, dependencies.suite.index
    if not tests or dependencies.untried or not dependencies.complete:
        return (tests,) if tests else ()
    reach = list(range(len(tests)))
    for need in dependencies.needs:
        place = index[need.dependent]
        before = [index[option] for option in need.any_of if index.get(option, place) < place]
        reach[place] = min(reach[place], max(before, default=0))
    cuts = []
    earliest = len(tests)
    for place in range(len(tests) - 1, 0, -1):
        earliest = min(earliest, reach[place])
        if earliest >= place:
            cuts.append(place)
    edges = [0, *reversed(cuts), len(tests)]
    return tuple(tests[start:end] for start, end in pairwise(edges))


def affected_through(dependencies: Dependencies, changed: Collection[TestId]) -> dict[TestId, TestId]:
    """Unchanged tests that a change may affect, each with the test through which the change reaches it: its
    prerequisite, polluter or cleaner, which may now leave a different state.

    Transitive, nearest first. Cost: linear in the needs and conflicts and the tests that they name.
    """
    reaches: dict[TestId, list[TestId]] = {}
    for need in dependencies.needs:
        _add(reaches, need.any_of, need.dependent)
    for conflict in dependencies.conflicts:
        _add(reaches, (*conflict.polluters, *conflict.cleaners), conflict.victim)
    found: dict[TestId, TestId] = {}
    waiting = [test for test in dependencies.suite.tests if test in changed]
    known = set(waiting)
    for source in waiting:
        for test in reaches.get(source, ()):
            if test not in known:
                known.add(test)
                found[test] = source
                waiting.append(test)
    return found


def _add(reaches: dict[TestId, list[TestId]], sources: Order, target: TestId) -> None:
    for source in sources:
        reaches.setdefault(source, []).append(target)
