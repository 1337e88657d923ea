"""Whether new tests can do what others did for old tests: set up what they need, clean up what breaks them.

Idea
    Run the new tests, then an old dependent with all it needs but one clause. It has to fail. If it behaves as
    expected, a new test serves it. A failing test has no effect on the next one, so that many dependents share one
    order, as long as none brings along what another has to miss. In the same way, run polluters, then the new tests,
    then the victims: each has to be broken still.
Assumptions
    What is known about the old tests is right; a failing test leaves no trace. If it does, a test behaves as expected
    by surprise, and is examined for nothing.
Guarantee
    A clause is reported as checked only if its dependent ran after every new test that might meet it, and failed with
    nothing else missing. A new test that serves only together with an old test without effect so far is found if few
    clauses are to be checked and, where the suite was recorded, it writes what the dependent reads; it may be missed
    otherwise.
Cost
    As many orders as the dependent with the most clauses has clauses, and a few more if dependents need each other; one
    more of the whole suite for each clause if they are few, or for those that the recording names.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from unknot.detect.engine import orders
from unknot.detect.engine.findings import Clause, Findings, Pollution
from unknot.detect.engine.parallel import Search
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import singles
from unknot.detect.incremental.baseline import Claim
from unknot.model.run import OrderRequest

_FEW = 12
"""Up to this many clauses are also checked one by one, together with the whole suite."""


_Item = TypeVar("_Item")


@dataclass(frozen=True)
class SubstituteCheck:
    """`helped` behaved as expected although a clause was missing; nothing is known about the `unchecked`."""

    helped: frozenset[int]
    unchecked: frozenset[Claim]


@dataclass(frozen=True)
class _Missing:
    """A dependent that is to run without one of its clauses, after `context`, which meets the others."""

    test: int
    clause: Clause
    helpers: tuple[int, ...]
    context: tuple[int, ...]


def find_served_tests(
    session: SearchSession, new_tests: Collection[int], *, is_recorded: bool = False
) -> SubstituteCheck:
    """Runs one batch."""
    pending: dict[tuple[int, ...], list[_Missing]] = {}
    for test, clauses in sorted(session.findings.clauses.items(), reverse=True):
        for clause in clauses:
            missing = _missing(session, test, clause, new_tests)
            if missing.helpers:
                pending.setdefault(missing.helpers, []).append(missing)
    unchecked: set[Claim] = set()
    requests: list[tuple[OrderRequest, list[_Missing]]] = []
    for waiting in pending.values():
        # Tests without context first: they must run before those that are context of others.
        by_context = sorted(waiting, key=lambda missing: len(missing.context))
        batches, left = _batches(by_context, partial(_lacking_clauses, session.findings))
        requests += [(session.request(order), batch) for order, batch in batches]
        unchecked |= {(missing.test, missing.clause.any_of) for missing in left}
    items = [missing for waiting in pending.values() for missing in waiting]
    if is_recorded:
        related = session.flows.related
        items = [missing for missing in items if any(related(missing.test) >> other & 1 for other in missing.helpers)]
    wide = {missing: _with_whole_suite(session, missing) for missing in items} if len(items) <= _FEW else {}
    session.start_step("checking whether new tests serve others", len(requests) + len(wide))
    answers = session.run_orders([*(request for request, _ in requests), *wide.values()])
    helped = {missing.test for missing, request in wide.items() if session.is_as_expected(answers[request])}
    for request, batch in requests:
        worked = {
            test for test, outcome in session.outcomes(answers[request]) if outcome is session.findings.expected[test]
        }
        for missing in batch:
            if missing.test in worked:
                helped.add(missing.test)
            elif not worked.issuperset((*missing.helpers, *missing.context)):
                unchecked.add((missing.test, missing.clause.any_of))
    return SubstituteCheck(frozenset(helped), frozenset(unchecked))


def _missing(session: SearchSession, test: int, clause: Clause, new_tests: Collection[int]) -> _Missing:
    findings = session.findings
    gone = frozenset(clause.any_of)
    out = gone | findings.unrunnable_without(gone | {test}) | findings.flaky | session.polluters_of(test) | {test}
    helpers = tuple(
        other
        for other in sorted(new_tests)
        if other not in out and session.may_affect(test, other) and not findings.expected[other].is_bad
    )
    closure = findings.closure(test)
    heads = [other.served_in(closure) for other in findings.clauses[test] if other != clause]
    # A need of a member may be a need of this test too, which is not reported because it follows.
    heads += [support for member in clause.any_of for support in findings.closure(member)[:-1]]
    context = tuple(member for member in findings.closure_of(heads, gone | {test}) if member not in out)
    return _Missing(test, clause, helpers, context)


def _with_whole_suite(session: SearchSession, missing: _Missing) -> OrderRequest:
    """After all tests that can run without the clause: one without effect so far may serve together with a new test."""
    findings = session.findings
    gone = frozenset((missing.test, *missing.clause.any_of))
    out = gone | findings.unrunnable_without(gone) | session.polluters_of(missing.test)
    all_tests = [*missing.helpers, *missing.context, *range(len(session.suite))]
    order = orders.respecting_needs((t for t in all_tests if t not in out), lambda test: findings.closure(test, gone))
    return session.request([*(test for test in order if test not in out), missing.test])


def _batches(
    waiting: list[_Item], combine: Callable[[list[_Item], list[int]], list[int] | None]
) -> tuple[list[tuple[list[int], list[_Item]]], list[_Item]]:
    """Orders that check as many as possible at once, each with those that it checks; and those that none can check.
    `combine` returns the order for some of them, the last of which is to join the others and their order, or None."""
    found = []
    while waiting:
        batch: list[_Item] = []
        order: list[int] = []
        for item in waiting:
            combined = combine([*batch, item], order)
            if combined is not None:
                batch, order = [*batch, item], combined
        if not batch:
            break
        found.append((order, batch))
        waiting = [item for item in waiting if item not in batch]
    return found, waiting


def _lacking_clauses(findings: Findings, batch: list[_Missing], before: list[int]) -> list[int] | None:
    last = batch[-1]
    # Two clauses of one test need two orders, and a test that ran cannot be missing.
    if last.test in before or not {*before}.isdisjoint(last.clause.any_of):
        return None
    gone = frozenset(member for missing in batch for member in (missing.test, *missing.clause.any_of))
    order = findings.closure_of(last.helpers, gone)
    for missing in batch:
        order += [test for test in (*missing.context, missing.test) if test not in order]
    return order if _lacks_only_clauses(findings, order, batch) else None


def _lacks_only_clauses(findings: Findings, order: Sequence[int], batch: Sequence[_Missing]) -> bool:
    """Whether, by what is known, each of the batch lacks its clause and nothing else, after all its helpers."""
    expected = {missing.test: missing for missing in batch}
    victims = {known.victim for known in findings.pollutions}
    worked: list[int] = []
    done: set[int] = set()
    for test in order:
        unmet = [clause for clause in findings.clauses.get(test, ()) if done.isdisjoint(clause.any_of)]
        is_broken = test in victims and findings.explains(test, worked)
        missing = expected.pop(test, None)
        if missing is not None and (is_broken or unmet != [missing.clause] or not done.issuperset(missing.helpers)):
            return False
        if not unmet and not is_broken:
            worked.append(test)
            done.add(test)
    return not expected


def find_cleaned_victims(
    session: SearchSession, new_tests: Collection[int], pollutions: Iterable[Pollution]
) -> SubstituteCheck:
    """The same for cleaners: `helped` are victims that behaved as expected after polluters and new tests."""
    findings = session.findings
    waiting = [known for known in pollutions if _cleaners_for(session, known, new_tests)]

    def combine(batch: list[Pollution], _: list[int]) -> list[int] | None:
        order = _with_polluters(session, batch, new_tests)
        return order if _are_all_broken(findings, order, batch) else None

    batches, left = _batches(waiting, combine)
    requests = [(session.request(order), batch) for order, batch in batches]
    session.start_step("checking whether new tests clean up", len(requests))
    answers = session.run_orders([request for request, _ in requests])
    helped: set[int] = set()
    for request, batch in requests:
        outcomes = dict(session.outcomes(answers[request]))
        helped |= {known.victim for known in batch if outcomes[known.victim] is findings.expected[known.victim]}
    return SubstituteCheck(frozenset(helped), frozenset((known.victim, known.polluters) for known in left))


def new_cleaners(session: SearchSession, known: Pollution, new_tests: Collection[int]) -> Search[tuple[int, ...]]:
    """The new tests that clean up, each by itself."""

    def probe(group: Sequence[int]) -> OrderRequest:
        between = session.findings.closure_of(group, frozenset({known.victim}))
        return session.request([*known.sequence, *(t for t in between if t not in known.sequence), known.victim])

    return (yield from singles(_cleaners_for(session, known, new_tests), probe, session.is_as_expected))


def _cleaners_for(session: SearchSession, known: Pollution, new_tests: Collection[int]) -> list[int]:
    findings = session.findings
    out = (
        findings.unrunnable_without({known.victim})
        | session.polluters_of(known.victim)
        | findings.flaky
        | {*known.sequence}
    )
    usable = (other for other in sorted(new_tests) if not findings.expected[other].is_bad)
    return [other for other in usable if other not in out and other != known.victim]


def _with_polluters(session: SearchSession, batch: Sequence[Pollution], new_tests: Collection[int]) -> list[int]:
    """All polluters, then possible cleaners, then the victims."""
    victims = [known.victim for known in batch]
    order: list[int] = []
    for known in batch:
        order += [test for test in known.sequence if test not in order]
    cleaners = {cleaner for known in batch for cleaner in _cleaners_for(session, known, new_tests)}
    order += [test for test in session.findings.closure_of(cleaners, frozenset(victims)) if test not in order]
    return [*(test for test in order if test not in victims), *victims]


def _are_all_broken(findings: Findings, order: Sequence[int], batch: Sequence[Pollution]) -> bool:
    """Whether, by what is known, all tests but the victims pass, and each victim is broken by one pollution only."""
    broken_by = {known.victim: known for known in batch}
    if len(broken_by) < len(batch):
        return False
    worked: list[int] = []
    for test in order:
        if not findings.has_needs(test, set(worked)):
            return False
        present = [k for k in findings.pollutions if k.victim == test and set(k.polluters) <= {*worked}]
        if test in broken_by:
            if present != [broken_by[test]] or not findings.explains(test, worked):
                return False
        elif findings.explains(test, worked):
            return False
        else:
            worked.append(test)
    return True
