"""A detection of a part of the suite, merged into what is known of the whole."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import TypeVar

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.suite import Order, Suite, TestId

_Value = TypeVar("_Value")
_Claim = TypeVar("_Claim", Need, Conflict)


def merge_part(whole: Dependencies, part: Dependencies, gone: Collection[TestId] = ()) -> Dependencies:
    """`whole`, with what `part` found about its own tests. `gone` are tests of `whole` that no longer exist.

    Guarantee
        Tests of the part are as the part shows them, unless they are known to need, or to be broken by, tests outside
        it: then they and all others stay as they were, with their proofs. Claims whose proof has a test that is gone
        are dropped. A claim of the part is called complete only if it was before: alternatives and cleaners outside the
        part were not sought. Of which pairs are untried only the number is kept.
    Cost
        Linear in the tests and claims.
    """
    decided = set(part.suite.tests) - depending_on_others(whole, part.suite.tests)
    lost = decided.union(gone)

    def still_known(claims: Collection[_Claim], test_of: Callable[[_Claim], TestId]) -> list[_Claim]:
        return [claim for claim in claims if test_of(claim) not in lost and not _has_any(claim.proof, gone)]

    def merged(before: dict[TestId, _Value], now: dict[TestId, _Value]) -> dict[TestId, _Value]:
        """Of new tests everything, of others what the part decides."""
        kept = {test: value for test, value in before.items() if test not in lost}
        return kept | {test: value for test, value in now.items() if test in decided or test not in before}

    suite = Suite(tuple(_merged_order(whole.suite.tests, part.suite.tests, gone)))
    flaky = merged(dict.fromkeys(whole.flaky, True), dict.fromkeys(part.flaky, True))
    needs = [*still_known(whole.needs, _dependent), *_needs_of_part(whole, part, decided)]
    conflicts = [*still_known(whole.conflicts, _victim), *_conflicts_of_part(whole, part, decided)]
    when_failing = still_known(whole.conflicts_when_failing, _victim)
    return replace(
        whole,
        suite=suite,
        outcomes=merged(dict(whole.outcomes), dict(part.outcomes)),
        seconds=merged(dict(whole.seconds), dict(part.seconds)),
        needs=tuple(sorted(needs, key=lambda need: suite.index[need.dependent])),
        conflicts=tuple(sorted(conflicts, key=lambda conflict: suite.index[conflict.victim])),
        conflicts_when_failing=(*when_failing, *(one for one in part.conflicts_when_failing if one.victim in decided)),
        flaky=tuple(test for test in suite.tests if test in flaky),
        confidence=merged(dict(whole.confidence), dict(part.confidence)),
        untried=whole.untried + part.untried,
        untried_rows=(),
        complete=whole.complete and part.complete,
        cost=part.cost,
        only_in_company=max(whole.only_in_company, part.only_in_company),
        sought=tuple(kind for kind in whole.sought if kind in part.sought),
        suspected=(*(one for one in whole.suspected if one.test not in lost), *part.suspected),
    )


def _dependent(need: Need) -> TestId:
    return need.dependent


def _victim(conflict: Conflict) -> TestId:
    return conflict.victim


def depending_on_others(whole: Dependencies, part: Order) -> set[TestId]:
    """Tests of the part that are known to need, or to be broken by, tests outside it, or other tests like that."""
    roles = {test: [need.any_of for need in needs] for test, needs in whole.needs_of.items()}
    for test, conflicts in whole.conflicts_of.items():
        roles[test] = [*roles.get(test, ()), *(conflict.polluters for conflict in conflicts)]
    decided = set(part)
    while found := {test for test in decided if any(not decided.issuperset(order) for order in roles.get(test, ()))}:
        decided -= found
    return set(part) - decided


def _has_any(proof: Proof, tests: Collection[TestId]) -> bool:
    return any(test in tests for test in (*proof.passes, *proof.fails))


def _merged_order(whole: Order, part: Order, gone: Collection[TestId]) -> Iterator[TestId]:
    """The tests of the part take the places of those that were known before, in their own order; new ones follow the
    test that they follow in the part."""
    known, there, rest = set(whole), set(part), list(reversed(part))
    for test in whole:
        if test in there:
            while rest and rest[-1] not in known:
                yield rest.pop()
            yield rest.pop()
        elif test not in gone:
            yield test
        while test in there and rest and rest[-1] not in known:
            yield rest.pop()
    yield from reversed(rest)


def _needs_of_part(whole: Dependencies, part: Dependencies, decided: Collection[TestId]) -> Iterator[Need]:
    before = {(need.dependent, frozenset(need.any_of)) for need in whole.needs if need.complete}
    for need in part.needs:
        if need.dependent in decided:
            yield replace(need, complete=need.complete and (need.dependent, frozenset(need.any_of)) in before)


def _conflicts_of_part(whole: Dependencies, part: Dependencies, decided: Collection[TestId]) -> Iterator[Conflict]:
    before = {(one.victim, frozenset(one.polluters)): one for one in whole.conflicts}
    for one in part.conflicts:
        if one.victim in decided:
            known = before.get((one.victim, frozenset(one.polluters)))
            cleaners = [test for test in known.cleaners if test not in part.suite.index] if known else []
            is_complete = one.complete and known is not None and known.complete
            yield replace(one, cleaners=(*one.cleaners, *cleaners), complete=is_complete)
