"""Tests that must stay together because a need or a conflict ties them, and places where a suite may be cut."""

from itertools import pairwise

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order


def components(dependencies: Dependencies) -> tuple[Order, ...]:
    """The connected parts of at least two tests, each in reference order, in the sequence of their first tests.

    Guarantee: whoever runs each part in reference order in one state, with whatever else before, between or behind its
    tests, lets every test do as expected, as far as the dependencies know. A need ties its dependent to all
    alternatives, a conflict its victim to all polluters and cleaners. Dependencies that are not complete give one part
    with everything. Cost: nearly linear.
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
    for first, *others in tied:
        for other in others:
            if other in dependencies.suite.index:
                ends = find(dependencies.suite.index[first]), find(dependencies.suite.index[other])
                leader[max(ends)] = min(ends)
    parts: dict[int, list[int]] = {}
    for place in range(len(tests)):
        parts.setdefault(find(place), []).append(place)
    return tuple(dependencies.suite.order(part) for part in parts.values() if len(part) > 1)


def blocks(dependencies: Dependencies) -> tuple[Order, ...]:
    """The reference order, cut wherever no need reaches across.

    Guarantee: any run of neighbouring blocks is safe by itself in reference order, as far as the dependencies know.
    Conflicts cut nothing: between a polluter and its victim, whatever cleans stands in the same run of neighbours. Of
    several alternatives the last one before the dependent is kept with it. Dependencies that are not complete give a
    single block.
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
