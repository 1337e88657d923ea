"""Whether new tests can do for old ones what others did: set up what they need, clean up what breaks them.

Idea
    Run the newcomers, then an old dependent with all it needs but one clause. It has to fail. If it does as wanted, a
    newcomer serves it. A test that fails does nothing for the next one, so that many dependents share one order, as
    long as nobody brings along what another has to miss. In the same way, run polluters, then the newcomers, then the
    victims: each has to be broken still.
Assumptions
    What is known of the old tests is right; a failing test leaves no trace. Where it does, somebody does as wanted
    unexpectedly, and is looked at more closely for nothing.
Guarantee
    A clause is reported as checked only if its dependent was run after every newcomer that might meet it, and failed
    with nothing else missing. A newcomer that serves only together with an old test that did nothing for the
    dependent so far is seen where few clauses are to be checked, and may not be where there are many.
Cost
    As many orders as the dependent with the most clauses has clauses, and a few more where dependents need each other;
    one more for each clause where they are few.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from unknot.detect.engine import orders
from unknot.detect.engine.findings import Clause, Findings, Pollution
from unknot.detect.engine.parallel import Search
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import singles
from unknot.model.run import OrderRequest

_FEW = 12
"""So many clauses are also checked one by one, in the company of the whole suite."""

Claim = tuple[int, tuple[int, ...]]
"""A dependent and a clause of it; or a victim and its polluters."""


@dataclass(frozen=True)
class Served:
    """`helped` did as wanted although a clause was missing; of the `unchecked` it is not known."""

    helped: frozenset[int]
    unchecked: frozenset[Claim]


@dataclass(frozen=True)
class _Missing:
    """A dependent that is to run without one of its clauses, after `company`, which meets the others."""

    test: int
    clause: Clause
    helpers: tuple[int, ...]
    company: tuple[int, ...]


def who_is_served(session: SearchSession, newcomers: Collection[int]) -> Served:
    """Asks one batch."""
    pending: dict[tuple[int, ...], list[_Missing]] = {}
    for test, clauses in sorted(session.findings.clauses.items(), reverse=True):
        for clause in clauses:
            missing = _missing(session, test, clause, newcomers)
            if missing.helpers:
                pending.setdefault(missing.helpers, []).append(missing)
    unchecked: set[Claim] = set()
    asked: list[tuple[OrderRequest, list[_Missing]]] = []
    for helpers, members in pending.items():
        waiting = list(members)
        # Who needs no company first: it must run before those who are company to others.
        waiting.sort(key=lambda missing: len(missing.company))
        while waiting:
            batch, order = _batch(session.findings, helpers, waiting)
            if not batch:
                unchecked |= {(missing.test, missing.clause.any_of) for missing in waiting}
                break
            asked.append((session.request(order), batch))
            waiting = [missing for missing in waiting if missing not in batch]
    items = [missing for waiting in pending.values() for missing in waiting]
    wide = {missing: _in_all_company(session, missing) for missing in items} if len(items) <= _FEW else {}
    session.start_step("seeing whether new tests serve others", len(asked) + len(wide))
    answers = session.run_orders([*(request for request, _ in asked), *wide.values()])
    helped = {missing.test for missing, request in wide.items() if session.is_as_wanted(answers[request])}
    for request, batch in asked:
        worked = {
            test for test, outcome in session.outcomes(answers[request]) if outcome is session.findings.wanted[test]
        }
        for missing in batch:
            if missing.test in worked:
                helped.add(missing.test)
            elif not worked.issuperset((*missing.helpers, *missing.company)):
                unchecked.add((missing.test, missing.clause.any_of))
    return Served(frozenset(helped), frozenset(unchecked))


def _missing(session: SearchSession, test: int, clause: Clause, newcomers: Collection[int]) -> _Missing:
    findings = session.findings
    gone = frozenset(clause.any_of)
    out = gone | findings.stranded(gone | {test}) | findings.flaky | session.polluters_of(test) | {test}
    helpers = tuple(
        other
        for other in sorted(newcomers)
        if other not in out and session.suspects(test, other) and not findings.wanted[other].is_bad
    )
    closure = findings.closure(test)
    others = (other for other in findings.clauses[test] if other != clause)
    heads = [next(member for member in other.any_of if member in closure) for other in others]
    # What came along with a member may be a need of its own, which is not told because it follows.
    heads += [support for member in clause.any_of for support in findings.closure(member)[:-1]]
    company = tuple(member for member in findings.closed(heads, gone | {test}) if member not in out)
    return _Missing(test, clause, helpers, company)


def _in_all_company(session: SearchSession, missing: _Missing) -> OrderRequest:
    """After everybody who can run without the clause: somebody who did nothing for the test so far may do so together
    with a newcomer."""
    findings = session.findings
    gone = frozenset((missing.test, *missing.clause.any_of))
    out = gone | findings.stranded(gone) | session.polluters_of(missing.test)
    everyone = [*missing.helpers, *missing.company, *range(len(session.suite))]
    order = orders.respecting((t for t in everyone if t not in out), lambda test: findings.closure(test, gone))
    return session.request([*(test for test in order if test not in out), missing.test])


def _batch(
    findings: Findings, helpers: tuple[int, ...], waiting: Sequence[_Missing]
) -> tuple[list[_Missing], list[int]]:
    """The first of the waiting, and whoever can share an order with it; and that order."""
    batch: list[_Missing] = []
    order: list[int] = []
    for missing in waiting:
        # Two clauses of one test need two orders, and who ran cannot be missing any more.
        if missing.test in order or not {*order}.isdisjoint(missing.clause.any_of):
            continue
        tried = [*batch, missing]
        sequence = _sequence(findings, helpers, tried)
        if _is_sharp(findings, sequence, tried):
            batch, order = tried, sequence
    return batch, order


def _sequence(findings: Findings, helpers: Iterable[int], batch: Sequence[_Missing]) -> list[int]:
    gone = frozenset(member for missing in batch for member in (missing.test, *missing.clause.any_of))
    order = findings.closed(helpers, gone)
    for missing in batch:
        order += [test for test in (*missing.company, missing.test) if test not in order]
    return order


def _is_sharp(findings: Findings, order: Sequence[int], batch: Sequence[_Missing]) -> bool:
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


def who_is_cleaned_up_for(
    session: SearchSession, newcomers: Collection[int], pollutions: Iterable[Pollution]
) -> Served:
    """The same for cleaners: `helped` are victims that did as wanted after polluters and newcomers."""
    findings = session.findings
    waiting = [known for known in pollutions if _cleaners_for(session, known, newcomers)]
    unchecked: set[Claim] = set()
    asked: list[tuple[OrderRequest, list[Pollution]]] = []
    while waiting:
        batch: list[Pollution] = []
        order: list[int] = []
        for known in waiting:
            tried = [*batch, known]
            sequence = _dirty(session, tried, newcomers)
            if _are_all_broken(findings, sequence, tried):
                batch, order = tried, sequence
        if not batch:
            unchecked |= {(known.victim, known.polluters) for known in waiting}
            break
        asked.append((session.request(order), batch))
        waiting = [known for known in waiting if known not in batch]
    session.start_step("seeing whether new tests clean up", len(asked))
    answers = session.run_orders([request for request, _ in asked])
    helped: set[int] = set()
    for request, batch in asked:
        outcomes = dict(session.outcomes(answers[request]))
        helped |= {known.victim for known in batch if outcomes[known.victim] is findings.wanted[known.victim]}
    return Served(frozenset(helped), frozenset(unchecked))


def new_cleaners(session: SearchSession, known: Pollution, newcomers: Collection[int]) -> Search[tuple[int, ...]]:
    """Those of the newcomers that clean up, each by itself."""

    def probe(group: Sequence[int]) -> OrderRequest:
        between = session.findings.closed(group, frozenset({known.victim}))
        return session.request([*known.sequence, *(t for t in between if t not in known.sequence), known.victim])

    return (yield from singles(_cleaners_for(session, known, newcomers), probe, session.is_as_wanted))


def _cleaners_for(session: SearchSession, known: Pollution, newcomers: Collection[int]) -> list[int]:
    findings = session.findings
    out = findings.stranded({known.victim}) | session.polluters_of(known.victim) | findings.flaky | {*known.sequence}
    bearable = (other for other in sorted(newcomers) if not findings.wanted[other].is_bad)
    return [other for other in bearable if other not in out and other != known.victim]


def _dirty(session: SearchSession, batch: Sequence[Pollution], newcomers: Collection[int]) -> list[int]:
    """All polluters, then whoever may clean up, then the victims."""
    victims = [known.victim for known in batch]
    order: list[int] = []
    for known in batch:
        order += [test for test in known.sequence if test not in order]
    cleaners = {cleaner for known in batch for cleaner in _cleaners_for(session, known, newcomers)}
    order += [test for test in session.findings.closed(cleaners, frozenset(victims)) if test not in order]
    return [*(test for test in order if test not in victims), *victims]


def _are_all_broken(findings: Findings, order: Sequence[int], batch: Sequence[Pollution]) -> bool:
    """Whether, by what is known, everyone but the victims works, and each victim is broken, by one pollution only."""
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
