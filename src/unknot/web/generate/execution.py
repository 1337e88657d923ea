"""Runs planned tests on an application."""

from collections.abc import Callable, Iterator, Sequence

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.web.application.protocol import Application
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.view import View
from unknot.web.generate.call import CallOutcome, ExecutedCall, ExecutedPath, PlannedCall


class PathExecution:
    """Runs tests from a clean state, as long as `goes_on`.

    Guarantee
        What fails is part of the result, not an error. A call whose page is not in view costs nothing.
    `is_strict`: a test ends at the first call that fails or leads elsewhere. Otherwise that call is left out, and the
    test goes on, as in the programs of the study.
    """

    def __init__(
        self,
        application: Application,
        reader: PageReader,
        graph: NavigationGraph,
        goes_on: Callable[[], bool],
        *,
        is_strict: bool = False,
    ) -> None:
        self.application = application
        self.reader = reader
        self.goes_on = goes_on
        self._is_strict = is_strict
        self._known: dict[tuple[str, str, str], list[Transition]] = {}
        for each in graph.transitions:
            self._known.setdefault((each.action, each.source, each.target), []).append(each)

    def run(self, path: Sequence[PlannedCall]) -> ExecutedPath:
        """Ends early when the budget does."""
        return ExecutedPath(tuple(self._calls(path)))

    def taken(self, action: str, before: View, after: View) -> Transition:
        """The transition of the graph that fits, or a new one if it has none."""
        way = after.observation.way
        known = self._known.get((action, before.kind, after.kind), ())
        found = next((each for each in known if each.condition == way), known[0] if known and not way else None)
        return found or Transition(action, before.kind, after.kind, condition=way)

    def _calls(self, path: Sequence[PlannedCall]) -> Iterator[ExecutedCall]:
        view = self.reader.view(self.application.reset())
        for call in path:
            if not self.goes_on():
                return
            executed, view = self._perform(call, view)
            yield executed
            if self._is_strict and executed.diverged:
                return

    def _perform(self, call: PlannedCall, view: View) -> tuple[ExecutedCall, View]:
        wanted = call.transition
        fitting = (each for each in view.actions if each.title == wanted.action)
        action = next(fitting, None) if view.kind == wanted.source else None
        if action is None:
            return ExecutedCall(call, CallOutcome.NOT_POSSIBLE, view.kind), view
        after = self.reader.view(self.application.perform(action.step(dict(call.values))))
        if after.refused:
            refusal = after.observation.refusal
            return ExecutedCall(call, CallOutcome.REFUSED, view.kind, refusal=refusal), after
        return ExecutedCall(call, CallOutcome.WORKED, view.kind, self.taken(wanted.action, view, after)), after
