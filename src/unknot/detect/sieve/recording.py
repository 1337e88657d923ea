"""Trusting a recording.

Trusting means that only pairs that share state in the recording are tried. What is found is proved as always. Whether
there is more is not known and not claimed: the result is not complete, none of its needs and conflicts is called
complete, and pairs that were not tried count as untried. To find everything, every flow between tests must have been
recorded.
"""

from collections.abc import Sequence
from dataclasses import replace

from unknot.detect.engine.result import with_open_needs
from unknot.detect.published.graph import earlier_only
from unknot.hints.position import CandidateSource
from unknot.hints.recording import RecordedFlows
from unknot.model.bits import positions
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph


def only_recorded(recorded: RecordedFlows, candidates: CandidateSource) -> CandidateSource:
    """Of the tests that may affect a test, those that share state with it; of earlier ones also those that affect these
    in turn."""
    rows = [recorded.related(test) for test in range(len(recorded.may_need))]
    earlier = DependencyGraph(len(rows))
    earlier.rows = earlier_only(rows)
    rows = [row | reached for row, reached in zip(rows, earlier.closure().rows, strict=True)]
    return lambda test, size: candidates(test, size) & rows[test]


def tests_with_candidates(candidates: CandidateSource, size: int) -> list[int]:
    """The tests that others may affect, and those others, in rising order."""
    found = 0
    for test in range(size):
        if row := candidates(test, size):
            found |= row | 1 << test
    return list(positions(found))


def as_trusted_result(dependencies: Dependencies, tests: Sequence[int]) -> Dependencies:
    """Marks a result as based on a trusted recording, with the number of tests that were tried."""
    choice = f"trusting the recording: {len(tests)} of {len(dependencies.suite)} tests were tried"
    return replace(
        with_open_needs(dependencies),
        conflicts=tuple(replace(conflict, complete=False) for conflict in dependencies.conflicts),
        complete=False,
        cost=replace(dependencies.cost, choice=choice),
    )
