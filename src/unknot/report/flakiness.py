"""How sure a report is that a test is flaky, in words."""

from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId


def how_sure(dependencies: Dependencies, test: TestId) -> str:
    """Empty where no repeated runs decided. Never says 100 %: runs can make it likely, not certain."""
    known = dependencies.confidence.get(test)
    if known is None:
        return ""
    percent = min(99, int(known.sure * 100))
    return f"differed in {known.differed} of {known.runs} runs of the same order, {percent} % sure"
