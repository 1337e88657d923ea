"""How one test relates to others, in the words that all human-readable formats share."""

from dataclasses import dataclass, replace

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId
from unknot.report.reasons import sentences

_MOST_REASONS = 3
"""Of a group of alternatives: their reasons mostly differ in the name of the test only."""

MAYBE_MORE = "there may be more than these"


@dataclass(frozen=True)
class Relation:
    """One need or conflict. `relation` and `tests` read as a sentence after the test's name: "needs any of a, b".
    `proofs` has one entry, or one for each of `tests` in a group of alternative polluters."""

    relation: str
    tests: Order
    cleaners: Order
    proofs: tuple[Proof, ...]
    complete: bool
    why: tuple[str, ...]

    @property
    def cleaning(self) -> str:
        return "cleaned by any of" if len(self.cleaners) > 1 else "cleaned by"


def relations_of(dependencies: Dependencies, test: TestId) -> tuple[Relation, ...]:
    """Every need and every conflict of the test, one relation each; last those with tests that fail themselves."""
    claims: tuple[Need | Conflict, ...] = (
        *dependencies.needs_of.get(test, ()),
        *dependencies.conflicts_of.get(test, ()),
    )
    when_failing = [_from_conflict(one) for one in dependencies.conflicts_when_failing if one.victim == test]
    return (
        *(relation_of(dependencies, claim) for claim in claims),
        *(replace(one, relation="broken by failing") for one in when_failing),
    )


def relation_of(dependencies: Dependencies, claim: Need | Conflict) -> Relation:
    if isinstance(claim, Conflict):
        return _from_conflict(claim)
    place, test = dependencies.suite.index, claim.dependent
    is_late = test in dependencies.misplaced and min(map(place.__getitem__, claim.any_of)) > place[test]
    return _from_need(claim, is_late=is_late)


def group_relations(claims: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """The same, with alternative polluters that share their cleaners in one relation: a victim of twenty polluters
    becomes one entry, not twenty."""
    groups: dict[object, Relation] = {}
    for claim in claims:
        single = claim.relation == "broken by"
        key: object = (claim.cleaners, claim.complete) if single else len(groups)
        known = groups.get(key)
        groups[key] = claim if known is None else _joined(known, claim)
    return tuple(groups.values())


def verdict_labels(outcome: Outcome) -> tuple[str, str]:
    """Labels for the two runs of a proof, given the reference outcome: a test that is skipped there does not "pass"."""
    if outcome.is_bad or outcome in (Outcome.PASSED, Outcome.XPASSED):
        return "passes", "fails"
    return outcome.value, f"not {outcome.value}"


def _from_need(need: Need, *, is_late: bool) -> Relation:
    relation = "passes after" if is_late else "needs"
    relation += " any of" if len(need.any_of) > 1 else ""
    return Relation(relation, need.any_of, (), (need.proof,), need.complete, sentences(need.why))


def _from_conflict(conflict: Conflict) -> Relation:
    relation = "broken by all of" if len(conflict.polluters) > 1 else "broken by"
    why = sentences(conflict.why)
    return Relation(relation, conflict.polluters, conflict.cleaners, (conflict.proof,), conflict.complete, why)


def _joined(known: Relation, other: Relation) -> Relation:
    return replace(
        known,
        relation="broken by any of",
        tests=(*known.tests, *other.tests),
        proofs=(*known.proofs, *other.proofs),
        why=tuple(dict.fromkeys((*known.why, *other.why)))[:_MOST_REASONS],
    )
