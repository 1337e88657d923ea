"""Isolation, DTDetector's second: run each test alone, and look who does otherwise.

Reference
    Zhang et al., "Empirically Revisiting the Test Independence Assumption", ISSTA 2014 (DTDetector, isolate).
Idea
    Whoever does otherwise alone needs another that precedes it; what that is, is minimised (manifest.py).
Assumptions
    None for the brittle tests: each of them shows.
Guarantee
    What is found was shown by two runs; every brittle test is found, with one set that it does as wanted after. Misses,
    by construction: every conflict, for nobody runs after anybody; alternatives; tests that pass alone and
    depend on one that cleans up after a third.
    Never complete: no test was run behind another.
Cost
    An order of one test for each test, and for each brittle one what ddmin takes.
"""

from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.session import SearchSession
from unknot.detect.published.dtdetector import explain
from unknot.detect.published.refinement import carry_out
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle


def isolate(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""
    return carry_out("isolate", lambda session, options: _run_each_alone(session), suite, oracle, options, on_progress)


def _run_each_alone(session: SearchSession) -> bool:
    session.start_step("running every test alone", len(session.suite))
    explain(session, ([test] for test in range(len(session.suite))))
    return False
