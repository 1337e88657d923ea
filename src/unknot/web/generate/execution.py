"""Runs planned tests on an application."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.web.application.protocol import Application
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.trace import TakenStep
from unknot.web.crawl.view import View
from unknot.web.generate.call import CallOutcome, ExecutedCall, ExecutedPath, PlannedCall


class PathExecution:
    """Runs tests from a clean state, as long as `goes_on`. `steps` counts those that were performed.

    Guarantee
        What fails is part of the result, not an error. A call whose page is not in view costs nothing. Pages are read
        as a crawl reads them: what its safety leaves alone is not on them.
    `is_strict`: a test ends at the first call that fails or leads elsewhere. Otherwise that call is left out, and the
    test goes on, as in the programs of the study. Several may share a reader, if they also share a `guard`.
    """

    def __init__(
        self,
        application: Application,
        reader: PageReader,
        graph: NavigationGraph,
        goes_on: Callable[[], bool],
        *,
        is_strict: bool = False,
        guard: AbstractContextManager[object] | None = None,
    ) -> None:
        self.steps = 0
        self.goes_on = goes_on
        self._application = application
        self._reader = reader
        self._is_strict = is_strict
        self._guard = guard or nullcontext()
        self._steps: list[TakenStep] = []
        self._known: dict[tuple[str, str, str], list[Transition]] = {}
        for each in graph.transitions:
            self._known.setdefault((each.action, each.source, each.target), []).append(each)

    def run(self, path: Sequence[PlannedCall]) -> ExecutedPath:
        """Ends early when the budget does, or when the page is lost."""
        calls = tuple(self._calls(path))
        return ExecutedPath(calls, self.walk())

    def begin(self) -> View:
        """Resets the application: a walk begins."""
        seen = self._reader.look(self._application, self._application.reset(), self._guard)
        with self._guard:
            view = self._reader.view(seen)
        self._steps = [TakenStep(None, None, view)]
        return view

    def perform(self, view: View, chosen: ChosenStep) -> tuple[ExecutedCall, View]:
        """As planned as it is taken."""
        after = self._after(view, chosen)
        transition = self._taken(chosen.action.title, view, after)
        return _executed(PlannedCall(transition, chosen.values), view, transition, after), after

    def walk(self) -> tuple[TakenStep, ...]:
        """What happened since it began."""
        return tuple(self._steps)

    def _calls(self, path: Sequence[PlannedCall]) -> Iterator[ExecutedCall]:
        view = self.begin()
        for call in path:
            if not self.goes_on() or view.observation.is_lost:
                return
            executed, view = self._call(call, view)
            yield executed
            if self._is_strict and executed.diverged:
                return

    def _call(self, call: PlannedCall, view: View) -> tuple[ExecutedCall, View]:
        wanted = call.transition
        fitting = (each for each in view.actions if each.title == wanted.action)
        action = next(fitting, None) if view.kind == wanted.source else None
        if action is None:
            return ExecutedCall(call, CallOutcome.NOT_POSSIBLE, view.kind), view
        after = self._after(view, ChosenStep(action, call.values))
        return _executed(call, view, self._taken(wanted.action, view, after), after), after

    def _after(self, view: View, chosen: ChosenStep) -> View:
        reader = self._reader
        with self._guard:
            reader.kinds.typed([value for _, value in chosen.values])
        performed = self._application.perform(chosen.action.step(dict(chosen.values)))
        seen = reader.look(self._application, performed, self._guard)
        with self._guard:
            step = reader.taken(view, chosen, seen)
        self._steps.append(step)
        self.steps += 1
        return step.after

    def _taken(self, action: str, before: View, after: View) -> Transition:
        """The transition of the graph that fits, or a new one if it has none."""
        way = after.observation.way
        known = self._known.get((action, before.kind, after.kind), ())
        found = next((each for each in known if each.condition == way), known[0] if known and not way else None)
        return found or Transition(action, before.kind, after.kind, condition=way)


def _executed(call: PlannedCall, before: View, taken: Transition, after: View) -> ExecutedCall:
    if after.refused:
        return ExecutedCall(call, CallOutcome.REFUSED, before.kind, refusal=after.refusal)
    return ExecutedCall(call, CallOutcome.WORKED, before.kind, taken)
