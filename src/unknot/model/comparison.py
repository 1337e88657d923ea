"""What is different between two results: dependencies that are new, and dependencies that are gone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.suite import Order, TestId

Dependency = Need | Conflict


@dataclass(frozen=True)
class Comparison:
    """`now` is the later result; `new` are dependencies of it that the earlier one does not have, `gone` the reverse,
    among tests that both have.
    `newly_flaky` are flaky tests that were not."""

    now: Dependencies
    new: tuple[Dependency, ...]
    gone: tuple[Dependency, ...]
    newly_flaky: tuple[TestId, ...] = ()


def compare(before: Dependencies, now: Dependencies, renamed: Mapping[TestId, TestId] | None = None) -> Comparison:
    """`renamed` has the current names of tests that had another one.

    Guarantee
        A need is known if the same test had a need that is as strict: each of its alternatives that still exists is one
        now. A conflict is known if fewer tests, or the same, were known to break the victim. So a further alternative,
        cleaner or polluter beside a known one is not new, and a lost alternative is, unless it was deleted.
    Cost
        Linear in the claims, but quadratic in those of one test.
    """
    names = dict(renamed or {})

    def current(tests: Collection[TestId]) -> frozenset[TestId]:
        return frozenset(names.get(test, test) for test in tests)

    there = frozenset(now.suite.tests)

    def key(claim: Dependency) -> tuple[type, TestId]:
        test = subject(claim)
        return type(claim), names.get(test, test)

    def others(claim: Dependency) -> frozenset[TestId]:
        return current(claim.any_of) & there if isinstance(claim, Need) else current(claim.polluters)

    claims_before: tuple[Dependency, ...] = (*before.needs, *before.conflicts)
    claims_now: tuple[Dependency, ...] = (*now.needs, *now.conflicts)
    earlier: dict[tuple[type, TestId], list[frozenset[TestId]]] = {}
    for claim in claims_before:
        earlier.setdefault(key(claim), []).append(others(claim))
    later: dict[tuple[type, TestId], list[frozenset[TestId]]] = {}
    for claim in claims_now:
        later.setdefault((type(claim), subject(claim)), []).append(frozenset(partners(claim)))

    def is_known(claim: Dependency) -> bool:
        known = earlier.get((type(claim), subject(claim)), ())
        return any(some and some <= {*partners(claim)} for some in known)

    def is_gone(claim: Dependency) -> bool:
        exists = key(claim)[1] in there and current(partners(claim)) <= there
        return exists and not any(others(claim) & some for some in later.get(key(claim), ()))

    flaky = current(before.flaky)
    return Comparison(
        now,
        tuple(claim for claim in claims_now if not is_known(claim)),
        tuple(claim for claim in claims_before if is_gone(claim)),
        tuple(test for test in now.flaky if test not in flaky),
    )


def subject(claim: Dependency) -> TestId:
    """The test that depends on others."""
    return claim.dependent if isinstance(claim, Need) else claim.victim


def partners(claim: Dependency) -> Order:
    """The tests that it depends on."""
    return claim.any_of if isinstance(claim, Need) else claim.polluters


def renamed_tests(
    before: Mapping[TestId, str], now: Mapping[TestId, str], tests: Collection[TestId]
) -> dict[TestId, TestId]:
    """Tests whose file was moved: same name, same fingerprint, another file. `before` and `now` are fingerprints,
    `tests` those that exist now. A name that fits several times is left out."""
    new: dict[tuple[str, str], list[TestId]] = {}
    for test in tests:
        if test not in before:
            new.setdefault((test.partition("::")[2], now.get(test, "")), []).append(test)
    there = frozenset(tests)
    found: dict[TestId, TestId] = {}
    for test, fingerprint in before.items():
        fitting = new.get((test.partition("::")[2], fingerprint), [])
        if test not in there and len(fitting) == 1:
            found[test] = fitting[0]
    return found
