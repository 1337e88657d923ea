"""What a generator of tests is."""

from collections.abc import Iterator
from typing import Protocol

from unknot.web.generate.call import ExecutedPath
from unknot.web.generate.execution import PathExecution


class SuiteGenerator(Protocol):
    """Deterministic: the same seed and the same answers lead to the same tests."""

    def generate(self, execution: PathExecution) -> Iterator[ExecutedPath]:
        """Yields every test that it ran, as long as the budget of the execution lasts."""
