"""Slots that are opened before anybody knows what can be run there: the first of them lists the suite.

A copy of the system under test takes seconds to come up, and a suite can be collected only where one is. So whoever
lists the suite stays, and takes the first orders.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from unknot.runners.pytest.pytest_slot import OpenedSuite, PytestSlot, PytestSlotSpec, check_same_suite
from unknot.runners.workers import pool
from unknot.runners.workers.local import LocalWorkers
from unknot.runners.workers.task import Kit, versions


@dataclass(frozen=True)
class OpenedAhead:
    """`spec` is for those that are opened later. Whoever goes on with the session closes the workers."""

    spec: PytestSlotSpec
    listed: OpenedSuite
    workers: LocalWorkers
    session: str


@contextmanager
def opened_ahead(spec: PytestSlotSpec, workers: int, *, ahead: int) -> Iterator[OpenedAhead]:
    """So many of the workers open their slot now, at the same time. Raises what collecting a suite raises, and
    RunnerError if they do not find the same tests. In the end nothing of it is left."""
    session = secrets.token_hex(8)
    local = LocalWorkers(workers)
    try:
        flights = [local.executor.submit(_open, session, spec) for _ in range(min(workers, ahead))]
        first, *others = [flight.result() for flight in flights]
        for other in others:
            check_same_suite(first.collected.suite, other.collected.suite)
        yield OpenedAhead(replace(spec, suite=first.collected.suite, fork=first.forks), first, local, session)
    finally:
        local.close(session)


def _open(session: str, spec: PytestSlotSpec) -> OpenedSuite:
    """In a worker: opens a slot and keeps it for the tasks of the session, which go by positions in what it tells."""
    held = pool.opened(Kit(spec, (), None, versions()))
    assert isinstance(held.slot, PytestSlot)
    listed = held.slot.listed
    held.kit = replace(held.kit, tests=listed.collected.suite.tests)
    pool.put_back(session, held)
    return listed
