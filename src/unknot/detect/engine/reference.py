"""The first step of every detection: run the suite in its own order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from unknot.detect.engine.session import SearchSession
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import Reference, Suite, TestId

_MAX_CRASHES = 20
"""Tests that crash the process are set aside one by one; a suite with more of them is not worth the runs."""


@dataclass
class ReferenceRun:
    """`session` has the tests that take part. A test that crashes the process in the reference order is set aside,
    because the tests after it would have no outcome. `orders` and `tests` count what earlier sessions ran."""

    session: SearchSession
    outcomes: dict[TestId, Outcome] = field(default_factory=dict)
    seconds: dict[TestId, float] = field(default_factory=dict)
    orders: int = 0
    tests: int = 0


def run_reference_order(
    reference_run: ReferenceRun,
    new_session: Callable[[Suite], SearchSession],
    known: Reference | None,
    *,
    backwards: bool,
) -> None:
    """Runs the reference order, unless it is known, and with `backwards` its reverse on a second worker. Raises
    BudgetExhausted if too many tests crash the process."""
    for _ in range(_MAX_CRASHES):
        crashed = _look(reference_run, known, backwards=backwards)
        if not crashed:
            return
        reference_run.orders += reference_run.session.orders
        reference_run.tests += reference_run.session.tests
        rest = tuple(test for test in reference_run.session.suite.tests if test not in crashed)
        reference_run.session = new_session(Suite(rest))
    raise BudgetExhausted


def _look(reference_run: ReferenceRun, known: Reference | None, *, backwards: bool) -> Sequence[TestId]:
    """Returns the tests that crashed the process."""
    session = reference_run.session
    session.start_step("running the reference order")
    forwards = OrderRequest(session.suite.tests)
    requests = [] if known else [forwards]
    if backwards:
        requests.append(OrderRequest(session.suite.tests[::-1]))
    answers = session.run_orders(requests)
    if known:
        found = {test: (known.outcomes[test], known.seconds.get(test, 0.0)) for test in session.suite.tests}
    else:
        run = answers[forwards]
        results = zip(run.order, run.results, strict=True)
        found = {test: (result.outcome, result.seconds) for test, result in results}
    crashed = []
    for number, (test, (outcome, seconds)) in enumerate(found.items()):
        reference_run.seconds[test] = seconds
        reference_run.outcomes[test] = outcome
        if outcome is not Outcome.NOT_RUN:
            session.findings.expected[number] = outcome
        if outcome in (Outcome.CRASHED, Outcome.TIMED_OUT):
            crashed.append(test)
    session.knows_reference = known is not None
    session.rebuild_pairs()
    return crashed
