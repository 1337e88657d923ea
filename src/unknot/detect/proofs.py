"""Nothing is called a dependency without its two runs."""

from unknot.detect.findings import Clause, Pollution
from unknot.detect.lab import Lab
from unknot.model.knots import Conflict, Need, Proof
from unknot.model.run import Question
from unknot.model.suite import Order

_ATTEMPTS = 2
"""Each proof order is run this often; a test that does not do the same each time is flaky, not dependent."""


def prove_needs(lab: Lab, *, may_ask: bool) -> tuple[Need, ...]:
    """The clauses that two orders show, as needs; a clause that cannot be shown is dropped from the findings.

    When nothing may be asked any more, only what was seen already counts.
    """
    claims: dict[tuple[int, Clause], Proof] = {}
    for test, clauses in sorted(lab.findings.clauses.items()):
        for clause in clauses:
            claims[test, clause] = _need_proof(lab, test, clause)
    shown = _shown(lab, list(claims.values()), may_ask=may_ask)
    needs = []
    for (test, clause), proof in claims.items():
        if proof in shown:
            needs.append(Need(lab.suite.tests[test], lab.suite.order(clause.any_of), proof, clause.complete))
        else:
            kept = tuple(other for other in lab.findings.clauses[test] if other != clause)
            lab.findings.clauses[test] = kept
    return tuple(need for need in needs if lab.suite.index[need.dependent] not in lab.findings.flaky)


def prove_conflicts(lab: Lab, *, may_ask: bool) -> tuple[Conflict, ...]:
    claims = {id(known): _conflict_proof(lab, known) for known in lab.findings.pollutions}
    shown = _shown(lab, list(claims.values()), may_ask=may_ask)
    lab.findings.pollutions = [known for known in lab.findings.pollutions if claims[id(known)] in shown]
    return tuple(
        Conflict(
            victim=lab.suite.tests[known.victim],
            polluters=lab.suite.order(known.polluters),
            cleaners=lab.suite.order(known.cleaners),
            proof=claims[id(known)],
            complete=known.complete,
        )
        for known in sorted(lab.findings.pollutions, key=lambda known: (known.victim, known.polluters))
        if known.victim not in lab.findings.flaky
    )


def _need_proof(lab: Lab, test: int, clause: Clause) -> Proof:
    """With the closure, and with the closure less the clause's test and whoever cannot run without it."""
    closure = lab.findings.closure(test)
    taken = [member for member in clause.any_of if member in closure]
    without = [
        other for other in closure if other == test or (other not in taken and not lab.findings.rests_on(other, taken))
    ]
    return Proof(lab.suite.order(closure), lab.suite.order(without))


def _conflict_proof(lab: Lab, known: Pollution) -> Proof:
    """With the victim's closure alone, and with the polluters (and what they need) in their place."""
    base = set(lab.findings.closure(known.victim)[:-1])
    passes = [*(test for test in known.sequence if test in base), known.victim]
    return Proof(lab.suite.order(passes), lab.suite.order([*known.sequence, known.victim]))


def _shown(lab: Lab, proofs: list[Proof], *, may_ask: bool) -> list[Proof]:
    """The proofs whose first order does as wanted and whose second does not, each time."""
    asked = [
        Question(order, attempt)
        for proof in proofs
        for order in (proof.passes, proof.fails)
        for attempt in range(_ATTEMPTS)
    ]
    answers = lab.ask(asked) if may_ask else lab.known

    def told(order: Order) -> set[bool]:
        attempts = (answers.get(Question(order, attempt)) for attempt in range(_ATTEMPTS))
        return {lab.is_as_wanted(run) for run in attempts if run is not None}

    shown = []
    for proof in proofs:
        passes, fails = told(proof.passes), told(proof.fails)
        if passes == {True} and fails == {False}:
            shown.append(proof)
        elif len(passes) > 1 or len(fails) > 1:
            lab.findings.flaky.add(lab.suite.index[proof.passes[-1]])
    return shown


