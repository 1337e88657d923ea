"""What DTDetector's four have in common: from orders in which a test did otherwise to what made it so.

A test that does otherwise in some order has a manifest dependency. If it does otherwise alone too, it lacks something:
what precedes it in the reference order is reduced, by ddmin, to a set after which it does as wanted. If it does as
wanted alone, something broke it: what ran before it is reduced to a set that breaks it.

One set is found for each brittle test, though others might do as well: either-or needs are missed by construction, and
every clause says that there may be others. Of the sets that break a victim one is found for each order that none found
before explains.
"""

from collections.abc import Iterable, Sequence

from unknot.detect.engine.ddmin import ddmin
from unknot.detect.engine.findings import Clause, Pollution, Sight
from unknot.detect.engine.parallel import Search, side_by_side
from unknot.detect.engine.reduction import reduce_clauses
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.verified import give_up_on_unseen, verify
from unknot.detect.sieve.isolation import Seen, deviations
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run

_AT_ONCE = 1000
"""Orders asked in one go. Bounds how many requests wait in memory; says nothing about what is asked."""


def explain(session: SearchSession, orders: Iterable[Sequence[int]]) -> bool:
    """Runs the orders and learns what made tests do otherwise in them. Whether everything seen is explained: each
    dependent's closure works, and for each victim there is someone who breaks it."""
    runs = _deviating_runs(session, orders)
    deviating = sorted({test for run in runs for test in _deviating(session, run)})
    session.start_step("minimising what was found", len(deviating))
    try:
        brittle = sorted(session.failing_closures(deviating))
        side_by_side({test: _learn_needs(session, test) for test in brittle}, session.run_orders)
        reduce_clauses(session.findings)
        works_everywhere = verify(session, brittle)
        seen = Seen()
        for run in runs:
            deviations(session, run, seen)
        searches = {victim: _learn_pollutions(session, victim, befores) for victim, befores in seen.broken.items()}
        return all(side_by_side(searches, session.run_orders).values()) and works_everywhere
    finally:
        _leave_doubtful_to_proofs(session)
        give_up_on_unseen(session)


def _deviating_runs(session: SearchSession, orders: Iterable[Sequence[int]]) -> list[Run]:
    found: list[Run] = []
    waiting: list[OrderRequest] = []

    def ask() -> None:
        found.extend(run for run in session.runs(waiting) if _deviating(session, run))
        waiting.clear()

    for order in orders:
        waiting.append(session.request(order))
        if len(waiting) == _AT_ONCE:
            ask()
    ask()
    return found


def _deviating(session: SearchSession, run: Run) -> list[int]:
    """Who did otherwise, among the tests of which anything may be claimed."""
    wanted, flaky = session.findings.wanted, session.findings.flaky
    return [
        test
        for test, outcome in session.outcomes(run)
        if outcome is not wanted[test]
        and outcome is not Outcome.NOT_RUN
        and not wanted[test].is_bad
        and test not in flaky
    ]


def _learn_needs(session: SearchSession, test: int) -> Search[None]:
    """The reference order shows that all that precedes the test is enough, the test alone that nothing is not."""
    if test == 0:
        # Alone is how the reference order runs it.
        session.findings.flaky.add(test)
        return

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.request([*group, test])

    needed = yield from ddmin(range(test), probe, session.is_as_wanted)
    for other in needed:
        without = tuple(member for member in needed if member != other)
        session.findings.sights[test, other] = Sight(needed, without)
    session.findings.learn(test, tuple(Clause((other,), complete=False) for other in needed))


def _leave_doubtful_to_proofs(session: SearchSession) -> None:
    """Where, in the order without the prerequisite, another failed too that does not need it as far as is known, the
    dependent may have failed for that one's sake: perhaps it is flaky."""
    findings = session.findings
    for (dependent, prerequisite), sight in list(findings.sights.items()):
        excused = findings.stranded({prerequisite})
        *before, _ = session.outcomes(session.known[session.request([*sight.without, dependent])])
        if any(outcome is not findings.wanted[test] and test not in excused for test, outcome in before):
            del findings.sights[dependent, prerequisite]


def _learn_pollutions(session: SearchSession, victim: int, befores: Sequence[tuple[int, ...]]) -> Search[bool]:
    """Whether each of these sequences, after which the victim was broken, is explained."""
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
    """What the victim needs stays in its place; None if it is not enough there, even alone."""
    base = set(session.findings.closure(victim)[:-1])
    others = [test for test in before if test not in base]

    def placed(group: Iterable[int]) -> tuple[int, ...]:
        chosen = base.union(group)
        return tuple(test for test in before if test in chosen)

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.request([*placed(group), victim])

    def is_broken(run: Run) -> bool:
        return not session.is_as_wanted(run) and run.last is not Outcome.NOT_RUN

    (undisturbed,) = yield [probe(())]
    if not session.is_as_wanted(undisturbed):
        return None
    if not others:
        # The very same order, and now it does as wanted.
        session.findings.flaky.add(victim)
        return None
    breaking = yield from ddmin(others, probe, is_broken)
    return Pollution(victim, _culprits(session, breaking), placed(breaking), complete=False)


def _culprits(session: SearchSession, breaking: Sequence[int]) -> tuple[int, ...]:
    """Without those that are there only because another could not do its work without them."""
    helpers = {member for test in breaking for member in session.findings.closure(test)[:-1]}
    return tuple(sorted(test for test in breaking if test not in helpers))
