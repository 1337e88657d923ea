"""Two searches that start from one unexpected outcome: what the test lacks, and what breaks it.

Idea
    Between a set of tests after which it behaves as expected and one after which it does not, ddmin finds the few that
    make the difference. Every test that is tried brings along its needs.
Assumptions
    The two sets were shown to differ. None about the suite: what cannot be reproduced is not claimed.
Guarantee
    What is returned was shown by two orders, run twice each, that differ only in the tests claimed and their needs;
    empty if it did not show each time: then a test is flaky.
Cost
    That of ddmin, about 2k log2 n orders for k tests; four orders for the proof; 2k log2 n for k cleaners.
"""

from collections.abc import Callable, Iterable, Sequence

from unknot.detect.engine.ddmin import ddmin
from unknot.detect.engine.parallel import Search
from unknot.detect.engine.subsets import singles
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, Suite, TestId

_PROOF_ATTEMPTS = (1, 2)
"""The runs of the search do not count: a search selects runs by outcome, and so the failures of a flaky test."""

Compare = Callable[[Run], bool]


def with_prerequisites(dependencies: Dependencies, tests: Iterable[TestId], available: Sequence[TestId]) -> Order:
    """These tests and what they need, as far as it is available, in the sequence of `available`."""
    place = {test: number for number, test in enumerate(available)}
    fresh = [test for test in tests if test in place]
    chosen = set(fresh)
    while fresh:
        test = fresh.pop()
        for need in dependencies.needs_of.get(test, ()):
            options = sorted(place[option] for option in need.any_of if option in place)
            if options and chosen.isdisjoint(need.any_of):
                taken = next((option for option in options if option < place[test]), options[0])
                chosen.add(available[taken])
                fresh.append(available[taken])
    return tuple(test for test in available if test in chosen)


def find_missing_needs(
    dependencies: Dependencies, test: TestId, too_few: Order, enough: Order
) -> Search[tuple[Need, ...]]:
    """Which of `enough`, after which the test behaves as expected, it lacks after `too_few`, after which it does not;
    both without the test itself. Of several that would serve, one is found: alternatives are not searched."""
    candidates = [place for place, other in enumerate(enough) if other not in too_few]

    def after(group: Iterable[int]) -> Order:
        members = [*too_few, *(enough[place] for place in group)]
        return (*with_prerequisites(dependencies, members, enough), test)

    found = yield from ddmin(candidates, lambda group: OrderRequest(after(group)), _as_expected(dependencies, test))
    proofs = {place: Proof(after(found), after(other for other in found if other != place)) for place in found}
    if not (yield from _shows(dependencies, test, proofs.values())):
        return ()
    return tuple(Need(test, (enough[place],), proof, complete=False) for place, proof in proofs.items())


def find_conflict(
    dependencies: Dependencies, suite: Suite, test: TestId, before: Order, likely: Sequence[Order] = ()
) -> Search[Conflict | None]:
    """Which tests of `before`, after which the test does not behave as expected, break it, and which clean up in
    between in the suite's own order. With its needs alone, the test behaves as expected. `likely` are sets of polluters
    of other tests, tried first: a new polluter often breaks several tests."""
    alone = with_prerequisites(dependencies, [test], (*before, test))
    candidates = [place for place, other in enumerate(before) if other not in alone]
    as_expected = _as_expected(dependencies, test)

    def after(group: Iterable[TestId]) -> Order:
        return with_prerequisites(dependencies, [*alone, *group], (*before, test))

    polluters: Order = ()
    for polluting in likely:
        if set(polluting) <= set(before) - set(alone):
            (run,) = yield [OrderRequest(after(polluting))]
            if not as_expected(run):
                polluters = polluting
                break
    if not polluters:
        found = yield from ddmin(
            candidates,
            lambda group: OrderRequest(after(before[place] for place in group)),
            lambda run: not as_expected(run),
        )
        polluters = tuple(before[place] for place in found)
    proof = Proof(alone, after(polluters))
    if not (yield from _shows(dependencies, test, [proof])):
        return None
    cleaners = yield from _find_cleaners(dependencies, suite, test, polluters, proof.fails)
    return Conflict(test, polluters, cleaners, proof, complete=False)


def _find_cleaners(
    dependencies: Dependencies, suite: Suite, test: TestId, polluters: Order, fails: Order
) -> Search[tuple[TestId, ...]]:
    """Among the tests in between in the suite's own order, which plans keep."""
    place = suite.index
    if [place[other] for other in fails] != sorted(place[other] for other in fails):
        return ()
    last = max(place[polluter] for polluter in polluters)
    between = [
        at
        for at in range(last + 1, place[test])
        if suite.tests[at] not in fails and suite.tests[at] in dependencies.outcomes
    ]
    earlier = suite.tests[: place[test] + 1]

    def probe(group: Sequence[int]) -> OrderRequest:
        return OrderRequest(with_prerequisites(dependencies, [*fails, *suite.order(group)], earlier))

    found = yield from singles(between, probe, _as_expected(dependencies, test))
    return suite.order(found)


def _as_expected(dependencies: Dependencies, test: TestId) -> Compare:
    return lambda run: run.last is dependencies.outcomes[test]


def _shows(dependencies: Dependencies, test: TestId, proofs: Iterable[Proof]) -> Search[bool]:
    """Whether each proof shows what it claims every time."""
    expected = [
        (OrderRequest(order, attempt), passes)
        for proof in proofs
        for order, passes in ((proof.passes, True), (proof.fails, False))
        for attempt in _PROOF_ATTEMPTS
    ]
    requests = list(dict.fromkeys(request for request, _ in expected))
    runs = yield requests
    as_expected = _as_expected(dependencies, test)
    seen = {request: as_expected(run) for request, run in zip(requests, runs, strict=True)}
    return all(seen[request] is passes for request, passes in expected)
