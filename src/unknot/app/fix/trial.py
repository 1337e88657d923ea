"""Suggestions, tried one after another until one cuts the edge and changes nothing else."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from unknot.app.fix.edges import Edge
from unknot.app.fix.workspace import Answers, TrialGround
from unknot.fix.suggestions import Project, Suggestion, for_conflict, for_need
from unknot.model.dependencies import Dependencies, Need
from unknot.model.errors import CollectionError, RunnerError
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.suite import Order, TestId
from unknot.recorder.reasons import Line
from unknot.recorder.sentences import Reason

MOST_TRIED = 5
"""Suggestions for one edge."""

_ENDS_PROCESS = (Outcome.CRASHED, Outcome.TIMED_OUT)
_TRACEBACK_LINE = re.compile(r"^(\S[^\n:]*):(\d+): ", re.MULTILINE)


@dataclass(frozen=True)
class Attempt:
    """What was tried, and what was wrong with it; nothing if it was good."""

    told: str
    trouble: str = ""


@dataclass(frozen=True)
class Cut:
    """What became of one edge. `suggestion` is the change that cuts it, on top of those before; `note` says why there
    is none, or why none is needed."""

    edge: Edge
    reasons: tuple[Reason, ...] = ()
    suggestion: Suggestion | None = None
    attempts: tuple[Attempt, ...] = ()
    note: str = ""


@dataclass
class FixTrial:
    """Tries to cut the edges, each on top of the changes that were good for those before.

    A change is good if the dependent does as it should in both proof orders, and if in the reference order no test
    does other than before, unless it does better; edges that were cut before stay cut. `changes` are all that were
    good, by file; `done` are the edges that are cut.
    """

    ground: TrialGround
    dependencies: Dependencies
    recording: Recording
    seconds: float
    talk: Callable[[str], object] = lambda text: None
    changes: dict[str, bytes] = field(default_factory=dict)
    done: list[Edge] = field(default_factory=list)

    def cut_all(self, edges: Sequence[Edge]) -> Iterator[Cut]:
        """One answer for each edge, in their order. Cost: the suite once as it is, and once for each suggestion."""
        self._deadline = time.monotonic() + self.seconds
        self._edges = edges
        self._reference = tuple(
            test for test in self.dependencies.suite.tests if self.dependencies.outcomes.get(test) not in _ENDS_PROCESS
        )
        self._before = self._now = self._ask({})
        self._project = Project(
            str(self.ground.root), self._before.homes, self.ground.modules(), lambda path: self._current(path)
        )
        for edge in edges:
            cut = self._cut_one(edge)
            if cut.suggestion is not None or self._is_cut(edge, self._now):
                self.done.append(edge)
            yield cut

    def _ask(self, changes: dict[str, bytes]) -> Answers:
        orders = [self._reference]
        for edge in self._edges:
            orders += (edge.proof.passes, edge.proof.fails)
        return self.ground.ask(changes, orders)

    def _current(self, path: str) -> bytes | None:
        return self.changes.get(path) or self.ground.read(path)

    def _cut_one(self, edge: Edge) -> Cut:
        if not self._is_here(edge):
            return Cut(edge, note="its tests are not all collected now: give the paths and options that `detect` had")
        reasons = edge.reasons(self.recording, self._failing_lines(edge))
        if self._is_cut(edge, self._before):
            return Cut(edge, reasons, note="it does not show any more: run `unknot detect` again")
        if self._is_cut(edge, self._now):
            return Cut(edge, reasons, note="the change for another dependency cuts this one too")
        if not reasons:
            return Cut(edge, note="nothing was seen to flow, so there is nothing to reset")
        return self._try_each(edge, reasons)

    def _try_each(self, edge: Edge, reasons: tuple[Reason, ...]) -> Cut:
        attempts: list[Attempt] = []
        for suggestion in islice(self._suggestions(edge, reasons), MOST_TRIED):
            if time.monotonic() > self._deadline:
                return Cut(edge, reasons, None, tuple(attempts), "the time for trials is over")
            self.talk(f"  trying {suggestion.told}")
            changes = {**self.changes, suggestion.path: suggestion.after}
            trouble, answers = self._trouble(edge, changes)
            attempts.append(Attempt(suggestion.told, trouble))
            self.talk(f"    {'no: ' + trouble if trouble else 'yes'}")
            if answers is not None and not trouble:
                self.changes, self._now = changes, answers
                return Cut(edge, reasons, suggestion, tuple(attempts))
        note = "nothing that was tried cuts it" if attempts else "no way is known to reset what flows there"
        return Cut(edge, reasons, None, tuple(attempts), note)

    def _suggestions(self, edge: Edge, reasons: tuple[Reason, ...]) -> Iterator[Suggestion]:
        if isinstance(edge.claim, Need):
            return for_need(edge.claim, reasons, self.dependencies, self._project)
        return for_conflict(edge.claim, reasons, self.recording, self._project)

    def _trouble(self, edge: Edge, changes: dict[str, bytes]) -> tuple[str, Answers | None]:
        try:
            answers = self._ask(changes)
        except (CollectionError, RunnerError) as problem:
            return _first_line(problem.message), None
        if set(answers.homes) != set(self._before.homes):
            return "pytest collects other tests then", None
        return self._judged(edge, answers), answers

    def _judged(self, edge: Edge, answers: Answers) -> str:
        for one in (edge, *self.done):
            wanted = self._wanted(one)
            for order in (one.proof.fails, one.proof.passes):
                outcome = answers.runs[order].last
                if outcome is not wanted:
                    return f"{one.dependent} is still {outcome.value} {_after(order, one)}"
        return self._changed(self._reference, answers)

    def _changed(self, order: Order, answers: Answers) -> str:
        before, after = self._before.runs[order], answers.runs[order]
        for test, old, new in zip(before.order, before.results, after.results, strict=True):
            is_better = old.outcome.is_bad and not new.outcome.is_bad
            if new.outcome is not old.outcome and not is_better and test not in self.dependencies.flaky:
                return f"{test} is then {new.outcome.value} in the suite's own order, and was {old.outcome.value}"
        return ""

    def _is_here(self, edge: Edge) -> bool:
        return {*edge.proof.passes, *edge.proof.fails}.issubset(self._before.homes)

    def _is_cut(self, edge: Edge, answers: Answers) -> bool:
        if not self._is_here(edge):
            return False
        wanted = self._wanted(edge)
        return all(answers.runs[order].last is wanted for order in (edge.proof.passes, edge.proof.fails))

    def _wanted(self, edge: Edge) -> Outcome:
        """What the dependent does when all is well, as seen in the project as it is."""
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
    # Of a failed import, pytest's own words for it stand last.
    return f"{lines[0].rstrip(':')}: {lines[-1]}" if len(lines) > 1 else message
