"""Results to make pages of, as large as asked for: suites of modules whose tests need and break each other, and a few
tests that many others need."""

import random

from unknot.model.dependencies import Conflict, Cost, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Location
from unknot.model.suite import Order, Suite, TestId
from unknot.report.report import Report

_MODULE, _HUB = 20, 100
_AREAS = ("accounts", "cart", "checkout", "search", "billing", "admin", "mail", "stock")
_VERBS = ("add", "edit", "remove", "list", "find", "open", "close", "send")
_THINGS = ("order", "user", "invoice", "item", "address", "coupon")


def report_of(tests: int, lines: int, seed: int = 1) -> Report:
    """A result with so many tests and at least so many lines in its graph; the same for the same seed."""
    drawn = random.Random(seed)
    suite = Suite(tuple(_name(drawn, number) for number in range(tests)))
    flaky = suite.tests[7::331]
    steady = tuple(test for test in suite.tests if test not in flaky)
    needs: list[Need] = []
    conflicts: list[Conflict] = []
    left = lines
    while left > 0:
        claim = _claim(drawn, steady, drawn.randrange(1, len(steady)))
        if isinstance(claim, Need):
            needs.append(claim)
            left -= len(claim.any_of)
        else:
            conflicts.append(claim)
            left -= len(claim.polluters) + len(claim.cleaners)
    rows = tuple(drawn.getrandbits(tests) & ~(1 << at) if at % 7 == 0 else 0 for at in range(tests))
    dependencies = Dependencies(
        suite,
        dict.fromkeys(suite.tests, Outcome.PASSED),
        {test: drawn.expovariate(5) for test in suite.tests},
        tuple(needs),
        tuple(conflicts),
        flaky=flaky,
        cost=Cost("sieve", 3 * tests, 40 * tests, 2.0 * tests),
        untried=sum(row.bit_count() for row in rows),
        untried_rows=rows,
    )
    return Report(dependencies)


def _name(drawn: random.Random, number: int) -> TestId:
    area = _AREAS[number // 200 % len(_AREAS)]
    file = f"tests/{area}/test_{area}_{number // _MODULE}.py"
    return TestId(f"{file}::test_{drawn.choice(_VERBS)}_{drawn.choice(_THINGS)}_{number}")


def _claim(drawn: random.Random, tests: Order, place: int) -> Need | Conflict:
    test, kind = tests[place], drawn.random()
    others = _earlier(drawn, tests, place, 3 if kind < 0.1 else 2 if kind > 0.97 else 1)
    if kind < 0.75:
        why = (Reason(ReasonKind.FLOW, others[0], test, Location("memory", f"shop.state[{place}]")),)
        return Need(test, others, Proof((others[0], test), (test,)), why=why)
    cleaners = tuple(other for other in _earlier(drawn, tests, place, 1) if other not in others and kind < 0.82)
    return Conflict(test, others, cleaners, Proof((test,), (*others, test)))


def _earlier(drawn: random.Random, tests: Order, place: int, most: int) -> Order:
    """Of the same module mostly, else one that many others are joined to."""
    first = place // _MODULE * _MODULE
    found = set()
    for _ in range(most):
        far = first == place or drawn.random() < 0.25
        found.add(drawn.randrange(place // _HUB + 1) * _HUB if far else drawn.randrange(first, place))
    return tuple(tests[other] for other in sorted(found - {place} or {place - 1}))
