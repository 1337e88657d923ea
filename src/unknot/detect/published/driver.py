"""Makes a detector of a published algorithm: reference order, algorithm, checks, proofs.

The published algorithms have no proofs. Each is run as its paper says, and its cost is counted up to there; then every
edge of its graph is shown by two runs, as for any other detector, and dropped if it cannot be shown.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.proofs import prove_conflicts, prove_needs
from unknot.detect.engine.reference import ReferenceRun
from unknot.detect.engine.result import build_result
from unknot.detect.engine.session import SearchSession
from unknot.hints.position import CandidateSource, every_earlier
from unknot.hints.recording import rows_among
from unknot.model.dependencies import Dependencies
from unknot.model.errors import BudgetExhausted
from unknot.model.graph import DependencyGraph
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle

Check = Callable[[SearchSession, Options], bool]
"""Writes what it finds into the findings of the session at once, so that they are true whenever it is stopped. Returns
whether it finished with everything decided. Runs orders through the session only; does not catch BudgetExhausted. The
candidates of the options are over the tests of the session."""


@dataclass(frozen=True)
class CountedAsPublished:
    """Of an algorithm whose authors count more or fewer orders and tests than it runs here: whether it finished with
    everything decided, and by how much the counts differ."""

    complete: bool
    more_orders: int
    more_tests: int


Algorithm = Callable[[SearchSession, Options], bool | CountedAsPublished]
"""As a check."""


@dataclass(frozen=True)
class PublishedDetector:
    """Runs the reference order (unless known), the algorithm, checks that its paper lacks, and the proofs. The cost in
    the result is that of the algorithm, as its authors count; if it is stopped, that of all orders so far. See the
    algorithm for its guarantees."""

    name: str
    algorithm: Algorithm
    check: Check = lambda session, options: True
    source: CandidateSource = every_earlier

    def __call__(
        self,
        suite: Suite,
        oracle: Oracle,
        options: Options = DEFAULT_OPTIONS,
        on_progress: ProgressCallback = no_progress,
    ) -> Dependencies:
        def new_session(tests: Suite) -> SearchSession:
            return SearchSession(tests, oracle, self.source, on_progress)

        reference_run = ReferenceRun(suite, new_session)
        cost = None
        try:
            reference_run.run(options.reference)
            session = reference_run.session
            options = _with_candidates_among(options, suite, session.suite)
            ended = self.algorithm(session, options)
            cost = reference_run.cost(self.name)
            if isinstance(ended, CountedAsPublished):
                cost = replace(cost, orders=cost.orders + ended.more_orders, tests=cost.tests + ended.more_tests)
                ended = ended.complete
            complete = self.check(session, options) and ended
            session.start_step("proving what was found")
            prove_needs(session, may_run=True)
            prove_conflicts(session, may_run=True)
        except (BudgetExhausted, KeyboardInterrupt):
            complete, cost = False, None
        return build_result(self.name, suite, reference_run, complete=complete, cost=cost)


def _with_candidates_among(options: Options, suite: Suite, tests: Suite) -> Options:
    """Tests that crash the process are set aside, so that the others have other positions."""
    if options.candidates is None:
        return options
    candidates = DependencyGraph(len(tests))
    candidates.rows = rows_among(options.candidates.rows, suite, tests)
    return replace(options, candidates=candidates)
