"""Opens a pytest suite on this machine: workers that have collected it, and the runner on them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.pytest.collection import Collected, check_same_suite
from unknot.runners.pytest.slot import PytestSlot, PytestSlotSpec
from unknot.runners.settings import Settings
from unknot.runners.workers.pool import OpenSlot
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
def open_suite(settings: Settings, *, fork: bool | None = None, prestarted: int | None = None) -> Iterator[OpenedSuite]:
    """`prestarted` workers, all by default, collect the suite now, at the same time; others when they have work. `fork`
    says which of the two ways of a slot it is. Raises what collecting a suite raises, and RunnerError if the workers do
    not find the same tests. In the end no process and no directory is left."""
    workers = ThreadWorkers(settings.workers)
    try:
        kit = SessionSpec(PytestSlotSpec(settings, None, fork), (), None, versions())
        slots = [_listed(held) for held in workers.open(kit, prestarted or settings.workers)]
        first = slots[0]
        for other in slots[1:]:
            check_same_suite(first.collected.suite, other.collected.suite)
        spec = PytestSlotSpec(settings, first.collected.suite, first.forks)
        runner = SlotRunner(spec, first.collected, workers, is_careful=bool(first.why_shared))
        yield OpenedSuite(runner, first.collected, first.forks, first.why_fresh, first.why_shared)
    finally:
        workers.close("")


def _listed(held: OpenSlot) -> PytestSlot:
    """From now on, tasks go by positions in what the slot has found."""
    assert isinstance(held.slot, PytestSlot)
    held.kit = replace(held.kit, tests=held.slot.collected.suite.tests)
    return held.slot
