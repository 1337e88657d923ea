"""Exhaustive k-bounded search, DTDetector's dearest: run every sequence of k tests, and look who does otherwise.

Reference
    Zhang et al., "Empirically Revisiting the Test Independence Assumption", ISSTA 2014 (DTDetector, exhaustive
    k-bounded).
Idea
    Every test runs behind every k - 1 others in every order, shorter sequences being beginnings of longer ones. With
    k = 1 this is isolation, with k = 2 every ordered pair. What made a test do otherwise is minimised (manifest.py).
Assumptions
    Whatever breaks a test does so in company of no more than k - 1.
Guarantee
    What is found was shown by two runs; every brittle test is found, and every victim that k - 1 others can break.
    Misses, by construction: polluters that break only together with k - 1 others, or that cannot do their work without
    as many; those of a test that itself needs k - 1 others; alternatives; cleaners.
    Complete means, with k = 2 or more, that every sequence was run and that all that was seen in them is explained.
Cost
    n!/(n - k)! orders of k tests, and for each test that does otherwise what ddmin takes.
"""

from itertools import permutations
from math import perm

from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.session import SearchSession
from unknot.detect.published.dtdetector import explain
from unknot.detect.published.refinement import carry_out
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle


def exhaustive(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees. `options.bound` is k."""
    return carry_out("exhaustive", _run_all_sequences, suite, oracle, options, on_progress)


def _run_all_sequences(session: SearchSession, options: Options) -> bool:
    size = len(session.suite)
    length = max(1, min(options.bound, size))
    session.start_step(f"running every sequence of {length} tests", perm(size, length))
    explained = explain(session, permutations(range(size), length))
    return explained and (length > 1 or size <= 1)
