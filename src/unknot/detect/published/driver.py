"""Runs a published detector: reference order, algorithm, checks, proofs.

The published algorithms have no proofs. Each is run as its paper says, and its cost is counted up to there; then every
edge of its graph is shown by two runs, as for any other detector, and dropped if it cannot be shown.
"""

from collections.abc import Callable

from unknot.detect.engine.options import Options, ProgressCallback
from unknot.detect.engine.proofs import prove_conflicts, prove_needs
from unknot.detect.engine.reference import ReferenceRun, run_reference_order
from unknot.detect.engine.result import build_result, search_cost
from unknot.detect.engine.session import SearchSession
from unknot.hints.position import CandidateSource, every_earlier
from unknot.model.dependencies import Dependencies
from unknot.model.errors import BudgetExhausted
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle

Algorithm = Callable[[SearchSession, Options], bool]
"""Writes what it finds into the findings of the session at once, so that they are true whenever it is stopped. Returns
whether it finished with everything decided. Runs orders through the session only; does not catch BudgetExhausted."""


def _nothing_more(_: SearchSession, __: Options) -> bool:
    return True


def run_algorithm(
    name: str,
    algorithm: Algorithm,
    suite: Suite,
    oracle: Oracle,
    options: Options,
    on_progress: ProgressCallback,
    *,
    check: Algorithm = _nothing_more,
    source: CandidateSource = every_earlier,
) -> Dependencies:
    """Runs the reference order (unless known), the algorithm, checks that its paper lacks, and the proofs. The cost in
    the result is that of the algorithm."""

    def new_session(tests: Suite) -> SearchSession:
        return SearchSession(tests, oracle, source, on_progress)

    reference_run = ReferenceRun(new_session(suite))
    cost = None
    complete = False
    try:
        run_reference_order(reference_run, new_session, options.reference, backwards=False)
        complete = algorithm(reference_run.session, options)
        cost = search_cost(name, reference_run)
        complete = check(reference_run.session, options) and complete
        reference_run.session.start_step("proving what was found")
        prove_needs(reference_run.session, may_run=True)
        prove_conflicts(reference_run.session, may_run=True)
    except (BudgetExhausted, KeyboardInterrupt):
        complete = False
    return build_result(name, suite, reference_run, complete=complete, cost=cost)
