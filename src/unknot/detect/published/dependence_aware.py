"""Dependence-aware k-bounded search, DTDetector's fourth: only sequences in which something could flow.

Reference
    Zhang et al., "Empirically Revisiting the Test Independence Assumption", ISSTA 2014 (DTDetector, dependence-aware
    k-bounded).
Idea
    A test in whose sequence nobody behind it reads what it wrote may as well be left out of it, and a test that reads
    nothing from another needs no run at all. So only sequences of up to k tests are run in which each but the last is
    suspected by one behind it. What made a test do otherwise is minimised (manifest.py).
Assumptions
    Whoever influences another is among its candidates; without candidates every earlier test is, and the reference
    order is kept. Whatever breaks a test does so in company of no more than k - 1.
Guarantee
    What is found was shown by two runs. Misses, by construction, what the exhaustive search of the same k misses
    (polluters in larger company, alternatives, cleaners), and whatever flows past the candidates.
    Complete means, with k = 2 or more and without candidates, that every sequence was run and that all that was seen
    in them is explained. With candidates it never is: that their source saw every flow is not known.
Cost
    An order for each such sequence; without candidates n + n(n - 1)/2 for k = 2; and for each test that does
    otherwise what ddmin takes.
"""

from collections.abc import Iterator

from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.session import SearchSession
from unknot.detect.published.candidates import suspected
from unknot.detect.published.dtdetector import explain
from unknot.detect.published.refinement import carry_out
from unknot.model.bits import bits, positions
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle


def dependence_aware(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees. `options.bound` is k."""

    def run_what_flows(session: SearchSession, options: Options) -> bool:
        rows = suspected(session, suite, options.candidates)
        session.start_step(f"running sequences of up to {options.bound} tests in which something could flow")
        readers = [test for test, row in enumerate(rows) if row]
        is_explained = explain(session, (s for reader in readers for s in _flowing((reader,), rows, options.bound)))
        return is_explained and options.bound > 1 and options.candidates is None

    return carry_out("dependence-aware", run_what_flows, suite, oracle, options, on_progress)


def _flowing(sequence: tuple[int, ...], rows: list[int], longest: int) -> Iterator[tuple[int, ...]]:
    """This sequence and all that end in it: whoever comes in front is suspected by one that is there."""
    yield sequence
    if len(sequence) < longest:
        read = 0
        for test in sequence:
            read |= rows[test]
        for writer in positions(read & ~bits(sequence)):
            yield from _flowing((writer, *sequence), rows, longest)
