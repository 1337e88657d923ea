"""Suites before and after edits: tests added, removed, changed and moved, with the truth of both."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st
from strategies import Case

from unknot.model.outcome import Outcome
from unknot.model.suite import TestId

from .judge import workable


@dataclass(frozen=True)
class Edit:
    """`changed` are tests of both that are not what they were."""

    before: Case
    after: Case
    changed: frozenset[TestId]


@dataclass
class _Draft:
    """A truth by names, so that it survives what happens to positions."""

    order: list[TestId]
    needs: dict[TestId, list[list[TestId]]]
    conflicts: list[tuple[TestId, list[TestId], list[TestId]]]
    flaky: dict[TestId, float]
    changed: set[TestId] = field(default_factory=set)

    @classmethod
    def of(cls, case: Case) -> "_Draft":
        tests = case.suite.tests
        return cls(
            list(tests),
            {tests[d]: [[tests[o] for o in clause] for clause in clauses] for d, clauses in case.needs.items()},
            [(tests[v], [tests[p] for p in ps], [tests[c] for c in cs]) for v, ps, cs in case.conflicts],
            {tests[test]: chance for test, chance in (case.flaky or {}).items()},
        )

    def case(self, like: Case) -> Case:
        place = {test: number for number, test in enumerate(self.order)}

        def there(tests: Sequence[TestId]) -> tuple[int, ...]:
            return tuple(sorted({place[test] for test in tests if test in place}))

        return replace(
            like,
            size=len(self.order),
            # A test that needs only removed tests keeps a clause that no test can meet.
            needs={place[d]: tuple(there(c) for c in clauses) for d, clauses in self.needs.items() if d in place},
            conflicts=tuple(
                (place[v], there(ps), there(cs)) for v, ps, cs in self.conflicts if v in place and set(ps) <= set(place)
            ),
            flaky={place[test]: chance for test, chance in self.flaky.items() if test in place} or None,
            ids=tuple(self.order),
        )


@st.composite
def edits(draw: st.DrawFn, inner: st.SearchStrategy[Case], *, plain: bool, most: int = 3) -> Edit:
    """A few edits of a suite. With `plain`, needs are for single tests and there are no conflicts."""
    before = draw(inner)
    draft = _Draft.of(before)
    for number in range(draw(st.integers(1, most))):
        tried = deepcopy(draft)
        kind = draw(st.sampled_from(["add", "remove", "change", "move"]))
        if kind == "add":
            test = TestId(f"tests/test_new.py::test_new_{number}")
            tried.order.insert(draw(st.integers(0, len(tried.order))), test)
            _redraw(draw, tried, test, plain=plain)
        elif kind == "remove" and len(tried.order) > 2:
            tried.order.remove(draw(st.sampled_from(tried.order)))
        elif kind == "change":
            test = draw(st.sampled_from(tried.order))
            _forget(draw, tried, test)
            _redraw(draw, tried, test, plain=plain)
            tried.changed.add(test)
        elif kind == "move":
            test = draw(st.sampled_from(tried.order))
            tried.order.remove(test)
            tried.order.insert(draw(st.integers(0, len(tried.order))), test)
        if _is_fair(tried.case(before)):
            draft = tried
    old = set(before.suite.tests)
    return Edit(before, draft.case(before), frozenset(draft.changed & old & set(draft.order)))


def _is_fair(case: Case) -> bool:
    """Whether each test that fails in the reference order can be judged: it passes alone, or never again. Of one that
    needs others and is broken on the way, no detector claims anything."""
    tests = case.suite.tests
    able = workable(case, tests)
    red = [
        test
        for test, outcome in zip(tests, case.without_chance.outcomes(tests), strict=True)
        if outcome is not Outcome.PASSED
    ]
    return all(test not in able or case.passes([test]) for test in red)


def _forget(draw: st.DrawFn, draft: _Draft, test: TestId) -> None:
    """The test no longer needs or breaks another, and perhaps no longer serves or cleans up."""
    draft.needs.pop(test, None)
    draft.conflicts = [c for c in draft.conflicts if c[0] != test and test not in c[1]]
    if draw(st.booleans()):
        return
    for clauses in draft.needs.values():
        clauses[:] = [[option for option in clause if option != test] for clause in clauses]
    draft.conflicts = [(v, ps, [c for c in cs if c != test]) for v, ps, cs in draft.conflicts]


def _redraw(draw: st.DrawFn, draft: _Draft, test: TestId, *, plain: bool) -> None:
    """What the test needs; and, unless plain, which tests it serves, breaks and cleans up for."""
    earlier = draft.order[: draft.order.index(test)]
    others = [other for other in draft.order if other != test]
    clauses = []
    for _ in range(draw(st.integers(0, 2)) if earlier else 0):
        clause = draw(st.lists(st.sampled_from(earlier), min_size=1, max_size=1 if plain else 3, unique=True))
        clauses.append(clause)
    if clauses:
        draft.needs[test] = clauses
    if plain:
        return
    for dependent, known in draft.needs.items():
        if dependent != test and known and draw(st.integers(0, 3)) == 0:
            # A stand-in by itself: what follows from the clause that it meets, it meets too.
            met = set(draw(st.sampled_from(known)))
            known[:] = [[*clause, test] if met <= set(clause) else clause for clause in known]
    for _ in range(draw(st.integers(0, 2)) if len(others) > 1 else 0):
        polluter, victim = draw(st.lists(st.sampled_from(others), min_size=2, max_size=2, unique=True))
        role = draw(st.sampled_from(["victim", "polluter", "cleaner"]))
        if role == "victim":
            draft.conflicts.append((test, [polluter], []))
        elif role == "polluter":
            draft.conflicts.append((victim, [test], []))
        else:
            draft.conflicts = [
                (v, ps, [*cs, test]) if test not in (v, *ps) else (v, ps, cs) for v, ps, cs in draft.conflicts
            ]
