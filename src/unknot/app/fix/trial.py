"""Tries suggestions one after another until one removes the dependency and changes nothing else."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from unknot.app.fix.edges import Edge
from unknot.app.fix.workspace import TrialResults, TrialWorkspace
from unknot.fix.suggestions import FixProject, Suggestion, for_conflict, for_need
from unknot.model.dependencies import Dependencies, Need
from unknot.model.errors import CollectionError, RunnerError
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason
from unknot.model.recording import Recording
from unknot.model.suite import Order, TestId
from unknot.recorder.reasons import Line

MOST_TRIED = 5
"""Suggestions for one edge."""

_ENDS_PROCESS = (Outcome.CRASHED, Outcome.TIMED_OUT)
_TRACEBACK_LINE = re.compile(r"^(\S[^\n:]*):(\d+): ", re.MULTILINE)


@dataclass(frozen=True)
class FixAttempt:
    """A change that was tried, and what was wrong with it; empty if it works."""

    change: str
    problem: str = ""


@dataclass(frozen=True)
class Cut:
    """The outcome for one dependency. `suggestion` is the change that removes it, on top of earlier ones; `note` says
    why there is none, or why none is needed."""

    edge: Edge
    reasons: tuple[Reason, ...] = ()
    suggestion: Suggestion | None = None
    attempts: tuple[FixAttempt, ...] = ()
    note: str = ""


@dataclass
class FixTrial:
    """Tries to remove dependencies, each on top of the changes that worked for those before.

    A change works if the dependent has its expected outcome in both proof orders, and if no other test gets worse in
    the reference order; dependencies that were removed before stay removed. `changes` are all that worked, by file;
    `done` are the dependencies that are removed.
    """

    workspace: TrialWorkspace
    dependencies: Dependencies
    recording: Recording
    seconds: float
    on_attempt: Callable[[str], object] = lambda text: None
    changes: dict[str, bytes] = field(default_factory=dict)
    done: list[Edge] = field(default_factory=list)

    def cut_all(self, edges: Sequence[Edge]) -> Iterator[Cut]:
        """One result for each edge, in their order. Cost: the suite once as it is, and once for each suggestion."""
        self._deadline = time.monotonic() + self.seconds
        self._edges = edges
        self._reference = tuple(
            test for test in self.dependencies.suite.tests if self.dependencies.outcomes.get(test) not in _ENDS_PROCESS
        )
        self._before = self._now = self._run({})
        self._project = FixProject(
            str(self.workspace.root), self._before.homes, self.workspace.modules(), lambda path: self._current(path)
        )
        for edge in edges:
            cut = self._cut_one(edge)
            if cut.suggestion is not None or self._is_cut(edge, self._now):
                self.done.append(edge)
            yield cut

    def _run(self, changes: dict[str, bytes]) -> TrialResults:
        orders = [self._reference]
        for edge in self._edges:
            orders += (edge.proof.passes, edge.proof.fails)
        return self.workspace.run(changes, orders)

    def _current(self, path: str) -> bytes | None:
        return self.changes.get(path) or self.workspace.read(path)

    def _cut_one(self, edge: Edge) -> Cut:
        if not self._is_here(edge):
            return Cut(edge, note="not all of its tests are collected now: give the paths and options of the detection")
        reasons = edge.reasons(self.recording, self._failing_lines(edge))
        if self._is_cut(edge, self._before):
            return Cut(edge, reasons, note="it no longer occurs: run `unknot detect` again")
        if self._is_cut(edge, self._now):
            return Cut(edge, reasons, note="the change for another dependency removes this one too")
        if not reasons:
            return Cut(edge, note="no shared state was recorded; run `unknot detect --trace`")
        return self._try_each(edge, reasons)

    def _try_each(self, edge: Edge, reasons: tuple[Reason, ...]) -> Cut:
        attempts: list[FixAttempt] = []
        for suggestion in islice(self._suggestions(edge, reasons), MOST_TRIED):
            if time.monotonic() > self._deadline:
                return Cut(edge, reasons, None, tuple(attempts), "the time for trials is used up")
            changes = {**self.changes, suggestion.path: suggestion.after}
            problem, results = self._problem(edge, changes)
            attempts.append(FixAttempt(suggestion.summary, problem))
            self.on_attempt(f"Trying: {suggestion.summary} … {problem or 'works'}")
            if results is not None and not problem:
                self.changes, self._now = changes, results
                return Cut(edge, reasons, suggestion, tuple(attempts))
        note = "none of the changes tried removes it" if attempts else "no change is known for this kind of state"
        return Cut(edge, reasons, None, tuple(attempts), note)

    def _suggestions(self, edge: Edge, reasons: tuple[Reason, ...]) -> Iterator[Suggestion]:
        if isinstance(edge.claim, Need):
            return for_need(edge.claim, reasons, self.dependencies, self._project)
        return for_conflict(edge.claim, reasons, self.recording, self._project)

    def _problem(self, edge: Edge, changes: dict[str, bytes]) -> tuple[str, TrialResults | None]:
        try:
            results = self._run(changes)
        except (CollectionError, RunnerError) as problem:
            return _first_line(problem.message), None
        if set(results.homes) != set(self._before.homes):
            return "with it, pytest collects other tests", None
        return self._still_wrong(edge, results), results

    def _still_wrong(self, edge: Edge, results: TrialResults) -> str:
        for one in (edge, *self.done):
            wanted = self._wanted(one)
            for order in (one.proof.fails, one.proof.passes):
                outcome = results.runs[order].last
                if outcome is not wanted:
                    return f"{one.dependent} still {outcome.value} {_after(order, one)}"
        return self._changed(self._reference, results)

    def _changed(self, order: Order, results: TrialResults) -> str:
        before, after = self._before.runs[order], results.runs[order]
        for test, old, new in zip(before.order, before.results, after.results, strict=True):
            is_better = old.outcome.is_bad and not new.outcome.is_bad
            if new.outcome is not old.outcome and not is_better and test not in self.dependencies.flaky:
                return f"{test} now {new.outcome.value} in suite order ({old.outcome.value} before)"
        return ""

    def _is_here(self, edge: Edge) -> bool:
        return {*edge.proof.passes, *edge.proof.fails}.issubset(self._before.homes)

    def _is_cut(self, edge: Edge, results: TrialResults) -> bool:
        if not self._is_here(edge):
            return False
        wanted = self._wanted(edge)
        return all(results.runs[order].last is wanted for order in (edge.proof.passes, edge.proof.fails))

    def _wanted(self, edge: Edge) -> Outcome:
        """The expected outcome of the dependent, in the project as it is."""
        return self._before.runs[edge.proof.passes].last

    def _failing_lines(self, edge: Edge) -> frozenset[Line]:
        """Of the traceback of the order in which it fails."""
        story = self._before.runs[edge.proof.fails].results[-1].story
        return frozenset((file, int(line)) for file, line in _TRACEBACK_LINE.findall(story))


def _after(order: Order, edge: Edge) -> str:
    before: list[TestId] = [test for test in order[:-1] if test in edge.others]
    return f"after {', '.join(before)}" if before else f"without {' and '.join(edge.others)}"


def _first_line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    # For a failed import, pytest's own message comes last.
    return f"{lines[0].rstrip(':')}: {lines[-1]}" if len(lines) > 1 else message
