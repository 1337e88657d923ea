"""How every detection begins: what the suite does in its own order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from unknot.detect.engine.session import SearchSession
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import Reference, Suite, TestId

_MOST_CRASHES = 20
"""Tests that take the process down are set aside one by one; a suite with more of them is not worth the runs."""


@dataclass
class Opening:
    """`session` holds the tests that take part: whoever takes the process down in the reference order is set aside, or
    nothing would be known of the tests behind it. `orders` and `tests` count what was asked in sessions given up."""

    session: SearchSession
    outcomes: dict[TestId, Outcome] = field(default_factory=dict)
    seconds: dict[TestId, float] = field(default_factory=dict)
    orders: int = 0
    tests: int = 0


def open_suite(
    opening: Opening, new_session: Callable[[Suite], SearchSession], known: Reference | None, *, backwards: bool
) -> None:
    """Runs the reference order and, on a second worker, with `backwards`, its reverse; does not ask for the reference
    where it is known. Raises BudgetExhausted if too many tests take the process down."""
    for _ in range(_MOST_CRASHES):
        crashed = _look(opening, known, backwards=backwards)
        if not crashed:
            return
        opening.orders += opening.session.orders
        opening.tests += opening.session.tests
        rest = tuple(test for test in opening.session.suite.tests if test not in crashed)
        opening.session = new_session(Suite(rest))
    raise BudgetExhausted


def _look(opening: Opening, known: Reference | None, *, backwards: bool) -> Sequence[TestId]:
    """Those that took the process down."""
    session = opening.session
    session.start_step("running the reference order")
    forwards = OrderRequest(session.suite.tests)
    asked = [] if known else [forwards]
    if backwards:
        asked.append(OrderRequest(session.suite.tests[::-1]))
    answers = session.run_orders(asked)
    if known:
        found = {test: (known.outcomes[test], known.seconds.get(test, 0.0)) for test in session.suite.tests}
    else:
        run = answers[forwards]
        results = zip(run.order, run.results, strict=True)
        found = {test: (result.outcome, result.seconds) for test, result in results}
    crashed = []
    for number, (test, (outcome, seconds)) in enumerate(found.items()):
        opening.seconds[test] = seconds
        opening.outcomes[test] = outcome
        if outcome is not Outcome.NOT_RUN:
            session.findings.wanted[number] = outcome
        if outcome in (Outcome.CRASHED, Outcome.TIMED_OUT):
            crashed.append(test)
    session.knows_reference = known is not None
    session.learn_again()
    return crashed
