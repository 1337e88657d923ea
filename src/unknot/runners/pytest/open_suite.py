"""Opens a pytest suite on this machine: workers that have collected it, and the runner on them."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.pytest.collection import Collected, check_same_suite
from unknot.runners.pytest.forked_trees import open_forked_slot
from unknot.runners.pytest.shared_collection import SharedCollection
from unknot.runners.pytest.slot import PytestSlot, PytestSlotSpec
from unknot.runners.sandbox.sandbox import OpenSandbox
from unknot.runners.settings import Settings
from unknot.runners.workers.pool import OpenSlot
from unknot.runners.workers.slot import SlotLost, SlotSpec
from unknot.runners.workers.task import SessionSpec, versions
from unknot.runners.workers.threads import ThreadWorkers


@dataclass(frozen=True)
class OpenedSuite:
    """`why_fresh` is the reason if each order needs a fresh process, `why_shared` if workers have no HOME and /tmp of
    their own."""

    runner: SlotRunner
    collected: Collected
    forks: bool
    why_fresh: str
    why_shared: str


@contextmanager
def open_suite(
    settings: Settings, *, fork: bool | None = None, prestarted: int | None = None, collects_once: bool = False
) -> Iterator[OpenedSuite]:
    """`prestarted` workers, all by default, open their slots now, at the same time; others when they have work. `fork`
    says which of the two ways of a slot it is. With `collects_once`, the suite is collected once for all slots, if
    that is possible: best where a slot runs few orders. Raises what collecting a suite raises, and RunnerError if the
    workers do not find the same tests. In the end no process and no directory is left."""
    workers = ThreadWorkers(settings.workers)
    count = prestarted or settings.workers
    with ExitStack() as resources:
        resources.callback(workers.close, "")
        if collects_once and count > 1 and fork is not False:
            held = _open_forked(settings, workers, fork, count, resources)
        else:
            held = workers.open(_kit(PytestSlotSpec(settings, None, fork)), count)
        slots = [_listed(each) for each in held]
        first = slots[0]
        for other in slots[1:]:
            check_same_suite(first.collected.suite, other.collected.suite)
        spec = PytestSlotSpec(settings, first.collected.suite, first.forks)
        runner = SlotRunner(spec, first.collected, workers, is_careful=bool(first.why_shared))
        yield OpenedSuite(runner, first.collected, first.forks, first.why_fresh, first.why_shared)


def _kit(spec: SlotSpec) -> SessionSpec:
    return SessionSpec(spec, (), None, versions())


def _open_forked(
    settings: Settings, workers: ThreadWorkers, fork: bool | None, count: int, resources: ExitStack
) -> Sequence[OpenSlot]:
    """One process collects here, and the others are forked off it; if that is not possible, it is that of the first
    slot."""
    sandbox = OpenSandbox()
    try:
        collection = SharedCollection(settings, sandbox.sandbox, fork)
    except BaseException:
        sandbox.close()
        raise
    spec = PytestSlotSpec(settings, collection.collected.suite, collection.trees.forks)
    if collection.why_not_shared():
        first = OpenSlot(PytestSlot(spec, collection.workspace, collection.trees), sandbox, _kit(spec))
        return workers.open(_kit(spec), count, [first])
    # Its end takes a moment, in which the workers are closed.
    closing_workers = resources.pop_all()
    resources.callback(sandbox.close)
    resources.callback(collection.close)
    resources.push(closing_workers)
    resources.callback(collection.send_stop)
    held: list[OpenSlot] = []
    try:
        for _ in range(min(count, workers.count)):
            held.append(open_forked_slot(spec, collection, sandbox))  # noqa: PERF401 - kept if the next one fails
    except SlotLost:
        # The others collect the suite by themselves.
        pass
    except BaseException:
        for slot in held:
            slot.close()
        raise
    return workers.open(_kit(spec), count, held)


def _listed(held: OpenSlot) -> PytestSlot:
    """From now on, tasks go by positions in what the slot has found."""
    assert isinstance(held.slot, PytestSlot)
    held.kit = replace(held.kit, tests=held.slot.collected.suite.tests)
    return held.slot
