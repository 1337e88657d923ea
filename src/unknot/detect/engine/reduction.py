"""Leaves out what follows from the rest."""

from unknot.detect.engine.findings import Clause, Findings


def reduce_clauses(findings: Findings) -> None:
    """Drops a clause that another clause of the same test satisfies by its own closure: with single prerequisites
    only, this is the transitive reduction. A clause of several is implied if whatever is taken for another clause
    brings one of its members along."""
    for test, clauses in list(findings.clauses.items()):
        kept = list(clauses)
        for clause in clauses:
            others = [other for other in kept if other is not clause]
            if any(_implies(findings, other, clause) for other in others):
                kept.remove(clause)
        if len(kept) < len(clauses):
            findings.learn(test, tuple(kept))


def _implies(findings: Findings, one: Clause, other: Clause) -> bool:
    """Whether nobody who meets `one` could work without `other` being met."""
    members = frozenset(other.any_of)
    lost = findings.stranded(members)
    return all(option in members or option in lost for option in one.any_of)
