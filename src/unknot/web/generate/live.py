"""Generators that choose each step on the page in view: a crawl strategy whose walks are the tests.

Idea
    Look before you step. What is planned beforehand on a graph whose guards are not known fails at the first guard
    that does not hold; a step that is chosen on the page in view, with values that were typed or are in view, works
    far more often.
"""

from collections.abc import Iterator

from unknot.web.crawl.explorer import ChosenStep, Explorer
from unknot.web.crawl.view import View
from unknot.web.generate.call import CallOutcome, ExecutedCall, ExecutedPath, PlannedCall
from unknot.web.generate.execution import PathExecution


class LiveGenerator:
    """A test is what the explorer does between two resets."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer

    def generate(self, execution: PathExecution) -> Iterator[ExecutedPath]:
        while execution.goes_on():
            yield ExecutedPath(tuple(self._walk(execution)))

    def _walk(self, execution: PathExecution) -> Iterator[ExecutedCall]:
        view = execution.reader.view(execution.application.reset())
        self._explorer.begin(view)
        while execution.goes_on() and (chosen := self._explorer.choose(view)) is not None:
            execution.reader.kinds.typed([value for _, value in chosen.values])
            after = execution.reader.view(execution.application.perform(chosen.action.step(dict(chosen.values))))
            self._explorer.learn(view, chosen, after)
            yield _executed(execution, view, chosen, after)
            view = after


def _executed(execution: PathExecution, before: View, chosen: ChosenStep, after: View) -> ExecutedCall:
    """As planned as it was taken: a walk has no plan that it could leave."""
    transition = execution.taken(chosen.action.title, before, after)
    call = PlannedCall(transition, chosen.values)
    if after.refused:
        return ExecutedCall(call, CallOutcome.REFUSED, before.kind, refusal=after.observation.refusal)
    return ExecutedCall(call, CallOutcome.WORKED, before.kind, transition)
