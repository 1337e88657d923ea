"""Generators that choose each step on the page in view: a crawl strategy whose walks are the tests.

Idea
    Look before you step. What is planned beforehand on a graph whose guards are not known fails at the first guard
    that does not hold; a step that is chosen on the page in view, with values that were typed or are in view, works
    far more often.
"""

from collections.abc import Iterator

from unknot.web.crawl.explorer import Explorer
from unknot.web.generate.call import ExecutedCall, ExecutedPath
from unknot.web.generate.execution import PathExecution


class LiveGenerator:
    """A test is what the explorer does between two resets."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer

    def generate(self, execution: PathExecution) -> Iterator[ExecutedPath]:
        while execution.goes_on():
            calls = tuple(self._walk(execution))
            yield ExecutedPath(calls, execution.walk())

    def _walk(self, execution: PathExecution) -> Iterator[ExecutedCall]:
        view = execution.begin()
        self._explorer.begin(view)
        while (
            execution.goes_on() and not view.observation.is_lost and (chosen := self._explorer.choose(view)) is not None
        ):
            executed, after = execution.perform(view, chosen)
            self._explorer.learn(view, chosen, after)
            yield executed
            view = after
