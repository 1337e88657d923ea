"""Proves claims: nothing is called a dependency without its two runs."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from unknot.detect.engine.findings import Clause, FlakinessVerdict, ObservedNeed, Pollution
from unknot.detect.engine.parallel import run_searches
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.setters import transfer_needs_of_flaky_tests
from unknot.detect.flaky.sequential_test import decide_flakiness, may_be_chance, repeat_until_decided
from unknot.model.dependencies import Conflict, Need, Proof
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order

_REPETITIONS = (1, 2)
"""Each proof order is run twice more. The run of the search does not count: a search selects runs by their outcome,
and so selects the failures of a flaky test."""

_MANY = 4
"""Once is enough if that holds for as many claims about the same test, and as many by the same others: a flaky test
would not fail in all of them."""


def prove_needs(session: SearchSession, *, may_run: bool) -> tuple[Need, ...]:
    """Returns the clauses that two orders show, as needs. A clause that cannot be shown is removed from the findings.

    If nothing may be run, only runs that exist count.
    """
    if may_run:
        decide_flakiness(session)
        transfer_needs_of_flaky_tests(session)
    flaky = set(session.findings.flaky)
    claims = {
        (test, clause): _need_proof(session, test, clause)
        for test, clauses in sorted(session.findings.clauses.items())
        for clause in clauses
    }
    seen = {key for key in claims if _observed(session, *key) is not None}
    shown = _shown(session, [proof for key, proof in claims.items() if key not in seen], may_run=may_run)
    if session.findings.flaky != flaky:
        # A test that turned out to be flaky may have spoilt more than its own proofs.
        return prove_needs(session, may_run=may_run)
    bare = {key: with_other_clauses(session, *key) for key in claims if key not in seen}
    answers = session.run_orders(list(bare.values())) if may_run else session.known
    needs = []
    for (test, clause), proof in claims.items():
        if (test, clause) in seen or (proof in shown and _fails(session, answers.get(bare[test, clause]))):
            needs.append(Need(session.suite.tests[test], session.suite.order(clause.any_of), proof, clause.complete))
        else:
            session.findings.learn(test, tuple(other for other in session.findings.clauses[test] if other != clause))
    return tuple(need for need in needs if session.suite.index[need.dependent] not in session.findings.flaky)


def prove_conflicts(session: SearchSession, *, may_run: bool) -> tuple[Conflict, ...]:
    """The same as `prove_needs`, for pollutions."""
    proved = _proved(session, session.findings.pollutions, may_run=may_run)
    session.findings.pollutions = [known for known, _ in proved]
    return _conflicts(session, proved)


def prove_conflicts_when_failing(session: SearchSession, *, may_run: bool) -> tuple[Conflict, ...]:
    """The same, for tests that break others when they fail themselves."""
    proved = _proved(session, session.findings.pollutions_when_failing, may_run=may_run)
    session.findings.pollutions_when_failing = [known for known, _ in proved]
    return _conflicts(session, proved)


def _proved(session: SearchSession, pollutions: Sequence[Pollution], *, may_run: bool) -> list[tuple[Pollution, Proof]]:
    claims = [(known, conflict_proof(session, known)) for known in pollutions]
    # Since it was found, more may be known of what the victim needs, a polluter among it.
    claims = [
        (known, proof) for known, proof in claims if set(session.suite.order(known.polluters)).isdisjoint(proof.passes)
    ]
    shown = _shown(session, [proof for _, proof in claims], may_run=may_run)
    return [
        (known, proof) for known, proof in claims if proof in shown and _is_minimal(session, known, may_run=may_run)
    ]


def _conflicts(session: SearchSession, proved: Iterable[tuple[Pollution, Proof]]) -> tuple[Conflict, ...]:
    return tuple(
        Conflict(
            victim=session.suite.tests[known.victim],
            polluters=session.suite.order(known.polluters),
            cleaners=session.suite.order(known.cleaners),
            proof=proof,
            complete=known.complete,
        )
        for known, proof in sorted(proved, key=lambda pair: (pair[0].victim, pair[0].polluters))
        if known.victim not in session.findings.flaky
    )


def _fails(session: SearchSession, run: Run | None) -> bool:
    return run is not None and not session.is_unreliable(run) and not session.is_as_expected(run)


def _observed(session: SearchSession, test: int, clause: Clause) -> ObservedNeed | None:
    return session.findings.observed_needs.get((test, clause.any_of[0])) if len(clause.any_of) == 1 else None


def _need_proof(session: SearchSession, test: int, clause: Clause) -> Proof:
    """The two orders in which the need was observed, or those of its closure."""
    observed = _observed(session, test, clause)
    if observed is not None:
        return Proof(session.suite.order((*observed.with_it, test)), session.suite.order((*observed.without, test)))
    return closure_proof(session, test, clause)


def closure_proof(session: SearchSession, test: int, clause: Clause) -> Proof:
    """With the closure, and with the closure without the clause's test and the tests that cannot run without it."""
    closure = session.findings.closure(test)
    taken = {member for member in clause.any_of if member in closure}
    lost = session.findings.unrunnable_without(taken) - {test}
    without = [other for other in closure if other not in taken and other not in lost]
    return Proof(session.suite.order(closure), session.suite.order(without))


def with_other_clauses(session: SearchSession, test: int, clause: Clause) -> OrderRequest:
    """Only what the other clauses require. A test that runs only to serve a member of this clause may pollute, and the
    member may clean up after it instead of setting anything up: then the dependent behaves as expected here."""
    findings = session.findings
    closure = findings.closure(test)
    gone = frozenset(clause.any_of)
    others = (other.served_in(closure) for other in findings.clauses[test] if other != clause)
    kept = set(findings.closure_of(others, gone)) - gone - findings.unrunnable_without(gone)
    return session.request([other for other in closure if other in kept or other == test])


def conflict_proof(session: SearchSession, known: Pollution) -> Proof:
    """With the victim's closure alone, and with the polluters and their needs in their place."""
    base = set(session.findings.closure(known.victim)[:-1])
    passes = [*(test for test in known.sequence if test in base), known.victim]
    return Proof(session.suite.order(passes), session.suite.order([*known.sequence, known.victim]))


def _is_minimal(session: SearchSession, known: Pollution, *, may_run: bool) -> bool:
    """Whether each polluter matters: without it, and with what ran only to serve it, the victim behaves as expected."""
    orders = [without_polluter(session, known, polluter).order for polluter in known.polluters]
    # Chance finds sets of several polluters for a flaky test more easily than single ones.
    attempts = (0, *_REPETITIONS) if len(orders) > 1 else (0,)
    if len(orders) == 1 and orders[0] == conflict_proof(session, known).passes:
        return True
    requests = [OrderRequest(order, attempt) for order in orders for attempt in attempts]
    answers = session.run_orders(requests) if may_run else session.known
    return all(request in answers and session.is_as_expected(answers[request]) for request in requests)


def without_polluter(session: SearchSession, known: Pollution, polluter: int) -> OrderRequest:
    """The order that shows the pollution, without this polluter and the tests that cannot run without it."""
    lost = session.findings.unrunnable_without({polluter})
    return session.request([*(test for test in known.sequence if test != polluter and test not in lost), known.victim])


def _shown(session: SearchSession, proofs: list[Proof], *, may_run: bool) -> list[Proof]:
    """The proofs whose first order behaves as expected and whose second does not, in every repetition; if repetitions
    differ, by their usual outcome."""
    rules = _run_proofs(session, proofs) if may_run else {}

    def does(order: Order, *, as_expected: bool) -> bool:
        if order not in rules:
            return _repeated_outcomes(session, order) == {as_expected}
        expected = session.findings.expected[session.suite.index[order[-1]]]
        return not rules[order].is_flaky and (rules[order].usual is expected) is as_expected

    return [proof for proof in proofs if does(proof.passes, as_expected=True) and does(proof.fails, as_expected=False)]


def _run_proofs(session: SearchSession, proofs: list[Proof]) -> dict[Order, FlakinessVerdict]:
    """Returns the verdicts on orders whose repetitions differ."""
    orders = dict.fromkeys(order for proof in proofs for order in (proof.passes, proof.fails))
    first, *others = _REPETITIONS
    settled = _beyond_chance(session, {session.suite.index[order[-1]] for order in orders})

    def repeated(alone: set[Order]) -> list[OrderRequest]:
        return [
            OrderRequest(order, number)
            for order in orders
            for number in (first, *(others if order in alone and session.suite.index[order[-1]] not in settled else ()))
        ]

    session.run_orders(repeated(_without_company(proofs, lambda _: True)))
    requests = repeated(_without_company(proofs, lambda proof: _holds(session, proof)))
    session.run_orders(requests)
    shaky = [order for order in orders if len(_repeated_outcomes(session, order)) > 1]
    if shaky:
        decide_flakiness(session)
    # Repeats the runs that newly found flaky tests have spoilt.
    session.run_orders(requests)
    still_shaky = [order for order in shaky if len(_repeated_outcomes(session, order)) > 1]
    return run_searches({order: repeat_until_decided(session, order) for order in still_shaky}, session.run_orders)


def _beyond_chance(session: SearchSession, tests: Collection[int]) -> set[int]:
    """Those of the tests that passed and failed as their known needs and polluters say in all runs, so many that no
    flaky test would. Cost: one pass over all runs."""
    findings = session.findings
    agreeing = {test: {True: 0, False: 0} for test in tests}
    for run in session.known.values():
        before: list[int] = []
        worked: set[int] = set()
        for test, outcome in session.outcomes(run):
            as_expected = outcome is findings.expected[test]
            if test in agreeing and outcome.is_verdict:
                if as_expected is (findings.has_needs(test, worked) and not findings.explains(test, before)):
                    agreeing[test][as_expected] += 1
                else:
                    del agreeing[test]
            if as_expected:
                worked.add(test)
            before.append(test)
    return {
        test for test, runs in agreeing.items() if not may_be_chance(runs[False], runs[True], len(session.suite) ** 2)
    }


def _without_company(proofs: Sequence[Proof], holds: Callable[[Proof], bool]) -> set[Order]:
    """The orders of proofs that have to stand alone: there are few like them, or one of these does not hold."""
    alike: defaultdict[object, list[bool]] = defaultdict(list)
    for proof in proofs:
        for key in _company(proof):
            alike[key].append(holds(proof))
    alone = [
        proof for proof in proofs if any(len(alike[key]) < _MANY or not all(alike[key]) for key in _company(proof))
    ]
    return {order for proof in alone for order in (proof.passes, proof.fails)}


def _holds(session: SearchSession, proof: Proof) -> bool:
    return (_repeated_outcomes(session, proof.passes), _repeated_outcomes(session, proof.fails)) == ({True}, {False})


def _company(proof: Proof) -> tuple[object, object]:
    """The test that the proof is about, and the tests by which its two orders differ."""
    return proof.fails[-1], frozenset(proof.passes) ^ frozenset(proof.fails)


def _repeated_outcomes(session: SearchSession, order: Order) -> set[bool]:
    """Whether the last test behaved as expected, over the repetitions that exist."""
    runs = (session.known.get(OrderRequest(order, attempt)) for attempt in _REPETITIONS)
    return {session.is_as_expected(run) for run in runs if run is not None and not session.is_unreliable(run)}


def works(session: SearchSession, before: tuple[int, ...], test: int) -> bool:
    """Whether a run has shown that the test behaves as expected after exactly these. The reference order is such a run
    for all that precedes the test."""
    if before == tuple(range(test)):
        return not session.findings.expected[test].is_bad
    run = session.known.get(session.request([*before, test]))
    return run is not None and session.is_as_expected(run)


def verify(session: SearchSession, tests: Collection[int]) -> bool:
    """Runs the closures of these tests that no order has shown yet. Tests that fail there become unresolved: they are
    taken to need all that precedes them. Returns whether none failed."""
    unseen = [test for test in tests if not works(session, session.findings.closure(test)[:-1], test)]
    failing = session.failing_closures(unseen)
    session.findings.mark_unresolved(failing)
    return not failing


def give_up_on_unseen(session: SearchSession) -> None:
    """For a search that stops early: a dependent whose known needs are not shown to be all counts as unresolved."""
    findings = session.findings
    findings.mark_unresolved(
        test for test in list(findings.clauses) if not works(session, findings.closure(test)[:-1], test)
    )
