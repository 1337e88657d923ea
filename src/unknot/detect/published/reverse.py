"""Reversal, DTDetector's cheapest: run the suite backwards, and look who does otherwise.

Reference
    Zhang et al., "Empirically Revisiting the Test Independence Assumption", ISSTA 2014 (DTDetector, reverse).
Idea
    One order in which everybody runs without those that precede it. Whoever does otherwise there depends on another;
    what that is, is minimised (manifest.py).
Assumptions
    Nobody helps or cleans up where it should not: what comes later in the suite is there when a test runs backwards.
Guarantee
    What is found was shown by two runs. Misses, by construction: a polluter that precedes its victim in the reference
    order, and one behind which a cleaner runs; a need that a later test meets as well, whose dependent then does as
    wanted here; alternatives; a polluter of a test that fails here for want of what it needs anyway; all polluters of
    a victim but one set.
    Never complete: that a test did as wanted in one order says nothing about the test alone.
Cost
    One order, and for each test that does otherwise what ddmin takes.
"""

from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.session import SearchSession
from unknot.detect.published.dtdetector import explain
from unknot.detect.published.refinement import carry_out
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle


def reverse(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""
    return carry_out("reverse", lambda session, options: _run_backwards(session), suite, oracle, options, on_progress)


def _run_backwards(session: SearchSession) -> bool:
    session.start_step("running the suite backwards", 1)
    backwards = range(len(session.suite))[::-1]
    explain(session, [backwards] if backwards else [])
    return False
