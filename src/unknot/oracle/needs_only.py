"""A truth that holds needs and nothing else, answered fast: benchmarks ask millions of tests.

Idea
    Whoever serves somebody is a bit, whoever did its work so far is a set of bits, and a test's single needs are one
    mask. There are two results for every test, made once and handed out again and again.
Assumptions
    No conflicts and no flaky tests: what came out of a test then depends only on who worked before it.
Guarantee
    The same results as the truth itself gives, test by test.
Cost
    For each test of an order one lookup and one operation on an int, and one more for each either-or need.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId

Needs = Mapping[TestId, tuple[frozenset[TestId], ...]]


@dataclass(frozen=True, slots=True)
class _Role:
    """`mine` is the test's bit, 0 if it serves nobody; `all_of` what it needs in any case; `any_of` the rest."""

    mine: int
    all_of: int
    any_of: tuple[int, ...]
    passed: Result
    failed: Result


class NeedsOnly:
    """Answers for any order of any tests; those that the needs do not mention always pass."""

    def __init__(self, needs: Needs, seconds: Mapping[TestId, float]) -> None:
        self._needs = needs
        self._seconds = seconds
        serving = sorted({option for clauses in needs.values() for clause in clauses for option in clause})
        self._bits = {test: 1 << number for number, test in enumerate(serving)}
        self._roles: dict[TestId, _Role] = {}

    def results(self, order: Order) -> tuple[Result, ...]:
        roles = self._roles
        worked = 0
        found: list[Result] = []
        for test in order:
            role = roles.get(test) or self._learn(test)
            all_of = role.all_of
            if worked & all_of == all_of and (not role.any_of or all(worked & clause for clause in role.any_of)):
                worked |= role.mine
                found.append(role.passed)
            else:
                found.append(role.failed)
        return tuple(found)

    def _learn(self, test: TestId) -> _Role:
        all_of = 0
        any_of = []
        for clause in self._needs.get(test, ()):
            mask = sum(self._bits[option] for option in clause)
            if len(clause) == 1:
                all_of |= mask
            else:
                any_of.append(mask)
        seconds = self._seconds.get(test, 0.0)
        role = _Role(
            self._bits.get(test, 0),
            all_of,
            tuple(any_of),
            Result(Outcome.PASSED, seconds),
            Result(Outcome.FAILED, seconds),
        )
        self._roles[test] = role
        return role
