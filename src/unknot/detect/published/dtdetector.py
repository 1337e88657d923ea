"""DTDetector: four detectors that run chosen orders and minimise what made a test behave differently in them.

Reference
    Zhang et al., "Empirically Revisiting the Test Independence Assumption", ISSTA 2014.
Idea
    The detectors differ in the orders they run: the suite backwards (`reverse`), each test alone (`isolate`), every
    sequence of k tests (`exhaustive`), every sequence of k tests in which data could flow (`dependence_aware`).
    A test with an unexpected outcome in some order has a manifest dependency. If its outcome is unexpected alone too,
    it lacks something: ddmin reduces what precedes it in the reference order to a set after which it behaves as
    expected. If it behaves as expected alone, something broke it: ddmin reduces what ran before it to a set that
    breaks it.
Assumptions
    See each detector.
Guarantee
    Everything found was shown by two runs. One set is found for each brittle test, though others might do as well:
    alternatives are missed by construction, and every clause says that there may be others. Of the sets that break a
    victim, one is found for each order that no earlier one explains.
Cost
    The orders of the detector, and ddmin for each test with an unexpected outcome.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations
from math import perm

from unknot.detect.engine.ddmin import ddmin
from unknot.detect.engine.findings import Clause, Pollution, reduce_clauses
from unknot.detect.engine.isolation import record_broken_tests
from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.proofs import give_up_on_unseen, verify
from unknot.detect.engine.session import SearchSession, unexpected_claimable
from unknot.detect.published.driver import PublishedDetector
from unknot.detect.published.graph import candidate_rows
from unknot.model.bits import bits, positions
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run

_BATCH_SIZE = 1000
"""Orders in one batch. Limits memory; has no influence on which orders are run."""


def explain_deviations(session: SearchSession, orders: Iterable[Sequence[int]]) -> bool:
    """Runs the orders and finds what made tests behave differently in them. Returns whether everything is explained:
    each dependent's closure works, and each victim has a polluter."""
    runs = _deviating_runs(session, orders)
    deviating = sorted({test for run in runs for test in unexpected_claimable(session, run)})
    session.start_step("minimising what was found", len(deviating))
    try:
        brittle = sorted(session.failing_closures(deviating))
        run_searches({test: _learn_needs(session, test) for test in brittle}, session.run_orders)
        reduce_clauses(session.findings)
        works_everywhere = verify(session, brittle)
        record_broken_tests(session, runs)
        broken = session.findings.broken
        searches = {victim: _learn_pollutions(session, victim, befores) for victim, befores in broken.items()}
        return all(run_searches(searches, session.run_orders).values()) and works_everywhere
    finally:
        _leave_doubtful_to_proofs(session)
        give_up_on_unseen(session)


def _deviating_runs(session: SearchSession, orders: Iterable[Sequence[int]]) -> list[Run]:
    """The runs in which a test that claims can be made about has an unexpected outcome."""
    found: list[Run] = []
    requests = map(session.request, orders)
    while batch := list(islice(requests, _BATCH_SIZE)):
        found += [run for run in session.runs(batch) if any(True for _ in unexpected_claimable(session, run))]
    return found


def _learn_needs(session: SearchSession, test: int) -> Search[None]:
    """The reference order shows that all that precedes the test is sufficient, the test alone that nothing is not."""
    if test == 0:
        # The reference order runs it alone too.
        session.findings.flaky.add(test)
        return

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.request([*group, test])

    needed = yield from ddmin(range(test), probe, session.is_as_expected)
    for other in needed:
        session.findings.observe_need(test, other, needed, (member for member in needed if member != other))
    session.findings.learn(test, tuple(Clause((other,), complete=False) for other in needed))


def _leave_doubtful_to_proofs(session: SearchSession) -> None:
    """Drops an observed need if, in the order without the prerequisite, another test failed that does not need it: the
    dependent may have failed because of that test, which may be flaky."""
    findings = session.findings
    for (dependent, prerequisite), observed in list(findings.observed_needs.items()):
        excused = findings.unrunnable_without({prerequisite})
        *before, _ = session.outcomes(session.known[session.request([*observed.without, dependent])])
        if any(outcome is not findings.expected[test] and test not in excused for test, outcome in before):
            del findings.observed_needs[dependent, prerequisite]


def _learn_pollutions(session: SearchSession, victim: int, befores: Sequence[tuple[int, ...]]) -> Search[bool]:
    """Returns whether each of these sequences, after which the victim was broken, is explained."""
    explained = True
    for before in sorted(set(befores), key=lambda sequence: (len(sequence), sequence)):
        if session.findings.explains(victim, before):
            continue
        pollution = yield from _pollution(session, victim, before)
        if pollution is None:
            explained = False
        else:
            session.findings.pollutions.append(pollution)
    return explained


def _pollution(session: SearchSession, victim: int, before: Sequence[int]) -> Search[Pollution | None]:
    """What the victim needs stays in its place. None if the victim fails even with that alone."""
    base = set(session.findings.closure(victim)[:-1])
    others = [test for test in before if test not in base]

    def placed(group: Iterable[int]) -> tuple[int, ...]:
        chosen = base.union(group)
        return tuple(test for test in before if test in chosen)

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.request([*placed(group), victim])

    def is_broken(run: Run) -> bool:
        return not session.is_as_expected(run) and run.last is not Outcome.NOT_RUN

    (undisturbed,) = yield [probe(())]
    if not session.is_as_expected(undisturbed):
        return None
    if not others:
        # The same order, and now its outcome is as expected.
        session.findings.flaky.add(victim)
        return None
    breaking = yield from ddmin(others, probe, is_broken)
    return Pollution(victim, _culprits(session, breaking), placed(breaking), complete=False)


def _culprits(session: SearchSession, breaking: Sequence[int]) -> tuple[int, ...]:
    """Without those that ran only because another needs them."""
    helpers = {member for test in breaking for member in session.findings.closure(test)[:-1]}
    return tuple(sorted(test for test in breaking if test not in helpers))


def _run_each_alone(session: SearchSession, _: Options) -> bool:
    """Isolation: runs each test alone.

    Idea
        A test with an unexpected outcome alone needs another one that precedes it; ddmin finds which.
    Assumptions
        None: every brittle test shows.
    Guarantee
        Every brittle test is found, with one set after which it behaves as expected. Misses, by construction: every
        conflict, because no test runs after another; alternatives; tests that pass alone and depend on a test that
        cleans up after a third. Never complete.
    Cost
        One order of one test for each test, and ddmin for each brittle one.
    """
    session.start_step("running every test alone", len(session.suite))
    explain_deviations(session, ([test] for test in range(len(session.suite))))
    return False


def _run_backwards(session: SearchSession, _: Options) -> bool:
    """Reversal: runs the suite backwards.

    Idea
        In one order every test runs without those that precede it. A test with an unexpected outcome there depends on
        another one; ddmin finds which.
    Assumptions
        No later test helps a test or cleans up before it: running backwards, all later tests have run already.
    Guarantee
        Misses, by construction: a polluter that precedes its victim in the reference order, or behind which a cleaner
        runs; a need that a later test meets as well; alternatives; a polluter of a test that lacks what it needs here
        anyway; all sets of polluters of a victim but one. Never complete: an expected outcome in one order says nothing
        about the test alone.
    Cost
        One order, and ddmin for each test with an unexpected outcome.
    """
    session.start_step("running the suite backwards", 1)
    backwards = range(len(session.suite))[::-1]
    explain_deviations(session, [backwards] if backwards else [])
    return False


def _run_all_sequences(session: SearchSession, options: Options) -> bool:
    """Exhaustive k-bounded search: runs every sequence of k tests. `options.bound` is k.

    Idea
        Every test runs after every k - 1 others in every order; shorter sequences are prefixes of longer ones. With k =
        1 this is isolation, with k = 2 it is every ordered pair.
    Assumptions
        Whatever breaks a test needs no more than k - 1 tests for it.
    Guarantee
        Every brittle test is found, and every victim that k - 1 others can break. Misses, by construction: polluters
        that break a test only together with k - 1 others or that need as many to work; those of a test that itself
        needs k - 1 others; alternatives; cleaners. Complete means, with k = 2 or more, that every sequence was run and
        every unexpected outcome is explained.
    Cost
        n!/(n - k)! orders of k tests, and ddmin for each test with an unexpected outcome.
    """
    size = len(session.suite)
    length = max(1, min(options.bound, size))
    session.start_step(f"running every sequence of {length} tests", perm(size, length))
    explained = explain_deviations(session, permutations(range(size), length))
    return explained and (length > 1 or size <= 1)


def _run_what_flows(session: SearchSession, options: Options) -> bool:
    """Dependence-aware k-bounded search: runs only sequences in which data could flow. `options.bound` is k.

    Idea
        A test whose writes no later test of the sequence reads can be left out of it, and a test that reads nothing
        from another needs no run at all. So only sequences of up to k tests are run in which each test but the last is
        a candidate of a later one.
    Assumptions
        Every test that influences another is among its candidates; without candidates, every earlier test is one and
        the reference order is kept. Whatever breaks a test needs no more than k - 1 tests for it.
    Guarantee
        Misses, by construction, what the exhaustive search of the same k misses, and whatever flows past the
        candidates. Complete means, with k = 2 or more and without candidates, that every sequence was run and every
        unexpected outcome is explained. With candidates it is never complete: their source may have missed a flow.
    Cost
        One order for each such sequence, without candidates n + n(n - 1)/2 for k = 2; and ddmin for each test with an
        unexpected outcome.
    """
    rows = candidate_rows(session, options)
    session.start_step(f"running sequences of up to {options.bound} tests in which something could flow")
    readers = [test for test, row in enumerate(rows) if row]
    is_explained = explain_deviations(
        session, (s for reader in readers for s in _flowing((reader,), rows, options.bound))
    )
    return is_explained and options.bound > 1 and options.candidates is None


def _flowing(sequence: tuple[int, ...], rows: list[int], longest: int) -> Iterator[tuple[int, ...]]:
    """This sequence and all that end in it: each test in front is a candidate of a later one."""
    yield sequence
    if len(sequence) < longest:
        read = 0
        for test in sequence:
            read |= rows[test]
        for writer in positions(read & ~bits(sequence)):
            yield from _flowing((writer, *sequence), rows, longest)


isolate = PublishedDetector("isolate", _run_each_alone)
reverse = PublishedDetector("reverse", _run_backwards)
exhaustive = PublishedDetector("exhaustive", _run_all_sequences)
dependence_aware = PublishedDetector("dependence-aware", _run_what_flows)
