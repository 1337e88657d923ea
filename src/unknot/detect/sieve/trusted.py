"""A detection that takes a recording at its word: whoever was not seen to have to do with others is not asked about.

Guarantee
    What is found is proved as ever. That nothing else is there is not known, and not said: the result is not complete,
    none of its needs and conflicts is called complete, and pairs that nobody looked at are counted as untried.
Assumes, to find all that there is, that every flow between tests was recorded.
"""

from collections.abc import Sequence
from dataclasses import replace

from unknot.detect.published.candidates import earlier_only
from unknot.hints.position import Suspects
from unknot.hints.recorded import Recorded
from unknot.model.bits import positions
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph


def only_recorded(recorded: Recorded, suspects: Suspects) -> Suspects:
    """Of those that may matter to a test, the ones that were seen to; of earlier ones also those that matter to them in
    turn."""
    rows = recorded.suspects
    earlier = DependencyGraph(len(rows))
    earlier.rows = earlier_only(rows)
    rows = [row | reached for row, reached in zip(rows, earlier.closure().rows, strict=True)]
    return lambda test, size: suspects(test, size) & rows[test]


def involved(suspects: Suspects, size: int) -> list[int]:
    """Whoever may be helped or hurt, and whoever may help or hurt, in rising order."""
    found = 0
    for test in range(size):
        if row := suspects(test, size):
            found |= row | 1 << test
    return list(positions(found))


def told_with_reserve(dependencies: Dependencies, asked: Sequence[int]) -> Dependencies:
    """Says of a result that it rests on a recording, and how many tests were looked at."""
    choice = f"trusting the recording: {len(asked)} of {len(dependencies.suite)} tests were looked at"
    return replace(
        dependencies,
        needs=tuple(replace(need, complete=False) for need in dependencies.needs),
        conflicts=tuple(replace(conflict, complete=False) for conflict in dependencies.conflicts),
        complete=False,
        cost=replace(dependencies.cost, choice=choice),
    )
