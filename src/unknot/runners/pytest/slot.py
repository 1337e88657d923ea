"""The slot of a pytest suite."""

from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, Suite
from unknot.runners.dispatch.crash_attribution import AttemptEnd, OrderAttempt, OrderRetries
from unknot.runners.dispatch.work_queue import one_by_one
from unknot.runners.pytest.collecting_trees import CollectingTrees
from unknot.runners.pytest.collection import Collected, check_same_suite
from unknot.runners.pytest.pytest_trees import PytestTrees, TreeWork, TreeWorkspace
from unknot.runners.pytest.tree_task import TreeTask
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import CLEAN_SECONDS
from unknot.runners.workers.slot import OutsideTraces, SlotEvent, answers, tests_executed

FORK_SECONDS = 0.01
FRESH_SECONDS = 1.0
"""What a clean state costs, for predictions. Constants, not measurements: the detector's choices, and so the requests
that the journal can answer, must not change from one day to the next."""


@dataclass(frozen=True)
class PytestSlotSpec:
    """Implements SlotSpec. `suite` is what the caller has collected: a slot must find the same, and answers in its ids.
    None if it has not: then the slot lists what it finds. `fork` says which of the two ways it is; None lets it
    choose."""

    settings: Settings
    suite: Suite | None = None
    fork: bool | None = None

    @property
    def can_share(self) -> bool:
        """Whether orders that begin alike can run their beginning once: no fork copies what a reset restores."""
        return bool(self.fork) and not self.settings.reset and self.settings.instance is None

    @property
    def clean_state(self) -> float:
        pytest = FORK_SECONDS if self.fork else FRESH_SECONDS
        return pytest if self.settings.instance is None else pytest + CLEAN_SECONDS

    def open(self, sandbox: Sandbox) -> "PytestSlot":
        workspace = PytestWorkspace(sandbox.home, sandbox.number, self.settings, sandbox.mark)
        try:
            workspace.start_instance()
            trees = CollectingTrees(workspace, self.fork)
        except BaseException:
            workspace.close()
            raise
        return PytestSlot(self, workspace, trees)


class SlotWorkspace(TreeWorkspace, Protocol):
    """What a slot needs of the workspace of its trees."""

    @property
    def why_shared(self) -> str:
        """Why this worker has no HOME and /tmp of its own; empty if it has."""
        ...

    def start_over(self) -> None: ...

    def start_instance(self) -> None: ...

    def close(self) -> None: ...


class PytestSlot:
    """Implements WorkerSlot. No result rests on a run that was killed by chance: see OrderRetries."""

    def __init__(self, spec: PytestSlotSpec, workspace: SlotWorkspace, trees: PytestTrees) -> None:
        """Closes both in the end, and if `trees` has collected another suite than that of `spec`."""
        self._workspace = workspace
        self._trees = trees
        self._retries = OrderRetries(self._attempt)
        self._traces_of_retries: list[SlotEvent] = []
        self._is_used = False
        try:
            check_same_suite(spec.suite or self.collected.suite, self.collected.suite)
        except BaseException:
            self.close()
            raise
        self._index = (spec.suite or self.collected.suite).index
        self._can_share = replace(spec, fork=self.forks).can_share

    @property
    def collected(self) -> Collected:
        """The suite as pytest finds it here."""
        return self._trees.collected

    @property
    def forks(self) -> bool:
        return self._trees.forks

    @property
    def why_fresh(self) -> str:
        return self._trees.why_fresh

    @property
    def why_shared(self) -> str:
        return self._workspace.why_shared

    def close(self) -> None:
        """Lets pytest end its session, unless it is in the middle of something: then it was killed already."""
        self._trees.close()
        self._workspace.close()

    def renew(self) -> None:
        """A slot that has answered nothing since it was opened holds nothing."""
        if self._is_used:
            self.close()
            self._workspace.start_over()
            self._workspace.start_instance()
            self._is_used = False

    def answer(
        self, orders: Sequence[Order], *, shares: bool, in_lanes: bool = False
    ) -> Generator[SlotEvent, None, None]:
        """With `in_lanes`, a test whose process was killed has crashed. Otherwise its orders are run again: see
        OrderRetries."""
        self._is_used = True
        paths = {number: tuple(self._index[test] for test in order) for number, order in enumerate(orders)}
        work = TreeWork(paths, in_lanes=in_lanes)
        paths = {number: path for number, path in paths.items() if path}
        groups = deque([paths] if shares and self._can_share and paths else one_by_one(paths))
        yield from work.next_answers()
        while groups:
            task = yield from self._trees.run(groups.popleft(), work)
            if not self._retries.has_control and (completed := task.completed()) is not None:
                self._retries.completed(orders[completed])
            doubtful = task.unexplained() if work.was_sent else []
            if left := {number: path for number, path in task.unfinished().items() if number not in doubtful}:
                groups.appendleft(left)
            for number in doubtful:
                answered = work.answers[number] = yield from self._retries.answer(orders[number])
                yield from tests_executed(number, orders[number], answered)
                yield from self._traces_of_retries
                self._traces_of_retries.clear()
                yield from work.next_answers()

    def _attempt(self, order: Order, watches_instance: bool) -> OrderAttempt:  # noqa: ARG002 - a reset sees to it
        """One order by itself, for OrderRetries."""
        path = tuple(self._index[test] for test in order)
        work = TreeWork({0: path}, in_lanes=False)
        while True:
            task, events = _drained(self._trees.run({0: path}, work))
            self._traces_of_retries += (event for event in events if isinstance(event, OutsideTraces))
            for answered in answers(events):
                return _ended(answered.results)
            nodes = task.tree.nodes_of[0]
            results = tuple(task.results[node] for node in nodes if node in task.results)
            for node, why in task.killed.items():
                return OrderAttempt(AttemptEnd.CRASHED, results, nodes.index(node), why, may_be_foreign=True)
            if work.was_sent:
                story = f"the process ended between tests\n{work.log}"
                return OrderAttempt(AttemptEnd.CRASHED, results, len(results), story)


def _ended(results: tuple[Result, ...]) -> OrderAttempt:
    ends = {Outcome.CRASHED: AttemptEnd.CRASHED, Outcome.TIMED_OUT: AttemptEnd.TIMED_OUT}
    for place, result in enumerate(results):
        if result.outcome in ends:
            return OrderAttempt(ends[result.outcome], results[:place], place, result.story)
    return OrderAttempt(AttemptEnd.WHOLE, results)


def _drained(run: Generator[SlotEvent, None, TreeTask]) -> tuple[TreeTask, list[SlotEvent]]:
    """What it returns, and all that it yields."""
    events: list[SlotEvent] = []
    while True:
        try:
            events.append(next(run))
        except StopIteration as end:
            return end.value, events
