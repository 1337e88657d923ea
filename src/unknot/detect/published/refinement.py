"""What the published detectors have in common: they refine or build a graph of single needs, in reference order.

The published algorithms know no proofs. Each is carried out as its paper says, and its cost is counted up to there;
then every edge of its graph is shown by two runs, as for any other detector, and dropped if it cannot be shown.
"""

from collections.abc import Callable

from unknot.detect.engine.options import Options, ProgressCallback
from unknot.detect.engine.proofs import prove_conflicts, prove_needs
from unknot.detect.engine.reference import Opening, open_suite
from unknot.detect.engine.result import result, spent
from unknot.detect.engine.session import SearchSession
from unknot.hints.position import Suspects, every_earlier
from unknot.model.dependencies import Dependencies
from unknot.model.errors import BudgetExhausted
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle

Algorithm = Callable[[SearchSession, Options], bool]
"""Writes what it finds into the session's findings as it goes, so that they are true whenever it is stopped; returns
whether it came to its end knowing all it can know. Asks the session only; lets BudgetExhausted through."""


def _nothing_more(_: SearchSession, __: Options) -> bool:
    return True


def carry_out(
    name: str,
    algorithm: Algorithm,
    suite: Suite,
    oracle: Oracle,
    options: Options,
    on_progress: ProgressCallback,
    *,
    check: Algorithm = _nothing_more,
    suspects: Suspects = every_earlier,
) -> Dependencies:
    """The reference order (unless known), the algorithm, what its paper does not check, the proofs. The result's cost
    is the algorithm's own."""

    def new_session(tests: Suite) -> SearchSession:
        return SearchSession(tests, oracle, suspects, on_progress)

    opening = Opening(new_session(suite))
    cost = None
    complete = False
    try:
        open_suite(opening, new_session, options.reference, backwards=False)
        complete = algorithm(opening.session, options)
        cost = spent(name, opening)
        complete = check(opening.session, options) and complete
        opening.session.start_step("proving what was found")
        prove_needs(opening.session, may_ask=True)
        prove_conflicts(opening.session, may_ask=True)
    except (BudgetExhausted, KeyboardInterrupt):
        complete = False
    return result(name, suite, opening, complete=complete, cost=cost)
